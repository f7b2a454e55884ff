//! Reductions.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("reduce-of-transpose", "(reduce (transpose ?x ?p) ?i ?r)",                      "(reduce ?x ?i (reduce-transpose ?x ?p ?r))",                         "",                                               Exact),
    ("reduce-of-reduce",    "(reduce (reduce ?x ?i ?r) ?j ?s)",                      "(reduce ?x ?i (reduce-both ?x ?r ?s))",                              "neutral ?r ?i, neutral ?s ?j, order-free ?r ?x", Exact),
    ("sum-of-sum",          "(reduce (reduce ?x 0 ?r) ?i ?s)",                       "(reduce ?x ?i (reduce-both ?x ?r ?s))",                              "sum ?r, zero ?i",                                Relaxed),
    ("reduce-units",        "(reduce ?x ?i ?r)",                                     "(reshape ?x result-shape)",                                          "reduces-units ?r ?x, neutral ?r ?i",             Exact),
    ("sum-units",           "(reduce ?x 0 ?r)",                                      "(add (reshape ?x result-shape) 0)",                                  "reduces-units ?r ?x, sum ?r",                    Exact),
    ("sum-of-negate",       "(reduce (negate ?x) ?i ?r)",                            "(negate (reduce ?x ?i ?r))",                                         "sum ?r, zero ?i",                                Relaxed),
    ("sum-of-multiple",     "(reduce (multiply ?x ?c) ?i ?r)",                       "(multiply (reduce ?x ?i ?r) (splat-result ?c))",                     "sum ?r, zero ?i, splat ?c",                      Relaxed),
    ("sum-of-scaled",       "(reduce (multiply ?x (broadcast_in_dim ?a ?b)) ?i ?r)", "(multiply (reduce ?x ?i ?r) (broadcast_in_dim ?a result-fill))",     "sum ?r, zero ?i, scalar ?a",                     Relaxed),
    ("sum-of-repeated",     "(reduce (broadcast_in_dim ?x ?b) ?i ?r)",               "(multiply (broadcast_in_dim ?x result-fill) (reduced-count ?b ?r))", "sum ?r, zero ?i, scalar ?x",                     Relaxed),
];
