//! Jacobians and Hessians that are mostly zeros: [`sparse_jacobian`], [`sparse_hessian`].
//!
//! Where a Jacobian can be other than zero follows from the program (`wengert_passes::sparsity`). Columns that never meet in a
//! row have one colour, and one product with a vector gives them all; by reverse mode likewise rows. A Hessian is symmetric, so
//! that fewer colours do. What has fewest colours is taken, and its products are one batch.

use super::csr::Csr;
use super::linear::Linear;
use super::pattern::{Coloring, SparsePattern};
use super::places::{Way, places};
use super::{Options, at_least_one};
use crate::call::{Args, Choice, Func, Wrt};
use crate::context::What;
use crate::error::{Error, fail};
use crate::gradient::gradient_by;
use crate::ops::control::framed;
use crate::refusals::refuse_integers;
use crate::tensor::Tensor;
use crate::trace;
use crate::transform::{Graph, Transformed, record};
use crate::tree::{self, Tree};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::types::DType;

/// The Jacobian of a function as a matrix that is mostly zeros, made by [`sparse_jacobian`] or [`sparse_hessian`]. Call it like
/// the function it came from; pass it on to other transforms.
pub struct SparseJacobian<A: Args, R: Tree> {
    of: Of<A>,
    default: Transformed<A, Csr>,
    /// What the function returns.
    result: PhantomData<fn() -> R>,
}

/// What has a row for each of its elements, of the arguments and the numbers of those that are differentiated by.
type RowsOf<A> = Arc<dyn Fn(A, &[usize]) -> Rows + Send + Sync>;

#[derive(Clone)]
struct Of<A: Args> {
    what: What,
    rows: RowsOf<A>,
    kind: Kind,
    chosen: Vec<usize>,
    given: Option<Arc<SparsePattern>>,
    way: Option<Coloring>,
    chunk: Option<usize>,
}

#[derive(Clone, Copy)]
enum Kind {
    Jacobian,
    Hessian,
}

/// What a Jacobian is of, for arguments that are given.
struct Rows {
    leaves: Vec<Tensor>,
    /// Whether the matrix is symmetric: one of second derivatives of a function without rules of the user's.
    symmetric: bool,
}

impl<A: Args, R: Tree> Clone for SparseJacobian<A, R> {
    fn clone(&self) -> Self {
        Self { of: self.of.clone(), default: self.default.clone(), result: PhantomData }
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
/// The places and their colours are found when the function is traced: under `jit` once. Without it they are kept for the next
/// call whose program is the same, or can be given ([`SparseJacobian::with_pattern`]).
///
/// The function fails if a leaf of the result or of the argument is not a float, if leaves are of several types, or if the
/// Jacobian is large and not sparse.
#[track_caller]
pub fn sparse_jacobian<A: Args, F: Func<A>>(f: F) -> SparseJacobian<A, F::Out> {
    let what = What { name: "sparse_jacobian", at: Location::caller() };
    let rows = move |args, _: &[usize]| Rows { leaves: tree::leaves(&f.call_with(args)), symmetric: false };
    SparseJacobian::of(Of::new(what, Kind::Jacobian, Arc::new(rows)))
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
pub fn sparse_hessian<A: Args, F: Func<A, Out = Tensor>>(f: F) -> SparseJacobian<A, Tensor> {
    let what = What { name: "sparse_hessian", at: Location::caller() };
    let f: Arc<dyn Fn(A) -> Tensor + Send + Sync> = Arc::new(move |a| f.call_with(a));
    let rows = move |args: A, chosen: &[usize]| {
        let (gradient, has_rules) = gradient_by(what, &f, &args, chosen);
        let choice = Choice::new(&args, chosen).unwrap_or_else(|e| refuse(what, e));
        Rows { leaves: choice.split(&gradient).0, symmetric: !has_rules }
    };
    SparseJacobian::of(Of::new(what, Kind::Hessian, Arc::new(rows)))
}

impl<A: Args, R: Tree> SparseJacobian<A, R> {
    fn of(of: Of<A>) -> Self {
        let own = of.clone();
        Self { default: Transformed::new(move |args: A| own.run(&args)), of, result: PhantomData }
    }

    /// Differentiates with respect to other arguments: `.wrt(ARG1)`, `.wrt((ARG0, ARG2))`. There is a column for each element of
    /// their leaves, in the order in which they are chosen, and of a Hessian a row.
    ///
    /// ```
    /// use wengert::{ARG0, ARG1, Tensor, sparse_jacobian};
    /// let f = |x: Tensor, w: Tensor| x.square() * w.get(0);
    /// let at = || (Tensor::from([1.0f64, 2.0]), Tensor::from([3.0f64]));
    /// let by_both = sparse_jacobian(f).wrt((ARG1, ARG0));
    /// assert_eq!(by_both.pattern(&at()).to_string(), "2 x 3 with 4 places, 2 colours by forward mode\n##.\n#.#\n");
    /// assert_eq!(by_both(at().0, at().1).values().to_vec::<f64>(), [1.0, 6.0, 4.0, 12.0]);
    /// ```
    ///
    /// The function fails if an argument is chosen twice.
    pub fn wrt<W: Wrt<A>>(self, wrt: W) -> Self {
        Self::of(Of { chosen: wrt.numbers(), ..self.of })
    }

    /// Takes so many products with vectors at once, chunk after chunk: fewer need less memory; see
    /// [`Jacobian::chunk_size`](super::Jacobian::chunk_size). The result is the same.
    ///
    /// Panics if `vectors` is 0.
    pub fn chunk_size(self, vectors: usize) -> Self {
        Self::of(Of { chunk: Some(at_least_one(vectors)), ..self.of })
    }

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
        framed(what, || found = Some(self.of.traced(args).places));
        found.expect("it was found")
    }

    /// How few products give the places. What has fewest colours is taken if nothing is said: columns or rows, or of a Hessian
    /// columns or a star; of a function whose rule is for reverse mode alone, rows.
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
        Self::of(Of { way: Some(way), ..self.of })
    }

    /// Takes a pattern that was found before, or of another function, without looking again. A place that it lacks is added to
    /// others, so that values are wrong.
    ///
    /// The function fails if its Jacobian has other dimensions.
    pub fn with_pattern(self, pattern: Arc<SparsePattern>) -> Self {
        Self::of(Of { given: Some(pattern), ..self.of })
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

fn refuse(what: What, message: impl Into<String>) -> ! {
    fail(Error::new(message.into(), Some(what.at)).within(what))
}

/// The chosen leaves, and the others: what the function is traced at.
type Leaves = (Vec<Tensor>, Vec<Tensor>);

/// A traced function and the places of its Jacobian.
struct Traced {
    graph: Graph<Vec<Tensor>>,
    args: Leaves,
    /// Which parameters it is differentiated by.
    mask: Vec<bool>,
    places: Arc<SparsePattern>,
}

impl<A: Args> Of<A> {
    fn new(what: What, kind: Kind, rows: RowsOf<A>) -> Self {
        Self { what, rows, kind, chosen: vec![0], given: None, way: None, chunk: None }
    }

    fn refuse(&self, message: impl Into<String>) -> ! {
        refuse(self.what, message)
    }

    /// How places shall be coloured.
    fn way(&self, symmetric: bool, forward: bool) -> Way {
        match (self.way, self.kind) {
            (None, _) => Way::Fewest { symmetric, forward },
            (Some(way @ (Coloring::Star | Coloring::Acyclic)), Kind::Jacobian) => self.refuse(format!(
                "a colouring of kind {way:?} is for symmetric matrices: ask for a `sparse_hessian`"
            )),
            (Some(way @ (Coloring::Columns | Coloring::Rows)), _) | (Some(way), Kind::Hessian) => {
                Way::Asked(way)
            }
        }
    }

    fn traced(&self, args: &A) -> Traced {
        refuse_integers(self.what, args, &self.chosen);
        let choice = Choice::new(args, &self.chosen).unwrap_or_else(|e| self.refuse(e));
        let leaves: Leaves = choice.split(args);
        let symmetric = Cell::new(false);
        let rows = |(chosen, others): Leaves| {
            let rows = (self.rows)(choice.join(args, &chosen, &others), &self.chosen);
            symmetric.set(rows.symmetric);
            rows.leaves
        };
        let graph = record(self.what, &leaves, &rows, false);
        let mask = graph.leaf_mask(|arg| arg == 0, &leaves);
        let mut all = leaves.0.iter().map(|t| t.dtype()).chain(graph.results.iter().map(|t| t.dtype));
        let dtype = all.next().unwrap_or(DType::F64);
        if let Some(other) = all.find(|&d| d != dtype) {
            self.refuse(format!("a sparse Jacobian has one element type: here are {dtype} and {other}"))
        }
        if !dtype.is_float() {
            self.refuse(format!("a sparse Jacobian is one of floats: here are {dtype}"))
        }
        let places = match &self.given {
            Some(given) => given.clone(),
            None => self.found(&graph, &mask, self.way(symmetric.get(), graph.recorded.has_forward_mode())),
        };
        let columns: usize = leaves.0.iter().map(|t| t.len()).sum();
        let rows: usize = graph.results.iter().map(|t| t.elements()).sum();
        if places.shape() != (rows, columns) {
            let (r, c) = places.shape();
            self.refuse(format!(
                "the pattern is that of a matrix of {r} x {c}, the Jacobian is {rows} x {columns}"
            ))
        }
        Traced { graph, args: leaves, mask, places }
    }

    /// The places of the Jacobian of what was traced, and colours.
    fn found(&self, graph: &Graph<Vec<Tensor>>, mask: &[bool], way: Way) -> Arc<SparsePattern> {
        let captures = graph.recorded.captures.iter().map(|t| t.array());
        let known = captures.chain(std::iter::repeat(None)).take(mask.len()).collect();
        let found = trace::with_module(|m| places(m, graph.recorded.func, mask, known));
        let found = found.unwrap_or_else(|e| fail(Error::from(e).or_at(self.what.at).within(self.what)));
        found.colored(way).unwrap_or_else(|| match way {
            Way::Asked(way) => {
                self.refuse(format!("there is no colouring of kind {way:?} that would be a gain"))
            }
            Way::Fewest { .. } => unreachable!("each column has a colour of its own if nothing is a gain"),
        })
    }

    fn run(&self, args: &A) -> Csr {
        framed(self.what, || {
            let Traced { graph, args, mask, places } = self.traced(args);
            let options = Options { mode: places.mode(), holomorphic: false, chunk: self.chunk };
            let linear = Linear::new(self.what, &graph, &mask, &args, options);
            let values = places.values(&linear, self.what);
            Csr { places, values }
        })
    }
}
