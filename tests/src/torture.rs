//! Broken texts: every truncation of a text, and at every byte one replacement by a seeded byte and one by a byte that means
//! something. Each must parse and verify, or fail with an error, within limits of time and memory.

use std::time::{Duration, Instant};
use wengert_ir::{text, verify};

/// Bytes that open, close or separate something.
const MEANINGFUL: &[u8] = b"{}<>\":09-";

/// What happened to many broken texts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Outcome {
    /// Texts tried.
    pub texts: usize,
    /// Texts that were still programs.
    pub valid: usize,
    /// The longest that one took.
    pub slowest: Duration,
}

/// Breaks `source` in every way whose number is a multiple of `stride`, starting at `offset`.
///
/// Panics, naming the way, if parsing or verifying panics, or takes longer than `limit`.
pub fn torture(name: &str, source: &str, stride: usize, offset: usize, limit: Option<Duration>) -> Outcome {
    let bytes = source.as_bytes();
    let mut outcome = Outcome::default();
    for way in (offset..bytes.len() * 3).step_by(stride.max(1)) {
        let (kind, at) = (way % 3, way / 3);
        let mut broken = bytes.to_vec();
        match kind {
            0 => broken.truncate(at),
            1 => broken[at] = seeded(at),
            _ => broken[at] = MEANINGFUL[(seeded(at) as usize) % MEANINGFUL.len()],
        }
        // What is not UTF-8 is refused when the file is read.
        let Ok(broken) = String::from_utf8(broken) else { continue };
        let start = Instant::now();
        let valid =
            std::panic::catch_unwind(|| text::parse(&broken).is_ok_and(|m| verify::verify(&m).is_ok()));
        let took = start.elapsed();
        let valid = valid.unwrap_or_else(|_| panic!("{name}: way {way} panicked"));
        if let Some(limit) = limit {
            assert!(took <= limit, "{name}: way {way} took {took:?}");
        }
        outcome.texts += 1;
        outcome.valid += valid as usize;
        outcome.slowest = outcome.slowest.max(took);
    }
    outcome
}

/// A printable byte that depends on the position only (SplitMix64).
fn seeded(at: usize) -> u8 {
    let mut z = (at as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    32 + ((z ^ (z >> 31)) % 95) as u8
}
