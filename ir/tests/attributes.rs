//! Attributes that mean nothing to what is computed, and must still be right.

use wengert_ir::text::parse;

fn refused(line: &str) -> String {
    let text =
        format!("func.func @main(%x: tensor<2x3xf32>, %t: !stablehlo.token) {{\n  {line}\n  return\n}}\n");
    parse(&text).map(drop).expect_err(line).message
}

fn accepted(line: &str) {
    let text =
        format!("func.func @main(%x: tensor<2x3xf32>, %t: !stablehlo.token) {{\n  {line}\n  return\n}}\n");
    parse(&text).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn accuracies() {
    let cbrt = |fields: &str| {
        format!(
            "%0 = \"stablehlo.cbrt\"(%x) {{result_accuracy = #stablehlo.result_accuracy<{fields}>}} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
        )
    };
    let mode = |word: &str| format!("mode = #stablehlo.result_accuracy_mode<{word}>");
    accepted(&cbrt(&format!("ulps = 10, {}", mode("TOLERANCE"))));
    accepted(&cbrt(&format!("atol = 0.0, rtol = 0.0, ulps = 0, {}", mode("HIGHEST"))));
    accepted(&cbrt(&mode("DEFAULT")));
    for (fields, part) in [
        (format!("atol = 1.0, {}", mode("HIGHEST")), "must be zero"),
        (format!("ulps = 4, {}", mode("DEFAULT")), "must be zero"),
        (format!("ulps = 4, ulps = 4, {}", mode("TOLERANCE")), "`ulps` is there twice"),
        (format!("steps = 4, {}", mode("TOLERANCE")), "has no `steps`"),
    ] {
        assert!(refused(&cbrt(&fields)).contains(part), "{}", refused(&cbrt(&fields)));
    }
}

#[test]
fn custom_calls() {
    let call = |attributes: &str| {
        format!(
            "%0:2 = \"stablehlo.custom_call\"(%x, %t) {{call_target_name = \"foo\", {attributes}}} : \
             (tensor<2x3xf32>, !stablehlo.token) -> (tensor<3x2xf32>, tensor<2x3xf32>)"
        )
    };
    let layouts = |operands: &str, results: &str| {
        call(&format!("operand_layouts = [{operands}], result_layouts = [{results}]"))
    };
    let alias = |from: i64, to: &str, part: &str| {
        call(&format!(
            "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [{to}], operand_index = {from}, \
             operand_tuple_indices = [{part}]>]"
        ))
    };
    let (two, none) = ("dense<[1, 0]> : tensor<2xindex>", "dense<> : tensor<0xindex>");
    accepted(&layouts(&format!("{two}, {none}"), &format!("{two}, {two}")));
    accepted(&alias(0, "1", ""));
    accepted(&call("api_version = 4 : i32, backend_config = {bar = 42 : i32}"));
    accepted(&call("api_version = 2 : i32, backend_config = \"bar\""));
    for (line, part) in [
        (call(&format!("operand_layouts = [{two}, {none}]")), "come together"),
        (layouts(two, &format!("{two}, {two}")), "1 layouts of 2 operands"),
        (layouts(&format!("{two}, {none}"), two), "1 layouts of 2 results"),
        (layouts(&format!("{two}, {two}"), &format!("{two}, {two}")), "no order of 0 dimensions"),
        (
            layouts(&format!("dense<[0, 2]> : tensor<2xindex>, {none}"), &format!("{two}, {two}")),
            "[0, 2] of tensor<2x3xf32>",
        ),
        (layouts(&format!("dense<0> : tensor<1xindex>, {none}"), &format!("{two}, {two}")), "no order of 2"),
        (alias(2, "1", ""), "one of 2 operands"),
        (alias(-1, "1", ""), "one of 2 operands"),
        (alias(0, "2", ""), "one of 2 results"),
        (alias(0, "", ""), "one of 2 results"),
        (alias(0, "0", ""), "cannot lie where"),
        (call("api_version = 4 : i32, backend_config = \"bar\""), "must be a dictionary"),
        (call("api_version = 3 : i32, backend_config = {bar = 42 : i32}"), "must be a string"),
    ] {
        let error = refused(&line);
        assert!(error.contains(part), "{error}, not {part}");
    }
}

#[test]
fn fields_are_known_and_there_once() {
    for (text, part) in [
        ("#stablehlo.dot<lhs_batching_dimensions = [0], lhs_batching_dimensions = [0]>", "there twice"),
        ("#stablehlo.dot<foo = [0]>", "has no `foo`"),
        ("#stablehlo.scatter<index_vector_dim = 1, index_vector_dim = 1>", "there twice"),
        ("#stablehlo.gather<collapsed_slice_dims = [0], collapsed_slice_dims = [0]>", "there twice"),
    ] {
        let error =
            parse(&format!("module attributes {{ours.attribute = {text}}} {{}}")).map(drop).expect_err(text);
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn layouts_of_what_comes_in() {
    let infeed = |layout: &str| {
        format!(
            "%0:2 = \"stablehlo.infeed\"(%t) {{infeed_config = \"c\", layout = {layout}}} : (!stablehlo.token) -> (tensor<3x3xi32>, !stablehlo.token)"
        )
    };
    accepted(&infeed("[[0, 1]]"));
    for (layout, part) in [
        ("[]", "0 layouts of 1"),
        ("[[0, 1], []]", "2 layouts of 1"),
        ("[0]", "list of integers"),
        ("[[0, []]]", "list of integers"),
        ("1 : i64", "list of lists"),
    ] {
        let error = refused(&infeed(layout));
        assert!(error.contains(part), "{error}, not {part}");
    }
}
