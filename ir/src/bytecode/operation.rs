//! What VHLO calls an operation, and the attributes that it has there: the other way from [`super::attributes`].

use super::attributes::{CONVOLUTION, groups};
use crate::array::{Array, Literal};
use crate::func::{Func, FuncId, Inst};
use crate::op::*;
use crate::ops_of;
use crate::text::typed::{Typed, typed_attributes};
use crate::text::{spelled_call, spelled_effect};
use crate::types::{Dims, TensorType};
use std::ops::Range;

/// An operation as VHLO has it.
pub(super) struct Spelled {
    /// Its name in StableHLO without the dialect.
    pub(super) name: String,
    pub(super) attributes: Vec<(String, Typed)>,
    /// Which of the instruction's operands it has, and which its regions capture.
    pub(super) operands: Range<usize>,
    pub(super) captures: Range<usize>,
    pub(super) regions: Vec<Body>,
}

/// A region.
pub(super) enum Body {
    /// A function that takes the captures, then the parameters of the block.
    Func(FuncId),
    /// A reducer of so many tensors with these elements.
    Reducer(Reducer, Vec<TensorType>),
    /// A comparison of two elements.
    Compare(Direction, TensorType),
}

/// `[[low, high], ...]`.
fn padding(low: &[i64], high: &[i64]) -> Typed {
    let values: Vec<i64> = low.iter().zip(high).flat_map(|(&a, &b)| [a, b]).collect();
    Typed::Dense(Literal::from_array(&Array::new(&[low.len(), 2], &values)), false)
}

fn precisions(lhs: Precision, rhs: Precision) -> Typed {
    Typed::Array([lhs, rhs].iter().map(|p| Typed::word("precision", p.name())).collect())
}

/// What cannot be written: `None` if it can.
pub(super) fn spelled(
    func: &Func,
    inst: &Inst,
    symbol: &dyn Fn(FuncId) -> String,
) -> Result<Spelled, String> {
    let all = inst.operands.len();
    let mut out = Spelled {
        name: inst.op.name().strip_prefix("stablehlo.").unwrap_or(inst.op.name()).to_owned(),
        attributes: Vec::new(),
        operands: 0..all,
        captures: all..all,
        regions: Vec::new(),
    };
    let scalar = |k: usize| {
        let ty = inst.operands.get(k).and_then(|&v| func.ty(v).as_tensor());
        TensorType::scalar(ty.map_or(crate::types::DType::F32, |t| t.dtype))
    };
    let scalars = |n: usize| (0..n).map(scalar).collect::<Vec<_>>();
    let mut set = |name: &str, value: Typed| out.attributes.push((name.to_owned(), value));
    let mut regions = Vec::new();
    match &inst.op {
        Op::Unary(_) | Op::Binary(_) if !inst.op.name().starts_with("stablehlo.") => {
            if inst.op.name() != "chlo.erf" {
                return Err("StableHLO has no such operation".to_owned());
            }
            set("call_target_name", Typed::text("mhlo.erf"));
            set("mhlo.attributes", Typed::Dict(Vec::new()));
            set("mhlo.version", Typed::Int(1, "i64"));
            out.name = "custom_call".to_owned();
        }
        Op::TopK(top) => {
            set("call_target_name", Typed::text("mhlo.topk"));
            let attributes =
                vec![("k".to_owned(), Typed::int(top.k)), ("largest".to_owned(), Typed::Bool(true))];
            set("mhlo.attributes", Typed::Dict(attributes));
            set("mhlo.version", Typed::Int(1, "i64"));
            out.name = "custom_call".to_owned();
        }
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Select(_)
        | Op::Clamp(_)
        | Op::Convert(_)
        | Op::BitcastConvert(_)
        | Op::Reshape(_)
        | Op::DynamicUpdateSlice(_) => {}
        Op::Constant(c) => set("value", Typed::Dense(c.value.clone(), false)),
        Op::Zero(z) if z.ty.is_static() => {
            set("value", Typed::Dense(Literal::zeros(z.ty.clone()), false));
            out.name = "constant".to_owned();
        }
        Op::Iota(iota) => set("iota_dimension", Typed::int(iota.dim)),
        Op::Compare(c) => {
            set("comparison_direction", Typed::word("comparison_direction", c.direction.name()));
            set("compare_type", Typed::word("comparison_type", c.kind.name()));
        }
        Op::ReducePrecision(r) => {
            set("exponent_bits", Typed::Int(r.exponent_bits as i64, "i32"));
            set("mantissa_bits", Typed::Int(r.mantissa_bits as i64, "i32"));
        }
        Op::BroadcastInDim(b) => set("broadcast_dimensions", Typed::sizes(&b.dims)),
        Op::Transpose(t) => set("permutation", Typed::sizes(&t.perm)),
        Op::Reverse(r) => set("dimensions", Typed::sizes(&r.dims)),
        Op::Slice(s) => {
            set("start_indices", Typed::sizes(&s.start));
            set("limit_indices", Typed::sizes(&s.limit));
            set("strides", Typed::sizes(&s.strides));
        }
        Op::Concatenate(c) => set("dimension", Typed::int(c.dim)),
        Op::Pad(p) => {
            set("edge_padding_low", Typed::ints(&p.low));
            set("edge_padding_high", Typed::ints(&p.high));
            set("interior_padding", Typed::ints(&p.interior));
        }
        Op::DynamicSlice(d) => set("slice_sizes", Typed::sizes(&d.sizes)),
        Op::Gather(g) => {
            set("offset_dims", Typed::sizes(&g.offset_dims));
            set("collapsed_slice_dims", Typed::sizes(&g.collapsed_slice_dims));
            set("operand_batching_dims", Typed::sizes(&g.operand_batching_dims));
            set("start_indices_batching_dims", Typed::sizes(&g.start_indices_batching_dims));
            set("start_index_map", Typed::sizes(&g.start_index_map));
            set("index_vector_dim", Typed::int(g.index_vector_dim));
            set("slice_sizes", Typed::sizes(&g.slice_sizes));
            set("indices_are_sorted", Typed::Bool(g.indices_are_sorted));
        }
        Op::Scatter(s) => {
            set("update_window_dims", Typed::sizes(&s.update_window_dims));
            set("inserted_window_dims", Typed::sizes(&s.inserted_window_dims));
            set("input_batching_dims", Typed::sizes(&s.input_batching_dims));
            set("scatter_indices_batching_dims", Typed::sizes(&s.scatter_indices_batching_dims));
            set("scatter_dims_to_operand_dims", Typed::sizes(&s.scatter_dims_to_operand_dims));
            set("index_vector_dim", Typed::int(s.index_vector_dim));
            set("indices_are_sorted", Typed::Bool(s.indices_are_sorted));
            set("unique_indices", Typed::Bool(s.unique_indices));
            regions.push(Body::Reducer(s.reducer, scalars(s.inputs)));
        }
        Op::Sort(s) => {
            set("dimension", Typed::int(s.dimension));
            set("is_stable", Typed::Bool(s.is_stable));
            regions.push(Body::Func(s.comparator));
        }
        Op::Rng(r) => set("rng_distribution", Typed::word("rng_distribution", r.distribution.name())),
        Op::RngBitGenerator(r) => set("rng_algorithm", Typed::word("rng_algorithm", r.algorithm.name())),
        Op::DotGeneral(d) => {
            set("lhs_batching_dimensions", Typed::sizes(&d.lhs_batching_dims));
            set("rhs_batching_dimensions", Typed::sizes(&d.rhs_batching_dims));
            set("lhs_contracting_dimensions", Typed::sizes(&d.lhs_contracting_dims));
            set("rhs_contracting_dimensions", Typed::sizes(&d.rhs_contracting_dims));
            set("precision_config", precisions(d.lhs_precision, d.rhs_precision));
        }
        Op::Reduce(r) => {
            set("dimensions", Typed::sizes(&r.dims));
            regions.push(Body::Reducer(r.reducer, scalars(r.inputs)));
        }
        Op::Convolution(c) => convolution(c, &mut set),
        Op::ReduceWindow(r) => {
            set("window_dimensions", Typed::sizes(&r.window_dimensions));
            set("window_strides", Typed::sizes(&r.window_strides));
            set("base_dilations", Typed::sizes(&r.base_dilations));
            set("window_dilations", Typed::sizes(&r.window_dilations));
            set("padding", padding(&r.padding_low, &r.padding_high));
            regions.push(Body::Reducer(r.reducer, scalars(r.inputs)));
        }
        Op::SelectAndScatter(s) => {
            set("window_dimensions", Typed::sizes(&s.window_dimensions));
            set("window_strides", Typed::sizes(&s.window_strides));
            set("padding", padding(&s.padding_low, &s.padding_high));
            regions.push(match s.select {
                Selector::Func(func) => Body::Func(func),
                Selector::Compare(direction) => Body::Compare(direction, scalar(0)),
            });
            regions.push(Body::Reducer(s.scatter, scalars(1)));
        }
        Op::Map(m) => {
            set("dimensions", Typed::sizes(&m.dimensions));
            regions.push(Body::Func(m.computation));
        }
        Op::BatchNormTraining(BatchNormTraining { epsilon, feature_index })
        | Op::BatchNormInference(BatchNormInference { epsilon, feature_index })
        | Op::BatchNormGrad(BatchNormGrad { epsilon, feature_index }) => {
            let value = epsilon.splat_value().unwrap_or_default();
            set("epsilon", Typed::Float(value, crate::types::DType::F32));
            set("feature_index", Typed::int(*feature_index));
        }
        Op::Fft(f) => {
            set("fft_type", Typed::word("fft_type", f.kind.name()));
            set("fft_length", Typed::sizes(&f.length));
        }
        Op::Cholesky(c) => set("lower", Typed::Bool(c.lower)),
        Op::TriangularSolve(t) => {
            set("left_side", Typed::Bool(t.left_side));
            set("lower", Typed::Bool(t.lower));
            set("unit_diagonal", Typed::Bool(t.unit_diagonal));
            set("transpose_a", Typed::word("transpose", t.transpose_a.name()));
        }
        ops_of!(factorization) | Op::ApproxTopK(_) | Op::CustomCall(_) => {
            let (target, attributes) = spelled_call(func, inst, symbol);
            set("call_target_name", Typed::text(&target));
            out.name = "custom_call".to_owned();
            out.attributes.extend(typed_attributes(&attributes)?);
        }
        Op::Print(_) | Op::Assert(_) | Op::Sow(_) => {
            let (target, attributes) = spelled_effect(&inst.op).expect("one of these");
            set("call_target_name", Typed::Str(target.as_bytes().to_vec()));
            out.name = "custom_call".to_owned();
            out.attributes.extend(typed_attributes(&attributes)?);
        }
        Op::Call(call) => {
            set("callee", Typed::Symbol(symbol(call.callee)));
            out.name = "call".to_owned();
        }
        Op::Composite(c) => {
            set("name", Typed::text(&c.name));
            set("decomposition", Typed::Symbol(symbol(c.decomposition)));
            set("version", Typed::Int(c.version as i64, "i32"));
            if let Some(inside) = c.attributes.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
                set("composite_attributes", Typed::Dict(typed_attributes(inside)?));
            }
        }
        Op::Case(case) => {
            regions.extend(case.branches.iter().map(|&f| Body::Func(f)));
        }
        Op::While(w) if !w.counted && w.stacks == 0 => {
            regions.extend([Body::Func(w.cond), Body::Func(w.body)]);
        }
        Op::OptimizationBarrier(barrier) => {
            if barrier.region != 0 {
                set("wengert.region", Typed::int(barrier.region));
            }
        }
        Op::Foreign(f) => {
            out.name = f.name.strip_prefix("stablehlo.").unwrap_or(&f.name).to_owned();
            out.attributes = flattened(&out.name, typed_attributes(&f.attributes)?)?;
            regions.extend(f.regions.iter().map(|&r| Body::Func(r)));
        }
        // What is new is ours until somebody says how StableHLO spells it.
        _ => return Err("StableHLO has no such operation".to_owned()),
    }
    if let Some(captures) = inst.op.captures(all) {
        out.operands = if captures.start == 0 { captures.end..all } else { 0..captures.start };
        out.captures = captures;
    }
    out.regions = regions;
    Ok(out)
}

fn convolution(c: &Convolution, set: &mut impl FnMut(&str, Typed)) {
    set("window_strides", Typed::sizes(&c.window_strides));
    set("padding", padding(&c.padding_low, &c.padding_high));
    set("lhs_dilation", Typed::sizes(&c.lhs_dilation));
    set("rhs_dilation", Typed::sizes(&c.rhs_dilation));
    set("window_reversal", Typed::flags(&c.window_reversal));
    set("feature_group_count", Typed::int(c.feature_group_count));
    set("batch_group_count", Typed::int(c.batch_group_count));
    set("precision_config", precisions(c.lhs_precision, c.rhs_precision));
    let parts: [(usize, usize, &Dims); 3] = [
        (c.input_batch_dimension, c.input_feature_dimension, &c.input_spatial_dimensions),
        (c.kernel_input_feature_dimension, c.kernel_output_feature_dimension, &c.kernel_spatial_dimensions),
        (c.output_batch_dimension, c.output_feature_dimension, &c.output_spatial_dimensions),
    ];
    for ((first, second, spatial), (named, name)) in parts.into_iter().zip(CONVOLUTION) {
        set(named[0].1, Typed::int(first));
        set(named[1].1, Typed::int(second));
        set(name, Typed::sizes(spatial));
    }
}

/// StableHLO's attributes as VHLO has them: what belongs together taken apart, names of its own.
fn flattened(op: &str, attributes: Vec<(String, Typed)>) -> Result<Vec<(String, Typed)>, String> {
    let mut out = Vec::new();
    for (name, value) in attributes {
        match (&name[..], value) {
            (_, Typed::Labels(parts)) => {
                for ((first, second, spatial), (named, spatial_name)) in parts.into_iter().zip(CONVOLUTION) {
                    out.push((named[0].1.to_owned(), Typed::int(first)));
                    out.push((named[1].1.to_owned(), Typed::int(second)));
                    out.push((spatial_name.to_owned(), Typed::ints(&spatial)));
                }
            }
            ("channel_handle", Typed::Struct(_, fields)) => {
                for (field, value) in fields {
                    let name = if field == "handle" { "channel_id" } else { "channel_type" };
                    // Only what sends to another machine keeps the kind of its channel.
                    if name == "channel_id" || matches!(op, "send" | "recv") {
                        out.push((name.to_owned(), value));
                    }
                }
            }
            (_, Typed::Struct(_, fields)) if groups(op).any(|g| g == name) => {
                for (field, value) in fields {
                    let value = match value {
                        Typed::Array(items) => Typed::ints(
                            &items
                                .iter()
                                .map(|i| match i {
                                    Typed::Int(v, _) => Ok(*v),
                                    _ => Err(format!("`{field}` must list numbers")),
                                })
                                .collect::<Result<Vec<_>, _>>()?,
                        ),
                        other => other,
                    };
                    out.push((field, value));
                }
            }
            ("use_global_device_ids" | "has_dynamic_root", Typed::Unit) => {
                out.push((name, Typed::Bool(true)))
            }
            (_, value) => out.push((name, value)),
        }
    }
    Ok(out)
}
