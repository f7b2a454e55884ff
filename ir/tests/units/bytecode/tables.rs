//! Integers that are written and read again.

use wengert_ir::testing::bytecode::{Cursor, Out};

#[test]
fn integers_come_back() {
    let mut values: Vec<u64> = (0..64).flat_map(|k| [1 << k, (1u64 << k) - 1, !0 >> k]).collect();
    values.push(300);
    for v in values {
        let mut out = Out::default();
        out.varint(v);
        out.signed(v as i64);
        let mut c = Cursor::new(&out.0);
        assert_eq!(c.varint().unwrap(), v);
        assert_eq!(c.signed().unwrap(), v as i64);
        assert!(c.is_done());
    }
}
