//! Products that are not elementwise: `tensordot`, `inner`, `outer`, `vdot`, `kron`, `cross`.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::promote_types;
use crate::ops::reduce::axes;
use std::panic::Location;

/// Which axes [`Tensor::tensordot`] sums over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contraction {
    /// The last so many of the first operand with the first so many of the second.
    Last(usize),
    /// These axes of the first operand with these of the second, in order.
    Axes(Vec<isize>, Vec<isize>),
}
impl From<usize> for Contraction {
    fn from(n: usize) -> Contraction {
        Contraction::Last(n)
    }
}
impl From<(&[isize], &[isize])> for Contraction {
    fn from((a, b): (&[isize], &[isize])) -> Contraction {
        Contraction::Axes(a.to_vec(), b.to_vec())
    }
}
impl<const N: usize> From<([isize; N], [isize; N])> for Contraction {
    fn from((a, b): ([isize; N], [isize; N])) -> Contraction {
        Contraction::Axes(a.to_vec(), b.to_vec())
    }
}

impl Tensor {
    /// Sum of products over axes of both, as `numpy.tensordot`: `a.tensordot(&b, 2)`, `a.tensordot(&b, ([0], [1]))`. The
    /// result has the other dimensions of `self`, then those of `other`.
    ///
    /// ```
    /// use wengert::{DType, Tensor};
    /// let a = Tensor::arange(6, DType::F64).reshape(&[2, 3]);
    /// assert_eq!(a.tensordot(&a, 2).item::<f64>(), 55.0);
    /// assert_eq!(a.tensordot(&a, ([1], [1])).to_vec::<f64>(), [5.0, 14.0, 14.0, 50.0]);
    /// ```
    ///
    /// Fails if the axes differ in number or size, or are out of range.
    #[track_caller]
    pub fn tensordot(&self, other: &Tensor, over: impl Into<Contraction>) -> Tensor {
        let at = Location::caller();
        let wrong = |why: String| -> ! {
            fail(Error::new(format!("tensordot: {why}; operands: {}, {}", self.ty(), other.ty()), Some(at)))
        };
        let one = |x: &Tensor, axis: isize| axes("tensordot", x, &[axis], at)[0];
        let (a, b): (Vec<usize>, Vec<usize>) = match over.into() {
            Contraction::Last(n) if n <= self.rank() && n <= other.rank() => {
                ((self.rank() - n..self.rank()).collect(), (0..n).collect())
            }
            Contraction::Last(n) => wrong(format!("{n} axes")),
            Contraction::Axes(a, b) if a.len() == b.len() => {
                (a.iter().map(|&k| one(self, k)).collect(), b.iter().map(|&k| one(other, k)).collect())
            }
            Contraction::Axes(a, b) => wrong(format!("{} and {} axes", a.len(), b.len())),
        };
        if let Some((i, j)) = a.iter().zip(&b).find(|&(&i, &j)| self.shape()[i] != other.shape()[j]) {
            wrong(format!("dimensions {i} and {j} differ"))
        }
        self.dot_general(other, (&a, &b), (&[], &[]))
    }

    /// Sum of products over the last dimension of both, as `numpy.inner`; of a scalar the elementwise product.
    ///
    /// Fails if the last dimensions differ.
    #[track_caller]
    pub fn inner(&self, other: &Tensor) -> Tensor {
        if self.rank() == 0 || other.rank() == 0 {
            return self * other;
        }
        self.tensordot(other, ([-1], [-1]))
    }

    /// All products of elements of two tensors, flattened: shape `[self.len(), other.len()]`.
    #[track_caller]
    pub fn outer(&self, other: &Tensor) -> Tensor {
        self.flatten().expand_dims(1) * other.flatten().expand_dims(0)
    }

    /// Sum of products of all elements, those of `self` conjugated, as `numpy.vdot`.
    ///
    /// Fails if they differ in number of elements.
    #[track_caller]
    pub fn vdot(&self, other: &Tensor) -> Tensor {
        let (a, b) = (self.conj().flatten(), other.flatten());
        a.matmul(&b)
    }

    /// Kronecker product of tensors of any rank, as `numpy.kron`: each element of `self` times all of `other`, in blocks.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let (a, b) = (Tensor::from([1.0f64, 10.0]), Tensor::from([1.0f64, 2.0, 3.0]));
    /// assert_eq!(a.kron(&b).to_vec::<f64>(), [1.0, 2.0, 3.0, 10.0, 20.0, 30.0]);
    /// ```
    #[track_caller]
    pub fn kron(&self, other: &Tensor) -> Tensor {
        let rank = self.rank().max(other.rank());
        let full = |x: &Tensor| [&vec![1; rank - x.rank()][..], x.shape()].concat();
        let (a, b) = (full(self), full(other));
        let spread = |shape: &[usize], first: bool| -> Vec<isize> {
            shape.iter().flat_map(|&n| if first { [n as isize, 1] } else { [1, n as isize] }).collect()
        };
        let product = self.reshape(&spread(&a, true)) * other.reshape(&spread(&b, false));
        let shape: Vec<isize> =
            a.iter().zip(&b).map(|(m, n)| m.saturating_mul(*n).min(isize::MAX as usize) as isize).collect();
        product.reshape(&shape)
    }

    /// Cross product of vectors of three elements in the last dimension; other dimensions broadcast.
    ///
    /// Fails if the last dimension of either is not 3.
    #[track_caller]
    pub fn cross(&self, other: &Tensor) -> Tensor {
        let at = Location::caller();
        for x in [self, other] {
            if x.shape().last() != Some(&3) {
                fail(Error::new(format!("cross: the last dimension must be 3, here: {}", x.ty()), Some(at)))
            }
        }
        let dtype = promote_types(self.dtype(), other.dtype());
        let (a, b) = (self.astype(dtype), other.astype(dtype));
        let turn = |x: &Tensor| x.roll(-1, -1);
        turn(&(&a * turn(&b) - turn(&a) * &b))
    }
}
