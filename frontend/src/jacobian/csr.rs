//! [`Csr`]: a matrix that is mostly zeros.

use super::pattern::SparsePattern;
use crate::error::{Error, fail};
use crate::tensor::Tensor;
use crate::tree::Tree;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

/// A matrix that is mostly zeros, row by row (compressed sparse rows): the columns and the values of the places of row `k` are
/// those from `starts()[k]` to `starts()[k + 1]`. What `sprs` and `faer` take: `CsMat::new(a.shape(), starts, indices, values)`.
///
/// As an argument or a result of a transformed function it is a tree with one leaf, the values; its places are part of the
/// program.
#[derive(Clone)]
pub struct Csr {
    pub(super) places: Arc<SparsePattern>,
    pub(super) values: Tensor,
}

impl Csr {
    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.places.shape()
    }

    /// Where each row starts in [`Csr::indices`] and [`Csr::values`], and after the last where it ends.
    pub fn starts(&self) -> &[usize] {
        self.places.starts()
    }

    /// The column of each place, ascending in each row.
    pub fn indices(&self) -> &[usize] {
        self.places.indices()
    }

    /// The value of each place, a vector.
    pub fn values(&self) -> &Tensor {
        &self.values
    }

    /// The places, and their colours.
    pub fn pattern(&self) -> &Arc<SparsePattern> {
        &self.places
    }

    /// The matrix with its zeros.
    pub fn to_dense(&self) -> Tensor {
        let (rows, columns) = self.shape();
        let starts = self.starts();
        let at = (0..rows).flat_map(|r| {
            self.indices()[starts[r]..starts[r + 1]].iter().map(move |&c| (r * columns + c) as i64)
        });
        let flat = Tensor::zeros(&[rows * columns], self.values.dtype());
        let dense = flat.at_rows(&Tensor::from(at.collect::<Vec<i64>>())).add(&self.values);
        dense.reshape(&[rows as isize, columns as isize])
    }

    /// The product with a vector.
    ///
    /// Fails if it is not as long as there are columns.
    #[track_caller]
    pub fn matvec(&self, x: &Tensor) -> Tensor {
        let (rows, columns) = self.shape();
        if x.shape() != [columns] {
            let message = format!("a sparse matrix of {rows} x {columns} times {}", x.ty());
            fail(Error::new(message, Some(Location::caller())))
        }
        let index = |all: Vec<i64>| Tensor::from(all);
        let starts = self.starts();
        let row = (0..rows).flat_map(|r| std::iter::repeat_n(r as i64, starts[r + 1] - starts[r])).collect();
        let column = self.indices().iter().map(|&c| c as i64).collect();
        let terms = &self.values * x.take(&index(column), 0);
        Tensor::zeros(&[rows], terms.dtype()).at_rows(&index(row)).add(&terms)
    }
}

impl fmt::Debug for Csr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.places, self.values)
    }
}

impl Tree for Csr {
    type Over<X: Tree> = X;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> X {
        f(&self.values)
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        f(&self.values);
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        f(&mut self.values);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        Csr { places: self.places.clone(), values: f(&self.values) }
    }
    fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
        out(self.places.digest());
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        out.push(format!("{prefix}.values"));
    }
}
