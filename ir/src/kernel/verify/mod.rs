//! The verifier of the kernel IR: types, dominance, and that no access leaves its memory. It collects what it finds and does not
//! stop at the first error.
//!
//! A program that passes reads and writes nothing but its own memory, whatever its arguments hold: code made from it needs no
//! check at run time. To show that, integers have intervals ([`range`]), and what is made from others by sums, minima and
//! maxima is followed where intervals say too little ([`access`]). What a kernel is called with is known before it is
//! looked at, because callers come first. Two threads that write to one place give it either value, but stay in bounds.

mod access;
mod launch;
pub(crate) mod range;

use super::{
    BLOCK, Block, Combine, Extent, For, KBinary, KCast, KInst, KOp, KUnary, KValue, Kernel, KernelId,
    LoopKind, MOST_COUNTER, MOST_LOCAL, MOST_NESTED, MOST_STEP, MemKind, MemRef, Place, Program, Scalar,
    scalar,
};
use crate::entity::{Entity, EntityVec};
use crate::op::CompareType;
use crate::types::{TensorType, checked_bytes};
use crate::{launch_ops, scalar_ops};
use range::{Interval, Ranges};
use rustc_hash::FxHashSet;

/// Errors that are collected at most.
const MOST_ERRORS: usize = 100;

/// Checks a program; the errors name kernel and instruction.
pub fn verify(program: &Program) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    check_memory(program, &mut errors);
    if program.kernels.get(program.entry).is_none() {
        errors.push(format!("there is no entry {}", program.entry));
    }
    let mut names = FxHashSet::default();
    for kernel in program.kernels.values() {
        if !names.insert(&kernel.name) {
            errors.push(format!("there are several kernels `{}`", kernel.name));
        }
        if is_too_deep(&kernel.body) {
            errors.push(format!("kernel `{}`: blocks nest deeper than {MOST_NESTED}", kernel.name));
            return Err(errors);
        }
    }
    let order = match callers_first(program) {
        Ok(order) => order,
        Err(within) => {
            let name = |id: KernelId| format!("kernel `{}` calls itself", program.kernels[id].name);
            errors.extend(within.into_iter().map(name));
            return Err(errors);
        }
    };
    let mut given: EntityVec<KernelId, Given> = program.kernels.values().map(|_| Given::default()).collect();
    for id in order {
        let kernel = &program.kernels[id];
        let mut checker = Checker {
            program,
            kernel,
            id,
            at: None,
            defined: EntityVec::filled(false, kernel.values.len()),
            visible: EntityVec::filled(false, kernel.values.len()),
            scope: Vec::new(),
            ranges: Ranges::new(kernel),
            reserved: Vec::new(),
            is_dead: false,
            given: &mut given,
            errors: &mut errors,
        };
        checker.kernel();
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What the callers of a kernel give it.
#[derive(Default)]
struct Given {
    /// Values of its scalar parameters; unknown if nobody calls it.
    scalars: Option<Vec<Interval>>,
    /// Memories among its parameters that are read-only for some caller.
    fixed: FxHashSet<u32>,
    /// Memories among its parameters that are local to some caller.
    host: FxHashSet<u32>,
    /// Bytes of local memories of those that call it, one within the other.
    local: usize,
    /// Whether it is called, and whether by several threads.
    is_called: bool,
    is_parallel: bool,
    /// How it is launched.
    launched: Option<launch::Launched>,
}

/// Whether blocks nest deeper than [`MOST_NESTED`]; found without recursion.
fn is_too_deep(body: &Block) -> bool {
    let mut work = vec![(body, 0)];
    while let Some((block, depth)) = work.pop() {
        if depth > MOST_NESTED {
            return true;
        }
        work.extend(block.insts.iter().flat_map(|inst| inst.op.blocks()).map(|inner| (inner, depth + 1)));
    }
    false
}

/// The number of elements of a shape, if their bytes can be counted.
fn elements(shape: &[usize], elem: Scalar) -> Option<usize> {
    checked_bytes(elem.size(), shape).map(|bytes| bytes / elem.size())
}

fn check_memory(program: &Program, errors: &mut Vec<String>) {
    let mut error = |message: String| errors.push(message);
    for (what, types) in [("parameter", &program.params), ("result", &program.results)] {
        for (k, ty) in types.iter().enumerate() {
            let (elem, shape) = Scalar::held(ty);
            if ty.checked_elements().is_none() || elements(&shape, elem).is_none() {
                error(format!("{what} {k} is {ty}, which has no memory form"));
            }
        }
    }
    if isize::try_from(program.scratch).is_err() {
        error(format!("{} bytes of scratch memory", program.scratch));
    }
    for (id, mem) in program.mems.iter() {
        let Some(count) = elements(&mem.shape, mem.elem) else {
            error(format!("{id}: {:?} of {} is more than can be addressed", mem.shape, mem.elem));
            continue;
        };
        let bytes = count * mem.elem.size();
        let mut matches = |types: &[TensorType], k: u32| match types.get(k as usize) {
            Some(ty) if Scalar::held(ty) == (mem.elem, mem.shape.clone()) => {}
            ty => error(format!("{id}: {:?} of {} stands for {ty:?}", mem.shape, mem.elem)),
        };
        match &mem.place {
            Place::Param(k) => matches(&program.params, *k),
            Place::Result(k) => matches(&program.results, *k),
            Place::Constant(constant) => {
                if constant.len() != bytes {
                    error(format!("{id}: {} bytes of constant where {bytes} are needed", constant.len()));
                }
            }
            Place::Scratch(offset) => {
                if offset % 64 != 0 || offset.saturating_add(bytes) > program.scratch {
                    let end = offset.saturating_add(bytes);
                    error(format!("{id}: scratch {offset}..{end} of {}", program.scratch));
                }
            }
            Place::Stack => {}
        }
    }
}

/// The kernels, each before those that it calls; or those that wait for themselves.
fn callers_first(program: &Program) -> Result<Vec<KernelId>, Vec<KernelId>> {
    fn callees(block: &Block, f: &mut dyn FnMut(KernelId)) {
        for inst in &block.insts {
            if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } | KOp::Launch { kernel, .. } =
                inst.op
            {
                f(kernel);
            }
            inst.op.blocks().for_each(|b| callees(b, f));
        }
    }
    let mut waits: EntityVec<KernelId, usize> = EntityVec::filled(0, program.kernels.len());
    let mut calls: EntityVec<KernelId, Vec<KernelId>> =
        program.kernels.values().map(|_| Vec::new()).collect();
    for (id, kernel) in program.kernels.iter() {
        callees(&kernel.body, &mut |callee| {
            // One that is not there is found where it is called.
            if waits.get(callee).is_some() {
                waits[callee] += 1;
                calls[id].push(callee);
            }
        });
    }
    let mut order: Vec<KernelId> = waits.iter().filter(|(_, n)| **n == 0).map(|(id, _)| id).collect();
    let mut done = 0;
    while let Some(&id) = order.get(done) {
        done += 1;
        for &callee in &calls[id] {
            waits[callee] -= 1;
            if waits[callee] == 0 {
                order.push(callee);
            }
        }
    }
    // What is called by a cycle waits too, so only those that reach themselves are named.
    let reaches_itself = |id: KernelId| {
        let (mut work, mut seen) = (calls[id].clone(), FxHashSet::default());
        while let Some(k) = work.pop() {
            if k == id {
                return true;
            }
            if seen.insert(k.index()) {
                work.extend(&calls[k]);
            }
        }
        false
    };
    if order.len() == waits.len() {
        return Ok(order);
    }
    Err(waits.iter().map(|(id, _)| id).filter(|&id| reaches_itself(id)).take(MOST_ERRORS).collect())
}

struct Checker<'a> {
    program: &'a Program,
    kernel: &'a Kernel,
    id: KernelId,
    /// The instruction being checked.
    at: Option<&'a KInst>,
    /// Values that have a definition anywhere so far.
    defined: EntityVec<KValue, bool>,
    /// Values that may be used here, and those in the order in which they came.
    visible: EntityVec<KValue, bool>,
    scope: Vec<KValue>,
    ranges: Ranges,
    /// Stacks with numbers of rows that there is room for here.
    reserved: Vec<(MemRef, KValue)>,
    /// Whether what is being checked never runs: in a loop without trips.
    is_dead: bool,
    given: &'a mut EntityVec<KernelId, Given>,
    errors: &'a mut Vec<String>,
}

impl<'a> Checker<'a> {
    fn error(&mut self, message: impl AsRef<str>) {
        if self.errors.len() >= MOST_ERRORS {
            return;
        }
        let at = match self.at {
            None => String::new(),
            Some(inst) => {
                let results: Vec<String> = inst.results.iter().map(|r| r.to_string()).collect();
                format!(", {} = {}", results.join(", "), name(&inst.op))
            }
        };
        self.errors.push(format!("kernel `{}`{at}: {}", self.kernel.name, message.as_ref()));
    }

    /// Notes an error unless something holds; the message is made only then.
    fn require<S: AsRef<str>>(&mut self, holds: bool, message: impl FnOnce() -> S) -> bool {
        if !holds {
            self.error(message());
        }
        holds
    }

    fn is_entry(&self) -> bool {
        self.id == self.program.entry
    }

    fn kernel(&mut self) {
        let before = self.errors.len();
        let mut numbers: Vec<u32> = Vec::new();
        let mut local = self.given[self.id].local;
        for (id, m) in self.kernel.mems.iter() {
            match m.kind {
                MemKind::Program(mem) => match self.program.mems.get(mem) {
                    None => self.error(format!("{id}: there is no {mem}")),
                    Some(def) => {
                        let count = elements(&def.shape, def.elem).unwrap_or(0);
                        let fits = def.elem == m.elem && m.len <= count;
                        self.require(fits, || {
                            format!("{id}: {} of {} in {mem}, {count} of {}", m.len, m.elem, def.elem)
                        });
                    }
                },
                MemKind::Param(k) => {
                    numbers.push(k);
                    let is_entry = self.is_entry();
                    self.require(!is_entry, || format!("{id}: the entry has no arguments"));
                    let counted = elements(&[m.len], m.elem).is_some();
                    self.require(counted, || format!("{id}: the size of {} does not fit", m.len));
                }
                MemKind::Local => {
                    let bytes = elements(&[m.len], m.elem).map_or(usize::MAX, |n| n * m.elem.size());
                    // Each begins at a multiple of 64.
                    local = local.saturating_add(bytes).saturating_add(64);
                }
                // Counted with what is launched.
                MemKind::Workgroup => {}
            }
        }
        self.require(local <= MOST_LOCAL, || format!("{local} bytes of local memory, {MOST_LOCAL} at most"));
        self.given[self.id].local = local;
        self.launched();
        numbers.sort_unstable();
        for (k, pair) in numbers.windows(2).enumerate() {
            self.require(pair[0] != pair[1], || format!("argument {k} is bound twice"));
        }
        let count = numbers.len();
        if let Some(&last) = numbers.last() {
            self.require((last as usize) < count, || format!("argument {last} of {count}"));
        }
        let body = &self.kernel.body;
        let is_entry = self.is_entry();
        self.require(!is_entry || body.params.is_empty(), || "the entry has no arguments");
        self.require(body.yields.is_empty(), || "a kernel gives nothing");
        body.params.iter().for_each(|&v| self.define(v));
        if let Some(scalars) = self.given[self.id].scalars.take() {
            body.params.iter().zip(scalars).for_each(|(&v, interval)| self.ranges.define(v, interval));
        }
        self.block(body);
        if self.errors.len() == before {
            self.barriers();
        }
    }

    fn define(&mut self, v: KValue) {
        if self.kernel.values.get(v).is_none() {
            self.error(format!("{v} has no type"));
        } else {
            let first = !self.defined[v];
            self.require(first, || format!("{v} is defined twice"));
            self.defined[v] = true;
            self.visible[v] = true;
            self.scope.push(v);
        }
    }

    /// The type of a value that may be used here.
    fn ty(&mut self, v: KValue) -> Option<Scalar> {
        if self.visible.get(v) == Some(&true) {
            return Some(self.kernel.values[v]);
        }
        self.error(format!("{v} is not defined here"));
        None
    }

    fn expect(&mut self, v: KValue, ty: Scalar) {
        if let Some(actual) = self.ty(v) {
            self.require(actual == ty, || format!("{v} is {actual}, not {ty}"));
        }
    }

    /// Checks the instructions of a block whose parameters are defined; what it defines, and room that it makes, end with it.
    fn block(&mut self, block: &'a Block) {
        let (scope, reserved) = (self.scope.len(), self.reserved.len());
        for inst in &block.insts {
            self.at = Some(inst);
            self.inst(inst);
            inst.results.iter().for_each(|&v| self.define(v));
        }
        self.at = None;
        block.yields.iter().for_each(|&v| {
            self.ty(v);
        });
        self.leave(scope);
        self.reserved.truncate(reserved);
    }

    /// Forgets what has been defined since the scope had this length.
    fn leave(&mut self, scope: usize) {
        for v in self.scope.drain(scope..) {
            self.visible[v] = false;
        }
    }

    /// Checks a block inside the instruction: its parameters and what it yields.
    fn region(&mut self, block: &'a Block, params: &[Scalar], yields: &[Scalar]) {
        let (at, scope) = (self.at, self.scope.len());
        if self.require(block.params.len() == params.len(), || {
            format!("a block takes {} values", block.params.len())
        }) {
            for (&v, &ty) in block.params.iter().zip(params) {
                self.define(v);
                self.expect(v, ty);
            }
        }
        // Yields see what the block defines: check their types by declaration, dominance in `block`.
        let kernel = self.kernel;
        let types = || block.yields.iter().map(|&v| kernel.values.get(v).copied());
        let same = types().eq(yields.iter().map(|&ty| Some(ty)));
        self.require(same, || format!("a block yields {:?}, not {yields:?}", types().collect::<Vec<_>>()));
        self.block(block);
        self.leave(scope);
        self.at = at;
    }

    fn inst(&mut self, inst: &'a KInst) {
        let Some(x) = inst.operands.iter().map(|&v| self.ty(v)).collect::<Option<Types>>() else {
            return;
        };
        let r: Types = inst.results.iter().filter_map(|&r| self.kernel.values.get(r).copied()).collect();
        if r.len() != inst.results.len() {
            // Said where they are defined.
            return;
        }
        let shape = |operands: usize, results: usize| x.len() == operands && r.len() == results;
        let mut well_formed = true;
        for extent in inst.op.extents() {
            if let Extent::Value(v) = *extent {
                let before = self.errors.len();
                self.expect(v, Scalar::I64);
                well_formed &= self.errors.len() == before;
            }
        }
        if !well_formed {
            return;
        }
        let ok = match &inst.op {
            KOp::Const(_) => shape(0, 1),
            KOp::Unary(op) => shape(1, 1) && x[0] == r[0] && unary_takes(*op, x[0]),
            KOp::Binary(op) => shape(2, 1) && x[0] == r[0] && x[1] == r[0] && binary_takes(*op, x[0]),
            KOp::Compare(_, kind) => {
                shape(2, 1)
                    && x[0] == x[1]
                    && r[0] == Scalar::I1
                    && match kind {
                        CompareType::Float | CompareType::TotalOrder => x[0].is_float(),
                        CompareType::Signed => !x[0].is_float() && x[0] != Scalar::I1,
                        CompareType::Unsigned => !x[0].is_float(),
                    }
            }
            KOp::Select => shape(3, 1) && x[0] == Scalar::I1 && x[1] == r[0] && x[2] == r[0],
            KOp::Fma => shape(3, 1) && r[0].is_float() && x.iter().all(|&t| t == r[0]),
            // A truth value is 0 or 1: it has no sign to extend.
            KOp::Cast(KCast::Signed) => shape(1, 1) && x[0] != Scalar::I1,
            KOp::Cast(KCast::Unsigned) => shape(1, 1),
            KOp::Cast(KCast::Bits) => shape(1, 1) && scalar::width(x[0]) == scalar::width(r[0]),
            KOp::Math(_) => shape(1, 1) && r[0].is_float() && x[0] == r[0],
            KOp::Math2(_) => shape(2, 1) && r[0].is_float() && x[0] == r[0] && x[1] == r[0],
            KOp::Load(access) => {
                self.access(access, 1);
                shape(0, 1) && self.elem(access.mem) == Some(r[0])
            }
            KOp::Store(access) => {
                self.access(access, 1);
                self.writable(access.mem);
                shape(1, 0) && self.elem(access.mem) == Some(x[0])
            }
            KOp::For(f) => return self.counted(f, inst, &x, &r),
            KOp::While(w) => {
                self.require(x == r, || format!("{x:?} goes in and {r:?} comes out"));
                for (k, &v) in inst.operands.iter().enumerate() {
                    let params = [&w.cond, &w.body].map(|block| block.params.get(k).copied());
                    let interval = self.grown(&w.body, params[1], w.body.yields.get(k).copied(), v);
                    let all = params.into_iter().flatten().chain(inst.results.get(k).copied());
                    all.for_each(|v| self.ranges.define(v, interval));
                }
                self.region(&w.cond, &x, &[Scalar::I1]);
                self.region(&w.body, &x, &x);
                return;
            }
            KOp::Switch(blocks) => {
                for block in blocks {
                    self.region(block, &[], &r);
                }
                for (k, &v) in inst.results.iter().enumerate() {
                    let yields = blocks.iter().filter_map(|block| block.yields.get(k));
                    let intervals = yields.map(|&v| self.ranges.interval(v));
                    if let Some(interval) = intervals.reduce(range::hull) {
                        self.ranges.define(v, interval);
                    }
                }
                x.len() == 1 && matches!(x[0], Scalar::I32 | Scalar::I64) && !blocks.is_empty()
            }
            KOp::Call { kernel, mems } => {
                let scalars: Vec<Interval> = inst.operands.iter().map(|&v| self.ranges.interval(v)).collect();
                let is_parallel = self.given[self.id].is_parallel;
                self.called(*kernel, is_parallel);
                self.call(*kernel, mems, &x, scalars);
                r.is_empty()
            }
            KOp::Parallel { kernel, mems, extent, grain } => {
                let mut types = Types::from_slice(&[Scalar::I64; 2]);
                types.extend_from_slice(&x);
                // Pieces are not empty, and lie within the range.
                let most = self.bound(*extent).1.max(0);
                let mut scalars: Vec<Interval> = vec![(0, most), (0, most)];
                scalars.extend(inst.operands.iter().map(|&v| self.ranges.interval(v)));
                self.called(*kernel, true);
                self.call(*kernel, mems, &types, scalars);
                r.is_empty() && (1..=MOST_STEP).contains(grain)
            }
            KOp::Launch { kernel, mems, grid, block } => {
                self.launch(*kernel, mems, grid, *block);
                let scalars: Vec<Interval> = inst.operands.iter().map(|&v| self.ranges.interval(v)).collect();
                self.call(*kernel, mems, &x, scalars);
                r.is_empty()
            }
            KOp::ThreadId(axis) | KOp::BlockId(axis) => {
                let ok = shape(0, 1) && r[0] == Scalar::I64;
                if ok {
                    self.id_of(inst.results[0], &inst.op, *axis);
                }
                ok
            }
            KOp::Barrier => shape(0, 0),
            KOp::Shuffle(mask) => {
                self.shuffle(*mask);
                shape(1, 1) && x[0] == r[0]
            }
            KOp::Library(call) => {
                self.library(call);
                shape(0, 0)
            }
            KOp::Reserve(m) => {
                let ok = shape(1, 0) && x[0] == Scalar::I64 && self.is_stack(*m);
                // Stacks move when they grow: who is called may rely on where they are.
                let is_entry = self.is_entry();
                self.require(is_entry, || "room in stacks is made by the entry only");
                if ok {
                    self.reserved.push((*m, inst.operands[0]));
                }
                ok
            }
            KOp::Steps(_) => r.is_empty() && matches!(x[..], [] | [Scalar::I64]),
        };
        if self.require(ok, || format!("does not take {x:?} and give {r:?}")) {
            self.ranges.define_result(self.kernel, inst);
        }
    }

    fn counted(&mut self, f: &'a For, inst: &KInst, x: &[Scalar], r: &[Scalar]) {
        let step = f.step;
        if !self.require((1..=MOST_STEP).contains(&step), || format!("step {step}")) {
            return;
        }
        match &f.kind {
            LoopKind::Sequential => {
                self.require(x == r, || format!("{x:?} goes in and {r:?} comes out"));
            }
            LoopKind::Vector => {
                self.require(x.is_empty() && r.is_empty(), || "independent iterations carry nothing");
            }
            LoopKind::Lanes(combines) => {
                self.require(x.is_empty(), || "lanes start from identities, not from operands");
                let fits =
                    combines.len() == r.len() && combines.iter().zip(r).all(|(&c, &ty)| combines_type(c, ty));
                self.require(fits, || format!("{combines:?} of {r:?}"));
                if let (Extent::Const(start), Extent::Const(end)) = (f.start, f.end) {
                    let length = (i128::from(end) - i128::from(start)).max(0) as u128;
                    let trips = length.div_ceil(step as u128);
                    let fits = trips <= BLOCK as u128;
                    self.require(fits, || format!("{trips} iterations in a block of {BLOCK}"));
                }
            }
        }
        let (start, end) = (self.bound(f.start), self.bound(f.end));
        // The last value, where both bounds are known; else one that it does not exceed.
        let last = match (f.start, f.end) {
            (Extent::Const(_), Extent::Const(_)) if start.0 < end.0 => {
                start.0 + (end.0 - 1 - start.0) / step * step
            }
            _ => end.1 - 1,
        };
        let was_dead = self.is_dead;
        self.is_dead |= last < start.0;
        if let Some(&counter) = f.body.params.first() {
            self.ranges.define_counter(counter, f.start, f.end, last);
        }
        if f.kind == LoopKind::Sequential {
            for (k, &v) in inst.operands.iter().enumerate() {
                let param = f.body.params.get(k + 1).copied();
                let interval = self.grown(&f.body, param, f.body.yields.get(k).copied(), v);
                let all = param.into_iter().chain(inst.results.get(k).copied());
                all.for_each(|v| self.ranges.define(v, interval));
            }
        }
        let mut params = Types::from_slice(&[Scalar::I64]);
        params.extend_from_slice(r);
        let mut before = Vec::new();
        if let (Extent::Const(0), Extent::Value(trips)) = (f.start, f.end) {
            match self.ranges.assume(trips) {
                Some(known) => before = known,
                None => self.is_dead = true,
            }
        }
        self.region(&f.body, &params, r);
        self.ranges.forget(before);
        self.is_dead = was_dead;
    }

    /// The values of a bound of a loop, which must be such that counting to it does not wrap.
    fn bound(&mut self, extent: Extent) -> Interval {
        let (low, high) = self.ranges.of_extent(extent);
        let fits = low >= -MOST_COUNTER && high <= MOST_COUNTER;
        self.require(fits || self.is_dead, || {
            format!("a bound that may be {low}..={high}: loops count between -2^60 and 2^60")
        });
        (low.max(-MOST_COUNTER), high.min(MOST_COUNTER))
    }

    /// What a loop may carry that starts with `init`: what it yields again stays what it was, and what it yields plus one counts.
    fn grown(&self, body: &Block, param: Option<KValue>, yielded: Option<KValue>, init: KValue) -> Interval {
        let every = self.kernel.values.get(init).map_or((i64::MIN, i64::MAX), |&ty| range::every(ty));
        let (Some(param), Some(yielded)) = (param, yielded) else { return every };
        let from = self.ranges.interval(init);
        if param == yielded {
            return from;
        }
        if from.1 > MOST_COUNTER || self.kernel.values.get(param) != Some(&Scalar::I64) {
            return every;
        }
        let is_one = |v: KValue| {
            let known = self.visible.get(v) == Some(&true) && self.ranges.interval(v) == (1, 1);
            known || body.insts.iter().any(|inst| inst.results[..] == [v] && inst.op == KOp::Const(1))
        };
        // It is among the last instructions, or not looked for.
        let makes = |inst: &&KInst| inst.results[..] == [yielded];
        let grows = body.insts.iter().rev().take(16).find(makes).is_some_and(|inst| {
            let one = match inst.operands[..] {
                [a, b] if a == param => b,
                [a, b] if b == param => a,
                _ => return false,
            };
            inst.op == KOp::Binary(KBinary::Add) && is_one(one)
        });
        if grows { range::counted_up(from) } else { every }
    }

    fn elem(&self, m: MemRef) -> Option<Scalar> {
        self.kernel.mems.get(m).map(|d| d.elem)
    }

    fn place(&self, m: MemRef) -> Option<&'a Place> {
        match self.kernel.mems.get(m)?.kind {
            MemKind::Program(mem) => self.program.mems.get(mem).map(|d| &d.place),
            MemKind::Param(_) | MemKind::Local | MemKind::Workgroup => None,
        }
    }

    fn is_stack(&self, m: MemRef) -> bool {
        self.place(m) == Some(&Place::Stack)
    }

    /// Whether a memory is read-only, here or for a caller.
    fn is_fixed(&self, m: MemRef) -> bool {
        match self.kernel.mems.get(m).map(|def| def.kind) {
            Some(MemKind::Param(k)) => self.given[self.id].fixed.contains(&k),
            Some(MemKind::Program(_) | MemKind::Local | MemKind::Workgroup) | None => {
                matches!(self.place(m), Some(Place::Param(_) | Place::Constant(_)))
            }
        }
    }

    fn writable(&mut self, m: MemRef) {
        let fixed = self.is_fixed(m);
        self.require(!fixed, || format!("{m} is read-only"));
    }
}

/// Types of operands or results: few.
type Types = smallvec::SmallVec<[Scalar; 4]>;

/// A word for an instruction in messages.
fn name(op: &KOp) -> String {
    let text = match op {
        KOp::For(_) => "For".to_owned(),
        KOp::While(_) => "While".to_owned(),
        KOp::Switch(_) => "Switch".to_owned(),
        scalar_ops!()
        | KOp::Load(_)
        | KOp::Store(_)
        | KOp::Call { .. }
        | KOp::Parallel { .. }
        | launch_ops!()
        | KOp::Library(_)
        | KOp::Reserve(_)
        | KOp::Steps(_) => format!("{op:?}"),
    };
    let end = text.find(" {").unwrap_or(text.len()).min(60);
    text.chars().take(end).collect()
}

fn unary_takes(op: KUnary, ty: Scalar) -> bool {
    match op {
        KUnary::Neg | KUnary::Abs => ty != Scalar::I1,
        KUnary::Sqrt | KUnary::Floor | KUnary::Ceil | KUnary::Nearest => ty.is_float(),
        KUnary::Not | KUnary::Popcnt | KUnary::Clz => !ty.is_float(),
    }
}

fn binary_takes(op: KBinary, ty: Scalar) -> bool {
    let integer = !ty.is_float() && ty != Scalar::I1;
    match op {
        KBinary::Add
        | KBinary::Sub
        | KBinary::Mul
        | KBinary::Div
        | KBinary::Rem
        | KBinary::Min
        | KBinary::Max => ty != Scalar::I1,
        KBinary::And | KBinary::Or | KBinary::Xor => !ty.is_float(),
        KBinary::DivU
        | KBinary::RemU
        | KBinary::MinU
        | KBinary::MaxU
        | KBinary::Shl
        | KBinary::Shr
        | KBinary::ShrU => integer,
        KBinary::NextAfter => ty.is_float(),
    }
}

fn combines_type(combine: Combine, ty: Scalar) -> bool {
    binary_takes(combine.op(), ty)
}
