//! Loads and stores.

use super::print::{Printer, is_packed, memory_name, scalar_literal};
use wengert_ir::kernel::{Access, MemKind, Scalar};

impl Printer<'_> {
    /// Which element.
    fn place(&mut self, access: &Access) -> String {
        let def = &self.kernel.mems[access.mem];
        if access.terms.is_empty() && !matches!(def.kind, MemKind::Param(_)) {
            return format!("{}u", access.offset);
        }
        let mut text = match def.kind {
            MemKind::Param(_) => format!("{}_at", memory_name(access.mem)),
            MemKind::Local | MemKind::Workgroup | MemKind::Program(_) => "0li".to_owned(),
        };
        if access.offset != 0 {
            text += &format!(" + {}", scalar_literal(access.offset));
        }
        for &(v, stride) in &access.terms {
            let x = self.name(v);
            text +=
                &if stride == 1 { format!(" + {x}") } else { format!(" + {x} * {}", scalar_literal(stride)) };
        }
        self.keep(format!("u32({text})"))
    }

    /// Of a packed element: its word, and how far it is shifted there.
    fn packed(&mut self, elem: Scalar, at: &str) -> (String, String, u32) {
        let (each, bits) = ((4 / elem.size()) as u32, 8 * elem.size() as u32);
        let word = self.keep(format!("{at} / {each}u"));
        let shift = self.keep(format!("({at} % {each}u) * {bits}u"));
        (word, shift, u32::MAX >> (32 - bits))
    }

    pub(super) fn load(&mut self, access: &Access) -> String {
        let (name, at) = (memory_name(access.mem), self.place(access));
        let def = &self.kernel.mems[access.mem];
        let in_buffer = matches!(def.kind, MemKind::Param(_));
        let elem = def.elem;
        if !(in_buffer && is_packed(elem)) {
            return if elem == Scalar::I1 { format!("{name}[{at}] != 0u") } else { format!("{name}[{at}]") };
        }
        let (word, shift, mask) = self.packed(elem, &at);
        let whole = match self.stored[access.mem] {
            true => format!("atomicLoad(&{name}[{word}])"),
            false => format!("{name}[{word}]"),
        };
        let value = format!("({whole} >> {shift}) & {mask}u");
        if elem == Scalar::I1 { format!("({value}) != 0u") } else { value }
    }

    pub(super) fn store(&mut self, access: &Access, x: &str) {
        let (name, at) = (memory_name(access.mem), self.place(access));
        let def = &self.kernel.mems[access.mem];
        let in_buffer = matches!(def.kind, MemKind::Param(_));
        let elem = def.elem;
        let value = if elem == Scalar::I1 { format!("u32({x})") } else { x.to_owned() };
        if !(in_buffer && is_packed(elem)) {
            return self.line(format!("{name}[{at}] = {value};"));
        }
        // Other threads store to other elements of the word: each touches its own bits only.
        let (word, shift, mask) = self.packed(elem, &at);
        self.line(format!("atomicAnd(&{name}[{word}], ~({mask}u << {shift}));"));
        self.line(format!("atomicOr(&{name}[{word}], {value} << {shift});"));
    }
}
