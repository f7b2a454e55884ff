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

/// The text of the values, without the type.
fn values(t: &Tensor) -> String {
    let text = show(t);
    text.split_once(" : ").expect("values and a type").0.to_owned()
}

/// Every element is what it is alone, aligned to the widest.
#[test]
fn what_is_short_is_shown_whole() {
    for &dtype in DType::ALL {
        let scalars: Vec<Tensor> =
            [0.0, 1.0, -2.5, 6.0, 1e-9, 1e20].iter().map(|&x| Tensor::full(&[], x, dtype)).collect();
        let v = wengert::stack(&scalars, 0);
        let alone: Vec<String> = scalars.iter().map(values).collect();
        let width = alone.iter().map(String::len).max().expect("six");
        let row = |texts: &[String]| {
            let texts: Vec<String> = texts.iter().map(|text| format!("{text:>width$}")).collect();
            format!("[{}]", texts.join(", "))
        };
        assert_eq!(show(&v), format!("{} : {}", row(&alone), v.ty()));
        let m = v.reshape(&[2, 3]);
        assert_eq!(values(&m), format!("[{},\n {}]", row(&alone[..3]), row(&alone[3..])), "{dtype}");
    }
    // The most that is not summarized.
    let v = Tensor::arange(1000, DType::I32);
    let all: Vec<String> = (0..1000).map(|k| format!("{k:>3}")).collect();
    assert_eq!(values(&v), format!("[{}]", all.join(", ")));
}

/// Of a long array nothing is made into text that is not shown: not even the widest element.
#[test]
fn what_is_left_out_has_no_text() {
    for &dtype in DType::ALL {
        let one = values(&Tensor::ones(&[], dtype));
        let side = [one.as_str(); 3].join(", ");
        let large = Tensor::ones(&[1 << 16], dtype);
        assert_eq!(values(&large), format!("[{side}, ..., {side}]"), "{dtype}");
    }
    let mut numbers = vec![7i32; 1 << 20];
    numbers[1 << 19] = 1_000_000_000;
    let v = Tensor::from(numbers);
    assert_eq!(show(&v), "[7, 7, 7, ..., 7, 7, 7] : tensor<1048576xi32>");
    let m = v.reshape(&[1 << 10, 1 << 10]);
    let row = "[7, 7, 7, ..., 7, 7, 7]";
    let side = [row; 3].join(",\n ");
    assert_eq!(show(&m), format!("[{side},\n ...,\n {side}] : tensor<1024x1024xi32>"));
}

/// Rows of nothing take no memory, and there may be any number of them.
#[test]
fn many_rows_of_nothing_are_summarized() {
    let rows = |n: usize| values(&Tensor::zeros(&[n, 0], DType::F32));
    let side = ["[]"; 3].join(",\n ");
    assert_eq!(rows(3000), format!("[{side},\n ...,\n {side}]"));
    assert_eq!(rows(1000), format!("[{}]", ["[]"; 1000].join(",\n ")));
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
