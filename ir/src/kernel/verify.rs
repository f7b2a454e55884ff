//! The verifier of the kernel IR: types, dominance, bounds that are known, and what each operation asks of
//! its operands. It collects what it finds and does not stop at the first error.

use super::{
    Access, BLOCK, Block, Combine, Extent, For, KBinary, KCast, KInst, KOp, KUnary, KValue, Kernel, KernelId,
    Library, LoopKind, Matrix, MemKind, MemRef, Place, Program, Scalar, scalar,
};
use crate::entity::EntityVec;
use crate::op::CompareType;
use crate::types::TensorType;

/// Checks a program; the errors name kernel and instruction.
pub fn verify(program: &Program) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    check_memory(program, &mut errors);
    if program.kernels.get(program.entry).is_none() {
        errors.push(format!("there is no entry {}", program.entry));
    }
    for (id, kernel) in program.kernels.iter() {
        if program.kernels.values().filter(|k| k.name == kernel.name).count() > 1 {
            errors.push(format!("there are several kernels `{}`", kernel.name));
        }
        let mut checker = Checker {
            program,
            kernel,
            is_entry: id == program.entry,
            at: String::new(),
            defined: EntityVec::filled(false, kernel.values.len()),
            visible: EntityVec::filled(false, kernel.values.len()),
            ranges: EntityVec::filled(None, kernel.values.len()),
            errors: &mut errors,
        };
        checker.kernel();
    }
    if errors.is_empty() {
        check_recursion(program, &mut errors);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn check_memory(program: &Program, errors: &mut Vec<String>) {
    let mut error = |message: String| errors.push(message);
    for (what, types) in [("parameter", &program.params), ("result", &program.results)] {
        for (k, ty) in types.iter().enumerate() {
            if ty.checked_elements().is_none() {
                error(format!("{what} {k} is {ty}, which has no memory form"));
            }
        }
    }
    for (id, mem) in program.mems.iter() {
        let Some(bytes) = mem.checked_bytes() else {
            error(format!("{id}: {:?} of {} is more than can be addressed", mem.shape, mem.elem));
            continue;
        };
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

/// Kernels may not call themselves, not even by way of others.
fn check_recursion(program: &Program, errors: &mut Vec<String>) {
    fn callees(block: &Block, out: &mut Vec<KernelId>) {
        for inst in &block.insts {
            if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } = inst.op {
                out.push(kernel);
            }
            inst.op.blocks().for_each(|b| callees(b, out));
        }
    }
    let calls: EntityVec<KernelId, Vec<KernelId>> = (program.kernels.values())
        .map(|k| {
            let mut out = Vec::new();
            callees(&k.body, &mut out);
            out
        })
        .collect();
    // Kernels all of whose callees are done are done; what remains waits for itself.
    let mut done: EntityVec<KernelId, bool> = EntityVec::filled(false, calls.len());
    loop {
        let next: Vec<KernelId> = calls
            .iter()
            .filter(|(id, c)| !done[*id] && c.iter().all(|&c| done[c]))
            .map(|(id, _)| id)
            .collect();
        if next.is_empty() {
            break;
        }
        next.into_iter().for_each(|id| done[id] = true);
    }
    for (id, _) in done.iter().filter(|(_, done)| !**done) {
        errors.push(format!("kernel `{}` calls itself", program.kernels[id].name));
    }
}

struct Checker<'a> {
    program: &'a Program,
    kernel: &'a Kernel,
    is_entry: bool,
    /// The instruction being checked.
    at: String,
    /// Values that have a definition anywhere so far.
    defined: EntityVec<KValue, bool>,
    /// Values that may be used here.
    visible: EntityVec<KValue, bool>,
    /// Least and largest value of counters and constants, where known to be reached.
    ranges: EntityVec<KValue, Option<(i64, i64)>>,
    errors: &'a mut Vec<String>,
}

impl<'a> Checker<'a> {
    fn error(&mut self, message: impl AsRef<str>) {
        let at = if self.at.is_empty() { String::new() } else { format!(", {}", self.at) };
        self.errors.push(format!("kernel `{}`{at}: {}", self.kernel.name, message.as_ref()));
    }

    fn require(&mut self, holds: bool, message: impl AsRef<str>) -> bool {
        if !holds {
            self.error(message);
        }
        holds
    }

    fn kernel(&mut self) {
        let mut params = 0;
        for (id, m) in self.kernel.mems.iter() {
            match m.kind {
                MemKind::Program(mem) => match self.program.mems.get(mem) {
                    None => self.error(format!("{id}: there is no {mem}")),
                    Some(def) => {
                        let count = def.checked_bytes().map_or(0, |bytes| bytes / def.elem.size());
                        let fits = def.elem == m.elem && m.len <= count;
                        self.require(
                            fits,
                            format!("{id}: {} of {} in {mem}, {count} of {}", m.len, m.elem, def.elem),
                        );
                    }
                },
                MemKind::Param(k) => {
                    params += 1;
                    let same = |d: &&super::MemRefDef| d.kind == m.kind;
                    let once = self.kernel.mems.values().filter(same).count() == 1;
                    self.require(once, format!("{id}: argument {k} is bound twice"));
                    self.require(!self.is_entry, format!("{id}: the entry has no arguments"));
                }
                MemKind::Local => {}
            }
        }
        for (id, m) in self.kernel.mems.iter() {
            if let MemKind::Param(k) = m.kind {
                self.require(k < params, format!("{id}: argument {k} of {params}"));
            }
        }
        let body = &self.kernel.body;
        self.require(!self.is_entry || body.params.is_empty(), "the entry has no arguments");
        self.require(body.yields.is_empty(), "a kernel gives nothing");
        body.params.iter().for_each(|&v| self.define(v));
        self.block(body);
    }

    fn define(&mut self, v: KValue) {
        if self.kernel.values.get(v).is_none() {
            self.error(format!("{v} has no type"));
        } else {
            let first = !self.defined[v];
            self.require(first, format!("{v} is defined twice"));
            self.defined[v] = true;
            self.visible[v] = true;
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
            self.require(actual == ty, format!("{v} is {actual}, not {ty}"));
        }
    }

    /// Checks the instructions of a block whose parameters are defined; what it defines ends with it.
    fn block(&mut self, block: &Block) {
        let before = self.visible.clone();
        for inst in &block.insts {
            let results: Vec<String> = inst.results.iter().map(|r| r.to_string()).collect();
            self.at = format!("{} = {}", results.join(", "), name(&inst.op));
            self.inst(inst);
            inst.results.iter().for_each(|&v| self.define(v));
        }
        self.at.clear();
        block.yields.iter().for_each(|&v| {
            self.ty(v);
        });
        self.visible = before;
    }

    /// Checks a block inside the instruction: its parameters and what it yields.
    fn region(&mut self, block: &Block, params: &[Scalar], yields: &[Scalar]) {
        let at = self.at.clone();
        let before = self.visible.clone();
        if self.require(
            block.params.len() == params.len(),
            format!("a block takes {} values", block.params.len()),
        ) {
            for (&v, &ty) in block.params.iter().zip(params) {
                self.define(v);
                self.expect(v, ty);
            }
        }
        // Yields see what the block defines: check their types by declaration, dominance in `block`.
        let types: Vec<Option<Scalar>> =
            block.yields.iter().map(|&v| self.kernel.values.get(v).copied()).collect();
        let expected: Vec<Option<Scalar>> = yields.iter().copied().map(Some).collect();
        self.require(types == expected, format!("a block yields {types:?}, not {yields:?}"));
        self.block(block);
        self.visible = before;
        self.at = at;
    }

    /// As [`Checker::region`], for a block that may not be reached: what is known of counters is forgotten.
    fn maybe(&mut self, block: &Block, params: &[Scalar], yields: &[Scalar]) {
        let ranges = self.ranges.clone();
        self.ranges = EntityVec::filled(None, ranges.len());
        self.region(block, params, yields);
        self.ranges = ranges;
    }

    fn result_types(&mut self, inst: &KInst) -> Vec<Scalar> {
        inst.results.iter().filter_map(|&r| self.kernel.values.get(r).copied()).collect()
    }

    fn inst(&mut self, inst: &KInst) {
        let Some(x) = inst.operands.iter().map(|&v| self.ty(v)).collect::<Option<Vec<Scalar>>>() else {
            return;
        };
        let r = self.result_types(inst);
        let shape = |operands: usize, results: usize| x.len() == operands && r.len() == results;
        for extent in inst.op.extents() {
            if let Extent::Value(v) = *extent {
                self.expect(v, Scalar::I64);
            }
        }
        let ok = match &inst.op {
            KOp::Const(word) => {
                if let (Some(&v), Some(Scalar::I64)) = (inst.results.first(), r.first())
                    && self.ranges.get(v).is_some()
                {
                    self.ranges[v] = Some((*word as i64, *word as i64));
                }
                shape(0, 1)
            }
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
            KOp::For(f) => return self.counted(f, &x, &r),
            KOp::While(w) => {
                self.require(x == r, format!("{x:?} goes in and {r:?} comes out"));
                self.maybe(&w.cond, &x, &[Scalar::I1]);
                self.maybe(&w.body, &x, &x);
                return;
            }
            KOp::Switch(blocks) => {
                blocks.iter().for_each(|b| self.maybe(b, &[], &r));
                x.len() == 1 && matches!(x[0], Scalar::I32 | Scalar::I64) && !blocks.is_empty()
            }
            KOp::Call { kernel, mems } => {
                self.call(*kernel, mems, &x);
                r.is_empty()
            }
            KOp::Parallel { kernel, mems, grain, .. } => {
                let mut scalars = vec![Scalar::I64; 2];
                scalars.extend(&x);
                self.call(*kernel, mems, &scalars);
                r.is_empty() && *grain >= 1
            }
            KOp::Library(call) => {
                self.library(call);
                shape(0, 0)
            }
            KOp::Reserve(m) => shape(1, 0) && x[0] == Scalar::I64 && self.is_stack(*m),
        };
        self.require(ok, format!("does not take {x:?} and give {r:?}"));
    }

    fn counted(&mut self, f: &For, x: &[Scalar], r: &[Scalar]) {
        self.require(f.step >= 1, format!("step {}", f.step));
        match &f.kind {
            LoopKind::Sequential => {
                self.require(x == r, format!("{x:?} goes in and {r:?} comes out"));
            }
            LoopKind::Vector => {
                self.require(x.is_empty() && r.is_empty(), "independent iterations carry nothing");
            }
            LoopKind::Lanes(combines) => {
                self.require(x.is_empty(), "lanes start from identities, not from operands");
                let fits =
                    combines.len() == r.len() && combines.iter().zip(r).all(|(&c, &ty)| combines_type(c, ty));
                self.require(fits, format!("{combines:?} of {r:?}"));
                if let (Extent::Const(start), Extent::Const(end)) = (f.start, f.end) {
                    let trips = (end as i128 - start as i128).max(0) as u128 / f.step.max(1) as u128;
                    self.require(trips <= BLOCK as u128, format!("{trips} iterations in a block of {BLOCK}"));
                }
            }
        }
        let params: Vec<Scalar> = std::iter::once(Scalar::I64).chain(r.iter().copied()).collect();
        match (f.start, f.end, f.body.params.first()) {
            (Extent::Const(start), Extent::Const(end), Some(&counter))
                if start < end && f.step >= 1 && self.ranges.get(counter).is_some() =>
            {
                let last = (end as i128 - 1 - start as i128) / f.step as i128 * f.step as i128;
                self.ranges[counter] = Some((start, (start as i128 + last) as i64));
                self.region(&f.body, &params, r);
            }
            _ => self.maybe(&f.body, &params, r),
        }
    }

    fn elem(&self, m: MemRef) -> Option<Scalar> {
        self.kernel.mems.get(m).map(|d| d.elem)
    }

    fn place(&self, m: MemRef) -> Option<&'a Place> {
        match self.kernel.mems.get(m)?.kind {
            MemKind::Program(mem) => self.program.mems.get(mem).map(|d| &d.place),
            MemKind::Param(_) | MemKind::Local => None,
        }
    }

    fn is_stack(&self, m: MemRef) -> bool {
        self.place(m) == Some(&Place::Stack)
    }

    fn writable(&mut self, m: MemRef) {
        let fixed = matches!(self.place(m), Some(Place::Param(_) | Place::Constant(_)));
        self.require(!fixed, format!("{m} is read-only"));
    }

    /// Checks an access to elements up to `count` after its position, as far as that is known.
    fn access(&mut self, access: &Access, count: i128) {
        let Some(def) = self.kernel.mems.get(access.mem) else {
            return self.error(format!("there is no memref {}", access.mem));
        };
        let (mut least, mut most) = (access.offset as i128, access.offset as i128);
        let mut known = true;
        for (k, &(v, stride)) in access.terms.iter().enumerate() {
            self.expect(v, Scalar::I64);
            let repeats = access.terms[..k].iter().any(|t| t.0 == v);
            self.require(!repeats, format!("{v} occurs twice in one access"));
            match self.ranges.get(v).copied().flatten() {
                Some((low, high)) => {
                    let (a, b) = (low as i128 * stride as i128, high as i128 * stride as i128);
                    least += a.min(b);
                    most += a.max(b);
                }
                None => known = false,
            }
        }
        // A stack has as many rows as it has; a parameter may be one.
        let room =
            if matches!(self.place(access.mem), Some(Place::Stack)) { i128::MAX } else { def.len as i128 };
        if known && (least < 0 || most.saturating_add(count) > room) {
            let most = most + count - 1;
            self.error(format!("access to {least}..={most} of {}, which has {}", access.mem, def.len));
        }
    }

    fn call(&mut self, kernel: KernelId, mems: &[Access], scalars: &[Scalar]) {
        let Some(callee) = self.program.kernels.get(kernel) else {
            return self.error(format!("there is no {kernel}"));
        };
        let takes: Vec<Scalar> =
            callee.body.params.iter().filter_map(|&v| callee.values.get(v).copied()).collect();
        self.require(takes == scalars, format!("`{}` takes {takes:?}, not {scalars:?}", callee.name));
        let params = callee.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).count();
        self.require(
            params == mems.len(),
            format!("`{}` takes {params} memories, not {}", callee.name, mems.len()),
        );
        for def in callee.mems.values() {
            let MemKind::Param(k) = def.kind else { continue };
            let Some(access) = mems.get(k as usize) else { continue };
            self.access(access, def.len as i128);
            let elem = self.elem(access.mem);
            self.require(elem == Some(def.elem), format!("argument {k} of `{}` is of {elem:?}", callee.name));
        }
    }

    fn library(&mut self, call: &Library) {
        match call {
            Library::Gemm { elem, sizes: [batches, rows, columns, depth], a, b, c, adds: _ } => {
                self.require(elem.is_float(), "a product of floats");
                self.matrix(*elem, a, [*batches, *rows, *depth]);
                self.matrix(*elem, b, [*batches, *depth, *columns]);
                self.matrix(*elem, c, [*batches, *rows, *columns]);
                self.writable(c.at.mem);
            }
            Library::Tile { src, dst, len, .. } => self.tile(&[src], dst, *len),
            Library::Tile2 { a, b, dst, len, .. } => self.tile(&[a, b], dst, *len),
            Library::Reference { program, inputs, outputs } => {
                self.tensors("inputs", inputs, program.params());
                self.tensors("outputs", outputs, program.results());
                outputs.iter().for_each(|a| self.writable(a.mem));
            }
        }
    }

    /// Whole tensors in memory.
    fn tensors(&mut self, what: &str, accesses: &[Access], types: &[crate::types::TensorType]) {
        self.require(
            accesses.len() == types.len(),
            format!("the program has {} {what}, not {}", types.len(), accesses.len()),
        );
        for (access, ty) in accesses.iter().zip(types) {
            let (elem, each) = Scalar::stored(ty.dtype);
            let found = self.elem(access.mem);
            self.require(found == Some(elem), format!("{} is of {found:?}, not {elem}", access.mem));
            self.access(access, (ty.elements() * each) as i128);
        }
    }

    fn matrix(&mut self, elem: Scalar, m: &Matrix, sizes: [usize; 3]) {
        let strides = [m.batch_stride, m.row_stride, m.col_stride];
        let dims = || sizes.iter().zip(strides).map(|(&n, s)| (n as i128 - 1) * s as i128);
        let (below, above): (i128, i128) = (dims().filter(|&d| d < 0).sum(), dims().filter(|&d| d > 0).sum());
        let found = self.elem(m.at.mem);
        self.require(found == Some(elem), format!("{} is of {found:?}, not {elem}", m.at.mem));
        if !sizes.contains(&0) {
            self.access(&m.at, 1 + above);
            if below < 0 {
                self.error("a stride is negative");
            }
        }
    }

    fn tile(&mut self, sources: &[&Access], dst: &Access, len: Extent) {
        let count = match len {
            Extent::Const(n) => n.max(0) as i128,
            Extent::Value(_) => 0,
        };
        let elem = self.elem(dst.mem);
        self.require(elem.is_some_and(Scalar::is_float), "tiles are of floats");
        for access in sources.iter().copied().chain([dst]) {
            self.access(access, count);
            let found = self.elem(access.mem);
            self.require(found == elem, format!("{} is of {found:?}, not {elem:?}", access.mem));
        }
        self.writable(dst.mem);
    }
}

/// A word for an instruction in messages.
fn name(op: &KOp) -> String {
    let text = format!("{op:?}");
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
