//! The table of the operations of VHLO.

use wengert_ir::testing::bytecode::{NEWEST, SCHEMAS};

#[test]
fn forms_are_in_order_and_do_not_overlap() {
    for pair in SCHEMAS.windows(2) {
        let [a, b] = pair else { unreachable!() };
        assert!((a.name, a.number) < (b.name, b.number), "{} {}", a.name, b.name);
        assert!(a.name != b.name || a.last < b.first && a.last + 1 == b.first, "{}", a.name);
    }
    for schema in SCHEMAS {
        assert!(schema.attributes.is_sorted(), "{}", schema.name);
        assert!(schema.first <= schema.last && schema.first <= NEWEST, "{}", schema.name);
    }
}
