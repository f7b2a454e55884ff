//! What `jax.export.export(..)(..).serialize()` gives: a flatbuffer that holds the portable artifact of a function.
//!
//! Only the few fields that say what the program is are read, by hand: a table of one kind, where the crate `flatbuffers` would
//! want generated code for the whole schema (`jax/_src/export/serialization.fbs`).

use super::is_bytecode;

/// A function that JAX exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exported<'b> {
    /// The name of the function in Python.
    pub function: &'b str,
    /// The version of JAX's calling convention.
    pub calling_convention: u16,
    /// The portable artifact.
    pub module: &'b [u8],
}

/// The fields of the table by number.
mod field {
    pub(super) const FUNCTION: usize = 1;
    pub(super) const MODULE: usize = 13;
    pub(super) const CALLING_CONVENTION: usize = 14;
}

/// The table of a flatbuffer: where it is, and where its list of fields is.
struct Table<'b> {
    bytes: &'b [u8],
    at: usize,
    fields: usize,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    number(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(number(bytes, at)?)).ok()
}

impl<'b> Table<'b> {
    /// The table that a flatbuffer starts with.
    fn root(bytes: &'b [u8]) -> Option<Self> {
        let at = u32_at(bytes, 0)?;
        // The list of fields lies before the table or after it.
        let back = i64::from(i32::from_le_bytes(number(bytes, at)?));
        let fields = usize::try_from(i64::try_from(at).ok()? - back).ok()?;
        Some(Table { bytes, at, fields })
    }

    /// Where a field is, if the table has it.
    fn field(&self, k: usize) -> Option<usize> {
        let slot = 4 + 2 * k;
        if slot + 2 > usize::from(u16_at(self.bytes, self.fields)?) {
            return None;
        }
        match u16_at(self.bytes, self.fields.checked_add(slot)?)? {
            0 => None,
            offset => self.at.checked_add(offset.into()),
        }
    }

    /// The bytes of a field that is a vector of bytes or a text.
    fn vector(&self, k: usize) -> Option<&'b [u8]> {
        let field = self.field(k)?;
        let at = field.checked_add(u32_at(self.bytes, field)?)?;
        let length = u32_at(self.bytes, at)?;
        let from = at.checked_add(4)?;
        self.bytes.get(from..from.checked_add(length)?)
    }
}

/// The function that JAX exported into these bytes; `None` if they are something else.
pub fn exported(bytes: &[u8]) -> Option<Exported<'_>> {
    let table = Table::root(bytes)?;
    let module = table.vector(field::MODULE).filter(|m| is_bytecode(m))?;
    let function =
        table.vector(field::FUNCTION).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default();
    let version = table.field(field::CALLING_CONVENTION).and_then(|at| u16_at(bytes, at));
    Some(Exported { function, calling_convention: version.unwrap_or_default(), module })
}
