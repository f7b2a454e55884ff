//! Loops that do the same are one kernel, unless one would leave its memory where the other begins.

use crate::Agreement::Bits;
use crate::check_body;

/// Loops that differ in how far they go alone, over parts of one array that begin where an argument says: the longer one would leave
/// the array from where the shorter one may begin.
#[test]
fn parts_of_different_lengths() {
    let (x, i) = ("tensor<11x2048xf32>", "tensor<i32>");
    let part = |rows: usize| format!("tensor<{rows}x2048xf32>");
    for rows in [[7, 5], [5, 7], [7, 7]] {
        let [first, second] = rows.map(part);
        let body = format!(
            "%z = stablehlo.constant dense<0> : {i}
             %a = stablehlo.dynamic_slice %x, %i, %z, sizes = [{}, 2048] : ({x}, {i}, {i}) -> {first}
             %b = stablehlo.sine %a : {first}
             %c = stablehlo.dynamic_update_slice %y, %b, %z, %z : ({x}, {first}, {i}, {i}) -> {x}
             %d = stablehlo.dynamic_slice %x, %i, %z, sizes = [{}, 2048] : ({x}, {i}, {i}) -> {second}
             %e = stablehlo.sine %d : {second}
             %f = stablehlo.dynamic_update_slice %c, %e, %z, %z : ({x}, {second}, {i}, {i}) -> {x}
             return %f : {x}",
            rows[0], rows[1]
        );
        check_body(&format!("(%x: {x}, %y: {x}, %i: {i}) -> ({x})"), &body, Bits);
    }
}
