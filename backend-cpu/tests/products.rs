//! Contractions and convolutions whose operands and result have different element types: the interpreter and compiled code
//! against sums of exact products, for every pair of types that may be multiplied. Elements have so few bits that only the
//! conversion of a sum to the result's type rounds or wraps.

use crate::common;

use common::all_ways;
use wengert_cpu::Executable;
use wengert_cpu::testing::with_narrow_vectors;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{DotGeneral, Op, Precision};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, Dims, TensorType};
use wengert_passes::ad;
use wengert_passes::lower::{Options, lower};

/// Types that may be multiplied with each other, and what their products may be.
#[rustfmt::skip]
const KINDS: &[(&[DType], &[DType])] = {
    use DType::*;
    &[
        (&[I4, I8, U8, I16, I32, U64],            &[I4, I8, U16, I32, I64, F32]),
        (&[F64, F32, F16, BF16, F8E4M3FN, F8E5M2], &[F64, F32, F16, BF16, F8E5M2, I32, C64]),
        (&[C64, C128],                            &[C64, C128, F32, F64]),
        (&[I1],                                   &[I1, I32, F32]),
    ]
};

/// Dimensions of the left operand, and of the right one.
type Pair = [&'static [usize]; 2];

/// The shapes of operands, and what is batched and contracted: in registers, products of elements, loops or calls, batches.
#[rustfmt::skip]
const SHAPES: &[(&[usize], &[usize], Pair, Pair)] = &[
    (&[2, 3],    &[3, 2],    [&[], &[]],   [&[1], &[0]]),
    (&[6, 1],    &[1, 5],    [&[], &[]],   [&[1], &[0]]),
    (&[7, 19],   &[19, 5],   [&[], &[]],   [&[1], &[0]]),
    (&[3, 4, 6], &[6, 3, 5], [&[0], &[1]], [&[2], &[0]]),
];

/// A complex number, exactly.
type Exact = (f64, f64);

/// Small numbers of few bits that every type of the kind has.
fn elements(dtype: DType, shape: &[usize], random: &mut Random) -> (Array, Vec<Exact>) {
    let n: usize = shape.iter().product();
    let mut part = |dtype: DType| match dtype {
        DType::I1 => random.below(2) as f64,
        d if d.is_integer() => {
            let (low, high) = match d {
                DType::U4 | DType::U8 | DType::U16 | DType::U64 => (0, 1i64 << (d.bits().min(8))),
                _ => (-(1i64 << (d.bits().min(8) - 1)), 1 << (d.bits().min(8) - 1)),
            };
            (low + random.below((high - low) as usize) as i64) as f64
        }
        _ => (random.below(13) as f64 - 6.0) / 4.0,
    };
    let exact: Vec<Exact> = (0..n)
        .map(|_| (part(dtype.part()), if dtype.is_complex() { part(dtype.part()) } else { 0.0 }))
        .collect();
    (converted(shape, &exact, dtype), exact)
}

/// Numbers in an element type: of a complex number the real part where the type is real, of an integer its last bits.
fn converted(shape: &[usize], numbers: &[Exact], dtype: DType) -> Array {
    if dtype.is_integer() {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|x| {
                let unused = 64 - dtype.bits();
                let bits = x.0 as i64;
                let signed = dtype.class() == wengert_ir::types::DTypeClass::Signed;
                let bits = if signed {
                    bits << unused >> unused
                } else {
                    ((bits as u64) << unused >> unused) as i64
                };
                bits.to_le_bytes()[..dtype.size()].to_vec()
            })
            .collect();
        return Array::from_bytes(TensorType::new(dtype, shape), &bytes);
    }
    let parts: Vec<f64> = numbers.iter().flat_map(|&(re, im)| [re, im]).collect();
    let wide = Array::from_bytes(TensorType::new(DType::C128, shape), bytes_of(&parts));
    wengert_ir::ops::convert(&wide, dtype).expect("every type converts")
}

fn bytes_of(numbers: &[f64]) -> &[u8] {
    bytemuck::cast_slice(numbers)
}

fn row_major(shape: &[usize], index: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |at, (i, n)| at * n + i)
}

fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let n: usize = shape.iter().product();
    (0..n)
        .map(|mut k| {
            let mut index = vec![0; shape.len()];
            for (i, &n) in index.iter_mut().zip(shape).rev() {
                *i = k % n;
                k /= n;
            }
            index
        })
        .collect()
}

/// `result[b, l, r]`, summed over the one contracted dimension.
fn contracted(
    dot: &DotGeneral,
    lhs: (&[usize], &[Exact]),
    rhs: (&[usize], &[Exact]),
) -> (Vec<usize>, Vec<Exact>) {
    let free = |rank: usize, batch: &Dims, sum: &Dims| -> Vec<usize> {
        (0..rank).filter(|d| !batch.contains(d) && !sum.contains(d)).collect()
    };
    let left = free(lhs.0.len(), &dot.lhs_batching_dims, &dot.lhs_contracting_dims);
    let right = free(rhs.0.len(), &dot.rhs_batching_dims, &dot.rhs_contracting_dims);
    let mut shape: Vec<usize> = dot.lhs_batching_dims.iter().map(|&d| lhs.0[d]).collect();
    shape.extend(left.iter().map(|&d| lhs.0[d]));
    shape.extend(right.iter().map(|&d| rhs.0[d]));
    let depth = lhs.0[dot.lhs_contracting_dims[0]];
    let batches = dot.lhs_batching_dims.len();
    let element = |at: &[usize]| {
        (0..depth).fold((0.0, 0.0), |sum: Exact, k| {
            let (mut l, mut r) = (vec![0; lhs.0.len()], vec![0; rhs.0.len()]);
            for (b, (&i, &j)) in dot.lhs_batching_dims.iter().zip(&dot.rhs_batching_dims).enumerate() {
                (l[i], r[j]) = (at[b], at[b]);
            }
            left.iter().enumerate().for_each(|(k, &d)| l[d] = at[batches + k]);
            right.iter().enumerate().for_each(|(k, &d)| r[d] = at[batches + left.len() + k]);
            (l[dot.lhs_contracting_dims[0]], r[dot.rhs_contracting_dims[0]]) = (k, k);
            let ((a, b), (c, d)) = (lhs.1[row_major(lhs.0, &l)], rhs.1[row_major(rhs.0, &r)]);
            (sum.0 + a * c - b * d, sum.1 + a * d + b * c)
        })
    };
    let all = indices(&shape).iter().map(|at| element(at)).collect();
    (shape, all)
}

fn dot(row: usize, dtype: DType) -> DotGeneral {
    let (_, _, batching, contracting) = SHAPES[row];
    DotGeneral {
        lhs_batching_dims: Dims::from_slice(batching[0]),
        rhs_batching_dims: Dims::from_slice(batching[1]),
        lhs_contracting_dims: Dims::from_slice(contracting[0]),
        rhs_contracting_dims: Dims::from_slice(contracting[1]),
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype,
    }
}

/// Results of one type, put together in one function, and what they must be.
#[derive(Default)]
struct Table {
    module: Module,
    func: Func,
    args: Vec<Array>,
    expected: Vec<(String, Array)>,
}

impl Table {
    fn param(&mut self, arg: Array) -> Value {
        let v = self.func.param(arg.ty().clone());
        self.args.push(arg);
        v
    }

    fn push(&mut self, op: impl Into<Op>, operands: &[Value], what: String, expected: Array) {
        let pushed = self.func.push(&self.module, op.into(), operands, Loc::Unknown);
        self.func.results.push(pushed.unwrap_or_else(|e| panic!("{what}: {e}"))[0]);
        self.expected.push((what, expected));
    }

    fn check(mut self, what: &str) {
        self.func.kind = FuncKind::Public;
        self.func.name = "main".into();
        let id: FuncId = self.module.add(self.func);
        for (way, found) in all_ways(&self.module, id, &self.args, what) {
            for (found, (what, expected)) in found.iter().zip(&self.expected) {
                assert_eq!(found.ty(), expected.ty(), "{what}, {way}");
                // A zero may have either sign.
                let wide = |x: &Array| wengert_ir::ops::convert(x, DType::C128).expect("every type widens");
                let same = if found.dtype().is_integer() {
                    found == expected
                } else {
                    parts(&wide(found)) == parts(&wide(expected))
                };
                assert!(same, "{what}, {way}: {found:?} instead of {expected:?}");
            }
        }
    }
}

fn parts(x: &Array) -> Vec<f64> {
    x.bytes().chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().expect("8 bytes"))).collect()
}

#[test]
fn contractions_of_every_pair_of_types() {
    for &(operands, results) in KINDS {
        for &result in results {
            let (mut table, mut random) = (Table::default(), Random(7));
            for (row, &(left, right, ..)) in SHAPES.iter().enumerate() {
                let of = |dtype: DType, shape: &[usize], random: &mut Random, t: &mut Table| {
                    let (array, exact) = elements(dtype, shape, random);
                    (dtype, t.param(array), exact)
                };
                let ls: Vec<_> = operands.iter().map(|&d| of(d, left, &mut random, &mut table)).collect();
                let rs: Vec<_> = operands.iter().map(|&d| of(d, right, &mut random, &mut table)).collect();
                for (l, a, x) in &ls {
                    for (r, b, y) in &rs {
                        let op = dot(row, result);
                        let (shape, mut exact) = contracted(&op, (left, x), (right, y));
                        if *l == DType::I1 && result == DType::I1 {
                            exact.iter_mut().for_each(|e| e.0 = e.0.min(1.0));
                        }
                        let expected = converted(&shape, &exact, result);
                        table.push(op, &[*a, *b], format!("{l} times {r} as {result}, row {row}"), expected);
                    }
                }
            }
            table.check(&format!("results of {result}"));
        }
    }
}

/// The cotangents of operands of their own types: products of the cotangent of the result with the other operand.
#[test]
fn derivatives_of_every_pair_of_floats() {
    use DType::*;
    for (l, r, result) in [
        (BF16, BF16, F32),
        (F16, F16, F32),
        (F8E4M3FN, F8E5M2, F32),
        (F32, BF16, F32),
        (BF16, F32, BF16),
        (F32, F32, F64),
        (F64, F64, F32),
        (F32, F64, F64),
        (C64, C64, C128),
        (C64, C128, C64),
        (C64, C64, F32),
        (F32, F32, C64),
    ] {
        for (row, &(left, right, ..)) in SHAPES.iter().enumerate() {
            let what = format!("{l} times {r} as {result}, row {row}");
            let mut random = Random(11);
            let ((a, x), (b, y)) = (elements(l, left, &mut random), elements(r, right, &mut random));
            let op = dot(row, result);
            let (shape, _) = contracted(&op, (left, &x), (right, &y));
            let (ct, z) = elements(result, &shape, &mut random);
            let mut module = Module::new("test");
            let mut func = Func::new("main", FuncKind::Public);
            let params = [&a, &b].map(|p| func.param(p.ty().clone()));
            func.results =
                func.push(&module, op.clone().into(), &params, Loc::Unknown).expect("fits").to_vec();
            let f = module.add(func);
            let g = ad::vjp(&mut module, f, &[true, true], &[true]).unwrap_or_else(|e| panic!("{what}: {e}"));
            // What each product of elements adds to: its cotangent times the other factor.
            let (mut da, mut db) = (vec![(0.0, 0.0); x.len()], vec![(0.0, 0.0); y.len()]);
            let times = |(a, b): Exact, (c, d): Exact| (a * c - b * d, a * d + b * c);
            for at in indices(&shape) {
                let batches = op.lhs_batching_dims.len();
                for k in 0..left[op.lhs_contracting_dims[0]] {
                    let place = |shape: &[usize], batch: &Dims, sum: usize, own: usize| {
                        let mut index = vec![0; shape.len()];
                        for (d, i) in index.iter_mut().enumerate() {
                            *i = match batch.iter().position(|&b| b == d) {
                                Some(b) => at[b],
                                None if d == sum => k,
                                None => at[batches + own],
                            };
                        }
                        row_major(shape, &index)
                    };
                    let i = place(left, &op.lhs_batching_dims, op.lhs_contracting_dims[0], 0);
                    let j = place(right, &op.rhs_batching_dims, op.rhs_contracting_dims[0], 1);
                    let c = z[row_major(&shape, &at)];
                    let (p, q) = (times(c, y[j]), times(c, x[i]));
                    da[i] = (da[i].0 + p.0, da[i].1 + p.1);
                    db[j] = (db[j].0 + q.0, db[j].1 + q.1);
                }
            }
            let expected = [converted(left, &da, l), converted(right, &db, r)];
            for (way, found) in all_ways(&module, g, &[a.clone(), b.clone(), ct.clone()], &what) {
                for (found, expected) in found[1..].iter().zip(&expected) {
                    let wide = |x: &Array| parts(&wengert_ir::ops::convert(x, C128).expect("floats widen"));
                    assert_eq!(found.ty(), expected.ty(), "{what}, {way}");
                    assert_eq!(wide(found), wide(expected), "{what}, {way}");
                }
            }
        }
    }
}

/// A convolution of one dimension, with padding, is a sum of products like any other.
#[test]
fn convolutions_of_every_pair_of_types() {
    for &(operands, results) in KINDS {
        for &result in results {
            for &l in operands {
                let mut body = String::new();
                let (mut params, mut names, mut types) = (String::new(), String::new(), String::new());
                let mut random = Random(5);
                let (x, xs) = elements(l, &[2, 3, 5], &mut random);
                let (mut args, mut expected) = (vec![x], Vec::new());
                for (k, &r) in operands.iter().enumerate() {
                    let (w, ws) = elements(r, &[4, 3, 3], &mut random);
                    let (of, out) = (format!("tensor<4x3x3x{r}>"), format!("tensor<2x4x5x{result}>"));
                    params += &format!(", %w{k}: {of}");
                    body += &format!(
                        "  %{k} = stablehlo.convolution(%x, %w{k}) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], \
                         window = {{pad = [[1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : \
                         (tensor<2x3x5x{l}>, {of}) -> {out}\n"
                    );
                    let comma = if k > 0 { ", " } else { "" };
                    names += &format!("{comma}%{k}");
                    types += &format!("{comma}{out}");
                    args.push(w);
                    let element = |at: &Vec<usize>| {
                        let mut sum = (0.0, 0.0);
                        for (i, t) in (0..3).flat_map(|i| (0..3).map(move |t| (i, t))) {
                            let Some(from) = (at[2] + t).checked_sub(1).filter(|&p| p < 5) else { continue };
                            let (a, b) = xs[row_major(&[2, 3, 5], &[at[0], i, from])];
                            let (c, d) = ws[row_major(&[4, 3, 3], &[at[1], i, t])];
                            sum = (sum.0 + a * c - b * d, sum.1 + a * d + b * c);
                        }
                        if l == DType::I1 && result == DType::I1 { (f64::min(sum.0, 1.0), 0.0) } else { sum }
                    };
                    let sums: Vec<Exact> = indices(&[2, 4, 5]).iter().map(element).collect();
                    expected
                        .push((format!("{l} times {r} as {result}"), converted(&[2, 4, 5], &sums, result)));
                }
                let text = format!(
                    "func.func @main(%x: tensor<2x3x5x{l}>{params}) -> ({types}) {{\n{body}  return {names} : {types}\n}}"
                );
                let module = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
                let func = module.find("main").expect("main");
                for (way, found) in all_ways(&module, func, &args, &text) {
                    for (found, (what, expected)) in found.iter().zip(&expected) {
                        let wide =
                            |x: &Array| parts(&wengert_ir::ops::convert(x, DType::C128).expect("widens"));
                        assert_eq!(found.ty(), expected.ty(), "{what}, {way}");
                        assert_eq!(wide(found), wide(expected), "{what}, {way}");
                    }
                }
            }
        }
    }
}

/// Every column is summed by the same fused multiply-adds, whether it is in a whole vector or left over.
#[test]
fn equal_columns_of_factors_give_equal_columns() {
    let mut random = Random(23);
    for (m, k, n) in [(17, 17, 17), (5, 33, 19), (1, 40, 23), (33, 9, 30)] {
        for dtype in [DType::F64, DType::F32] {
            let ty = |shape: &[usize]| TensorType::new(dtype, shape);
            let (x, column) = (random.array(&ty(&[m, k]), -1.0, 1.0), random.array(&ty(&[k]), -1.0, 1.0));
            let size = dtype.size();
            let rows = column.bytes().chunks(size).flat_map(|x| std::iter::repeat_n(x, n));
            let y = Array::from_bytes(ty(&[k, n]), &rows.flatten().copied().collect::<Vec<u8>>());
            let t = if dtype == DType::F64 { "f64" } else { "f32" };
            let text = format!(
                "func.func public @main(%x: tensor<{m}x{k}x{t}>, %y: tensor<{k}x{n}x{t}>) -> tensor<{m}x{n}x{t}> {{
                   %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<{m}x{k}x{t}>, tensor<{k}x{n}x{t}>) -> tensor<{m}x{n}x{t}>
                   return %0 : tensor<{m}x{n}x{t}>
                 }}"
            );
            let module = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
            let main = module.find("main").expect("is there");
            for (way, got) in all_ways(&module, main, &[x.clone(), y.clone()], "a product") {
                for row in got[0].bytes().chunks(n * size) {
                    let equal = row.chunks(size).all(|x| x == &row[..size]);
                    assert!(equal, "{way}, {m}x{k}x{n} of {t}: {got:?}");
                }
            }
        }
    }
}

/// Page faults of this thread so far that read no file.
#[cfg(all(target_os = "linux", not(feature = "guard-pages")))]
fn page_faults() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux has it");
    let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
    fields.split_whitespace().nth(7).and_then(|n| n.parse().ok()).expect("the number of minor faults")
}

/// What products need besides their operands is not taken from the system anew at each call. (Buffers between guard pages are: each
/// has a mapping of its own.)
#[cfg(all(target_os = "linux", not(feature = "guard-pages")))]
#[test]
fn products_keep_their_memory() {
    const CALLS: u64 = 500;
    for n in [96, 98, 100, 101, 104, 160] {
        let text = format!(
            "func.func @main(%a: tensor<{n}x{n}xf64>, %b: tensor<{n}x{n}xf64>) -> tensor<{n}x{n}xf64> {{
               %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<{n}x{n}xf64>, tensor<{n}x{n}xf64>) -> tensor<{n}x{n}xf64>
               return %0 : tensor<{n}x{n}xf64>
             }}"
        );
        let m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let program =
            lower(&m, m.find("main").expect("it is there"), &Options::default()).expect("it lowers");
        let code = Executable::compile(&program, &wengert_cpu::Options::default()).expect("it compiles");
        let x: Array = Random(3).array(&TensorType::new(DType::F64, &[n, n]), -1.0, 1.0);
        let mut out = x.bytes().to_vec();
        let mut call = || code.call(&[x.bytes(), x.bytes()], &mut [&mut out]).expect("it runs");
        (0..3).for_each(|_| call());
        let before = page_faults();
        (0..CALLS).for_each(|_| call());
        let faults = page_faults() - before;
        assert!(faults < CALLS, "{n} x {n}: {faults} page faults in {CALLS} calls");
    }
}

/// Few rows by long rows, as the derivative of a layer has them, in whole numbers, of which every order of the sum is one; and of others
/// the same bits on every number of threads, and with shorter vectors.
#[test]
fn few_rows_by_long_rows() {
    let mut random = Random(29);
    for (m, k, n) in [
        (7, 64, 200),
        (8, 63, 200),
        (8, 64, 16),
        (8, 64, 17),
        (9, 64, 5000),
        (16, 300, 1025),
        (33, 600, 100),
        (64, 600, 129),
        (64, 520, 515),
        (65, 70, 1000),
        (128, 64, 256),
        (128, 65, 255),
        (129, 64, 300),
        (37, 31, 1000),
        (40, 257, 77),
        (100, 300, 64),
        (385, 129, 130),
        (700, 20, 200),
    ] {
        for t in ["f64", "f32"] {
            let (x, y, z) = (
                format!("tensor<{m}x{k}x{t}>"),
                format!("tensor<{n}x{k}x{t}>"),
                format!("tensor<{m}x{n}x{t}>"),
            );
            let text = format!(
                "func.func public @main(%x: {x}, %y: {y}) -> {z} {{
                   %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : ({x}, {y}) -> {z}
                   return %0 : {z}
                 }}"
            );
            let module = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
            let main = module.find("main").expect("is there");
            let dtype = if t == "f64" { DType::F64 } else { DType::F32 };
            let mut whole = |shape: &[usize]| {
                let n = shape.iter().product();
                let numbers: Vec<Exact> = (0..n).map(|_| (random.below(9) as f64 - 4.0, 0.0)).collect();
                converted(shape, &numbers, dtype)
            };
            let args = [whole(&[m, k]), whole(&[n, k])];
            let ways = all_ways(&module, main, &args, &text);
            for (way, got) in &ways[1..] {
                assert_eq!(got[0].bytes(), ways[0].1[0].bytes(), "{way}, {m}x{k} by {n}x{k} of {t}");
            }
            let ty = |shape: &[usize]| TensorType::new(dtype, shape);
            let args = [random.array(&ty(&[m, k]), -1.0, 1.0), random.array(&ty(&[n, k]), -1.0, 1.0)];
            let program = lower(&module, main, &Options::default()).expect("it lowers");
            let on = |threads: usize| {
                wengert_cpu::set_threads(threads);
                common::run(&program, &wengert_cpu::Options::default(), &args)[0].clone()
            };
            let one = on(1);
            for threads in [2, 3, 7] {
                assert_eq!(on(threads).bytes(), one.bytes(), "{threads} threads, {m}x{k} by {n}x{k} of {t}");
            }
            // Of a few rows the sums have as many lanes as vectors.
            if m >= 8 {
                let narrow = with_narrow_vectors(|| on(1));
                assert_eq!(narrow.bytes(), one.bytes(), "narrow vectors, {m}x{k} by {n}x{k} of {t}");
            }
            wengert_cpu::set_threads(1);
        }
    }
}
