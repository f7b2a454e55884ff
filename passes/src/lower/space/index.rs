//! Index arithmetic: affine forms over loop counters, and how a linear position splits into a shape.

use crate::lower::plan::views::row_major;
use smallvec::SmallVec;
use wengert_ir::kernel::KValue;

/// What an index is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Var {
    /// A dimension of the iteration space, by number.
    Atom(u32),
    /// An `I64` of the kernel around the loops.
    Outer(KValue),
    /// An `I64` node of the expression graph.
    Node(u32),
}

/// `offset + sum of coefficient * variable`; terms sorted by variable, no coefficient zero.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Affine {
    pub(in crate::lower) offset: i64,
    pub(in crate::lower) terms: SmallVec<[(Var, i64); 2]>,
}

impl Affine {
    /// A number.
    pub fn constant(offset: i64) -> Self {
        Self { offset, terms: SmallVec::new() }
    }

    /// A variable.
    pub fn var(var: Var) -> Self {
        Self { offset: 0, terms: SmallVec::from_slice(&[(var, 1)]) }
    }

    /// Adds `scale * other`.
    pub fn add(&mut self, other: &Affine, scale: i64) {
        if scale == 0 {
            return;
        }
        self.offset += scale * other.offset;
        for &(var, c) in &other.terms {
            self.add_term(var, scale * c);
        }
    }

    pub(in crate::lower) fn add_term(&mut self, var: Var, c: i64) {
        match self.terms.binary_search_by_key(&var, |t| t.0) {
            Ok(k) => {
                self.terms[k].1 += c;
                if self.terms[k].1 == 0 {
                    self.terms.remove(k);
                }
            }
            Err(k) if c != 0 => self.terms.insert(k, (var, c)),
            Err(_) => {}
        }
    }

    /// `scale * self + offset`.
    pub fn scaled(&self, scale: i64, offset: i64) -> Self {
        let mut out = Self::constant(offset);
        out.add(self, scale);
        out
    }

    pub(in crate::lower) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.offset)
    }

    pub(in crate::lower) fn coefficient(&self, var: Var) -> i64 {
        self.terms.binary_search_by_key(&var, |t| t.0).map_or(0, |k| self.terms[k].1)
    }

    /// Smallest and largest value, when each variable runs from 0 to `max(var)` inclusive.
    pub fn range(&self, max: &impl Fn(Var) -> i64) -> (i64, i64) {
        self.terms.iter().fold((self.offset, self.offset), |(lo, hi), &(var, c)| {
            let end = c.saturating_mul(max(var));
            (lo.saturating_add(end.min(0)), hi.saturating_add(end.max(0)))
        })
    }
}

/// A short list of indices, one per dimension.
pub(in crate::lower) type Indices = SmallVec<[Affine; 4]>;

/// The row-major position of an index.
pub fn linear(indices: &[Affine], shape: &[usize]) -> Affine {
    let mut out = Affine::default();
    for (index, stride) in indices.iter().zip(row_major(shape)) {
        out.add(index, stride);
    }
    out
}

/// Why a linear position does not split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// It would if this atom were two, the inner one of this extent.
    Split(u32, i64),
    /// It takes a division.
    Divide,
}

/// Splits a row-major position into indices of `shape`, if it can be done without dividing. `extent` is
/// the number of values of an atom.
pub fn delinearize(position: &Affine, shape: &[usize], max: &impl Fn(Var) -> i64) -> Result<Indices, Stuck> {
    let mut out: Indices = SmallVec::new();
    let mut rest = position.clone();
    for (d, stride) in row_major(shape).into_iter().enumerate() {
        if shape[d] == 1 {
            out.push(Affine::default());
            continue;
        }
        // The terms that are whole steps of this dimension are its index; what remains must stay within one step.
        let mut index = Affine::constant(rest.offset.div_euclid(stride));
        let mut inner = Affine::constant(rest.offset.rem_euclid(stride));
        for &(var, c) in &rest.terms {
            let target = if c % stride == 0 { (&mut index, c / stride) } else { (&mut inner, c) };
            target.0.add_term(var, target.1);
        }
        let (lo, hi) = inner.range(max);
        if lo < 0 || hi >= stride {
            for &(var, c) in &inner.terms {
                if let Var::Atom(a) = var
                    && c > 0
                    && stride % c == 0
                    && c * max(var) >= stride
                    && (max(var) + 1) % (stride / c) == 0
                {
                    return Err(Stuck::Split(a, stride / c));
                }
            }
            return Err(Stuck::Divide);
        }
        out.push(index);
        rest = inner;
    }
    Ok(out)
}
