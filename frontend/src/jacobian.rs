//! Whole Jacobians: [`jacfwd`], [`jacrev`], [`hessian`].
//!
//! The function is linearized once; its linear part, or the transposed one, is mapped ([`crate::vmap`]) over the vectors of a
//! basis: of each leaf that is differentiated by, or of each leaf of the result. So an operation of a derivative is one
//! operation on a batch, as long as memory allows ([`Jacobian::chunk_size`]).

use crate::call::{Arg, Args, Func, Wrt};
use crate::error::{Error, fail};
use crate::gradient::refuse_real;
use crate::ops::control::framed;
use crate::ops::control_loops::map;
use crate::tensor::Tensor;
use crate::trace::{self, What};
use crate::transform::{Graph, Transformed, record, refuse_integers};
use crate::tree::Tree;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::types::{DType, TensorType};
use wengert_passes::{ad, batch};

/// Where nothing else is said, so many vectors of a basis are taken at once that the largest value of the derivative takes no
/// more than this, in bytes: what a large cache or a part of the memory of any machine holds.
const AT_ONCE: usize = 256 << 20;

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

/// The Jacobian of a function, made by [`jacfwd`], [`jacrev`] or [`hessian`]. Call it like the function it came from; pass it
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
/// The function fails if a leaf of the result is not a float, or a leaf of the argument that is differentiated by.
#[track_caller]
pub fn jacfwd<A: Args, F: Func<A>>(f: F) -> Jacobian<A, F::Out>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    Jacobian::of(f, What { name: "jacfwd", at: Location::caller() }, Mode::Forward)
}

/// The Jacobian of `f` with respect to its first argument by reverse mode, best where the result is small; see [`jacfwd`].
///
/// The function fails if a leaf of the result is not a float, or a leaf of the argument that is differentiated by.
#[track_caller]
pub fn jacrev<A: Args, F: Func<A>>(f: F) -> Jacobian<A, F::Out>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    Jacobian::of(f, What { name: "jacrev", at: Location::caller() }, Mode::Reverse)
}

/// The second derivatives of `f` with respect to its first argument: of a tensor, the dimensions of the result, then twice
/// those of the argument; of trees, the structure of the result, with a tree like the argument for each leaf, and in it one
/// for each leaf again.
///
/// ```
/// use wengert::{Tensor, hessian};
/// let f = |x: Tensor| x.powi(3).sum();
/// assert_eq!(hessian(f)(Tensor::from([1.0f64, 2.0])).to_vec::<f64>(), [6.0, 0.0, 0.0, 12.0]);
///
/// let ((xx, xy), (yx, yy)) = hessian(|(x, y): (Tensor, Tensor)| &x * &x * &y)((Tensor::from(3.0f64), Tensor::from(5.0f64)));
/// let all = [xx, xy, yx, yy].map(|t| t.item::<f64>());
/// assert_eq!(all, [10.0, 6.0, 6.0, 0.0]);
/// ```
///
/// The function fails if a leaf of the result is not a float, or a leaf of the argument.
#[track_caller]
pub fn hessian<A: Args, F: Func<A>>(f: F) -> Jacobian<A, <F::Out as Tree>::Over<A::First>>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    jacfwd(jacrev(f))
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
        let options = Options { holomorphic: true, ..self.of.options };
        Of { options, ..self.of }.by_default()
    }

    /// Takes so many vectors of a basis at once, chunk after chunk: fewer need less memory. Where nothing is said, it is as
    /// many as memory is reasonable for. The result is the same.
    ///
    /// Panics if `vectors` is 0.
    pub fn chunk_size(self, vectors: usize) -> Self {
        assert!(vectors > 0, "chunk_size(0): at least one vector is taken at a time");
        let options = Options { chunk: Some(vectors), ..self.of.options };
        Of { options, ..self.of }.by_default()
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

impl<A: Args, R: Tree> Of<A, R> {
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
            let graph = record(what, args, &*self.f, false);
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

    /// Fails if a leaf of the result or one that is differentiated by is of a type that this derivative is not of.
    fn check(&self, graph: &Graph<R>, args: &A, chosen: &[bool]) {
        let refuse =
            |message: String| -> ! { fail(Error::new(message, Some(self.what.at)).within(self.what)) };
        let mut names = Vec::new();
        graph.skeleton.names("the result", &mut names);
        let kind = if self.options.holomorphic { "complex" } else { "float" };
        for (ty, name) in graph.results.iter().zip(names) {
            let fits = if self.options.holomorphic { ty.dtype.is_complex() } else { ty.dtype.is_float() };
            if !fits {
                refuse(format!(
                    "{name} of a differentiated function must be a {kind} tensor, here it is {ty}"
                ))
            }
        }
        if self.options.holomorphic {
            return refuse_real(self.what, args, chosen);
        }
        let mut leaves = chosen.iter().zip(args.leaf_names());
        args.visit(&mut |t| {
            if let Some((true, name)) = leaves.next()
                && t.dtype().is_complex()
            {
                refuse(format!(
                    "`{name}` is {}: a Jacobian by complex numbers is that of a holomorphic function \
                     (`.holomorphic()`), or is taken by their real and imaginary parts",
                    t.ty()
                ))
            }
        });
    }
}

/// A linear function of vectors, known at a point: the linear part of a function, or its transpose.
struct Linear {
    what: What,
    /// Takes what is known, then vectors of types `from`; gives vectors of types `to`.
    func: FuncId,
    primal: FuncId,
    /// What the primal part takes.
    arguments: Vec<Tensor>,
    /// How many known things there are.
    known: usize,
    /// What is known, if it is of sizes that are known now.
    once: Option<Vec<Tensor>>,
    from: Vec<TensorType>,
    to: Vec<TensorType>,
    options: Options,
    /// Bytes of the largest value in it.
    largest: usize,
}

impl Linear {
    fn new<A: Args, R: Tree>(
        what: What,
        graph: &Graph<R>,
        mask: &[bool],
        args: &A,
        options: Options,
    ) -> Self {
        let func = graph.recorded.func;
        let results = graph.results.len();
        let make = |m: &mut Module| {
            let lin = ad::linearize(m, func, mask, &vec![true; results])?;
            let linear = match options.mode {
                Mode::Forward => lin.linear,
                Mode::Reverse => {
                    let count = m.get(lin.linear).params.len();
                    let linear: Vec<bool> = (0..count).map(|k| k >= lin.residuals).collect();
                    ad::transpose(m, lin.linear, &linear, &vec![true; results])?
                }
            };
            Ok((lin, linear))
        };
        let refuse = |e: ad::AdError| -> ! { fail(Error::from(e).or_at(what.at).within(what)) };
        let (lin, func) = trace::with_module(make).unwrap_or_else(|e| refuse(e));
        let (is_static, largest) = trace::with_module(|m| {
            let types = m.get(lin.primal).result_types();
            let is_static = types.iter().all(|t| t.as_tensor().is_none_or(|t| t.is_static()));
            let linear = m.get(func);
            let tensors = linear.values.values().filter_map(|v| v.ty.as_tensor()).filter(|t| t.is_static());
            (is_static, tensors.map(|t| t.elements().saturating_mul(t.dtype.size())).max().unwrap_or(0))
        });
        let arguments = graph.arguments(args, &[]);
        let chosen = arguments.iter().zip(mask).filter(|(_, m)| **m).map(|(t, _)| t.ty()).collect();
        let (from, to) = match options.mode {
            Mode::Forward => (chosen, graph.results.clone()),
            Mode::Reverse => (graph.results.clone(), chosen),
        };
        let known = lin.residuals;
        let mut all =
            Self { what, func, primal: lin.primal, arguments, known, once: None, from, to, options, largest };
        if is_static {
            all.once = Some(all.known());
        }
        all
    }

    /// What is known at the point.
    fn known(&self) -> Vec<Tensor> {
        let all = trace::replay(self.primal, &self.arguments);
        all[all.len() - self.known..].to_vec()
    }

    /// Applies a function of what is known and of vectors. What cannot cross into a loop is computed in it.
    fn apply(&self, func: FuncId, vectors: Vec<Tensor>) -> Vec<Tensor> {
        let mut operands = self.once.clone().unwrap_or_else(|| self.known());
        operands.extend(vectors);
        trace::replay(func, &operands)
    }

    /// For each leaf of the function's result, the Jacobian by each leaf that is differentiated by.
    fn blocks(&self) -> Vec<Vec<Tensor>> {
        let by: Vec<Vec<Tensor>> = (0..self.from.len()).map(|k| self.columns(k)).collect();
        match self.options.mode {
            Mode::Reverse => by,
            Mode::Forward => {
                (0..self.to.len()).map(|result| by.iter().map(|of| of[result].clone()).collect()).collect()
            }
        }
    }

    /// What the function makes of a basis of its vectors number `k`: in forward mode of dimensions `to` and then those of the
    /// vector, in reverse mode the other way round.
    fn columns(&self, k: usize) -> Vec<Tensor> {
        let at = self.what.at;
        let ty = &self.from[k];
        let n = ty.elements();
        let zeros = |v: Tensor| {
            let all = self.from.iter().enumerate();
            all.map(|(i, ty)| if i == k { v.clone() } else { Tensor::zeros_of(ty) }).collect::<Vec<_>>()
        };
        if n == 1 {
            let made = self.apply(self.func, zeros(Tensor::ones(&ty.shape, ty.dtype)));
            return made
                .into_iter()
                .zip(&self.to)
                .map(|(t, to)| self.shaped(t.expand_dims(0), to, ty))
                .collect();
        }
        let reasonable =
            (AT_ONCE / self.largest.max(ty.elements() * ty.dtype.size()).max(1)).clamp(1, n.max(1));
        let chunk = self.options.chunk.unwrap_or(reasonable).min(n.max(1));
        let mut mapped = vec![None; self.known];
        mapped.extend((0..self.from.len()).map(|i| (i == k).then_some(0)));
        let batched = trace::with_module(|m| {
            batch::vmap(m, self.func, &mapped, chunk.min(n), &vec![Some(0); self.to.len()])
        });
        let rows = |first: Tensor, count: usize| {
            let number = Tensor::arange(count, DType::I64).expand_dims(1) + first;
            let is = number.equal(Tensor::arange(n, DType::I64).expand_dims(0));
            let shape = [&[count][..], &ty.shape].concat();
            is.astype(ty.dtype).reshape_to(shape[..].into(), at)
        };
        let zero = || Tensor::from(0i64);
        let made: Vec<Tensor> = match batched {
            Ok(batched) if chunk >= n => self.apply(batched, zeros(rows(zero(), n))),
            Ok(batched) => {
                let starts = Tensor::arange(n.div_ceil(chunk), DType::I64) * chunk as i64;
                let chunks = map(|first: Tensor| self.apply(batched, zeros(rows(first, chunk))), starts);
                // Rows past the last one are of no vector.
                let flat = chunks.into_iter().zip(&self.to).map(|(t, to)| {
                    let rows = t.shape()[0] * chunk;
                    t.reshape_to([&[rows][..], &to.shape].concat()[..].into(), at).get(0..n)
                });
                flat.collect()
            }
            // What has no batch is applied to one vector after the other.
            Err(_) => map(
                |first: Tensor| {
                    let vector = rows(first, 1).reshape_to(ty.shape[..].into(), at);
                    self.apply(self.func, zeros(vector))
                },
                Tensor::arange(n, DType::I64),
            ),
        };
        made.into_iter().zip(&self.to).map(|(t, to)| self.shaped(t, to, ty)).collect()
    }

    /// A Jacobian from what is made of the vectors of a basis, one after the other.
    fn shaped(&self, rows: Tensor, to: &TensorType, from: &TensorType) -> Tensor {
        let (rows, shape) = match self.options.mode {
            Mode::Reverse => (rows, [&from.shape[..], &to.shape].concat()),
            Mode::Forward => {
                let perm: Vec<usize> = (1..=to.rank()).chain([0]).collect();
                let rows = if to.rank() == 0 { rows } else { rows.transpose(&perm) };
                (rows, [&to.shape[..], &from.shape].concat())
            }
        };
        rows.reshape_to(shape[..].into(), self.what.at)
    }
}
