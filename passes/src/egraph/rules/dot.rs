//! Contractions.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("dot-of-left-transpose",  "(dot_general (transpose ?x ?p) ?y ?d)",                      "(dot_general ?x ?y (dot-left-transpose ?p ?d))",                                                         "",                          Exact),
    ("dot-of-right-transpose", "(dot_general ?x (transpose ?y ?p) ?d)",                      "(dot_general ?x ?y (dot-right-transpose ?p ?d))",                                                        "",                          Exact),
    ("transpose-of-dot",       "(transpose (dot_general ?x ?y ?d) ?p)",                      "(dot_general ?y ?x (dot-swap ?x ?y ?d ?p))",                                                             "",                          Exact),
    ("dot-of-left-negate",     "(dot_general (negate ?x) ?y ?d)",                            "(negate (dot_general ?x ?y ?d))",                                                                        "result-dtype ?x",           Relaxed),
    ("dot-of-right-negate",    "(dot_general ?x (negate ?y) ?d)",                            "(negate (dot_general ?x ?y ?d))",                                                                        "result-dtype ?y",           Relaxed),
    ("dot-of-left-multiple",   "(dot_general (multiply ?x ?c) ?y ?d)",                       "(multiply (dot_general ?x ?y ?d) (splat-result ?c))",                                                    "splat ?c, result-dtype ?x", Relaxed),
    ("dot-of-right-multiple",  "(dot_general ?x (multiply ?y ?c) ?d)",                       "(multiply (dot_general ?x ?y ?d) (splat-result ?c))",                                                    "splat ?c, result-dtype ?y", Relaxed),
    ("dot-of-left-scaled",     "(dot_general (multiply ?x (broadcast_in_dim ?a ?b)) ?y ?d)", "(multiply (dot_general ?x ?y ?d) (broadcast_in_dim ?a (dot-left-scale ?x ?y ?b ?d)))",                   "result-dtype ?a",           Relaxed),
    ("dot-of-right-scaled",    "(dot_general ?x (multiply ?y (broadcast_in_dim ?a ?b)) ?d)", "(multiply (dot_general ?x ?y ?d) (broadcast_in_dim ?a (dot-right-scale ?y ?x ?b ?d)))",                  "result-dtype ?a",           Relaxed),
    ("dot-of-left-repeated",   "(dot_general (broadcast_in_dim ?x ?b) ?y ?d)",               "(broadcast_in_dim (dot_general ?x ?y (dot-left-once ?x ?y ?b ?d)) (dot-left-repeats ?x ?y ?b ?d))",      "",                          Exact),
    ("dot-of-right-repeated",  "(dot_general ?x (broadcast_in_dim ?y ?b) ?d)",               "(broadcast_in_dim (dot_general ?x ?y (dot-right-once ?y ?x ?b ?d)) (dot-right-repeats ?y ?x ?b ?d))",    "",                          Exact),
    ("dot-left-zero",          "(dot_general 0 ?y ?d)",                                      "0",                                                                                                      "",                          Relaxed),
    ("dot-right-zero",         "(dot_general ?x 0 ?d)",                                      "0",                                                                                                      "",                          Relaxed),
    ("dot-to-the-right",       "(dot_general (dot_general ?x ?y ?d) ?z ?e)",                 "(dot_general ?x (dot_general ?y ?z (dot-right-inner ?x ?y ?z ?d ?e)) (dot-right-outer ?x ?y ?z ?d ?e))", "",                          Relaxed),
    ("dot-to-the-left",        "(dot_general ?x (dot_general ?y ?z ?d) ?e)",                 "(dot_general (dot_general ?x ?y (dot-left-inner ?x ?y ?z ?d ?e)) ?z (dot-left-outer ?x ?y ?z ?d ?e))",   "",                          Relaxed),
];
