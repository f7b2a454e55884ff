//! Where a person looks: a location, which may tell calls within calls within calls, in few words.

use crate::func::Loc;
use std::fmt;

/// A location in few words: what it calls the operation, the innermost line, and where that is an installed file's the innermost of
/// the user's own: `"eqx.nn.GRUCell/div" ("equinox/nn/_rnn.py":106:16, from "model.py":31:8)`.
pub struct Place<'l>(&'l Loc);

impl Loc {
    /// The location in few words; [`Display`](fmt::Display) gives all of it.
    pub fn place(&self) -> Place<'_> {
        Place(self)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Loc::Text(text) = self.0 else { return self.0.fmt(f) };
        // A line alone, or what tells no line, is short as it is.
        let Some((file, line)) = line(text).filter(|_| text.contains('(')) else { return f.write_str(text) };
        let name = text.strip_prefix('"').and_then(|t| t.split_once("\"(")).map(|(name, _)| name);
        if let Some(name) = name {
            write!(f, "\"{name}\" (")?;
        }
        write!(f, "\"{}\":{line}", inside(file))?;
        // What a library does, a line of the user's asked for.
        let own = lines(text).find(|(own, _)| inside(own) == *own).filter(|_| inside(file) != file);
        if let Some((own, line)) = own {
            write!(f, ", from \"{own}\":{line}")?;
        }
        f.write_str(if name.is_some() { ")" } else { "" })
    }
}

/// A file; of an installed one, which lies deep, where it is in its package.
fn inside(file: &str) -> &str {
    file.rsplit_once("site-packages/").map_or(file, |(_, file)| file)
}

/// The first `"file":line` of an MLIR location, of calls within calls the innermost: the file, and the line with its column if
/// there is one.
pub fn line(text: &str) -> Option<(&str, &str)> {
    lines(text).next()
}

/// All of them, from the inside out.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some((_, after)) = rest.split_once('"') {
            let (quoted, tail) = after.split_once('"')?;
            rest = tail;
            if let Some(place) =
                tail.strip_prefix(':').filter(|t| t.starts_with(|c: char| c.is_ascii_digit()))
            {
                let end = place.find(|c: char| c != ':' && !c.is_ascii_digit()).unwrap_or(place.len());
                return Some((quoted, &place[..end]));
            }
        }
        None
    })
}
