//! The parser of the kernel IR; see [`super::text`] for the language. It never panics.

pub use super::lex::ParseError;

use super::lex::{Lexer, Token};
use super::scalar::{truncate, width};
use super::text::{BINARY, CASTS, COMBINES, FLOAT_BINARY, FLOAT_UNARY, MODES, SCALARS, UNARY, read};
use super::{
    Access, Block, Extent, For, KInst, KOp, KValue, Kernel, KernelId, Library, LoopKind, Matrix, Mem, MemDef,
    MemKind, MemRef, MemRefDef, Place, Program, Scalar, WhileLoop,
};
use crate::entity::{Entity, EntityVec};
use crate::math::{MathFn, MathFn2};
use crate::op::{CompareType, Direction};
use crate::types::{DType, Dims, FloatMode, TensorType};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// How deep blocks may nest.
const MAX_NESTING: usize = 256;

type Result<T> = std::result::Result<T, ParseError>;

/// Reads a program.
pub fn parse(source: &str) -> Result<Program> {
    let mut parser = Parser { lexer: Lexer::new(source)?, mems: BTreeMap::new(), symbols: Vec::new() };
    parser.program()
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    mems: BTreeMap<&'a str, Mem>,
    /// Kernels by name, in the order in which they are mentioned, and where.
    symbols: Vec<(String, usize)>,
}

/// The kernel being read.
#[derive(Default)]
struct Names<'a> {
    values: BTreeMap<&'a str, KValue>,
    mems: BTreeMap<&'a str, MemRef>,
    kernel: Kernel,
    nesting: usize,
}

impl Names<'_> {
    fn ty(&self, value: KValue) -> Scalar {
        self.kernel.values[value]
    }
}

impl<'a> Parser<'a> {
    fn program(&mut self) -> Result<Program> {
        self.word("program")?;
        let name = self.symbol()?;
        let params = self.tensors()?;
        self.expect(Token::Arrow)?;
        let results = self.tensors()?;
        self.word("mode")?;
        let mode: FloatMode = self.member(|t| read(MODES, t), "a float mode")?;
        self.word("scratch")?;
        let scratch = self.number()?;
        self.word("entry")?;
        let entry = self.kernel_symbol()?;
        self.punct('{')?;
        let mut mems = EntityVec::new();
        while let Token::Word(name) = self.lexer.peek()
            && name != "func"
        {
            let position = self.lexer.position();
            self.lexer.take()?;
            self.punct('=')?;
            let mem = self.mem()?;
            if self.mems.insert(name, mems.push(mem)).is_some() {
                return self.lexer.error_at(position, format!("`{name}` is there already"));
            }
        }
        let mut kernels: EntityVec<KernelId, Kernel> = EntityVec::new();
        let mut by_name: BTreeMap<String, KernelId> = BTreeMap::new();
        while !self.eat('}')? {
            let position = self.lexer.position();
            let kernel = self.kernel()?;
            let name = kernel.name.clone();
            if by_name.insert(name.clone(), kernels.push(kernel)).is_some() {
                return self.lexer.error_at(position, format!("`@{name}` is there already"));
            }
        }
        self.expect(Token::End)?;
        let mut resolved = Vec::new();
        for (name, position) in &self.symbols {
            match by_name.get(name) {
                Some(&id) => resolved.push(id),
                None => return self.lexer.error_at(*position, format!("there is no kernel `@{name}`")),
            }
        }
        for kernel in kernels.values_mut() {
            visit_ops(&mut kernel.body, &mut |op| {
                if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } = op {
                    *kernel = resolved[kernel.index()];
                }
            });
        }
        let entry = resolved[entry.index()];
        Ok(Program { name, mode, params, results, mems, kernels, entry, scratch })
    }

    fn mem(&mut self) -> Result<MemDef> {
        let position = self.lexer.position();
        let place = match self.lexer.take()? {
            Token::Word("param") => Place::Param(self.number()?),
            Token::Word("result") => Place::Result(self.number()?),
            Token::Word("scratch") => Place::Scratch(self.number()?),
            Token::Word("stack") => Place::Stack,
            Token::Word("constant") => Place::Constant(self.bytes()?.into()),
            other => {
                return self.lexer.error_at(position, format!("expected a place of memory, got {other}"));
            }
        };
        self.punct(':')?;
        let (shape, elem) = self.memref()?;
        Ok(MemDef { elem, shape, place })
    }

    fn bytes(&mut self) -> Result<Vec<u8>> {
        let position = self.lexer.position();
        let bytes = match self.lexer.take()? {
            Token::Text(text) => {
                text.strip_prefix("0x").filter(|t| t.is_ascii() && t.len() % 2 == 0).and_then(|hex| {
                    (0..hex.len()).step_by(2).map(|k| u8::from_str_radix(&hex[k..k + 2], 16).ok()).collect()
                })
            }
            _ => None,
        };
        bytes.map_or_else(|| self.lexer.error_at(position, "expected bytes like \"0x00ff\""), Ok)
    }

    fn kernel(&mut self) -> Result<Kernel> {
        self.word("func")?;
        let mut names = Names::default();
        names.kernel.name = self.symbol()?;
        self.punct('(')?;
        let mut body = Block::default();
        while !self.eat(')')? {
            if !body.params.is_empty() {
                self.punct(',')?;
            }
            let name = self.value_name()?;
            self.punct(':')?;
            let ty = self.scalar()?;
            body.params.push(self.define(&mut names, name, ty)?);
        }
        self.punct('{')?;
        self.block_into(&mut names, &mut body)?;
        names.kernel.body = body;
        renumber(&mut names);
        Ok(names.kernel)
    }

    /// Instructions up to the closing brace.
    fn block_into(&mut self, names: &mut Names<'a>, block: &mut Block) -> Result<()> {
        names.nesting += 1;
        if names.nesting > MAX_NESTING {
            return self.lexer.error(format!("blocks nest deeper than {MAX_NESTING}"));
        }
        while !self.eat('}')? {
            if self.lexer.peek() == Token::Word("scf.yield") {
                self.lexer.take()?;
                block.yields.push(self.value(names)?);
                while self.eat(',')? {
                    block.yields.push(self.value(names)?);
                }
                self.punct('}')?;
                break;
            }
            if let Some(inst) = self.line(names)? {
                block.insts.push(inst);
            }
        }
        names.nesting -= 1;
        Ok(())
    }

    fn block(&mut self, names: &mut Names<'a>, params: &[KValue]) -> Result<Block> {
        let mut block = Block { params: params.into(), ..Block::default() };
        self.punct('{')?;
        self.block_into(names, &mut block)?;
        Ok(block)
    }

    /// An instruction, or the declaration of a memref or of a value that nothing defines.
    fn line(&mut self, names: &mut Names<'a>) -> Result<Option<KInst>> {
        let mut results = Vec::new();
        if let Token::Value(_) = self.lexer.peek() {
            loop {
                results.push((self.value_name()?, self.lexer.position()));
                if !self.eat(',')? {
                    break;
                }
            }
            self.punct('=')?;
        }
        let position = self.lexer.position();
        let Token::Word(word) = self.lexer.take()? else {
            return self.lexer.error_at(position, "expected an instruction");
        };
        if let "program" | "param" | "local" | "unused" = word {
            let [(name, _)] = results[..] else {
                return self.lexer.error_at(position, format!("`{word}` declares one name"));
            };
            self.declaration(names, word, name)?;
            return Ok(None);
        }
        let (op, operands, types) = self.op(names, word, position)?;
        if types.len() != results.len() {
            let message = format!("`{word}` gives {} values, not {}", types.len(), results.len());
            return self.lexer.error_at(position, message);
        }
        let defined = results.iter().zip(types).map(|(&(name, _), ty)| self.define(names, name, ty));
        let results = defined.collect::<Result<SmallVec<[KValue; 1]>>>()?;
        Ok(Some(KInst { op, operands, results }))
    }

    fn declaration(&mut self, names: &mut Names<'a>, word: &str, name: &'a str) -> Result<()> {
        if word == "unused" {
            self.punct(':')?;
            let ty = self.scalar()?;
            self.define(names, name, ty)?;
            return Ok(());
        }
        let kind = match word {
            "program" => {
                let position = self.lexer.position();
                let mem = match self.lexer.take()? {
                    Token::Word(mem) => self.mems.get(mem).copied(),
                    _ => None,
                };
                let Some(mem) = mem else { return self.lexer.error_at(position, "there is no such memory") };
                MemKind::Program(mem)
            }
            "param" => MemKind::Param(self.number()?),
            _ => MemKind::Local,
        };
        self.punct(':')?;
        let position = self.lexer.position();
        let (shape, elem) = self.memref()?;
        let Some(len) = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d)) else {
            return self.lexer.error_at(position, "the size does not fit");
        };
        if names.mems.insert(name, names.kernel.mems.push(MemRefDef { elem, len, kind })).is_some() {
            return self.lexer.error_at(position, format!("`%{name}` is there already"));
        }
        Ok(())
    }

    #[allow(clippy::type_complexity, reason = "the parts of one instruction")]
    fn op(
        &mut self,
        names: &mut Names<'a>,
        word: &str,
        position: usize,
    ) -> Result<(KOp, SmallVec<[KValue; 3]>, SmallVec<[Scalar; 1]>)> {
        let simple = if let Some(op) = read(FLOAT_UNARY, word).or_else(|| read(UNARY, word)) {
            Some((KOp::Unary(op), 1))
        } else if let Some(op) = read(FLOAT_BINARY, word).or_else(|| read(BINARY, word)) {
            Some((KOp::Binary(op), 2))
        } else if let Some(&f) = MathFn::ALL.iter().find(|f| f.name() == word) {
            Some((KOp::Math(f), 1))
        } else if let Some(&f) = MathFn2::ALL.iter().find(|f| f.name() == word) {
            Some((KOp::Math2(f), 2))
        } else if word == "math.fma" {
            Some((KOp::Fma, 3))
        } else if word == "arith.select" {
            Some((KOp::Select, 3))
        } else {
            None
        };
        if let Some((op, count)) = simple {
            let operands = self.values(names, count)?;
            self.punct(':')?;
            let ty = self.scalar()?;
            return Ok((op, operands, smallvec![ty]));
        }
        if let Some(kind) = read(CASTS, word) {
            let operands = self.values(names, 1)?;
            self.punct(':')?;
            self.annotation(names, operands[0])?;
            self.word("to")?;
            return Ok((KOp::Cast(kind), operands, smallvec![self.scalar()?]));
        }
        Ok(match word {
            "arith.constant" => {
                let at = self.lexer.position();
                let token = self.lexer.take()?;
                self.punct(':')?;
                let ty = self.scalar()?;
                let Some(word) = constant(token, ty) else {
                    return self.lexer.error_at(at, format!("{token} is not a constant of type {ty}"));
                };
                (KOp::Const(word), smallvec![], smallvec![ty])
            }
            "arith.cmp" => {
                let direction = self.member(Direction::parse, "a direction")?;
                self.punct(',')?;
                let kind = self.member(CompareType::parse, "an order")?;
                self.punct(',')?;
                let operands = self.values(names, 2)?;
                self.punct(':')?;
                self.annotation(names, operands[0])?;
                (KOp::Compare(direction, kind), operands, smallvec![Scalar::I1])
            }
            "memref.load" => {
                let access = self.access(names)?;
                self.punct(':')?;
                (KOp::Load(access), smallvec![], smallvec![self.scalar()?])
            }
            "memref.store" => {
                let operands = self.values(names, 1)?;
                self.punct(',')?;
                let access = self.access(names)?;
                self.punct(':')?;
                self.annotation(names, operands[0])?;
                (KOp::Store(access), operands, smallvec![])
            }
            "memref.reserve" => {
                let m = self.memref_name(names)?;
                self.punct(',')?;
                (KOp::Reserve(m), self.values(names, 1)?, smallvec![])
            }
            "scf.for" => self.counted(names)?,
            "scf.while" => {
                self.punct('(')?;
                let carried = self.carried(names)?;
                self.expect(Token::Arrow)?;
                let types = self.scalars()?;
                let params = self.define_all(names, &carried.names, &types, position)?;
                let cond = self.block(names, &params)?;
                self.word("do")?;
                self.punct('(')?;
                let mut inner = Vec::new();
                while !self.eat(')')? {
                    if !inner.is_empty() {
                        self.punct(',')?;
                    }
                    inner.push(self.value_name()?);
                }
                let params = self.define_all(names, &inner, &types, position)?;
                let body = self.block(names, &params)?;
                (KOp::While(Box::new(WhileLoop { cond, body })), carried.initial, types)
            }
            "scf.index_switch" => {
                let operands = self.values(names, 1)?;
                self.expect(Token::Arrow)?;
                let types = self.scalars()?;
                let mut blocks = vec![self.block(names, &[])?];
                while self.lexer.peek() == Token::Punct('{') {
                    blocks.push(self.block(names, &[])?);
                }
                (KOp::Switch(blocks), operands, types)
            }
            "func.call" => {
                let kernel = self.kernel_symbol()?;
                let (mems, operands) = self.arguments(names)?;
                (KOp::Call { kernel, mems }, operands, smallvec![])
            }
            "scf.parallel" => {
                let kernel = self.kernel_symbol()?;
                self.word("to")?;
                let extent = self.extent(names)?;
                self.word("grain")?;
                let grain = self.number()?;
                let (mems, operands) = self.arguments(names)?;
                (KOp::Parallel { kernel, mems, extent, grain }, operands, smallvec![])
            }
            "library.gemm" => {
                let elem = self.scalar()?;
                let mut sizes = [0; 4];
                for (k, size) in sizes.iter_mut().enumerate() {
                    self.punct(if k == 0 { '[' } else { ',' })?;
                    *size = self.number()?;
                }
                self.punct(']')?;
                let (a, b, c) = (self.matrix(names)?, self.matrix(names)?, self.matrix(names)?);
                (KOp::Library(Box::new(Library::Gemm { elem, sizes, a, b, c })), smallvec![], smallvec![])
            }
            "library.tile" => {
                let f = self.member(|t| MathFn::ALL.iter().copied().find(|f| f.name() == t), "a function")?;
                let src = self.access(names)?;
                self.word("to")?;
                let dst = self.access(names)?;
                self.word("len")?;
                let len = self.extent(names)?;
                (KOp::Library(Box::new(Library::Tile { f, src, dst, len })), smallvec![], smallvec![])
            }
            "library.tile2" => {
                let f =
                    self.member(|t| MathFn2::ALL.iter().copied().find(|f| f.name() == t), "a function")?;
                let a = self.access(names)?;
                self.punct(',')?;
                let b = self.access(names)?;
                self.word("to")?;
                let dst = self.access(names)?;
                self.word("len")?;
                let len = self.extent(names)?;
                (KOp::Library(Box::new(Library::Tile2 { f, a, b, dst, len })), smallvec![], smallvec![])
            }
            other => return self.lexer.error_at(position, format!("there is no instruction `{other}`")),
        })
    }

    #[allow(clippy::type_complexity, reason = "the parts of one instruction")]
    fn counted(
        &mut self,
        names: &mut Names<'a>,
    ) -> Result<(KOp, SmallVec<[KValue; 3]>, SmallVec<[Scalar; 1]>)> {
        let position = self.lexer.position();
        let kind = match self.lexer.peek() {
            Token::Word("vector") => {
                self.lexer.take()?;
                LoopKind::Vector
            }
            Token::Word("lanes") => {
                self.lexer.take()?;
                self.punct('(')?;
                let mut combines = SmallVec::new();
                while !self.eat(')')? {
                    if !combines.is_empty() {
                        self.punct(',')?;
                    }
                    combines.push(self.member(|t| read(COMBINES, t), "a monoid")?);
                }
                LoopKind::Lanes(combines)
            }
            _ => LoopKind::Sequential,
        };
        let counter = self.value_name()?;
        self.punct('=')?;
        let start = self.extent(names)?;
        self.word("to")?;
        let end = self.extent(names)?;
        self.word("step")?;
        let step = self.number()?;
        let (mut carried, mut types) = (Carried::default(), SmallVec::new());
        if self.lexer.peek() == Token::Word("iter") {
            self.lexer.take()?;
            self.punct('(')?;
            carried = match kind {
                LoopKind::Sequential => self.carried(names)?,
                LoopKind::Vector | LoopKind::Lanes(_) => {
                    let mut carried = Carried::default();
                    while !self.eat(')')? {
                        if !carried.names.is_empty() {
                            self.punct(',')?;
                        }
                        carried.names.push(self.value_name()?);
                    }
                    carried
                }
            };
            self.expect(Token::Arrow)?;
            types = self.scalars()?;
        }
        let mut params = vec![self.define(names, counter, Scalar::I64)?];
        params.extend(self.define_all(names, &carried.names, &types, position)?);
        let body = self.block(names, &params)?;
        Ok((KOp::For(Box::new(For { start, end, step, kind, body })), carried.initial, types))
    }

    /// `%a = %x, ...)`.
    fn carried(&mut self, names: &Names<'a>) -> Result<Carried<'a>> {
        let mut carried = Carried::default();
        while !self.eat(')')? {
            if !carried.names.is_empty() {
                self.punct(',')?;
            }
            carried.names.push(self.value_name()?);
            self.punct('=')?;
            carried.initial.push(self.value(names)?);
        }
        Ok(carried)
    }

    fn define_all(
        &mut self,
        names: &mut Names<'a>,
        new: &[&'a str],
        types: &[Scalar],
        position: usize,
    ) -> Result<Vec<KValue>> {
        if new.len() != types.len() {
            return self.lexer.error_at(position, format!("{} names and {} types", new.len(), types.len()));
        }
        new.iter().zip(types).map(|(name, &ty)| self.define(names, name, ty)).collect()
    }

    fn define(&mut self, names: &mut Names<'a>, name: &'a str, ty: Scalar) -> Result<KValue> {
        let value = names.kernel.values.push(ty);
        match names.values.insert(name, value) {
            None => Ok(value),
            Some(_) => self.lexer.error(format!("`%{name}` is defined twice")),
        }
    }

    /// The accesses and scalars given to a kernel: `(%m0[0]; %x)`.
    #[allow(clippy::type_complexity, reason = "the two lists")]
    fn arguments(&mut self, names: &Names<'a>) -> Result<(Vec<Access>, SmallVec<[KValue; 3]>)> {
        self.punct('(')?;
        let (mut mems, mut operands) = (Vec::new(), SmallVec::new());
        while !self.eat(';')? {
            if !mems.is_empty() {
                self.punct(',')?;
            }
            mems.push(self.access(names)?);
        }
        while !self.eat(')')? {
            if !operands.is_empty() {
                self.punct(',')?;
            }
            operands.push(self.value(names)?);
        }
        Ok((mems, operands))
    }

    fn matrix(&mut self, names: &Names<'a>) -> Result<Matrix> {
        self.punct('(')?;
        let at = self.access(names)?;
        let mut strides = [0; 3];
        for stride in &mut strides {
            self.punct(',')?;
            *stride = self.number()?;
        }
        self.punct(')')?;
        let [row_stride, col_stride, batch_stride] = strides;
        Ok(Matrix { at, row_stride, col_stride, batch_stride })
    }

    /// `%m0[%i * 3 + %j + 5]`.
    fn access(&mut self, names: &Names<'a>) -> Result<Access> {
        let mem = self.memref_name(names)?;
        self.punct('[')?;
        let mut access = Access { mem, offset: 0, terms: SmallVec::new() };
        loop {
            if let Token::Value(_) = self.lexer.peek() {
                let value = self.value(names)?;
                let stride = if self.eat('*')? { self.number()? } else { 1 };
                access.terms.push((value, stride));
            } else {
                let position = self.lexer.position();
                let more: i64 = self.number()?;
                let Some(offset) = access.offset.checked_add(more) else {
                    return self.lexer.error_at(position, "the offset does not fit");
                };
                access.offset = offset;
            }
            if !self.eat('+')? {
                break;
            }
        }
        self.punct(']')?;
        Ok(access)
    }

    fn extent(&mut self, names: &Names<'a>) -> Result<Extent> {
        match self.lexer.peek() {
            Token::Value(_) => Ok(Extent::Value(self.value(names)?)),
            _ => Ok(Extent::Const(self.number()?)),
        }
    }

    fn values(&mut self, names: &Names<'a>, count: usize) -> Result<SmallVec<[KValue; 3]>> {
        let mut out = SmallVec::new();
        for k in 0..count {
            if k > 0 {
                self.punct(',')?;
            }
            out.push(self.value(names)?);
        }
        Ok(out)
    }

    fn value(&mut self, names: &Names<'a>) -> Result<KValue> {
        let position = self.lexer.position();
        let name = self.value_name()?;
        match names.values.get(name) {
            Some(&value) => Ok(value),
            None => self.lexer.error_at(position, format!("`%{name}` is not defined yet")),
        }
    }

    fn memref_name(&mut self, names: &Names<'a>) -> Result<MemRef> {
        let position = self.lexer.position();
        let name = self.value_name()?;
        match names.mems.get(name) {
            Some(&m) => Ok(m),
            None => self.lexer.error_at(position, format!("there is no memref `%{name}`")),
        }
    }

    /// A type that must be that of a value.
    fn annotation(&mut self, names: &Names<'a>, value: KValue) -> Result<()> {
        let position = self.lexer.position();
        let (ty, actual) = (self.scalar()?, names.ty(value));
        if ty != actual {
            return self.lexer.error_at(position, format!("the operand is {actual}, not {ty}"));
        }
        Ok(())
    }

    fn scalars(&mut self) -> Result<SmallVec<[Scalar; 1]>> {
        self.punct('(')?;
        let mut types = SmallVec::new();
        while !self.eat(')')? {
            if !types.is_empty() {
                self.punct(',')?;
            }
            types.push(self.scalar()?);
        }
        Ok(types)
    }

    fn scalar(&mut self) -> Result<Scalar> {
        self.member(|t| read(SCALARS, t), "a scalar type")
    }

    fn tensors(&mut self) -> Result<Vec<TensorType>> {
        self.punct('(')?;
        let mut types = Vec::new();
        while !self.eat(')')? {
            if !types.is_empty() {
                self.punct(',')?;
            }
            self.word("tensor")?;
            let position = self.lexer.position();
            let text = self.lexer.angle()?;
            let ty = shaped(text).and_then(|(shape, elem)| {
                let dtype = DType::ALL.iter().copied().find(|d| d.name() == elem)?;
                Some(TensorType { dtype, shape })
            });
            match ty {
                Some(ty) => types.push(ty),
                None => return self.lexer.error_at(position, format!("`{text}` is not a shape and a type")),
            }
        }
        Ok(types)
    }

    fn memref(&mut self) -> Result<(Dims, Scalar)> {
        self.word("memref")?;
        let position = self.lexer.position();
        let text = self.lexer.angle()?;
        match shaped(text).and_then(|(shape, elem)| Some((shape, read(SCALARS, elem)?))) {
            Some(parts) => Ok(parts),
            None => self.lexer.error_at(position, format!("`{text}` is not a shape and a type")),
        }
    }

    fn value_name(&mut self) -> Result<&'a str> {
        let position = self.lexer.position();
        match self.lexer.take()? {
            Token::Value(name) => Ok(name),
            other => self.lexer.error_at(position, format!("expected a value, got {other}")),
        }
    }

    fn kernel_symbol(&mut self) -> Result<KernelId> {
        let position = self.lexer.position();
        let name = self.symbol()?;
        let known = self.symbols.iter().position(|s| s.0 == name);
        let index = known.unwrap_or_else(|| {
            self.symbols.push((name, position));
            self.symbols.len() - 1
        });
        Ok(KernelId::from_index(index))
    }

    fn symbol(&mut self) -> Result<String> {
        let position = self.lexer.position();
        match self.lexer.take()? {
            Token::Symbol(text) => match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
                None => Ok(text.to_owned()),
                Some(quoted) => Ok(unescape(quoted)),
            },
            other => self.lexer.error_at(position, format!("expected a symbol, got {other}")),
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T> {
        let position = self.lexer.position();
        let token = self.lexer.take()?;
        let value = match token {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        value.map_or_else(
            || self.lexer.error_at(position, format!("expected a number that fits, got {token}")),
            Ok,
        )
    }

    fn member<T>(&mut self, read: impl Fn(&str) -> Option<T>, what: &str) -> Result<T> {
        let position = self.lexer.position();
        let token = self.lexer.take()?;
        let member = match token {
            Token::Word(text) => read(text),
            _ => None,
        };
        member.map_or_else(|| self.lexer.error_at(position, format!("expected {what}, got {token}")), Ok)
    }

    fn word(&mut self, word: &'static str) -> Result<()> {
        self.expect(Token::Word(word))
    }

    fn punct(&mut self, c: char) -> Result<()> {
        self.expect(Token::Punct(c))
    }

    fn expect(&mut self, token: Token<'_>) -> Result<()> {
        if self.lexer.peek() != token {
            return self.lexer.error(format!("expected {token}, got {}", self.lexer.peek()));
        }
        self.lexer.take()?;
        Ok(())
    }

    fn eat(&mut self, c: char) -> Result<bool> {
        let there = self.lexer.peek() == Token::Punct(c);
        if there {
            self.lexer.take()?;
        } else if self.lexer.peek() == Token::End {
            return self.lexer.error(format!("expected `{c}`, got the end"));
        }
        Ok(there)
    }
}

/// What a loop carries: the names inside, and the initial values.
#[derive(Default)]
struct Carried<'a> {
    names: Vec<&'a str>,
    initial: SmallVec<[KValue; 3]>,
}

/// `2x3xf32` as a shape and the spelling of a type.
fn shaped(text: &str) -> Option<(Dims, &str)> {
    let mut parts = text.trim();
    let mut shape = Dims::new();
    while parts.starts_with(|c: char| c.is_ascii_digit() || c == '?') {
        let (size, rest) = parts.split_once('x')?;
        shape.push(if size == "?" { crate::types::DYNAMIC } else { size.parse().ok()? });
        parts = rest;
    }
    Some((shape, parts))
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut escaped = false;
    for c in text.chars() {
        match c {
            'n' if escaped => out.push('\n'),
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            c => out.push(c),
        }
        escaped = false;
    }
    out
}

/// The bits of a constant: hexadecimal bits as they are, or a number of the type.
fn constant(token: Token<'_>, ty: Scalar) -> Option<u64> {
    let text = match token {
        Token::Number(text) => text,
        Token::Word("true") if ty == Scalar::I1 => return Some(1),
        Token::Word("false") if ty == Scalar::I1 => return Some(0),
        _ => return None,
    };
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    match ty {
        Scalar::F64 => text.parse().ok().map(f64::to_bits),
        Scalar::F32 => text.parse().ok().map(|v: f32| v.to_bits() as u64),
        Scalar::I64 | Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => {
            let value: i128 = text.parse().ok()?;
            let bits = width(ty);
            (-(1i128 << (bits - 1))..1i128 << bits).contains(&value).then(|| truncate(ty, value as u64))
        }
    }
}

fn visit_ops(block: &mut Block, f: &mut impl FnMut(&mut KOp)) {
    for inst in &mut block.insts {
        f(&mut inst.op);
        inst.op.blocks_mut().for_each(|b| visit_ops(b, f));
    }
}

/// Gives values the numbers they are called by, if their names are the numbers `0..n`.
fn renumber(names: &mut Names<'_>) {
    let count = names.kernel.values.len();
    let mut number = EntityVec::<KValue, KValue>::filled(KValue::from_index(0), count);
    for (name, &value) in &names.values {
        match name.parse::<usize>() {
            Ok(n) if n < count && n.to_string() == *name => number[value] = KValue::from_index(n),
            _ => return,
        }
    }
    let old = names.kernel.values.clone();
    for (value, &ty) in old.iter() {
        names.kernel.values[number[value]] = ty;
    }
    names.kernel.body.map_values(&mut |v| number[v]);
}
