//! Updates are made where their results are wanted only if nothing else reads what was there: another operand of the update,
//! another result, the same elements in another shape.

use crate::Agreement::Bits;
use crate::check_body;

const ADD: &str = "({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %t = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %t : tensor<f64>
  })";

/// A sum into some rows of an array of 6 x 4, the last of which is out of its bounds.
fn scatter(to: &str, x: &str, updates: &str) -> String {
    format!(
        "{to} = \"stablehlo.scatter\"({x}, %i, {updates}) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], \
           inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {ADD} : \
           (tensor<6x4xf64>, tensor<6x1xi64>, tensor<6x4xf64>) -> tensor<6x4xf64>\n"
    )
}

fn slice_update(to: &str, x: &str, update: &str) -> String {
    format!(
        "{to} = stablehlo.dynamic_update_slice {x}, {update}, %one, %zero : \
           (tensor<6x4xf64>, tensor<5x4xf64>, tensor<i64>, tensor<i64>) -> tensor<6x4xf64>\n"
    )
}

/// Every way to make what is changed, times every thing that may read it besides.
#[test]
fn what_is_read_besides_stays_as_it_was() {
    let makers = [
        "%x = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf64>) -> tensor<6x4xf64>\n",
        "%x = stablehlo.sine %m : tensor<6x4xf64>\n",
        "%s = stablehlo.sine %m : tensor<6x4xf64>\n%w = stablehlo.reshape %s : (tensor<6x4xf64>) -> tensor<4x6xf64>\n\
         %x = stablehlo.reshape %w : (tensor<4x6xf64>) -> tensor<6x4xf64>\n",
        "%s = stablehlo.slice %l [0:12:2, 0:4] : (tensor<12x4xf64>) -> tensor<6x4xf64>\n\
         %w = stablehlo.concatenate %s, dim = 0 : (tensor<6x4xf64>) -> tensor<6x4xf64>\n\
         %v = stablehlo.reshape %w : (tensor<6x4xf64>) -> tensor<24xf64>\n\
         %x = stablehlo.reshape %v : (tensor<24xf64>) -> tensor<6x4xf64>\n",
    ];
    let flat = "%f = stablehlo.reshape %x : (tensor<6x4xf64>) -> tensor<24xf64>\n";
    let turned = "%u = stablehlo.reshape %f : (tensor<24xf64>) -> tensor<6x4xf64>\n";
    let part = "%u = stablehlo.slice %x [1:6, 0:4] : (tensor<6x4xf64>) -> tensor<5x4xf64>\n";
    let uses = [
        // As its own updates, as they are, in another shape, and computed of it.
        (scatter("%y", "%x", "%x"), "return %y", ""),
        (format!("{flat}{turned}{}", scatter("%y", "%x", "%u")), "return %y", ""),
        (
            format!("%u = stablehlo.cosine %x : tensor<6x4xf64>\n{}", scatter("%y", "%x", "%u")),
            "return %y",
            "",
        ),
        (format!("{part}{}", slice_update("%y", "%x", "%u")), "return %y", ""),
        // By another result.
        (format!("{flat}{}", scatter("%y", "%x", "%m")), "return %y, %f", ", tensor<24xf64>"),
        (format!("{flat}{}", scatter("%y", "%x", "%m")), "return %y, %x", ", tensor<6x4xf64>"),
        (format!("{flat}{part}{}", slice_update("%y", "%x", "%u")), "return %y, %f", ", tensor<24xf64>"),
        // Of two updates, one of which reads what the other changes.
        (format!("{}{}", scatter("%z", "%x", "%m"), scatter("%y", "%z", "%x")), "return %y", ""),
        (format!("{}{}", scatter("%z", "%x", "%m"), scatter("%y", "%z", "%z")), "return %y", ""),
        (
            format!("{}{}", scatter("%z", "%x", "%m"), scatter("%y", "%x", "%z")),
            "return %y, %z",
            ", tensor<6x4xf64>",
        ),
        // By a later update, which computes it again.
        (
            format!(
                "{}%n = stablehlo.negate %m : tensor<6x4xf64>\n{}",
                scatter("%y", "%x", "%m"),
                scatter("%z", "%n", "%x")
            ),
            "return %y, %z",
            ", tensor<6x4xf64>",
        ),
    ];
    for maker in makers {
        for (body, results, types) in &uses {
            check_body(
                &format!(
                    "(%a: tensor<4xf64>, %m: tensor<6x4xf64>, %l: tensor<12x4xf64>) -> (tensor<6x4xf64>{types})"
                ),
                &format!(
                    "%i = stablehlo.constant dense<[[1], [0], [5], [1], [-1], [3]]> : tensor<6x1xi64>
                     %one = stablehlo.constant dense<1> : tensor<i64>
                     %zero = stablehlo.constant dense<0> : tensor<i64>
                     {maker}{body}{results} : tensor<6x4xf64>{types}"
                ),
                Bits,
            );
        }
    }
}
