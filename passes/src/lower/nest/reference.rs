//! Operations without kernel code of their own: the reference interpreter computes them, on tensors in memory.

use super::Lowerer;
use crate::lower::LowerError;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use std::sync::Arc;
use wengert_ir::func::{Func, FuncKind, Inst};
use wengert_ir::kernel::reference::Reference;
use wengert_ir::kernel::{Access, KOp, Library};

impl<'m> Lowerer<'m> {
    /// Hands one instruction, with its regions, to the reference interpreter.
    pub(in crate::lower) fn reference(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
    ) -> Result<(), LowerError> {
        let program = self
            .program_of(s.func, inst)
            .ok_or_else(|| s.refuse(inst, "the sizes of its operands and results must be known"))?;
        let mut inputs = Vec::with_capacity(inst.operands.len());
        for &v in &inst.operands {
            let at = self.memory_of(s, v)?;
            inputs.push(self.first(&at));
        }
        // Results never share memory with what is read.
        let reads: Vec<_> = inst.operands.iter().map(|&v| (v, false)).collect();
        let mut outputs = Vec::with_capacity(inst.results.len());
        for &v in &inst.results {
            let at = self.target(s, v, &reads);
            outputs.push(self.first(&at));
            s.stored[v] = Some(Stored::Memory(at));
        }
        let call = Library::Reference { program: Arc::new(program), inputs, outputs };
        self.b.push(KOp::Library(Box::new(call)), &[], &[]);
        Ok(())
    }

    fn first(&mut self, at: &At) -> Access {
        self.element(at, 0)
    }

    /// A module whose `main` is this one instruction.
    fn program_of(&self, func: &Func, inst: &Inst) -> Option<Reference> {
        let (mut module, callees) = self.module.reachable(&inst.op.callees());
        let (mut op, mut next) = (inst.op.clone(), callees.into_iter());
        op.map_callees(&mut |_| next.next().expect("as many as the operation has"));
        let mut main = Func::new("main", FuncKind::Public);
        let params: Vec<_> = inst.operands.iter().map(|&v| main.param(func.ty(v).clone())).collect();
        let types: Vec<_> = inst.results.iter().map(|&v| func.ty(v).clone()).collect();
        let results = main.push_typed(op, &params, types, inst.loc.clone());
        main.results = results.to_vec();
        let main = module.add(main);
        Reference::new(&module, main)
    }
}
