//! The table of operations that move elements, contractions and barriers: derivatives, transposes, values
//! and the constraints that `infer` names.

use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module};
use wengert_ir::interp;
use wengert_ir::op::*;
use wengert_ir::rules::OpDef;
use wengert_ir::testing::{Random, Row, check_jvp, check_transpose, eval, eval_op, jvp, single, single_in};
use wengert_ir::types::{DType, DYNAMIC, Dims, TensorType, Type};

fn f64s(shape: &[usize]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

fn i32s(shape: &[usize]) -> TensorType {
    TensorType::new(DType::I32, shape)
}

fn dims(d: &[usize]) -> Dims {
    Dims::from_slice(d)
}

fn row(op: impl Into<Op>, operands: &[TensorType]) -> Row {
    Row::new(op, operands, (-2.0, 2.0))
}

fn pad(low: &[i64], high: &[i64], interior: &[i64]) -> Pad {
    Pad { low: low.into(), high: high.into(), interior: interior.into() }
}

fn slice(start: &[usize], limit: &[usize], strides: &[usize]) -> Slice {
    Slice { start: dims(start), limit: dims(limit), strides: dims(strides) }
}

#[test]
fn shape_operations() {
    let broadcast = |shape: &[usize], d: &[usize]| BroadcastInDim { shape: dims(shape), dims: dims(d) };
    let mut rows = vec![];
    let one = [
        (f64s(&[]), Op::from(broadcast(&[2, 3], &[]))),
        (f64s(&[]), broadcast(&[], &[]).into()),
        (f64s(&[3]), broadcast(&[2, 3, 4], &[1]).into()),
        (f64s(&[2, 1]), broadcast(&[2, 3], &[0, 1]).into()),
        // Dimensions out of order, one of them stretched, one of size 1 kept.
        (f64s(&[3, 1, 2]), broadcast(&[2, 4, 3], &[2, 1, 0]).into()),
        (f64s(&[1, 3, 2]), broadcast(&[2, 3, 1], &[2, 1, 0]).into()),
        (f64s(&[0]), broadcast(&[2, 0], &[1]).into()),
        (f64s(&[1]), broadcast(&[0], &[0]).into()),
        (f64s(&[1, 2, 1, 2, 1]), broadcast(&[2, 2, 3, 2, 1], &[0, 1, 2, 3, 4]).into()),
        (f64s(&[2, 3]), Reshape { shape: dims(&[3, 1, 2]) }.into()),
        (f64s(&[1, 1]), Reshape { shape: dims(&[]) }.into()),
        (f64s(&[0, 3]), Reshape { shape: dims(&[2, 0]) }.into()),
        (f64s(&[2, 3, 4]), Transpose { perm: dims(&[2, 0, 1]) }.into()),
        (f64s(&[]), Transpose { perm: dims(&[]) }.into()),
        (f64s(&[1, 2, 1, 3, 2]), Transpose { perm: dims(&[4, 2, 0, 3, 1]) }.into()),
        (f64s(&[0, 2]), Transpose { perm: dims(&[1, 0]) }.into()),
        (f64s(&[2, 3, 2]), Reverse { dims: dims(&[2, 0]) }.into()),
        (f64s(&[0, 3]), Reverse { dims: dims(&[0, 1]) }.into()),
        (f64s(&[]), slice(&[], &[], &[]).into()),
        (f64s(&[7, 3]), slice(&[1, 0], &[6, 3], &[2, 1]).into()),
        (f64s(&[7]), slice(&[2], &[7], &[3]).into()),
        (f64s(&[7]), slice(&[3], &[3], &[1]).into()),
        (f64s(&[7]), slice(&[3], &[4], &[1 << 40]).into()),
        (f64s(&[2, 2, 2, 2, 3]), slice(&[0, 1, 0, 0, 1], &[2, 2, 2, 1, 3], &[1, 1, 1, 1, 2]).into()),
    ];
    rows.extend(one.into_iter().map(|(ty, op)| row(op, &[ty]).linear(&[true])));
    for (x, op) in [
        (f64s(&[3, 2]), pad(&[1, 0], &[0, 2], &[0, 0])),
        (f64s(&[4]), pad(&[2], &[1], &[2])),
        (f64s(&[5]), pad(&[-1], &[-2], &[0])),
        // The first element is cut, and with it a part of the gap after it.
        (f64s(&[4]), pad(&[-2], &[-1], &[3])),
        (f64s(&[4]), pad(&[-6], &[3], &[1])),
        (f64s(&[3]), pad(&[2], &[-7], &[1])),
        (f64s(&[1]), pad(&[-2], &[3], &[5])),
        (f64s(&[0]), pad(&[2], &[1], &[4])),
        (f64s(&[0]), pad(&[3], &[-2], &[0])),
        (f64s(&[]), pad(&[], &[], &[])),
        (f64s(&[1, 2, 0, 1, 2]), pad(&[0, 1, 1, 0, -1], &[0; 5], &[1; 5])),
        (f64s(&[1, 2, 1, 1, 2]), pad(&[0, 1, 1, 0, -1], &[0; 5], &[1; 5])),
    ] {
        rows.push(row(op, &[x, f64s(&[])]).linear(&[true, true]));
    }
    let cat = |dim| Concatenate { dim };
    rows.push(row(cat(0), &[f64s(&[2])]).linear(&[true]));
    rows.push(row(cat(1), &[f64s(&[2, 1]), f64s(&[2, 0]), f64s(&[2, 3])]).linear(&[true, true, true]));
    rows.push(row(cat(3), &[f64s(&[1, 2, 1, 1, 2]), f64s(&[1, 2, 1, 3, 2])]).linear(&[true, true]));
    rows.iter().for_each(|r| r.check(&Module::new("")));
}

#[test]
fn dynamic_slices() {
    // Starts from -2 to 4: many are clamped.
    let starts =
        |r: Row, count: usize, first: usize| (first..first + count).fold(r, |r, k| r.range(k, -2.0, 5.0));
    let ds = |shape: &[usize], sizes: &[usize]| {
        let n = shape.len();
        let mut operands = vec![f64s(shape)];
        operands.extend(vec![i32s(&[]); n]);
        let mut linear = vec![false; n + 1];
        linear[0] = true;
        starts(row(DynamicSlice { sizes: dims(sizes) }, &operands), n, 1).linear(&linear)
    };
    let dus = |shape: &[usize], sizes: &[usize]| {
        let n = shape.len();
        let mut operands = vec![f64s(shape), f64s(sizes)];
        operands.extend(vec![i32s(&[]); n]);
        let mut linear = vec![false; n + 2];
        linear[..2].fill(true);
        starts(row(DynamicUpdateSlice {}, &operands), n, 2).linear(&linear)
    };
    for (shape, sizes) in [
        (&[][..], &[][..]),
        (&[4], &[2]),
        (&[4], &[4]),
        (&[4], &[0]),
        (&[0], &[0]),
        (&[4, 3], &[2, 1]),
        (&[2, 3, 1, 2, 3], &[1, 2, 1, 2, 1]),
    ] {
        ds(shape, sizes).check(&Module::new(""));
        dus(shape, sizes).check(&Module::new(""));
    }
    let x = Array::new(&[5], &[0, 1, 2, 3, 4i32]);
    for (start, expected) in
        [(Array::scalar(-7i64), [0, 1]), (Array::scalar(2i64), [2, 3]), (Array::scalar(u64::MAX), [3, 4])]
    {
        let out = eval_op(DynamicSlice { sizes: dims(&[2]) }, &[x.clone(), start]);
        assert_eq!(out[0].as_slice::<i32>(), expected);
    }
}

/// Rows of a table, as jnp.take(x, i, axis=0).
fn take(slice_sizes: &[usize]) -> Gather {
    Gather {
        offset_dims: (1..slice_sizes.len()).collect(),
        collapsed_slice_dims: dims(&[0]),
        operand_batching_dims: dims(&[]),
        start_indices_batching_dims: dims(&[]),
        start_index_map: dims(&[0]),
        index_vector_dim: 1,
        slice_sizes: dims(slice_sizes),
        indices_are_sorted: false,
    }
}

/// Windows of 2 x 2 at pairs of indices given along dimension 0, window dims first and last.
fn windows() -> Gather {
    Gather {
        offset_dims: dims(&[0, 2]),
        collapsed_slice_dims: dims(&[]),
        operand_batching_dims: dims(&[]),
        start_indices_batching_dims: dims(&[]),
        start_index_map: dims(&[1, 0]),
        index_vector_dim: 0,
        slice_sizes: dims(&[2, 2]),
        indices_are_sorted: false,
    }
}

/// From each row of a 3 x 5 operand, batched with dimension 1 of the indices, 2 elements; one dimension more.
fn batched() -> Gather {
    Gather {
        offset_dims: dims(&[2]),
        collapsed_slice_dims: dims(&[]),
        operand_batching_dims: dims(&[0]),
        start_indices_batching_dims: dims(&[1]),
        start_index_map: dims(&[1]),
        index_vector_dim: 2,
        slice_sizes: dims(&[1, 2]),
        indices_are_sorted: false,
    }
}

/// The scatter at the places of a gather.
fn at_places_of(g: &Gather, reducer: Reducer, unique_indices: bool) -> Scatter {
    Scatter {
        update_window_dims: g.offset_dims.clone(),
        inserted_window_dims: g.collapsed_slice_dims.clone(),
        input_batching_dims: g.operand_batching_dims.clone(),
        scatter_indices_batching_dims: g.start_indices_batching_dims.clone(),
        scatter_dims_to_operand_dims: g.start_index_map.clone(),
        index_vector_dim: g.index_vector_dim,
        indices_are_sorted: false,
        unique_indices,
        inputs: 1,
        reducer,
    }
}

/// Gathers with operand, indices and result shapes.
fn gathers() -> Vec<(Gather, Dims, Dims, Dims)> {
    let scalar = Gather {
        offset_dims: dims(&[0]),
        index_vector_dim: 0,
        collapsed_slice_dims: dims(&[1]),
        start_index_map: dims(&[1]),
        slice_sizes: dims(&[3, 1]),
        ..take(&[1, 1])
    };
    let nothing = Gather {
        offset_dims: dims(&[0]),
        index_vector_dim: 0,
        collapsed_slice_dims: dims(&[]),
        start_index_map: dims(&[]),
        slice_sizes: dims(&[2]),
        ..take(&[1])
    };
    vec![
        (take(&[1]), dims(&[4]), dims(&[6, 1]), dims(&[6])),
        (take(&[1, 3]), dims(&[4, 3]), dims(&[5, 1]), dims(&[5, 3])),
        (take(&[1, 2]), dims(&[4, 3]), dims(&[5, 1]), dims(&[5, 2])),
        (take(&[1, 3]), dims(&[4, 3]), dims(&[0, 1]), dims(&[0, 3])),
        (Gather { index_vector_dim: 1, ..take(&[1]) }, dims(&[4]), dims(&[6]), dims(&[6])),
        (windows(), dims(&[4, 5]), dims(&[2, 6]), dims(&[2, 6, 2])),
        (batched(), dims(&[3, 5]), dims(&[2, 3, 1]), dims(&[2, 3, 2])),
        // Index vectors of one component without a dimension; none at all.
        (scalar, dims(&[3, 4]), dims(&[1]), dims(&[3])),
        (nothing, dims(&[3]), dims(&[0]), dims(&[2])),
    ]
}

#[test]
fn gathers_and_scatters() {
    let module = Module::new("");
    for (g, x, i, y) in gathers() {
        // Starts from -3 to 6: some windows lie outside, some partly.
        let indexed = |r: Row| r.range(1, -3.0, 7.0);
        let gather = indexed(row(g.clone(), &[f64s(&x), i32s(&i)])).linear(&[true, false]);
        gather.check(&module);
        for dtype in [DType::I64, DType::U64, DType::U32, DType::I8] {
            let indices = TensorType::new(dtype, &i);
            let r = row(g.clone(), &[f64s(&x), indices]).linear(&[true, false]);
            r.range(1, if dtype == DType::I64 { -3.0 } else { 0.0 }, 7.0).check(&module);
        }
        let operands = [f64s(&x), i32s(&i), f64s(&y)];
        let both = [true, false, true];
        let scatter = |reducer| indexed(row(at_places_of(&g, reducer, false), &operands));
        scatter(Reducer::Op(BinaryOp::Add)).linear(&both).check(&module);
        scatter(Reducer::Assign).linear(&both).check(&module);
        scatter(Reducer::Op(BinaryOp::Maximum)).check(&module);
        scatter(Reducer::Op(BinaryOp::Minimum)).check(&module);
        for dtype in [DType::I64, DType::U64] {
            let op = at_places_of(&g, Reducer::Op(BinaryOp::Add), false);
            let r = row(op, &[f64s(&x), TensorType::new(dtype, &i), f64s(&y)]).linear(&both);
            r.range(1, if dtype == DType::I64 { -3.0 } else { 0.0 }, 7.0).check(&module);
        }
    }
}

#[test]
fn scatters_with_unique_indices() {
    let indices = [
        (take(&[1]), dims(&[4]), Array::new(&[4, 1], &[2, 7, 0, 3i32]), dims(&[4])),
        (windows(), dims(&[4, 5]), Array::new(&[2, 2], &[0, 3, 0, 3i32]), dims(&[2, 2, 2])),
    ];
    for (g, x, i, y) in indices {
        let multiply = at_places_of(&g, Reducer::Op(BinaryOp::Multiply), true);
        assert_eq!(multiply.differentiable(&[true, false, true]), Ok(()));
        let assign = at_places_of(&g, Reducer::Assign, true);
        let mut random = Random(5);
        for op in [multiply.clone(), assign.clone()] {
            let types = [f64s(&x), i.ty().clone(), f64s(&y)];
            let (mut module, f) = single(op.into(), &types);
            let args = [random.array(&types[0], -2.0, 2.0), i.clone(), random.array(&types[2], -2.0, 2.0)];
            check_jvp(&mut module, f, &args, 1e-6);
        }
        let args = [random.array(&f64s(&x), -2.0, 2.0), i, random.array(&f64s(&y), -2.0, 2.0)];
        check_transpose(Module::new(""), &multiply.into(), &args, &[true, false, false]);
        check_transpose(Module::new(""), &assign.into(), &args, &[true, false, true]);
    }
    let repeated = at_places_of(&take(&[1]), Reducer::Op(BinaryOp::Multiply), false);
    assert!(repeated.differentiable(&[true, false, true]).is_err());
    assert_eq!(repeated.differentiable(&[true, false, false]), Ok(()));
    row(repeated, &[f64s(&[4]), i32s(&[3, 1]), f64s(&[3])])
        .range(1, 0.0, 4.0)
        .orders(0)
        .check(&Module::new(""));
}

#[test]
fn ties_of_an_extremum_split() {
    let op = at_places_of(&take(&[1]), Reducer::Op(BinaryOp::Maximum), false);
    let (mut module, f) = single(op.into(), &[f64s(&[2]), i32s(&[3, 1]), f64s(&[3])]);
    let jvp = jvp(&mut module, f);
    let args = [
        Array::new(&[2], &[1.0, 5.0]),
        Array::new(&[3, 1], &[0, 0, 1i32]),
        Array::new(&[3], &[1.0, 1.0, 2.0]),
        Array::new(&[2], &[3.0, 10.0]),
        Array::new(&[3], &[6.0, 9.0, 100.0]),
    ];
    let out = eval(&module, jvp, &args);
    assert_eq!(out[1].as_slice::<f64>(), [6.0, 10.0]);
}

#[test]
fn scatter_keeps_the_last_and_drops_what_is_outside() {
    let x = Array::new(&[4], &[10, 20, 30, 40i64]);
    let i = Array::new(&[5, 1], &[1, -1, 4, 1, 3i32]);
    let u = Array::new(&[5], &[1, 2, 3, 4, 5i64]);
    let run = |reducer| {
        let op = at_places_of(&take(&[1]), reducer, false);
        eval_op(op, &[x.clone(), i.clone(), u.clone()])[0].as_slice::<i64>().to_vec()
    };
    assert_eq!(run(Reducer::Assign), [10, 4, 30, 5]);
    assert_eq!(run(Reducer::Op(BinaryOp::Add)), [10, 25, 30, 45]);
    assert_eq!(run(Reducer::Op(BinaryOp::Multiply)), [10, 80, 30, 200]);
    // A window that sticks out is dropped as a whole.
    let window = Gather { offset_dims: dims(&[1]), collapsed_slice_dims: dims(&[]), ..take(&[2]) };
    let op = at_places_of(&window, Reducer::Assign, false);
    let updates = Array::new(&[3, 2], &[1, 2, 3, 4, 5, 6i64]);
    let out = eval_op(op, &[x, Array::new(&[3, 1], &[-1, 3, 2i32]), updates]);
    assert_eq!(out[0].as_slice::<i64>(), [10, 20, 5, 6]);
}

fn dot(batching: [&[usize]; 2], contracting: [&[usize]; 2]) -> DotGeneral {
    DotGeneral {
        lhs_batching_dims: dims(batching[0]),
        rhs_batching_dims: dims(batching[1]),
        lhs_contracting_dims: dims(contracting[0]),
        rhs_contracting_dims: dims(contracting[1]),
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype: DType::F64,
    }
}

#[test]
fn contractions() {
    let none: [&[usize]; 2] = [&[], &[]];
    for (op, lhs, rhs) in [
        (dot(none, [&[1], &[0]]), f64s(&[2, 3]), f64s(&[3, 4])),
        (dot(none, [&[0], &[0]]), f64s(&[3]), f64s(&[3])),
        (dot(none, none), f64s(&[2]), f64s(&[3])),
        (dot(none, none), f64s(&[]), f64s(&[])),
        (dot([&[0], &[2]], [&[1], &[0]]), f64s(&[2, 3, 4]), f64s(&[3, 5, 2])),
        (dot([&[2, 0], &[0, 1]], [&[3], &[3]]), f64s(&[2, 3, 4, 2]), f64s(&[4, 2, 3, 2])),
        // Two contracted dimensions in another order on each side.
        (dot(none, [&[2, 0], &[0, 1]]), f64s(&[2, 3, 4]), f64s(&[4, 2, 5])),
        (dot([&[1], &[0]], [&[4, 0, 2], &[1, 3, 4]]), f64s(&[2, 3, 2, 2, 4]), f64s(&[3, 4, 2, 2, 2])),
        (dot(none, [&[1], &[0]]), f64s(&[2, 0]), f64s(&[0, 4])),
        (dot(none, [&[1], &[0]]), f64s(&[0, 2]), f64s(&[2, 4])),
    ] {
        let r = row(op, &[lhs, rhs]).linear(&[true, false]).linear(&[false, true]);
        r.check(&Module::new(""));
    }
    let out = eval_op(
        DotGeneral { dtype: DType::I32, ..dot(none, [&[1], &[0]]) },
        &[Array::new(&[2, 2], &[1, 2, 3, 4i32]), Array::new(&[2, 2], &[5, 6, 7, 8i32])],
    );
    assert_eq!(out[0].as_slice::<i32>(), [19, 22, 43, 50]);
}

#[test]
fn barriers() {
    let op = OptimizationBarrier { region: 3 };
    row(op, &[f64s(&[2]), f64s(&[])]).linear(&[true, true]).check(&Module::new(""));
}

/// A region that adds its operands up, all scalars of one type.
fn adder(module: &mut Module, params: usize, results: usize) -> FuncId {
    let mut func = Func::new("", FuncKind::Region);
    let values: Vec<_> = (0..params).map(|_| func.param(f64s(&[]))).collect();
    let mut sum = values[0];
    for &v in &values[1..] {
        sum = func.push(module, BinaryOp::Add.into(), &[sum, v], Loc::Unknown).unwrap()[0];
    }
    func.results = vec![sum; results];
    module.add(func)
}

#[test]
fn scans() {
    let mut module = Module::new("");
    let body = adder(&mut module, 3, 2);
    let scan = |reverse, length| Scan { body, consts: 1, carry: 1, reverse, length };
    let run = |op: Scan, args: &[Array], types: &[TensorType]| {
        let (module, f) = single_in(module.clone(), op.into(), types);
        eval(&module, f, args)
    };
    let xs = Array::new(&[3], &[1.0, 2.0, 3.0]);
    let (one, zero) = (Array::scalar(1.0), Array::scalar(0.0));
    let types = [f64s(&[]), f64s(&[]), f64s(&[3])];
    let out = run(scan(false, 3), &[one.clone(), zero.clone(), xs.clone()], &types);
    assert_eq!(out[0].as_slice::<f64>(), [9.0]);
    assert_eq!(out[1].as_slice::<f64>(), [2.0, 5.0, 9.0]);
    let out = run(scan(true, 3), &[one.clone(), zero.clone(), xs.clone()], &types);
    assert_eq!(out[1].as_slice::<f64>(), [9.0, 7.0, 4.0]);
    // A stack without rows is zero, whatever the count; no trips give no rows.
    let dynamic = DYNAMIC;
    let types = [TensorType::scalar(DType::I64), f64s(&[]), f64s(&[]), f64s(&[dynamic])];
    for (count, stack, expected) in
        [(2i64, Array::new::<f64>(&[0], &[]), vec![1.0, 2.0]), (3, xs, vec![2.0, 5.0, 9.0])]
    {
        let out =
            run(scan(false, dynamic), &[Array::scalar(count), one.clone(), zero.clone(), stack], &types);
        assert_eq!(out[1].as_slice::<f64>(), expected);
    }
    let none = Array::new::<f64>(&[0], &[]);
    let out = run(scan(false, dynamic), &[Array::scalar(0i64), one, zero, none], &types);
    assert_eq!(out[1].ty(), &f64s(&[0]));
}

#[test]
fn whiles_and_cases() {
    let mut module = Module::new("");
    let body = adder(&mut module, 2, 2);
    let mut cond = Func::new("", FuncKind::Region);
    let (a, b) = (cond.param(f64s(&[])), cond.param(f64s(&[])));
    let bound = cond.push(&module, Op::splat(f64s(&[]), 10.0), &[], Loc::Unknown).unwrap()[0];
    let _ = a;
    let less = Compare { direction: Direction::Lt, kind: CompareType::Float };
    cond.results = cond.push(&module, less.into(), &[b, bound], Loc::Unknown).unwrap().to_vec();
    let cond = module.add(cond);
    let op = While { cond, body, consts: 1, stacks: 1, counted: true };
    let (m, f) = single_in(module.clone(), op.into(), &[f64s(&[]), f64s(&[])]);
    let out = eval(&m, f, &[Array::scalar(4.0), Array::scalar(0.0)]);
    assert_eq!(out[0].as_slice::<f64>(), [12.0]);
    assert_eq!(out[1].as_slice::<i64>(), [3]);
    assert_eq!(out[2].as_slice::<f64>(), [4.0, 8.0, 12.0]);
    let out = eval(&m, f, &[Array::scalar(4.0), Array::scalar(11.0)]);
    assert_eq!(out[2].ty(), &f64s(&[0]));
    // More rows than can be counted.
    for stacks in [2, usize::MAX] {
        let op = While { cond, body, consts: 1, stacks, counted: true };
        let refused = op.infer(&module, &[f64s(&[]).into(), f64s(&[]).into()]).unwrap_err();
        assert!(refused.to_string().contains("the body gives 2 values"), "{refused}");
    }

    let single_result = adder(&mut module, 2, 1);
    let mut second = Func::new("", FuncKind::Region);
    second.param(f64s(&[]));
    let v = second.param(f64s(&[]));
    second.results = vec![v];
    let second = module.add(second);
    let op = Case { branches: vec![single_result, second] };
    let (m, f) = single_in(module, op.into(), &[i32s(&[]), f64s(&[]), f64s(&[])]);
    for (index, expected) in [(0, 3.0), (1, 2.0), (-1, 2.0), (7, 2.0)] {
        let out = eval(&m, f, &[Array::scalar::<i32>(index), Array::scalar(1.0), Array::scalar(2.0)]);
        assert_eq!(out[0].as_slice::<f64>(), [expected], "index {index}");
    }
}

/// Sizes that types leave open are checked when they are known; nothing panics.
#[test]
fn open_sizes() {
    let open = f64s(&[DYNAMIC]);
    let five = Array::zeros(f64s(&[5]));
    let four = Array::zeros(f64s(&[4]));
    let none: [&[usize]; 2] = [&[], &[]];
    let cases: Vec<(Op, Vec<TensorType>, Vec<Array>)> = vec![
        (Reshape { shape: dims(&[2, 2]) }.into(), vec![open.clone()], vec![five.clone()]),
        (Reshape { shape: open.shape.clone() }.into(), vec![f64s(&[5])], vec![five.clone()]),
        (slice(&[0], &[6], &[1]).into(), vec![open.clone()], vec![five.clone()]),
        (
            BroadcastInDim { shape: dims(&[4]), dims: dims(&[0]) }.into(),
            vec![open.clone()],
            vec![five.clone()],
        ),
        (
            BroadcastInDim { shape: open.shape.clone(), dims: dims(&[]) }.into(),
            vec![f64s(&[])],
            vec![Array::scalar(1.0)],
        ),
        (dot(none, [&[0], &[0]]).into(), vec![open.clone(), open.clone()], vec![five.clone(), four.clone()]),
        (BinaryOp::Add.into(), vec![open.clone(), open], vec![five, four]),
    ];
    for (op, types, args) in cases {
        let (module, f) = single(op, &types);
        let out = interp::run(&module, f, &args, &interp::Limits::default());
        assert!(out.is_err(), "{:?}", module.get(f).insts);
    }
}

/// One violation per line: the operation, its operands and the label that must be named.
#[test]
fn constraints() {
    let gather = |change: &dyn Fn(&mut Gather)| {
        let mut g = batched();
        change(&mut g);
        Op::from(g)
    };
    let scatter = |change: &dyn Fn(&mut Scatter)| {
        let mut s = at_places_of(&batched(), Reducer::Assign, false);
        change(&mut s);
        Op::from(s)
    };
    let g = [f64s(&[3, 5]), i32s(&[2, 3, 1])];
    let s = [f64s(&[3, 5]), i32s(&[2, 3, 1]), f64s(&[2, 3, 2])];
    let none: [&[usize]; 2] = [&[], &[]];
    let cases: Vec<(Op, Vec<TensorType>, &str)> = vec![
        (BroadcastInDim { shape: dims(&[3]), dims: dims(&[]) }.into(), vec![f64s(&[3])], "C2"),
        (BroadcastInDim { shape: dims(&[3]), dims: dims(&[1]) }.into(), vec![f64s(&[3])], "C3"),
        (BroadcastInDim { shape: dims(&[3, 3]), dims: dims(&[1, 1]) }.into(), vec![f64s(&[3, 3])], "C4"),
        (BroadcastInDim { shape: dims(&[3]), dims: dims(&[0]) }.into(), vec![f64s(&[2])], "C5"),
        (Reshape { shape: dims(&[3, 3]) }.into(), vec![f64s(&[8])], "C2"),
        (Reshape { shape: dims(&[1 << 40, 1 << 40]) }.into(), vec![f64s(&[8])], "C2"),
        (Transpose { perm: dims(&[0, 0]) }.into(), vec![f64s(&[2, 2])], "C2"),
        (Reverse { dims: dims(&[0, 0]) }.into(), vec![f64s(&[2])], "C2"),
        (Reverse { dims: dims(&[1]) }.into(), vec![f64s(&[2])], "C3"),
        (slice(&[0], &[1], &[]).into(), vec![f64s(&[2])], "C2"),
        (slice(&[1], &[3], &[1]).into(), vec![f64s(&[2])], "C3"),
        (slice(&[0], &[2], &[0]).into(), vec![f64s(&[2])], "C4"),
        (Concatenate { dim: 0 }.into(), vec![f64s(&[2]), i32s(&[2])], "C1"),
        (Concatenate { dim: 0 }.into(), vec![f64s(&[2, 1]), f64s(&[2, 2])], "C2"),
        (Concatenate { dim: 0 }.into(), vec![], "C3"),
        (Concatenate { dim: 1 }.into(), vec![f64s(&[2])], "C4"),
        (pad(&[0], &[0], &[0]).into(), vec![f64s(&[2]), i32s(&[])], "C1"),
        (pad(&[0], &[0], &[]).into(), vec![f64s(&[2]), f64s(&[])], "C2"),
        (pad(&[i64::MIN], &[0], &[0]).into(), vec![f64s(&[2]), f64s(&[])], "C2"),
        (pad(&[0], &[0], &[-1]).into(), vec![f64s(&[2]), f64s(&[])], "C3"),
        (pad(&[-3], &[0], &[0]).into(), vec![f64s(&[2]), f64s(&[])], "C4"),
        (pad(&[0], &[0], &[i64::MAX]).into(), vec![f64s(&[9]), f64s(&[])], "C4"),
        (DynamicSlice { sizes: dims(&[1]) }.into(), vec![f64s(&[2])], "C2"),
        (DynamicSlice { sizes: dims(&[3]) }.into(), vec![f64s(&[2]), i32s(&[])], "C4"),
        (DynamicUpdateSlice {}.into(), vec![f64s(&[2]), i32s(&[1]), i32s(&[])], "C2"),
        (DynamicUpdateSlice {}.into(), vec![f64s(&[2]), f64s(&[]), i32s(&[])], "C3"),
        (DynamicUpdateSlice {}.into(), vec![f64s(&[2]), f64s(&[1])], "C4"),
        (DynamicUpdateSlice {}.into(), vec![f64s(&[2]), f64s(&[3]), i32s(&[])], "C6"),
        (gather(&|g| g.offset_dims = dims(&[])), g.to_vec(), "C1"),
        (gather(&|g| g.index_vector_dim = 4), g.to_vec(), "C2"),
        (gather(&|g| g.start_index_map = dims(&[1, 0])), g.to_vec(), "C3"),
        (gather(&|g| g.offset_dims = dims(&[3])), g.to_vec(), "C5"),
        (gather(&|g| g.slice_sizes = dims(&[2, 2])), g.to_vec(), "C12"),
        (gather(&|g| g.start_indices_batching_dims = dims(&[3])), g.to_vec(), "C14"),
        (gather(&|g| g.start_indices_batching_dims = dims(&[2])), g.to_vec(), "C15"),
        (gather(&|g| g.start_indices_batching_dims = dims(&[])), g.to_vec(), "C16"),
        (gather(&|g| g.start_indices_batching_dims = dims(&[0])), g.to_vec(), "C17"),
        (gather(&|g| g.start_index_map = dims(&[0])), g.to_vec(), "C18"),
        (gather(&|g| g.start_index_map = dims(&[2])), g.to_vec(), "C19"),
        (gather(&|g| g.slice_sizes = dims(&[1])), g.to_vec(), "C20"),
        (gather(&|g| g.slice_sizes = dims(&[1, 6])), g.to_vec(), "C21"),
        (scatter(&|s| s.update_window_dims = dims(&[])), s.to_vec(), "C2"),
        (scatter(&|_| {}), vec![f64s(&[3, 5]), i32s(&[2, 3, 1]), f64s(&[3, 3, 2])], "C4"),
        (scatter(&|_| {}), vec![f64s(&[3, 5]), i32s(&[2, 3, 1]), f64s(&[2, 3, 6])], "C4"),
        (scatter(&|_| {}), s[..2].to_vec(), "C5"),
        (scatter(&|_| {}), vec![f64s(&[3, 5]), i32s(&[2, 3, 1]), i32s(&[2, 3, 2])], "C6"),
        (scatter(&|s| s.update_window_dims = dims(&[3])), s.to_vec(), "C8"),
        (scatter(&|s| s.scatter_indices_batching_dims = dims(&[0])), s.to_vec(), "C18"),
        (scatter(&|s| s.scatter_dims_to_operand_dims = dims(&[])), s.to_vec(), "C19"),
        (scatter(&|s| s.scatter_dims_to_operand_dims = dims(&[0])), s.to_vec(), "C20"),
        (scatter(&|s| s.scatter_dims_to_operand_dims = dims(&[2])), s.to_vec(), "C21"),
        (scatter(&|s| s.index_vector_dim = 4), s.to_vec(), "C22"),
        (scatter(&|s| s.reducer = Reducer::Op(BinaryOp::Subtract)), s.to_vec(), "C23"),
        (dot([&[0], &[]], none).into(), vec![f64s(&[2]), f64s(&[2])], "C1"),
        (dot(none, [&[0], &[]]).into(), vec![f64s(&[2]), f64s(&[2])], "C2"),
        (dot([&[0], &[0]], [&[0], &[0]]).into(), vec![f64s(&[2]), f64s(&[2])], "C3"),
        (dot([&[1], &[1]], none).into(), vec![f64s(&[2]), f64s(&[2])], "C5"),
        (dot(none, [&[0], &[1]]).into(), vec![f64s(&[2]), f64s(&[2])], "C8"),
        (dot([&[0], &[0]], none).into(), vec![f64s(&[2]), f64s(&[3])], "C9"),
        (dot(none, [&[0], &[0]]).into(), vec![f64s(&[2]), f64s(&[3])], "C10"),
        (dot(none, [&[0], &[0]]).into(), vec![f64s(&[2]), i32s(&[2])], "C13"),
        (Case { branches: vec![] }.into(), vec![i32s(&[])], "C1"),
    ];
    for (op, operands, label) in cases {
        let types: Vec<Type> = operands.iter().cloned().map(Type::from).collect();
        let error = op.infer(&Module::new(""), &types).expect_err(op.name());
        assert_eq!(error.constraint, label, "{op:?} of {operands:?}: {error}");
    }
}
