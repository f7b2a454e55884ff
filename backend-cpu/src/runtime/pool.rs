//! Threads: one pool for the process.
//!
//! A call hands out one job at a time: a number of independent pieces that the caller and whichever workers are awake
//! take in turn. Nobody waits for a worker that has not begun, so small jobs cost little more than their work. While
//! a job is in progress, other jobs, those of its own pieces included, run on their callers: no deadlock is possible.
//! What the pieces are never depends on the number of threads, or does not show in results.

use super::context::Context;
use super::guarded;
use super::status::Status;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, OnceLock};
use std::thread::Thread;

/// Most threads.
const MOST: usize = 256;
/// Looks for a new job before a worker goes to sleep: some 30 µs.
const SPINS: u32 = 6_000;
/// The same during a call that may have more jobs: some 1 ms. Waking one that sleeps has been measured at 40 to 97 µs.
const SPINS_IN_CALL: u32 = 200_000;
/// Pieces per thread, so that a slow one does not hold up the rest.
const PIECES_PER_THREAD: i64 = 4;

/// Sets how many threads calls may use, the caller's included. Without, it is the environment variable
/// `WENGERT_THREADS`, or else what the machine has.
pub fn set_threads(threads: usize) {
    pool().limit.store(threads.clamp(1, MOST), SeqCst);
}

/// How many threads calls may use, the caller's included.
pub fn threads() -> usize {
    pool().limit.load(SeqCst).min(MOST_HERE.get())
}

thread_local! {
    /// How many threads calls of this thread may use.
    static MOST_HERE: Cell<usize> = const { Cell::new(MOST) };
}

/// Runs `work`, whose calls may use so many threads, the caller's included. Results are the same for any number.
pub fn on_threads<R>(most: usize, work: impl FnOnce() -> R) -> R {
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            MOST_HERE.set(self.0);
        }
    }
    let _before = Before(MOST_HERE.replace(most.clamp(1, MOST)));
    work()
}

struct Pool {
    limit: AtomicUsize,
    /// Whether a job is in progress.
    busy: AtomicBool,
    /// The job in progress, or null.
    job: AtomicPtr<Job<'static>>,
    /// Counts jobs, so that a worker looks at each once.
    epoch: AtomicU64,
    /// Workers that may hold a reference to the job.
    active: AtomicUsize,
    /// Calls in progress of programs that share work out.
    calls: AtomicUsize,
    workers: Mutex<Vec<&'static Worker>>,
    /// How many workers there are, without the lock.
    spawned: AtomicUsize,
}

struct Worker {
    asleep: AtomicBool,
    thread: OnceLock<Thread>,
}

struct Job<'f> {
    work: &'f (dyn Fn(usize) -> i32 + Sync),
    pieces: usize,
    next: AtomicUsize,
    status: AtomicI32,
    /// Workers with a higher number than this do not take part.
    limit: usize,
}

impl Job<'_> {
    /// Takes pieces until there are none left.
    fn take_part(&self) {
        loop {
            let piece = self.next.fetch_add(1, SeqCst);
            if piece >= self.pieces {
                return;
            }
            let status = (self.work)(piece);
            if status != Status::Ok as i32 {
                let _ = self.status.compare_exchange(Status::Ok as i32, status, SeqCst, SeqCst);
            }
        }
    }
}

fn pool() -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(|| {
        let asked = std::env::var("WENGERT_THREADS").ok().and_then(|v| v.parse::<usize>().ok());
        let threads =
            asked.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
        Pool {
            limit: AtomicUsize::new(threads.clamp(1, MOST)),
            busy: AtomicBool::new(false),
            job: AtomicPtr::new(std::ptr::null_mut()),
            epoch: AtomicU64::new(0),
            active: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
            workers: Mutex::new(Vec::new()),
            spawned: AtomicUsize::new(0),
        }
    })
}

/// A call of a program that shares work out is in progress as long as this lives: workers stay awake between its jobs.
pub(crate) struct InCall(());

impl InCall {
    pub(crate) fn begin() -> Self {
        pool().calls.fetch_add(1, SeqCst);
        Self(())
    }
}

impl Drop for InCall {
    fn drop(&mut self) {
        pool().calls.fetch_sub(1, SeqCst);
    }
}

/// Runs `work(0)`, `work(1)`, .. on the threads of the pool; gives the first status that is not `Ok`, if any. `work`
/// must not unwind.
pub(crate) fn run(pieces: usize, work: &(dyn Fn(usize) -> i32 + Sync)) -> i32 {
    let pool = pool();
    let threads = threads().min(pieces);
    let alone = threads <= 1 || pool.busy.compare_exchange(false, true, SeqCst, SeqCst).is_err();
    if alone {
        let statuses = (0..pieces).map(work);
        return statuses.fold(
            Status::Ok as i32,
            |first, status| if first == Status::Ok as i32 { status } else { first },
        );
    }
    let job = Job {
        work,
        pieces,
        next: AtomicUsize::new(0),
        status: AtomicI32::new(Status::Ok as i32),
        limit: threads - 1,
    };
    pool.begin(&job);
    job.take_part();
    pool.end();
    job.status.load(SeqCst)
}

impl Pool {
    /// Publishes a job and wakes sleeping workers.
    fn begin(&'static self, job: &Job<'_>) {
        if self.spawned.load(SeqCst) < job.limit {
            self.spawn(job.limit);
        }
        self.job.store(std::ptr::from_ref(job).cast_mut().cast(), SeqCst);
        self.epoch.fetch_add(1, SeqCst);
        let workers = self.workers.lock().unwrap_or_else(|e| e.into_inner());
        for worker in workers.iter().take(job.limit) {
            if worker.asleep.swap(false, SeqCst)
                && let Some(thread) = worker.thread.get()
            {
                thread.unpark();
            }
        }
    }

    /// Withdraws the job and waits for the workers that hold it.
    fn end(&self) {
        self.job.store(std::ptr::null_mut(), SeqCst);
        let mut spins = 0u32;
        while self.active.load(SeqCst) != 0 {
            spins += 1;
            // A worker that was put aside by the system needs a processor to finish.
            if spins > SPINS { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        self.busy.store(false, SeqCst);
    }

    fn spawn(&'static self, count: usize) {
        let mut workers = self.workers.lock().unwrap_or_else(|e| e.into_inner());
        while workers.len() < count {
            let number = workers.len();
            let worker: &'static Worker =
                Box::leak(Box::new(Worker { asleep: AtomicBool::new(false), thread: OnceLock::new() }));
            let name = format!("wengert-{number}");
            let spawned = std::thread::Builder::new().name(name).spawn(move || self.serve(worker, number));
            // A machine that gives no more threads gets by with those there are.
            let Ok(handle) = spawned else { break };
            let _ = worker.thread.set(handle.thread().clone());
            workers.push(worker);
        }
        self.spawned.store(workers.len(), SeqCst);
    }

    /// The life of a worker.
    fn serve(&self, worker: &Worker, number: usize) {
        let mut seen = 0;
        loop {
            let mut spins = 0;
            while self.epoch.load(SeqCst) == seen {
                spins += 1;
                let patience = if self.calls.load(SeqCst) == 0 { SPINS } else { SPINS_IN_CALL };
                if spins < patience {
                    std::hint::spin_loop();
                    continue;
                }
                worker.asleep.store(true, SeqCst);
                // A job published before `asleep` was set did not wake us.
                if self.epoch.load(SeqCst) == seen {
                    std::thread::park();
                }
                worker.asleep.store(false, SeqCst);
                spins = 0;
            }
            seen = self.epoch.load(SeqCst);
            self.active.fetch_add(1, SeqCst);
            let job = self.job.load(SeqCst);
            if !job.is_null() {
                // SAFETY: the job is withdrawn before its owner looks whether anyone is active, all in one total
                // order; we were active before we saw it, so its owner waits for us.
                let job = unsafe { &*job };
                if number < job.limit {
                    job.take_part();
                }
            }
            self.active.fetch_sub(1, SeqCst);
        }
    }
}

/// A piece of a kernel: `(context, low, high, payload) -> status`.
pub(crate) type Piece = unsafe extern "C" fn(*mut Context, i64, i64, *const u64) -> i32;

/// What the pieces of a kernel share.
struct Shared {
    context: *const Context,
    payload: *const u64,
}

// SAFETY: pieces only read the payload and copy the context.
unsafe impl Sync for Shared {}

/// Runs a piece function over `0..extent`; called by generated code.
///
/// # Safety
/// `piece` is generated code for this payload, and its pieces are independent.
pub(crate) unsafe extern "C" fn parallel(
    context: *mut Context,
    piece: Piece,
    extent: i64,
    grain: i64,
    payload: *const u64,
) -> i32 {
    let threads = threads() as i64;
    if threads == 1 || extent <= grain {
        // SAFETY: the contract of this function.
        return if extent > 0 { unsafe { piece(context, 0, extent, payload) } } else { Status::Ok as i32 };
    }
    let grains = (extent / (threads * PIECES_PER_THREAD) + grain - 1) / grain;
    let size = grains.max(1) * grain;
    let pieces = (extent as u64).div_ceil(size as u64) as usize;
    let shared = Shared { context, payload };
    let spent = AtomicU64::new(0);
    let work = |number: usize| {
        let shared = &shared;
        let low = number as i64 * size;
        // SAFETY: the context outlives the job, and nobody writes to it meanwhile; the rest is our contract.
        unsafe {
            let mut own = (*shared.context).clone();
            let left = own.steps;
            let status = piece(&mut own, low, (low + size).min(extent), shared.payload);
            spent.fetch_add(left.saturating_sub(own.steps), SeqCst);
            status
        }
    };
    let mut status = Status::Panic as i32;
    let ran = guarded(|| {
        status = run(pieces, &work);
        Status::Ok
    });
    // SAFETY: the contract of this function; all pieces have ended.
    let context = unsafe { &mut *context };
    context.steps = context.steps.saturating_sub(spent.into_inner());
    if ran == Status::Ok as i32 { status } else { ran }
}
