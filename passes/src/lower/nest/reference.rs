//! Operations without kernel code of their own: the reference interpreter computes them, on tensors in memory. Batches of signals and
//! of matrices are shared out over threads, some examples in a call.

use super::Lowerer;
use super::emit::add_term;
use crate::lower::LowerError;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use std::sync::Arc;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Value};
use wengert_ir::kernel::reference::Reference;
use wengert_ir::kernel::{Extent, KOp, KValue, Library, LoopKind, Scalar};
use wengert_ir::op::{Effect, Op};
use wengert_ir::ops_of;
use wengert_ir::types::{TensorType, Type};

/// Least arithmetic of a call that is shared out: about 12 us, of sorting more.
const LEAST: u64 = 24_000;

/// Examples in a call are a multiple of this where there are many: routines take as many side by side.
const ABREAST: usize = 8;

/// The operands and results of an instruction: where they are, and how much of the memory an example takes.
struct Places {
    inputs: Vec<(At, i64)>,
    outputs: Vec<(At, i64)>,
}

impl<'m> Lowerer<'m> {
    /// Hands one instruction, with its regions, to the reference interpreter.
    pub(in crate::lower) fn reference(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
    ) -> Result<(), LowerError> {
        let program = self
            .program_of(s.func, inst, None)
            .ok_or_else(|| s.refuse(inst, "the sizes of its operands and results must be known"))?;
        let each = |ty: &TensorType| {
            let elements: usize = Scalar::held(ty).1.iter().product();
            (elements / ty.shape.first().copied().unwrap_or(1).max(1)) as i64
        };
        let mut places = Places { inputs: Vec::new(), outputs: Vec::new() };
        for &v in &inst.operands {
            places.inputs.push((self.memory_of(s, v)?, each(s.ty(v))));
        }
        // Results never share memory with what is read.
        let reads: Vec<_> = inst.operands.iter().map(|&v| (v, false)).collect();
        for &v in &inst.results {
            let at = self.target(s, v, &reads);
            places.outputs.push((at.clone(), each(s.ty(v))));
            s.stored[v] = Some(Stored::Memory(at));
        }
        let Some((examples, size)) = self.share(s.func, inst, program.flops()) else {
            self.call_reference(program, &places, None, 0);
            return Ok(());
        };
        let part = |l: &Self, size| l.program_of(s.func, inst, Some(size)).expect("the whole has one");
        let (full, rest) = (examples / size, examples % size);
        let program = part(self, size);
        self.outline(full as i64, 1, |l, from, to| {
            let number = l.b.open(&[Scalar::I64])[0];
            l.call_reference(program, &places, Some((number, size as i64)), 0);
            l.b.end_for((Extent::Value(from), Extent::Value(to)), LoopKind::Sequential, &[], &[]);
        });
        if rest > 0 {
            let program = part(self, rest);
            self.call_reference(program, &places, None, (full * size) as i64);
        }
        Ok(())
    }

    /// How many examples an operation has and how many are taken in a call, if they are shared out.
    fn share(&self, func: &Func, inst: &Inst, flops: u64) -> Option<(usize, usize)> {
        let calls = usize::try_from(flops / LEAST).ok()?.min(self.options.target.slots as usize);
        // Threads have no order, and what a call says of its failure is the thread's.
        let is_told = |op: &Op| op.effect() == Effect::Ordered || matches!(op, Op::CustomCall(_));
        let tells = |&f: &FuncId| self.module.reaches(f, &is_told);
        let may = self.may_outline() && !inst.op.callees().iter().any(tells);
        let examples = examples(func, inst).filter(|_| may)?;
        let size = examples.div_ceil(calls.max(1));
        let step = if examples >= 8 * ABREAST { ABREAST } else { 1 };
        let size = size.next_multiple_of(step);
        // Somewhat fewer, if then no call is left over.
        let even = (size / 2 + 1..=size).rev().find(|n| n % step == 0 && examples % n == 0);
        let size = even.unwrap_or(size);
        (calls >= 2 && examples / size >= 2).then_some((examples, size))
    }

    /// A call of a program from an example on, and from every so many examples further on.
    fn call_reference(
        &mut self,
        program: Reference,
        places: &Places,
        number: Option<(KValue, i64)>,
        first: i64,
    ) {
        let mut access = |(at, each): &(At, i64)| {
            let mut access = self.element(at, first * each);
            if let Some((number, size)) = number {
                add_term(&mut access.terms, number, size * each);
            }
            access
        };
        let inputs = places.inputs.iter().map(&mut access).collect();
        let outputs = places.outputs.iter().map(&mut access).collect();
        let call = Library::Reference { program: Arc::new(program), inputs, outputs };
        self.b.push(KOp::Library(Box::new(call)), &[], &[]);
    }

    /// A module whose `main` is this one instruction, of so many examples if that is said.
    fn program_of(&self, func: &Func, inst: &Inst, size: Option<usize>) -> Option<Reference> {
        let (mut module, callees) = self.module.reachable(&inst.op.callees());
        let (mut op, mut next) = (inst.op.clone(), callees.into_iter());
        op.map_callees(&mut |_| next.next().expect("as many as the operation has"));
        let mut main = Func::new("main", FuncKind::Public);
        let of = |v: &Value| match (func.ty(*v), size) {
            (Type::Tensor(ty), Some(size)) => {
                let mut ty = ty.clone();
                ty.shape[0] = size;
                ty.into()
            }
            (ty, _) => ty.clone(),
        };
        let params: Vec<_> = inst.operands.iter().map(|v| main.param(of(v))).collect();
        let types: Vec<_> = inst.results.iter().map(of).collect();
        let results = main.push_typed(op, &params, types, inst.loc.clone());
        main.results = results.to_vec();
        let main = module.add(main);
        Reference::new(&module, main)
    }
}

/// How many examples an instruction computes one beside the other, none with another: the first dimension of everything that it
/// takes and gives.
fn examples(func: &Func, inst: &Inst) -> Option<usize> {
    let rank = inst.operands.first().and_then(|&v| func.ty(v).as_tensor()).map(TensorType::rank)?;
    let is_batch = match &inst.op {
        Op::Sort(sort) => sort.dimension > 0,
        Op::TopK(_) => rank > 1,
        Op::Fft(fft) => rank > fft.length.len(),
        Op::Cholesky(_) | Op::TriangularSolve(_) | ops_of!(factorization) => rank > 2,
        Op::Rng(_)
        | Op::RngBitGenerator(_)
        | Op::Convolution(_)
        | Op::ReduceWindow(_)
        | Op::SelectAndScatter(_)
        | Op::Map(_)
        | Op::BatchNormTraining(_)
        | Op::BatchNormInference(_)
        | Op::BatchNormGrad(_)
        | Op::ApproxTopK(_)
        | Op::CustomCall(_) => false,
        ops_of!(source) | ops_of!(elementwise) | ops_of!(movement) | ops_of!(update) => false,
        ops_of!(contraction) | ops_of!(reduction) | ops_of!(call) | ops_of!(control) => false,
        ops_of!(mark) | ops_of!(opaque) => false,
    };
    let mut sizes = inst.operands.iter().chain(&inst.results).map(|&v| {
        let ty = func.ty(v).as_tensor()?;
        ty.shape.first().copied()
    });
    let first = sizes.next()??;
    (is_batch && sizes.all(|size| size == Some(first))).then_some(first)
}
