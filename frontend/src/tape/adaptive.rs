//! [`adaptive`]: a function with the compiled tapes of the ways it has taken.

use super::Tape;
use crate::call::{Args, Func};
use crate::context::{What, is_tracing};
use crate::error::fail;
use crate::jit::Jit;
use crate::transform::Transformed;
use crate::tree::Tree;
use std::panic::Location;
use std::sync::{Arc, Mutex};

/// Most ways that are kept; the one used longest ago goes first.
const MOST: usize = 16;

/// `f`, recorded and compiled for each way it takes through Rust's control flow, and called as compiled code where a call goes a
/// way that is known. For functions with few ways: a call on a new one runs those that are kept until a guard says no, then `f`
/// itself, and compiles the tape.
///
/// ```
/// use wengert::{Tensor, tape};
/// let f = tape::adaptive(|x: Tensor| if x.sum().less(0.0).item::<bool>() { -x } else { &x * &x });
/// assert_eq!(f(Tensor::from([3.0f64])).to_vec::<f64>(), [9.0]);
/// assert_eq!(f(Tensor::from([-3.0f64])).to_vec::<f64>(), [3.0]);
/// assert_eq!(f(Tensor::from([4.0f64])).to_vec::<f64>(), [16.0]); // compiled
/// ```
///
/// A function that reads numbers (`.item::<f64>()`) and decides by them has as many ways as there are numbers: compare tensors
/// instead. A way on which something is printed, asked of the host or checked, or on which there is a loop that may not end (`while_loop`),
/// is not kept: `f` is recorded anew each time. Inside other transforms it is `f`.
#[track_caller]
pub fn adaptive<A: Args, F: Func<A>>(f: F) -> Transformed<A, F::Out> {
    let what = What { name: "adaptive", at: Location::caller() };
    // Latest used first.
    let known: Mutex<Ways<A, F::Out>> = Mutex::default();
    Transformed::new(move |args: A| {
        if is_tracing() {
            return f.call_with(args);
        }
        let lock = || known.lock().unwrap_or_else(|e| e.into_inner());
        let ways = lock().clone();
        for way in ways.iter().filter(|way| way.tape.fits(&args)) {
            match way.compiled.try_call(args.clone()) {
                Ok(out) => {
                    let mut ways = lock();
                    if let Some(at) = ways.iter().position(|w| Arc::ptr_eq(w, way)) {
                        ways[..=at].rotate_right(1);
                    }
                    return out;
                }
                Err(e) if e.is_guard() => {}
                Err(e) => fail(e.within(what)),
            }
        }
        let (out, tape) = Tape::record_as(what, &|args| f.call_with(args), args);
        if !tape.only_computes() {
            return out;
        }
        let tape = tape.without_values();
        let way = Way { compiled: tape.jit(), tape };
        let mut ways = lock();
        ways.insert(0, Arc::new(way));
        ways.truncate(MOST);
        out
    })
}

/// The ways that are known.
type Ways<A, R> = Vec<Arc<Way<A, R>>>;

/// A way that was taken.
struct Way<A: Args, R: Tree> {
    tape: Tape<A, R>,
    compiled: Jit<A, R>,
}
