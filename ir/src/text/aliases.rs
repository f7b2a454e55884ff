//! The `#loc` aliases.

use super::lexer::{Lexer, Tok};
use std::collections::HashMap;
use std::sync::Arc;

/// Most bytes that one location may have after its aliases are resolved.
const MAX_LENGTH: usize = 4096;
/// How deep aliases may refer to aliases.
const MAX_DEPTH: usize = 32;

/// The definitions of aliases, found before parsing because uses come first.
pub(super) struct Locations<'s> {
    /// The text between the parentheses of `#name = loc(...)`.
    aliases: HashMap<&'s str, &'s str>,
    resolved: HashMap<&'s str, Arc<str>>,
    /// Work that may still be spent on resolving; aliases of aliases could grow without bound.
    budget: usize,
}

impl<'s> Locations<'s> {
    /// Collects the definitions, each on a line of its own.
    pub(super) fn new(src: &'s str) -> Self {
        let mut aliases = HashMap::new();
        let bytes = src.as_bytes();
        let mut at = 0;
        while at < src.len() {
            let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(src.len(), |n| at + n);
            if bytes[at] == b'#' {
                let line = &src[at + 1..end];
                if let Some((name, rest)) = line.split_once('=')
                    && let Some(inside) = rest.trim().strip_prefix("loc(")
                    && let Some(inside) = inside.trim_end().strip_suffix(')')
                {
                    aliases.insert(name.trim(), inside);
                }
            }
            at = end + 1;
        }
        Self { aliases, resolved: HashMap::new(), budget: 4 * src.len() + (1 << 20) }
    }

    /// The text with its aliases replaced by what they stand for.
    pub(super) fn resolve(&mut self, text: &'s str) -> Arc<str> {
        if let Some(done) = self.resolved.get(text) {
            return done.clone();
        }
        let mut out = String::new();
        let mut budget = self.budget;
        self.expand(text, &mut out, 0, &mut budget);
        self.budget = budget;
        let out: Arc<str> = if out.len() > MAX_LENGTH { "unknown".into() } else { out.into() };
        self.resolved.insert(text, out.clone());
        out
    }

    fn expand(&self, text: &'s str, out: &mut String, depth: usize, budget: &mut usize) {
        let cost = text.len() + 16;
        if text.len() > MAX_LENGTH || out.len() > MAX_LENGTH || depth > MAX_DEPTH || *budget < cost {
            out.push_str("unknown");
            return;
        }
        *budget -= cost;
        let mut lexer = Lexer::new(text);
        let mut from = 0;
        while lexer.tok != Tok::End {
            if let Tok::Hash(name) = lexer.tok {
                out.push_str(&text[from..lexer.start]);
                match self.aliases.get(name) {
                    Some(inside) => self.expand(inside, out, depth + 1, budget),
                    None => out.push_str("unknown"),
                }
                from = lexer.pos;
            }
            lexer.advance();
        }
        out.push_str(&text[from..]);
    }
}
