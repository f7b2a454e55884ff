//! Derivatives as linear functions: [`linearize`], [`linear_transpose`], [`hvp`], [`hvp_wrt`].

use crate::call::{Args, Choice, Func, Wrt};
use crate::context::What;
use crate::derive::Derivation;
use crate::error::{Error, fail};
use crate::refusals::{cotangents_of, misfit, no_scalar, tangents_of};
use crate::tensor::Tensor;
use crate::transform::{Graph, LinearPart, Pullback, Transformed, jvp_as, pullback, record};
use crate::tree::{self, Tree};
use std::panic::Location;
use std::sync::Arc;

/// The value of `f` at `args` and its derivative there: a linear function from tangents of the arguments to tangents of the
/// result, to be called any number of times, under other transforms too.
///
/// ```
/// use wengert::{Tensor, linearize};
/// let (y, df) = linearize(|x: Tensor| x.sin(), (Tensor::from([0.0f64, 1.0]),));
/// assert_eq!(y.get(0).item::<f64>(), 0.0);
/// assert_eq!(df.call((Tensor::from([2.0f64, 0.0]),)).to_vec::<f64>(), [2.0, 0.0]);
/// let (ct,) = df.transpose().call(Tensor::from([3.0f64, 0.0]));
/// assert_eq!(ct.to_vec::<f64>(), [3.0, 0.0]);
/// ```
#[track_caller]
pub fn linearize<A: Args, F: Func<A>>(f: F, args: A) -> (F::Out, Linearized<A, F::Out>) {
    let what = What { name: "linearize", at: Location::caller() };
    let graph = record(what, &args, &|args| f.call_with(args), true);
    let (values, linear) = graph.forward(what, &args);
    let out = graph.tree(&values);
    (out.clone(), Linearized { what, graph: Arc::new(graph), args, out, linear })
}

/// The derivative of a function at a point, made by [`linearize`].
#[derive(Clone)]
pub struct Linearized<A: Args, R: Tree> {
    what: What,
    graph: Arc<Graph<R>>,
    args: A,
    out: R,
    linear: Option<LinearPart>,
}

impl<A: Args, R: Tree> Linearized<A, R> {
    /// The tangent of the result for tangents of the arguments, which have their structure and types. Integers have none: what
    /// is given for them is ignored, and those of the result are zeros.
    ///
    /// Fails if the tangents are not like the arguments.
    #[track_caller]
    pub fn call(&self, tangents: A) -> R {
        let tangents = tangents_of(What { at: Location::caller(), ..self.what }, &self.args, &tangents);
        match &self.linear {
            Some(linear) => {
                self.graph.recorded.check_current(self.what, None);
                self.graph.tangent(&linear.apply(&tangents))
            }
            None => self.graph.pushforward(self.what, &self.args, &tangents).1,
        }
    }

    /// The transposed function, from cotangents of the result to those of the arguments; what [`crate::vjp`] gives.
    pub fn transpose(&self) -> Pullback<A, R> {
        let (graph, linear) = (self.graph.clone(), self.linear.clone());
        Pullback::new(self.what, graph, self.args.clone(), self.out.clone(), linear)
    }
}

/// The transpose of a function that is linear in the floats among its arguments: from cotangents of its result to cotangents
/// of its arguments. Of floats only the types matter, but they have elements outside of `jit`, where the function runs; integers are
/// taken as they are, and have zeros.
///
/// ```
/// use wengert::{DType, Tensor, linear_transpose};
/// let running_sum = |x: Tensor| x.cumsum(0);
/// let (back,) = linear_transpose(running_sum, (Tensor::zeros(&[3], DType::F64),)).call(Tensor::from([1.0f64, 2.0, 3.0]));
/// assert_eq!(back.to_vec::<f64>(), [6.0, 5.0, 3.0]);
/// ```
///
/// [`Transposed::call`] fails if the function is not linear; the message names the operation.
#[track_caller]
pub fn linear_transpose<A: Args, F: Func<A>>(f: F, args: A) -> Transposed<A, F::Out> {
    let what = What { name: "linear_transpose", at: Location::caller() };
    let graph = record(what, &args, &|args| f.call_with(args), false);
    let mut results = graph.results.iter();
    let out = graph.skeleton.map(&mut |_| Tensor::zeros_of(results.next().expect("a type per leaf")));
    Transposed { what, graph: Arc::new(graph), args, out }
}

/// A linear function turned around, made by [`linear_transpose`].
#[derive(Clone)]
pub struct Transposed<A: Args, R: Tree> {
    what: What,
    graph: Arc<Graph<R>>,
    args: A,
    /// Zeros like the result.
    out: R,
}

impl<A: Args, R: Tree> Transposed<A, R> {
    /// Cotangents of the arguments for one of the result, which must have its structure and types.
    ///
    /// Fails if it has not, or if the function is not linear.
    #[track_caller]
    pub fn call(&self, cotangent: R) -> A {
        let cotangents = cotangents_of(self.what, &self.out, cotangent, Location::caller());
        let mask = self.graph.leaf_mask(|_| true, &self.args);
        let has: Vec<bool> = self.graph.results.iter().map(|t| t.dtype.is_differentiable()).collect();
        if !has.contains(&true) {
            let message = "the result has no leaf of floats to transpose";
            fail(Error::new(message, Some(self.what.at)).within(self.what))
        }
        let captures = self.graph.recorded.captures.len();
        let of = Derivation::Transpose(mask.clone(), has);
        let mut made = self.graph.transform_and_run(self.what, &self.args, &cotangents, of).into_iter();
        let mut mask = mask[captures..].iter();
        self.args.map(&mut |leaf| match mask.next().expect("a flag per leaf") {
            true => made.next().expect("a cotangent per linear leaf"),
            false => Tensor::zeros_of(&leaf.ty()),
        })
    }
}

/// The product of the Hessian of `f` at `args`, of all its floats together, and a vector of their structure, without the
/// Hessian: forward over reverse, for about the price of a few gradients.
///
/// ```
/// use wengert::{Tensor, hvp};
/// let f = |x: Tensor, y: Tensor| (&x * &x * &y).sum();
/// let at = (Tensor::from([1.0f64, 2.0]), Tensor::from([3.0f64, 4.0]));
/// let (hx, hy) = hvp(f, at, (Tensor::from([1.0f64, 0.0]), Tensor::from([0.0f64, 1.0])));
/// assert_eq!((hx.to_vec::<f64>(), hy.to_vec::<f64>()), (vec![6.0, 4.0], vec![2.0, 0.0]));
/// ```
///
/// Fails if the result of `f` is not one float, or if the vector is not like the arguments.
#[track_caller]
pub fn hvp<A: Args, F: Func<A, Out = Tensor>>(f: F, args: A, vector: A) -> A {
    product(What { name: "hvp", at: Location::caller() }, f, args, vector)
}

/// The product of the Hessian of `f` at `args` by chosen arguments and a vector, without the Hessian: [`hvp`] where the other
/// arguments stay as they are. The vector and the product have the structure of what is chosen: that of one argument for
/// `ARG1`, a tuple for `(ARG0, ARG2)`.
///
/// ```
/// use wengert::{ARG1, Tensor, hvp_wrt};
/// let loss = |x: Tensor, w: Tensor| (x * &w * &w).sum();
/// let at = (Tensor::from([1.0f64, 2.0]), Tensor::from([3.0f64, 4.0]));
/// let hw = hvp_wrt(loss, ARG1, at, Tensor::from([1.0f64, 10.0]));
/// assert_eq!(hw.to_vec::<f64>(), [2.0, 40.0]);
/// ```
///
/// Fails if the result of `f` is not one float, if the vector is not like what is chosen, or if an argument is chosen twice.
#[track_caller]
pub fn hvp_wrt<A: Args, F: Func<A, Out = Tensor>, W: Wrt<A>>(
    f: F,
    wrt: W,
    args: A,
    vector: W::Out,
) -> W::Out {
    let what = What { name: "hvp_wrt", at: Location::caller() };
    let refuse = |message: String| -> ! { fail(Error::new(message, Some(what.at)).within(what)) };
    let choice = Choice::new(&args, &wrt.numbers()).unwrap_or_else(|e| refuse(e));
    let like = wrt.pick(&args);
    if tree::structure(&like) != tree::structure(&vector) {
        let (is, wanted) = (tree::structure(&vector), tree::structure(&like));
        refuse(format!("the vector has the structure {is}, what is chosen of the arguments has {wanted}"))
    }
    let mut names = Vec::new();
    like.names("the chosen argument", &mut names);
    let mut leaves = tree::leaves(&vector).into_iter().zip(tree::leaves(&like)).zip(names);
    let wrong = leaves.find(|((v, x), _)| x.dtype().is_differentiable() && v.ty() != x.ty());
    if let Some(((v, x), name)) = wrong {
        refuse(misfit("vector", &name, &v, &x.ty()))
    }
    let (chosen, others) = choice.split(&args);
    let of_chosen = move |leaves: Vec<Tensor>| f.call_with(choice.join(&args, &leaves, &others));
    let (made,) = product(what, of_chosen, (chosen,), (tree::leaves(&vector),));
    tree::with_leaves(&like, made)
}

#[track_caller]
fn product<A: Args>(what: What, f: impl Func<A, Out = Tensor>, args: A, vector: A) -> A {
    let gradient = Transformed::<(A,), A>::new(move |(args,): (A,)| {
        let (y, back) = pullback(what, &|a| f.call_with(a), args);
        if !y.dtype().is_float() || y.rank() != 0 {
            fail(no_scalar("float", &y.ty()).within(what))
        }
        back.call(Tensor::ones(&[], y.dtype()))
    });
    jvp_as(what, gradient, (args,), (vector,)).1
}
