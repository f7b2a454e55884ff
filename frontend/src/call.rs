//! `jit(grad(f))(x, y)` as a plain call on stable Rust.
//!
//! [`Args`] is a tuple of arguments; [`Func`] is what can be transformed: any closure over trees, and any
//! transformed function. A transformed function is a struct that derefs to `dyn Fn(x, y) -> r`, whose type
//! [`Args::Callable`] (a GAT) names; so it is called, passed and nested like the closure it came from.

use crate::Tensor;
use crate::tree::{Tree, leaves, with_leaves};

/// A tuple of one to eight arguments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of one to eight trees of tensors, as the arguments of a transformed function are",
    label = "not arguments",
    note = "one argument is a tuple too: `vjp(f, (x,))`"
)]
pub trait Args: Tree {
    /// `dyn Fn(A, B, ..) -> R + Send + Sync`.
    type Callable<R: 'static>: ?Sized + Send + Sync;
    /// Type of the first argument.
    type First: Tree;
    /// Boxes a function of the tuple as a function of its elements.
    fn boxed<R: 'static>(f: impl Fn(Self) -> R + Send + Sync + 'static) -> Box<Self::Callable<R>>;
    /// How many leaves each argument has.
    fn leaf_counts(&self) -> Vec<usize>;
    /// `x`, `y.w`, ...: argument 0 and its leaves are called after `arg0`.
    fn leaf_names(&self) -> Vec<String>;
}

/// A function over trees: what transforms take. That the arguments `A` are trees ([`Args`]) is asked for by the transforms, so
/// that rustc names the argument that is none.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that can be transformed",
    label = "not a function of one to eight arguments that returns a tree of tensors",
    note = "a closure's parameters need their types: `|x: Tensor| ..`",
    note = "the result must be a tree: a `Tensor`, a tuple of tensors, or a type with `#[derive(Clone, wengert::Tree)]`",
    note = "what a closure captures must be `Send + Sync + 'static`: `move` it in, and share it by `Arc`"
)]
pub trait Func<A>: Send + Sync + 'static {
    /// What it returns.
    type Out: Tree;
    /// Calls it with a tuple.
    fn call_with(&self, args: A) -> Self::Out;
}

/// Argument number `N` of a tuple.
#[diagnostic::on_unimplemented(
    message = "there is no argument number {N} (they count from 0) among `{Self}`",
    label = "no argument number {N}"
)]
pub trait Nth<const N: usize> {
    /// Its type.
    type Out: Tree;
    /// The argument.
    fn nth(&self) -> &Self::Out;
}

/// Names argument number `N` in `.wrt(..)`: `grad(f).wrt(ARG1)`, `grad(f).wrt((ARG0, ARG2))`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg<const N: usize>;

/// The first argument, for `.wrt(..)`.
pub const ARG0: Arg<0> = Arg;
/// The second argument, for `.wrt(..)`.
pub const ARG1: Arg<1> = Arg;
/// The third argument, for `.wrt(..)`.
pub const ARG2: Arg<2> = Arg;
/// The fourth argument, for `.wrt(..)`.
pub const ARG3: Arg<3> = Arg;
/// The fifth argument, for `.wrt(..)`.
pub const ARG4: Arg<4> = Arg;
/// The sixth argument, for `.wrt(..)`.
pub const ARG5: Arg<5> = Arg;
/// The seventh argument, for `.wrt(..)`.
pub const ARG6: Arg<6> = Arg;
/// The eighth argument, for `.wrt(..)`.
pub const ARG7: Arg<7> = Arg;

/// A choice of arguments: one, or a tuple of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not choose among the arguments `{A}`",
    label = "not a choice of arguments",
    note = "choose by `ARG0`, `ARG1`, .. or a tuple of them: `.wrt((ARG0, ARG2))`"
)]
pub trait Wrt<A: Args>: Copy + Send + Sync + 'static {
    /// The chosen arguments.
    type Out: Tree;
    /// Picks them.
    fn pick(self, args: &A) -> Self::Out;
    /// Their numbers.
    fn numbers(self) -> Vec<usize>;
}

impl<A: Args + Nth<N>, const N: usize> Wrt<A> for Arg<N> {
    type Out = <A as Nth<N>>::Out;
    fn pick(self, args: &A) -> Self::Out {
        args.nth().clone()
    }
    fn numbers(self) -> Vec<usize> {
        vec![N]
    }
}

macro_rules! wrt_tuple {
    ($($W:ident $i:tt),+) => {
        impl<Z: Args, $($W: Wrt<Z>),+> Wrt<Z> for ($($W,)+) {
            type Out = ($($W::Out,)+);
            fn pick(self, args: &Z) -> Self::Out { ($(self.$i.pick(args),)+) }
            fn numbers(self) -> Vec<usize> { [$(self.$i.numbers()),+].concat() }
        }
    };
}
wrt_tuple!(A 0);
wrt_tuple!(A 0, B 1);
wrt_tuple!(A 0, B 1, C 2);
wrt_tuple!(A 0, B 1, C 2, D 3);
wrt_tuple!(A 0, B 1, C 2, D 3, E 4);
wrt_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);

/// The leaves of chosen arguments, in the order of the choice, apart from all others.
pub(crate) struct Choice {
    /// Numbers of leaves: those that are chosen, then the others.
    order: Vec<usize>,
    chosen: usize,
}

impl Choice {
    /// The arguments of these numbers. An error if one is chosen twice.
    pub(crate) fn new<A: Args>(args: &A, numbers: &[usize]) -> Result<Self, String> {
        if let Some(k) = (1..numbers.len()).find(|&k| numbers[..k].contains(&numbers[k])) {
            return Err(format!(
                "argument {} is chosen twice: name each argument once in `.wrt(..)`",
                numbers[k]
            ));
        }
        let counts = args.leaf_counts();
        let leaves_of = |argument: usize| {
            let first: usize = counts[..argument].iter().sum();
            first..first + counts[argument]
        };
        let mut order: Vec<usize> = numbers.iter().flat_map(|&k| leaves_of(k)).collect();
        let chosen = order.len();
        order.extend((0..counts.len()).filter(|k| !numbers.contains(k)).flat_map(leaves_of));
        Ok(Self { order, chosen })
    }

    /// The chosen leaves, and the others.
    pub(crate) fn split<A: Args>(&self, args: &A) -> (Vec<Tensor>, Vec<Tensor>) {
        let all = leaves(args);
        let mut chosen: Vec<Tensor> = self.order.iter().map(|&k| all[k].clone()).collect();
        let others = chosen.split_off(self.chosen);
        (chosen, others)
    }

    /// Arguments like these of chosen leaves and others.
    pub(crate) fn join<A: Args>(&self, like: &A, chosen: &[Tensor], others: &[Tensor]) -> A {
        let mut all: Vec<(usize, &Tensor)> =
            self.order.iter().copied().zip(chosen.iter().chain(others)).collect();
        all.sort_by_key(|leaf| leaf.0);
        with_leaves(like, all.into_iter().map(|leaf| leaf.1.clone()).collect())
    }
}

macro_rules! args {
    ($($T:ident $x:ident $i:tt),+; $($nth:tt $N:ident),+) => {
        impl<$($T: Tree),+> Args for ($($T,)+) {
            type Callable<R: 'static> = dyn Fn($($T),+) -> R + Send + Sync;
            type First = A;
            fn boxed<R: 'static>(f: impl Fn(Self) -> R + Send + Sync + 'static) -> Box<Self::Callable<R>> {
                Box::new(move |$($x),+| f(($($x,)+)))
            }
            fn leaf_counts(&self) -> Vec<usize> { vec![$(self.$i.leaves()),+] }
            fn leaf_names(&self) -> Vec<String> {
                let mut out = Vec::new();
                $(self.$i.names(concat!("arg", $i), &mut out);)+
                out
            }
        }
        impl<$($T,)+ R: Tree, Fun: Fn($($T),+) -> R + Send + Sync + 'static> Func<($($T,)+)> for Fun {
            type Out = R;
            fn call_with(&self, ($($x,)+): ($($T,)+)) -> R { self($($x),+) }
        }
        args!(@nth ($($T),+) $($nth $N),+);
    };
    (@nth $all:tt $($nth:tt $N:ident),+) => { $(args!(@one $all $nth $N);)+ };
    (@one ($($T:ident),+) $nth:tt $N:ident) => {
        impl<$($T: Tree),+> Nth<$nth> for ($($T,)+) {
            type Out = $N;
            fn nth(&self) -> &$N { &self.$nth }
        }
    };
}
args!(A a 0; 0 A);
args!(A a 0, B b 1; 0 A, 1 B);
args!(A a 0, B b 1, C c 2; 0 A, 1 B, 2 C);
args!(A a 0, B b 1, C c 2, D d 3; 0 A, 1 B, 2 C, 3 D);
args!(A a 0, B b 1, C c 2, D d 3, E e 4; 0 A, 1 B, 2 C, 3 D, 4 E);
args!(A a 0, B b 1, C c 2, D d 3, E e 4, F f2 5; 0 A, 1 B, 2 C, 3 D, 4 E, 5 F);
args!(A a 0, B b 1, C c 2, D d 3, E e 4, F f2 5, G g 6; 0 A, 1 B, 2 C, 3 D, 4 E, 5 F, 6 G);
args!(A a 0, B b 1, C c 2, D d 3, E e 4, F f2 5, G g 6, H h 7; 0 A, 1 B, 2 C, 3 D, 4 E, 5 F, 6 G, 7 H);
