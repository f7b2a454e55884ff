//! Buffers: taken again, aligned, zeroed, grown.

use wengert_ir::bytes::Bytes;

#[test]
fn large_buffers_come_back() {
    let mut a = Bytes::take(1_000_003);
    a[17] = 99;
    let at = a.as_ptr();
    drop(a);
    let b = Bytes::take(1_000_000);
    assert!(b.as_ptr() == at && b.len() == 1_000_000 && b.as_ptr().align_offset(64) == 0);
    drop(b);
    assert!(Bytes::zeroed(1_000_000).iter().all(|&b| b == 0));
}
#[test]
fn every_size_is_aligned_and_zeroed_when_asked() {
    for len in [0, 1, 63, 64, 1000, 32 << 10, (4 << 20) - 1, 4 << 20, (4 << 20) + 5] {
        for _ in 0..3 {
            let mut a = Bytes::zeroed(len);
            assert!(a.len() == len && a.iter().all(|&b| b == 0) && a.as_ptr().align_offset(64) == 0, "{len}");
            a.fill(7);
            assert!(Bytes::from_slice(&a)[..] == a[..]);
        }
    }
    assert!(Bytes::try_take(usize::MAX / 2).is_none());
}

#[test]
fn large_buffers_grow() {
    let mut a = Bytes::zeroed(4 << 20);
    a.push(1);
    a.extend_from_slice(&[2, 3]);
    assert_eq!((a.len(), &a[4 << 20..]), ((4 << 20) + 3, &[1, 2, 3][..]));
}
