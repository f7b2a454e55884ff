//! Products of windows that are read where they lie, with another factor that lies in any order.

use crate::Agreement::Relative;
use crate::check_body;

/// The dimensions of the other factor: of the window's place, of its features, and two of columns, which are one walk of memory only if
/// they are neighbours.
#[test]
fn columns_lie_anywhere() {
    // 20 windows of 5 rows.
    let indices: Vec<String> = (0..20)
        .map(|row| format!("[{}]", [0, 1, 2, 3, 4].map(|k| format!("[{}]", row + k)).join(", ")))
        .collect();
    for order in ["pfcd", "cdpf", "cpfd", "pcfd", "cpdf", "pcdf", "dcpf", "pfdc", "dpfc"] {
        let size = |name: char| match name {
            'p' => 5,
            'f' => 3,
            'c' => 4,
            _ => 6,
        };
        let at = |name: char| order.find(name).expect("each is there");
        let w = order.chars().map(|name| format!("{}x", size(name))).collect::<String>();
        let columns =
            order.chars().filter(|name| "cd".contains(*name)).map(|name| format!("{}x", size(name)));
        let result = format!("tensor<20x{}f64>", columns.collect::<String>());
        let body = format!(
            "%i = stablehlo.constant dense<[{}]> : tensor<20x5x1xi32>
             %v = \"stablehlo.gather\"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
               start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 3>}}> :
               (tensor<24x3xf64>, tensor<20x5x1xi32>) -> tensor<20x5x3xf64>
             %0 = stablehlo.dot_general %v, %w, contracting_dims = [1, 2] x [{}, {}] : (tensor<20x5x3xf64>, tensor<{w}f64>) -> {result}
             return %0 : {result}",
            indices.join(", "),
            at('p'),
            at('f')
        );
        check_body(
            &format!("(%x: tensor<24x3xf64>, %w: tensor<{w}f64>) -> ({result})"),
            &body,
            Relative(1e-12),
        );
    }
}
