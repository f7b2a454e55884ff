//! Broadcasts: work is done before elements are repeated.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("broadcast-broadcast",               "(broadcast_in_dim (broadcast_in_dim ?x ?b) ?c)",                                      "(broadcast_in_dim ?x (compose-broadcasts ?b ?c))",                            "",                                  Exact),
    ("broadcast-same",                    "(broadcast_in_dim ?x ?b)",                                                            "?x",                                                                          "result-typed ?x, in-order ?b",      Exact),
    ("broadcast-adds-units",              "(broadcast_in_dim ?x ?b)",                                                            "(reshape ?x result-shape)",                                                   "adds-units ?x ?b",                  Exact),
    ("broadcast-of-reshape",              "(broadcast_in_dim (reshape ?x ?s) ?b)",                                               "(broadcast_in_dim ?x (broadcast-reshape ?x ?s ?b))",                          "",                                  Exact),
    ("broadcast-of-transpose",            "(broadcast_in_dim (transpose ?x ?p) ?b)",                                             "(broadcast_in_dim ?x (broadcast-transpose ?p ?b))",                           "",                                  Exact),
    ("transpose-of-broadcast",            "(transpose (broadcast_in_dim ?x ?b) ?p)",                                             "(broadcast_in_dim ?x (transpose-broadcast ?b ?p))",                           "",                                  Exact),
    ("reshape-of-scalar-broadcast",       "(reshape (broadcast_in_dim ?x ?b) ?s)",                                               "(broadcast_in_dim ?x result-fill)",                                           "scalar ?x",                         Exact),
    ("slice-of-broadcast",                "(slice (broadcast_in_dim ?x ?b) ?s)",                                                 "(broadcast_in_dim (slice ?x (slice-operand ?x ?b ?s)) (slice-broadcast ?b))", "",                                  Exact),
    ("unary-of-broadcast",                "(unary (broadcast_in_dim ?x ?b))",                                                    "(broadcast_in_dim (unary ?x) ?b)",                                            "",                                  Exact),
    ("convert-of-broadcast",              "(convert (broadcast_in_dim ?x ?b) ?t)",                                               "(broadcast_in_dim (convert ?x ?t) ?b)",                                       "",                                  Exact),
    ("binary-of-broadcasts",              "(binary (broadcast_in_dim ?x ?b) (broadcast_in_dim ?y ?b))",                          "(broadcast_in_dim (binary ?x ?y) ?b)",                                        "same-type ?x ?y",                   Exact),
    ("binary-of-broadcast-and-constant",  "(binary (broadcast_in_dim ?x ?b) ?c)",                                                "(broadcast_in_dim (binary ?x (splat-like ?c ?x)) ?b)",                        "splat ?c",                          Exact),
    ("binary-of-constant-and-broadcast",  "(binary ?c (broadcast_in_dim ?x ?b))",                                                "(broadcast_in_dim (binary (splat-like ?c ?x) ?x) ?b)",                        "splat ?c",                          Exact),
    ("compare-of-broadcasts",             "(compare (broadcast_in_dim ?x ?b) (broadcast_in_dim ?y ?b) ?d)",                      "(broadcast_in_dim (compare ?x ?y ?d) ?b)",                                    "same-type ?x ?y",                   Exact),
    ("compare-of-broadcast-and-constant", "(compare (broadcast_in_dim ?x ?b) ?c ?d)",                                            "(broadcast_in_dim (compare ?x (splat-like ?c ?x) ?d) ?b)",                    "splat ?c",                          Exact),
    ("compare-of-constant-and-broadcast", "(compare ?c (broadcast_in_dim ?x ?b) ?d)",                                            "(broadcast_in_dim (compare (splat-like ?c ?x) ?x ?d) ?b)",                    "splat ?c",                          Exact),
    ("select-of-broadcasts",              "(select ?p (broadcast_in_dim ?x ?b) (broadcast_in_dim ?y ?b))",                       "(broadcast_in_dim (select ?p ?x ?y) ?b)",                                     "scalar ?p, same-type ?x ?y",        Exact),
    ("select-of-three-broadcasts",        "(select (broadcast_in_dim ?p ?b) (broadcast_in_dim ?x ?b) (broadcast_in_dim ?y ?b))", "(broadcast_in_dim (select ?p ?x ?y) ?b)",                                     "same-shape ?p ?x, same-type ?x ?y", Exact),
    ("multiply-by-two-scalars",           "(multiply (multiply ?x (broadcast_in_dim ?a ?b)) (broadcast_in_dim ?c ?b))",          "(multiply ?x (broadcast_in_dim (multiply ?a ?c) ?b))",                        "same-type ?a ?c",                   Relaxed),
    ("add-two-scalars",                   "(add (add ?x (broadcast_in_dim ?a ?b)) (broadcast_in_dim ?c ?b))",                    "(add ?x (broadcast_in_dim (add ?a ?c) ?b))",                                  "same-type ?a ?c",                   Relaxed),
    ("reverse-of-broadcast",              "(reverse (broadcast_in_dim ?x ?b) ?r)",                                               "(broadcast_in_dim ?x ?b)",                                                    "reverses-repeats ?x ?b ?r",         Exact),
];
