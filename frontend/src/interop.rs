//! Exchange with other libraries: NumPy's `.npy` files, and `ndarray` behind the feature of that name.

use crate::Tensor;
use crate::error::Error;
use wengert_ir::npy;

impl Tensor {
    /// The array in the bytes of a `.npy` file.
    pub fn from_npy(bytes: &[u8]) -> Result<Tensor, Error> {
        npy::parse(bytes).map(Tensor::from).map_err(|e| Error::new(e.to_string(), None))
    }

    /// The array in the bytes of a `.npy` file whose elements have this type, where NumPy has no name for it: of `f8E4M3FN`, `i4`
    /// and their kin the file holds the codes, a byte each.
    pub fn from_npy_as(bytes: &[u8], dtype: crate::DType) -> Result<Tensor, Error> {
        npy::parse_as(bytes, dtype).map(Tensor::from).map_err(|e| Error::new(e.to_string(), None))
    }

    /// The bytes of a `.npy` file with this tensor, as NumPy writes them.
    ///
    /// Fails for a tensor without a value, traced under `jit`.
    #[track_caller]
    pub fn to_npy(&self) -> Result<Vec<u8>, Error> {
        npy::write(&self.to_array()).map_err(|e| Error::new(e.to_string(), None))
    }
}

#[cfg(feature = "ndarray")]
mod with_ndarray {
    use crate::{Item, Tensor};
    use ndarray::{Array, ArrayD, ArrayView, Dimension, IxDyn};

    impl<T: Item, D: Dimension> From<Array<T, D>> for Tensor {
        fn from(array: Array<T, D>) -> Tensor {
            Tensor::from(&array)
        }
    }

    impl<T: Item, D: Dimension> From<&Array<T, D>> for Tensor {
        fn from(array: &Array<T, D>) -> Tensor {
            Tensor::from(array.view())
        }
    }

    impl<T: Item, D: Dimension> From<ArrayView<'_, T, D>> for Tensor {
        fn from(view: ArrayView<'_, T, D>) -> Tensor {
            match view.as_slice() {
                Some(elements) => Tensor::new(view.shape(), elements),
                None => Tensor::new(view.shape(), &view.iter().copied().collect::<Vec<T>>()),
            }
        }
    }

    impl Tensor {
        /// The elements as an `ndarray` array.
        ///
        /// Fails if `T` is not the element type, or if the tensor has no value because it is traced under `jit`.
        #[track_caller]
        pub fn to_ndarray<T: Item>(&self) -> ArrayD<T> {
            ArrayD::from_shape_vec(IxDyn(self.shape()), self.to_vec()).expect("as many elements as the shape")
        }
    }
}
