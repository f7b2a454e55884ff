//! [`Tape`]: the path that a function took through Rust's control flow, as a value.
//!
//! A tape is what an eager derivative records anyway, a straight line of operations, with a name: it can be printed, looked at,
//! run again on other inputs, compiled, differentiated, and kept in a file. What Rust read on the way (`.item()`, `.to_vec()`)
//! stands on it as a *guard*: an instruction of the program that stops it where a read would give something else, because the
//! function might have gone another way then. Guards are instructions so that every transform carries them along: inside
//! `grad`, `vmap` or `jit` a tape is held to its path as it is outside.

mod adaptive;
mod file;
mod once;

pub use crate::wengert_list::WengertList;
pub use adaptive::adaptive;
pub use once::OncePullback;

use crate::call::{Arg, Args, Func, Wrt};
use crate::context::{What, is_tracing};
use crate::eager;
use crate::entry::append;
use crate::error::{Error, boundary, fail};
use crate::gradient::grad;
use crate::jit::{Jit, jit};
use crate::program::Traced;
use crate::tensor::Tensor;
use crate::trace::{self, Home};
use crate::transform::{Graph, Transformed, jvp, record_guarded, vjp_at};
use crate::tree::{self, Tree};
use crate::walk::replay_with;
use crate::wengert_list::{place, short};
use std::fmt;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Inst, Value};
use wengert_ir::op::{Effect, Op};
use wengert_ir::types::{FloatMode, TensorType};

/// What a function did when it was called: a straight line of operations, from its arguments to its results.
///
/// The function ran as ordinary Rust, so its loops, branches and recursion are gone: what is on the tape is the path that was
/// taken. Each value that Rust read on the way is a guard, and a replay in which one would be read otherwise is an error that
/// names the line of the read.
///
/// ```
/// use wengert::{Tensor, tape::Tape};
/// let f = |x: Tensor| if x.less(0.0).item::<bool>() { -x } else { &x * &x };
/// let (y, tape) = Tape::record(f, (Tensor::from(3.0f64),));
/// assert_eq!(y.item::<f64>(), 9.0);
/// assert_eq!(tape.replay((Tensor::from(5.0f64),))?.item::<f64>(), 25.0);
/// let error = tape.replay((Tensor::from(-5.0f64),)).unwrap_err();
/// assert!(error.is_guard() && error.to_string().contains("read false when it was recorded and would read true now"));
/// # Ok::<(), wengert::Error>(())
/// ```
///
/// # What is a guard
///
/// [`Tensor::item`], [`Tensor::to_vec`] and [`Tensor::to_array`] (and [`Tensor::to_npy`], by way of it) of a value that depends
/// on the arguments. A guard is as exact as the read: the truth value of a comparison (`x.less(0.0).item::<bool>()`) holds for
/// all arguments on the same side; a number (`x.item::<f64>()`) holds for that number only, to the bit (every NaN is like every
/// other), because nobody knows what Rust does with it. So compare tensors and read what comes of it, or say that a read
/// decides nothing: [`Tensor::peek`] gives the value without a guard.
///
/// What Rust decides by anything but the values of tensors (random numbers of its own, files, the clock) no guard can see.
///
/// # Calling it
///
/// A tape derefs to a function of the recorded one's arguments, and can be given to [`crate::grad`], [`crate::jit`],
/// [`crate::vmap`] and the others as the function could; there a guard that does not hold fails as any mistake in a function
/// does. [`Tape::replay`] gives it as a `Result`.
pub struct Tape<A: Args, R: Tree> {
    function: Transformed<A, R>,
    inner: Arc<Inner<A, R>>,
}

struct Inner<A: Args, R: Tree> {
    what: What,
    /// From what is captured and the leaves of the arguments to the leaves of the result, guards between.
    program: Traced,
    captures: Vec<Tensor>,
    /// The arguments of the recording.
    args: A,
    /// The result, its leaves placeholders.
    skeleton: R,
    /// By number of the value in the program; empty if none are kept.
    values: Vec<Option<Tensor>>,
}

impl<A: Args, R: Tree> Clone for Tape<A, R> {
    fn clone(&self) -> Self {
        Self { function: self.function.clone(), inner: self.inner.clone() }
    }
}

impl<A: Args, R: Tree> Deref for Tape<A, R> {
    type Target = A::Callable<R>;
    fn deref(&self) -> &Self::Target {
        &self.function
    }
}

impl<A: Args, R: Tree> Func<A> for Tape<A, R> {
    type Out = R;
    fn call_with(&self, args: A) -> R {
        self.function.call_with(args)
    }
}

/// A value of a tape.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number: `v3` in the list.
    pub number: usize,
    /// What the user calls it, of arguments (`arg0.w`).
    pub name: String,
    /// Its type.
    pub ty: TensorType,
    /// What it was, if it is kept.
    pub value: Option<Tensor>,
}

/// An instruction of a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The operation as StableHLO calls it.
    pub operation: &'static str,
    /// Numbers of the values it reads.
    pub operands: Vec<usize>,
    /// Numbers of the values it makes.
    pub results: Vec<usize>,
    /// `src/main.rs:10:5`, if it is known.
    pub line: Option<String>,
}

/// A value that Rust read while a tape was recorded.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The number of the value.
    pub number: usize,
    /// What was read.
    pub value: Tensor,
    /// Where: `src/main.rs:10:5`.
    pub line: Option<String>,
}

impl<A: Args, R: Tree> Tape<A, R> {
    /// Calls `f` and records what it does: its result, and the tape.
    ///
    /// Inside another transform that knows values (`grad` without `jit`) the tape is recorded too and its result is part of that
    /// transform; under `jit` there are no values, and so no guards.
    #[track_caller]
    pub fn record<F: Func<A, Out = R>>(f: F, args: A) -> (R, Self) {
        Self::record_as(What { name: "tape", at: Location::caller() }, &|args| f.call_with(args), args)
    }

    fn record_as(what: What, f: &dyn Fn(A) -> R, args: A) -> (R, Self) {
        let graph = record_guarded(what, &args, f);
        let out = graph.tree(&graph.values(what, &args));
        (out, Self::of_graph(what, graph, &args))
    }

    fn of_graph(what: What, graph: Graph<R>, args: &A) -> Self {
        let recorded = graph.recorded;
        let program = match recorded.home {
            Home::Own(module) => Traced::new(*module, recorded.func),
            Home::Trace(_) => trace::with_module(|m| Traced::new(m.clone(), recorded.func)),
        };
        let func = program.module.get(program.func);
        let known = |p: &Value| recorded.values.get(p.index()).cloned().flatten();
        let captured = recorded.captures.len();
        let mut inputs = func.params[captured..].iter();
        // What an outer transform knows is kept as a value, not as a part of that transform.
        let args = args.map(&mut |t| inputs.next().and_then(known).unwrap_or_else(|| t.clone()));
        let skeleton = graph.skeleton.map(&mut |_| Tensor::from(0f32));
        Self::new(Inner {
            what,
            program,
            captures: recorded.captures,
            args,
            skeleton,
            values: recorded.values,
        })
    }

    fn new(inner: Inner<A, R>) -> Self {
        let inner = Arc::new(inner);
        let i = inner.clone();
        let function = Transformed::new(move |args: A| {
            let run = i.run(&args, i.captures.clone());
            run.unwrap_or_else(|e| fail(e))
        });
        Self { function, inner }
    }

    /// The results for other arguments, of the same types and structure.
    ///
    /// Fails if the arguments are not like the recorded ones, or at the first guard that does not hold
    /// ([`Error::is_guard`]): before anything is computed from what lies behind it.
    pub fn replay(&self, args: A) -> Result<R, Error> {
        boundary(|| self.call_with(args))
    }

    /// Whether it computes and that is all: nothing acts, and nothing may go on for ever, so that guards may be looked at last.
    fn only_computes(&self) -> bool {
        let program = &self.inner.program;
        let acts = |op: &Op| op.effect() == Effect::Ordered && !matches!(op, Op::Check(_));
        let may_not_end = |op: &Op| matches!(op, Op::While(_) | Op::CustomCall(_));
        !program.module.reaches(program.func, &|op| acts(op) || may_not_end(op))
    }

    /// The straight line as compiled code, with its guards, which are looked at when all is computed: a loop behind one runs even
    /// where [`Tape::replay`] would have stopped before it. It rounds as the recording did ([`FloatMode::Exact`]), so that
    /// comparisons come out alike; only sums of contractions may differ in their last bits.
    ///
    /// ```
    /// use wengert::{Tensor, tape::Tape};
    /// let f = |x: Tensor| if x.sum().less(0.0).item::<bool>() { -x } else { &x * &x };
    /// let (_, tape) = Tape::record(f, (Tensor::from([3.0f64, 1.0]),));
    /// let compiled = tape.jit();
    /// assert_eq!(compiled(Tensor::from([5.0f64, -1.0])).to_vec::<f64>(), [25.0, 1.0]);
    /// assert!(compiled.try_call((Tensor::from([-5.0f64, 1.0]),)).unwrap_err().is_guard());
    /// ```
    #[track_caller]
    pub fn jit(&self) -> Jit<A, R> {
        let compiled = jit(self.clone());
        match self.func().insts.values().any(|i| matches!(i.op, Op::Check(_))) {
            true => compiled.float_mode(FloatMode::Exact),
            false => compiled,
        }
    }

    /// Forward mode as a tape: arguments and their tangents to the result and its tangent.
    #[track_caller]
    pub fn jvp(&self) -> Tape<(A, A), (R, R)> {
        let tape = self.clone();
        let zeros = self.inner.args.map(&mut |t| Tensor::zeros_of(&t.ty()));
        let derivative = Transformed::new(move |(args, tangents): (A, A)| jvp(tape.clone(), args, tangents));
        Tape::record(derivative, (self.inner.args.clone(), zeros)).1
    }

    /// Reverse mode as a tape: arguments and a cotangent of the result, to the result and cotangents of the arguments.
    #[track_caller]
    pub fn vjp(&self) -> Tape<(A, R), (R, A)> {
        let (tape, at) = (self.clone(), Location::caller());
        let mut types = self.inner.program.result_types().into_iter();
        let ones = self.inner.skeleton.map(&mut |_| {
            let ty = types.next().expect("a type per leaf");
            if ty.dtype.is_differentiable() {
                Tensor::ones(&ty.shape, ty.dtype)
            } else {
                Tensor::zeros_of(&ty)
            }
        });
        let what = What { name: "vjp", at };
        let derivative = Transformed::new(move |(args, cotangent): (A, R)| {
            vjp_at(what, &|args| tape.call_with(args), args, cotangent)
        });
        Tape::record(derivative, (self.inner.args.clone(), ones)).1
    }

    /// The tape without the values that were recorded, but for the arguments: a program and its guards.
    pub fn without_values(&self) -> Self {
        let i = &self.inner;
        Self::new(Inner {
            what: i.what,
            program: i.program.clone(),
            captures: i.captures.clone(),
            args: i.args.clone(),
            skeleton: i.skeleton.clone(),
            values: Vec::new(),
        })
    }

    /// The tape with the values it has on the recorded arguments, for one that has none: it was loaded, or they were dropped.
    ///
    /// Fails if the program does: a file may say anything.
    #[track_caller]
    pub fn with_values(&self) -> Result<Self, Error> {
        boundary(|| Tape::record(self.clone(), self.inner.args.clone()).1)
    }

    /// The arguments of the recording.
    pub fn arguments(&self) -> &A {
        &self.inner.args
    }

    /// The program, guards included: what was captured and the leaves of the arguments, to the leaves of the result. Its own
    /// transforms make programs of it.
    pub fn program(&self) -> &Traced {
        &self.inner.program
    }

    /// Large tensors, or values of an outer transform, that the function captured: the program's first parameters.
    pub fn captured(&self) -> Vec<Entry> {
        self.entries(|f| f.params[..self.inner.captures.len()].to_vec())
    }

    /// The leaves of the arguments.
    pub fn inputs(&self) -> Vec<Entry> {
        self.entries(|f| f.params[self.inner.captures.len()..].to_vec())
    }

    /// The leaves of the result.
    pub fn outputs(&self) -> Vec<Entry> {
        self.entries(|f| f.results.clone())
    }

    fn entries(&self, of: impl Fn(&wengert_ir::func::Func) -> Vec<Value>) -> Vec<Entry> {
        let func = self.func();
        let entry = |v: Value| Entry {
            number: v.index(),
            name: match func.params.iter().position(|&p| p == v) {
                Some(k) => func.param_names.get(k).cloned().unwrap_or_default(),
                None => String::new(),
            },
            ty: func.tensor(v).clone(),
            value: self.value(v.index()),
        };
        of(func).into_iter().map(entry).collect()
    }

    /// The instructions in order, guards among them.
    pub fn instructions(&self) -> Vec<Instruction> {
        let numbers = |vs: &[Value]| vs.iter().map(|v| v.index()).collect();
        let instruction = |inst: &Inst| Instruction {
            operation: inst.op.name(),
            operands: numbers(&inst.operands),
            results: numbers(&inst.results),
            line: place(&inst.loc),
        };
        self.func().insts.values().map(instruction).collect()
    }

    /// What Rust read, in order.
    pub fn guards(&self) -> Vec<Guard> {
        let func = self.func();
        let guard = |inst: &Inst| {
            let (Op::Check(_), &[value, expected]) = (&inst.op, &inst.operands[..]) else { return None };
            let value = Guard {
                number: value.index(),
                value: Tensor::from_array(func.constant(expected)?.to_array()),
                line: place(&inst.loc),
            };
            Some(value)
        };
        func.insts.values().filter_map(guard).collect()
    }

    /// What value number `number` was, if it is kept.
    pub fn value(&self, number: usize) -> Option<Tensor> {
        self.inner.values.get(number).cloned().flatten()
    }

    /// Bytes of the values that are kept, each counted once though tensors may share memory.
    pub fn saved_bytes(&self) -> usize {
        self.inner.values.iter().flatten().map(|t| t.ty().bytes()).sum()
    }

    /// The tape as text: a numbered line for each value, with inputs, guards and outputs marked. It shows values and lines of the
    /// user's on request; the `Display` of a tape is the list without them.
    ///
    /// ```
    /// use wengert::{Tensor, tape::Tape};
    /// let f = |x: Tensor| if x.less(0.0).item::<bool>() { -x } else { &x * &x };
    /// let (_, tape) = Tape::record(f, (Tensor::from(3.0f64),));
    /// assert_eq!(tape.list().values().to_string(), "\
    /// v0 = input arg0 : tensor<f64> = 3.0
    /// v1 = constant 0.0 : tensor<f64>
    /// v2 = compare LT v0, v1 : tensor<i1> = false
    /// v3 = constant false : tensor<i1>
    /// guard v2 == false
    /// v4 = multiply v0, v0 : tensor<f64> = 9.0
    /// output v4
    /// ");
    /// ```
    pub fn list(&self) -> WengertList<'_> {
        WengertList::new(self.func(), self.inner.captures.len(), &self.inner.values)
    }

    /// Whether arguments are like the recorded ones.
    fn fits(&self, args: &A) -> bool {
        self.inner.check(args).is_ok()
    }

    fn func(&self) -> &wengert_ir::func::Func {
        &self.inner.program.module.funcs[self.inner.program.func]
    }
}

impl<A: Args> Tape<A, Tensor>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    /// The gradient of the result, which must be one float, with respect to the first argument, as a tape.
    ///
    /// ```
    /// use wengert::{Tensor, tape::Tape};
    /// let (_, tape) = Tape::record(|x: Tensor| &x * &x * &x, (Tensor::from(3.0f64),));
    /// let second = tape.grad().grad();
    /// assert_eq!(second.replay((Tensor::from(5.0f64),))?.item::<f64>(), 30.0);
    /// # Ok::<(), wengert::Error>(())
    /// ```
    #[track_caller]
    pub fn grad(&self) -> Tape<A, A::First> {
        Tape::record(grad(self.clone()), self.inner.args.clone()).1
    }
}

impl<A: Args, R: Tree> Inner<A, R> {
    fn run(&self, args: &A, mut all: Vec<Tensor>) -> Result<R, Error> {
        self.check(args).map_err(|e| e.within(self.what))?;
        args.visit(&mut |t| all.push(t.clone()));
        let Traced { module, func, .. } = &self.program;
        let out = if is_tracing() {
            let func = trace::with_module(|m| append(m, module, *func));
            trace::replay(func, &all)
        } else {
            all.iter()
                .try_for_each(|t| trace::check_alive(t, self.what.at))
                .map_err(|e| e.within(self.what))?;
            replay_with(&module.get(*func), &all, &mut |op, operands, loc| {
                eager::run(Some(module), op, operands, loc.clone())
            })
            .map_err(|e| e.within(self.what))?
        };
        let mut leaves = out.into_iter();
        Ok(self.skeleton.map(&mut |_| leaves.next().expect("a tensor per leaf")))
    }

    /// Fails if arguments are not like the recorded ones.
    fn check(&self, args: &A) -> Result<(), Error> {
        let (wanted, found) = (tree::structure(&self.args), tree::structure(args));
        if wanted != found {
            let message = format!("the tape was recorded with arguments {wanted}, not {found}");
            return Err(Error::new(message, None));
        }
        let types = &self.program.param_types()[self.captures.len()..];
        let (mut k, names, mut wrong) = (0, args.leaf_names(), None);
        args.visit(&mut |t| {
            if wrong.is_none() && !t.has_type(&types[k]) {
                let name = names.get(k).map_or("an argument", |n| n);
                wrong = Some(format!("`{name}` is {}, and the tape was recorded with {}", t.ty(), types[k]));
            }
            k += 1;
        });
        wrong.map_or(Ok(()), |message| Err(Error::new(message, None)))
    }
}

impl<A: Args, R: Tree> fmt::Display for Tape<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list().fmt(f)
    }
}

impl<A: Args, R: Tree> fmt::Debug for Tape<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guards = self.guards().iter().map(|g| short(&g.value)).collect::<Vec<_>>();
        write!(f, "Tape({} instructions, guards {guards:?})", self.instructions().len())
    }
}
