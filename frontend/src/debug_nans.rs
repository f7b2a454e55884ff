//! [`debug_nans`], [`debug_infs`]: which operation made the first number that is none.

use crate::call::{Args, Func};
use crate::context::{What, is_tracing};
use crate::error::{Error, fail};
use crate::jit::jit_as;
use crate::program::Traced;
use crate::tensor::Tensor;
use crate::transform::Transformed;
use crate::tree::Tree;
use std::fmt::Write;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::array::Array;
use wengert_ir::func::{Inst, Loc};
use wengert_ir::interp::{Limits, run_watched};
use wengert_ir::ops::convert;
use wengert_ir::replay::{Log, recording, replaying};
use wengert_ir::types::{DType, TensorType};

type Shared<A, R> = Arc<dyn Fn(A) -> R + Send + Sync>;

/// `f`, compiled, which fails where it would give a NaN: the message names the operation that made the first one, its operands,
/// and the user's line. Put it outside of everything: `debug_nans(grad(loss))` finds what reverse mode makes, too, at the line
/// of the operation whose derivative it is.
///
/// The compiled program says besides its results whether there is a NaN in them, as it makes them: as long as there is none a call
/// costs little more than with `jit`. If there is one, the program is run again in the reference interpreter, slowly, to find
/// where it comes from.
///
/// ```
/// use wengert::{Tensor, debug_nans, grad};
/// // The derivative of the root at 0 is infinite, and infinity times 0 is NaN.
/// let f = debug_nans(grad(|x: Tensor| (x * 0.0).sqrt()));
/// let said = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(Tensor::from(1.0f64)))).unwrap_err();
/// let said = said.downcast_ref::<String>().unwrap();
/// assert!(said.contains("stablehlo.multiply made a NaN: of inf and 0"), "{said}");
/// ```
///
/// Inside other transforms it is `f`. A NaN on the way that a `select` leaves out does no harm and is not looked for, but where
/// there is another one it may be named first.
#[track_caller]
pub fn debug_nans<A: Args, F: Func<A>>(f: F) -> Transformed<A, F::Out> {
    let what = What { name: "debug_nans", at: Location::caller() };
    watched(what, Bad { name: "a NaN", is: f64::is_nan, of: Tensor::is_nan }, f)
}

/// As [`debug_nans`], for results that are infinite or NaN: it names the first operation that made either.
///
/// ```
/// use wengert::{Tensor, debug_infs};
/// let f = debug_infs(|x: Tensor| x.log() * 2.0);
/// let said = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(Tensor::from([1.0f64, 0.0])))).unwrap_err();
/// let said = said.downcast_ref::<String>().unwrap();
/// assert!(said.contains("stablehlo.log made an infinity or NaN, element [1]: of 0"), "{said}");
/// ```
#[track_caller]
pub fn debug_infs<A: Args, F: Func<A>>(f: F) -> Transformed<A, F::Out> {
    let what = What { name: "debug_infs", at: Location::caller() };
    let not_finite = |x: &Tensor| x.is_finite().logical_not();
    watched(what, Bad { name: "an infinity or NaN", is: |x| !x.is_finite(), of: not_finite }, f)
}

/// What is looked for.
#[derive(Clone, Copy)]
struct Bad {
    name: &'static str,
    is: fn(f64) -> bool,
    /// Which elements of a float tensor are.
    of: fn(&Tensor) -> Tensor,
}

#[track_caller]
fn watched<A: Args, F: Func<A>>(what: What, bad: Bad, f: F) -> Transformed<A, F::Out> {
    let f: Shared<A, F::Out> = Arc::new(move |a| f.call_with(a));
    let function = |f: Shared<A, F::Out>| Transformed::new(move |a: A| f(a));
    let told = {
        let f = f.clone();
        jit_as(
            what,
            Transformed::new(move |a: A| {
                let out = f(a);
                let found = bad.any(&out);
                (out, found)
            }),
        )
    };
    let f = jit_as(what, function(f));
    Transformed::new(move |args: A| {
        if is_tracing() {
            return f.call_with(args);
        }
        // What is heard is heard once.
        let mut heard = Log::default();
        let (out, found) = recording(&mut heard, || told.call_with(args.clone()));
        if found.item::<bool>() {
            let again =
                |(program, args): (Traced, Vec<Tensor>)| replaying(&heard, || bad.maker(&program, &args));
            let found = f.program(&args).and_then(again);
            fail(found.unwrap_or_else(|e| e).within(what))
        }
        out
    })
}

impl Bad {
    /// Whether there is one in a tree.
    fn any<T: Tree>(self, tree: &T) -> Tensor {
        let mut all = Tensor::from(false);
        tree.visit(&mut |t| {
            let dtype = t.dtype();
            let parts = match (dtype.is_complex(), dtype.is_float()) {
                (true, _) => vec![t.real(), t.imag()],
                (false, true) => vec![t.clone()],
                (false, false) => Vec::new(),
            };
            parts.iter().for_each(|x| all = all.logical_or((self.of)(x).any()));
        });
        all
    }

    /// The first element that is one; of a complex number either part.
    fn first(self, array: &Array) -> Option<usize> {
        let of = |numbers: &[f64]| numbers.iter().position(|&x| (self.is)(x));
        if array.dtype() == DType::F64 {
            return of(array.as_slice());
        }
        if array.dtype() == DType::F32 {
            return array.as_slice::<f32>().iter().position(|&x| (self.is)(x.into()));
        }
        numbers(array).and_then(|(all, parts)| of(&all).map(|k| k / parts))
    }

    /// Which operation made the first one, in words.
    fn maker(self, program: &Traced, args: &[Tensor]) -> Result<Error, Error> {
        let (module, func) = program.module();
        let arrays: Vec<Array> = args.iter().map(Tensor::to_array).collect();
        if let Some(k) = arrays.iter().position(|a| self.first(a).is_some()) {
            let message = format!("the result has {}, and so has argument {k}", self.name);
            return Ok(Error::new(message, None));
        }
        let mut message = None;
        let mut watch = |inst: &Inst, operands: &[Array], results: &mut [Array]| {
            if message.is_none() && operands.iter().all(|x| self.first(x).is_none()) {
                let made = results.iter().find_map(|r| self.first(r).map(|k| (r.ty(), k)));
                message = made.map(|(ty, k)| self.describe(inst, operands, ty, k));
            }
        };
        let ran = run_watched(module, func, &arrays, &Limits::default(), &mut watch);
        match (message, ran) {
            (Some(found), _) => Ok(found),
            (None, Err(e)) => Err(Error::new(e.to_string(), None)),
            (None, Ok(_)) => {
                let why = "the reference interpreter, which rounds each operation by itself, does not";
                Ok(Error::new(format!("the compiled program made {}, and {why}", self.name), None))
            }
        }
    }

    fn describe(self, inst: &Inst, operands: &[Array], ty: &TensorType, k: usize) -> Error {
        let mut out = format!("{} made {}", inst.op.name(), self.name);
        if ty.rank() > 0 {
            let _ = write!(out, ", element {:?}", place(ty, k));
        }
        // Of operands that have such an element, or are one number for all.
        let values: Vec<String> = operands
            .iter()
            .filter_map(|x| {
                let n = x.ty().elements();
                let k = if n == ty.elements() { k } else { 0 };
                let (all, parts) = numbers(x)?;
                let shown = &all[k * parts..(k + 1) * parts];
                let list = shown.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
                (n == ty.elements() || n == 1).then(|| if parts == 1 { list } else { format!("({list})") })
            })
            .collect();
        if !values.is_empty() {
            let _ = write!(out, ": of {}", values.join(" and "));
        }
        for (k, x) in operands.iter().enumerate() {
            let _ = write!(out, "{}{}", if k > 0 { ", " } else { "; operands: " }, x.ty());
        }
        if let Loc::Rust(line) = inst.loc {
            return Error::new(out, Some(line));
        }
        if inst.loc != Loc::Unknown {
            let _ = write!(out, "; at {}", inst.loc.place());
        }
        Error::new(out, None)
    }
}

/// The indices of element `k`.
fn place(ty: &TensorType, mut k: usize) -> Vec<usize> {
    let mut out = vec![0; ty.rank()];
    for (at, &n) in out.iter_mut().zip(&ty.shape).rev() {
        *at = k % n;
        k /= n;
    }
    out
}

/// Floats, or the parts of complex numbers, and how many there are of each element; `None` of what is neither.
fn numbers(array: &Array) -> Option<(Vec<f64>, usize)> {
    let n = array.ty().elements();
    let pairs = |of: DType| (Array::from_bytes(TensorType::new(of, &[2 * n]), array.bytes()), 2);
    let (parts, count) = if array.dtype() == DType::C64 {
        pairs(DType::F32)
    } else if array.dtype() == DType::C128 {
        pairs(DType::F64)
    } else if array.dtype().is_float() {
        (array.clone(), 1)
    } else {
        return None;
    };
    let wide = convert(&parts, DType::F64).ok()?;
    Some((wide.as_slice::<f64>().to_vec(), count))
}
