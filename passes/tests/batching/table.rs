//! The rows: at least one for each operation, which a match that names all of them sees to.

use super::functions;
use smallvec::smallvec;
use wengert_ir::array::Literal;
use wengert_ir::func::Module;
use wengert_ir::op::*;
use wengert_ir::testing::convolutions::convolutions;
use wengert_ir::types::{DType, TensorType, Type};

/// An operation on operands of these types.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) op: Op,
    pub(super) operands: Vec<TensorType>,
    /// Where the elements of each operand lie.
    pub(super) ranges: Vec<(f64, f64)>,
    /// Whether it has no meaning on batches.
    pub(super) is_refused: bool,
}

impl Row {
    pub(super) fn new(op: impl Into<Op>, operands: &[TensorType]) -> Row {
        let ranges = operands.iter().map(|ty| if ty.dtype.is_float() { (-1.0, 1.0) } else { (0.0, 4.0) });
        Row { op: op.into(), operands: operands.to_vec(), ranges: ranges.collect(), is_refused: false }
    }

    /// With the elements of an operand elsewhere.
    pub(super) fn range(mut self, operand: usize, lo: f64, hi: f64) -> Row {
        self.ranges[operand] = (lo, hi);
        self
    }

    pub(super) fn refused(self) -> Row {
        Row { is_refused: true, ..self }
    }
}

pub(super) fn f(shape: &[usize]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

pub(super) fn i(shape: &[usize]) -> TensorType {
    TensorType::new(DType::I32, shape)
}

pub(super) fn i1(shape: &[usize]) -> TensorType {
    TensorType::new(DType::I1, shape)
}

fn row(op: impl Into<Op>, operands: &[TensorType]) -> (&'static str, Row) {
    ("", Row::new(op, operands))
}

type Rows = Vec<(&'static str, Row)>;

/// Rows of operations by name, and that all have some.
macro_rules! rows {
    ($m:ident, $size:ident: $($variant:ident: $rows:expr),+ $(,)?) => {
        /// What each row is called, and it; functions are added to the module.
        pub(super) fn table($m: &mut Module, $size: usize) -> Vec<(String, Row)> {
            // A new operation does not compile before it is here.
            let variant = |op: &Op| match op { $(Op::$variant(_) => stringify!($variant)),+ };
            let all: Vec<(&'static str, Rows)> = vec![$((stringify!($variant), $rows)),+];
            let mut out = Vec::new();
            for (name, rows) in all {
                assert!(!rows.is_empty(), "{name} has no row");
                for (form, row) in rows {
                    assert_eq!(variant(&row.op), name, "a row of another operation");
                    out.push((format!("{name}{}{form}", if form.is_empty() { "" } else { ", " }), row));
                }
            }
            out
        }
    };
}

rows! { m, size:
    Unary: UnaryOp::ALL.iter().map(|&op| elementwise(op.into(), 1)).collect(),
    Binary: BinaryOp::ALL.iter().map(|&op| elementwise(op.into(), 2)).collect(),
    Constant: vec![row(Op::splat(f(&[2, 3]), 1.5), &[])],
    Zero: vec![row(Zero { ty: f(&[2, 3]) }, &[])],
    Iota: vec![row(Iota { ty: f(&[2, 3]), dim: 1 }, &[])],
    Compare: vec![
        row(Compare { direction: Direction::Lt, kind: CompareType::Float }, &[f(&[2, 3]), f(&[2, 3])]),
    ],
    Select: vec![
        row(Select {}, &[i1(&[2, 3]), f(&[2, 3]), f(&[2, 3])]),
        ("by a scalar", Row::new(Select {}, &[i1(&[]), f(&[2, 3]), f(&[2, 3])])),
    ],
    Clamp: vec![
        row(Clamp {}, &[f(&[2, 3]), f(&[2, 3]), f(&[2, 3])]),
        ("by scalars", Row::new(Clamp {}, &[f(&[]), f(&[2, 3]), f(&[])])),
    ],
    Fma: vec![row(Fma {}, &[f(&[2, 3]), f(&[2, 3]), f(&[2, 3])])],
    Convert: vec![row(Convert { dtype: DType::F32 }, &[f(&[2, 3])])],
    BitcastConvert: vec![
        row(BitcastConvert { ty: TensorType::new(DType::I64, &[2, 3]) }, &[f(&[2, 3])]),
        ("wider", Row::new(BitcastConvert { ty: i(&[3]) }, &[TensorType::new(DType::I8, &[3, 4])])),
        ("narrower", Row::new(BitcastConvert { ty: i(&[3, 2]) }, &[f(&[3])])),
    ],
    ReducePrecision: vec![row(ReducePrecision { exponent_bits: 5, mantissa_bits: 7 }, &[f(&[2, 3])])],
    BroadcastInDim: vec![
        row(BroadcastInDim { shape: smallvec![3, 2, 4], dims: smallvec![1, 2] }, &[f(&[2, 1])]),
    ],
    Reshape: vec![row(Reshape { shape: smallvec![3, 2] }, &[f(&[2, 3])])],
    Transpose: vec![row(Transpose { perm: smallvec![2, 0, 1] }, &[f(&[2, 3, 4])])],
    Reverse: vec![row(Reverse { dims: smallvec![1] }, &[f(&[2, 3])])],
    Slice: vec![row(
        Slice { start: smallvec![0, 1], limit: smallvec![2, 4], strides: smallvec![1, 2] },
        &[f(&[2, 4])],
    )],
    Concatenate: vec![row(Concatenate { dim: 1 }, &[f(&[2, 3]), f(&[2, 1]), f(&[2, 2])])],
    Pad: vec![row(
        Pad { low: smallvec![1, -1], high: smallvec![0, 2], interior: smallvec![0, 1] },
        &[f(&[2, 3]), f(&[])],
    )],
    DynamicSlice: vec![
        row(DynamicSlice { sizes: smallvec![2, 1] }, &[f(&[3, 4]), i(&[]), i(&[])]),
        ("of a scalar", Row::new(DynamicSlice { sizes: smallvec![] }, &[f(&[])])),
    ],
    DynamicUpdateSlice: vec![
        row(DynamicUpdateSlice {}, &[f(&[3, 4]), f(&[2, 1]), i(&[]), i(&[])]),
        ("of a scalar", Row::new(DynamicUpdateSlice {}, &[f(&[]), f(&[])])),
    ],
    Gather: vec![
        row(gather(), &[f(&[4, 3]), i(&[2, 1])]),
        ("with rows of its own", Row::new(gather_batched(), &[f(&[2, 4, 3]), i(&[2, 5, 1])])),
    ],
    Scatter: {
        let scatter = |reducer| scatter(reducer, 1);
        let types = [f(&[4, 3]), i(&[2, 1]), f(&[2, 3])];
        let apart = Scatter { unique_indices: true, ..scatter(Reducer::Assign) };
        // One place, so that the promise holds.
        vec![
            ("of sums", Row::new(scatter(Reducer::Op(BinaryOp::Add)), &types)),
            ("of largest", Row::new(scatter(Reducer::Op(BinaryOp::Maximum)), &types)),
            ("of last", Row::new(scatter(Reducer::Assign), &types)),
            ("apart", Row::new(apart, &[f(&[4, 3]), i(&[1, 1]), f(&[1, 3])])),
            functions::scatter(m, scatter(Reducer::Assign)),
            functions::scatter_pairs(m, scatter(Reducer::Assign)),
        ]
    },
    Sort: functions::sort(m),
    TopK: vec![row(TopK { k: 2 }, &[f(&[2, 4])])],
    Rng: [RngDistribution::Uniform, RngDistribution::Normal].map(|distribution| {
        let op = Rng { ty: f(&[2, 3]), distribution, stream: 5 };
        (distribution.name(), Row::new(op, &[f(&[]), f(&[]), i(&[2])]).range(1, 1.0, 2.0))
    }).to_vec(),
    RngBitGenerator: functions::random_bits(),
    DotGeneral: {
        let dims = |list: &[usize]| list.iter().copied().collect();
        let dot = |b: [&[usize]; 2], c: [&[usize]; 2]| DotGeneral {
            lhs_batching_dims: dims(b[0]),
            rhs_batching_dims: dims(b[1]),
            lhs_contracting_dims: dims(c[0]),
            rhs_contracting_dims: dims(c[1]),
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype: DType::F64,
        };
        vec![
            row(dot([&[], &[]], [&[1], &[0]]), &[f(&[2, 3]), f(&[3, 4])]),
            ("of vectors", Row::new(dot([&[], &[]], [&[0], &[0]]), &[f(&[3]), f(&[3])])),
            ("batched", Row::new(dot([&[1], &[0]], [&[2], &[2]]), &[f(&[2, 4, 3]), f(&[4, 5, 3])])),
        ]
    },
    Reduce: functions::reduce(m),
    Convolution: convolutions().into_iter().map(|(op, image, kernel)| {
        ("", Row::new(op, &[f(&image), f(&kernel)]))
    }).collect(),
    ReduceWindow: functions::windows(m),
    SelectAndScatter: functions::select_and_scatter(m),
    Map: functions::map(m),
    BatchNormTraining: {
        let op = BatchNormTraining { epsilon: epsilon(), feature_index: 1 };
        vec![row(op, &[f(&[4, 3]), f(&[3]), f(&[3])])]
    },
    BatchNormInference: {
        let op = BatchNormInference { epsilon: epsilon(), feature_index: 1 };
        let vector = f(&[3]);
        let types = [f(&[4, 3]), vector.clone(), vector.clone(), vector.clone(), vector];
        vec![("", Row::new(op, &types).range(4, 0.5, 1.0))]
    },
    BatchNormGrad: {
        let op = BatchNormGrad { epsilon: epsilon(), feature_index: 1 };
        let vector = f(&[3]);
        let types = [f(&[4, 3]), vector.clone(), vector.clone(), vector, f(&[4, 3])];
        vec![("", Row::new(op, &types).range(3, 0.5, 1.0))]
    },
    Fft: {
        let real = |kind, n: usize, of: TensorType| row(Fft { kind, length: smallvec![n] }, &[of]);
        let complex = TensorType::new(DType::C128, &[2, 4]);
        vec![
            real(FftType::Rfft, 4, f(&[2, 4])),
            real(FftType::Fft, 4, complex.clone()),
            real(FftType::Ifft, 4, complex.clone()),
            real(FftType::Irfft, 6, complex),
        ]
    },
    Cholesky: [true, false].map(|lower| row(Cholesky { lower }, &[f(&[3, 3])])).to_vec(),
    TriangularSolve: {
        let solve = |left_side, lower, transpose_a| {
            let op = TriangularSolve { left_side, lower, unit_diagonal: !lower, transpose_a };
            row(op, &[f(&[3, 3]), f(if left_side { &[3, 2] } else { &[2, 3] })])
        };
        vec![solve(true, true, TransposeA::No), solve(false, false, TransposeA::Transpose)]
    },
    Potrf: [true, false].map(|lower| row(Potrf { lower }, &[f(&[3, 3])])).to_vec(),
    Lu: FORMS.map(|form| row(Lu { form }, &[f(&[3, 2])])).to_vec(),
    Qr: FORMS.map(|form| row(Qr { form }, &[f(&[3, 2])])).to_vec(),
    PivotedQr: vec![("", Row::new(PivotedQr {}, &[f(&[3, 2]), i(&[2])]).range(1, 0.0, 1.0))],
    HouseholderProduct: FORMS.map(|form| row(HouseholderProduct { form }, &[f(&[3, 2]), f(&[2])])).to_vec(),
    Eigh: FORMS.map(|form| row(Eigh { lower: true, vectors: true, form, sort: true }, &[f(&[3, 3])])).to_vec(),
    Svd: SvdMode::ALL.iter().flat_map(|&mode| {
        SvdDriver::ALL.iter().map(move |&driver| row(Svd { mode, driver }, &[f(&[3, 2])]))
    }).collect(),
    Eig: vec![row(Eig { left: true, right: true }, &[f(&[3, 3])])],
    Schur: vec![row(Schur { vectors: true }, &[f(&[3, 3])])],
    Hessenberg: vec![row(Hessenberg { low: 1, high: 3 }, &[f(&[3, 3])])],
    Tridiagonalize: [true, false].map(|lower| row(Tridiagonalize { lower }, &[f(&[3, 3])])).to_vec(),
    TridiagonalSolve: [true, false].map(|perturbed| {
        let types = [f(&[3]), f(&[3]), f(&[3]), f(&[3, 2])];
        ("", Row::new(TridiagonalSolve { perturbed }, &types).range(1, 3.0, 4.0))
    }).to_vec(),
    ApproxTopK: functions::approx_top_k(m),
    CustomCall: functions::custom_calls(),
    Call: functions::call(m),
    Composite: functions::composite(m),
    Case: functions::case(m),
    While: functions::r#while(m),
    Scan: functions::scan(m),
    CustomJvp: functions::custom_jvp(m),
    CustomVjp: functions::custom_vjp(m),
    CustomLinear: functions::custom_linear(m),
    Checkpoint: functions::checkpoint(m),
    LinearSolve: functions::linear_solve(m),
    Root: functions::root(m),
    AxisIndex: vec![row(AxisIndex { axis: super::AXIS.into(), size }, &[])],
    Collective: vec![row(
        Collective {
            axis: super::AXIS.into(),
            size,
            kind: CollectiveKind::AllGather,
            source: smallvec![],
            target: smallvec![],
        },
        &[f(&[2, 3])],
    )],
    StopGradient: vec![row(StopGradient {}, &[f(&[2, 3])])],
    OptimizationBarrier: vec![row(OptimizationBarrier { region: 0 }, &[f(&[2, 3]), f(&[4])])],
    Foreign: {
        let name = "stablehlo.uniform_quantize".into();
        let results = vec![f(&[2]).into()];
        let op = Foreign { name, attributes: "".into(), regions: vec![], captures: 0, results };
        vec![("", Row::new(op, &[f(&[2])]).refused())]
    },
    Print: vec![row(Print { format: "{} and {}".into() }, &[f(&[2]), f(&[])])],
    Assert: vec![{
        let op = Assert { message: "not {}".into(), batch: 0, mapped: smallvec![0] };
        ("", Row::new(op, &[i1(&[2]), f(&[])]).range(0, 1.0, 1.0))
    }],
    Sow: vec![row(Sow { name: "it".into() }, &[f(&[2, 3])])],
    Check: vec![{
        let op = Check { kind: CheckKind::AlmostEq, tolerance: FloatAttr::new(1.0), min_ulp: 0, max_ulp: 0 };
        ("", Row::new(op, &[f(&[2]), f(&[2])]).range(0, 0.5, 1.0).range(1, 0.5, 1.0))
    }],
}

const FORMS: [CallForm; 2] = [CallForm::Lapack, CallForm::Generic];

/// An operation on operands of the first of some types that it takes.
fn elementwise(op: Op, count: usize) -> (&'static str, Row) {
    let dtypes = [DType::F64, DType::I32, DType::U32, DType::C128];
    let mut rows = dtypes.into_iter().map(|dtype| vec![TensorType::new(dtype, &[2, 3]); count]);
    let module = Module::new("");
    let takes = |types: &Vec<TensorType>| {
        let types: Vec<Type> = types.iter().cloned().map(Type::from).collect();
        op.def().infer(&module, &types).is_ok()
    };
    let types = rows.find(takes).unwrap_or_else(|| panic!("{} takes none of these", op.name()));
    ("", Row::new(op, &types))
}

/// Rows of a matrix.
fn gather() -> Gather {
    Gather {
        offset_dims: smallvec![1],
        collapsed_slice_dims: smallvec![0],
        operand_batching_dims: smallvec![],
        start_indices_batching_dims: smallvec![],
        start_index_map: smallvec![0],
        index_vector_dim: 1,
        slice_sizes: smallvec![1, 3],
        indices_are_sorted: false,
    }
}

/// Rows of each of several matrices.
fn gather_batched() -> Gather {
    Gather {
        offset_dims: smallvec![2],
        collapsed_slice_dims: smallvec![1],
        operand_batching_dims: smallvec![0],
        start_indices_batching_dims: smallvec![0],
        start_index_map: smallvec![1],
        index_vector_dim: 2,
        slice_sizes: smallvec![1, 1, 3],
        indices_are_sorted: false,
    }
}

/// Rows into a matrix.
fn scatter(reducer: Reducer, inputs: usize) -> Scatter {
    Scatter {
        update_window_dims: smallvec![1],
        inserted_window_dims: smallvec![0],
        input_batching_dims: smallvec![],
        scatter_indices_batching_dims: smallvec![],
        scatter_dims_to_operand_dims: smallvec![0],
        index_vector_dim: 1,
        indices_are_sorted: false,
        unique_indices: false,
        inputs,
        reducer,
    }
}

fn epsilon() -> Literal {
    Literal::splat(TensorType::scalar(DType::F32), 0.25)
}
