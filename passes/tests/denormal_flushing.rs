//! Subnormal numbers where large products read them: zeros in the default mode, themselves in the exact one.

use wengert_ir::array::Array;
use wengert_ir::testing::eval;
use wengert_ir::text;
use wengert_ir::types::FloatMode;
use wengert_passes::pipeline::Pipeline;

/// `x^2` turned, times `y`; the square itself is a result too.
const SQUARES: &str = "func.func public @main(%x: tensor<64x32xf64>, %y: tensor<64x64xf64>) -> (tensor<32x64xf64>, tensor<64x32xf64>) {
    %0 = stablehlo.multiply %x, %x : tensor<64x32xf64>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x32xf64>) -> tensor<32x64xf64>
    %2 = stablehlo.dot_general %1, %y, contracting_dims = [1] x [0] : (tensor<32x64xf64>, tensor<64x64xf64>) -> tensor<32x64xf64>
    return %2, %0 : tensor<32x64xf64>, tensor<64x32xf64>
}";

/// With `x` every third element, and `other` elsewhere.
fn run(source: &str, mode: FloatMode, x: f64, other: f64) -> Vec<Array> {
    let mut m = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    m.mode = mode;
    let f = m.find("main").expect("a function `main`");
    let f = Pipeline::parse("flush,dce").expect("passes").run(&mut m, f, &mut |_| {});
    let ys = m.get(f).tensor(m.get(f).params[1]).clone();
    let first: Vec<f64> = (0..64 * 32).map(|k| if k % 3 == 0 { x } else { other }).collect();
    eval(&m, f, &[Array::new(&[64, 32], &first), Array::new(&ys.shape, &vec![1e300; ys.elements()])])
}

#[test]
fn products_take_subnormal_elements_for_zeros() {
    let flushed = run(SQUARES, FloatMode::Default, 1e-160, 0.0);
    assert!(flushed[0].as_slice::<f64>().iter().all(|&z| z == 0.0));
    assert!(flushed[1].as_slice::<f64>()[0].is_subnormal(), "others read what was computed");
    let exact = run(SQUARES, FloatMode::Exact, 1e-160, 0.0);
    assert!(exact[0].as_slice::<f64>().iter().all(|&z| z > 1e-20));
    assert!(exact[1] == flushed[1]);
}

#[test]
fn normal_numbers_infinities_and_nans_stay() {
    for x in [1e-150, f64::INFINITY, f64::NAN, -3.0] {
        let (flushed, exact) =
            (run(SQUARES, FloatMode::Relaxed, x, 2.0), run(SQUARES, FloatMode::Exact, x, 2.0));
        assert!(flushed[0].bytes() == exact[0].bytes() && flushed[1].bytes() == exact[1].bytes(), "{x}");
    }
}

#[test]
fn small_products_and_arguments_are_left_alone() {
    for source in [
        SQUARES.replace("64x", "8x").replace("32x", "4x"),
        "func.func public @main(%x: tensor<64x32xf64>, %y: tensor<32x64xf64>) -> tensor<64x64xf64> {
            %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x32xf64>, tensor<32x64xf64>) -> tensor<64x64xf64>
            return %0 : tensor<64x64xf64>
        }"
        .to_owned(),
    ] {
        let mut m = text::parse(&source).unwrap_or_else(|e| panic!("{e}"));
        m.mode = FloatMode::Relaxed;
        let f = m.find("main").expect("a function `main`");
        assert_eq!(Pipeline::parse("flush").expect("a pass").run(&mut m, f, &mut |_| {}), f);
    }
}
