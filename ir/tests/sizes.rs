//! Sizes: what no memory can hold is refused where it is said or inferred, by every operation that makes tensors larger, and
//! nothing overflows on the way.

use wengert_ir::func::Module;
use wengert_ir::kernel;
use wengert_ir::op::*;
use wengert_ir::types::{DType, Dims, MAX_BYTES, TensorType, Type};

const HUGE: usize = 1 << 61;

#[test]
fn the_number_of_bytes_is_checked() {
    let bytes = |dtype, shape: &[usize]| TensorType::new(dtype, shape).checked_bytes();
    for (dtype, shape, expected) in [
        (DType::F32, &[2, 3][..], Some(24)),
        (DType::F64, &[], Some(8)),
        (DType::I4, &[5], Some(5)),
        (DType::C128, &[5], Some(80)),
        (DType::F32, &[3, 0], Some(0)),
        (DType::I8, &[MAX_BYTES], Some(MAX_BYTES)),
        (DType::F32, &[MAX_BYTES / 4], Some(MAX_BYTES / 4 * 4)),
        (DType::I8, &[MAX_BYTES + 1], None),
        (DType::F32, &[MAX_BYTES / 4 + 1], None),
        // The product of these numbers of bytes wraps to 4.
        (DType::F32, &[(1 << 62) + 1], None),
        (DType::I8, &[1 << 32, 1 << 32], None),
        (DType::I8, &[1 << 32, 1 << 32, 1 << 32], None),
        // Of an empty tensor too, since its strides are products of the other sizes.
        (DType::I8, &[0, 1 << 32, 1 << 32], None),
        (DType::I8, &[1 << 32, 1 << 32, 0], None),
        (DType::I8, &[wengert_ir::types::DYNAMIC], None),
    ] {
        assert_eq!(bytes(dtype, shape), expected, "{shape:?} of {dtype}");
    }
}

#[test]
fn types_in_text_are_checked() {
    for ty in [
        "tensor<4611686018427387904xf32>",
        "tensor<9223372036854775807xi16>",
        "tensor<4294967296x4294967296xi8>",
        "tensor<0x4294967296x4294967296xi8>",
    ] {
        let text = format!("func.func @main(%x: {ty}) -> {ty} {{\n  return %x : {ty}\n}}");
        let error = wengert_ir::text::parse(&text).expect_err(ty).to_string();
        assert!(error.contains("more bytes than can be addressed"), "{error}");
    }
}

fn dims(list: &[usize]) -> Dims {
    Dims::from_slice(list)
}

#[test]
fn inferred_types_are_checked() {
    let tensor = |dtype, shape: &[usize]| -> Type { TensorType::new(dtype, shape).into() };
    let (f32s, bytes) =
        (|shape: &[usize]| tensor(DType::F32, shape), |shape: &[usize]| tensor(DType::I8, shape));
    let outer = DotGeneral {
        lhs_batching_dims: dims(&[]),
        rhs_batching_dims: dims(&[]),
        lhs_contracting_dims: dims(&[]),
        rhs_contracting_dims: dims(&[]),
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype: DType::I8,
    };
    let pad = Pad {
        low: [1 << 60].as_slice().into(),
        high: [1 << 60].as_slice().into(),
        interior: [0].as_slice().into(),
    };
    let spread = Pad {
        low: [0].as_slice().into(),
        high: [0].as_slice().into(),
        interior: [1 << 60].as_slice().into(),
    };
    let gather = Gather {
        offset_dims: dims(&[1]),
        collapsed_slice_dims: dims(&[]),
        operand_batching_dims: dims(&[]),
        start_indices_batching_dims: dims(&[]),
        start_index_map: dims(&[0]),
        index_vector_dim: 1,
        slice_sizes: dims(&[1 << 40]),
        indices_are_sorted: false,
    };
    let windows = ReduceWindow {
        window_dimensions: dims(&[1]),
        window_strides: dims(&[1]),
        base_dilations: dims(&[1 << 40]),
        window_dilations: dims(&[1]),
        padding_low: [0].as_slice().into(),
        padding_high: [0].as_slice().into(),
        inputs: 1,
        reducer: Reducer::Op(BinaryOp::Add),
    };
    let rows: Vec<(Op, Vec<Type>)> = vec![
        (BroadcastInDim { shape: dims(&[HUGE, 4]), dims: dims(&[]) }.into(), vec![f32s(&[])]),
        (BroadcastInDim { shape: dims(&[1 << 32, 1 << 32, 0]), dims: dims(&[]) }.into(), vec![f32s(&[])]),
        (Iota { ty: TensorType::new(DType::I64, &[HUGE]), dim: 0 }.into(), vec![]),
        (Zero { ty: TensorType::new(DType::I64, &[HUGE]) }.into(), vec![]),
        (Convert { dtype: DType::F64 }.into(), vec![bytes(&[HUGE])]),
        (UnaryOp::Sine.into(), vec![f32s(&[HUGE])]),
        (BinaryOp::Complex.into(), vec![f32s(&[HUGE / 2]), f32s(&[HUGE / 2])]),
        (Concatenate { dim: 0 }.into(), vec![bytes(&[MAX_BYTES]), bytes(&[MAX_BYTES]), bytes(&[MAX_BYTES])]),
        (pad.into(), vec![f32s(&[3]), f32s(&[])]),
        (spread.into(), vec![f32s(&[9]), f32s(&[])]),
        (outer.into(), vec![bytes(&[1 << 40]), bytes(&[1 << 40])]),
        (gather.into(), vec![bytes(&[1 << 40]), tensor(DType::I32, &[1 << 40, 1])]),
        (windows.into(), vec![f32s(&[1 << 40]), f32s(&[])]),
        (Reshape { shape: dims(&[0, 1 << 32, 1 << 32]) }.into(), vec![f32s(&[0])]),
        (DynamicSlice { sizes: dims(&[0, HUGE, HUGE]) }.into(), vec![f32s(&[0, HUGE, HUGE]); 1]),
    ];
    for (op, operands) in rows {
        let mut all = operands.clone();
        if let Op::DynamicSlice(_) = op {
            all.extend((0..3).map(|_| tensor(DType::I32, &[])));
        }
        let error = op.infer(&Module::default(), &all).expect_err(op.name());
        assert_eq!(error.op, op.name());
        assert!(error.to_string().contains(op.name()), "{error}");
    }
}

/// A slice of nothing along a dimension that the result lacks has no element that the result's could be.
#[test]
fn gathers_read_only_what_there_is() {
    let mut op = Gather {
        offset_dims: dims(&[1]),
        collapsed_slice_dims: dims(&[0]),
        operand_batching_dims: dims(&[]),
        start_indices_batching_dims: dims(&[]),
        start_index_map: dims(&[0]),
        index_vector_dim: 1,
        slice_sizes: dims(&[0, 64]),
        indices_are_sorted: false,
    };
    let label = |op: &Gather, x: &[usize], indices: &[usize]| {
        let operands = [TensorType::new(DType::F32, x).into(), TensorType::new(DType::I32, indices).into()];
        Op::from(op.clone()).infer(&Module::default(), &operands).map_err(|e| e.constraint)
    };
    for rows in [0, 1, 5] {
        assert_eq!(label(&op, &[rows, 64], &[2, 1]), Err("C21"));
        assert!(label(&op, &[rows, 64], &[0, 1]).is_ok(), "nothing is read");
    }
    op.slice_sizes = dims(&[0, 0]);
    assert!(label(&op, &[1, 64], &[2, 1]).is_ok(), "nothing is read");
    (op.collapsed_slice_dims, op.operand_batching_dims) = (dims(&[]), dims(&[0]));
    (op.start_indices_batching_dims, op.start_index_map, op.slice_sizes) =
        (dims(&[0]), dims(&[1]), dims(&[0, 1]));
    assert_eq!(label(&op, &[2, 64], &[2, 1]), Err("C21"));
}

#[test]
fn memories_of_kernels_are_checked() {
    for (shape, scratch) in [("4294967296x4294967296", 0), ("4611686018427387905", 4)] {
        let text = format!(
            "program @main() -> () mode default scratch {scratch} entry @main {{\n  mem0 = scratch 0 : memref<{shape}xf32>\n\n  \
             func @main() {{\n  }}\n}}\n"
        );
        match kernel::text::parse(&text) {
            Ok(program) => {
                let errors = kernel::verify::verify(&program).expect_err(shape);
                assert!(errors.iter().any(|e| e.contains("more than can be addressed")), "{errors:?}");
            }
            Err(e) => panic!("{e}"),
        }
    }
}
