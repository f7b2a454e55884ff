//! What may be executed although the program would not execute it: the one definition of a *total* instruction.
//!
//! It ends soon whatever its operands are, has no effect, cannot fail, and takes and gives values of known size; so nobody
//! can see whether it ran. A loop whose condition decides how often it runs may not end, one of [`MOST_TRIPS`] and more not
//! before the reader does, a value of more than [`MOST_BYTES`] may not fit, and an operation on a value of a size that is known at run time only may meet one without
//! elements. Everything that moves an instruction out of a loop or a branch asks here.

use crate::inline::callees_first;
use rustc_hash::FxHashMap;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{Effect, Kind, Op};
use wengert_ir::types::{DYNAMIC, TensorType};

/// Trips of loops that may be made in vain.
const MOST_TRIPS: u64 = 1 << 20;

/// Bytes of a value that may be made in vain: a machine may not have more.
pub(crate) const MOST_BYTES: usize = 1 << 30;

/// What is known of the functions of a module so far.
#[derive(Default)]
pub(crate) struct Totality {
    /// The trips of the loops of those that are total.
    funcs: FxHashMap<FuncId, Option<u64>>,
}

impl Totality {
    /// Whether an instruction of `f` may be executed although the program would not execute it.
    pub(crate) fn is_total(&mut self, m: &Module, f: &Func, inst: &Inst) -> bool {
        self.trips(m, f, inst).is_some()
    }

    /// How many trips the loops of an instruction make, if it is total.
    fn trips(&mut self, m: &Module, f: &Func, inst: &Inst) -> Option<u64> {
        let has_known_size = |&v: &Value| f.ty(v).as_tensor().is_some_and(TensorType::is_static);
        let is_small = |&v: &Value| f.tensor(v).checked_bytes().is_some_and(|n| n <= MOST_BYTES);
        let all = inst.operands.iter().chain(&inst.results).all(has_known_size);
        if !itself(&inst.op) || !all || !inst.results.iter().all(is_small) {
            return None;
        }
        let mut inside = 0u64;
        for callee in inst.op.callees() {
            inside = inside.saturating_add(self.func(m, callee)?);
        }
        let length = if let Op::Scan(s) = &inst.op { Some(s.length as u64) } else { None };
        let trips = length.map_or(inside, |n| inside.saturating_add(1).saturating_mul(n));
        (trips <= MOST_TRIPS).then_some(trips)
    }

    /// The trips of all instructions of a function, if they are total.
    fn func(&mut self, m: &Module, func: FuncId) -> Option<u64> {
        if let Some(&known) = self.funcs.get(&func) {
            return known;
        }
        for f in callees_first(m, func) {
            if !self.funcs.contains_key(&f) {
                let body = m.get(f);
                let total = body.insts.values().try_fold(0u64, |sum, inst| {
                    let sum = sum.saturating_add(self.trips(m, &body, inst)?);
                    (sum <= MOST_TRIPS).then_some(sum)
                });
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
        // A batch of them is made of what is total.
        Kind::Opaque => matches!(op, Op::AxisIndex(_) | Op::Collective(_)),
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
