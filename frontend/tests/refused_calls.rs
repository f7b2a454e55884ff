//! Calls that cannot mean anything: each is refused in a sentence that names the function and what it was given, at the user's line.

use std::collections::BTreeMap;
use wengert::collectives::psum;
use wengert::{
    ConvOptions, DType, Indexing, PadMode, Padding, Side, Static, Tensor, Window, associative_scan, avg_pool,
    checkpoint_name, concatenate, cond, conv_general, custom_jvp, custom_vjp, einsum, fft, fori_loop, grad,
    hstack, jacfwd, jit, jvp, linalg, linearize, map, max_pool, meshgrid, random, reduce_window, scan, stack,
    switch, vjp, vmap, while_loop,
};

fn vector() -> Tensor {
    Tensor::from([1.0f64, 2.0, 3.0])
}

fn matrix() -> Tensor {
    Tensor::from([[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0]])
}

fn scalar() -> Tensor {
    Tensor::from(2.0f64)
}

fn complex() -> Tensor {
    Tensor::complex(&vector(), &vector())
}

fn empty() -> Tensor {
    Tensor::zeros(&[2, 0], DType::F64)
}

fn integers() -> Tensor {
    Tensor::from([1i32, 0, 2])
}

fn window() -> Window {
    Window { dimensions: vec![2, 2], ..Window::default() }
}

fn key() -> Tensor {
    random::key(3)
}

/// What a call says when it is refused.
fn said(call: fn()) -> String {
    let Err(error) = std::panic::catch_unwind(call) else { return "it is not refused".into() };
    match error.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => other.downcast::<&str>().map_or_else(|_| "not a text".into(), |t| (*t).to_owned()),
    }
}

/// The line of this file that a message names.
fn line_of(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once(&format!("at {}:", file!()))?;
    rest.split(':').next()?.parse().ok()
}

macro_rules! refused {
    ($($call:expr => $($words:literal),+;)*) => {
        #[test]
        fn calls_that_mean_nothing_say_why_and_where() {
            let (mut wrong, mut lines) = (Vec::new(), vec![0]);
            $(
                let text = said(|| drop($call));
                for words in [$($words),+] {
                    if !text.contains(words) {
                        wrong.push(format!("{}\n  lacks `{words}`: {text}", stringify!($call)));
                    }
                }
                // Each call has a line of its own, below that of the call before.
                match line_of(&text) {
                    Some(line) if line > lines[lines.len() - 1] => lines.push(line),
                    _ => wrong.push(format!("{}\n  is not at its line: {text}", stringify!($call))),
                }
            )*
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    };
}

refused! {
    vector().take_along_axis(&vector(), 0) => "take_along_axis", "indices tensor<3xf64>";
    matrix().take_along_axis(&integers(), 0) => "take_along_axis", "indices tensor<3xi32> for tensor<2x3xf64>";
    vector().quantile(1.5, 0) => "quantile: 1.5 of tensor<3xf64>";
    vector().quantile(-0.1, 0) => "quantile: -0.1";
    empty().quantile(0.5, 1) => "quantile: 0.5 of tensor<2x0xf64> along axis 1";
    vector().quantile(0.5, 1) => "quantile", "axis 1";
    matrix().searchsorted(vector(), Side::Left) => "searchsorted: tensor<2x3xf64> is not a vector";
    complex().sort(0) => "complex numbers have no order";
    complex().heaviside(0.5) => "complex numbers have no order";
    concatenate(&[], 0) => "concatenate: no tensors";
    concatenate(&[matrix(), matrix()], 2) => "concatenate", "axis 2";
    concatenate(&[matrix(), vector()], 0) => "concatenate";
    stack(&[], 0) => "stack: no tensors";
    hstack(&[]) => "concatenate: no tensors";
    vector().reshape(&[2, 2]) => "reshape: 3 elements";
    matrix().reshape(&[-2, 3]) => "reshape: 6 elements", "shape [-2, 3]";
    vector().expand_dims(3) => "expand_dims: axis 3";
    matrix().squeeze(&[0]) => "squeeze: dimension 0";
    vector().broadcast_to(&[2, 2]) => "broadcast_to: tensor<3xf64>";
    matrix().transpose(&[0, 0]) => "transpose";
    matrix().moveaxis(&[0, 1], &[0]) => "moveaxis: 2 axes to 1 places";
    matrix().array_split(0, 0) => "array_split: into no parts";
    vector().array_split(1 << 60, 0) => "array_split: there is no memory for 1152921504606846976 places";
    matrix().split(2, 1) => "split";
    scalar().diag(0) => "diag: takes a vector or a matrix";
    vector().diag(isize::MAX) => "diag: a matrix with tensor<3xf64> on diagonal", "is too large";
    vector().diag(isize::MIN) => "diag: a matrix with tensor<3xf64> on diagonal", "is too large";
    matrix().pad_with(&[(1, 1)], PadMode::Edge) => "pad_with: 1 widths";
    empty().pad_with(&[(0, 0), (1, 0)], PadMode::Edge) => "pad_with: dimension 1";
    vector().pad_with(&[(1 << 60, 0)], PadMode::Edge) => "pad_with: there is no memory";
    vector().pad_with(&[(usize::MAX, 1)], PadMode::Wrap) => "pad_with: there is no memory";
    vector().pad_with(&[(usize::MAX, 0)], PadMode::Constant(0.0)) => "pad";
    vector().tril(0) => "needs two dimensions";
    meshgrid(&[matrix()], Indexing::Ij) => "meshgrid: takes vectors";
    scalar().get(0) => "get: 1 indices";
    vector().get(5) => "get: position 5 of dimension 0";
    vector().get(wengert::Ix::Range(None, None, 0)) => "get: steps of 0 along dimension 0";
    vector().get(usize::MAX) => "get: position 9223372036854775807 of dimension 0";
    Tensor::zeros(&[0], DType::F32).reshape(&[1 << 62, 4]) => "reshape: 0 elements";
    vector().repeat(usize::MAX, 0) => "repeat: 3 times 18446744073709551615";
    vector().tile(&[usize::MAX]) => "tile: 18446744073709551615 times 3";
    vector().tensordot(&Tensor::from([1.0f64, 2.0]), 1) => "tensordot";
    Tensor::from([1.0f64, 2.0]).cross(&vector()) => "cross: the last dimension must be 3";
    matrix().matmul(&matrix()) => "matmul";
    scalar().matmul(&matrix()) => "matmul";
    einsum("ij,jk->ik", &[&matrix(), &matrix()]) => "einsum \"ij,jk->ik\"", "operands";
    einsum("ij->ij", &[&matrix(), &matrix()]) => "einsum";
    Tensor::zeros(&[2, 2, 2], DType::F64).cov(1.0) => "cov: takes a matrix or a vector";
    vector().corrcoef() => "corrcoef: takes a matrix";
    integers().nan_to_num(0.0).nan_to_num(f64::NAN).reshape(&[7]) => "reshape: 3 elements";
    conv_general(&matrix(), &matrix(), &ConvOptions { strides: vec![1, 1, 1], ..ConvOptions::default() }) => "conv_general";
    max_pool(&matrix(), &[1, 2, 2], &[], Padding::Valid) => "max_pool: windows of [1, 2, 2]";
    max_pool(&matrix(), &[2, 2], &[1], Padding::Valid) => "max_pool: windows of [2, 2], strides of [1]";
    avg_pool(&matrix(), &[2, 2], &[1, 1, 1], Padding::Valid) => "avg_pool: windows of [2, 2]";
    reduce_window(&matrix(), vector(), |a, b| a + b, &window()) => "reduce_window: the initial value must be a scalar";
    reduce_window(&matrix(), scalar(), |a, b| a.less(b), &window()) => "reduce_window: the function must give tensor<f64>, it gives tensor<i1>";
    scan(|c: Tensor, x: Tensor| (c + x, ()), scalar(), scalar()) => "scan: a scalar has no rows";
    scan(|c: Tensor, (x, y): (Tensor, Tensor)| (c + x + y, ()), scalar(), (vector(), Tensor::from([1.0f64]))) => "scan: inputs with 3 and 1 rows";
    associative_scan(|(a, b): (Tensor, Tensor), (c, d): (Tensor, Tensor)| (a + c, b + d), (vector(), Tensor::from([1.0f64]))) => "associative_scan: inputs with 3 and 1 elements";
    fori_loop(vector(), 3, |_, x: Tensor| x, scalar()) => "fori_loop: a bound must be a scalar integer";
    fori_loop(Tensor::new(&[], &[0i8]), 300, |_, x: Tensor| x, scalar()) => "fori_loop: the bound 300 is no i8";
    fori_loop(-5, Tensor::from(3u32), |_, x: Tensor| x, scalar()) => "fori_loop: the bound -5 is no ui32";
    fori_loop(0, usize::MAX, |_, x: Tensor| x, scalar()) => "fori_loop: the bound 9223372036854775806 is no i32";
    fori_loop(2, Tensor::from(2.0f64), |_, x: Tensor| x, scalar()) => "fori_loop: a bound must be a scalar integer";
    fft::fft(&complex(), Some(usize::MAX), 0) => "fft: transforms of length 18446744073709551615";
    random::choice(&key(), 3, &[4], random::Replace::No, None) => "random::choice: 4 of 3";
    random::choice(&key(), 0, &[1], random::Replace::Yes, None) => "random::choice: 1 of 0";
    random::choice(&key(), 3, &[2], random::Replace::Yes, Some(&matrix())) => "random::choice: probabilities tensor<2x3xf64> for 3";
    random::choice(&key(), 3, &[2], random::Replace::Yes, Some(&integers())) => "random::choice: probabilities tensor<3xi32> for 3";
    random::permutation(&key(), &scalar()) => "random::permutation: a scalar has no rows";
    linalg::cholesky(&matrix()) => "linalg::cholesky", "tensor<2x3xf64>";
    linalg::solve(&matrix(), &vector()) => "linalg::solve", "tensor<2x3xf64>";
    linalg::det(&vector()) => "linalg::det", "tensor<3xf64>";
    fft::rfft(&complex(), None, 0) => "rfft: takes real numbers";
    fft::fft(&vector(), None, 2) => "fft", "axis 2";
    checkpoint_name(vector(), "two words") => "is no name";
    checkpoint_name(vector(), "wengert/x") => "are not for users";
    vjp(|x: Tensor| x.sin(), (vector(),)).1.call(scalar()) => "the cotangent of the result is tensor<f64>, and that is tensor<3xf64>";
    vjp(|x: Tensor| x.sum(), (vector(),)).1.call(Tensor::from(1.0f32)) => "the cotangent of the result is tensor<f32>, and that is tensor<f64>";
    jvp(|x: Tensor| x.sin(), (vector(),), (scalar(),)) => "the tangent of `arg0` is tensor<f64>, and that is tensor<3xf64>";
    jvp(|x: Vec<Tensor>| x[0].sin(), (vec![vector()],), (vec![vector(), vector()],)) => "the tangents are {.0[0], .0[1]}, the arguments {.0[0]}";
    grad(|x: Tensor| x.sin())(vector()) => "grad", "tensor<3xf64>";
    jit(|x: Tensor| x.reshape(&[2]))(vector()) => "reshape: 3 elements";
    // Leaves of equal types, in another structure.
    cond(&Tensor::from(true), |x: Tensor| named("a", x), |x: Tensor| named("b", x), scalar()) => "the branches must give the same structure: {[\"a\"]} and {[\"b\"]}";
    cond(&Tensor::from(true), |x: Tensor| (x, Static(1)), |x: Tensor| (x, Static(2)), scalar()) => "with other variants or static values";
    switch::<Tensor, BTreeMap<&'static str, Tensor>>(&Tensor::from(0i32), &[&|x| named("a", x), &|x| named("b", x)], scalar()) => "the branches must give the same structure";
    while_loop(|m: BTreeMap<&'static str, Tensor>| m.values().next().expect("one").less(3.0), |_| named("b", scalar()), named("a", scalar())) => "the step must give what it takes";
    scan(|_: BTreeMap<&'static str, Tensor>, x: Tensor| (named("b", x), ()), named("a", scalar()), vector()) => "the step must give back what is carried";
    jvp(|m: BTreeMap<&'static str, Tensor>| m["a"].sin(), (named("a", scalar()),), (named("b", scalar()),)) => "the tangents are", "[\"b\"]";
    vjp(|x: Tensor| named("a", x), (scalar(),)).1.call(named("b", scalar())) => "the cotangent is", "[\"b\"]";
    jit(custom_jvp(|x: Tensor| named("a", x), |(x,), (dx,)| (named("b", x), named("a", dx))))(scalar()) => "the rule must give what the function gives";
    jit(custom_vjp(|x: Tensor| named("a", x), |(x,)| (named("b", x), ()), |(), g: BTreeMap<&'static str, Tensor>| (g["a"].clone(),)))(scalar()) => "the forward function must give what the function gives";
    map(|x: Tensor| x, scalar()) => "map: a scalar has no rows";
    linearize(|x: Tensor| x.sin(), (vector(),)).1.call((scalar(),)) => "the tangent of `arg0` is tensor<f64>";
    grad(|x: Tensor| x.sum())(complex()) => "must be a float scalar", ".holomorphic()";
    jacfwd(|x: Tensor| x)(integers()) => "integers and booleans have no derivatives";
    vmap(grad(|x: Tensor| psum(&x, "i") * &x).memory_budget(1 << 20)).axis_name("i")(vector()) => "a memory budget is that of a whole program";
}

fn named(name: &'static str, x: Tensor) -> BTreeMap<&'static str, Tensor> {
    BTreeMap::from([(name, x)])
}
