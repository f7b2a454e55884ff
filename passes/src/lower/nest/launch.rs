//! Launches: the points of a nest, a thread for each or for several; and which loops one thread runs as a whole.
//!
//! Neighbouring threads take neighbouring points of the innermost loop, so that accesses that go on in memory are coalesced. With
//! as many threads as points there is one point each; a last block that is not full has a loop of no trips as its bound check,
//! and where there are more points than threads that loop strides by the grid.
//!
//! Work that is less than a launch costs stays in the entry, where [`gpu`](crate::lower::gpu) gathers it.

use super::Lowerer;
use super::emit::{Binding, Emission, Loops, Output};
use super::forms::{Forms, arithmetic, cells};
use super::launch_transpose::crossing;
use crate::cost::{Device, TRIPS, scalar_instructions};
use crate::lower::plan::classify::{in_registers, multiply_adds};
use crate::lower::space::graph::Graph;
use smallvec::SmallVec;
use wengert_ir::func::{Func, FuncId, Inst};
use wengert_ir::kernel::*;
use wengert_ir::op::Op;
use wengert_ir::ops_of;
use wengert_ir::types::DYNAMIC;

impl<'m> Lowerer<'m> {
    /// The device, where a loop may become a launch.
    pub(in crate::lower) fn device(&self) -> Option<&'static Device> {
        let device = self.options.target.device.as_ref()?;
        (self.alone == 0 && self.b.imports.is_none()).then_some(device)
    }

    /// Whether what is lowered here is the work of a device.
    pub(in crate::lower) fn on_device(&self) -> bool {
        self.options.target.device.is_some() && self.b.imports.is_none()
    }

    /// Enters control flow over these functions; whether one thread of a device runs it as a whole.
    pub(in crate::lower) fn enter(&mut self, funcs: &[FuncId]) -> bool {
        let alone = match self.device() {
            Some(device) => self.work(funcs).is_some_and(|work| work <= device.trip),
            None => self.alone > 0,
        };
        self.alone += u32::from(alone);
        self.memory.enter_loop();
        alone
    }

    /// Leaves it.
    pub(in crate::lower) fn leave(&mut self, alone: bool) {
        self.alone -= u32::from(alone);
        if alone && self.alone == 0 {
            self.memory.leave_launch();
        } else {
            self.memory.leave_loop();
        }
    }

    /// Scalar operations of functions, each once; `None` if they call what is no code of ours.
    fn work(&self, funcs: &[FuncId]) -> Option<usize> {
        let mut sum = 0usize;
        for &id in funcs {
            let func = &self.module.funcs[id];
            for inst in func.insts.values() {
                sum = sum.saturating_add(self.work_of(func, inst)?);
            }
        }
        Some(sum)
    }

    fn work_of(&self, func: &Func, inst: &Inst) -> Option<usize> {
        let elements = |v| func.ty(v).as_tensor().and_then(|t| t.checked_elements());
        let made = || inst.results.iter().map(|&r| elements(r)).sum::<Option<usize>>();
        Some(match &inst.op {
            Op::Case(case) => {
                let each = case.branches.iter().map(|&b| self.work(&[b]));
                each.collect::<Option<Vec<usize>>>()?.into_iter().max().unwrap_or(0)
            }
            Op::While(w) => self.work(&[w.cond, w.body])?.saturating_mul(TRIPS as usize),
            Op::Scan(scan) => {
                let trips = if scan.length == DYNAMIC { TRIPS as usize } else { scan.length };
                self.work(&[scan.body])?.saturating_mul(trips)
            }
            Op::Call(call) => self.work(&[call.callee])?,
            Op::Composite(c) => self.work(&[c.decomposition])?,
            Op::DotGeneral(_) => {
                let own = in_registers(self.options.target, func, inst, self.limit)
                    || !func.tensor(inst.results[0]).dtype.is_float();
                own.then(|| multiply_adds(func, inst).saturating_mul(2))?
            }
            Op::Reduce(_) => elements(inst.operands[0])?,
            Op::Unary(op) if op.is_special() => return None,
            Op::Scatter(scatter) if scatter.inputs > 1 => return None,
            Op::Scatter(_) => elements(inst.operands[2])?,
            // What is written over is not read.
            Op::DynamicUpdateSlice(_) => elements(inst.operands[1])?,
            ops_of!(source) | ops_of!(movement) | ops_of!(mark) => made()? / 4,
            ops_of!(elementwise) => made()?.saturating_mul(scalar_instructions(&inst.op)),
            Op::CustomJvp(_)
            | Op::CustomVjp(_)
            | Op::Checkpoint(_)
            | Op::LinearSolve(_)
            | Op::Root(_)
            | ops_of!(library)
            | ops_of!(opaque) => return None,
        })
    }

    /// The loops that compute `outputs`, each cell of them by a launch if that is worth it, else by one loop.
    pub(in crate::lower) fn launch_nest(
        &mut self,
        graph: &Graph,
        forms: &Forms<'_>,
        loops: &Loops,
        outputs: &[Output],
    ) {
        let arithmetic = arithmetic(graph, forms).max(1);
        let mut e = Emission::new(graph);
        e.ranges[..graph.own_atoms()].fill((0, 1));
        let floor = self.b.set_floor();
        for cell in cells(forms, loops) {
            let points = cell.iter().fold(1i64, |n, (lo, hi)| n.saturating_mul(hi - lo));
            for (&(a, _), &range) in loops.atoms.iter().zip(&cell) {
                e.ranges[a as usize] = range;
            }
            e.afresh();
            let saved = e.bind.clone();
            let each = |l: &mut Self, e: &mut Emission<'_>, point: KValue| {
                let extents: SmallVec<[i64; 4]> = cell.iter().map(|(lo, hi)| hi - lo).collect();
                let digits = l.digits(point, &extents);
                for ((&(a, _), &(lo, _)), digit) in loops.atoms.iter().zip(&cell).zip(digits) {
                    e.bind[a as usize] = Binding { offset: lo, ..Binding::counter(digit) };
                }
                let roots: SmallVec<[u32; 4]> = outputs.iter().map(|o| o.node).collect();
                let values = l.emit(e, &roots);
                for (o, value) in outputs.iter().zip(values) {
                    let access = l.access(e, &o.at, &o.position);
                    l.b.store(access, value);
                }
            };
            let work = (points as usize).saturating_mul(arithmetic as usize);
            let live = e.reached(outputs.iter().map(|o| o.node));
            let crossed = crossing(graph, &live, loops, &cell, self.options.target.leap);
            if let Some(crossed) = crossed
                && self.device().is_some_and(|device| work > device.alone)
                && self.launch_crossing(&mut e, loops, &cell, outputs, &crossed)
            {
                e.bind = saved;
                continue;
            }
            if self.device().is_some_and(|device| work > device.alone) {
                self.launch_points(points, |l, point| {
                    e.import_bindings();
                    each(l, &mut e, point);
                });
            } else {
                // Independent of each other, should a block of threads share them.
                let point = self.b.open(&[Scalar::I64])[0];
                each(self, &mut e, point);
                let bounds = (Extent::Const(0), Extent::Const(points));
                self.b.end_for(bounds, LoopKind::Vector, &[], &[]);
            }
            e.bind = saved;
        }
        self.b.restore_floor(floor);
    }

    /// A launch of as many threads as there are points, or as a grid has; `body` is what one does at a point.
    pub(in crate::lower) fn launch_points(&mut self, points: i64, body: impl FnOnce(&mut Self, KValue)) {
        let device = self.options.target.device.as_ref().expect("launches are for a device");
        // Whole warps, unless one block is enough.
        let threads = i64::from(device.threads).min((points + 31) / 32 * 32).max(1);
        let blocks = ((points + threads - 1) / threads).min(device.blocks);
        let all = blocks * threads;
        self.launch([blocks, 1, 1], [threads as u32, 1, 1], |l| {
            let mut first = l.b.pure(KOp::ThreadId(Axis::X), &[], Scalar::I64);
            if blocks > 1 {
                let block = l.b.pure(KOp::BlockId(Axis::X), &[], Scalar::I64);
                let threads = l.b.int(threads);
                let before = l.b.binary(KBinary::Mul, block, threads);
                first = l.b.binary(KBinary::Add, before, first);
            }
            if points == all {
                return body(l, first);
            }
            let point = l.b.open(&[Scalar::I64])[0];
            body(l, point);
            let bounds = (Extent::Value(first), Extent::Const(points));
            l.b.end_steps(bounds, all, LoopKind::Sequential, &[], &[]);
        });
    }

    /// A launch of what `body` does in each thread.
    pub(in crate::lower) fn launch(&mut self, grid: [i64; 3], block: [u32; 3], body: impl FnOnce(&mut Self)) {
        let entry = std::mem::replace(&mut self.b, super::Builder::new("", true));
        body(self);
        let outlined = std::mem::replace(&mut self.b, entry);
        let (kernel, mems, scalars) = self.outlined_kernel(outlined, grid);
        let op = KOp::Launch { kernel, mems, grid: grid.map(Extent::Const), block };
        self.b.push(op, &scalars, &[]);
    }
}
