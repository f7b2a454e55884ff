//! Random programs with effects, nested in loops, branches, calls and checkpoints: under every transform, and under pairs of
//! them, they do what the function does when it is run operation by operation, in the same order.

use std::sync::{Arc, Mutex};
use wengert::effects::{debug_print, prints_of};
use wengert::{
    Tensor, check, checked, checkpoint, cond, custom_jvp, debug_callback, fori_loop, grad, hvp, io_callback,
    jit, jvp, linearize, reap, scan, sow, stop_gradient, switch, value_and_grad, vjp, vmap, while_loop,
};

#[derive(Clone)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    /// Another stream.
    fn split(&mut self) -> Random {
        Random(self.next().wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.next())
    }
}

/// What a program may have.
#[derive(Clone)]
struct Kind {
    /// Calls of the host in order, which `vmap` refuses.
    ordered: bool,
    /// Loops whose number of trips is not known, which nothing is reaped from.
    unknown: bool,
    /// Functions with derivatives of their own.
    rules: bool,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Kind {
    fn note(&self, what: &str, x: &Tensor) {
        let text = if x.rank() == 0 { x.item::<f64>() } else { x.get(0).item::<f64>() };
        self.seen.lock().unwrap().push(format!("{what} {text:.9}"));
    }
}

fn block(mut r: Random, depth: u64, kind: &Kind, mut x: Tensor) -> Tensor {
    for at in 0..1 + r.below(3) {
        let name = format!("{}", r.below(1000));
        let inner = r.split();
        let other = r.split();
        let choices = if depth == 0 { 5 } else { 13 };
        let (k, j) = (kind.clone(), kind.clone());
        x = match r.below(choices) {
            0 => {
                debug_print(&format!("p{name} {{}} {at}"), &[&x.mul_add_check()]);
                x
            }
            1 => {
                debug_callback(move |x: Tensor| k.note("c", &x), (x.clone(),));
                x
            }
            2 if kind.ordered => {
                let f = move |x: Tensor| {
                    k.note("io", &x);
                    x.cos()
                };
                let y = io_callback(f, &x, (stop_gradient(&x),));
                x + y * 0.1
            }
            3 => {
                check!(x.less(1e9), "{} is too large", x);
                x.sin() + 0.5
            }
            0..=4 => (&x * 1.25).tanh() + 0.25,
            5 | 6 => cond(
                &x.greater(0.7),
                move |x: Tensor| block(inner, depth - 1, &k, x),
                move |x: Tensor| block(other, depth - 1, &j, x),
                x,
            ),
            7 => {
                let step = move |c: Tensor, v: Tensor| (block(inner, depth - 1, &k, c * v), ());
                scan(step, x, Tensor::from([0.9f64, 1.1])).0
            }
            8 if kind.unknown => {
                let step = move |(n, c): (Tensor, Tensor)| (n + 1, block(inner, depth - 1, &k, c));
                while_loop(
                    |(n, c): (Tensor, Tensor)| n.less(3).logical_and(&c.less(50.0)),
                    step,
                    (Tensor::from(0i32), x),
                )
                .1
            }
            8 | 9 => fori_loop(0, 2, move |_, c: Tensor| block(inner, depth - 1, &k, c), x),
            10 => jit(move |x: Tensor| block(inner.clone(), depth - 1, &k, x))(x),
            11 if kind.rules => {
                let body = move |x: Tensor| {
                    debug_print(&format!("rule {name} {{}}"), &[&x]);
                    x.sin() + 0.5
                };
                let again = body.clone();
                custom_jvp(body, move |(x,), (dx,)| (again(x.clone()), dx * x.cos()))(x)
            }
            11 => checkpoint(move |x: Tensor| block(inner.clone(), depth - 1, &k, x))(x),
            _ => {
                let first = |x: Tensor| block(inner.clone(), depth - 1, &k, x);
                let second = |x: Tensor| block(other.clone(), depth - 1, &j, x);
                let branches: [&dyn Fn(Tensor) -> Tensor; 2] = [&first, &second];
                switch(&x.greater(0.6).astype(wengert::DType::I32), &branches, x)
            }
        };
    }
    x
}

trait Shown {
    fn mul_add_check(&self) -> Tensor;
}
impl Shown for Tensor {
    /// Something of `x` that is rounded alike however it is compiled.
    fn mul_add_check(&self) -> Tensor {
        (self * 1024.0).round() / 1024.0
    }
}

/// What a run prints and calls.
fn heard(kind: &Kind, f: &dyn Fn()) -> (Vec<String>, Vec<String>) {
    kind.seen.lock().unwrap().clear();
    let ((), lines) = prints_of(f);
    // What is called is compared up to rounding.
    let seen = kind.seen.lock().unwrap().iter().map(|s| s[..s.len() - 3].to_owned()).collect();
    (lines, seen)
}

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

#[test]
fn programs_do_the_same_under_every_transform() {
    let mut something = 0;
    for seed in 0..60 {
        // A call that gives something is refused where a reverse pass would have to make it again: in a loop whose number of trips
        // is not known, inside of another loop.
        let kind = Kind {
            ordered: seed % 2 == 0,
            unknown: seed % 2 == 1 && seed % 3 != 0,
            rules: seed % 5 == 0,
            seen: Arc::default(),
        };
        let (k, r) = (kind.clone(), Random(seed * 7919 + 1));
        let f = move |x: Tensor| block(r.clone(), 3, &k, x);
        let x = || s(0.8);
        let want = heard(&kind, &|| drop(f(x())));
        something += want.0.len() + want.1.len();
        let g = || f.clone();
        let mut runs: Vec<(&str, Box<dyn Fn()>)> = vec![
            ("jit", Box::new(|| drop(jit(g())(x())))),
            ("grad", Box::new(|| drop(grad(g())(x())))),
            ("jit grad", Box::new(|| drop(jit(grad(g()))(x())))),
            ("value and grad of jit", Box::new(|| drop(value_and_grad(jit(g()))(x())))),
            ("jvp", Box::new(|| drop(jvp(g(), (x(),), (s(1.0),))))),
            ("jit vjp", {
                let f = g();
                let twice = move |x: Tensor| {
                    let (y, back) = vjp(f.clone(), (x,));
                    (y, back.call(s(1.0)), back.call(s(2.0)))
                };
                Box::new(move || drop(jit(twice.clone())(s(0.8))))
            }),
            ("jit linearize", {
                let f = g();
                let of = move |x: Tensor| {
                    let (y, df) = linearize(f.clone(), (x,));
                    (y, df.call((s(1.0),)), df.call((s(2.0),)))
                };
                Box::new(move || drop(jit(of.clone())(s(0.8))))
            }),
            ("vjp", {
                let f = g();
                Box::new(move || {
                    let (_, back) = vjp(f.clone(), (s(0.8),));
                    back.call(s(1.0));
                    back.call(s(1.0));
                })
            }),
            ("grad of checkpoint", Box::new(|| drop(jit(grad(checkpoint(g())))(x())))),
            ("eager grad of checkpoint", Box::new(|| drop(grad(checkpoint(g()))(x())))),
            ("grad of grad", Box::new(|| drop(jit(grad(grad(g())))(x())))),
            ("eager grad of grad", Box::new(|| drop(grad(grad(g()))(x())))),
            ("hvp", {
                let f = g();
                Box::new(move || {
                    drop(jit({
                        let f = f.clone();
                        move |x: Tensor| hvp(f.clone(), (x,), (s(1.0),))
                    })(s(0.8)))
                })
            }),
        ];
        if !kind.ordered {
            let one = || Tensor::from([0.8f64]);
            runs.push(("vmap", Box::new(move || drop(vmap(g())(one())))));
        }
        // The same programs of a batch of one, whose closures are of the same types.
        let batch = f.clone();
        if !kind.ordered {
            // Loops that examples leave at different times are run one after the other, and have no reverse mode as a batch.
            let f = batch.clone();
            if !kind.unknown {
                runs.push((
                    "jit vmap grad",
                    Box::new(move || drop(jit(vmap(grad(f.clone())))(Tensor::from([0.8f64])))),
                ));
            }
            let f = batch.clone();
            runs.push((
                "grad of vmap",
                Box::new(move || {
                    let f = f.clone();
                    drop(jit(grad(move |x: Tensor| vmap(f.clone())(x.expand_dims(0)).sum()))(s(0.8)))
                }),
            ));
        }
        for (name, run) in &runs {
            // A rule is a program of its own: eagerly, the function that it is of is run too.
            if kind.rules && name.contains("eager") {
                continue;
            }
            let run = std::panic::AssertUnwindSafe(|| heard(&kind, &**run));
            let got = std::panic::catch_unwind(run).unwrap_or_else(|_| panic!("seed {seed}, {name}"));
            assert_eq!(got, want, "seed {seed}, {name}");
        }
    }
    assert!(something > 300, "{something}");
}

/// Random places of a value that may be more than one, and of checks that may fail.
fn sown(mut r: Random, depth: u64, count: &mut u32, fails_at: f64, x: Tensor) -> Tensor {
    let mut x = x;
    for _ in 0..1 + r.below(2) {
        let inner = r.split();
        *count += 1;
        let name = format!("v{count}");
        x = match if depth == 0 { r.below(2) } else { r.below(5) } {
            0 => sow(&name, &(x.sin() + 0.5)),
            1 => {
                check!(x.less(fails_at), &format!("{{}} in {count}"), (&x * 64.0).floor());
                &x * 1.05
            }
            2 => {
                scan(
                    |c: Tensor, v: Tensor| (sown(inner, depth - 1, count, fails_at, c * v), ()),
                    x,
                    Tensor::from([1.1f64, 1.2]),
                )
                .0
            }
            3 => checkpoint_once(|x| sown(inner, depth - 1, count, fails_at, x), x),
            _ => fori_loop(0, 2, |_, x: Tensor| sown(inner, depth - 1, count, fails_at, x), x),
        };
    }
    x
}

fn checkpoint_once(f: impl FnOnce(Tensor) -> Tensor, x: Tensor) -> Tensor {
    // A call of the function where it stands: `checkpoint` wants one that can be called again.
    cond(&x.greater(-1e9), f, |x: Tensor| x, x)
}

#[test]
fn failures_and_values_agree() {
    let mut failed = 0;
    for seed in 0..40 {
        let fails_at = if seed % 4 == 3 { 1e9 } else { 0.9 + seed as f64 * 0.02 };
        let r = Random(seed * 104_729 + 17);
        // Values are sown in one branch of `cond` only, which nobody can reap: checks alone.
        let f = move |x: Tensor| sown(r.clone(), 2, &mut 0, fails_at, x);
        let x = || s(0.8);
        let stopped = jit(f.clone()).try_call((x(),)).err().map(|e| (e.message().to_owned(), e.location()));
        let same = |failure: wengert::Failure, by: &str| {
            let told = failure.get().err().map(|e| (e.message().replace(" (example 0)", ""), e.location()));
            assert_eq!(told, stopped, "seed {seed}, {by}");
        };
        same(checked(f.clone())(x()).0, "checked");
        same(jit(checked(f.clone()))(x()).0, "jit checked");
        same(jit(vmap(checked(f.clone())))(Tensor::from([0.8f64])).0, "jit vmap checked");
        same(jit(checked(vmap(f.clone())))(Tensor::from([0.8f64])).0, "jit checked vmap");
        same(jit(checked(jit(f.clone())))(x()).0, "checked jit");
        let g = jit(grad(f.clone())).try_call((x(),)).err().map(|e| (e.message().to_owned(), e.location()));
        assert_eq!(g, stopped, "seed {seed}, grad");
        failed += stopped.is_some() as u32;
        let all =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reap(checked(f.clone()), [])(x()).1));
        if let Ok(values) = all {
            let compiled = jit(reap(checked(f.clone()), []))(x()).1;
            assert_eq!(values.keys().collect::<Vec<_>>(), compiled.keys().collect::<Vec<_>>());
            for (name, v) in &values {
                let (a, b) = (v.to_vec::<f64>(), compiled[name].to_vec::<f64>());
                assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12), "seed {seed}, {name}");
            }
        }
    }
    assert!((8..38).contains(&failed), "{failed}");
}
