//! The wire format of protocol buffers, as far as compile options need it: fields in order, and values that are skipped.

use crate::error::{Done, Failure};

/// A value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value<'a> {
    Varint(u64),
    /// Eight or four bytes.
    Fixed(u64),
    /// A text, bytes, or a message.
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The number that it is.
    pub(crate) fn number(self) -> Done<u64> {
        match self {
            Value::Varint(n) | Value::Fixed(n) => Ok(n),
            Value::Bytes(_) => Err(malformed()),
        }
    }

    /// The bytes that it is.
    pub(crate) fn bytes(self) -> Done<&'a [u8]> {
        match self {
            Value::Bytes(bytes) => Ok(bytes),
            Value::Varint(_) | Value::Fixed(_) => Err(malformed()),
        }
    }

    /// The text that it is.
    pub(crate) fn text(self) -> Done<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| malformed())
    }
}

/// The fields of a message: numbers and values.
pub(crate) struct Message<'a>(&'a [u8]);

impl<'a> Message<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn varint(&mut self) -> Done<u64> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or_else(malformed)?;
            self.0 = rest;
            // The tenth byte has one bit of 64.
            if shift == 63 && byte > 1 {
                return Err(malformed());
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(malformed())
    }

    fn take(&mut self, count: u64) -> Done<&'a [u8]> {
        let count = usize::try_from(count).map_err(|_| malformed())?;
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn field(&mut self) -> Done<(u64, Value<'a>)> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Varint(self.varint()?),
            1 => Value::Fixed(u64::from_le_bytes(self.take(8)?.try_into().expect("eight bytes"))),
            2 => {
                let count = self.varint()?;
                Value::Bytes(self.take(count)?)
            }
            5 => Value::Fixed(u64::from(u32::from_le_bytes(self.take(4)?.try_into().expect("four bytes")))),
            _ => return Err(malformed()),
        };
        Ok((key >> 3, value))
    }
}

impl<'a> Iterator for Message<'a> {
    type Item = Done<(u64, Value<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// Numbers that are packed into bytes.
pub(crate) fn packed(bytes: &[u8]) -> Done<Vec<u64>> {
    let (mut message, mut numbers) = (Message::new(bytes), Vec::new());
    while !message.0.is_empty() {
        numbers.push(message.varint()?);
    }
    Ok(numbers)
}

/// Appends a number.
pub(crate) fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a field of bytes.
pub(crate) fn push_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    push_varint(out, field << 3 | 2);
    push_varint(out, bytes.len() as u64);
    out.extend(bytes);
}

/// Appends a field of numbers, packed.
pub(crate) fn push_packed(out: &mut Vec<u8>, field: u64, numbers: &[usize]) {
    let mut bytes = Vec::new();
    numbers.iter().for_each(|&n| push_varint(&mut bytes, n as u64));
    push_bytes(out, field, &bytes);
}

fn malformed() -> Failure {
    Failure::invalid("malformed compile options: no protocol buffer of the type that is expected")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_order() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 2, b'h', b'i', 0x1d, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0, 0, 0, 0];
        let fields: Done<Vec<_>> = Message::new(&bytes).collect();
        let expected =
            [(1, Value::Varint(150)), (2, Value::Bytes(b"hi")), (3, Value::Fixed(1)), (4, Value::Fixed(2))];
        assert_eq!(fields, Ok(expected.to_vec()));
        let mut out = Vec::new();
        [0, 127, 128, 300, u64::MAX].iter().for_each(|&n| push_varint(&mut out, n));
        assert_eq!(packed(&out), Ok(vec![0, 127, 128, 300, u64::MAX]));
    }

    #[test]
    fn bytes_that_end_early_or_say_nothing_are_refused() {
        for bytes in [
            &[0x08][..],
            &[0x12, 5, b'x'],
            &[0x0b],
            &[0x1d, 0, 0],
            &[0xff; 11],
            &[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        ] {
            assert!(Message::new(bytes).collect::<Done<Vec<_>>>().is_err(), "{bytes:?}");
        }
    }
}
