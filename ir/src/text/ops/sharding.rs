//! Shardy (`sdy`): how arrays and computations are spread over a mesh of devices.
//!
//! A program with shardings computes what it computes without them, so a sharding is nothing: what constrains, changes or
//! propagates one is its operand, and the body of a computation stands in its place. A computation that is written for the parts
//! of arrays that each device has means the same where the mesh has one device; on others it stays as it is written
//! ([`Manual`]). What adds up over axes of several devices, which only partitioners write, is refused.

use crate::op::Constant;
use crate::sharding::{Manual, Mesh};
use crate::text::attr::{Dict, Value as Attr};
use crate::text::captures::{Captures, Region};
use crate::text::generic::Raw;
use crate::text::lexer::{Lexer, Tok, unescape};
use crate::text::parser::{Instr, NamedMesh, Parser, Res, Uses};
use crate::types::Type;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// What becomes of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its operand, whatever the mesh.
    Identity,
    /// Its operand where each axis that it names has one device: it adds up what the devices have.
    Sum,
    /// Nothing: it has no result.
    Nothing,
    /// A constant.
    Constant,
    /// Its body.
    Body,
}

const OPS: &[(&str, Kind)] = &[
    ("all_gather", Kind::Identity),
    ("all_reduce", Kind::Sum),
    ("all_slice", Kind::Identity),
    ("all_to_all", Kind::Identity),
    ("collective_permute", Kind::Identity),
    ("constant", Kind::Constant),
    ("data_flow_edge", Kind::Identity),
    ("manual_computation", Kind::Body),
    ("named_computation", Kind::Body),
    ("propagation_barrier", Kind::Identity),
    ("reduce_scatter", Kind::Sum),
    ("replicated_to_unreduced", Kind::Identity),
    ("reshard", Kind::Identity),
    ("sharded_to_unreduced", Kind::Identity),
    ("sharding_constraint", Kind::Identity),
    ("sharding_group", Kind::Nothing),
];

fn kind(name: &str) -> Option<Kind> {
    let short = name.strip_prefix("sdy.")?;
    OPS.iter().find(|op| op.0 == short).map(|op| op.1)
}

/// Whether it is an operation of Shardy that is read here.
pub(in crate::text) fn is_sharding(name: &str) -> bool {
    kind(name).is_some()
}

/// Whether an operation of Shardy has a region.
pub(in crate::text) fn has_body(name: &str) -> bool {
    kind(name) == Some(Kind::Body)
}

/// Custom calls that say where their operands are to be, in programs partitioned without Shardy and in exported ones.
const PLACEMENTS: &[&str] = &[
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
    "xla.sdy.PropagationBarrier",
];

/// Whether a custom call only says where its operands are to be.
pub(in crate::text) fn is_placement(target: &str) -> bool {
    PLACEMENTS.contains(&target)
}

/// The meshes that a text defines, up to one that does not read as a mesh, which is complained of where it is met.
fn all_meshes(src: &str) -> HashMap<String, Arc<NamedMesh>> {
    let mut parser = Parser::new(src);
    while parser.tok() != Tok::End {
        let word = parser.tok();
        parser.bump();
        let read = match word {
            Tok::Ident("sdy.mesh") => parser.mesh_pretty(),
            Tok::Str("sdy.mesh") => parser.mesh_generic(),
            _ => Ok(()),
        };
        if read.is_err() {
            break;
        }
    }
    parser.meshes
}

impl<'s> Parser<'s> {
    /// `@name = <["x"=2]>`, after `sdy.mesh`.
    pub(in crate::text) fn mesh_pretty(&mut self) -> Res<()> {
        let at = self.start();
        let name = self.symbol()?;
        self.punct(b'=')?;
        let mesh = self.mesh_body()?;
        self.optional_dict()?;
        self.location_text()?;
        self.add_mesh(name, mesh, at)
    }

    /// What follows `"sdy.mesh"`.
    pub(in crate::text) fn mesh_generic(&mut self) -> Res<()> {
        let at = self.start();
        self.punct(b'(')?;
        self.punct(b')')?;
        let mut attrs = self.properties()?;
        attrs.extend(self.optional_dict()?);
        self.signature()?;
        self.location_text()?;
        self.mesh_of(&attrs, at)
    }

    /// The mesh that attributes say.
    pub(in crate::text) fn mesh_of(&mut self, attrs: &Dict<'s>, at: usize) -> Res<()> {
        let Some((Attr::Str(name), _)) = attrs.get("sym_name") else {
            return self.fail_at(at, "`sdy.mesh` needs the attribute `sym_name`");
        };
        let (name, text) = (name.clone(), attrs.source(self.src(), "mesh"));
        let read = text.find('<').map(|from| Parser::new(&text[from..]).mesh_body());
        match read {
            Some(Ok(mesh)) => self.add_mesh(name, mesh, at),
            Some(Err(e)) => self.fail_at(at, e.message),
            None => self.fail_at(at, "`sdy.mesh` needs the attribute `mesh`"),
        }
    }

    fn add_mesh(&mut self, name: String, mesh: Mesh, at: usize) -> Res<()> {
        if self.meshes.contains_key(&name) {
            return self.fail_at(at, format!("mesh `@{name}` is defined twice"));
        }
        let text = mesh.to_string();
        self.meshes.insert(name, Arc::new(NamedMesh { mesh, text }));
        Ok(())
    }

    /// What follows the name of an operation of Shardy in pretty form.
    pub(in crate::text) fn sharding_pretty(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        let Some(kind) = kind(name) else { return self.unknown(name, at) };
        match kind {
            Kind::Constant => return self.constant(),
            Kind::Body => return self.sharded_body(name, at),
            Kind::Identity | Kind::Sum | Kind::Nothing => {}
        }
        // Axes before the operand, a sharding or attributes after it: up to the colon of the types.
        let from = self.start();
        self.skip_groups()?;
        let operands = self.operands()?;
        loop {
            self.skip_groups()?;
            if !matches!(self.tok(), Tok::Ident(_)) {
                break;
            }
            self.bump();
            self.punct(b'=')?;
            if matches!(self.tok(), Tok::Ident(_) | Tok::Number(_)) {
                self.bump();
            }
        }
        let text = &self.src()[from..self.start()];
        let results = self.typed(&operands)?;
        self.sharded(
            name,
            kind,
            at,
            text,
            &operands,
            if kind == Kind::Nothing { Vec::new() } else { results },
        )
    }

    fn skip_groups(&mut self) -> Res<()> {
        while let Tok::Punct(b'[' | b'{' | b'<') = self.tok() {
            self.skip_balanced()?;
        }
        Ok(())
    }

    /// `<"name">(%a) in_shardings=[...] out_shardings=[...] manual_axes={...} (%b: T) { ... } : (T) -> U`.
    fn sharded_body(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        self.skip_groups()?;
        self.punct(b'(')?;
        let operands = self.operands()?;
        self.punct(b')')?;
        let from = self.start();
        while let Tok::Ident(_) = self.tok() {
            self.bump();
            self.punct(b'=')?;
            self.skip_groups()?;
        }
        let text = &self.src()[from..self.start()];
        self.captures.push(Captures::default());
        self.open_region();
        self.punct(b'(')?;
        while self.tok() != Tok::Punct(b')') {
            self.parameter()?;
            self.location_text()?;
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b')')?;
        self.punct(b'{')?;
        let region = self.region_body()?;
        let captures = self.captures.pop().unwrap_or_default();
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let mut raw = Raw { operands, captures, results, ..Raw::new(name, at, true) };
        raw.regions.push(region);
        self.with_body(raw, text)
    }

    /// An operation with a body: what is written for one of several devices as it is, others by their bodies.
    fn with_body(&mut self, mut raw: Raw<'s>, text: &str) -> Res<Instr> {
        let (name, at) = (raw.name, raw.at);
        let meshes = self.meshes_of(text, at)?;
        if name == Manual::NAME && meshes.iter().any(|named| named.mesh.size() > 1) {
            return self.manual(raw, text);
        }
        self.check_axes(name, at, text)?;
        match raw.regions.pop() {
            Some(region) => self.in_place(region, &raw.captures, &raw.operands, &raw.results, at),
            None => self.fail_at(at, format!("`{name}` has no body")),
        }
    }

    /// A computation for each of several devices.
    fn manual(&mut self, mut raw: Raw<'s>, text: &str) -> Res<Instr> {
        let at = raw.at;
        let text = self.with_meshes(text, at)?;
        let manual = match crate::text::manual(&text) {
            Ok(manual) => manual,
            Err(e) => return self.fail_at(at, format!("`{}`: {e}", raw.name)),
        };
        raw.text = manual.to_string();
        self.foreign(raw)
    }

    /// An operation of Shardy in generic form.
    pub(in crate::text) fn sharding_generic(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let (name, at) = (raw.name, raw.at);
        let Some(kind) = kind(name) else { return self.unknown(name, at) };
        if kind == Kind::Constant {
            let Some((Attr::Dense(value), _)) = raw.attrs.get("value") else {
                return self.missing(&raw, "value");
            };
            return Ok(Instr::new(Constant { value: value.clone() }, &raw.operands, raw.results));
        }
        let text = raw.attrs.source_without(self.src(), &[]);
        if !raw.regions.is_empty() {
            return self.with_body(raw, &text);
        }
        self.sharded(name, kind, at, &text, &raw.operands, raw.results)
    }

    /// The operand that an operation is, or nothing.
    fn sharded(
        &mut self,
        name: &str,
        kind: Kind,
        at: usize,
        text: &str,
        operands: &Uses,
        results: Vec<Type>,
    ) -> Res<Instr> {
        let [(value, place)] = operands[..] else {
            return self.fail_at(at, format!("`{name}`: expected 1 operand, found {}", operands.len()));
        };
        self.meshes_of(text, at)?;
        if kind == Kind::Sum {
            self.check_axes(name, at, text)?;
        }
        if kind == Kind::Nothing {
            return Ok(Instr::given(SmallVec::new()));
        }
        let ty = self.value_type(value);
        if results[..] != [ty.clone()] {
            let message = format!("`{name}` gives what it is given, {ty}");
            return self.fail_at(place, message);
        }
        if matches!(name, "sdy.sharding_constraint" | "sdy.reshard") {
            self.lies(value, text, at);
        }
        Ok(Instr::given(SmallVec::from_slice(&[value])))
    }

    /// The meshes that a text of shardings names, each once, and those that are written there.
    fn meshes_of(&mut self, text: &str, at: usize) -> Res<Vec<Arc<NamedMesh>>> {
        let mut out: Vec<Arc<NamedMesh>> = Vec::new();
        let mut lexer = Lexer::new(text);
        while lexer.tok != Tok::End {
            match lexer.tok {
                Tok::Symbol(name) => match self.mesh(name.trim_matches('"')) {
                    Some(mesh) if out.iter().any(|known| Arc::ptr_eq(known, &mesh)) => {}
                    Some(mesh) => out.push(mesh),
                    None => return self.fail_at(at, format!("mesh `@{name}` is not defined")),
                },
                Tok::Ident("mesh") | Tok::Hash("sdy.mesh") => {
                    let rest = &text[lexer.pos..];
                    let body = &rest[..rest.find('>').map_or(rest.len(), |end| end + 1)];
                    match Parser::new(body).mesh_body() {
                        Ok(mesh) => out.push(Arc::new(NamedMesh { mesh, text: String::new() })),
                        Err(e) => return self.fail_at(at, e.message),
                    }
                }
                _ => {}
            }
            lexer.advance();
        }
        Ok(out)
    }

    /// The mesh of a name, defined above or below.
    pub(in crate::text) fn mesh(&mut self, name: &str) -> Option<Arc<NamedMesh>> {
        if let Some(mesh) = self.meshes.get(name) {
            return Some(mesh.clone());
        }
        let src = self.src();
        self.meshes_below.get_or_insert_with(|| all_meshes(src)).get(name).cloned()
    }

    /// Fails unless every axis that a text names has one device.
    fn check_axes(&mut self, name: &str, at: usize, text: &str) -> Res<()> {
        let meshes = self.meshes_of(text, at)?;
        let mut lexer = Lexer::new(text);
        while lexer.tok != Tok::End {
            if let Tok::Str(axis) = lexer.tok {
                let size = meshes
                    .iter()
                    .flat_map(|named| &named.mesh.axes)
                    .find(|a| a.0 == unescape(axis))
                    .map(|a| a.1);
                match size {
                    Some(0 | 1) => {}
                    Some(n) => {
                        let message = format!(
                            "`{name}` over {n} devices along \"{axis}\": several devices are not supported"
                        );
                        return self.fail_at(at, message);
                    }
                    None => {
                        return self.fail_at(at, format!("`{name}`: no mesh here has an axis \"{axis}\""));
                    }
                }
            }
            lexer.advance();
        }
        Ok(())
    }

    /// The body in place of the operation.
    fn in_place(
        &mut self,
        region: Region<'s>,
        captures: &Captures,
        operands: &Uses,
        results: &[Type],
        at: usize,
    ) -> Res<Instr> {
        let (func, deferred) = region.close(captures);
        let args = self.with_captures_first(operands, captures);
        let given: Vec<Type> = args.iter().map(|&v| self.value_type(v).clone()).collect();
        let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        if func.param_types() != given {
            let own = &func.param_types()[captures.values.len()..];
            let message = format!(
                "the body takes ({}), it is given ({})",
                list(own),
                list(&given[captures.values.len()..])
            );
            return self.fail_at(at, message);
        }
        if func.result_types() != results {
            let message = format!("the body gives ({}), not ({})", list(&func.result_types()), list(results));
            return self.fail_at(at, message);
        }
        Ok(Instr::given(self.frame().inline(&func, deferred, &args).into()))
    }

    /// `<{...}>` if it is there, else an empty dictionary.
    pub(in crate::text) fn properties(&mut self) -> Res<Dict<'s>> {
        if !self.eat(b'<') {
            return Ok(Dict::default());
        }
        let dict = self.dict()?;
        self.punct(b'>')?;
        Ok(dict)
    }
}
