//! One kernel: blocks, control flow and calls.

mod calls;

use super::Env;
use super::addresses::Addresses;
use super::clif::{clif_type, flags};
use super::declare::Declared;
use crate::runtime::Status;
use crate::runtime::entry::Shape;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Block as ClifBlock, BlockArg, FuncRef, Function, InstBuilder, JumpTableData, SigRef, StackSlot, Value,
    types,
};
use cranelift_codegen::packed_option::PackedOption;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{
    Block, Combine, Extent, For, KBinary, KCast, KInst, KOp, KValue, Kernel, KernelId, LoopKind, MemKind,
    Scalar, WhileLoop,
};
use wengert_ir::{launch_ops, scalar_ops};

/// The program's arguments, results and scratch.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) args: Value,
    pub(crate) results: Value,
    pub(crate) scratch: Value,
}

/// Builds one function.
pub(crate) struct Emitter<'a, 'b> {
    pub(crate) b: FunctionBuilder<'b>,
    pub(crate) env: &'b mut Env<'a>,
    pub(crate) kernel: &'a Kernel,
    module: &'b mut dyn Module,
    pub(crate) context: Value,
    pub(crate) frame: Option<Frame>,
    /// Memrefs that are parameters.
    pub(crate) params: Vec<Value>,
    /// Pointers to local buffers.
    pub(crate) locals: Vec<Option<Value>>,
    values: Vec<PackedOption<Value>>,
    constants: Vec<Option<u64>>,
    /// Scalars that are 1 if the other one, which a comparison gave, holds, and 0 if not.
    tests: FxHashMap<KValue, KValue>,
    /// Loop depth at which a scalar is defined; meaningful once it is.
    pub(crate) depths: Vec<u32>,
    pub(crate) depth: u32,
    pub(crate) addresses: Addresses,
    /// What has been read at a pointer and an offset, in code that runs in order and stores nothing.
    pub(crate) loads: Option<FxHashMap<(Value, i32, cranelift_codegen::ir::Type), Value>>,
    signatures: SmallVec<[(Shape, SigRef); 4]>,
    callees: Vec<(FuncId, FuncRef)>,
    /// The buffer of [`Emitter::passing_slot`].
    pub(crate) passing: Option<StackSlot>,
    /// Returns the status it is given.
    exit: ClifBlock,
    size: usize,
}

/// Results of a construct: few.
pub(crate) type Values = SmallVec<[Value; 4]>;

/// Builds a kernel into `func`; gives the number of its operations.
pub(crate) fn build<'a>(
    env: &mut Env<'a>,
    module: &mut dyn Module,
    id: KernelId,
    func: &mut Function,
    context: &mut FunctionBuilderContext,
) -> usize {
    let kernel = &env.program.kernels[id];
    let frontend = env.host.balanced.frontend_config();
    let takes_frame = env.functions[id].frame;
    let mut b = FunctionBuilder::new(func, context);
    let entry = b.create_block();
    let exit = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.append_block_param(exit, types::I32);
    b.switch_to_block(entry);
    let given: Vec<Value> = b.block_params(entry).to_vec();
    let mut given = given.into_iter();
    let mut next = || given.next().expect("a parameter per declaration");
    let own = next();
    let frame = takes_frame.then(|| Frame { args: next(), results: next(), scratch: next() });
    let params =
        kernel.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).map(|_| next()).collect();
    let scalars: Vec<Value> = kernel.body.params.iter().map(|_| next()).collect();
    let count = kernel.values.len();
    let mut emitter = Emitter {
        b,
        env,
        kernel,
        module,
        context: own,
        frame,
        params,
        locals: vec![None; kernel.mems.len()],
        values: vec![PackedOption::default(); count],
        constants: vec![None; count],
        tests: FxHashMap::default(),
        depths: vec![0; count],
        depth: 0,
        addresses: Addresses::default(),
        loads: None,
        signatures: SmallVec::new(),
        callees: Vec::new(),
        passing: None,
        exit,
        size: 0,
    };
    for (mem, def) in kernel.mems.iter() {
        if def.kind == MemKind::Local {
            let pointer = emitter.aligned_slot(def.len * def.elem.size());
            emitter.locals[mem.index()] = Some(pointer);
        }
    }
    for (&param, value) in kernel.body.params.iter().zip(scalars) {
        emitter.define(param, value);
    }
    emitter.block(&kernel.body);
    let ok = emitter.b.ins().iconst(types::I32, Status::Ok as i64);
    emitter.b.ins().return_(&[ok]);
    emitter.b.switch_to_block(exit);
    let status = emitter.b.block_params(exit)[0];
    emitter.b.ins().return_(&[status]);
    emitter.b.seal_all_blocks();
    let size = emitter.size;
    emitter.b.finalize(frontend);
    size
}

/// Builds the function through which the thread pool calls a kernel: it unpacks the payload.
pub(crate) fn build_piece(
    env: &Env<'_>,
    module: &mut dyn Module,
    id: KernelId,
    func: &mut Function,
    context: &mut FunctionBuilderContext,
) {
    let kernel = &env.program.kernels[id];
    let Declared { id: callee, frame, .. } = &env.functions[id];
    let mut b = FunctionBuilder::new(func, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let &[own, low, high, payload] = b.block_params(entry) else { unreachable!("four parameters") };
    let pointers = if *frame { 3 } else { 0 }
        + kernel.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).count();
    let mut args = vec![own];
    for word in 0..pointers {
        args.push(b.ins().load(types::I64, flags(), payload, 8 * word as i32));
    }
    args.extend([low, high]);
    for (k, &v) in kernel.body.params.iter().skip(2).enumerate() {
        let ty = clif_type(kernel.values[v]);
        args.push(b.ins().load(ty, flags(), payload, 8 * (pointers + k) as i32));
    }
    let callee = module.declare_func_in_func(*callee, b.func);
    b.func.dfg.ext_funcs[callee].colocated = false;
    let call = b.ins().call(callee, &args);
    let status = b.inst_results(call)[0];
    b.ins().return_(&[status]);
    b.seal_all_blocks();
    b.finalize(env.host.balanced.frontend_config());
}

/// Values as arguments of a block.
pub(crate) fn block_args(values: &[Value]) -> SmallVec<[BlockArg; 4]> {
    values.iter().map(|&v| BlockArg::Value(v)).collect()
}

/// Whether a scalar changes nothing when it is combined with another one, whatever that is.
pub(crate) fn is_neutral(op: KBinary, ty: Scalar, word: u64) -> bool {
    Combine::of(op).is_some_and(|combine| word == combine.identity(ty))
}

impl<'a> Emitter<'a, '_> {
    /// The scalar's type.
    pub(crate) fn ty(&self, v: KValue) -> Scalar {
        self.kernel.values[v]
    }

    /// The scalar's value.
    pub(crate) fn value(&self, v: KValue) -> Value {
        self.values[v.index()].expect("a scalar is defined before it is used")
    }

    /// Whether the scalar is defined before what is being built.
    pub(crate) fn is_defined(&self, v: KValue) -> bool {
        self.values[v.index()].is_some()
    }

    /// The scalar's bits if it is a constant.
    pub(crate) fn known(&self, v: KValue) -> Option<u64> {
        self.constants[v.index()]
    }

    /// Gives a scalar its value.
    pub(crate) fn define(&mut self, v: KValue, value: Value) {
        self.values[v.index()] = value.into();
        self.depths[v.index()] = self.depth;
    }

    pub(crate) fn values_of(&self, vs: &[KValue]) -> Values {
        vs.iter().map(|&v| self.value(v)).collect()
    }

    pub(crate) fn clif_types(&self, vs: &[KValue]) -> SmallVec<[cranelift_codegen::ir::Type; 4]> {
        vs.iter().map(|&v| clif_type(self.ty(v))).collect()
    }

    /// A new block with parameters of these types.
    pub(crate) fn block_with(&mut self, types: &[cranelift_codegen::ir::Type]) -> ClifBlock {
        let block = self.b.create_block();
        for &ty in types {
            self.b.append_block_param(block, ty);
        }
        block
    }

    /// Makes the scalars of a block undefined again, so that it can be added once more.
    pub(crate) fn undefine(&mut self, block: &Block) {
        let mut forget = |vs: &[KValue]| {
            for v in vs {
                self.values[v.index()] = PackedOption::default();
                self.constants[v.index()] = None;
            }
        };
        forget(&block.params);
        for inst in &block.insts {
            forget(&inst.results);
        }
        for inst in &block.insts {
            inst.op.blocks().for_each(|b| self.undefine(b));
        }
    }

    /// Makes a scalar a known constant.
    pub(crate) fn define_known(&mut self, v: KValue, word: u64) {
        let value = self.constant(self.ty(v), word);
        self.define(v, value);
        self.constants[v.index()] = Some(word);
    }

    /// All instructions of a block; what it yields is then defined.
    pub(crate) fn block(&mut self, block: &'a Block) {
        for inst in &block.insts {
            self.inst(inst);
        }
    }

    /// A block of its own scope; gives what it yields.
    fn scoped(&mut self, block: &'a Block) -> Values {
        let scope = self.addresses.enter();
        self.block(block);
        let yields = self.values_of(&block.yields);
        self.addresses.leave(scope);
        yields
    }

    pub(crate) fn inst(&mut self, inst: &'a KInst) {
        self.size += 1;
        match &inst.op {
            KOp::For(l) => {
                let results = self.for_loop(l, inst);
                self.define_all(inst, &results);
            }
            KOp::While(l) => {
                let results = self.while_loop(l, inst);
                self.define_all(inst, &results);
            }
            KOp::Switch(blocks) => {
                let results = self.switch(blocks, inst);
                self.define_all(inst, &results);
            }
            KOp::Call { kernel, mems } => self.call_kernel(*kernel, mems, &inst.operands),
            KOp::Parallel { kernel, mems, extent, grain } => {
                self.parallel(*kernel, mems, *extent, *grain, &inst.operands);
            }
            launch_ops!() => unreachable!("launches are refused"),
            KOp::Library(library) => self.library(library),
            KOp::Reserve(mem) => self.reserve(*mem, inst.operands[0]),
            KOp::Steps(work) => self.steps(*work, inst.operands.first().copied()),
            KOp::Store(access) => {
                let value = self.value(inst.operands[0]);
                self.store(access, value);
            }
            scalar_ops!() | KOp::Load(_) => {
                let operands = self.values_of(&inst.operands);
                let value = self.pure(inst, &operands);
                self.define(inst.results[0], value);
                if let KOp::Const(word) = inst.op {
                    self.constants[inst.results[0].index()] = Some(word);
                }
                if let Some(test) = self.test(inst) {
                    self.tests.insert(inst.results[0], test);
                }
            }
        }
    }

    /// The truth of a comparison, or of several, that the result of an instruction is, as a number or not. What memory holds
    /// for a truth value may be no such number.
    fn test(&self, inst: &KInst) -> Option<KValue> {
        let known = |v: &KValue| self.tests.get(v).copied();
        if matches!(inst.op, KOp::Compare(..)) {
            return Some(inst.results[0]);
        }
        if inst.op == KOp::Binary(KBinary::And) {
            return inst.operands.iter().all(|v| known(v).is_some()).then(|| inst.results[0]);
        }
        (inst.op == KOp::Cast(KCast::Unsigned)).then(|| known(&inst.operands[0])).flatten()
    }

    fn define_all(&mut self, inst: &KInst, results: &[Value]) {
        for (&result, &value) in inst.results.iter().zip(results) {
            self.define(result, value);
        }
    }

    /// An operation with one result and no effect, on these operands.
    pub(crate) fn pure(&mut self, inst: &KInst, operands: &[Value]) -> Value {
        let result = self.ty(inst.results[0]);
        let first = inst.operands.first().map_or(result, |&v| self.ty(v));
        match (&inst.op, operands) {
            (KOp::Const(word), _) => self.constant(result, *word),
            (KOp::Unary(op), &[x]) => self.unary(*op, first, x),
            (KOp::Binary(op), &[x, y]) => {
                let (left, right) = (self.known(inst.operands[0]), self.known(inst.operands[1]));
                if right.is_some_and(|word| is_neutral(*op, first, word)) {
                    return x;
                }
                if left.is_some_and(|word| is_neutral(*op, first, word)) {
                    return y;
                }
                self.binary(*op, first, x, y, right)
            }
            (KOp::Compare(direction, kind), &[x, y]) => self.compare(*direction, *kind, first, x, y),
            (KOp::Select, &[p, x, y]) => self.b.ins().select(p, x, y),
            (KOp::Fma, &[x, y, z]) => self.fused(first, x, y, z),
            (KOp::Cast(cast), &[x]) => self.cast(*cast, first, result, x),
            (KOp::Math(f), &[x]) => self.math(*f, first, x),
            (KOp::Math2(f), &[x, y]) => self.math2(*f, first, x, y),
            (KOp::Load(access), _) => self.load(access),
            (
                KOp::Unary(_)
                | KOp::Binary(_)
                | KOp::Compare(..)
                | KOp::Select
                | KOp::Fma
                | KOp::Cast(_)
                | KOp::Math(_)
                | KOp::Math2(_),
                _,
            ) => unreachable!("an operation with another number of operands than it takes"),
            (
                KOp::Store(_)
                | KOp::For(_)
                | KOp::While(_)
                | KOp::Switch(_)
                | KOp::Call { .. }
                | KOp::Parallel { .. }
                | launch_ops!()
                | KOp::Library(_)
                | KOp::Reserve(_)
                | KOp::Steps(_),
                _,
            ) => unreachable!("an operation with effects"),
        }
    }

    /// A bound of a loop.
    pub(crate) fn extent(&mut self, extent: Extent) -> Value {
        match extent {
            Extent::Const(n) => self.b.ins().iconst(types::I64, n),
            Extent::Value(v) => self.value(v),
        }
    }

    /// A bound of a loop if it is known.
    pub(crate) fn known_extent(&self, extent: Extent) -> Option<i64> {
        match extent {
            Extent::Const(n) => Some(n),
            Extent::Value(v) => self.known(v).map(|word| word as i64),
        }
    }

    /// The number of iterations if it is known.
    pub(crate) fn trips(&self, l: &For) -> Option<i64> {
        let (start, end) = (self.known_extent(l.start)?, self.known_extent(l.end)?);
        Some(if end <= start { 0 } else { (end - start + l.step - 1) / l.step })
    }

    fn for_loop(&mut self, l: &'a For, inst: &KInst) -> Values {
        let init = self.values_of(&inst.operands);
        match &l.kind {
            LoopKind::Sequential => self.sequential(l, &init),
            LoopKind::Vector if self.simd_loop(l) => Values::new(),
            LoopKind::Vector => match self.vector_width(l) {
                Some(width) => self.vector_loop(l, width),
                None => self.sequential(l, &init),
            },
            LoopKind::Lanes(combines) => self.lanes(l, combines),
        }
    }

    /// One element at a time, in order.
    pub(crate) fn sequential(&mut self, l: &'a For, init: &[Value]) -> Values {
        if let (Extent::Const(0), Extent::Value(trips)) = (l.start, l.end)
            && let Some(&test) = self.tests.get(&trips)
        {
            return self.guarded(test, l, init);
        }
        let (start, end) = (self.extent(l.start), self.extent(l.end));
        let nonempty = self.trips(l).map(|n| n > 0);
        self.counted(start, end, l.step, nonempty, init, &l.body, |emitter, _, carried| {
            for (&param, &value) in l.body.params[1..].iter().zip(carried) {
                emitter.define(param, value);
            }
            emitter.block(&l.body);
            emitter.values_of(&l.body.yields)
        })
    }

    /// A loop of one trip if a test holds, and none if not: a branch.
    fn guarded(&mut self, test: KValue, l: &'a For, init: &[Value]) -> Values {
        let test = self.value(test);
        let carried: SmallVec<[_; 4]> = init.iter().map(|&v| self.b.func.dfg.value_type(v)).collect();
        let (enter, exit) = (self.b.create_block(), self.block_with(&carried));
        self.b.ins().brif(test, enter, &[], exit, &block_args(init));
        self.b.switch_to_block(enter);
        let scope = self.addresses.enter();
        self.define_known(l.body.params[0], 0);
        for (&param, &value) in l.body.params[1..].iter().zip(init) {
            self.define(param, value);
        }
        self.block(&l.body);
        let yields = self.values_of(&l.body.yields);
        self.addresses.leave(scope);
        self.b.ins().jump(exit, &block_args(&yields));
        self.b.switch_to_block(exit);
        Values::from_slice(self.b.block_params(exit))
    }

    /// `for i in (start..end).step_by(step)` around what `emit` adds for `i` and the carried values; `body` is what is
    /// hoisted from, and its first parameter becomes `i`. `nonempty` if it is known.
    #[allow(clippy::too_many_arguments, reason = "the parts of a counted loop")]
    pub(crate) fn counted(
        &mut self,
        start: Value,
        end: Value,
        step: i64,
        nonempty: Option<bool>,
        init: &[Value],
        body: &'a Block,
        emit: impl FnOnce(&mut Self, Value, &[Value]) -> Values,
    ) -> Values {
        self.counted_after(
            start,
            end,
            step,
            nonempty,
            init,
            body,
            |_| (),
            |e, (), i, carried| emit(e, i, carried),
        )
    }

    /// The same; what `prepare` adds is run once, if the loop is entered, and what it gives handed to `emit`.
    #[allow(clippy::too_many_arguments, reason = "the parts of a counted loop")]
    pub(crate) fn counted_after<T>(
        &mut self,
        start: Value,
        end: Value,
        step: i64,
        nonempty: Option<bool>,
        init: &[Value],
        body: &'a Block,
        prepare: impl FnOnce(&mut Self) -> T,
        emit: impl FnOnce(&mut Self, T, Value, &[Value]) -> Values,
    ) -> Values {
        if nonempty == Some(false) {
            return Values::from_slice(init);
        }
        let carried: SmallVec<[_; 4]> = init.iter().map(|&v| self.b.func.dfg.value_type(v)).collect();
        let exit = self.block_with(&carried);
        if nonempty.is_none() {
            let some = self.b.ins().icmp(IntCC::SignedLessThan, start, end);
            let enter = self.b.create_block();
            self.b.ins().brif(some, enter, &[], exit, &block_args(init));
            self.b.switch_to_block(enter);
        }
        let scope = self.addresses.enter();
        self.hoist(body);
        let prepared = prepare(self);
        let mut types: SmallVec<[_; 4]> = SmallVec::from_slice(&[types::I64]);
        types.extend_from_slice(&carried);
        let head = self.block_with(&types);
        let mut first = Values::from_slice(&[start]);
        first.extend_from_slice(init);
        self.b.ins().jump(head, &block_args(&first));
        self.b.switch_to_block(head);
        let params = Values::from_slice(self.b.block_params(head));
        let inner = self.addresses.enter();
        self.depth += 1;
        self.define(body.params[0], params[0]);
        let yields = emit(self, prepared, params[0], &params[1..]);
        self.depth -= 1;
        self.addresses.leave(inner);
        self.addresses.leave(scope);
        let next = self.b.ins().iadd_imm_s(params[0], step);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, next, end);
        let mut again = Values::from_slice(&[next]);
        again.extend_from_slice(&yields);
        self.b.ins().brif(more, head, &block_args(&again), exit, &block_args(&yields));
        self.b.switch_to_block(exit);
        Values::from_slice(self.b.block_params(exit))
    }

    fn while_loop(&mut self, l: &'a WhileLoop, inst: &KInst) -> Values {
        let init = self.values_of(&inst.operands);
        let types = self.clif_types(&inst.operands);
        let scope = self.addresses.enter();
        self.hoist(&l.cond);
        self.hoist(&l.body);
        let head = self.block_with(&types);
        let exit = self.b.create_block();
        let body = self.b.create_block();
        self.b.ins().jump(head, &block_args(&init));
        self.b.switch_to_block(head);
        let carried = Values::from_slice(self.b.block_params(head));
        self.depth += 1;
        for (&param, &value) in l.cond.params.iter().zip(&carried) {
            self.define(param, value);
        }
        let goes_on = self.scoped(&l.cond)[0];
        self.b.ins().brif(goes_on, body, &[], exit, &[]);
        self.b.switch_to_block(body);
        for (&param, &value) in l.body.params.iter().zip(&carried) {
            self.define(param, value);
        }
        let yields = self.scoped(&l.body);
        self.depth -= 1;
        self.b.ins().jump(head, &block_args(&yields));
        self.addresses.leave(scope);
        self.b.switch_to_block(exit);
        carried
    }

    fn switch(&mut self, blocks: &'a [Block], inst: &KInst) -> Values {
        let index = self.value(inst.operands[0]);
        let ty = self.ty(inst.operands[0]);
        if let [only] = blocks {
            return self.scoped(only);
        }
        self.forget_moved(blocks);
        let types = self.clif_types(&inst.results);
        let join = self.block_with(&types);
        let arms: Vec<ClifBlock> = blocks.iter().map(|_| self.b.create_block()).collect();
        let (&last, init) = arms.split_last().expect("a switch has blocks");
        if let &[first] = init {
            self.b.ins().brif(index, last, &[], first, &[]);
        } else {
            let narrow = match ty {
                Scalar::I64 => {
                    let bound = self.b.ins().iconst(types::I64, init.len() as i64);
                    let small = self.b.ins().icmp(IntCC::UnsignedLessThan, index, bound);
                    let index = self.b.ins().select(small, index, bound);
                    self.b.ins().ireduce(types::I32, index)
                }
                _ => index,
            };
            let pool = &mut self.b.func.dfg.value_lists;
            let default = cranelift_codegen::ir::BlockCall::new(last, [], pool);
            let table: Vec<_> =
                init.iter().map(|&arm| cranelift_codegen::ir::BlockCall::new(arm, [], pool)).collect();
            let table = self.b.create_jump_table(JumpTableData::new(default, &table));
            self.b.ins().br_table(narrow, table);
        }
        for (arm, block) in arms.into_iter().zip(blocks) {
            self.b.switch_to_block(arm);
            let yields = self.scoped(block);
            self.b.ins().jump(join, &block_args(&yields));
        }
        self.b.switch_to_block(join);
        Values::from_slice(self.b.block_params(join))
    }
}
