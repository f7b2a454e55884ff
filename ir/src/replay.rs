//! What a program does besides giving results happens once.
//!
//! What is run more than once to be differentiated (recorded with its values first, and then as a part of its derivative) must
//! be heard once: [`recording`] remembers what ordered operations gave, and [`replaying`] gives it again.

use crate::array::Array;
use crate::types::DType;
use std::cell::RefCell;
use std::collections::VecDeque;

/// What ordered operations were given and gave, in order.
#[derive(Clone, Default, Debug)]
pub struct Log(VecDeque<Heard>);

#[derive(Clone, Debug)]
struct Heard {
    operation: String,
    operands: Vec<Array>,
    results: Vec<Array>,
}

impl Log {
    /// Whether nothing was heard.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Default)]
struct Tape {
    /// What is given again.
    from: Option<Log>,
    /// Whether it is given again for operands that are only near those of then.
    rounds: bool,
    /// What is remembered.
    to: Option<Log>,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// Runs `f`, of which nothing is remembered or given again.
pub(crate) fn apart<R>(f: impl FnOnce() -> R) -> R {
    /// Puts a tape back, also by unwinding.
    struct Ends(Tape);
    impl Drop for Ends {
        fn drop(&mut self) {
            TAPE.set(std::mem::take(&mut self.0));
        }
    }
    let _ends = Ends(TAPE.take());
    f()
}

/// Runs `f`; what ordered operations give on this thread is added to the log.
pub fn recording<R>(log: &mut Log, f: impl FnOnce() -> R) -> R {
    struct Ends<'a> {
        log: &'a mut Log,
        before: Option<Log>,
    }
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            let before = self.before.take();
            TAPE.with_borrow_mut(|t| *self.log = std::mem::replace(&mut t.to, before).unwrap_or_default());
        }
    }
    let before = TAPE.with_borrow_mut(|t| t.to.replace(std::mem::take(log)));
    let _ends = Ends { log, before };
    f()
}

/// Runs `f`; ordered operations on this thread that the log has give what they gave then, and nothing else happens. One that it
/// has not, such as one of the reverse pass, is run.
pub fn replaying<R>(log: &Log, f: impl FnOnce() -> R) -> R {
    replay(log, false, f)
}

/// As [`replaying`], for what rounds otherwise than what was recorded: an operation that the log has with operands near to these,
/// and not with these to the bit, is the first such.
pub fn replaying_rounded<R>(log: &Log, f: impl FnOnce() -> R) -> R {
    replay(log, true, f)
}

fn replay<R>(log: &Log, rounds: bool, f: impl FnOnce() -> R) -> R {
    struct Ends(Option<Log>, bool);
    impl Drop for Ends {
        fn drop(&mut self) {
            TAPE.with_borrow_mut(|t| (t.from, t.rounds) = (self.0.take(), self.1));
        }
    }
    let _ends =
        TAPE.with_borrow_mut(|t| Ends(t.from.replace(log.clone()), std::mem::replace(&mut t.rounds, rounds)));
    f()
}

/// Whether two tensors of a type are the same to the bit.
fn same(a: &Array, b: &Array) -> bool {
    a.ty() == b.ty() && a.bytes() == b.bytes()
}

/// Whether they are the same but for rounding: numbers that differ by no more than the square root of their precision, in
/// proportion to the largest. Of types for which compiled code has no other rounding they are the same.
fn near(a: &Array, b: &Array) -> bool {
    if a.ty() != b.ty() {
        return false;
    }
    let single = |x: &Array| x.bytes().as_chunks().0.iter().map(|&b| f32::from_ne_bytes(b).into()).collect();
    let double = |x: &Array| x.bytes().as_chunks().0.iter().map(|&b| f64::from_ne_bytes(b)).collect();
    let dtype = a.dtype();
    if [DType::F32, DType::C64].contains(&dtype) {
        all_near(single(a), single(b), f32::EPSILON.into())
    } else if [DType::F64, DType::C128].contains(&dtype) {
        all_near(double(a), double(b), f64::EPSILON)
    } else {
        a.bytes() == b.bytes()
    }
}

fn all_near(a: Vec<f64>, b: Vec<f64>, epsilon: f64) -> bool {
    let largest = a.iter().filter(|x| x.is_finite()).fold(0.0f64, |most, x| most.max(x.abs()));
    let most = epsilon.sqrt() * largest;
    a.iter().zip(&b).all(|(a, b)| a == b || (a - b).abs() <= most || a.is_nan() && b.is_nan())
}

/// Whether what ordered operations give is remembered or given again on this thread.
pub(crate) fn is_recorded() -> bool {
    TAPE.with_borrow(|t| t.from.is_some() || t.to.is_some())
}

/// Does what an ordered operation does, unless it is replayed. Operations are told apart by their words.
pub(crate) fn once<E>(
    operation: impl Fn() -> String,
    operands: &[Array],
    run: impl FnOnce() -> Result<Vec<Array>, E>,
) -> Result<Vec<Array>, E> {
    let given = TAPE.with_borrow_mut(|t| {
        let rounds = t.rounds;
        let Log(log) = t.from.as_mut()?;
        let operation = operation();
        // The first that is the same to the bit. Those before it stay: the derivative may not do them at all, as the body of a
        // function with a rule of its own, but if what it does here is of the reverse pass, it has all others before it.
        let find = |log: &VecDeque<Heard>, like: fn(&Array, &Array) -> bool| {
            log.iter().position(|h| {
                h.operation == operation
                    && h.operands.len() == operands.len()
                    && h.operands.iter().zip(operands).all(|(a, b)| like(a, b))
            })
        };
        let at = find(log, same).or_else(|| if rounds { find(log, near) } else { None })?;
        log.remove(at).map(|heard| heard.results)
    });
    let results = match given {
        Some(results) => results,
        None => run()?,
    };
    TAPE.with_borrow_mut(|t| {
        if let Some(log) = &mut t.to {
            let (operation, operands, results) = (operation(), operands.to_vec(), results.clone());
            log.0.push_back(Heard { operation, operands, results });
        }
    });
    Ok(results)
}
