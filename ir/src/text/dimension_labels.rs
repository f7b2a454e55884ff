//! Labels of dimensions: `[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]`.

use super::lexer::Tok;
use super::parser::{Parser, Res};
use crate::types::Dims;

/// One group of dimension labels: where the two named dimensions and the spatial ones are.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) spatial: Dims,
}

impl<'s> Parser<'s> {
    /// `[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]`.
    pub(super) fn conv_labels(&mut self) -> Res<[Labels; 3]> {
        let input = self.labels("b", "f")?;
        self.word("x")?;
        let kernel = self.labels("i", "o")?;
        if self.tok() != Tok::Arrow {
            return self.expected("`->`");
        }
        self.bump();
        let output = self.labels("b", "f")?;
        Ok([input, kernel, output])
    }

    fn labels(&mut self, first: &str, second: &str) -> Res<Labels> {
        let at = self.start();
        self.punct(b'[')?;
        let mut found: [Option<usize>; 2] = [None; 2];
        let mut spatial: Vec<(usize, usize)> = Vec::new();
        let mut position = 0;
        while self.tok() != Tok::Punct(b']') {
            match self.tok() {
                Tok::Ident(word) if word == first && found[0].is_none() => found[0] = Some(position),
                Tok::Ident(word) if word == second && found[1].is_none() => found[1] = Some(position),
                Tok::Number(text) => match text.parse::<usize>() {
                    Ok(number) => spatial.push((number, position)),
                    Err(_) => return self.expected("the number of a spatial dimension"),
                },
                _ => return self.expected(&format!("`{first}`, `{second}` or a number, each once")),
            }
            position += 1;
            self.bump();
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        spatial.sort_unstable();
        let [Some(a), Some(b)] = found else {
            return self.fail_at(at, format!("the dimensions `{first}` and `{second}` must be named"));
        };
        if !spatial.iter().map(|s| s.0).eq(0..spatial.len()) {
            return self.fail_at(at, "spatial dimensions must be numbered from 0");
        }
        Ok(Labels { first: a, second: b, spatial: spatial.into_iter().map(|s| s.1).collect() })
    }
}
