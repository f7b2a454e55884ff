//! Arrays and literals.

use wengert_ir::array::Literal;
use wengert_ir::types::{DType, TensorType};

/// Order agrees with equality: types count.
#[test]
fn literals_of_two_types_differ() {
    let zero = |d| Literal::zeros(TensorType::scalar(d));
    let (a, b) = (zero(DType::I32), zero(DType::F32));
    assert!(a != b && a.cmp(&b).is_ne() && a.cmp(&b) == b.cmp(&a).reverse());
}
