//! Jacobians and Hessians that are mostly zeros: [`sparse_jacobian`], [`sparse_hessian`].
//!
//! Where a Jacobian can be other than zero follows from the program (`wengert_passes::sparsity`). Columns that never meet in a
//! row have one colour, and one product with a vector gives them all; by reverse mode likewise rows. The mode with fewer colours
//! is taken, and its products are one batch.

use super::linear::Linear;
use super::{Mode, Options};
use crate::call::{Arg, Args, Func, Wrt};
use crate::error::{Error, fail};
use crate::gradient::grad;
use crate::ops::control::framed;
use crate::tensor::Tensor;
use crate::trace::{self, What};
use crate::transform::{Graph, Transformed, record, refuse_integers};
use crate::tree::Tree;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::types::DType;
use wengert_passes::sparsity::{self, Coloring, Pattern, color_columns};

/// A matrix that is mostly zeros, row by row (compressed sparse rows): the columns and the values of the places of row `k` are
/// those from `starts()[k]` to `starts()[k + 1]`. What `sprs` and `faer` take: `CsMat::new(a.shape(), starts, indices, values)`.
///
/// As an argument or a result of a transformed function it is a tree with one leaf, the values; its places are part of the
/// program.
#[derive(Clone)]
pub struct Csr {
    places: Arc<SparsePattern>,
    values: Tensor,
}

/// The places of a matrix that can be other than zero, and colours for its columns or rows; made by [`SparseJacobian::pattern`].
/// Its `Display` is a summary and, of a small matrix, a picture.
pub struct SparsePattern {
    pattern: Pattern,
    indices: Vec<usize>,
    /// Whether columns have colours, which forward mode wants.
    mode: Mode,
    coloring: Coloring,
    /// Of everything above, to tell programs apart.
    digest: u64,
}

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
}

impl<A: Args, R: Tree> Clone for Of<A, R> {
    fn clone(&self) -> Self {
        Self { f: self.f.clone(), what: self.what, given: self.given.clone() }
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
    Of { f: Arc::new(move |a| f.call_with(a)), what, given: None }.by_default()
}

/// The second derivatives of `f`, whose result is one number, by its first argument, as a sparse matrix: the sparse Jacobian of
/// its gradient.
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
    let gradient = grad(f);
    let what = What { name: "sparse_hessian", at: Location::caller() };
    Of { f: Arc::new(move |a| gradient.call_with(a)), what, given: None }.by_default()
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
                Arc::new(SparsePattern::new(found.unwrap_or_else(refuse)))
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
            let options = Options { mode: places.mode, holomorphic: false, chunk: None };
            let linear = Linear::new(self.what, &graph, &mask, args, options);
            let values = places.values(&linear, self.what);
            Csr { places, values }
        })
    }
}

impl SparsePattern {
    fn new(pattern: Pattern) -> Self {
        let columns = color_columns(&pattern);
        let rows = color_columns(&pattern.transposed());
        let each = |n: usize| Coloring { of: (0..n as u32).collect(), colors: n };
        // Reverse mode is dearer by a little, and there is nothing to choose if both are the same.
        let (mode, coloring) = match (columns, rows) {
            (Some(c), Some(r)) if r.colors < c.colors => (Mode::Reverse, r),
            (None, Some(r)) => (Mode::Reverse, r),
            (Some(c), _) => (Mode::Forward, c),
            (None, None) if pattern.rows() < pattern.columns => (Mode::Reverse, each(pattern.rows())),
            (None, None) => (Mode::Forward, each(pattern.columns)),
        };
        let mut digest = DefaultHasher::new();
        (&pattern, &coloring.of, mode == Mode::Forward).hash(&mut digest);
        let indices = pattern.indices.iter().map(|&c| c as usize).collect();
        Self { pattern, indices, mode, coloring, digest: digest.finish() }
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.pattern.rows(), self.pattern.columns)
    }

    /// How many places can be other than zero.
    pub fn places(&self) -> usize {
        self.indices.len()
    }

    /// How many products with vectors give the values.
    pub fn colors(&self) -> usize {
        self.coloring.colors
    }

    /// Where each row starts in [`SparsePattern::indices`], and after the last where it ends.
    pub fn starts(&self) -> &[usize] {
        &self.pattern.starts
    }

    /// The columns of each row, ascending.
    pub fn indices(&self) -> &[usize] {
        &self.indices
    }

    /// The values of the places: products with the sum of the unit vectors of each colour, from which each place is taken.
    fn values(&self, linear: &Linear, what: What) -> Tensor {
        let (colors, of) = (self.coloring.colors, &self.coloring.of);
        let dtype = linear.to.iter().chain(&linear.from).map(|t| t.dtype).next().unwrap_or(DType::F64);
        if self.places() == 0 {
            return Tensor::zeros(&[0], dtype);
        }
        // The colour of each element of the vectors, leaf after leaf.
        let mut first = 0;
        let leaves: Vec<Tensor> = (linear.from.iter())
            .map(|ty| {
                let n = ty.elements();
                let of: Vec<i64> = of[first..first + n].iter().map(|&c| i64::from(c)).collect();
                first += n;
                Tensor::from(of)
            })
            .collect();
        let images = linear.images(colors, &vec![true; leaves.len()], &|first, count| {
            let color = Tensor::arange(count, DType::I64).expand_dims(1) + first;
            let all = leaves.iter().zip(&linear.from).map(|(of, ty)| {
                let shape = [&[count][..], &ty.shape].concat();
                let is = color.equal(of.expand_dims(0)).astype(ty.dtype);
                is.reshape_to(shape[..].into(), what.at)
            });
            all.collect()
        });
        let flat = images.into_iter().zip(&linear.to).map(|(t, to)| {
            let shape = [colors, to.elements()];
            t.reshape_to(shape[..].into(), what.at)
        });
        let flat = crate::concatenate(&flat.collect::<Vec<_>>(), 1).flatten();
        let (rows, columns) = self.shape();
        let place = |row: usize, column: usize| match self.mode {
            Mode::Forward => of[column] as usize * rows + row,
            Mode::Reverse => of[row] as usize * columns + column,
        };
        let places: Vec<i64> = (0..rows)
            .flat_map(|row| self.pattern.row(row).iter().map(move |&c| place(row, c as usize) as i64))
            .collect();
        flat.rows(&Tensor::from(places), 0, what.at)
    }
}

impl fmt::Display for SparsePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = self.shape();
        let mode = if self.mode == Mode::Forward { "forward" } else { "reverse" };
        let (places, colors) = (self.places(), self.colors());
        writeln!(f, "{rows} x {columns} with {places} places, {colors} colours by {mode} mode")?;
        if rows > 64 || columns > 100 {
            return Ok(());
        }
        for row in 0..rows {
            let mut line = vec!['.'; columns];
            self.pattern.row(row).iter().for_each(|&c| line[c as usize] = '#');
            writeln!(f, "{}", String::from_iter(line))?;
        }
        Ok(())
    }
}

impl fmt::Debug for SparsePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Csr {
    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.places.shape()
    }

    /// Where each row starts in [`Csr::indices`] and [`Csr::values`], and after the last where it ends.
    pub fn starts(&self) -> &[usize] {
        self.places.starts()
    }

    /// The column of each place, ascending in each row.
    pub fn indices(&self) -> &[usize] {
        self.places.indices()
    }

    /// The value of each place, a vector.
    pub fn values(&self) -> &Tensor {
        &self.values
    }

    /// The places, and their colours.
    pub fn pattern(&self) -> &Arc<SparsePattern> {
        &self.places
    }

    /// The matrix with its zeros.
    pub fn to_dense(&self) -> Tensor {
        let (rows, columns) = self.shape();
        let starts = self.starts();
        let at = (0..rows).flat_map(|r| {
            self.indices()[starts[r]..starts[r + 1]].iter().map(move |&c| (r * columns + c) as i64)
        });
        let flat = Tensor::zeros(&[rows * columns], self.values.dtype());
        let dense = flat.at_rows(&Tensor::from(at.collect::<Vec<i64>>())).add(&self.values);
        dense.reshape(&[rows as isize, columns as isize])
    }

    /// The product with a vector.
    ///
    /// Fails if it is not as long as there are columns.
    #[track_caller]
    pub fn matvec(&self, x: &Tensor) -> Tensor {
        let (rows, columns) = self.shape();
        if x.shape() != [columns] {
            let message = format!("a sparse matrix of {rows} x {columns} times {}", x.ty());
            fail(Error::new(message, Some(Location::caller())))
        }
        let index = |all: Vec<i64>| Tensor::from(all);
        let starts = self.starts();
        let row = (0..rows).flat_map(|r| std::iter::repeat_n(r as i64, starts[r + 1] - starts[r])).collect();
        let column = self.indices().iter().map(|&c| c as i64).collect();
        let terms = &self.values * x.take(&index(column), 0);
        Tensor::zeros(&[rows], terms.dtype()).at_rows(&index(row)).add(&terms)
    }
}

impl fmt::Debug for Csr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.places, self.values)
    }
}

impl Tree for Csr {
    type Over<X: Tree> = X;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> X {
        f(&self.values)
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        f(&self.values);
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        f(&mut self.values);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        Csr { places: self.places.clone(), values: f(&self.values) }
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        out(self.places.digest);
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        out.push(format!("{prefix}.values"));
    }
}
