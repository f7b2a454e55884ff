//! Choices: comparisons and selections.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("compare-same",        "(compare ?x ?x ?c)",                        "(compare-same ?c)",             "",                Exact),
    ("compare-flip",        "(compare ?x ?y ?c)",                        "(compare ?y ?x (flip ?c))",     "",                Exact),
    ("not-compare",         "(not (compare ?x ?y ?c))",                  "(compare ?x ?y (opposite ?c))", "",                Exact),
    ("select-same",         "(select ?p ?x ?x)",                         "?x",                            "",                Exact),
    ("select-true",         "(select 1 ?x ?y)",                          "?x",                            "",                Exact),
    ("select-false",        "(select 0 ?x ?y)",                          "?y",                            "",                Exact),
    ("select-not",          "(select (not ?p) ?x ?y)",                   "(select ?p ?y ?x)",             "",                Exact),
    ("select-select-true",  "(select ?p (select ?p ?x ?y) ?z)",          "(select ?p ?x ?z)",             "",                Exact),
    ("select-select-false", "(select ?p ?x (select ?p ?y ?z))",          "(select ?p ?x ?z)",             "",                Exact),
    ("select-true-false",   "(select ?p 1 0)",                           "?p",                            "result-typed ?p", Exact),
    ("select-false-true",   "(select ?p 0 1)",                           "(not ?p)",                      "result-typed ?p", Exact),
    ("select-by-broadcast", "(select (broadcast_in_dim ?p ?b) ?x ?y)",   "(select ?p ?x ?y)",             "scalar ?p",       Exact),
    ("add-selects",         "(add (select ?p ?x 0) (select ?p 0 ?y))",   "(select ?p ?x ?y)",             "discrete ?x",     Exact),
    ("add-selects-float",   "(add (select ?p ?x -0) (select ?p -0 ?y))", "(select ?p ?x ?y)",             "float ?x",        Exact),
];
