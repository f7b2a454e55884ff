//! Many threads: calling one compiled function, tracing at once, and what must not cross a thread.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread::scope;
use wengert::{DType, Tensor, grad, jit, random, scan};

const THREADS: usize = 8;

#[test]
fn eight_threads_call_one_function_and_compile_it_once() {
    let traces = Arc::new(AtomicUsize::new(0));
    let counter = traces.clone();
    let f = jit(grad(move |x: Tensor| {
        counter.fetch_add(1, Ordering::Relaxed);
        (x.sin() * x.exp()).sum()
    }));
    let barrier = Barrier::new(THREADS);
    scope(|s| {
        for t in 0..THREADS {
            let (f, barrier) = (&f, &barrier);
            s.spawn(move || {
                barrier.wait();
                for k in 0..50 {
                    let v = 0.1 * t as f64 + 0.01 * k as f64;
                    let g = f(Tensor::from([v, -v])).to_vec::<f64>();
                    let slope = |v: f64| v.exp() * (v.sin() + v.cos());
                    assert!((g[0] - slope(v)).abs() < 1e-13 && (g[1] - slope(-v)).abs() < 1e-13);
                }
            });
        }
    });
    assert_eq!(traces.load(Ordering::Relaxed), 1);
    assert_eq!(f.compiled_signatures(), 1);
}

#[test]
fn eight_threads_compile_eight_signatures_of_one_function() {
    let f = jit(|x: Tensor| x.sum() * 2.0);
    let barrier = Barrier::new(THREADS);
    scope(|s| {
        for t in 1..=THREADS {
            let (f, barrier) = (&f, &barrier);
            s.spawn(move || {
                barrier.wait();
                assert_eq!(f(Tensor::ones(&[t], DType::F64)).item::<f64>(), 2.0 * t as f64);
            });
        }
    });
    assert_eq!(f.compiled_signatures(), THREADS);
}

#[test]
fn eight_threads_trace_at_once() {
    let barrier = Barrier::new(THREADS);
    scope(|s| {
        for t in 0..THREADS {
            let barrier = &barrier;
            s.spawn(move || {
                barrier.wait();
                for k in 0..5 {
                    let c = (t * 10 + k) as f64;
                    let f = move |x: Tensor| {
                        let (y, ()) =
                            scan(move |y: Tensor, i: Tensor| (y * (i + c), ()), x, Tensor::from([1.0, 2.0]));
                        &y * &y
                    };
                    // y = x (1 + c)(2 + c); d/dx y^2 = 2 x ((1 + c)(2 + c))^2, and twice that by its own derivative.
                    let p = (1.0 + c) * (2.0 + c);
                    let d1 = jit(grad(f))(Tensor::from(3.0)).item::<f64>();
                    let d2 = grad(grad(f))(Tensor::from(3.0)).item::<f64>();
                    assert!((d1 - 6.0 * p * p).abs() <= 1e-12 * d1.abs(), "{d1}");
                    assert!((d2 - 2.0 * p * p).abs() <= 1e-12 * d2.abs(), "{d2}");
                }
            });
        }
    });
}

#[test]
fn eager_operations_on_every_thread_give_the_same_bits() {
    let expected = random::normal(&random::key(5), &[100], DType::F32).to_vec::<f32>();
    scope(|s| {
        for _ in 0..THREADS {
            s.spawn(|| {
                assert_eq!(random::normal(&random::key(5), &[100], DType::F32).to_vec::<f32>(), expected)
            });
        }
    });
}

#[test]
fn a_tracer_on_another_thread_explains_itself() {
    let f = jit(|x: Tensor| {
        let stray = x.clone();
        let other = std::thread::spawn(move || {
            let message = jit(move |y: Tensor| y + &stray).try_call((Tensor::from(1.0),));
            message.expect_err("a stray tracer").to_string()
        });
        let message = other.join().expect("no panic");
        assert!(message.contains("outside the function it was traced in"), "{message}");
        x
    });
    assert_eq!(f(Tensor::from(2.0)).item::<f64>(), 2.0);
}

#[test]
fn a_tracer_kept_after_its_trace_explains_itself() {
    let kept: Arc<Mutex<Option<Tensor>>> = Arc::default();
    let keep = kept.clone();
    let f = jit(move |x: Tensor| {
        *keep.lock().expect("unlocked") = Some(x.clone());
        x
    });
    let _ = f(Tensor::from(1.0));
    let stray = kept.lock().expect("unlocked").take().expect("kept");
    let message =
        jit(move |y: Tensor| y * &stray).try_call((Tensor::from(1.0),)).expect_err("a stray tracer");
    let message = message.to_string();
    assert!(message.contains("outside the function it was traced in"), "{message}");
    assert!(message.contains("threads.rs"), "{message}");
}

#[test]
fn a_panic_while_tracing_leaves_the_thread_usable() {
    let f = jit(|x: Tensor| if x.rank() == 1 { panic!("in user code") } else { x + 1.0 });
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(Tensor::from([1.0]))));
    assert!(caught.is_err());
    assert_eq!(f(Tensor::from(1.0)).item::<f64>(), 2.0);
    assert_eq!(grad(|x: Tensor| &x * &x)(Tensor::from(3.0)).item::<f64>(), 6.0);
}
