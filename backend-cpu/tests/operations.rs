//! Every operation on every type, in loops of every kind, bit for bit as the kernel interpreter has it.

use crate::common;

use common::{Maker, SCALARS, check, inputs};
use wengert_cpu::{CallLimits, Executable, Options, Wide};
use wengert_ir::array::Array;
use wengert_ir::kernel::build::at;
use wengert_ir::kernel::{
    Combine, Extent, KBinary, KCast, KOp, KUnary, KValue, LoopKind, MemRef, Program, Scalar,
};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::types::{DType, TensorType};

const LENGTHS: [usize; 12] = [0, 1, 3, 4, 15, 16, 17, 63, 511, 512, 513, 1000];

/// Makes all of a memory zeros.
fn clear(m: &mut Maker, mem: MemRef, ty: Scalar, len: usize) {
    let zero = m.b.bits(ty, 0);
    m.b.count(Extent::Const(0), Extent::Const(len as i64), 1, LoopKind::Vector, &[], |b, i, _| {
        b.store(at(mem, 0, &[(i, 1)]), zero);
        vec![]
    });
}

/// `result[i] = op(a[i], b[i], ..)` in a loop of this kind.
fn map(op: KOp, operands: &[Scalar], result: Scalar, len: usize, kind: LoopKind) -> Program {
    let mut m = Maker::new();
    let mems: Vec<_> = operands.iter().map(|&ty| m.param(ty, len)).collect();
    let out = m.result(result, len);
    m.b.count(Extent::Const(0), Extent::Const(len as i64), 1, kind, &[], |b, i, _| {
        let loaded: Vec<KValue> = mems.iter().map(|&mem| b.load(at(mem, 0, &[(i, 1)]))).collect();
        let value = b.op(op.clone(), &loaded, result);
        b.store(at(out, 0, &[(i, 1)]), value);
        vec![]
    });
    m.finish()
}

fn check_map(op: KOp, operands: &[Scalar], result: Scalar) {
    // 304 iterations are whole rounds of vectors of every length.
    let lengths = [300, 304, 37].map(|len| (LoopKind::Vector, len));
    for (kind, len) in lengths.into_iter().chain([(LoopKind::Sequential, 300)]) {
        let program = map(op.clone(), operands, result, len, kind.clone());
        check(
            &program,
            &inputs(&program, 7),
            &format!("{op:?} of {operands:?} giving {result:?}, {kind:?} {len}"),
        );
    }
}

#[test]
fn unary() {
    use KUnary::{Abs, Ceil, Clz, Floor, Nearest, Neg, Not, Popcnt, Sqrt};
    for ty in SCALARS {
        let ops: &[KUnary] = if ty.is_float() {
            &[Neg, Abs, Sqrt, Floor, Ceil, Nearest]
        } else {
            &[Neg, Abs, Not, Popcnt, Clz]
        };
        for &op in ops {
            check_map(KOp::Unary(op), &[ty], ty);
        }
    }
}

#[test]
fn binary() {
    use KBinary::{
        Add, And, Div, DivU, Max, MaxU, Min, MinU, Mul, NextAfter, Or, Rem, RemU, Shl, Shr, ShrU, Sub, Xor,
    };
    for ty in SCALARS {
        let ops: &[KBinary] = if ty.is_float() {
            &[Add, Sub, Mul, Div, Rem, Min, Max, NextAfter]
        } else {
            &[Add, Sub, Mul, Div, DivU, Rem, RemU, Min, MinU, Max, MaxU, And, Or, Xor, Shl, Shr, ShrU]
        };
        for &op in ops {
            check_map(KOp::Binary(op), &[ty, ty], ty);
        }
    }
}

#[test]
fn constant_divisors_and_shifts() {
    for ty in [Scalar::I32, Scalar::I64, Scalar::I8] {
        for op in [
            KBinary::Div,
            KBinary::DivU,
            KBinary::Rem,
            KBinary::RemU,
            KBinary::Shl,
            KBinary::Shr,
            KBinary::ShrU,
        ] {
            for known in [0, 1, 3, 7, 8, 31, 32, 64, u64::MAX] {
                let mut m = Maker::new();
                let (x, out) = (m.param(ty, 40), m.result(ty, 40));
                m.b.count(Extent::Const(0), Extent::Const(40), 1, LoopKind::Vector, &[], |b, i, _| {
                    let v = b.load(at(x, 0, &[(i, 1)]));
                    let k = b.bits(ty, known & (u64::MAX >> (64 - 8 * ty.size())));
                    let v = b.op(KOp::Binary(op), &[v, k], ty);
                    b.store(at(out, 0, &[(i, 1)]), v);
                    vec![]
                });
                let program = m.finish();
                check(&program, &inputs(&program, 3), &format!("{op:?} by {known} of {ty:?}"));
            }
        }
    }
}

/// Vectors have no division of integers of their own: quotients that are whole, or all but, at every size, and those that there
/// are none of; by what varies and by constants.
#[test]
fn quotients_that_are_all_but_whole() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    };
    let edges =
        [0, 1, 2, 3, 7, 10, 641, 65_535, 65_536, 65_537, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, u32::MAX];
    let mut pairs: Vec<(u32, u32)> = edges.iter().flat_map(|&x| edges.map(|y| (x, y))).collect();
    for _ in 0..2000 {
        let (a, shift, cut) = (next(), next() >> 27, next() >> 27);
        let y = (next() >> shift).max(1);
        // A multiple, its neighbours, and these of the other sign.
        let whole = (a >> cut).wrapping_mul(y);
        pairs.extend(
            [whole, whole.wrapping_sub(1), whole.wrapping_add(1), whole.wrapping_neg()].map(|x| (x, y)),
        );
        pairs.push((whole, y.wrapping_neg()));
    }
    let len = pairs.len();
    let array = |f: &dyn Fn(&(u32, u32)) -> u32| {
        let bytes: Vec<u8> = pairs.iter().flat_map(|p| f(p).to_le_bytes()).collect();
        Array::from_bytes(TensorType::new(DType::I32, &[len]), &bytes)
    };
    let (dividends, divisors) = (array(&|p| p.0), array(&|p| p.1));
    for op in [KBinary::Div, KBinary::DivU, KBinary::Rem, KBinary::RemU] {
        let program = map(KOp::Binary(op), &[Scalar::I32; 2], Scalar::I32, len, LoopKind::Vector);
        check(&program, &[dividends.clone(), divisors.clone()], &format!("{op:?}"));
        for known in edges.into_iter().chain((0..40).map(|k| next() >> (k % 31))) {
            let mut m = Maker::new();
            let (x, out) = (m.param(Scalar::I32, len), m.result(Scalar::I32, len));
            m.b.count(Extent::Const(0), Extent::Const(len as i64), 1, LoopKind::Vector, &[], |b, i, _| {
                let v = b.load(at(x, 0, &[(i, 1)]));
                let k = b.bits(Scalar::I32, u64::from(known));
                let v = b.op(KOp::Binary(op), &[v, k], Scalar::I32);
                b.store(at(out, 0, &[(i, 1)]), v);
                vec![]
            });
            let program = m.finish();
            check(&program, std::slice::from_ref(&dividends), &format!("{op:?} by {known}"));
        }
    }
}

#[test]
fn compare() {
    use CompareType::{Float, Signed, TotalOrder, Unsigned};
    for ty in SCALARS {
        let kinds: &[CompareType] = if ty.is_float() { &[Float, TotalOrder] } else { &[Signed, Unsigned] };
        for &kind in kinds {
            for direction in
                [Direction::Eq, Direction::Ne, Direction::Ge, Direction::Gt, Direction::Le, Direction::Lt]
            {
                check_map(KOp::Compare(direction, kind), &[ty, ty], Scalar::I1);
            }
        }
    }
}

#[test]
fn select_and_fma() {
    for ty in SCALARS {
        check_map(KOp::Select, &[Scalar::I1, ty, ty], ty);
    }
    check_map(KOp::Fma, &[Scalar::F64; 3], Scalar::F64);
    check_map(KOp::Fma, &[Scalar::F32; 3], Scalar::F32);
}

/// Multiply-adds with signs turned, of what varies and what does not; one negation has another reader.
#[test]
fn signs_of_fma() {
    for ty in [Scalar::F64, Scalar::F32] {
        for len in [7usize, 32, 100] {
            let mut m = Maker::new();
            let params: [_; 4] = [len, len, len, 1].map(|n| m.param(ty, n));
            let results: [_; 9] = std::array::from_fn(|_| m.result(ty, len));
            m.b.count(Extent::Const(0), Extent::Const(len as i64), 1, LoopKind::Vector, &[], |b, i, _| {
                let [x, y, z] = [0, 1, 2].map(|k| b.load(at(params[k], 0, &[(i, 1)])));
                let fixed = b.load(at(params[3], 0, &[]));
                let mut minus = |v| b.op(KOp::Unary(KUnary::Neg), &[v], ty);
                let (nx, ny, nz, nfixed) = (minus(x), minus(y), minus(z), minus(fixed));
                let shared = minus(z);
                let cases = [
                    [nx, y, z],
                    [x, ny, z],
                    [nx, ny, z],
                    [x, y, nz],
                    [nx, y, nz],
                    [nx, ny, nz],
                    [nfixed, y, z],
                    [x, y, nfixed],
                    [shared, y, shared],
                ];
                for (out, factors) in results.iter().zip(cases) {
                    let mut r = b.op(KOp::Fma, &factors, ty);
                    if factors[0] == shared {
                        r = b.op(KOp::Binary(KBinary::Add), &[r, shared], ty);
                    }
                    b.store(at(*out, 0, &[(i, 1)]), r);
                }
                vec![]
            });
            let program = m.finish();
            check(&program, &inputs(&program, 23), &format!("signs of {len} {ty:?}"));
        }
    }
}

#[test]
fn casts() {
    for from in SCALARS {
        for to in SCALARS {
            check_map(KOp::Cast(KCast::Signed), &[from], to);
            check_map(KOp::Cast(KCast::Unsigned), &[from], to);
            if from.size() == to.size() && (from == Scalar::I1) == (to == Scalar::I1) {
                check_map(KOp::Cast(KCast::Bits), &[from], to);
            }
        }
    }
}

/// What is cut off by one conversion is not there for the next one.
#[test]
fn conversions_in_a_row() {
    let types = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::F32];
    let signs = [KCast::Signed, KCast::Unsigned];
    let mut chains = Vec::new();
    for from in types {
        for through in types {
            for to in types {
                chains.extend(signs.iter().flat_map(|&a| signs.map(|b| (from, (a, through), (b, to)))));
            }
        }
    }
    for (from, (first, through), (second, to)) in chains {
        let len = 48;
        let mut m = Maker::new();
        let (x, out) = (m.param(from, len), m.result(to, len));
        m.b.count(Extent::Const(0), Extent::Const(len as i64), 1, LoopKind::Vector, &[], |b, i, _| {
            let v = b.load(at(x, 0, &[(i, 1)]));
            let v = b.op(KOp::Cast(first), &[v], through);
            let v = b.op(KOp::Cast(second), &[v], to);
            b.store(at(out, 0, &[(i, 1)]), v);
            vec![]
        });
        let program = m.finish();
        check(&program, &inputs(&program, 5), &format!("{from:?} {first:?} {through:?} {second:?} {to:?}"));
    }
}

#[test]
fn math() {
    for ty in [Scalar::F64, Scalar::F32] {
        for &f in MathFn::ALL {
            check_map(KOp::Math(f), &[ty], ty);
        }
        for &f in MathFn2::ALL {
            check_map(KOp::Math2(f), &[ty, ty], ty);
        }
    }
}

/// A chain with comparisons, selects and constants, at every length and with the bound known and not.
#[test]
fn chains() {
    for ty in [Scalar::F64, Scalar::F32] {
        for len in LENGTHS {
            for dynamic in [false, true] {
                let mut m = Maker::new();
                let (x, y, s) = (m.param(ty, len), m.param(ty, len), m.param(ty, 1));
                let (out, mask) = (m.result(ty, len), m.result(Scalar::I1, len));
                let end = if dynamic {
                    let n = m.int(len as i64);
                    let one = m.int(1);
                    // Not a constant to the compiler.
                    Extent::Value(m.b.op(KOp::Binary(KBinary::Mul), &[n, one], Scalar::I64))
                } else {
                    Extent::Const(len as i64)
                };
                m.b.count(Extent::Const(0), end, 1, LoopKind::Vector, &[], |b, i, _| {
                    let v = b.load(at(x, 0, &[(i, 1)]));
                    let w = b.load(at(y, 0, &[(i, 1)]));
                    let scale = b.load(at(s, 0, &[]));
                    let half = b.float(ty, 0.5);
                    let v2 = b.op(KOp::Fma, &[v, scale, half], ty);
                    let less = b.op(KOp::Compare(Direction::Lt, CompareType::Float), &[v2, w], Scalar::I1);
                    let root = b.op(KOp::Unary(KUnary::Sqrt), &[w], ty);
                    let r = b.op(KOp::Select, &[less, v2, root], ty);
                    let counter = b.op(KOp::Cast(KCast::Signed), &[i], ty);
                    let r = b.op(KOp::Binary(KBinary::Add), &[r, counter], ty);
                    let r = b.op(KOp::Binary(KBinary::Max), &[r, half], ty);
                    b.store(at(out, 0, &[(i, 1)]), r);
                    b.store(at(mask, 0, &[(i, 1)]), less);
                    vec![]
                });
                let program = m.finish();
                check(&program, &inputs(&program, 11), &format!("chain of {len} {ty:?}, dynamic {dynamic}"));
            }
        }
    }
}

/// `out[i * so + 1] = a[i * sa] + b[index[i]]` for several strides.
#[test]
fn strides_and_gathers() {
    for ty in [Scalar::F64, Scalar::F32, Scalar::I32, Scalar::I64, Scalar::I1, Scalar::I8] {
        for (sa, so) in [(1, 1), (0, 1), (2, 1), (1, 2), (3, 5), (-1, 1), (1, -1)] {
            for len in [1usize, 5, 16, 37, 100] {
                let span = |s: i64| (s.unsigned_abs() as usize) * (len - 1) + 2;
                let mut m = Maker::new();
                let (a, table) = (m.param(ty, span(sa)), m.param(ty, 64));
                let out = m.result(ty, span(so));
                let first = |s: i64| if s < 0 { (span(s) - 1) as i64 } else { 0 };
                clear(&mut m, out, ty, span(so));
                m.b.count(
                    Extent::Const(0),
                    Extent::Const(len as i64),
                    1,
                    LoopKind::Vector,
                    &[],
                    |b, i, _| {
                        let v = b.load(at(a, first(sa), &[(i, sa)]));
                        let seven = b.bits(Scalar::I64, 7);
                        let limit = b.bits(Scalar::I64, 63);
                        let index = b.op(KOp::Binary(KBinary::Mul), &[i, seven], Scalar::I64);
                        let index = b.op(KOp::Binary(KBinary::And), &[index, limit], Scalar::I64);
                        let w = b.load(at(table, 0, &[(index, 1)]));
                        let v = b.op(
                            KOp::Binary(if ty == Scalar::I1 { KBinary::Xor } else { KBinary::Add }),
                            &[v, w],
                            ty,
                        );
                        b.store(at(out, first(so), &[(i, so)]), v);
                        vec![]
                    },
                );
                let program = m.finish();
                check(&program, &inputs(&program, 5), &format!("strides {sa} {so}, {len} of {ty:?}"));
            }
        }
    }
}

/// Small distances, which are permutations: every one of them, between memories that end with the last element.
#[test]
fn every_small_stride() {
    for ty in [Scalar::F64, Scalar::F32, Scalar::I32, Scalar::I64] {
        for (reads, writes) in (2..=9).flat_map(|s| [(s, 1), (1, s), (s, 11 - s)]) {
            for len in [32usize, 48, 77] {
                let span = |s: i64| s as usize * (len - 1) + 1;
                let mut m = Maker::new();
                let (x, y) = (m.param(ty, span(reads)), m.result(ty, span(writes)));
                clear(&mut m, y, ty, span(writes));
                m.b.count(
                    Extent::Const(0),
                    Extent::Const(len as i64),
                    1,
                    LoopKind::Vector,
                    &[],
                    |b, i, _| {
                        let v = b.load(at(x, 0, &[(i, reads)]));
                        let v = b.op(KOp::Binary(KBinary::Add), &[v, v], ty);
                        b.store(at(y, 0, &[(i, writes)]), v);
                        vec![]
                    },
                );
                let program = m.finish();
                check(&program, &inputs(&program, 11), &format!("{reads} to {writes}, {len} of {ty:?}"));
            }
        }
    }
}

#[test]
fn reductions() {
    use Combine::{Add, And, Max, MaxU, Min, MinU, Mul, Or, Xor};
    for ty in SCALARS {
        let combines: &[Combine] = if ty.is_float() {
            &[Add, Mul, Min, Max]
        } else {
            &[Add, Mul, Min, Max, MinU, MaxU, And, Or, Xor]
        };
        for &combine in combines {
            for len in LENGTHS.into_iter().filter(|&n| n <= 512) {
                let mut m = Maker::new();
                let (x, out) = (m.param(ty, len), m.result(ty, 1));
                let total = m.b.lanes(Extent::Const(len as i64), &[combine], &[ty], |b, i, carried| {
                    let v = b.load(at(x, 0, &[(i, 1)]));
                    vec![b.op(KOp::Binary(combine.op()), &[carried[0], v], ty)]
                });
                m.b.store(at(out, 0, &[]), total[0]);
                let program = m.finish();
                let mut args = inputs(&program, 13);
                check(&program, &args, &format!("{combine:?} of {len} {ty:?}"));
                if ty == Scalar::F64 && len > 0 {
                    // Without infinities and NaN, so that the order shows.
                    let clean: Vec<f64> =
                        (0..len).map(|i| ((i * 37 % 101) as f64 * 0.37).sin() * 3.0).collect();
                    args[0] = wengert_ir::array::Array::new(&[len], &clean);
                    check(&program, &args, &format!("{combine:?} of {len} clean {ty:?}"));
                }
            }
        }
    }
}

/// Two reductions of different types at once, of a product, with a store besides.
#[test]
fn reductions_together() {
    for len in LENGTHS.into_iter().filter(|&n| n <= 512) {
        let mut m = Maker::new();
        let (x, y) = (m.param(Scalar::F32, len), m.param(Scalar::F64, len));
        let (sum, most, copy) =
            (m.result(Scalar::F32, 1), m.result(Scalar::F64, 1), m.result(Scalar::F32, len));
        let both = [Combine::Add, Combine::Max];
        let got =
            m.b.lanes(Extent::Const(len as i64), &both, &[Scalar::F32, Scalar::F64], |b, i, carried| {
                let v = b.load(at(x, 0, &[(i, 1)]));
                let w = b.load(at(y, 0, &[(i, 1)]));
                let fused = b.op(KOp::Fma, &[v, v, carried[0]], Scalar::F32);
                let wide = b.op(KOp::Cast(KCast::Signed), &[v], Scalar::F64);
                let w = b.op(KOp::Binary(KBinary::Mul), &[w, wide], Scalar::F64);
                b.store(at(copy, 0, &[(i, 1)]), v);
                vec![fused, b.op(KOp::Binary(KBinary::Max), &[carried[1], w], Scalar::F64)]
            });
        m.b.store(at(sum, 0, &[]), got[0]);
        m.b.store(at(most, 0, &[]), got[1]);
        let program = m.finish();
        check(&program, &inputs(&program, 17), &format!("two reductions of {len}"));
    }
}

/// As many accumulators as registers, and more; with many constants that would like to stay in some.
#[test]
fn many_reductions_together() {
    for ty in [Scalar::F32, Scalar::F64, Scalar::I32] {
        for (count, constants) in (1..=14).flat_map(|n| [(n, false), (n, true)]) {
            let mut m = Maker::new();
            let x = m.param(ty, 320);
            let results: Vec<_> = (0..count).map(|_| m.result(ty, 1)).collect();
            let combine = |k| if k % 3 == 2 { Combine::Max } else { Combine::Add };
            let combines: Vec<Combine> = (0..count).map(combine).collect();
            let got = m.b.lanes(Extent::Const(320), &combines, &vec![ty; count], |b, i, carried| {
                let v = b.load(at(x, 0, &[(i, 1)]));
                let next = carried.iter().zip(&combines).enumerate().map(|(k, (&total, combine))| {
                    let weight = match ty {
                        Scalar::F32 => u64::from((k as f32 + 0.5).to_bits()),
                        Scalar::F64 => (k as f64 + 0.5).to_bits(),
                        _ => k as u64,
                    };
                    let w = b.op(KOp::Const(weight), &[], ty);
                    match (combine, constants) {
                        (Combine::Max, _) => b.op(KOp::Binary(KBinary::Max), &[total, v], ty),
                        (_, true) if ty.is_float() => b.op(KOp::Fma, &[v, w, total], ty),
                        (_, true) => {
                            let product = b.op(KOp::Binary(KBinary::Mul), &[v, w], ty);
                            b.op(KOp::Binary(KBinary::Add), &[total, product], ty)
                        }
                        (_, false) => b.op(KOp::Binary(KBinary::Add), &[total, v], ty),
                    }
                });
                next.collect()
            });
            results.iter().zip(&got).for_each(|(&result, &total)| m.b.store(at(result, 0, &[]), total));
            let program = m.finish();
            check(&program, &inputs(&program, 19), &format!("{count} reductions of {ty:?}, {constants}"));
        }
    }
}

/// Loops become vectors of the length asked for where the machine has them; what 256-bit code has no instruction for does not.
#[test]
fn lengths_of_vectors() {
    let longest = longest();
    let bits = |op: KOp, operands: &[Scalar], result, len, wide| {
        let program = map(op, operands, result, len, LoopKind::Vector);
        let options = Options { wide, ..Options::default() };
        let listing = wengert_cpu::asm(&program, &options).expect("a listing");
        ["256-bit loop", "512-bit loop"].map(|what| listing.contains(what))
    };
    let (add, greater) = (KOp::Binary(KBinary::Add), KOp::Compare(Direction::Gt, CompareType::Float));
    for asked in [None, Some(Wide::Ymm), Some(Wide::Zmm)] {
        let has = |wide| asked.min(longest) == Some(wide);
        let expected = [has(Wide::Ymm), has(Wide::Zmm)];
        for ty in [Scalar::F32, Scalar::F64, Scalar::I32, Scalar::I64] {
            assert_eq!(bits(add.clone(), &[ty; 2], ty, 300, asked), expected, "{ty:?}, {asked:?}");
        }
        let (ty, truth) = (Scalar::F32, Scalar::I1);
        for len in [304, 300] {
            assert_eq!(bits(greater.clone(), &[ty; 2], truth, len, asked), expected, "{len}, {asked:?}");
        }
        for ty in [Scalar::I8, Scalar::I16] {
            assert_eq!(bits(add.clone(), &[ty; 2], ty, 300, asked), expected, "{ty:?}, {asked:?}");
        }
        let (multiply, ty) = (KOp::Binary(KBinary::Mul), Scalar::I64);
        assert_eq!(bits(multiply, &[ty; 2], ty, 300, asked), [false, expected[1]], "{asked:?}");
    }
}

/// The longest vectors of this machine.
#[cfg(all(target_arch = "x86_64", unix))]
fn longest() -> Option<Wide> {
    use std::arch::is_x86_feature_detected as has;
    let zmm = has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw");
    let ymm = has!("avx2") && has!("fma");
    if zmm { Some(Wide::Zmm) } else { ymm.then_some(Wide::Ymm) }
}

/// Others have none of ours.
#[cfg(not(all(target_arch = "x86_64", unix)))]
fn longest() -> Option<Wide> {
    None
}

/// Library calls in loops: with values that cross stages, in place, strided, on what does not vary, in reductions.
#[test]
fn tiles() {
    for ty in [Scalar::F64, Scalar::F32] {
        for len in LENGTHS.into_iter().chain([16, 1024, 1025]) {
            for dynamic in [false, true] {
                let mut m = Maker::new();
                let (x, y, s) = (m.param(ty, 2 * len + 1), m.param(ty, len), m.param(ty, 2));
                let (out, plain, inout) = (m.result(ty, len), m.result(ty, len), m.result(ty, len));
                let (mask, sum) = (m.result(Scalar::I1, len), m.result(ty, 1));
                let end = if dynamic {
                    let (n, one) = (m.int(len as i64), m.int(1));
                    Extent::Value(m.b.op(KOp::Binary(KBinary::Mul), &[n, one], Scalar::I64))
                } else {
                    Extent::Const(len as i64)
                };
                m.b.count(Extent::Const(0), end, 1, LoopKind::Vector, &[], |b, i, _| {
                    let v = b.load(at(y, 0, &[(i, 1)]));
                    b.store(at(inout, 0, &[(i, 1)]), v);
                    let e = b.op(KOp::Math(MathFn::Exp), &[v], ty);
                    b.store(at(plain, 0, &[(i, 1)]), e);
                    vec![]
                });
                m.b.count(Extent::Const(0), end, 1, LoopKind::Vector, &[], |b, i, _| {
                    let v = b.load(at(x, 1, &[(i, 2)]));
                    let w = b.load(at(y, 0, &[(i, 1)]));
                    let (p, q) = (b.load(at(s, 0, &[])), b.load(at(s, 1, &[])));
                    let product = b.op(KOp::Binary(KBinary::Mul), &[v, w], ty);
                    let less =
                        b.op(KOp::Compare(Direction::Lt, CompareType::Float), &[product, p], Scalar::I1);
                    let u = b.op(KOp::Fma, &[v, p, q], ty);
                    let u = b.op(KOp::Math(MathFn::Tanh), &[u], ty);
                    let e = b.op(KOp::Math(MathFn::Exp), &[w], ty);
                    let strided = b.op(KOp::Math(MathFn::Sin), &[v], ty);
                    let fixed = b.op(KOp::Math(MathFn::Cos), &[q], ty);
                    let power = b.op(KOp::Math2(MathFn2::Pow), &[e, p], ty);
                    let counter = b.op(KOp::Cast(KCast::Signed), &[i], ty);
                    let root = b.op(KOp::Math(MathFn::Log1p), &[counter], ty);
                    let before = b.load(at(inout, 0, &[(i, 1)]));
                    let r = b.op(KOp::Binary(KBinary::Add), &[u, power], ty);
                    let r = b.op(KOp::Binary(KBinary::Mul), &[r, fixed], ty);
                    let r = b.op(KOp::Select, &[less, r, strided], ty);
                    let r = b.op(KOp::Binary(KBinary::Sub), &[r, root], ty);
                    let again = b.op(KOp::Math(MathFn::Logistic), &[r], ty);
                    let after = b.op(KOp::Fma, &[again, before, product], ty);
                    b.store(at(inout, 0, &[(i, 1)]), after);
                    b.store(at(mask, 0, &[(i, 1)]), less);
                    b.store(at(out, 0, &[(i, 1)]), r);
                    vec![]
                });
                let zero = m.b.float(ty, 0.0);
                let blocks = len.div_ceil(512);
                let total = m.b.count(
                    Extent::Const(0),
                    Extent::Const(blocks as i64),
                    1,
                    LoopKind::Sequential,
                    &[zero],
                    |b, t, c| {
                        let size = b.bits(Scalar::I64, 512);
                        let all = b.bits(Scalar::I64, len as u64);
                        let first = b.op(KOp::Binary(KBinary::Mul), &[t, size], Scalar::I64);
                        let left = b.op(KOp::Binary(KBinary::Sub), &[all, first], Scalar::I64);
                        let n = b.op(KOp::Binary(KBinary::Min), &[left, size], Scalar::I64);
                        let part =
                            b.lanes(Extent::Value(n), &[Combine::Add, Combine::Max], &[ty, ty], |b, i, c| {
                                let v = b.load(at(y, 0, &[(first, 1), (i, 1)]));
                                let u = b.op(KOp::Math(MathFn::Tanh), &[v], ty);
                                let w = b.op(KOp::Binary(KBinary::Mul), &[u, v], ty);
                                vec![
                                    b.op(KOp::Binary(KBinary::Add), &[c[0], w], ty),
                                    b.op(KOp::Binary(KBinary::Max), &[c[1], u], ty),
                                ]
                            });
                        let both = b.op(KOp::Binary(KBinary::Sub), &[part[0], part[1]], ty);
                        vec![b.op(KOp::Binary(KBinary::Add), &[c[0], both], ty)]
                    },
                );
                m.b.store(at(sum, 0, &[]), total[0]);
                let program = m.finish();
                check(&program, &inputs(&program, 23), &format!("tiles of {len} {ty:?}, dynamic {dynamic}"));
            }
        }
    }
}

/// Loops with a start and a step, as vectors and as tiles.
#[test]
fn steps() {
    for (start, end, step) in [(0, 100, 3), (5, 700, 1), (7, 3000, 5), (-20, 40, 2), (3, 3, 1)] {
        for math in [false, true] {
            let mut m = Maker::new();
            let (x, y) = (m.param(Scalar::F32, 3100), m.result(Scalar::F32, 3100));
            let zero = m.b.float(Scalar::F32, 0.0);
            m.b.count(Extent::Const(0), Extent::Const(3100), 1, LoopKind::Vector, &[], |b, i, _| {
                b.store(at(y, 0, &[(i, 1)]), zero);
                vec![]
            });
            m.b.count(Extent::Const(start), Extent::Const(end), step, LoopKind::Vector, &[], |b, i, _| {
                let v = b.load(at(x, 30, &[(i, 1)]));
                let op = if math { KOp::Math(MathFn::Exp) } else { KOp::Unary(KUnary::Neg) };
                let v = b.op(op, &[v], Scalar::F32);
                let c = b.op(KOp::Cast(KCast::Signed), &[i], Scalar::F32);
                let v = b.op(KOp::Binary(KBinary::Add), &[v, c], Scalar::F32);
                b.store(at(y, 30, &[(i, 1)]), v);
                vec![]
            });
            let program = m.finish();
            check(&program, &inputs(&program, 29), &format!("{start}..{end} by {step}, math {math}"));
        }
    }
}

/// The memory of an argument that becomes its result's may begin anywhere.
#[test]
fn arguments_given_away_need_no_alignment() {
    let program =
        map(KOp::Binary(KBinary::Add), &[Scalar::F32, Scalar::F32], Scalar::F32, 100, LoopKind::Vector);
    let executable = Executable::compile(&program, &Options::default()).expect("compiles");
    assert_eq!(executable.donations(), [(0, 0)]);
    let bytes = |f: fn(usize) -> f32| (0..100).flat_map(|k| f(k).to_le_bytes()).collect::<Vec<u8>>();
    let other = bytes(|k| k as f32 * 0.5);
    let mut memory = vec![0; 408];
    for from in 0..8 {
        let place = &mut memory[from..][..400];
        place.copy_from_slice(&bytes(|k| k as f32));
        let (args, limits) = ([&[][..], &other], &mut CallLimits::default());
        executable.call_donating(&args, &mut [&mut *place], &[(0, 0)], limits).expect("runs");
        assert_eq!(place, bytes(|k| k as f32 * 1.5), "{from} bytes on");
    }
}
