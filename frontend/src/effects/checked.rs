//! [`checked`]: what a function says must hold, as a value.

use crate::Tensor;
use crate::call::{Args, Func};
use crate::context::What;
use crate::error::{Error, fail};
use crate::trace::concrete;
use crate::transform::{Transformed, record};
use crate::tree::{Leaves, Tree};
use std::fmt::Write;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::array::Array;
use wengert_ir::func::Loc;
use wengert_ir::types::TensorType;
use wengert_passes::effects::{self, Automatic, Site};

/// A function that gives, beside the result of `f`, whether all that `f` [checks](super::check) holds, as a value: nothing fails.
/// As `jax.experimental.checkify`; the methods of what this gives ask for checks that nobody wrote.
///
/// The first check that fails, in the order of the program, is the one that is told of, whatever it is in: a branch, a trip of a
/// loop, an example of a batch. `f` goes on with whatever it computes. The function is pure, and as such is compiled, mapped and differentiated.
///
/// ```
/// use wengert::{Tensor, check, checked, grad, jit, vmap};
/// let f = |x: Tensor| {
///     check!(x.greater(0.0), "the logarithm of {}", x);
///     x.log()
/// };
/// let (failure, y) = jit(checked(f))(Tensor::from(-1.0f64));
/// assert_eq!(failure.get().unwrap_err().message(), "the logarithm of -1.0");
/// assert!(y.item::<f64>().is_nan());
/// let (failure, _) = vmap(checked(f))(Tensor::from([1.0f64, 2.0]));
/// assert!(failure.get().is_ok());
/// assert_eq!(grad(move |x: Tensor| checked(f)(x).1)(Tensor::from(2.0f64)).item::<f64>(), 0.5);
///
/// let (failure, _) = jit(checked(|x: Tensor| (x - 2.0).log()).everything())(Tensor::from([2.5f64, 1.0]));
/// let error = failure.get().unwrap_err();
/// assert_eq!(error.message(), "stablehlo.log made a NaN of -1.0 (element [1])");
/// assert_eq!(error.location().unwrap().file(), file!());
/// ```
///
/// In a function with a derivative of its own those checks count that are run: its own, or, where it is differentiated, those of
/// its rule.
///
/// Fails if there is a check in the backward function of a [`custom_vjp`](crate::custom_vjp()), or in a
/// function that finds a root or solves a linear system.
#[track_caller]
pub fn checked<A: Args, F: Func<A>>(f: F) -> Checked<A, F::Out> {
    Checked::of(Arc::new(move |args| f.call_with(args)), Automatic::default(), Location::caller())
}

/// What [`checked`] gives: a function, and which checks that nobody wrote it makes besides.
///
/// They are made of what the function runs, in loops and branches too, but not in the derivatives that functions bring of their
/// own, nor in functions that find a root or solve a linear system: what comes of those is checked. Put `checked` outside of
/// [`grad`](crate::grad()) to have what reverse mode computes checked too.
pub struct Checked<A: Args, R: Tree> {
    f: Shared<A, R>,
    more: Automatic,
    at: &'static Location<'static>,
    call: Transformed<A, (Failure, R)>,
}

type Shared<A, R> = Arc<dyn Fn(A) -> R + Send + Sync>;

impl<A: Args, R: Tree> Checked<A, R> {
    fn of(f: Shared<A, R>, more: Automatic, at: &'static Location<'static>) -> Self {
        let what = What { name: "checked", at };
        let run = f.clone();
        let call = Transformed::new(move |args: A| {
            let graph = record(what, &args, &|args| run(args), false);
            let (mut values, sites) = graph.run_as(what, &args, |m, func| {
                let checked = effects::checked(m, func, more)?;
                Ok((checked.func, checked.sites))
            });
            let results = values.split_off(values.len() - graph.results.len());
            let mut values = values.into_iter();
            let mut next = || values.next().expect("the state");
            let (code, element) = (next(), next());
            let failure = Failure { code, element, values: values.collect(), sites: sites.into() };
            (failure, graph.tree(&results))
        });
        Checked { f, more, at, call }
    }

    fn with(self, more: Automatic) -> Self {
        Self::of(self.f, more, self.at)
    }

    /// Checks that no operation makes a NaN of operands without one. What moves elements, compares or chooses is not asked, so a
    /// NaN that was there before does no harm.
    pub fn nans(self) -> Self {
        let more = Automatic { nans: true, ..self.more };
        self.with(more)
    }

    /// Checks that no divisor is zero, of divisions and remainders, of integers too.
    ///
    /// ```
    /// use wengert::{Tensor, checked};
    /// let (failure, _) = checked(|x: Tensor, y: Tensor| x / y).division()(Tensor::from(7.0f64), Tensor::from(0.0f64));
    /// assert_eq!(failure.get().unwrap_err().message(), "stablehlo.divide of 7.0 by zero");
    /// ```
    pub fn division(self) -> Self {
        let more = Automatic { division: true, ..self.more };
        self.with(more)
    }

    /// Checks that what is read or written at computed places is there: [`take`](Tensor::take), dynamic slices, updates at
    /// indices. An index that a mode clips is inside; one that is filled or dropped is not.
    ///
    /// ```
    /// use wengert::{Tensor, checked};
    /// let f = checked(|x: Tensor, i: Tensor| x.take(&i, 0)).indices();
    /// let (failure, _) = f(Tensor::from([1.0f32, 2.0]), Tensor::from([0i32, -1, 5]));
    /// let message = "stablehlo.gather: index 5 is out of bounds for dimension 0 of tensor<2xf32> (element [2])";
    /// assert_eq!(failure.get().unwrap_err().message(), message);
    /// ```
    pub fn indices(self) -> Self {
        let more = Automatic { indices: true, ..self.more };
        self.with(more)
    }

    /// All of [`Self::nans`], [`Self::division`] and [`Self::indices`].
    pub fn everything(self) -> Self {
        self.with(Automatic { nans: true, division: true, indices: true })
    }
}

impl<A: Args, R: Tree> Clone for Checked<A, R> {
    fn clone(&self) -> Self {
        Self { f: self.f.clone(), more: self.more, at: self.at, call: self.call.clone() }
    }
}

impl<A: Args, R: Tree> Deref for Checked<A, R> {
    type Target = A::Callable<(Failure, R)>;
    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl<A: Args, R: Tree> Func<A> for Checked<A, R> {
    type Out = (Failure, R);
    fn call_with(&self, args: A) -> Self::Out {
        self.call.call_with(args)
    }
}

/// What came of the checks of a function: made by [`checked`]. Of a batch it is one for each example.
#[derive(Clone)]
pub struct Failure {
    /// The number of the check, from 1; 0 if all hold.
    code: Tensor,
    /// The first element of its predicate that is false.
    element: Tensor,
    /// What every check speaks of.
    values: Vec<Tensor>,
    sites: Arc<[Site]>,
}

impl Failure {
    /// Whether a check has failed, a boolean, for each example of a batch; also inside of traced functions.
    pub fn failed(&self) -> Tensor {
        self.code.not_equal(0)
    }

    /// An error if a check has failed, that of the first example that one failed for; with the line of the check.
    ///
    /// Fails if the failure is traced and has no value.
    #[track_caller]
    pub fn get(&self) -> Result<(), Error> {
        let at = Location::caller();
        if concrete(&self.code, "get", at).is_err() {
            let message = "`get` needs the value of a failure that has none: return it from the traced function, or ask `failed`";
            fail(Error::new(message, Some(at)))
        }
        let codes = self.code.to_array();
        let codes = codes.as_slice::<i32>();
        let Some(example) = codes.iter().position(|&code| code != 0) else { return Ok(()) };
        let number = codes[example] as usize - 1;
        let site = &self.sites[number];
        let first: usize = self.sites[..number].iter().map(|s| s.values.len()).sum();
        let values = self.values[first..][..site.values.len()].iter().zip(&site.values).map(|(t, ty)| {
            let (bytes, all) = (ty.bytes(), examples_in_front(t, ty).to_array());
            Array::from_bytes(ty.clone(), &all.bytes()[example * bytes..(example + 1) * bytes])
        });
        let element = self.element.to_array().as_slice::<i64>()[example] as usize;
        let values: Vec<Array> = values.collect();
        let mut message = site.assert.describe(&site.pred.shape, element, &values);
        if !self.code.shape().is_empty() {
            let _ = write!(message, " (example {example})");
        }
        let location = match site.loc {
            Loc::Rust(line) => Some(line),
            Loc::Unknown | Loc::Text(_) => None,
        };
        Err(Error::new(message, location))
    }
}

/// What is spoken of with the examples in front, where `out_axes` put them elsewhere; a tensor in which several dimensions can be
/// theirs is taken as it is.
fn examples_in_front(t: &Tensor, ty: &TensorType) -> Tensor {
    let shape = t.shape();
    let is_theirs = |d: &usize| [&shape[..*d], &shape[*d + 1..]].concat() == ty.shape[..];
    let theirs: Vec<usize> = (0..shape.len()).filter(is_theirs).collect();
    let &[d] = &theirs[..] else { return t.clone() };
    if d == 0 || shape.len() != ty.rank() + 1 {
        return t.clone();
    }
    let order: Vec<usize> = [d].into_iter().chain((0..shape.len()).filter(|&k| k != d)).collect();
    t.transpose(&order)
}

impl Tree for Failure {
    type Over<X: Tree> = Leaves<X>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        Leaves::of(self, f)
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        f(&self.code);
        f(&self.element);
        self.values.visit(f);
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        f(&mut self.code);
        f(&mut self.element);
        self.values.visit_mut(f);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        let (code, element) = (f(&self.code), f(&self.element));
        Failure { code, element, values: self.values.map(f), sites: self.sites.clone() }
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        crate::tree::Static(self.sites.clone()).structure(out);
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        out.extend([format!("{prefix}.code"), format!("{prefix}.element")]);
        self.values.names(&format!("{prefix}.values"), out);
    }
}
