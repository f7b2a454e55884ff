//! Functions of the math library, of several numbers in a call.

use super::super::Linkage;
use super::super::clif::{flags, vector_type};
use super::{Chunk, Lanes, Vectors};
use crate::runtime::entry::Routine;
use crate::tile::{EIGHT, Level};
use cranelift_codegen::ir::{InstBuilder, Value};
use wengert_ir::kernel::{KValue, Scalar};
use wengert_ir::math::MathFn;

/// Numbers from which on a function of the math library is called for several: a call for eight takes as long as for two or three. (1,500
/// sines one after the other, of four numbers each: 102 us by ones, 56 so.)
const FEW: usize = 4;

impl Chunk<'_, '_, '_> {
    /// Whether there are enough numbers, and the routines are there: objects have none.
    pub(super) fn are_worth_a_call(&self) -> bool {
        // Without a fused multiply-add the routines are calls for each number themselves.
        let vectors = !cfg!(target_arch = "x86_64") || Level::best() != Level::Baseline;
        let has_routines = matches!(self.e.env.linkage, Linkage::Process) && self.e.env.options.tiles;
        self.width >= FEW && has_routines && vectors
    }

    /// A function of the math library, [`EIGHT`] numbers at a time. What is missing of the last eight are others again.
    pub(super) fn by_eights(&mut self, f: MathFn, ty: Scalar, x: KValue) -> Lanes {
        let vectors: Vec<Value> = (0..self.count(ty.size())).map(|k| self.vector(x, k)).collect();
        let each = EIGHT * ty.size() / 16;
        let numbers = self.e.aligned_slot(16 * each);
        let mut out = Vectors::new();
        for group in vectors.chunks(each) {
            for k in 0..each {
                self.e.b.ins().store(flags(), group[k % group.len()], numbers, 16 * k as i32);
            }
            self.e.call_routine(Routine::Eight(f, ty), &[numbers]);
            for k in 0..group.len() {
                out.push(self.e.b.ins().load(vector_type(ty), flags(), numbers, 16 * k as i32));
            }
        }
        Lanes::Numbers(out)
    }
}
