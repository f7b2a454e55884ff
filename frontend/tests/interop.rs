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

mod safetensors {
    use std::collections::BTreeMap;
    use wengert::safetensors::{from_bytes, tensors, to_bytes};
    use wengert::{DType, Tensor, Tree, jit};

    #[derive(Clone, Tree)]
    struct Layer {
        w: Tensor,
        b: Option<Tensor>,
    }

    #[derive(Clone, Tree)]
    struct Model {
        layers: Vec<Layer>,
        pair: (Tensor, [Tensor; 2]),
        named: BTreeMap<String, Tensor>,
    }

    fn model() -> Model {
        let layer = |k: f32, b| Layer { w: Tensor::from([[k, -k], [0.0, f32::INFINITY]]), b };
        let named = [("a.b", 1i64), ("say \"hi\"", 2), ("c\\d", 3)];
        Model {
            layers: vec![layer(1.0, Some(Tensor::from(true))), layer(2.0, None)],
            pair: (Tensor::zeros(&[0, 3], DType::F64), [Tensor::from(1u8), Tensor::from([2i16, 3])]),
            named: named.into_iter().map(|(k, v)| (k.to_owned(), Tensor::from(v))).collect(),
        }
    }

    #[test]
    fn trees_round_trip() {
        let model = model();
        let bytes = to_bytes(&model).expect("written");
        let all = tensors(&bytes).expect("read");
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "layers.0.b",
                "layers.0.w",
                "layers.1.w",
                "named.a.b",
                "named.c\\d",
                "named.say \"hi\"",
                "pair.0",
                "pair.1.0",
                "pair.1.1",
            ]
        );
        let back = from_bytes(&bytes, &model).expect("read");
        let (mut old, mut new) = (Vec::new(), Vec::new());
        model.visit(&mut |t| old.push(t.to_array()));
        back.visit(&mut |t| new.push(t.to_array()));
        assert_eq!(old, new);
        let one = Tensor::from(2.5f64);
        assert_eq!(tensors(&to_bytes(&one).expect("written")).expect("read")["tensor"].item::<f64>(), 2.5);
    }

    #[test]
    fn every_type_that_the_format_has() {
        let types = [
            DType::I1,
            DType::I8,
            DType::U16,
            DType::U32,
            DType::U64,
            DType::F8E4M3FN,
            DType::F8E5M2,
            DType::F16,
            DType::BF16,
            DType::C64,
        ];
        for dtype in types {
            let x = Tensor::from([0.0f32, 1.0]).astype(dtype);
            let back = from_bytes(&to_bytes(&x).expect("written"), &x).expect("read");
            assert_eq!(back.to_array(), x.to_array(), "{dtype}");
        }
        let error =
            to_bytes(&Tensor::from([0.0f32]).astype(DType::C128)).expect_err("of 128 bits").to_string();
        assert_eq!(error, "safetensors: `tensor` is of complex<f64>, which the format has not");
    }

    /// As another library writes it.
    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
    }

    #[test]
    fn files_of_others_and_broken_ones() {
        let two = [1.5f32.to_le_bytes(), 2.5f32.to_le_bytes()].concat();
        let header =
            r#"{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        let bytes = file(header, &two);
        assert_eq!(tensors(&bytes).expect("read")["w"].to_vec::<f32>(), [1.5, 2.5]);
        let like = |name: &str, x: Tensor| BTreeMap::from([(name.to_owned(), x)]);
        let error = |bytes: &[u8], like: &BTreeMap<String, Tensor>| {
            from_bytes(bytes, like).map(drop).expect_err("wrong").to_string()
        };
        assert_eq!(
            error(&bytes, &like("v", Tensor::from([0.0f32; 2]))),
            "safetensors: there is no `v`; there is `w`"
        );
        assert_eq!(
            error(&bytes, &like("w", Tensor::from([0.0f32; 3]))),
            "safetensors: `w` is tensor<2xf32>, not tensor<3xf32>"
        );
        let flags = file(r#"{"w":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}}"#, &[7]);
        assert!(tensors(&flags).expect_err("no truth value").to_string().contains("neither 0 nor 1"));
        for wrong in [&bytes[..7], &bytes[..40], &bytes[..bytes.len() - 1], b"", &[0xff; 64][..]] {
            let said = tensors(wrong).expect_err("no file").to_string();
            assert!(said.starts_with("safetensors: ") && !said.contains('\n'), "{said}");
        }
        for shape in ["[4611686018427387904,8]", "[0,18446744073709551615]", "[2,-1]"] {
            let header = format!(r#"{{"w":{{"dtype":"F32","shape":{shape},"data_offsets":[0,8]}}}}"#);
            assert!(tensors(&file(&header, &two)).is_err(), "{shape}");
        }
    }

    #[test]
    fn a_traced_tree_has_no_bytes() {
        let traced = jit(|x: Tensor| Tensor::from(to_bytes(&x).map_or(0.0, |b| b.len() as f64)));
        let error = traced.try_call((Tensor::from(1.0),)).expect_err("no value").to_string();
        assert!(error.contains("needs the value"), "{error}");
    }
}
