//! Where operations were written, as the text of MLIR's `loc(...)`: written and read.

use super::entries::{Attr, Entries, Location};
use super::spell::{MAX_DEPTH, write_bytes};
use super::tables::Tables;
use std::fmt::Write;

/// Most characters of the text of a location; longer ones are not kept.
const MAX_LOCATION: usize = 4096;

impl Entries<'_> {
    /// The text of a location, without the word and the parentheses; `None` if it is not known.
    ///
    /// Where the locations of a file have more text together than attributes may have, those that are left are not known.
    pub(super) fn location(&self, k: usize) -> Option<String> {
        if self.location_budget.get() == 0 {
            return None;
        }
        let mut out = String::new();
        self.location_at(&mut out, k, 0);
        self.location_budget.set(self.location_budget.get().saturating_sub(out.len()));
        (out != "unknown" && out.len() <= MAX_LOCATION).then_some(out)
    }

    fn location_at(&self, out: &mut String, k: usize, depth: usize) {
        if depth > MAX_DEPTH || out.len() > MAX_LOCATION {
            return out.push_str("unknown");
        }
        let Ok(Attr::Location(location)) = self.attribute(k) else { return out.push_str("unknown") };
        let text = |k: usize| match self.attribute(k) {
            // Of one that is too long, enough to see that.
            Ok(Attr::Str(text)) => &text[..text.len().min(MAX_LOCATION + 1)],
            _ => b"",
        };
        match location {
            Location::Unknown => out.push_str("unknown"),
            Location::CallSite(callee, caller) => {
                out.push_str("callsite(");
                self.location_at(out, callee, depth + 1);
                out.push_str(" at ");
                self.location_at(out, caller, depth + 1);
                out.push(')');
            }
            Location::File(file, places) => {
                write_bytes(out, text(file));
                let part = |k: usize| places.get(k).copied().unwrap_or(0);
                let _ = write!(out, ":{}:{}", part(0), part(1));
                if let [_, _, column] = places[..] {
                    let _ = write!(out, " to :{column}");
                } else if let [_, _, line, column] = places[..] {
                    let _ = write!(out, " to {line}:{column}");
                }
            }
            Location::Fused(parts, metadata) => {
                out.push_str("fused");
                if metadata.is_some() {
                    out.push_str("<...>");
                }
                out.push('[');
                for (k, &part) in parts.iter().enumerate() {
                    if out.len() > MAX_LOCATION {
                        break;
                    }
                    out.push_str(if k > 0 { ", " } else { "" });
                    self.location_at(out, part, depth + 1);
                }
                out.push(']');
            }
            Location::Name(name, child) => {
                write_bytes(out, text(name));
                if !matches!(self.attribute(child), Ok(Attr::Location(Location::Unknown))) {
                    out.push('(');
                    self.location_at(out, child, depth + 1);
                    out.push(')');
                }
            }
        }
    }
}

impl Tables {
    /// The location that a text says; what is not understood is a name.
    pub(super) fn location_text(&mut self, text: &str) -> usize {
        match (Reader { rest: text, depth: 0 }).whole(self) {
            Some(k) => k,
            None => self.named_location(text, None),
        }
    }
}

/// Reads the text of a location.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn whole(&mut self, tables: &mut Tables) -> Option<usize> {
        let k = self.location(tables)?;
        self.rest.trim().is_empty().then_some(k)
    }

    fn eat(&mut self, word: &str) -> bool {
        match self.rest.trim_start().strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Option<u64> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let value = self.rest[..digits].parse().ok()?;
        self.rest = &self.rest[digits..];
        Some(value)
    }

    /// Text between quotes.
    fn quoted(&mut self) -> Option<String> {
        if !self.eat("\"") {
            return None;
        }
        let mut escaped = false;
        let end = self.rest.bytes().position(|b| {
            let ends = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            ends
        })?;
        let text = crate::text::unescape(&self.rest[..end]);
        self.rest = &self.rest[end + 1..];
        Some(text)
    }

    fn location(&mut self, tables: &mut Tables) -> Option<usize> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let out = if self.eat("callsite(") {
            let callee = self.location(tables)?;
            let caller = if self.eat("at ") { self.location(tables)? } else { return None };
            if !self.eat(")") {
                return None;
            }
            tables.call_location(callee, caller)
        } else if self.eat("fused[") {
            let mut parts = vec![self.location(tables)?];
            while self.eat(",") {
                parts.push(self.location(tables)?);
            }
            if !self.eat("]") {
                return None;
            }
            tables.fused_location(&parts)
        } else if self.eat("unknown") {
            tables.unknown_location()
        } else {
            let name = self.quoted()?;
            if self.eat(":") {
                let mut places = vec![self.number()?];
                if self.eat(":") {
                    places.push(self.number()?);
                }
                if self.eat("to ") {
                    if !self.rest.starts_with(':') {
                        places.push(self.number()?);
                    }
                    if !self.eat(":") {
                        return None;
                    }
                    places.push(self.number()?);
                }
                tables.file_location(&name, &places)
            } else if self.eat("(") {
                let child = self.location(tables)?;
                if !self.eat(")") {
                    return None;
                }
                tables.named_location(&name, Some(child))
            } else {
                tables.named_location(&name, None)
            }
        };
        self.depth -= 1;
        Some(out)
    }
}
