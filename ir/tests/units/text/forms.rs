//! The forms of operations: each name is read in one way.

use wengert_ir::testing::text::{is_known_without_form, listed};

#[test]
fn a_name_has_one_form() {
    let mut names: Vec<&str> = listed().collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
    for name in names {
        assert!(!is_known_without_form(name), "{name}");
    }
}
