//! WGSL for real, on whatever Vulkan there is: in CI Mesa's software implementation, which rounds as IEEE says. Everything but
//! functions made of fused multiply-adds has the kernel interpreter's bits there; those are held to a bound.

mod common;

use common::{TYPES, array, canonical, elementwise, pairs, words};
use std::sync::{Mutex, PoisonError};
use wengert_gpu::{Device, Executable, drivers};
use wengert_ir::array::Array;
use wengert_ir::kernel::{KBinary, KCast, KOp, KUnary, Program, Scalar, interp, verify};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::testing::{Random, skip};

/// A device of a test's own. By its name there is one for all, which loads one program at a time, and a driver takes ten seconds for
/// the longest functions. They are opened one after the other: what a driver does once in a process is not for two threads.
fn device() -> Option<Device> {
    static OPENING: Mutex<()> = Mutex::new(());
    let _alone = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    #[cfg(feature = "wgpu")]
    let opened = drivers::wgpu::open(0);
    #[cfg(not(feature = "wgpu"))]
    let opened = drivers::open("wgpu:0");
    match opened {
        Ok(device) => Some(device),
        Err(why) => {
            skip("vulkan", &why.to_string());
            None
        }
    }
}

/// How far apart two results are, in floats between them.
fn distance(ty: Scalar, a: u64, b: u64) -> u64 {
    let key = |w: u64| -> i128 {
        let (bits, sign) = if ty == Scalar::F32 { (w, 31) } else { (w, 63) };
        let magnitude = i128::from(bits & !(1 << sign));
        if bits >> sign & 1 == 1 { -magnitude } else { magnitude }
    };
    (key(a) - key(b)).unsigned_abs().min(u128::from(u64::MAX)) as u64
}

fn load(device: &Device, what: &str, program: &Program) -> Executable {
    Executable::load(device, program).unwrap_or_else(|e| panic!("{what}: {e}\n{}", text_of(program)))
}

/// The largest distance of a result, and where.
fn worst(executable: &Executable, what: &str, args: &[Array], ty: Scalar) -> (u64, usize) {
    let program = executable.program();
    let bytes: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
    let out = executable.call_bytes(&bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
    let expected = interp::run(program, args).unwrap_or_else(|e| panic!("{what}: {e}"));
    let mut worst = (0, 0);
    for ((bytes, expected), ty_of) in out.iter().zip(&expected).zip(&program.results) {
        let found = Array::from_bytes(ty_of.clone(), bytes);
        let (found, expected) = (canonical(&found), canonical(expected));
        for (at, (&f, &e)) in found.iter().zip(&expected).enumerate() {
            let far = if ty.is_float() { distance(ty, f, e) } else { u64::from(f != e) };
            if f != e && far >= worst.0 {
                worst = (far.max(1), at);
            }
        }
    }
    worst
}

fn text_of(program: &Program) -> String {
    let means = wengert_gpu::expand::Means::default();
    wengert_gpu::wgsl::module(program, means).map_or_else(|e| e, |s| s[0].text.clone())
}

fn exact(device: &Device, what: &str, op: KOp, args: &[Array], ins: &[Scalar], out: Scalar) -> bool {
    let n = args[0].bytes().len() / ins[0].size();
    let program = elementwise(ins, &[out], n, |b, x| vec![b.op(op, x, out)]);
    if verify::verify(&program).is_err() {
        return false;
    }
    let (far, at) = worst(&load(device, what, &program), what, args, out);
    let inputs: Vec<String> = args.iter().map(|a| format!("{:#x}", canonical(a)[at])).collect();
    assert_eq!(far, 0, "{what} of {inputs:?}\n{}", text_of(&program));
    true
}

const UNARY: [KUnary; 8] = [
    KUnary::Neg,
    KUnary::Abs,
    KUnary::Floor,
    KUnary::Ceil,
    KUnary::Nearest,
    KUnary::Not,
    KUnary::Popcnt,
    KUnary::Clz,
];

const BINARY: [KBinary; 17] = [
    KBinary::Add,
    KBinary::Sub,
    KBinary::Mul,
    KBinary::Div,
    KBinary::DivU,
    KBinary::RemU,
    KBinary::Min,
    KBinary::MinU,
    KBinary::Max,
    KBinary::MaxU,
    KBinary::And,
    KBinary::Or,
    KBinary::Xor,
    KBinary::Shl,
    KBinary::Shr,
    KBinary::ShrU,
    KBinary::NextAfter,
];

#[test]
fn operations() {
    let Some(device) = device() else { return };
    let mut count = 0;
    for ty in TYPES {
        for op in UNARY {
            let x = array(ty, &words(ty));
            count +=
                usize::from(exact(&device, &format!("{op:?} of {ty:?}"), KOp::Unary(op), &[x], &[ty], ty));
        }
        for op in BINARY.into_iter().chain([KBinary::Rem]) {
            let what = format!("{op:?} of {ty:?}");
            count += usize::from(exact(&device, &what, KOp::Binary(op), &pairs(ty, ty), &[ty, ty], ty));
        }
        for kind in [CompareType::Float, CompareType::TotalOrder, CompareType::Signed, CompareType::Unsigned]
        {
            for direction in [Direction::Eq, Direction::Ne, Direction::Lt, Direction::Ge] {
                let what = format!("{direction:?} {kind:?} of {ty:?}");
                let op = KOp::Compare(direction, kind);
                count += usize::from(exact(&device, &what, op, &pairs(ty, ty), &[ty, ty], Scalar::I1));
            }
        }
        for to in TYPES {
            for kind in [KCast::Signed, KCast::Unsigned, KCast::Bits] {
                let x = array(ty, &words(ty));
                let what = format!("{kind:?} {ty:?} to {to:?}");
                count += usize::from(exact(&device, &what, KOp::Cast(kind), &[x], &[ty], to));
            }
        }
    }
    assert!(count > 250, "{count} operations were taken");
}

/// Roots and the math library: within some units in the last place of the interpreter's.
fn functions(ty: Scalar) {
    let Some(device) = device() else { return };
    let mut random = Random(3);
    let mut found = Vec::new();
    for drawn in [Scalar::F32, Scalar::F64] {
        let numbers = |random: &mut Random, scale: f64| -> Vec<u64> {
            let bits =
                |x: f64| if drawn == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
            (0..200).map(|_| bits(random.uniform(-scale, scale))).collect()
        };
        let mut ops: Vec<(String, KOp, usize)> = vec![("sqrt".into(), KOp::Unary(KUnary::Sqrt), 1)];
        ops.push(("fma".into(), KOp::Fma, 3));
        ops.extend(MathFn::ALL.iter().map(|&f| (f.name().to_owned(), KOp::Math(f), 1)));
        ops.extend(MathFn2::ALL.iter().map(|&f| (f.name().to_owned(), KOp::Math2(f), 2)));
        for (name, op, operands) in ops {
            let all: [Vec<Array>; 2] = [1.0, 20.0]
                .map(|scale| (0..operands).map(|_| array(drawn, &numbers(&mut random, scale))).collect());
            // Numbers are drawn for both types, one after the other, whichever is asked for: they are those that the bound is for.
            if drawn != ty {
                continue;
            }
            let program = elementwise(&vec![ty; operands], &[ty], 200, |b, x| vec![b.op(op, x, ty)]);
            // Once for all numbers: a driver takes much longer to load it than to run it.
            let executable = load(&device, &name, &program);
            for args in &all {
                let (far, at) = worst(&executable, &name, args, ty);
                let x = canonical(&args[0])[at];
                found.push((far, format!("{name} of {ty:?} at {x:#x}")));
            }
        }
    }
    found.sort();
    let exact = found.iter().filter(|f| f.0 == 0).count();
    eprintln!("{exact} of {} exact, the worst: {:?}", found.len(), &found[found.len() - 5..]);
    assert!(found.last().expect("some").0 <= 64, "{:?}", &found[found.len() - 10..]);
}

#[test]
fn functions_of_f32() {
    functions(Scalar::F32);
}

#[test]
fn functions_of_f64() {
    functions(Scalar::F64);
}
