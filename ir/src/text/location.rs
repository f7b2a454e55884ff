//! `loc(...)`.

use super::lexer::{Lexer, Tok, write_quoted};
use super::lines::Lines;
use super::parser::{Parser, Res};
use crate::func::Loc;

/// From the byte after `(`, the byte of the matching `)`; without recursion.
fn closing(lexer: &mut Lexer<'_>) -> Option<usize> {
    let mut depth = 1usize;
    loop {
        match lexer.tok {
            Tok::Punct(b'(') => depth += 1,
            Tok::Punct(b')') => {
                depth -= 1;
                if depth == 0 {
                    return Some(lexer.start);
                }
            }
            Tok::End | Tok::OpenString => return None,
            _ => {}
        }
        lexer.advance();
    }
}

impl<'s> Parser<'s> {
    /// `loc(...)` if it is there.
    pub(super) fn location(&mut self) -> Res<Loc> {
        let Some(text) = self.location_text()? else { return Ok(Loc::Unknown) };
        if text == "unknown" {
            return Ok(Loc::Unknown);
        }
        let text = if text.contains('#') { self.locations.resolve(text) } else { text.into() };
        Ok(if &*text == "unknown" { Loc::Unknown } else { Loc::Text(text) })
    }

    /// A position in the text as MLIR's locations name it.
    pub(super) fn place(&mut self, at: usize) -> Loc {
        let src = self.src();
        let (line, column) = self.lines.get_or_insert_with(|| Lines::new(src)).place(src, at);
        let mut text = String::new();
        write_quoted(&mut text, self.file.unwrap_or("-"));
        Loc::Text(format!("{text}:{line}:{column}").into())
    }

    /// What stands between the parentheses of a `loc(...)` if one is there.
    pub(super) fn location_text(&mut self) -> Res<Option<&'s str>> {
        if self.tok() != Tok::Ident("loc") {
            return Ok(None);
        }
        let start = self.start();
        self.bump();
        if self.tok() != Tok::Punct(b'(') {
            return self.expected("`(`");
        }
        let from = self.end();
        self.bump();
        match closing(&mut self.lexer) {
            Some(to) => {
                self.bump();
                Ok(Some(self.src()[from..to].trim()))
            }
            None => self.fail_at(start, "this location does not end"),
        }
    }
}
