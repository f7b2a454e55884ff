//! Exchange with NumPy's files and with `ndarray`.

use wengert::{DType, Tensor, jit};

#[test]
fn npy_files_round_trip() {
    for t in [
        Tensor::from([[1.0f64, -0.0], [f64::INFINITY, 2.5]]),
        Tensor::from(7i32),
        Tensor::zeros(&[0, 3], DType::F32),
        Tensor::from(&[true, false][..]),
    ] {
        let bytes = t.to_npy().expect("written");
        assert!(bytes.starts_with(b"\x93NUMPY"));
        let back = Tensor::from_npy(&bytes).expect("read");
        assert_eq!(back.to_array(), t.to_array());
    }
    let error = Tensor::from_npy(b"PK\x03\x04").expect_err("an archive").to_string();
    assert!(error.contains(".npy"), "{error}");
    let traced = jit(|x: Tensor| Tensor::from(x.to_npy().map_or(0.0, |b| b.len() as f64)));
    let error = traced.try_call((Tensor::from(1.0),)).expect_err("no value").to_string();
    assert!(error.contains("needs the value"), "{error}");
}

#[cfg(feature = "ndarray")]
mod with_ndarray {
    use ndarray::{Array2, ArrayD, arr2, s};
    use wengert::{DType, Tensor};

    #[test]
    fn arrays_convert_both_ways() {
        let a = arr2(&[[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        let t = Tensor::from(&a);
        assert_eq!((t.dtype(), t.shape()), (DType::F64, &[2, 3][..]));
        assert_eq!(t.to_ndarray::<f64>(), a.clone().into_dyn());
        // A view that is not contiguous, and one in column order.
        let view = a.slice(s![.., ..;2]);
        assert_eq!(Tensor::from(view).to_vec::<f64>(), [1.0, 3.0, 4.0, 6.0]);
        assert_eq!(Tensor::from(a.t()).to_vec::<f64>(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        let back: Array2<f64> = t.to_ndarray().into_dimensionality().expect("two dimensions");
        assert_eq!(back, a);
        let b: ArrayD<bool> = Tensor::from(ndarray::arr1(&[true, false])).to_ndarray();
        assert_eq!(b, ndarray::arr1(&[true, false]).into_dyn());
        assert_eq!(Tensor::from(ndarray::arr0(3i32)).item::<i32>(), 3);
        assert_eq!(Tensor::from(Array2::<f32>::zeros((0, 4))).shape(), [0, 4]);
    }
}
