//! Tracing: a thread-local stack of frames ([`frames`]), and the one place where operations happen ([`apply_at`]).
//!
//! There is one kind of tracer and every transform is graph to graph. A frame records a function; emitting into
//! it lifts operands: a value of the same frame is used, a small concrete tensor becomes a constant, and a large
//! one or a tracer of an outer frame becomes a *capture*, an extra leading parameter. Nested transforms cannot
//! confuse perturbations, because an inner frame never sees the outer frame's tangents.
//!
//! A frame is *abstract* (under `jit`, in bodies of control flow: values are unknown) or *eager* (under `grad`
//! outside `jit`: every operation runs and is recorded, so that `.item()` and Rust's own `if` and `while` work). Between the two are
//! functions that an operation of an eager frame will run, as a rule of the user's: they are recorded, and what Rust's control
//! flow asks for is computed then ([`demand`]).

mod demand;
mod frames;

pub(crate) use demand::{evaluate, later};
pub(crate) use frames::{Flow, Later};

use crate::context::{self, What};
use crate::eager;
use crate::error::{Error, fail};
use crate::examples::examples;
use crate::host_numbers::number;
use crate::tensor::{FrameId, PLACEHOLDER, Repr, Tensor, Tensors};
use crate::walk::{Step, replay_with};
use frames::{Frame, STATE, STRAY, State};
use smallvec::SmallVec;
use std::panic::Location;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{Effect, Op};
use wengert_ir::replay::{self, Log};
use wengert_ir::types::TensorType;

/// So many functions with rules of one line may be traced inside one another.
const MOST_OF_ONE: usize = 64;

/// A parameter of a function to be traced.
pub(crate) struct Input {
    pub(crate) ty: TensorType,
    /// The value, in an eager frame.
    pub(crate) value: Option<Tensor>,
    /// In a lazy one, where it comes from.
    pub(crate) later: Option<Later>,
    pub(crate) name: String,
}

/// A recorded function. Its parameters are `captures` and then the inputs.
pub(crate) struct Recorded {
    pub(crate) func: FuncId,
    /// Concrete tensors, or tracers of outer frames.
    pub(crate) captures: Vec<Tensor>,
    /// Values of an eager frame by value number.
    pub(crate) values: Vec<Option<Tensor>>,
    /// Where the function is.
    pub(crate) home: Home,
    /// What was heard while its values were computed: it is not to be heard again when its derivative is.
    pub(crate) heard: Log,
}

/// The module of a recorded function. A function's id means nothing in another module, so who keeps the one keeps the other.
pub(crate) enum Home {
    /// Its own: it was recorded by the outermost frame.
    Own(Box<Module>),
    /// The module that the frames of a trace share, named by the outermost of them; it is gone when that frame is.
    Trace(FrameId),
}

/// Whether the trace is still going on, on this thread.
pub(crate) fn is_current(trace: FrameId) -> bool {
    STATE.with_borrow(|s| s.frames.first().is_some_and(|f| f.id == trace))
}

/// Fails if a tensor is a tracer whose trace has ended, or belongs to another thread, or has a type only.
pub(crate) fn check_alive(t: &Tensor, at: &'static Location<'static>) -> Result<(), Error> {
    match t.repr() {
        Repr::Traced { frame, value, .. } => {
            STATE.with_borrow(|s| s.value_of(*frame, *value)).map(|_| ()).map_err(|e| e.or_at(at))
        }
        Repr::Scalar { .. } | Repr::Dense(_) | Repr::Resident(_) => Ok(()),
    }
}

/// What Rust's control flow sees of the values of what is traced on this thread, if anything is.
pub(crate) fn flow() -> Option<Flow> {
    STATE.with_borrow(|s| s.frames.last().map(|f| f.flow))
}

/// Pops the frame when tracing ends, also by unwinding.
struct Guard {
    id: FrameId,
}
impl Drop for Guard {
    fn drop(&mut self) {
        STATE.with_borrow_mut(|s| s.abandon(self.id));
    }
}

/// Records what `body` does with tracers for `inputs`. `body` gives anything, and the function's results.
pub(crate) fn trace(
    what: What,
    kind: FuncKind,
    flow: Flow,
    inputs: Vec<Input>,
    body: &mut dyn FnMut(Vec<Tensor>) -> Vec<Tensor>,
) -> Recorded {
    let id = FrameId::fresh();
    let is_rule = ["custom_jvp", "custom_vjp"].contains(&what.name);
    let inside = || STATE.with_borrow(|s| s.frames.iter().filter(|f| f.what.at == what.at).count());
    if is_rule && inside() > MOST_OF_ONE {
        let message = "it is traced inside itself over and over: a rule calls the function that it is the rule of. Let it call what \
             the function does";
        fail(Error::new(message, Some(what.at)).within(what))
    }
    let args = STATE.with_borrow_mut(|s| {
        let mut frame = Frame::new(id, what, kind, flow);
        let args = inputs
            .into_iter()
            .map(|input| {
                let value = frame.func.param(input.ty.clone());
                frame.func.param_names.push(input.name);
                frame.values.push(input.value);
                frame.later.extend(input.later.map(|later| (value, later)));
                Tensor::traced(id, value, input.ty)
            })
            .collect();
        s.enter(frame);
        args
    });
    let guard = Guard { id };
    let results = body(args);
    let recorded = STATE.with_borrow_mut(|s| finish(s, id, &results));
    drop(guard);
    recorded.unwrap_or_else(|e| fail(e.or_at(what.at).within(what)))
}

/// The function of the innermost frame, which is that of `id`, with these results.
fn finish(s: &mut State, id: FrameId, results: &[Tensor]) -> Result<Recorded, Error> {
    let values: Vec<Value> = results.iter().map(|t| s.lift(t)).collect::<Result<_, _>>()?;
    let frame = s.leave();
    debug_assert_eq!(frame.id, id, "inner frames were popped by their guards");
    let Frame { mut func, captures, values: eager_values, what, heard, .. } = frame;
    func.results = values;
    // Captures come first: `captures ++ inputs`.
    let inputs = func.params.len() - captures.len();
    func.params.rotate_left(inputs);
    func.param_names.rotate_left(inputs);
    renumber(&mut func);
    // Regions have no names, so that equal ones are equal.
    if func.kind != FuncKind::Region {
        func.name = s.module.fresh_name(what.name);
    }
    let func = s.module.add(func);
    let home = match s.frames.first() {
        None => {
            number(&mut s.module);
            Home::Own(Box::new(std::mem::take(&mut s.module)))
        }
        Some(outermost) => Home::Trace(outermost.id),
    };
    let captures = captures.into_iter().map(|c| c.0).collect();
    Ok(Recorded { func, captures, values: eager_values, home, heard })
}

/// Makes `Def::Param` numbers follow the order of the parameters. Captures are appended while tracing, after
/// instructions may already exist, so their values lie among the others; only their numbers change.
pub(crate) fn renumber(func: &mut Func) {
    for (k, &p) in func.params.iter().enumerate() {
        func.values[p].def = wengert_ir::func::Def::Param(k as u32);
    }
}

/// Does one operation: runs it, records it, or both. Fails with the user's line if operands do not fit.
#[track_caller]
pub(crate) fn apply_at(op: Op, operands: &[&Tensor], at: &'static Location<'static>) -> Tensors {
    let concrete = operands.iter().all(|t| t.is_concrete());
    // What acts belongs to a tape whatever it is given.
    let belongs =
        |s: &State| op.effect() == Effect::Ordered && s.frames.iter().any(|f| f.flow == Flow::Guarded);
    let at_once = STATE.with_borrow(|s| match s.frames.last() {
        None => true,
        Some(f) => !f.flow.is_staged() && concrete && op.callees().is_empty() && !belongs(s),
    });
    let result = match at_once {
        true => run_concrete(None, &op, operands, at),
        false => record(op, operands, Loc::Rust(at)),
    };
    result.unwrap_or_else(|e| fail(e.or_at(at)))
}

/// As [`apply_at`], in a frame: what is of the innermost function whether or not its operands are.
pub(crate) fn record_at(op: Op, operands: &[&Tensor], at: &'static Location<'static>) -> Tensors {
    record(op, operands, Loc::Rust(at)).unwrap_or_else(|e| fail(e.or_at(at)))
}

/// Runs `f`, which is none of what is being traced, as if nothing was.
pub(crate) fn apart<R>(f: impl FnOnce() -> R) -> R {
    struct Back(State, Vec<What>);
    impl Drop for Back {
        fn drop(&mut self) {
            context::replace(std::mem::take(&mut self.1));
            STATE.set(std::mem::take(&mut self.0));
        }
    }
    let _back = Back(STATE.take(), context::replace(Vec::new()));
    f()
}

/// Runs an operation on concrete tensors. `module` holds the functions it refers to.
pub(crate) fn run_concrete(
    module: Option<&Module>,
    op: &Op,
    operands: &[&Tensor],
    at: &'static Location<'static>,
) -> Result<Tensors, Error> {
    if let Some(t) = operands.iter().find(|t| !t.is_concrete()) {
        let why = if t.is_placeholder() { PLACEHOLDER } else { STRAY };
        return Err(Error::new(format!("{}: {why}", op.name()), Some(at)));
    }
    eager::run(module, op, operands, Loc::Rust(at))
}

/// Records an operation in the innermost frame, and runs it if that one is eager. What it runs is none of the trace's business,
/// which nobody holds meanwhile.
fn record(op: Op, operands: &[&Tensor], loc: Loc) -> Result<Tensors, Error> {
    let (results, known) = STATE.with_borrow_mut(|s| s.push(&op, operands, &loc))?;
    let Some(known) = known else { return Ok(results) };
    let operands: SmallVec<[&Tensor; 4]> = known.iter().collect();
    // What it runs, and no more: others of the frame may be many.
    let (module, op, is_heard) = match op.callees() {
        callees if callees.is_empty() => {
            let ordered = op.effect() == Effect::Ordered;
            (None, op, ordered)
        }
        callees => {
            let (module, ids) = STATE.with_borrow(|s| s.module.reachable(&callees));
            let (mut op, mut ids) = (op, ids.into_iter());
            op.map_callees(&mut |_| ids.next().expect("one for each"));
            (Some(module), op, true)
        }
    };
    let run = || eager::run(module.as_ref(), &op, &operands, loc);
    let innermost =
        |s: &mut State| std::mem::take(&mut s.frames.last_mut().expect("the frame of above").heard);
    let (computed, heard) = if is_heard {
        let mut heard = STATE.with_borrow_mut(innermost);
        (replay::recording(&mut heard, run), Some(heard))
    } else {
        (run(), None)
    };
    STATE.with_borrow_mut(|s| {
        let frame = s.frames.last_mut().expect("the frame of above");
        if let Some(heard) = heard {
            frame.heard = heard;
        }
        match computed {
            Ok(values) => frame.values.extend(values.into_iter().map(Some)),
            Err(e) => {
                frame.forget_last();
                return Err(e);
            }
        }
        Ok(results)
    })
}

/// The concrete tensor behind `t`, or why there is none. `what` is the method that needs it.
pub(crate) fn concrete(t: &Tensor, what: &str, at: &'static Location<'static>) -> Result<Tensor, Error> {
    let Repr::Traced { frame, value, ty } = t.repr() else { return Ok(t.clone()) };
    let known = demand::value_of(*frame, *value);
    if let Some(known) = known.map_err(|e| Error::new(format!("{what}: {}", e.message()), Some(at)))? {
        return Ok(known);
    }
    STATE.with_borrow(|s| {
        let frame = s.frames.iter().find(|f| f.id == *frame).expect("value_of found it");
        let made_by = frame.func.def(*value).map(|(_, i)| format!("the result of {}", i.op.name()));
        let made_by = made_by.unwrap_or_else(|| "an argument".into());
        let message = format!(
            "{what} needs the value of a tensor that has none: it is {made_by} ({ty}) inside {}, which traces \
             the function once with unknown values. Use `cond`, `while_loop` or `select` for control flow on \
             values{}",
            frame.what,
            if frame.what.name == "jit" { ", or call the function without `jit`" } else { "" }
        );
        Err(Error::new(message, Some(at)))
    })
}

/// As [`concrete`], for what is read into Rust, where control flow may depend on it: while a tape is recorded, a guard.
pub(crate) fn read(t: &Tensor, what: &str, at: &'static Location<'static>) -> Result<Tensor, Error> {
    let known = concrete(t, what, at)?;
    if let Repr::Traced { frame, value, .. } = t.repr() {
        STATE.with_borrow_mut(|s| s.guard(*frame, *value, &known, at));
    }
    Ok(known)
}

/// Runs `f` with the module of the frames on this thread. Panics outside a frame.
pub(crate) fn with_module<R>(f: impl FnOnce(&mut Module) -> R) -> R {
    let mut module = STATE.with_borrow_mut(|s| {
        assert!(!s.frames.is_empty(), "no frame");
        std::mem::take(&mut s.module)
    });
    module.examples = examples();
    let out = f(&mut module);
    module.examples = 0;
    STATE.with_borrow_mut(|s| s.module = module);
    out
}

/// Does everything a function of the frames' module does, operation by operation, in the innermost frame.
pub(crate) fn replay(func: FuncId, args: &[Tensor]) -> Vec<Tensor> {
    let func = with_module(|m| m.get(func));
    let step: &mut Step<'_> = &mut |op, operands, loc| record(op.clone(), operands, loc.clone());
    replay_with(&func, args, step).unwrap_or_else(|e| fail(e))
}
