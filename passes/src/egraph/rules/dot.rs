//! Contractions.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("dot-of-left-transpose",  "(dot_general (transpose ?x ?p) ?y ?d)",                      "(dot_general ?x ?y (dot-left-transpose ?p ?d))",                      "",                           Exact),
    ("dot-of-right-transpose", "(dot_general ?x (transpose ?y ?p) ?d)",                      "(dot_general ?x ?y (dot-right-transpose ?p ?d))",                     "",                           Exact),
    ("transpose-of-dot",       "(transpose (dot_general ?x ?y ?d) ?p)",                      "(dot_general ?y ?x (dot-swap ?x ?y ?d ?p))",                          "",                           Exact),
    ("dot-of-left-negate",     "(dot_general (negate ?x) ?y ?d)",                            "(negate (dot_general ?x ?y ?d))",                                     "result-dtype ?x",            Relaxed),
    ("dot-of-right-negate",    "(dot_general ?x (negate ?y) ?d)",                            "(negate (dot_general ?x ?y ?d))",                                     "result-dtype ?y",            Relaxed),
    ("dot-of-left-multiple",   "(dot_general (multiply ?x ?c) ?y ?d)",                       "(multiply (dot_general ?x ?y ?d) (splat-result ?c))",                 "splat ?c, result-dtype ?x",  Relaxed),
    ("dot-of-right-multiple",  "(dot_general ?x (multiply ?y ?c) ?d)",                       "(multiply (dot_general ?x ?y ?d) (splat-result ?c))",                 "splat ?c, result-dtype ?y",  Relaxed),
    ("dot-of-left-scaled",     "(dot_general (multiply ?x (broadcast_in_dim ?a ?b)) ?y ?d)", "(multiply (dot_general ?x ?y ?d) (broadcast_in_dim ?a result-fill))", "scalar ?a, result-dtype ?a", Relaxed),
    ("dot-of-right-scaled",    "(dot_general ?x (multiply ?y (broadcast_in_dim ?a ?b)) ?d)", "(multiply (dot_general ?x ?y ?d) (broadcast_in_dim ?a result-fill))", "scalar ?a, result-dtype ?a", Relaxed),
];
