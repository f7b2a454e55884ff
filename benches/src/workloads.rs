//! The workloads. `peers/jax_workloads.py` and `peers/loops.c` have the same ones, by the same names, on the same
//! inputs, and give the same check values.

use std::hint::black_box;
use wengert::{ARG0, ARG1, Args, DType, Func, Tensor, Tree, grad, jit, scan, value_and_grad};

/// A workload by name.
pub struct Workload {
    /// `family.size.variant`.
    pub name: String,
    make: Box<dyn Fn() -> Case>,
}

/// A workload with its inputs, ready to run.
pub struct Case {
    /// One call of the compiled function.
    pub compiled: Box<dyn FnMut()>,
    /// One call that writes to memory given, with arguments prepared; where programs are native.
    pub prepared: Option<Box<dyn FnMut()>>,
    /// One call without `jit`.
    pub eager: Box<dyn FnMut()>,
    /// Trace, passes, lowering and code generation, uncached. False where it fails.
    pub compile: Box<dyn FnMut() -> bool>,
    /// A number that depends on all results, to compare with other implementations.
    pub check: f64,
}

impl Workload {
    fn new(name: impl Into<String>, make: impl Fn() -> Case + 'static) -> Self {
        Self { name: name.into(), make: Box::new(make) }
    }

    /// Makes inputs and compiles.
    pub fn case(&self) -> Case {
        (self.make)()
    }
}

/// All workloads, small ones first.
pub fn all() -> Vec<Workload> {
    let mut all = vec![
        Workload::new("scalar.f", || case(|| scalar, (Tensor::from(0.7f64),))),
        Workload::new("scalar.grad", || case(|| grad(scalar), (Tensor::from(0.7f64),))),
        Workload::new("scalar.grad2", || case(|| grad(grad(scalar)), (Tensor::from(0.7f64),))),
    ];
    for n in [10, 1000, 1_000_000] {
        let x = move || (wave(&[n], 1.0, DType::F64),);
        all.push(Workload::new(format!("rosenbrock.{n}.f"), move || case(|| rosenbrock, x())));
        all.push(Workload::new(format!("rosenbrock.{n}.vg"), move || {
            case(|| value_and_grad(rosenbrock), x())
        }));
    }
    for n in [10_000, 1_000_000] {
        let args = move || (wave(&[n], 2.0, DType::F32), Tensor::from(1.3f32), Tensor::from(0.2f32));
        all.push(Workload::new(format!("fused.{n}.f"), move || case(|| fused, args())));
        all.push(Workload::new(format!("fused.{n}.vg"), move || case(|| value_and_grad(fused), args())));
    }
    let start = || (Tensor::from([1.0f64, 1.0, 1.0]), Tensor::from([10.0, 28.0, 8.0 / 3.0]));
    all.push(Workload::new("lorenz.1000.f", move || case(|| lorenz, start())));
    all.push(Workload::new("lorenz.1000.vg", move || {
        case(|| value_and_grad(lorenz).wrt((ARG0, ARG1)), start())
    }));
    for (name, sizes, batch) in [
        ("digits.step", &[64, 128, 64, 10][..], 64),
        ("mlp.1.step", &[784, 512, 256, 10], 1),
        ("mlp.128.step", &[784, 512, 256, 10], 128),
    ] {
        all.push(Workload::new(name, move || case(|| sgd_step, network(sizes, batch))));
    }
    all
}

/// The workload of this name. Panics if there is none.
pub fn find(name: &str) -> Workload {
    all().into_iter().find(|w| w.name == name).unwrap_or_else(|| panic!("no workload is called {name}"))
}

/// The Lorenz states grow apart exponentially: rounding differences show in the check value.
pub fn check_tolerance(name: &str) -> f64 {
    if name.starts_with("lorenz") { 1e-2 } else { 1e-3 }
}

fn case<A: Args, F: Func<A>>(make: impl Fn() -> F + Copy + 'static, args: A) -> Case {
    let compiled = jit(make());
    let result = compiled.call_with(args.clone());
    let check = check(&result);
    let prepared = compiled.prepare(&args).ok().and_then(|prepared| {
        let (args, mut out) = (args.clone(), result.clone());
        prepared.call_into(&args, &mut out).ok()?;
        let call: Box<dyn FnMut()> = Box::new(move || {
            prepared.call_into(&args, &mut out).expect("as before");
            black_box(&mut out);
        });
        Some(call)
    });
    let (a, b, c) = (args.clone(), args.clone(), args);
    let eager = make();
    Case {
        compiled: Box::new(move || {
            black_box(compiled.call_with(black_box(a.clone())));
        }),
        prepared,
        eager: Box::new(move || {
            black_box(eager.call_with(black_box(b.clone())));
        }),
        compile: Box::new(move || {
            let traced = jit(make()).trace(c.clone()).expect("it ran");
            traced.lower().and_then(|l| l.compile()).map(black_box).is_ok()
        }),
        check,
    }
}

/// The sum of absolute values of all results.
fn check<R: Tree>(result: &R) -> f64 {
    let mut sum = 0.0;
    result.visit(&mut |t| sum += t.astype(DType::F64).abs().sum().item::<f64>());
    sum
}

/// sin(0.37 i + phase) in f64, then rounded: inputs that every language can make.
fn wave(shape: &[usize], phase: f64, dtype: DType) -> Tensor {
    let n = shape.iter().product();
    let values: Vec<f64> = (0..n).map(|i| (0.37 * i as f64 + phase).sin()).collect();
    Tensor::new(shape, &values).astype(dtype)
}

fn scalar(x: Tensor) -> Tensor {
    (&x * &x).sin() + (-&x).exp() * &x
}

fn rosenbrock(x: Tensor) -> Tensor {
    let (a, b) = (x.get(..-1), x.get(1..));
    ((b - a.square()).square() * 100.0 + (1.0 - a).square()).sum()
}

fn fused(x: Tensor, a: Tensor, b: Tensor) -> Tensor {
    ((a * &x + b).tanh() * (-&x * &x).exp() + (&x * &x).log1p()).mean()
}

const H: f64 = 0.01;

/// The derivative of the Lorenz system with parameters `p`.
fn lorenz_slope(p: &Tensor, s: &Tensor) -> Tensor {
    let (x, y, z) = (s.get(0), s.get(1), s.get(2));
    wengert::stack(&[p.get(0) * (&y - &x), &x * (p.get(1) - &z) - &y, &x * &y - p.get(2) * &z], 0)
}

/// 1000 steps of the classical Runge-Kutta method; the squared norm of the last state.
fn lorenz(s: Tensor, p: Tensor) -> Tensor {
    let step = move |s: Tensor, _: Tensor| {
        let k1 = lorenz_slope(&p, &s);
        let k2 = lorenz_slope(&p, &(&s + &k1 * (H / 2.0)));
        let k3 = lorenz_slope(&p, &(&s + &k2 * (H / 2.0)));
        let k4 = lorenz_slope(&p, &(&s + &k3 * H));
        (s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (H / 6.0), ())
    };
    let (s, ()) = scan(step, s, Tensor::arange(1000, DType::I32));
    s.square().sum()
}

#[derive(Clone, Tree)]
struct Layer {
    w: Tensor,
    b: Tensor,
}

fn network(sizes: &[usize], batch: usize) -> (Vec<Layer>, Tensor, Tensor) {
    let layer = |k: usize| {
        let (inputs, outputs) = (sizes[k], sizes[k + 1]);
        let w = wave(&[inputs, outputs], k as f64, DType::F32) * (2.0 / inputs as f64).sqrt();
        Layer { w, b: Tensor::zeros(&[outputs], DType::F32) }
    };
    let layers = (0..sizes.len() - 1).map(layer).collect();
    let labels: Vec<i32> = (0..batch as i32).map(|i| i * 7 % 10).collect();
    (layers, wave(&[batch, sizes[0]], 5.0, DType::F32), Tensor::from(labels))
}

/// Mean cross-entropy of a network with rectified linear units.
fn cross_entropy(layers: Vec<Layer>, x: Tensor, labels: Tensor) -> Tensor {
    let (last, hidden) = layers.split_last().expect("layers");
    let h = hidden.iter().fold(x, |h, l| (h.matmul(&l.w) + &l.b).relu());
    let logits = h.matmul(&last.w) + &last.b;
    let chosen = (&logits * labels.one_hot(10, DType::F32)).sum_axis(-1);
    (logits.logsumexp(&[-1]) - chosen).mean()
}

fn sgd_step(layers: Vec<Layer>, x: Tensor, labels: Tensor) -> (Tensor, Vec<Layer>) {
    let (loss, gradient) = value_and_grad(cross_entropy)(layers.clone(), x, labels);
    let updated = layers
        .iter()
        .zip(&gradient)
        .map(|(l, g)| Layer { w: &l.w - &g.w * 0.01, b: &l.b - &g.b * 0.01 })
        .collect();
    (loss, updated)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Check values that `peers/jax_workloads.py --check` gives.
    #[test]
    fn workloads_give_what_jax_gives() {
        for (name, expected) in [
            ("scalar.f", 0.8182356008251446),
            ("scalar.grad", 1.384241593191593),
            ("scalar.grad2", 0.1966780814759413),
            ("rosenbrock.10.f", 337.53200110769217),
            ("rosenbrock.10.vg", 1750.272842726343),
            ("rosenbrock.1000.f", 89110.44373613031),
            ("rosenbrock.1000.vg", 392346.39574595704),
            ("rosenbrock.1000000.f", 88999513.66507119),
            ("rosenbrock.1000000.vg", 391575791.2659418),
            ("fused.10000.f", 0.4583360254764557),
            ("fused.10000.vg", 1.2973521344863244),
            ("fused.1000000.f", 0.45845532417297363),
            ("fused.1000000.vg", 1.2975367815469818),
            ("lorenz.1000.f", 647.7399735561391),
            ("lorenz.1000.vg", 4433.251593594879),
            ("digits.step", 1648.2073801754398),
            ("mlp.1.step", 18268.58200208584),
            ("mlp.128.step", 18268.429315123714),
        ] {
            let found = find(name).case().check;
            assert!(
                (found - expected).abs() <= check_tolerance(name) * expected.abs(),
                "{name}: {found}, JAX {expected}"
            );
        }
    }
}
