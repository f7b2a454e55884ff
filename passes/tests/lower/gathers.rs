//! Gathers read anywhere, so what they read is made before, however it is made and whatever reads the gather.

use crate::Agreement::Bits;
use crate::check_body;

/// A gather of rows of `from`, which has so many columns.
fn gather(to: &str, from: &str, columns: usize, types: &str) -> String {
    format!(
        "{to} = \"stablehlo.gather\"({from}, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], \
           start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {columns}>}}> : {types}\n"
    )
}

/// `X` is the type of the argument, `T` that of what is made and gathered, `G` that of the gather.
#[test]
fn what_is_gathered_is_made_in_any_way() {
    let again = gather("%t", "%x", 5, "(X, tensor<8x1xi32>) -> T");
    let makers = [
        ("%t = stablehlo.sine %x : T", [10, 5]),
        ("%t = stablehlo.iota dim = 0 : T", [10, 5]),
        ("%t = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f64>) -> T", [10, 5]),
        ("%t = stablehlo.pad %x, %z, low = [1, 0], high = [2, 1], interior = [0, 0] : (X, tensor<f64>) -> T", [13, 6]),
        ("%s = stablehlo.sine %x : X\n%t = stablehlo.concatenate %x, %s, %x, dim = 0 : (X, X, X) -> T", [30, 5]),
        ("%s = stablehlo.sine %x : X\n%t = stablehlo.reverse %s, dims = [0] : T", [10, 5]),
        ("%s = stablehlo.sine %x : X\n%t = stablehlo.transpose %s, dims = [1, 0] : (X) -> T", [5, 10]),
        ("%s = stablehlo.sine %x : X\n%t = stablehlo.reshape %s : (X) -> T", [25, 2]),
        ("%s = stablehlo.sine %x : X\n%t = stablehlo.slice %s [2:10:2, 1:4] : (X) -> T", [4, 3]),
        ("%s = stablehlo.is_finite %x : (X) -> tensor<10x5xi1>\n%t = stablehlo.select %s, %x, %y : tensor<10x5xi1>, T", [10, 5]),
        (
            "%s = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (X) -> tensor<10x3x5xf64>
             %t = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1] : (tensor<10x3x5xf64>, tensor<f64>) -> T",
            [10, 5],
        ),
        (
            "%s = stablehlo.slice %y [0:2, 0:5] : (X) -> tensor<2x5xf64>
             %t = stablehlo.dynamic_update_slice %x, %s, %k, %k : (X, tensor<2x5xf64>, tensor<i32>, tensor<i32>) -> T",
            [10, 5],
        ),
        (&again, [8, 5]),
    ];
    // Alone, in one kernel with others, at other places of the result, and beside others that read the same.
    let uses = [
        ("return %g : G", "G"),
        ("%a = stablehlo.sine %g : G\n%b = stablehlo.multiply %a, %g : G\nreturn %b : G", "G"),
        ("%a = stablehlo.reverse %g, dims = [0] : G\n%b = stablehlo.add %a, %g : G\nreturn %b : G", "G"),
        ("%a = stablehlo.sine %g : G\n%b = stablehlo.cosine %t : T\nreturn %a, %b : G, T", "G, T"),
    ];
    for (made, [rows, columns]) in &makers {
        let gathered = gather("%g", "%t", *columns, "(T, tensor<8x1xi32>) -> G");
        for (used, results) in uses {
            let params = "%x: X, %y: X, %z: tensor<f64>, %i: tensor<8x1xi32>, %k: tensor<i32>";
            let text = format!("({params}) -> ({results})|{made}\n{gathered}{used}");
            let text = [('X', [10, 5]), ('T', [*rows, *columns]), ('G', [8, *columns])]
                .iter()
                .fold(text, |text, (name, [rows, columns])| {
                    text.replace(*name, &format!("tensor<{rows}x{columns}xf64>"))
                });
            let (signature, body) = text.split_once('|').expect("between the two");
            check_body(signature, body, Bits);
        }
    }
}
