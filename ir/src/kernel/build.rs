//! Building kernels instruction by instruction.

use super::{
    Access, Block, Extent, For, KInst, KOp, KValue, Kernel, LoopKind, MemKind, MemRef, MemRefDef, Scalar,
    WhileLoop,
};
use smallvec::SmallVec;

/// Builds one kernel. Instructions go to the innermost open block.
///
/// ```
/// use wengert_ir::kernel::build::{KernelBuilder, at};
/// use wengert_ir::kernel::{Extent, KBinary, KOp, LoopKind, MemKind, Scalar};
/// let (mut b, _) = KernelBuilder::new("double", &[]);
/// let x = b.mem(Scalar::F32, 8, MemKind::Param(0));
/// let y = b.mem(Scalar::F32, 8, MemKind::Param(1));
/// b.count(Extent::Const(0), Extent::Const(8), 1, LoopKind::Vector, &[], |b, i, _| {
///     let v = b.load(at(x, 0, &[(i, 1)]));
///     let v = b.op(KOp::Binary(KBinary::Add), &[v, v], Scalar::F32);
///     b.store(at(y, 0, &[(i, 1)]), v);
///     vec![]
/// });
/// assert_eq!(b.finish().body.insts.len(), 1);
/// ```
#[derive(Debug)]
pub struct KernelBuilder {
    kernel: Kernel,
    /// Open blocks around `kernel.body`, outermost first; the last receives instructions.
    open: Vec<Block>,
}

/// The position `offset + sum of value * stride` of a memory.
pub fn at(mem: MemRef, offset: i64, terms: &[(KValue, i64)]) -> Access {
    Access { mem, offset, terms: SmallVec::from_slice(terms) }
}

impl KernelBuilder {
    /// A kernel with scalar parameters of these types.
    pub fn new(name: &str, params: &[Scalar]) -> (Self, Vec<KValue>) {
        let mut builder =
            Self { kernel: Kernel { name: name.into(), ..Kernel::default() }, open: vec![Block::default()] };
        let params: Vec<KValue> = params.iter().map(|&ty| builder.kernel.values.push(ty)).collect();
        builder.open[0].params = params.iter().copied().collect();
        (builder, params)
    }

    /// A memref.
    pub fn mem(&mut self, elem: Scalar, len: usize, kind: MemKind) -> MemRef {
        self.kernel.mems.push(MemRefDef { elem, len, kind })
    }

    /// The type of a scalar.
    pub fn ty(&self, value: KValue) -> Scalar {
        self.kernel.values[value]
    }

    /// Adds an instruction with results of these types.
    pub fn inst(&mut self, op: KOp, operands: &[KValue], types: &[Scalar]) -> SmallVec<[KValue; 1]> {
        let results: SmallVec<[KValue; 1]> = types.iter().map(|&ty| self.kernel.values.push(ty)).collect();
        let inst = KInst { op, operands: SmallVec::from_slice(operands), results: results.clone() };
        self.open.last_mut().expect("a block is open").insts.push(inst);
        results
    }

    /// Adds an instruction with one result.
    pub fn op(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        self.inst(op, operands, &[ty])[0]
    }

    /// A constant from its bits.
    pub fn bits(&mut self, ty: Scalar, word: u64) -> KValue {
        self.op(KOp::Const(word), &[], ty)
    }

    /// A float constant. Panics for other types.
    pub fn float(&mut self, ty: Scalar, value: f64) -> KValue {
        match ty {
            Scalar::F64 => self.bits(ty, value.to_bits()),
            Scalar::F32 => self.bits(ty, u64::from((value as f32).to_bits())),
            other => panic!("a float constant of {other:?}"),
        }
    }

    /// Reads an element.
    pub fn load(&mut self, access: Access) -> KValue {
        let ty = self.kernel.mems[access.mem].elem;
        self.op(KOp::Load(access), &[], ty)
    }

    /// Writes an element.
    pub fn store(&mut self, access: Access, value: KValue) {
        self.inst(KOp::Store(access), &[value], &[]);
    }

    /// A counted loop around what `body` adds for the counter and the carried values; gives the final ones. `init`
    /// gives their types; a loop of kind `Lanes` takes none, its results are those of `lanes`.
    pub fn count(
        &mut self,
        start: Extent,
        end: Extent,
        step: i64,
        kind: LoopKind,
        init: &[KValue],
        body: impl FnOnce(&mut Self, KValue, &[KValue]) -> Vec<KValue>,
    ) -> SmallVec<[KValue; 1]> {
        let types: Vec<Scalar> = init.iter().map(|&v| self.ty(v)).collect();
        self.count_typed(start, end, step, kind, init, &types, body)
    }

    /// A reduction loop with results of these types.
    pub fn lanes(
        &mut self,
        end: Extent,
        combines: &[super::Combine],
        types: &[Scalar],
        body: impl FnOnce(&mut Self, KValue, &[KValue]) -> Vec<KValue>,
    ) -> SmallVec<[KValue; 1]> {
        let kind = LoopKind::Lanes(SmallVec::from_slice(combines));
        self.count_typed(Extent::Const(0), end, 1, kind, &[], types, body)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a counted loop")]
    fn count_typed(
        &mut self,
        start: Extent,
        end: Extent,
        step: i64,
        kind: LoopKind,
        init: &[KValue],
        types: &[Scalar],
        body: impl FnOnce(&mut Self, KValue, &[KValue]) -> Vec<KValue>,
    ) -> SmallVec<[KValue; 1]> {
        let mut params = vec![Scalar::I64];
        params.extend(types);
        let body = self.block(&params, |b, params| body(b, params[0], &params[1..]));
        self.inst(KOp::For(Box::new(For { start, end, step, kind, body })), init, types)
    }

    /// A loop while what `cond` adds gives true.
    pub fn while_loop(
        &mut self,
        init: &[KValue],
        cond: impl FnOnce(&mut Self, &[KValue]) -> KValue,
        body: impl FnOnce(&mut Self, &[KValue]) -> Vec<KValue>,
    ) -> SmallVec<[KValue; 1]> {
        let types: Vec<Scalar> = init.iter().map(|&v| self.ty(v)).collect();
        let cond = self.block(&types, |b, params| vec![cond(b, params)]);
        let body = self.block(&types, body);
        self.inst(KOp::While(Box::new(WhileLoop { cond, body })), init, &types)
    }

    /// A choice among blocks, each added by `arm` for its number.
    pub fn switch(
        &mut self,
        index: KValue,
        arms: usize,
        types: &[Scalar],
        mut arm: impl FnMut(&mut Self, usize) -> Vec<KValue>,
    ) -> SmallVec<[KValue; 1]> {
        let blocks = (0..arms).map(|k| self.block(&[], |b, _| arm(b, k))).collect();
        self.inst(KOp::Switch(blocks), &[index], types)
    }

    /// A block with parameters of these types and what `body` adds; not part of the kernel until an instruction holds it.
    pub fn block(
        &mut self,
        params: &[Scalar],
        body: impl FnOnce(&mut Self, &[KValue]) -> Vec<KValue>,
    ) -> Block {
        let params: Vec<KValue> = params.iter().map(|&ty| self.kernel.values.push(ty)).collect();
        self.open.push(Block { params: params.iter().copied().collect(), ..Block::default() });
        let yields = body(self, &params);
        let mut block = self.open.pop().expect("the block just opened");
        block.yields = yields.into_iter().collect();
        block
    }

    /// The kernel. Panics if a block is still open.
    pub fn finish(mut self) -> Kernel {
        assert_eq!(self.open.len(), 1, "open blocks");
        self.kernel.body = self.open.pop().expect("the body");
        self.kernel
    }
}
