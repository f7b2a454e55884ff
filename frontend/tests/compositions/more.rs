//! Rows of the table: second derivatives, pullbacks, rules and equations of the user's, tapes, named axes and values.

use super::tools::{F, Transform, arc, by_columns, direction, product, slope, summed, v};
use wengert::tape::Tape;
use wengert::{
    DType, Func, Operator, Save, ScanOptions, Tensor, associative_scan, check, checked, collectives,
    custom_jvp, custom_linear_solve, custom_root, custom_vjp, fixed_point, grad, hessian, hvp, linalg,
    linear_transpose, map, reap, reap_last, scan_with, sow, sparse_hessian, stack, switch, value_and_grad,
    vjp, vmap, while_loop,
};

/// More derivatives.
pub(super) fn derivatives() -> Vec<Transform> {
    let row = |name, of, defined| Transform { name, is_core: false, is_form: false, of, defined };
    let hessian_along: fn(F) -> F = |f| arc(move |x| by_columns(&slope(&f), &x).matmul(&direction()));
    vec![
        row("hessian", |f| arc(move |x| hessian(summed(&f))(x).matmul(&direction())), hessian_along),
        row("hvp", |f| arc(move |x| hvp(summed(&f), (x,), (direction(),)).0), hessian_along),
        row(
            "sparse_hessian",
            |f| arc(move |x| sparse_hessian(summed(&f))(x).matvec(&direction())),
            hessian_along,
        ),
        row(
            "value_and_grad with more results",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let pair = move |x: Tensor| {
                        let y = f(x);
                        (y.sum(), y)
                    };
                    let ((value, y), slope) = value_and_grad(pair).aux()(x);
                    slope + y * value
                })
            },
            |f| {
                arc(move |x| {
                    let y = f(x.clone());
                    slope(&f)(x) + &y * y.sum()
                })
            },
        ),
        row(
            "grad within memory",
            |f| arc(move |x| grad(summed(&f)).memory_budget(1 << 20)(x)),
            |f| slope(&f),
        ),
        row(
            "linear_transpose",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let linear = move |t: Tensor| product(&f, &x, &t);
                    linear_transpose(linear, (Tensor::zeros(&[3], DType::F64),)).call(direction()).0
                })
            },
            |f| arc(move |x| by_columns(&f, &x).t().matmul(&direction())),
        ),
        row(
            "a pullback that is kept",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let (y, back) = vjp(move |x: Tensor| f(x), (x,));
                    let rows = back.clone();
                    let jacobian = map(move |c: Tensor| rows.call(c).0, Tensor::eye(3, DType::F64));
                    jacobian.matmul(&direction()) + back.call(y).0
                })
            },
            |f| {
                arc(move |x| {
                    let jacobian = by_columns(&f, &x);
                    jacobian.matmul(&direction()) + jacobian.t().matmul(&f(x))
                })
            },
        ),
        row(
            "a pullback for once",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vjp(move |x: Tensor| f(x), (x,)).1.into_once().call(direction()).0
                })
            },
            |f| arc(move |x| by_columns(&f, &x).t().matmul(&direction())),
        ),
        row(
            "a tape's gradient",
            |f| arc(move |x| Tape::record(summed(&f), (&x * 0.9 + 0.1,)).1.grad()(x)),
            |f| slope(&f),
        ),
    ]
}

/// Rules of the user's, and equations.
pub(super) fn rules() -> Vec<Transform> {
    let row = |name, of, defined| Transform { name, is_core: false, is_form: false, of, defined };
    vec![
        row(
            "custom_vjp",
            |f| {
                arc(move |x| {
                    let (f, g, h) = (f.clone(), f.clone(), f.clone());
                    custom_vjp(
                        move |x: Tensor| f(x),
                        move |(x,): (Tensor,)| (g(x.clone()), x),
                        move |x: Tensor, c: Tensor| {
                            let h = h.clone();
                            vjp(move |x: Tensor| h(x), (x,)).1.call(c)
                        },
                    )(x)
                })
            },
            |f| f,
        ),
        row(
            "custom_jvp of what it captures",
            |f| {
                arc(move |x| {
                    let (y, y1) = (f(x.clone()), f(x.clone()));
                    custom_jvp(
                        move |x: Tensor| x * &y,
                        move |(x,): (Tensor,), (t,): (Tensor,)| (x * &y1, t * &y1),
                    )(x)
                })
            },
            |f| arc(move |x| f(x.clone()) * x),
        ),
        row(
            "custom_root",
            |f| {
                arc(move |x| {
                    let y = f(x);
                    let newton = |g: &Operator<Tensor>, y: Tensor| {
                        (0..12).fold(y, |y, _| &y - g(y.clone()) / ((&y * &y) * 3.0 + 1.0))
                    };
                    let divided = |j: &Operator<Tensor>, y: Tensor| &y / j(y.ones_like());
                    custom_root(
                        move |z: Tensor| z.powi(3) + z - &y,
                        Tensor::zeros(&[3], DType::F64),
                        newton,
                        divided,
                    )
                })
            },
            |f| arc(move |x| cubic_root(&f(x))),
        ),
        row(
            "fixed_point",
            |f| {
                arc(move |x| {
                    let y = f(x);
                    fixed_point(move |z: Tensor| &y + z.sin() * 0.1, Tensor::zeros(&[3], DType::F64), 1e-15)
                })
            },
            |f| {
                arc(move |x| {
                    let y = f(x);
                    (0..20).fold(y.clone(), |z, _| &y + z.sin() * 0.1)
                })
            },
        ),
        row(
            "custom_linear_solve",
            |f| {
                arc(move |x| {
                    let b = f(x.clone());
                    let matvec = move |v: Tensor| &v * 3.0 + &x * (&x * &v).sum();
                    custom_linear_solve(matvec, b, |a, b| linalg::cg(a, b, 1e-15, 10))
                })
            },
            |f| arc(move |x| linalg::solve(&(Tensor::eye(3, DType::F64) * 3.0 + x.outer(&x)), &f(x.clone()))),
        ),
        row(
            "reap",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let (twice, values) = reap(move |x: Tensor| sow("y", &f(x)) * 2.0, ["y"])(x);
                    twice + &values["y"]
                })
            },
            |f| arc(move |x| f(x) * 3.0),
        ),
        row(
            "reap_last",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let step = move |(k, c): (Tensor, Tensor)| (k + 1.0, sow("y", &f(c * 0.7)));
                    let start = Tensor::from(0.0f64);
                    let twice =
                        move |x: Tensor| while_loop(|(k, _)| k.less(2.0), step.clone(), (start.clone(), x)).1;
                    let (y, values) = reap_last(twice, ["y"])(x);
                    y + &values["y"].value
                })
            },
            |f| arc(move |x| f(f(x * 0.7) * 0.7) * 2.0),
        ),
        row(
            "checked",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let careful = move |x: Tensor| {
                        check!(x.sum().less(1e6), "{} is large", x);
                        f(x)
                    };
                    checked(careful)(x).1
                })
            },
            |f| f,
        ),
    ]
}

/// The `z` with `z^3 + z = y`.
fn cubic_root(y: &Tensor) -> Tensor {
    let step = |z: Tensor| &z - ((&z * &z * &z) + &z - y) / ((&z * &z) * 3.0 + 1.0);
    (0..12).fold(y.zeros_like(), |z, _| step(z))
}

/// Tapes, named axes, loops of other kinds.
pub(super) fn control() -> Vec<Transform> {
    let row = |name, of, defined| Transform { name, is_core: false, is_form: false, of, defined };
    vec![
        row(
            "a tape",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    Tape::record(move |x: Tensor| f(x), (&x * 0.9 + 0.1,)).1.call_with((x,))
                })
            },
            |f| f,
        ),
        row(
            "a named axis",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let of_mean = move |x: Tensor| f(x.clone()) * collectives::pmean(&x, "examples");
                    let batch = stack(&[x.clone(), &x * 0.5 + 0.1], 0);
                    vmap(of_mean).axis_name("examples")(batch).sum_axis(0)
                })
            },
            |f| {
                arc(move |x| {
                    let other = &x * 0.5 + 0.1;
                    let mean = (&x + &other) * 0.5;
                    (f(x) + f(other)) * mean
                })
            },
        ),
        row(
            "associative_scan",
            |f| {
                arc(move |x| {
                    let elements = stack(&[x.cos(), f(x.clone()), &x * 0.5 + 1.0], 0);
                    associative_scan(|a: Tensor, b: Tensor| a * b, elements).sum_axis(0)
                })
            },
            |f| {
                arc(move |x| {
                    let (a, b, c) = (x.cos(), f(x.clone()), &x * 0.5 + 1.0);
                    &a + &a * &b + &a * &b * c
                })
            },
        ),
        row(
            "switch",
            |f| {
                arc(move |x| {
                    let (f, g) = (f.clone(), f.clone());
                    let index = (x.sum() * 2.0).floor().astype(DType::I32);
                    let branches: [&dyn Fn(Tensor) -> Tensor; 3] =
                        [&|x: Tensor| x, &|x: Tensor| f(x), &|x: Tensor| g(x * 0.5)];
                    switch(&index, &branches, x)
                })
            },
            |f| {
                arc(move |x| {
                    let number = (x.sum() * 2.0).floor();
                    let is = |t: Tensor| t.broadcast_to(&[3]);
                    let last = is(number.greater_equal(2.0)).select(f(&x * 0.5), f(x.clone()));
                    is(number.less(1.0)).select(&x, &last)
                })
            },
        ),
        row(
            "scan in given places",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let options = ScanOptions { save: Save::Slots(2), ..Default::default() };
                    let step = move |c: Tensor, s: Tensor| (f(&c * s), ());
                    scan_with(step, x, v(&[0.5, 0.8, 0.9]), options).0
                })
            },
            |f| arc(move |x| f(f(f(x * 0.5) * 0.8) * 0.9)),
        ),
    ]
}
