//! The functions of a program and their signatures: one for each kernel, and a second one for those that several threads run.

use super::clif::clif_type;
use crate::options::CompileError;
use crate::runtime::entry::Shape;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_module::{FuncId, Module};
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{Block, KOp, Kernel, KernelId, MemKind, Place, Program};

/// A kernel's functions.
pub(crate) struct Declared {
    pub(crate) id: FuncId,
    /// The same kernel with the signature that the thread pool calls, if it is called in parallel.
    pub(crate) piece: Option<FuncId>,
    /// Whether it takes the program's arguments, results and scratch.
    pub(crate) frame: bool,
    pub(crate) signature: Signature,
}

/// Declares every kernel, and a second function for those that run in parallel.
pub(crate) fn declare(
    program: &Program,
    module: &mut dyn Module,
) -> Result<EntityVec<KernelId, Declared>, CompileError> {
    let mut parallel = EntityVec::<KernelId, bool>::filled(false, program.kernels.len());
    for kernel in program.kernels.values() {
        mark_parallel(&kernel.body, &mut parallel);
    }
    let error = |e: cranelift_module::ModuleError| CompileError { kernel: None, message: e.to_string() };
    let framed = framed(program);
    let mut functions = EntityVec::new();
    for (id, kernel) in program.kernels.iter() {
        let frame = framed[id];
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        if frame {
            signature.params.extend([AbiParam::new(types::I64); 3]);
        }
        let params = kernel.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).count();
        signature.params.extend((0..params).map(|_| AbiParam::new(types::I64)));
        signature
            .params
            .extend(kernel.body.params.iter().map(|&v| AbiParam::new(clif_type(kernel.values[v]))));
        signature.returns.push(AbiParam::new(types::I32));
        let func = module.declare_anonymous_function(&signature).map_err(error)?;
        let piece = match parallel[id] {
            true => Some(module.declare_anonymous_function(&piece_signature(module.isa())).map_err(error)?),
            false => None,
        };
        functions.push(Declared { id: func, piece, frame, signature });
    }
    Ok(functions)
}

/// The signature of a routine.
pub(crate) fn routine_signature(shape: Shape, convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    let (param, count, result) = match shape {
        Shape::F64x1 => (types::F64, 1, Some(types::F64)),
        Shape::F32x1 => (types::F32, 1, Some(types::F32)),
        Shape::F64x2 => (types::F64, 2, Some(types::F64)),
        Shape::F32x2 => (types::F32, 2, Some(types::F32)),
        Shape::Words(n) => (types::I64, n, Some(types::I32)),
        Shape::Void(n) => (types::I64, n, None),
    };
    signature.params.extend((0..count).map(|_| AbiParam::new(param)));
    signature.returns.extend(result.map(AbiParam::new));
    signature
}

/// `(context, lo, hi, payload) -> status`; the payload is the frame if needed, memrefs, and scalars, a word each.
pub(crate) fn piece_signature(isa: &dyn TargetIsa) -> Signature {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.extend([AbiParam::new(types::I64); 4]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// Which kernels read the program's arguments, results or scratch by themselves, or call one that does.
fn framed(program: &Program) -> EntityVec<KernelId, bool> {
    let own = |kernel: &Kernel| {
        kernel.mems.values().any(|m| match m.kind {
            MemKind::Program(mem) => {
                matches!(program.mems[mem].place, Place::Param(_) | Place::Result(_) | Place::Scratch(_))
            }
            MemKind::Param(_) | MemKind::Local | MemKind::Workgroup => false,
        })
    };
    let mut framed: EntityVec<KernelId, bool> = program.kernels.values().map(own).collect();
    framed[program.entry] = true;
    // From those to their callers, and on.
    let mut callers = EntityVec::<KernelId, Vec<KernelId>>::filled(Vec::new(), program.kernels.len());
    for (caller, kernel) in program.kernels.iter() {
        kernel.body.visit(&mut |inst| {
            if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } = &inst.op {
                callers[*kernel].push(caller);
            }
        });
    }
    let mut work: Vec<KernelId> = framed.iter().filter(|(_, f)| **f).map(|(id, _)| id).collect();
    while let Some(id) = work.pop() {
        for &caller in &callers[id] {
            if !std::mem::replace(&mut framed[caller], true) {
                work.push(caller);
            }
        }
    }
    framed
}

fn mark_parallel(body: &Block, parallel: &mut EntityVec<KernelId, bool>) {
    body.visit(&mut |inst| {
        if let KOp::Parallel { kernel, .. } = &inst.op {
            parallel[*kernel] = true;
        }
    });
}
