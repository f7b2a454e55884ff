//! The operations of VHLO: their versions, and their attributes.
//!
//! VHLO is StableHLO with every operation numbered: an operation whose attributes changed is there once for each form, with the
//! versions of StableHLO between which it is written. Facts of `VhloOps.td`, from 1.0.0 on.

/// The newest version of StableHLO that is read and written.
pub const NEWEST: u16 = 20;

/// The version that is written if none is asked for: what JAX sends (one that is at least twelve weeks old).
pub(super) const DEFAULT: u16 = 13;

/// The last version of a form that is still written.
const NOW: u16 = u16::MAX;

/// A form of an operation.
pub struct Schema {
    /// Its name in StableHLO.
    pub name: &'static str,
    /// Its number: `vhlo.NAME_vNUMBER`.
    pub number: u16,
    /// The first minor version of StableHLO 1 that has it.
    pub first: u16,
    /// The last one.
    pub last: u16,
    /// The names of its attributes, all of which are there, in the order of the file.
    pub attributes: &'static [&'static str],
}

const fn row(
    name: &'static str,
    number: u16,
    first: u16,
    last: u16,
    attributes: &'static [&'static str],
) -> Schema {
    Schema { name, number, first, last, attributes }
}

/// The form of an operation called `NAME_vNUMBER`.
pub(super) fn read_as(name: &str) -> Option<&'static Schema> {
    let (name, number) = name.rsplit_once("_v")?;
    let number = number.parse().ok()?;
    forms(name).iter().find(|s| s.number == number)
}

/// The form of an operation at a minor version.
pub(super) fn written_at(name: &str, minor: u16) -> Option<&'static Schema> {
    forms(name).iter().find(|s| (s.first..=s.last).contains(&minor))
}

/// All forms of an operation.
pub fn forms(name: &str) -> &'static [Schema] {
    let from = SCHEMAS.partition_point(|s| s.name < name);
    let to = SCHEMAS.partition_point(|s| s.name <= name);
    &SCHEMAS[from..to]
}

/// The attributes of operations of other dialects that come beside VHLO, in the order of the file. Those that may be absent
/// are marked with a question mark.
pub(super) const OTHERS: &[(&str, &[&str])] = &[
    ("builtin.module", &["sym_name?", "sym_visibility?"]),
    ("chlo.top_k", &["k"]),
    ("sdy.all_gather", &["gathering_axes", "out_sharding"]),
    ("sdy.all_reduce", &["out_sharding", "reduction_axes"]),
    ("sdy.all_slice", &["out_sharding", "slicing_axes"]),
    ("sdy.all_to_all", &["out_sharding", "params"]),
    ("sdy.collective_permute", &["out_sharding"]),
    ("sdy.constant", &["value"]),
    ("sdy.data_flow_edge", &["sharding?"]),
    ("sdy.manual_computation", &["in_shardings", "manual_axes", "out_shardings"]),
    ("sdy.mesh", &["mesh", "sym_name"]),
    ("sdy.named_computation", &["in_shardings?", "name", "out_shardings?"]),
    ("sdy.propagation_barrier", &["allowed_direction"]),
    ("sdy.reduce_scatter", &["out_sharding", "reduce_scatter_axes"]),
    ("sdy.replicated_to_unreduced", &["axes", "out_sharding"]),
    ("sdy.reshard", &["sharding"]),
    ("sdy.sharded_to_unreduced", &["axes", "out_sharding"]),
    ("sdy.sharding_constraint", &["sharding"]),
    ("sdy.sharding_group", &["group_id"]),
];

/// By name, then by number.
#[rustfmt::skip]
pub const SCHEMAS: &[Schema] = &[
    row("abs", 1, 0, NOW, &[]),
    row("add", 1, 0, NOW, &[]),
    row("after_all", 1, 0, NOW, &[]),
    row("all_gather", 1, 0, 4, &["all_gather_dim", "channel_id", "replica_groups", "use_global_device_ids"]),
    row("all_gather", 2, 5, NOW, &["all_gather_dim", "channel_id", "replica_groups", "use_global_device_ids"]),
    row("all_reduce", 1, 0, 4, &["channel_id", "replica_groups", "use_global_device_ids"]),
    row("all_reduce", 2, 5, NOW, &["channel_id", "replica_groups", "use_global_device_ids"]),
    row("all_to_all", 1, 0, 4, &["channel_id", "concat_dimension", "replica_groups", "split_count", "split_dimension"]),
    row("all_to_all", 2, 5, NOW, &["channel_id", "concat_dimension", "replica_groups", "split_count", "split_dimension"]),
    row("and", 1, 0, NOW, &[]),
    row("async_done", 1, 15, NOW, &[]),
    row("async_start", 1, 15, NOW, &[]),
    row("atan2", 1, 0, NOW, &[]),
    row("batch_norm_grad", 1, 0, NOW, &["epsilon", "feature_index"]),
    row("batch_norm_inference", 1, 0, NOW, &["epsilon", "feature_index"]),
    row("batch_norm_training", 1, 0, NOW, &["epsilon", "feature_index"]),
    row("bitcast_convert", 1, 0, NOW, &[]),
    row("broadcast", 1, 0, NOW, &["broadcast_sizes"]),
    row("broadcast_in_dim", 1, 0, NOW, &["broadcast_dimensions"]),
    row("call", 1, 0, NOW, &["callee"]),
    row("case", 1, 0, NOW, &[]),
    row("cbrt", 1, 0, 9, &[]),
    row("cbrt", 2, 10, NOW, &["result_accuracy"]),
    row("ceil", 1, 0, NOW, &[]),
    row("cholesky", 1, 0, NOW, &["lower"]),
    row("clamp", 1, 0, NOW, &[]),
    row("collective_broadcast", 1, 0, 19, &["channel_id", "replica_groups"]),
    row("collective_broadcast", 2, 20, NOW, &["channel_id", "has_dynamic_root", "replica_groups"]),
    row("collective_permute", 1, 0, NOW, &["channel_id", "source_target_pairs"]),
    row("collective_reduce", 1, 19, NOW, &["channel_id", "has_dynamic_root", "replica_groups", "use_global_device_ids"]),
    row("compare", 1, 0, NOW, &["compare_type", "comparison_direction"]),
    row("complex", 1, 0, NOW, &[]),
    row("composite", 1, 0, 13, &["composite_attributes", "decomposition", "name", "version"]),
    row("composite", 2, 14, NOW, &["composite_attributes", "decomposition", "name", "version"]),
    row("concatenate", 1, 0, NOW, &["dimension"]),
    row("constant", 1, 0, NOW, &["value"]),
    row("convert", 1, 0, NOW, &[]),
    row("convolution", 1, 0, NOW, &["batch_group_count", "feature_group_count", "input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions", "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions", "lhs_dilation", "output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", "padding", "precision_config", "rhs_dilation", "window_reversal", "window_strides"]),
    row("cosine", 1, 0, 9, &[]),
    row("cosine", 2, 10, NOW, &["result_accuracy"]),
    row("count_leading_zeros", 1, 0, NOW, &[]),
    row("create_token", 1, 0, NOW, &[]),
    row("custom_call", 1, 0, 17, &["api_version", "backend_config", "call_target_name", "called_computations", "has_side_effect", "operand_layouts", "output_operand_aliases", "result_layouts"]),
    row("custom_call", 2, 18, NOW, &["api_version", "backend_config", "call_target_name", "called_computations", "has_side_effect", "operand_layouts", "output_operand_aliases", "result_layouts", "result_tilings"]),
    row("divide", 1, 0, NOW, &[]),
    row("dot", 1, 0, NOW, &["precision_config"]),
    row("dot_general", 1, 0, 5, &["lhs_batching_dimensions", "lhs_contracting_dimensions", "precision_config", "rhs_batching_dimensions", "rhs_contracting_dimensions"]),
    row("dot_general", 2, 6, NOW, &["accumulation_type", "allow_imprecise_accumulation", "lhs_batching_dimensions", "lhs_component_count", "lhs_contracting_dimensions", "lhs_precision_type", "num_primitive_operations", "precision_config", "rhs_batching_dimensions", "rhs_component_count", "rhs_contracting_dimensions", "rhs_precision_type"]),
    row("dynamic_broadcast_in_dim", 1, 0, NOW, &["broadcast_dimensions", "known_expanding_dimensions", "known_nonexpanding_dimensions"]),
    row("dynamic_conv", 2, 0, NOW, &["batch_group_count", "feature_group_count", "input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions", "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions", "lhs_dilation", "output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", "precision_config", "rhs_dilation", "window_reversal", "window_strides"]),
    row("dynamic_gather", 1, 0, 0, &["collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims", "start_index_map"]),
    row("dynamic_gather", 2, 1, NOW, &["collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims", "operand_batching_dims", "start_index_map", "start_indices_batching_dims"]),
    row("dynamic_iota", 1, 0, NOW, &["iota_dimension"]),
    row("dynamic_pad", 1, 0, NOW, &[]),
    row("dynamic_reshape", 1, 0, NOW, &[]),
    row("dynamic_slice", 1, 0, NOW, &["slice_sizes"]),
    row("dynamic_update_slice", 1, 0, NOW, &[]),
    row("einsum", 1, 0, NOW, &["einsum_config"]),
    row("exponential", 1, 0, 8, &[]),
    row("exponential", 2, 9, NOW, &["result_accuracy"]),
    row("exponential_minus_one", 1, 0, 9, &[]),
    row("exponential_minus_one", 2, 10, NOW, &["result_accuracy"]),
    row("fft", 1, 0, NOW, &["fft_length", "fft_type"]),
    row("floor", 1, 0, NOW, &[]),
    row("func", 1, 0, NOW, &["arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"]),
    row("gather", 1, 0, 0, &["collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims", "slice_sizes", "start_index_map"]),
    row("gather", 2, 1, NOW, &["collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims", "operand_batching_dims", "slice_sizes", "start_index_map", "start_indices_batching_dims"]),
    row("get_dimension_size", 1, 0, NOW, &["dimension"]),
    row("get_tuple_element", 1, 0, NOW, &["index"]),
    row("if", 1, 0, NOW, &[]),
    row("imag", 1, 0, NOW, &[]),
    row("infeed", 1, 0, NOW, &["infeed_config", "layout"]),
    row("iota", 1, 0, NOW, &["iota_dimension"]),
    row("is_finite", 1, 0, NOW, &[]),
    row("log", 1, 0, 9, &[]),
    row("log", 2, 10, NOW, &["result_accuracy"]),
    row("log_plus_one", 1, 0, 9, &[]),
    row("log_plus_one", 2, 10, NOW, &["result_accuracy"]),
    row("logistic", 1, 0, 9, &[]),
    row("logistic", 2, 10, NOW, &["result_accuracy"]),
    row("map", 1, 0, NOW, &["dimensions"]),
    row("maximum", 1, 0, NOW, &[]),
    row("minimum", 1, 0, NOW, &[]),
    row("multiply", 1, 0, NOW, &[]),
    row("negate", 1, 0, NOW, &[]),
    row("not", 1, 0, NOW, &[]),
    row("optimization_barrier", 1, 0, NOW, &[]),
    row("or", 1, 0, NOW, &[]),
    row("outfeed", 1, 0, NOW, &["outfeed_config"]),
    row("pad", 1, 0, NOW, &["edge_padding_high", "edge_padding_low", "interior_padding"]),
    row("partition_id", 1, 0, NOW, &[]),
    row("popcnt", 1, 0, NOW, &[]),
    row("power", 1, 0, NOW, &[]),
    row("real", 1, 0, NOW, &[]),
    row("real_dynamic_slice", 1, 0, NOW, &[]),
    row("recv", 1, 0, 11, &["channel_id", "channel_type", "is_host_transfer"]),
    row("recv", 2, 12, NOW, &["channel_id", "channel_type", "is_host_transfer", "source_target_pairs"]),
    row("reduce", 1, 0, NOW, &["dimensions"]),
    row("reduce_precision", 1, 0, NOW, &["exponent_bits", "mantissa_bits"]),
    row("reduce_scatter", 1, 0, NOW, &["channel_id", "replica_groups", "scatter_dimension", "use_global_device_ids"]),
    row("reduce_window", 1, 0, NOW, &["base_dilations", "padding", "window_dilations", "window_dimensions", "window_strides"]),
    row("remainder", 1, 0, NOW, &[]),
    row("replica_id", 1, 0, NOW, &[]),
    row("reshape", 1, 0, NOW, &[]),
    row("return", 1, 0, NOW, &[]),
    row("reverse", 1, 0, NOW, &["dimensions"]),
    row("rng", 1, 0, NOW, &["rng_distribution"]),
    row("rng_bit_generator", 1, 0, NOW, &["rng_algorithm"]),
    row("round_nearest_afz", 1, 0, NOW, &[]),
    row("round_nearest_even", 1, 0, NOW, &[]),
    row("rsqrt", 1, 0, 9, &[]),
    row("rsqrt", 2, 10, NOW, &["result_accuracy"]),
    row("scatter", 1, 0, 0, &["index_vector_dim", "indices_are_sorted", "inserted_window_dims", "scatter_dims_to_operand_dims", "unique_indices", "update_window_dims"]),
    row("scatter", 2, 1, NOW, &["index_vector_dim", "indices_are_sorted", "input_batching_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "scatter_indices_batching_dims", "unique_indices", "update_window_dims"]),
    row("select", 1, 0, NOW, &[]),
    row("select_and_scatter", 1, 0, NOW, &["padding", "window_dimensions", "window_strides"]),
    row("send", 1, 0, 11, &["channel_id", "channel_type", "is_host_transfer"]),
    row("send", 2, 12, NOW, &["channel_id", "channel_type", "is_host_transfer", "source_target_pairs"]),
    row("set_dimension_size", 1, 0, NOW, &["dimension"]),
    row("shift_left", 1, 0, NOW, &[]),
    row("shift_right_arithmetic", 1, 0, NOW, &[]),
    row("shift_right_logical", 1, 0, NOW, &[]),
    row("sign", 1, 0, NOW, &[]),
    row("sine", 1, 0, 9, &[]),
    row("sine", 2, 10, NOW, &["result_accuracy"]),
    row("slice", 1, 0, NOW, &["limit_indices", "start_indices", "strides"]),
    row("sort", 1, 0, NOW, &["dimension", "is_stable"]),
    row("sqrt", 1, 0, 9, &[]),
    row("sqrt", 2, 10, NOW, &["result_accuracy"]),
    row("subtract", 1, 0, NOW, &[]),
    row("tan", 1, 4, 9, &[]),
    row("tan", 2, 10, NOW, &["result_accuracy"]),
    row("tanh", 1, 0, 9, &[]),
    row("tanh", 2, 10, NOW, &["result_accuracy"]),
    row("torch_index_select", 1, 0, NOW, &["batch_dims", "dim"]),
    row("transpose", 1, 0, NOW, &["permutation"]),
    row("triangular_solve", 1, 0, NOW, &["left_side", "lower", "transpose_a", "unit_diagonal"]),
    row("tuple", 1, 0, NOW, &[]),
    row("unary_einsum", 1, 0, NOW, &["einsum_config"]),
    row("uniform_dequantize", 1, 0, NOW, &[]),
    row("uniform_quantize", 1, 0, NOW, &[]),
    row("while", 1, 0, NOW, &[]),
    row("xor", 1, 0, NOW, &[]),
];
