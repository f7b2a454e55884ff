//! The operations of a file, as what [`crate::text::tree`] builds a module from.

use super::cursor::{Cursor, Res};
use super::entries::{Attr, Entries, truths};
use super::schema::{self, OTHERS};
use super::spell::write_bytes;
use crate::func::{FuncKind, Loc};
use crate::text::tree::{Block, Function, Node, Program, Signature, Top};
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// How deep regions may nest.
const MAX_NESTING: usize = 200;

/// What the mask of an operation says it has.
mod mask {
    pub(super) const ATTRIBUTES: u8 = 1;
    pub(super) const RESULTS: u8 = 2;
    pub(super) const OPERANDS: u8 = 4;
    pub(super) const SUCCESSORS: u8 = 8;
    pub(super) const REGIONS: u8 = 16;
    pub(super) const USE_LISTS: u8 = 32;
    pub(super) const PROPERTIES: u8 = 64;
}

/// The number of the section that holds operations.
pub(super) const IR: u8 = 4;

/// What a program says besides its module: the attributes of the parameters and results of a function.
pub(super) struct Interface {
    pub(super) function: String,
    /// The types that the function takes and gives.
    pub(super) signature: Signature,
    /// The lists of dictionaries.
    pub(super) params: Option<usize>,
    pub(super) results: Option<usize>,
}

/// Values that regions of one isolated operation may use: of each open region, the number of its first value and the values
/// that are defined so far.
#[derive(Default)]
struct Scope {
    regions: Vec<(usize, usize, Vec<u32>)>,
}

/// Reads the operations of a file.
pub(super) struct Operations<'b, 'e> {
    pub(super) entries: &'e mut Entries<'b>,
    /// Names with their dialects, in the order of the file.
    pub(super) names: Vec<(&'b str, &'b str)>,
    pub(super) properties: Vec<Cursor<'b>>,
    /// The version of MLIR's format.
    pub(super) version: u64,
    pub(super) program: Program<'b>,
    pub(super) module_name: String,
    pub(super) interfaces: Vec<Interface>,
    /// Where the user wrote the operation of each line.
    pub(super) lines: Vec<Loc>,
    scopes: Vec<Scope>,
    locations: HashMap<usize, Loc>,
    /// Types of functions by their number, and what one more function of it costs.
    signatures: HashMap<usize, (Signature, usize)>,
    /// Constants of the program by their attribute.
    constants: HashMap<usize, usize>,
    /// Text of types that values have; behind the operations when all are known.
    types: String,
    next: u32,
    depth: usize,
}

impl<'b, 'e> Operations<'b, 'e> {
    pub(super) fn new(
        entries: &'e mut Entries<'b>,
        names: Vec<(&'b str, &'b str)>,
        properties: Vec<Cursor<'b>>,
        version: u64,
    ) -> Self {
        let program = Program {
            text: String::new(),
            types: HashMap::new(),
            attributes: Vec::new(),
            top: Vec::new(),
            constants: Vec::new(),
        };
        Operations {
            entries,
            names,
            properties,
            version,
            program,
            module_name: String::new(),
            interfaces: Vec::new(),
            lines: Vec::new(),
            scopes: Vec::new(),
            locations: HashMap::new(),
            signatures: HashMap::new(),
            constants: HashMap::new(),
            types: String::new(),
            next: 0,
            depth: 0,
        }
    }

    /// The whole section.
    pub(super) fn read(&mut self, mut c: Cursor<'b>) -> Res<()> {
        self.scopes.push(Scope { regions: vec![(0, 0, Vec::new())] });
        let (operations, has_params) = c.flagged()?;
        if has_params || operations != 1 {
            return c.fail("a file must hold one module");
        }
        self.module(&mut c)?;
        c.end("the section of operations")?;
        // Types stand behind the operations, so that the line of an operation is its number.
        let operations = self.program.text.len();
        self.program.types.values_mut().for_each(|at| *at += operations);
        self.program.text.push_str(&self.types);
        Ok(())
    }

    /// The module: its attributes, and what stands in it.
    fn module(&mut self, c: &mut Cursor<'b>) -> Res<()> {
        let head = self.head(c)?;
        if (head.dialect, head.name) != ("builtin", "module") {
            return c.fail(format!("`{}.{}` where a module was expected", head.dialect, head.name));
        }
        for &(name, k) in &head.named {
            if let ("sym_name", Attr::Str(text)) = (name, self.entries.attribute(k)?) {
                self.module_name = String::from_utf8_lossy(text).into_owned();
            }
        }
        self.line("builtin.module", &head, Loc::Unknown)?;
        if head.mask & (mask::OPERANDS | mask::RESULTS | mask::SUCCESSORS | mask::USE_LISTS) != 0 {
            return c.fail("a module with operands or results");
        }
        self.regions_of(c, head.mask, |reader, c| {
            if c.index()? != 1 {
                return c.fail("a module must have one block");
            }
            reader.open(c)?;
            let (operations, has_params) = c.flagged()?;
            if has_params {
                return c.fail("a module takes no arguments");
            }
            for _ in 0..c.counted(operations)? {
                reader.top(c)?;
            }
            reader.close(c)
        })
    }

    /// A function or a mesh.
    fn top(&mut self, c: &mut Cursor<'b>) -> Res<()> {
        let head = self.head(c)?;
        match (head.dialect, head.name) {
            ("vhlo", "func_v1") => {
                let function = self.function(c, &head)?;
                self.program.top.push(Top::Function(function));
            }
            ("sdy", "mesh") => {
                let node = self.node(c, &head)?;
                self.program.top.push(Top::Mesh(node));
            }
            (dialect, name) => return c.fail(format!("`{dialect}.{name}` in a module; expected functions")),
        }
        Ok(())
    }

    fn function(&mut self, c: &mut Cursor<'b>, head: &Head<'b>) -> Res<Function> {
        let find = |name: &str| head.named.iter().find(|n| n.0 == name).map(|n| n.1);
        let text = |reader: &Self, name: &str| match find(name).map(|k| reader.entries.attribute(k)) {
            Some(Ok(Attr::Str(text))) => Ok(String::from_utf8_lossy(text).into_owned()),
            _ => c.fail(format!("a function needs the attribute `{name}`")),
        };
        let name = text(self, "sym_name")?;
        let visibility = text(self, "sym_visibility")?;
        let kind = if visibility == "private" { FuncKind::Private } else { FuncKind::Public };
        let signature = match find("function_type").map(|k| self.entries.attribute(k)) {
            Some(Ok(Attr::Type(k))) => self.signature(k)?,
            _ => return c.fail("a function needs the attribute `function_type`"),
        };
        self.interfaces.push(Interface {
            function: name.clone(),
            signature: signature.clone(),
            params: find("arg_attrs"),
            results: find("res_attrs"),
        });
        let loc = self.location(head.loc);
        let line = self.program.text.len();
        let mut shown = String::from("\"func.func\" {sym_name = ");
        write_bytes(&mut shown, name.as_bytes());
        shown.push_str("}\n");
        self.push_line(&shown, loc)?;
        let mut regions = self.rest(c, head.mask)?.regions;
        let body = match regions.len() {
            1 => regions.remove(0),
            n => return c.fail(format!("a function with {n} regions")),
        };
        Ok(Function { line, name, kind, signature, body })
    }

    /// An operation in a function.
    fn operation(&mut self, c: &mut Cursor<'b>) -> Res<Node> {
        let head = self.head(c)?;
        self.node(c, &head)
    }

    fn node(&mut self, c: &mut Cursor<'b>, head: &Head<'b>) -> Res<Node> {
        let name = match (head.dialect, head.name) {
            ("vhlo", "call_v1") => "func.call".to_owned(),
            ("vhlo", _) => format!("stablehlo.{}", head.short),
            (dialect, name) => format!("{dialect}.{name}"),
        };
        let constant = match (&name[..], &head.named[..]) {
            ("stablehlo.constant", &[("value", k)]) => self.constant(k)?,
            _ => None,
        };
        let loc = self.location(head.loc);
        let line = self.program.text.len();
        let attributes = match constant {
            Some(_) => {
                self.push_line(&format!("\"{name}\"\n"), loc.clone())?;
                None
            }
            None => self.line(&name, head, loc.clone())?,
        };
        let rest = self.rest(c, head.mask)?;
        Ok(Node {
            line,
            name: line + 1..line + 1 + name.len(),
            attributes,
            constant,
            operands: rest.operands,
            results: rest.results,
            first: rest.first,
            regions: rest.regions,
            loc,
        })
    }

    /// The number of a constant among those of the program.
    fn constant(&mut self, k: usize) -> Res<Option<usize>> {
        if let Some(&number) = self.constants.get(&k) {
            return Ok(Some(number));
        }
        let Attr::Dense(ty, bytes) = self.entries.attribute(k)? else { return Ok(None) };
        self.ty(ty)?;
        let bytes = match self.entries.tensor(ty)? {
            Some((shape, element)) if element == "i1" => Cow::Owned(truths(&shape, bytes)?),
            _ => Cow::Borrowed(bytes),
        };
        self.program.constants.push((ty, bytes));
        self.constants.insert(k, self.program.constants.len() - 1);
        Ok(Some(self.program.constants.len() - 1))
    }

    /// Adds the line of an operation to the text; gives where its attributes stand.
    fn line(&mut self, name: &str, head: &Head<'b>, loc: Loc) -> Res<Option<usize>> {
        let mut inside = String::new();
        if head.dialect == "vhlo" {
            self.entries.write_attributes(&mut inside, head.short, &head.named, head.discardable)?;
        } else {
            for &(name, k) in &head.named {
                inside.push_str(if inside.is_empty() { "" } else { ", " });
                inside.push_str(name);
                inside.push_str(" = ");
                self.entries.write_attribute(&mut inside, k)?;
            }
        }
        if let (Some(k), true) = (head.discardable, head.dialect != "vhlo") {
            self.entries.write_entries(&mut inside, k)?;
        }
        for &(name, k) in &head.unknown {
            inside.push_str(if inside.is_empty() { "" } else { ", " });
            self.entries.write_named_by(&mut inside, name, k)?;
        }
        let at = self.program.text.len() + name.len() + 3;
        if inside.is_empty() {
            self.push_line(&format!("\"{name}\"\n"), loc)?;
            return Ok(None);
        }
        self.push_line(&format!("\"{name}\" {{{inside}}}\n"), loc)?;
        if name == "builtin.module" {
            self.program.attributes.push(at);
        }
        Ok(Some(at))
    }

    fn push_line(&mut self, line: &str, loc: Loc) -> Res<()> {
        self.entries.spend(line.len())?;
        self.program.text.push_str(line);
        self.lines.push(loc);
        Ok(())
    }

    /// Notes a type that a value has, and gives what it costs: a tuple is as many values as it has parts.
    fn ty(&mut self, k: usize) -> Res<usize> {
        let at = match self.program.types.get(&k) {
            Some(&at) => at,
            None => {
                let at = self.types.len();
                self.program.types.insert(k, at);
                self.entries.write_type(&mut self.types, k)?;
                self.types.push('\n');
                at
            }
        };
        let text = &self.types[at..];
        if !text.starts_with("tuple<") {
            return Ok(1);
        }
        let cost = text.find('\n').unwrap_or(text.len());
        self.entries.spend(cost)?;
        Ok(cost)
    }

    /// What a function of this type takes and gives. A few bytes may name a long type, so each function pays for all of it.
    fn signature(&mut self, k: usize) -> Res<Signature> {
        if !self.signatures.contains_key(&k) {
            let signature = self.entries.function(k)?;
            let mut cost = 0;
            for &ty in signature.0.iter().chain(&signature.1) {
                cost += self.ty(ty)?;
            }
            self.signatures.insert(k, (Rc::new(signature), cost));
        }
        let (signature, cost) = &self.signatures[&k];
        self.entries.spend(*cost)?;
        Ok(signature.clone())
    }

    fn location(&mut self, k: usize) -> Loc {
        if let Some(loc) = self.locations.get(&k) {
            return loc.clone();
        }
        let loc = match self.entries.location(k) {
            Some(text) => Loc::Text(text.into()),
            None => Loc::Unknown,
        };
        self.locations.insert(k, loc.clone());
        loc
    }

    /// The name of an operation, its mask, and its attributes by name.
    fn head(&mut self, c: &mut Cursor<'b>) -> Res<Head<'b>> {
        let k = c.index()?;
        let Some(&(dialect, name)) = self.names.get(k) else {
            return c.fail(format!("no operation has number {k}"));
        };
        let mask = c.byte()?;
        let loc = c.index()?;
        let mut head = Head {
            dialect,
            name,
            short: name,
            mask,
            loc,
            named: Vec::new(),
            discardable: None,
            unknown: Vec::new(),
        };
        let mut expected: &[&'static str] = &[];
        if dialect == "vhlo" {
            let Some(schema) = schema::read_as(name) else {
                return c.fail(format!(
                    "`vhlo.{name}` is not known here: StableHLO up to 1.{} is read",
                    schema::NEWEST
                ));
            };
            head.short = schema.name;
            expected = schema.attributes;
        } else if let Some((_, attributes)) =
            OTHERS.iter().find(|o| o.0.split_once('.') == Some((dialect, name)))
        {
            expected = attributes;
        } else if dialect == "stablehlo" || dialect == "func" {
            return c.fail(format!(
                "`{dialect}.{name}`: this is bytecode of MLIR itself, which changes from day to day; only portable artifacts \
                 are read (`stablehlo.serialize_portable_artifact`, `jax.export`)"
            ));
        }
        if mask & mask::ATTRIBUTES != 0 {
            let dict = c.index()?;
            // Before the format had properties, all attributes were in the dictionary.
            if self.version < 5 {
                self.split(c, &mut head, dict, expected)?;
            } else {
                head.discardable = Some(dict);
            }
        }
        if mask & mask::PROPERTIES != 0 {
            let k = c.index()?;
            let Some(properties) = self.properties.get(k) else {
                return c.fail(format!("no properties have number {k}"));
            };
            if expected.is_empty() && dialect != "vhlo" && dialect != "sdy" {
                return c.fail(format!("the attributes of `{dialect}.{name}` are not read yet"));
            }
            let mut p = properties.clone();
            for &name in expected {
                match name.strip_suffix('?') {
                    None => head.named.push((name, p.index()?)),
                    Some(name) => {
                        if let (k, true) = p.flagged()? {
                            head.named.push((name, k));
                        }
                    }
                }
            }
            if dialect == "vhlo" {
                p.end("the properties of an operation")?;
            }
        }
        let wanted = if dialect == "vhlo" { expected.len() } else { 0 };
        if head.named.len() < wanted {
            return c.fail(format!("`{dialect}.{name}` lacks attributes"));
        }
        Ok(head)
    }

    /// Attributes of a dictionary: those that the operation has, and others.
    fn split(&self, c: &Cursor<'b>, head: &mut Head<'b>, dict: usize, expected: &[&'static str]) -> Res<()> {
        let Attr::Dict(items) = self.entries.attribute(dict)? else {
            return c.fail("the attributes of an operation are no dictionary");
        };
        for (name, value) in items {
            let Attr::Str(text) = self.entries.attribute(name)? else {
                return c.fail("an attribute whose name is no text");
            };
            match expected.iter().find(|e| e.trim_end_matches('?').as_bytes() == text) {
                Some(known) => head.named.push((known.trim_end_matches('?'), value)),
                None => head.unknown.push((name, value)),
            }
        }
        Ok(())
    }

    /// What follows the attributes of an operation.
    fn rest(&mut self, c: &mut Cursor<'b>, mask: u8) -> Res<Rest> {
        let mut results = Vec::new();
        if mask & mask::RESULTS != 0 {
            results = c.list(Cursor::index)?;
        }
        for &k in &results {
            self.ty(k)?;
        }
        let mut operands = Vec::new();
        if mask & mask::OPERANDS != 0 {
            for _ in 0..c.count()? {
                operands.push(self.value(c)?);
            }
        }
        if mask & mask::SUCCESSORS != 0 {
            return c.fail("jumps between blocks are not supported");
        }
        if mask & mask::USE_LISTS != 0 {
            use_lists(c, results.len())?;
        }
        let first = self.define(results.len());
        let mut regions = Vec::new();
        self.regions_of(c, mask, |reader, c| {
            regions.push(reader.region(c)?);
            Ok(())
        })?;
        Ok(Rest { operands, results, first, regions })
    }

    /// Reads each region of an operation.
    fn regions_of(
        &mut self,
        c: &mut Cursor<'b>,
        mask: u8,
        mut one: impl FnMut(&mut Self, &mut Cursor<'b>) -> Res<()>,
    ) -> Res<()> {
        if mask & mask::REGIONS == 0 {
            return Ok(());
        }
        let (count, isolated) = c.flagged()?;
        if self.depth == MAX_NESTING {
            return c.fail(format!("regions nested more than {MAX_NESTING} deep"));
        }
        self.depth += 1;
        if isolated {
            // A section of its own, in which values have other numbers.
            let (id, mut inside) = c.section()?;
            if id != IR {
                return c.fail("a section of operations was expected");
            }
            self.scopes.push(Scope::default());
            for _ in 0..inside.counted(count)? {
                one(self, &mut inside)?;
            }
            self.scopes.pop();
            inside.end("a region")?;
        } else {
            for _ in 0..c.counted(count)? {
                one(self, c)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// The block of a region, if it has one.
    fn region(&mut self, c: &mut Cursor<'b>) -> Res<Option<Block>> {
        match c.index()? {
            0 => return Ok(None),
            1 => {}
            n => return c.fail(format!("a region of {n} blocks")),
        }
        self.open(c)?;
        let (operations, has_params) = c.flagged()?;
        let mut params = Vec::new();
        if has_params {
            let count = c.count()?;
            for _ in 0..count {
                let (ty, loc) = if self.version >= 4 {
                    let (ty, has_loc) = c.flagged()?;
                    (ty, if has_loc { self.location(c.index()?) } else { Loc::Unknown })
                } else {
                    (c.index()?, self.location(c.index()?))
                };
                self.ty(ty)?;
                params.push((ty, loc));
            }
            if self.version >= 3 && c.byte()? != 0 {
                use_lists(c, count)?;
            }
        }
        let first = self.define(params.len());
        let count = c.counted(operations)?;
        let mut nodes = Vec::new();
        for _ in 0..count {
            nodes.push(self.operation(c)?);
        }
        self.close(c)?;
        Ok(Some(Block { params, first, nodes }))
    }

    // Numbers of values. A region has as many in a row as it defines itself; those inside it come after.

    /// Opens a region: how many values it defines.
    fn open(&mut self, c: &mut Cursor<'b>) -> Res<()> {
        let count = c.index()?;
        let Some(scope) = self.scopes.last_mut() else { return c.fail("a region outside of a module") };
        let base = scope.regions.last().map_or(Some(0), |r| r.0.checked_add(r.1));
        match base {
            Some(base) => scope.regions.push((base, count, Vec::new())),
            None => return c.fail("too many values"),
        }
        Ok(())
    }

    fn close(&mut self, c: &Cursor<'b>) -> Res<()> {
        match self.scopes.last_mut().and_then(|s| s.regions.pop()) {
            Some((_, count, values)) if values.len() == count => Ok(()),
            _ => c.fail("a region defines more or fewer values than it says"),
        }
    }

    /// Gives numbers to new values of the innermost region.
    fn define(&mut self, count: usize) -> u32 {
        let first = self.next;
        self.next += count as u32;
        if let Some(region) = self.scopes.last_mut().and_then(|s| s.regions.last_mut()) {
            region.2.extend(first..self.next);
        }
        first
    }

    /// A value that is used.
    fn value(&self, c: &mut Cursor<'b>) -> Res<u32> {
        let k = c.index()?;
        let regions = self.scopes.last().map_or(&[][..], |s| &s.regions);
        let region = regions.iter().rev().find(|r| r.0 <= k);
        match region.and_then(|r| r.2.get(k - r.0)) {
            Some(&value) => Ok(value),
            None => c.fail(format!("value {k} is used before it is defined")),
        }
    }
}

/// The order of the uses of values, which means nothing here.
fn use_lists(c: &mut Cursor<'_>, values: usize) -> Res<()> {
    let lists = if values > 1 { c.count()? } else { 1 };
    for _ in 0..lists {
        if values > 1 {
            c.index()?;
        }
        let (count, _) = c.flagged()?;
        for _ in 0..c.counted(count)? {
            c.index()?;
        }
    }
    Ok(())
}

/// The beginning of an operation.
struct Head<'b> {
    dialect: &'b str,
    name: &'b str,
    /// Of VHLO's, the name in StableHLO.
    short: &'b str,
    mask: u8,
    loc: usize,
    /// The attributes that the operation has.
    named: Vec<(&'static str, usize)>,
    /// A dictionary of others, or others.
    discardable: Option<usize>,
    unknown: Vec<(usize, usize)>,
}

/// The rest of an operation.
struct Rest {
    operands: Vec<u32>,
    results: Vec<usize>,
    first: u32,
    regions: Vec<Option<Block>>,
}
