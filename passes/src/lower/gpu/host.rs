//! The host's program: its control flow, launches, and what it reads back.

use super::Overlap;
use super::lanes::sequential;
use super::split::{Home, Split};
use super::together::together;
use super::unit::{Unit, prune};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::*;

/// Slots of one type.
struct Slots {
    elem: Scalar,
    mem: Mem,
    at: MemRef,
    count: u32,
}

/// What a block of the entry falls into, in order.
enum Item<'p> {
    /// A scalar of the host.
    Scalar(&'p KInst),
    /// Code of the device, and scalars that it then keeps for others.
    Device(Vec<&'p KInst>, Vec<(Home, KValue)>),
    /// Control flow of the host, a launch, a library call.
    Host(&'p KInst),
}

pub(super) struct Host<'p> {
    program: &'p Program,
    pub(super) old: &'p Kernel,
    pub(super) split: Split<'p>,
    /// Where scalars of the device are kept.
    homes: EntityVec<KValue, Option<Home>>,
    slots: Vec<Slots>,
    mems: EntityVec<Mem, MemDef>,
    kernels: EntityVec<KernelId, Kernel>,
    known_kernels: FxHashMap<Kernel, KernelId>,
    /// The host's kernel: its scalars by those of the entry, and the blocks that are open.
    new: Kernel,
    value: EntityVec<KValue, Option<KValue>>,
    open: Vec<Vec<KInst>>,
    /// Scalars of the device that the host has read, and the depth of the block in which it did.
    reads: Vec<(usize, KValue)>,
    overlaps: bool,
}

impl<'p> Host<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let old = &program.kernels[program.entry];
        let new = Kernel { name: old.name.clone(), mems: old.mems.clone(), ..Kernel::default() };
        Self {
            program,
            old,
            split: Split::new(program),
            homes: EntityVec::filled(None, old.values.len()),
            slots: Vec::new(),
            mems: program.mems.clone(),
            kernels: EntityVec::new(),
            known_kernels: FxHashMap::default(),
            new,
            value: EntityVec::filled(None, old.values.len()),
            open: Vec::new(),
            reads: Vec::new(),
            overlaps: false,
        }
    }

    pub(super) fn program(mut self) -> Result<Program, Overlap> {
        let old = self.old;
        let insts = self.block(&old.body, Vec::new(), None, |_| SmallVec::new()).0;
        if self.overlaps {
            return Err(Overlap);
        }
        self.new.body.insts = insts;
        let mut scratch = self.program.scratch;
        for slots in &self.slots {
            let count = slots.count as usize;
            self.mems[slots.mem].shape = smallvec![count];
            self.mems[slots.mem].place = Place::Scratch(scratch.next_multiple_of(64));
            scratch = scratch.next_multiple_of(64) + count * slots.elem.size();
            self.new.mems[slots.at].len = count;
        }
        prune(&mut self.new);
        let mut kernels = self.kernels;
        for (k, kernel) in kernels.values_mut().enumerate() {
            kernel.name = format!("kernel_{k}");
        }
        let entry = kernels.push(self.new);
        let program = self.program;
        Ok(Program {
            name: program.name.clone(),
            mode: program.mode,
            params: program.params.clone(),
            results: program.results.clone(),
            mems: self.mems,
            kernels,
            entry,
            scratch,
        })
    }

    /// The memory of the slots of a type.
    pub(super) fn slots(&mut self, elem: Scalar) -> MemRef {
        if let Some(slots) = self.slots.iter().find(|s| s.elem == elem) {
            return slots.at;
        }
        let mem = self.mems.push(MemDef { elem, shape: smallvec![0], place: Place::Scratch(0) });
        let at = self.new.mems.push(MemRefDef { elem, len: 0, kind: MemKind::Program(mem) });
        self.slots.push(Slots { elem, mem, at, count: 0 });
        at
    }

    fn new_slot(&mut self, elem: Scalar) -> Home {
        self.slots(elem);
        let slots = self.slots.iter_mut().find(|s| s.elem == elem).expect("just made");
        slots.count += 1;
        Home::Slot(slots.count - 1)
    }

    /// Where a scalar of the device is kept.
    pub(super) fn home(&self, v: KValue) -> Home {
        self.homes[v].expect("what is read elsewhere is kept")
    }

    /// A scalar that the host has.
    pub(super) fn scalar(&self, v: KValue) -> KValue {
        self.value[v].expect("defined before it is used")
    }

    fn add(&mut self, inst: KInst) {
        self.open.last_mut().expect("a block is open").push(inst);
    }

    fn push(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        let result = self.new.values.push(ty);
        self.add(KInst { op, operands: operands.into(), results: smallvec![result] });
        result
    }

    fn define(&mut self, v: KValue) -> KValue {
        let new = self.new.values.push(self.old.values[v]);
        self.value[v] = Some(new);
        new
    }

    /// A scalar for the host: one that it has, or read back from the device.
    pub(super) fn read(&mut self, v: KValue) -> KValue {
        if let Some(known) = self.value[v] {
            return known;
        }
        let ty = self.old.values[v];
        let new = if let Some(inst) = self.split.chain(v) {
            let operands: SmallVec<[KValue; 3]> = inst.operands.iter().map(|&w| self.read(w)).collect();
            self.push(inst.op.clone(), &operands, ty)
        } else {
            let (mem, offset) = match self.home(v) {
                Home::Slot(k) => (self.slots(ty), i64::from(k)),
                Home::Element(mem, offset) => (mem, offset),
            };
            self.push(KOp::Load(Access { mem, offset, terms: SmallVec::new() }), &[], ty)
        };
        self.value[v] = Some(new);
        self.reads.push((self.open.len(), v));
        new
    }

    fn extent(&mut self, extent: Extent) -> Extent {
        match extent {
            Extent::Const(n) => Extent::Const(n),
            Extent::Value(v) => Extent::Value(self.read(v)),
        }
    }

    fn access(&mut self, access: &Access) -> Access {
        let mut out = Access { mem: access.mem, offset: access.offset, terms: SmallVec::new() };
        for &(v, c) in &access.terms {
            let v = self.read(v);
            match out.terms.iter_mut().find(|t| t.0 == v) {
                Some(term) => term.1 += c,
                None => out.terms.push((v, c)),
            }
        }
        out
    }

    /// The host's part of a block, and what it yields; `finals` are kept when it ends, and `read` is read then.
    fn block(
        &mut self,
        block: &'p Block,
        finals: Vec<(Home, KValue)>,
        read: Option<KValue>,
        yields: impl FnOnce(&mut Self) -> SmallVec<[KValue; 2]>,
    ) -> (Vec<KInst>, SmallVec<[KValue; 2]>) {
        let items = self.items(block, finals);
        self.keep(&items, read);
        self.open.push(Vec::new());
        for item in &items {
            match item {
                Item::Scalar(inst) => {
                    let operands: SmallVec<[KValue; 3]> =
                        inst.operands.iter().map(|&v| self.scalar(v)).collect();
                    let results = inst.results.iter().map(|&r| self.define(r)).collect();
                    self.add(KInst { op: inst.op.clone(), operands, results });
                }
                Item::Device(insts, stores) => self.device(insts, stores),
                Item::Host(inst) => self.inst(inst),
            }
        }
        let yields = yields(self);
        // What was read in this block is not known outside.
        while let Some(&(depth, v)) = self.reads.last()
            && depth == self.open.len()
        {
            self.value[v] = None;
            self.reads.pop();
        }
        (self.open.pop().expect("just opened"), yields)
    }

    /// The items of a block: code of the device in pieces as long as its memories allow.
    fn items(&mut self, block: &'p Block, finals: Vec<(Home, KValue)>) -> Vec<Item<'p>> {
        let mut items = Vec::new();
        let mut piece: Vec<&'p KInst> = Vec::new();
        let mut touched = Touched::default();
        let end =
            |items: &mut Vec<Item<'p>>, piece: &mut Vec<&'p KInst>, touched: &mut Touched, stores: Vec<_>| {
                *touched = Touched::default();
                if !piece.is_empty() || !stores.is_empty() {
                    items.push(Item::Device(std::mem::take(piece), stores));
                }
            };
        for inst in &block.insts {
            if self.split.is_scalar(inst) {
                items.push(Item::Scalar(inst));
            } else if self.split.is_for_host(inst) {
                let stores = self.carried(inst);
                end(&mut items, &mut piece, &mut touched, stores);
                items.push(Item::Host(inst));
            } else {
                let mut own = Touched::default();
                self.touches(inst, &mut own);
                self.overlaps |= own.overlap(&own);
                if own.overlap(&touched) || self.finds_row(inst, &piece) {
                    end(&mut items, &mut piece, &mut touched, Vec::new());
                }
                touched.add(own);
                piece.push(inst);
            }
        }
        end(&mut items, &mut piece, &mut touched, finals);
        items
    }

    /// Whether an instruction is in a row of a stack that a piece finds.
    fn finds_row(&self, inst: &KInst, piece: &[&KInst]) -> bool {
        let mut finds = false;
        deep(inst, &mut |inner| {
            for access in inner.op.accesses().into_iter().filter(|a| self.split.is_stack(a.mem)) {
                finds |= access.terms.iter().any(|t| piece.iter().any(|made| made.results.contains(&t.0)));
                for &(v, _) in &access.terms {
                    self.split.leaves(v, &mut |leaf| {
                        finds |= piece.iter().any(|made| made.results.contains(&leaf));
                    });
                }
            }
        });
        finds
    }

    /// Slots for what control flow of the host carries of the device's, and what they begin as.
    fn carried(&mut self, inst: &'p KInst) -> Vec<(Home, KValue)> {
        let mut stores = Vec::new();
        let params: [&[KValue]; 2] = if let KOp::For(l) = &inst.op {
            [&l.body.params[1..], &[]]
        } else if let KOp::While(w) = &inst.op {
            [&w.body.params, &w.cond.params]
        } else {
            // A branch begins with nothing; others give nothing.
            for &r in &inst.results {
                if !self.split.is_host(r) {
                    self.homes[r] = Some(self.new_slot(self.old.values[r]));
                }
            }
            return stores;
        };
        for (k, &r) in inst.results.iter().enumerate() {
            if !self.split.is_host(r) {
                let home = self.new_slot(self.old.values[r]);
                let all = params.iter().filter_map(|p| p.get(k).copied()).chain([r]);
                all.for_each(|v| self.homes[v] = Some(home));
                stores.push((home, inst.operands[k]));
            }
        }
        stores
    }

    /// The memories that an instruction of the device touches.
    fn touches(&self, inst: &KInst, touched: &mut Touched) {
        deep(inst, &mut |inner| {
            for access in inner.op.accesses() {
                let MemKind::Program(mem) = self.old.mems[access.mem].kind else { continue };
                touched.note(mem, &self.program.mems[mem], matches!(inner.op, KOp::Store(_)));
            }
        });
    }

    /// Gives a home to what one item makes and another needs.
    fn keep(&mut self, items: &[Item<'p>], read: Option<KValue>) {
        let mut made: FxHashMap<KValue, usize> = FxHashMap::default();
        for (k, item) in items.iter().enumerate() {
            let mut note = |inst: &KInst| made.extend(inst.results.iter().map(|&r| (r, k)));
            match item {
                Item::Scalar(inst) | Item::Host(inst) => note(inst),
                Item::Device(insts, _) => insts.iter().for_each(|inst| note(inst)),
            }
        }
        let mut kept: Vec<KValue> = Vec::new();
        if let Some(v) = read {
            self.split.leaves(v, &mut |leaf| kept.extend(made.contains_key(&leaf).then_some(leaf)));
        }
        for (k, item) in items.iter().enumerate() {
            let mut need = |v: KValue| {
                self.split.leaves(v, &mut |leaf| {
                    if made.get(&leaf).is_some_and(|&at| at != k) {
                        kept.push(leaf);
                    }
                });
            };
            match item {
                Item::Scalar(_) => {}
                // What a loop begins with is stored before it.
                Item::Host(inst) if matches!(inst.op, KOp::For(_) | KOp::While(_)) => {
                    used(&KInst { operands: SmallVec::new(), ..(*inst).clone() }, &mut need);
                    let inside = inst.op.blocks().flat_map(|b| &b.insts);
                    inside.for_each(|inst| deep(inst, &mut |inner| used(inner, &mut need)));
                }
                Item::Host(inst) => deep(inst, &mut |inner| used(inner, &mut need)),
                Item::Device(insts, stores) => {
                    insts.iter().for_each(|inst| deep(inst, &mut |inner| used(inner, &mut need)));
                    stores.iter().for_each(|s| need(s.1));
                }
            }
        }
        for v in kept {
            if self.homes[v].is_none() {
                let home = self.split.element(v);
                self.homes[v] = Some(match home {
                    Some(home) => home,
                    None => self.new_slot(self.old.values[v]),
                });
            }
        }
    }

    /// A launch of one thread, or of one block.
    fn device(&mut self, insts: &[&'p KInst], stores: &[(Home, KValue)]) {
        let mut unit = Unit::default();
        let mut code = Block::default();
        for inst in insts {
            self.clone_inst(&mut unit, &mut code, inst);
        }
        // All are read before one is written: what a loop carries may change places.
        let mut writes: Vec<(Home, KValue, KValue)> = Vec::new();
        for inst in insts {
            for &r in &inst.results {
                if let Some(home @ Home::Slot(_)) = self.homes[r] {
                    writes.push((home, r, unit.own[&r]));
                }
            }
        }
        for &(home, v) in stores {
            if self.homes[v] != Some(home) {
                let value = unit.import(self, v);
                writes.push((home, v, value));
            }
        }
        for (home, v, value) in writes {
            let Home::Slot(k) = home else { unreachable!("only slots are written") };
            let access = unit.slot(self, self.old.values[v], k);
            code.insts.push(KInst {
                op: KOp::Store(access),
                operands: smallvec![value],
                results: smallvec![],
            });
        }
        unit.kernel.body.insts = code.insts;
        let mut threads = 1;
        if let Some((kernel, several)) = together(&unit.kernel, unit.reads()) {
            (unit.kernel, threads) = (kernel, several);
        }
        let Unit { kernel, .. } = &mut unit;
        let mut body = std::mem::take(&mut kernel.body);
        sequential(&mut body, &mut kernel.values, &mut kernel.mems);
        kernel.body = body;
        let (mut kernel, mems, scalars) = unit.finish();
        prune(&mut kernel);
        if kernel.body.insts.is_empty() {
            return;
        }
        self.launch(kernel, mems, scalars, [Extent::Const(1); 3], [threads, 1, 1]);
    }

    fn launch(
        &mut self,
        mut kernel: Kernel,
        mems: Vec<Access>,
        scalars: SmallVec<[KValue; 3]>,
        grid: [Extent; 3],
        block: [u32; 3],
    ) {
        kernel.name = format!("{block:?}");
        let id = match self.known_kernels.get(&kernel) {
            Some(&id) => id,
            None => {
                let id = self.kernels.push(kernel.clone());
                self.known_kernels.insert(kernel, id);
                id
            }
        };
        let op = KOp::Launch { kernel: id, mems, grid, block };
        self.add(KInst { op, operands: scalars, results: smallvec![] });
    }

    /// An instruction of the device in a unit.
    fn clone_inst(&mut self, unit: &mut Unit, to: &mut Block, inst: &'p KInst) {
        let operands: SmallVec<[KValue; 3]> = inst.operands.iter().map(|&v| unit.import(self, v)).collect();
        let extent = |host: &mut Self, unit: &mut Unit, e: Extent| match e {
            Extent::Const(n) => Extent::Const(n),
            Extent::Value(v) => Extent::Value(unit.import(host, v)),
        };
        let op = match &inst.op {
            KOp::Load(access) => KOp::Load(unit.access(self, access)),
            KOp::Store(access) => KOp::Store(unit.access(self, access)),
            KOp::For(l) => {
                let (start, end) = (extent(self, unit, l.start), extent(self, unit, l.end));
                let body = self.clone_block(unit, &l.body);
                KOp::For(Box::new(For { start, end, step: l.step, kind: l.kind.clone(), body }))
            }
            KOp::While(w) => {
                let cond = self.clone_block(unit, &w.cond);
                let body = self.clone_block(unit, &w.body);
                KOp::While(Box::new(WhileLoop { cond, body }))
            }
            KOp::Switch(arms) => KOp::Switch(arms.iter().map(|arm| self.clone_block(unit, arm)).collect()),
            other => other.clone(),
        };
        let results = inst.results.iter().map(|&r| self.own(unit, r)).collect();
        to.insts.push(KInst { op, operands, results });
    }

    fn own(&self, unit: &mut Unit, v: KValue) -> KValue {
        let new = unit.kernel.values.push(self.old.values[v]);
        unit.own.insert(v, new);
        new
    }

    fn clone_block(&mut self, unit: &mut Unit, block: &'p Block) -> Block {
        let params = block.params.iter().map(|&p| self.own(unit, p)).collect();
        let mut out = Block { params, ..Block::default() };
        for inst in &block.insts {
            self.clone_inst(unit, &mut out, inst);
        }
        out.yields = block.yields.iter().map(|&v| unit.import(self, v)).collect();
        out
    }

    /// An instruction of the host.
    fn inst(&mut self, inst: &'p KInst) {
        match &inst.op {
            KOp::Launch { kernel, mems, grid, block } => {
                let grid = grid.map(|e| self.extent(e));
                self.launched(*kernel, mems, &inst.operands, grid, *block);
            }
            KOp::For(l) => {
                let (start, end) = (self.extent(l.start), self.extent(l.end));
                let counter = self.define(l.body.params[0]);
                let (params, operands, results) = self.host_carried(inst, &l.body.params[1..]);
                let finals = self.finals(&inst.results, &l.body.yields);
                let (insts, yields) =
                    self.block(&l.body, finals, None, |host| host.yields(&inst.results, &l.body.yields));
                let mut body = Block { params: smallvec![counter], insts, yields };
                body.params.extend(params);
                let op =
                    KOp::For(Box::new(For { start, end, step: l.step, kind: LoopKind::Sequential, body }));
                self.add(KInst { op, operands, results });
            }
            KOp::While(w) => {
                let (cond_params, operands, results) = self.host_carried(inst, &w.cond.params);
                let (insts, yields) = self.block(&w.cond, Vec::new(), Some(w.cond.yields[0]), |host| {
                    smallvec![host.read(w.cond.yields[0])]
                });
                let cond = Block { params: cond_params, insts, yields };
                let kept = inst.results.iter().zip(&w.body.params);
                let params =
                    kept.filter(|(r, _)| self.split.is_host(**r)).map(|(_, &p)| p).collect::<Vec<_>>();
                let params = params.into_iter().map(|p| self.define(p)).collect();
                let finals = self.finals(&inst.results, &w.body.yields);
                let (insts, yields) =
                    self.block(&w.body, finals, None, |host| host.yields(&inst.results, &w.body.yields));
                let body = Block { params, insts, yields };
                let op = KOp::While(Box::new(WhileLoop { cond, body }));
                self.add(KInst { op, operands, results });
            }
            KOp::Switch(arms) => {
                let index = self.read(inst.operands[0]);
                let mut blocks = Vec::new();
                for arm in arms {
                    let finals = self.finals(&inst.results, &arm.yields);
                    let (insts, yields) =
                        self.block(arm, finals, None, |host| host.yields(&inst.results, &arm.yields));
                    blocks.push(Block { params: smallvec![], insts, yields });
                }
                let mine = inst.results.iter().filter(|r| self.split.is_host(**r)).copied();
                let results = mine.collect::<Vec<_>>().into_iter().map(|r| self.define(r)).collect();
                self.add(KInst { op: KOp::Switch(blocks), operands: smallvec![index], results });
            }
            KOp::Library(_) | KOp::Reserve(_) | KOp::Steps(_) => {
                let mut op = inst.op.clone();
                for access in op.accesses_mut() {
                    *access = self.access(access);
                }
                for extent in op.extents_mut() {
                    *extent = self.extent(*extent);
                }
                let operands = inst.operands.iter().map(|&v| self.read(v)).collect();
                self.add(KInst { op, operands, results: smallvec![] });
            }
            other => unreachable!("{other:?} in the program of a host"),
        }
    }

    /// What a loop carries of the host's: parameters, initial values, results.
    #[allow(clippy::type_complexity, reason = "the three lists")]
    fn host_carried(
        &mut self,
        inst: &KInst,
        params: &[KValue],
    ) -> (SmallVec<[KValue; 2]>, SmallVec<[KValue; 3]>, SmallVec<[KValue; 1]>) {
        let (mut inner, mut operands, mut results) = (SmallVec::new(), SmallVec::new(), SmallVec::new());
        for (k, &r) in inst.results.iter().enumerate() {
            if self.split.is_host(r) {
                operands.push(self.scalar(inst.operands[k]));
                inner.push(self.define(params[k]));
                results.push(self.define(r));
            }
        }
        (inner, operands, results)
    }

    /// What a block keeps when it ends, of the device's.
    fn finals(&self, results: &[KValue], yields: &[KValue]) -> Vec<(Home, KValue)> {
        let device = results.iter().zip(yields).filter(|(r, _)| !self.split.is_host(**r));
        device.map(|(&r, &v)| (self.home(r), v)).collect()
    }

    /// What a block yields of the host's.
    fn yields(&mut self, results: &[KValue], yields: &[KValue]) -> SmallVec<[KValue; 2]> {
        let mine = results.iter().zip(yields).filter(|(r, _)| self.split.is_host(**r));
        mine.map(|(_, &v)| self.scalar(v)).collect()
    }

    /// A launch of a kernel, which loads what the device made.
    fn launched(
        &mut self,
        id: KernelId,
        mems: &[Access],
        operands: &[KValue],
        grid: [Extent; 3],
        block: [u32; 3],
    ) {
        let program = self.program;
        let old = &program.kernels[id];
        let mut unit = Unit::of(old);
        // Memories keep their numbers.
        let mut moved: FxHashMap<MemRef, SmallVec<[(KValue, i64); 2]>> = FxHashMap::default();
        for (k, access) in mems.iter().enumerate() {
            let param = old.mems.iter().find(|(_, def)| def.kind == MemKind::Param(k as u32));
            let (m, _) = param.expect("a memory for each argument");
            let def = &self.old.mems[access.mem];
            let from_device = access.terms.iter().any(|t| !self.split.is_host(t.0));
            if !from_device {
                let at = self.access(access);
                unit.mems.push(at);
                continue;
            }
            let mut at = Access { mem: access.mem, offset: 0, terms: SmallVec::new() };
            let mut inside: SmallVec<[(KValue, i64); 2]> = SmallVec::new();
            for &(v, c) in &access.terms {
                if self.split.is_stack(access.mem) && self.split.is_host(v) {
                    at.terms.push((self.scalar(v), c));
                } else {
                    inside.push((v, c));
                }
            }
            unit.kernel.mems[m].len = def.len;
            unit.mems.push(at);
            moved.insert(m, inside);
        }
        let mut values: Vec<(KValue, KValue)> = Vec::new();
        for (&param, &v) in old.body.params.iter().zip(operands) {
            values.push((param, unit.import(self, v)));
        }
        type Sum = (i64, SmallVec<[(KValue, i64); 2]>);
        let mut terms: FxHashMap<MemRef, Sum> = FxHashMap::default();
        for (k, access) in mems.iter().enumerate() {
            let (m, _) =
                old.mems.iter().find(|(_, d)| d.kind == MemKind::Param(k as u32)).expect("as before");
            if let Some(inside) = moved.get(&m) {
                let all = inside.iter().map(|&(v, c)| (unit.import(self, v), c)).collect();
                terms.insert(m, (access.offset, all));
            }
        }
        let renamed: FxHashMap<KValue, KValue> = values.into_iter().collect();
        unit.kernel.body.map_values(&mut |v| renamed.get(&v).copied().unwrap_or(v));
        super::unit::visit(&mut unit.kernel.body, &mut |inst| {
            for access in inst.op.accesses_mut() {
                let Some((offset, more)) = terms.get(&access.mem) else { continue };
                access.offset += offset;
                for &(v, c) in more {
                    match access.terms.iter_mut().find(|t| t.0 == v) {
                        Some(term) => term.1 += c,
                        None => access.terms.push((v, c)),
                    }
                }
            }
        });
        let Unit { kernel, .. } = &mut unit;
        let mut body = std::mem::take(&mut kernel.body);
        sequential(&mut body, &mut kernel.values, &mut kernel.mems);
        kernel.body = body;
        let (mut kernel, mems, scalars) = unit.finish();
        prune(&mut kernel);
        self.launch(kernel, mems, scalars, grid, block);
    }
}

/// Bytes of scratch memory that code touches, by memory.
#[derive(Default)]
struct Touched(Vec<(Mem, usize, usize, bool)>);

impl Touched {
    fn note(&mut self, mem: Mem, def: &MemDef, is_store: bool) {
        let Place::Scratch(start) = def.place else { return };
        match self.0.iter_mut().find(|t| t.0 == mem) {
            Some(known) => known.3 |= is_store,
            None => self.0.push((mem, start, start + def.bytes(), is_store)),
        }
    }

    fn add(&mut self, other: Touched) {
        for t in other.0 {
            match self.0.iter_mut().find(|k| k.0 == t.0) {
                Some(known) => known.3 |= t.3,
                None => self.0.push(t),
            }
        }
    }

    /// Whether two memories lie over each other, one of them written.
    fn overlap(&self, other: &Touched) -> bool {
        self.0.iter().any(|a| other.0.iter().any(|b| a.0 != b.0 && (a.3 || b.3) && a.1 < b.2 && b.1 < a.2))
    }
}

/// Visits an instruction and those in its blocks.
fn deep<'a>(inst: &'a KInst, f: &mut dyn FnMut(&'a KInst)) {
    f(inst);
    for block in inst.op.blocks() {
        block.insts.iter().for_each(|inner| deep(inner, f));
    }
}

/// The scalars that an instruction and the ends of its blocks name.
fn used(inst: &KInst, f: &mut dyn FnMut(KValue)) {
    inst.operands.iter().for_each(|&v| f(v));
    inst.op.accesses().iter().for_each(|a| a.terms.iter().for_each(|t| f(t.0)));
    for extent in inst.op.extents() {
        if let Extent::Value(v) = extent {
            f(*v);
        }
    }
    inst.op.blocks().for_each(|b| b.yields.iter().for_each(|&v| f(v)));
}
