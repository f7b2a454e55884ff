//! The stack of frames on this thread: functions that are being recorded, one inside another, and the values of their tracers.
//!
//! Nothing is run here, and nobody else's code is called: what runs operations and what traces functions holds the stack for a
//! moment at a time.

use crate::context::{self, What};
use crate::error::Error;
use crate::tensor::{FrameId, PLACEHOLDER, Repr, Tensor, Tensors};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::panic::Location;
use std::rc::Rc;
use wengert_ir::array::Literal;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Func, FuncKind, Loc, Module, Value};
use wengert_ir::op::{Check, CheckKind, Constant, FloatAttr, Op};
use wengert_ir::replay::Log;

/// Concrete tensors of up to this many elements are captured as constants, larger ones as hidden parameters.
const CAPTURE_AS_CONSTANT: usize = 16;

thread_local! {
    pub(super) static STATE: RefCell<State> = RefCell::default();
}

#[derive(Default)]
pub(super) struct State {
    /// The innermost last.
    pub(super) frames: Vec<Frame>,
    /// Functions of all frames; taken when the last frame is popped.
    pub(super) module: Module,
}

pub(super) struct Frame {
    pub(super) id: FrameId,
    pub(super) func: Func,
    /// For eager frames, values beside the record; `None` where an operand was abstract.
    pub(super) values: Vec<Option<Tensor>>,
    pub(super) flow: Flow,
    /// Values that have a guard.
    guarded: FxHashSet<Value>,
    pub(super) captures: Vec<(Tensor, Value)>,
    /// Where the values of parameters of a lazy frame come from, if they come from anywhere.
    pub(super) later: Vec<(Value, Later)>,
    pub(super) what: What,
    /// What was heard while its values were computed.
    pub(super) heard: Log,
}

/// Where the value of a parameter comes from; `None` if nobody knows it yet.
pub(crate) type Later = Rc<dyn Fn() -> Option<Tensor>>;

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

impl State {
    /// Begins a function inside the others.
    pub(super) fn enter(&mut self, frame: Frame) {
        if self.frames.is_empty() {
            self.module = Module::default();
        }
        context::enter(frame.what);
        self.frames.push(frame);
    }

    /// Ends the innermost function.
    pub(super) fn leave(&mut self) -> Frame {
        let frame = self.frames.pop().expect("a frame that was entered");
        context::leave(self.frames.len());
        frame
    }

    /// Gives a function up, if it has not ended, and those inside it; with the last one the module goes.
    pub(super) fn abandon(&mut self, id: FrameId) {
        if let Some(at) = self.frames.iter().position(|f| f.id == id) {
            self.frames.truncate(at);
        }
        context::leave(self.frames.len());
        if self.frames.is_empty() {
            self.module = Module::default();
        }
    }

    /// The value of `t` in the innermost frame.
    pub(super) fn lift(&mut self, t: &Tensor) -> Result<Value, Error> {
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
    pub(super) fn value_of(&self, id: FrameId, value: Value) -> Result<Option<Tensor>, Error> {
        match self.frames.iter().find(|f| f.id == id) {
            Some(frame) => Ok(frame.values.get(value.index()).cloned().flatten()),
            None => Err(Error::new(if id == FrameId::NONE { PLACEHOLDER } else { STRAY }, None)),
        }
    }
}

impl Frame {
    pub(super) fn new(id: FrameId, what: What, kind: FuncKind, flow: Flow) -> Self {
        Frame {
            id,
            func: Func::new("", kind),
            values: vec![],
            flow,
            guarded: FxHashSet::default(),
            captures: vec![],
            later: vec![],
            what,
            heard: Log::default(),
        }
    }

    fn constant(&mut self, t: &Tensor) -> Value {
        let array = t.array().expect("concrete");
        let op = Op::from(Constant { value: Literal::from_array(&array) });
        let ty = array.ty().clone();
        let value = self.func.push_typed(op, &[], [ty.into()], Loc::Unknown)[0];
        self.values.push(Some(t.clone()));
        value
    }
}

/// What an operation gives in a frame, and its operands if they are known there.
pub(super) type Pushed = (Tensors, Option<SmallVec<[Tensor; 4]>>);

impl State {
    pub(super) fn push(&mut self, op: &Op, operands: &[&Tensor], loc: &Loc) -> Result<Pushed, Error> {
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
    pub(super) fn forget_last(&mut self) {
        let last = self.func.insts.len() - 1;
        let results = self.func.insts.values().last().map_or(0, |inst| inst.results.len());
        self.func.insts.truncate(last);
        self.func.values.truncate(self.func.values.len() - results);
    }

    fn known(&self, values: &[Value]) -> Option<SmallVec<[Tensor; 4]>> {
        values.iter().map(|v| self.values[v.index()].clone()).collect()
    }
}

impl State {
    /// Notes in the frame of a value that it was read, if a tape is recorded there or around it. The values of a frame inside a
    /// tape go the way of its program: guards are instructions, and every transform keeps them.
    pub(super) fn guard(
        &mut self,
        id: FrameId,
        value: Value,
        known: &Tensor,
        at: &'static Location<'static>,
    ) {
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

/// What is wrong with a tracer whose frame is not on this thread.
pub(super) const STRAY: &str = "a traced tensor is used outside the function it was traced in: it was kept after the trace ended, \
     or sent to another thread. Return it from the transformed function instead";
