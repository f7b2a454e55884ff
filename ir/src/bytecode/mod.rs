//! Programs as MLIR bytecode: the portable artifacts in which JAX stores and sends StableHLO.
//!
//! A portable artifact is MLIR's bytecode (format 4 to 6) of VHLO, the versioned twin of StableHLO. [`read`] takes those of
//! StableHLO 1.0.0 and later, with what JAX sends beside it (Shardy, on one device). Operations come out of the file as data
//! in generic form ([`crate::text`] builds the module from them as it does from text), so this folder knows no operation but
//! by the names of its attributes:
//!
//! | | |
//! |---|---|
//! | `cursor` | integers, lists and sections, within bounds |
//! | `entries` | attributes and types |
//! | `spell`, `location`, `shardy` | their text |
//! | `schema` | the operations of VHLO by version, and their attributes |
//! | `attributes` | VHLO's attributes as StableHLO's |
//! | `program` | operations, values and regions |
//! | `exported` | the files of `jax.export` |
//!
//! [`write()`] is the way back: `operation` says what VHLO calls an operation, `tables` holds what is there once.
//!
//! Promises: `read` gives what reading the text of the same program gives; it never panics, recurses to a bounded depth, and
//! takes time and memory in proportion to the length of the file.

pub(crate) mod attributes;
pub(crate) mod cursor;
mod entries;
mod error;
mod exported;
mod location;
mod operation;
mod program;
pub(crate) mod schema;
mod shardy;
mod spell;
pub(crate) mod tables;
mod write;

pub use error::Error;
pub use exported::{Exported, exported};
pub use write::write;

use crate::func::{Loc, Module};
use crate::interface::{Attributes, Interface};
use crate::text::{ParseError, tree};
use cursor::{Cursor, Res};
use entries::{Attr, Entries};
use program::{IR, Operations};
use std::collections::HashMap;

/// What a file of bytecode starts with.
pub const MAGIC: [u8; 4] = [b'M', b'L', 0xEF, b'R'];

/// How many bytes of text may be made of each byte of a file, and how many of any file.
const TEXT_PER_BYTE: usize = 128;
const TEXT: usize = 1 << 16;

/// Sections of a file.
mod section {
    pub(super) const STRINGS: u8 = 0;
    pub(super) const DIALECTS: u8 = 1;
    pub(super) const ENTRIES: u8 = 2;
    pub(super) const OFFSETS: u8 = 3;
    pub(super) const PROPERTIES: u8 = 8;
}

/// A portable artifact that has been read.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The program.
    pub module: Module,
    /// Who wrote it: `StableHLO_v1.13.7`.
    pub producer: String,
    /// What it says of the parameters and results of its entry, if it has one.
    pub interface: Option<Interface>,
}

/// Whether bytes are MLIR bytecode.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Whether bytes are what [`read`] takes, and no text.
pub fn is_binary(bytes: &[u8]) -> bool {
    is_bytecode(bytes) || exported(bytes).is_some()
}

/// Reads a portable artifact, or what `jax.export` made of a function, as a module.
///
/// # Errors
///
/// Bytes that are no bytecode of VHLO, and programs that [`crate::text::parse`] refuses.
pub fn read(bytes: &[u8]) -> Result<Module, Error> {
    Ok(read_artifact(bytes)?.module)
}

/// Reads a portable artifact with what it says beside its module.
///
/// # Errors
///
/// As [`read`].
pub fn read_artifact(bytes: &[u8]) -> Result<Artifact, Error> {
    let bytes = exported(bytes).map_or(bytes, |e| e.module);
    let file = File::read(bytes)?;
    let budget = bytes.len().saturating_mul(TEXT_PER_BYTE).saturating_add(TEXT);
    let mut entries = Entries::read(file.strings, &file.dialects, file.offsets, file.entries, budget)?;
    let mut operations = Operations::new(&mut entries, file.names, file.properties, file.version);
    operations.read(file.operations)?;
    let Operations { program, lines, interfaces, module_name, .. } = operations;
    let (mut module, lying) = tree::build(&program).map_err(|e| explained(&e, &lines))?;
    if !module_name.is_empty() {
        module.name = module_name;
    }
    let mut interface = None;
    if let Some(func) = module.entry() {
        let name = &module.get(func).name;
        let (mut params, mut results) = Default::default();
        if let Some(entry) = interfaces.iter().find(|i| i.function == *name) {
            let complete = |said| tree::with_meshes(&program, said).map_err(|e| explained(&e, &lines));
            params = complete(said(&mut entries, entry.params, &entry.signature.0)?)?;
            results = complete(said(&mut entries, entry.results, &entry.signature.1)?)?;
        }
        interface = Some(Interface::new(&module, func, params, results, lying).map_err(Error::new)?);
    }
    Ok(Artifact { module, producer: file.producer.to_owned(), interface })
}

/// The dictionaries of a list, as text, for the values of these types: empty, or one for each.
fn said(entries: &mut Entries<'_>, list: Option<usize>, types: &[usize]) -> Res<Vec<Attributes>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let Attr::Array(items) = entries.attribute(list)? else { return Ok(Vec::new()) };
    if !items.is_empty() && items.len() != types.len() {
        let (n, m) = (types.len(), items.len());
        return Err(Error::new(format!("a function has {n} parameters or results, and attributes of {m}")));
    }
    let mut out = Vec::new();
    for (item, &ty) in items.into_iter().zip(types) {
        let mut dict = Vec::new();
        if let Attr::Dict(entries_of) = entries.attribute(item)? {
            for (name, value) in entries_of {
                let Attr::Str(name) = entries.attribute(name)? else { continue };
                let mut text = String::new();
                entries.write_attribute(&mut text, value)?;
                dict.push((String::from_utf8_lossy(name).into_owned(), text));
            }
        }
        out.extend(std::iter::repeat_n(Attributes::from(dict), entries.parts(ty, 0)?));
    }
    Ok(out)
}

/// The error of an operation: its line is its number.
fn explained(error: &ParseError, lines: &[Loc]) -> Error {
    let mut operation = error.marked();
    if let Some(loc @ (Loc::Text(_) | Loc::Rust(_))) = lines.get(error.line - 1) {
        operation.push_str(&format!("\n  written at {}", loc.place()));
    }
    Error { operation: Some(operation), ..Error::new(&error.message[..]) }
}

/// The sections of a file.
struct File<'b> {
    producer: &'b str,
    version: u64,
    strings: Vec<&'b [u8]>,
    dialects: Vec<&'b str>,
    /// Operations: dialect and name.
    names: Vec<(&'b str, &'b str)>,
    offsets: Cursor<'b>,
    entries: Cursor<'b>,
    properties: Vec<Cursor<'b>>,
    operations: Cursor<'b>,
}

impl<'b> File<'b> {
    fn read(bytes: &'b [u8]) -> Res<Self> {
        if !is_bytecode(bytes) {
            return Err(Error::new("these bytes are not MLIR bytecode, which starts with \"ML\\xEFR\""));
        }
        let mut c = Cursor::new(bytes);
        c.take(MAGIC.len())?;
        let version = c.varint()?;
        if !(4..=6).contains(&version) {
            return c.fail(format!("version {version} of MLIR's bytecode; 4 to 6 are read"));
        }
        let producer = c.terminated()?;
        let mut sections: HashMap<u8, Cursor<'b>> = HashMap::new();
        while !c.is_done() {
            let (id, section) = c.section()?;
            if sections.insert(id, section).is_some() {
                return c.fail(format!("section {id} is there twice"));
            }
        }
        let mut section = |id: u8, what: &str| match sections.remove(&id) {
            Some(section) => Ok(section),
            None => Err(Error::new(format!("this bytecode has no {what}"))),
        };
        let strings = strings(section(section::STRINGS, "strings")?)?;
        let (dialects, names) = names(section(section::DIALECTS, "dialects")?, &strings, version)?;
        let offsets = section(section::OFFSETS, "table of attributes and types")?;
        let entries = section(section::ENTRIES, "attributes and types")?;
        let operations = section(IR, "operations")?;
        let properties = match section(section::PROPERTIES, "properties") {
            Ok(mut c) => c.list(|c| {
                let n = c.index()?;
                c.part(n)
            })?,
            Err(_) => Vec::new(),
        };
        Ok(File { producer, version, strings, dialects, names, offsets, entries, properties, operations })
    }
}

/// The strings of a file: their lengths from the last to the first, then the strings, each with a zero byte.
fn strings(mut c: Cursor<'_>) -> Res<Vec<&[u8]>> {
    let mut lengths = c.list(Cursor::index)?;
    lengths.reverse();
    let mut out = Vec::with_capacity(lengths.len());
    for length in lengths {
        let string = c.take(length)?;
        match string.split_last() {
            Some((0, string)) => out.push(string),
            _ => return c.fail("a string without its end"),
        }
    }
    c.end("the section of strings")?;
    Ok(out)
}

/// Dialects, and operations by dialect and name.
#[allow(clippy::type_complexity, reason = "taken apart at once")]
fn names<'b>(
    mut c: Cursor<'b>,
    strings: &[&'b [u8]],
    version: u64,
) -> Res<(Vec<&'b str>, Vec<(&'b str, &'b str)>)> {
    let word = |c: &Cursor<'b>, k: usize| match strings.get(k).map(|s| std::str::from_utf8(s)) {
        Some(Ok(word)) if !word.contains(['"', '\\', '\n']) => Ok(word),
        _ => c.fail(format!("no name has number {k}")),
    };
    let dialects = c.list(|c| {
        let (name, versioned) = c.flagged()?;
        if versioned {
            c.section()?;
        }
        word(c, name)
    })?;
    let mut names = Vec::new();
    if c.is_done() {
        return Ok((dialects, names));
    }
    c.index()?; // how many there are
    while !c.is_done() {
        let k = c.index()?;
        let Some(&dialect) = dialects.get(k) else { return c.fail(format!("no dialect has number {k}")) };
        for _ in 0..c.count()? {
            // From version 5 on with a flag: whether its dialect knew it.
            let name = if version >= 5 { c.flagged()?.0 } else { c.index()? };
            names.push((dialect, word(&c, name)?));
        }
    }
    Ok((dialects, names))
}
