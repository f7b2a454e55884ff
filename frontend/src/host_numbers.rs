//! Functions of the host in the text of a program: each has a number there, which says nothing but which of them are the same.

use std::sync::Arc;
use wengert_ir::func::Module;
use wengert_ir::host::Host;
use wengert_ir::op::{Op, Text};

/// The attributes of a call of the function with this number.
pub(crate) fn numbered(number: usize) -> Text {
    format!("api_version = 4 : i32, backend_config = {{number = {number} : i64}}").into()
}

/// Gives the functions of the host that a module calls numbers in its text, in the order in which it calls them first: so the
/// text of a program is the same each time it is traced.
pub(crate) fn number(m: &mut Module) {
    let calls = |op: &Op| matches!(op, Op::CustomCall(call) if call.host.is_bound());
    let mut known: Vec<Host> = Vec::new();
    for func in m.funcs.values_mut() {
        if !func.insts.values().any(|inst| calls(&inst.op)) {
            continue;
        }
        for inst in Arc::make_mut(func).insts.values_mut() {
            if let Op::CustomCall(call) = &mut inst.op
                && call.host.is_bound()
            {
                let at = known.iter().position(|host| *host == call.host).unwrap_or_else(|| {
                    known.push(call.host.clone());
                    known.len() - 1
                });
                call.attributes = numbered(at + 1);
            }
        }
    }
}
