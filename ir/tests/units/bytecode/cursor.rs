//! Reading integers, and where they end.

use wengert_ir::testing::bytecode::Cursor;

#[test]
fn varints_of_every_length() {
    for (bytes, value) in [
        (&[0x01][..], 0),
        (&[0xFF], 127),
        (&[0x02, 0x02], 128),
        (&[0xFE, 0xFF], 0x3FFF),
        (&[0x80, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 0xFF_FFFF_FFFF_FFFF),
        (&[0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], u64::MAX),
    ] {
        let mut cursor = Cursor::new(bytes);
        assert_eq!(cursor.varint().unwrap(), value, "{bytes:?}");
        assert!(cursor.is_done());
    }
    for bytes in [&[][..], &[0x02], &[0x00, 1, 2, 3]] {
        Cursor::new(bytes).varint().unwrap_err();
    }
}
