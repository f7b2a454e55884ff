//! Reductions.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("reduce-of-transpose",   "(reduce (transpose ?x ?p) ?i ?r)",                                           "(reduce ?x ?i (reduce-transpose ?x ?p ?r))",                                "",                                               Exact),
    ("reduce-of-reduce",      "(reduce (reduce ?x ?i ?r) ?j ?s)",                                           "(reduce ?x ?i (reduce-both ?x ?r ?s))",                                     "neutral ?r ?i, neutral ?s ?j, order-free ?r ?x", Exact),
    ("sum-of-sum",            "(reduce (reduce ?x 0 ?r) ?i ?s)",                                            "(reduce ?x ?i (reduce-both ?x ?r ?s))",                                     "sum ?r, zero ?i",                                Relaxed),
    ("reduce-units",          "(reduce ?x ?i ?r)",                                                          "(reshape ?x result-shape)",                                                 "reduces-units ?r ?x, neutral ?r ?i",             Exact),
    ("sum-units",             "(reduce ?x 0 ?r)",                                                           "(add (reshape ?x result-shape) 0)",                                         "reduces-units ?r ?x, sum ?r",                    Exact),
    ("sum-of-negate",         "(reduce (negate ?x) ?i ?r)",                                                 "(negate (reduce ?x ?i ?r))",                                                "sum ?r, zero ?i",                                Relaxed),
    ("sum-of-multiple",       "(reduce (multiply ?x ?c) ?i ?r)",                                            "(multiply (reduce ?x ?i ?r) (splat-result ?c))",                            "sum ?r, zero ?i, splat ?c",                      Relaxed),
    ("sum-of-repeated",       "(reduce (broadcast_in_dim ?x ?b) ?i ?r)",                                    "(multiply (broadcast_in_dim ?x result-fill) (reduced-count ?b ?r))",        "sum ?r, zero ?i, scalar ?x",                     Relaxed),
    ("reduce-of-repeated",    "(reduce (broadcast_in_dim ?x ?b) ?i ?r)",                                    "(broadcast_in_dim ?x (reduced-broadcast ?x ?b ?r))",                        "idempotent ?r, neutral ?r ?i",                   Exact),
    ("reduce-all-of-reshape", "(reduce (reshape ?x ?s) ?i ?r)",                                             "(reduce ?x ?i (reduce-all ?x ?r))",                                         "",                                               Exact),
    ("sum-of-scaled",         "(reduce (multiply ?x (broadcast_in_dim ?a ?b)) ?i ?r)",                      "(multiply (reduce ?x ?i ?r) (broadcast_in_dim ?a (kept-broadcast ?b ?r)))", "sum ?r, zero ?i",                                Relaxed),
    ("sum-of-divided",        "(reduce (divide ?x (broadcast_in_dim ?a ?b)) ?i ?r)",                        "(divide (reduce ?x ?i ?r) (broadcast_in_dim ?a (kept-broadcast ?b ?r)))",   "sum ?r, zero ?i, float ?x",                      Relaxed),
    ("sum-of-product",        "(reduce (multiply (broadcast_in_dim ?x ?b) (broadcast_in_dim ?y ?c)) 0 ?r)", "(dot_general ?x ?y (dot-of-product ?x ?y ?b ?c ?r))",                       "sum ?r, float ?x",                               Relaxed),
];
