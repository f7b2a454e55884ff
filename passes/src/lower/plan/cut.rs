//! Which products have a factor that is made piece by piece.
//!
//! A factor that is much larger than what it is made of, as the windows of a convolution are, is not stored whole: some
//! of its rows are made in memory that stays in a near cache, multiplied while they are there, and the next take their
//! place. Batches are cut before rows; where one row is longer than a piece, the sum is cut, and pieces are added up.

use super::classify::{Class, class, has_one_type};
use super::recomputation::arithmetic_of;
use super::strided_views::is_view;
use crate::cost::{self, Target};
use wengert_ir::func::{Func, Inst, Value};
use wengert_ir::op::{DotGeneral, Op};
use wengert_ir::types::{Dims, TensorType};

/// How a factor is cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Cut {
    /// Which of the two.
    pub(in crate::lower) factor: usize,
    /// Dimensions of which each piece has one index, outermost first.
    pub(in crate::lower) single: Dims,
    /// The dimension of which it has several, and how many.
    pub(in crate::lower) several: (usize, usize),
    /// Whether what is cut is summed over.
    pub(in crate::lower) adds: bool,
    /// Dimensions that are summed over, outermost first.
    pub(in crate::lower) contracted: Dims,
}

/// How a factor of a contraction that is not stored is to be cut, if it is.
pub(in crate::lower) fn cut(target: &Target, func: &Func, inst: &Inst) -> Option<Cut> {
    let Op::DotGeneral(dot) = &inst.op else { return None };
    if !dot.dtype.is_float() || !has_one_type(func, inst) || class(func, inst) != Class::Opaque {
        return None;
    }
    let size = |k: usize| func.tensor(inst.operands[k]).checked_elements().unwrap_or(0);
    let factor = usize::from(size(1) > size(0));
    let v = inst.operands[factor];
    let bytes = size(factor) * func.tensor(v).dtype.size();
    if bytes < target.pieces * target.piece_bytes || !is_expansion(target, func, v) {
        return None;
    }
    cut_of(target, func, inst, dot, factor)
}

/// Whether what a value is made of is much smaller than it, and quickly made into it.
fn is_expansion(target: &Target, func: &Func, v: Value) -> bool {
    /// Instructions that are looked at.
    const MOST: usize = 24;
    let size = |v: Value| func.tensor(v).checked_elements().unwrap_or(usize::MAX);
    let (mut seen, mut read, mut arithmetic) = (vec![v], 0usize, 0u32);
    let mut next = 0;
    while next < seen.len() {
        let w = seen[next];
        next += 1;
        let made = func.def(w).map(|(_, inst)| inst).filter(|inst| {
            let moved = matches!(class(func, inst), Class::Elementwise | Class::Index);
            let anywhere = matches!(inst.op, Op::Gather(_)) && !is_view(func, inst);
            moved && !anywhere && !cost::is_expensive(&inst.op)
        });
        match made {
            Some(inst) if seen.len() < MOST => {
                arithmetic += arithmetic_of(func, inst);
                for &u in &inst.operands {
                    if !seen.contains(&u) {
                        seen.push(u);
                    }
                }
            }
            Some(_) => return false,
            None => read = read.saturating_add(size(w)),
        }
    }
    arithmetic <= target.piece_arithmetic && read.saturating_mul(2) <= size(v)
}

fn cut_of(target: &Target, func: &Func, inst: &Inst, dot: &DotGeneral, factor: usize) -> Option<Cut> {
    let ty = func.tensor(inst.operands[factor]);
    let (batches, mut contracted) = match factor {
        0 => (&dot.lhs_batching_dims, dot.lhs_contracting_dims.clone()),
        _ => (&dot.rhs_batching_dims, dot.rhs_contracting_dims.clone()),
    };
    contracted.retain(|d| ty.shape[*d] > 1);
    contracted.sort_unstable();
    // The sum walks a piece as one dimension.
    let lies_together =
        contracted.windows(2).all(|w| ty.shape[w[0] + 1..w[1]].iter().all(|&between| between == 1));
    if !lies_together {
        return None;
    }
    let free: Dims = (0..ty.rank()).filter(|d| !batches.contains(d) && !contracted.contains(d)).collect();
    let size = |dims: &Dims| dims.iter().map(|&d| ty.shape[d]).product::<usize>();
    let (rows, depth) = (size(&free), size(&contracted));
    let batch: usize = batches.iter().map(|&d| ty.shape[d]).product();
    let other = func.tensor(inst.operands[1 - factor]).elements() / (batch * depth);
    let most = target.piece_bytes / ty.dtype.size();
    // What is read again for each piece: the rows that the other factor has, or the product.
    let least = other.clamp(target.piece_rows[0], target.piece_rows[1]);
    // Dimensions taken one by one, until several indices of one are a piece of `most` elements.
    let along = |dims: &Dims, mut each: usize, most: usize| {
        each *= size(dims);
        let mut single = Dims::new();
        for &d in dims.iter().filter(|&&d| ty.shape[d] > 1) {
            each /= ty.shape[d];
            if 2 * each <= most {
                let count = even(ty.shape[d] as i64, (most / each) as i64) as usize;
                return (single, Some((d, count)));
            }
            single.push(d);
        }
        (single, None)
    };
    let (mut single, several) = along(batches, rows * depth, most);
    if let Some(several) = several {
        return Some(Cut { factor, single, several, adds: false, contracted });
    }
    let adds = least * depth > 4 * most;
    let (row, again) = if adds { (rows, rows * other) } else { (depth, depth * other) };
    if again > 2 * most || least * row > 4 * most {
        return None;
    }
    let (more, several) = along(if adds { &contracted } else { &free }, row, most.max(least * row));
    single.extend(more);
    Some(Cut { factor, single, several: several?, adds, contracted })
}

impl Cut {
    /// Whether a sum walks a factor with these strides as one dimension, as it lies.
    pub(in crate::lower) fn walks_together(&self, ty: &TensorType, strides: &[i64]) -> bool {
        self.contracted.windows(2).all(|w| strides[w[0]] == strides[w[1]] * ty.shape[w[1]] as i64)
    }

    /// The shape of a piece of a factor of this shape, with so many indices of the dimension that has several.
    pub(in crate::lower) fn shape(&self, whole: &[usize], several: usize) -> Dims {
        let mut shape = Dims::from_slice(whole);
        self.single.iter().for_each(|&d| shape[d] = 1);
        shape[self.several.0] = several;
        shape
    }

    /// How many pieces there are along each dimension that is cut, without a shorter last one.
    pub(in crate::lower) fn counts(&self, whole: &[usize]) -> Vec<i64> {
        let (dim, count) = self.several;
        self.single.iter().map(|&d| whole[d] as i64).chain([(whole[dim] / count) as i64]).collect()
    }

    /// What tells the place of a piece: a counter for each dimension that is cut.
    pub(in crate::lower) fn places(&self, several: usize) -> Vec<Place> {
        let dims = self.single.iter().map(|&dim| (dim, 1, 1)).chain([(
            self.several.0,
            self.several.1 as i64,
            several,
        )]);
        dims.enumerate().map(|(counter, (dim, step, count))| Place { dim, counter, step, count }).collect()
    }
}

/// Which part of a dimension a piece has: `count` indices from `step` times a counter on.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Place {
    pub(in crate::lower) dim: usize,
    /// The number of the counter.
    pub(in crate::lower) counter: usize,
    pub(in crate::lower) step: i64,
    pub(in crate::lower) count: usize,
}

/// An extent of at most `most` that divides `extent`, if there is one that is not much shorter, or else leaves little.
pub(in crate::lower) fn even(extent: i64, most: i64) -> i64 {
    let divides = (1..=most).rev().find(|n| extent % n == 0).expect("one divides");
    let tiles = (extent as u64).div_ceil(most as u64);
    if 3 * divides >= most { divides } else { (extent as u64).div_ceil(tiles) as i64 }
}
