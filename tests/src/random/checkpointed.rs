//! A smooth program as a checkpoint: its derivatives are those that it has without.

use super::Program;
use super::agreement::{BOUND_OF_DERIVATIVES, agree_all};
use super::check::{compiled, interpret, piped, vectors};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{Checkpoint, Keep};
use wengert_passes::ad;
use wengert_passes::pipeline::DEFAULT;

/// What is known of a program's derivatives.
pub(super) struct Given<'a> {
    /// Which arguments are differentiated by.
    pub(super) active: &'a [bool],
    /// Which results have cotangents.
    pub(super) marked: &'a [bool],
    /// Arguments, then cotangents.
    pub(super) args: &'a [Array],
    /// What reverse mode gives.
    pub(super) reverse: &'a [Array],
}

/// Compares derivatives with those of a checkpoint that keeps what the seed says; `tangents` are arguments, then tangents,
/// `pushed` what forward mode gives.
pub(super) fn derivatives(
    m: &mut Module,
    p: &Program,
    given: &Given<'_>,
    tangents: &[Array],
    pushed: &[Array],
) -> Result<(), String> {
    let keep = Keep::ALL[(p.seed / 4) as usize % Keep::ALL.len()];
    let what = format!("a checkpoint that keeps {}", keep.name());
    let saved = checkpoint(m, p.func, keep);
    let near = |what: String, got: Result<Vec<Array>, String>, want: &[Array]| {
        agree_all(&what, got, want, p.rounding, BOUND_OF_DERIVATIVES)
    };
    let back = ad::vjp(m, saved, given.active, given.marked).map_err(|e| format!("vjp of {what}: {e}"))?;
    near(format!("vjp of {what}"), interpret(m, back, given.args), given.reverse)?;
    let back = piped(m, back, DEFAULT);
    near(format!("vjp of {what}, compiled"), compiled(m, back, given.args, vectors(p.seed)), given.reverse)?;
    let ahead = ad::jvp(m, saved, given.active).map_err(|e| format!("jvp of {what}: {e}"))?;
    near(format!("jvp of {what}"), interpret(m, ahead, tangents), pushed)
}

/// A function that runs another one as a checkpoint.
fn checkpoint(m: &mut Module, func: FuncId, keep: Keep) -> FuncId {
    let f = m.get(func);
    let mut body = Func::clone(&f);
    body.kind = FuncKind::Region;
    let body = m.add(body);
    let mut out = Func::new("checkpointed", FuncKind::Private);
    let params: Vec<Value> = f.param_types().into_iter().map(|ty| out.param(ty)).collect();
    let op = Checkpoint::new(body, keep);
    out.results = out.push(m, op.into(), &params, Loc::Unknown).expect("the types are its own").to_vec();
    m.add(out)
}
