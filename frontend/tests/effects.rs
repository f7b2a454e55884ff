//! Effects of traced functions: what is printed and called happens once, in the order of the program, compiled or not, under
//! every transform.

use std::sync::{Arc, Mutex};
use wengert::effects::prints_of;
use wengert::{
    Tensor, cond, debug_print, grad, io_callback, jit, jvp, scan, stop_gradient, value_and_grad, vjp, vmap,
    while_loop,
};

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

/// What a run prints.
fn lines<R>(f: impl FnOnce() -> R) -> Vec<String> {
    prints_of(f).1
}

#[test]
fn straight_line() {
    let f = |x: Tensor| {
        debug_print!("a {}", x);
        let y = x.sin();
        debug_print!("b {} {}", x, y);
        debug_print!("a {}", x);
        &y * &y
    };
    let want = ["a 0.0", "b 0.0 0.0", "a 0.0"];
    assert_eq!(lines(|| f(s(0.0))), want);
    assert_eq!(lines(|| jit(f)(s(0.0))), want);
    assert_eq!(lines(|| grad(f)(s(0.0))), want);
    assert_eq!(lines(|| jit(grad(f))(s(0.0))), want);
    assert_eq!(lines(|| grad(jit(f))(s(0.0))), want);
    assert_eq!(lines(|| jit(grad(grad(f)))(s(0.0))), want);
    assert_eq!(lines(|| grad(grad(f))(s(0.0))), want);
    assert_eq!(lines(|| jvp(f, (s(0.0),), (s(1.0),))), want);
    assert_eq!(lines(|| vjp(f, (s(0.0),)).1.call(s(1.0))), want);
}

#[test]
fn loops() {
    let f = |x: Tensor| {
        let (c, _) = scan(
            |c: Tensor, i: Tensor| {
                debug_print!("trip {} {}", i, c);
                (&c * 2.0, i)
            },
            x,
            Tensor::from([0i32, 1, 2]),
        );
        debug_print!("end {}", c);
        c
    };
    let want = ["trip 0 1.0", "trip 1 2.0", "trip 2 4.0", "end 8.0"];
    assert_eq!(lines(|| f(s(1.0))), want);
    assert_eq!(lines(|| jit(f)(s(1.0))), want);
    assert_eq!(lines(|| grad(f)(s(1.0))), want);
    assert_eq!(lines(|| jit(grad(f))(s(1.0))), want);
    assert_eq!(lines(|| jit(grad(grad(f)))(s(1.0))), want);
    assert_eq!(lines(|| grad(grad(f))(s(1.0))), want);
}
