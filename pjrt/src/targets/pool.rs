//! Threads for the tasks of handlers: at most one a core, hired when there is work and let go when there has been none for a while.

use crate::stream::STACK;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

type Task = Box<dyn FnOnce() + Send>;

struct State {
    tasks: VecDeque<Task>,
    threads: usize,
    idle: usize,
    /// The process that the threads are of: one that was forked has none.
    owner: u32,
}

static STATE: Mutex<State> = Mutex::new(State { tasks: VecDeque::new(), threads: 0, idle: 0, owner: 0 });
static CHANGED: Condvar = Condvar::new();

/// How long a thread waits for work.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many threads there may be.
pub(super) fn threads() -> usize {
    // Asked once: it reads files.
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|e| e.into_inner())
}

/// Has a task done by a thread; by this one if there is none to be had.
pub(super) fn schedule(task: Task) {
    let mut state = lock();
    let process = std::process::id();
    if state.owner != process {
        *state = State { tasks: VecDeque::new(), threads: 0, idle: 0, owner: process };
    }
    state.tasks.push_back(task);
    if state.idle >= state.tasks.len() || state.threads >= threads() {
        CHANGED.notify_one();
        return;
    }
    state.threads += 1;
    let builder = std::thread::Builder::new().name("wengert-tasks".to_owned()).stack_size(STACK);
    if builder.spawn(serve).is_ok() {
        return;
    }
    state.threads -= 1;
    let task = if state.threads == 0 { state.tasks.pop_back() } else { None };
    drop(state);
    if let Some(task) = task {
        task();
    }
}

fn serve() {
    let mut state = lock();
    loop {
        if let Some(task) = state.tasks.pop_front() {
            drop(state);
            task();
            state = lock();
            continue;
        }
        state.idle += 1;
        let (next, waited) = CHANGED.wait_timeout(state, PATIENCE).unwrap_or_else(|e| e.into_inner());
        state = next;
        state.idle -= 1;
        if waited.timed_out() && state.tasks.is_empty() {
            state.threads -= 1;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn every_task_is_done_once() {
        let (sender, receiver) = channel();
        for k in 0..1000 {
            let sender = sender.clone();
            schedule(Box::new(move || sender.send(k).expect("somebody listens")));
        }
        let mut done: Vec<i32> = (0..1000)
            .map(|_| receiver.recv_timeout(Duration::from_secs(60)).expect("a task is done"))
            .collect();
        done.sort_unstable();
        assert!(done.into_iter().eq(0..1000));
        assert!(lock().threads <= threads());
    }
}
