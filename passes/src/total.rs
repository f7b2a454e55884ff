//! What may be executed although the program would not execute it: the one definition of a *total* instruction.
//!
//! It ends whatever its operands are, has no effect, cannot fail, and takes and gives values of known size; so nobody can
//! see whether it ran. A loop whose condition decides how often it runs may not end, and an operation on a value of a size
//! that is known at run time only may meet one without elements. Everything that moves an instruction out of a loop or a
//! branch asks here.

use crate::inline::callees_first;
use rustc_hash::FxHashMap;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{Effect, Kind, Op};
use wengert_ir::types::{DYNAMIC, TensorType};

/// What is known of the functions of a module so far.
#[derive(Default)]
pub(crate) struct Totality {
    funcs: FxHashMap<FuncId, bool>,
}

impl Totality {
    /// Whether an instruction of `f` may be executed although the program would not execute it.
    pub(crate) fn is_total(&mut self, m: &Module, f: &Func, inst: &Inst) -> bool {
        let has_known_size = |&v: &Value| f.ty(v).as_tensor().is_some_and(TensorType::is_static);
        itself(&inst.op)
            && inst.operands.iter().chain(&inst.results).all(has_known_size)
            && inst.op.callees().into_iter().all(|c| self.func(m, c))
    }

    /// Whether all instructions of a function are total.
    fn func(&mut self, m: &Module, func: FuncId) -> bool {
        if let Some(&known) = self.funcs.get(&func) {
            return known;
        }
        for f in callees_first(m, func) {
            if !self.funcs.contains_key(&f) {
                let body = m.get(f);
                let total = body.insts.values().all(|inst| self.is_total(m, &body, inst));
                self.funcs.insert(f, total);
            }
        }
        self.funcs[&func]
    }
}

/// Whether an operation is total if its functions are.
fn itself(op: &Op) -> bool {
    if op.effect() == Effect::Ordered {
        return false;
    }
    match op.kind() {
        Kind::Control => match op {
            Op::Scan(s) => s.length != DYNAMIC,
            op => !matches!(op, Op::While(_)),
        },
        // Foreign code may do anything.
        Kind::Library => !matches!(op, Op::CustomCall(_)),
        Kind::Opaque => false,
        Kind::Source
        | Kind::Elementwise
        | Kind::Movement
        | Kind::Update
        | Kind::Contraction
        | Kind::Reduction
        | Kind::Call
        | Kind::Mark => true,
    }
}
