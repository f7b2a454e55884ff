//! Rows of the table: effects, the programs they are in, and transforms of functions of three numbers.

use std::sync::Arc;
use wengert::effects::prints_of;
use wengert::tape::{Tape, adaptive};
use wengert::{
    Coloring, Keep, Save, ScanOptions, Tensor, callback, check, checkpoint, checkpoint_name, cond,
    custom_jvp, debug_callback, debug_print, fori_loop, grad, hessian, hvp, io_callback,
    io_callback_unordered, jacfwd, jacrev, jet, jit, jvp, linearize, map, scan, scan_with, sow,
    sparse_hessian, sparse_jacobian, stack, stop_gradient, switch, vjp, vmap, while_loop, while_loop_with,
};

pub(super) type F = Arc<dyn Fn(Tensor) -> Tensor + Send + Sync>;

/// Something that is heard, and does not change what it is given.
pub(super) type Effect = fn(Tensor, &'static str) -> Tensor;

pub(super) fn x() -> Tensor {
    Tensor::from([0.4f64, -0.3, 0.9])
}

fn direction() -> Tensor {
    Tensor::from([0.3f64, -1.2, 0.7])
}

/// What is heard of a run: words, and numbers to six digits, because code that is compiled rounds otherwise.
pub(super) fn heard<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    let (out, lines) = prints_of(f);
    let rounded = |word: &str| match word.trim_matches(|c| "[],".contains(c)).parse::<f64>() {
        Ok(number) => format!("{number:.6}"),
        Err(_) => word.to_owned(),
    };
    let line = |line: &String| line.split_whitespace().map(rounded).collect::<Vec<_>>().join(" ");
    (out, lines.iter().map(line).collect())
}

/// The words of what is heard, of which each line has one in front.
pub(super) fn words(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split(' ').next().expect("a word")).collect()
}

/// What a panic said.
pub(super) fn said<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    caught.map_err(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast::<&str>().map_or_else(|_| String::new(), |text| text.to_string()),
    })
}

pub(super) fn nothing(x: Tensor, _: &'static str) -> Tensor {
    x
}

pub(super) fn prints(x: Tensor, word: &'static str) -> Tensor {
    debug_print(&format!("{word} {{}}"), &[&x]);
    x
}

pub(super) fn looks_on(x: Tensor, word: &'static str) -> Tensor {
    debug_callback(move |x: Tensor| drop(prints(x, word)), (x.clone(),));
    x
}

pub(super) fn asks(x: Tensor, word: &'static str) -> Tensor {
    let one = move |x: Tensor| prints(x, word).ones_like();
    io_callback(one, &x, (stop_gradient(&x),)) * x
}

pub(super) fn asks_in_any_order(x: Tensor, word: &'static str) -> Tensor {
    let one = move |x: Tensor| prints(x, word).ones_like();
    io_callback_unordered(one, &x, (stop_gradient(&x),)) * x
}

/// A function of the host with a rule, which has a rule, and so on: a third derivative is the last.
pub(super) fn is_called(x: Tensor, word: &'static str) -> Tensor {
    fn ruled(x: Tensor, word: &'static str, derivatives: usize) -> Tensor {
        let same = move |x: Tensor| callback(move |x: Tensor| prints(x, word), &x, (x.clone(),));
        match derivatives {
            0 => same(x),
            n => custom_jvp(same, move |(x,): (Tensor,), (dx,): (Tensor,)| (ruled(x, word, n - 1), dx))(x),
        }
    }
    ruled(x, word, 3)
}

pub(super) fn is_sown(x: Tensor, word: &'static str) -> Tensor {
    sow(word, &x)
}

pub(super) fn holds(x: Tensor, word: &'static str) -> Tensor {
    check!(x.less(100.0), &format!("{word} {{}}"), x);
    x
}

/// One after the other, whatever they are.
pub(super) fn does_all(x: Tensor, word: &'static str) -> Tensor {
    [prints, looks_on, asks, asks_in_any_order, holds].iter().fold(x, |x, effect| effect(x, word))
}

/// A program with an effect at some places, and the words that are heard, in order.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) of: fn(Effect, Tensor) -> Tensor,
    pub(super) words: &'static str,
}

fn two_steps(e: Effect, x: Tensor) -> Tensor {
    e(e(x, "one").sin(), "two").exp().sin()
}

fn rows(n: usize) -> Tensor {
    Tensor::from((0..n).map(|k| 0.5 + 0.1 * k as f64).collect::<Vec<_>>())
}

fn scanned(e: Effect, x: Tensor, n: usize, save: Save) -> Tensor {
    let options = ScanOptions { save, ..ScanOptions::default() };
    let step = |c: Tensor, v: Tensor| (e(c * &v, "trip").sin() * &x, ());
    let (c, ()) = scan_with(step, x.clone(), rows(n), options);
    c
}

fn looped(e: Effect, x: Tensor, save: Save) -> Tensor {
    let step = |(k, c): (Tensor, Tensor)| (k + 1i64, e(c, "trip").sin());
    while_loop_with(|(k, _): (Tensor, Tensor)| k.less(3i64), step, (Tensor::from(0i64), x), save).1
}

/// What programs are made of.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "a straight line",
        of: |e, x| {
            let y = e(x.clone(), "a").sin();
            e(x.exp(), "unread");
            e(y, "b") * x
        },
        words: "a unread b",
    },
    Program {
        name: "a call",
        of: |e, x| {
            let f = jit(move |x: Tensor| e(e(x, "one").sin(), "two"));
            f(e(f(x), "between"))
        },
        words: "one two between one two",
    },
    Program {
        name: "branches",
        of: |e, x| {
            let is_large = x.sum().greater(0.5);
            let y = cond(&is_large, |x: Tensor| e(x, "yes") * 2.0, |x: Tensor| e(x, "no"), x.clone());
            let branches: [&dyn Fn(Tensor) -> Tensor; 3] =
                [&|x| e(x, "zero"), &|x| e(x, "one").sin(), &|x| e(x, "two").exp()];
            e(switch(&Tensor::from(1i32), &branches, y), "after") * x
        },
        words: "yes one after",
    },
    Program {
        name: "a scan",
        of: |e, x| {
            let step = |c: Tensor, v: Tensor| (e(c * &v, "trip").sin() * &x, e(v, "row"));
            let (c, ys) = scan(step, e(x.clone(), "before"), rows(2));
            e(c, "end") + ys.sum()
        },
        words: "before trip row trip row end",
    },
    Program {
        name: "a scan in segments",
        of: |e, x| scanned(e, x, 4, Save::Every(2)),
        words: "trip trip trip trip",
    },
    Program {
        name: "a map",
        of: |e, x| map(|v: Tensor| e(e(v, "in").sin(), "out"), x),
        words: "in out in out in out",
    },
    Program {
        name: "a loop of so many trips",
        of: |e, x| fori_loop(0, 2, |_, c: Tensor| e(c, "trip").cos(), x),
        words: "trip trip",
    },
    Program {
        name: "a loop that decides",
        of: |e, x| while_loop(|c: Tensor| e(c, "asks").sum().less(9.0), |c: Tensor| e(c, "trip") * 2.5, x),
        words: "asks trip asks trip asks trip asks",
    },
    Program { name: "a loop in segments", of: |e, x| looped(e, x, Save::Root), words: "trip trip trip" },
    Program {
        name: "a checkpoint",
        of: |e, x| e(checkpoint(move |x: Tensor| two_steps(e, x))(x), "after").sin(),
        words: "one two after",
    },
    Program {
        name: "a checkpoint that keeps all",
        of: |e, x| checkpoint(move |x: Tensor| two_steps(e, x)).keep(Keep::Everything)(x),
        words: "one two",
    },
    Program {
        name: "a checkpoint that keeps contractions",
        of: |e, x| {
            let f = move |x: Tensor| e(two_steps(e, x.outer(&x).matmul(&x)), "three");
            checkpoint(f).keep(Keep::Contractions)(x)
        },
        words: "one two three",
    },
    Program {
        name: "a checkpoint that keeps names",
        of: |e, x| {
            let f = move |x: Tensor| two_steps(e, checkpoint_name(two_steps(e, x), "kept"));
            checkpoint(f).keep_names(["kept"])(x)
        },
        words: "one two one two",
    },
    Program {
        name: "a checkpoint that keeps what is wanted",
        of: |e, x| checkpoint(move |x: Tensor| two_steps(e, x)).keep_where(|op, _| op == "stablehlo.sine")(x),
        words: "one two",
    },
    Program {
        name: "a checkpoint in a checkpoint in a scan",
        of: |e, x| {
            let inner = checkpoint(move |x: Tensor| two_steps(e, x));
            let step = checkpoint(move |c: Tensor, v: Tensor| e(inner(c * v), "three").sin());
            scan(move |c: Tensor, v: Tensor| (step(c, v), ()), x, rows(2)).0
        },
        words: "one two three one two three",
    },
    Program {
        name: "a loop that decides in a checkpoint",
        of: |e, x| {
            let f =
                move |x: Tensor| while_loop(|c: Tensor| c.sum().less(9.0), |c: Tensor| e(c, "trip").exp(), x);
            checkpoint(f)(x)
        },
        words: "trip trip",
    },
    Program {
        name: "a derivative",
        of: |e, x| {
            let slope = grad(move |x: Tensor| e(x.sin() * &x, "inside").sum());
            e(slope(x), "slope").sin()
        },
        words: "inside slope",
    },
    Program {
        name: "a scan in slots",
        of: |e, x| scanned(e, x, 4, Save::Slots(2)),
        words: "trip trip trip trip",
    },
    Program { name: "a loop in slots", of: |e, x| looped(e, x, Save::Slots(2)), words: "trip trip trip" },
];

/// A transform of functions of three numbers to three numbers. What tapes are of is recorded here, and nobody hears it.
pub(super) struct Transform {
    pub(super) name: &'static str,
    pub(super) of: fn(&F) -> F,
}

fn fresh(f: &F) -> impl Fn(Tensor) -> Tensor + Send + Sync + Clone + 'static {
    let f = f.clone();
    move |x: Tensor| f(x)
}

fn summed(f: &F) -> impl Fn(Tensor) -> Tensor + Send + Sync + Clone + 'static {
    let f = f.clone();
    move |x: Tensor| f(x).sum()
}

/// A tape of a function at a place near by, whose recording nobody hears.
fn taped(f: impl Fn(Tensor) -> Tensor + Send + Sync + 'static) -> Tape<(Tensor,), Tensor> {
    silently(|| Tape::record(f, (x() * 0.99,)).1)
}

fn silently<R>(f: impl FnOnce() -> R) -> R {
    prints_of(f).0
}

macro_rules! rows {
    ($($name:literal => |$f:ident| $(let $made:ident = $make:expr,)? |$x:ident| $of:expr;)+) => {
        &[$(Transform {
            name: $name,
            of: |$f| {
                #[allow(unused, reason = "tapes are made of it, and copies")]
                let $f = $f.clone();
                $(let $made = $make;)?
                Arc::new(move |$x: Tensor| $of)
            },
        }),+]
    };
}

/// Transforms of functions.
pub(super) const TRANSFORMS: &[Transform] = rows! {
    "itself" => |f| |x| f(x);
    "jvp" => |f| |x| { let (y, dy) = jvp(fresh(&f), (x,), (direction(),)); y + dy };
    "jvp of jvp" => |f| |x| {
        let f = fresh(&f);
        jvp(move |x: Tensor| jvp(f.clone(), (x,), (direction(),)).1, (x,), (direction(),)).1
    };
    "vjp" => |f| |x| {
        let (y, back) = vjp(fresh(&f), (x,));
        y + back.call(direction()).0 + back.call(direction() * 2.0).0
    };
    "vjp, once" => |f| |x| vjp(fresh(&f), (x,)).1.into_once().call(direction()).0;
    "a pullback within memory" => |f| |x| vjp(fresh(&f), (x,)).1.memory_budget(1 << 20).call(direction()).0;
    "grad" => |f| |x| grad(summed(&f))(x);
    "grad within memory" => |f| |x| grad(summed(&f)).memory_budget(1 << 20)(x);
    "grad of grad" => |f| |x| { let f = summed(&f); grad(move |x: Tensor| grad(f.clone())(x).sum())(x) };
    "grad of jvp" => |f| |x| {
        let f = fresh(&f);
        grad(move |x: Tensor| jvp(f.clone(), (x,), (direction(),)).1.sum())(x)
    };
    "linearize" => |f| |x| {
        let (y, df) = linearize(fresh(&f), (x,));
        y + df.call((direction(),)) + df.call((direction() * 2.0,)) + df.transpose().call(direction()).0
    };
    "jacfwd" => |f| |x| jacfwd(fresh(&f))(x).matmul(&direction());
    "jacfwd by one" => |f| |x| jacfwd(fresh(&f)).chunk_size(1)(x).matmul(&direction());
    "jacrev" => |f| |x| jacrev(fresh(&f))(x).matmul(&direction());
    "jacrev by two" => |f| |x| jacrev(fresh(&f)).chunk_size(2)(x).matmul(&direction());
    "jacfwd of jacrev" => |f| |x| {
        let f = fresh(&f);
        jacfwd(move |x: Tensor| jacrev(f.clone())(x))(x).sum_axis(0).matmul(&direction())
    };
    "hessian" => |f| |x| hessian(summed(&f))(x).matmul(&direction());
    "hvp" => |f| |x| hvp(summed(&f), (x,), (direction(),)).0;
    "jet" => |f| |x| {
        let still = || (direction() * 0.0,);
        let (y, d) = jet(fresh(&f), (x,), &[(direction(),), still(), still()]);
        d.into_iter().fold(y, |y, d| y + d)
    };
    "sparse_jacobian" => |f| |x| sparse_jacobian(fresh(&f))(x).matvec(&direction());
    "sparse_jacobian by rows" => |f| |x| {
        sparse_jacobian(fresh(&f)).coloring(Coloring::Rows)(x).matvec(&direction())
    };
    "sparse_hessian" => |f| |x| sparse_hessian(summed(&f))(x).matvec(&direction());
    "checkpoint" => |f| |x| { let f = checkpoint(fresh(&f)); grad(move |x: Tensor| f(x).sum())(x) };
    "checkpoint that keeps all" => |f| |x| {
        let f = checkpoint(fresh(&f)).keep(Keep::Everything);
        grad(move |x: Tensor| f(x).sum())(x)
    };
    "checkpoint that keeps sines" => |f| |x| {
        let f = checkpoint(fresh(&f)).keep_where(|op, _| op == "stablehlo.sine");
        jacrev(move |x: Tensor| f(x))(x).matmul(&direction())
    };
    "vmap" => |f| |x| vmap(fresh(&f))(x.reshape(&[1, 3])).reshape(&[3]);
    "vmap of grad" => |f| |x| vmap(grad(summed(&f)))(x.reshape(&[1, 3])).reshape(&[3]);
    "jacfwd of vmap" => |f| |x| {
        let f = fresh(&f);
        jacfwd(move |x: Tensor| vmap(f.clone())(stack(&[x], 0)).get(0))(x).matmul(&direction())
    };
    "a tape" => |f| let tape = taped(fresh(&f)), |x| tape(x);
    "a compiled tape" => |f| let tape = taped(fresh(&f)).jit(), |x| tape(x);
    "a tape that was a text" => |f| let tape = {
        let text = taped(fresh(&f)).to_text().expect("it has values");
        Tape::<(Tensor,), Tensor>::parse(&text).expect("our own text")
    }, |x| tape(x);
    "a tape of a tape" => |f| let tape = { let tape = taped(fresh(&f)); taped(move |x: Tensor| tape(x)) }, |x| tape(x);
    "the gradient of a tape" => |f| let tape = taped(summed(&f)), |x| grad(tape.clone())(x);
    "the Jacobian of a tape" => |f| let tape = taped(fresh(&f)), |x| jacfwd(tape.clone())(x).matmul(&direction());
    "a tape's gradient" => |f| let tape = silently(|| taped(summed(&f)).grad()), |x| tape(x);
    "a tape's gradient, compiled" => |f| let tape = silently(|| taped(summed(&f)).grad()).jit(), |x| tape(x);
    "a tape's gradient that was a text" => |f| let tape = {
        let text = silently(|| taped(summed(&f)).grad()).to_text().expect("it has values");
        Tape::<(Tensor,), Tensor>::parse(&text).expect("our own text")
    }, |x| tape(x);
    "a tape's forward mode" => |f| let tape = silently(|| taped(fresh(&f)).jvp()), |x| {
        tape((x,), (direction(),)).1
    };
    "a tape's reverse mode" => |f| let tape = silently(|| taped(fresh(&f)).vjp()), |x| {
        tape((x,), direction()).1.0
    };
    "the gradient of a tape's gradient" => |f| let tape = silently(|| taped(summed(&f)).grad()), |x| {
        let tape = tape.clone();
        grad(move |x: Tensor| tape(x).sum())(x)
    };
    "adaptive" => |f| let often = {
        let often = adaptive(fresh(&f));
        silently(|| [often(x() * 0.99), often(x() * 0.98)]);
        often
    }, |x| often(x);
};
