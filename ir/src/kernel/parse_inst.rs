//! The parser of kernel instructions.

use super::lex::Token;
use super::parse::{Names, Parser, Result};
use super::product::{Level, Levels};
use super::reference::Reference;
use super::scalar::{truncate, width};
use super::words::{AXES, BINARY, CASTS, COMBINES, FLOAT_BINARY, FLOAT_UNARY, UNARY, read};
use super::{Access, Extent, For, KOp, KValue, Library, LoopKind, Matrix, Scalar, WhileLoop};
use crate::math::{MathFn, MathFn2};
use crate::op::{CompareType, Direction};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// The parts of an instruction: what it does, its operands, and the types of its results.
type Parts = (KOp, SmallVec<[KValue; 3]>, SmallVec<[Scalar; 1]>);

/// What a loop carries: the names inside, and the initial values.
#[derive(Default)]
struct Carried<'a> {
    names: Vec<&'a str>,
    initial: SmallVec<[KValue; 3]>,
}

impl<'a> Parser<'a> {
    pub(super) fn op(&mut self, names: &mut Names<'a>, word: &str, position: usize) -> Result<Parts> {
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
            "wengert.steps" => {
                let work = self.number()?;
                let operands = if self.eat(',')? { self.values(names, 1)? } else { smallvec![] };
                (KOp::Steps(work), operands, smallvec![])
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
            "gpu.launch" => {
                let kernel = self.kernel_symbol()?;
                self.word("blocks")?;
                let grid = self.three(|parser| parser.extent(names))?;
                self.word("threads")?;
                let block = self.three(Self::number)?;
                let (mems, operands) = self.arguments(names)?;
                (KOp::Launch { kernel, mems, grid, block }, operands, smallvec![])
            }
            "gpu.thread_id" | "gpu.block_id" => {
                let axis = self.member(|t| read(AXES, t), "an axis")?;
                self.punct(':')?;
                let op = if word == "gpu.thread_id" { KOp::ThreadId(axis) } else { KOp::BlockId(axis) };
                (op, smallvec![], smallvec![self.scalar()?])
            }
            "gpu.barrier" => (KOp::Barrier, smallvec![], smallvec![]),
            "gpu.shuffle" => {
                self.word("xor")?;
                let operands = self.values(names, 1)?;
                self.punct(',')?;
                let mask = self.number()?;
                self.punct(':')?;
                (KOp::Shuffle(mask), operands, smallvec![self.scalar()?])
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
                let (rows, depth) = (self.levels("rows")?, self.levels("sum")?);
                let adds = self.lexer.peek() == Token::Word("adds");
                if adds {
                    self.lexer.take()?;
                }
                (
                    KOp::Library(Box::new(Library::Gemm { elem, sizes, rows, depth, a, b, c, adds })),
                    smallvec![],
                    smallvec![],
                )
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
            "library.reference" => {
                let Token::Text(raw) = self.lexer.peek() else {
                    return self
                        .lexer
                        .error(format!("expected the text of a program, got {}", self.lexer.peek()));
                };
                let at = self.lexer.position();
                self.lexer.take()?;
                let program = match Reference::parse(&crate::text::unescape(raw)) {
                    Ok(program) => Arc::new(program),
                    Err(why) => return self.lexer.error_at(at, why),
                };
                let inputs = self.accesses(names)?;
                self.word("to")?;
                let outputs = self.accesses(names)?;
                let call = Library::Reference { program, inputs, outputs };
                (KOp::Library(Box::new(call)), smallvec![], smallvec![])
            }
            "library.section" => {
                (KOp::Library(Box::new(Library::Section(self.number()?))), smallvec![], smallvec![])
            }
            other => return self.lexer.error_at(position, format!("there is no instruction `{other}`")),
        })
    }

    /// `(a, b, c)`.
    fn three<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<[T; 3]> {
        self.punct('(')?;
        let x = read(self)?;
        self.punct(',')?;
        let y = read(self)?;
        self.punct(',')?;
        let z = read(self)?;
        self.punct(')')?;
        Ok([x, y, z])
    }

    /// `(%m0[..], %m1[..])`.
    fn accesses(&mut self, names: &mut Names<'a>) -> Result<Vec<Access>> {
        let mut all = Vec::new();
        self.punct('(')?;
        while self.lexer.peek() != Token::Punct(')') {
            if !all.is_empty() {
                self.punct(',')?;
            }
            all.push(self.access(names)?);
        }
        self.punct(')')?;
        Ok(all)
    }

    fn counted(&mut self, names: &mut Names<'a>) -> Result<Parts> {
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

    /// `rows [(8, 3712, 64), (2, 6, 3)]`, if there are any.
    fn levels(&mut self, word: &str) -> Result<Levels> {
        let mut levels = Levels::new();
        if self.lexer.peek() != Token::Word(word) {
            return Ok(levels);
        }
        self.lexer.take()?;
        self.punct('[')?;
        loop {
            self.punct('(')?;
            let extent = self.number()?;
            self.punct(',')?;
            let first = self.number()?;
            self.punct(',')?;
            let second = self.number()?;
            self.punct(')')?;
            levels.push(Level { extent, strides: [first, second] });
            if !self.eat(',')? {
                break;
            }
        }
        self.punct(']')?;
        Ok(levels)
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
