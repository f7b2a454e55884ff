//! Trees as a whole: mapped together, taken apart and put together again, as one vector, as rows of a batch.

use super::Tree;
use crate::error::{Error, fail};
use crate::ops::shape::concatenate;
use crate::{DType, Tensor};
use std::fmt;
use std::panic::Location;
use wengert_ir::types::TensorType;

type At = &'static Location<'static>;

/// The leaves, in order.
///
/// ```
/// use wengert::{Tensor, tree};
/// let t = (Tensor::from(1.0f64), vec![Tensor::from(2.0f64)]);
/// assert_eq!(tree::leaves(&t).len(), 2);
/// assert_eq!(tree::paths(&t), [".0", ".1[0]"]);
/// ```
pub fn leaves<T: Tree>(tree: &T) -> Vec<Tensor> {
    let mut all = Vec::new();
    tree.visit(&mut |t| all.push(t.clone()));
    all
}

/// Types of the leaves, in order.
pub(crate) fn types<T: Tree>(tree: &T) -> Vec<TensorType> {
    let mut all = Vec::new();
    tree.visit(&mut |t| all.push(t.ty()));
    all
}

/// A tree of the structure of another, of as many leaves.
pub(crate) fn with_leaves<T: Tree>(like: &T, leaves: Vec<Tensor>) -> T {
    let mut leaves = leaves.into_iter();
    like.map(&mut |_| leaves.next().expect("a tensor per leaf"))
}

/// How the leaves are reached, in order, as one would write it after the name of the tree.
pub fn paths<T: Tree>(tree: &T) -> Vec<String> {
    let mut names = Vec::new();
    tree.names("", &mut names);
    names
}

/// A tree of the same structure whose leaves are what `f` makes of the old ones.
///
/// ```
/// use wengert::{Tensor, tree};
/// let doubled = tree::map(&(Tensor::from(1.0f64), Tensor::from(2.0f64)), |t| t * 2.0);
/// assert_eq!(doubled.1.item::<f64>(), 4.0);
/// ```
pub fn map<T: Tree>(tree: &T, mut f: impl FnMut(&Tensor) -> Tensor) -> T {
    tree.map(&mut f)
}

/// As [`map`], where `f` is also given how a leaf is reached ([`paths`]): to treat some of them otherwise.
///
/// ```
/// use wengert::{Tensor, Tree, tree};
/// #[derive(Clone, Tree)]
/// struct Layer { w: Tensor, b: Tensor }
/// let one = || Tensor::from(1.0f64);
/// let layers = vec![Layer { w: one(), b: one() }, Layer { w: one(), b: one() }];
/// // Weights decay, biases do not.
/// let decayed = tree::map_with_path(&layers, |path, t| if path.ends_with(".w") { t * 0.9 } else { t.clone() });
/// assert_eq!((decayed[1].w.item::<f64>(), decayed[1].b.item::<f64>()), (0.9, 1.0));
/// ```
pub fn map_with_path<T: Tree>(tree: &T, mut f: impl FnMut(&str, &Tensor) -> Tensor) -> T {
    let mut paths = paths(tree).into_iter();
    tree.map(&mut |t| f(&paths.next().expect("a path per leaf"), t))
}

/// A tree of what `f` makes of the leaves of two trees of one structure: a step of gradient descent, say.
///
/// ```
/// use wengert::{Tensor, grad, tree};
/// let f = |(w, b): (Tensor, Tensor)| (w * 3.0 + &b * &b).sum();
/// let at = (Tensor::from(1.0f64), Tensor::from(2.0f64));
/// let step = tree::map2(&at, &grad(f)(at.clone()), |x, dx| x - dx * 0.5);
/// assert_eq!((step.0.item::<f64>(), step.1.item::<f64>()), (-0.5, 0.0));
/// ```
///
/// Fails if the structures differ: lengths, variants, keys, static values.
#[track_caller]
pub fn map2<T: Tree>(a: &T, b: &T, mut f: impl FnMut(&Tensor, &Tensor) -> Tensor) -> T {
    map_all(&[a, b], Location::caller(), &mut |t| f(t[0], t[1]))
}

/// As [`map2`], of three trees.
///
/// Fails if the structures differ.
#[track_caller]
pub fn map3<T: Tree>(a: &T, b: &T, c: &T, mut f: impl FnMut(&Tensor, &Tensor, &Tensor) -> Tensor) -> T {
    map_all(&[a, b, c], Location::caller(), &mut |t| f(t[0], t[1], t[2]))
}

/// As [`map2`], of any number of trees: `f` is given a leaf of each.
///
/// ```
/// use wengert::{Tensor, tree};
/// let models = [vec![Tensor::from(1.0f64)], vec![Tensor::from(3.0f64)]];
/// let sum = tree::map_n(&models.each_ref(), |t| t.iter().fold(Tensor::from(0.0f64), |sum, &x| sum + x));
/// assert_eq!(sum[0].item::<f64>(), 4.0);
/// ```
///
/// Fails if there is no tree, or if the structures differ.
#[track_caller]
pub fn map_n<T: Tree>(trees: &[&T], mut f: impl FnMut(&[&Tensor]) -> Tensor) -> T {
    map_all(trees, Location::caller(), &mut f)
}

fn map_all<T: Tree>(trees: &[&T], at: At, f: &mut dyn FnMut(&[&Tensor]) -> Tensor) -> T {
    let Some((&first, others)) = trees.split_first() else {
        fail(Error::new("tree::map_n: there is no tree to map", Some(at)))
    };
    same_structure(first, others, at);
    let mut rows: Vec<Vec<&Tensor>> = Vec::new();
    first.visit(&mut |t| rows.push(vec![t]));
    for tree in others {
        let mut k = 0;
        tree.visit(&mut |t| {
            rows[k].push(t);
            k += 1;
        });
    }
    let mut rows = rows.iter();
    first.map(&mut |_| f(rows.next().expect("a row per leaf")))
}

/// Fails if a tree is not like the first one, with the first path that tells them apart.
fn same_structure<T: Tree>(first: &T, others: &[&T], at: At) {
    for (k, tree) in others.iter().enumerate() {
        if let Some([wanted, found]) = difference(first, *tree) {
            let k = k + 1;
            let message = format!("trees of different structure: tree 0 is {wanted}, tree {k} is {found}");
            fail(Error::new(message, Some(at)))
        }
    }
}

/// What two trees are, in words, if their structures differ.
pub(crate) fn difference<T: Tree>(a: &T, b: &T) -> Option<[String; 2]> {
    if a.leaves() == b.leaves() && description(a) == description(b) {
        return None;
    }
    let [a, b] = [paths(a), paths(b)].map(|paths| format!("{{{}}}", paths.join(", ")));
    // Leaves of the same names: variants without leaves, or what is part of the program.
    let other = if a == b { format!("{b} with other variants or static values") } else { b };
    Some([a, other])
}

/// What of a structure is not in the Rust type.
fn description<T: Tree>(tree: &T) -> Vec<u64> {
    let mut words = Vec::new();
    tree.structure(&mut |word| words.push(word));
    words
}

/// A tree without its leaves. Two structures are equal if one tree's leaves fit into the other. Its `Display` are the paths
/// to the leaves.
#[derive(Clone)]
pub struct Structure<T> {
    /// The tree it was taken of, with leaves that are not looked at.
    like: T,
    words: Vec<u64>,
    paths: Vec<String>,
}

/// The structure of a tree.
///
/// ```
/// use wengert::{Tensor, tree};
/// let (a, b) = (Tensor::from(1.0f64), Tensor::from([2.0f64]));
/// assert_eq!(tree::structure(&vec![a.clone(), b.clone()]), tree::structure(&vec![b.clone(), a.clone()]));
/// assert_eq!(tree::structure(&(a, vec![b])).to_string(), "{.0, .1[0]}");
/// ```
pub fn structure<T: Tree>(tree: &T) -> Structure<T> {
    // Nothing of the leaves is kept alive.
    let like = tree.map(&mut |_| Tensor::from(0.0f32));
    Structure { like, words: description(tree), paths: paths(tree) }
}

impl<T> PartialEq for Structure<T> {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words && self.paths == other.paths
    }
}
impl<T> Eq for Structure<T> {}

impl<T> fmt::Display for Structure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.paths.join(", "))
    }
}

impl<T> fmt::Debug for Structure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T: Tree> Structure<T> {
    /// How many leaves there are.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// A number that is the same wherever this structure is, in another process too (FNV-1a of all that describes it).
    pub(crate) fn fingerprint(&self) -> u64 {
        let paths = self.paths.iter().flat_map(|path| path.bytes().chain([0]));
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes()).chain(paths);
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3))
    }

    /// The tree with these leaves, in order.
    ///
    /// Fails if there are more or fewer than the structure has.
    pub fn unflatten(&self, leaves: impl IntoIterator<Item = Tensor>) -> Result<T, Error> {
        let leaves: Vec<Tensor> = leaves.into_iter().collect();
        if leaves.len() != self.len() {
            let (given, wanted) = (leaves.len(), self.len());
            return Err(Error::new(
                format!("{given} leaves for the structure {self}, which has {wanted}"),
                None,
            ));
        }
        let mut leaves = leaves.into_iter();
        Ok(self.like.map(&mut |_| leaves.next().expect("counted")))
    }
}

/// The leaves of a tree, and its structure, which puts such leaves together again.
///
/// ```
/// use wengert::{Tensor, tree};
/// let (leaves, structure) = tree::flatten(&[Tensor::from(1.0f64), Tensor::from(2.0f64)]);
/// let turned = structure.unflatten(leaves.into_iter().rev())?;
/// assert_eq!(turned[0].item::<f64>(), 2.0);
/// # Ok::<(), wengert::Error>(())
/// ```
pub fn flatten<T: Tree>(tree: &T) -> (Vec<Tensor>, Structure<T>) {
    (leaves(tree), structure(tree))
}

/// All elements of a tree as one vector, leaf after leaf, in a type that holds them all ([`crate::promote_types`]; `f32` if there
/// is no leaf), and what turns such a vector into a tree again.
///
/// ```
/// use wengert::{Tensor, tree};
/// let t = (Tensor::from([[1.0f64, 2.0]]), Tensor::from(3.0f64));
/// let (v, unravel) = tree::ravel(&t);
/// assert_eq!(v.to_vec::<f64>(), [1.0, 2.0, 3.0]);
/// assert_eq!(unravel.call(&(v * 2.0)).0.to_vec::<f64>(), [2.0, 4.0]);
/// ```
#[track_caller]
pub fn ravel<T: Tree>(tree: &T) -> (Tensor, Unravel<T>) {
    let leaves = leaves(tree);
    let types: Vec<TensorType> = leaves.iter().map(Tensor::ty).collect();
    let dtype = types.iter().map(|t| t.dtype).reduce(crate::promote_types).unwrap_or(DType::F32);
    let flat: Vec<Tensor> = leaves.iter().map(|t| t.astype(dtype).ravel()).collect();
    let vector = match flat.is_empty() {
        true => Tensor::zeros(&[0], dtype),
        false => concatenate(&flat, 0),
    };
    (vector, Unravel { structure: structure(tree), types, dtype })
}

/// Turns vectors into trees: what [`ravel`] gives beside the vector.
#[derive(Clone, Debug)]
pub struct Unravel<T> {
    structure: Structure<T>,
    types: Vec<TensorType>,
    dtype: DType,
}

impl<T: Tree> Unravel<T> {
    /// The tree whose elements, leaf after leaf, are those of the vector, each leaf in its own element type.
    ///
    /// Fails if the vector is not as long as the tree has elements.
    #[track_caller]
    pub fn call(&self, vector: &Tensor) -> T {
        let at = Location::caller();
        let total: usize = self.types.iter().map(TensorType::elements).sum();
        if vector.shape() != [total] {
            let wanted = TensorType::new(self.dtype, &[total]);
            let message =
                format!("unravel: the vector is {}, the tree {} takes {wanted}", vector.ty(), self.structure);
            fail(Error::new(message, Some(at)))
        }
        let mut from = 0;
        let leaves: Vec<Tensor> = (self.types.iter())
            .map(|ty| {
                let part = vector.get(from..from + ty.elements());
                from += ty.elements();
                part.reshape_to(ty.shape[..].into(), at).astype(ty.dtype)
            })
            .collect();
        self.structure.unflatten(leaves).expect("a leaf per type")
    }
}

/// Trees of one structure as one whose leaves have a dimension more, the first: a batch of examples for [`crate::vmap`].
///
/// ```
/// use wengert::{Tensor, tree};
/// let examples = [(Tensor::from(1.0f64), Tensor::from([1.0f64, 2.0])), (Tensor::from(2.0f64), Tensor::from([3.0f64, 4.0]))];
/// let batch = tree::stack(&examples);
/// assert_eq!((batch.0.shape(), batch.1.shape()), (&[2][..], &[2, 2][..]));
/// assert_eq!(tree::unstack(&batch)[1].0.item::<f64>(), 2.0);
/// ```
///
/// Fails if there is no tree, if the structures differ, or the types of leaves.
#[track_caller]
pub fn stack<T: Tree>(trees: &[T]) -> T {
    let trees: Vec<&T> = trees.iter().collect();
    map_all(&trees, Location::caller(), &mut |t| {
        crate::stack(&t.iter().map(|&t| t.clone()).collect::<Vec<_>>(), 0)
    })
}

/// The rows of a batch, each a tree: what [`stack`] made one of.
///
/// Fails if there is no leaf, or if leaves have no first dimension or different ones.
#[track_caller]
pub fn unstack<T: Tree>(batch: &T) -> Vec<T> {
    let at = Location::caller();
    let refuse = |message: String| -> ! { fail(Error::new(message, Some(at))) };
    let mut rows: Option<usize> = None;
    for (t, path) in leaves(batch).iter().zip(paths(batch)) {
        match (t.shape().first(), rows) {
            (None, _) => refuse(format!("tree::unstack: the leaf {path} is {}, which has no rows", t.ty())),
            (Some(&n), Some(rows)) if n != rows => {
                refuse(format!("tree::unstack: the leaf {path} has {n} rows, leaves before it {rows}"))
            }
            (Some(&n), _) => rows = Some(n),
        }
    }
    let Some(rows) = rows else { refuse("tree::unstack: there is no leaf to take rows of".into()) };
    (0..rows).map(|k| batch.map(&mut |t| t.get(k))).collect()
}
