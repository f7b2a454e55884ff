//! Many threads, one compiled function, and many traces at once.

use wengert::{DType, Tensor, grad, jit, random};

fn f(x: Tensor) -> Tensor {
    ((&x * &x).sin() + (-&x).exp() * &x).sum()
}

fn point(k: usize) -> Tensor {
    Tensor::from(vec![0.1 * k as f64, 0.5, -0.3])
}

#[test]
fn eight_threads_call_one_function() {
    let df = jit(grad(f));
    let want: Vec<Vec<f64>> = (0..8).map(|k| jit(grad(f))(point(k)).to_vec()).collect();
    std::thread::scope(|scope| {
        for (k, want) in want.iter().enumerate() {
            let df = &df;
            scope.spawn(move || {
                for _ in 0..200 {
                    assert_eq!(&df(point(k)).to_vec::<f64>(), want);
                }
            });
        }
    });
    assert_eq!(df.compiled_signatures(), 1, "two threads that call an uncompiled function compile it once");
}

#[test]
fn eight_threads_trace_at_once() {
    let want: Vec<f64> = jit(grad(f))(point(3)).to_vec();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    assert_eq!(jit(grad(f))(point(3)).to_vec::<f64>(), want);
                    assert_eq!(grad(f)(point(3)).to_vec::<f64>(), want);
                }
            });
        }
    });
}

/// How a matrix product is cut for threads shows in no bit of it.
#[test]
fn products_do_not_depend_on_threads() {
    let product = |transposed: u8| {
        jit(move |a: Tensor, b: Tensor| {
            let a = if transposed & 1 == 1 { a.t() } else { a };
            let b = if transposed & 2 == 2 { b.t() } else { b };
            a.matmul(&b)
        })
    };
    for dtype in [DType::F32, DType::F64] {
        for [m, n, k] in [[400, 3, 9000], [900, 4, 3000], [64, 600, 900], [65, 300, 600], [520, 520, 40]] {
            for transposed in 0..4 {
                let normal = |seed, rows, columns, swap: bool| {
                    let shape = if swap { [columns, rows] } else { [rows, columns] };
                    random::normal(&random::key(seed), &shape, dtype)
                };
                let a = normal(1, m, k, transposed & 1 == 1);
                let b = normal(2, k, n, transposed & 2 == 2);
                let f = product(transposed);
                let results = [1, 2, 3, 7].map(|threads| {
                    wengert_cpu::set_threads(threads);
                    f(a.clone(), b.clone()).to_array()
                });
                for other in &results[1..] {
                    assert!(results[0].bytes() == other.bytes(), "{m}x{k} by {k}x{n} {dtype} {transposed}");
                }
            }
        }
    }
}

#[test]
fn a_tracer_that_is_kept_explains_itself() {
    let kept = std::sync::Mutex::new(None);
    let leak = move |x: Tensor| {
        let y = x.sin();
        if let Some(old) = kept.lock().expect("no panic").replace(y.clone()) {
            return y + old;
        }
        y
    };
    let leak = jit(leak);
    leak(Tensor::from(1.0f64));
    let error =
        leak.try_call((Tensor::from([1.0f64]),)).expect_err("the second trace meets the first one's tracer");
    assert!(error.to_string().contains("outside the function it was traced in"), "{error}");
}

/// How many workers there are in this process.
#[cfg(target_os = "linux")]
fn workers() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("a process has threads");
    let name = |task: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(task.expect("an entry").path().join("comm")).unwrap_or_default()
    };
    tasks.map(name).filter(|name| name.starts_with("wengert-")).count()
}

/// In a process of its own: what is small starts no workers, what is large as many as it may.
#[cfg(target_os = "linux")]
#[test]
fn large_loops_have_workers() {
    if std::env::var_os("WENGERT_TEST_WORKERS").is_none() {
        let this = std::env::current_exe().expect("a test has a file");
        let mut child = std::process::Command::new(this);
        child.args(["--exact", "large_loops_have_workers", "--test-threads=1"]);
        let out =
            child.env("WENGERT_TEST_WORKERS", "1").env("WENGERT_THREADS", "3").output().expect("starts");
        return assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
    }
    let f = jit(|x: Tensor| (&x * 0.5).sin() + x);
    f(Tensor::ones(&[1000], DType::F32));
    assert_eq!(workers(), 0);
    f(Tensor::ones(&[1 << 20], DType::F32));
    // A thread gives itself its name when it first runs.
    let there = (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        workers() == 2
    });
    assert!(there, "{} workers", workers());
}
