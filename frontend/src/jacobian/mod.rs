//! Whole Jacobians: [`jacfwd`], [`jacrev`], [`hessian`]; those that are mostly zeros in [`sparse`].
//!
//! The function is linearized once; its linear part, or the transposed one, is mapped ([`crate::vmap`]) over the vectors of a
//! basis: of each leaf that is differentiated by, or of each leaf of the result. So an operation of a derivative is one
//! operation on a batch, as long as memory allows ([`Jacobian::chunk_size`]).

mod csr;
mod hessian;
mod linear;
mod pattern;
mod places;
mod sparse;

pub use csr::Csr;
pub use hessian::{Hessian, hessian};
pub use pattern::{Coloring, SparsePattern};
pub use sparse::{SparseJacobian, sparse_hessian, sparse_jacobian};

use crate::call::{Arg, Args, Func, Wrt};
use crate::context::What;
use crate::error::{Error, fail};
use crate::ops::control::framed;
use crate::refusals::{refuse_integers, refuse_real};
use crate::transform::{Graph, Transformed, record};
use crate::tree::Tree;
use linear::Linear;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Forward,
    Reverse,
}

#[derive(Clone, Copy)]
struct Options {
    mode: Mode,
    holomorphic: bool,
    chunk: Option<usize>,
}

/// The Jacobian of a function, made by [`jacfwd`] or [`jacrev`]. Call it like the function it came from; pass it
/// on to other transforms.
pub struct Jacobian<A: Args, R: Tree> {
    of: Of<A, R>,
    default: Transformed<A, R::Over<A::First>>,
}

struct Of<A: Args, R: Tree> {
    f: Arc<dyn Fn(A) -> R + Send + Sync>,
    what: What,
    options: Options,
}

impl<A: Args, R: Tree> Clone for Of<A, R> {
    fn clone(&self) -> Self {
        Self { f: self.f.clone(), what: self.what, options: self.options }
    }
}

impl<A: Args, R: Tree> Clone for Jacobian<A, R> {
    fn clone(&self) -> Self {
        Self { of: self.of.clone(), default: self.default.clone() }
    }
}

/// The Jacobian of `f` with respect to its first argument by forward mode, best where the argument is small.
///
/// It has the structure of the result with a tree like the argument in place of each leaf ([`Tree::Over`]); the leaves of those
/// have the dimensions of the leaf of the result and then those of the leaf of the argument.
///
/// ```
/// use wengert::{ARG1, Tensor, jacfwd};
/// let f = |x: Tensor| x.square() * x.sum();
/// let j = jacfwd(f)(Tensor::from([1.0f64, 2.0]));
/// assert_eq!((j.shape(), j.to_vec::<f64>()), (&[2usize, 2][..], vec![7.0, 1.0, 4.0, 16.0]));
///
/// let polar = |r: Tensor, phi: Tensor| (&r * phi.cos(), &r * phi.sin());
/// let (dx, dy) = jacfwd(polar).wrt(ARG1)(Tensor::from(2.0f64), Tensor::from(0.0f64));
/// assert_eq!((dx.item::<f64>(), dy.item::<f64>()), (0.0, 2.0));
/// ```
///
/// Without `jit` Rust's control flow sees values, as under [`grad`](crate::grad): `f` runs operation by operation as it is recorded, and
/// then once more, as a whole, to be differentiated.
///
/// The function fails if a leaf of the argument that is differentiated by is not a float, or a leaf of the result that is neither a float
/// nor complex.
#[track_caller]
pub fn jacfwd<A: Args, F: Func<A>>(f: F) -> Jacobian<A, F::Out>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    Jacobian::of(f, What { name: "jacfwd", at: Location::caller() }, Mode::Forward)
}

/// The Jacobian of `f` with respect to its first argument by reverse mode, best where the result is small; see [`jacfwd`].
///
/// The function fails if a leaf of the result is not a float, or a leaf of the argument that is differentiated by is neither a float nor
/// complex.
#[track_caller]
pub fn jacrev<A: Args, F: Func<A>>(f: F) -> Jacobian<A, F::Out>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    Jacobian::of(f, What { name: "jacrev", at: Location::caller() }, Mode::Reverse)
}

impl<A: Args, R: Tree> Jacobian<A, R>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    fn of<F: Func<A, Out = R>>(f: F, what: What, mode: Mode) -> Self {
        let options = Options { mode, holomorphic: false, chunk: None };
        Of { f: Arc::new(move |a| f.call_with(a)), what, options }.by_default()
    }

    /// The Jacobian of a complex function of complex numbers, which must be holomorphic: its entries are complex numbers.
    ///
    /// The function fails if a leaf of the result is not complex, or a leaf of the argument.
    pub fn holomorphic(self) -> Self {
        self.of.holomorphic().by_default()
    }

    /// Takes so many vectors of a basis at once, chunk after chunk: fewer need less memory. Where nothing is said, it is as
    /// many as keep the largest value of a batch within 256 MB. The result is the same. A function that does more than compute and has
    /// loops of unknown trips is run once, so all are taken at once whatever is said.
    ///
    /// Panics if `vectors` is 0.
    pub fn chunk_size(self, vectors: usize) -> Self {
        self.of.chunk_size(vectors).by_default()
    }
}

impl<A: Args, R: Tree> Jacobian<A, R> {
    /// Differentiates with respect to other arguments: `.wrt(ARG1)`, `.wrt((ARG0, ARG2))`.
    pub fn wrt<W: Wrt<A>>(self, wrt: W) -> Transformed<A, R::Over<W::Out>> {
        self.of.by(wrt)
    }
}

impl<A: Args, R: Tree> Deref for Jacobian<A, R> {
    type Target = A::Callable<R::Over<A::First>>;
    fn deref(&self) -> &Self::Target {
        &self.default
    }
}

impl<A: Args, R: Tree> Func<A> for Jacobian<A, R> {
    type Out = R::Over<A::First>;
    fn call_with(&self, args: A) -> Self::Out {
        self.default.call_with(args)
    }
}

/// So many vectors at a time. Panics if there are none.
fn at_least_one(vectors: usize) -> usize {
    assert!(vectors > 0, "chunk_size(0): at least one vector is taken at a time");
    vectors
}

impl<A: Args, R: Tree> Of<A, R> {
    fn holomorphic(mut self) -> Self {
        self.options.holomorphic = true;
        self
    }

    fn chunk_size(mut self, vectors: usize) -> Self {
        self.options.chunk = Some(at_least_one(vectors));
        self
    }

    fn by_default(self) -> Jacobian<A, R>
    where
        Arg<0>: Wrt<A, Out = A::First>,
    {
        Jacobian { default: self.clone().by(Arg::<0>), of: self }
    }

    fn by<W: Wrt<A>>(self, wrt: W) -> Transformed<A, R::Over<W::Out>> {
        Transformed::new(move |args: A| self.run(&args, wrt))
    }

    fn run<W: Wrt<A>>(&self, args: &A, wrt: W) -> R::Over<W::Out> {
        let (what, chosen) = (self.what, wrt.numbers());
        refuse_integers(what, args, &chosen);
        framed(what, || {
            let graph = record(what, args, &*self.f, true);
            let mask = graph.leaf_mask(|arg| chosen.contains(&arg), args);
            let leaves = &mask[graph.recorded.captures.len()..];
            self.check(&graph, args, leaves);
            let linear = Linear::new(what, &graph, &mask, args, self.options);
            let mut blocks = linear.blocks().into_iter();
            // A tree like the arguments for each leaf of the result.
            graph.skeleton.over(&mut |_| {
                let mut row = blocks.next().expect("a row of blocks per leaf of the result").into_iter();
                let mut leaves = leaves.iter();
                wrt.pick(&args.map(&mut |leaf| match leaves.next().expect("a flag per leaf") {
                    true => row.next().expect("a block per leaf"),
                    false => leaf.clone(),
                }))
            })
        })
    }

    /// Fails if a leaf of the result or one that is differentiated by is of a type that this derivative is not of. What basis vectors
    /// are of is real, of the argument in forward mode and of the result in reverse mode; the other side may be complex, as in JAX.
    fn check(&self, graph: &Graph<R>, args: &A, chosen: &[bool]) {
        let refuse =
            |message: String| -> ! { fail(Error::new(message, Some(self.what.at)).within(self.what)) };
        let mut names = Vec::new();
        graph.skeleton.names("the result", &mut names);
        let (kind, other) = match (self.options.holomorphic, self.options.mode) {
            (true, _) => ("complex", ""),
            (false, Mode::Forward) => ("float or complex", ""),
            (false, Mode::Reverse) => {
                ("float", " (`jacfwd` takes complex results, `.holomorphic()` complex functions)")
            }
        };
        for (ty, name) in graph.results.iter().zip(names) {
            let fits = match (self.options.holomorphic, self.options.mode) {
                (true, _) => ty.dtype.is_complex(),
                (false, Mode::Forward) => ty.dtype.is_differentiable(),
                (false, Mode::Reverse) => ty.dtype.is_float(),
            };
            if !fits {
                refuse(format!(
                    "{name} of a differentiated function must be a {kind} tensor, here it is {ty}{other}"
                ))
            }
        }
        if self.options.holomorphic {
            return refuse_real(self.what, args, chosen);
        }
        if self.options.mode == Mode::Reverse {
            return;
        }
        let mut leaves = chosen.iter().zip(args.leaf_names());
        args.visit(&mut |t| {
            if let Some((true, name)) = leaves.next()
                && t.dtype().is_complex()
            {
                refuse(format!(
                    "`{name}` is {}: a Jacobian by complex numbers is that of a holomorphic function \
                     (`.holomorphic()`), one of real results (`jacrev`), or is taken by their real and imaginary parts",
                    t.ty()
                ))
            }
        });
    }
}
