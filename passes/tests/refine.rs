//! Programs with open sizes, for arguments of known sizes, give what the same program with the sizes written out gives.

use wengert_ir::array::Array;
use wengert_ir::interp::{Limits, run};
use wengert_ir::text::parse;
use wengert_passes::refine::{Argument, is_open, refine};

/// Refines the function for the arguments, whose values sizes may depend on if `values`, and runs it.
fn ask(text: &str, args: &[Array], values: bool) -> Result<Vec<Array>, String> {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let func = module.find("main").expect("@main");
    assert!(is_open(&module, func), "{text}");
    let known = args.iter().map(|a| Argument { ty: a.ty().clone(), value: values.then(|| a.clone()) });
    let (module, func) = refine(&module, func, &known.collect::<Vec<_>>())?;
    assert!(!is_open(&module, func), "{module}");
    wengert_ir::verify::verify(&module).expect("what comes out is valid");
    Ok(run(&module, func, args, &Limits::default()).expect("it runs"))
}

fn floats(shape: &[usize], values: &[f32]) -> Array {
    Array::new(shape, values)
}

fn ints(values: &[i32]) -> Array {
    Array::new(&[values.len()], values)
}

#[track_caller]
fn gives(text: &str, args: &[Array], values: bool, expected: Array) {
    match ask(text, args, values) {
        Ok(out) => assert_eq!(out, [expected], "{text}"),
        Err(e) => panic!("{e}\n{text}"),
    }
}

const X: [f32; 6] = [1., 2., 3., 4., 5., 6.];

#[test]
fn elementwise_operations_take_any_size() {
    let text = "func.func public @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
        %0 = stablehlo.add %x, %x : tensor<?x3xf32>
        return %0 : tensor<?x3xf32> }";
    gives(text, &[floats(&[2, 3], &X)], false, floats(&[2, 3], &X.map(|v| v + v)));
}

#[test]
fn sizes_come_from_the_argument() {
    let text = "func.func public @main(%x: tensor<?x3xf32>) -> tensor<i32> {
        %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
        return %0 : tensor<i32> }";
    gives(text, &[floats(&[2, 3], &X)], false, Array::scalar(2i32));
}

#[test]
fn reshapes_to_a_computed_size() {
    let text = "func.func public @main(%x: tensor<?x3xf32>) -> tensor<?xf32> {
        %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
        %c = stablehlo.constant dense<3> : tensor<i32>
        %1 = stablehlo.multiply %0, %c : tensor<i32>
        %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
        %3 = stablehlo.dynamic_reshape %x, %2 : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
        return %3 : tensor<?xf32> }";
    gives(text, &[floats(&[2, 3], &X)], false, floats(&[6], &X));
}

#[test]
fn broadcasts_through_a_call() {
    let text = "module {
      func.func public @main(%x: tensor<?xf32>, %n: tensor<2xi32>) -> tensor<?x?xf32> {
        %0 = call @f(%x, %n) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
        return %0 : tensor<?x?xf32> }
      func.func private @f(%x: tensor<?xf32>, %n: tensor<2xi32>) -> tensor<?x?xf32> {
        %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
        return %0 : tensor<?x?xf32> } }";
    let args = [floats(&[2], &X[..2]), ints(&[3, 2])];
    gives(text, &args, true, floats(&[3, 2], &[1., 2., 1., 2., 1., 2.]));
    // Types alone do not tell, and wrong sizes are refused.
    assert!(ask(text, &args, false).is_err_and(|e| e.contains("run time")));
    let wrong = [floats(&[2], &X[..2]), ints(&[3, 4])];
    let refusal = ask(text, &wrong, true).expect_err("two elements do not fill four");
    assert!(refusal.contains("broadcast_in_dim"), "{refusal}");
}

#[test]
fn iota_of_a_computed_size() {
    let text = "func.func public @main(%n: tensor<1xi32>) -> tensor<?xi32> {
        %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
        return %0 : tensor<?xi32> }";
    gives(text, &[ints(&[4])], true, ints(&[0, 1, 2, 3]));
}

#[test]
fn pads_by_values() {
    let text = "func.func public @main(%x: tensor<?xf32>, %l: tensor<1xi32>, %h: tensor<1xi32>) -> tensor<?xf32> {
        %z = stablehlo.constant dense<0.0> : tensor<f32>
        %i = stablehlo.constant dense<1> : tensor<1xi32>
        %0 = stablehlo.dynamic_pad %x, %z, %l, %h, %i : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
        return %0 : tensor<?xf32> }";
    let args = [floats(&[2], &X[..2]), ints(&[1]), ints(&[0])];
    gives(text, &args, true, floats(&[4], &[0., 1., 0., 2.]));
}

#[test]
fn slices_by_values() {
    let text = "func.func public @main(%x: tensor<?xf32>, %a: tensor<1xi32>, %b: tensor<1xi32>) -> tensor<?xf32> {
        %s = stablehlo.constant dense<2> : tensor<1xi32>
        %0 = stablehlo.real_dynamic_slice %x, %a, %b, %s : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
        return %0 : tensor<?xf32> }";
    let args = [floats(&[6], &X), ints(&[1]), ints(&[6])];
    gives(text, &args, true, floats(&[3], &[2., 4., 6.]));
}

#[test]
fn gathers_slices_of_computed_sizes() {
    let text = "func.func public @main(%x: tensor<?x3xf32>, %i: tensor<2xi32>) -> tensor<2x?xf32> {
        %one = stablehlo.constant dense<1> : tensor<1xi32>
        %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
        %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
        %s = stablehlo.concatenate %one, %m, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %0 = \"stablehlo.dynamic_gather\"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x?xf32>
        return %0 : tensor<2x?xf32> }";
    let args = [floats(&[2, 3], &X), ints(&[1, 0])];
    gives(text, &args, false, floats(&[2, 3], &[4., 5., 6., 1., 2., 3.]));
}

#[test]
fn convolves_with_a_computed_padding() {
    let text = "func.func public @main(%x: tensor<1x?x1xf32>, %k: tensor<2x1x1xf32>, %p: tensor<1x2xi32>) -> tensor<1x?x1xf32> {
        %0 = \"stablehlo.dynamic_conv\"(%x, %k, %p) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}> : (tensor<1x?x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>
        return %0 : tensor<1x?x1xf32> }";
    let padding = Array::new(&[1, 2], &[1i32, 0]);
    let args = [floats(&[1, 3, 1], &X[..3]), floats(&[2, 1, 1], &[1., 1.]), padding];
    gives(text, &args, true, floats(&[1, 3, 1], &[1., 3., 5.]));
}

#[test]
fn loops_carry_what_has_an_open_size() {
    let text = "func.func public @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %c = stablehlo.constant dense<0> : tensor<i32>
        %three = stablehlo.constant dense<3> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %0:2 = stablehlo.while(%i = %c, %a = %x) : tensor<i32>, tensor<?xf32>
        cond {
          %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        } do {
          %1 = stablehlo.add %i, %one : tensor<i32>
          %2 = stablehlo.add %a, %x : tensor<?xf32>
          stablehlo.return %1, %2 : tensor<i32>, tensor<?xf32>
        }
        return %0#1 : tensor<?xf32> }";
    gives(text, &[floats(&[2], &[1., 2.])], false, floats(&[2], &[4., 8.]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let text = "func.func public @main(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
        %0 = stablehlo.add %x, %y : tensor<?x3xf32>
        return %0 : tensor<?x3xf32> }";
    let error = ask(text, &[floats(&[2, 3], &X), floats(&[1, 3], &X[..3])], false).unwrap_err();
    assert!(error.contains("stablehlo.add"), "{error}");
    let error = ask(text, &[floats(&[3, 2], &X), floats(&[1, 3], &X[..3])], false).unwrap_err();
    assert!(error.contains("argument 0"), "{error}");
}

#[test]
fn assertions_about_shapes_are_decided() {
    let text = "func.func public @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
        %c = stablehlo.constant dense<2> : tensor<i32>
        %p = stablehlo.compare GE, %n, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.custom_call @shape_assertion(%p, %n) {error_message = \"too short: {0}\", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
        return %x : tensor<?xf32> }";
    gives(text, &[floats(&[2], &X[..2])], false, floats(&[2], &X[..2]));
    let error = ask(text, &[floats(&[1], &X[..1])], false).unwrap_err();
    assert!(error.contains("too short"), "{error}");
}

/// Sizes that values say, and that no memory can hold, are refused; nothing overflows on the way.
#[test]
fn sizes_that_cannot_be_are_refused() {
    let iota = "func.func @main(%l: tensor<1xi64>) -> tensor<?xi32> {
        %r = stablehlo.dynamic_iota %l, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
        return %r : tensor<?xi32> }";
    let broadcast = "func.func @main(%l: tensor<1xi64>) -> tensor<?xf32> {
        %a = stablehlo.constant dense<1.0> : tensor<1xf32>
        %r = stablehlo.dynamic_broadcast_in_dim %a, %l, dims = [0] : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
        return %r : tensor<?xf32> }";
    let reshape = "func.func @main(%l: tensor<1xi64>) -> tensor<?xf32> {
        %a = stablehlo.constant dense<1.0> : tensor<1xf32>
        %r = stablehlo.dynamic_reshape %a, %l : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
        return %r : tensor<?xf32> }";
    let pad = "func.func @main(%l: tensor<1xi64>) -> tensor<?xf32> {
        %a = stablehlo.constant dense<1.0> : tensor<4xf32>
        %z = stablehlo.constant dense<0.0> : tensor<f32>
        %n = stablehlo.constant dense<0> : tensor<1xi64>
        %r = stablehlo.dynamic_pad %a, %z, %n, %l, %n : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
        return %r : tensor<?xf32> }";
    let spread = "func.func @main(%l: tensor<1xi64>) -> tensor<?xf32> {
        %a = stablehlo.constant dense<1.0> : tensor<4xf32>
        %z = stablehlo.constant dense<0.0> : tensor<f32>
        %n = stablehlo.constant dense<0> : tensor<1xi64>
        %r = stablehlo.dynamic_pad %a, %z, %n, %n, %l : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
        return %r : tensor<?xf32> }";
    let slice = "func.func @main(%l: tensor<1xi64>) -> tensor<?xf32> {
        %a = stablehlo.constant dense<1.0> : tensor<4xf32>
        %n = stablehlo.constant dense<0> : tensor<1xi64>
        %o = stablehlo.constant dense<1> : tensor<1xi64>
        %r = stablehlo.real_dynamic_slice %a, %n, %l, %o : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
        return %r : tensor<?xf32> }";
    let gather = "func.func @main(%l: tensor<1xi64>) -> tensor<2x?xf32> {
        %a = stablehlo.constant dense<1.0> : tensor<4xf32>
        %i = stablehlo.constant dense<0> : tensor<2x1xi32>
        %r = \"stablehlo.dynamic_gather\"(%a, %i, %l) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4xf32>, tensor<2x1xi32>, tensor<1xi64>) -> tensor<2x?xf32>
        return %r : tensor<2x?xf32> }";
    for (text, fits) in
        [(iota, 3), (broadcast, 3), (reshape, 1), (pad, 3), (spread, 3), (slice, 3), (gather, 3)]
    {
        let with = |n: i64| ask(text, &[Array::new(&[1], &[n])], true);
        assert!(with(fits).is_ok(), "{text}");
        // As numbers of bytes the first two wrap to few; the last are what arithmetic on sizes stumbles over.
        for n in [(1 << 62) + 1, 1 << 62, 1 << 61, i64::MAX, i64::MAX - 1, i64::MIN, -1 << 62] {
            let error = with(n).expect_err(text);
            assert!(error.contains("stablehlo."), "{n}: {error}");
        }
    }
}

/// What passes cannot know the types of they leave alone; derivatives and code of it are refused, with its place.
#[test]
fn open_programs_pass_through() {
    use wengert_passes::{ad, lower, pipeline::Pipeline};
    let quantized = "tensor<2x!quant.uniform<i8:f32, 0.1:-30>>";
    for text in [
        "func.func @main() -> tensor<2x?x2xui64> {
          %0 = stablehlo.iota dim = 2 : tensor<2x?x2xui64>
          return %0 : tensor<2x?x2xui64> }"
            .to_owned(),
        "func.func @main() -> tensor<?xcomplex<f32>> {
          %0 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
          %1 = stablehlo.bitcast_convert %0 : (tensor<complex<f64>>) -> tensor<?xcomplex<f32>>
          return %1 : tensor<?xcomplex<f32>> }"
            .to_owned(),
        "func.func @main(%x: tensor<2x3x?xf32>, %k: tensor<4x3x3xf32>) -> tensor<2x4x?xf32> {
          %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x?xf32>, tensor<4x3x3xf32>) -> tensor<2x4x?xf32>
          return %0 : tensor<2x4x?xf32> }"
            .to_owned(),
        "func.func @main(%x: tensor<?xf32>, %k: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.sine %x : tensor<?xf32>
          %1 = stablehlo.reduce(%0 init: %k) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
          return %1 : tensor<f32> }"
            .to_owned(),
        format!(
            "func.func @main(%x: tensor<2xf32>) -> tensor<2xi8> {{
          %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> {quantized}
          %1 = stablehlo.add %0, %0 : {quantized}
          %2 = stablehlo.bitcast_convert %1 : ({quantized}) -> tensor<2xi8>
          return %2 : tensor<2xi8> }}"
        ),
        format!(
            "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
          %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> {quantized}
          %1 = stablehlo.uniform_dequantize %0 : ({quantized}) -> tensor<2xf32>
          %2 = stablehlo.sine %1 : tensor<2xf32>
          return %2 : tensor<2xf32> }}"
        ),
    ] {
        let mut module = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let main = module.find("main").expect("@main");
        assert_eq!(Pipeline::default().run(&mut module, main, &mut |_| {}), main, "{text}");
        let error = lower::lower(&module, main, &lower::Options::default()).expect_err(&text);
        assert!(error.op.starts_with("stablehlo."), "{error}");
        let n = module.get(main).params.len();
        if n > 0 {
            let error = ad::jvp(&mut module, main, &(0..n).map(|k| k == 0).collect::<Vec<_>>()).expect_err(&text);
            assert!(error.op.is_some(), "{error}");
        }
    }
}

#[test]
fn an_argument_has_the_rank_of_its_parameter() {
    let text = "func.func public @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %0 = stablehlo.negate %x : tensor<?xf32>
        return %0 : tensor<?xf32>
    }";
    for shape in [&[][..], &[2, 3], &[6, 1]] {
        let n: usize = shape.iter().product();
        ask(text, &[floats(shape, &X[..n])], false).expect_err("another rank");
    }
}

/// What a reverse pass keeps of a loop of unknown length is as long as the loop: the text of a gradient runs as it stands, and a
/// program with open sizes may have such a loop.
#[test]
fn rows_that_loops_save_are_no_open_sizes() {
    let text = "func.func @main(%x: tensor<f64>) -> tensor<f64> {
        %most = stablehlo.constant dense<100.0> : tensor<f64>
        %y = stablehlo.while(%i = %x) : tensor<f64>
        cond {
          %p = stablehlo.compare LT, %i, %most, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %n = stablehlo.multiply %i, %i : tensor<f64>
          stablehlo.return %n : tensor<f64>
        }
        return %y : tensor<f64>
    }";
    let mut module = wengert_ir::text::parse(text).expect("a program");
    let main = module.find("main").expect("is there");
    let gradient = wengert_passes::ad::vjp(&mut module, main, &[true], &[true]).expect("a derivative");
    let shown = wengert_ir::text::print_func(&module, gradient, &Default::default());
    let again = wengert_ir::text::parse(&shown).unwrap_or_else(|e| panic!("{e}\n{shown}"));
    let func = again.funcs.keys().find(|&f| again.funcs[f].param_types().len() == 2).expect("the gradient");
    assert!(!is_open(&again, func), "{shown}");
    let args = [2.0, 1.0].map(Array::scalar::<f64>);
    let found = wengert_ir::testing::eval(&again, func, &args);
    assert_eq!(found, [256.0, 1024.0].map(Array::scalar::<f64>));
    let types = again.funcs[func].param_types();
    let known: Vec<Argument> =
        types.iter().map(|t| Argument { ty: t.tensor().clone(), value: None }).collect();
    refine(&again, func, &known).expect("nothing is open");
}

/// As JAX exports `cumsum` and `cholesky` of symbolic sizes.
#[test]
fn custom_calls_with_sizes_as_operands() {
    let running = "func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
        %c1 = stablehlo.constant dense<1> : tensor<1xi32>
        %c0 = stablehlo.constant dense<0> : tensor<1xi32>
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
        %n = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
        %before = stablehlo.subtract %n, %c1 : tensor<1xi32>
        %window = stablehlo.concatenate %n, %c1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %ones = stablehlo.constant dense<1> : tensor<2xi32>
        %low = stablehlo.concatenate %before, %c0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %row = stablehlo.reshape %low : (tensor<2xi32>) -> tensor<1x2xi32>
        %none = stablehlo.constant dense<0> : tensor<1x2xi32>
        %padding = stablehlo.concatenate %row, %none, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
        %1 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %window, %ones, %ones, %ones, %padding)
            {api_version = 2 : i32, called_computations = [@sum]} : (tensor<?x2xf32>, tensor<f32>, tensor<2xi32>,
             tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x2xf32>
        return %1 : tensor<?x2xf32>
    }
    func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.add %a, %b : tensor<f32>
        return %0 : tensor<f32>
    }";
    let x = floats(&[3, 2], &[1.0, 10.0, 2.0, 20.0, 3.0, 30.0]);
    gives(running, &[x], false, floats(&[3, 2], &[1.0, 10.0, 3.0, 30.0, 6.0, 60.0]));
    // Windows of two: of elements apart, and of elements with a hole between.
    let apart = |base: usize, window: usize| {
        format!(
            "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
                %zero = stablehlo.constant dense<0.0> : tensor<f32>
                %two = stablehlo.constant dense<2> : tensor<1xi32>
                %one = stablehlo.constant dense<1> : tensor<1xi32>
                %base = stablehlo.constant dense<{base}> : tensor<1xi32>
                %window = stablehlo.constant dense<{window}> : tensor<1xi32>
                %padding = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
                %1 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %two, %one, %base, %window, %padding)
                    {{api_version = 2 : i32, called_computations = [@sum]}} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>,
                     tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
                return %1 : tensor<?xf32>
            }}
            func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
                %0 = stablehlo.add %a, %b : tensor<f32>
                return %0 : tensor<f32>
            }}"
        )
    };
    let x = floats(&[3], &[1.0, 2.0, 3.0]);
    gives(&apart(1, 1), std::slice::from_ref(&x), false, floats(&[3], &[1.0, 3.0, 5.0]));
    gives(&apart(2, 1), std::slice::from_ref(&x), false, floats(&[5], &[1.0, 1.0, 2.0, 2.0, 3.0]));
    gives(&apart(1, 2), &[x], false, floats(&[2], &[2.0, 4.0]));
    let root = |shape: &str| {
        format!("func.func @main(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {{
        %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf64>) -> tensor<i32>
        %n = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
        %sizes = stablehlo.concatenate %n, %n, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %none = stablehlo.constant dense<> : tensor<0xi32>
        %1:2 = stablehlo.custom_call @lapack_{shape}_ffi(%x, %sizes, %none)
            {{indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>, mhlo.backend_config = {{uplo = 76 : ui8}},
             operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>],
             output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0,
               operand_tuple_indices = []>],
             result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}}
            : (tensor<?x?xf64>, tensor<2xi32>, tensor<0xi32>) -> (tensor<?x?xf64>, tensor<i32>)
        return %1#0 : tensor<?x?xf64>
    }}")
    };
    let a = Array::new(&[2, 2], &[4.0f64, 2.0, 2.0, 10.0]);
    let found = ask(&root("dpotrf"), std::slice::from_ref(&a), false).expect("it is known").remove(0);
    let found = found.as_slice::<f64>();
    assert_eq!([found[0], found[2], found[3]], [2.0, 1.0, 3.0]);
    let error = ask(&root("dnothing"), &[a], false).expect_err("nobody knows it");
    assert!(error.contains("lapack_dnothing_ffi"), "{error}");
}
