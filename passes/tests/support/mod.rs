//! What tests of derivatives share: building functions, running them, and comparing every form of a
//! derivative with every other.

#![allow(dead_code, reason = "each test file uses a part")]

use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Module};
use wengert_ir::op::Op;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::testing::{Builder, Random, eval, floats, numbers};
use wengert_ir::types::{DType, TensorType};
use wengert_passes::ad;

/// Results of a body.
pub(crate) type Terms = Vec<Term>;

pub(crate) fn scalar() -> TensorType {
    TensorType::scalar(DType::F64)
}

pub(crate) fn stacked(n: usize) -> TensorType {
    scalar().stacked(n)
}

/// Adds a function.
pub(crate) fn build(
    m: &mut Module,
    name: &str,
    params: &[TensorType],
    f: impl FnOnce(&mut dyn Emit, &[Term]) -> Terms,
) -> FuncId {
    let mut b = Builder { module: m, func: Func::new(name, FuncKind::Private) };
    let terms: Terms = params.iter().map(|t| Term::Known(b.func.param(t.clone()))).collect();
    let results = f(&mut b, &terms);
    b.func.results = results.into_iter().map(Builder::value).collect();
    let func = b.func;
    m.add(func)
}

pub(crate) fn run(m: &Module, f: FuncId, args: &[Array]) -> Vec<Array> {
    eval(m, f, args)
}

/// The derivative of result 0 by parameter 0, alone.
pub(crate) fn grad(m: &mut Module, f: FuncId) -> FuncId {
    let wrt: Vec<bool> = (0..m.get(f).params.len()).map(|k| k == 0).collect();
    let g = ad::value_and_grad(m, f, &wrt, 0).unwrap_or_else(|e| panic!("{e}"));
    let mut g = Func::clone(&m.get(g));
    g.results = vec![*g.results.last().expect("a gradient")];
    let g = m.add(g);
    wengert_passes::dce::dce(m, g)
}

fn value(m: &Module, f: FuncId, args: &[Array]) -> f64 {
    run(m, f, args)[0].as_slice::<f64>()[0]
}

#[track_caller]
fn close(what: &str, got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * (1.0 + want.abs()), "{what}: {got} instead of {want}");
}

/// Derivatives by the scalar parameter 0, each against central differences of the one before.
pub(crate) fn check_orders(m: &mut Module, f: FuncId, args: &[Array], orders: usize, name: &str) {
    let x = args[0].as_slice::<f64>()[0];
    let mut f = f;
    for order in 1..=orders {
        let g = grad(m, f);
        let at = |x: f64| {
            let mut args = args.to_vec();
            args[0] = Array::scalar(x);
            value(m, f, &args)
        };
        let step = 1e-5;
        let want = (at(x + step) - at(x - step)) / (2.0 * step);
        close(&format!("{name}, derivative {order}"), value(m, g, args), want, 2e-6);
        f = g;
    }
}

/// The tangent of result 0 along parameter 0, a scalar: `jvp` with a direction of one.
pub(crate) fn forward(m: &mut Module, f: FuncId) -> FuncId {
    let func = m.get(f);
    let active: Vec<bool> = (0..func.params.len()).map(|k| k == 0).collect();
    let j = ad::jvp(m, f, &active).unwrap_or_else(|e| panic!("{e}"));
    let j = m.get(j);
    let mut out = Func::new("forward", FuncKind::Private);
    let n = func.params.len();
    let mut args: Vec<_> = func.params.iter().map(|&p| out.param(func.ty(p).clone())).collect();
    let one = Op::splat(scalar(), 1.0);
    args.push(out.push(m, one, &[], Default::default()).expect("a constant")[0]);
    assert_eq!(args.len(), n + 1);
    out.results = vec![out.inline(&j, &args)[func.results.len()]];
    let out = m.add(out);
    wengert_passes::dce::dce(m, out)
}

/// Second derivatives by parameter 0, forward and reverse over each other.
pub(crate) fn check_second_order(m: &mut Module, f: FuncId, args: &[Array], name: &str) {
    let (r, j) = (grad(m, f), forward(m, f));
    close(&format!("{name}: forward"), value(m, j, args), value(m, r, args), 1e-12);
    let (rr, rj, jr, jj) = (grad(m, r), grad(m, j), forward(m, r), forward(m, j));
    let want = value(m, jj, args);
    for (what, g) in
        [("reverse over reverse", rr), ("reverse over forward", rj), ("forward over reverse", jr)]
    {
        close(&format!("{name}: {what}"), value(m, g, args), want, 1e-10);
        check_text(m, g, args, &format!("{name}: {what}"));
    }
}

/// All float parameters at once: jvp, linearize, vjp and finite differences agree.
pub(crate) fn check_forms(m: &mut Module, f: FuncId, args: &[Array], name: &str) {
    let mut random = Random(5);
    let active: Vec<bool> = args.iter().map(|a| a.dtype().is_float()).collect();
    let direction: Vec<Array> =
        args.iter().zip(&active).filter(|(_, a)| **a).map(|(a, _)| random.array(a.ty(), -1.0, 1.0)).collect();
    let n = m.get(f).results.len();
    let primal = run(m, f, args);
    let marked: Vec<bool> = primal.iter().map(|r| r.dtype().is_float()).collect();
    let flat = |arrays: &[Array]| arrays.iter().filter(|a| a.dtype().is_float()).flat_map(floats).collect();

    let forward = ad::jvp(m, f, &active).unwrap_or_else(|e| panic!("{name}: {e}"));
    let out = run(m, forward, &[args, &direction].concat());
    assert_eq!(out[..n], primal[..], "{name}: jvp changes the value");
    let tangents: Vec<f64> = flat(&out[n..]);

    let step = 1e-6;
    let moved = |h: f64| -> Vec<f64> {
        let mut next = direction.iter();
        let args: Vec<Array> = args
            .iter()
            .zip(&active)
            .map(|(a, &active)| match active {
                true => {
                    let d = next.next().expect("a direction");
                    numbers(a.ty(), floats(a).into_iter().zip(floats(d)).map(|(a, d)| a + h * d))
                }
                false => a.clone(),
            })
            .collect();
        flat(&run(m, f, &args))
    };
    for (k, (up, down)) in moved(step).into_iter().zip(moved(-step)).enumerate() {
        close(&format!("{name}: jvp, element {k}"), tangents[k], (up - down) / (2.0 * step), 1e-6);
    }

    let lin = ad::linearize(m, f, &active, &marked).unwrap_or_else(|e| panic!("{name}: {e}"));
    let linear_params: Vec<bool> = (0..m.get(lin.linear).params.len()).map(|k| k >= lin.residuals).collect();
    ad::verify_linear(m, lin.linear, &linear_params).unwrap_or_else(|e| panic!("{name}: {e}"));
    let out = run(m, lin.primal, args);
    assert_eq!(out[..n], primal[..], "{name}: linearize changes the value");
    let out: Vec<f64> = flat(&run(m, lin.linear, &[&out[n..], &direction].concat()));
    for (k, (&l, &t)) in out.iter().zip(&tangents).enumerate() {
        close(&format!("{name}: linearize, element {k}"), l, t, 1e-10);
    }

    let cotangents: Vec<Array> = primal
        .iter()
        .zip(&marked)
        .filter(|(_, m)| **m)
        .map(|(r, _)| random.array(r.ty(), -1.0, 1.0))
        .collect();
    let back = ad::vjp(m, f, &active, &marked).unwrap_or_else(|e| panic!("{name}: {e}"));
    let out = run(m, back, &[args, &cotangents].concat());
    assert_eq!(out[..n], primal[..], "{name}: vjp changes the value");
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (want, got) = (dot(&tangents, &flat(&cotangents)), dot(&flat(&direction), &flat(&out[n..])));
    close(&format!("{name}: <jvp(v), c> = <v, vjp(c)>"), got, want, 1e-10);
}

/// The function verifies; printed and parsed again it gives the same.
pub(crate) fn check_text(m: &Module, f: FuncId, args: &[Array], name: &str) {
    let (mut alone, roots) = m.reachable(&[f]);
    let mut main = Func::clone(&alone.get(roots[0]));
    main.name = "derivative_under_test".to_owned();
    main.kind = FuncKind::Public;
    alone.funcs[roots[0]] = std::sync::Arc::new(main);
    if let Err(errors) = wengert_ir::verify::verify(&alone) {
        panic!("{name}: {}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
    }
    let text = wengert_ir::text::print(&alone, &Default::default());
    let parsed = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
    let main = parsed.find("derivative_under_test").unwrap_or_else(|| panic!("{name}: lost\n{text}"));
    assert_eq!(run(&parsed, main, args), run(m, f, args), "{name}: text changes the value");
}

/// Instructions, regions included, and stacked results.
pub(crate) fn size(m: &Module, f: FuncId) -> (usize, usize) {
    let mut total = (0, 0);
    for inst in m.get(f).insts.values() {
        total.0 += 1;
        total.1 += match &inst.op {
            Op::Scan(s) => inst.results.len() - s.carry,
            Op::While(w) => w.stacks,
            _ => 0,
        };
        for c in inst.op.callees() {
            let inner = size(m, c);
            total = (total.0 + inner.0, total.1 + inner.1);
        }
    }
    total
}

/// How many instructions, regions included, satisfy `p`.
pub(crate) fn count_ops(m: &Module, f: FuncId, p: &dyn Fn(&Op) -> bool) -> usize {
    let f = m.get(f);
    let each = f
        .insts
        .values()
        .map(|i| p(&i.op) as usize + i.op.callees().iter().map(|&c| count_ops(m, c, p)).sum::<usize>());
    each.sum()
}

/// The vjp of `g` equals that of `f`, which is a loop kept as it was.
pub(crate) fn check_raised_gradients(m: &mut Module, f: FuncId, g: FuncId, args: &[Array], name: &str) {
    let active: Vec<bool> = args.iter().map(|a| a.dtype().is_float()).collect();
    let results = run(m, f, args);
    let marked: Vec<bool> = results.iter().map(|r| r.dtype().is_float()).collect();
    let mut random = Random(9);
    let cotangents = results.iter().filter(|r| r.dtype().is_float()).map(|r| random.array(r.ty(), -1.0, 1.0));
    let args: Vec<Array> = args.iter().cloned().chain(cotangents).collect();
    let [a, b] = [f, g].map(|f| {
        let back = ad::vjp(m, f, &active, &marked).unwrap_or_else(|e| panic!("{name}: {e}"));
        run(m, back, &args)
    });
    for (a, b) in a.iter().zip(&b) {
        assert_eq!(a.ty(), b.ty(), "{name}");
        if a.dtype().is_float() {
            for (a, b) in floats(a).into_iter().zip(floats(b)) {
                close(&format!("{name}: gradients"), b, a, 1e-12);
            }
        } else {
            assert_eq!(a, b, "{name}");
        }
    }
}
