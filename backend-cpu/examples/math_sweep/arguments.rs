//! Arguments of doubles: where each function is interesting. There are too many to look at all.

use super::sweep::{Random, doubles, doubles2};
use std::io::Write;
use std::path::Path;
use wengert_ir::math::{MathFn, MathFn2};

/// The interval that programs use most; speed is measured there.
pub(super) fn usual(f: MathFn) -> (f64, f64) {
    match f {
        MathFn::Asin | MathFn::Acos | MathFn::Atanh | MathFn::ErfInv => (-0.99, 0.99),
        MathFn::Acosh => (1.0, 20.0),
        MathFn::Log | MathFn::Log2 | MathFn::Log1p | MathFn::Rsqrt | MathFn::Lgamma | MathFn::Digamma => {
            (0.01, 20.0)
        }
        MathFn::Exp
        | MathFn::Exp2
        | MathFn::Expm1
        | MathFn::Sin
        | MathFn::Cos
        | MathFn::Tan
        | MathFn::Tanh
        | MathFn::Sinh
        | MathFn::Cosh
        | MathFn::Logistic
        | MathFn::Cbrt
        | MathFn::Atan
        | MathFn::Asinh
        | MathFn::Erf
        | MathFn::Erfc => (-10.0, 10.0),
    }
}

/// Where the results are neither zero nor infinite nor constant.
fn range(f: MathFn) -> (f64, f64) {
    match f {
        MathFn::Exp | MathFn::Logistic => (-745.2, 709.8),
        MathFn::Exp2 => (-1075.0, 1024.0),
        MathFn::Expm1 => (-38.0, 709.8),
        MathFn::Sinh | MathFn::Cosh => (-710.5, 710.5),
        MathFn::Tanh => (-20.0, 20.0),
        MathFn::Erf => (-6.0, 6.0),
        MathFn::Erfc => (-6.0, 26.6),
        MathFn::Lgamma | MathFn::Digamma => (-20.0, 20.0),
        MathFn::Sin | MathFn::Cos | MathFn::Tan => (-1e9, 1e9),
        MathFn::Asin
        | MathFn::Acos
        | MathFn::Atanh
        | MathFn::ErfInv
        | MathFn::Acosh
        | MathFn::Log
        | MathFn::Log2
        | MathFn::Log1p
        | MathFn::Rsqrt
        | MathFn::Cbrt
        | MathFn::Atan
        | MathFn::Asinh => usual(f),
    }
}

/// Points where formulas change or results vanish.
const PLACES: &[f64] = &[
    0.5,
    1.0,
    1.5,
    2.0,
    2.5,
    3.0,
    8.0,
    std::f64::consts::FRAC_PI_4,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    std::f64::consts::FRAC_1_SQRT_2,
    std::f64::consts::SQRT_2,
    1.4616321449683622,
    0.55,
    0.34657359027997264,
];

fn argument(random: &mut Random, f: MathFn) -> f64 {
    let sign = if random.bits() & 1 == 0 { 1.0 } else { -1.0 };
    match random.bits() % 6 {
        0 => f64::from_bits(random.bits()),
        1 => {
            let (low, high) = range(f);
            random.between(low, high)
        }
        2 => {
            let (low, high) = usual(f);
            random.between(low, high)
        }
        3 => random.between(-2.0, 2.0),
        4 => sign * 2f64.powf(random.between(-30.0, 10.0)),
        _ => {
            let place = PLACES[random.bits() as usize % PLACES.len()];
            sign * place * (1.0 + random.between(-1.0, 1.0) * 2f64.powf(random.between(-50.0, -2.0)))
        }
    }
}

/// Writes a file for each function: its arguments and what it gives for them, as doubles.
pub(super) fn write(folder: &Path, count: usize, wanted: impl Fn(&str) -> bool) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let save = |name: &str, columns: &[&[f64]]| {
        let short = name.rsplit('.').next().unwrap_or(name);
        let mut file = std::io::BufWriter::new(std::fs::File::create(folder.join(short))?);
        for i in 0..count {
            for column in columns {
                file.write_all(&column[i].to_le_bytes())?;
            }
        }
        file.flush()
    };
    for (seed, &f) in MathFn::ALL.iter().enumerate().filter(|(_, f)| wanted(f.name())) {
        let mut random = Random(seed as u64);
        let x: Vec<f64> = (0..count).map(|_| argument(&mut random, f)).collect();
        let mut y = x.clone();
        doubles(f, &x, &mut y);
        save(f.name(), &[&x, &y])?;
    }
    for (seed, &f) in MathFn2::ALL.iter().enumerate().filter(|(_, f)| wanted(f.name())) {
        let mut random = Random(1000 + seed as u64);
        let pairs: Vec<_> = (0..count).map(|_| random.pair(f, f64::from_bits, 745.0)).collect();
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let mut y = a.clone();
        doubles2(f, &a, &b, &mut y);
        save(f.name(), &[&a, &b, &y])?;
    }
    Ok(())
}
