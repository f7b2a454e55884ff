//! Matrix products with few columns, or few rows: of every layout, with rows and sums that walk memory along several dimensions, alone,
//! in batches and added to what is there, against the interpreter of kernels.

use crate::common;

use common::run;
use std::collections::HashSet;
use wengert_cpu::Options;
use wengert_cpu::testing::{thin_products, with_narrow_vectors};
use wengert_ir::array::Array;
use wengert_ir::kernel::{Program, interp, text, verify};
use wengert_ir::testing::{Random, floats};
use wengert_ir::types::{DType, TensorType};

/// Strides of dimensions from the innermost on, with gaps of `gap` elements between what is in one and the next; and how many there
/// are in all.
fn strides(sizes: &[usize], gap: usize) -> (Vec<usize>, usize) {
    let mut at = 1;
    let strides = sizes.iter().map(|&n| {
        let step = at;
        at = step * n + gap;
        step
    });
    let strides = strides.collect();
    (strides, at)
}

/// A program of two arguments and a result, of so many elements, which are `%m0` to `%m2`.
fn program_of(ty: &str, [a, b, c]: [usize; 3], body: &str) -> String {
    format!(
        "program @p(tensor<{a}x{ty}>, tensor<{b}x{ty}>) -> (tensor<{c}x{ty}>) mode default scratch 0 entry @main {{
           mem0 = param 0 : memref<{a}x{ty}>
           mem1 = param 1 : memref<{b}x{ty}>
           mem2 = result 0 : memref<{c}x{ty}>
           func @main() {{
             %m0 = program mem0 : memref<{a}x{ty}>
             %m1 = program mem1 : memref<{b}x{ty}>
             %m2 = program mem2 : memref<{c}x{ty}>
             {body}
           }}
         }}"
    )
}

/// Fills the result.
fn filled(value: &str, ty: &str, len: usize) -> String {
    format!(
        "%z = arith.constant {value} : {ty}
         scf.for %i = 0 to {len} step 1 {{
           memref.store %z, %m2[%i] : {ty}
         }}"
    )
}

/// A product: `gemm` and then the same added, of sizes and layouts that the seed chooses.
fn product(seed: u64, ty: &str) -> String {
    let mut random = Random(seed);
    let mut below = |n: usize| random.below(n);
    let (batch, m, n, k) = (
        [1, 1, 1, 2][below(4)],
        [8, 15, 16, 17, 48, 70, 259, 601][below(8)],
        1 + below(9),
        [1, 3, 8, 9, 16, 40, 130, 300][below(8)],
    );
    let (rows, sums) = ([1, 1, 1, 2, 3][below(5)], [1, 1, 1, 2, 4][below(5)]);
    // Which dimension is innermost: rows, rows' outer, the sum, its outer, batches.
    let a_orders = [[0, 1, 2, 3, 4], [2, 3, 0, 1, 4], [0, 2, 3, 1, 4], [2, 0, 3, 1, 4], [3, 0, 2, 1, 4]];
    let (order, sizes) = (a_orders[below(5)], [m, rows, k, sums, batch]);
    let (of_a, a_len) = strides(&order.map(|d| sizes[d]), below(3));
    let a = |d: usize| of_a[order.iter().position(|&o| o == d).expect("each is there")];
    // Of `b`: columns, the sum, its outer, batches; or the sum first.
    let (order, sizes) = ([[0, 1, 2, 3], [1, 2, 0, 3]][below(2)], [n, k, sums, batch]);
    let (of_b, b_len) = strides(&order.map(|d| sizes[d]), below(3));
    let b = |d: usize| of_b[order.iter().position(|&o| o == d).expect("each is there")];
    // Of `c`: columns lie together, or rows; where rows have dimensions, it is the first.
    let (order, sizes) =
        ([[0, 1, 2, 3], [1, 2, 0, 3]][if rows * sums > 1 { 0 } else { below(2) }], [n, m, rows, batch]);
    let (of_c, c_len) = strides(&order.map(|d| sizes[d]), below(2) * 3);
    let c = |d: usize| of_c[order.iter().position(|&o| o == d).expect("each is there")];
    let levels = |word: &str, extent: usize, x: usize, y: usize| match extent {
        1 => String::new(),
        _ => format!(" {word} [({extent}, {x}, {y})]"),
    };
    let row_levels = levels("rows", rows, a(1), c(2));
    let sum_levels = levels("sum", sums, a(3), b(2));
    let mut left = format!("(%m0[0], {}, {}, {})", a(0), a(2), a(4));
    let mut right = format!("(%m1[0], {}, {}, {})", b(1), b(0), b(3));
    let mut out = format!("(%m2[0], {}, {}, {})", c(1), c(0), c(3));
    let mut sizes = format!("[{batch}, {m}, {n}, {k}]");
    if rows * sums == 1 && below(3) == 0 {
        // The same with the few as rows.
        (left, right) = (
            format!("(%m1[0], {}, {}, {})", b(0), b(1), b(3)),
            format!("(%m0[0], {}, {}, {})", a(2), a(0), a(4)),
        );
        out = format!("(%m2[0], {}, {}, {})", c(0), c(1), c(3));
        sizes = format!("[{batch}, {n}, {m}, {k}]");
    }
    let call = format!("library.gemm {ty} {sizes} {left} {right} {out}{row_levels}{sum_levels}");
    program_of(ty, [a_len, b_len, c_len], &format!("{}\n{call}\n{call} adds", filled("0.0", ty, c_len)))
}

#[test]
fn few_columns_of_every_layout() {
    for (ty, dtype, tolerance) in [("f32", DType::F32, 2e-5), ("f64", DType::F64, 1e-13)] {
        let (mut refused, mut ways) = (0, Vec::new());
        for seed in 0..200 {
            let source = product(seed, ty);
            let program = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
            if verify::verify(&program).is_err() {
                // Two of its elements would lie in one place.
                refused += 1;
                continue;
            }
            let mut random = Random(seed);
            let args: Vec<Array> = program.params.iter().map(|ty| random.array(ty, -1.0, 1.0)).collect();
            let want = floats(&interp::run(&program, &args).expect("interprets")[0]);
            for got in both(&program, &args) {
                assert_eq!(*got.ty(), TensorType::new(dtype, &[want.len()]));
                for (k, (x, y)) in floats(&got).into_iter().zip(&want).enumerate() {
                    assert!(
                        (x - y).abs() <= tolerance * (10.0 + y.abs()),
                        "element {k}: {x} instead of {y}\n{source}"
                    );
                }
            }
            ways.extend(thin_products(&program));
        }
        let count = |way: &str| ways.iter().filter(|w| *w == way).count();
        let counts = [count("Some(Rows)"), count("Some(Sum)"), count("None")];
        assert!(refused < 30 && counts.iter().all(|&n| n >= 20), "{ty}: {refused} refused, {counts:?}");
    }
}

/// The result as this machine computes it, and with vectors of 256 bits.
fn both(program: &Program, args: &[Array]) -> [Array; 2] {
    let one = || run(program, &Options::default(), args).remove(0);
    [one(), with_narrow_vectors(one)]
}

/// What lies beyond the end of a row or of a sum has no part in it, be it infinite.
#[test]
fn nothing_beyond_the_end_is_part_of_a_sum() {
    let cases = [
        (3, 259, 11, [1, 300], "Rows"),
        (4, 83, 30, [1, 90], "Rows"),
        (3, 35, 131, [140, 1], "Sum"),
        (2, 39, 131, [132, 1], "Sum"),
        (1, 1501, 6, [9, 1], "Sum"),
        (3, 601, 7, [8, 1], "Sum"),
        (7, 301, 5, [6, 1], "Sum"),
    ];
    for (columns, rows, depth, [row, sum], way) in cases {
        let (a, b, c) = ((rows - 1) * row + depth * sum + 40, depth * columns + 20, rows * columns);
        let call = format!(
            "library.gemm f32 [1, {rows}, {columns}, {depth}] (%m0[0], {row}, {sum}, 0) (%m1[0], {columns}, 1, 0) (%m2[0], {columns}, 1, 0)"
        );
        let source = program_of("f32", [a, b, c], &call);
        let program = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
        assert_eq!(thin_products(&program), [format!("Some({way})")]);
        let mut args: Vec<Array> = program.params.iter().map(|ty| Random(3).array(ty, -1.0, 1.0)).collect();
        let read: HashSet<usize> =
            (0..rows).flat_map(|i| (0..depth).map(move |k| i * row + k * sum)).collect();
        let infinity = f32::INFINITY.to_le_bytes();
        for at in (0..a).filter(|at| !read.contains(at)) {
            args[0].bytes_mut()[4 * at..4 * at + 4].copy_from_slice(&infinity);
        }
        for at in depth * columns..b {
            args[1].bytes_mut()[4 * at..4 * at + 4].copy_from_slice(&infinity);
        }
        for got in both(&program, &args) {
            assert!(floats(&got).iter().all(|x| x.is_finite()), "{way}: {got:?}");
        }
    }
}

/// A row's bits are its own: equal rows have equal results, wherever in a tile, at an end or (where sums are added to what is there) alone
/// they are, so that they do not depend on how threads share them.
#[test]
fn equal_rows_have_equal_bits() {
    for (ty, seed) in [("f32", 5), ("f64", 6)] {
        for (columns, depth) in (1..=7).flat_map(|n| [5, 8, 9, 16, 23, 40, 1100].map(|k| (n, k))) {
            let rows = 8192usize.div_ceil(columns * depth) + 17;
            let (b, c) = (depth * columns, rows * columns);
            let call = format!(
                "library.gemm {ty} [1, {rows}, {columns}, {depth}] (%m0[0], 0, 1, 0) (%m1[0], {columns}, 1, 0) (%m2[0], {columns}, 1, 0)"
            );
            let source = program_of(ty, [depth, b, c], &call);
            let program = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
            assert_eq!(thin_products(&program), ["Some(Sum)"]);
            let args: Vec<Array> =
                program.params.iter().map(|ty| Random(seed).array(ty, -1.0, 1.0)).collect();
            for got in both(&program, &args) {
                let got = floats(&got);
                for row in got.chunks_exact(columns) {
                    assert_eq!(row, &got[..columns], "{ty}, {columns} columns of sums of {depth}");
                }
            }
        }
    }
}

/// No product at all writes nothing.
#[test]
fn a_batch_of_none_is_none() {
    for (n, rows) in [(4, 1), (4, 64), (64, 1)] {
        let call = format!(
            "library.gemm f32 [0, 64, {n}, 64] (%m0[0], {rows}, {}, 0) (%m1[0], {n}, 1, 0) (%m2[0], {n}, 1, 0)",
            65 - rows
        );
        let source = program_of("f32", [4096; 3], &format!("{}\n{call}", filled("3.0", "f32", 4096)));
        let program = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
        let args: Vec<Array> = program.params.iter().map(|ty| Random(1).array(ty, -1.0, 1.0)).collect();
        let got = run(&program, &Options::default(), &args).remove(0);
        assert!(floats(&got).iter().all(|&x| x == 3.0), "{source}");
    }
}

/// Small products by rows that are one vector, part of one or more: each element is the sum in order, by fused multiply-adds, and
/// nothing is written beside the result.
#[test]
fn small_products_are_sums_in_order() {
    for (m, n) in (1..=9).flat_map(|m| (1..=18).map(move |n| (m, n))) {
        let k = 1 + (5 * m + n) % 7;
        for (row, column, across) in [(n, 1, false), (1, k, true)] {
            let call = format!(
                "library.gemm f64 [1, {m}, {n}, {k}] (%m0[0], {k}, 1, 0) (%m1[0], {row}, {column}, 0) (%m2[0], {n}, 1, 0)"
            );
            let len = m * n + 16;
            let body = format!("{}\n{call}", filled("7.5", "f64", len));
            let source = program_of("f64", [m * k, k * n, len], &body);
            let program = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
            let args: Vec<Array> = program.params.iter().map(|ty| Random(9).array(ty, -1.0, 1.0)).collect();
            let [a, b] = [0, 1].map(|i| floats(&args[i]));
            let element = |i: usize, j: usize| {
                (0..k).fold(0f64, |sum, t| a[i * k + t].mul_add(b[t * row + j * column], sum))
            };
            for got in both(&program, &args) {
                let got = floats(&got);
                for (at, x) in got.iter().enumerate() {
                    let want = if at < m * n { element(at / n, at % n) } else { 7.5 };
                    assert_eq!(x.to_bits(), want.to_bits(), "element {at} of {m} x {n} x {k}, {across}");
                }
            }
        }
    }
}
