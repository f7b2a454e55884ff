//! The tables of attributes that are fields of one, and of those that have a default.

use wengert_ir::testing::bytecode::{defaults, forms, grouped};

#[test]
fn tables_name_attributes_that_are_there() {
    for (op, field) in grouped() {
        assert!(forms(op).iter().any(|s| s.attributes.contains(&field)), "{op} {field}");
    }
    assert!(defaults().is_sorted());
}
