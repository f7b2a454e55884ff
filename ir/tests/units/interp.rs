//! Limits of the interpreter: memory, steps, depth; and what it shows of a run.

use smallvec::smallvec;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module};
use wengert_ir::interp::{Limits, run, run_counted, run_watched};
use wengert_ir::op::{BinaryOp, BroadcastInDim, Call, Op};
use wengert_ir::rules::EvalError;
use wengert_ir::text::parse;
use wengert_ir::types::{DType, Dims, TensorType};

fn vector(n: usize) -> TensorType {
    TensorType::new(DType::F64, &[n])
}

/// x -> ((x + x) + x) + x ..., `adds` times.
fn chain(module: &mut Module, adds: usize) -> FuncId {
    let mut f = Func::new("main", FuncKind::Public);
    let x = f.param(vector(128));
    let mut y = x;
    for _ in 0..adds {
        y = f.push(module, BinaryOp::Add.into(), &[y, x], Loc::Unknown).unwrap()[0];
    }
    f.results = vec![y];
    module.add(f)
}

#[test]
fn values_go_after_their_last_use() {
    let mut module = Module::new("test");
    let f = chain(&mut module, 50);
    let x = Array::new(&[128], &[1.0; 128]);
    // The argument, a sum and the next one: three times a kilobyte.
    let run = |max| {
        run(&module, f, std::slice::from_ref(&x), &Limits { max_memory: Some(max), ..Limits::default() })
    };
    assert_eq!(run(3 * 1024).unwrap()[0], Array::new(&[128], &[51.0; 128]));
    assert_eq!(run(3 * 1024 - 1), Err(EvalError::Memory(3 * 1024 - 1)));
}

#[test]
fn every_instruction_is_shown() {
    let mut module = Module::new("test");
    let f = chain(&mut module, 3);
    let x = Array::new(&[128], &[1.0; 128]);
    let mut shown = Vec::new();
    let out = run_watched(&module, f, std::slice::from_ref(&x), &Limits::default(), &mut |i, x, y| {
        shown.push((i.op.name().to_owned(), x[0].as_slice::<f64>()[0], y[0].as_slice::<f64>()[0]));
    });
    assert_eq!(out.unwrap()[0], Array::new(&[128], &[4.0; 128]));
    let add = |x, y| ("stablehlo.add".to_owned(), x, y);
    assert_eq!(shown, [add(1.0, 2.0), add(2.0, 3.0), add(3.0, 4.0)]);
}

#[test]
fn steps_are_counted() {
    let mut module = Module::new("test");
    let f = chain(&mut module, 50);
    let x = Array::new(&[128], &[1.0; 128]);
    let run = |max| {
        run(&module, f, std::slice::from_ref(&x), &Limits { max_steps: Some(max), ..Limits::default() })
    };
    assert!(run(50).is_ok());
    assert_eq!(run(49), Err(EvalError::Steps(49)));
}

#[test]
fn steps_weigh_work() {
    let source = "func.func @main(%x: tensor<64x128xf64>, %y: tensor<128x128xf64>) -> tensor<64x128xf64> {
            %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] :
                (tensor<64x128xf64>, tensor<128x128xf64>) -> tensor<64x128xf64>
            return %0 : tensor<64x128xf64>
        }";
    let module = parse(source).unwrap_or_else(|e| panic!("{e}"));
    let f = module.find("main").unwrap();
    let args = [Array::new(&[64, 128], &[1.0; 8192]), Array::new(&[128, 128], &[1.0; 16384])];
    let run = |max| run_counted(&module, f, &args, &Limits { max_steps: Some(max), ..Limits::default() });
    // 2 x 2^20 operations are 2048 steps, and the instruction is one.
    assert_eq!(run(2048).0, Err(EvalError::Steps(2048)));
    assert!(run(2049).0.is_ok());
    assert_eq!(run(1 << 40).1, 2049);
}

#[test]
fn huge_results_are_refused_before_they_are_allocated() {
    let mut module = Module::new("test");
    let mut f = Func::new("main", FuncKind::Public);
    let x = f.param(vector(1));
    let to = |shape: &[usize]| BroadcastInDim { shape: Dims::from_slice(shape), dims: smallvec![1] };
    let pushed = f.push(&module, to(&[1 << 62, 1 << 62]).into(), &[x], Loc::Unknown);
    assert_eq!(pushed.unwrap_err().constraint, "size");
    f.results = f.push(&module, to(&[1 << 50, 1]).into(), &[x], Loc::Unknown).unwrap().to_vec();
    let id = module.add(f);
    let out = run(&module, id, &[Array::new(&[1], &[1.0])], &Limits::default());
    assert!(matches!(out, Err(EvalError::Unavailable(_))), "{out:?}");
    let limits = Limits { max_memory: Some(1 << 30), ..Limits::default() };
    let out = run(&module, id, &[Array::new(&[1], &[1.0])], &limits);
    assert_eq!(out, Err(EvalError::Memory(1 << 30)));
}

#[test]
fn recursion_ends() {
    let mut module = Module::new("test");
    let me = module.funcs.next_key();
    let mut f = Func::new("main", FuncKind::Public);
    let x = f.param(vector(1));
    f.results = f.push_typed(Op::Call(Call { callee: me }), &[x], [vector(1).into()], Loc::Unknown).to_vec();
    let f = module.add(f);
    let out = run(&module, f, &[Array::new(&[1], &[1.0])], &Limits::default());
    assert!(matches!(out, Err(EvalError::Unsupported(_))));
}

#[test]
fn arguments_must_fit() {
    let mut module = Module::new("test");
    let f = chain(&mut module, 1);
    for args in [vec![], vec![Array::new(&[3], &[1.0; 3])], vec![Array::new(&[128], &[1i64; 128])]] {
        let out = run(&module, f, &args, &Limits::default());
        assert!(matches!(out, Err(EvalError::Unsupported(_))));
    }
}
