//! What a program does besides computing: it prints, asserts, and names values.

use crate::array::Array;
use crate::display::shown;
use crate::ensure;
use crate::func::Module;
use crate::op::{Assert, Print, Sow};
use crate::ops::batching;
use crate::rules::{Batched, Mapped, Transpose};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, TypeError, Types};
use crate::types::{DType, Dims, TensorType, Type};
use crate::{printed, replay};
use smallvec::smallvec;

/// The tensors among operands, all of which must be some.
fn tensors(operands: &[Type]) -> Result<Vec<&TensorType>, TypeError> {
    let tensor = |ty: &Type| format!("takes tensors, not {ty}");
    operands.iter().map(|ty| ty.as_tensor().ok_or_else(|| TypeError::new("operands", tensor(ty)))).collect()
}

/// Checks that a format has as many holes as there are values.
fn check_format(format: &str, values: usize) -> Result<(), TypeError> {
    let holes = printed::holes(format).map_err(|why| TypeError::new("format", why))?;
    ensure!(holes == values, "format", "the format {format:?} has {holes} `{{}}` for {values} values");
    Ok(())
}

impl OpDef for Print {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        tensors(operands)?;
        check_format(&self.format, operands.len())?;
        Ok(Types::new())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        replay::once(
            || format!("{self:?}"),
            operands,
            || {
                let values: Vec<String> = operands.iter().map(shown).collect();
                printed::print(printed::fill(&self.format, &values));
                Ok(Vec::new())
            },
        )
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        Tangents::new()
    }
}

impl Assert {
    /// The shape of an operand that has these of the dimensions of examples in front, without them.
    fn examples(&self, mask: usize) -> impl Iterator<Item = usize> {
        (0..self.batch).filter(move |&d| mask >> d & 1 == 1)
    }

    /// The first element of the predicate that is false.
    pub fn fails(pred: &Array) -> Option<usize> {
        pred.bytes().iter().position(|&holds| holds == 0)
    }

    /// What to say if element `first` of a predicate of shape `shape` is false, with these values.
    pub fn describe(&self, shape: &[usize], first: usize, values: &[Array]) -> String {
        let mut index = vec![0; shape.len()];
        let mut rest = first;
        for (i, &n) in index.iter_mut().zip(shape).rev() {
            *i = rest % n.max(1);
            rest /= n.max(1);
        }
        let (example, element) = index.split_at(self.batch.min(index.len()));
        let of_example = |(value, &mask): (&Array, &usize)| {
            let dims: Vec<usize> = self.examples(mask).collect();
            let at = dims.iter().zip(value.shape()).fold(0, |at, (&d, &n)| at * n + example[d]);
            let ty = value.ty().with_shape(&value.shape()[dims.len()..]);
            let bytes = ty.bytes();
            shown(&Array::from_bytes(ty, &value.bytes()[at * bytes..(at + 1) * bytes]))
        };
        let shown: Vec<String> = values.iter().zip(&self.mapped).map(of_example).collect();
        let mut out = printed::fill(&self.message, &shown);
        if !element.is_empty() {
            out += &format!(" (element {element:?})");
        }
        match example {
            [] => {}
            [one] => out += &format!(" (example {one})"),
            all => out += &format!(" (example {all:?})"),
        }
        out
    }
}

impl OpDef for Assert {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let all = tensors(operands)?;
        let Some((pred, values)) = all.split_first() else {
            return Err(TypeError::new("operands", "takes a predicate"));
        };
        ensure!(pred.dtype == DType::I1, "operands", "the predicate is {pred}, not of booleans");
        check_format(&self.message, values.len())?;
        ensure!(self.batch <= pred.rank(), "batch", "{} dimensions of {pred} are examples", self.batch);
        ensure!(self.mapped.len() == values.len(), "mapped", "{} flags of values", self.mapped.len());
        for (&mask, value) in self.mapped.iter().zip(values) {
            let sizes: Dims = self.examples(mask).map(|d| pred.shape[d]).collect();
            let fits = self.batch <= 32 && mask >> self.batch == 0 && value.shape.starts_with(&sizes);
            ensure!(fits, "mapped", "{value} has not the examples of {pred}");
        }
        Ok(Types::new())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        match Assert::fails(&operands[0]) {
            None => Ok(Vec::new()),
            Some(first) => Err(EvalError::raised(self.describe(operands[0].shape(), first, &operands[1..]))),
        }
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        Tangents::new()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let mut terms = vec![batching::at(e, size, operands[0], 0)];
        let mut mapped = Dims::new();
        for (&x, &mask) in operands[1..].iter().zip(&self.mapped) {
            mapped.push(mask << 1 | x.1.is_some() as usize);
            terms.push(if x.1.is_some() { batching::at(e, size, x, 0) } else { x.0 });
        }
        e.emit(Assert { batch: self.batch + 1, mapped, ..self.clone() }.into(), &terms);
        Some(Batched::new())
    }
}

impl OpDef for Sow {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(matches!(operands, [Type::Tensor(_)]), "operands", "takes one tensor");
        Ok(smallvec![operands[0].clone()])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        Ok(operands.to_vec())
    }

    // The name is of the value, not of its derivative.
    fn jvp(&self, _: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        x.tangents.iter().copied().collect()
    }

    fn transpose(&self, _: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        x.cotangents.iter().copied().collect()
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear == [true]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}
