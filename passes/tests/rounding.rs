//! What the optimizer may not forget: signs of zeros, and that numbers out of range are the nearest ones.

use crate::support::run;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::kernel::interp;
use wengert_ir::testing::{floats, numbers};
use wengert_ir::text::parse;
use wengert_ir::types::{DType, FloatMode, TensorType};
use wengert_passes::lower::{Options, lower};
use wengert_passes::pipeline::Pipeline;

fn parsed(text: &str) -> (Module, FuncId) {
    let m = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let f = m.find("main").expect("main");
    (m, f)
}

/// The optimized program gives the bits that the program says.
#[track_caller]
fn keeps_bits(text: &str, args: &[Array]) {
    let (mut m, f) = parsed(text);
    let want = run(&m, f, args);
    let pipeline = Pipeline::parse(wengert_passes::pipeline::DEFAULT).expect("passes");
    let g = pipeline.run(&mut m, f, &mut |_| {});
    let got = run(&m, g, args);
    let same = want.iter().zip(&got).all(|(a, b)| a.bytes() == b.bytes());
    assert!(same, "{got:?} instead of {want:?}\n{text}");
}

/// A sum with zero is nothing only to what has no -0.0, and that is what is made of two such values, not of one.
#[test]
fn zeros_keep_their_signs_where_one_of_two_values_may_have_them() {
    let minus = ["%m", "%c"];
    for (a, b) in minus.into_iter().flat_map(|n| [("%e", n), (n, "%e"), (n, n), ("%e", "%e")]) {
        let scalar = |v: &str| v.replace('%', "%s");
        for made in [
            format!(
                "stablehlo.pad {a}, {}, low = [1], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>",
                scalar(b)
            ),
            format!(
                "stablehlo.concatenate {a}, {b}, %e, dim = 0 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<9xf32>"
            ),
            format!("stablehlo.select %p, {a}, {b} : tensor<3xi1>, tensor<3xf32>"),
            format!(
                "stablehlo.dynamic_update_slice {a}, %u{}, %i : (tensor<3xf32>, tensor<2xf32>, tensor<i32>) -> tensor<3xf32>",
                &b[1..]
            ),
            format!("stablehlo.add {a}, {b} : tensor<3xf32>"),
            format!("stablehlo.multiply {a}, {b} : tensor<3xf32>"),
            format!("stablehlo.maximum {a}, {b} : tensor<3xf32>"),
            format!("stablehlo.minimum {a}, {b} : tensor<3xf32>"),
        ] {
            let n = if made.contains("7xf32") {
                7
            } else if made.contains("9xf32") {
                9
            } else {
                3
            };
            keeps_bits(
                &format!(
                    "func.func public @main(%x: tensor<3xf32>, %m: tensor<3xf32>, %sm: tensor<f32>, %p: tensor<3xi1>, %i: tensor<i32>) -> tensor<{n}xf32> {{
                      %e = stablehlo.exponential %x : tensor<3xf32>
                      %c = stablehlo.constant dense<-0.0> : tensor<3xf32>
                      %sc = stablehlo.constant dense<-0.0> : tensor<f32>
                      %se = stablehlo.exponential %sm : tensor<f32>
                      %ue = stablehlo.slice %e [0:2] : (tensor<3xf32>) -> tensor<2xf32>
                      %um = stablehlo.slice %m [0:2] : (tensor<3xf32>) -> tensor<2xf32>
                      %uc = stablehlo.slice %c [0:2] : (tensor<3xf32>) -> tensor<2xf32>
                      %0 = {made}
                      %z = stablehlo.constant dense<0.0> : tensor<{n}xf32>
                      %1 = stablehlo.add %0, %z : tensor<{n}xf32>
                      return %1 : tensor<{n}xf32>
                    }}"
                ),
                &[
                    Array::new(&[3], &[-200.0f32, 0.5, 1.0]),
                    Array::new(&[3], &[-0.0f32, -0.0, 0.0]),
                    Array::scalar(-0.0f32),
                    Array::new_bool(&[3], &[true, false, true]),
                    Array::scalar(1i32),
                ],
            );
        }
    }
}

/// Two conversions are one only if nothing is cut on the way that is not cut at once: between all types, out of range too.
#[test]
fn conversions_in_a_row_are_not_shortened_too_far() {
    let native = |t: &&DType| t.is_native() && !t.is_complex();
    let types: Vec<DType> = DType::ALL.iter().filter(native).copied().collect();
    let special = [
        0.0, -1.0, 1.0, 127.0, 128.0, -129.0, 300.0, -300.0, 32_768.0, 70_000.0, 3e9, -3e9, 1e19, -1e19, 0.5,
        -1.5,
    ];
    for &from in &types {
        let ty = TensorType::new(from, &[special.len()]);
        let x = numbers(&ty, special);
        for &by in &types {
            let lines: Vec<String> = (types.iter().enumerate())
                .map(|(k, to)| format!("%{k} = stablehlo.convert %by : (tensor<16x{by}>) -> tensor<16x{to}>"))
                .collect();
            let results: Vec<String> = (0..types.len()).map(|k| format!("%{k}")).collect();
            let given: Vec<String> = types.iter().map(|to| format!("tensor<16x{to}>")).collect();
            let (results, given) = (results.join(", "), given.join(", "));
            keeps_bits(
                &format!(
                    "func.func public @main(%x: tensor<16x{from}>) -> ({given}) {{
                      %by = stablehlo.convert %x : (tensor<16x{from}>) -> tensor<16x{by}>
                      {}
                      return {results} : {given}
                    }}",
                    lines.join("\n                      ")
                ),
                std::slice::from_ref(&x),
            );
        }
    }
}

/// Kernels round to bfloat16 as the interpreter does: halves to the even number, what is beyond the largest to infinity, NaN to NaN.
#[test]
fn halves_between_bfloat16_are_rounded_to_even() {
    let mut all: Vec<f32> = Vec::new();
    for high in [0x0000u32, 0x0001, 0x3f80, 0x3f81, 0x3fff, 0x7f7e, 0x7f7f, 0x7f80, 0x7fc0] {
        for low in [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff] {
            all.extend([0, 1 << 31].map(|sign| f32::from_bits(sign | high << 16 | low)));
        }
    }
    let n = all.len();
    let (m, f) = parsed(&format!(
        "func.func public @main(%x: tensor<{n}xf32>) -> tensor<{n}xbf16> {{
          %0 = stablehlo.convert %x : (tensor<{n}xf32>) -> tensor<{n}xbf16>
          return %0 : tensor<{n}xbf16>
        }}"
    ));
    let program = lower(&m, f, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let x = Array::new(&[n], &all);
    let found = interp::run(&program, std::slice::from_ref(&x)).expect("it runs").remove(0);
    let want = run(&m, f, &[x]).remove(0);
    let bits =
        |a: &Array| a.bytes().chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect::<Vec<_>>();
    for ((x, found), want) in all.iter().zip(bits(&found)).zip(bits(&want)) {
        assert!(found == want || x.is_nan() && found & 0x7fff > 0x7f80, "{x:e}: {found:x} is not {want:x}");
    }
}

/// A quotient by a constant is a product with its reciprocal only where that costs no more than one rounding: constants whose
/// reciprocal has fewer bits, or is none, divide. To the bit in the exact mode, to one unit in the last place in the default one.
#[test]
fn quotients_by_constants_are_close() {
    let values = |largest: f64, smallest: f64| {
        let mut all = vec![1.0, 3.0, 0.7, 1e10, -2.5e-10, largest, 0.9 * largest, smallest, 0.0, -0.0];
        all.extend((1..60).map(|k| largest.powf(1.0 - f64::from(k) / 40.0) * 1.37));
        all
    };
    let constants_of = |most: i32| {
        let powers = [-most + 1, -most + 2, -most / 2, -1, 0, 1, 5, most - 2, most - 1, most];
        powers.into_iter().flat_map(|e| [1.0, 1.1, 1.37, 1.5, 1.83, 1.99].map(|m| m * 2f64.powi(e)))
    };
    for (dtype, name, most) in [(DType::F32, "f32", 127), (DType::F64, "f64", 1023)] {
        let xs = match dtype {
            DType::F32 => values(f32::MAX.into(), f32::MIN_POSITIVE.into()),
            _ => values(f64::MAX, f64::MIN_POSITIVE),
        };
        let x = numbers(&TensorType::new(dtype, &[xs.len()]), xs.iter().copied());
        let unit = if dtype == DType::F32 { 2f64.powi(-23) } else { f64::EPSILON };
        for c in constants_of(most).flat_map(|c| [c, -c]) {
            let hex = match dtype {
                DType::F32 => format!("0x{:08X}", (c as f32).to_bits()),
                _ => format!("0x{:016X}", c.to_bits()),
            };
            let ty = format!("tensor<{}x{name}>", xs.len());
            let text = format!(
                "func.func @main(%x: {ty}) -> {ty} {{
                   %c = stablehlo.constant dense<{hex}> : {ty}
                   %q = stablehlo.divide %x, %c : {ty}
                   return %q : {ty}
                 }}"
            );
            for mode in [FloatMode::Exact, FloatMode::Default] {
                let (mut m, f) = parsed(&text);
                m.mode = mode;
                let want = floats(&run(&m, f, std::slice::from_ref(&x))[0]);
                let pipeline = Pipeline::parse(wengert_passes::pipeline::DEFAULT).expect("passes");
                let g = pipeline.run(&mut m, f, &mut |_| {});
                let got = floats(&run(&m, g, std::slice::from_ref(&x))[0]);
                for (k, (&w, &g)) in want.iter().zip(&got).enumerate() {
                    let near = mode == FloatMode::Default && (w - g).abs() <= 1.001 * unit * w.abs();
                    // Subnormal quotients have fewer bits.
                    let tiny =
                        if dtype == DType::F32 { f64::from(f32::from_bits(1)) } else { f64::from_bits(1) };
                    let close = near || mode == FloatMode::Default && (w - g).abs() <= tiny;
                    assert!(
                        w.to_bits() == g.to_bits() || close,
                        "{:e} / {c:e}: {g:e} instead of {w:e}, {mode:?}",
                        xs[k]
                    );
                }
            }
        }
    }
}
