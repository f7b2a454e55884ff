//! Which constraint of the StableHLO specification says what the results of an operation are: the label of a
//! text whose result types are others.

use crate::types::Type;

/// Operation, label for another shape, label for another element type. Of those not listed it is C1 for both.
#[rustfmt::skip]
const LABELS: &[(&str, &str, &str)] = &[
    ("stablehlo.abs",                  "C1",  "C2"),
    ("stablehlo.batch_norm_grad",      "C3",  "C2"),
    ("stablehlo.batch_norm_inference", "C7",  "C7"),
    ("stablehlo.broadcast_in_dim",     "C5",  "C1"),
    ("stablehlo.case",                 "C4",  "C4"),
    ("stablehlo.clamp",                "C4",  "C4"),
    ("stablehlo.compare",              "C2",  "O1"),
    ("stablehlo.complex",              "C2",  "C3"),
    ("stablehlo.composite",            "C4",  "C4"),
    ("stablehlo.concatenate",          "C6",  "C5"),
    ("stablehlo.convolution",          "C25", "C27"),
    ("stablehlo.dot_general",          "C12", "O1"),
    ("stablehlo.dynamic_slice",        "C5",  "C1"),
    ("stablehlo.fft",                  "C5",  "C2"),
    ("stablehlo.gather",               "C22", "C23"),
    ("stablehlo.imag",                 "C1",  "C2"),
    ("stablehlo.is_finite",            "C1",  "O1"),
    ("stablehlo.map",                  "C1",  "C4"),
    ("stablehlo.pad",                  "C4",  "C1"),
    ("stablehlo.real",                 "C1",  "C2"),
    ("stablehlo.reduce",               "C7",  "C8"),
    ("stablehlo.reduce_window",        "C15", "C16"),
    ("stablehlo.reshape",              "C2",  "C1"),
    ("stablehlo.rng",                  "C3",  "C1"),
    ("stablehlo.scatter",              "C24", "C25"),
    ("stablehlo.select",               "C2",  "C2"),
    ("stablehlo.select_and_scatter",   "C11", "C12"),
    ("stablehlo.slice",                "C5",  "C1"),
    ("stablehlo.sort",                 "C2",  "C2"),
    ("stablehlo.transpose",            "C3",  "C1"),
    ("stablehlo.triangular_solve",     "C4",  "C4"),
    ("stablehlo.while",                "C3",  "C3"),
];

/// The label of the constraint that result types `said` in a text break, where the operation gives `inferred`.
pub(super) fn result_label(name: &str, inferred: &[Type], said: &[Type]) -> Option<&'static str> {
    if !name.starts_with("stablehlo.") && !name.starts_with("chlo.") {
        return None;
    }
    let (shape, dtype) = LABELS.iter().find(|l| l.0 == name).map_or(("C1", "C1"), |l| (l.1, l.2));
    let differs = inferred.iter().zip(said).find(|(a, b)| a != b)?;
    // Each statistic has a constraint of its own.
    if name == "stablehlo.batch_norm_training" {
        let k = inferred.iter().zip(said).position(|(a, b)| a != b)?;
        return ["C7", "C5", "C6"].get(k).copied();
    }
    let (Type::Tensor(a), Type::Tensor(b)) = differs else { return Some(shape) };
    Some(if a.shape != b.shape { shape } else { dtype })
}
