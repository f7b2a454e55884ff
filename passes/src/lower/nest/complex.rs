//! Complex numbers in memory are two floats side by side. Their parts are read where they are wanted ([`crate::lower::space`]); what
//! puts them together computes both and writes them side by side.

use super::Lowerer;
use super::emit::Output;
use crate::lower::LowerError;
use crate::lower::space::graph::{self, Stop};
use crate::lower::space::scope::{Scope, Stored};
use wengert_ir::func::{Inst, InstId, Value};

impl<'m> Lowerer<'m> {
    /// Lowers an instruction that makes complex numbers of their parts.
    pub(in crate::lower) fn complex(
        &mut self,
        s: &mut Scope<'m>,
        id: InstId,
        inst: &'m Inst,
    ) -> Result<(), LowerError> {
        let result = inst.results[0];
        let shape = s.ty(result).shape.clone();
        let regions = match shape.contains(&0) {
            true => Vec::new(),
            false => graph::regions(self, &shape, |l, g| {
                inst.operands.iter().map(|&v| l.member(g, s, v, None)).collect::<Result<Vec<_>, Stop>>()
            })?,
        };
        // Elements of parts and result have different sizes: they share no memory.
        let reads: Vec<(Value, bool)> =
            s.plan.stored_reads(s.func, id).into_iter().map(|v| (v, false)).collect();
        let to = self.target(s, result, &reads);
        s.stored[result] = Some(Stored::Memory(to.clone()));
        for (graph, parts) in regions {
            let outputs = (0..).zip(parts).map(|(part, (position, node))| Output {
                at: to.clone(),
                position: position.scaled(2, part),
                node,
            });
            self.nest(&graph, &outputs.collect::<Vec<_>>());
        }
        Ok(())
    }
}
