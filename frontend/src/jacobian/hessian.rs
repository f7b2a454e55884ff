//! [`hessian`]: the Jacobian of a Jacobian by the same arguments, forward mode over reverse.

use super::{Mode, Of, Options};
use crate::call::{Arg, Args, Func, Wrt};
use crate::context::What;
use crate::transform::Transformed;
use crate::tree::Tree;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;

/// The second derivatives of a function, made by [`hessian`]. Call it like the function it came from; pass it on to other
/// transforms.
pub struct Hessian<A: Args, R: Tree> {
    of: Of<A, R>,
    default: Transformed<A, Twice<R, A::First>>,
}

/// A tree like `W` for each leaf of a result, and in it one for each leaf again.
type Twice<R, W> = <<R as Tree>::Over<W> as Tree>::Over<W>;

impl<A: Args, R: Tree> Clone for Hessian<A, R> {
    fn clone(&self) -> Self {
        Self { of: self.of.clone(), default: self.default.clone() }
    }
}

/// The second derivatives of `f` with respect to its first argument: of a tensor, the dimensions of the result, then twice
/// those of the argument; of trees, the structure of the result, with a tree like the argument for each leaf, and in it one
/// for each leaf again.
///
/// ```
/// use wengert::{ARG0, ARG1, Tensor, hessian};
/// let f = |x: Tensor| x.powi(3).sum();
/// assert_eq!(hessian(f)(Tensor::from([1.0f64, 2.0])).to_vec::<f64>(), [6.0, 0.0, 0.0, 12.0]);
///
/// let ((xx, xy), (yx, yy)) = hessian(|(x, y): (Tensor, Tensor)| &x * &x * &y)((Tensor::from(3.0f64), Tensor::from(5.0f64)));
/// let all = [xx, xy, yx, yy].map(|t| t.item::<f64>());
/// assert_eq!(all, [10.0, 6.0, 6.0, 0.0]);
///
/// // By other arguments: all blocks of those that are chosen.
/// let f = |x: Tensor, y: Tensor| &x * &y * &y;
/// let at = || (Tensor::from(3.0f64), Tensor::from(5.0f64));
/// assert_eq!(hessian(f).wrt(ARG1)(at().0, at().1).item::<f64>(), 6.0);
/// let ((_, xy), (_, yy)) = hessian(f).wrt((ARG0, ARG1))(at().0, at().1);
/// assert_eq!((xy.item::<f64>(), yy.item::<f64>()), (10.0, 6.0));
/// ```
///
/// The function fails if a leaf of the result is not a float, or a leaf of the argument.
#[track_caller]
pub fn hessian<A: Args, F: Func<A>>(f: F) -> Hessian<A, F::Out>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    let what = What { name: "hessian", at: Location::caller() };
    let options = Options { mode: Mode::Forward, holomorphic: false, chunk: None };
    Hessian::of(Of { f: Arc::new(move |a| f.call_with(a)), what, options })
}

impl<A: Args, R: Tree> Hessian<A, R>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    fn of(of: Of<A, R>) -> Self {
        Hessian { default: of.clone().twice(Arg::<0>), of }
    }

    /// The second derivatives of a complex function of complex numbers, which must be holomorphic: they are complex numbers.
    ///
    /// ```
    /// use wengert::{Tensor, hessian};
    /// let z = Tensor::complex(&Tensor::from(1.0f64), &Tensor::from(2.0f64));
    /// let d2 = hessian(|z: Tensor| &z * &z * &z).holomorphic()(z);
    /// assert_eq!((d2.real().item::<f64>(), d2.imag().item::<f64>()), (6.0, 12.0));
    /// ```
    ///
    /// The function fails if a leaf of the result is not complex, or a leaf of the argument.
    pub fn holomorphic(self) -> Self {
        Self::of(self.of.holomorphic())
    }

    /// Takes so many vectors of a basis at once, of each of the two derivatives; see
    /// [`Jacobian::chunk_size`](super::Jacobian::chunk_size). The result is the same.
    ///
    /// Panics if `vectors` is 0.
    pub fn chunk_size(self, vectors: usize) -> Self {
        Self::of(self.of.chunk_size(vectors))
    }
}

impl<A: Args, R: Tree> Hessian<A, R> {
    /// Differentiates, twice, with respect to other arguments: `.wrt(ARG1)`, `.wrt((ARG0, ARG2))`. The result has all their
    /// blocks: `h.0.1` is by the first that is chosen, then by the second.
    pub fn wrt<W: Wrt<A>>(self, wrt: W) -> Transformed<A, Twice<R, W::Out>> {
        self.of.twice(wrt)
    }
}

impl<A: Args, R: Tree> Deref for Hessian<A, R> {
    type Target = A::Callable<Twice<R, A::First>>;
    fn deref(&self) -> &Self::Target {
        &self.default
    }
}

impl<A: Args, R: Tree> Func<A> for Hessian<A, R> {
    type Out = Twice<R, A::First>;
    fn call_with(&self, args: A) -> Self::Out {
        self.default.call_with(args)
    }
}

impl<A: Args, R: Tree> Of<A, R> {
    /// The Jacobian of the Jacobian, both with all options.
    fn twice<W: Wrt<A>>(self, wrt: W) -> Transformed<A, Twice<R, W::Out>> {
        let (what, options) = (self.what, self.options);
        let inner = Of { options: Options { mode: Mode::Reverse, ..options }, ..self };
        let f = Arc::new(move |args: A| inner.run(&args, wrt));
        Of { f, what, options: Options { mode: Mode::Forward, ..options } }.by(wrt)
    }
}
