//! Choices: comparisons and selections.

use super::{Row, rows};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows![
    ("compare-same",                      "(compare ?x ?x ?c)",                        "(compare-same ?c)",                           "",                             Exact),
    ("compare-flip",                      "(compare ?x ?y ?c)",                        "(compare ?y ?x (flip ?c))",                   "",                             Exact),
    ("not-compare",                       "(not (compare ?x ?y ?c))",                  "(compare ?x ?y (opposite ?c))",               "",                             Exact),
    ("compare-never-negative",            "(compare ?x 0 ?c)",                         "(never-below ?c)",                            "never-negative ?x",            Exact),
    ("maximum-never-negative",            "(maximum ?x 0)",                            "?x",                                          "never-negative ?x",            Exact),
    ("select-same",                       "(select ?p ?x ?x)",                         "?x",                                          "",                             Exact),
    ("select-true",                       "(select 1 ?x ?y)",                          "?x",                                          "",                             Exact),
    ("select-false",                      "(select 0 ?x ?y)",                          "?y",                                          "",                             Exact),
    ("select-not",                        "(select (not ?p) ?x ?y)",                   "(select ?p ?y ?x)",                           "",                             Exact),
    ("select-select-true",                "(select ?p (select ?p ?x ?y) ?z)",          "(select ?p ?x ?z)",                           "",                             Exact),
    ("select-select-false",               "(select ?p ?x (select ?p ?y ?z))",          "(select ?p ?x ?z)",                           "",                             Exact),
    ("select-true-false",                 "(select ?p 1 0)",                           "?p",                                          "result-typed ?p",              Exact),
    ("select-false-true",                 "(select ?p 0 1)",                           "(not ?p)",                                    "result-typed ?p",              Exact),
    ("select-by-broadcast",               "(select (broadcast_in_dim ?p ?b) ?x ?y)",   "(select ?p ?x ?y)",                           "scalar ?p",                    Exact),
    ("add-selects",                       "(add (select ?p ?x 0) (select ?p 0 ?y))",   "(select ?p ?x ?y)",                           "discrete ?x",                  Exact),
    ("add-selects-float",                 "(add (select ?p ?x -0) (select ?p -0 ?y))", "(select ?p ?x ?y)",                           "float ?x",                     Exact),
    ("compare-predicate-unequal",         "(compare ?p 0 ?c)",                         "?p",                                          "boolean ?p, unequal ?c",       Exact),
    ("compare-predicate-equal",           "(compare ?p 0 ?c)",                         "(not ?p)",                                    "boolean ?p, equal ?c",         Exact),
    ("compare-number-of-predicate",       "(compare (convert ?p ?t) 0 ?c)",            "?p",                                          "boolean ?p, unequal ?c",       Exact),
    ("compare-number-of-predicate-equal", "(compare (convert ?p ?t) 0 ?c)",            "(not ?p)",                                    "boolean ?p, equal ?c",         Exact),
    ("select-greater",                    "(select (compare ?x ?y ?c) ?x ?y)",         "(maximum ?x ?y)",                             "integer ?x, greater ?c",       Exact),
    ("select-less",                       "(select (compare ?x ?y ?c) ?x ?y)",         "(minimum ?x ?y)",                             "integer ?x, less ?c",          Exact),
    ("select-negated",                    "(select ?p (negate ?x) (negate ?y))",       "(negate (select ?p ?x ?y))",                  "",                             Exact),
    ("unary-of-choice",                   "(unary (select ?p ?c ?d))",                 "(select ?p (unary ?c) (unary ?d))",           "splat ?c, splat ?d",           Exact),
    ("binary-of-choice-and-constant",     "(binary (select ?p ?c ?d) ?e)",             "(select ?p (binary ?c ?e) (binary ?d ?e))",   "splat ?c, splat ?d, splat ?e", Exact),
    ("binary-of-constant-and-choice",     "(binary ?e (select ?p ?c ?d))",             "(select ?p (binary ?e ?c) (binary ?e ?d))",   "splat ?c, splat ?d, splat ?e", Exact),
    ("convert-of-choice",                 "(convert (select ?p ?c ?d) ?t)",            "(select ?p (convert ?c ?t) (convert ?d ?t))", "splat ?c, splat ?d",           Exact),
    ("multiply-by-predicate",             "(multiply ?x (convert ?p ?t))",             "(select ?p ?x 0)",                            "boolean ?p, discrete ?x",      Exact),
    ("multiply-by-predicate-relaxed",     "(multiply ?x (convert ?p ?t))",             "(select ?p ?x 0)",                            "boolean ?p",                   Relaxed),
    ("multiply-by-choice",                "(multiply ?x (select ?p 1 0))",             "(select ?p ?x 0)",                            "integer ?x",                   Exact),
    ("multiply-by-choice-relaxed",        "(multiply ?x (select ?p 1 0))",             "(select ?p ?x 0)",                            "",                             Relaxed),
];
