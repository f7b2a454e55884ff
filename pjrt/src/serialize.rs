//! Executables as bytes: what they were compiled from, so that who loads them runs no code that it has not made itself. Machine code
//! comes from the folder that `WENGERT_CODE_CACHE` names, under the rules of that.
//!
//! Format: [`MAGIC`]; then code, format, compile options and float mode, each as a length of eight bytes, little-endian, and bytes;
//! then eight bytes of a checksum of all before.

use crate::error::{Done, Failure};
use crate::options::{float_mode, name_of_mode};
use wengert_ir::types::FloatMode;

/// What serialized executables begin with; the number is that of the format.
const MAGIC: &[u8] = b"wengert executable 2\n";

/// What an executable is compiled from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    pub(crate) code: Vec<u8>,
    pub(crate) format: String,
    /// A serialized `CompileOptionsProto`.
    pub(crate) options: Vec<u8>,
    /// What the options say, or what the client says that it was compiled for: it decides about results.
    pub(crate) mode: FloatMode,
}

impl Parts {
    /// Tells executables from each other: the same program under the same options of the same compiler has the same.
    pub(crate) fn fingerprint(&self) -> String {
        let mut text = write(self);
        text.extend(env!("CARGO_PKG_VERSION").as_bytes());
        blake3::hash(&text).to_hex()[..32].to_owned()
    }
}

/// The bytes of an executable.
pub(crate) fn write(parts: &Parts) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let mode = name_of_mode(parts.mode).as_bytes();
    for part in [&parts.code[..], parts.format.as_bytes(), &parts.options, mode] {
        out.extend((part.len() as u64).to_le_bytes());
        out.extend(part);
    }
    out.extend(checksum(&out));
    out
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut sum = [0; 8];
    sum.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    sum
}

/// What an executable was compiled from. Fails if the bytes are no executable, of another version, or damaged.
pub(crate) fn read(bytes: &[u8]) -> Done<Parts> {
    let damaged =
        || Failure::invalid("no executable that this version of Wengert has serialized, or a damaged one");
    let (body, sum) = bytes.split_at_checked(bytes.len().saturating_sub(8)).ok_or_else(damaged)?;
    if checksum(body) != *sum {
        return Err(damaged());
    }
    let mut rest = body.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let mut part = || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (part, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = after;
        Some(part.to_vec())
    };
    let mut parts = || {
        let (code, format, options) = (part()?, String::from_utf8(part()?).ok()?, part()?);
        let mode = float_mode(std::str::from_utf8(&part()?).ok()?).ok()?;
        Some(Parts { code, format, options, mode })
    };
    let parts = parts().ok_or_else(damaged)?;
    if rest.is_empty() { Ok(parts) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_not() {
        let mode = FloatMode::Exact;
        let parts = Parts { code: b"code".to_vec(), format: "mlir".into(), options: vec![1, 2, 3], mode };
        let bytes = write(&parts);
        assert_eq!(read(&bytes), Ok(parts));
        for k in 0..bytes.len() {
            assert!(read(&bytes[..k]).is_err(), "the first {k} bytes");
            let mut changed = bytes.clone();
            changed[k] ^= 0x40;
            assert!(read(&changed).is_err(), "byte {k}");
        }
    }
}
