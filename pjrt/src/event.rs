//! Events: what a caller waits for.
//!
//! An event is a handle of a [`Completion`], which whoever does the work holds too. A caller may destroy an event as soon as it has
//! asked to be called back, as JAX does: who waits is written down in the completion.

use crate::entry;
use crate::error::{self, Done, Failure};
use crate::ffi::*;
use crate::handles::{self, objects};
use std::ffi::c_void;
use std::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock};

objects! { Event as PJRT_Event = 1 "event"; }

/// What an event is to us.
pub(crate) struct Event {
    completion: Arc<Completion>,
    /// Whether the caller made it with `PJRT_Event_Create`, and may set it.
    is_callers: bool,
}

/// Something that is done, once, well or not.
#[derive(Default)]
pub(crate) struct Completion {
    outcome: OnceLock<Done>,
    waiters: Mutex<Vec<Waiter>>,
    changed: Condvar,
}

/// Who is called when it has ended.
type Waiter = Box<dyn FnOnce(&Done) + Send>;

/// A function of a caller with its argument.
struct Callback {
    function: PJRT_Event_OnReadyCallback,
    argument: *mut c_void,
}

// SAFETY: the header lets any thread call it, with the argument that belongs to it.
unsafe impl Send for Callback {}

impl Callback {
    fn call(self, outcome: &Done) {
        let error = outcome.as_ref().err().map_or(std::ptr::null_mut(), |f| error::give(f.clone()));
        // SAFETY: the caller asked for this call with this argument, and takes over the error.
        unsafe { (self.function)(error, self.argument) }
    }
}

impl Completion {
    /// What is done well already.
    pub(crate) fn done() -> Arc<Self> {
        static DONE: LazyLock<Arc<Completion>> = LazyLock::new(|| {
            let done = Completion::default();
            done.set(Ok(()));
            Arc::new(done)
        });
        DONE.clone()
    }

    /// What has failed already.
    pub(crate) fn failed(failure: Failure) -> Arc<Self> {
        let failed = Self::default();
        failed.set(Err(failure));
        Arc::new(failed)
    }

    /// How it ended, if it has.
    pub(crate) fn outcome(&self) -> Option<&Done> {
        self.outcome.get()
    }

    /// Ends it and calls back who waits; only the first time counts, which the result says.
    pub(crate) fn set(&self, outcome: Done) -> bool {
        let waiters = {
            let mut waiters = self.waiters.lock().unwrap_or_else(|e| e.into_inner());
            if self.outcome.set(outcome).is_err() {
                return false;
            }
            self.changed.notify_all();
            std::mem::take(&mut *waiters)
        };
        let outcome = self.outcome.get().expect("just set");
        // One that panics is not to take the others with it: each settles what somebody waits for.
        waiters.into_iter().for_each(|waiter| {
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| waiter(outcome)));
        });
        true
    }

    /// Waits until it has ended.
    pub(crate) fn wait(&self) -> &Done {
        if let Some(outcome) = self.outcome.get() {
            return outcome;
        }
        let mut waiters = self.waiters.lock().unwrap_or_else(|e| e.into_inner());
        loop {
            if let Some(outcome) = self.outcome.get() {
                return outcome;
            }
            waiters = self.changed.wait(waiters).unwrap_or_else(|e| e.into_inner());
        }
    }

    /// Calls `waiter` when it has ended, at once if it has.
    pub(crate) fn then(&self, waiter: impl FnOnce(&Done) + Send + 'static) {
        if self.outcome.get().is_none() {
            let mut waiters = self.waiters.lock().unwrap_or_else(|e| e.into_inner());
            if self.outcome.get().is_none() {
                waiters.push(Box::new(waiter));
                return;
            }
        }
        waiter(self.outcome.get().expect("just seen"));
    }
}

/// Gives a caller an event.
pub(crate) fn give(completion: Arc<Completion>) -> Done<*mut PJRT_Event> {
    handles::insert(Arc::new(Event { completion, is_callers: false }))
}

/// `PJRT_Event_Destroy`.
pub(crate) fn destroy(a: &mut PJRT_Event_Destroy_Args) -> Done {
    handles::destroy::<Event>(a.event)
}

/// `PJRT_Event_IsReady`.
pub(crate) fn is_ready(a: &mut PJRT_Event_IsReady_Args) -> Done {
    a.is_ready = handles::get::<Event>(a.event)?.completion.outcome().is_some().into();
    Ok(())
}

/// `PJRT_Event_Error`: of an event that is ready.
pub(crate) fn error_of(a: &mut PJRT_Event_Error_Args) -> Done {
    let event = handles::get::<Event>(a.event)?;
    match event.completion.outcome() {
        Some(outcome) => outcome.clone(),
        None => {
            Err(Failure::new(error::Code::FailedPrecondition, "PJRT_Event_Error: the event is not ready yet"))
        }
    }
}

/// `PJRT_Event_Await`.
pub(crate) fn wait(a: &mut PJRT_Event_Await_Args) -> Done {
    let event = handles::get::<Event>(a.event)?;
    event.completion.wait().clone()
}

/// `PJRT_Event_OnReady`.
pub(crate) fn on_ready(a: &mut PJRT_Event_OnReady_Args) -> Done {
    let event = handles::get::<Event>(a.event)?;
    let Some(function) = a.callback else {
        return Err(Failure::invalid("PJRT_Event_OnReady: no callback (a null pointer)"));
    };
    let callback = Callback { function, argument: a.user_arg };
    event.completion.then(move |outcome| callback.call(outcome));
    Ok(())
}

/// `PJRT_Event_Create`.
pub(crate) fn create(a: &mut PJRT_Event_Create_Args) -> Done {
    a.event = handles::insert(Arc::new(Event { completion: Arc::default(), is_callers: true }))?;
    Ok(())
}

/// `PJRT_Event_Set`.
pub(crate) fn set(a: &mut PJRT_Event_Set_Args) -> Done {
    let event = handles::get::<Event>(a.event)?;
    if !event.is_callers {
        return Err(Failure::invalid("PJRT_Event_Set: the event was not made by PJRT_Event_Create"));
    }
    let outcome = if a.error_code == 0 {
        Ok(())
    } else {
        // SAFETY: the header's contract.
        let message = unsafe { entry::text("error_message", a.error_message, a.error_message_size) }?;
        Err(Failure { code: a.error_code, message: message.to_owned() })
    };
    if event.completion.set(outcome) {
        Ok(())
    } else {
        Err(Failure::new(error::Code::FailedPrecondition, "PJRT_Event_Set: the event is set already"))
    }
}
