//! Calls: of other kernels, of functions of machine code, of the runtime's routines.

use super::{Emitter, Values};
use crate::codegen::clif::{clif_type, flags};
use crate::codegen::declare::routine_signature;
use crate::codegen::{Linkage, Outlined};
use crate::runtime::context::{self, StackField};
use crate::runtime::data::Address;
use crate::runtime::entry::Routine;
use crate::runtime::product::Product;
use crate::runtime::status::Status;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, FuncRef, InstBuilder, Signature, Value, types};
use cranelift_module::{FuncId, Module};
use std::fmt::Display;
use std::sync::Arc;
use wengert_ir::kernel::reference::Reference;
use wengert_ir::kernel::*;
use wengert_ir::limits::WORK;

impl Emitter<'_, '_> {
    /// Leaves with the status unless it is zero.
    pub(super) fn check(&mut self, status: Value) {
        let go = self.b.create_block();
        let exit = self.exit;
        self.b.ins().brif(status, exit, &[BlockArg::Value(status)], go, &[]);
        self.b.switch_to_block(go);
    }

    pub(super) fn callee(&mut self, id: FuncId) -> FuncRef {
        if let Some(&(_, callee)) = self.callees.iter().find(|&&(known, _)| known == id) {
            return callee;
        }
        let callee = self.module.declare_func_in_func(id, self.b.func);
        // Pieces of code memory may lie further apart than a short call reaches.
        self.b.func.dfg.ext_funcs[callee].colocated = false;
        self.callees.push((id, callee));
        callee
    }

    /// A function of machine code that is linked to the program; equal ones are one.
    pub(crate) fn outlined(&mut self, signature: &Signature, bytes: Vec<u8>, text: &dyn Display) -> FuncRef {
        if let Some(known) = self.env.outlined.iter().find(|known| known.bytes == bytes) {
            let id = known.id;
            return self.callee(id);
        }
        let id = self
            .module
            .declare_anonymous_function(signature)
            .expect("an anonymous function clashes with none");
        let text = if self.env.lists { text.to_string() } else { String::new() };
        self.env.outlined.push(Outlined { id, bytes, text });
        self.callee(id)
    }

    pub(super) fn call_kernel(&mut self, id: KernelId, mems: &[Access], operands: &[KValue]) {
        self.call_with(id, mems, &[], operands);
    }

    /// Calls a kernel with scalars that are no scalars of this one before its operands.
    pub(super) fn call_with(&mut self, id: KernelId, mems: &[Access], first: &[Value], operands: &[KValue]) {
        let mut args = Values::from_slice(&[self.context]);
        if self.env.functions[id].frame {
            let frame = self.frame.expect("a caller of a kernel with a frame has one");
            args.extend([frame.args, frame.results, frame.scratch]);
        }
        for access in mems {
            let pointer = self.flat_address(access);
            args.push(pointer);
        }
        args.extend_from_slice(first);
        args.extend(operands.iter().map(|&v| self.value(v)));
        let callee = self.callee(self.env.functions[id].id);
        let call = self.b.ins().call(callee, &args);
        let status = self.b.inst_results(call)[0];
        self.check(status);
        self.forget_stacks();
    }

    pub(super) fn parallel(
        &mut self,
        id: KernelId,
        mems: &[Access],
        extent: Extent,
        grain: i64,
        operands: &[KValue],
    ) {
        if matches!(self.env.linkage, Linkage::Object(_)) {
            // There are no threads: one call does all.
            let low = self.b.ins().iconst(types::I64, 0);
            let high = self.extent(extent);
            return self.call_with(id, mems, &[low, high], operands);
        }
        let mut words = Values::new();
        if self.env.functions[id].frame {
            let frame = self.frame.expect("a caller of a kernel with a frame has one");
            words.extend([frame.args, frame.results, frame.scratch]);
        }
        for access in mems {
            let pointer = self.flat_address(access);
            words.push(pointer);
        }
        words.extend(operands.iter().map(|&v| self.value(v)));
        let slot = self.slot(8 * words.len().max(1));
        let payload = self.b.ins().stack_addr(types::I64, slot, 0);
        for (k, &word) in words.iter().enumerate() {
            self.b.ins().store(flags(), word, payload, 8 * k as i32);
        }
        let piece = self.env.functions[id].piece.expect("a parallel kernel has a piece function");
        let piece = self.callee(piece);
        let piece = self.b.ins().func_addr(types::I64, piece);
        let extent = self.extent(extent);
        let grain = self.b.ins().iconst(types::I64, grain.max(1));
        let status = self.call_routine(Routine::Parallel, &[self.context, piece, extent, grain, payload]);
        self.check(status);
    }

    pub(super) fn library(&mut self, library: &Library) {
        match library {
            Library::Gemm { elem, sizes, rows, depth, a, b, c, adds } => {
                let product = Product::new(*elem, *sizes, [rows, depth], [a, b, c], *adds);
                let description = self.env.outside.product(product);
                let description = self.outside(description);
                let at = |m: &Matrix, e: &mut Self| e.flat_address(&m.at);
                let (a, b, c) = (at(a, self), at(b, self), at(c, self));
                let status = self.call_routine(Routine::Product, &[self.context, description, a, b, c]);
                self.check(status);
            }
            Library::Tile { f, src, dst, len } => {
                let ty = self.kernel.mems[src.mem].elem;
                let (src, dst) = (self.flat_address(src), self.flat_address(dst));
                let len = self.extent(*len);
                match self.env.linkage {
                    Linkage::Process => {
                        self.call_routine(Routine::Tile(*f, ty), &[src, dst, len]);
                    }
                    Linkage::Object(_) => self.one_by_one(Routine::Math(*f, ty), ty, &[src], dst, len),
                }
            }
            Library::Tile2 { f, a, b, dst, len } => {
                let ty = self.kernel.mems[a.mem].elem;
                let (a, b, dst) = (self.flat_address(a), self.flat_address(b), self.flat_address(dst));
                let len = self.extent(*len);
                match self.env.linkage {
                    Linkage::Process => {
                        self.call_routine(Routine::Tile2(*f, ty), &[a, b, dst, len]);
                    }
                    Linkage::Object(_) => self.one_by_one(Routine::Math2(*f, ty), ty, &[a, b], dst, len),
                }
            }
            Library::Reference { program, inputs, outputs } => {
                let slot = self.slot(8 * (inputs.len() + outputs.len()).max(1));
                for (k, access) in inputs.iter().chain(outputs).enumerate() {
                    let pointer = self.flat_address(access);
                    self.b.ins().stack_store(types::I64, pointer, slot, 8 * k as i32);
                }
                let tensors = self.b.ins().stack_addr(types::I64, slot, 0);
                let status = self.call_reference(program, tensors);
                self.check(status);
            }
            Library::Section(number) => {
                let number = self.b.ins().iconst(types::I64, i64::from(*number));
                self.call_routine(Routine::Section, &[number]);
            }
        }
    }

    /// Calls a routine for each of so many elements: objects have none for tiles.
    fn one_by_one(&mut self, routine: Routine, ty: Scalar, from: &[Value], to: Value, len: Value) {
        let [test, body, exit] = [(); 3].map(|()| self.b.create_block());
        let number = self.b.append_block_param(test, types::I64);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.ins().jump(test, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(test);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, number, len);
        self.b.ins().brif(more, body, &[], exit, &[]);
        self.b.switch_to_block(body);
        let offset = self.b.ins().imul_imm_s(number, ty.size() as i64);
        let place = |e: &mut Self, start: Value| e.b.ins().iadd(start, offset);
        let mut numbers = Values::new();
        for &start in from {
            let at = place(self, start);
            numbers.push(self.b.ins().load(clif_type(ty), flags(), at, 0));
        }
        let result = self.call_routine(routine, &numbers);
        let at = place(self, to);
        self.b.ins().store(flags(), result, at, 0);
        let next = self.b.ins().iadd_imm_s(number, 1);
        self.b.ins().jump(test, &[BlockArg::Value(next)]);
        self.b.switch_to_block(exit);
    }

    /// Has the interpreter run a program: that of this process, or that of the library that goes with an object.
    fn call_reference(&mut self, program: &Arc<Reference>, tensors: Value) -> Value {
        let Linkage::Object(object) = &mut self.env.linkage else {
            let program = self.env.outside.reference(program);
            let program = self.outside(program);
            return self.call_routine(Routine::Reference, &[self.context, program, tensors]);
        };
        let (run, data) = object.program(self.module, program);
        let [place, text] = data.map(|id| {
            let data = self.module.declare_data_in_func(id, self.b.func);
            self.b.ins().symbol_value(types::I64, data)
        });
        let size = self.b.ins().iconst(types::I64, program.text().len() as i64);
        let run = self.callee(run);
        let call = self.b.ins().call(run, &[place, text, size, tensors]);
        self.b.inst_results(call)[0]
    }

    pub(super) fn reserve(&mut self, mem: MemRef, rows: KValue) {
        let MemKind::Program(program_mem) = self.kernel.mems[mem].kind else {
            unreachable!("a stack is a memory of the program")
        };
        let rows = self.value(rows);
        let number = self.env.stack_number(program_mem);
        let stacks = self.b.ins().load(types::I64, flags(), self.context, context::STACKS);
        let field = context::stack_field(number, StackField::Capacity);
        let capacity = self.b.ins().load(types::I64, flags(), stacks, field);
        let enough = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, rows, capacity);
        let (grow, go) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(enough, go, &[], grow, &[]);
        self.b.set_cold_block(grow);
        self.b.switch_to_block(grow);
        let number = self.b.ins().iconst(types::I64, number as i64);
        let status = self.call_routine(Routine::Grow, &[self.context, number, rows]);
        let exit = self.exit;
        self.b.ins().brif(status, exit, &[BlockArg::Value(status)], go, &[]);
        self.b.switch_to_block(go);
        self.forget_stacks();
    }

    /// Takes the steps of `work`, `times` over, from those left, or leaves with [`Status::Steps`].
    pub(super) fn steps(&mut self, work: u64, times: Option<KValue>) {
        let steps = match times {
            None => self.b.ins().iconst(types::I64, (work / WORK) as i64),
            Some(times) => {
                let times = self.value(times);
                let zero = self.b.ins().iconst(types::I64, 0);
                let times = self.b.ins().smax(times, zero);
                let work = self.b.ins().iconst(types::I64, work as i64);
                let (high, low) = (self.b.ins().umulhi(times, work), self.b.ins().imul(times, work));
                let steps = self.b.ins().ushr_imm_u(low, i64::from(WORK.ilog2()));
                // Work that does not fit counts as more than there ever is.
                let most = self.b.ins().iconst(types::I64, -1);
                self.b.ins().select(high, most, steps)
            }
        };
        let left = self.b.ins().load(types::I64, flags(), self.context, context::STEPS);
        let enough = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, left, steps);
        let stop = self.b.ins().iconst(types::I32, Status::Steps as i64);
        let go = self.b.create_block();
        let exit = self.exit;
        self.b.ins().brif(enough, go, &[], exit, &[BlockArg::Value(stop)]);
        self.b.switch_to_block(go);
        let left = self.b.ins().isub(left, steps);
        self.b.ins().store(flags(), left, self.context, context::STEPS);
    }

    /// Calls a routine. Gives its result, or the context where it has none.
    pub(crate) fn call_routine(&mut self, routine: Routine, args: &[Value]) -> Value {
        if let Linkage::Object(object) = &mut self.env.linkage {
            let id = object.routine(self.module, routine);
            let callee = self.callee(id);
            let call = self.b.ins().call(callee, args);
            return self.b.inst_results(call).first().copied().unwrap_or(self.context);
        }
        let shape = routine.shape();
        let signature = match self.signatures.iter().find(|(known, _)| *known == shape) {
            Some(&(_, signature)) => signature,
            None => {
                let signature = routine_signature(shape, self.env.host.balanced.default_call_conv());
                let signature = self.b.import_signature(signature);
                self.signatures.push((shape, signature));
                signature
            }
        };
        let address = self.outside(Address::Routine(routine));
        let call = self.b.ins().call_indirect(signature, address, args);
        self.b.inst_results(call).first().copied().unwrap_or(self.context)
    }

    /// An address that is filled in when the code is linked.
    fn outside(&mut self, address: Address) -> Value {
        let symbol = self.env.outside.symbol(address, self.b.func);
        self.b.ins().symbol_value(types::I64, symbol)
    }

    /// The address of a constant.
    pub(crate) fn constant_address(&mut self, mem: Mem) -> Value {
        match &self.env.linkage {
            Linkage::Process => self.outside(Address::Constant(mem)),
            Linkage::Object(object) => {
                let data = self.module.declare_data_in_func(object.constants[&mem], self.b.func);
                self.b.ins().symbol_value(types::I64, data)
            }
        }
    }
}
