//! Reading and writing what Shardy says of meshes and of how arrays lie on them ([`crate::sharding`]).

use super::frame::Res;
use super::lexer::{Lexer, Tok, unescape, write_quoted};
use super::parser::Parser;
use crate::func::{FuncKind, Value};
use crate::interface::{Attributes, SHARDING};
use crate::sharding::{Manual, Mesh, Sharding};
use std::fmt;

/// What a text says, all of it.
fn all<T>(text: &str, read: impl FnOnce(&mut Parser<'_>) -> Res<T>) -> Result<T, String> {
    let mut parser = Parser::new(text);
    let found = read(&mut parser).map_err(|e| e.message)?;
    if parser.tok() == Tok::End { Ok(found) } else { Err(format!("more than one attribute: {text}")) }
}

/// Reads how an array lies, as an attribute `sdy.sharding` says it: `#sdy.sharding<mesh<["x"=2]>, [{"x"}, {}]>`.
///
/// # Errors
///
/// Text that is no sharding, names no axis of its mesh or one twice, that cuts along a part of an axis, or whose parts are put
/// together by other means than sums.
pub fn sharding(text: &str) -> Result<Sharding, String> {
    all(text, |p| {
        if matches!(p.tok(), Tok::Hash(_)) {
            p.bump();
        }
        p.sharding()
    })
}

/// Reads the attributes of a computation for each device ([`Manual::NAME`]), pretty or in generic form.
///
/// # Errors
///
/// Text that is none of these, shardings on several meshes, no mesh at all, an axis that the mesh does not have.
pub fn manual(text: &str) -> Result<Manual, String> {
    all(text, |p| p.manual_attributes())
}

/// The size of an axis. One that does not fit is no smaller than what is taken for it.
fn size(text: &str) -> usize {
    text.parse().unwrap_or(usize::MAX)
}

impl<'s> Parser<'s> {
    /// `<["x"=2, "y"=4], device_ids=[1, 0]>`.
    pub(super) fn mesh_body(&mut self) -> Res<Mesh> {
        let mut mesh = Mesh::default();
        self.punct(b'<')?;
        self.punct(b'[')?;
        while let Tok::Str(name) = self.tok() {
            if mesh.axis(&unescape(name)).is_some() {
                return self.fail(format!("the axis \"{name}\" is there twice"));
            }
            self.bump();
            self.punct(b'=')?;
            let Tok::Number(text) = self.tok() else {
                return self.expected("how many devices lie along an axis");
            };
            self.bump();
            mesh.axes.push((unescape(name), size(text)));
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        if self.eat(b',') {
            self.word("device_ids")?;
            self.punct(b'=')?;
            let at = self.start();
            self.punct(b'[')?;
            while let Tok::Number(text) = self.tok() {
                mesh.devices.push(size(text));
                self.bump();
                if !self.eat(b',') {
                    break;
                }
            }
            self.punct(b']')?;
            let mut sorted = mesh.devices.clone();
            sorted.sort_unstable();
            sorted.dedup();
            if sorted.len() != mesh.size() || mesh.devices.len() != mesh.size() {
                return self.fail_at(at, format!("a mesh of {} devices, and numbers of others", mesh.size()));
            }
        }
        self.punct(b'>')?;
        Ok(mesh)
    }

    /// `<mesh<["x"=2]>, [{"x"}, {?}], replicated={}>`.
    fn sharding(&mut self) -> Res<Sharding> {
        self.punct(b'<')?;
        let at = self.start();
        if let Tok::Symbol(name) = self.tok() {
            return self.fail_at(at, format!("mesh `@{name}` is not defined"));
        }
        if !matches!(self.tok(), Tok::Ident("mesh") | Tok::Hash("sdy.mesh")) {
            return self.expected("a mesh");
        }
        self.bump();
        let mesh = self.mesh_body()?;
        let (mut dims, mut used) = (Vec::new(), Vec::new());
        self.punct(b',')?;
        self.punct(b'[')?;
        while self.tok() == Tok::Punct(b'{') {
            dims.push(self.axes_of(&mesh, &mut used)?);
            // A priority.
            if matches!(self.tok(), Tok::Ident(_)) {
                self.bump();
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        let mut unreduced = Vec::new();
        while self.eat(b',') {
            let Tok::Ident(what) = self.tok() else { return self.expected("`replicated`") };
            self.bump();
            self.punct(b'=')?;
            if what == "replicated" {
                self.axes_of(&mesh, &mut used)?;
            } else if what == "unreduced" {
                unreduced = self.axes_of(&mesh, &mut used)?;
            } else if what != "reduction" || !self.eat_word("sum") {
                return self.expected("axes that are `replicated` or `unreduced`, or `reduction=sum`");
            }
        }
        unreduced.sort_unstable();
        self.punct(b'>')?;
        Ok(Sharding { mesh, dims, unreduced })
    }

    /// `{"x", "y", ?}`: axes of a mesh, none of which is among those used.
    fn axes_of(&mut self, mesh: &Mesh, used: &mut Vec<usize>) -> Res<Vec<usize>> {
        let mut axes = Vec::new();
        self.punct(b'{')?;
        while self.tok() != Tok::Punct(b'}') {
            if !self.eat(b'?') {
                let Tok::Str(name) = self.tok() else { return self.expected("an axis") };
                let Some(axis) = mesh.axis(&unescape(name)) else {
                    return self.fail(format!("no mesh here has an axis \"{name}\""));
                };
                if used.contains(&axis) {
                    return self.fail(format!("the axis \"{name}\" is there twice"));
                }
                self.bump();
                if self.tok() == Tok::Punct(b':') {
                    return self.fail(format!("a part of the axis \"{name}\" is not supported"));
                }
                used.push(axis);
                axes.push(axis);
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b'}')?;
        Ok(axes)
    }

    /// Goes over `= #sdy.kind<` to the sign that opens a list.
    fn open_list(&mut self, sign: u8) -> Res<()> {
        self.punct(b'=')?;
        while matches!(self.tok(), Tok::Hash(_) | Tok::Ident(_) | Tok::Punct(b'<')) {
            self.bump();
        }
        self.punct(sign)
    }

    /// `in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"}`, or the same in generic form.
    pub(super) fn manual_attributes(&mut self) -> Res<Manual> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let mut names: Vec<(String, usize)> = Vec::new();
        while let Tok::Ident(what) = self.tok() {
            let at = self.start();
            self.bump();
            if what == "manual_axes" {
                self.open_list(b'{')?;
                while let Tok::Str(name) = self.tok() {
                    names.push((unescape(name), self.start()));
                    self.bump();
                    if !self.eat(b',') {
                        break;
                    }
                }
                self.punct(b'}')?;
            } else {
                let list = match what {
                    "in_shardings" => &mut inputs,
                    "out_shardings" => &mut outputs,
                    what => return self.fail_at(at, format!("`{}` has no attribute `{what}`", Manual::NAME)),
                };
                self.open_list(b'[')?;
                while self.tok() == Tok::Punct(b'<') {
                    list.push(self.sharding()?);
                    if !self.eat(b',') {
                        break;
                    }
                }
                self.punct(b']')?;
            }
            self.eat(b'>');
            self.eat(b',');
        }
        let place = self.start();
        let mut meshes = inputs.iter().chain(&outputs).map(|sharding: &Sharding| &sharding.mesh);
        let Some(mesh) = meshes.next().cloned() else {
            return self
                .fail_at(place, format!("`{}` without operands and results has no mesh", Manual::NAME));
        };
        if meshes.any(|other| *other != mesh) {
            return self.fail_at(place, format!("`{}` on several meshes", Manual::NAME));
        }
        let mut axes = Vec::new();
        for (name, at) in names {
            match mesh.axis(&name) {
                Some(axis) if !axes.contains(&axis) => axes.push(axis),
                Some(_) => return self.fail_at(at, format!("the axis \"{name}\" is there twice")),
                None => return self.fail_at(at, format!("no mesh here has an axis \"{name}\"")),
            }
        }
        axes.sort_unstable();
        Ok(Manual { inputs, outputs, mesh, axes })
    }

    /// Notes how a value of a public function lies, if that is asked for and there are several devices. It is a wish: what is not
    /// understood of it, and what is too much, is left out.
    pub(super) fn lies(&mut self, value: Value, text: &str, at: usize) {
        let is_public = self.frames.len() == 1 && self.frame().func.kind == FuncKind::Public;
        if self.interfaces.is_none() || !is_public {
            return;
        }
        let Some(from) = text.find('<') else { return };
        let Ok(text) = self.with_meshes(&text[from..], at) else { return };
        if let Ok(sharding) = Parser::new(&text).sharding()
            && sharding.mesh.size() > 1
        {
            let name = self.frame().func.name.clone();
            self.lying.push((name, value, sharding));
        }
    }

    /// Attributes whose sharding has the mesh that it names.
    pub(super) fn attributes_with_meshes(&mut self, attributes: Attributes) -> Res<Attributes> {
        let names = |(name, text): &(String, String)| name == SHARDING && text.contains('@');
        if !attributes.iter().any(names) {
            return Ok(attributes);
        }
        let (at, mut new) = (self.start(), attributes.to_vec());
        for pair in new.iter_mut().filter(|pair| names(pair)) {
            pair.1 = self.with_meshes(&pair.1, at)?;
        }
        Ok(new.into())
    }

    /// A text with the meshes that it names in place of their names; names that nobody defined stay.
    pub(super) fn with_meshes(&mut self, text: &str, at: usize) -> Res<String> {
        let mut out = String::new();
        let (mut lexer, mut from) = (Lexer::new(text), 0);
        while !matches!(lexer.tok, Tok::End | Tok::OpenString) {
            if let Tok::Symbol(name) = lexer.tok
                && let Some(named) = self.mesh(name.trim_matches('"'))
            {
                let Some(left) = self.meshes_left.checked_sub(named.text.len()) else {
                    return self
                        .fail_at(at, "meshes of so many axes or devices, named so often, are not supported");
                };
                self.meshes_left = left;
                out.push_str(&text[from..lexer.start]);
                out.push_str(&named.text);
                from = lexer.pos;
            }
            lexer.advance();
        }
        out.push_str(&text[from..]);
        Ok(out)
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    one: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (k, item) in items.iter().enumerate() {
        f.write_str(if k > 0 { ", " } else { "" })?;
        one(f, item)?;
    }
    Ok(())
}

fn quoted(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    let mut out = String::new();
    write_quoted(&mut out, name);
    f.write_str(&out)
}

/// `mesh<["x"=2], device_ids=[1, 0]>`.
impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mesh<[")?;
        list(f, &self.axes, |f, (name, size)| {
            quoted(f, name)?;
            write!(f, "={size}")
        })?;
        f.write_str("]")?;
        if !self.devices.is_empty() {
            write!(f, ", device_ids={:?}", self.devices)?;
        }
        f.write_str(">")
    }
}

/// `<mesh<["x"=2]>, [{"x"}, {}]>`.
impl fmt::Display for Sharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}, [", self.mesh)?;
        list(f, &self.dims, |f, axes| {
            f.write_str("{")?;
            list(f, axes, |f, &axis| quoted(f, &self.mesh.axes[axis].0))?;
            f.write_str("}")
        })?;
        f.write_str("]")?;
        if !self.unreduced.is_empty() {
            f.write_str(", unreduced={")?;
            list(f, &self.unreduced, |f, &axis| quoted(f, &self.mesh.axes[axis].0))?;
            f.write_str("}")?;
        }
        f.write_str(">")
    }
}

/// The attributes in generic form.
impl fmt::Display for Manual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shardings = |f: &mut fmt::Formatter<'_>, name: &str, all: &[Sharding]| {
            write!(f, "{name} = #sdy.sharding_per_value<[")?;
            list(f, all, |f, sharding| write!(f, "{sharding}"))?;
            f.write_str("]>")
        };
        shardings(f, "in_shardings", &self.inputs)?;
        f.write_str(", manual_axes = #sdy<manual_axes{")?;
        list(f, &self.axes, |f, &axis| quoted(f, &self.mesh.axes[axis].0))?;
        f.write_str("}>, ")?;
        shardings(f, "out_shardings", &self.outputs)
    }
}
