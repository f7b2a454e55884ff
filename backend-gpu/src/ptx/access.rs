//! Loads and stores at affine positions.

use super::Class;
use super::print::Printer;
use wengert_ir::kernel::{Access, Scalar};

impl Printer<'_> {
    /// The address of an element, in brackets: 64 bits, nothing wraps that the verifier has seen to stay inside.
    fn address(&mut self, access: &Access) -> (String, &'static str) {
        let size = self.kernel.mems[access.mem].elem.size() as i64;
        let (mut base, space) = self.bases[access.mem].clone();
        let mut offset = access.offset.wrapping_mul(size);
        for &(v, stride) in &access.terms {
            let factor = stride.wrapping_mul(size);
            let x = self.name(v);
            match x.parse::<i64>() {
                Ok(n) => offset = offset.wrapping_add(n.wrapping_mul(factor)),
                Err(_) => {
                    let next = self.fresh(Class::Quad);
                    self.line(format!("mad.lo.s64 {next}, {x}, {factor}, {base};"));
                    base = next;
                }
            }
        }
        if i32::try_from(offset).is_err() {
            let next = self.fresh(Class::Quad);
            self.line(format!("add.s64 {next}, {base}, {offset};"));
            (base, offset) = (next, 0);
        }
        let text = match offset {
            0 => format!("[{base}]"),
            _ => format!("[{base}+{offset}]"),
        };
        (text, space)
    }

    pub(super) fn load(&mut self, access: &Access, d: &str) {
        let elem = self.kernel.mems[access.mem].elem;
        let (at, space) = self.address(access);
        let ty = memory_type(elem);
        if elem == Scalar::I1 {
            let byte = self.fresh(Class::Word);
            self.line(format!("ld.{space}.{ty} {byte}, {at};"));
            return self.line(format!("setp.ne.u32 {d}, {byte}, 0;"));
        }
        self.line(format!("ld.{space}.{ty} {d}, {at};"));
    }

    pub(super) fn store(&mut self, access: &Access, x: &str) {
        let elem = self.kernel.mems[access.mem].elem;
        let x = if elem == Scalar::I1 { self.number(x) } else { x.to_owned() };
        let (at, space) = self.address(access);
        self.line(format!("st.{space}.{} {at}, {x};", memory_type(elem)));
    }
}

fn memory_type(elem: Scalar) -> &'static str {
    match elem {
        Scalar::F64 | Scalar::I64 => "b64",
        Scalar::F32 | Scalar::I32 => "b32",
        Scalar::I16 => "u16",
        Scalar::I8 | Scalar::I1 => "u8",
    }
}
