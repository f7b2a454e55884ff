//! What instructions without effects compute, by the PTX manual. Registers are words whose upper bits are zero where they
//! are narrower.

/// The function of an instruction; an error where PTX says no result.
pub(super) type Pure = Box<dyn Fn(&[u64]) -> Result<u64, &'static str> + Send + Sync>;

/// The function of an opcode, and how many operands it takes.
pub(super) fn pure(opcode: &str) -> Option<(Pure, usize)> {
    if let Some(rest) = opcode.strip_prefix("setp.") {
        return comparison(rest).map(|f| (f, 2));
    }
    if let Some(rest) = opcode.strip_prefix("cvt.") {
        return conversion(rest).map(|f| (f, 1));
    }
    integers(opcode).or_else(|| floats(opcode)).or_else(|| bits(opcode))
}

fn total(f: impl Fn(&[u64]) -> u64 + Send + Sync + 'static) -> Pure {
    Box::new(move |x| Ok(f(x)))
}

fn f32s(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

fn f64s(x: u64) -> f64 {
    f64::from_bits(x)
}

/// A result of binary32: NaN is the one that GPUs give.
fn r32(x: f32) -> u64 {
    u64::from(if x.is_nan() { 0x7fff_ffff } else { x.to_bits() })
}

fn r64(x: f64) -> u64 {
    if x.is_nan() { 0x7fff_ffff_ffff_ffff } else { x.to_bits() }
}

fn integers(opcode: &str) -> Option<(Pure, usize)> {
    macro_rules! at {
        ($u:ident $s:ident) => {{
            let (name, ty) = opcode.rsplit_once('.')?;
            let wide = if $u::BITS == 32 { ["s32", "u32"] } else { ["s64", "u64"] };
            if wide.contains(&ty) {
                let signed = ty.starts_with('s');
                let by = |f: fn($u, $u) -> $u| total(move |x| u64::from(f(x[0] as $u, x[1] as $u)));
                let divided = |f: fn($u, $u) -> Option<$u>| -> Pure {
                    Box::new(move |x| {
                        f(x[0] as $u, x[1] as $u).map(u64::from).ok_or("a quotient that PTX leaves open")
                    })
                };
                let found: Option<(Pure, usize)> = match (name, signed) {
                    ("add", _) => Some((by(|a, b| a.wrapping_add(b)), 2)),
                    ("sub", _) => Some((by(|a, b| a.wrapping_sub(b)), 2)),
                    ("mul.lo", _) => Some((by(|a, b| a.wrapping_mul(b)), 2)),
                    ("mad.lo", _) => Some((
                        total(|x| u64::from((x[0] as $u).wrapping_mul(x[1] as $u).wrapping_add(x[2] as $u))),
                        3,
                    )),
                    ("neg", true) => Some((total(|x| u64::from((x[0] as $u).wrapping_neg())), 1)),
                    ("min", true) => Some((by(|a, b| (a as $s).min(b as $s) as $u), 2)),
                    ("max", true) => Some((by(|a, b| (a as $s).max(b as $s) as $u), 2)),
                    ("min", false) => Some((by(|a, b| a.min(b)), 2)),
                    ("max", false) => Some((by(|a, b| a.max(b)), 2)),
                    ("div", true) => {
                        Some((divided(|a, b| (a as $s).checked_div(b as $s).map(|q| q as $u)), 2))
                    }
                    ("rem", true) => {
                        Some((divided(|a, b| (a as $s).checked_rem(b as $s).map(|q| q as $u)), 2))
                    }
                    ("div", false) => Some((divided(|a, b| a.checked_div(b)), 2)),
                    ("rem", false) => Some((divided(|a, b| a.checked_rem(b)), 2)),
                    // Amounts that are too large are the width.
                    ("shr", true) => Some((
                        total(|x| u64::from(((x[0] as $s) >> (x[1] as u32).min($u::BITS - 1)) as $u)),
                        2,
                    )),
                    ("shr", false) => {
                        Some((total(|x| u64::from((x[0] as $u).checked_shr(x[1] as u32).unwrap_or(0))), 2))
                    }
                    _ => None,
                };
                if found.is_some() {
                    return found;
                }
            }
        }};
    }
    at!(u32 i32);
    at!(u64 i64);
    None
}

fn floats(opcode: &str) -> Option<(Pure, usize)> {
    macro_rules! at {
        ($ty:literal $f:ident $of:ident $to:ident) => {
            if let Some(name) = opcode.strip_suffix($ty) {
                let two = |f: fn($f, $f) -> $f| (total(move |x| $to(f($of(x[0]), $of(x[1])))), 2);
                let found =
                    match name {
                        "add.rn." => Some(two(|a, b| a + b)),
                        "sub.rn." => Some(two(|a, b| a - b)),
                        "mul.rn." => Some(two(|a, b| a * b)),
                        "div.rn." => Some(two(|a, b| a / b)),
                        "fma.rn." => Some((total(|x| $to($of(x[0]).mul_add($of(x[1]), $of(x[2])))), 3)),
                        "sqrt.rn." => Some((total(|x| $to($of(x[0]).sqrt())), 1)),
                        // The number where the other is none; -0 is less than +0.
                        "min." => Some(two(|a, b| {
                            if a == b { $f::from_bits(a.to_bits() | b.to_bits()) } else { a.min(b) }
                        })),
                        "max." => Some(two(|a, b| {
                            if a == b { $f::from_bits(a.to_bits() & b.to_bits()) } else { a.max(b) }
                        })),
                        _ => None,
                    };
                if found.is_some() {
                    return found;
                }
            }
        };
    }
    at!("f32" f32 f32s r32);
    at!("f64" f64 f64s r64);
    None
}

fn bits(opcode: &str) -> Option<(Pure, usize)> {
    let (name, ty) = opcode.rsplit_once('.')?;
    let all: u64 = match ty {
        "pred" => 1,
        "b32" | "u32" => u64::from(u32::MAX),
        "b64" | "u64" => u64::MAX,
        _ => return None,
    };
    let width = all.count_ones();
    Some(match name {
        "mov" => (total(move |x| x[0] & all), 1),
        "cvta.to.global" => (total(|x| x[0]), 1),
        "and" => (total(move |x| x[0] & x[1] & all), 2),
        "or" => (total(move |x| (x[0] | x[1]) & all), 2),
        "xor" => (total(move |x| (x[0] ^ x[1]) & all), 2),
        "not" => (total(move |x| !x[0] & all), 1),
        "selp" => (total(move |x| if x[2] != 0 { x[0] & all } else { x[1] & all }), 3),
        "popc" => (total(move |x| u64::from((x[0] & all).count_ones())), 1),
        "clz" => (total(move |x| u64::from((x[0] & all).leading_zeros() - (64 - width))), 1),
        "shl" => (total(move |x| if x[1] < u64::from(width) { (x[0] << x[1]) & all } else { 0 }), 2),
        _ => return None,
    })
}

fn comparison(rest: &str) -> Option<Pure> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let (name, ty) = rest.split_once('.')?;
    let order: fn(u64, u64) -> Option<std::cmp::Ordering> = match ty {
        "s32" => |a, b| Some((a as i32).cmp(&(b as i32))),
        "u32" => |a, b| Some((a as u32).cmp(&(b as u32))),
        "s64" => |a, b| Some((a as i64).cmp(&(b as i64))),
        "u64" => |a, b| Some(a.cmp(&b)),
        "f32" => |a, b| f32s(a).partial_cmp(&f32s(b)),
        "f64" => |a, b| f64s(a).partial_cmp(&f64s(b)),
        _ => return None,
    };
    let is_float = ty.starts_with('f');
    let holds: fn(Option<std::cmp::Ordering>) -> bool = match (name, is_float) {
        ("eq", _) => |o| o == Some(Equal),
        // Of floats this is false for NaN.
        ("ne", false) => |o| o != Some(Equal),
        ("neu", true) => |o| o != Some(Equal),
        ("lt", _) => |o| o == Some(Less),
        ("le", _) => |o| matches!(o, Some(Less | Equal)),
        ("gt", _) => |o| o == Some(Greater),
        ("ge", _) => |o| matches!(o, Some(Greater | Equal)),
        ("nan", true) => |o| o.is_none(),
        _ => return None,
    };
    Some(total(move |x| u64::from(holds(order(x[0], x[1])))))
}

fn conversion(rest: &str) -> Option<Pure> {
    let parts: Vec<&str> = rest.split('.').collect();
    Some(match parts[..] {
        ["f64", "f32"] => total(|x| r64(f64::from(f32s(x[0])))),
        ["rn", "f32", "f64"] => total(|x| r32(f64s(x[0]) as f32)),
        ["rmi", "f32", "f32"] => total(|x| r32(f32s(x[0]).floor())),
        ["rpi", "f32", "f32"] => total(|x| r32(f32s(x[0]).ceil())),
        ["rni", "f32", "f32"] => total(|x| r32(f32s(x[0]).round_ties_even())),
        ["rmi", "f64", "f64"] => total(|x| r64(f64s(x[0]).floor())),
        ["rpi", "f64", "f64"] => total(|x| r64(f64s(x[0]).ceil())),
        ["rni", "f64", "f64"] => total(|x| r64(f64s(x[0]).round_ties_even())),
        // NaN gives zero or the least number, by types: what is printed must not use it, and the pattern shows if it does.
        ["rzi", "s32", "f32"] => total(|x| integer(f64::from(f32s(x[0])), |v| u64::from(v as i32 as u32))),
        ["rzi", "u32", "f32"] => total(|x| integer(f64::from(f32s(x[0])), |v| u64::from(v as u32))),
        ["rzi", "s64", "f32"] => total(|x| integer(f64::from(f32s(x[0])), |v| v as i64 as u64)),
        ["rzi", "u64", "f32"] => total(|x| integer(f64::from(f32s(x[0])), |v| v as u64)),
        ["rzi", "s32", "f64"] => total(|x| integer(f64s(x[0]), |v| u64::from(v as i32 as u32))),
        ["rzi", "u32", "f64"] => total(|x| integer(f64s(x[0]), |v| u64::from(v as u32))),
        ["rzi", "s64", "f64"] => total(|x| integer(f64s(x[0]), |v| v as i64 as u64)),
        ["rzi", "u64", "f64"] => total(|x| integer(f64s(x[0]), |v| v as u64)),
        ["rn", "f32", "s32"] => total(|x| r32(x[0] as i32 as f32)),
        ["rn", "f32", "u32"] => total(|x| r32(x[0] as u32 as f32)),
        ["rn", "f32", "s64"] => total(|x| r32(x[0] as i64 as f32)),
        ["rn", "f32", "u64"] => total(|x| r32(x[0] as f32)),
        ["rn", "f64", "s32"] => total(|x| r64(f64::from(x[0] as i32))),
        ["rn", "f64", "u32"] => total(|x| r64(f64::from(x[0] as u32))),
        ["rn", "f64", "s64"] => total(|x| r64(x[0] as i64 as f64)),
        ["rn", "f64", "u64"] => total(|x| r64(x[0] as f64)),
        ["u32", "u64"] => total(|x| u64::from(x[0] as u32)),
        ["u64", "u32"] => total(|x| u64::from(x[0] as u32)),
        ["s64", "s32"] => total(|x| i64::from(x[0] as i32) as u64),
        _ => return None,
    })
}

/// Of NaN there is no integer, and a pattern that nobody expects says so.
fn integer(x: f64, f: fn(f64) -> u64) -> u64 {
    if x.is_nan() { f(123_456_789.0) } else { f(x) }
}
