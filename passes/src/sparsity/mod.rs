//! Which elements of a Jacobian can be other than zero, found from the program, and how few products with vectors give them.
//!
//! [`pattern`] linearizes a function and walks its linear part with *sets* in place of numbers ([`sets`]): for each element of a
//! value, which elements of the arguments it depends on ([`walk`]). The answer holds for all values of the arguments: what an
//! index or a branch that is computed from them chooses could be any, and what nothing is known of depends on all of its operands.
//! [`colors`] gives columns one colour that never meet in a row, so that one product with the sum of their unit vectors gives
//! them all, and fewer to those of symmetric matrices (Curtis, Powell, Reid, "On the Estimation of Sparse Jacobian Matrices", 1974; Gebremedhin, Manne, Pothen, "What
//! Color Is Your Jacobian?", SIAM Review 2005).

mod colors;
mod loops;
mod sets;
mod sums;
mod walk;

pub use colors::{Coloring, Recovery, color_acyclic, color_columns, color_star};

use crate::ad;
use crate::error::TransformError;
use sets::Sets;
use std::rc::Rc;
use walk::{Is, Walk};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};

/// The places of a matrix that can be other than zero, row by row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    /// How many columns there are.
    pub columns: usize,
    /// Where each row starts in `indices`, and after the last where it ends.
    pub starts: Vec<usize>,
    /// The columns of each row, ascending.
    pub indices: Vec<u32>,
}

impl Pattern {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The columns of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.indices[self.starts[row]..self.starts[row + 1]]
    }

    /// All places in order, as rows and columns.
    pub fn places(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.rows()).flat_map(|row| self.row(row).iter().map(move |&column| (row as u32, column)))
    }

    /// Columns as rows.
    pub fn transposed(&self) -> Pattern {
        let mut starts = vec![0; self.columns + 1];
        self.indices.iter().for_each(|&c| starts[c as usize + 1] += 1);
        for k in 0..self.columns {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut indices = vec![0; self.indices.len()];
        for row in 0..self.rows() {
            for &c in self.row(row) {
                indices[next[c as usize]] = row as u32;
                next[c as usize] += 1;
            }
        }
        Pattern { columns: self.rows(), starts, indices }
    }
}

const TOO_MANY: &str = "the Jacobian, or what leads to it, has too many places that may not be zero to be kept as a sparse one (an index \
     that is an argument could be any: capture those that do not change, or give a pattern)";

/// The pattern of the Jacobian of the marked results of a function, one after the other, by the parameters marked in `wrt`, one
/// after the other, for all their values; `known` are those of parameters that are not going to change.
///
/// Fails where there is no derivative, if the pattern has more than 2^26 places, or if those of all values on the way are more
/// than 2^30.
pub fn pattern(
    m: &mut Module,
    func: FuncId,
    wrt: &[bool],
    results: &[bool],
    known: &[Option<Array>],
) -> Result<Pattern, TransformError> {
    let lin = ad::linearize(m, func, wrt, results)?;
    let mut walk = Walk::new(m);
    let args = known.iter().map(|a| Is::Known(a.clone())).collect();
    let mut residuals = walk.function(lin.primal, args)?;
    let mut args = residuals.split_off(residuals.len() - lin.residuals);
    let mut columns = 0usize;
    let linear = walk.module.get(lin.linear);
    for &p in &linear.params[lin.residuals..] {
        let n = linear.tensor(p).elements();
        if columns.saturating_add(n) > sets::MOST {
            return Err(TransformError::new(TOO_MANY));
        }
        args.push(Is::Depends(Rc::new(Sets::units(columns as u32, n))));
        columns += n;
    }
    let rows = walk.function(lin.linear, args)?;
    let mut all = Pattern { columns, starts: vec![0], indices: Vec::new() };
    for (is, &r) in rows.iter().zip(&linear.results) {
        for e in 0..linear.tensor(r).elements() {
            all.indices.extend_from_slice(is.of(e));
            if all.indices.len() > sets::MOST {
                return Err(TransformError::new(TOO_MANY));
            }
            all.starts.push(all.indices.len());
        }
    }
    Ok(all)
}
