//! Changes of a program's text: its numbers, types, names, words and lines. Most of what comes of it must be refused.

use std::ops::Range;
use wengert_ir::testing::Random;
use wengert_ir::types::DType;

/// Numbers at which sizes, indices and counts go wrong.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "127",
    "-128",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "1099511627776",
    "4611686018427387904",
    "4611686018427387905",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999",
    "1e400",
    "-0.0",
    "0x7FC00000",
    "?",
];

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Name,
    Word,
    Sign,
}

/// The text with one thing changed.
pub(super) fn changed(text: &str, random: &mut Random) -> String {
    match random.below(10) {
        0..=6 => word(text, random),
        _ => line(text, random),
    }
}

/// One number, type, name, word or sign is another one.
fn word(text: &str, random: &mut Random) -> String {
    let pieces = pieces(text);
    if pieces.is_empty() {
        return "module".to_owned();
    }
    let (kind, at) = pieces[random.below(pieces.len())].clone();
    let alike: Vec<&Range<usize>> = pieces.iter().filter(|p| p.0 == kind).map(|p| &p.1).collect();
    let other = text[alike[random.below(alike.len())].clone()].to_owned();
    let new = match (kind, random.below(10)) {
        (Kind::Number, 0..=6) => random.pick(NUMBERS).to_owned(),
        (Kind::Word, 0..=3) if DType::parse(element(&text[at.clone()])).is_some() => {
            let old = &text[at.clone()];
            old.replace(element(old), random.pick(DType::ALL).name())
        }
        (_, 9) => String::new(),
        (_, 8) => format!("{} {other}", &text[at.clone()]),
        _ => other,
    };
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
}

/// The element type in a word such as `2x3xf32`.
fn element(word: &str) -> &str {
    word.rsplit_once('x').map_or(word, |(_, last)| last)
}

/// One line is left out, doubled, or changes places with another.
fn line(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => {
            lines.remove(a);
        }
        1 => lines.insert(b, lines[a]),
        _ => lines.swap(a, b),
    }
    lines.join("\n")
}

/// The pieces of a text, without blanks.
fn pieces(text: &str) -> Vec<(Kind, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let b = bytes[at];
        let goes_on = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'?');
        at += 1;
        let kind = match b {
            b' ' | b'\n' | b'\t' | b'\r' => continue,
            b'%' | b'@' | b'#' | b'!' => Kind::Name,
            b'-' | b'0'..=b'9' => Kind::Number,
            b if goes_on(b) => Kind::Word,
            b if b.is_ascii() => {
                out.push((Kind::Sign, start..at));
                continue;
            }
            _ => continue,
        };
        while at < bytes.len() && goes_on(bytes[at]) {
            at += 1;
        }
        let has_letters = bytes[start..at].iter().any(|b| b.is_ascii_alphabetic());
        // `2x3xf32` is a word: its numbers are looked at one by one.
        match kind {
            Kind::Number if has_letters => {
                let mut from = start;
                for (k, &b) in bytes[start..at].iter().enumerate() {
                    if b == b'x' && k > 0 && from < start + k {
                        out.push((Kind::Number, from..start + k));
                        from = start + k + 1;
                    }
                }
                out.push((Kind::Word, from.min(at - 1)..at));
            }
            kind => out.push((kind, start..at)),
        }
    }
    out
}
