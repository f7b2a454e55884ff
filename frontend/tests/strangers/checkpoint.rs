//! What the reverse pass keeps: policies, names, predicates, smaller types, segments and slots of loops; values, memory and all modes.
use super::*;
use wengert::{
    Checkpoint, DType, Keep, Save, ScanOptions, Tensor, checkpoint, checkpoint_name, cond, fori_loop, grad,
    hessian, jacfwd, jacrev, jit, jvp, random, scan, scan_with, value_and_grad, vjp, vmap, while_loop_with,
};

fn layer(w: Tensor, x: Tensor) -> Tensor {
    let h = checkpoint_name(w.matmul(&x), "product");
    let g = checkpoint_name(h.tanh(), "tanh");
    (g.sin() * &h).exp().sin() * 0.3
}
fn policies() -> Vec<(&'static str, Checkpoint<(Tensor, Tensor), Tensor>)> {
    vec![
        ("nothing", checkpoint(layer)),
        ("everything", checkpoint(layer).keep(Keep::Everything)),
        ("contractions", checkpoint(layer).keep(Keep::Contractions)),
        ("unbatched", checkpoint(layer).keep(Keep::UnbatchedContractions)),
        ("names", checkpoint(layer).keep(Keep::Names)),
        ("one name", checkpoint(layer).keep_names(["tanh"])),
        ("predicate", checkpoint(layer).keep_where(|op, ty| op == "stablehlo.sine" && ty.elements() >= 2)),
        ("compressed to f32", checkpoint(layer).keep(Keep::Everything).compress(DType::F32)),
    ]
}
fn options(length: usize, save: Save) -> ScanOptions {
    ScanOptions { length: Some(length), save, ..ScanOptions::default() }
}
fn orbit(save: Save, steps: usize) -> impl Fn(Tensor, Tensor) -> Tensor + Copy + Send + Sync + 'static {
    move |x: Tensor, k: Tensor| {
        let step = |(p, q): (Tensor, Tensor), (): ()| {
            let q = &q - p.sin() * &k * 0.02;
            ((&p + &q * 0.02, q), ())
        };
        let ((p, q), _) = scan_with(step, (x.clone(), x.cos()), (), options(steps, save));
        (p * q).sum()
    }
}

#[test]
fn all() {
    let (w, x) = (noise_of(&[3, 3], 1), noise_of(&[3], 2));
    let plain = |w: Tensor, x: Tensor| fori_loop(0, 3, |_, x: Tensor| layer(w.clone(), x), x).square().sum();
    let want = v(&grad(plain)(w.clone(), x.clone()));
    let want_h = v(&hessian(plain).wrt(wengert::ARG1)(w.clone(), x.clone()));
    for (name, f) in policies() {
        case(name, || {
            let tol = if name.contains("compressed") { 1e-5 } else { 1e-11 };
            let f2 = f.clone();
            let whole = move |w: Tensor, x: Tensor| {
                fori_loop(0, 3, |_, x: Tensor| f2(w.clone(), x), x).square().sum()
            };
            closet(
                &format!("{name}: value"),
                &whole(w.clone(), x.clone()),
                &v(&plain(w.clone(), x.clone())),
                1e-13,
            );
            closet(&format!("{name}: grad"), &grad(whole.clone())(w.clone(), x.clone()), &want, tol);
            closet(&format!("{name}: jit grad"), &jit(grad(whole.clone()))(w.clone(), x.clone()), &want, tol);
            closet(&format!("{name}: jacfwd"), &jit(jacfwd(whole.clone()))(w.clone(), x.clone()), &want, tol);
            closet(
                &format!("{name}: hessian"),
                &jit(hessian(whole.clone()).wrt(wengert::ARG1))(w.clone(), x.clone()),
                &want_h,
                tol.max(1e-9) * 10.0,
            );
            closet(
                &format!("{name}: reverse over reverse"),
                &jit(jacrev(grad(whole.clone()).wrt(wengert::ARG1)).wrt(wengert::ARG1))(w.clone(), x.clone()),
                &want_h,
                tol.max(1e-9) * 10.0,
            );
            for n in [0usize, 1, 3] {
                let xs = noise_of(&[3, n], 5);
                let g = jit(vmap(grad(whole.clone())).in_axes([None, Some(1)]))(w.clone(), xs.clone());
                let each: Vec<f64> =
                    (0..n).flat_map(|i| v(&grad(plain)(w.clone(), xs.get((.., i))))).collect();
                closet(&format!("{name}: jit vmap grad {n}"), &g, &each, tol);
            }
        });
    }
    case("what is kept", || {
        let big = |shape: &[usize]| noise_of(shape, 3);
        let bytes = |f: Checkpoint<(Tensor, Tensor), Tensor>| {
            vjp(f, (big(&[40, 40]), big(&[40, 40]))).1.saved_bytes()
        };
        let all: Vec<(&str, usize)> = policies().into_iter().map(|(n, f)| (n, bytes(f))).collect();
        let of = |name: &str| all.iter().find(|a| a.0 == name).unwrap().1;
        // Without `jit` a pullback keeps what a checkpoint is given, and its result, whatever the policy.
        yes("arguments are kept", all.iter().all(|a| a.1 == of("nothing")), format!("{all:?}"));
        fails("a name with a space", || checkpoint_name(s(1.0), "a b"), &["a b|letters|character"]);
        fails(
            "compress to an integer",
            || grad(checkpoint(|x: Tensor| x.sin()).compress(DType::I32))(s(1.0)),
            &["float|i32"],
        );
        // Captured values are differentiated as arguments are.
        let captured = |w: Tensor| {
            let inner = checkpoint(move |x: Tensor| (x * &w).sin()).keep(Keep::Nothing);
            inner(s(2.0))
        };
        closet("captured, grad grad", &jit(grad(grad(captured)))(s(0.4)), &[-4.0 * 0.8f64.sin()], 1e-13);
        // The same random numbers when computed again.
        let noisy = |x: Tensor| {
            checkpoint(|x: Tensor| (random::normal(&random::key(3), &[4], DType::F64) * x).exp().sum())(x)
        };
        let z = v(&random::normal(&random::key(3), &[4], DType::F64));
        closet(
            "random numbers again",
            &jit(grad(noisy))(s(0.2)),
            &[z.iter().map(|z| z * (z * 0.2).exp()).sum()],
            1e-12,
        );
    });
    case("loops", || {
        for steps in [1usize, 7, 50] {
            let (x, k) = (t(&[0.5, -1.0]), s(1.3));
            let base = orbit(Save::EachStep, steps);
            let (want, wantk) = grad(base).wrt((wengert::ARG0, wengert::ARG1))(x.clone(), k.clone());
            for save in [
                Save::Every(1),
                Save::Every(4),
                Save::Every(1000),
                Save::Root,
                Save::Slots(1),
                Save::Slots(3),
                Save::Slots(100),
            ] {
                let f = orbit(save, steps);
                let (gx, gk) = jit(grad(f).wrt((wengert::ARG0, wengert::ARG1)))(x.clone(), k.clone());
                closet(&format!("{save:?} {steps}: grad"), &gx, &v(&want), 1e-11);
                closet(&format!("{save:?} {steps}: by what is captured"), &gk, &v(&wantk), 1e-11);
                closet(
                    &format!("{save:?} {steps}: jvp"),
                    &jvp(f, (x.clone(), k.clone()), (t(&[1.0, 0.0]), s(0.0))).1,
                    &[v(&want)[0]],
                    1e-11,
                );
                if steps == 7 {
                    closet(
                        &format!("{save:?}: hessian"),
                        &jit(hessian(f))(x.clone(), k.clone()),
                        &v(&hessian(base)(x.clone(), k.clone())),
                        1e-10,
                    );
                    let ks = t(&[1.3, 0.2, -1.0]);
                    let each = jit(vmap(grad(f)).in_axes([None, Some(0)]))(x.clone(), ks.clone());
                    let loopwise: Vec<f64> =
                        (0..3).flat_map(|i| v(&grad(base)(x.clone(), ks.get(i)))).collect();
                    closet(&format!("{save:?}: jit vmap grad"), &each, &loopwise, 1e-11);
                }
            }
        }
        // Memory of 4,000 steps, as the plan without a budget says.
        let peak = |save: Save| {
            let args = (Tensor::placeholder(&[100], DType::F64), s(1.0));
            grad(orbit(save, 4000))
                .memory_budget(u64::MAX)
                .plan(args)
                .map(|p| p.peak())
                .map_err(|e| e.to_string())
                .unwrap()
        };
        let (each, root, slots) = (peak(Save::EachStep), peak(Save::Root), peak(Save::Slots(12)));
        yes("the root keeps at most a tenth", root * 10 <= each, format!("{root} of {each}"));
        yes("twelve slots keep less than the root", slots <= root, format!("{slots} of {root}"));
    });
    case("loops of unknown length", || {
        let f = |save: Save| {
            move |x: Tensor, a: Tensor| {
                while_loop_with(
                    |x: Tensor| x.less(50.0),
                    |x: Tensor| {
                        cond(&x.less(5.0), |x: Tensor| x * &a + 0.3, |x: Tensor| &x + x.sin() + 1.5, x)
                    },
                    x,
                    save,
                )
                .square()
            }
        };
        let rust = |x: f64, a: f64| {
            let mut x = x;
            while x < 50.0 {
                x = if x < 5.0 { x * a + 0.3 } else { x + x.sin() + 1.5 };
            }
            x * x
        };
        for save in [Save::EachStep, Save::Every(3), Save::Root, Save::Slots(4)] {
            for (x, a) in [(60.0, 1.0), (4.9, 1.7)] {
                let d = differences(|p| vec![rust(p[0], p[1])], &[x, a]);
                let (dx, da) = jit(value_and_grad(f(save)).wrt((wengert::ARG0, wengert::ARG1)))(s(x), s(a)).1;
                close(&format!("{save:?} while from {x}"), &[dx.item(), da.item()], &d, 1e-5);
            }
            // By a step of 1e-30 i, which no difference cancels: the loop makes much of a small one.
            let (dx, da) = jit(value_and_grad(f(save)).wrt((wengert::ARG0, wengert::ARG1)))(s(1.0), s(1.2)).1;
            close(
                &format!("{save:?} while from 1"),
                &[dx.item(), da.item()],
                &[0.20749825440432074, 1.5586718637585093],
                1e-10,
            );
            let g = jit(vmap(grad(f(save))).in_axes([Some(0), None]))(t(&[1.0, 60.0, 4.9]), s(1.2));
            let want: Vec<f64> = [1.0, 60.0, 4.9]
                .iter()
                .map(|&x| grad(f(Save::EachStep))(s(x), s(1.2)).item::<f64>())
                .collect();
            closet(&format!("{save:?} while, vmap grad"), &g, &want, 1e-10);
        }
        // A scan of checkpoints with a while inside, by hand and under a Jacobian.
        let nested = |x: Tensor| {
            let inner = checkpoint(|c: Tensor, k: Tensor| {
                while_loop_with(
                    |c: Tensor| c.abs().max().less(3.0),
                    |c: Tensor| &c * 1.3 + 0.2,
                    c * k,
                    Save::Root,
                )
                .sin()
            });
            scan(
                |c: Tensor, k: Tensor| {
                    let c = inner(c, k);
                    (c.clone(), c)
                },
                x,
                t(&[0.9, 1.1, 0.7]),
            )
            .1
        };
        let x = t(&[0.4, -0.6]);
        let d = differences(|p| v(&nested(t(p))), &v(&x));
        closet("while in checkpoint in scan, jacrev", &jit(jacrev(nested))(x.clone()), &d, 1e-6);
        closet("while in checkpoint in scan, jacfwd", &jit(jacfwd(nested))(x), &d, 1e-6);
    });
    finish();
}
