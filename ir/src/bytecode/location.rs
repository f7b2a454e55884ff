//! Where operations were written, as the text of MLIR's `loc(...)`.

use super::entries::{Attr, Entries, Location};
use super::spell::{MAX_DEPTH, write_bytes};
use std::fmt::Write;

/// Most characters of the text of a location; longer ones are not kept.
const MAX_LOCATION: usize = 4096;

impl Entries<'_> {
    /// The text of a location, without the word and the parentheses; `None` if it is not known.
    pub(super) fn location(&self, k: usize) -> Option<String> {
        let mut out = String::new();
        self.location_at(&mut out, k, 0);
        (out != "unknown" && out.len() <= MAX_LOCATION).then_some(out)
    }

    fn location_at(&self, out: &mut String, k: usize, depth: usize) {
        let Ok(Attr::Location(location)) = self.attribute(k) else { return out.push_str("unknown") };
        if depth > MAX_DEPTH || out.len() > MAX_LOCATION {
            return out.push_str("unknown");
        }
        let text = |k: usize| match self.attribute(k) {
            Ok(Attr::Str(text)) => text,
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
                let _ = match places[..] {
                    [_, _, column] => write!(out, " to :{column}"),
                    [_, _, line, column] => write!(out, " to {line}:{column}"),
                    _ => Ok(()),
                };
            }
            Location::Fused(parts, metadata) => {
                out.push_str("fused");
                if metadata.is_some() {
                    out.push_str("<...>");
                }
                out.push('[');
                for (k, &part) in parts.iter().enumerate() {
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
