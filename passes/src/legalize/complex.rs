//! Rules for complex values as pairs of real ones.

use super::values::{Legalizer, Rep};
use smallvec::smallvec;
use wengert_ir::array::{Array, Literal};
use wengert_ir::complex::{self, Complex, Parts};
use wengert_ir::op::*;
use wengert_ir::types::{DType, TensorType};

/// Formulas as instructions.
struct Terms<'a, 'm> {
    l: &'a mut Legalizer<'m>,
    /// The type of the parts.
    ty: TensorType,
}

type V = wengert_ir::func::Value;

impl Parts for Terms<'_, '_> {
    type V = V;
    type P = V;
    fn constant(&mut self, value: f64) -> V {
        self.l.one(Constant { value: Literal::splat(self.ty.clone(), value) }, &[])
    }
    fn is_wide(&self) -> bool {
        self.ty.dtype == DType::F64
    }
    fn unary(&mut self, op: UnaryOp, x: V) -> V {
        self.l.one(op, &[x])
    }
    fn binary(&mut self, op: BinaryOp, a: V, b: V) -> V {
        self.l.one(op, &[a, b])
    }
    fn fma(&mut self, a: V, b: V, c: V) -> V {
        self.l.one(Fma {}, &[a, b, c])
    }
    fn compare(&mut self, direction: Direction, a: V, b: V) -> V {
        self.l.one(Compare { direction, kind: CompareType::Float }, &[a, b])
    }
    fn and(&mut self, a: V, b: V) -> V {
        self.l.one(BinaryOp::And, &[a, b])
    }
    fn or(&mut self, a: V, b: V) -> V {
        self.l.one(BinaryOp::Or, &[a, b])
    }
    fn choose(&mut self, p: V, a: V, b: V) -> V {
        self.l.one(Select {}, &[p, a, b])
    }
}

fn pair(x: &Rep) -> Complex<V> {
    Complex { re: x[0], im: x[1] }
}

/// Values in another type.
fn converted(l: &mut Legalizer<'_>, parts: &[V], dtype: DType) -> Rep {
    parts.iter().map(|&v| l.convert(v, dtype)).collect()
}

/// What stands for the result, `None` without a rule.
pub(super) fn inst(
    l: &mut Legalizer<'_>,
    op: &Op,
    x: &[Rep],
    types: &[TensorType],
    result: &TensorType,
) -> Option<Rep> {
    let part = result.with_dtype(result.dtype.part());
    // Moves both parts alike; operands that are not complex go to both.
    let both = |l: &mut Legalizer<'_>, op: &Op| -> Rep {
        (0..2)
            .map(|k| {
                let operands: Vec<V> = x.iter().map(|r| r[k.min(r.len() - 1)]).collect();
                l.one(op.clone(), &operands)
            })
            .collect()
    };
    let constant = |l: &mut Legalizer<'_>, value: Literal| l.one(Constant { value }, &[]);
    let zeros = |l: &mut Legalizer<'_>| constant(l, Literal::splat(part.clone(), 0.0));
    Some(match op {
        Op::Unary(op) => {
            let own = types[0].dtype.part();
            let dtype = if complex::is_computed_wide(*op) { DType::F64 } else { own };
            let z = converted(l, &x[0], dtype);
            match complex::unary(&mut Terms { l, ty: types[0].with_dtype(dtype) }, *op, pair(&z))? {
                complex::Value::Real(y) => smallvec![l.convert(y, own)],
                complex::Value::Complex(y) => converted(l, &[y.re, y.im], own),
            }
        }
        Op::Binary(BinaryOp::Complex) => smallvec![x[0][0], x[1][0]],
        Op::Binary(op) => {
            let dtype = if complex::is_computed_wide2(*op) { DType::F64 } else { part.dtype };
            let (a, b) = (converted(l, &x[0], dtype), converted(l, &x[1], dtype));
            let y = complex::binary(&mut Terms { l, ty: part.with_dtype(dtype) }, *op, pair(&a), pair(&b))?;
            converted(l, &[y.re, y.im], part.dtype)
        }
        Op::Compare(c) => {
            let ty = types[0].with_dtype(types[0].dtype.part());
            smallvec![complex::compare(&mut Terms { l, ty }, c.direction, pair(&x[0]), pair(&x[1]))]
        }
        Op::Constant(c) => {
            let [re, im] = halves(&c.value);
            smallvec![constant(l, re), constant(l, im)]
        }
        Op::Zero(_) => {
            let zero = zeros(l);
            smallvec![zero, zero]
        }
        Op::Iota(i) => {
            let re = l.one(Iota { ty: part.clone(), dim: i.dim }, &[]);
            smallvec![re, zeros(l)]
        }
        Op::Convert(c) => match (types[0].dtype.is_complex(), c.dtype.is_complex()) {
            (true, true) => x[0].iter().map(|&v| l.convert(v, c.dtype.part())).collect(),
            (false, true) if types[0].dtype.is_native() => {
                let re = l.convert(x[0][0], c.dtype.part());
                smallvec![re, zeros(l)]
            }
            (true, false) if c.dtype.is_native() => {
                smallvec![l.convert(x[0][0], c.dtype)]
            }
            _ => return None,
        },
        Op::Select(_)
        | Op::BroadcastInDim(_)
        | Op::Reshape(_)
        | Op::Transpose(_)
        | Op::Reverse(_)
        | Op::Slice(_)
        | Op::Concatenate(_)
        | Op::Pad(_)
        | Op::DynamicSlice(_)
        | Op::DynamicUpdateSlice(_)
        | Op::StopGradient(_)
        | Op::Gather(_) => both(l, op),
        Op::Scatter(s) if matches!(s.reducer, Reducer::Assign | Reducer::Op(BinaryOp::Add)) => both(l, op),
        Op::Reduce(r) if r.reducer == Reducer::Op(BinaryOp::Add) => both(l, op),
        Op::DotGeneral(d) if types.iter().all(|t| t.dtype == d.dtype) => {
            let real = DotGeneral { dtype: d.dtype.part(), ..d.clone() };
            let mut dot = |a: usize, b: usize| l.one(real.clone(), &[x[0][a], x[1][b]]);
            let (ac, bd, ad, bc) = (dot(0, 0), dot(1, 1), dot(0, 1), dot(1, 0));
            smallvec![l.one(BinaryOp::Subtract, &[ac, bd]), l.one(BinaryOp::Add, &[ad, bc])]
        }
        _ => return None,
    })
}

/// The real and the imaginary parts of a constant.
fn halves(value: &Literal) -> [Literal; 2] {
    let ty = value.ty();
    let (size, part) = (ty.dtype.size(), ty.with_dtype(ty.dtype.part()));
    [0, size / 2].map(|at| {
        let bytes: Vec<u8> =
            value.stored_bytes().chunks_exact(size).flat_map(|e| e[at..at + size / 2].to_vec()).collect();
        match value.as_splat() {
            Some(_) => Literal::splat_bytes(part.clone(), &bytes),
            None => Literal::from_array(&Array::from_bytes(part.clone(), &bytes)),
        }
    })
}
