//! What code does with each section of a program, and how long that may take: what people are shown who look for the slow part.
//!
//! Nothing is run. Loops are looked at as they are compiled; times follow from what a loop does and its form, from bytes and
//! the cache that they fit in, and from calls. Figures are those of one core of about 3 GHz with AVX-512.

use super::form::{Form, form};
use super::outline::constants;
use super::prepare;
use super::refusal::Refusal;
use super::variation::{lane_step, variation};
use crate::options::Options;
use rustc_hash::FxHashMap;
use wengert_ir::kernel::product::whole_sizes;
use wengert_ir::kernel::sections::{self, Section, SectionKind, Work, innermost, is_counted};
use wengert_ir::kernel::{
    Block, For, KBinary, KInst, KOp, KUnary, Kernel, KernelId, Library, LoopKind, Program, Scalar,
};
use wengert_ir::launch_ops;

/// A loop of a section as it is compiled.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopForm {
    /// How its iterations run.
    pub form: Form,
    /// Why not better.
    pub refusal: Option<Refusal>,
    /// Iterations in all, each time the section runs.
    pub iterations: u64,
    /// Nanoseconds of arithmetic and accesses in the nearest cache, by estimate.
    pub nanoseconds: f64,
}

/// What limits a section, by estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Memory.
    Bytes,
    /// Arithmetic.
    Arithmetic,
    /// The library or the reference interpreter.
    Calls,
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Bound::Bytes => "bytes",
            Bound::Arithmetic => "flops",
            Bound::Calls => "calls",
        })
    }
}

/// A section and how it is compiled.
#[derive(Clone, PartialEq, Debug)]
pub struct Surveyed {
    /// The section.
    pub section: Section,
    /// Its innermost loops.
    pub loops: Vec<LoopForm>,
    /// Nanoseconds for bytes, arithmetic and calls, by estimate, each time it runs.
    pub nanoseconds: [f64; 3],
}

impl Surveyed {
    /// How long it takes each time it runs, by estimate: memory and arithmetic overlap.
    pub fn estimate(&self) -> f64 {
        let [bytes, arithmetic, calls] = self.nanoseconds;
        bytes.max(arithmetic) + calls
    }

    /// What limits it.
    pub fn bound(&self) -> Bound {
        let [bytes, arithmetic, calls] = self.nanoseconds;
        match () {
            () if calls > bytes.max(arithmetic) => Bound::Calls,
            () if bytes > arithmetic => Bound::Bytes,
            () => Bound::Arithmetic,
        }
    }

    /// The loop that takes longest and could be in longer vectors, with its reason.
    pub fn scalar(&self) -> Option<&LoopForm> {
        let slow = self.loops.iter().filter(|l| matches!(l.form, Form::Scalar | Form::Bits128));
        slow.max_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds))
    }
}

/// The program with its sections marked, and how each is compiled.
pub fn survey(program: &Program, options: &Options) -> (Program, Vec<Surveyed>) {
    let (marked, sections) = sections::marked(program);
    let compiled = prepare(&marked, options);
    let mut surveyor =
        Surveyor { program: &compiled, options, found: vec![(Vec::new(), 0.0); sections.len()] };
    let entry = &compiled.kernels[compiled.entry];
    surveyor.block(compiled.entry, &entry.body, None, &mut 0);
    let all = sections.into_iter().zip(surveyor.found);
    let all = all.map(|(section, (loops, calls))| {
        let arithmetic = loops.iter().map(|l| l.nanoseconds).sum();
        let nanoseconds = [memory(&section.work, section.kind), arithmetic, calls];
        Surveyed { section, loops, nanoseconds }
    });
    let all = all.collect();
    (marked, all)
}

struct Surveyor<'p> {
    program: &'p Program,
    options: &'p Options,
    /// By section: its loops, and nanoseconds of calls.
    found: Vec<(Vec<LoopForm>, f64)>,
}

impl Surveyor<'_> {
    /// Looks at a block whose first instructions belong to section `now`.
    fn block(&mut self, id: KernelId, block: &Block, extent: Option<u64>, now: &mut usize) {
        for inst in &block.insts {
            if let KOp::Library(library) = &inst.op
                && let Library::Section(number) = **library
            {
                *now = number as usize;
                continue;
            }
            if inst.op.blocks().any(marks) {
                let around = *now;
                inst.op.blocks().for_each(|b| self.block(id, b, extent, now));
                *now = around;
                continue;
            }
            self.inst(id, inst, 1.0, extent, *now);
        }
    }

    fn inst(&mut self, id: KernelId, inst: &KInst, times: f64, extent: Option<u64>, now: usize) {
        if !is_counted(&inst.op) {
            return;
        }
        let kernel = &self.program.kernels[id];
        let wrapped = Block { insts: vec![inst.clone()], ..Block::default() };
        let constants = constants(kernel);
        let mut loops = Vec::new();
        innermost(kernel, &wrapped, (1, false), extent, &mut |l, iterations, _| {
            let known = |v| constants.get(&v).copied();
            let trips = sections::trips(l, kernel, extent).map(|n| n as i64);
            let (form, refusal) = form(l, kernel, &known, trips, self.options);
            let iterations = (iterations as f64 * times) as u64;
            let entries = iterations as f64 / trips.unwrap_or(1).max(1) as f64;
            let nanoseconds = iterations as f64 * iteration(l, kernel, form) + entries * 4.0;
            loops.push(LoopForm { form, refusal, iterations, nanoseconds });
        });
        self.found[now].0.extend(loops);
        self.calls(id, inst, times, extent, now);
    }

    /// Calls of an instruction and what is in it.
    fn calls(&mut self, id: KernelId, inst: &KInst, times: f64, extent: Option<u64>, now: usize) {
        let of_kernel = |this: &mut Self, callee: KernelId, extent: Option<u64>| {
            let program = this.program;
            for inst in &program.kernels[callee].body.insts {
                this.inst(callee, inst, times, extent, now);
            }
        };
        match &inst.op {
            KOp::Call { kernel, .. } => of_kernel(self, *kernel, None),
            KOp::Parallel { kernel, extent, .. } => {
                let extent = match extent {
                    wengert_ir::kernel::Extent::Const(n) => Some((*n).max(0) as u64),
                    wengert_ir::kernel::Extent::Value(_) => None,
                };
                of_kernel(self, *kernel, extent);
                self.found[now].1 += times * 300.0;
            }
            KOp::Library(library) => self.found[now].1 += times * call(library),
            KOp::For(l) => {
                let trips = sections::trips(l, &self.program.kernels[id], extent).unwrap_or(1);
                l.body.insts.iter().for_each(|i| self.calls(id, i, times * trips as f64, extent, now));
            }
            op => op.blocks().flat_map(|b| &b.insts).for_each(|i| self.calls(id, i, times, extent, now)),
        }
    }
}

/// Whether a section begins in a block.
fn marks(block: &Block) -> bool {
    block.insts.iter().any(|i| {
        matches!(&i.op, KOp::Library(library) if matches!(**library, Library::Section(_)))
            || i.op.blocks().any(marks)
    })
}

/// Nanoseconds that memory takes, by the cache that holds it.
fn memory(work: &Work, kind: SectionKind) -> f64 {
    if kind == SectionKind::Interpreter {
        return 0.0;
    }
    let bytes = (work.read + work.written) as f64;
    const RATES: [(f64, f64); 3] = [(32e3, 100.0), (1e6, 50.0), (32e6, 15.0)];
    let rate = RATES.iter().find(|&&(most, _)| bytes <= most).map_or(8.0, |&(_, rate)| rate);
    bytes / rate
}

/// Nanoseconds of a call of the library.
fn call(library: &Library) -> f64 {
    match library {
        Library::Gemm { elem, sizes, rows, depth, .. } => {
            let [batches, m, n, k] = &whole_sizes(*sizes, rows, depth);
            let flops = 2.0 * (*batches as f64) * (*m as f64) * (*n as f64) * (*k as f64);
            let rate = if *elem == Scalar::F64 { 40.0 } else { 80.0 };
            let thin = [m, n, k].into_iter().map(|&x| x as f64 / (x as f64 + 8.0)).product::<f64>();
            60.0 + flops / (rate * thin)
        }
        Library::Tile { f, len, .. } => tile(f.name(), len),
        Library::Tile2 { f, len, .. } => tile(f.name(), len),
        Library::Reference { program, .. } => 1000.0 + program.flops() as f64 / 2.0,
        Library::Section(_) => 0.0,
    }
}

fn tile(name: &str, len: &wengert_ir::kernel::Extent) -> f64 {
    let len = match len {
        wengert_ir::kernel::Extent::Const(n) => *n as f64,
        wengert_ir::kernel::Extent::Value(_) => 512.0,
    };
    10.0 + len * if name.len() > 5 { 5.0 } else { 1.5 }
}

/// Nanoseconds of an iteration in this form, accesses in the nearest cache.
fn iteration(l: &For, kernel: &Kernel, form: Form) -> f64 {
    let mut cycles = 0.0;
    let mut types: FxHashMap<Scalar, u32> = FxHashMap::default();
    let lanes = |ty: Scalar| match form {
        Form::Scalar | Form::Unrolled => 1.0,
        Form::Bits128 => 16.0 / ty.size().max(4) as f64,
        Form::Bits256 => 32.0 / ty.size().max(4) as f64,
        Form::Bits512 => 64.0 / ty.size().max(4) as f64,
    };
    let vector = !matches!(form, Form::Scalar | Form::Unrolled);
    for inst in &l.body.insts {
        let ty = match (&inst.op, inst.results.first().or(inst.operands.first())) {
            (KOp::Load(access) | KOp::Store(access), _) => kernel.mems[access.mem].elem,
            (_, Some(&v)) => kernel.values[v],
            (_, None) => Scalar::I64,
        };
        *types.entry(ty).or_default() += 1;
        let each = match &inst.op {
            KOp::Const(_) => 0.0,
            KOp::Binary(KBinary::Div) | KOp::Unary(KUnary::Sqrt) if ty.is_float() => {
                if vector {
                    if ty == Scalar::F64 { 16.0 } else { 10.0 }
                } else {
                    4.5
                }
            }
            KOp::Binary(KBinary::Div | KBinary::DivU | KBinary::Rem | KBinary::RemU) => 12.0 * lanes(ty),
            KOp::Math(_) | KOp::Math2(_) => {
                if matches!(form, Form::Bits512 | Form::Bits256) {
                    20.0
                } else {
                    45.0 * lanes(ty)
                }
            }
            KOp::Load(access) if vector => {
                let step = lane_step(l, access, &variation(l));
                if matches!(step, Some(0 | 1)) { 0.6 } else { 1.3 * lanes(ty) }
            }
            KOp::Load(_) | KOp::Store(_) => 0.8,
            KOp::Unary(_) | KOp::Binary(_) | KOp::Fma | KOp::Compare(..) | KOp::Select | KOp::Cast(_) => {
                if vector {
                    0.7
                } else {
                    0.4
                }
            }
            KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | launch_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => 2.0,
        };
        cycles += each / lanes(ty);
    }
    if !vector {
        cycles += 0.7;
    }
    // What is carried in order waits for itself.
    if l.kind == LoopKind::Sequential && l.body.params.len() > 1 {
        cycles += 4.0;
    }
    cycles / 3.0
}
