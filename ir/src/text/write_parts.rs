//! Parts of operations as they are written.

use super::names::{Name, Scope};
use super::printer::Printer;
use crate::func::{Inst, Value};
use crate::types::TensorType;
use std::fmt::{Display, Write};

impl Printer<'_> {
    /// `NAME %a, %b`.
    pub(super) fn name_and_operands(&mut self, scope: &Scope<'_>, inst: &Inst) {
        self.out.push_str(inst.op.name());
        self.out.push(' ');
        self.names(scope, &inst.operands);
    }

    /// A label and `[1, 2]`.
    pub(super) fn list(&mut self, label: &str, items: &[impl Display]) {
        self.out.push_str(label);
        self.out.push('[');
        for (k, item) in items.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{item}");
        }
        self.out.push(']');
    }

    /// `"name"(%a, %b)`.
    pub(super) fn generic(&mut self, scope: &Scope<'_>, name: &str, operands: &[Value]) {
        let _ = write!(self.out, "\"{name}\"(");
        self.names(scope, operands);
        self.out.push(')');
    }

    /// `array<i64: 1, 2>`.
    pub(super) fn int_array(&mut self, items: &[usize]) {
        self.out.push_str("array<i64");
        for (k, item) in items.iter().enumerate() {
            let _ = write!(self.out, "{} {item}", if k == 0 { ":" } else { "," });
        }
        self.out.push('>');
    }

    /// `^bb0(%arg0: T, %arg1: U):`.
    pub(super) fn block<'t>(
        &mut self,
        scope: &Scope<'_>,
        args: &[Name],
        types: impl Iterator<Item = &'t TensorType>,
    ) {
        self.spaces(scope.indent);
        self.out.push_str("^bb0(");
        for (k, (name, ty)) in args.iter().zip(types).enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{name}: {ty}");
        }
        self.out.push_str("):\n");
    }
}
