//! The order of floats of at most 8 bits.

use super::sort::sort_one;
use wengert_ir::array::Array;
use wengert_ir::minifloat::{Format, decode};
use wengert_ir::op::*;
use wengert_ir::testing::eval_op;
use wengert_ir::types::{DType, TensorType};

/// All codes of the types of at most 8 bits in the total order of their values, up and down, and the largest of them.
#[test]
fn small_floats_are_in_the_order_of_their_values() {
    for dtype in DType::ALL.iter().copied().filter(|&d| Format::of(d).is_some()) {
        let bits = Format::of(dtype).expect("one").bits;
        // In no order, and each twice.
        let codes: Vec<u8> = (0..2u32 << bits).map(|k| (k.wrapping_mul(91) % (1 << bits)) as u8).collect();
        let ty = TensorType::new(dtype, &[codes.len()]);
        let x = Array::from_bytes(ty, &codes);
        let value = |code: &u8| decode(dtype, *code);
        let mut up = codes.clone();
        up.sort_by(|a, b| value(a).total_cmp(&value(b)));
        let mut down = codes.clone();
        down.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let sorted = |by| sort_one(&x, 0, by, CompareType::TotalOrder);
        assert_eq!(sorted(Direction::Lt).bytes(), up, "{dtype}");
        assert_eq!(sorted(Direction::Gt).bytes(), down, "{dtype}");
        for k in [2, codes.len() / 2] {
            let largest = eval_op(TopK { k }, std::slice::from_ref(&x));
            assert_eq!(largest[0].bytes(), &down[..k], "{dtype}");
        }
        // IEEE order, in which zeros are equal; where there is a NaN the comparator itself is asked.
        let numbers: Vec<u8> = codes.iter().copied().filter(|code| !value(code).is_nan()).collect();
        let mut up = numbers.clone();
        up.sort_by(|a, b| value(a).partial_cmp(&value(b)).expect("no NaN"));
        let x = Array::from_bytes(TensorType::new(dtype, &[numbers.len()]), &numbers);
        assert_eq!(sort_one(&x, 0, Direction::Lt, CompareType::Float).bytes(), up, "{dtype}");
    }
}
