//! Tracing: a thread-local stack of frames, and the one place where operations happen ([`apply_at`]).
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

pub(crate) use demand::{Later, evaluate, later};

use crate::error::{Error, fail};
use crate::tensor::{Repr, Tensor};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use wengert_ir::array::Literal;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{Check, CheckKind, Constant, Effect, FloatAttr, Op};
use wengert_ir::replay::{self, Log};
use wengert_ir::types::TensorType;

/// Concrete tensors of up to this many elements are captured as constants, larger ones as hidden parameters.
const CAPTURE_AS_CONSTANT: usize = 16;

/// So many functions with rules of one line may be traced inside one another.
const MOST_OF_ONE: usize = 64;

/// Results of an operation.
pub(crate) type Tensors = SmallVec<[Tensor; 1]>;

/// Unique in the process, so that a tracer used on another thread or after its time is found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FrameId(u64);

impl FrameId {
    /// Of no frame: tensors that have a type only ([`Tensor::placeholder`]).
    pub(crate) const NONE: FrameId = FrameId(0);
}

static NEXT_FRAME: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
    /// Number of frames, where a look costs nothing.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

#[derive(Default)]
struct State {
    frames: Vec<Frame>,
    /// Functions of all frames; taken when the last frame is popped.
    module: Module,
}

struct Frame {
    id: FrameId,
    func: Func,
    /// For eager frames, values beside the record; `None` where an operand was abstract.
    values: Vec<Option<Tensor>>,
    flow: Flow,
    /// Values that have a guard.
    guarded: FxHashSet<Value>,
    captures: Vec<(Tensor, Value)>,
    /// Where the values of parameters of a lazy frame come from, if they come from anywhere.
    later: Vec<(Value, Later)>,
    what: What,
    /// What was heard while its values were computed.
    heard: Log,
}

/// What Rust's control flow sees of the values in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// Nothing: they are unknown.
    Abstract,
    /// What it asks for: that is computed then. Operations are recorded.
    Lazy,
    /// Every operation runs and is recorded.
    Eager,
    /// The same, and what is read, in this frame or one inside it, becomes a guard.
    Guarded,
}

impl Flow {
    /// Whether operations are recorded and not run.
    pub(crate) fn is_staged(self) -> bool {
        matches!(self, Flow::Abstract | Flow::Lazy)
    }
}

/// Which transform a frame serves and where it was built; for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct What {
    pub(crate) name: &'static str,
    pub(crate) at: &'static Location<'static>,
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` built at {}:{}:{}", self.name, self.at.file(), self.at.line(), self.at.column())
    }
}

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

/// Whether a function is being traced on this thread.
#[inline]
pub(crate) fn is_tracing() -> bool {
    DEPTH.get() > 0
}

/// The transforms that are tracing on this thread, innermost first.
pub(crate) fn transforms() -> Vec<What> {
    STATE.with_borrow(|s| s.frames.iter().rev().map(|f| f.what).collect())
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
        STATE.with_borrow_mut(|s| {
            if let Some(at) = s.frames.iter().position(|f| f.id == self.id) {
                s.frames.truncate(at);
            }
            DEPTH.set(s.frames.len());
            if s.frames.is_empty() {
                s.module = Module::default();
            }
        });
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
    let id = FrameId(NEXT_FRAME.fetch_add(1, Ordering::Relaxed));
    let is_rule = ["custom_jvp", "custom_vjp"].contains(&what.name);
    let inside = || STATE.with_borrow(|s| s.frames.iter().filter(|f| f.what.at == what.at).count());
    if is_rule && inside() > MOST_OF_ONE {
        let message = "it is traced inside itself over and over: a rule calls the function that it is the rule of. Let it call what \
             the function does";
        fail(Error::new(message, Some(what.at)).within(what))
    }
    let args = STATE.with_borrow_mut(|s| {
        if s.frames.is_empty() {
            s.module = Module::default();
        }
        let mut frame = Frame {
            id,
            func: Func::new("", kind),
            values: vec![],
            flow,
            guarded: FxHashSet::default(),
            captures: vec![],
            later: vec![],
            what,
            heard: Log::default(),
        };
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
        s.frames.push(frame);
        DEPTH.set(s.frames.len());
        args
    });
    let guard = Guard { id };
    let results = body(args);
    let recorded: Result<Recorded, Error> = STATE.with_borrow_mut(|s| {
        let values: Vec<Value> = results.iter().map(|t| s.lift(t)).collect::<Result<_, _>>()?;
        let frame = s.frames.pop().expect("the frame of this guard");
        DEPTH.set(s.frames.len());
        debug_assert_eq!(frame.id, id, "inner frames were popped by their guards");
        let Frame { mut func, captures, values: eager_values, heard, .. } = frame;
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
                crate::effects::number(&mut s.module);
                Home::Own(Box::new(std::mem::take(&mut s.module)))
            }
            Some(outermost) => Home::Trace(outermost.id),
        };
        let captures = captures.into_iter().map(|c| c.0).collect();
        Ok(Recorded { func, captures, values: eager_values, home, heard })
    });
    drop(guard);
    recorded.unwrap_or_else(|e| fail(e.or_at(what.at).within(what)))
}

/// Makes `Def::Param` numbers follow the order of the parameters. Captures are appended while tracing, after
/// instructions may already exist, so their values lie among the others; only their numbers change.
pub(crate) fn renumber(func: &mut Func) {
    for (k, &p) in func.params.iter().enumerate() {
        func.values[p].def = wengert_ir::func::Def::Param(k as u32);
    }
}

impl State {
    /// The value of `t` in the innermost frame.
    fn lift(&mut self, t: &Tensor) -> Result<Value, Error> {
        let frame = self.frames.last_mut().expect("lifting outside a frame");
        let value = match t.repr() {
            Repr::Traced { frame: id, value, .. } if *id == frame.id => return Ok(*value),
            Repr::Traced { frame: id, value, ty } => {
                let known = self.value_of(*id, *value)?;
                let frame = self.frames.last_mut().expect("as above");
                if let Some((_, inner)) = frame.captures.iter().find(|(c, _)| c.is_tracer(*id, *value)) {
                    return Ok(*inner);
                }
                let inner = frame.func.param(ty.clone());
                frame.func.param_names.push("capture".into());
                frame.captures.push((t.clone(), inner));
                frame.values.push(known);
                return Ok(inner);
            }
            Repr::Scalar { .. } => frame.constant(t),
            Repr::Dense(_) | Repr::Resident(_) if t.len() <= CAPTURE_AS_CONSTANT => frame.constant(t),
            Repr::Dense(_) | Repr::Resident(_) => {
                // A table that a function makes anew at each call is one value: so what is computed of it is computed once.
                let known = || frame.captures.iter();
                let same = known().find(|(c, _)| c.is_same(t));
                if let Some((_, inner)) = same.or_else(|| known().find(|(c, _)| c.has_bits_of(t))) {
                    return Ok(*inner);
                }
                let inner = frame.func.param(t.ty());
                frame.func.param_names.push("captured".into());
                frame.captures.push((t.clone(), inner));
                frame.values.push(Some(t.clone()));
                inner
            }
        };
        Ok(value)
    }

    /// The eager value of a tracer, or why the tracer may not be used here.
    fn value_of(&self, id: FrameId, value: Value) -> Result<Option<Tensor>, Error> {
        use wengert_ir::entity::Entity;
        match self.frames.iter().find(|f| f.id == id) {
            Some(frame) => Ok(frame.values.get(value.index()).cloned().flatten()),
            None => Err(Error::new(if id == FrameId::NONE { PLACEHOLDER } else { STRAY }, None)),
        }
    }
}

/// What is wrong with a tracer whose frame is not on this thread.
const STRAY: &str = "a traced tensor is used outside the function it was traced in: it was kept after the trace ended, \
     or sent to another thread. Return it from the transformed function instead";

/// What is wrong with computing with a tensor that has a type only.
pub(crate) const PLACEHOLDER: &str = "a `Tensor::placeholder` has a shape and no elements: it is an argument of `eval_shape`, \
     `.trace`, `.plan` and `.pattern`, which compute nothing. Compute with a tensor that has elements, as `Tensor::zeros`";

impl Frame {
    fn constant(&mut self, t: &Tensor) -> Value {
        let array = t.array().expect("concrete");
        let op = Op::from(Constant { value: Literal::from_array(&array) });
        let ty = array.ty().clone();
        let value = self.func.push_typed(op, &[], [ty.into()], Loc::Unknown)[0];
        self.values.push(Some(t.clone()));
        value
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
    struct Back(State);
    impl Drop for Back {
        fn drop(&mut self) {
            DEPTH.set(self.0.frames.len());
            STATE.set(std::mem::take(&mut self.0));
        }
    }
    let _back = Back(STATE.take());
    DEPTH.set(0);
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
    crate::eager::run(module, op, operands, Loc::Rust(at))
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
    let run = || crate::eager::run(module.as_ref(), &op, &operands, loc);
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

/// What an operation gives in a frame, and its operands if they are known there.
type Pushed = (Tensors, Option<SmallVec<[Tensor; 4]>>);

impl State {
    fn push(&mut self, op: &Op, operands: &[&Tensor], loc: &Loc) -> Result<Pushed, Error> {
        let values: SmallVec<[Value; 4]> =
            operands.iter().map(|t| self.lift(t)).collect::<Result<_, _>>().map_err(|e| match loc {
                &Loc::Rust(at) => Error::new(format!("{}: {}", op.name(), e.message()), Some(at)),
                _ => e,
            })?;
        let State { frames, module } = self;
        let frame = frames.last_mut().expect("recording in a frame");
        let known = if frame.flow.is_staged() { None } else { frame.known(&values) };
        let results = frame.func.push(module, op.clone(), &values, loc.clone())?;
        if known.is_none() {
            frame.values.resize(frame.func.values.len(), None);
        }
        let traced = |&v: &Value| Tensor::traced(frame.id, v, frame.func.tensor(v).clone());
        Ok((results.iter().map(traced).collect(), known))
    }
}

impl Frame {
    /// Takes back the last instruction, which failed: who catches the error goes on as if it had not been.
    fn forget_last(&mut self) {
        let last = self.func.insts.len() - 1;
        let results = self.func.insts.values().last().map_or(0, |inst| inst.results.len());
        self.func.insts.truncate(last);
        self.func.values.truncate(self.func.values.len() - results);
    }

    fn known(&self, values: &[Value]) -> Option<SmallVec<[Tensor; 4]>> {
        use wengert_ir::entity::Entity;
        values.iter().map(|v| self.values[v.index()].clone()).collect()
    }
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

impl State {
    /// Notes in the frame of a value that it was read, if a tape is recorded there or around it. The values of a frame inside a
    /// tape go the way of its program: guards are instructions, and every transform keeps them.
    fn guard(&mut self, id: FrameId, value: Value, known: &Tensor, at: &'static Location<'static>) {
        let Some(k) = self.frames.iter().position(|f| f.id == id) else { return };
        if !self.frames[..=k].iter().any(|f| f.flow == Flow::Guarded) {
            return;
        }
        let frame = &mut self.frames[k];
        if frame.guarded.insert(value) {
            let expected = frame.constant(known);
            let check =
                Check { kind: CheckKind::Guard, tolerance: FloatAttr::new(0.0), min_ulp: 0, max_ulp: 0 };
            frame.func.push_typed(check.into(), &[value, expected], [], Loc::Rust(at));
        }
    }
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

thread_local! {
    static EXAMPLES: Cell<usize> = const { Cell::new(1) };
}

/// How many examples what is traced now will be run for at once.
pub(crate) fn examples() -> usize {
    EXAMPLES.get()
}

/// What is traced while this lives is run for so many times as many examples at once.
pub(crate) struct Examples {
    outside: usize,
}

impl Examples {
    pub(crate) fn new(size: usize) -> Examples {
        let outside = EXAMPLES.get();
        EXAMPLES.set(outside.saturating_mul(size.max(1)));
        Examples { outside }
    }
}

impl Drop for Examples {
    fn drop(&mut self) {
        EXAMPLES.set(self.outside);
    }
}

/// Adds what a function of another module reaches to a module; what the function has become.
pub(crate) fn append(to: &mut Module, from: &Module, entry: FuncId) -> FuncId {
    use wengert_ir::entity::{Entity, EntityVec};
    let (from, entries) = from.reachable(&[entry]);
    let first = to.funcs.len();
    let mut ids = EntityVec::<FuncId, FuncId>::new();
    for k in 0..from.funcs.len() {
        ids.push(FuncId::from_index(first + k));
    }
    for func in from.funcs.values() {
        let mut copy = Func::clone(func);
        if copy.kind == FuncKind::Public {
            copy.kind = FuncKind::Private;
        }
        // What a region is called is no name, but says what it is for.
        if copy.kind != FuncKind::Region {
            copy.name = to.fresh_name(&copy.name);
        }
        copy.insts.values_mut().for_each(|i| i.op.map_callees(&mut |f| ids[f]));
        to.add(copy);
    }
    ids[entries[0]]
}

/// Does everything a function of the frames' module does, operation by operation, in the innermost frame.
pub(crate) fn replay(func: FuncId, args: &[Tensor]) -> Vec<Tensor> {
    let func = with_module(|m| m.get(func));
    let step: &mut Step<'_> = &mut |op, operands, loc| record(op.clone(), operands, loc.clone());
    replay_with(&func, args, step).unwrap_or_else(|e| fail(e))
}

/// Does one instruction of a function that is walked.
pub(crate) type Step<'a> = dyn FnMut(&Op, &[&Tensor], &Loc) -> Result<Tensors, Error> + 'a;

/// Walks a function with a `step` that does each instruction.
pub(crate) fn replay_with(func: &Func, args: &[Tensor], step: &mut Step<'_>) -> Result<Vec<Tensor>, Error> {
    use wengert_ir::entity::EntityVec;
    assert_eq!(func.params.len(), args.len(), "arguments of a replayed function");
    let mut env: EntityVec<Value, Option<Tensor>> = EntityVec::filled(None, func.values.len());
    for (&p, a) in func.params.iter().zip(args) {
        env[p] = Some(a.clone());
    }
    for inst in func.insts.values() {
        // The order of effects is the order in which they are done here.
        if matches!(&inst.op, Op::Foreign(foreign) if foreign.is_token()) {
            continue;
        }
        let operands: SmallVec<[&Tensor; 4]> =
            inst.operands.iter().map(|&v| env[v].as_ref().expect("topological order")).collect();
        let results = step(&inst.op, &operands, &inst.loc)?;
        drop(operands);
        for (&v, t) in inst.results.iter().zip(results) {
            env[v] = Some(t);
        }
    }
    Ok(func.results.iter().map(|&r| env[r].clone().expect("defined")).collect())
}
