//! Zeros that stand for the tangent of what does not depend on the input; their sign carries nothing.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("add-no-tangent",             "(add ?x (zero ?t))",                                "?x",                                                                                            "",                     Default),
    ("subtract-no-tangent",        "(subtract ?x (zero ?t))",                           "?x",                                                                                            "",                     Exact),
    ("subtract-from-no-tangent",   "(subtract (zero ?t) ?x)",                           "(negate ?x)",                                                                                   "",                     Default),
    ("multiply-no-tangent",        "(multiply ?x (zero ?t))",                           "(zero ?t)",                                                                                     "",                     Default),
    ("divide-no-tangent",          "(divide (zero ?t) ?x)",                             "(zero ?t)",                                                                                     "float ?x",             Default),
    ("negate-no-tangent",          "(negate (zero ?t))",                                "(zero ?t)",                                                                                     "",                     Default),
    ("reshape-no-tangent",         "(reshape (zero ?t) ?s)",                            "(zero result-type)",                                                                            "",                     Exact),
    ("transpose-no-tangent",       "(transpose (zero ?t) ?p)",                          "(zero result-type)",                                                                            "",                     Exact),
    ("broadcast-no-tangent",       "(broadcast_in_dim (zero ?t) ?b)",                   "(zero result-type)",                                                                            "",                     Exact),
    ("reverse-no-tangent",         "(reverse (zero ?t) ?r)",                            "(zero result-type)",                                                                            "",                     Exact),
    ("slice-no-tangent",           "(slice (zero ?t) ?s)",                              "(zero result-type)",                                                                            "",                     Exact),
    ("convert-no-tangent",         "(convert (zero ?t) ?u)",                            "(zero result-type)",                                                                            "",                     Exact),
    ("pad-no-tangent",             "(pad (zero ?t) 0 ?p)",                              "(zero result-type)",                                                                            "",                     Exact),
    ("sum-no-tangent",             "(reduce (zero ?t) 0 ?r)",                           "(zero result-type)",                                                                            "sum ?r",               Exact),
    ("dot-left-no-tangent",        "(dot_general (zero ?t) ?y ?d)",                     "(zero result-type)",                                                                            "",                     Default),
    ("dot-right-no-tangent",       "(dot_general ?x (zero ?t) ?d)",                     "(zero result-type)",                                                                            "",                     Default),
    ("add-pads-of-tangents",       "(add (pad ?x (zero ?t) ?p) (pad ?y (zero ?u) ?q))", "(pad (concatenate ?x ?y (pads-side-by-side ?x ?y ?p ?q)) (zero ?t) (pads-around ?x ?y ?p ?q))", "",                     Default),
    ("add-pads",                   "(add (pad ?x ?v ?p) (pad ?y ?v ?q))",               "(pad (concatenate ?x ?y (pads-side-by-side ?x ?y ?p ?q)) ?v (pads-around ?x ?y ?p ?q))",        "discrete ?x, zero ?v", Exact),
    ("add-pads-of-negative-zeros", "(add (pad ?x ?v ?p) (pad ?y ?v ?q))",               "(pad (concatenate ?x ?y (pads-side-by-side ?x ?y ?p ?q)) ?v (pads-around ?x ?y ?p ?q))",        "negative-zero ?v",     Exact),
];
