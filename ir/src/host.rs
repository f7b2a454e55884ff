//! What a program asks of the process it runs in: functions of the host, what is printed, and that each happens once.
//!
//! A [`CustomCall`](crate::op::CustomCall) runs the function it is bound to ([`Host`]), or the one that is registered for its
//! target ([`register`]). A bound function goes with the operation wherever that is copied, and is known by a number: equal
//! operations run the same function. Text names no function, so what is read of it runs what is registered, or nothing.
//!
//! What is run more than once to be differentiated (recorded with its values first, and then as a part of its derivative) must
//! be heard once: [`recording`] remembers what ordered operations gave, and [`replaying`] gives it again.

use crate::array::Array;
use crate::op::Op;
use crate::rules::{EvalError, Raised};
use crate::types::{DType, TensorType};
use smallvec::SmallVec;
use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

/// A function of the host: tensors to tensors, or why there are none.
pub type Function = dyn Fn(&[Array]) -> Result<Vec<Array>, String> + Send + Sync;

/// A function of the host that writes its results where they are to lie: from the bytes of dense row-major operands to those of
/// results, whose types are those of the call. What was there before means nothing.
pub type InPlace = dyn Fn(&[&[u8]], &mut [&mut [u8]]) -> Result<(), String> + Send + Sync;

/// What becomes of a call of the host under `vmap`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Batching {
    /// The function is called for one example after the other.
    Examples,
    /// The function is called once: operands and results have the examples in front.
    Whole,
    /// There is no order of examples: it is refused.
    Refused,
}

/// The function that a custom call is bound to, if it is bound to one.
#[derive(Clone, Default)]
pub struct Host(Option<Arc<Bound>>);

struct Bound {
    number: u64,
    batching: Batching,
    code: Code,
}

enum Code {
    Arrays(Box<Function>),
    InPlace(Box<InPlace>),
}

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Host {
    /// Binds a function.
    pub fn new(
        batching: Batching,
        f: impl Fn(&[Array]) -> Result<Vec<Array>, String> + Send + Sync + 'static,
    ) -> Self {
        Self::bound(batching, Code::Arrays(Box::new(f)))
    }

    /// Binds a function that writes its results where they are to lie.
    pub fn in_place(
        batching: Batching,
        f: impl Fn(&[&[u8]], &mut [&mut [u8]]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self::bound(batching, Code::InPlace(Box::new(f)))
    }

    fn bound(batching: Batching, code: Code) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Host(Some(Arc::new(Bound { number, batching, code })))
    }

    /// Whether there is a function.
    pub fn is_bound(&self) -> bool {
        self.0.is_some()
    }

    /// The number of the function in this process; 0 if there is none.
    pub fn number(&self) -> u64 {
        self.0.as_ref().map_or(0, |bound| bound.number)
    }

    /// What becomes of it under `vmap`; of nothing, what its operation does by itself.
    pub fn batching(&self) -> Batching {
        self.0.as_ref().map_or(Batching::Examples, |bound| bound.batching)
    }

    /// Calls the function, of which results of some types are wanted; a panic in it is a failure. `None` if there is no function.
    ///
    /// Programs that the function runs are their own: nothing of them is recorded or replayed with the program that calls it.
    pub fn call(&self, operands: &[Array], results: &[TensorType]) -> Option<Result<Vec<Array>, String>> {
        let f = match &self.0.as_ref()?.code {
            Code::Arrays(f) => return Some(apart(|| f(operands))),
            Code::InPlace(f) => f,
        };
        let from: SmallVec<[&[u8]; 4]> = operands.iter().map(Array::bytes).collect();
        let mut out: Vec<Array> = results.iter().cloned().map(Array::zeros).collect();
        let mut to: SmallVec<[&mut [u8]; 4]> = out.iter_mut().map(Array::bytes_mut).collect();
        let done = apart(|| f(&from, &mut to));
        drop(to);
        Some(done.map(|()| out))
    }

    /// The same from bytes to bytes, if the function does that; what it does is not remembered for a derivative ([`recording`]).
    pub fn call_in_place(&self, operands: &[&[u8]], results: &mut [&mut [u8]]) -> Option<Result<(), String>> {
        match &self.0.as_ref()?.code {
            Code::Arrays(_) => None,
            Code::InPlace(f) => Some(apart(|| f(operands, results))),
        }
    }
}

/// Runs a function of the host: a panic in it is a failure, and nothing in it is recorded or replayed.
fn apart<R>(f: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    let _apart = Apart(TAPE.take());
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| Err(format!("it panicked: {}", said(&*panic))))
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
}

impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
    }
}
impl Eq for Host {}
impl PartialOrd for Host {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Host {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}
impl Hash for Host {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let number = self.number();
        let known = FIRST_USE.with_borrow_mut(|all| {
            let all = all.as_mut()?;
            let next = all.len() as u64;
            Some(if number == 0 { 0 } else { 1 + *all.entry(number).or_insert(next) })
        });
        known.unwrap_or(number).hash(state);
    }
}

thread_local! {
    /// Functions by their numbers in the process, and which of them was met first.
    static FIRST_USE: RefCell<Option<BTreeMap<u64, u64>>> = const { RefCell::new(None) };
}

/// Runs `f`, in which functions are hashed by the order in which they are met, not by their numbers in this process: so the hash
/// of a program is the same in every process, and tells whether two calls are of one function.
pub fn hashing_by_first_use<R>(f: impl FnOnce() -> R) -> R {
    struct Ends(Option<BTreeMap<u64, u64>>);
    impl Drop for Ends {
        fn drop(&mut self) {
            FIRST_USE.set(self.0.take());
        }
    }
    let _ends = Ends(FIRST_USE.replace(Some(BTreeMap::new())));
    f()
}
impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Host({})", self.number())
    }
}

static REGISTERED: RwLock<BTreeMap<String, Host>> = RwLock::new(BTreeMap::new());

/// Makes a function known for all custom calls of a target that are bound to none. Fails if the target has one.
pub fn register(target: &str, function: Host) -> Result<(), String> {
    let mut all = REGISTERED.write().unwrap_or_else(|e| e.into_inner());
    if all.contains_key(target) {
        return Err(format!("`@{target}` is registered already"));
    }
    all.insert(target.to_owned(), function);
    Ok(())
}

/// The function that is registered for a target.
pub fn registered(target: &str) -> Host {
    REGISTERED.read().unwrap_or_else(|e| e.into_inner()).get(target).cloned().unwrap_or_default()
}

/// What ordered operations were given and gave, in order.
#[derive(Clone, Default, Debug)]
pub struct Log(VecDeque<Heard>);

#[derive(Clone, Debug)]
struct Heard {
    op: Op,
    operands: Vec<Array>,
    results: Vec<Array>,
}

impl Log {
    /// Whether nothing was heard.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Default)]
struct Tape {
    /// What is given again.
    from: Option<Log>,
    /// Whether it is given again for operands that are only near those of then.
    rounds: bool,
    /// What is remembered.
    to: Option<Log>,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
    /// What is printed goes here if anybody listens, the innermost of them.
    static PRINTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Puts a tape back, also by unwinding.
struct Apart(Tape);
impl Drop for Apart {
    fn drop(&mut self) {
        TAPE.set(std::mem::take(&mut self.0));
    }
}

/// Runs `f`; what ordered operations give on this thread is added to the log.
pub fn recording<R>(log: &mut Log, f: impl FnOnce() -> R) -> R {
    struct Ends<'a> {
        log: &'a mut Log,
        before: Option<Log>,
    }
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            let before = self.before.take();
            TAPE.with_borrow_mut(|t| *self.log = std::mem::replace(&mut t.to, before).unwrap_or_default());
        }
    }
    let before = TAPE.with_borrow_mut(|t| t.to.replace(std::mem::take(log)));
    let _ends = Ends { log, before };
    f()
}

/// Runs `f`; ordered operations on this thread that the log has give what they gave then, and nothing else happens. One that it
/// has not, such as one of the reverse pass, is run.
pub fn replaying<R>(log: &Log, f: impl FnOnce() -> R) -> R {
    replay(log, false, f)
}

/// As [`replaying`], for what rounds otherwise than what was recorded: an operation that the log has with operands near to these,
/// and not with these to the bit, is the first such.
pub fn replaying_rounded<R>(log: &Log, f: impl FnOnce() -> R) -> R {
    replay(log, true, f)
}

fn replay<R>(log: &Log, rounds: bool, f: impl FnOnce() -> R) -> R {
    struct Ends(Option<Log>, bool);
    impl Drop for Ends {
        fn drop(&mut self) {
            TAPE.with_borrow_mut(|t| (t.from, t.rounds) = (self.0.take(), self.1));
        }
    }
    let _ends =
        TAPE.with_borrow_mut(|t| Ends(t.from.replace(log.clone()), std::mem::replace(&mut t.rounds, rounds)));
    f()
}

/// Whether two tensors of a type are the same to the bit.
fn same(a: &Array, b: &Array) -> bool {
    a.ty() == b.ty() && a.bytes() == b.bytes()
}

/// Whether they are the same but for rounding: numbers that differ by no more than the square root of their precision, in
/// proportion to the largest. Of types for which compiled code has no other rounding they are the same.
fn near(a: &Array, b: &Array) -> bool {
    if a.ty() != b.ty() {
        return false;
    }
    let single = |x: &Array| x.bytes().as_chunks().0.iter().map(|&b| f32::from_ne_bytes(b).into()).collect();
    let double = |x: &Array| x.bytes().as_chunks().0.iter().map(|&b| f64::from_ne_bytes(b)).collect();
    let dtype = a.dtype();
    if [DType::F32, DType::C64].contains(&dtype) {
        all_near(single(a), single(b), f32::EPSILON.into())
    } else if [DType::F64, DType::C128].contains(&dtype) {
        all_near(double(a), double(b), f64::EPSILON)
    } else {
        a.bytes() == b.bytes()
    }
}

fn all_near(a: Vec<f64>, b: Vec<f64>, epsilon: f64) -> bool {
    let largest = a.iter().filter(|x| x.is_finite()).fold(0.0f64, |most, x| most.max(x.abs()));
    let most = epsilon.sqrt() * largest;
    a.iter().zip(&b).all(|(a, b)| a == b || (a - b).abs() <= most || a.is_nan() && b.is_nan())
}

/// Whether two operations are one: what a bound function is called in text says nothing of it.
fn is_same(a: &Op, b: &Op) -> bool {
    if let (Op::CustomCall(a), Op::CustomCall(b)) = (a, b)
        && a.host.is_bound()
    {
        return a.host == b.host && a.target == b.target && a.results == b.results;
    }
    a == b
}

/// Whether what ordered operations give is remembered or given again on this thread.
pub(crate) fn is_recorded() -> bool {
    TAPE.with_borrow(|t| t.from.is_some() || t.to.is_some())
}

/// Does what an ordered operation does, unless it is replayed.
pub(crate) fn once(
    op: &Op,
    operands: &[Array],
    run: impl FnOnce() -> Result<Vec<Array>, EvalError>,
) -> Result<Vec<Array>, EvalError> {
    let given = TAPE.with_borrow_mut(|t| {
        let rounds = t.rounds;
        let Log(log) = t.from.as_mut()?;
        // The first that is the same to the bit. Those before it stay: the derivative may not do them at all, as the body of a
        // function with a rule of its own, but if what it does here is of the reverse pass, it has all others before it.
        let find = |log: &VecDeque<Heard>, like: fn(&Array, &Array) -> bool| {
            log.iter().position(|h| {
                is_same(&h.op, op)
                    && h.operands.len() == operands.len()
                    && h.operands.iter().zip(operands).all(|(a, b)| like(a, b))
            })
        };
        let at = find(log, same).or_else(|| if rounds { find(log, near) } else { None })?;
        log.remove(at).map(|heard| heard.results)
    });
    let results = match given {
        Some(results) => results,
        None => run()?,
    };
    TAPE.with_borrow_mut(|t| {
        if let Some(log) = &mut t.to {
            let (op, operands, results) = (op.clone(), operands.to_vec(), results.clone());
            log.0.push_back(Heard { op, operands, results });
        }
    });
    Ok(results)
}

thread_local! {
    static LISTENERS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Runs `f` and gives what it printed on this thread, line by line; nothing of it goes to the standard output.
pub fn listening<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    struct Ends(usize);
    impl Drop for Ends {
        fn drop(&mut self) {
            LISTENERS.set(LISTENERS.get() - 1);
            PRINTED.with_borrow_mut(|lines| lines.truncate(self.0));
        }
    }
    LISTENERS.set(LISTENERS.get() + 1);
    let ends = Ends(PRINTED.with_borrow(Vec::len));
    let out = f();
    let lines = PRINTED.with_borrow_mut(|lines| lines.split_off(ends.0));
    (out, lines)
}

/// Prints a line to whoever listens on this thread, or to the standard output.
pub(crate) fn print(line: String) {
    if LISTENERS.get() > 0 {
        return PRINTED.with_borrow_mut(|lines| lines.push(line));
    }
    // A closed pipe is no fault of the program.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// How many values a format takes: `{}` stands for one, `{{` and `}}` for braces.
pub fn holes(format: &str) -> Result<usize, String> {
    let mut count = 0;
    pieces(format, &mut |piece| count += matches!(piece, Piece::Hole) as usize)?;
    Ok(count)
}

/// The format with these values in it; one that is missing is left out.
pub(crate) fn fill(format: &str, values: &[String]) -> String {
    let (mut out, mut values) = (String::new(), values.iter());
    let filled = pieces(format, &mut |piece| match piece {
        Piece::Char(c) => out.push(c),
        Piece::Hole => out.push_str(values.next().map_or("", String::as_str)),
    });
    if filled.is_err() { format.to_owned() } else { out }
}

enum Piece {
    Char(char),
    Hole,
}

fn pieces(format: &str, each: &mut dyn FnMut(Piece)) -> Result<(), String> {
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if c == '{' && next == Some('}') {
            each(Piece::Hole);
            chars.next();
        } else if matches!(c, '{' | '}') && next == Some(c) {
            each(Piece::Char(c));
            chars.next();
        } else if matches!(c, '{' | '}') {
            return Err(format!(
                "the format {format:?} has a brace that is neither `{{}}` nor doubled: only `{{}}` stands for a value"
            ));
        } else {
            each(Piece::Char(c));
        }
    }
    Ok(())
}

/// An error that the program raises itself.
pub(crate) fn raise(message: String) -> EvalError {
    EvalError::Raised(Box::new(Raised { message, loc: crate::func::Loc::Unknown, guard: false }))
}
