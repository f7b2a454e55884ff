//! A fixed sample of broken texts, and programs that are hard on the stack.

use wengert::stages::Traced;
use wengert_tests::{corpus, corpus_cases, torture::torture};

#[test]
fn broken_texts_are_refused() {
    for (k, case) in corpus_cases().iter().enumerate() {
        let source = std::fs::read_to_string(corpus(case).join("program.mlir")).expect("a program");
        // About sixty ways per program, spread over its length and over the kinds.
        torture(case, &source, (source.len() / 20) | 1, k, None);
    }
}

#[test]
fn long_chains_need_no_stack() {
    let n = 100_000;
    let mut source = String::from("func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {\n");
    for k in 0..n {
        let operand = if k == 0 { "%arg0".to_owned() } else { format!("%{}", k - 1) };
        source.push_str(&format!("  %{k} = stablehlo.sine {operand} : tensor<f32>\n"));
    }
    source.push_str(&format!("  return %{} : tensor<f32>\n}}\n", n - 1));
    let work = move || {
        let traced = Traced::parse(&source, None).expect("a program");
        let gradient = traced.value_and_grad(&[0]).expect("a gradient");
        let out = gradient.interpret(&[wengert::Tensor::from(0.5f32)]).expect("a value");
        assert_eq!(out.len(), 2);
        assert!(traced.optimize().expect("small").text(false).len() > n);
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn nan_goes_through() {
    let nan = wengert::Tensor::from([f64::NAN, 1.0, f64::NAN]);
    let f = wengert::jit(wengert::value_and_grad(|x: wengert::Tensor| (x.sin() * &x).exp().sum()));
    let (v, g) = f(nan);
    assert!(v.item::<f64>().is_nan());
    let g = g.to_vec::<f64>();
    assert!(g[0].is_nan() && g[1].is_finite() && g[2].is_nan());
}
