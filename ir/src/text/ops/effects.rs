//! What prints, asserts and names values: custom calls of ours, whose configuration says the rest.

use crate::func::Inst;
use crate::op::*;
use crate::text::attr::{Dict, Value as Attr};
use crate::text::lexer::write_quoted;
use crate::text::names::Scope;
use crate::text::printer::Printer;
use crate::types::Dims;
use std::fmt::Write;

const PRINT: &str = "wengert.print";
const ASSERT: &str = "wengert.assert";
const SOW: &str = "wengert.sow";

/// The operation of a target, if its configuration is that of one.
pub(super) fn effect(target: &str, attrs: &Dict<'_>, operands: usize) -> Option<Op> {
    let (Attr::Dict(config), _) = attrs.get("backend_config")? else { return None };
    let text = |name: &str| {
        let (Attr::Str(text), _) = config.get(name)? else { return None };
        Some(Text::from(&**text))
    };
    if target == PRINT {
        return Some(Print { format: text("format")? }.into());
    }
    if target == SOW {
        return Some(Sow { name: text("name")? }.into());
    }
    if target != ASSERT {
        return None;
    }
    let mapped = match config.get("mapped") {
        None => Dims::from_elem(0, operands.saturating_sub(1)),
        Some((list, _)) => {
            let Attr::Ints(list) = list else { return None };
            list.iter().map(|&m| usize::try_from(m).ok()).collect::<Option<Dims>>()?
        }
    };
    let batch = usize::try_from(config.int("batch").unwrap_or(0)).ok()?;
    Some(Assert { message: text("message")?, batch, mapped }.into())
}

/// The target and the attributes of a call that stands for what prints, asserts or names a value.
pub(crate) fn spelled_effect(op: &Op) -> Option<(&'static str, String)> {
    let mut config = String::new();
    let target = if let Op::Print(print) = op {
        config.push_str("format = ");
        write_quoted(&mut config, &print.format);
        PRINT
    } else if let Op::Sow(sow) = op {
        config.push_str("name = ");
        write_quoted(&mut config, &sow.name);
        SOW
    } else if let Op::Assert(assert) = op {
        if assert.batch > 0 {
            let _ = write!(config, "batch = {} : i64, ", assert.batch);
        }
        if assert.mapped.iter().any(|&m| m != 0) {
            let list: Vec<String> = assert.mapped.iter().map(usize::to_string).collect();
            let _ = write!(config, "mapped = array<i64: {}>, ", list.join(", "));
        }
        config.push_str("message = ");
        write_quoted(&mut config, &assert.message);
        ASSERT
    } else {
        return None;
    };
    Some((target, format!("api_version = 4 : i32, backend_config = {{{config}}}, has_side_effect = true")))
}

impl Printer<'_> {
    pub(super) fn effect(&mut self, scope: &Scope<'_>, inst: &Inst) {
        let (target, attributes) = spelled_effect(&inst.op).expect("of this family");
        let _ = write!(self.out, "stablehlo.custom_call @{target}(");
        self.names(scope, &inst.operands);
        let _ = write!(self.out, ") {{{attributes}}}");
        self.signature(scope, &inst.operands, &inst.results);
    }
}
