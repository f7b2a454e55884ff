//! Filters and windows of sampled signals, with the names of NumPy.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::index::Ix;
use crate::ops::promote::{float_type, floating, promote_types};
use crate::ops::window::{ConvOptions, Padding, conv_general};
use std::f64::consts::{PI, TAU};
use std::panic::Location;
use wengert_ir::types::DType;

/// Sums of products of the shorter vector with the longer one's elements that it lies over.
#[track_caller]
fn slid(long: &Tensor, short: &Tensor, mode: ConvolveMode) -> Tensor {
    let m = short.len() as i64;
    let padding = Padding::Explicit(vec![match mode {
        ConvolveMode::Full => (m - 1, m - 1),
        ConvolveMode::Same => (m / 2, m - m / 2 - 1),
        ConvolveMode::Valid => (0, 0),
    }]);
    let [long, short] = [long, short].map(|x| x.reshape(&[1, 1, -1]));
    conv_general(&long, &short, &ConvOptions { padding, ..ConvOptions::default() }).flatten()
}

/// How much of a convolution is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ConvolveMode {
    /// Wherever the signals overlap: `n + m - 1` numbers.
    #[default]
    Full,
    /// The middle, as many as the longer signal has.
    Same,
    /// Where the shorter signal lies within the longer one.
    Valid,
}

impl Tensor {
    /// The convolution of two vectors, as `jnp.convolve`: of floats, into which integers are made.
    ///
    /// ```
    /// use wengert::{ConvolveMode, Tensor};
    /// let (x, h) = (Tensor::from([1.0f64, 2.0, 3.0]), Tensor::from([1.0f64, 10.0]));
    /// assert_eq!(x.convolve(&h, ConvolveMode::Full).to_vec::<f64>(), [1.0, 12.0, 23.0, 30.0]);
    /// assert_eq!(x.convolve(&h, ConvolveMode::Valid).to_vec::<f64>(), [12.0, 23.0]);
    /// ```
    ///
    /// Fails if one of them is no vector or has no elements.
    #[track_caller]
    pub fn convolve(&self, kernel: &Tensor, mode: ConvolveMode) -> Tensor {
        let (long, short, _) = self.signals("convolve", kernel);
        slid(&long, &short.flip(0), mode)
    }

    /// The correlation of two vectors, as `jnp.correlate`: sums of products with the second one's conjugates, moved along.
    ///
    /// ```
    /// use wengert::{ConvolveMode, Tensor};
    /// let (x, h) = (Tensor::from([1.0f64, 2.0, 3.0]), Tensor::from([1.0f64, 10.0]));
    /// assert_eq!(x.correlate(&h, ConvolveMode::Valid).to_vec::<f64>(), [21.0, 32.0]);
    /// ```
    ///
    /// Fails as [`Self::convolve`].
    #[track_caller]
    pub fn correlate(&self, other: &Tensor, mode: ConvolveMode) -> Tensor {
        let other = if other.is_complex() { other.conj() } else { other.clone() };
        let (long, short, swapped) = self.signals("correlate", &other);
        // The other way round it runs backwards.
        let made = slid(&long, &short, mode);
        if swapped { made.flip(0) } else { made }
    }

    /// Both as floats of one type, the longer one first, and whether that is the second.
    #[track_caller]
    fn signals(&self, name: &str, other: &Tensor) -> (Tensor, Tensor, bool) {
        let at = Location::caller();
        if [self, other].iter().any(|x| x.rank() != 1 || x.is_empty()) {
            let message =
                format!("{name}: two vectors that have elements; operands: {}, {}", self.ty(), other.ty());
            fail(Error::new(message, Some(at)))
        }
        let dtype = float_type(promote_types(self.dtype(), other.dtype()));
        let (a, b) = (self.astype(dtype), other.astype(dtype));
        if a.len() < b.len() { (b, a, true) } else { (a, b, false) }
    }

    /// Angles that jump by more than half a turn from one to the next along the last axis, moved by whole turns so that they do not,
    /// as `jnp.unwrap`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let turns = Tensor::from([3.0f64, -3.0]).unwrap_angles().to_vec::<f64>();
    /// assert!((turns[1] - (std::f64::consts::TAU - 3.0)).abs() < 1e-15);
    /// ```
    ///
    /// Fails for a number.
    #[track_caller]
    pub fn unwrap_angles(&self) -> Tensor {
        let x = floating(self);
        if x.shape().last().is_some_and(|&n| n < 2) {
            return x;
        }
        let step = x.diff(1, -1);
        // Half a turn stays half a turn in the direction of the step.
        let folded = (&step + PI) % TAU - PI;
        let folded = (folded.equal(-PI) & step.greater(0.0)).select(PI, &folded);
        let moved = step.abs().less(PI).select(0.0, &folded - &step).cumsum(-1);
        let first = moved.get((Ix::Rest, 0..1)).zeros_like();
        &x + crate::concatenate(&[first, moved], -1)
    }

    /// The sum of `weights[k]` cos(2 pi k i / (n - 1)) for i = 0, 1, .. `n` - 1: a window of a signal; 1 if it has one number.
    #[track_caller]
    fn cosines(n: usize, weights: &[f64], dtype: DType) -> Tensor {
        if n < 2 {
            return Tensor::ones(&[n], dtype);
        }
        let angle = |k: usize| Tensor::arange(n, DType::F64) * (k as f64 * TAU / (n - 1) as f64);
        let start = Tensor::zeros(&[n], DType::F64);
        let sum = weights.iter().enumerate().fold(start, |sum, (k, &w)| sum + angle(k).cos() * w);
        sum.astype(dtype)
    }

    /// Hann's window of `n` numbers, 1/2 - cos/2, as `jnp.hanning`.
    ///
    /// ```
    /// use wengert::{DType, Tensor};
    /// assert_eq!(Tensor::hanning(3, DType::F32).to_vec::<f32>(), [0.0, 1.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn hanning(n: usize, dtype: DType) -> Tensor {
        Self::cosines(n, &[0.5, -0.5], dtype)
    }

    /// Hamming's window of `n` numbers, 0.54 - 0.46 cos, as `jnp.hamming`.
    #[track_caller]
    pub fn hamming(n: usize, dtype: DType) -> Tensor {
        Self::cosines(n, &[0.54, -0.46], dtype)
    }

    /// Blackman's window of `n` numbers, 0.42 - 0.5 cos + 0.08 cos of the double, as `jnp.blackman`.
    #[track_caller]
    pub fn blackman(n: usize, dtype: DType) -> Tensor {
        Self::cosines(n, &[0.42, -0.5, 0.08], dtype)
    }
}
