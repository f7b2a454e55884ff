//! Integer arithmetic on every width: the interpreters and compiled code against plain arithmetic on `i128`.

use crate::common;

use common::call;
use wengert_cpu::{Executable, Options};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncKind, Loc, Module, Value};
use wengert_ir::interp::{self, Limits};
use wengert_ir::op::{
    BinaryOp, Compare, CompareType, Convert, Direction, DotGeneral, Op, Precision, Reduce, Reducer, UnaryOp,
};
use wengert_ir::types::{DType, DTypeClass, Dims, TensorType};
use wengert_passes::lower;
use wengert_passes::pipeline::Pipeline;

fn integers() -> impl Iterator<Item = DType> {
    DType::ALL.iter().copied().filter(|d| d.is_integer())
}

fn is_signed(dtype: DType) -> bool {
    dtype.class() == DTypeClass::Signed
}

fn least(dtype: DType) -> i128 {
    if is_signed(dtype) { -(1 << (dtype.bits() - 1)) } else { 0 }
}

fn most(dtype: DType) -> i128 {
    (1 << (dtype.bits() - usize::from(is_signed(dtype)))) - 1
}

/// The value of the type that is this one modulo 2^bits.
fn wrap(x: i128, dtype: DType) -> i128 {
    let unused = 128 - dtype.bits();
    if is_signed(dtype) { x << unused >> unused } else { ((x as u128) << unused >> unused) as i128 }
}

/// The bits as a natural number.
fn code(x: i128, dtype: DType) -> i128 {
    x & ((1 << dtype.bits()) - 1)
}

/// All values of small types; of others the edges, those near them, and some between.
fn values(dtype: DType) -> Vec<i128> {
    let (least, most) = (least(dtype), most(dtype));
    if dtype.bits() <= 4 {
        return (least..=most).collect();
    }
    let bits = dtype.bits() as i128;
    let mut out = vec![least, least + 1, least + 3, most, most - 1, most / 2, most / 2 + 1, most / 3];
    out.extend([-9, -3, -2, -1, 0, 1, 2, 3, 7, 10, 100, bits - 1, bits, bits + 1]);
    // Where f32 and f64 no longer hold all integers, with ties.
    for digits in [11, 24, 53] {
        out.extend([(1 << digits) - 1, (1 << digits) + 1, (1 << digits) + 3, (3 << digits) + 3]);
    }
    out.extend([0x5a5a_1234_8765_4321, -0x0123_4567_89ab_cdef]);
    out.retain(|&x| least <= x && x <= most);
    out.sort_unstable();
    out.dedup();
    out
}

fn array(dtype: DType, shape: &[usize], values: &[i128]) -> Array {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()[..dtype.size()].to_vec()).collect();
    Array::from_bytes(TensorType::new(dtype, shape), &bytes)
}

/// The elements of an array of integers or truth values.
fn numbers(x: &Array) -> Vec<i128> {
    let size = x.dtype().size();
    let one = |bytes: &[u8]| {
        let mut wide = [0; 16];
        wide[..size].copy_from_slice(bytes);
        let unused = 128 - 8 * size;
        let wide = i128::from_le_bytes(wide);
        if is_signed(x.dtype()) { wide << unused >> unused } else { wide }
    };
    x.bytes().chunks_exact(size).map(one).collect()
}

fn binary(op: BinaryOp, a: i128, b: i128, dtype: DType) -> i128 {
    let (width, amount) = (dtype.bits() as i128, code(b, dtype));
    let exact = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide if b == 0 => -1,
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder if b == 0 => a,
        BinaryOp::Remainder => a % b,
        BinaryOp::Maximum => a.max(b),
        BinaryOp::Minimum => a.min(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::ShiftLeft if amount >= width => 0,
        BinaryOp::ShiftLeft => code(a, dtype) << amount,
        BinaryOp::ShiftRightLogical if amount >= width => 0,
        BinaryOp::ShiftRightLogical => code(a, dtype) >> amount,
        // Of an unsigned number the highest bit counts as the sign.
        BinaryOp::ShiftRightArithmetic => {
            let unused = 128 - dtype.bits();
            (a << unused >> unused) >> amount.min(width - 1)
        }
        BinaryOp::Mulhi if is_signed(dtype) => (a * b) >> width,
        BinaryOp::Mulhi => ((a as u128 * b as u128) >> width) as i128,
        BinaryOp::Power if b >= 0 => (0..dtype.bits()).rev().fold(1i128, |power, k| {
            let square = wrap(power.wrapping_mul(power), dtype);
            if b >> k & 1 == 1 { wrap(square.wrapping_mul(a), dtype) } else { square }
        }),
        // The integer part of the quotient 1 / a^-b.
        BinaryOp::Power => match a {
            0 => -1,
            1 => 1,
            -1 => 1 - 2 * (b & 1),
            _ => 0,
        },
        BinaryOp::Atan2 | BinaryOp::Complex | BinaryOp::NextAfter | BinaryOp::Zeta | BinaryOp::Polygamma => {
            panic!("not of integers")
        }
    };
    wrap(exact, dtype)
}

fn unary(op: UnaryOp, a: i128, dtype: DType) -> Option<i128> {
    let exact = match op {
        UnaryOp::Abs if is_signed(dtype) => a.abs(),
        UnaryOp::Sign if is_signed(dtype) => a.signum(),
        UnaryOp::Negate => -a,
        UnaryOp::Not => !a,
        UnaryOp::Square => a.wrapping_mul(a),
        UnaryOp::Popcnt => i128::from(code(a, dtype).count_ones()),
        UnaryOp::CountLeadingZeros => {
            i128::from(code(a, dtype).leading_zeros()) - (128 - dtype.bits() as i128)
        }
        _ => return None,
    };
    Some(wrap(exact, dtype))
}

const BINARY: [BinaryOp; 15] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::Power,
    BinaryOp::Maximum,
    BinaryOp::Minimum,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRightArithmetic,
    BinaryOp::ShiftRightLogical,
    BinaryOp::Mulhi,
];

/// A function that is being put together, with what each result must be.
struct Table {
    module: Module,
    func: Func,
    args: Vec<Array>,
    expected: Vec<(String, Vec<i128>)>,
}

impl Table {
    fn new() -> Self {
        let func = Func::new("main", FuncKind::Public);
        Self { module: Module::new("test"), func, args: Vec::new(), expected: Vec::new() }
    }

    fn param(&mut self, arg: Array) -> Value {
        let value = self.func.param(arg.ty().clone());
        self.args.push(arg);
        value
    }

    fn push(&mut self, op: impl Into<Op>, operands: &[Value], what: String, expected: Vec<i128>) {
        let op = op.into();
        let pushed = self.func.push(&self.module, op, operands, Loc::Unknown);
        let results = pushed.unwrap_or_else(|e| panic!("{what}: {e}"));
        self.func.results.push(results[0]);
        self.expected.push((what, expected));
    }

    /// Runs it everywhere; `read` makes a result comparable.
    fn check(mut self, read: &dyn Fn(&Array) -> Vec<i128>) {
        let id = self.module.add(self.func);
        let args = &self.args;
        let compare = |found: &[Array], by: &str| {
            for (result, (what, expected)) in found.iter().zip(&self.expected) {
                let found = read(result);
                assert_eq!(found.len(), expected.len(), "{what}");
                if let Some(k) = (0..found.len()).find(|&k| found[k] != expected[k]) {
                    let at: Vec<String> = args
                        .iter()
                        .map(|a| {
                            let size = a.dtype().size();
                            a.bytes().chunks(size).nth(k).map_or("-".into(), |b| format!("{b:x?}"))
                        })
                        .collect();
                    panic!("{what}, {by}: {} instead of {} for {at:?}", found[k], expected[k]);
                }
            }
        };
        let found = interp::run(&self.module, id, args, &Limits::default()).expect("it runs");
        compare(&found, "interpreted");
        let main = Pipeline::default().run(&mut self.module, id, &mut |_| {});
        let program = lower::lower(&self.module, main, &lower::Options::default()).expect("it lowers");
        let found = wengert_ir::kernel::interp::run(&program, args).expect("it runs");
        compare(&found, "lowered and interpreted");
        for (vectors, tiles) in [(false, false), (true, false), (true, true)] {
            let options = Options { vectors, tiles, ..Options::default() };
            let executable = Executable::compile(&program, &options).expect("it compiles");
            compare(&call(&executable, &program, args), &format!("vectors {vectors}, tiles {tiles}"));
        }
    }
}

#[test]
fn elementwise() {
    for dtype in integers() {
        let all = values(dtype);
        let pairs: Vec<(i128, i128)> = all.iter().flat_map(|&a| all.iter().map(move |&b| (a, b))).collect();
        let (lhs, rhs): (Vec<i128>, Vec<i128>) = pairs.iter().copied().unzip();
        let mut t = Table::new();
        let shape = [pairs.len()];
        let (a, b) = (t.param(array(dtype, &shape, &lhs)), t.param(array(dtype, &shape, &rhs)));
        for op in BINARY {
            let expected = pairs.iter().map(|&(a, b)| binary(op, a, b, dtype)).collect();
            t.push(op, &[a, b], format!("{} of {dtype}", op.name()), expected);
        }
        for &op in UnaryOp::ALL {
            if let Some(expected) = lhs.iter().map(|&a| unary(op, a, dtype)).collect() {
                t.push(op, &[a], format!("{} of {dtype}", op.name()), expected);
            }
        }
        let kind = if is_signed(dtype) { CompareType::Signed } else { CompareType::Unsigned };
        for &direction in Direction::ALL {
            let holds = |(a, b): &(i128, i128)| {
                i128::from(match direction {
                    Direction::Eq => a == b,
                    Direction::Ne => a != b,
                    Direction::Ge => a >= b,
                    Direction::Gt => a > b,
                    Direction::Le => a <= b,
                    Direction::Lt => a < b,
                })
            };
            let expected = pairs.iter().map(holds).collect();
            t.push(
                Compare { direction, kind },
                &[a, b],
                format!("{} of {dtype}", direction.name()),
                expected,
            );
        }
        for to in integers() {
            let expected = lhs.iter().map(|&a| wrap(a, to)).collect();
            t.push(Convert { dtype: to }, &[a], format!("{dtype} to {to}"), expected);
        }
        let expected = lhs.iter().map(|&a| i128::from(a != 0)).collect();
        t.push(Convert { dtype: DType::I1 }, &[a], format!("{dtype} to i1"), expected);
        t.check(&numbers);
    }
}

#[test]
fn reductions() {
    for dtype in integers() {
        let all = values(dtype);
        let (rows, cols) = (all.len(), 37);
        let pick = |step: usize| -> Vec<i128> {
            (0..rows * cols).map(|k| all[(k * step + k / cols) % rows]).collect()
        };
        let (x, y) = (pick(3), pick(5));
        let mut t = Table::new();
        let (a, b) = (t.param(array(dtype, &[rows, cols], &x)), t.param(array(dtype, &[cols, rows], &y)));
        let one = t.param(array(dtype, &[], &[1]));
        for op in BinaryOp::MONOIDS {
            let fold = |elements: &mut dyn Iterator<Item = i128>| {
                elements.fold(1, |sum, x| binary(op, sum, x, dtype))
            };
            let reduce =
                |dims: &[usize]| Reduce { dims: Dims::from_slice(dims), inputs: 1, reducer: Reducer::Op(op) };
            let name = op.name();
            let whole = vec![fold(&mut x.iter().copied())];
            t.push(reduce(&[0, 1]), &[a, one], format!("reduce by {name} of {dtype}"), whole);
            let by_row = (0..rows).map(|i| fold(&mut x[i * cols..(i + 1) * cols].iter().copied())).collect();
            t.push(reduce(&[1]), &[a, one], format!("rows reduced by {name} of {dtype}"), by_row);
            let by_col = (0..cols).map(|j| fold(&mut (0..rows).map(|i| x[i * cols + j]))).collect();
            t.push(reduce(&[0]), &[a, one], format!("columns reduced by {name} of {dtype}"), by_col);
        }
        let product = (0..rows * rows)
            .map(|at| {
                let terms = (0..cols).map(|k| x[at / rows * cols + k].wrapping_mul(y[k * rows + at % rows]));
                terms.fold(0, |sum, term| wrap(sum + wrap(term, dtype), dtype))
            })
            .collect();
        let dot = DotGeneral {
            lhs_batching_dims: Dims::new(),
            rhs_batching_dims: Dims::new(),
            lhs_contracting_dims: Dims::from_slice(&[1]),
            rhs_contracting_dims: Dims::from_slice(&[0]),
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype,
        };
        t.push(dot, &[a, b], format!("products of {dtype}"), product);
        t.check(&numbers);
    }
}

/// The nearest number of so many digits, ties to even.
fn nearest(x: i128, digits: u32) -> i128 {
    let size = x.unsigned_abs();
    let extra = (128 - size.leading_zeros()).saturating_sub(digits);
    let (kept, rest) = (size >> extra, size & ((1u128 << extra) - 1));
    let half = if extra == 0 { 1 } else { 1u128 << (extra - 1) };
    let up = extra > 0 && (rest > half || rest == half && kept & 1 == 1);
    let rounded = (kept + u128::from(up)) << extra;
    if x < 0 { -(rounded as i128) } else { rounded as i128 }
}

/// What stands for an infinity among integers.
const INFINITE: i128 = 1 << 100;

#[test]
fn to_floats() {
    for dtype in integers() {
        let all = values(dtype);
        let mut t = Table::new();
        let a = t.param(array(dtype, &[all.len()], &all));
        for (to, digits, limit) in [
            (DType::F64, 53, INFINITE),
            (DType::F32, 24, INFINITE),
            (DType::BF16, 8, INFINITE),
            (DType::F16, 11, 65504),
        ] {
            let one = |&x: &i128| {
                let y = nearest(x, digits);
                if y.abs() <= limit { y } else { y.signum() * INFINITE }
            };
            t.push(Convert { dtype: to }, &[a], format!("{dtype} to {to}"), all.iter().map(one).collect());
        }
        t.check(&|x| {
            let wide = wengert_ir::ops::convert(x, DType::F64).expect("floats widen");
            let exact = |&v: &f64| if v.is_infinite() { v.signum() as i128 * INFINITE } else { v as i128 };
            wide.as_slice::<f64>().iter().map(exact).collect()
        });
    }
}

#[test]
fn from_floats() {
    let mut all = vec![0.0, -0.0, 0.3, -0.3, 0.999, -0.999, 1.0, 1.5, -1.5, 2.5, -2.5, 7.9, -8.9, 1e300];
    for bits in [1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64] {
        let edge = 2f64.powi(bits);
        let near = [edge.next_down(), edge, edge + 0.5, edge + 1.0, edge - 0.5, edge - 1.0, edge.next_up()];
        all.extend(near.iter().flat_map(|&x| [x, -x]));
    }
    all.extend([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    for from in [DType::F64, DType::F32, DType::F16, DType::BF16] {
        let wide = Array::new(&[all.len()], &all);
        let x = wengert_ir::ops::convert(&wide, from).expect("floats narrow");
        let exact = wengert_ir::ops::convert(&x, DType::F64).expect("floats widen");
        let mut t = Table::new();
        let a = t.param(x);
        for to in integers() {
            // Towards zero, to the nearest that the type has; NaN to 0. `as` says the same of i128.
            let one = |&v: &f64| (v as i128).clamp(least(to), most(to));
            t.push(
                Convert { dtype: to },
                &[a],
                format!("{from} to {to}"),
                exact.as_slice().iter().map(one).collect(),
            );
        }
        let expected = exact.as_slice::<f64>().iter().map(|&v| i128::from(v != 0.0)).collect();
        t.push(Convert { dtype: DType::I1 }, &[a], format!("{from} to i1"), expected);
        t.check(&numbers);
    }
}
