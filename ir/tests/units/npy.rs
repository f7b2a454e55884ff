//! Files of NumPy: every type there and back, orders of bytes and memory, and files that are none.

use wengert_ir::array::{Array, Literal};
use wengert_ir::npy::{parse, parse_as, write};
use wengert_ir::types::{DType, TensorType};

fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

#[test]
fn round_trip_of_every_type() {
    for &dtype in DType::ALL {
        for shape in [&[][..], &[3], &[2, 3], &[2, 0, 3]] {
            let ty = TensorType::new(dtype, shape);
            let bytes: Vec<u8> = (0..ty.bytes()).map(|k| (k % 2) as u8).collect();
            let array = Array::from_bytes(ty, &bytes);
            let file = write(&array).unwrap();
            assert!((file.len() - array.bytes().len()).is_multiple_of(64));
            assert_eq!(parse_as(&file, dtype).unwrap(), array);
            // What NumPy has no name for is a byte that may be anything.
            let is_opaque = file.windows(4).any(|w| w == b"'|V1");
            assert_eq!(parse(&file).is_ok(), !is_opaque);
        }
    }
}

#[test]
fn orders_of_bytes_and_of_memory() {
    let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n";
    let data: Vec<u8> = [1i16, 4, 2, 5, 3, 6].iter().flat_map(|v| v.to_be_bytes()).collect();
    assert_eq!(parse(&file(header, &data)).unwrap(), Array::new(&[2, 3], &[1i16, 2, 3, 4, 5, 6]));
    // A complex number is two numbers, each in the other order.
    let complex = "{'descr': '>c8', 'fortran_order': False, 'shape': (2,), }\n";
    let parts = [1.0f32, -2.0, 0.5, 3.0];
    let (big, little) = (parts.map(f32::to_be_bytes).concat(), parts.map(f32::to_le_bytes).concat());
    assert_eq!(parse(&file(complex, &big)).unwrap().bytes(), little);
    let opaque = "{'descr': '|V2', 'fortran_order': False, 'shape': (1,), }\n";
    assert_eq!(parse(&file(opaque, &[0x80, 0x3f])).unwrap().as_slice::<half::bf16>()[0].to_f32(), 1.0);
}

/// The bytes that `ml_dtypes` gives for -1, 1 and 3 (15, 1 and 3 for the unsigned type), and signs that fill the byte.
#[test]
fn codes_of_types_without_a_name() {
    let of = |descr: &str, dtype, data: &[u8]| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({},), }}", data.len());
        parse_as(&file(&header, data), dtype)
    };
    let floats = |dtype, descr, data: &[u8]| {
        let array = of(descr, dtype, data).unwrap();
        assert_eq!(array.dtype(), dtype);
        let one = |&b: &u8| Literal::splat_bytes(TensorType::scalar(dtype), &[b]).splat_value();
        array.bytes().iter().filter_map(one).collect::<Vec<f64>>()
    };
    assert_eq!(floats(DType::I4, "|V1", &[0x0f, 1, 3, 0xff, 0x08]), [-1.0, 1.0, 3.0, -1.0, -8.0]);
    assert_eq!(floats(DType::U4, "<V1", &[0x0f, 1, 3, 0xf1]), [15.0, 1.0, 3.0, 1.0]);
    assert_eq!(floats(DType::I2, "<V1", &[3, 1]), [-1.0, 1.0]);
    assert_eq!(floats(DType::F8E4M3FN, "<V1", &[0xb8, 0x38, 0x44]), [-1.0, 1.0, 3.0]);
    assert_eq!(floats(DType::F8E5M2, "<f1", &[0x3c]), [1.0]);
    assert_eq!(floats(DType::F4E2M1FN, "|u1", &[0x0a, 2, 5]), [-1.0, 1.0, 3.0]);
    assert_eq!(of("|u1", DType::U8, &[9]).unwrap().dtype(), DType::U8);
    assert!(of("|V1", DType::F32, &[0]).is_err() && of("|V1", DType::U8, &[0]).is_err());
    let written = write(&of("|V1", DType::I4, &[0x0f]).unwrap()).unwrap();
    assert_eq!(written.last(), Some(&0x0f));
}

#[test]
fn as_many_dimensions_as_numpy_has_and_no_more() {
    let of = |rank: usize| {
        let shape = "1, ".repeat(rank);
        parse(&file(&format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({shape}), }}"), &[7]))
    };
    assert_eq!(of(64).unwrap().shape(), [1; 64]);
    assert!(of(65).is_err());
}

#[test]
fn truncated_and_malformed_files() {
    let whole = write(&Array::new(&[2], &[1.0f64, 2.0])).unwrap();
    for end in 0..whole.len() {
        assert!(parse(&whole[..end]).is_err(), "{end} bytes");
    }
    for at in 0..whole.len() - 16 {
        for byte in [0, b'9', b'(', 0xff] {
            let mut changed = whole.clone();
            changed[at] = byte;
            let _ = parse(&changed); // an error or an array, no panic
        }
    }
    for header in [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775807, 9223372036854775807, 0), }",
        "",
    ] {
        assert!(parse(&file(header, &[0; 8])).is_err(), "{header}");
    }
}
