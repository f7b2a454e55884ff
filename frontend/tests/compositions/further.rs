//! Rows of the table: the other forms of what the rest has one of: checkpoints, colourings, loops that keep less, effects, tapes,
//! exchanges along named axes.

use super::tools::{F, Transform, arc, by_columns, direction, slope, summed, v};
use wengert::tape::Tape;
use wengert::{
    Coloring, DType, Func, Keep, Save, Tensor, callback, checked, checkpoint, checkpoint_name, collectives,
    debug_nans, effects, grad, plant, plant_all, reap_all, sow, sparse_hessian, sparse_jacobian, stack, vjp,
    vmap, while_loop_with,
};

/// What is kept for reverse mode, by names, by a predicate, in slots, within memory.
pub(super) fn memory() -> Vec<Transform> {
    let row = |name, of, defined| Transform { name, is_core: false, is_form: true, of, defined };
    vec![
        row(
            "checkpoint that keeps names",
            |f| {
                let named = move |x: Tensor| checkpoint_name(f(x), "y") * 2.0;
                let f = checkpoint(named).keep_names(["y"]);
                arc(move |x| f(x))
            },
            |f| arc(move |x| f(x) * 2.0),
        ),
        row(
            "checkpoint that keeps what is wanted",
            |f| {
                let f = checkpoint(move |x: Tensor| f(x)).keep_where(|op, _| op == "stablehlo.sine");
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "checkpoint that keeps in another type",
            |f| {
                // As wide, so that nothing is rounded.
                let f = checkpoint(move |x: Tensor| f(x)).keep(Keep::Everything).compress(DType::F64);
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row("while in segments", |f| arc(looped(f, Save::Root)), |f| arc(move |x| f(f(x * 0.7) * 0.7))),
        row("while in slots", |f| arc(looped(f, Save::Slots(2))), |f| arc(move |x| f(f(x * 0.7) * 0.7))),
        row(
            "a pullback within memory",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vjp(move |x: Tensor| f(x), (x,)).1.memory_budget(1 << 20).call(direction()).0
                })
            },
            |f| arc(move |x| by_columns(&f, &x).t().matmul(&direction())),
        ),
    ]
}

/// Two steps, in a loop that keeps what it is told to.
fn looped(f: F, save: Save) -> impl Fn(Tensor) -> Tensor + Send + Sync + 'static {
    move |x: Tensor| {
        let f = f.clone();
        let step = move |(k, c): (Tensor, Tensor)| (k + 1.0, f(c * 0.7));
        while_loop_with(|(k, _): (Tensor, Tensor)| k.less(2.0), step, (Tensor::from(0.0f64), x), save).1
    }
}

/// Matrices by other colourings, and batches along other axes.
pub(super) fn matrices() -> Vec<Transform> {
    let row = |name, of, defined| Transform { name, is_core: false, is_form: true, of, defined };
    let hessian_along: fn(F) -> F = |f| arc(move |x| by_columns(&slope(&f), &x).matmul(&direction()));
    vec![
        row(
            "sparse_jacobian by rows",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    sparse_jacobian(move |x: Tensor| f(x)).coloring(Coloring::Rows)(x).matvec(&direction())
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "sparse_hessian by rows",
            |f| arc(move |x| sparse_hessian(summed(&f)).coloring(Coloring::Rows)(x).matvec(&direction())),
            hessian_along,
        ),
        row(
            "vmap along the last axis",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let batch = stack(&[x.clone(), &x * 0.5 + 0.1], 1);
                    vmap(move |x: Tensor| f(x)).in_axes([Some(-1)]).out_axes(1)(batch).sum_axis(1)
                })
            },
            |f| arc(move |x| f(x.clone()) + f(&x * 0.5 + 0.1)),
        ),
        row(
            "all_gather",
            |f| exchanged(f, |y| collectives::all_gather(&y, "examples").get(1) * 0.5),
            |f| arc(move |x| f(&x * 0.5 + 0.1)),
        ),
        row(
            "ppermute",
            |f| exchanged(f, |y| collectives::ppermute(&y, "examples", &[(0, 1)])),
            |f| arc(move |x| f(x)),
        ),
        row(
            "all_to_all",
            |f| {
                // Each example has two copies and gives one away.
                exchanged(f, |y| {
                    let both = stack(&[y.clone(), &y * 2.0], 0);
                    collectives::all_to_all(&both, "examples", 0, 0).sum_axis(0)
                })
            },
            |f| arc(move |x| (f(x.clone()) + f(&x * 0.5 + 0.1)) * 3.0),
        ),
    ]
}

/// The sum over a batch of two of what examples make of `f`, exchanging it.
fn exchanged(f: F, exchange: fn(Tensor) -> Tensor) -> F {
    arc(move |x| {
        let f = f.clone();
        let batch = stack(&[x.clone(), &x * 0.5 + 0.1], 0);
        vmap(move |x: Tensor| exchange(f(x))).axis_name("examples")(batch).sum_axis(0)
    })
}

/// Values that have names, checks, calls of the host, tapes.
pub(super) fn effects() -> Vec<Transform> {
    let row = |name, of, defined| Transform { name, is_core: false, is_form: true, of, defined };
    vec![
        row(
            "reap_all",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let twice = move |x: Tensor| sow("y", &(sow("y", &f(x)) * 2.0));
                    let (y, values) = reap_all(twice, ["y"])(x);
                    y + &values["y"][0] + &values["y"][1]
                })
            },
            |f| arc(move |x| f(x) * 5.0),
        ),
        row(
            "plant",
            |f| {
                arc(move |x| {
                    let y = f(x.clone());
                    plant(|x: Tensor| sow("y", &x.sin()) * &x, [("y", y)])(x)
                })
            },
            |f| arc(move |x| f(x.clone()) * x),
        ),
        row(
            "plant_all",
            |f| {
                arc(move |x| {
                    let (y, z) = (f(x.clone()), f(&x * 0.5));
                    let product = |x: Tensor| sow("y", &x.sin()) * sow("y", &x) + x;
                    plant_all(product, [("y", vec![y, z])])(x)
                })
            },
            |f| arc(move |x| f(x.clone()) * f(&x * 0.5) + x),
        ),
        row(
            "checks that nobody wrote",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    checked(move |x: Tensor| f(x)).everything()(x).1
                })
            },
            |f| f,
        ),
        row(
            "debug_nans",
            |f| {
                let f = debug_nans(move |x: Tensor| f(x));
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "a callback",
            |f| {
                arc(move |x| {
                    let y = f(x);
                    let offset =
                        callback(|_: Tensor| v(&[0.5, 0.25, 1.0]), &y, (wengert::stop_gradient(&y),));
                    y + offset
                })
            },
            |f| arc(move |x| f(x) + v(&[0.5, 0.25, 1.0])),
        ),
        row(
            "an unordered call of the host",
            |f| {
                arc(move |x| {
                    let y = f(x);
                    let offset = effects::io_callback_unordered(
                        |_: Tensor| v(&[0.5, 0.25, 1.0]),
                        &y,
                        (wengert::stop_gradient(&y),),
                    );
                    y + offset
                })
            },
            |f| arc(move |x| f(x) + v(&[0.5, 0.25, 1.0])),
        ),
        row(
            "a compiled tape",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    Tape::record(move |x: Tensor| f(x), (&x * 0.9 + 0.1,)).1.jit().call_with((x,))
                })
            },
            |f| f,
        ),
        row(
            "a tape's forward mode",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let tape = Tape::record(move |x: Tensor| f(x), (&x * 0.9 + 0.1,)).1;
                    tape.jvp().call_with(((x,), (direction(),))).1
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "the gradient with more arguments",
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let of = move |w: Tensor, x: Tensor| (f(x) * w).sum();
                    grad(of).wrt(wengert::ARG1)(direction(), x)
                })
            },
            |f| arc(move |x| by_columns(&f, &x).t().matmul(&direction())),
        ),
    ]
}
