//! Products of windows that are read where they lie: rows and the sum walk memory along several dimensions.

use super::Lowerer;
use super::dot::{Contraction, View, Walk, strides_in};
use crate::cost::InPlace;
use crate::lower::LowerError;
use crate::lower::plan::windowed::windows_of;
use crate::lower::space::scope::{Scope, Stored};
use wengert_ir::func::Inst;
use wengert_ir::kernel::product::{Level, Levels, MOST_LEVELS};
use wengert_ir::kernel::*;
use wengert_ir::op::DotGeneral;

impl Contraction {
    /// Whether all dimensions are those of one call.
    fn is_one_call(&self) -> bool {
        let few = |walks: Vec<Walk>| walks.len() <= MOST_LEVELS + 1;
        few(self.rows()) && few(self.contraction()) && self.columns().len() <= 1 && self.batch().len() <= 1
    }

    /// Whether vectors have something to lie along: columns, or, if these are few, rows or a long sum that lie together in the windows.
    fn has_vectors(&self, sizes: &InPlace) -> bool {
        let count = |walks: &[Walk]| walks.iter().map(|walk| walk.0).product::<i64>() as usize;
        let lie = |walks: &[Walk]| walks.last().is_some_and(|&(n, steps)| steps[0] == 1 && n >= LANES as i64);
        let sums = self.contraction();
        count(&self.columns()) >= sizes.least_columns
            || lie(&self.rows())
            || lie(&sums) && count(&sums) >= sizes.sum
    }

    /// The dimensions of the right factor as rows of columns.
    fn rows_first(&self) -> Vec<usize> {
        [&self.batches[1], &self.contracted[1], &self.free[1]].into_iter().flatten().copied().collect()
    }
}

impl<'m> Lowerer<'m> {
    /// Multiplies windows in place, if [the plan](windows_of) has them so and memory is walked along few enough dimensions.
    pub(super) fn windowed_product(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
    ) -> Result<bool, LowerError> {
        if windows_of(self.options.target, s.func, inst).is_none() {
            return Ok(false);
        }
        let (lhs, rhs, out) = (inst.operands[0], inst.operands[1], inst.results[0]);
        let Some(windows) = self.in_place(s, lhs)? else { return Ok(false) };
        // Where the other factor and the product are is said when it is known that windows are multiplied so.
        let nowhere = windows.at.clone();
        let other = View::dense(nowhere.clone(), &s.ty(rhs).shape);
        let mut c = Contraction::new(s, inst, dot, [windows, other], nowhere);
        let sizes = &self.options.target.in_place;
        let place = self.in_place(s, rhs)?;
        let lies = place.is_some_and(|view| {
            c.factors[1] = view;
            c.is_one_call() && c.columns().last().is_none_or(|walk| walk.1[1] == 1)
        });
        if !lies {
            // A copy whose columns lie together: they are read for some hundred rows at a time.
            let order = c.rows_first();
            c.factors[1].strides = strides_in(&c.shapes[1], &order);
            if !c.is_one_call() || !c.has_vectors(sizes) {
                return Ok(false);
            }
            c.factors[1] = self.packed(s, rhs, &order)?;
        } else if !c.has_vectors(sizes) {
            return Ok(false);
        }
        let at = self.target(s, out, &[(lhs, false), (rhs, false)]);
        c.out.at = at.clone();
        self.multiply_windows(&c);
        s.stored[out] = Some(Stored::Memory(at));
        Ok(true)
    }

    fn multiply_windows(&mut self, c: &Contraction) {
        let innermost = |walks: &[Walk]| walks.last().copied().unwrap_or((1, [0; 3]));
        let (rows, sums) = (c.rows(), c.contraction());
        let (batches, of_batch) = innermost(&c.batch());
        // A single column lies with itself.
        let (n, of_column) = c.columns().last().copied().unwrap_or((1, [0, 1, 1]));
        let ((m, of_row), (k, of_sum)) = (innermost(&rows), innermost(&sums));
        let levels = |walks: &[Walk], other: usize| -> Levels {
            let outer = walks.split_last().map_or(&[][..], |(_, outer)| outer);
            outer
                .iter()
                .map(|&(n, strides)| Level { extent: n as usize, strides: [strides[0], strides[other]] })
                .collect()
        };
        let [a, b, out] = [&c.factors[0], &c.factors[1], &c.out].map(|view| self.element(&view.at, 0));
        let matrix = |at, row: i64, col: i64, batch: i64| Matrix {
            at,
            row_stride: row,
            col_stride: col,
            batch_stride: batch,
        };
        let product = Library::Gemm {
            elem: c.elem,
            sizes: [batches, m, n, k].map(|n| n as usize),
            rows: levels(&rows, 2),
            depth: levels(&sums, 1),
            a: matrix(a, of_row[0], of_sum[0], of_batch[0]),
            b: matrix(b, of_sum[1], of_column[1], of_batch[1]),
            c: matrix(out, of_row[2], of_column[2], of_batch[2]),
            adds: false,
        };
        self.b.push(KOp::Library(Box::new(product)), &[], &[]);
    }
}
