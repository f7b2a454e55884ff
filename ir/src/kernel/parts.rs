//! What an instruction of a kernel holds: its blocks, its accesses, its bounds.

use super::{Access, Block, Extent, KInst, KOp, KValue, Library};
use crate::{device_ops, scalar_ops};
use smallvec::SmallVec;

impl Block {
    /// Visits every instruction, an outer one before those of the blocks inside it.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a KInst)) {
        for inst in &self.insts {
            f(inst);
            inst.op.blocks().for_each(|block| block.visit(f));
        }
    }
}

impl KOp {
    /// The blocks inside, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let blocks: SmallVec<[&Block; 2]> = match self {
            KOp::For(f) => smallvec::smallvec![&f.body],
            KOp::While(w) => smallvec::smallvec![&w.cond, &w.body],
            KOp::Switch(blocks) => blocks.iter().collect(),
            scalar_ops!()
            | KOp::Load(_)
            | KOp::Store(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Launch { .. }
            | device_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => SmallVec::new(),
        };
        blocks.into_iter()
    }

    /// The blocks inside, in order, to change.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let blocks: SmallVec<[&mut Block; 2]> = match self {
            KOp::For(f) => smallvec::smallvec![&mut f.body],
            KOp::While(w) => smallvec::smallvec![&mut w.cond, &mut w.body],
            KOp::Switch(blocks) => blocks.iter_mut().collect(),
            scalar_ops!()
            | KOp::Load(_)
            | KOp::Store(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Launch { .. }
            | device_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => SmallVec::new(),
        };
        blocks.into_iter()
    }

    /// The accesses to memory, in order.
    pub fn accesses(&self) -> SmallVec<[&Access; 3]> {
        match self {
            KOp::Load(access) | KOp::Store(access) => smallvec::smallvec![access],
            KOp::Call { mems, .. } | KOp::Parallel { mems, .. } | KOp::Launch { mems, .. } => {
                mems.iter().collect()
            }
            KOp::Library(call) => match &**call {
                Library::Gemm { a, b, c, .. } => smallvec::smallvec![&a.at, &b.at, &c.at],
                Library::Tile { src, dst, .. } => smallvec::smallvec![src, dst],
                Library::Tile2 { a, b, dst, .. } => smallvec::smallvec![a, b, dst],
                Library::Reference { inputs, outputs, .. } => inputs.iter().chain(outputs).collect(),
                Library::Section(_) => SmallVec::new(),
            },
            scalar_ops!()
            | KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | device_ops!()
            | KOp::Reserve(_)
            | KOp::Steps(_) => SmallVec::new(),
        }
    }

    /// The accesses to memory, in order, to change.
    pub fn accesses_mut(&mut self) -> SmallVec<[&mut Access; 3]> {
        match self {
            KOp::Load(access) | KOp::Store(access) => smallvec::smallvec![access],
            KOp::Call { mems, .. } | KOp::Parallel { mems, .. } | KOp::Launch { mems, .. } => {
                mems.iter_mut().collect()
            }
            KOp::Library(call) => match &mut **call {
                Library::Gemm { a, b, c, .. } => smallvec::smallvec![&mut a.at, &mut b.at, &mut c.at],
                Library::Tile { src, dst, .. } => smallvec::smallvec![src, dst],
                Library::Tile2 { a, b, dst, .. } => smallvec::smallvec![a, b, dst],
                Library::Reference { inputs, outputs, .. } => inputs.iter_mut().chain(outputs).collect(),
                Library::Section(_) => SmallVec::new(),
            },
            scalar_ops!()
            | KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | device_ops!()
            | KOp::Reserve(_)
            | KOp::Steps(_) => SmallVec::new(),
        }
    }

    /// The bounds that may be values, in order.
    pub fn extents(&self) -> SmallVec<[&Extent; 2]> {
        match self {
            KOp::For(f) => smallvec::smallvec![&f.start, &f.end],
            KOp::Parallel { extent, .. } => smallvec::smallvec![extent],
            KOp::Launch { grid, .. } => grid.iter().collect(),
            KOp::Library(call) => match &**call {
                Library::Gemm { .. } | Library::Reference { .. } | Library::Section(_) => SmallVec::new(),
                Library::Tile { len, .. } | Library::Tile2 { len, .. } => smallvec::smallvec![len],
            },
            scalar_ops!()
            | KOp::Load(_)
            | KOp::Store(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | device_ops!()
            | KOp::Reserve(_)
            | KOp::Steps(_) => SmallVec::new(),
        }
    }

    /// The bounds that may be values, in order, to change.
    pub fn extents_mut(&mut self) -> SmallVec<[&mut Extent; 2]> {
        match self {
            KOp::For(f) => smallvec::smallvec![&mut f.start, &mut f.end],
            KOp::Parallel { extent, .. } => smallvec::smallvec![extent],
            KOp::Launch { grid, .. } => grid.iter_mut().collect(),
            KOp::Library(call) => match &mut **call {
                Library::Gemm { .. } | Library::Reference { .. } | Library::Section(_) => SmallVec::new(),
                Library::Tile { len, .. } | Library::Tile2 { len, .. } => smallvec::smallvec![len],
            },
            scalar_ops!()
            | KOp::Load(_)
            | KOp::Store(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | device_ops!()
            | KOp::Reserve(_)
            | KOp::Steps(_) => SmallVec::new(),
        }
    }
}

impl Block {
    /// Replaces every value, those inside included.
    pub fn map_values(&mut self, f: &mut dyn FnMut(KValue) -> KValue) {
        self.params.iter_mut().chain(&mut self.yields).for_each(|v| *v = f(*v));
        for inst in &mut self.insts {
            inst.operands.iter_mut().chain(&mut inst.results).for_each(|v| *v = f(*v));
            for access in inst.op.accesses_mut() {
                access.terms.iter_mut().for_each(|t| t.0 = f(t.0));
            }
            for extent in inst.op.extents_mut() {
                if let Extent::Value(v) = extent {
                    *v = f(*v);
                }
            }
            inst.op.blocks_mut().for_each(|b| b.map_values(f));
        }
    }
}
