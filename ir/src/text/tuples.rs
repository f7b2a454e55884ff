//! Tuples are read as the values they hold, in order: a name may stand for several values.

use super::frame::{Instr, Res, Shape, TupleValues, Use, Uses};
use super::lexer::Tok;
use super::parser::Parser;
use crate::types::Type;

impl<'s> Parser<'s> {
    /// A type, its parts appended to `out`.
    pub(super) fn type_into(&mut self, out: &mut Vec<Type>) -> Res<Shape> {
        if self.tok() != Tok::Ident("tuple") {
            out.push(self.ty()?);
            return Ok(Shape::Leaf);
        }
        self.bump();
        self.deeper(|p| {
            p.punct(b'<')?;
            let mut parts = Vec::new();
            while p.tok() != Tok::Punct(b'>') {
                parts.push(p.type_into(out)?);
                if !p.eat(b',') {
                    break;
                }
            }
            p.punct(b'>')?;
            Ok(Shape::Tuple(parts))
        })
    }

    /// `T, U` with how they are built.
    pub(super) fn types_with_shapes(&mut self) -> Res<(Vec<Type>, Vec<Shape>)> {
        let (mut types, mut shapes) = (Vec::new(), Vec::new());
        loop {
            shapes.push(self.type_into(&mut types)?);
            if !self.eat(b',') {
                return Ok((types, shapes));
            }
        }
    }

    /// `%t[1]`: the operands of the tuple, and the values of its element.
    pub(super) fn tuple_element_pretty(&mut self) -> Res<(Uses, TupleValues)> {
        let at = self.start();
        let operands = self.operands()?;
        let Some((_, shape)) = self.tuple_operand.take() else {
            return self.fail_at(at, "this value is not a tuple");
        };
        self.punct(b'[')?;
        let Tok::Number(text) = self.tok() else { return self.expected("the number of an element") };
        let Ok(index) = text.parse() else { return self.expected("the number of an element") };
        self.bump();
        self.punct(b']')?;
        self.optional_dict()?;
        let element = self.element(&operands, &shape, index, at)?;
        Ok((operands, element))
    }

    /// Element `index` of a tuple.
    pub(super) fn element(&self, values: &[Use], shape: &Shape, index: usize, at: usize) -> Res<TupleValues> {
        let Shape::Tuple(parts) = shape else { return self.fail_at(at, "this value is not a tuple") };
        let Some(part) = parts.get(index) else {
            let message = format!("a tuple of {} elements has no element {index} (C1)", parts.len());
            return self.fail_at(at, message);
        };
        let from: usize = parts[..index].iter().map(Shape::len).sum();
        Ok((values[from..from + part.len()].iter().copied().collect(), part.clone()))
    }

    /// The values of an element as what an instruction gives, their types checked.
    pub(super) fn element_of(
        &mut self,
        (values, shape): TupleValues,
        said: &[Type],
        at: usize,
    ) -> Res<Instr> {
        let types: Vec<Type> = values.iter().map(|u| self.value_type(u.0).clone()).collect();
        if types != said {
            return self.fail_at(at, "the element has another type (C2)");
        }
        self.result_shapes = vec![shape];
        Ok(Instr::given(values.iter().map(|u| u.0).collect()))
    }
}
