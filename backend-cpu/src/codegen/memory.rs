//! Addresses of accesses.
//!
//! An address is a root pointer plus its terms, added in order of the loop depth at which they are known, so that
//! what does not change in a loop is added before it ([`Emitter::hoist`]). Sums are kept while they are in scope.

use super::addresses::{Key, Terms};
use super::clif::{clif_type, fixed, flags};
use super::function::Emitter;
use crate::runtime::context;
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value, types};
use std::collections::BTreeSet;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{Access, Block, KOp, KValue, MemKind, MemRef, Place};

/// A loop that would hoist more pointers than this hoists none: they would only be spilled.
const HOISTED: usize = 48;

impl Emitter<'_, '_> {
    /// Address of the first element of an access, as a pointer and a displacement in bytes.
    pub(crate) fn address(&mut self, access: &Access) -> (Value, i32) {
        let size = self.kernel.mems[access.mem].elem.size() as i64;
        let (terms, mut offset) = self.terms(access);
        offset = offset.wrapping_mul(size).wrapping_add(self.root_offset(access.mem));
        let pointer = self.pointer(access.mem, &terms);
        match i32::try_from(offset) {
            // Keep room for vectors and lanes further on.
            Ok(small) if small < i32::MAX - (1 << 20) => (pointer, small),
            _ => (self.b.ins().iadd_imm_s(pointer, offset), 0),
        }
    }

    /// The same as one pointer.
    pub(crate) fn flat_address(&mut self, access: &Access) -> Value {
        match self.address(access) {
            (pointer, 0) => pointer,
            (pointer, offset) => self.b.ins().iadd_imm_s(pointer, i64::from(offset)),
        }
    }

    /// Terms that vary, outermost first, and the constant part in elements.
    pub(crate) fn terms(&self, access: &Access) -> (Terms, i64) {
        let mut offset = access.offset;
        let mut terms = Terms::new();
        for &(value, stride) in &access.terms {
            match self.known(value) {
                Some(word) => offset = offset.wrapping_add((word as i64).wrapping_mul(stride)),
                None if stride == 0 => {}
                None => terms.push((value, stride)),
            }
        }
        terms.sort_by_key(|&(value, _)| (self.depths[value.index()], value));
        (terms, offset)
    }

    /// Root pointer plus terms.
    pub(crate) fn pointer(&mut self, mem: MemRef, terms: &[(KValue, i64)]) -> Value {
        let key = (mem, Terms::from_slice(terms));
        if let Some(&pointer) = self.addresses.pointers.get(&key) {
            return pointer;
        }
        let pointer = match terms.last() {
            None => self.root(mem),
            Some(&(last, _)) => {
                let depth = self.depths[last.index()];
                let outer = terms.partition_point(|&(value, _)| self.depths[value.index()] < depth);
                let mut pointer = self.pointer(mem, &terms[..outer]);
                let size = self.kernel.mems[mem].elem.size() as i64;
                for &(value, stride) in &terms[outer..] {
                    let part = self.scaled(value, stride.wrapping_mul(size));
                    pointer = self.b.ins().iadd(pointer, part);
                }
                pointer
            }
        };
        self.addresses.log.push(Key::Pointer(key.clone()));
        self.addresses.pointers.insert(key, pointer);
        pointer
    }

    /// `value * scale`.
    fn scaled(&mut self, value: KValue, scale: i64) -> Value {
        let x = self.value(value);
        if scale == 1 {
            return x;
        }
        if let Some(&known) = self.addresses.scaled.get(&(value, scale)) {
            return known;
        }
        let scaled = if scale > 0 && scale.count_ones() == 1 {
            self.b.ins().ishl_imm_u(x, i64::from(scale.trailing_zeros()))
        } else {
            self.b.ins().imul_imm_s(x, scale)
        };
        self.addresses.log.push(Key::Scaled((value, scale)));
        self.addresses.scaled.insert((value, scale), scaled);
        scaled
    }

    /// Bytes from the root pointer of a memory to its first element.
    pub(crate) fn root_offset(&self, mem: MemRef) -> i64 {
        match self.kernel.mems[mem].kind {
            MemKind::Program(mem) => match self.env.program.mems[mem].place {
                Place::Scratch(offset) => offset as i64,
                Place::Param(_) | Place::Result(_) | Place::Constant(_) | Place::Stack => 0,
            },
            MemKind::Param(_) | MemKind::Local | MemKind::Workgroup => 0,
        }
    }

    fn root(&mut self, mem: MemRef) -> Value {
        let mem = match self.kernel.mems[mem].kind {
            MemKind::Param(n) => return self.params[n as usize],
            MemKind::Local => return self.locals[mem.index()].expect("local memory was given a slot"),
            MemKind::Workgroup => unreachable!("launches are refused"),
            MemKind::Program(mem) => mem,
        };
        let frame = self.frame;
        match &self.env.program.mems[mem].place {
            Place::Param(n) => {
                self.b.ins().load(types::I64, fixed(), frame.expect("frame").args, 8 * *n as i32)
            }
            Place::Result(n) => {
                self.b.ins().load(types::I64, fixed(), frame.expect("frame").results, 8 * *n as i32)
            }
            Place::Scratch(_) => frame.expect("frame").scratch,
            Place::Constant(_) => self.constant_address(mem),
            Place::Stack => {
                let number = self.env.stack_number(mem);
                let stacks = self.b.ins().load(types::I64, fixed(), self.context, context::STACKS);
                self.b.ins().load(
                    types::I64,
                    flags(),
                    stacks,
                    context::stack_field(number, context::StackField::Rows),
                )
            }
        }
    }

    /// Adds up what the accesses of a loop's body have that does not change in it. Called where the loop is entered.
    pub(crate) fn hoist(&mut self, body: &Block) {
        let moved = self.moved(body);
        self.addresses.forget(&moved);
        let mut wanted: Vec<(MemRef, Terms)> = Vec::new();
        let mut seen = BTreeSet::new();
        visit_accesses(body, &mut |access| {
            if !moved.contains(&access.mem) && seen.len() <= HOISTED {
                let (mut terms, _) = self.terms(access);
                terms.retain(|(value, _)| self.is_defined(*value));
                if seen.insert((access.mem, terms.clone())) {
                    wanted.push((access.mem, terms));
                }
            }
        });
        if seen.len() <= HOISTED {
            for (mem, terms) in wanted {
                self.pointer(mem, &terms);
            }
        }
    }

    /// Forgets stacks that these blocks may move.
    pub(crate) fn forget_moved(&mut self, blocks: &[Block]) {
        for block in blocks {
            let moved = self.moved(block);
            self.addresses.forget(&moved);
        }
    }

    /// Forgets stacks that an operation has moved.
    pub(crate) fn forget_stacks(&mut self) {
        let stacks = self.stacks();
        self.addresses.forget(&stacks);
    }

    /// Stacks that a block may move: all of them, if it makes room in any or calls a kernel.
    fn moved(&self, block: &Block) -> BTreeSet<MemRef> {
        let stacks = self.stacks();
        if stacks.is_empty() {
            return stacks;
        }
        let mut any = false;
        block.visit(&mut |inst| any |= matches!(inst.op, KOp::Reserve(_) | KOp::Call { .. }));
        if any { stacks } else { BTreeSet::new() }
    }

    fn stacks(&self) -> BTreeSet<MemRef> {
        let is_stack = |kind| match kind {
            MemKind::Program(mem) => self.env.program.mems[mem].place == Place::Stack,
            MemKind::Param(_) | MemKind::Local | MemKind::Workgroup => false,
        };
        self.kernel.mems.iter().filter(|(_, m)| is_stack(m.kind)).map(|(mem, _)| mem).collect()
    }

    /// A buffer on the machine stack and a 64-byte aligned pointer into it.
    pub(crate) fn aligned_slot(&mut self, bytes: usize) -> Value {
        let slot = self.slot(bytes + 64);
        let address = self.b.ins().stack_addr(types::I64, slot, 63);
        self.b.ins().band_imm_s(address, -64)
    }

    /// The same for what nobody needs once the next one asks: all have one buffer, as large as the largest.
    pub(crate) fn passing_slot(&mut self, bytes: usize) -> Value {
        let slot = match self.passing {
            Some(slot) => slot,
            None => {
                let slot = self.slot(0);
                *self.passing.insert(slot)
            }
        };
        let size = u32::try_from(bytes + 64).expect("a buffer on the stack is small");
        let known = &mut self.b.func.sized_stack_slots[slot].size;
        *known = size.max(*known);
        let address = self.b.ins().stack_addr(types::I64, slot, 63);
        self.b.ins().band_imm_s(address, -64)
    }

    /// A buffer on the machine stack.
    pub(crate) fn slot(&mut self, bytes: usize) -> StackSlot {
        let size = u32::try_from(bytes).expect("a buffer on the stack is small");
        self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4))
    }

    /// Reads an element.
    pub(crate) fn load(&mut self, access: &Access) -> Value {
        let ty = clif_type(self.kernel.mems[access.mem].elem);
        let (pointer, offset) = self.address(access);
        if let Some(&known) = self.loads.as_ref().and_then(|loads| loads.get(&(pointer, offset, ty))) {
            return known;
        }
        let value = self.b.ins().load(ty, flags(), pointer, offset);
        if let Some(loads) = &mut self.loads {
            loads.insert((pointer, offset, ty), value);
        }
        value
    }

    /// Writes an element.
    pub(crate) fn store(&mut self, access: &Access, value: Value) {
        let (pointer, offset) = self.address(access);
        self.b.ins().store(flags(), value, pointer, offset);
    }
}

/// Visits every access of a block and of its nested blocks.
pub(crate) fn visit_accesses(block: &Block, f: &mut impl FnMut(&Access)) {
    block.visit(&mut |inst| inst.op.accesses().into_iter().for_each(&mut *f));
}
