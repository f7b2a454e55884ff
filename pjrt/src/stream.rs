//! Where programs run that take longer than it takes to hand them over: threads of the device.
//!
//! A task is queued once all that it reads is there, so no thread ever waits for another task while it has one. Only a function of
//! Python that a task calls may wait for other tasks; as long as it does its thread is *away*, and another serves the queue. So
//! whenever the queue is not empty, somebody works who waits for nobody. Where no thread is to be had, whoever would need one
//! serves the queue itself. A process that was forked has none of its parent's threads and starts its own.

use crate::event::Completion;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::AcqRel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Work to be done once.
pub(crate) type Task = Box<dyn FnOnce() + Send>;

/// What users' functions may take of the stack: what the first thread of a process has.
pub(crate) const STACK: usize = 8 << 20;

/// Most threads of a queue that are hired, each but one of which waits for Python.
const MOST: usize = 64;

/// The threads and the queue of a device.
#[derive(Default)]
pub(crate) struct Stream {
    current: Mutex<Option<(u32, Arc<Queue>)>>,
}

struct Queue {
    state: Mutex<State>,
    /// There is something to do, or the queue has ended.
    changed: Condvar,
    /// Nothing is left to do, or a thread has gone.
    less: Condvar,
    /// Most threads that it may have.
    most: usize,
}

#[derive(Default)]
struct State {
    /// Tasks that may start.
    tasks: VecDeque<Task>,
    /// Tasks that are not done: those that wait for what they read, those of the queue, those that run.
    left: usize,
    threads: usize,
    /// How many of them wait for Python.
    away: usize,
    /// Whether threads go when there is nothing to do.
    ended: bool,
}

/// A task that waits for what it reads.
struct Waiting {
    queue: Arc<Queue>,
    task: Mutex<Option<Task>>,
    /// How much of it is not there, and one more until all is counted.
    missing: AtomicUsize,
}

thread_local! {
    /// The queue that this thread serves.
    static SERVED: RefCell<Option<Arc<Queue>>> = const { RefCell::new(None) };
}

impl Stream {
    #[cfg(test)]
    fn with_threads(most: usize) -> Self {
        Self { current: Mutex::new(Some((std::process::id(), Arc::new(Queue::new(most))))) }
    }

    fn queue(&self) -> Arc<Queue> {
        let process = std::process::id();
        let mut current = self.current.lock().unwrap_or_else(|e| e.into_inner());
        match &*current {
            Some((owner, queue)) if *owner == process => queue.clone(),
            _ => current.insert((process, Arc::new(Queue::new(MOST)))).1.clone(),
        }
    }

    /// Has a task done when all of `before` has ended, well or not; by this thread if there is no other.
    pub(crate) fn submit(&self, before: &[Arc<Completion>], task: Task) {
        let queue = self.queue();
        queue.lock().left += 1;
        let (task, missing) = (Mutex::new(Some(task)), AtomicUsize::new(before.len() + 1));
        let waiting = Arc::new(Waiting { queue, task, missing });
        for completion in before {
            let waiting = waiting.clone();
            completion.then(move |_| waiting.one_less());
        }
        waiting.one_less();
    }

    /// Waits until all tasks are done and the threads have gone. A thread that is one of them, which calls Python, waits for nothing.
    ///
    /// Tasks that come later are still done, by threads that go thereafter.
    pub(crate) fn end(&self) {
        let current = self.current.lock().unwrap_or_else(|e| e.into_inner()).clone();
        let Some((_, queue)) = current.filter(|(owner, _)| *owner == std::process::id()) else { return };
        queue.end();
        if SERVED.with_borrow(Option::is_some) {
            return;
        }
        let mut state = queue.lock();
        while state.left > 0 || state.threads > 0 {
            state = queue.less.wait(state).unwrap_or_else(|e| e.into_inner());
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some((_, queue)) = self.current.get_mut().unwrap_or_else(|e| e.into_inner()) {
            queue.end();
        }
    }
}

impl Waiting {
    fn one_less(&self) {
        if self.missing.fetch_sub(1, AcqRel) == 1 {
            let task = self.task.lock().unwrap_or_else(|e| e.into_inner()).take();
            self.queue.push(task.expect("the last one comes once"));
        }
    }
}

impl Queue {
    fn new(most: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), less: Condvar::new(), most }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Queues a task that may start.
    fn push(self: &Arc<Self>, task: Task) {
        let mut state = self.lock();
        state.tasks.push_back(task);
        self.changed.notify_one();
        self.see_to_it(state);
    }

    /// Sees to it that a thread serves the queue if there is something to do: one that is there, or a new one, or this one.
    fn see_to_it(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        if state.tasks.is_empty() || state.threads > state.away {
            return;
        }
        state.threads += 1;
        if state.threads <= self.most {
            let queue = self.clone();
            let hired = std::thread::Builder::new().name("wengert-stream".into()).stack_size(STACK);
            if hired.spawn(move || queue.serve(true)).is_ok() {
                return;
            }
        }
        drop(state);
        self.clone().serve(false);
    }

    /// The life of a thread, or the time for which one serves that is not the queue's: until there is nothing to do.
    fn serve(self: Arc<Self>, stays: bool) {
        let before = SERVED.replace(Some(self.clone()));
        let mut state = self.lock();
        loop {
            if let Some(task) = state.tasks.pop_front() {
                drop(state);
                // A caller that is called back may panic: that ends no thread.
                let _ = catch_unwind(AssertUnwindSafe(task));
                state = self.lock();
                state.left -= 1;
                self.less.notify_all();
            } else if stays && !state.ended {
                state = self.changed.wait(state).unwrap_or_else(|e| e.into_inner());
            } else {
                break;
            }
        }
        state.threads -= 1;
        self.less.notify_all();
        drop(state);
        SERVED.set(before);
    }
}

/// Runs what may wait for anything; others serve this thread's queue meanwhile.
pub(crate) fn away<R>(work: impl FnOnce() -> R) -> R {
    let Some(queue) = SERVED.with_borrow(Clone::clone) else { return work() };
    struct Back(Arc<Queue>);
    impl Drop for Back {
        fn drop(&mut self) {
            self.0.lock().away -= 1;
        }
    }
    queue.lock().away += 1;
    let back = Back(queue);
    back.0.see_to_it(back.0.lock());
    work()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    const SOON: Duration = Duration::from_secs(60);

    /// Threads that a queue may have: none is to be had, few, as many as it wants.
    const THREADS: [usize; 4] = [0, 1, 2, MOST];

    #[test]
    fn tasks_run_in_order() {
        for stream in THREADS.map(Stream::with_threads) {
            let (sender, receiver) = channel();
            for k in 0..100 {
                let sender = sender.clone();
                stream.submit(&[], Box::new(move || sender.send(k).expect("heard")));
            }
            assert!((0..100).all(|k| receiver.recv_timeout(SOON) == Ok(k)));
        }
    }

    #[test]
    fn a_task_that_is_away_may_wait_for_later_ones() {
        let (stream, (sender, receiver)) = (Stream::default(), channel::<u32>());
        let (done, finished) = channel();
        stream.submit(
            &[],
            Box::new(move || {
                away(|| assert_eq!(receiver.recv_timeout(SOON), Ok(7)));
                done.send(()).expect("heard");
            }),
        );
        stream.submit(&[], Box::new(move || sender.send(7).expect("heard")));
        assert!(finished.recv_timeout(SOON).is_ok());
    }

    /// A task whose function of Python has the next such task done and waits for it, behind one that waits for this one.
    fn nested(stream: Arc<Stream>, depth: usize, done: Sender<usize>) -> Task {
        Box::new(move || {
            let own: Arc<Completion> = Arc::default();
            let (inner, finished) = channel();
            away(|| {
                stream.submit(std::slice::from_ref(&own), Box::new(|| ()));
                match depth {
                    0 => stream.submit(&[], Box::new(move || inner.send(0).expect("heard"))),
                    _ => stream.submit(&[], nested(stream.clone(), depth - 1, inner)),
                }
                let found = finished.recv_timeout(SOON).expect("an inner task waits for ever");
                done.send(found + 1).expect("heard");
            });
            own.set(Ok(()));
        })
    }

    #[test]
    fn who_waits_for_results_holds_no_thread() {
        for most in THREADS {
            let (stream, (done, finished)) = (Arc::new(Stream::with_threads(most)), channel());
            stream.submit(&[], nested(stream.clone(), 99, done));
            assert_eq!(finished.recv_timeout(SOON), Ok(100), "{most} threads");
            stream.end();
        }
    }

    #[test]
    fn a_chain_of_tasks_is_no_recursion() {
        for stream in THREADS.map(Stream::with_threads) {
            let first: Arc<Completion> = Arc::default();
            let mut last = first.clone();
            for _ in 0..50_000 {
                let next: Arc<Completion> = Arc::default();
                let done = next.clone();
                stream.submit(&[last], Box::new(move || assert!(done.set(Ok(())))));
                last = next;
            }
            assert!(first.set(Ok(())));
            assert_eq!(last.wait(), &Ok(()));
        }
    }

    #[test]
    fn the_end_waits_for_all() {
        for stream in THREADS.map(Stream::with_threads) {
            let (sender, receiver) = channel();
            let first: Arc<Completion> = Arc::default();
            let (done, sent) = (first.clone(), sender.clone());
            let late = move || assert!(sent.send(2).is_ok());
            stream.submit(&[first], Box::new(late));
            stream.submit(&[], Box::new(|| panic!("a caller's callback")));
            stream.submit(
                &[],
                Box::new(move || {
                    std::thread::sleep(Duration::from_millis(50));
                    assert!(done.set(Ok(())) && sender.send(1).is_ok());
                }),
            );
            stream.end();
            let mut found: Vec<u32> = receiver.try_iter().collect();
            found.sort();
            assert_eq!(found, [1, 2]);
            assert_eq!(stream.queue().lock().threads, 0);
            // What comes later is still done.
            let (sender, receiver) = channel();
            stream.submit(&[], Box::new(move || sender.send(3).expect("heard")));
            assert_eq!(receiver.recv_timeout(SOON), Ok(3));
            stream.end();
        }
    }
}
