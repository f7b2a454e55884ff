//! Memory of values that loops inside of loops read: it must not be given to others before the outermost loop ends. Compiled
//! code against the reference interpreter.

use wengert::stages::Traced;
use wengert::{DType, Tensor, fori_loop, jit, scan, while_loop};
use wengert_ir::types::FloatMode;

#[track_caller]
fn agrees(name: &str, f: fn(Tensor) -> Tensor, x: &Tensor) {
    let traced = jit(f).trace((x.clone(),)).expect(name);
    let (module, func) = traced.module();
    let mut module = module.clone();
    module.mode = FloatMode::Exact;
    let traced = Traced::new(module, func);
    let args = [x.clone()];
    let want = traced.interpret(&args).expect(name);
    let found = traced.lower().and_then(|l| l.compile()).and_then(|c| c.call(&args)).expect(name);
    let (found, want) = (found[0].to_vec::<f64>(), want[0].to_vec::<f64>());
    let differ = found.iter().zip(&want).filter(|(f, w)| f.to_bits() != w.to_bits()).count();
    assert_eq!(differ, 0, "{name}: elements differ");
}

/// Values that are stored one after another, so that each wants memory.
fn busy(y: &Tensor, a: &Tensor) -> Tensor {
    let z = (y + a).cumsum(0);
    let w = z.sin().cumsum(0) * 0.1;
    let v = (w.cos() + 0.5).cumsum(0) * 0.01;
    (v.sin() + w.tanh()).cumsum(0) * 0.01
}

#[test]
fn what_inner_loops_read_lives_as_long_as_the_outer_ones() {
    let x = Tensor::arange(1000, DType::F64) * 0.01;
    agrees(
        "two loops",
        |x| {
            let a = x.sin().cumsum(0);
            let inner = move |y: Tensor| {
                let a = a.clone();
                fori_loop(0, 3, move |_, y: Tensor| busy(&y, &a), y)
            };
            fori_loop(0, 3, move |_, y: Tensor| inner(y), x)
        },
        &x,
    );
    agrees(
        "three loops, values of each level",
        |x| {
            let a = x.sin().cumsum(0);
            fori_loop(
                0,
                2,
                move |_, y: Tensor| {
                    let (a, b) = (a.clone(), (&y + &a).cos().cumsum(0) * 0.01);
                    fori_loop(
                        0,
                        2,
                        move |_, y: Tensor| {
                            let (a, b, c) = (a.clone(), b.clone(), (&y * 0.5).sin().cumsum(0) * 0.1);
                            fori_loop(0, 2, move |_, y: Tensor| busy(&(y + &b), &a) + &c, y)
                        },
                        y,
                    )
                },
                x,
            )
        },
        &x,
    );
    // What comes after the inner loop must not be made where the next trip's inner loop reads.
    agrees(
        "more work after the inner loop",
        |x| {
            let a = x.sin().cumsum(0);
            let trip = move |y: Tensor| {
                let a = a.clone();
                let y = fori_loop(0, 3, move |_, y: Tensor| busy(&y, &a), y);
                busy(&y, &(&y * 0.5))
            };
            fori_loop(0, 3, move |_, y: Tensor| trip(y), x)
        },
        &x,
    );
    agrees(
        "a scan in a while",
        |x| {
            let a = x.sin().cumsum(0);
            let step = move |(k, y): (Tensor, Tensor)| {
                let a = a.clone();
                let rows = Tensor::arange(3, DType::F64) * 0.1;
                let body = move |c: Tensor, t: Tensor| (busy(&(c * t), &a), ());
                (k + 1.0, scan(body, y, rows).0)
            };
            while_loop(|(k, _): (Tensor, Tensor)| k.less(2.5), step, (Tensor::from(0.0f64), x)).1
        },
        &x,
    );
}
