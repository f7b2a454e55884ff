//! The parser of the kernel IR; see [`super::text`] for the language. It never panics.

use super::lex::{Lexer, Token};
use super::words::{MODES, SCALARS, read};
use super::{
    Block, KInst, KOp, KValue, Kernel, KernelId, Mem, MemDef, MemKind, MemRef, MemRefDef, Place, Program,
    Scalar,
};
use crate::entity::{Entity, EntityVec};
use crate::text::ParseError;
use crate::types::{DType, Dims, FloatMode, TensorType};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// How deep blocks may nest.
const MAX_NESTING: usize = 256;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a program.
pub fn parse(source: &str) -> Result<Program> {
    let mut parser = Parser { lexer: Lexer::new(source)?, mems: BTreeMap::new(), symbols: Vec::new() };
    parser.program()
}

pub(super) struct Parser<'a> {
    pub(super) lexer: Lexer<'a>,
    mems: BTreeMap<&'a str, Mem>,
    /// Kernels by name, in the order in which they are mentioned, and where.
    symbols: Vec<(String, usize)>,
}

/// The kernel being read.
#[derive(Default)]
pub(super) struct Names<'a> {
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
                if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } | KOp::Launch { kernel, .. } =
                    op
                {
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

    pub(super) fn block(&mut self, names: &mut Names<'a>, params: &[KValue]) -> Result<Block> {
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
        if let "program" | "param" | "local" | "workgroup" | "unused" = word {
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
            "workgroup" => MemKind::Workgroup,
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

    pub(super) fn define(&mut self, names: &mut Names<'a>, name: &'a str, ty: Scalar) -> Result<KValue> {
        let value = names.kernel.values.push(ty);
        match names.values.insert(name, value) {
            None => Ok(value),
            Some(_) => self.lexer.error(format!("`%{name}` is defined twice")),
        }
    }

    pub(super) fn values(&mut self, names: &Names<'a>, count: usize) -> Result<SmallVec<[KValue; 3]>> {
        let mut out = SmallVec::new();
        for k in 0..count {
            if k > 0 {
                self.punct(',')?;
            }
            out.push(self.value(names)?);
        }
        Ok(out)
    }

    pub(super) fn value(&mut self, names: &Names<'a>) -> Result<KValue> {
        let position = self.lexer.position();
        let name = self.value_name()?;
        match names.values.get(name) {
            Some(&value) => Ok(value),
            None => self.lexer.error_at(position, format!("`%{name}` is not defined yet")),
        }
    }

    pub(super) fn memref_name(&mut self, names: &Names<'a>) -> Result<MemRef> {
        let position = self.lexer.position();
        let name = self.value_name()?;
        match names.mems.get(name) {
            Some(&m) => Ok(m),
            None => self.lexer.error_at(position, format!("there is no memref `%{name}`")),
        }
    }

    /// A type that must be that of a value.
    pub(super) fn annotation(&mut self, names: &Names<'a>, value: KValue) -> Result<()> {
        let position = self.lexer.position();
        let (ty, actual) = (self.scalar()?, names.ty(value));
        if ty != actual {
            return self.lexer.error_at(position, format!("the operand is {actual}, not {ty}"));
        }
        Ok(())
    }

    pub(super) fn scalars(&mut self) -> Result<SmallVec<[Scalar; 1]>> {
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

    pub(super) fn scalar(&mut self) -> Result<Scalar> {
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

    pub(super) fn value_name(&mut self) -> Result<&'a str> {
        let position = self.lexer.position();
        match self.lexer.take()? {
            Token::Value(name) => Ok(name),
            other => self.lexer.error_at(position, format!("expected a value, got {other}")),
        }
    }

    pub(super) fn kernel_symbol(&mut self) -> Result<KernelId> {
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

    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Result<T> {
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

    pub(super) fn member<T>(&mut self, read: impl Fn(&str) -> Option<T>, what: &str) -> Result<T> {
        let position = self.lexer.position();
        let token = self.lexer.take()?;
        let member = match token {
            Token::Word(text) => read(text),
            _ => None,
        };
        member.map_or_else(|| self.lexer.error_at(position, format!("expected {what}, got {token}")), Ok)
    }

    pub(super) fn word(&mut self, word: &'static str) -> Result<()> {
        self.expect(Token::Word(word))
    }

    pub(super) fn punct(&mut self, c: char) -> Result<()> {
        self.expect(Token::Punct(c))
    }

    pub(super) fn expect(&mut self, token: Token<'_>) -> Result<()> {
        if self.lexer.peek() != token {
            return self.lexer.error(format!("expected {token}, got {}", self.lexer.peek()));
        }
        self.lexer.take()?;
        Ok(())
    }

    pub(super) fn eat(&mut self, c: char) -> Result<bool> {
        let there = self.lexer.peek() == Token::Punct(c);
        if there {
            self.lexer.take()?;
        } else if self.lexer.peek() == Token::End {
            return self.lexer.error(format!("expected `{c}`, got the end"));
        }
        Ok(there)
    }
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
