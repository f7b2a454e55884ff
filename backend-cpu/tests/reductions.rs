//! Reductions of every element type by every monoid, over elements that lie on one side of 0: a lane that starts from anything
//! but the identity shows there, where elements of both signs would hide it.

use crate::common;

use common::call;
use wengert_cpu::{Executable, Options, Wide};
use wengert_ir::array::{Array, Literal};
use wengert_ir::interp::{self, Limits};
use wengert_ir::op::{BinaryOp, Op, Reduce, Reducer};
use wengert_ir::testing::{Random, numbers, single};
use wengert_ir::types::{DType, DTypeClass, Dims, FloatMode, TensorType};
use wengert_passes::lower::{self, lower};
use wengert_passes::pipeline::Pipeline;

/// What a reduction by a monoid may start from without a trace.
fn identity(op: BinaryOp, dtype: DType) -> f64 {
    let bits = dtype.bits() as i32;
    let (least, most) = match dtype.class() {
        DTypeClass::Signed => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1)),
        _ => (0.0, 2f64.powi(bits)),
    };
    match op {
        BinaryOp::Maximum if dtype.is_float() => f64::NEG_INFINITY,
        BinaryOp::Minimum if dtype.is_float() => f64::INFINITY,
        BinaryOp::Maximum => least,
        BinaryOp::Minimum => most,
        BinaryOp::Multiply => 1.0,
        // Of integers -1 is all ones: it wraps.
        BinaryOp::And => {
            if dtype.class() == DTypeClass::Signed {
                -1.0
            } else {
                most
            }
        }
        _ => 0.0,
    }
}

/// Numbers between 3 and 90, negative ones where the type has them and they are asked for.
fn one_sided(ty: &TensorType, negative: bool, random: &mut Random) -> Array {
    let sign = if negative && ty.dtype.class() != DTypeClass::Unsigned { -1.0 } else { 1.0 };
    let whole = !ty.dtype.is_float();
    let values = (0..ty.elements()).map(|_| {
        let x = random.uniform(3.0, 90.0) * sign;
        if whole { x.floor() } else { x }
    });
    numbers(ty, values.collect::<Vec<_>>())
}

fn codes(
    op: &Op,
    ty: &TensorType,
    parallel: bool,
) -> Vec<(Options, wengert_ir::kernel::Program, Executable)> {
    let (mut m, f) = single(op.clone(), &[ty.clone(), TensorType::scalar(ty.dtype)]);
    m.mode = FloatMode::Exact;
    let f = Pipeline::default().run(&mut m, f, &mut |_| {});
    let options = lower::Options { parallel, ..Default::default() };
    let program = lower(&m, f, &options).unwrap_or_else(|e| panic!("{e}"));
    let all = [
        Options { vectors: false, tiles: false, wide: None, ..Options::default() },
        Options { wide: None, ..Options::default() },
        Options { wide: Some(Wide::Ymm), ..Options::default() },
        Options::default(),
    ];
    let compiled = all.map(|o| {
        let code = Executable::compile(&program, &o).unwrap_or_else(|e| panic!("{e}"));
        (o, program.clone(), code)
    });
    compiled.into()
}

#[test]
fn lanes_start_from_the_identity() {
    let shapes: [(&[usize], &[usize]); 6] = [
        (&[5], &[0]),
        (&[100], &[0]),
        (&[1100], &[0]),
        (&[3, 70], &[1]),
        (&[70, 5], &[0]),
        (&[3, 40, 7], &[0, 1]),
    ];
    let mut random = Random(5);
    for dtype in DType::ALL.iter().copied().filter(|d| d.is_native() && *d != DType::I1) {
        for op in BinaryOp::MONOIDS {
            if dtype.is_float() && matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
                continue;
            }
            for (shape, dims) in shapes {
                let ty = TensorType::new(dtype, shape);
                let reduce: Op =
                    Reduce { dims: Dims::from_slice(dims), inputs: 1, reducer: Reducer::Op(op) }.into();
                let start = Literal::splat(TensorType::scalar(dtype), identity(op, dtype)).to_array();
                let codes = codes(&reduce, &ty, false);
                for negative in [false, true] {
                    let args = [one_sided(&ty, negative, &mut random), start.clone()];
                    let (m, f) = single(reduce.clone(), &[ty.clone(), start.ty().clone()]);
                    let want =
                        interp::run(&m, f, &args, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
                    for (options, program, code) in &codes {
                        let found = call(code, program, &args);
                        let what = format!("{} of {ty} over {dims:?}, {options:?}", op.name());
                        assert!(found == want, "{what}: {found:?} instead of {want:?}");
                    }
                }
            }
        }
    }
}
