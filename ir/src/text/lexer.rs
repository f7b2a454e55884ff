//! Tokens of MLIR text.
//!
//! The lexer borrows the source and allocates nothing. It holds one token; [`Lexer::pos`] is always the
//! end of that token, so the parser can read the few places whose spelling is not made of tokens (the
//! sizes in `tensor<0x3xf32>`, the inside of `dense<...>`) straight from the bytes and go on from there.

use std::cell::Cell;

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tok<'s> {
    /// The end of the text.
    End,
    /// A bare word, dots included: `stablehlo.add`, `dims`, `true`.
    Ident(&'s str),
    /// `%name` or `%name#2`, without the percent sign.
    Value(&'s str, Option<u32>),
    /// `@name` without the sign; of `@"name"` the quoted text, quotes included.
    Symbol(&'s str),
    /// `#name`, without the sign.
    Hash(&'s str),
    /// `^name`, without the sign.
    Caret(&'s str),
    /// `!name`, without the sign.
    Bang(&'s str),
    /// A number as written: `-1`, `0xFF`, `1.0e-3`.
    Number(&'s str),
    /// A string, without the quotes, escapes as written.
    Str(&'s str),
    /// Any other ASCII sign.
    Punct(u8),
    /// `->`.
    Arrow,
    /// A string that does not end on its line.
    OpenString,
    /// A character that starts no token.
    Bad,
}

/// Cuts a source into tokens.
#[derive(Clone)]
pub(super) struct Lexer<'s> {
    /// The whole text.
    pub(super) src: &'s str,
    /// The current token.
    pub(super) tok: Tok<'s>,
    /// Where the current token starts.
    pub(super) start: usize,
    /// Where it ends; the next one is looked for from here.
    pub(super) pos: usize,
    /// Where the token before the current one ended.
    pub(super) last_end: usize,
    read: Read,
}

std::thread_local! {
    /// What lexers that are gone have read on this thread.
    static TOKENS: Cell<usize> = const { Cell::new(0) };
}

/// How many tokens were read on this thread by lexers that are gone: what tests of linear time count.
pub fn tokens_read() -> usize {
    TOKENS.get()
}

/// How many tokens a lexer has read, not those it is a copy of. They are added up where it ends, so that a token costs nothing
/// but an addition.
#[derive(Default)]
struct Read(usize);

impl Clone for Read {
    fn clone(&self) -> Self {
        Read(0)
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        TOKENS.set(TOKENS.get() + self.0);
    }
}

fn is_ident(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')
}

impl<'s> Lexer<'s> {
    /// A lexer at the first token.
    pub(super) fn new(src: &'s str) -> Self {
        let mut lexer = Lexer { src, tok: Tok::End, start: 0, pos: 0, last_end: 0, read: Read::default() };
        lexer.advance();
        lexer
    }

    fn byte(&self, at: usize) -> u8 {
        self.src.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The first position from `at` whose byte does not satisfy `f`.
    fn skip(&self, at: usize, f: impl Fn(u8) -> bool) -> usize {
        let bytes = self.src.as_bytes();
        bytes[at..].iter().position(|&b| !f(b)).map_or(bytes.len(), |n| at + n)
    }

    /// Skips blanks and comments from `at`.
    pub(super) fn skip_blank(&self, mut at: usize) -> usize {
        loop {
            at = self.skip(at, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
            if self.byte(at) == b'/' && self.byte(at + 1) == b'/' {
                at = self.skip(at, |b| b != b'\n');
            } else {
                return at;
            }
        }
    }

    /// Continues from a byte position.
    pub(super) fn jump(&mut self, pos: usize) {
        self.pos = pos;
        self.advance();
    }

    /// Goes to the next token.
    pub(super) fn advance(&mut self) {
        self.read.0 += 1;
        self.last_end = self.pos;
        let start = self.skip_blank(self.pos);
        self.start = start;
        let (tok, end) = self.scan(start);
        self.tok = tok;
        self.pos = end;
    }

    /// End of the suffix-id that starts at `at`: digits, or a word.
    fn suffix_id(&self, at: usize) -> usize {
        if self.byte(at).is_ascii_digit() {
            self.skip(at, |b| b.is_ascii_digit())
        } else {
            // A minus is part of a name only when it does not start an arrow.
            let mut end = self.skip(at, is_ident);
            while end > at && self.byte(end) == b'-' && self.byte(end + 1) != b'>' {
                end = self.skip(end + 1, is_ident);
            }
            end
        }
    }

    fn scan(&self, start: usize) -> (Tok<'s>, usize) {
        let src = self.src;
        let Some(&first) = src.as_bytes().get(start) else { return (Tok::End, start) };
        let named = |make: fn(&'s str) -> Tok<'s>| {
            let end = self.suffix_id(start + 1);
            if end == start + 1 { (Tok::Punct(first), end) } else { (make(&src[start + 1..end]), end) }
        };
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let end = self.skip(start, is_ident);
                (Tok::Ident(&src[start..end]), end)
            }
            b'%' => {
                let end = self.suffix_id(start + 1);
                if end == start + 1 {
                    return (Tok::Punct(first), end);
                }
                let name = &src[start + 1..end];
                if self.byte(end) == b'#' && self.byte(end + 1).is_ascii_digit() {
                    let stop = self.skip(end + 1, |b| b.is_ascii_digit());
                    let k = src[end + 1..stop].parse().unwrap_or(u32::MAX);
                    (Tok::Value(name, Some(k)), stop)
                } else {
                    (Tok::Value(name, None), end)
                }
            }
            b'@' if self.byte(start + 1) == b'"' => match self.string_end(start + 1) {
                Some(end) => (Tok::Symbol(&src[start + 1..end]), end),
                None => (Tok::OpenString, self.skip(start, |b| b != b'\n')),
            },
            b'@' => named(Tok::Symbol),
            b'#' => named(Tok::Hash),
            b'^' => named(Tok::Caret),
            b'!' => named(Tok::Bang),
            b'"' => match self.string_end(start) {
                Some(end) => (Tok::Str(&src[start + 1..end - 1]), end),
                None => (Tok::OpenString, self.skip(start, |b| b != b'\n')),
            },
            b'0'..=b'9' => self.number(start, start),
            b'-' if self.byte(start + 1) == b'>' => (Tok::Arrow, start + 2),
            b'-' if self.byte(start + 1).is_ascii_digit() => self.number(start, start + 1),
            b if b.is_ascii_graphic() => (Tok::Punct(b), start + 1),
            _ => {
                let len = src[start..].chars().next().map_or(1, char::len_utf8);
                (Tok::Bad, start + len)
            }
        }
    }

    /// One past the closing quote of the string whose opening quote is at `open`.
    fn string_end(&self, open: usize) -> Option<usize> {
        let mut at = open + 1;
        loop {
            at = self.skip(at, |b| !matches!(b, b'"' | b'\\' | b'\n'));
            match self.byte(at) {
                b'"' => return Some(at + 1),
                // What follows the backslash may be a character of several bytes; its tail is skipped above.
                b'\\' if self.byte(at + 1) != b'\n' && at + 1 < self.src.len() => at += 2,
                _ => return None,
            }
        }
    }

    /// The number whose sign is at `start`, if any, and whose digits are at `digits`.
    fn number(&self, start: usize, digits: usize) -> (Tok<'s>, usize) {
        let mut end;
        if self.byte(digits) == b'0'
            && self.byte(digits + 1) == b'x'
            && self.byte(digits + 2).is_ascii_hexdigit()
        {
            end = self.skip(digits + 2, |b| b.is_ascii_hexdigit());
        } else {
            end = self.skip(digits, |b| b.is_ascii_digit());
            if self.byte(end) == b'.' {
                end = self.skip(end + 1, |b| b.is_ascii_digit());
                if matches!(self.byte(end), b'e' | b'E') {
                    let sign = matches!(self.byte(end + 1), b'+' | b'-') as usize;
                    if self.byte(end + 1 + sign).is_ascii_digit() {
                        end = self.skip(end + 1 + sign, |b| b.is_ascii_digit());
                    }
                }
            }
        }
        (Tok::Number(&self.src[start..end]), end)
    }
}

impl Tok<'_> {
    /// How an error message calls it.
    pub(super) fn describe(&self) -> String {
        match self {
            Tok::End => "the end of the text".into(),
            Tok::Ident(s) => format!("`{s}`"),
            Tok::Value(s, None) => format!("`%{s}`"),
            Tok::Value(s, Some(k)) => format!("`%{s}#{k}`"),
            Tok::Symbol(s) => format!("`@{s}`"),
            Tok::Hash(s) => format!("`#{s}`"),
            Tok::Caret(s) => format!("`^{s}`"),
            Tok::Bang(s) => format!("`!{s}`"),
            Tok::Number(s) => format!("`{s}`"),
            Tok::Str(s) if s.len() > 40 => "a string".into(),
            Tok::Str(s) => format!("the string \"{s}\""),
            Tok::Punct(b) => format!("`{}`", *b as char),
            Tok::Arrow => "`->`".into(),
            Tok::OpenString => "a string that does not end".into(),
            Tok::Bad => "a character that starts no token".into(),
        }
    }
}

/// The text of a string token with its escapes resolved: `\"`, `\\`, `\n`, `\t` and `\41`.
pub(crate) fn unescape(raw: &str) -> String {
    String::from_utf8(unescape_bytes(raw))
        .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// The same as bytes, which need not be UTF-8.
pub(super) fn unescape_bytes(raw: &str) -> Vec<u8> {
    if !raw.contains('\\') {
        return raw.as_bytes().to_vec();
    }
    let mut out = Vec::with_capacity(raw.len());
    let bytes = raw.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 == bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let hex = |b: u8| (b as char).to_digit(16);
        match (bytes[at + 1], bytes.get(at + 2).copied()) {
            (b'n', _) => out.push(b'\n'),
            (b't', _) => out.push(b'\t'),
            (hi, Some(lo)) if hex(hi).is_some() && hex(lo).is_some() => {
                out.push((hex(hi).unwrap_or(0) * 16 + hex(lo).unwrap_or(0)) as u8);
                at += 1;
            }
            (other, _) => out.push(other),
        }
        at += 2;
    }
    out
}

/// Writes `text` between quotes with the escapes of MLIR.
pub(crate) fn write_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\{:02X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Writes a symbol with its sign, quoted where it must be.
pub(super) fn write_symbol(out: &mut String, name: &str) {
    out.push('@');
    let bytes = name.as_bytes();
    let word = match bytes.first() {
        Some(b) if b.is_ascii_digit() => false,
        Some(_) => bytes.iter().all(|&b| is_ident(b)),
        None => false,
    };
    if word { out.push_str(name) } else { write_quoted(out, name) }
}

/// The text of attributes between two places, blanks and comments apart.
pub(super) fn tidy(src: &str, from: usize, to: usize) -> String {
    let mut lexer = Lexer::new(&src[..to]);
    lexer.jump(from);
    let mut out = String::new();
    let mut end = from;
    while lexer.tok != Tok::End && lexer.start < to {
        if lexer.start > end && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&src[lexer.start..lexer.pos]);
        end = lexer.pos;
        lexer.advance();
    }
    out
}
