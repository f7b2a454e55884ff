//! [`grad`] and [`value_and_grad`].

use crate::call::{Arg, Args, Func, Wrt};
use crate::context::What;
use crate::derive::{Derivation, budget_of};
use crate::error::{Error, boundary, fail};
use crate::refusals::{no_scalar, refuse_integers, refuse_real};
use crate::tensor::Tensor;
use crate::transform::{Graph, Transformed, record};
use crate::tree::Tree;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::op::Op;
use wengert_ir::types::DType;
use wengert_passes::budget::{Budget, MemoryPlan};

pub(crate) type Function<A, R> = Arc<dyn Fn(A) -> R + Send + Sync>;

type Planner<A> = Arc<dyn Fn(&A) -> Result<MemoryPlan, Error> + Send + Sync>;

/// What a function returns that has a gradient: one number, a [`Tensor`], or a pair of it and anything else (see [`Grad::aux`]).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the result of a function that has a gradient",
    label = "not a `Tensor`",
    note = "`grad` and `value_and_grad` take functions whose result is one number, a `Tensor`",
    note = "a pair of it and anything else is a result with auxiliary data: `grad(f).aux()`",
    note = "derivatives of several results are taken by `jacrev`, `jacfwd`, `vjp` or `jvp`"
)]
pub trait Objective: Tree {
    /// A gradient, beside what is returned beside the number.
    type With<G: Tree>: Tree;
    /// The gradient beside what there is.
    fn with<G: Tree>(self, gradient: G) -> Self::With<G>;
}

impl Objective for Tensor {
    type With<G: Tree> = G;
    fn with<G: Tree>(self, gradient: G) -> G {
        gradient
    }
}

impl<X: Tree> Objective for (Tensor, X) {
    type With<G: Tree> = (G, X);
    fn with<G: Tree>(self, gradient: G) -> (G, X) {
        (gradient, self.1)
    }
}

/// The gradient of a function, before a choice of arguments; see [`grad`].
pub struct Grad<A: Args, R: Objective = Tensor, const AUX: bool = false> {
    of: Of<A, R>,
    default: Transformed<A, R::With<A::First>>,
}

/// Value and gradient of a function, before a choice of arguments; see [`value_and_grad`].
pub struct ValueAndGrad<A: Args, R: Objective = Tensor, const AUX: bool = false> {
    of: Of<A, R>,
    default: Transformed<A, (R, A::First)>,
}

/// A gradient by chosen arguments, or it and the value: what `.wrt(..)` of [`grad`] and [`value_and_grad`] gives. Call it like
/// the function it came from; pass it on to other transforms.
pub struct GradWrt<A: Args, R: Tree> {
    call: Transformed<A, R>,
    plan: Planner<A>,
}

impl<A: Args, R: Tree> GradWrt<A, R> {
    /// What a derivative with a budget keeps and computes again for such arguments; see [`Grad::plan`].
    ///
    /// ```
    /// use wengert::{ARG1, DType, Tensor, grad};
    /// let wide = |x: Tensor, w: Tensor| (x * w).broadcast_to(&[100, 1000]).sin().cumsum(0).sin().sum();
    /// let limited = grad(wide).memory_budget(2 << 20).wrt(ARG1);
    /// let ones = || Tensor::ones(&[1000], DType::F32);
    /// assert!(limited.plan((ones(), ones()))?.peak() <= 2 << 20);
    /// # Ok::<(), wengert::Error>(())
    /// ```
    ///
    /// Fails as a call does, and where there is no budget ([`Grad::memory_budget`]).
    pub fn plan(&self, args: A) -> Result<MemoryPlan, Error> {
        (self.plan)(&args)
    }
}

impl<A: Args, R: Tree> Clone for GradWrt<A, R> {
    fn clone(&self) -> Self {
        Self { call: self.call.clone(), plan: self.plan.clone() }
    }
}

impl<A: Args, R: Tree> Deref for GradWrt<A, R> {
    type Target = A::Callable<R>;
    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl<A: Args, R: Tree> Func<A> for GradWrt<A, R> {
    type Out = R;
    fn call_with(&self, args: A) -> R {
        self.call.call_with(args)
    }
}

/// What is differentiated, and how.
struct Of<A: Args, R: Objective> {
    f: Function<A, R>,
    what: What,
    options: Options,
}

impl<A: Args, R: Objective> Clone for Of<A, R> {
    fn clone(&self) -> Self {
        Self { f: self.f.clone(), what: self.what, options: self.options }
    }
}

impl<A: Args, R: Objective, const AUX: bool> Clone for Grad<A, R, AUX> {
    fn clone(&self) -> Self {
        Self { of: self.of.clone(), default: self.default.clone() }
    }
}

impl<A: Args, R: Objective, const AUX: bool> Clone for ValueAndGrad<A, R, AUX> {
    fn clone(&self) -> Self {
        Self { of: self.of.clone(), default: self.default.clone() }
    }
}

#[derive(Clone, Copy, Default)]
struct Options {
    /// Integers and booleans among the leaves have gradients of zeros; otherwise they are a mistake.
    allow_int: bool,
    /// The derivative is that of a complex function of complex numbers.
    holomorphic: bool,
    /// Most bytes that the compiled derivative takes.
    budget: Option<u64>,
    /// A type in which it may keep floats.
    compress: Option<DType>,
}

/// The gradient of `f`, whose result must be one float scalar, with respect to its first argument.
///
/// The gradient has the structure of the argument. `.wrt(ARG1)` or `.wrt((ARG0, ARG2))` choose other arguments, and the
/// result changes accordingly. Integers and booleans have no derivatives: the function fails if a chosen argument has such a
/// leaf, unless [`Grad::allow_int`] says that its gradient is zeros. A function that returns a pair, of the number and of
/// anything else, takes [`Grad::aux`].
///
/// Without `jit` the function runs eagerly while it is recorded, so ordinary Rust control flow on values works.
///
/// ```
/// use wengert::{Tensor, grad, jit};
/// let f = |x: Tensor| (&x * &x).sin() + (-&x).exp() * &x;
/// let d2 = jit(grad(grad(f)));
/// println!("{}", d2(Tensor::from(1.0f64)));
/// ```
#[track_caller]
pub fn grad<A: Args, F: Func<A>>(f: F) -> Grad<A, F::Out>
where
    F::Out: Objective,
    Arg<0>: Wrt<A, Out = A::First>,
{
    let what = What { name: "grad", at: Location::caller() };
    Grad::of(Of { f: Arc::new(move |a| f.call_with(a)), what, options: Options::default() })
}

/// The value of `f` and its gradient; see [`grad`].
#[track_caller]
pub fn value_and_grad<A: Args, F: Func<A>>(f: F) -> ValueAndGrad<A, F::Out>
where
    F::Out: Objective,
    Arg<0>: Wrt<A, Out = A::First>,
{
    let what = What { name: "value_and_grad", at: Location::caller() };
    ValueAndGrad::of(Of { f: Arc::new(move |a| f.call_with(a)), what, options: Options::default() })
}

impl<A: Args, R: Objective, const AUX: bool> Grad<A, R, AUX>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    fn of(of: Of<A, R>) -> Self {
        Grad { default: of.clone().grad(Arg::<0>), of }
    }

    /// Gives leaves that are integers or booleans gradients of zeros, as JAX's `allow_int=True`.
    ///
    /// ```
    /// use wengert::{Tensor, grad};
    /// let f = |(x, n): (Tensor, Tensor)| &x * &x * n;
    /// let (dx, dn) = grad(f).allow_int()((Tensor::from(2.0f64), Tensor::from(3i32)));
    /// assert_eq!((dx.item::<f64>(), dn.item::<i32>()), (12.0, 0));
    /// ```
    pub fn allow_int(self) -> Self {
        Self::of(self.of.with(|o| o.allow_int = true))
    }

    /// The derivative of a complex function of complex numbers, which must be holomorphic: its derivative is one complex number.
    ///
    /// ```
    /// use wengert::{DType, Tensor, grad};
    /// let f = |z: Tensor| &z * &z;
    /// let z = Tensor::complex(&Tensor::from(1.0f64), &Tensor::from(2.0f64));
    /// let df = grad(f).holomorphic()(z);
    /// assert_eq!((df.real().item::<f64>(), df.imag().item::<f64>()), (2.0, 4.0));
    /// ```
    ///
    /// The function fails if its result or a chosen argument is not complex.
    pub fn holomorphic(self) -> Self {
        Self::of(self.of.with(|o| o.holomorphic = true))
    }

    /// The derivative in no more memory than so many bytes, of arguments, results, constants and what is between: what the
    /// reverse pass keeps, and what it computes again, is chosen by the compiler, at the least extra time it finds. It is
    /// the compiled derivative that has the budget: one that is called without `jit` is compiled too.
    ///
    /// ```
    /// use wengert::{Tensor, grad};
    /// let wide = |x: Tensor| x.broadcast_to(&[100, 1000]).sin().cumsum(0).sin().sum();
    /// let limited = grad(wide).memory_budget(2 << 20);
    /// let x = Tensor::ones(&[1000], wengert::DType::F32);
    /// println!("{}", limited.plan((x.clone(),)).unwrap());
    /// assert_eq!(limited(x).shape(), [1000]);
    /// ```
    ///
    /// The function fails where the budget is too small, and names the smallest that can be met.
    pub fn memory_budget(self, bytes: u64) -> Self {
        Self::of(self.of.with(|o| o.budget = Some(bytes)))
    }

    /// Lets a derivative with a budget keep floats in a smaller type, for one [`DType::BF16`], where that costs less than to
    /// compute them again. What the function returns does not change; a value that is kept so is off by at most
    /// 2^-9 of itself in `bf16`, 2^-12 in `f16`, as far as the type's range goes.
    pub fn compress(self, dtype: DType) -> Self {
        Self::of(self.of.with(|o| o.compress = Some(dtype)))
    }

    /// What a derivative with a budget keeps and computes again for such arguments, what it takes and how much longer it is
    /// predicted to take: a table to print before anything runs. It is with respect to the first argument; that of others is
    /// asked after `.wrt(..)` ([`GradWrt::plan`]).
    ///
    /// Fails as a call does.
    pub fn plan(&self, args: A) -> Result<MemoryPlan, Error> {
        self.of.plan(&args, &[0])
    }
}

impl<A: Args, X: Tree> Grad<A, (Tensor, X)>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    /// For functions that return a pair: the gradient of its first, and its second as it is.
    ///
    /// ```
    /// use wengert::{Tensor, grad};
    /// let f = |x: Tensor| ((&x * &x).sum(), x.sin());
    /// let (dx, sines) = grad(f).aux()(Tensor::from([0.0f64, 2.0]));
    /// assert_eq!((dx.to_vec::<f64>(), sines.shape()), (vec![0.0, 4.0], &[2][..]));
    /// ```
    pub fn aux(self) -> Grad<A, (Tensor, X), true> {
        Grad::of(self.of)
    }
}

impl<A: Args, X: Tree> ValueAndGrad<A, (Tensor, X)>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    /// For functions that return a pair: the pair, and the gradient of its first.
    ///
    /// ```
    /// use wengert::{Tensor, value_and_grad};
    /// let f = |x: Tensor| (&x * &x, x.sin());
    /// let ((value, sine), dx) = value_and_grad(f).aux()(Tensor::from(3.0f64));
    /// assert_eq!((value.item::<f64>(), sine.item::<f64>(), dx.item::<f64>()), (9.0, 3f64.sin(), 6.0));
    /// ```
    pub fn aux(self) -> ValueAndGrad<A, (Tensor, X), true> {
        ValueAndGrad::of(self.of)
    }
}

impl<A: Args, R: Objective, const AUX: bool> ValueAndGrad<A, R, AUX>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    fn of(of: Of<A, R>) -> Self {
        ValueAndGrad { default: of.clone().value_and_grad(Arg::<0>), of }
    }

    /// Gives leaves that are integers or booleans gradients of zeros; see [`Grad::allow_int`].
    pub fn allow_int(self) -> Self {
        Self::of(self.of.with(|o| o.allow_int = true))
    }

    /// The derivative of a complex function of complex numbers; see [`Grad::holomorphic`].
    pub fn holomorphic(self) -> Self {
        Self::of(self.of.with(|o| o.holomorphic = true))
    }

    /// Value and gradient in no more memory than so many bytes; see [`Grad::memory_budget`].
    pub fn memory_budget(self, bytes: u64) -> Self {
        Self::of(self.of.with(|o| o.budget = Some(bytes)))
    }

    /// Lets it keep floats in a smaller type; see [`Grad::compress`].
    pub fn compress(self, dtype: DType) -> Self {
        Self::of(self.of.with(|o| o.compress = Some(dtype)))
    }

    /// What it keeps and computes again for such arguments; see [`Grad::plan`].
    pub fn plan(&self, args: A) -> Result<MemoryPlan, Error> {
        self.of.plan(&args, &[0])
    }
}

macro_rules! callable {
    ($([$($x:ident)?] $R:ty, $aux:literal;)+) => { $(
        impl<A: Args $(, $x: Tree)?> Deref for Grad<A, $R, $aux> {
            type Target = A::Callable<<$R as Objective>::With<A::First>>;
            fn deref(&self) -> &Self::Target { &self.default }
        }
        impl<A: Args $(, $x: Tree)?> Func<A> for Grad<A, $R, $aux> {
            type Out = <$R as Objective>::With<A::First>;
            fn call_with(&self, args: A) -> Self::Out { self.default.call_with(args) }
        }
        impl<A: Args $(, $x: Tree)?> Deref for ValueAndGrad<A, $R, $aux> {
            type Target = A::Callable<($R, A::First)>;
            fn deref(&self) -> &Self::Target { &self.default }
        }
        impl<A: Args $(, $x: Tree)?> Func<A> for ValueAndGrad<A, $R, $aux> {
            type Out = ($R, A::First);
            fn call_with(&self, args: A) -> Self::Out { self.default.call_with(args) }
        }
        impl<A: Args $(, $x: Tree)?> Grad<A, $R, $aux> {
            /// Differentiates with respect to other arguments: `.wrt(ARG1)`, `.wrt((ARG0, ARG2))`.
            pub fn wrt<W: Wrt<A>>(self, wrt: W) -> GradWrt<A, <$R as Objective>::With<W::Out>> {
                GradWrt { plan: self.of.planner(wrt), call: self.of.grad(wrt) }
            }
        }
        impl<A: Args $(, $x: Tree)?> ValueAndGrad<A, $R, $aux> {
            /// Differentiates with respect to other arguments: `.wrt(ARG1)`, `.wrt((ARG0, ARG2))`.
            pub fn wrt<W: Wrt<A>>(self, wrt: W) -> GradWrt<A, ($R, W::Out)> {
                GradWrt { plan: self.of.planner(wrt), call: self.of.value_and_grad(wrt) }
            }
        }
    )+ };
}
callable!([] Tensor, false; [X] (Tensor, X), true;);

impl<A: Args, R: Objective> Of<A, R> {
    fn with(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    fn grad<W: Wrt<A>>(self, wrt: W) -> Transformed<A, R::With<W::Out>> {
        Transformed::new(move |args| {
            let (value, gradient) = self.run(&args, wrt);
            value.with(gradient)
        })
    }

    fn value_and_grad<W: Wrt<A>>(self, wrt: W) -> Transformed<A, (R, W::Out)> {
        Transformed::new(move |args| self.run(&args, wrt))
    }

    /// What the function returns, and its gradient with respect to the chosen arguments.
    fn run<W: Wrt<A>>(&self, args: &A, wrt: W) -> (R, W::Out) {
        let chosen = wrt.numbers();
        let graph = self.record(args, &chosen, self.options.budget.is_none());
        let (value, gradient) = self.of_graph(args, &chosen, &graph);
        (value, wrt.pick(&gradient))
    }

    fn record(&self, args: &A, chosen: &[usize], eager: bool) -> Graph<R> {
        if !self.options.allow_int {
            refuse_integers(self.what, args, chosen);
        }
        record(self.what, args, &*self.f, eager)
    }

    /// What the function returns, and a tree like the arguments with gradients of those that are chosen and zeros elsewhere.
    fn of_graph(&self, args: &A, chosen: &[usize], graph: &Graph<R>) -> (R, A) {
        let what = self.what;
        let mask = self.mask(args, chosen, graph);
        let out = match self.options.holomorphic {
            false => graph.transform_and_run(what, args, &[], self.derivation(&mask, graph)),
            true => {
                let one = Tensor::ones(&[], graph.results[0].dtype);
                graph.transform_and_run(what, args, &[one], self.derivation(&mask, graph))
            }
        };
        let (values, gradients) = out.split_at(graph.results.len());
        // One gradient per differentiable chosen leaf, in the order of leaves; chosen leaves without one (integers, where
        // allowed) have zeros.
        let mut gradients = gradients.iter();
        let mut mask = mask[graph.recorded.captures.len()..].iter();
        let filled = args.map(&mut |leaf| match mask.next().expect("a flag per leaf") {
            true => gradients.next().expect("a gradient per chosen leaf").clone(),
            false => Tensor::zeros_of(&leaf.ty()),
        });
        (graph.tree(values), filled)
    }

    /// What of the arguments is differentiated by, if there is such a derivative of what was traced.
    fn mask(&self, args: &A, chosen: &[usize], graph: &Graph<R>) -> Vec<bool> {
        let what = self.what;
        let result = &graph.results[0];
        let (fits, kind) = match self.options.holomorphic {
            true => (result.dtype.is_complex(), "complex"),
            false => (result.dtype.is_float(), "float"),
        };
        if !fits || result.rank() != 0 {
            fail(no_scalar(kind, result).within(what))
        }
        let mask = graph.leaf_mask(|arg| chosen.contains(&arg), args);
        if self.options.holomorphic {
            refuse_real(what, args, &mask[graph.recorded.captures.len()..]);
        }
        mask
    }

    /// What is made of what was traced.
    fn derivation(&self, mask: &[bool], graph: &Graph<R>) -> Derivation {
        let plain = match self.options.holomorphic {
            false => Derivation::ValueAndGrad(mask.to_vec()),
            true => Derivation::Vjp(mask.to_vec(), (0..graph.results.len()).map(|k| k == 0).collect()),
        };
        match self.budget() {
            Some(budget) => Derivation::Within(Box::new(plain), budget),
            None => plain,
        }
    }

    /// The budget, if there is one.
    fn budget(&self) -> Option<Budget> {
        let Options { budget, compress, .. } = self.options;
        if let Some(dtype) = compress {
            let wrong = match budget {
                None => Some("it is for derivatives with a budget (`.memory_budget(BYTES)`); without one, say which values: `checkpoint(f).keep(..).compress(..)`".to_owned()),
                Some(_) if !dtype.is_float() => Some(format!("floats are kept in a smaller float, for one `DType::BF16`, not in {}", dtype.name())),
                Some(_) => None,
            };
            if let Some(why) = wrong {
                fail(
                    Error::new(format!("compress({}): {why}", dtype.name()), Some(self.what.at))
                        .within(self.what),
                )
            }
        }
        budget.map(|bytes| budget_of(bytes, compress))
    }

    /// Answers what would be kept and computed again, with respect to the chosen arguments.
    fn planner<W: Wrt<A>>(&self, wrt: W) -> Planner<A> {
        let of = self.clone();
        Arc::new(move |args| of.plan(args, &wrt.numbers()))
    }

    fn plan(&self, args: &A, chosen: &[usize]) -> Result<MemoryPlan, Error> {
        boundary(|| {
            let Some(budget) = self.budget() else {
                let message = "there is nothing to plan without a budget: `.memory_budget(BYTES)`";
                fail(Error::new(message, Some(self.what.at)).within(self.what))
            };
            let graph = self.record(args, chosen, false);
            let mask = self.mask(args, chosen, &graph);
            let of = self.derivation(&mask, &graph);
            graph.recorded.memory_plan(self.what, of, &budget).unwrap_or_else(|e| fail(e))
        })
    }
}

/// The gradient of `f` by the chosen arguments, in a tree like all of them, and whether a rule of the user's is a part of it:
/// what such a rule makes need not be a gradient of anything.
pub(crate) fn gradient_by<A: Args>(
    what: What,
    f: &Function<A, Tensor>,
    args: &A,
    chosen: &[usize],
) -> (A, bool) {
    let of = Of { f: f.clone(), what, options: Options::default() };
    let graph = of.record(args, chosen, true);
    let has_rules = graph.recorded.reaches(&|op| matches!(op, Op::CustomJvp(_) | Op::CustomVjp(_)));
    (of.of_graph(args, chosen, &graph).1, has_rules)
}
