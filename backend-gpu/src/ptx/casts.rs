//! Conversions.

use super::Class;
use super::print::{Printer, bits, class, float};
use super::scalar::immediate;
use wengert_ir::kernel::scalar::{truncate, width};
use wengert_ir::kernel::{KCast, Scalar};

impl Printer<'_> {
    pub(super) fn cast(&mut self, kind: KCast, from: Scalar, to: Scalar, d: &str, x: &str) {
        if kind == KCast::Bits {
            return self.copy(to, d, x);
        }
        if to == Scalar::I1 {
            return match from {
                Scalar::I1 => self.line(format!("mov.pred {d}, {x};")),
                _ if from.is_float() => {
                    self.line(format!("setp.neu.{} {d}, {x}, {};", float(from), immediate(from, 0)));
                }
                _ => self.line(format!("setp.ne.u{} {d}, {x}, 0;", bits(from))),
            };
        }
        if from == Scalar::I1 {
            let one = match to {
                Scalar::F32 => immediate(to, u64::from(1.0f32.to_bits())),
                Scalar::F64 => immediate(to, 1.0f64.to_bits()),
                _ => "1".to_owned(),
            };
            let zero = immediate(to, 0);
            return self.line(format!("selp.b{} {d}, {one}, {zero}, {x};", bits(to)));
        }
        match (from.is_float(), to.is_float()) {
            (true, true) => match (from, to) {
                (Scalar::F32, Scalar::F64) => self.line(format!("cvt.f64.f32 {d}, {x};")),
                (Scalar::F64, Scalar::F32) => self.line(format!("cvt.rn.f32.f64 {d}, {x};")),
                _ => self.copy(to, d, x),
            },
            (true, false) => self.integer_of(kind, from, to, d, x),
            (false, true) => {
                let (sign, x) = match kind {
                    KCast::Signed => ('s', self.extended(from, x)),
                    _ => ('u', x.to_owned()),
                };
                self.line(format!("cvt.rn.{}.{sign}{} {d}, {x};", float(to), bits(from)));
            }
            (false, false) => self.between_integers(kind, from, to, d, x),
        }
    }

    /// Towards zero; what is too large is the largest, NaN is zero.
    fn integer_of(&mut self, kind: KCast, from: Scalar, to: Scalar, d: &str, x: &str) {
        let (f, w, nan) = (float(from), bits(to), self.fresh(Class::Pred));
        self.line(format!("setp.nan.{f} {nan}, {x}, {x};"));
        let sign = if kind == KCast::Signed { 's' } else { 'u' };
        let t = self.fresh(class(to));
        self.line(format!("cvt.rzi.{sign}{w}.{f} {t}, {x};"));
        if matches!(to, Scalar::I8 | Scalar::I16) {
            let most =
                if kind == KCast::Signed { truncate(to, u64::MAX) >> 1 } else { truncate(to, u64::MAX) };
            self.line(format!("min.{sign}32 {t}, {t}, {most};"));
            if kind == KCast::Signed {
                self.line(format!("max.s32 {t}, {t}, -{};", most + 1));
            }
        }
        self.line(format!("selp.b{w} {d}, 0, {t}, {nan};"));
        self.narrow(to, d);
    }

    fn between_integers(&mut self, kind: KCast, from: Scalar, to: Scalar, d: &str, x: &str) {
        let widens = width(to) > width(from);
        match (from, to) {
            (Scalar::I64, Scalar::I64) => self.copy(to, d, x),
            (Scalar::I64, _) => {
                self.line(format!("cvt.u32.u64 {d}, {x};"));
                self.narrow(to, d);
            }
            (_, Scalar::I64) => match kind {
                KCast::Signed => {
                    let x = self.extended(from, x);
                    self.line(format!("cvt.s64.s32 {d}, {x};"));
                }
                _ => self.line(format!("cvt.u64.u32 {d}, {x};")),
            },
            _ => {
                let x = if widens && kind == KCast::Signed { self.extended(from, x) } else { x.to_owned() };
                self.copy(to, d, &x);
                self.narrow(to, d);
            }
        }
    }

    /// Moves what has the bits of a type; floats and integers are written differently only as numbers.
    pub(super) fn copy(&mut self, ty: Scalar, d: &str, x: &str) {
        match class(ty) {
            Class::Pred => self.line(format!("mov.pred {d}, {x};")),
            Class::Word => self.line(format!("mov.b32 {d}, {x};")),
            Class::Quad => self.line(format!("mov.b64 {d}, {x};")),
        }
    }
}
