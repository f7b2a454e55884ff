//! Communication along named axes, in generic form: text of it is that of a function of one example.

use super::Form;
use crate::func::Inst;
use crate::op::*;
use crate::text::attr::Value as Attr;
use crate::text::generic::Raw;
use crate::text::lexer::write_quoted;
use crate::text::names::Scope;
use crate::text::parser::{Parser, Res};
use crate::text::printer::Printer;
use crate::types::Dims;
use std::fmt::Write;

pub(super) const FORMS: &[Form] = &[
    Form::generic("wengert.axis_index", |p, raw| {
        let (axis, size) = (p.axis_text(&raw, "axis")?, p.need_size(&raw, "size")?);
        Ok(raw.is(AxisIndex { axis, size }))
    }),
    Form::generic("wengert.collective", |p, raw| {
        let (axis, size) = (p.axis_text(&raw, "axis")?, p.need_size(&raw, "size")?);
        let Some(kind) = CollectiveKind::parse(&p.axis_text(&raw, "kind")?) else {
            return p.fail_at(raw.at, "`kind` is none of the collectives");
        };
        let pairs =
            |name| if raw.attrs.get(name).is_some() { p.need_dims(&raw, name) } else { Ok(Dims::new()) };
        let (source, target) = (pairs("source")?, pairs("target")?);
        Ok(raw.is(Collective { axis, size, kind, source, target }))
    }),
];

impl<'s> Parser<'s> {
    fn axis_text(&self, raw: &Raw<'s>, name: &str) -> Res<Text> {
        match raw.attrs.get(name) {
            Some((Attr::Str(text), _)) => Ok(Text::from(&**text)),
            Some((_, at)) => self.fail_at(at, format!("`{name}` must be a text")),
            None => self.fail_at(raw.at, format!("`{name}` is missing")),
        }
    }
}

impl Printer<'_> {
    pub(super) fn axis_index(&mut self, scope: &Scope<'_>, inst: &Inst, op: &AxisIndex) {
        self.out.push_str("\"wengert.axis_index\"() <{axis = ");
        write_quoted(&mut self.out, &op.axis);
        let _ = write!(self.out, ", size = {} : i64}}>", op.size);
        self.signature(scope, &inst.operands, &inst.results);
    }

    pub(super) fn collective(&mut self, scope: &Scope<'_>, inst: &Inst, op: &Collective) {
        self.out.push_str("\"wengert.collective\"(");
        self.names(scope, &inst.operands);
        self.out.push_str(") <{axis = ");
        write_quoted(&mut self.out, &op.axis);
        let _ = write!(self.out, ", kind = \"{}\", size = {} : i64", op.kind.name(), op.size);
        for (name, list) in [("source", &op.source), ("target", &op.target)] {
            if !list.is_empty() {
                let list = list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
                let _ = write!(self.out, ", {name} = array<i64: {list}>");
            }
        }
        self.out.push_str("}>");
        self.signature(scope, &inst.operands, &inst.results);
    }
}
