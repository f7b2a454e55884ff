//! What is a tree without being asked: tensors, tuples, arrays, containers, static values.

use super::{Tree, words};
use crate::Tensor;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

impl Tree for Tensor {
    type Over<X: Tree> = X;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        f(self)
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        f(self);
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        f(self);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        f(self)
    }
}

impl Tree for () {
    type Over<X: Tree> = ();
    fn over<X: Tree>(&self, _: &mut (impl FnMut(&Tensor) -> X + ?Sized)) {}
    fn visit<'a>(&'a self, _: &mut (impl FnMut(&'a Tensor) + ?Sized)) {}
    fn visit_mut<'a>(&'a mut self, _: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {}
    fn map(&self, _: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {}
}

macro_rules! tuples {
    ($($T:ident $i:tt),+) => {
        impl<$($T: Tree),+> Tree for ($($T,)+) {
            type Over<X: Tree> = ($($T::Over<X>,)+);
            fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> { ($(self.$i.over(f),)+) }
            fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) { $(self.$i.visit(f);)+ }
            fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) { $(self.$i.visit_mut(f);)+ }
            fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self { ($(self.$i.map(f),)+) }
            fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) { $(self.$i.structure(out);)+ }
            fn names(&self, prefix: &str, out: &mut Vec<String>) {
                $(self.$i.names(&format!("{prefix}.{}", $i), out);)+
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

impl<T: Tree> Tree for Vec<T> {
    type Over<X: Tree> = Vec<T::Over<X>>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        self.iter().map(|t| t.over(f)).collect()
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        self.iter().for_each(|t| t.visit(f));
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        self.iter_mut().for_each(|t| t.visit_mut(f));
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        self.iter().map(|t| t.map(f)).collect()
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        out(self.len() as u64);
        self.iter().for_each(|t| t.structure(out));
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        self.iter().enumerate().for_each(|(i, t)| t.names(&format!("{prefix}[{i}]"), out));
    }
}

impl<T: Tree, const N: usize> Tree for [T; N] {
    type Over<X: Tree> = [T::Over<X>; N];
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        std::array::from_fn(|i| self[i].over(f))
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        self.iter().for_each(|t| t.visit(f));
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        self.iter_mut().for_each(|t| t.visit_mut(f));
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        std::array::from_fn(|i| self[i].map(f))
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        self.iter().for_each(|t| t.structure(out));
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        self.iter().enumerate().for_each(|(i, t)| t.names(&format!("{prefix}[{i}]"), out));
    }
}

impl<T: Tree> Tree for Option<T> {
    type Over<X: Tree> = Option<T::Over<X>>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        self.as_ref().map(|t| t.over(f))
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        self.iter().for_each(|t| t.visit(f));
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        self.iter_mut().for_each(|t| t.visit_mut(f));
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        self.as_ref().map(|t| t.map(f))
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        out(self.is_some() as u64);
        self.iter().for_each(|t| t.structure(out));
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        self.iter().for_each(|t| t.names(prefix, out));
    }
}

impl<T: Tree> Tree for Box<T> {
    type Over<X: Tree> = Box<T::Over<X>>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        Box::new((**self).over(f))
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        (**self).visit(f);
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        (**self).visit_mut(f);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        Box::new((**self).map(f))
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        (**self).structure(out);
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        (**self).names(prefix, out);
    }
}

impl<T: Tree> Tree for Arc<T> {
    type Over<X: Tree> = Arc<T::Over<X>>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        Arc::new((**self).over(f))
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        (**self).visit(f);
    }
    /// What is shared is cloned first, which shares the elements of tensors.
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        Arc::make_mut(self).visit_mut(f);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        Arc::new((**self).map(f))
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        (**self).structure(out);
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        (**self).names(prefix, out);
    }
}

/// In the order of the keys: that of a hash map changes from run to run, and the order of leaves is that of the arguments of
/// the compiled program.
impl<K, T, S> Tree for HashMap<K, T, S>
where
    K: Clone + Ord + Hash + fmt::Debug + Send + Sync + 'static,
    T: Tree,
    S: BuildHasher + Clone + Default + Send + Sync + 'static,
{
    type Over<X: Tree> = HashMap<K, T::Over<X>, S>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        by_key(self).into_iter().map(|(k, t)| (k.clone(), t.over(f))).collect()
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        by_key(self).into_iter().for_each(|(_, t)| t.visit(f));
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        let mut entries: Vec<(&K, &mut T)> = self.iter_mut().collect();
        entries.sort_unstable_by_key(|(k, _)| *k);
        entries.into_iter().for_each(|(_, t)| t.visit_mut(f));
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        by_key(self).into_iter().map(|(k, t)| (k.clone(), t.map(f))).collect()
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        out(self.len() as u64);
        for (k, t) in by_key(self) {
            words(&format!("{k:?}"), out);
            t.structure(out);
        }
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        by_key(self).into_iter().for_each(|(k, t)| t.names(&format!("{prefix}[{k:?}]"), out));
    }
}

fn by_key<K: Ord, T, S>(map: &HashMap<K, T, S>) -> Vec<(&K, &T)> {
    let mut entries: Vec<(&K, &T)> = map.iter().collect();
    entries.sort_unstable_by_key(|(k, _)| *k);
    entries
}

impl<K: Clone + Ord + fmt::Debug + Send + Sync + 'static, T: Tree> Tree for BTreeMap<K, T> {
    type Over<X: Tree> = BTreeMap<K, T::Over<X>>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        self.iter().map(|(k, t)| (k.clone(), t.over(f))).collect()
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        self.values().for_each(|t| t.visit(f));
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        self.values_mut().for_each(|t| t.visit_mut(f));
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        self.iter().map(|(k, t)| (k.clone(), t.map(f))).collect()
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        out(self.len() as u64);
        for (k, t) in self {
            words(&format!("{k:?}"), out);
            t.structure(out);
        }
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        self.iter().for_each(|(k, t)| t.names(&format!("{prefix}[{k:?}]"), out));
    }
}

/// An argument that is part of the program, not of its data: a flag, a size, a name. A compiled function
/// is traced anew for each value, told apart by its `Debug` text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Static<T>(pub T);

impl<T: Clone + fmt::Debug + Send + Sync + 'static> Tree for Static<T> {
    type Over<X: Tree> = Self;
    fn over<X: Tree>(&self, _: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self {
        self.clone()
    }
    fn visit<'a>(&'a self, _: &mut (impl FnMut(&'a Tensor) + ?Sized)) {}
    fn visit_mut<'a>(&'a mut self, _: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {}
    fn map(&self, _: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        self.clone()
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        words(&format!("{:?}", self.0), out);
    }
}
