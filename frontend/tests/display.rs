//! What tensors and errors look like.

use wengert::{DType, Tensor, jit};

fn show(t: &Tensor) -> String {
    t.to_string()
}

#[test]
fn scalars_and_vectors() {
    let tensors = [
        Tensor::from(1.5f64),
        Tensor::from(0.1f32),
        Tensor::from(-3i32),
        Tensor::from(true),
        Tensor::from([1.0f64, -0.5, 100.25]),
        Tensor::from([1e-9f64, 1.0, 1e20]),
        Tensor::from([f64::NAN, f64::INFINITY, -f64::INFINITY, -0.0]),
        Tensor::from([7u32, 4_000_000_000]),
        Tensor::from(&[true, false][..]),
        Tensor::zeros(&[0], DType::F32),
        Tensor::zeros(&[2, 0], DType::F32),
        Tensor::from([half::bf16::from_f32(1.5), half::bf16::from_f32(-2.0)]),
    ];
    insta::assert_snapshot!(tensors.iter().map(show).collect::<Vec<_>>().join("\n"));
}

#[test]
fn matrices_and_beyond() {
    let m = Tensor::arange(6, DType::I64).reshape(&[2, 3]) * 37 - 50;
    let t = (Tensor::arange(12, DType::F32) / 4.0).reshape(&[2, 3, 2]);
    insta::assert_snapshot!(format!("{m}\n\n{t}"));
}

#[test]
fn long_tensors_are_summarized() {
    let v = Tensor::arange(2000, DType::I32);
    let m = Tensor::arange(3000, DType::I32).reshape(&[60, 50]);
    let narrow = Tensor::arange(2400, DType::I32).reshape(&[400, 6]);
    let deep = Tensor::arange(4000, DType::I32).reshape(&[10, 20, 20]);
    insta::assert_snapshot!(format!("{v}\n\n{m}\n\n{narrow}\n\n{deep}"));
}

#[test]
fn a_traced_tensor_shows_its_type() {
    let text = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let sink = text.clone();
    let f = jit(move |x: Tensor| {
        *sink.lock().expect("unlocked") = format!("{x}, {:?}", &x + 1.0);
        x
    });
    let _ = f(Tensor::zeros(&[2, 3], DType::F32));
    assert_eq!(*text.lock().expect("unlocked"), "traced tensor<2x3xf32>, traced tensor<2x3xf32>");
}
