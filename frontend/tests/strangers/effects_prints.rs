//! Prints and callbacks: once and in order under every pair of transforms, in scans, loops, branches, checkpoints, batches of 0, 1, 3.
use super::*;
use std::sync::{Arc, Mutex};
use wengert::effects::{callback_of_batches, prints_of};
use wengert::{
    DType, Tensor, callback, checkpoint, cond, custom_jvp, custom_vjp, debug_callback, debug_print,
    fori_loop, grad, hessian, hvp, io_callback, io_callback_unordered, jacfwd, jacrev, jit, jvp, linearize,
    scan, sparse_jacobian, stop_gradient, value_and_grad, vjp, vmap, while_loop,
};

// Prints in a scan with a branch and a loop inside: the story of one number.
fn story(x: Tensor) -> Tensor {
    debug_print!("start {}", x);
    let step = |c: Tensor, k: Tensor| {
        let c = cond(
            &c.greater(0.0),
            |c: Tensor| {
                debug_print!("up {}", c);
                &c * &k
            },
            |c: Tensor| {
                debug_print!("down {}", c);
                &c * 2.0
            },
            c,
        );
        (c, ())
    };
    let y = scan(step, x, t(&[-2.0, 3.0])).0;
    let y = while_loop(
        |y: Tensor| y.abs().less(10.0),
        |y: Tensor| {
            debug_print!("grow {}", y);
            y * 2.0
        },
        y,
    );
    debug_print!("end {{{}}}", y);
    y.square()
}
fn told(x: f64) -> (Vec<String>, f64) {
    let (mut c, mut d, mut out) = (x, 1.0, vec![format!("start {x:?}")]);
    for k in [-2.0, 3.0] {
        let up = c > 0.0;
        out.push(format!("{} {c:?}", if up { "up" } else { "down" }));
        let by = if up { k } else { 2.0 };
        c *= by;
        d *= by;
    }
    while c.abs() < 10.0 {
        out.push(format!("grow {c:?}"));
        c *= 2.0;
        d *= 2.0;
    }
    out.push(format!("end {{{c:?}}}"));
    (out, 2.0 * c * d)
}
fn way(f: impl Fn() -> Vec<f64> + 'static) -> Box<dyn Fn() -> Vec<f64>> {
    Box::new(f)
}
type Log = Arc<Mutex<Vec<f64>>>;
fn log() -> (Log, impl Fn(f64) + Clone + Send + Sync + 'static) {
    let log: Log = Default::default();
    let l = log.clone();
    (log, move |x| l.lock().unwrap().push(x))
}
fn took(log: &Log) -> Vec<f64> {
    std::mem::take(&mut log.lock().unwrap())
}

#[test]
fn all() {
    for x in [0.5, -1.5] {
        let (want, slope) = told(x);
        let ways: Vec<(&str, Box<dyn Fn() -> Vec<f64>>)> = vec![
            (
                "plain",
                way(move || {
                    story(s(x));
                    vec![slope]
                }),
            ),
            (
                "jit",
                way(move || {
                    jit(story)(s(x));
                    vec![slope]
                }),
            ),
            ("grad", way(move || v(&grad(story)(s(x))))),
            ("jit grad", way(move || v(&jit(grad(story))(s(x))))),
            ("jit value_and_grad", way(move || v(&jit(value_and_grad(story))(s(x)).1))),
            ("jvp", way(move || v(&jvp(story, (s(x),), (s(1.0),)).1))),
            ("jacfwd", way(move || v(&jacfwd(story)(s(x))))),
            ("jit jacrev", way(move || v(&jit(jacrev(story))(s(x))))),
            ("grad checkpoint", way(move || v(&grad(checkpoint(story))(s(x))))),
            ("jit grad checkpoint", way(move || v(&jit(grad(checkpoint(story)))(s(x))))),
            (
                "jit hessian",
                way(move || {
                    jit(hessian(story))(s(x));
                    vec![slope]
                }),
            ),
            (
                "hvp",
                way(move || {
                    hvp(story, (s(x),), (s(1.0),));
                    vec![slope]
                }),
            ),
            (
                "jit grad grad grad",
                way(move || {
                    jit(grad(grad(grad(story))))(s(x));
                    vec![slope]
                }),
            ),
            (
                "sparse_jacobian",
                way(move || {
                    v(jit(sparse_jacobian(|x: Tensor| story(x.get(0)).expand_dims(0)))(t(&[x])).values())
                }),
            ),
            (
                "vjp called twice",
                way(move || {
                    let (_, p) = vjp(story, (s(x),));
                    p.call(s(1.0));
                    v(&p.call(s(1.0)).0)
                }),
            ),
            (
                "linearize called twice",
                way(move || {
                    let (_, p) = linearize(story, (s(x),));
                    p.call((s(1.0),));
                    v(&p.call((s(1.0),)))
                }),
            ),
            (
                "grad in jit in grad",
                way(move || {
                    let f = jit(grad(story));
                    grad(move |x: Tensor| f(x))(s(x));
                    vec![slope]
                }),
            ),
            (
                "jacfwd of jacrev of checkpoint",
                way(move || {
                    jit(jacfwd(jacrev(checkpoint(story))))(s(x));
                    vec![slope]
                }),
            ),
        ];
        for (name, f) in ways {
            case(&format!("{name} {x}"), || {
                let (got, lines) = prints_of(f);
                same(&format!("{name} {x}: lines"), lines, want.clone());
                close(&format!("{name} {x}: slope"), &got, &[slope], 1e-12);
            });
        }
    }
    case("batches", || {
        // A loop that all leave together, so that lines come per step, example after example.
        let f = |x: Tensor| {
            let y = fori_loop(
                0,
                2,
                |i, y: Tensor| {
                    debug_print!("step {} of {}", i, y);
                    y * 2.0
                },
                x,
            );
            debug_print!("done {}", y);
            y.square()
        };
        for n in [0usize, 1, 3] {
            let x: Vec<f64> = (0..n).map(|k| k as f64 + 0.5).collect();
            let mut want = vec![];
            for i in 0..2 {
                for x in &x {
                    want.push(format!("step {i} of {:?}", x * [1.0, 2.0][i]));
                }
            }
            for x in &x {
                want.push(format!("done {:?}", x * 4.0));
            }
            let xs = t(&x);
            for (name, got) in [
                ("vmap", prints_of(|| vmap(f)(xs.clone()))),
                ("jit vmap grad", prints_of(|| jit(vmap(grad(f)))(xs.clone()))),
                ("jit grad of vmap", prints_of(|| jit(grad(move |x: Tensor| vmap(f)(x).sum()))(xs.clone()))),
                ("vmap hessian", prints_of(|| vmap(hessian(f))(xs.clone()))),
                ("jit vmap of checkpoint of grad", prints_of(|| jit(vmap(checkpoint(grad(f))))(xs.clone()))),
            ] {
                same(&format!("{name} of {n}"), got.1, want.clone());
            }
        }
        let (_, lines) = prints_of(|| {
            jit(vmap(vmap(|x: Tensor| {
                debug_print!("{}", x);
                x
            })))(mat(2, 2, &[1.0, 2.0, 3.0, 4.0]))
        });
        // The inner one's examples one after the other, each for all of the outer one.
        same("nested", lines, ["1.0", "3.0", "2.0", "4.0"].map(String::from).to_vec());
        let (_, lines) = prints_of(|| {
            jit(vmap(|x: Tensor, y: Tensor| {
                debug_print!("same {}", y);
                x * y
            })
            .in_axes([Some(0), None]))(t(&[1.0, 2.0]), s(7.0))
        });
        same("what no example changes is said once", lines, vec!["same 7.0".to_owned()]);
        // Examples that leave at different times: each story as a whole.
        let (y, lines) = prints_of(|| jit(vmap(story))(t(&[0.5, -1.5, 20.0])));
        let mut all: Vec<String> = [0.5, -1.5, 20.0].iter().flat_map(|&x| told(x).0).collect();
        let mut got = lines.clone();
        got.sort();
        all.sort();
        same("stories of a batch, all lines", got, all);
        let ends: Vec<f64> = [0.5, -1.5, 20.0].iter().map(|&x| story(s(x)).item::<f64>()).collect();
        closet("stories of a batch, values", &y, &ends, 1e-13);
        fails("text of another number of values", || debug_print!("{} {}", s(1.0)), &["2|{}", "1|value"]);
    });
    case("callbacks", || {
        // erf by series in Rust, with a derivative of ours; scan, vmap, hessian.
        let erf = |x: f64| {
            let (mut sum, mut term) = (x, x);
            for n in 1..60 {
                term *= -x * x / n as f64;
                sum += term / (2 * n + 1) as f64;
            }
            sum * 2.0 / std::f64::consts::PI.sqrt()
        };
        let host =
            move |x: Tensor| callback(move |x: Tensor| Tensor::from(erf(x.item::<f64>())), &x, (x.clone(),));
        let f = custom_jvp(host, move |(x,): (Tensor,), (dx,): (Tensor,)| {
            (host(x.clone()), dx * (-x.square()).exp() * (2.0 / std::f64::consts::PI.sqrt()))
        });
        let g = f.clone();
        let d1 = |x: f64| (-x * x).exp() * 2.0 / std::f64::consts::PI.sqrt();
        closet("jit vmap", &jit(vmap(f.clone()))(t(&[0.1, 0.7])), &[erf(0.1), erf(0.7)], 1e-13);
        closet("jit vmap grad", &jit(vmap(grad(f.clone())))(t(&[0.1, 0.7])), &[d1(0.1), d1(0.7)], 1e-13);
        closet("jit hessian", &jit(hessian(f.clone()))(s(0.4)), &[-0.8 * d1(0.4)], 1e-13);
        let walk = move |x: Tensor| scan(|c: Tensor, k: Tensor| (g(c) * k, ()), x, t(&[2.0, 1.5])).0;
        let d = differences(|p| vec![erf(erf(p[0]) * 2.0) * 1.5], &[0.3]);
        closet("in a scan, jit grad", &jit(grad(walk.clone()))(s(0.3)), &d, 1e-8);
        closet("in a scan, vmap jacfwd", &jit(vmap(jacfwd(walk)))(t(&[0.3])), &d, 1e-8);
        fails(
            "no derivative",
            || jit(grad(host))(s(0.1)),
            &["function of the host", "custom_jvp", "effects_prints"],
        );
        let (calls, note) = log();
        let whole = move |x: Tensor| {
            let note = note.clone();
            callback_of_batches(
                move |x: Tensor| {
                    note(x.len() as f64);
                    &x * 3.0
                },
                &x,
                (x.clone(),),
            )
        };
        closet("callback of batches", &jit(vmap(whole))(t(&[1.0, 2.0, 3.0])), &[3.0, 6.0, 9.0], 0.0);
        same("called once for all", took(&calls), vec![3.0]);
        let broken =
            jit(|x: Tensor| callback(|_: Tensor| -> Tensor { panic!("paper jam") }, &x, (x.clone(),)));
        fails_with("a panic of the host", broken.try_call((s(0.0),)), &["paper jam", "effects_prints.rs"]);
        let wrong = jit(|x: Tensor| callback(|_: Tensor| Tensor::from(1.0f32), &x, (x.clone(),)));
        fails_with("another type than said", wrong.try_call((s(0.0),)), &["f32", "f64"]);
    });
    case("ordered callbacks", || {
        let (seen, note) = log();
        let note2 = note.clone();
        let f = move |x: Tensor| {
            let note = note.clone();
            scan(
                move |c: Tensor, k: Tensor| {
                    let note = note.clone();
                    let n = io_callback(
                        move |x: Tensor| {
                            note(x.item());
                            &x * 0.0 + 2.0
                        },
                        &c,
                        (stop_gradient(&c),),
                    );
                    (c * n + k, ())
                },
                x,
                t(&[1.0, -1.0, 0.5]),
            )
            .0
        };
        let want = vec![1.0, 3.0, 5.0];
        closet("jit grad", &jit(grad(f.clone()))(s(1.0)), &[8.0], 0.0);
        same("once, in order", took(&seen), want.clone());
        closet("jit grad of checkpoint", &jit(grad(checkpoint(f.clone())))(s(1.0)), &[8.0], 0.0);
        same("a checkpoint does not call again", took(&seen), want.clone());
        closet("jit hessian", &jit(hessian(f.clone()))(s(1.0)), &[0.0], 0.0);
        same("hessian calls once", took(&seen), want.clone());
        let f2 = f.clone();
        fails("refused in a batch", move || jit(vmap(f2))(t(&[1.0, 2.0])), &["order", "effects_prints"]);
        took(&seen);
        let look = move |x: Tensor| {
            let n = note2.clone();
            let y = x.sin();
            debug_callback(move |y: Tensor| n(y.item()), (y.clone(),));
            y
        };
        closet(
            "debug_callback, jit vmap grad",
            &jit(vmap(grad(look)))(t(&[0.0, 0.5])),
            &[1.0, 0.5f64.cos()],
            1e-15,
        );
        close("called for each in order", &took(&seen), &[0.0, 0.5f64.sin()], 1e-15);
        let (calls, note) = log();
        let ask = move |x: Tensor| {
            let note = note.clone();
            io_callback_unordered(
                move |x: Tensor| {
                    note(x.item());
                    &x + 1.0
                },
                &x,
                (stop_gradient(&x),),
            ) * &x
        };
        closet("unordered, jit vmap grad", &jit(vmap(grad(ask.clone())))(t(&[2.0, 5.0])), &[3.0, 6.0], 0.0);
        let mut got = took(&calls);
        got.sort_by(f64::total_cmp);
        same("once for each", got, vec![2.0, 5.0]);
        jit(vmap(ask).in_axes([None]).axis_size(3))(s(4.0));
        same("once for all", took(&calls), vec![4.0]);
    });
    case("rules that speak", || {
        let f = custom_vjp(
            |x: Tensor| {
                debug_print!("value {}", x);
                x.sin()
            },
            |(x,): (Tensor,)| {
                debug_print!("forward {}", x);
                (x.sin(), x)
            },
            |x: Tensor, g: Tensor| {
                debug_print!("backward {}", g);
                (g * x.cos(),)
            },
        );
        let (a, b, c) = (f.clone(), f.clone(), f.clone());
        same("undifferentiated", prints_of(|| jit(a)(s(1.0))).1, vec!["value 1.0".to_owned()]);
        same(
            "differentiated",
            prints_of(|| jit(grad(b))(s(1.0))).1,
            vec!["forward 1.0".to_owned(), "backward 1.0".to_owned()],
        );
        let (_, lines) = prints_of(|| jit(vmap(grad(c)))(t(&[1.0, 2.0])));
        // The cotangent is the same for all examples, so its line may come once.
        same(
            "in a batch, forward",
            lines[..lines.len().min(2)].to_vec(),
            ["forward 1.0", "forward 2.0"].map(String::from).to_vec(),
        );
        yes(
            "in a batch, backward",
            lines.len() > 2 && lines[2..].iter().all(|l| l == "backward 1.0"),
            format!("{lines:?}"),
        );
        let g = custom_jvp(
            |x: Tensor| {
                debug_print!("value {}", x);
                x.exp()
            },
            |(x,): (Tensor,), (dx,): (Tensor,)| {
                debug_print!("rule {}", x);
                let y = x.exp();
                (y.clone(), dx * y)
            },
        );
        same("a rule is heard once", prints_of(|| jit(grad(g))(s(1.0))).1, vec!["rule 1.0".to_owned()]);
        same(
            "types of prints",
            prints_of(|| {
                jit(|x: Tensor| {
                    debug_print!("{} {}", x.astype(DType::I32), x.greater(1.0));
                    x
                })(s(2.0))
            })
            .1,
            vec!["2 true".to_owned()],
        );
    });
    finish();
}
