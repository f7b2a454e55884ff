//! What the compiler did, stage by stage: [`Traced`], [`Lowered`], [`CompiledStage`], each printable.

use std::fmt::Write as _;
use wengert_ir::func::{FuncId, Module};

/// A traced function: tensor IR, as StableHLO text.
#[derive(Clone)]
pub struct Traced {
    pub(crate) module: Module,
    pub(crate) func: FuncId,
}

impl Traced {
    pub(crate) fn new(module: Module, func: FuncId) -> Self {
        let (mut module, ids) = module.reachable(&[func]);
        let func = ids[0];
        let mut entry = wengert_ir::func::Func::clone(&module.get(func));
        entry.kind = wengert_ir::func::FuncKind::Public;
        entry.name = "main".into();
        module.funcs[func] = std::sync::Arc::new(entry);
        Self { module, func }
    }

    /// The module and its entry function.
    pub fn module(&self) -> (&Module, FuncId) {
        (&self.module, self.func)
    }

    /// The function as a Wengert list: one line per operation, values numbered in order.
    pub fn wengert_list(&self) -> String {
        let func = self.module.get(self.func);
        let mut out = String::new();
        for (k, &p) in func.params.iter().enumerate() {
            let name = func.param_names.get(k).map_or("", |n| n);
            let _ = writeln!(out, "v{:<4} = input {name} : {}", value(p), func.ty(p));
        }
        for inst in func.insts.values() {
            let results: Vec<String> = inst.results.iter().map(|&r| format!("v{}", value(r))).collect();
            let operands: Vec<String> = inst.operands.iter().map(|&r| format!("v{}", value(r))).collect();
            let name = inst.op.name().rsplit('.').next().unwrap_or_default();
            let types: Vec<String> = inst.results.iter().map(|&r| func.ty(r).to_string()).collect();
            let constant = func.constant(inst.results[0]).and_then(|c| c.splat_value());
            let operands = constant.map_or_else(|| operands.join(", "), |c| c.to_string());
            let _ = writeln!(out, "{:<5} = {name}({operands}) : {}", results.join(", "), types.join(", "));
        }
        let results: Vec<String> = func.results.iter().map(|&r| format!("v{}", value(r))).collect();
        let _ = writeln!(out, "output {}", results.join(", "));
        out
    }
}

fn value(v: wengert_ir::func::Value) -> usize {
    use wengert_ir::entity::Entity;
    v.index()
}
