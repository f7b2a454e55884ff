//! Arguments and results: nests of tensors.
//!
//! A [`Tree`] is a [`Tensor`], or a tuple, array, `Vec`, `Option`, `Box`, `Arc` or map of trees, or a struct or enum with
//! `#[derive(Tree)]`, or a [`Static`] value that is part of the program rather than of its data. Leaves are
//! *visited* in a fixed order; nothing is collected to call a compiled function, but for the keys of a `HashMap`.

mod containers;
mod functions;
mod leaves;

pub use containers::Static;
pub use functions::{
    Structure, Unravel, flatten, leaves, map, map_n, map_with_path, map2, map3, paths, ravel, stack,
    structure, unstack,
};
pub(crate) use functions::{difference, types, with_leaves};
pub use leaves::Leaves;

use crate::Tensor;

/// A nest of tensors with a fixed order of leaves.
///
/// `#[derive(Tree)]` writes it for structs and enums whose fields are trees. Type parameters must be trees where they are in such
/// fields, and `Clone + Debug + Send + Sync + 'static` where they are in a [`Static`] or in a field with `#[tree(skip)]`;
/// `#[tree(bound = "..")]` on the type says what they must be in place of that.
///
/// ```
/// use wengert::{Static, Tensor, Tree, grad};
/// #[derive(Clone, Debug)]
/// enum Act { Tanh, Relu }
/// #[derive(Clone, Tree)]
/// struct Layer<W, A> { w: W, act: Static<A> }
/// let f = |l: Layer<Tensor, Act>| match l.act.0 { Act::Tanh => l.w.tanh(), Act::Relu => l.w.relu() };
/// let g = grad(f)(Layer { w: Tensor::from(2.0f64), act: Static(Act::Relu) });
/// assert_eq!(g.w.item::<f64>(), 1.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree of tensors, so it cannot be an argument or a result of a transformed function",
    label = "not a `Tree`",
    note = "a tree is a `Tensor`, or a tuple, array, `Vec`, `Option`, `Box`, `Arc` or map of trees",
    note = "a struct or enum of trees needs `#[derive(Clone, wengert::Tree)]`; fields that are no trees are marked `#[tree(skip)]`",
    note = "a number, flag or text is either data, `Tensor::from(value)`, or part of the program, `Static(value)`",
    note = "arguments are taken by value: `Tensor` rather than `&Tensor` (cloning a tensor copies no elements)"
)]
pub trait Tree: Clone + Send + Sync + 'static {
    /// A tree of the same structure with an `X` in place of each leaf: the type of a Jacobian, whose every leaf is a tree like
    /// the arguments. Types that were derived give [`Leaves`].
    type Over<X: Tree>: Tree;

    /// What `f` makes of the leaves, in order, in their places.
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X>;

    /// Shows every leaf to `f`, in order.
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized));

    /// Gives every leaf to `f` to change, in order.
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized));

    /// A tree of the same structure whose leaves are what `f` makes of the old ones, in order.
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self;

    /// Describes what of the structure is not in the Rust type: lengths, variants, static values. Two trees of
    /// one type have equal structure exactly when they describe themselves with the same words.
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        let _ = out;
    }

    /// Names of the leaves, as a user would write them after the name of the argument (`.w`, `[2]`, `.0`).
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        self.visit(&mut |_| out.push(prefix.to_owned()));
    }

    /// How many leaves there are.
    fn leaves(&self) -> usize {
        let mut n = 0;
        self.visit(&mut |_| n += 1);
        n
    }
}

/// A text as words, its length first.
fn words(text: &str, out: &mut (impl FnMut(u64) + ?Sized)) {
    out(text.len() as u64);
    for chunk in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        out(u64::from_le_bytes(word));
    }
}
