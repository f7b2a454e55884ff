//! What VHLO says of an operation as the attributes that StableHLO has.
//!
//! VHLO writes every attribute out, dimension numbers one by one. Defaults are dropped, numbers that belong together are put
//! together, and some things have another name or form: all of it is in the tables here. Facts of
//! `VhloLegalizeToStablehlo.cpp`.

use super::cursor::Res;
use super::entries::{ACCURACY_MODE, Attr, Entries, elements};
use super::error::Error;
use super::spell::write_symbol;
use crate::array::{Array, Literal};
use crate::text::fields;
use crate::text::typed::Typed;
use std::fmt::Write;

/// Attributes that are fields of one attribute: of which operations, what it is called, its text before and after the fields,
/// and the fields in order.
pub(crate) struct Group {
    pub(crate) ops: &'static [&'static str],
    name: &'static str,
    kind: &'static str,
    pub(crate) fields: &'static [&'static str],
}

pub(crate) const GROUPS: &[Group] = &[
    Group { ops: &["dot_general"], name: "dot_dimension_numbers", kind: "dot", fields: fields::DOT },
    Group { ops: &["dot_general"], name: "algorithm", kind: "dot_algorithm", fields: fields::DOT_ALGORITHM },
    Group {
        ops: &["gather", "dynamic_gather"],
        name: "dimension_numbers",
        kind: "gather",
        fields: fields::GATHER,
    },
    Group { ops: &["scatter"], name: "scatter_dimension_numbers", kind: "scatter", fields: fields::SCATTER },
    Group {
        ops: &["send", "recv"],
        name: "channel_handle",
        kind: "channel_handle",
        fields: &["channel_id", "channel_type"],
    },
];

/// The dimension numbers of a convolution: of operand, kernel and result, by letter and name, and the spatial ones.
pub(super) const CONVOLUTION: [([(char, &str); 2], &str); 3] = [
    ([('b', "input_batch_dimension"), ('f', "input_feature_dimension")], "input_spatial_dimensions"),
    (
        [('i', "kernel_input_feature_dimension"), ('o', "kernel_output_feature_dimension")],
        "kernel_spatial_dimensions",
    ),
    ([('b', "output_batch_dimension"), ('f', "output_feature_dimension")], "output_spatial_dimensions"),
];

/// More dimensions than any tensor has.
const MAX_RANK: usize = 64;

/// What an attribute is by default, and then not written.
pub(crate) enum Default {
    False,
    Int(i64),
    /// All elements of a tensor.
    All(i64),
    Empty,
    /// A list of nothing but this word, or this word.
    Word(&'static str),
    /// No tolerance.
    Accuracy,
}

/// An attribute has the same default in all operations.
pub(crate) const DEFAULTS: &[(&str, Default)] = &[
    ("api_version", Default::Word("1")),
    ("arg_attrs", Default::Empty),
    ("backend_config", Default::Empty),
    ("base_dilations", Default::All(1)),
    ("called_computations", Default::Empty),
    ("channel_id", Default::Int(0)),
    ("compare_type", Default::Word("NOTYPE")),
    ("composite_attributes", Default::Empty),
    ("dimension", Default::Int(-1)),
    ("has_dynamic_root", Default::False),
    ("has_side_effect", Default::False),
    ("indices_are_sorted", Default::False),
    ("infeed_config", Default::Empty),
    ("is_host_transfer", Default::False),
    ("is_stable", Default::False),
    ("known_expanding_dimensions", Default::Empty),
    ("known_nonexpanding_dimensions", Default::Empty),
    ("layout", Default::Empty),
    ("lhs_dilation", Default::All(1)),
    ("operand_layouts", Default::Empty),
    ("outfeed_config", Default::Empty),
    ("output_operand_aliases", Default::Empty),
    ("padding", Default::All(0)),
    ("precision_config", Default::Word("DEFAULT")),
    ("res_attrs", Default::Empty),
    ("result_accuracy", Default::Accuracy),
    ("result_layouts", Default::Empty),
    ("result_tilings", Default::Empty),
    ("rhs_dilation", Default::All(1)),
    ("source_target_pairs", Default::Empty),
    ("sym_visibility", Default::Empty),
    ("unique_indices", Default::False),
    ("use_global_device_ids", Default::False),
    ("version", Default::Int(0)),
    ("window_dilations", Default::All(1)),
    ("window_reversal", Default::All(0)),
    ("window_strides", Default::All(1)),
];

/// The names of the attributes of an operation that stand for several of VHLO's.
pub(super) fn groups(op: &str) -> impl Iterator<Item = &'static str> {
    GROUPS.iter().filter(move |g| g.ops.contains(&op)).map(|g| g.name)
}

/// What an attribute that is not there is written as; `rank` is that of the first operand.
pub(super) fn default_value(op: &str, name: &str, rank: usize) -> Option<Typed> {
    let window = match op {
        "dynamic_conv" | "convolution" => rank.saturating_sub(2),
        _ => rank,
    };
    if op == "dot_general" {
        return match name {
            "precision_config" => Some(Typed::Array(Vec::new())),
            // No algorithm.
            _ if name.ends_with("_dimensions") => Some(Typed::ints(&[])),
            _ => Some(Typed::Type("none".to_owned())),
        };
    }
    Some(match (name, &DEFAULTS.iter().find(|d| d.0 == name)?.1) {
        ("backend_config" | "infeed_config" | "outfeed_config", _) => Typed::text(""),
        ("composite_attributes", _) => Typed::Dict(Vec::new()),
        ("known_expanding_dimensions" | "known_nonexpanding_dimensions", _) => Typed::ints(&[]),
        ("source_target_pairs", _) => {
            Typed::Dense(Literal::from_array(&Array::new::<i64>(&[0, 2], &[])), false)
        }
        ("window_reversal", _) => Typed::flags(&vec![false; window]),
        ("padding", _) => {
            Typed::Dense(Literal::from_array(&Array::new(&[window, 2], &vec![0i64; 2 * window])), false)
        }
        ("compare_type", _) => Typed::word("comparison_type", "NOTYPE"),
        ("api_version", _) => Typed::word("api_version", "1"),
        ("version", _) => Typed::Int(0, "i32"),
        (_, Default::False) => Typed::Bool(false),
        (_, Default::Int(n)) => Typed::Int(*n, "i64"),
        (_, Default::All(n)) => Typed::ints(&vec![*n; window]),
        (_, Default::Empty | Default::Word(_)) => Typed::Array(Vec::new()),
        (_, Default::Accuracy) => Typed::Struct("stablehlo.result_accuracy".to_owned(), Vec::new()),
    })
}

/// Whether an attribute may be left out where an older form of its operation does not have it.
pub(super) fn is_default_value(name: &str, value: &Typed) -> bool {
    match value {
        Typed::Dense(literal, _) => literal.stored_bytes().is_empty(),
        Typed::Array(items) => items.is_empty(),
        Typed::Bool(v) => !v,
        Typed::Struct(..) => default_value("", name, 0).is_some_and(|d| d == *value),
        _ => false,
    }
}

/// The attributes of an operation by name.
pub(super) type Named = [(&'static str, usize)];

fn find(attributes: &Named, name: &str) -> Option<usize> {
    attributes.iter().find(|a| a.0 == name).map(|a| a.1)
}

impl Entries<'_> {
    /// `name = value, ...` of the operation that StableHLO calls `stablehlo.NAME`: its own, then those of a dictionary.
    pub(super) fn write_attributes(
        &mut self,
        out: &mut String,
        name: &str,
        attributes: &Named,
        others: Option<usize>,
    ) -> Res<()> {
        let mut written: Vec<(String, String)> = Vec::new();
        let mut taken: Vec<&str> = Vec::new();
        for group in GROUPS.iter().filter(|g| g.ops.contains(&name)) {
            taken.extend(group.fields);
            if let Some(text) = self.group(group, attributes)? {
                written.push((group.name.to_owned(), text));
            }
        }
        if matches!(name, "convolution" | "dynamic_conv") {
            let parts = CONVOLUTION.iter();
            taken.extend(parts.flat_map(|(named, spatial)| [named[0].1, named[1].1, spatial]));
            written.push(("dimension_numbers".to_owned(), self.convolution(attributes)?));
        }
        let no_layouts = ["operand_layouts", "result_layouts"]
            .iter()
            .all(|n| find(attributes, n).is_some_and(|k| self.is_empty(k)));
        for &(name, k) in attributes {
            let default = DEFAULTS.iter().find(|d| d.0 == name).map(|d| &d.1);
            let layout = matches!(name, "operand_layouts" | "result_layouts");
            // Layouts of operands and results are there together, or neither.
            let is_default = if layout { no_layouts } else { default.is_some_and(|d| self.is_default(k, d)) };
            if taken.contains(&name) || is_default {
                continue;
            }
            let mut text = String::new();
            let name = self.write_named(&mut text, name, k)?;
            written.push((name.to_owned(), text));
        }
        written.sort();
        if let Some(others) = others {
            written.extend(self.entries_of(others)?);
            // In its form for people all of them are one list.
            if name == "custom_call" {
                written.sort();
            }
        }
        for (k, (name, value)) in written.iter().enumerate() {
            let comma = if k > 0 { ", " } else { "" };
            let equals = if value.is_empty() { "" } else { " = " };
            let _ = write!(out, "{comma}{name}{equals}{value}");
        }
        self.spend(out.len())
    }

    /// Writes the value of an attribute that has a form of its own, and gives its name in StableHLO.
    fn write_named(&mut self, out: &mut String, name: &'static str, k: usize) -> Res<&'static str> {
        match (name, self.attribute(k)?) {
            ("channel_id", Attr::Int(_, id)) => {
                let _ = write!(out, "#stablehlo.channel_handle<handle = {id}, type = 0>");
                return Ok("channel_handle");
            }
            ("use_global_device_ids" | "has_dynamic_root", Attr::Bool(_)) => {}
            ("callee" | "decomposition", Attr::Str(symbol)) => write_symbol(out, symbol),
            ("called_computations", Attr::Array(items)) => {
                out.push('[');
                for (n, item) in items.into_iter().enumerate() {
                    let Attr::Str(symbol) = self.attribute(item)? else {
                        return Err(Error::new("`called_computations` must list functions"));
                    };
                    out.push_str(if n > 0 { ", " } else { "" });
                    write_symbol(out, symbol);
                }
                out.push(']');
            }
            (_, Attr::Dense(ty, ..)) => match self.tensor(ty)? {
                Some((shape, element)) if shape.len() == 1 && (element == "i64" || element == "i1") => {
                    let values = self.ints(k)?;
                    let _ = write!(out, "array<{element}");
                    for (n, v) in values.into_iter().enumerate() {
                        out.push_str(if n > 0 { ", " } else { ": " });
                        let _ = match (&element[..], v) {
                            ("i1", 0) => write!(out, "false"),
                            ("i1", _) => write!(out, "true"),
                            _ => write!(out, "{v}"),
                        };
                    }
                    out.push('>');
                }
                _ => self.write_attribute(out, k)?,
            },
            _ => self.write_attribute(out, k)?,
        }
        Ok(name)
    }

    /// The integers of a tensor of rank 1, a splat written out.
    fn ints(&self, k: usize) -> Res<Vec<i64>> {
        let wrong = || Err(Error::new("a list of numbers was expected"));
        let Attr::Dense(ty, bytes) = self.attribute(k)? else { return wrong() };
        let Some((shape, element)) = self.tensor(ty)? else { return wrong() };
        let [n] = shape[..] else { return wrong() };
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        let values = elements(&shape, &element, bytes)?;
        match values[..] {
            [one] if n <= MAX_RANK => Ok(vec![one; n]),
            _ if values.len() == n => Ok(values),
            _ => wrong(),
        }
    }

    fn number(&self, k: usize) -> Res<i64> {
        match self.attribute(k)? {
            Attr::Int(_, v) => Ok(v),
            _ => Err(Error::new("a number was expected")),
        }
    }

    /// `#stablehlo.KIND<field = value, ...>`; `None` if the fields are of type none.
    fn group(&mut self, group: &Group, attributes: &Named) -> Res<Option<String>> {
        let mut out = format!("#stablehlo.{}<", group.kind);
        let mut any = false;
        for field in group.fields {
            // Older forms have not all.
            let Some(k) = find(attributes, field) else { continue };
            let mut text = String::new();
            match self.attribute(k)? {
                Attr::Dense(..) => text = format!("{:?}", self.ints(k)?),
                Attr::Int(_, v) => text = v.to_string(),
                Attr::Type(ty) => {
                    self.write_type(&mut text, ty)?;
                    if text == "none" {
                        return Ok(None);
                    }
                }
                _ => self.write_attribute(&mut text, k)?,
            }
            let field = match *field {
                "channel_id" => "handle",
                "channel_type" => "type",
                other => other,
            };
            let _ = write!(out, "{}{field} = {text}", if any { ", " } else { "" });
            any = true;
        }
        out.push('>');
        Ok(any.then_some(out))
    }

    /// `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`.
    fn convolution(&mut self, attributes: &Named) -> Res<String> {
        let mut out = String::from("#stablehlo.conv<");
        for (part, (named, spatial)) in CONVOLUTION.iter().enumerate() {
            let wrong =
                || Error::new("the dimension numbers of a convolution do not name each dimension once");
            let number = |name: &str| find(attributes, name).ok_or_else(wrong);
            let spatial = self.ints(number(spatial)?)?;
            let mut labels = vec![None; spatial.len() + 2];
            let mut place = |at: i64, label: String| -> Res<()> {
                let slot = usize::try_from(at).ok().and_then(|at| labels.get_mut(at)).ok_or_else(wrong)?;
                match slot.replace(label) {
                    None => Ok(()),
                    Some(_) => Err(wrong()),
                }
            };
            for (letter, name) in named {
                place(self.number(number(name)?)?, letter.to_string())?;
            }
            for (k, &at) in spatial.iter().enumerate() {
                place(at, k.to_string())?;
            }
            let labels: Vec<String> = labels.into_iter().flatten().collect();
            let _ = write!(out, "{}[{}]", ["", "x", "->"][part], labels.join(", "));
        }
        out.push('>');
        Ok(out)
    }

    /// Whether an attribute is a list, dictionary, text or tensor of nothing.
    fn is_empty(&self, k: usize) -> bool {
        match self.attribute(k) {
            Ok(Attr::Array(items)) => items.is_empty(),
            Ok(Attr::Dict(items)) => items.is_empty(),
            Ok(Attr::Str(text)) => text.is_empty(),
            Ok(Attr::Dense(_, bytes)) => bytes.is_empty(),
            _ => false,
        }
    }

    fn is_default(&self, k: usize, default: &Default) -> bool {
        let Ok(attribute) = self.attribute(k) else { return false };
        match default {
            Default::False => matches!(attribute, Attr::Bool(false)),
            Default::Int(n) => matches!(attribute, Attr::Int(_, v) if v == *n),
            Default::All(n) => {
                // A few numbers per dimension.
                if let Attr::Dense(ty, bytes) = attribute
                    && bytes.len() <= 16 * MAX_RANK
                    && let Ok(Some((shape, element))) = self.tensor(ty)
                {
                    elements(&shape, &element, bytes).is_ok_and(|v| !v.is_empty() && v.iter().all(|v| v == n))
                } else {
                    false
                }
            }
            Default::Empty => self.is_empty(k),
            Default::Word(word) => match attribute {
                Attr::Array(items) => {
                    items.iter().all(|&k| matches!(self.attribute(k), Ok(Attr::Word(_, w)) if w == *word))
                }
                Attr::Word(_, w) => w == *word,
                _ => false,
            },
            Default::Accuracy => {
                let Attr::Accuracy(atol, rtol, 0, mode) = attribute else { return false };
                // Either zero.
                (atol | rtol) << 1 == 0
                    && matches!(self.attribute(mode), Ok(Attr::Word(ACCURACY_MODE, "DEFAULT")))
            }
        }
    }
}
