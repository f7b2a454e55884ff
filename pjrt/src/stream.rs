//! Where programs run that take longer than it takes to hand them over: a thread of the device, in the order in which they came.
//!
//! A task waits for its arguments, which earlier tasks make, so the order of a queue is enough for it never to wait for ever.
//! A thread that calls back into Python may come to wait for later tasks; as long as it does, another thread serves the queue. A
//! process that was forked has none of its parent's threads and starts its own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Work to be done once.
pub(crate) type Task = Box<dyn FnOnce() + Send>;

/// Most threads of a queue, each but one of which waits for Python.
const MOST: usize = 64;

/// The threads and the queue of a device.
#[derive(Default)]
pub(crate) struct Stream {
    current: Mutex<Option<(u32, Arc<Queue>)>>,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    threads: usize,
    /// How many of them wait for Python.
    away: usize,
}

thread_local! {
    /// The queue that this thread serves.
    static SERVED: RefCell<Option<Arc<Queue>>> = const { RefCell::new(None) };
}

impl Stream {
    /// Has a task done by a thread of the stream; by this one if there is no other.
    pub(crate) fn submit(&self, task: Task) {
        let queue = {
            let process = std::process::id();
            let mut current = self.current.lock().unwrap_or_else(|e| e.into_inner());
            match &*current {
                Some((owner, queue)) if *owner == process => queue.clone(),
                _ => current.insert((process, Arc::default())).1.clone(),
            }
        };
        let mut state = queue.lock();
        state.tasks.push_back(task);
        queue.changed.notify_one();
        let unserved = queue.hire(&mut state).is_err();
        let task = if unserved { state.tasks.pop_back() } else { None };
        drop(state);
        if let Some(task) = task {
            task();
        }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Sees to it that a thread serves the queue if there is something to do.
    fn hire(self: &Arc<Self>, state: &mut State) -> Result<(), std::io::Error> {
        if state.tasks.is_empty() || state.threads > state.away {
            return Ok(());
        }
        if state.threads >= MOST {
            return Err(std::io::ErrorKind::WouldBlock.into());
        }
        let queue = self.clone();
        std::thread::Builder::new().name("wengert-stream".into()).spawn(move || queue.serve())?;
        state.threads += 1;
        Ok(())
    }

    /// The life of a thread.
    fn serve(self: Arc<Self>) {
        SERVED.set(Some(self.clone()));
        let mut state = self.lock();
        loop {
            match state.tasks.pop_front() {
                Some(task) => {
                    drop(state);
                    task();
                    state = self.lock();
                }
                None => state = self.changed.wait(state).unwrap_or_else(|e| e.into_inner()),
            }
        }
    }
}

/// Runs what may wait for anything; others serve this thread's queue meanwhile.
pub(crate) fn away<R>(work: impl FnOnce() -> R) -> R {
    let Some(queue) = SERVED.with_borrow(Clone::clone) else { return work() };
    {
        let mut state = queue.lock();
        state.away += 1;
        // If there is no thread to be had, tasks wait until this one is back.
        let _ = queue.hire(&mut state);
    }
    struct Back(Arc<Queue>);
    impl Drop for Back {
        fn drop(&mut self) {
            self.0.lock().away -= 1;
        }
    }
    let _back = Back(queue);
    work()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn tasks_run_in_order() {
        let (stream, (sender, receiver)) = (Stream::default(), channel());
        for k in 0..100 {
            let sender = sender.clone();
            stream.submit(Box::new(move || sender.send(k).expect("heard")));
        }
        assert!((0..100).all(|k| receiver.recv_timeout(Duration::from_secs(60)) == Ok(k)));
    }

    #[test]
    fn a_task_that_is_away_may_wait_for_later_ones() {
        let (stream, (sender, receiver)) = (Stream::default(), channel::<u32>());
        let (done, finished) = channel();
        stream.submit(Box::new(move || {
            away(|| assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(7)));
            done.send(()).expect("heard");
        }));
        stream.submit(Box::new(move || sender.send(7).expect("heard")));
        assert!(finished.recv_timeout(Duration::from_secs(60)).is_ok());
    }
}
