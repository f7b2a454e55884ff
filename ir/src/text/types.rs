//! Reading types and type signatures.

use super::frame::{Res, Signature};
use super::lexer::{Tok, tidy};
use super::parser::Parser;
use crate::types::{DType, DYNAMIC, Dims, TensorType, Type};

/// More dimensions than any program has; keeps work per type small.
const MAX_RANK: usize = 64;

impl<'s> Parser<'s> {
    /// A value type.
    pub(super) fn ty(&mut self) -> Res<Type> {
        match self.tok() {
            Tok::Ident("tensor") if self.is_foreign_tensor() => self.foreign_type(),
            Tok::Ident("tensor") => Ok(self.tensor(false)?.into()),
            Tok::Bang("stablehlo.token") => {
                self.bump();
                Ok(Type::Token)
            }
            Tok::Bang("stablehlo.future" | "quant.uniform" | "quant.any" | "shape.shape") => {
                self.foreign_type()
            }
            Tok::Bang(_) | Tok::Ident("memref" | "vector") => {
                let what = self.tok().describe();
                self.fail(format!("the type {what} is not supported"))
            }
            Tok::Ident("tuple") => self.fail("a tuple cannot stand here"),
            _ => self.expected("a type"),
        }
    }

    /// Whether the tensor type that starts here is one that is only read and printed: quantized or with
    /// an encoding.
    fn is_foreign_tensor(&self) -> bool {
        let rest = &self.src()[self.end()..];
        let inside = rest.split(['>', '\n']).next().unwrap_or_default();
        inside.contains("!quant.") || inside.contains('#')
    }

    /// A type that is kept as it is written.
    fn foreign_type(&mut self) -> Res<Type> {
        let from = self.start();
        self.bump();
        if self.tok() == Tok::Punct(b'<') {
            self.skip_balanced()?;
        }
        Ok(Type::Foreign(tidy(self.src(), from, self.lexer.last_end).into()))
    }

    /// `tensor<...>`. In attributes the element type may be `index`.
    pub(super) fn tensor(&mut self, attribute: bool) -> Res<TensorType> {
        let start = self.start();
        self.bump();
        if self.tok() != Tok::Punct(b'<') {
            return self.expected("`<`");
        }
        // Sizes are read from the bytes: `0x3xf32` is not a number to us.
        let bytes = self.src().as_bytes();
        let mut at = self.end();
        let mut shape = Dims::new();
        loop {
            at = self.skip_blank(at);
            match bytes.get(at) {
                Some(b'?') => {
                    at += 1;
                    shape.push(DYNAMIC);
                }
                Some(b'0'..=b'9') => {
                    let from = at;
                    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                        at += 1;
                    }
                    match self.src()[from..at].parse::<i64>() {
                        Ok(n) => shape.push(n as usize),
                        Err(_) => return self.fail_at(from, "a size of more than 2^63"),
                    }
                }
                Some(b'*') => return self.fail_at(at, "unranked tensors are not supported"),
                _ => break,
            }
            at = self.skip_blank(at);
            if bytes.get(at) != Some(&b'x') {
                return self.fail_at(at, "expected `x` and the next size or the element type");
            }
            at += 1;
            if shape.len() > MAX_RANK {
                return self.fail_at(at, format!("more than {MAX_RANK} dimensions"));
            }
        }
        self.jump(at);
        let dtype = self.dtype(attribute)?;
        if self.tok() == Tok::Punct(b',') {
            return self.fail("encodings of tensor types are not supported");
        }
        self.punct(b'>')?;
        let ty = TensorType { dtype, shape };
        if ty.is_static() && ty.checked_bytes().is_none() {
            return self.fail_at(start, "a tensor type with more bytes than can be addressed");
        }
        Ok(ty)
    }

    /// An element type.
    fn dtype(&mut self, attribute: bool) -> Res<DType> {
        let start = self.start();
        let name = match self.tok() {
            Tok::Ident(name) => name,
            Tok::Bang(name) => return self.fail(format!("the element type `!{name}` is not supported")),
            _ => return self.expected("an element type"),
        };
        self.bump();
        if name == "complex" {
            self.punct(b'<')?;
            let part = self.tok();
            let dtype = match part {
                Tok::Ident("f32") => DType::C64,
                Tok::Ident("f64") => DType::C128,
                _ => return self.fail(format!("a complex number of {} is not supported", part.describe())),
            };
            self.bump();
            self.punct(b'>')?;
            return Ok(dtype);
        }
        if name == "index" && attribute {
            return Ok(DType::I64);
        }
        match DType::parse(name) {
            Some(dtype) => Ok(dtype),
            None => self.fail_at(start, format!("the element type `{name}` is not supported")),
        }
    }

    /// `(T, U)`, `()` or a single `T`; tuples are taken apart.
    pub(super) fn types_in_parens(&mut self) -> Res<Vec<Type>> {
        let (mut out, mut shapes) = (Vec::new(), Vec::new());
        if !self.eat(b'(') {
            shapes.push(self.type_into(&mut out)?);
        } else {
            while self.tok() != Tok::Punct(b')') {
                shapes.push(self.type_into(&mut out)?);
                if !self.eat(b',') {
                    break;
                }
            }
            self.punct(b')')?;
        }
        self.result_shapes = shapes;
        Ok(out)
    }

    /// `T, U`; tuples are taken apart.
    pub(super) fn type_list(&mut self) -> Res<Vec<Type>> {
        let (types, shapes) = self.types_with_shapes()?;
        self.result_shapes = shapes;
        Ok(types)
    }

    /// The colon and what follows it.
    pub(super) fn signature(&mut self) -> Res<Signature> {
        self.punct(b':')?;
        if self.tok() == Tok::Punct(b'(') {
            let operands = self.types_in_parens()?;
            self.arrow()?;
            return Ok(Signature::Function(operands, self.types_in_parens()?));
        }
        let types = self.type_list()?;
        if self.tok() == Tok::Arrow {
            self.bump();
            return Ok(Signature::Arrow(types, self.types_in_parens()?));
        }
        Ok(Signature::Bare(types))
    }
}
