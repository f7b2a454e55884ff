//! The table of operations with windows, of `map` and of batch normalization: derivatives, transposes,
//! and the constraints that `infer` names.

use smallvec::SmallVec;
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncId, FuncKind, Module};
use wengert_ir::op::*;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::testing::convolutions::{convolution, convolutions};
use wengert_ir::testing::{Builder, Random, Row, eval, eval_op, floats, jvp, single_in};
use wengert_ir::types::{DType, Dims, TensorType, Type};

fn f64s(shape: &[usize]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

fn pads(p: &[i64]) -> SmallVec<[i64; 4]> {
    p.into()
}

fn dims(d: &[usize]) -> Dims {
    Dims::from_slice(d)
}

/// The function of parameters of these types whose results `build` makes of them.
fn function(
    module: &mut Module,
    operands: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[Term]) -> Option<Vec<Term>>,
) -> Option<Func> {
    let mut builder = Builder { module, func: Func::new("", FuncKind::Region) };
    let params: Vec<Term> = operands.iter().map(|t| Term::Known(builder.func.param(t.clone()))).collect();
    let results = build(&mut builder, &params)?;
    builder.func.results = results.into_iter().map(Builder::value).collect();
    Some(builder.func)
}

/// The function that an operation expands into, its own instructions expanded too.
fn expanded(module: &mut Module, op: &Op, operands: &[Type]) -> Option<FuncId> {
    struct Deep<'a, 'm>(&'a mut Builder<'m>);
    impl Emit for Deep<'_, '_> {
        fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
            match op.def().expand(self, operands) {
                Some(results) => results,
                None => self.0.emit(op, operands),
            }
        }
        fn ty(&self, term: Term) -> TensorType {
            self.0.ty(term)
        }
        fn module(&mut self) -> &mut Module {
            self.0.module
        }
    }
    let func = function(module, operands, |b, x| op.def().expand(&mut Deep(b), x).map(|r| r.to_vec()))?;
    Some(module.add(func))
}

/// The expansion computes the same.
fn check_expansion(module: &Module, op: &Op, args: &[Array]) {
    let mut module = module.clone();
    let types: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
    let operands: Vec<Type> = types.iter().cloned().map(Type::Tensor).collect();
    let f = expanded(&mut module, op, &operands).unwrap_or_else(|| panic!("{op:?} does not expand"));
    let got = eval(&module, f, args);
    let (module, f) = single_in(module, op.clone(), &types);
    for (a, b) in got.iter().zip(eval(&module, f, args)) {
        assert_eq!(a.ty(), b.ty(), "{op:?}");
        if !a.dtype().is_float() {
            assert_eq!(*a, b, "{op:?}");
            continue;
        }
        for (x, y) in floats(a).into_iter().zip(floats(&b)) {
            assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()), "{op:?}: {x} instead of {y}");
        }
    }
}

fn random(types: &[TensorType]) -> Vec<Array> {
    let mut random = Random(11);
    types.iter().map(|ty| random.array(ty, -2.0, 2.0)).collect()
}

#[test]
fn convolutions_have_derivatives() {
    let module = Module::new("");
    for (c, x, w) in convolutions() {
        let operands = [f64s(&x), f64s(&w)];
        let row = Row::new(c, &operands, (-2.0, 2.0));
        row.linear(&[true, false]).linear(&[false, true]).check(&module);
    }
}

/// Windows over an operand of a shape.
fn windows() -> Vec<(ReduceWindow, Dims)> {
    let of = |window: &[usize]| ReduceWindow::of(Reducer::Op(BinaryOp::Add), window);
    vec![
        (of(&[]), dims(&[])),
        (of(&[3]), dims(&[5])),
        (of(&[4]), dims(&[3])),
        (ReduceWindow { window_strides: dims(&[2]), ..of(&[3]) }, dims(&[8])),
        (ReduceWindow { padding_low: pads(&[2]), padding_high: pads(&[1]), ..of(&[3]) }, dims(&[4])),
        (ReduceWindow { padding_low: pads(&[-1]), padding_high: pads(&[-2]), ..of(&[2]) }, dims(&[7])),
        (ReduceWindow { base_dilations: dims(&[2]), padding_low: pads(&[1]), ..of(&[2]) }, dims(&[4])),
        (ReduceWindow { window_dilations: dims(&[2]), window_strides: dims(&[2]), ..of(&[3]) }, dims(&[9])),
        (
            ReduceWindow {
                window_strides: dims(&[2, 1]),
                base_dilations: dims(&[2, 3]),
                window_dilations: dims(&[1, 2]),
                padding_low: pads(&[1, -1]),
                padding_high: pads(&[0, 2]),
                ..of(&[2, 2])
            },
            dims(&[3, 4]),
        ),
        (ReduceWindow { window_strides: dims(&[1, 2, 2, 1]), ..of(&[1, 2, 3, 1]) }, dims(&[2, 4, 5, 2])),
        // Side by side: covering, by rows of channels and within rows, and not covering.
        (ReduceWindow { window_strides: dims(&[3]), ..of(&[3]) }, dims(&[6])),
        (ReduceWindow { window_strides: dims(&[1, 2, 3, 1]), ..of(&[1, 2, 3, 1]) }, dims(&[2, 4, 3, 2])),
        (ReduceWindow { window_strides: dims(&[1, 1, 2, 2]), ..of(&[1, 1, 2, 2]) }, dims(&[1, 2, 2, 4])),
        (ReduceWindow { window_strides: dims(&[2]), ..of(&[2]) }, dims(&[5])),
        (of(&[1, 1, 2, 1, 1, 2]), dims(&[1, 2, 3, 1, 2, 2])),
        (of(&[2, 1]), dims(&[3, 0])),
        (ReduceWindow::running(Reducer::Op(BinaryOp::Add), &[6], 0, false), dims(&[6])),
        (ReduceWindow::running(Reducer::Op(BinaryOp::Add), &[2, 5], 1, true), dims(&[2, 5])),
        (ReduceWindow::running(Reducer::Op(BinaryOp::Add), &[3, 2], 0, true), dims(&[3, 2])),
        (ReduceWindow::running(Reducer::Op(BinaryOp::Add), &[1, 2], 0, false), dims(&[1, 2])),
    ]
}

/// Whether a window is that of a running reduction.
fn is_running(w: &ReduceWindow, shape: &[usize]) -> bool {
    let of = |d, reverse| ReduceWindow::running(w.reducer, shape, d, reverse);
    (0..shape.len()).any(|d| shape[d] > 1 && (*w == of(d, false) || *w == of(d, true)))
}

/// A function of scalars, added to the module.
fn body(
    module: &mut Module,
    params: usize,
    build: impl FnOnce(&mut dyn Emit, &[Term]) -> Vec<Term>,
) -> FuncId {
    let scalar = Type::Tensor(f64s(&[]));
    let func = function(module, &vec![scalar; params], |b, x| Some(build(b, x))).expect("built");
    // Equal operations are equal: a function that is there is taken.
    let known = module.funcs.iter().find(|(_, f)| ***f == func).map(|(id, _)| id);
    known.unwrap_or_else(|| module.add(func))
}

/// log(e^a + e^b).
fn log_add(module: &mut Module) -> FuncId {
    body(module, 2, |e, x| {
        let (a, b) = (e.unary(UnaryOp::Exponential, x[0]), e.unary(UnaryOp::Exponential, x[1]));
        let sum = e.add(a, b);
        vec![e.unary(UnaryOp::Log, sum)]
    })
}

#[test]
fn windows_have_derivatives_and_expansions() {
    let mut module = Module::new("");
    let func = log_add(&mut module);
    for (w, shape) in windows() {
        let operands = [f64s(&shape), f64s(&[])];
        let with = |reducer| Op::from(ReduceWindow { reducer, ..w.clone() });
        let row = |op: Op, lo, hi| Row::new(op, &operands, (-2.0, 2.0)).range(1, lo, hi);
        row(with(Reducer::Op(BinaryOp::Add)), -1.0, 1.0).linear(&[true, true]).check(&module);
        for op in [BinaryOp::Maximum, BinaryOp::Minimum] {
            for (lo, hi) in [(-9.0, -8.0), (0.0, 0.1), (8.0, 9.0)] {
                row(with(Reducer::Op(op)), lo, hi).check(&module);
            }
        }
        row(with(Reducer::Op(BinaryOp::Multiply)), 0.5, 2.0).check(&module);
        row(with(Reducer::Func(func)), -2.0, 1.0).check(&module);
        let args = random(&operands);
        for reducer in [
            Reducer::Op(BinaryOp::Add),
            Reducer::Op(BinaryOp::Multiply),
            Reducer::Op(BinaryOp::Maximum),
            Reducer::Func(func),
        ] {
            // A running reduction expands only where its initial value is known, which it is not here.
            if !is_running(&w, &shape) || shape.contains(&0) {
                check_expansion(&module, &with(reducer), &args);
            }
        }
    }
}

/// What running reductions are by definition: windows, each on its own.
#[test]
fn running_reductions_agree_with_windows() {
    let mut module = Module::new("");
    let func = log_add(&mut module);
    let shape = [4, 3];
    let x = Random(5).array(&f64s(&shape), 0.1, 2.0);
    for dim in 0..2 {
        for reverse in [false, true] {
            for (reducer, init) in [
                (Reducer::Op(BinaryOp::Add), 0.0),
                (Reducer::Op(BinaryOp::Add), 0.25),
                (Reducer::Op(BinaryOp::Multiply), 1.0),
                (Reducer::Op(BinaryOp::Multiply), 2.0),
                (Reducer::Op(BinaryOp::Maximum), f64::NEG_INFINITY),
                (Reducer::Op(BinaryOp::Maximum), 1.0),
                (Reducer::Op(BinaryOp::Minimum), f64::INFINITY),
                (Reducer::Func(func), f64::NEG_INFINITY),
                (Reducer::Func(func), 0.5),
            ] {
                let running = ReduceWindow::running(reducer, &shape, dim, reverse);
                // The same windows, over an operand with a row of padding that is cut again.
                let mut apart = running.clone();
                let other = 1 - dim;
                apart.padding_high[other] = 1;
                let mut kept = Dims::from_slice(&shape);
                kept[other] += 1;
                let (m, f) = single_in(module.clone(), running.into(), &[f64s(&shape), f64s(&[])]);
                let got = eval(&m, f, &[x.clone(), Array::scalar(init)]);
                let (m, f) = single_in(module.clone(), apart.into(), &[f64s(&shape), f64s(&[])]);
                let wide = eval(&m, f, &[x.clone(), Array::scalar(init)]);
                assert_eq!(wide[0].shape(), &kept[..]);
                let cut = Slice { start: dims(&[0, 0]), limit: dims(&shape), strides: dims(&[1, 1]) };
                let want = eval_op(cut, &wide);
                for (a, b) in floats(&got[0]).into_iter().zip(floats(&want[0])) {
                    assert!((a - b).abs() <= 1e-12 * b.abs(), "{reducer:?} {init} {dim} {reverse}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn the_first_of_equal_elements_has_the_tangent() {
    let tangent = |op: BinaryOp, window: ReduceWindow, x: &[f64]| {
        let w = ReduceWindow { reducer: Reducer::Op(op), ..window };
        let operands = [f64s(&[x.len()]), f64s(&[])];
        let (mut m, f) = single_in(Module::new(""), w.into(), &operands);
        let f = jvp(&mut m, f);
        let t: Vec<f64> = (0..x.len()).map(|k| 10f64.powi(k as i32)).collect();
        let init = if op == BinaryOp::Maximum { f64::NEG_INFINITY } else { f64::INFINITY };
        let args =
            [Array::new(&[x.len()], x), Array::scalar(init), Array::new(&[x.len()], &t), Array::scalar(0.0)];
        floats(&eval(&m, f, &args)[1])
    };
    use BinaryOp::{Add, Maximum, Minimum};
    let of = |n: usize| ReduceWindow::of(Reducer::Op(Add), &[n]);
    assert_eq!(tangent(Maximum, of(2), &[1.0, 1.0, 0.0, 0.0]), [1.0, 10.0, 100.0]);
    assert_eq!(tangent(Minimum, of(3), &[2.0, 1.0, 1.0, 1.0]), [10.0, 10.0]);
    let running = |reverse| ReduceWindow::running(Reducer::Op(Add), &[4], 0, reverse);
    assert_eq!(tangent(Maximum, running(false), &[1.0, 2.0, 2.0, 3.0]), [1.0, 10.0, 10.0, 1000.0]);
    assert_eq!(tangent(Maximum, running(true), &[1.0, 2.0, 2.0, 1.0]), [10.0, 10.0, 100.0, 1000.0]);
    assert_eq!(tangent(Minimum, running(true), &[5.0, 2.0, 2.0, 3.0]), [10.0, 10.0, 100.0, 1000.0]);
    // `jax.grad` of `lax.reduce_window` over these says the same.
    let six = |op, reverse| {
        let window = ReduceWindow::running(Reducer::Op(Add), &[6], 0, reverse);
        tangent(op, window, &[1.0, 2.0, 2.0, 3.0, 3.0, 2.0])
    };
    assert_eq!(six(Maximum, false), [1.0, 1e1, 1e1, 1e3, 1e3, 1e3]);
    assert_eq!(six(Maximum, true), [1e3, 1e3, 1e3, 1e3, 1e4, 1e5]);
    assert_eq!(six(Minimum, false), [1.0; 6]);
    assert_eq!(six(Minimum, true), [1.0, 1e1, 1e2, 1e5, 1e5, 1e5]);
    // Padding is worse than any element.
    let padded = ReduceWindow { padding_low: pads(&[1]), padding_high: pads(&[1]), ..of(2) };
    assert_eq!(tangent(Maximum, padded, &[1.0, 0.0]), [1.0, 1.0, 10.0]);
}

/// Two tensors at once, and what a body captures.
#[test]
fn windows_of_several_tensors() {
    let mut module = Module::new("");
    // Complex products of (re, im), scaled.
    let func = body(&mut module, 5, |e, x| {
        let (scale, a, b, c, d) = (x[0], x[1], x[2], x[3], x[4]);
        let (ac, bd, ad, bc) = (e.mul(a, c), e.mul(b, d), e.mul(a, d), e.mul(b, c));
        let (re, im) = (e.sub(ac, bd), e.add(ad, bc));
        vec![e.mul(scale, re), e.mul(scale, im)]
    });
    for (w, shape) in windows() {
        let op = ReduceWindow { inputs: 2, reducer: Reducer::Func(func), ..w.clone() };
        let operands = [f64s(&shape), f64s(&shape), f64s(&[]), f64s(&[]), f64s(&[])];
        // Prefixes may be combined in any order only if the body is associative: the scale must be one.
        let scale = if is_running(&w, &shape) { (1.0, 1.0) } else { (0.5, 1.5) };
        let orders = if scale == (1.0, 1.0) { 0 } else { 2 };
        let row = Row::new(op, &operands, (-1.0, 1.0)).range(4, scale.0, scale.1).orders(orders);
        row.check(&module);
    }
}

fn pooling(select: Selector, scatter: Reducer) -> Vec<(SelectAndScatter, Dims, Dims)> {
    let of = |window: &[usize], strides: &[usize], low: &[i64], high: &[i64]| SelectAndScatter {
        window_dimensions: dims(window),
        window_strides: dims(strides),
        padding_low: low.into(),
        padding_high: high.into(),
        select,
        scatter,
    };
    vec![
        (of(&[], &[], &[], &[]), dims(&[]), dims(&[])),
        (of(&[2], &[2], &[0], &[0]), dims(&[6]), dims(&[3])),
        (of(&[3], &[1], &[1], &[1]), dims(&[4]), dims(&[4])),
        (of(&[1, 2, 2, 1], &[1, 2, 2, 1], &[0; 4], &[0; 4]), dims(&[1, 4, 2, 2]), dims(&[1, 2, 1, 2])),
        (of(&[1, 3], &[1, 3], &[0; 2], &[0; 2]), dims(&[2, 6]), dims(&[2, 2])),
        (of(&[3], &[2], &[-1], &[3]), dims(&[5]), dims(&[3])),
        (of(&[3, 1], &[2, 1], &[0, 0], &[1, 0]), dims(&[4, 2]), dims(&[2, 2])),
        (of(&[2, 2, 1], &[1, 2, 1], &[0, 1, 0], &[0, 0, 0]), dims(&[3, 3, 2]), dims(&[2, 2, 2])),
        // A window that holds nothing but padding.
        (of(&[2], &[2], &[2], &[0]), dims(&[2]), dims(&[2])),
        (of(&[1, 1, 2, 1, 1], &[1; 5], &[0; 5], &[0; 5]), dims(&[1, 2, 3, 1, 2]), dims(&[1, 2, 2, 1, 2])),
    ]
}

#[test]
fn select_and_scatter_has_derivatives_and_expansions() {
    let mut module = Module::new("");
    let smaller = {
        let (a, s) = (Type::Tensor(f64s(&[])), Type::Tensor(f64s(&[])));
        let func = function(&mut module, &[a, s], |b, x| {
            let e: &mut dyn Emit = b;
            let (a, b) = (e.unary(UnaryOp::Abs, x[0]), e.unary(UnaryOp::Abs, x[1]));
            Some(vec![e.compare(Direction::Lt, a, b)])
        });
        module.add(func.expect("built"))
    };
    use BinaryOp::{Add, Maximum};
    for select in
        [Selector::Compare(Direction::Ge), Selector::Compare(Direction::Le), Selector::Func(smaller)]
    {
        for (op, x, source) in pooling(select, Reducer::Op(Add)) {
            let operands = [f64s(&x), f64s(&source), f64s(&[])];
            let row = Row::new(op.clone(), &operands, (-2.0, 2.0));
            row.linear(&[false, true, true]).check(&module);
            check_expansion(&module, &op.into(), &random(&operands));
        }
        for (op, x, source) in pooling(select, Reducer::Op(Maximum)) {
            let operands = [f64s(&x), f64s(&source), f64s(&[])];
            Row::new(op.clone(), &operands, (-2.0, 2.0)).check(&module);
            check_expansion(&module, &op.into(), &random(&operands));
        }
    }
}

/// Among equals the first is chosen, and what is not a number is never kept: windows that lie side by side, whose choices
/// are compared, against the definition.
#[test]
fn choices_among_equals_and_nans() {
    let module = Module::new("");
    for select in [Direction::Ge, Direction::Gt, Direction::Le].map(Selector::Compare) {
        for reducer in [Reducer::Op(BinaryOp::Add), Reducer::Op(BinaryOp::Maximum), Reducer::Assign] {
            for (op, x, source) in pooling(select, reducer) {
                let n: usize = x.iter().product();
                let few: Vec<f64> =
                    (0..n).map(|k| [1.0, 0.0, 1.0, f64::NAN, 0.0, -0.0, 2.0][(k * k + k / 3) % 7]).collect();
                let args = [Array::new(&x, &few), random(&[f64s(&source)]).remove(0), Array::scalar(0.5f64)];
                check_expansion(&module, &op.into(), &args);
            }
        }
    }
}

#[test]
fn mapped_functions() {
    let mut module = Module::new("");
    let f = body(&mut module, 3, |e, x| {
        let product = e.mul(x[0], x[1]);
        let sine = e.unary(UnaryOp::Sine, x[2]);
        vec![e.add(product, sine)]
    });
    for shape in [&[][..], &[3], &[0], &[2, 1, 2, 1, 1, 2]] {
        let op = Map { dimensions: (0..shape.len()).collect(), inputs: 2, computation: f };
        let operands = [f64s(shape), f64s(shape), f64s(&[])];
        Row::new(op.clone(), &operands, (-2.0, 2.0)).check(&module);
        check_expansion(&module, &op.into(), &random(&operands));
    }
}

#[test]
fn batch_normalization() {
    let module = Module::new("");
    let epsilon = Literal::from_array(&Array::scalar(0.125f32));
    for (shape, feature_index) in
        [(&[4, 3][..], 1), (&[3, 2, 2], 0), (&[2, 3, 2], 1), (&[2, 1, 2, 1, 3, 1], 4)]
    {
        let vector = f64s(&[shape[feature_index]]);
        let x = f64s(shape);
        let epsilon = || epsilon.clone();
        let training = BatchNormTraining { epsilon: epsilon(), feature_index };
        let inference = BatchNormInference { epsilon: epsilon(), feature_index };
        let grad = BatchNormGrad { epsilon: epsilon(), feature_index };
        let v = || vector.clone();
        let three = [x.clone(), v(), v()];
        Row::new(training.clone(), &three, (-2.0, 2.0)).check(&module);
        check_expansion(&module, &training.into(), &random(&three));
        let five = [x.clone(), v(), v(), v(), v()];
        Row::new(inference, &five, (-2.0, 2.0)).range(4, 0.5, 2.0).check(&module);
        let five = [x.clone(), v(), v(), v(), x];
        Row::new(grad, &five, (-2.0, 2.0)).range(3, 0.5, 2.0).check(&module);
    }
}

/// `batch_norm_grad` is the transpose of `batch_norm_training` where mean and variance are the batch's.
#[test]
fn batch_norm_grad_is_the_gradient() {
    let epsilon = || Literal::from_array(&Array::scalar(0.125f32));
    let (x, v) = (f64s(&[5, 3]), f64s(&[3]));
    let mut random = Random(2);
    let args: Vec<Array> = [&x, &v, &v, &x, &v, &v].iter().map(|ty| random.array(ty, -1.0, 1.0)).collect();
    let ct = random.array(&x, -1.0, 1.0);
    let training = BatchNormTraining { epsilon: epsilon(), feature_index: 1 };
    let (mut m, f) = single_in(Module::new(""), training.into(), &[x, v.clone(), v]);
    let f = jvp(&mut m, f);
    let out = eval(&m, f, &args);
    let dot = |a: &Array, b: &Array| floats(a).iter().zip(floats(b)).map(|(a, b)| a * b).sum::<f64>();
    let forward = dot(&out[3], &ct);
    let grad = BatchNormGrad { epsilon: epsilon(), feature_index: 1 };
    let back = eval_op(grad, &[args[0].clone(), args[1].clone(), out[1].clone(), out[2].clone(), ct]);
    let reverse: f64 = back.iter().zip(&args[3..]).map(|(c, t)| dot(c, t)).sum();
    assert!((forward - reverse).abs() < 1e-12, "{forward} and {reverse}");
}

/// Runs `infer` and gives the label of the constraint it breaks.
fn label(module: &Module, op: impl Into<Op>, operands: &[TensorType]) -> &'static str {
    let types: Vec<Type> = operands.iter().cloned().map(Type::Tensor).collect();
    match op.into().infer(module, &types) {
        Ok(types) => panic!("accepted: {types:?}"),
        Err(e) => e.constraint,
    }
}

#[test]
fn constraints_of_convolution() {
    let m = Module::new("");
    let (x, w) = (f64s(&[2, 5, 4]), f64s(&[3, 4, 6]));
    let check = |c: Convolution| label(&m, c, &[x.clone(), w.clone()]);
    assert_eq!(label(&m, convolution(1), &[x.clone(), f64s(&[3, 4])]), "C1");
    assert_eq!(label(&m, convolution(1), &[f64s(&[3]), f64s(&[4])]), "C1");
    assert_eq!(check(Convolution { window_strides: dims(&[1, 1]), ..convolution(1) }), "C2");
    assert_eq!(check(Convolution { window_strides: dims(&[0]), ..convolution(1) }), "C3");
    assert_eq!(check(Convolution { padding_low: pads(&[]), ..convolution(1) }), "C4");
    assert_eq!(check(Convolution { padding_high: pads(&[i64::MIN]), ..convolution(1) }), "C4");
    assert_eq!(check(Convolution { lhs_dilation: dims(&[]), ..convolution(1) }), "C5");
    assert_eq!(check(Convolution { lhs_dilation: dims(&[0]), ..convolution(1) }), "C6");
    assert_eq!(check(Convolution { rhs_dilation: dims(&[]), ..convolution(1) }), "C7");
    assert_eq!(check(Convolution { rhs_dilation: dims(&[0]), ..convolution(1) }), "C8");
    assert_eq!(check(Convolution { window_reversal: SmallVec::new(), ..convolution(1) }), "C9");
    assert_eq!(check(Convolution { batch_group_count: 3, ..convolution(1) }), "C10");
    assert_eq!(check(Convolution { feature_group_count: 3, ..convolution(1) }), "C11");
    assert_eq!(check(Convolution { input_spatial_dimensions: dims(&[1, 1]), ..convolution(1) }), "C12");
    assert_eq!(check(Convolution { input_feature_dimension: 0, ..convolution(1) }), "C13");
    assert_eq!(check(Convolution { input_feature_dimension: 3, ..convolution(1) }), "C13");
    assert_eq!(check(Convolution { feature_group_count: 2, ..convolution(1) }), "C14");
    let odd = [x.clone(), f64s(&[3, 4, 5])];
    assert_eq!(label(&m, Convolution { batch_group_count: 2, ..convolution(1) }, &odd), "C15");
    let odd = [x.clone(), f64s(&[3, 2, 5])];
    assert_eq!(label(&m, Convolution { feature_group_count: 2, ..convolution(1) }, &odd), "C16");
    assert_eq!(check(Convolution { kernel_spatial_dimensions: dims(&[]), ..convolution(1) }), "C17");
    assert_eq!(check(Convolution { kernel_spatial_dimensions: dims(&[1]), ..convolution(1) }), "C18");
    assert_eq!(check(Convolution { output_spatial_dimensions: dims(&[]), ..convolution(1) }), "C19");
    assert_eq!(check(Convolution { output_spatial_dimensions: dims(&[7]), ..convolution(1) }), "C20");
    assert_eq!(check(Convolution { feature_group_count: 0, ..convolution(1) }), "C21");
    assert_eq!(check(Convolution { batch_group_count: 0, ..convolution(1) }), "C22");
    assert_eq!(check(Convolution { feature_group_count: 2, batch_group_count: 2, ..convolution(1) }), "C23");
    let huge = Convolution { padding_low: pads(&[1 << 47]), ..convolution(1) };
    assert_eq!(label(&m, huge, &[f64s(&[1 << 20, 1, 4]), f64s(&[1, 4, 1 << 20])]), "size");
    assert_eq!(label(&m, convolution(1), &[x, TensorType::new(DType::I32, &[3, 4, 6])]), "C27");
}

#[test]
fn constraints_of_reduce_window() {
    let mut m = Module::new("");
    let add = Reducer::Op(BinaryOp::Add);
    let of = || ReduceWindow::of(add, &[2]);
    let (x, init) = (f64s(&[4]), f64s(&[]));
    let wrong = body(&mut m, 1, |_, x| x.to_vec());
    let check = |w: ReduceWindow| label(&m, w, &[x.clone(), init.clone()]);
    assert_eq!(check(ReduceWindow { inputs: 0, ..of() }), "C1");
    assert_eq!(check(ReduceWindow { inputs: 2, ..of() }), "C1");
    let two = [x.clone(), f64s(&[3]), init.clone(), init.clone()];
    assert_eq!(label(&m, ReduceWindow { inputs: 2, ..of() }, &two), "C2");
    assert_eq!(label(&m, of(), &[x.clone(), f64s(&[1])]), "I2");
    assert_eq!(label(&m, of(), &[x.clone(), TensorType::scalar(DType::F32)]), "C3");
    assert_eq!(check(ReduceWindow::of(add, &[2, 2])), "C4");
    assert_eq!(check(ReduceWindow::of(add, &[0])), "C5");
    assert_eq!(check(ReduceWindow { window_strides: dims(&[]), ..of() }), "C6");
    assert_eq!(check(ReduceWindow { window_strides: dims(&[0]), ..of() }), "C7");
    assert_eq!(check(ReduceWindow { base_dilations: dims(&[]), ..of() }), "C8");
    assert_eq!(check(ReduceWindow { base_dilations: dims(&[0]), ..of() }), "C9");
    assert_eq!(check(ReduceWindow { window_dilations: dims(&[]), ..of() }), "C10");
    assert_eq!(check(ReduceWindow { window_dilations: dims(&[0]), ..of() }), "C11");
    assert_eq!(check(ReduceWindow { padding_low: pads(&[]), ..of() }), "C12");
    assert_eq!(check(ReduceWindow { padding_high: pads(&[i64::MAX]), ..of() }), "C12");
    for reducer in [Reducer::Op(BinaryOp::Subtract), Reducer::Assign, Reducer::Func(wrong)] {
        assert_eq!(check(ReduceWindow { reducer, ..of() }), "C13");
    }
    let high = pads(&[1 << 40, 1 << 40]);
    let huge = ReduceWindow { padding_high: high, ..ReduceWindow::of(add, &[1, 1]) };
    assert_eq!(label(&m, huge, &[f64s(&[1, 1]), init.clone()]), "C15");
}

#[test]
fn constraints_of_select_and_scatter() {
    let mut m = Module::new("");
    let wrong = body(&mut m, 1, |_, x| x.to_vec());
    let (ge, add) = (Selector::Compare(Direction::Ge), Reducer::Op(BinaryOp::Add));
    let of = || pooling(ge, add).remove(1).0;
    let (x, source, init) = (f64s(&[6]), f64s(&[3]), f64s(&[]));
    let check = |s: SelectAndScatter| label(&m, s, &[x.clone(), source.clone(), init.clone()]);
    let f32s = |shape: &[usize]| TensorType::new(DType::F32, shape);
    assert_eq!(label(&m, of(), &[x.clone(), f32s(&[3]), init.clone()]), "C1");
    assert_eq!(label(&m, of(), &[x.clone(), f64s(&[4]), init.clone()]), "C2");
    assert_eq!(label(&m, of(), &[x.clone(), source.clone(), f32s(&[])]), "C3");
    assert_eq!(label(&m, of(), &[x.clone(), source.clone(), f64s(&[1])]), "I3");
    assert_eq!(check(SelectAndScatter { window_dimensions: dims(&[]), ..of() }), "C4");
    assert_eq!(check(SelectAndScatter { window_dimensions: dims(&[0]), ..of() }), "C5");
    assert_eq!(check(SelectAndScatter { window_strides: dims(&[]), ..of() }), "C6");
    assert_eq!(check(SelectAndScatter { window_strides: dims(&[0]), ..of() }), "C7");
    assert_eq!(check(SelectAndScatter { padding_low: pads(&[]), ..of() }), "C8");
    assert_eq!(check(SelectAndScatter { select: Selector::Func(wrong), ..of() }), "C9");
    assert_eq!(check(SelectAndScatter { scatter: Reducer::Func(wrong), ..of() }), "C10");
    assert_eq!(check(SelectAndScatter { scatter: Reducer::Op(BinaryOp::Divide), ..of() }), "C10");
}

#[test]
fn constraints_of_map_and_batch_norm() {
    let mut m = Module::new("");
    let f = body(&mut m, 2, |e, x| vec![e.add(x[0], x[1])]);
    let map = |dimensions: &[usize], inputs| Map { dimensions: dims(dimensions), inputs, computation: f };
    let x = f64s(&[4, 3]);
    assert_eq!(label(&m, map(&[0, 1], 2), &[x.clone(), f64s(&[4])]), "C1");
    assert_eq!(label(&m, map(&[0, 1], 0), &[]), "C2");
    assert_eq!(label(&m, map(&[1, 0], 2), &[x.clone(), x.clone()]), "C3");
    assert_eq!(label(&m, map(&[0], 2), &[x.clone(), x.clone()]), "C3");
    assert_eq!(label(&m, map(&[0, 1], 1), std::slice::from_ref(&x)), "C4");

    let epsilon = || Literal::from_array(&Array::scalar(0.1f32));
    let (v, w) = (f64s(&[3]), f64s(&[2]));
    let f32s = TensorType::new(DType::F32, &[3]);
    let training = |feature_index| BatchNormTraining { epsilon: epsilon(), feature_index };
    let of = |xs: &[&TensorType]| xs.iter().map(|&x| x.clone()).collect::<Vec<_>>();
    assert_eq!(label(&m, training(2), &of(&[&x, &v, &v])), "C1");
    assert_eq!(label(&m, training(1), &of(&[&x, &f32s, &v])), "C2");
    assert_eq!(label(&m, training(1), &of(&[&x, &w, &v])), "C3");
    assert_eq!(label(&m, training(1), &of(&[&x, &v, &w])), "C4");
    let ints = TensorType::new(DType::I32, &[4, 3]);
    assert_eq!(label(&m, training(1), &of(&[&ints, &v, &v])), "I1");
    let inference = |feature_index| BatchNormInference { epsilon: epsilon(), feature_index };
    assert_eq!(label(&m, inference(2), &of(&[&x, &v, &v, &v, &v])), "C1");
    assert_eq!(label(&m, inference(1), &of(&[&x, &v, &v, &f32s, &v])), "C2");
    assert_eq!(label(&m, inference(1), &of(&[&x, &w, &v, &v, &v])), "C3");
    assert_eq!(label(&m, inference(1), &of(&[&x, &v, &w, &v, &v])), "C4");
    assert_eq!(label(&m, inference(1), &of(&[&x, &v, &v, &w, &v])), "C5");
    assert_eq!(label(&m, inference(1), &of(&[&x, &v, &v, &v, &w])), "C6");
    let grad = |feature_index| BatchNormGrad { epsilon: epsilon(), feature_index };
    assert_eq!(label(&m, grad(2), &of(&[&x, &v, &v, &v, &x])), "C1");
    assert_eq!(label(&m, grad(1), &of(&[&x, &v, &f32s, &v, &x])), "C2");
    assert_eq!(label(&m, grad(1), &of(&[&x, &v, &v, &v, &f64s(&[4, 4])])), "C3");
    assert_eq!(label(&m, grad(1), &of(&[&x, &v, &w, &v, &x])), "C4");
    assert_eq!(label(&m, grad(1), &of(&[&x, &w, &v, &v, &x])), "C5");
}
