//! Moves of elements behind each other, at every offset of small shapes: where positions split into indices is decided by bounds
//! that must be exact.

use crate::Agreement::Bits;
use crate::check;

/// Broadcasts and transposes of a matrix, as a row of numbers, every slice of that row, and the slice as a matrix again.
#[test]
fn every_slice_of_what_is_moved_and_flattened() {
    for (rows, columns) in [(3usize, 4usize), (4, 2), (2, 5)] {
        let n = rows * columns;
        let moves = [
            (
                format!("tensor<{rows}xf32>"),
                format!("broadcast_in_dim %x, dims = [0] : (tensor<{rows}xf32>)"),
            ),
            (
                format!("tensor<{columns}xf32>"),
                format!("broadcast_in_dim %x, dims = [1] : (tensor<{columns}xf32>)"),
            ),
            (
                format!("tensor<{columns}x{rows}xf32>"),
                format!("transpose %x, dims = [1, 0] : (tensor<{columns}x{rows}xf32>)"),
            ),
            (
                format!("tensor<{rows}x{columns}xf32>"),
                format!("reverse %x, dims = [1] : tensor<{rows}x{columns}xf32>"),
            ),
        ];
        for (param, moved) in &moves {
            let moved = match moved.starts_with("reverse") {
                true => moved.clone(),
                false => format!("{moved} -> tensor<{rows}x{columns}xf32>"),
            };
            for (start, limit, step) in
                (0..n).flat_map(|s| (s + 1..=n).flat_map(move |l| (1..4).map(move |step| (s, l, step))))
            {
                let count = (limit - start).div_ceil(step);
                let again = [2, 3].into_iter().find(|d| count.is_multiple_of(*d) && count > *d);
                let shape = again.map_or(format!("{count}"), |d| format!("{}x{d}", count / d));
                check(
                    &format!(
                        "func.func @main(%x: {param}) -> tensor<{shape}xf32> {{
                            %0 = stablehlo.{moved}
                            %1 = stablehlo.reshape %0 : (tensor<{rows}x{columns}xf32>) -> tensor<{n}xf32>
                            %2 = stablehlo.slice %1 [{start}:{limit}:{step}] : (tensor<{n}xf32>) -> tensor<{count}xf32>
                            %3 = stablehlo.reshape %2 : (tensor<{count}xf32>) -> tensor<{shape}xf32>
                            %4 = stablehlo.negate %3 : tensor<{shape}xf32>
                            return %4 : tensor<{shape}xf32>
                        }}"
                    ),
                    Bits,
                );
            }
        }
    }
}
