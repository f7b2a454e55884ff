//! Which names a C function and its parameters have.

use wengert::object::{Calls, Cpu, ObjectOptions, check_symbol};
use wengert::stages::Traced;

/// The header of a function whose parameters are called so.
fn header(names: &[&str]) -> String {
    let params: Vec<String> =
        names.iter().enumerate().map(|(k, name)| format!("%p{k}: tensor<f32> loc(\"{name}\")")).collect();
    let params = params.join(", ");
    let text = format!("func.func @main({params}) -> tensor<f32> {{ return %p0 : tensor<f32> }}");
    let lowered = Traced::parse(text, None).and_then(|program| program.lower()).expect("a program");
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH).parse().expect("a triple");
    let options = ObjectOptions { triple, cpu: Cpu::Baseline, symbol: "f".into(), calls: Calls::C };
    lowered.object(&options).expect("an object").c_header("a test")
}

#[test]
fn what_c_uses_otherwise_is_refused() {
    let refused = [
        "",
        "1a",
        "a b",
        "a-b",
        "é",
        "_x",
        "__x",
        "double",
        "static",
        "class",
        "template",
        "int32_t",
        "uint_fast8_t",
        "INT32_MAX",
        "UINT64_C",
        "SIZE_MAX",
        "main",
        "sin",
        "sinf",
        "sinl",
        "fmod",
        "memcpy",
        "printf",
        "wcslen",
        "I",
        "NULL",
        "std",
        "linux",
        "complex",
        "f_STACK_BYTES",
    ];
    let text = header(&refused);
    for (k, name) in refused.into_iter().enumerate() {
        assert!(check_symbol(name).is_err(), "{name}");
        let may_be_a_parameter = ["main", "std", "f_STACK_BYTES"].contains(&name);
        assert!(text.contains(&format!("const float *arg{k},")) || may_be_a_parameter, "{name}: {text}");
    }
    let usable = ["f", "f_double", "loss", "Double", "sine", "x_", "interior_t2", "W", "maxima", "fl"];
    let text = header(&usable);
    for name in usable {
        assert!(check_symbol(name).is_ok(), "{name}");
        assert!(text.contains(&format!("const float *{name},")), "{name}: {text}");
    }
}

#[test]
fn parts_of_trees_have_names() {
    let text = header(&["params['gain']", "params['gain'][0]", "x.y", "params.gain"]);
    for name in ["params_gain", "params_gain_0", "x_y", "arg3"] {
        assert!(text.contains(&format!("const float *{name},")), "{name}: {text}");
    }
}
