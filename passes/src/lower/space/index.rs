//! Index arithmetic: affine forms over loop counters, and how a linear position splits into a shape.

use crate::lower::plan::views::row_major;
use smallvec::SmallVec;
use wengert_ir::kernel::KValue;

/// What an index is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::lower) enum Var {
    /// A dimension of the iteration space, by number.
    Atom(u32),
    /// An `I64` of the kernel around the loops.
    Outer(KValue),
    /// An `I64` node of the expression graph.
    Node(u32),
}

/// `offset + sum of coefficient * variable`; terms sorted by variable, no coefficient zero.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) struct Affine {
    pub(in crate::lower) offset: i64,
    pub(in crate::lower) terms: SmallVec<[(Var, i64); 2]>,
}

impl Affine {
    pub(in crate::lower) fn constant(offset: i64) -> Self {
        Self { offset, terms: SmallVec::new() }
    }

    pub(in crate::lower) fn var(var: Var) -> Self {
        Self { offset: 0, terms: SmallVec::from_slice(&[(var, 1)]) }
    }

    /// Adds `scale * other`.
    pub(in crate::lower) fn add(&mut self, other: &Affine, scale: i64) {
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
    pub(in crate::lower) fn scaled(&self, scale: i64, offset: i64) -> Self {
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
    pub(in crate::lower) fn range(&self, max: &impl Fn(Var) -> i64) -> (i64, i64) {
        self.terms.iter().fold((self.offset, self.offset), |(lo, hi), &(var, c)| {
            let end = c.saturating_mul(max(var));
            (lo.saturating_add(end.min(0)), hi.saturating_add(end.max(0)))
        })
    }
}

/// A short list of indices, one per dimension.
pub(in crate::lower) type Indices = SmallVec<[Affine; 4]>;

/// The row-major position of an index.
pub(in crate::lower) fn linear(indices: &[Affine], shape: &[usize]) -> Affine {
    let mut out = Affine::default();
    for (index, stride) in indices.iter().zip(row_major(shape)) {
        out.add(index, stride);
    }
    out
}

/// Why a linear position does not split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Stuck {
    /// It would if this atom were two, the inner one of this extent.
    Split(u32, i64),
    /// It takes a division.
    Divide,
}

/// Splits a row-major position into indices of `shape`, if it can be done without dividing. `extent` is
/// the number of values of an atom.
pub(in crate::lower) fn delinearize(
    position: &Affine,
    shape: &[usize],
    max: &impl Fn(Var) -> i64,
) -> Result<Indices, Stuck> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(k: u32, c: i64) -> Affine {
        Affine::var(Var::Atom(k)).scaled(c, 0)
    }

    #[test]
    fn a_position_splits_where_its_terms_do() {
        // Atoms of extents 2 and 12 over the shape 2x3x4: the second must be cut at 4.
        let max = |v: Var| if v == Var::Atom(0) { 1 } else { 11 };
        let mut p = atom(0, 12);
        p.add(&atom(1, 1), 1);
        assert_eq!(delinearize(&p, &[2, 3, 4], &max), Err(Stuck::Split(1, 4)));
        let split = delinearize(&p, &[2, 12], &max).unwrap();
        assert_eq!(split[..], [atom(0, 1), atom(1, 1)]);
        assert_eq!(linear(&split, &[2, 12]), p);
    }

    #[test]
    fn a_reversed_position_splits_when_each_part_is_reversed() {
        let max = |v: Var| if v == Var::Atom(0) { 1 } else { 3 };
        // (1 - i) * 4 + (3 - j)
        let mut p = Affine::constant(7);
        p.add(&atom(0, 1), -4);
        p.add(&atom(1, 1), -1);
        let split = delinearize(&p, &[2, 4], &max).unwrap();
        assert_eq!(split[1].range(&max), (0, 3));
    }
}
