//! Rows of the table: derivatives, batches, loops and branches.

use super::tools::{Transform, arc, by_columns, direction, product, v};
use wengert::{
    Keep, Save, ScanOptions, Tensor, checkpoint, cond, custom_jvp, fori_loop, grad, jacfwd, jacrev, jet, jit,
    jvp, linearize, scan, scan_with, sparse_jacobian, stack, tree, vjp, vmap, while_loop,
};

/// Those at the core among them.
pub(super) fn transforms() -> Vec<Transform> {
    let row = |name, is_core, of, defined| Transform { name, is_core, is_form: false, of, defined };
    vec![
        row(
            "grad",
            true,
            |f| {
                arc(move |x| {
                    grad({
                        let f = f.clone();
                        move |x: Tensor| f(x).sum()
                    })(x)
                })
            },
            |f| arc(move |x| by_columns(&f, &x).sum_axis(0)),
        ),
        row(
            "jit",
            true,
            |f| {
                let f = jit(move |x: Tensor| f(x));
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "jvp",
            true,
            |f| arc(move |x| product(&f, &x, &direction())),
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "vjp",
            true,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vjp(move |x: Tensor| f(x), (x,)).1.call(direction()).0
                })
            },
            |f| arc(move |x| by_columns(&f, &x).t().matmul(&direction())),
        ),
        row(
            "vmap",
            true,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vmap(move |x: Tensor| f(x))(stack(&[x.clone(), &x * 0.5 + 0.1], 0)).sum_axis(0)
                })
            },
            |f| arc(move |x| f(x.clone()) + f(&x * 0.5 + 0.1)),
        ),
        row(
            "checkpoint",
            true,
            |f| {
                let f = checkpoint(move |x: Tensor| f(x));
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "scan",
            true,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    scan(move |c: Tensor, s: Tensor| (f(&c * s), ()), x, v(&[0.5, 0.8])).0
                })
            },
            |f| arc(move |x| f(f(x * 0.5) * 0.8)),
        ),
        row(
            "while",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let step = move |(k, c): (Tensor, Tensor)| (k + 1.0, f(c * 0.7));
                    while_loop(|(k, _): (Tensor, Tensor)| k.less(2.0), step, (Tensor::from(0.0f64), x)).1
                })
            },
            |f| arc(move |x| f(f(x * 0.7) * 0.7)),
        ),
        row(
            "for",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    fori_loop(0, 2, move |_, c: Tensor| f(c * 0.6), x)
                })
            },
            |f| arc(move |x| f(f(x * 0.6) * 0.6)),
        ),
        row(
            "cond",
            false,
            |f| {
                arc(move |x| {
                    let (f, g) = (f.clone(), f.clone());
                    cond(&x.sum().greater(0.2), move |x: Tensor| f(x), move |x: Tensor| g(x * 0.5), x.clone())
                })
            },
            |f| {
                arc(move |x| {
                    let here = x.sum().greater(0.2).broadcast_to(&[3]);
                    here.select(f(x.clone()), f(&x * 0.5))
                })
            },
        ),
        row(
            "jacfwd",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    jacfwd(move |x: Tensor| f(x))(x).matmul(&direction())
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "jacrev",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    jacrev(move |x: Tensor| f(x))(x).matmul(&direction())
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "second derivative of a curve",
            false,
            |f| {
                arc(move |x| {
                    let (f, still) = (f.clone(), x.zeros_like());
                    let (_, all) = jet(move |x: Tensor| f(x), (x,), &[(direction(),), (still,)]);
                    all[1].clone()
                })
            },
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let first = arc(move |x| by_columns(&f, &x).matmul(&direction()));
                    by_columns(&first, &x).matmul(&direction())
                })
            },
        ),
        row(
            "linearize",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    linearize(move |x: Tensor| f(x), (x,)).1.call((direction(),))
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "sparse_jacobian",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    sparse_jacobian(move |x: Tensor| f(x))(x).matvec(&direction())
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "checkpoint that keeps contractions",
            false,
            |f| {
                let f = checkpoint(move |x: Tensor| f(x)).keep(Keep::Contractions);
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "scan in segments",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let options = ScanOptions { save: Save::Root, ..Default::default() };
                    scan_with(
                        move |c: Tensor, s: Tensor| (f(&c * s), ()),
                        x,
                        v(&[0.5, 0.8, 0.9, 0.7]),
                        options,
                    )
                    .0
                })
            },
            |f| arc(move |x| f(f(f(f(x * 0.5) * 0.8) * 0.9) * 0.7)),
        ),
        row(
            "custom_jvp",
            false,
            |f| {
                arc(move |x| {
                    let (f, g) = (f.clone(), f.clone());
                    custom_jvp(
                        move |x: Tensor| f(x),
                        move |(x,): (Tensor,), (t,): (Tensor,)| {
                            let g = g.clone();
                            jvp(move |x: Tensor| g(x), (x,), (t,))
                        },
                    )(x)
                })
            },
            |f| f,
        ),
        row(
            "map over a batch without a dimension of its own",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vmap(move |_: Tensor, x: Tensor| f(x)).in_axes([Some(0), None])(v(&[1.0, 2.0]), x)
                        .mean_axes(&[0])
                })
            },
            |f| f,
        ),
        row("tree", false, |f| arc(move |x| tree::map(&(x,), |x| f(x.clone())).0), |f| f),
    ]
}
