//! Custom calls that run functions of the process: those of Python ([`callback`]), and those that users registered ([`targets`]).

use crate::callback;
use crate::error::Done;
use crate::targets;
use std::sync::Arc;
use wengert::TensorType;
use wengert_ir::func::{Func, FuncId, Inst, Module};
use wengert_ir::host::Host;
use wengert_ir::op::Op;

/// Binds the custom calls of a module to what they run, where that is known. Fails if one of these cannot be called so.
pub(crate) fn bind(module: &mut Module) -> Done {
    let ids: Vec<FuncId> = module.funcs.iter().map(|(id, _)| id).collect();
    for id in ids {
        let mut found = Vec::new();
        let func = module.get(id);
        for (inst, data) in func.insts.iter() {
            if let Some(host) = host(&func, data)? {
                found.push((inst, host));
            }
        }
        if found.is_empty() {
            continue;
        }
        let func = Arc::make_mut(&mut module.funcs[id]);
        for (inst, host) in found {
            if let Op::CustomCall(call) = &mut func.insts[inst].op {
                call.host = host;
            }
        }
    }
    Ok(())
}

/// What an instruction runs, if it is such a call.
fn host(func: &Func, inst: &Inst) -> Done<Option<Host>> {
    let Op::CustomCall(call) = &inst.op else { return Ok(None) };
    let operands: Option<Vec<&TensorType>> = inst.operands.iter().map(|&v| func.ty(v).as_tensor()).collect();
    if &*call.target == callback::TARGET {
        return callback::host(call, operands.as_deref()).map(Some);
    }
    targets::host(call, operands.as_deref())
}
