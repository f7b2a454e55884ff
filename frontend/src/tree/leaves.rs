//! [`Leaves`]: what stands in the places of the leaves of a type that was derived.

use super::{Tree, paths, words};
use crate::Tensor;
use std::ops::Index;

/// Something for each leaf of a tree, in the order of the leaves and with their names.
///
/// ```
/// use wengert::{Tensor, Tree, jacrev};
/// #[derive(Clone, Tree)]
/// struct Out { norm: Tensor, turned: Tensor }
/// let f = |x: Tensor| Out { norm: (&x * &x).sum(), turned: x.flip(0) };
/// let j = jacrev(f)(Tensor::from([1.0f64, 2.0]));
/// assert_eq!(j[".norm"].to_vec::<f64>(), [2.0, 4.0]);
/// assert_eq!(j[1].to_vec::<f64>(), [0.0, 1.0, 1.0, 0.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Leaves<X> {
    names: Vec<String>,
    all: Vec<X>,
}

impl<X> Leaves<X> {
    /// What `f` makes of the leaves of a tree.
    pub fn of<T: Tree>(tree: &T, mut f: impl FnMut(&Tensor) -> X) -> Self {
        let mut all = Vec::new();
        tree.visit(&mut |t| all.push(f(t)));
        Self { names: paths(tree), all }
    }

    /// How many leaves there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What stands for the leaf of this name: `.w`, `.layers[1].b`.
    pub fn get(&self, name: &str) -> Option<&X> {
        self.names.iter().position(|n| n == name).map(|k| &self.all[k])
    }

    /// Names and what is called by them, in the order of the leaves.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &X)> {
        self.names.iter().map(String::as_str).zip(&self.all)
    }
}

impl<X> Index<usize> for Leaves<X> {
    type Output = X;
    fn index(&self, leaf: usize) -> &X {
        &self.all[leaf]
    }
}

impl<X> Index<&str> for Leaves<X> {
    type Output = X;
    /// Panics if there is no leaf of this name; the message lists those there are.
    fn index(&self, name: &str) -> &X {
        self.get(name)
            .unwrap_or_else(|| panic!("no leaf is called `{name}`: there are {}", self.names.join(", ")))
    }
}

impl<T: Tree> Tree for Leaves<T> {
    type Over<X: Tree> = Leaves<T::Over<X>>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        Leaves { names: self.names.clone(), all: self.all.over(f) }
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        self.all.visit(f);
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        self.all.visit_mut(f);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        Leaves { names: self.names.clone(), all: self.all.map(f) }
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        self.names.iter().for_each(|name| words(name, out));
        self.all.structure(out);
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        self.iter().for_each(|(name, t)| t.names(&format!("{prefix}{name}"), out));
    }
}
