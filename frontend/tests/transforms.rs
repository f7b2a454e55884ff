//! The transforms as a user meets them.

use wengert::{ARG0, ARG1, Tensor, cond, grad, jit, jvp, scan, value_and_grad, vjp, while_loop};

fn f64s(values: &[f64]) -> Tensor {
    Tensor::from(values)
}
fn x(value: f64) -> Tensor {
    Tensor::from(value)
}
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} is not {b}");
}
/// Derivative by central differences.
fn slope(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    (f(at + 1e-5) - f(at - 1e-5)) / 2e-5
}

fn g(x: Tensor) -> Tensor {
    (&x * &x).sin() + (-&x).exp() * &x
}

#[test]
fn derivatives_of_every_order_and_nesting() {
    let value = |v: f64| g(x(v)).item::<f64>();
    let d1 = grad(g);
    let d2 = jit(grad(grad(g)));
    let d3 = grad(jit(grad(jit(grad(g)))));
    for v in [-1.3, 0.0, 0.7, 2.0] {
        close(jit(g)(x(v)).item(), value(v));
        close(d1(x(v)).item(), slope(value, v));
        close(d2(x(v)).item(), slope(|v| d1(x(v)).item(), v));
        close(d3(x(v)).item(), slope(|v| d2(x(v)).item(), v));
    }
}

#[test]
fn perturbations_are_not_confused() {
    // d/dx [x * d/dy (x + y)] = 1, not 2.
    let f = |x: Tensor| {
        let outer = x.clone();
        x * grad(move |y: Tensor| &outer + y)(Tensor::from(1.0f64))
    };
    close(grad(f)(x(1.0)).item(), 1.0);
    close(jit(grad(f))(x(1.0)).item(), 1.0);
    // d/dx [d/dy (x y y) at y = 3] = 6.
    let h = |x: Tensor| grad(move |y: Tensor| &x * &y * &y)(Tensor::from(3.0f64));
    close(grad(h)(x(5.0)).item(), 6.0);
    close(jit(grad(h))(x(5.0)).item(), 6.0);
}

#[test]
fn values_flow_without_jit() {
    fn f(x: Tensor) -> Tensor {
        let mut y = x.clone();
        while y.item::<f64>() < 10.0 {
            y = if y.item::<f64>() < 3.0 { &y * &y } else { &y * &x };
        }
        y
    }
    close(grad(f)(x(1.6)).item(), slope(|v| f(x(v)).item(), 1.6));
    let error = jit(f).try_call((x(1.6),)).unwrap_err().to_string();
    assert!(
        error.contains(".item()") && error.contains("transforms.rs") && error.contains("`jit` built at"),
        "{error}"
    );
}

#[test]
fn arguments_by_choice() {
    let f = |w: Tensor, b: Tensor, s: Tensor| (&w * &b).sum() * s;
    let args = || (f64s(&[1.0, 2.0]), f64s(&[3.0, 4.0]), x(2.0));
    let (w, b, s) = args();
    assert_eq!(grad(f)(w, b, s).to_vec::<f64>(), [6.0, 8.0]);
    let (w, b, s) = args();
    assert_eq!(grad(f).wrt(ARG1)(w, b, s).to_vec::<f64>(), [2.0, 4.0]);
    let (w, b, s) = args();
    let (dw, db) = jit(grad(f).wrt((ARG0, ARG1)))(w, b, s);
    assert_eq!((dw.to_vec::<f64>(), db.to_vec::<f64>()), (vec![6.0, 8.0], vec![2.0, 4.0]));
    let (w, b, s) = args();
    let (v, dw) = jit(value_and_grad(f))(w, b, s);
    assert_eq!((v.item::<f64>(), dw.to_vec::<f64>()), (22.0, vec![6.0, 8.0]));
}

#[test]
fn forward_and_reverse_products() {
    let f = |x: Tensor| (x.sin() * &x).exp();
    let (y, dy) = jvp(f, (f64s(&[0.3, 0.7]),), (f64s(&[1.0, 2.0]),));
    let (z, pullback) = vjp(f, (f64s(&[0.3, 0.7]),));
    assert_eq!(y.to_vec::<f64>(), z.to_vec::<f64>());
    let (ct,) = pullback.call(f64s(&[1.0, 1.0]));
    let (a, b) = (dy.to_vec::<f64>(), ct.to_vec::<f64>());
    close(a[0], b[0]);
    close(a[1], 2.0 * b[1]);
}

#[test]
fn control_flow_under_every_transform() {
    fn newton(a: Tensor) -> Tensor {
        let b = a.clone();
        while_loop(
            move |y: Tensor| (&y * &y - &a).abs().greater(1e-12),
            move |y: Tensor| 0.5 * (&y + &b / &y),
            Tensor::from(1.0f64),
        )
    }
    close(newton(x(2.0)).item(), 2f64.sqrt());
    close(jit(newton)(x(2.0)).item(), 2f64.sqrt());
    close(grad(newton)(x(2.0)).item(), 0.5 / 2f64.sqrt());
    close(jit(grad(newton))(x(2.0)).item(), 0.5 / 2f64.sqrt());

    fn rnn(w: Tensor) -> Tensor {
        let xs = Tensor::from([0.3f64, -0.5, 0.9, 1.1]);
        let (h, ys) = scan(
            move |h: Tensor, x: Tensor| {
                let h = (&w * &h + x).sin();
                (h.clone(), &h * &h * w.exp())
            },
            Tensor::from(0.2f64),
            xs,
        );
        h + ys.sum()
    }
    let d1 = grad(rnn);
    close(d1(x(0.7)).item(), slope(|v| rnn(x(v)).item(), 0.7));
    close(jit(grad(rnn))(x(0.7)).item(), d1(x(0.7)).item());
    close(jit(grad(grad(rnn)))(x(0.7)).item(), slope(|v| d1(x(v)).item(), 0.7));

    fn branch(x: Tensor) -> Tensor {
        cond(&x.less(1.0), |x: Tensor| x.sin() * &x, |x: Tensor| -(&x * &x * &x).exp(), x.clone())
    }
    for v in [0.6, 1.2] {
        close(grad(branch)(x(v)).item(), slope(|v| branch(x(v)).item(), v));
        close(jit(grad(branch))(x(v)).item(), slope(|v| branch(x(v)).item(), v));
    }
}
