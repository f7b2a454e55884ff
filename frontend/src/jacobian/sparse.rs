//! Jacobians and Hessians that are mostly zeros: [`sparse_jacobian`], [`sparse_hessian`].
//!
//! Where a Jacobian can be other than zero follows from the program (`wengert_passes::sparsity`). Columns that never meet in a
//! row have one colour, and one product with a vector gives them all; by reverse mode likewise rows. A Hessian is symmetric, so
//! that fewer colours do. What has fewest colours is taken, and its products are one batch.

use super::Options;
use super::csr::Csr;
use super::linear::Linear;
use super::pattern::{Coloring, SparsePattern};
use crate::call::{Arg, Args, Func, Wrt};
use crate::error::{Error, fail};
use crate::gradient::grad;
use crate::ops::control::framed;
use crate::tensor::Tensor;
use crate::trace::{self, What};
use crate::transform::{Graph, Transformed, record, refuse_integers};
use crate::tree::Tree;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::op::Op;
use wengert_ir::types::DType;
use wengert_passes::sparsity::{self, Pattern};
/// The Jacobian of a function as a matrix that is mostly zeros, made by [`sparse_jacobian`] or [`sparse_hessian`]. Call it like
/// the function it came from; pass it on to other transforms.
pub struct SparseJacobian<A: Args, R: Tree> {
    of: Of<A, R>,
    default: Transformed<A, Csr>,
}

struct Of<A: Args, R: Tree> {
    f: Arc<dyn Fn(A) -> R + Send + Sync>,
    what: What,
    given: Option<Arc<SparsePattern>>,
    way: Option<Coloring>,
    symmetric: Symmetric<A>,
}

impl<A: Args, R: Tree> Clone for SparseJacobian<A, R> {
    fn clone(&self) -> Self {
        Self { of: self.of.clone(), default: self.default.clone() }
    }
}

/// Whether the matrix is that of second derivatives.
enum Symmetric<A> {
    No,
    /// Unless the function with these arguments has rules of the user's: what they make need not be symmetric.
    Unless(Arc<dyn Fn(&A) -> bool + Send + Sync>),
}

impl<A: Args, R: Tree> Clone for Of<A, R> {
    fn clone(&self) -> Self {
        let symmetric = match &self.symmetric {
            Symmetric::No => Symmetric::No,
            Symmetric::Unless(rules) => Symmetric::Unless(rules.clone()),
        };
        Self { f: self.f.clone(), what: self.what, given: self.given.clone(), way: self.way, symmetric }
    }
}

/// The Jacobian of `f` by its first argument as a sparse matrix: a row for each element of the result, leaf after leaf, a column
/// for each element of the argument. Which places can be other than zero is found from the program, for all values of the
/// arguments.
///
/// It takes as many products with vectors as there are colours: three for the three diagonals here, however long `x` is.
///
/// ```
/// use wengert::{Tensor, jit, sparse_jacobian};
/// let laplace = |x: Tensor| x.get(2..) - x.get(1..).get(..-1) * 2.0 + x.get(..-2).square();
/// let j = jit(sparse_jacobian(laplace))(Tensor::from([1.0f64, 2.0, 3.0, 4.0]));
/// assert_eq!((j.shape(), j.starts(), j.indices()), ((2, 4), &[0, 3, 6][..], &[0, 1, 2, 1, 2, 3][..]));
/// assert_eq!(j.values().to_vec::<f64>(), [2.0, -2.0, 1.0, 4.0, -2.0, 1.0]);
/// ```
///
/// The places are found when the function is traced: under `jit` once, without it on every call, unless they are given
/// ([`SparseJacobian::with_pattern`]).
///
/// The function fails if a leaf of the result or of the argument is not a float, if leaves are of several types, or if the
/// Jacobian is large and not sparse.
#[track_caller]
pub fn sparse_jacobian<A: Args, F: Func<A>>(f: F) -> SparseJacobian<A, F::Out>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    let what = What { name: "sparse_jacobian", at: Location::caller() };
    let f = Arc::new(move |a| f.call_with(a));
    Of { f, what, given: None, way: None, symmetric: Symmetric::No }.by_default()
}

/// The second derivatives of `f`, whose result is one number, by its first argument, as a sparse matrix: the sparse Jacobian of
/// its gradient, which is symmetric, so that fewer products do ([`Coloring::Star`]); where `f` has rules of the user's it is taken
/// for one that is not.
///
/// ```
/// use wengert::{Tensor, sparse_hessian};
/// let rosenbrock = |x: Tensor| ((x.get(1..) - x.get(..-1).square()).square() * 100.0 + (1.0 - x.get(..-1)).square()).sum();
/// let h = sparse_hessian(rosenbrock)(Tensor::from([1.0f64, 1.0, 1.0]));
/// assert_eq!(h.values().to_vec::<f64>(), [802.0, -400.0, -400.0, 1002.0, -400.0, -400.0, 200.0]);
/// ```
#[track_caller]
pub fn sparse_hessian<A: Args, F: Func<A, Out = Tensor>>(f: F) -> SparseJacobian<A, A::First>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    let what = What { name: "sparse_hessian", at: Location::caller() };
    let f = Arc::new(f);
    let function = f.clone();
    let rules = Arc::new(move |args: &A| {
        let graph = record(what, args, &|a| function.call_with(a), false);
        graph.recorded.reaches(&|op| matches!(op, Op::CustomJvp(_) | Op::CustomVjp(_)))
    });
    let gradient = grad(Transformed::new(move |a: A| f.call_with(a)));
    let f = Arc::new(move |a| gradient.call_with(a));
    Of { f, what, given: None, way: None, symmetric: Symmetric::Unless(rules) }.by_default()
}

impl<A: Args, R: Tree> SparseJacobian<A, R>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    /// Where the Jacobian at arguments of these types can be other than zero, and its colours.
    ///
    /// ```
    /// use wengert::{Tensor, sparse_jacobian};
    /// let j = sparse_jacobian(|x: Tensor| x.get(1..) * x.get(..-1));
    /// let pattern = j.pattern(&(Tensor::from([1.0f64, 2.0, 3.0]),));
    /// assert_eq!(pattern.to_string(), "2 x 3 with 4 places, 2 colours by forward mode\n##.\n.##\n");
    /// ```
    ///
    /// Fails where the function itself would.
    pub fn pattern(&self, args: &A) -> Arc<SparsePattern> {
        let what = self.of.what;
        let mut found = None;
        framed(what, || found = Some(self.of.traced(args).1));
        found.expect("it was found")
    }

    /// How few products give the places. What has fewest colours is taken if nothing is said: columns or rows, or of a Hessian
    /// columns or a star.
    ///
    /// ```
    /// use wengert::{Coloring, DType, Tensor, sparse_hessian};
    /// // All are coupled to the first: its row has no zeros, but its column has them all.
    /// let f = |x: Tensor| (x.get(1..).square() * x.get(..1)).sum();
    /// let x = (Tensor::linspace(1.0, 2.0, 50, DType::F64),);
    /// assert_eq!(sparse_hessian(f).pattern(&x).colors(), 2);
    /// assert_eq!(sparse_hessian(f).coloring(Coloring::Columns).pattern(&x).colors(), 50);
    /// ```
    ///
    /// The function fails if the matrix is no Hessian and that is what the colouring is for, and if there is none: rows so long
    /// that colours are no gain, or places that an acyclic colouring would compute from each other more than 32 times over.
    pub fn coloring(self, way: Coloring) -> Self {
        Of { way: Some(way), ..self.of }.by_default()
    }

    /// Takes a pattern that was found before, or of another function, without looking again. A place that it lacks is added to
    /// others, so that values are wrong.
    ///
    /// The function fails if its Jacobian has other dimensions.
    pub fn with_pattern(self, pattern: Arc<SparsePattern>) -> Self {
        Of { given: Some(pattern), ..self.of }.by_default()
    }
}

impl<A: Args, R: Tree> Deref for SparseJacobian<A, R> {
    type Target = A::Callable<Csr>;
    fn deref(&self) -> &Self::Target {
        &self.default
    }
}

impl<A: Args, R: Tree> Func<A> for SparseJacobian<A, R> {
    type Out = Csr;
    fn call_with(&self, args: A) -> Csr {
        self.default.call_with(args)
    }
}

impl<A: Args, R: Tree> Of<A, R> {
    fn by_default(self) -> SparseJacobian<A, R> {
        let of = self.clone();
        SparseJacobian { default: Transformed::new(move |args: A| of.run(&args)), of: self }
    }

    fn refuse(&self, message: impl Into<String>) -> ! {
        fail(Error::new(message.into(), Some(self.what.at)).within(self.what))
    }

    /// A pattern with the colours that are asked for, or the fewest.
    fn colored(&self, pattern: Pattern, args: &A) -> SparsePattern {
        let Some(way) = self.way else {
            let symmetric = match &self.symmetric {
                Symmetric::No => false,
                Symmetric::Unless(rules) => pattern == pattern.transposed() && !rules(args),
            };
            return SparsePattern::by_default(pattern, symmetric);
        };
        match (way, &self.symmetric) {
            (Coloring::Star | Coloring::Acyclic, Symmetric::No) => self.refuse(format!(
                "a colouring of kind {way:?} is for symmetric matrices: ask for a `sparse_hessian`"
            )),
            (Coloring::Columns | Coloring::Rows, _) | (_, Symmetric::Unless(_)) => {}
        }
        let message = || format!("there is no colouring of kind {way:?} that would be a gain");
        SparsePattern::in_way(pattern, way).unwrap_or_else(|| self.refuse(message()))
    }

    /// The traced function, its places, and which parameters it is differentiated by.
    fn traced(&self, args: &A) -> (Graph<R>, Arc<SparsePattern>, Vec<bool>) {
        refuse_integers(self.what, args, &[0]);
        let graph = record(self.what, args, &*self.f, false);
        let mask = graph.leaf_mask(|arg| arg == 0, args);
        let arguments = graph.arguments(args, &[]);
        let chosen: Vec<DType> =
            arguments.iter().zip(&mask).filter(|(_, m)| **m).map(|(t, _)| t.dtype()).collect();
        let mut all = chosen.iter().copied().chain(graph.results.iter().map(|t| t.dtype));
        let dtype = all.next().unwrap_or(DType::F64);
        if let Some(other) = all.find(|&d| d != dtype) {
            self.refuse(format!("a sparse Jacobian has one element type: here are {dtype} and {other}"))
        }
        if !dtype.is_float() {
            self.refuse(format!("a sparse Jacobian is one of floats: here are {dtype}"))
        }
        let places = match &self.given {
            Some(given) => given.clone(),
            None => {
                let captures = graph.recorded.captures.iter().map(|t| t.array());
                let known = captures.chain(std::iter::repeat(None)).take(mask.len()).collect::<Vec<_>>();
                let func = graph.recorded.func;
                let results = vec![true; graph.results.len()];
                let found = trace::with_module(|m| sparsity::pattern(m, func, &mask, &results, &known));
                let refuse = |e| fail(Error::from(e).or_at(self.what.at).within(self.what));
                Arc::new(self.colored(found.unwrap_or_else(refuse), args))
            }
        };
        let chosen = arguments.iter().zip(&mask).filter(|(_, m)| **m);
        let columns: usize = chosen.map(|(t, _)| t.len()).sum();
        let rows: usize = graph.results.iter().map(|t| t.elements()).sum();
        if places.shape() != (rows, columns) {
            let (r, c) = places.shape();
            self.refuse(format!(
                "the pattern is that of a matrix of {r} x {c}, the Jacobian is {rows} x {columns}"
            ))
        }
        (graph, places, mask)
    }

    fn run(&self, args: &A) -> Csr {
        framed(self.what, || {
            let (graph, places, mask) = self.traced(args);
            let options = Options { mode: places.mode(), holomorphic: false, chunk: None };
            let linear = Linear::new(self.what, &graph, &mask, args, options);
            let values = places.values(&linear, self.what);
            Csr { places, values }
        })
    }
}
