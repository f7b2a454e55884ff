//! Programs that take, give or compute with what is no tensor that memory holds: they run where that does not matter, and are
//! refused with a message where it does.

use wengert::Tensor;
use wengert::stages::Traced;

/// Tokens order effects, which one device keeps in order; arguments and results of a program are its tensors.
#[test]
fn tokens_are_no_arguments() {
    let text = "func.func public @main(%a: !stablehlo.token, %x: tensor<f32>, %b: !stablehlo.token) -> (!stablehlo.token, tensor<f32>) {
        %0 = stablehlo.after_all %a, %b : !stablehlo.token
        %1 = stablehlo.sine %x : tensor<f32>
        return %0, %1 : !stablehlo.token, tensor<f32>
    }";
    let program = Traced::parse(text, None).expect("a program");
    assert_eq!((program.param_types().len(), program.result_types().len()), (1, 1));
    let x = [Tensor::from(0.5f32)];
    let sine = [0.5f32.sin()];
    let ways = [
        program.interpret(&x),
        program.run_eagerly(&x),
        program.lower().and_then(|l| l.compile()).and_then(|c| c.call(&x)),
    ];
    for found in ways {
        let found = found.expect("it runs");
        assert!((found[0].item::<f32>() - sine[0]).abs() < 1e-6);
    }
    let gradient = program.value_and_grad(&[0]).expect("a derivative").interpret(&x);
    assert!((gradient.expect("it runs")[1].item::<f32>() - 0.5f32.cos()).abs() < 1e-6);
    let again = Traced::parse(program.text(false), None).expect("what is printed is read");
    assert_eq!(again.text(false), program.text(false));
}

#[test]
fn quantized_arguments_are_only_printed() {
    let ty = "tensor<2x!quant.uniform<i8:f32, 0.1:-30>>";
    let text = format!(
        "func.func public @main(%x: {ty}, %y: tensor<f32>) -> ({ty}, tensor<f32>) {{
          %0 = stablehlo.add %x, %x : {ty}
          return %0, %y : {ty}, tensor<f32>
        }}"
    );
    let error = Traced::parse(&text, None).err().expect("it cannot run").to_string();
    assert!(error.contains(ty), "{error}");
    let program = Traced::read(&text, None).expect("it can be read");
    assert!(program.optimize().expect("a pass does nothing to it").text(false).contains(ty));
    for error in [program.value_and_grad(&[1]).err(), program.jvp(&[0]).err(), program.lower().err()] {
        assert!(error.is_some());
    }
    assert!(program.explain(0).is_err());
}

/// A tensor of 2^62 - 1 numbers of 16 bits is one that memory could hold; what computes with it holds twice as much.
#[test]
fn tensors_that_grow_too_large_are_refused() {
    let n = (1u64 << 62) - 1;
    let text = format!(
        "func.func public @main(%x: tensor<{n}xbf16>) -> tensor<{n}xbf16> {{
          %0 = stablehlo.sine %x : tensor<{n}xbf16>
          return %0 : tensor<{n}xbf16>
        }}"
    );
    let program = Traced::parse(&text, None).expect("a program");
    let error = program.lower().err().expect("no code").to_string();
    assert!(error.contains("more bytes than can be addressed"), "{error}");
    let gradient = program.vjp(&[0], &[0]).expect("a derivative");
    assert!(gradient.lower().is_err());
}
