//! The reference interpreter of the kernel IR: what a backend must agree with, bit for bit.
//!
//! Obvious rather than fast. It also polices what kernels promise: an access outside its memref, two
//! memrefs that overlap where one is stored to, or a stack row that has no room is an error, and
//! memory nobody has written reads as NaN. So is a race between threads of a launch ([`launch`]). [`Options`] turns the freedoms of the IR (pieces of a parallel
//! range, the order of independent iterations) the other way round, to show that nothing depends on them.

mod launch;

use super::product::{places, whole_sizes};
use super::scalar::{binary, cast, compare, fma, math, math2, signed, truncate, unary};
use super::{
    Access, BLOCK, Block, Combine, Extent, For, KInst, KOp, KValue, Kernel, KernelId, LANES, Library,
    LoopKind, Matrix, Mem, MemKind, MemRef, MemRefDef, Place, Program, Scalar,
};
use crate::array::Array;
use crate::entity::{Entity, EntityVec};
use crate::rules::EvalError;
use crate::types::TensorType;
use crate::{device_ops, scalar_ops};
use smallvec::{SmallVec, smallvec};

/// Choices that no program may depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Cuts parallel ranges into pieces of about this size (the next multiple of the grain).
    pub piece: Option<i64>,
    /// Runs independent iterations, and pieces, from the last to the first.
    pub backwards: bool,
    /// What each byte of memory is that nobody has written, but for results.
    pub unwritten: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { piece: None, backwards: false, unwritten: UNDEFINED }
    }
}

/// Runs a program.
pub fn run(program: &Program, args: &[Array]) -> Result<Vec<Array>, EvalError> {
    run_with(program, args, Options::default())
}

/// Runs a program with choices other than the natural ones.
pub fn run_with(program: &Program, args: &[Array], options: Options) -> Result<Vec<Array>, EvalError> {
    run_limited(program, args, options, u64::MAX)
}

/// The same, for so many instructions, trips of loops, elements of library calls and bytes of rows.
pub fn run_limited(
    program: &Program,
    args: &[Array],
    options: Options,
    max_steps: u64,
) -> Result<Vec<Array>, EvalError> {
    let fits =
        args.len() == program.params.len() && args.iter().zip(&program.params).all(|(a, p)| a.ty() == p);
    if !fits {
        let got: Vec<&TensorType> = args.iter().map(Array::ty).collect();
        return Err(EvalError::Unsupported(format!("arguments {got:?} for parameters {:?}", program.params)));
    }
    let mut machine = Machine { max_steps, ..Machine::new(program, args, options)? };
    machine.call(program.entry, &[], &[])?;
    let buffers = program.results.iter().zip(&machine.results);
    Ok(buffers.map(|(ty, &buffer)| Array::from_bytes(ty.clone(), &machine.buffers[buffer].bytes)).collect())
}

/// Bytes that may be bound to memrefs.
struct Buffer {
    bytes: Vec<u8>,
    /// Parameters and constants may not be stored to.
    writable: bool,
}

/// What a memref stands for.
#[derive(Clone, Copy)]
struct Binding {
    buffer: usize,
    /// Where it starts, in bytes.
    start: usize,
    /// Elements that may be accessed; a stack has as many as there is room for.
    len: Option<usize>,
    elem: Scalar,
    /// Elements of one row of a stack.
    row: usize,
}

/// A call of a kernel in progress.
struct Frame {
    kernel: KernelId,
    values: EntityVec<KValue, u64>,
    mems: EntityVec<MemRef, Binding>,
    /// Which thread runs it, of a kernel that is launched.
    thread: Option<launch::Thread>,
}

type Words = SmallVec<[u64; 4]>;

struct Machine<'a> {
    program: &'a Program,
    options: Options,
    buffers: Vec<Buffer>,
    /// Binding of each memory of the program.
    mems: EntityVec<Mem, Binding>,
    /// Buffer of each result.
    results: Vec<usize>,
    /// Which memrefs of each kernel are stored to.
    stored: EntityVec<KernelId, EntityVec<MemRef, bool>>,
    /// Calls in progress.
    depth: usize,
    /// Instructions that ran, and that may.
    steps: u64,
    max_steps: u64,
    /// What the launch that runs has touched.
    races: Option<launch::Races>,
}

/// Memory nobody has written: NaN as a float, and not a truth value.
pub const UNDEFINED: u8 = 0xff;

/// So many bytes of it.
fn undefined(n: usize, byte: u8) -> Result<Vec<u8>, EvalError> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(n).map_err(|_| EvalError::Unavailable(n as u64))?;
    bytes.resize(n, byte);
    Ok(bytes)
}

fn fault<T>(message: String) -> Result<T, EvalError> {
    Err(EvalError::Unsupported(message))
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, args: &[Array], options: Options) -> Result<Self, EvalError> {
        let mut buffers: Vec<Buffer> =
            args.iter().map(|a| Buffer { bytes: a.bytes().to_vec(), writable: false }).collect();
        let mut add = |bytes: Vec<u8>, writable| {
            buffers.push(Buffer { bytes, writable });
            buffers.len() - 1
        };
        let mut results: Vec<usize> = Vec::new();
        for ty in &program.results {
            results.push(add(undefined(ty.bytes(), UNDEFINED)?, true));
        }
        let scratch = add(undefined(program.scratch, options.unwritten)?, true);
        let bind = |mem: &super::MemDef| {
            let count = mem.elements();
            let mut binding =
                Binding { buffer: scratch, start: 0, len: Some(count), elem: mem.elem, row: count };
            match &mem.place {
                Place::Param(k) => binding.buffer = *k as usize,
                Place::Result(k) => binding.buffer = results[*k as usize],
                Place::Constant(bytes) => binding.buffer = add(bytes.to_vec(), false),
                Place::Scratch(offset) => binding.start = *offset,
                Place::Stack => {
                    binding.buffer = add(Vec::new(), true);
                    binding.len = None;
                }
            }
            binding
        };
        let mems = program.mems.values().map(bind).collect();
        let stored = stores(program);
        Ok(Self {
            program,
            options,
            buffers,
            mems,
            results,
            stored,
            depth: 0,
            steps: 0,
            max_steps: u64::MAX,
            races: None,
        })
    }

    fn call(&mut self, id: KernelId, args: &[Binding], scalars: &[u64]) -> Result<(), EvalError> {
        let program = self.program;
        let kernel = &program.kernels[id];
        self.depth += 1;
        if self.depth > program.kernels.len() {
            return fault(format!("kernel `{}` calls itself", kernel.name));
        }
        let locals = self.buffers.len();
        let mut mems: EntityVec<MemRef, Binding> = EntityVec::new();
        for (m, def) in kernel.mems.iter() {
            let binding = self.bind(kernel, m, def, args)?;
            mems.push(binding);
        }
        // The entry kernel sees all of the scratch memory, where lifetimes take turns.
        if id != program.entry {
            self.check_overlap(id, &mems)?;
        }
        let values = EntityVec::filled(0, kernel.values.len());
        let mut frame = Frame { kernel: id, values, mems, thread: None };
        let given = self.block(&mut frame, &kernel.body, scalars)?;
        debug_assert!(given.is_empty(), "a kernel gives nothing");
        self.buffers.truncate(locals);
        self.depth -= 1;
        Ok(())
    }

    /// What a memref of a kernel is bound to; a local one to memory of its own.
    fn bind(
        &mut self,
        kernel: &Kernel,
        m: MemRef,
        def: &MemRefDef,
        args: &[Binding],
    ) -> Result<Binding, EvalError> {
        Ok(match def.kind {
            MemKind::Program(mem) => self.mems[mem],
            MemKind::Param(k) => {
                let mut binding = args[k as usize];
                if binding.len.is_some_and(|len| len < def.len) || binding.elem != def.elem {
                    return fault(format!(
                        "kernel `{}`: {m} needs {} of {:?}, its caller has {:?} of {:?}",
                        kernel.name, def.len, def.elem, binding.len, binding.elem
                    ));
                }
                binding.len = binding.len.map(|_| def.len);
                binding
            }
            MemKind::Local | MemKind::Workgroup => {
                let bytes = vec![self.options.unwritten; def.len * def.elem.size()];
                self.buffers.push(Buffer { bytes, writable: true });
                let buffer = self.buffers.len() - 1;
                Binding { buffer, start: 0, len: Some(def.len), elem: def.elem, row: def.len }
            }
        })
    }

    fn check_overlap(&self, id: KernelId, mems: &EntityVec<MemRef, Binding>) -> Result<(), EvalError> {
        let end = |b: &Binding| match b.len {
            Some(len) => b.start + len * b.elem.size(),
            None => usize::MAX,
        };
        let stored = &self.stored[id];
        for (m, a) in mems.iter() {
            for (n, b) in mems.iter().filter(|(n, _)| n.index() > m.index()) {
                let apart = a.buffer != b.buffer || end(a) <= b.start || end(b) <= a.start;
                if !apart && (stored[m] || stored[n]) {
                    let name = &self.program.kernels[id].name;
                    return fault(format!("kernel `{name}`: {m} and {n} overlap and one is stored to"));
                }
            }
        }
        Ok(())
    }

    /// Runs a block and gives what it yields.
    fn block(&mut self, frame: &mut Frame, block: &'a Block, args: &[u64]) -> Result<Words, EvalError> {
        debug_assert_eq!(block.params.len(), args.len(), "arguments of a block");
        block.params.iter().zip(args).for_each(|(&p, &a)| frame.values[p] = a);
        self.insts(frame, &block.insts)?;
        Ok(block.yields.iter().map(|&v| frame.values[v]).collect())
    }

    /// Runs instructions one after the other.
    fn insts(&mut self, frame: &mut Frame, insts: &'a [KInst]) -> Result<(), EvalError> {
        for inst in insts {
            let operands: Words = inst.operands.iter().map(|&v| frame.values[v]).collect();
            let results = self.inst(frame, inst, &operands)?;
            debug_assert_eq!(results.len(), inst.results.len(), "results of {:?}", inst.op);
            inst.results.iter().zip(results).for_each(|(&r, word)| frame.values[r] = word);
        }
        Ok(())
    }

    /// Counts what is about to run: instructions, trips of loops, elements of library calls, bytes of rows.
    fn step(&mut self, count: u64) -> Result<(), EvalError> {
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.max_steps { Err(EvalError::Steps(self.max_steps)) } else { Ok(()) }
    }

    fn inst(&mut self, frame: &mut Frame, inst: &'a KInst, x: &[u64]) -> Result<Words, EvalError> {
        self.step(1)?;
        let values = &self.program.kernels[frame.kernel].values;
        let ty = |k: usize| values[inst.operands[k]];
        let to = |k: usize| values[inst.results[k]];
        Ok(match &inst.op {
            KOp::Const(word) => smallvec![truncate(to(0), *word)],
            KOp::Unary(op) => smallvec![unary(*op, ty(0), x[0])],
            KOp::Binary(op) => smallvec![binary(*op, ty(0), x[0], x[1])],
            KOp::Compare(direction, kind) => smallvec![compare(*direction, *kind, ty(0), x[0], x[1]) as u64],
            KOp::Select => smallvec![if x[0] != 0 { x[1] } else { x[2] }],
            KOp::Fma => smallvec![fma(ty(0), x[0], x[1], x[2])],
            KOp::Cast(kind) => smallvec![cast(*kind, ty(0), to(0), x[0])],
            KOp::Math(f) => smallvec![math(*f, ty(0), x[0])],
            KOp::Math2(f) => smallvec![math2(*f, ty(0), x[0], x[1])],
            KOp::Load(access) => {
                let at = self.locate(frame, access, 1)?;
                self.touch(frame, access.mem, at, false)?;
                smallvec![self.load(at)]
            }
            KOp::Store(access) => {
                let at = self.locate(frame, access, 1)?;
                self.touch(frame, access.mem, at, true)?;
                self.store(frame, access.mem, at, x[0])?;
                smallvec![]
            }
            KOp::For(f) => self.counted(frame, f, x, &inst.results)?,
            KOp::While(w) => {
                let mut state: Words = x.into();
                while self.block(frame, &w.cond, &state)?[0] != 0 {
                    state = self.block(frame, &w.body, &state)?;
                }
                state
            }
            KOp::Switch(blocks) => {
                let index = usize::try_from(signed(ty(0), x[0])).unwrap_or(usize::MAX);
                self.block(frame, &blocks[index.min(blocks.len() - 1)], &[])?
            }
            KOp::Call { kernel, mems } => {
                let args = self.bindings(frame, mems)?;
                self.call(*kernel, &args, x)?;
                smallvec![]
            }
            KOp::Parallel { kernel, mems, extent, grain } => {
                let args = self.bindings(frame, mems)?;
                let extent = self.extent(frame, *extent);
                self.step(extent.max(0) as u64)?;
                let grain = (*grain).max(1);
                let piece = match self.options.piece {
                    Some(piece) => (piece.max(1) + grain - 1) / grain * grain,
                    None => extent.max(1),
                };
                let mut starts: Vec<i64> = (0..extent).step_by(piece as usize).collect();
                if self.options.backwards {
                    starts.reverse();
                }
                for start in starts {
                    let mut scalars: Words = smallvec![start as u64, (start + piece).min(extent) as u64];
                    scalars.extend_from_slice(x);
                    self.call(*kernel, &args, &scalars)?;
                }
                smallvec![]
            }
            KOp::Launch { kernel, mems, grid, block } => {
                let args = self.bindings(frame, mems)?;
                let grid = grid.map(|extent| self.extent(frame, extent));
                self.launch(*kernel, &args, x, grid, *block)?;
                smallvec![]
            }
            KOp::ThreadId(axis) | KOp::BlockId(axis) => match frame.thread {
                Some(thread) => smallvec![thread.id(&inst.op, *axis) as u64],
                None => return fault("a thread's number in what is not launched".into()),
            },
            KOp::Barrier | KOp::Shuffle(_) => return fault("a barrier that one thread comes to".into()),
            KOp::Library(call) => {
                self.library(frame, call)?;
                smallvec![]
            }
            KOp::Reserve(m) => {
                let binding = frame.mems[*m];
                if binding.len.is_some() {
                    return fault(format!("{m} is not a stack"));
                }
                let rows = (x[0] as i64).max(0) as u64;
                let bytes = rows.saturating_mul((binding.row * binding.elem.size()) as u64);
                self.step(bytes)?;
                let bytes = usize::try_from(bytes).map_err(|_| EvalError::Memory(bytes))?;
                let buffer = &mut self.buffers[binding.buffer].bytes;
                let grown = bytes.max(buffer.len());
                buffer.resize(grown, self.options.unwritten);
                smallvec![]
            }
            // Runs here have no limit.
            KOp::Steps(_) => smallvec![],
        })
    }

    fn extent(&self, frame: &Frame, extent: Extent) -> i64 {
        match extent {
            Extent::Const(n) => n,
            Extent::Value(v) => frame.values[v] as i64,
        }
    }

    fn counted(
        &mut self,
        frame: &mut Frame,
        f: &'a For,
        init: &[u64],
        results: &[KValue],
    ) -> Result<Words, EvalError> {
        let (start, end) = (self.extent(frame, f.start), self.extent(frame, f.end));
        let step = f.step.max(1);
        self.step(((i128::from(end) - i128::from(start)).max(0) / i128::from(step)) as u64)?;
        let mut counters: Vec<i64> = (start..end).step_by(step as usize).collect();
        match &f.kind {
            LoopKind::Sequential => {
                let mut state: Words = init.into();
                for i in counters {
                    let args: Words = std::iter::once(i as u64).chain(state.iter().copied()).collect();
                    state = self.block(frame, &f.body, &args)?;
                }
                Ok(state)
            }
            LoopKind::Vector => {
                if self.options.backwards {
                    counters.reverse();
                }
                for i in counters {
                    self.block(frame, &f.body, &[i as u64])?;
                }
                Ok(Words::new())
            }
            LoopKind::Lanes(combines) => {
                if counters.len() > BLOCK {
                    return fault(format!("{} iterations in one block of lanes", counters.len()));
                }
                let values = &self.program.kernels[frame.kernel].values;
                let types: SmallVec<[Scalar; 2]> = results.iter().map(|&r| values[r]).collect();
                let reductions = || combines.iter().zip(&types);
                let identities: Words = reductions().map(|(c, &ty)| c.identity(ty)).collect();
                let mut lanes = vec![identities; LANES];
                for (k, i) in counters.into_iter().enumerate() {
                    let lane = &mut lanes[k % LANES];
                    let args: Words = std::iter::once(i as u64).chain(lane.iter().copied()).collect();
                    *lane = self.block(frame, &f.body, &args)?;
                }
                let combined = reductions().enumerate();
                Ok(combined
                    .map(|(k, (&c, &ty))| pairwise(c, ty, lanes.iter().map(|l| l[k]).collect()))
                    .collect())
            }
        }
    }

    /// The address of an access to `count` contiguous elements, checked.
    fn locate(&self, frame: &Frame, access: &Access, count: usize) -> Result<Address, EvalError> {
        let binding = frame.mems[access.mem];
        let place = access.terms.iter().fold(access.offset as i128, |sum, &(v, stride)| {
            sum + (frame.values[v] as i64) as i128 * stride as i128
        });
        let size = binding.elem.size();
        let room = binding
            .len
            .unwrap_or(self.buffers[binding.buffer].bytes.len().saturating_sub(binding.start) / size);
        match usize::try_from(place).ok().filter(|p| p.checked_add(count).is_some_and(|end| end <= room)) {
            Some(place) => {
                Ok(Address { buffer: binding.buffer, at: binding.start + place * size, elem: binding.elem })
            }
            None => {
                let name = &self.program.kernels[frame.kernel].name;
                fault(format!(
                    "kernel `{name}`: access to {count} elements at {place} of {}, which has {room}",
                    access.mem
                ))
            }
        }
    }

    /// What callees' memrefs are bound to.
    fn bindings(&self, frame: &Frame, mems: &[Access]) -> Result<Vec<Binding>, EvalError> {
        let bind = |access: &Access| {
            let address = self.locate(frame, access, 0)?;
            let old = frame.mems[access.mem];
            let skipped = (address.at - old.start) / old.elem.size();
            Ok(Binding { start: address.at, len: old.len.map(|l| l - skipped), ..old })
        };
        mems.iter().map(bind).collect()
    }

    fn load(&self, address: Address) -> u64 {
        let mut word = [0; 8];
        let size = address.elem.size();
        word[..size].copy_from_slice(&self.buffers[address.buffer].bytes[address.at..address.at + size]);
        truncate(address.elem, u64::from_le_bytes(word))
    }

    fn store(&mut self, frame: &Frame, mem: MemRef, address: Address, word: u64) -> Result<(), EvalError> {
        let buffer = &mut self.buffers[address.buffer];
        if !buffer.writable {
            let name = &self.program.kernels[frame.kernel].name;
            return fault(format!("kernel `{name}`: {mem} is read-only"));
        }
        let size = address.elem.size();
        buffer.bytes[address.at..address.at + size].copy_from_slice(&word.to_le_bytes()[..size]);
        Ok(())
    }

    fn library(&mut self, frame: &Frame, call: &Library) -> Result<(), EvalError> {
        match call {
            Library::Gemm { elem, sizes, rows, depth, a, b, c, adds } => {
                let work = whole_sizes(*sizes, rows, depth).into_iter();
                self.step(work.fold(1u64, |n, d| n.saturating_mul(d.max(1) as u64)))?;
                let [batches, m, columns, k] = *sizes;
                let rows = places(rows, m, [a.row_stride, c.row_stride]);
                let sum_over = places(depth, k, [a.col_stride, b.row_stride]);
                for (batch, row, column) in (0..batches)
                    .flat_map(|x| rows.clone().map(move |y| (x, y)))
                    .flat_map(|(x, y)| (0..columns).map(move |z| (x, y, z)))
                {
                    let target = entry(c, batch, row[1], column as i64 * c.col_stride);
                    let at = self.locate(frame, &target, 1)?;
                    let mut sum = if *adds { self.load(at) } else { 0 };
                    for k in sum_over.clone() {
                        let x = self.load(self.locate(frame, &entry(a, batch, row[0], k[0]), 1)?);
                        let of_column = column as i64 * b.col_stride;
                        let y = self.load(self.locate(frame, &entry(b, batch, k[1], of_column), 1)?);
                        let product = binary(super::KBinary::Mul, *elem, x, y);
                        sum = binary(super::KBinary::Add, *elem, sum, product);
                    }
                    self.store(frame, target.mem, at, sum)?;
                }
            }
            Library::Tile { f, src, dst, len } => {
                let len = self.extent(frame, *len).max(0);
                self.step(len as u64)?;
                for i in 0..len {
                    let at = self.locate(frame, &after(src, i), 1)?;
                    let to = self.locate(frame, &after(dst, i), 1)?;
                    let word = math(*f, at.elem, self.load(at));
                    self.store(frame, dst.mem, to, word)?;
                }
            }
            Library::Tile2 { f, a, b, dst, len } => {
                let len = self.extent(frame, *len).max(0);
                self.step(len as u64)?;
                for i in 0..len {
                    let x = self.locate(frame, &after(a, i), 1)?;
                    let y = self.locate(frame, &after(b, i), 1)?;
                    let to = self.locate(frame, &after(dst, i), 1)?;
                    let word = math2(*f, x.elem, self.load(x), self.load(y));
                    self.store(frame, dst.mem, to, word)?;
                }
            }
            Library::Reference { program, inputs, outputs } => {
                let mut args: Vec<Vec<u8>> = Vec::with_capacity(inputs.len());
                for (access, ty) in inputs.iter().zip(program.params()) {
                    let bytes = ty.bytes();
                    let at = self.locate(frame, access, bytes / self.elem(frame, access).size())?;
                    args.push(self.buffers[at.buffer].bytes[at.at..at.at + bytes].to_vec());
                }
                let args: Vec<&[u8]> = args.iter().map(Vec::as_slice).collect();
                let results = program.run(&args, &crate::interp::Limits::default()).0?;
                for (access, result) in outputs.iter().zip(&results) {
                    let bytes = result.bytes();
                    let at = self.locate(frame, access, bytes.len() / self.elem(frame, access).size())?;
                    self.buffers[at.buffer].bytes[at.at..at.at + bytes.len()].copy_from_slice(bytes);
                }
            }
            Library::Section(_) => {}
        }
        Ok(())
    }

    fn elem(&self, frame: &Frame, access: &Access) -> Scalar {
        self.program.kernels[frame.kernel].mems[access.mem].elem
    }
}

/// A place in a buffer.
#[derive(Clone, Copy)]
struct Address {
    buffer: usize,
    at: usize,
    elem: Scalar,
}

/// The access `by` elements on.
fn after(access: &Access, by: i64) -> Access {
    Access { offset: access.offset + by, ..access.clone() }
}

/// The element whose row and column are so far from the first.
fn entry(m: &Matrix, batch: usize, row: i64, column: i64) -> Access {
    after(&m.at, batch as i64 * m.batch_stride + row + column)
}

/// Halves combined until one is left.
fn pairwise(combine: Combine, ty: Scalar, mut lanes: Words) -> u64 {
    let mut w = lanes.len() / 2;
    while w > 0 {
        for l in 0..w {
            lanes[l] = binary(combine.op(), ty, lanes[l], lanes[l + w]);
        }
        w /= 2;
    }
    lanes[0]
}

/// Which memrefs each kernel stores to, itself or by a call.
fn stores(program: &Program) -> EntityVec<KernelId, EntityVec<MemRef, bool>> {
    let mut stored: EntityVec<KernelId, EntityVec<MemRef, bool>> =
        program.kernels.values().map(|k| EntityVec::filled(false, k.mems.len())).collect();
    // Callees may come in any order: repeat until nothing new is found.
    loop {
        let before = stored.clone();
        for (id, kernel) in program.kernels.iter() {
            mark(program, &kernel.body, &before, &mut stored[id]);
        }
        if stored == before {
            return stored;
        }
    }
}

fn mark(
    program: &Program,
    block: &Block,
    known: &EntityVec<KernelId, EntityVec<MemRef, bool>>,
    stored: &mut EntityVec<MemRef, bool>,
) {
    for inst in &block.insts {
        match &inst.op {
            KOp::Store(access) => stored[access.mem] = true,
            KOp::Library(call) => match &**call {
                Library::Gemm { c, .. } => stored[c.at.mem] = true,
                Library::Tile { dst, .. } | Library::Tile2 { dst, .. } => stored[dst.mem] = true,
                Library::Reference { outputs, .. } => outputs.iter().for_each(|a| stored[a.mem] = true),
                Library::Section(_) => {}
            },
            KOp::Call { kernel, mems }
            | KOp::Parallel { kernel, mems, .. }
            | KOp::Launch { kernel, mems, .. } => {
                for (m, def) in program.kernels[*kernel].mems.iter() {
                    if let MemKind::Param(k) = def.kind
                        && known[*kernel][m]
                    {
                        stored[mems[k as usize].mem] = true;
                    }
                }
            }
            KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | scalar_ops!()
            | device_ops!()
            | KOp::Load(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => {}
        }
        inst.op.blocks().for_each(|b| mark(program, b, known, stored));
    }
}
