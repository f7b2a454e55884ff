//! Programs that JAX wrote, and their gradients: compiled code against the kernel interpreter.

use crate::common;

use common::{assert_same, call};
use std::path::Path;
use wengert_cpu::{Executable, Options};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::kernel::{KOp, Library, Program};
use wengert_ir::types::{DType, DTypeClass};
use wengert_passes::pipeline::Pipeline;
use wengert_passes::{ad, lower};

/// Whether a program multiplies matrices, the one thing that is not held to the interpreter's bits.
fn multiplies(program: &Program) -> bool {
    let mut found = false;
    for kernel in program.kernels.values() {
        let mut blocks = vec![&kernel.body];
        while let Some(block) = blocks.pop() {
            for inst in &block.insts {
                match &inst.op {
                    KOp::Library(l) => found |= matches!(**l, Library::Gemm { .. }),
                    KOp::For(l) => blocks.push(&l.body),
                    KOp::While(l) => blocks.extend([&l.cond, &l.body]),
                    KOp::Switch(arms) => blocks.extend(arms),
                    _ => {}
                }
            }
        }
    }
    found
}

/// Real and imaginary parts.
fn parts(a: &Array) -> Vec<f64> {
    a.bytes().chunks(8).map(|part| f64::from_le_bytes(part.try_into().expect("8 bytes"))).collect()
}

#[track_caller]
fn assert_close(found: &[Array], expected: &[Array], what: &str) {
    for (k, (f, e)) in found.iter().zip(expected).enumerate() {
        let (numbers, tolerance): (fn(&Array) -> Vec<f64>, f64) = match f.dtype() {
            DType::F64 => (|a| a.as_slice::<f64>().to_vec(), 1e-9),
            DType::F32 => (|a| a.as_slice::<f32>().iter().map(|&v| f64::from(v)).collect(), 1e-3),
            // What is rounded to few digits may be rounded to the neighbour.
            DType::F16 | DType::BF16 => {
                (|a| parts(&wengert_ir::ops::convert(a, DType::C128).expect("floats widen")), 1e-2)
            }
            DType::C64 => (|a| parts(&wengert_ir::ops::convert(a, DType::C128).expect("widens")), 1e-3),
            DType::C128 => (parts, 1e-9),
            _ => {
                assert_eq!(f, e, "{what}: result {k}");
                continue;
            }
        };
        let (f, e) = (numbers(f), numbers(e));
        let scale = e.iter().filter(|v| v.is_finite()).fold(1.0f64, |m, v| m.max(v.abs()));
        for (i, (&f, &e)) in f.iter().zip(&e).enumerate() {
            let same = f == e || (f.is_nan() && e.is_nan()) || (f - e).abs() <= tolerance * scale;
            assert!(same, "{what}: result {k} at {i}: compiled {f}, interpreted {e}");
        }
    }
}

/// Compiles a function under every option and compares. Gives whether it could be lowered.
fn check(mut module: Module, func: FuncId, args: &[Array], what: &str) -> bool {
    let func = Pipeline::default().run(&mut module, func, &mut |_| {});
    let Ok(program) = lower::lower(&module, func, &lower::Options::default()) else { return false };
    let expected =
        wengert_ir::kernel::interp::run(&program, args).unwrap_or_else(|e| panic!("{what}: {e}\n{program}"));
    for (vectors, tiles) in [(false, false), (true, true)] {
        let options = Options { vectors, tiles, ..Options::default() };
        let executable = Executable::compile(&program, &options).unwrap_or_else(|e| panic!("{what}: {e}"));
        for threads in [1, 3] {
            wengert_cpu::set_threads(threads);
            let found = call(&executable, &program, args);
            let what = format!("{what}, vectors {vectors}, {threads} threads");
            if multiplies(&program) {
                assert_close(&found, &expected, &what);
            } else {
                assert_same(&found, &expected, args, &what);
            }
        }
    }
    true
}

#[test]
fn compiled_programs_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let mut cases: Vec<_> =
        std::fs::read_dir(root).expect("the corpus").map(|e| e.expect("an entry").path()).collect();
    cases.sort();
    let (mut functions, mut gradients) = (0, 0);
    for case in cases {
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(case.join("program.mlir")) else { continue };
        let Ok(module) = wengert_ir::text::parse(&text) else { continue };
        let Some(main) = module.funcs.iter().find(|(_, f)| f.name == "main").map(|(id, _)| id) else {
            continue;
        };
        let read = |file: String| wengert_ir::npy::parse(&std::fs::read(case.join(file)).ok()?).ok();
        let args: Vec<Array> = (0..).map_while(|k| read(format!("in{k}.npy"))).collect();
        let params = module.funcs[main].param_types();
        if params.len() != args.len() {
            continue;
        }
        functions += usize::from(check(module.clone(), main, &args, &name));
        // The gradient of all floating-point results with respect to all floating-point arguments.
        let floats = |types: Vec<DType>| -> Vec<bool> {
            types.into_iter().map(|d| d.class() == DTypeClass::Float).collect()
        };
        let dtypes = |types: Vec<wengert_ir::types::Type>| -> Option<Vec<DType>> {
            types.iter().map(|t| t.as_tensor().map(|t| t.dtype)).collect()
        };
        let results = module.funcs[main].result_types();
        let (Some(of), Some(wrt)) = (dtypes(results), dtypes(params)) else { continue };
        let (of, wrt) = (floats(of), floats(wrt));
        let mut module = module;
        let Ok(vjp) = ad::vjp(&mut module, main, &wrt, &of) else { continue };
        let cotangents = (0..of.len()).filter(|&k| of[k]).map(|k| read(format!("cotangent{k}.npy")));
        let Some(cotangents) = cotangents.collect::<Option<Vec<Array>>>() else { continue };
        let all: Vec<Array> = args.into_iter().chain(cotangents).collect();
        if all.len() == module.funcs[vjp].param_types().len() {
            gradients += usize::from(check(module, vjp, &all, &format!("gradient of {name}")));
        }
    }
    assert!(functions >= 50 && gradients >= 30, "{functions} functions, {gradients} gradients");
}
