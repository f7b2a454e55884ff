//! What a call of a handler belongs to: the states that its stages keep, the memory that it has taken.

use super::abi::{Context, Deleter, Stage};
use super::errors::{ALREADY_EXISTS, Failed, INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED};
use std::alloc::Layout;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// An object of a handler's that it finds again at later stages. It is freed with this, if its type says how.
pub(super) struct State {
    type_id: i64,
    object: *mut c_void,
    deleter: Option<Deleter>,
}

// SAFETY: handlers of one call site may run on any thread, one after the other or at once, and the header says so.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(deleter) = self.deleter.or_else(|| deleter(self.type_id)) {
            // SAFETY: the object is of this type, whose deleter it is, and nobody finds it any more.
            unsafe { deleter(self.object) }
        }
    }
}

/// Numbers that are chosen here are above this. A type is one variable of the user's, which XLA may have given a number: it counts from 1.
const FIRST: i64 = 1 << 40;

/// Types of states by their numbers: names, and how they are freed.
static TYPES: Mutex<BTreeMap<i64, (String, Option<Deleter>)>> = Mutex::new(BTreeMap::new());

fn types() -> MutexGuard<'static, BTreeMap<i64, (String, Option<Deleter>)>> {
    TYPES.lock().unwrap_or_else(|e| e.into_inner())
}

fn deleter(type_id: i64) -> Option<Deleter> {
    types().get(&type_id)?.1
}

/// Makes a type known, under a number of ours if it has none (0). A type of this name that is known keeps its number.
pub(super) fn register_type(name: &str, number: i64, deleter: Option<Deleter>) -> Result<i64, Failed> {
    let mut all = types();
    let known = all.iter().find(|(_, (other, _))| other == name).map(|(&number, _)| number);
    match (known, number) {
        (Some(known), 0) => return Ok(known),
        (Some(known), number) if known == number => return Ok(known),
        (Some(known), number) => {
            let message = format!("the type {name} has the number {known}, and not {number}");
            return Err(Failed::new(INVALID_ARGUMENT, &message));
        }
        (None, number) if number != 0 && all.contains_key(&number) => {
            return Err(Failed::new(ALREADY_EXISTS, &format!("another type has the number {number}")));
        }
        (None, _) => {}
    }
    let number = if number != 0 { number } else { all.keys().max().copied().unwrap_or(0).max(FIRST) + 1 };
    all.insert(number, (name.to_owned(), deleter));
    Ok(number)
}

/// A call of the handlers of a call site, or the making of the call site.
pub(super) struct Call {
    /// The version of the header that the handlers were compiled against.
    pub(super) minor: i32,
    pub(super) run: i64,
    states: Mutex<[Option<Arc<State>>; 4]>,
    memory: Mutex<BTreeMap<usize, Layout>>,
}

static RUNS: AtomicI64 = AtomicI64::new(1);

impl Call {
    /// `instantiated`: the state that the call site has from when it was made.
    pub(super) fn new(minor: i32, instantiated: Option<Arc<State>>) -> Call {
        let states = Mutex::new([instantiated, None, None, None]);
        Call { minor, run: RUNS.fetch_add(1, Ordering::Relaxed), states, memory: Mutex::default() }
    }

    /// As handlers hold it.
    pub(super) fn handle(&self) -> *mut Context {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// # Safety
    /// It is null, or comes of [`Call::handle`], and the call lives.
    pub(super) unsafe fn of<'a>(context: *mut Context) -> Result<&'a Call, Failed> {
        // SAFETY: the contract of this function.
        unsafe { context.cast::<Call>().as_ref() }
            .ok_or_else(|| Failed::new(INVALID_ARGUMENT, "no execution context"))
    }

    fn states(&self) -> MutexGuard<'_, [Option<Arc<State>>; 4]> {
        self.states.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The state of the first stage, which its call site keeps.
    pub(super) fn instantiated(&self) -> Option<Arc<State>> {
        self.states()[Stage::Instantiate as usize].clone()
    }

    pub(super) fn set(
        &self,
        stage: i32,
        type_id: i64,
        object: *mut c_void,
        deleter: Option<Deleter>,
    ) -> Result<(), Failed> {
        let mut states = self.states();
        let Some(place) = usize::try_from(stage).ok().and_then(|k| states.get_mut(k)) else {
            return Err(Failed::new(INVALID_ARGUMENT, &format!("there is no stage {stage}")));
        };
        if place.is_some() {
            return Err(Failed::new(ALREADY_EXISTS, "the state of this stage is set already"));
        }
        *place = Some(Arc::new(State { type_id, object, deleter }));
        Ok(())
    }

    pub(super) fn get(&self, stage: i32, type_id: i64) -> Result<*mut c_void, Failed> {
        let states = self.states();
        let found = usize::try_from(stage).ok().and_then(|k| states.get(k)?.as_ref());
        let state = found.ok_or_else(|| Failed::new(NOT_FOUND, "the state is not set"))?;
        match state.type_id == type_id {
            true => Ok(state.object),
            false => {
                let message = format!("the state is of type {}, and not {type_id}", state.type_id);
                Err(Failed::new(INVALID_ARGUMENT, &message))
            }
        }
    }

    fn memory(&self) -> MutexGuard<'_, BTreeMap<usize, Layout>> {
        self.memory.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Memory that is there until it is freed, or the call ends.
    pub(super) fn allocate(&self, size: usize, alignment: usize) -> Result<*mut c_void, Failed> {
        let layout = Layout::from_size_align(size, alignment.max(64))
            .map_err(|e| Failed::new(INVALID_ARGUMENT, &e.to_string()))?;
        if size == 0 {
            return Ok(std::ptr::null_mut());
        }
        // SAFETY: its size is not 0.
        let start = unsafe { std::alloc::alloc(layout) };
        if start.is_null() {
            return Err(Failed::new(RESOURCE_EXHAUSTED, &format!("no memory of {size} bytes")));
        }
        self.memory().insert(start as usize, layout);
        Ok(start.cast())
    }

    pub(super) fn free(&self, start: *mut c_void) -> Result<(), Failed> {
        if start.is_null() {
            return Ok(());
        }
        let layout = self.memory().remove(&(start as usize));
        let layout = layout.ok_or_else(|| Failed::new(INVALID_ARGUMENT, "memory that this call has not"))?;
        // SAFETY: it was allocated so, and is freed once.
        unsafe { std::alloc::dealloc(start.cast(), layout) };
        Ok(())
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let left = std::mem::take(&mut *self.memory());
        for (start, layout) in left {
            // SAFETY: it was allocated so, and is freed once.
            unsafe { std::alloc::dealloc(start as *mut u8, layout) };
        }
    }
}
