//! The four problems of ADBench (Srajer, Kukelova, Fitzgibbon, 2018), in f64.
//!
//! Inputs are ADBench's files where `WENGERT_ADBENCH` names its `data` folder and it has them, else numbers of the
//! same sizes and distributions.

mod bundle;
mod gmm;
mod hand;
mod lstm;

use super::Workload;
use wengert::{DType, Tensor};

pub(super) fn rows() -> Vec<Workload> {
    [gmm::rows(), lstm::rows(), bundle::rows(), hand::rows()].into_iter().flatten().collect()
}

/// The numbers of a file of ADBench's, to be taken from the front.
struct Numbers(std::vec::IntoIter<f64>);

impl Numbers {
    /// Reads `name` in ADBench's folder, if there is one.
    fn read(name: &str) -> Option<Self> {
        let words = text(name)?;
        let numbers: Option<Vec<f64>> = words.split_whitespace().map(|w| w.parse().ok()).collect();
        Some(Self(numbers?.into_iter()))
    }

    fn count(&mut self) -> usize {
        self.0.next().expect("a count") as usize
    }

    fn tensor(&mut self, shape: &[usize]) -> Tensor {
        let values: Vec<f64> = self.0.by_ref().take(shape.iter().product()).collect();
        Tensor::new(shape, &values)
    }
}

/// The text of a file in ADBench's folder, if there is one.
fn text(name: &str) -> Option<String> {
    std::fs::read_to_string(std::path::Path::new(&std::env::var_os("WENGERT_ADBENCH")?).join(name)).ok()
}

/// A tensor of positions, for `take`.
fn positions(values: impl IntoIterator<Item = usize>) -> Tensor {
    Tensor::from(values.into_iter().map(|p| p as i32).collect::<Vec<i32>>())
}

/// A column of zeros for every row of `x`.
fn zero_column(x: &Tensor) -> Tensor {
    Tensor::zeros(&[x.shape()[0], 1], DType::F64)
}
