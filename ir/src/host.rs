//! Functions of the host, which a program asks the process that it runs in for.
//!
//! A [`CustomCall`](crate::op::CustomCall) runs the function it is bound to ([`Host`]), or the one that is registered for its
//! target ([`register`]). A bound function goes with the operation wherever that is copied, and is known by a number: equal
//! operations run the same function. Text names no function, so what is read of it runs what is registered, or nothing.

use crate::array::Array;
use crate::replay;
use crate::types::TensorType;
use smallvec::SmallVec;
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
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

    /// The same from bytes to bytes, if the function does that; what it does is not remembered for a derivative ([`replay`]).
    pub fn call_in_place(&self, operands: &[&[u8]], results: &mut [&mut [u8]]) -> Option<Result<(), String>> {
        match &self.0.as_ref()?.code {
            Code::Arrays(_) => None,
            Code::InPlace(f) => Some(apart(|| f(operands, results))),
        }
    }
}

/// Runs a function of the host: a panic in it is a failure, and nothing in it is recorded or replayed.
fn apart<R>(f: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    let caught = replay::apart(|| catch_unwind(AssertUnwindSafe(f)));
    caught.unwrap_or_else(|panic| Err(format!("it panicked: {}", said(&*panic))))
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
