//! Attributes that are read by their fields, and which those are.

/// The fields of `#stablehlo.dot`, in order.
pub(crate) const DOT: &[&str] = &[
    "lhs_batching_dimensions",
    "rhs_batching_dimensions",
    "lhs_contracting_dimensions",
    "rhs_contracting_dimensions",
];

/// The fields of `#stablehlo.dot_algorithm`, in order.
pub(crate) const DOT_ALGORITHM: &[&str] = &[
    "lhs_precision_type",
    "rhs_precision_type",
    "accumulation_type",
    "lhs_component_count",
    "rhs_component_count",
    "num_primitive_operations",
    "allow_imprecise_accumulation",
];

/// The fields of `#stablehlo.gather`, in order.
pub(crate) const GATHER: &[&str] = &[
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
    "index_vector_dim",
];

/// The fields of `#stablehlo.scatter`, in order.
pub(crate) const SCATTER: &[&str] = &[
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
    "index_vector_dim",
];

/// The names of an attribute that is read by its fields, and its fields.
const FIELDS: &[(&str, &[&str])] = &[
    (
        "chlo.ragged_dot",
        &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
            "lhs_ragged_dimensions",
            "rhs_group_dimensions",
        ],
    ),
    ("stablehlo.channel_handle", &["handle", "type"]),
    ("stablehlo.dot", DOT),
    ("stablehlo.dot_algorithm", DOT_ALGORITHM),
    ("stablehlo.gather", GATHER),
    ("stablehlo.output_operand_alias", &["output_tuple_indices", "operand_index", "operand_tuple_indices"]),
    ("stablehlo.result_accuracy", &["atol", "rtol", "ulps", "mode"]),
    ("stablehlo.scatter", SCATTER),
];

/// The fields of such an attribute; `None` for one that is not read.
pub(super) fn fields_of(name: &str) -> Option<&'static [&'static str]> {
    FIELDS.iter().find(|f| f.0 == name).map(|f| f.1)
}
