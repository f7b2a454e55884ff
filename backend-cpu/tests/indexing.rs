//! Slices, updates, gathers and scatters at indices of every integer type, constants and arguments, that lie inside, on the
//! edge and far outside: the interpreter and compiled code against plain arithmetic, values and derivatives.

use crate::common;

use common::all_ways;
use wengert_ir::array::Array;
use wengert_ir::func::Module;
use wengert_ir::types::{DType, DTypeClass, TensorType};
use wengert_passes::ad;

/// Indices to try: of each type the least and the largest, and those about the edges of an operand of `n` elements.
fn starts(dtype: DType, n: i128) -> Vec<i128> {
    let signed = dtype.class() == DTypeClass::Signed;
    let (least, most) = match signed {
        true => (-(1i128 << (dtype.bits() - 1)), (1i128 << (dtype.bits() - 1)) - 1),
        false => (0, (1i128 << dtype.bits()) - 1),
    };
    let mut all = vec![least, most, -1, 0, 3, n - 2, n - 1, n];
    all.retain(|&i| least <= i && i <= most);
    all.sort_unstable();
    all.dedup();
    all
}

fn index_types() -> impl Iterator<Item = DType> {
    DType::ALL.iter().copied().filter(|d| d.is_integer())
}

/// Sizes of operands in registers, and for narrow types also of those in memory: so long that an index of 8 bits may have its
/// first bit set and be inside.
fn sizes(dtype: DType) -> &'static [usize] {
    if dtype.bits() == 8 { &[6, 40, 200] } else { &[6] }
}

fn index(dtype: DType, value: i128) -> Array {
    Array::from_bytes(TensorType::scalar(dtype), &value.to_le_bytes()[..dtype.size()])
}

fn ramp(n: usize, from: f32) -> Array {
    Array::new(&[n], &(0..n).map(|k| from + k as f32).collect::<Vec<_>>())
}

/// The function `main` of a body that reads an operand `%x`, a window of two elements `%s` and an index `%i`, and its vector-Jacobian
/// product by operand and window, both for an index that is a constant and for one that is an argument.
#[track_caller]
fn check(what: &str, n: usize, start: (DType, i128), body: &str, result: usize, expected: [&[f32]; 3]) {
    let (dtype, value) = start;
    let (x, s, ct) = (ramp(n, 10.0), ramp(2, 1.0), ramp(result, 100.0));
    for constant in [true, false] {
        let (params, line) = match constant {
            true => (String::new(), format!("  %i = stablehlo.constant dense<{value}> : tensor<{dtype}>\n")),
            false => (format!(", %i: tensor<{dtype}>"), String::new()),
        };
        let text = format!(
            "func.func @main(%x: tensor<{n}xf32>, %s: tensor<2xf32>{params}) -> tensor<{result}xf32> {{\n{line}{body}\n}}"
        );
        let mut module: Module = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let main = module.find("main").expect("main");
        let mut wrt = vec![true, true];
        let mut args = vec![x.clone(), s.clone()];
        if !constant {
            wrt.push(false);
            args.push(index(dtype, value));
        }
        let g = ad::vjp(&mut module, main, &wrt, &[true]).unwrap_or_else(|e| panic!("{what}: {e}"));
        args.push(ct.clone());
        for (way, found) in all_ways(&module, g, &args, what) {
            for (found, expected) in found.iter().zip(expected) {
                let found = found.as_slice::<f32>();
                assert_eq!(found, expected, "{what} at {value} of {dtype}, constant {constant}, {way}");
            }
        }
    }
}

#[test]
fn slices_and_updates_are_clamped() {
    for dtype in index_types() {
        for &n in sizes(dtype) {
            for value in starts(dtype, n as i128) {
                let at = value.clamp(0, n as i128 - 2) as usize;
                let x: Vec<f32> = (0..n).map(|k| 10.0 + k as f32).collect();
                let mut dx = vec![0.0; n];
                dx[at..at + 2].copy_from_slice(&[100.0, 101.0]);
                let body = format!(
                    "  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<{n}xf32>, tensor<{dtype}>) -> tensor<2xf32>\n  \
                     return %0 : tensor<2xf32>"
                );
                check("dynamic_slice", n, (dtype, value), &body, 2, [&x[at..at + 2], &dx, &[0.0, 0.0]]);

                let mut updated = x.clone();
                updated[at..at + 2].copy_from_slice(&[1.0, 2.0]);
                let mut dx: Vec<f32> = (0..n).map(|k| 100.0 + k as f32).collect();
                let ds = dx[at..at + 2].to_vec();
                dx[at..at + 2].fill(0.0);
                let body = format!(
                    "  %0 = stablehlo.dynamic_update_slice %x, %s, %i : (tensor<{n}xf32>, tensor<2xf32>, tensor<{dtype}>) -> tensor<{n}xf32>\n  \
                     return %0 : tensor<{n}xf32>"
                );
                check("dynamic_update_slice", n, (dtype, value), &body, n, [&updated, &dx, &ds]);

                let body = format!(
                    "  %j = stablehlo.reshape %i : (tensor<{dtype}>) -> tensor<1x{dtype}>\n  \
                     %0 = \"stablehlo.gather\"(%x, %j) <{{dimension_numbers = #stablehlo.gather<offset_dims = [0], \
                     start_index_map = [0]>, slice_sizes = array<i64: 2>}}> : (tensor<{n}xf32>, tensor<1x{dtype}>) -> tensor<2xf32>\n  \
                     return %0 : tensor<2xf32>"
                );
                let mut dx = vec![0.0; n];
                dx[at..at + 2].copy_from_slice(&[100.0, 101.0]);
                check("gather", n, (dtype, value), &body, 2, [&x[at..at + 2], &dx, &[0.0, 0.0]]);
            }
        }
    }
}

/// As XLA does: the whole window, also where a part of it lies inside.
#[test]
fn windows_of_scatters_that_do_not_fit_are_dropped() {
    for dtype in index_types() {
        for &n in sizes(dtype) {
            for value in starts(dtype, n as i128) {
                let at = (0..=n as i128 - 2).contains(&value).then_some(value as usize);
                let x: Vec<f32> = (0..n).map(|k| 10.0 + k as f32).collect();
                let ct: Vec<f32> = (0..n).map(|k| 100.0 + k as f32).collect();
                for reducer in ["assign", "add", "maximum"] {
                    let (combined, given) = match reducer {
                        "assign" => (String::new(), "%b".to_owned()),
                        op => (format!("%c = stablehlo.{op} %a, %b : tensor<f32>"), "%c".to_owned()),
                    };
                    let body = format!(
                        "  %j = stablehlo.reshape %i : (tensor<{dtype}>) -> tensor<1x{dtype}>\n  \
                         %0 = \"stablehlo.scatter\"(%x, %j, %s) <{{scatter_dimension_numbers = \
                         #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}}> ({{\n  \
                         ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    {combined}\n    stablehlo.return {given} : tensor<f32>\n  \
                         }}) : (tensor<{n}xf32>, tensor<1x{dtype}>, tensor<2xf32>) -> tensor<{n}xf32>\n  \
                         return %0 : tensor<{n}xf32>"
                    );
                    let (mut out, mut dx, mut ds) = (x.clone(), ct.clone(), vec![0.0; 2]);
                    if let Some(at) = at {
                        for (k, s) in [1.0, 2.0].into_iter().enumerate() {
                            match reducer {
                                "assign" => (out[at + k], ds[k], dx[at + k]) = (s, ct[at + k], 0.0),
                                "add" => (out[at + k], ds[k]) = (x[at + k] + s, ct[at + k]),
                                _ => {}
                            }
                        }
                    }
                    check(&format!("scatter by {reducer}"), n, (dtype, value), &body, n, [&out, &dx, &ds]);
                }
            }
        }
    }
}

/// A dimension of the operand that no index moves along may be too small for the window's.
#[test]
fn nothing_is_scattered_into_what_is_empty() {
    for (body, result) in [("", "%b"), ("%c = stablehlo.add %a, %b : tensor<f32>", "%c")] {
        let text = format!(
            "func.func @main(%x: tensor<0x3xf32>, %s: tensor<2xf32>, %i: tensor<2x1xi32>) -> tensor<0x3xf32> {{\n  \
             %0 = \"stablehlo.scatter\"(%x, %i, %s) <{{scatter_dimension_numbers = #stablehlo.scatter<\
             inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}}> ({{\n  \
             ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    {body}\n    stablehlo.return {result} : tensor<f32>\n  \
             }}) : (tensor<0x3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<0x3xf32>\n  \
             return %0 : tensor<0x3xf32>\n}}"
        );
        let mut module: Module = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let main = module.find("main").expect("main");
        let g = ad::vjp(&mut module, main, &[true, true, false], &[true]).expect("differentiable");
        let nothing = Array::new(&[0, 3], &[0.0f32; 0]);
        let args = [nothing.clone(), ramp(2, 1.0), Array::new(&[2, 1], &[0, 2i32]), nothing.clone()];
        for (way, found) in all_ways(&module, g, &args, "scatter") {
            assert_eq!(found, [nothing.clone(), nothing.clone(), Array::new(&[2], &[0.0f32, 0.0])], "{way}");
        }
    }
}
