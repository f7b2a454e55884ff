//! Loop nests: from the units of a [plan](super::plan) to kernel IR, through expression graphs over index spaces
//! ([`space`](super::space)).
//!
//! [`region`] walks over the units. A kernel of the plan ([`values`]) becomes graphs, and these loops that compute elements
//! ([`loops`], several rows side by side in [`jam`]) or reduce ([`reduce`]; by [`columns`] where memory lies so, several rows at a time in [`blocks`]), one loop
//! over [`rows`] for those that work row by row, many rows at a time where they are short ([`turned`]). Tensors in registers are straight-line code ([`scalar_replacement`]). Matrix
//! products ([`dot`], by pieces in [`tiling`]), updates in place ([`dynamic`]), reductions by a function ([`fold`]), control flow
//! ([`control`]), [`complex`] numbers that are put together and what the reference interpreter computes ([`mod@reference`]) have
//! code of their own.
//! [`emit`] writes the nodes of a graph, [`builder`] blocks of a kernel, [`memory`] packs scratch memory. On a device, [`launch`]
//! runs the points of a nest by a thread each, [`launch_reduce`] reductions by several, [`launch_rows`] rows by a block,
//! [`launch_transpose`] what is crossed through workgroup memory, and [`launch_product`] products by tiles.

mod blocks;
mod branches;
mod builder;
mod columns;
mod complex;
mod control;
mod dot;
mod dynamic;
mod emit;
mod fold;
mod forms;
mod jam;
mod launch;
mod launch_product;
mod launch_reduce;
mod launch_rows;
mod launch_transpose;
mod loops;
pub(crate) mod memory;
mod reduce;
mod reduction;
mod reference;
mod region;
mod rows;
mod scalar_replacement;
mod tiling;
mod turned;
mod values;
mod windowed;

use super::plan::{Plan, Storing};
use super::space::graph::{Graph, IndexId, Stop};
use super::space::nodes::Places;
use super::space::scope::{At, Dest, Scope, Stored};
use super::{LowerError, Options, Sources, Stats, gpu};
use builder::Builder;
use memory::Memory;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{FuncId, Module, Value};
use wengert_ir::kernel::{Kernel, KernelId, Place, Program, Scalar};
use wengert_ir::limits::Exceeded;
use wengert_ir::types::TensorType;

/// The state of lowering one program.
struct Lowerer<'m> {
    module: &'m Module,
    options: Options,
    storing: Storing,
    /// Values of outlined kernels.
    outlined: u64,
    /// Largest tensor kept in registers.
    limit: usize,
    memory: Memory,
    /// Outlined kernels, equal ones once.
    kernels: EntityVec<KernelId, Kernel>,
    /// The same by what they do and, if they are given scalars, the extent that they are called over.
    known_kernels: FxHashMap<(Kernel, Option<[i64; 3]>), KernelId>,
    /// The kernel being built: the entry, or for a while an outlined one.
    b: Builder,
    plans: FxHashMap<FuncId, Rc<Plan>>,
    stats: Stats,
    /// The units of functions, as they were lowered; the first stands for none.
    origins: Vec<(FuncId, u32)>,
    /// Depth of regions being lowered.
    nesting: usize,
    /// Inside the body of a loop over rows, which is not cut again.
    in_rows: bool,
    /// Loops around that one thread of a device runs.
    alone: u32,
}

/// Lowers a function with these parameters and results; tensors of up to `limit` elements are in registers.
pub(super) fn program(
    module: &Module,
    func: FuncId,
    (params, results): (&[TensorType], &[TensorType]),
    options: Options,
    storing: Storing,
    limit: usize,
) -> Result<(Program, Stats, Sources), LowerError> {
    let f = &module.funcs[func];
    let mut lowerer = Lowerer {
        module,
        options,
        storing,
        outlined: 0,
        limit,
        memory: Memory::default(),
        kernels: EntityVec::new(),
        known_kernels: FxHashMap::default(),
        b: Builder::new(&f.name, false),
        plans: FxHashMap::default(),
        stats: Stats { registers: limit, storing, ..Stats::default() },
        origins: vec![(func, u32::MAX)],
        nesting: 0,
        in_rows: false,
        alone: 0,
    };
    let mut args = Vec::with_capacity(params.len());
    for (k, ty) in params.iter().enumerate() {
        let (elem, shape) = Scalar::held(ty);
        let mem = lowerer.memory.fixed(elem, &shape, Place::Param(k as u32));
        args.push(Stored::Memory(At::whole(mem, lowerer.memory.len(mem))));
    }
    let mut dests = Vec::with_capacity(results.len());
    for (k, ty) in results.iter().enumerate() {
        let (elem, shape) = Scalar::held(ty);
        let mem = lowerer.memory.fixed(elem, &shape, Place::Result(k as u32));
        let at = At::whole(mem, lowerer.memory.len(mem));
        dests.push(Some(Dest { at, replaces: None }));
    }
    let given = lowerer.region(func, args, dests.clone())?;
    for (stored, dest) in given.iter().zip(&dests) {
        lowerer.copy(stored, &dest.as_ref().expect("all have one").at);
    }
    lowerer.stats.unshared = lowerer.memory.unshared();
    let scratch = lowerer.memory.plan().ok_or_else(|| LowerError::over(f, Exceeded::Addresses))?;
    lowerer.stats.scratch = scratch;
    lowerer.stats.outlined = lowerer.kernels.len();
    let places = std::mem::take(&mut lowerer.b.origins);
    let sources = Sources { origins: lowerer.origins, places };
    let (entry, _) = lowerer.b.finish();
    let mut kernels = lowerer.kernels;
    let entry = kernels.push(entry);
    let program = Program {
        name: f.name.clone(),
        mode: module.mode,
        params: params.to_vec(),
        results: results.to_vec(),
        mems: lowerer.memory.mems,
        kernels,
        entry,
        scratch,
    };
    if options.target.device.is_none() {
        return Ok((program, lowerer.stats, sources));
    }
    let hosted = gpu::host(&program).or_else(|gpu::Overlap| {
        let mut apart = program;
        let scratch =
            Memory::apart(&mut apart.mems).ok_or_else(|| LowerError::over(f, Exceeded::Addresses))?;
        apart.scratch = scratch;
        gpu::host(&apart).map_err(|gpu::Overlap| LowerError::over(f, Exceeded::Addresses))
    })?;
    let stats = Stats { scratch: hosted.scratch, outlined: hosted.kernels.len() - 1, ..lowerer.stats };
    Ok((hosted, stats, sources))
}

impl<'m> Lowerer<'m> {
    /// What a graph is built with.
    fn places(&mut self) -> &mut dyn Places<'m> {
        self
    }

    /// The node of a value's element at an index.
    fn node(&mut self, g: &mut Graph, s: &mut Scope<'m>, v: Value, at: IndexId) -> Result<u32, Stop> {
        self.places().node(g, s, v, at)
    }
}
