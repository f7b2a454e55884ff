//! Tokens of kernel text.

use crate::text::ParseError;
use std::fmt;

/// A token, with its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `arith.addf`.
    Word(&'a str),
    /// `%x`, without the sign.
    Value(&'a str),
    /// `@x`, without the sign; a quoted one with its quotes.
    Symbol(&'a str),
    /// Digits with sign, point, exponent or `0x`.
    Number(&'a str),
    /// `"..."`, without the quotes and not unescaped.
    Text(&'a str),
    /// `->`.
    Arrow,
    /// Any other character.
    Punct(char),
    /// Nothing is left.
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(w) | Token::Number(w) => write!(f, "`{w}`"),
            Token::Value(v) => write!(f, "`%{v}`"),
            Token::Symbol(s) => write!(f, "`@{s}`"),
            Token::Text(t) => write!(f, "\"{t}\""),
            Token::Arrow => f.write_str("`->`"),
            Token::Punct(c) => write!(f, "`{c}`"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// Reads tokens, one ahead.
pub(super) struct Lexer<'a> {
    source: &'a str,
    /// Where the next token begins and ends.
    start: usize,
    end: usize,
    next: Token<'a>,
}

type Result<T> = std::result::Result<T, ParseError>;

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Result<Self> {
        let mut lexer = Lexer { source, start: 0, end: 0, next: Token::End };
        lexer.advance()?;
        Ok(lexer)
    }

    /// The next token, which stays.
    pub(super) fn peek(&self) -> Token<'a> {
        self.next
    }

    /// Takes the next token.
    pub(super) fn take(&mut self) -> Result<Token<'a>> {
        let token = self.next;
        self.advance()?;
        Ok(token)
    }

    /// Where the next token is, as [`Lexer::error_at`] wants it.
    pub(super) fn position(&self) -> usize {
        self.start
    }

    /// An error at the next token.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        self.error_at(self.start, message)
    }

    /// An error at a position.
    pub(super) fn error_at<T>(&self, position: usize, message: impl Into<String>) -> Result<T> {
        Err(ParseError::new(self.source, position, message))
    }

    /// The text between `<`, which is the next token, and the `>` that closes it; takes both.
    pub(super) fn angle(&mut self) -> Result<&'a str> {
        if self.next != Token::Punct('<') {
            return self.error(format!("expected `<`, got {}", self.next));
        }
        let body = &self.source[self.end..];
        let mut depth = 1;
        for (at, c) in body.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.end += at + 1;
                self.advance()?;
                return Ok(&body[..at]);
            }
        }
        self.error("this `<` is not closed")
    }

    fn advance(&mut self) -> Result<()> {
        loop {
            let rest = &self.source[self.end..];
            let skipped = rest.len() - rest.trim_start().len();
            self.end += skipped;
            if !self.source[self.end..].starts_with("//") {
                break;
            }
            self.end += self.source[self.end..].find('\n').unwrap_or(self.source.len() - self.end);
        }
        self.start = self.end;
        let rest = &self.source[self.start..];
        let word = |s: &'a str| &s[..s.find(|c| !is_word(c)).unwrap_or(s.len())];
        let Some(first) = rest.chars().next() else {
            self.next = Token::End;
            return Ok(());
        };
        let (token, length) = match first {
            '%' => {
                let name = word(&rest[1..]);
                (Token::Value(name), 1 + name.len())
            }
            '@' if rest[1..].starts_with('"') => {
                let text = self.quoted(&rest[1..])?;
                (Token::Symbol(&rest[1..text.len() + 3]), text.len() + 3)
            }
            '@' => {
                let name = word(&rest[1..]);
                (Token::Symbol(name), 1 + name.len())
            }
            '"' => {
                let text = self.quoted(rest)?;
                (Token::Text(text), text.len() + 2)
            }
            '-' if rest.starts_with("->") => (Token::Arrow, 2),
            c if c.is_ascii_digit() || c == '-' => {
                let mut length = 1;
                let bytes = rest.as_bytes();
                while let Some(&b) = bytes.get(length) {
                    let exponent = matches!(b, b'+' | b'-') && matches!(bytes[length - 1], b'e' | b'E');
                    let hex = rest.trim_start_matches('-').starts_with("0x");
                    if !(is_word(b as char) || exponent && !hex) {
                        break;
                    }
                    length += 1;
                }
                (Token::Number(&rest[..length]), length)
            }
            c if is_word(c) => {
                let name = word(rest);
                (Token::Word(name), name.len())
            }
            c => (Token::Punct(c), c.len_utf8()),
        };
        self.next = token;
        self.end = self.start + length;
        Ok(())
    }

    /// The inside of the quoted text that `rest` begins with.
    fn quoted(&self, rest: &'a str) -> Result<&'a str> {
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return Ok(&rest[1..at]),
                _ => {}
            }
        }
        self.error("this quote is not closed")
    }
}
