//! Builds one kernel: nested blocks, pure scalars hoisted to where their operands are, memories bound on
//! first use.
//!
//! A block that is open is a frame. [`Builder::pure`] puts an instruction into the innermost frame that
//! defines one of its operands (not outside [`Builder::floor`]), so what does not vary in a loop is
//! computed before it.

use crate::lower::space::scope::At;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::sections::is_counted;
use wengert_ir::kernel::*;

struct Frame {
    block: Block,
    /// Distinguishes frames that were open at the same depth at different times.
    id: u32,
}

/// A base position in a memory: memref, offset and variable terms.
type Base = (MemRef, i64, SmallVec<[(KValue, i64); 2]>);

/// What an outlined kernel takes from the kernel that calls it.
#[derive(Default)]
pub(in crate::lower) struct Imports {
    pub(in crate::lower) mems: Vec<At>,
    pub(in crate::lower) scalars: Vec<KValue>,
    mem_of: FxHashMap<At, MemRef>,
    scalar_of: FxHashMap<KValue, KValue>,
}

pub(in crate::lower) struct Builder {
    pub(in crate::lower) kernel: Kernel,
    frames: Vec<Frame>,
    /// Frame depth of each scalar.
    depth: Vec<u32>,
    next_frame: u32,
    /// Depth below which nothing is hoisted.
    floor: usize,
    constants: FxHashMap<(u64, Scalar), (KValue, u32, u32)>,
    program_mems: FxHashMap<Mem, MemRef>,
    /// What is being lowered, and what was when each loop, call and branch so far ended; see [`Sources`](crate::lower::Sources).
    pub(in crate::lower) origin: u32,
    pub(in crate::lower) origins: Vec<u32>,
    /// Present in an outlined kernel.
    pub(in crate::lower) imports: Option<Imports>,
}

impl Builder {
    /// The entry kernel, or an outlined one.
    pub(in crate::lower) fn new(name: &str, outlined: bool) -> Self {
        let kernel = Kernel { name: name.to_owned(), ..Kernel::default() };
        let mut b = Self {
            kernel,
            frames: Vec::new(),
            depth: Vec::new(),
            next_frame: 0,
            floor: 0,
            constants: FxHashMap::default(),
            program_mems: FxHashMap::default(),
            origin: 0,
            origins: Vec::new(),
            imports: outlined.then(Imports::default),
        };
        b.open(&[]);
        b
    }

    fn value(&mut self, ty: Scalar, depth: usize) -> KValue {
        self.depth.push(depth as u32);
        self.kernel.values.push(ty)
    }

    pub(in crate::lower) fn ty(&self, value: KValue) -> Scalar {
        self.kernel.values[value]
    }

    /// Opens a block with parameters of these types.
    pub(in crate::lower) fn open(&mut self, params: &[Scalar]) -> SmallVec<[KValue; 4]> {
        let depth = self.frames.len();
        let id = self.next_frame;
        self.next_frame += 1;
        self.frames.push(Frame { block: Block::default(), id });
        let values: SmallVec<[KValue; 4]> = params.iter().map(|&ty| self.value(ty, depth)).collect();
        self.frames[depth].block.params.extend_from_slice(&values);
        values
    }

    /// Closes the innermost block.
    pub(in crate::lower) fn close(&mut self, yields: &[KValue]) -> Block {
        let mut block = self.frames.pop().expect("an open block").block;
        block.yields.extend_from_slice(yields);
        block
    }

    /// The finished kernel.
    pub(in crate::lower) fn finish(mut self) -> (Kernel, Option<Imports>) {
        debug_assert_eq!(self.frames.len(), 1, "blocks left open");
        self.kernel.body = self.close(&[]);
        (self.kernel, self.imports)
    }

    /// A scalar parameter of an outlined kernel.
    pub(in crate::lower) fn param(&mut self, ty: Scalar) -> KValue {
        let value = self.value(ty, 0);
        self.frames[0].block.params.push(value);
        value
    }

    /// From now on nothing moves out of the block that is innermost now; gives the previous bound.
    pub(in crate::lower) fn set_floor(&mut self) -> usize {
        std::mem::replace(&mut self.floor, self.frames.len() - 1)
    }

    pub(in crate::lower) fn restore_floor(&mut self, floor: usize) {
        self.floor = floor;
    }

    /// Appends to the innermost block.
    pub(in crate::lower) fn push(
        &mut self,
        op: KOp,
        operands: &[KValue],
        results: &[Scalar],
    ) -> SmallVec<[KValue; 1]> {
        if is_counted(&op) {
            self.origins.push(self.origin);
        }
        let depth = self.frames.len() - 1;
        let results: SmallVec<[KValue; 1]> = results.iter().map(|&ty| self.value(ty, depth)).collect();
        let inst = KInst { op, operands: operands.into(), results: results.clone() };
        self.frames[depth].block.insts.push(inst);
        results
    }

    /// Appends an instruction without effects where its operands, and `terms` of an access, allow.
    pub(in crate::lower) fn pure(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        let mut depth = self.floor;
        for v in operands {
            depth = depth.max(self.depth[v.index()] as usize);
        }
        if let KOp::Load(access) = &op {
            for (v, _) in &access.terms {
                depth = depth.max(self.depth[v.index()] as usize);
            }
        }
        let depth = depth.min(self.frames.len() - 1);
        let result = self.value(ty, depth);
        let results = SmallVec::from_slice(&[result]);
        self.frames[depth].block.insts.push(KInst { op, operands: operands.into(), results });
        result
    }

    /// A constant, shared within the open blocks.
    pub(in crate::lower) fn bits(&mut self, bits: u64, ty: Scalar) -> KValue {
        if let Some(&(value, depth, id)) = self.constants.get(&(bits, ty))
            && self.frames.get(depth as usize).is_some_and(|f| f.id == id)
        {
            return value;
        }
        let value = self.pure(KOp::Const(bits), &[], ty);
        let depth = self.depth[value.index()];
        let id = self.frames[depth as usize].id;
        self.constants.insert((bits, ty), (value, depth, id));
        value
    }

    pub(in crate::lower) fn int(&mut self, value: i64) -> KValue {
        self.bits(value as u64, Scalar::I64)
    }

    pub(in crate::lower) fn binary(&mut self, op: KBinary, a: KValue, b: KValue) -> KValue {
        let ty = self.ty(a);
        self.pure(KOp::Binary(op), &[a, b], ty)
    }

    /// A scalar of the calling kernel.
    pub(in crate::lower) fn outer(&mut self, value: KValue, ty: Scalar) -> KValue {
        let Some(imports) = &self.imports else { return value };
        if let Some(&known) = imports.scalar_of.get(&value) {
            return known;
        }
        let param = self.param(ty);
        let imports = self.imports.as_mut().expect("just seen");
        imports.scalars.push(value);
        imports.scalar_of.insert(value, param);
        param
    }

    /// The memref of a program memory. Only in the entry kernel.
    pub(in crate::lower) fn program_mem(&mut self, mem: Mem, elem: Scalar, len: usize) -> MemRef {
        let mems = &mut self.kernel.mems;
        *self
            .program_mems
            .entry(mem)
            .or_insert_with(|| mems.push(MemRefDef { elem, len, kind: MemKind::Program(mem) }))
    }

    /// The base of a tensor in memory, as this kernel sees it; `len` is that of the whole memory.
    pub(in crate::lower) fn base(&mut self, at: &At, elem: Scalar, len: usize) -> Base {
        if self.imports.is_none() {
            let mem = self.program_mem(at.mem, elem, len);
            return (mem, at.offset, at.terms.clone());
        }
        let imports = self.imports.as_mut().expect("just seen");
        if let Some(&mem) = imports.mem_of.get(at) {
            return (mem, 0, SmallVec::new());
        }
        let kind = MemKind::Param(imports.mems.len() as u32);
        let mem = self.kernel.mems.push(MemRefDef { elem, len: at.len, kind });
        let imports = self.imports.as_mut().expect("just seen");
        imports.mems.push(at.clone());
        imports.mem_of.insert(at.clone(), mem);
        (mem, 0, SmallVec::new())
    }

    /// In an outlined kernel, a tensor that each piece has its own of: a buffer on the machine stack.
    pub(in crate::lower) fn keep_local(&mut self, at: &At, elem: Scalar) {
        let known = self.imports.as_ref().is_none_or(|i| i.mem_of.contains_key(at));
        if !known {
            let mem = self.local(elem, at.len);
            self.imports.as_mut().expect("just seen").mem_of.insert(at.clone(), mem);
        }
    }

    /// A buffer on the machine stack. Only for outlined kernels: the entry's live in scratch memory.
    pub(in crate::lower) fn local(&mut self, elem: Scalar, len: usize) -> MemRef {
        self.kernel.mems.push(MemRefDef { elem, len, kind: MemKind::Local })
    }

    /// The same on a device: memory that the threads of a block share.
    pub(in crate::lower) fn keep_shared(&mut self, at: &At, elem: Scalar) {
        let mem = self.workgroup(elem, at.len);
        self.imports.as_mut().expect("a launched kernel").mem_of.insert(at.clone(), mem);
    }

    /// Memory that the threads of a block share. Only for kernels that are launched.
    pub(in crate::lower) fn workgroup(&mut self, elem: Scalar, len: usize) -> MemRef {
        self.kernel.mems.push(MemRefDef { elem, len, kind: MemKind::Workgroup })
    }

    pub(in crate::lower) fn load(&mut self, access: Access) -> KValue {
        let ty = self.kernel.mems[access.mem].elem;
        self.pure(KOp::Load(access), &[], ty)
    }

    /// A load that stays where it is because the memory changes.
    pub(in crate::lower) fn load_here(&mut self, access: Access) -> KValue {
        let ty = self.kernel.mems[access.mem].elem;
        self.push(KOp::Load(access), &[], &[ty])[0]
    }

    pub(in crate::lower) fn store(&mut self, access: Access, value: KValue) {
        self.push(KOp::Store(access), &[value], &[]);
    }

    /// Closes the body of a counted loop opened with `open([I64, carried..])`.
    pub(in crate::lower) fn end_for(
        &mut self,
        bounds: (Extent, Extent),
        kind: LoopKind,
        init: &[KValue],
        yields: &[KValue],
    ) -> SmallVec<[KValue; 1]> {
        self.end_steps(bounds, 1, kind, init, yields)
    }

    /// The same for a loop that counts in steps.
    pub(in crate::lower) fn end_steps(
        &mut self,
        (start, end): (Extent, Extent),
        step: i64,
        kind: LoopKind,
        init: &[KValue],
        yields: &[KValue],
    ) -> SmallVec<[KValue; 1]> {
        let body = self.close(yields);
        let types: SmallVec<[Scalar; 4]> = yields.iter().map(|&v| self.ty(v)).collect();
        self.push(KOp::For(Box::new(For { start, end, step, kind, body })), init, &types)
    }
}
