//! Compiling functions on several threads: one builds them, all compile those that are built. What comes out is ordered
//! by number, so it does not depend on who compiled what.

use super::link::Code;
use super::{compile_function, isa};
use cranelift_codegen::Context;
use cranelift_codegen::ir::Function;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};

/// Programs of fewer operations are compiled before a thread has started.
const WORTH_A_THREAD: usize = 1_500;
/// Most threads that compile one program.
const MOST: usize = 16;

/// A built function, its number, and how many operations it has.
pub(crate) struct Job {
    pub(crate) number: u32,
    pub(crate) func: Function,
    pub(crate) size: usize,
}

/// Threads to compile a program of this many operations in this many functions with.
pub(crate) fn threads(operations: usize, functions: usize) -> usize {
    if operations < WORTH_A_THREAD {
        return 1;
    }
    crate::threads().min(functions).clamp(1, MOST)
}

/// Functions compiled so far, or why not.
type Done = Vec<(u32, Result<Code, String>)>;

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    complete: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn push(&self, job: Job) {
        self.lock().jobs.push_back(job);
        self.changed.notify_one();
    }

    /// The next job; waits until there is one or will be none.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.complete {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(|e| e.into_inner());
        }
    }

    fn work(&self, host: &isa::Host) -> Done {
        let mut context = Context::new();
        let mut done = Done::new();
        while let Some(Job { number, func, size }) = self.next() {
            context.func = func;
            done.push((number, compile_function(host.choose(size), &mut context)));
            context.clear();
        }
        done
    }
}

/// Ends the queue however building ends, so that no thread waits for ever.
struct Completion<'q>(&'q Queue);

impl Drop for Completion<'_> {
    fn drop(&mut self) {
        self.0.lock().complete = true;
        self.0.changed.notify_all();
    }
}

/// Runs `build`, which hands out jobs, and compiles them on `threads` threads, this one included. Gives what `build`
/// gives, and the functions in order of their numbers.
pub(crate) fn compile<T>(
    host: &isa::Host,
    threads: usize,
    build: impl FnOnce(&mut dyn FnMut(Job)) -> T,
) -> (T, Done) {
    let queue = Queue::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(|| queue.work(host))).collect();
        let given = {
            let _completion = Completion(&queue);
            build(&mut |job| queue.push(job))
        };
        let mut done = queue.work(host);
        for worker in workers {
            done.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done.sort_by_key(|&(number, _)| number);
        (given, done)
    })
}
