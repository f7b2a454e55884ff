//! The corpus through parser, AD and the reference interpreter: value, gradient, jvp and vjp of every
//! program against what JAX computed, with the loops as they were written and with the counted ones raised.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::npy;
use wengert_ir::op::Op;
use wengert_ir::types::DType;
use wengert_passes::{ad, error::TransformError, raise::raise};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus")
}

struct Meta(serde_json::Value);

impl Meta {
    fn numbers(&self, key: &str) -> Vec<usize> {
        let list = self.0[key].as_array().cloned().unwrap_or_default();
        list.iter().map(|v| v.as_u64().expect("a number") as usize).collect()
    }
    fn float(&self, key: &str) -> f64 {
        self.0[key].as_f64().expect("a number")
    }
    fn mode(&self, mode: &str) -> bool {
        self.0["modes"].as_array().is_some_and(|m| m.iter().any(|v| v == mode))
    }
}

struct Case {
    dir: PathBuf,
    meta: Meta,
    module: Module,
    main: FuncId,
    inputs: Vec<Array>,
}

type Outcome = Result<(), String>;

impl Case {
    fn load(dir: &Path) -> Result<Case, String> {
        let text = |name: &str| std::fs::read_to_string(dir.join(name)).map_err(|e| e.to_string());
        let meta = Meta(serde_json::from_str(&text("meta.json")?).map_err(|e| e.to_string())?);
        let plain = if dir.join("program_hlo.mlir").exists() { "program_hlo.mlir" } else { "program.mlir" };
        let parse = |name: &str| wengert_ir::text::parse(&text(name)?).map_err(|e| format!("parse: {e}"));
        let module = parse("program.mlir").or_else(|_| parse(plain))?;
        let main = module.find("main").ok_or("no main")?;
        let mut case = Case { dir: dir.to_owned(), meta, module, main, inputs: Vec::new() };
        let n = case.meta.0["num_inputs"].as_u64().expect("a number") as usize;
        let types = case.module.get(main).param_types();
        case.inputs = (0..n).map(|k| case.array(&format!("in{k}"))).collect();
        for (input, ty) in case.inputs.iter().zip(types) {
            assert_eq!(input.ty(), ty.tensor(), "{}", dir.display());
        }
        Ok(case)
    }

    fn array(&self, name: &str) -> Array {
        let path = self.dir.join(format!("{name}.npy"));
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        npy::parse(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    fn run(&self, f: FuncId, args: &[Array]) -> Result<Vec<Array>, String> {
        let limits = Limits { max_memory: Some(1 << 32), ..Default::default() };
        interp::run(&self.module, f, args, &limits).map_err(|e| e.to_string())
    }

    fn flags(&self, key: &str, n: usize) -> Vec<bool> {
        let list = self.meta.numbers(key);
        (0..n).map(|k| list.contains(&k)).collect()
    }

    fn expect(&self, what: &str, got: &Array, name: &str, tolerance: &str) -> Outcome {
        let key = |k: &str| self.meta.float(&format!("{tolerance}{k}"));
        close(got, &self.array(name), key("rtol"), key("atol")).map_err(|e| format!("{what}: {e}"))
    }

    fn results(&self, results: &[Array]) -> Outcome {
        for (k, r) in results.iter().enumerate() {
            self.expect(&format!("result {k}"), r, &format!("out{k}"), "")?;
        }
        Ok(())
    }

    fn check(&mut self, mode: &str, f: FuncId) -> Outcome {
        let n = self.module.get(f).results.len();
        let params = self.inputs.len();
        let error = |e: TransformError| e.to_string();
        match mode {
            "run" => {
                let out = self.run(f, &self.inputs)?;
                self.results(&out)
            }
            "grad" => {
                let wrt = self.flags("wrt", params);
                let g = ad::value_and_grad(&mut self.module, f, &wrt, 0).map_err(error)?;
                let out = self.run(g, &self.inputs)?;
                self.results(&out[..n])?;
                for (r, k) in out[n..].iter().zip(self.meta.numbers("wrt")) {
                    self.expect(&format!("gradient {k}"), r, &format!("grad{k}"), "grad_")?;
                }
                Ok(())
            }
            "vjp" => {
                let (wrt, marked) = (self.flags("wrt", params), self.flags("cotangent_outputs", n));
                let g = ad::vjp(&mut self.module, f, &wrt, &marked).map_err(error)?;
                let mut args = self.inputs.clone();
                let outputs = self.meta.numbers("cotangent_outputs");
                args.extend(outputs.iter().map(|k| self.array(&format!("cotangent{k}"))));
                let out = self.run(g, &args)?;
                self.results(&out[..n])?;
                for (r, k) in out[n..].iter().zip(self.meta.numbers("wrt")) {
                    self.expect(&format!("vjp {k}"), r, &format!("vjp{k}"), "grad_")?;
                }
                Ok(())
            }
            "jvp" => {
                let active = self.flags("jvp_args", params);
                let g = ad::jvp(&mut self.module, f, &active).map_err(error)?;
                let mut args = self.inputs.clone();
                let inputs = self.meta.numbers("jvp_args");
                args.extend(inputs.iter().map(|k| self.array(&format!("tangent{k}"))));
                let out = self.run(g, &args)?;
                self.results(&out[..n])?;
                let with: Vec<usize> = (0..n).filter(|&k| out[k].dtype().is_differentiable()).collect();
                for k in self.meta.numbers("jvp_outputs") {
                    let at = with.iter().position(|&w| w == k).ok_or("a tangent is missing")?;
                    self.expect(&format!("tangent {k}"), &out[n + at], &format!("jvp_out{k}"), "grad_")?;
                }
                Ok(())
            }
            other => unreachable!("mode {other}"),
        }
    }
}

fn close(got: &Array, want: &Array, rtol: f64, atol: f64) -> Outcome {
    if got.ty() != want.ty() {
        return Err(format!("{} instead of {}", got.ty(), want.ty()));
    }
    let floats: fn(&Array) -> Vec<f64> = match got.dtype() {
        DType::F64 => |a| a.as_slice::<f64>().to_vec(),
        DType::F32 => |a| a.as_slice::<f32>().iter().map(|&x| x as f64).collect(),
        DType::F16 => |a| a.as_slice::<half::f16>().iter().map(|x| x.to_f64()).collect(),
        DType::BF16 => |a| a.as_slice::<half::bf16>().iter().map(|x| x.to_f64()).collect(),
        DType::C64 | DType::C128 => |a| {
            let wide = wengert_ir::ops::convert(a, DType::C128).expect("complex numbers widen");
            wide.bytes().chunks(8).map(|part| f64::from_le_bytes(part.try_into().expect("8 bytes"))).collect()
        },
        _ if got == want => return Ok(()),
        _ => return Err(format!("{got:?} instead of {want:?}")),
    };
    for (k, (g, w)) in floats(got).into_iter().zip(floats(want)).enumerate() {
        let same = g == w || (g.is_nan() && w.is_nan());
        if !same && (!w.is_finite() || (g - w).abs() > atol + rtol * w.abs() || g.is_nan()) {
            return Err(format!("element {k} is {g} instead of {w}"));
        }
    }
    Ok(())
}

/// Cases whose `while` counts nothing: its condition depends on data.
const DATA_DEPENDENT: &[&str] =
    &["int_collatz_i64", "sci_sdf_raymarch_f32", "while_newton_sqrt_f64", "while_vmapped_f64"];

/// Loops that `raise` should not have left.
fn counted_loops_left(m: &Module, f: FuncId, name: &str) -> Vec<String> {
    let mut out = Vec::new();
    for inst in m.get(f).insts.values() {
        match &inst.op {
            Op::While(_) if !DATA_DEPENDENT.contains(&name) => out.push("a while is left".to_owned()),
            Op::Scan(s) => {
                let body = m.get(s.body);
                let buffers =
                    body.insts.values().filter(|i| matches!(i.op, Op::DynamicUpdateSlice(_))).count();
                if buffers > 0 {
                    out.push(format!("a scan updates {buffers} carried buffers"));
                }
            }
            _ => {}
        }
        for c in inst.op.callees() {
            out.extend(counted_loops_left(m, c, name));
        }
    }
    out
}

/// Runs a check, panics included.
fn guarded(check: impl FnOnce() -> Outcome) -> Outcome {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)) {
        Ok(outcome) => outcome,
        Err(cause) => Err(cause
            .downcast_ref::<String>()
            .cloned()
            .or(cause.downcast_ref::<&str>().map(|s| s.to_string()))
            .unwrap_or_default()),
    }
}

#[test]
fn values_and_derivatives() {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(corpus()).expect("the corpus").map(|e| e.expect("an entry").path()).collect();
    names.retain(|p| p.join("meta.json").exists());
    names.sort();
    let mut failures: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut passed = 0;
    for dir in &names {
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        let mut fail = |what: String| failures.entry(name.clone()).or_default().push(what);
        let mut case = match Case::load(dir) {
            Ok(case) => case,
            Err(e) => {
                fail(e);
                continue;
            }
        };
        let main = case.main;
        let raised = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| raise(&mut case.module, main)));
        let Ok(raised) = raised else {
            fail("raise panics".to_owned());
            continue;
        };
        for line in counted_loops_left(&case.module, raised, &name) {
            fail(line);
        }
        for mode in ["run", "grad", "jvp", "vjp"] {
            if !case.meta.mode(mode) {
                continue;
            }
            for (form, f) in [("as written", main), ("raised", raised)] {
                match guarded(|| case.check(mode, f)) {
                    Ok(()) => passed += 1,
                    Err(e) => fail(format!("{mode}, {form}: {e}")),
                }
            }
        }
    }
    let mut report = String::new();
    for (name, what) in &failures {
        for line in what {
            report += &format!("{name}: {}\n", line.chars().take(300).collect::<String>());
        }
    }
    assert!(report.is_empty(), "{passed} checks of {} cases passed\n{report}", names.len());
}
