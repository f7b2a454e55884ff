//! Reading bytes: variable-length integers, lists and sections of the MLIR bytecode format, each within bounds.

use super::error::Error;

/// What every reading method returns.
pub(super) type Res<T> = Result<T, Error>;

/// A part of a file that is being read.
#[derive(Clone)]
pub struct Cursor<'b> {
    bytes: &'b [u8],
    /// Where the next byte stands in `bytes`.
    at: usize,
    /// Where `bytes` starts in the file.
    base: usize,
}

impl<'b> Cursor<'b> {
    /// At the start of a file.
    pub fn new(bytes: &'b [u8]) -> Self {
        Cursor { bytes, at: 0, base: 0 }
    }

    /// Where the next byte stands in the file.
    pub(super) fn place(&self) -> usize {
        self.base + self.at
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.left() == 0
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Res<T> {
        Err(Error::at(self.place(), message))
    }

    /// Fails if something is left of a part that has been read.
    pub(super) fn end(&self, what: &str) -> Res<()> {
        if self.is_done() { Ok(()) } else { self.fail(format!("{what} has bytes after its end")) }
    }

    pub(super) fn byte(&mut self) -> Res<u8> {
        let Some(&byte) = self.bytes.get(self.at) else { return self.fail("the file ends here") };
        self.at += 1;
        Ok(byte)
    }

    /// The next `n` bytes.
    pub(super) fn take(&mut self, n: usize) -> Res<&'b [u8]> {
        if n > self.left() {
            return self.fail(format!("{n} bytes are announced, {} are left", self.left()));
        }
        let out = &self.bytes[self.at..self.at + n];
        self.at += n;
        Ok(out)
    }

    /// The next `n` bytes as a part of their own.
    pub(super) fn part(&mut self, n: usize) -> Res<Cursor<'b>> {
        let base = self.place();
        Ok(Cursor { bytes: self.take(n)?, at: 0, base })
    }

    /// An integer without sign: the zeros at the end of its first byte say how many bytes follow.
    pub fn varint(&mut self) -> Res<u64> {
        let first = self.byte()?;
        let more = first.trailing_zeros() as usize;
        let mut wide = [0; 16];
        wide[0] = first;
        let rest = self.take(more)?;
        wide[1..=more].copy_from_slice(rest);
        // Eight bytes after the first leave no bit of it.
        Ok((u128::from_le_bytes(wide) >> (more + 1).min(8)) as u64)
    }

    /// An integer with its sign in the lowest bit.
    pub fn signed(&mut self) -> Res<i64> {
        let v = self.varint()?;
        Ok((v >> 1) as i64 ^ -((v & 1) as i64))
    }

    /// A number that counts or names something in memory.
    pub(super) fn index(&mut self) -> Res<usize> {
        let v = self.varint()?;
        usize::try_from(v).or_else(|_| self.fail("a number of more than this machine can count"))
    }

    /// A number with a flag in its lowest bit.
    pub(super) fn flagged(&mut self) -> Res<(usize, bool)> {
        let v = self.index()?;
        Ok((v >> 1, v & 1 == 1))
    }

    /// How many elements follow, of at least one byte each.
    pub(super) fn count(&mut self) -> Res<usize> {
        let n = self.index()?;
        self.counted(n)
    }

    /// Checks a number of elements of at least one byte each.
    pub(super) fn counted(&self, n: usize) -> Res<usize> {
        if n > self.left() {
            return self.fail(format!("a list of {n} elements in {} bytes", self.left()));
        }
        Ok(n)
    }

    /// A list.
    pub(super) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        let n = self.count()?;
        (0..n).map(|_| one(self)).collect()
    }

    /// A length and as many bytes.
    pub(super) fn blob(&mut self) -> Res<&'b [u8]> {
        let n = self.index()?;
        self.take(n)
    }

    /// Text up to a zero byte.
    pub(super) fn terminated(&mut self) -> Res<&'b str> {
        let Some(n) = self.bytes[self.at..].iter().position(|&b| b == 0) else {
            return self.fail("this text has no end");
        };
        let text = self.utf8(self.at, n)?;
        self.at += n + 1;
        Ok(text)
    }

    /// `n` bytes from `from` as text.
    fn utf8(&self, from: usize, n: usize) -> Res<&'b str> {
        std::str::from_utf8(&self.bytes[from..from + n])
            .map_err(|_| Error::at(self.base + from, "this text is not UTF-8"))
    }

    /// The integer of `bits` bits, in the low bits of a word: one byte up to eight, else with a sign, words above 64.
    pub(super) fn int_of(&mut self, bits: usize) -> Res<u64> {
        match bits {
            0..=8 => Ok(self.byte()?.into()),
            9..=64 => Ok(self.signed()? as u64),
            _ => {
                let words = self.list(Self::signed)?;
                Ok(words.first().map_or(0, |&w| w as u64))
            }
        }
    }

    /// A section: its number and what is in it.
    pub(super) fn section(&mut self) -> Res<(u8, Cursor<'b>)> {
        let head = self.byte()?;
        let length = self.index()?;
        if head & 0x80 != 0 {
            let alignment = self.index()?;
            if !alignment.is_power_of_two() {
                return self.fail(format!("an alignment of {alignment}"));
            }
            while !self.place().is_multiple_of(alignment) {
                if self.byte()? != 0xCB {
                    return self.fail("a section is not where its alignment says");
                }
            }
        }
        Ok((head & 0x7F, self.part(length)?))
    }
}
