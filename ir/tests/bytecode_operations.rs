//! Every operation that bytecode has, with attributes that are none of their defaults, is written, and read as the text.

use wengert_ir::bytecode;
use wengert_ir::text::{parse, same};

/// Statements over `%a : tensor<4x4xf32>` that define `%0`, and the type of that.
const OPERATIONS: &[(&str, &str)] = &[
    (r#"%0 = stablehlo.reverse %a, dims = [0, 1] : tensor<4x4xf32>"#, "tensor<4x4xf32>"),
    (r#"%0 = stablehlo.reduce_precision %a, format = e5m7 : tensor<4x4xf32>"#, "tensor<4x4xf32>"),
    (r#"%0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>"#, "tensor<4x4xf32>"),
    (r#"%0 = stablehlo.cholesky %a, lower = false : tensor<4x4xf32>"#, "tensor<4x4xf32>"),
    (
        r#"%0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%0 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>"#,
        "tensor<4x3xcomplex<f32>>",
    ),
    (
        r#"%l = stablehlo.constant dense<0.0> : tensor<f32> %s = stablehlo.constant dense<[4, 4]> : tensor<2xi64> %0 = stablehlo.rng %l, %l, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%s = stablehlo.constant dense<[4, 4]> : tensor<2xui64> %1, %0 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x4xui32>)"#,
        "tensor<4x4xui32>",
    ),
    (
        r#"%0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.subtract %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%v = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> %0 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 0.25 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %z : tensor<i1> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (r#"%0 = stablehlo.reverse %a, dims = [1] : tensor<4x4xf32>"#, "tensor<4x4xf32>"),
    (
        r#"%z = stablehlo.constant dense<0.0> : tensor<f32> %0 = stablehlo.pad %a, %z, low = [1, -1], high = [0, 2], interior = [1, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<8x5xf32>"#,
        "tensor<8x5xf32>",
    ),
    (
        r#"%z = stablehlo.constant dense<0.0> : tensor<f32> %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %w = stablehlo.add %x, %y : tensor<f32> stablehlo.return %w : tensor<f32> }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x4xf32>"#,
        "tensor<3x4xf32>",
    ),
    (
        r#"%z = stablehlo.constant dense<0.0> : tensor<f32> %s = stablehlo.slice %a [0:2, 0:2] : (tensor<4x4xf32>) -> tensor<2x2xf32> %0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %w = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %w : tensor<i1> }, { ^bb0(%x: tensor<f32>, %y: tensor<f32>): %w = stablehlo.add %x, %y : tensor<f32> stablehlo.return %w : tensor<f32> }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%0, %1 = chlo.top_k(%a, k = 2) : tensor<4x4xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)"#,
        "tensor<4x2xf32>",
    ),
    (
        r#"%0, %1 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)"#,
        "tensor<4x2xf32>",
    ),
    (
        r#"%0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {backend_config = {}, mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%i = stablehlo.reshape %a : (tensor<4x4xf32>) -> tensor<1x4x4x1xf32> %k = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32> %0 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[1, 0], [0, 1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGHEST>]} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x4x1xf32>"#,
        "tensor<1x3x4x1xf32>",
    ),
    (
        r#"%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%i = stablehlo.constant dense<[[1], [3]]> : tensor<2x1xi32> %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = true}> : (tensor<4x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>"#,
        "tensor<2x4xf32>",
    ),
    (
        r#"%i = stablehlo.constant dense<[[1], [3]]> : tensor<2x1xi32> %u = stablehlo.constant dense<2.0> : tensor<2x4xf32> %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true, unique_indices = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %w = stablehlo.multiply %x, %y : tensor<f32> stablehlo.return %w : tensor<f32> }) : (tensor<4x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (r#"%0 = stablehlo.iota dim = 1 : tensor<4x4xf32>"#, "tensor<4x4xf32>"),
    (r#"%0 = stablehlo.bitcast_convert %a : (tensor<4x4xf32>) -> tensor<4x4xui32>"#, "tensor<4x4xui32>"),
    (
        r#"%i = stablehlo.constant dense<1> : tensor<i32> %0 = "stablehlo.case"(%i) ({ stablehlo.return %a : tensor<4x4xf32> }, { %n = stablehlo.negate %a : tensor<4x4xf32> stablehlo.return %n : tensor<4x4xf32> }) : (tensor<i32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
    (
        r#"%0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %w = stablehlo.add %x, %y : tensor<f32> stablehlo.return %w : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>"#,
        "tensor<4x4xf32>",
    ),
];

#[test]
fn operations_are_written_with_all_that_is_said_of_them() {
    for (body, ty) in OPERATIONS {
        let result = if body.contains("%0:") { "%0#0" } else { "%0" };
        let text = format!(
            "func.func public @main(%a: tensor<4x4xf32>) -> {ty} {{ {body} return {result} : {ty} }}"
        );
        let module = parse(&text).unwrap_or_else(|e| panic!("{body}\n{e}"));
        for version in ["1.0.0", "1.13.0", "1.20.0"] {
            let bytes =
                bytecode::write(&module, Some(version)).unwrap_or_else(|e| panic!("{body}\n{version}: {e}"));
            let again = bytecode::read(&bytes).unwrap_or_else(|e| panic!("{body}\n{version}: {e}"));
            assert!(same(&module, &again), "{version}\n{module}\n{again}");
        }
    }
}

/// What is said of an operation is seen in the comparison: programs that differ in one word are different programs.
#[test]
fn one_word_is_another_program() {
    let program = |body: &str, ty: &str| {
        parse(&format!("func.func public @main(%a: tensor<4x4xf32>) -> {ty} {{ {body} return %0 : {ty} }}"))
            .unwrap()
    };
    let mut changed = 0;
    for (body, ty) in OPERATIONS.iter().filter(|(body, _)| !body.contains("%0:")) {
        for [from, to] in [
            ["true", "false"],
            ["ADJOINT", "TRANSPOSE"],
            ["PHILOX", "THREE_FRY"],
            ["NORMAL", "UNIFORM"],
            ["e5m7", "e5m8"],
            ["0.25", "0.5"],
            ["HIGHEST", "DEFAULT"],
            ["TOTALORDER", "FLOAT"],
        ] {
            if body.contains(from) {
                assert!(
                    !same(&program(body, ty), &program(&body.replacen(from, to, 1), ty)),
                    "{body}: {from}"
                );
                changed += 1;
            }
        }
    }
    assert!(changed >= 12, "{changed}");
}

/// Portable artifacts, and JAX 0.8, have a custom call in the place of an operation of CHLO.
#[test]
fn operations_of_chlo_come_as_custom_calls() {
    for name in ["erf", "sinh", "cosh", "asin", "acos", "asinh", "acosh", "atanh"] {
        let module = |body: String| {
            let ty = "tensor<4xf32>";
            let text = format!("func.func public @main(%a: {ty}) -> {ty} {{ {body} return %0 : {ty} }}");
            parse(&text).unwrap_or_else(|e| panic!("{body}\n{e}")).to_string()
        };
        let call = module(format!(
            "%0 = stablehlo.custom_call @mhlo.{name}(%a) {{mhlo.attributes = {{}}, mhlo.version = 1 : i64}} : (tensor<4xf32>) -> tensor<4xf32>"
        ));
        assert_eq!(call, module(format!("%0 = chlo.{name} %a : tensor<4xf32> -> tensor<4xf32>")));
    }
    let unknown = "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo.custom_call @mhlo.nothing(%a) : (tensor<4xf32>) -> tensor<4xf32> return %0 : tensor<4xf32> }";
    assert!(parse(unknown).is_ok_and(|m| m.to_string().contains("@mhlo.nothing")), "a call of the host's");
}
