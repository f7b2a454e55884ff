//! Programs on a device: the entry kernel runs here, on the host, and what it launches there.
//!
//! Scalars, loops and branches of the entry are interpreted, one word each, as `wengert_ir::kernel::scalar` says. What it
//! loads is read back from the device and what it stores is written there; both wait, and both are counted. What has no kernel
//! of ours (operations of the reference interpreter, matrix products that were not made kernels) runs on the host with a
//! copy there and back, counted too.

mod library;

use crate::device::{Buffer, Code, Device, Error, Launch, Memory, State};
use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::scalar::{binary, cast, compare, fma, math, math2, signed, truncate, unary};
use wengert_ir::kernel::{
    Access, Block, Extent, For, KInst, KOp, KValue, KernelId, LANES, LoopKind, Mem, MemKind, MemRef, Place,
    Program, Scalar,
};

/// A program that a device has loaded.
pub struct Executable {
    device: Device,
    program: Program,
    code: Code,
    /// Constants, on the device.
    constants: EntityVec<Mem, Option<Memory>>,
}

impl std::fmt::Debug for Executable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Executable({} on {})", self.program.name, self.device.name())
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        self.device.state().driver.unload(self.code);
    }
}

impl Executable {
    /// Loads a program, after verifying it.
    ///
    /// # Errors
    /// If the program is not valid, or the device does not take it.
    pub fn load(device: &Device, program: &Program) -> Result<Self, Error> {
        wengert_ir::kernel::verify::verify(program)
            .map_err(|errors| Error::Refused(format!("not a valid program: {}", errors.join("; "))))?;
        let mut constants: EntityVec<Mem, Option<Memory>> = EntityVec::new();
        for mem in program.mems.values() {
            constants.push(match &mem.place {
                Place::Constant(bytes) => Some(device.upload(bytes)?),
                Place::Param(_) | Place::Result(_) | Place::Scratch(_) | Place::Stack => None,
            });
        }
        let code = device.state().driver.load(program)?;
        Ok(Self { device: device.clone(), program: program.clone(), code, constants })
    }

    /// Where it runs.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// What it runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs it on memory of its device; gives new memory for each result.
    ///
    /// # Errors
    /// Another number of arguments, other lengths, memory of another device; no room; whatever stops the program.
    pub fn call(&self, args: &[&Memory]) -> Result<Vec<Memory>, Error> {
        if args.len() != self.program.params.len() {
            let (needed, given) = (self.program.params.len(), args.len());
            return Err(Error::Refused(format!("{needed} arguments needed, {given} given")));
        }
        for (k, (arg, ty)) in args.iter().zip(&self.program.params).enumerate() {
            if *arg.device() != self.device {
                return Err(Error::Refused(format!(
                    "argument {k} is on {}, the program on {}: call `.to(&device)` first",
                    arg.device().name(),
                    self.device.name()
                )));
            }
            if arg.len() != ty.bytes() {
                let (needed, given) = (ty.bytes(), arg.len());
                return Err(Error::Refused(format!("argument {k} has {needed} bytes, {given} given")));
            }
        }
        let results: Result<Vec<Memory>, Error> =
            self.program.results.iter().map(|ty| self.device.allocate(ty.bytes())).collect();
        let results = results?;
        let scratch = self.device.allocate(self.program.scratch)?;
        let mut run =
            Run { executable: self, mems: EntityVec::new(), stacks: Vec::new(), locals: Vec::new() };
        for (id, mem) in self.program.mems.iter() {
            let (buffer, start, len) = match &mem.place {
                Place::Param(k) => (args[*k as usize].buffer, 0, mem.elements()),
                Place::Result(k) => (results[*k as usize].buffer, 0, mem.elements()),
                Place::Constant(_) => {
                    let memory = self.constants[id].as_ref().expect("uploaded when it was loaded");
                    (memory.buffer, 0, mem.elements())
                }
                Place::Scratch(offset) => (scratch.buffer, *offset, mem.elements()),
                Place::Stack => {
                    let memory = self.device.allocate(0)?;
                    let buffer = memory.buffer;
                    run.stacks.push((id, memory, 0));
                    (buffer, 0, 0)
                }
            };
            let row = mem.elements();
            run.mems.push(Bound { at: At::Device(buffer), start, elem: mem.elem, len, row });
        }
        run.call(self.program.entry, &[], &[])?;
        drop(run);
        Ok(results)
    }

    /// Runs it on bytes of the host's: copies them there and the results back.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub fn call_bytes(&self, args: &[&[u8]]) -> Result<Vec<Vec<u8>>, Error> {
        let args: Result<Vec<Memory>, Error> = args.iter().map(|bytes| self.device.upload(bytes)).collect();
        let args = args?;
        let results = self.call(&args.iter().collect::<Vec<_>>())?;
        let read = |memory: &Memory| {
            let mut bytes = vec![0; memory.len()];
            memory.read(&mut bytes).map(|()| bytes)
        };
        results.iter().map(read).collect()
    }
}

/// What a memref of the host's part stands for.
#[derive(Clone, Copy, Debug)]
struct Bound {
    at: At,
    /// Where it starts, in bytes.
    start: usize,
    elem: Scalar,
    /// Elements that may be accessed.
    len: usize,
    /// Elements of a row, of a stack.
    row: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    Device(Buffer),
    /// One of the host's own.
    Local(usize),
}

struct Run<'a> {
    executable: &'a Executable,
    mems: EntityVec<Mem, Bound>,
    /// Stacks: their memory, and how many bytes of it are rows.
    stacks: Vec<(Mem, Memory, usize)>,
    /// Local memories of the host's part.
    locals: Vec<Vec<u8>>,
}

struct Frame {
    kernel: KernelId,
    values: EntityVec<KValue, u64>,
    mems: EntityVec<MemRef, Bound>,
}

type Words = SmallVec<[u64; 4]>;

impl<'a> Run<'a> {
    fn state(&self) -> std::sync::MutexGuard<'a, State> {
        self.executable.device.state()
    }

    fn call(&mut self, id: KernelId, args: &[Bound], scalars: &[u64]) -> Result<(), Error> {
        let kernel = &self.executable.program.kernels[id];
        let locals = self.locals.len();
        let mut mems: EntityVec<MemRef, Bound> = EntityVec::new();
        for def in kernel.mems.values() {
            mems.push(match def.kind {
                MemKind::Program(mem) => self.mems[mem],
                MemKind::Param(k) => args[k as usize],
                MemKind::Local | MemKind::Workgroup => {
                    self.locals.push(vec![wengert_ir::kernel::interp::UNDEFINED; def.len * def.elem.size()]);
                    let at = At::Local(self.locals.len() - 1);
                    Bound { at, start: 0, elem: def.elem, len: def.len, row: def.len }
                }
            });
        }
        let mut frame = Frame { kernel: id, values: EntityVec::filled(0, kernel.values.len()), mems };
        self.block(&mut frame, &kernel.body, scalars)?;
        self.locals.truncate(locals);
        Ok(())
    }

    fn block(&mut self, frame: &mut Frame, block: &Block, args: &[u64]) -> Result<Words, Error> {
        block.params.iter().zip(args).for_each(|(&p, &a)| frame.values[p] = a);
        for inst in &block.insts {
            let x: Words = inst.operands.iter().map(|&v| frame.values[v]).collect();
            let results = self.inst(frame, inst, &x)?;
            inst.results.iter().zip(results).for_each(|(&r, word)| frame.values[r] = word);
        }
        Ok(block.yields.iter().map(|&v| frame.values[v]).collect())
    }

    fn inst(&mut self, frame: &mut Frame, inst: &KInst, x: &[u64]) -> Result<Words, Error> {
        let values = &self.executable.program.kernels[frame.kernel].values;
        let ty = |k: usize| values[inst.operands[k]];
        let to = |k: usize| values[inst.results[k]];
        Ok(match &inst.op {
            KOp::Const(word) => smallvec![truncate(to(0), *word)],
            KOp::Unary(op) => smallvec![unary(*op, ty(0), x[0])],
            KOp::Binary(op) => smallvec![binary(*op, ty(0), x[0], x[1])],
            KOp::Compare(direction, kind) => {
                smallvec![u64::from(compare(*direction, *kind, ty(0), x[0], x[1]))]
            }
            KOp::Select => smallvec![if x[0] != 0 { x[1] } else { x[2] }],
            KOp::Fma => smallvec![fma(ty(0), x[0], x[1], x[2])],
            KOp::Cast(kind) => smallvec![cast(*kind, ty(0), to(0), x[0])],
            KOp::Math(f) => smallvec![math(*f, ty(0), x[0])],
            KOp::Math2(f) => smallvec![math2(*f, ty(0), x[0], x[1])],
            KOp::Load(access) => {
                let (bound, place) = self.locate(frame, access)?;
                let mut word = [0; 8];
                let size = bound.elem.size();
                self.state().counts.read_backs += u64::from(bound.at_device());
                self.read(bound, place, &mut word[..size])?;
                smallvec![truncate(bound.elem, u64::from_le_bytes(word))]
            }
            KOp::Store(access) => {
                let (bound, place) = self.locate(frame, access)?;
                self.state().counts.writes += u64::from(bound.at_device());
                self.write(bound, place, &x[0].to_le_bytes()[..bound.elem.size()])?;
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
            KOp::Parallel { kernel, mems, extent, .. } => {
                let args = self.bindings(frame, mems)?;
                let extent = self.extent(frame, *extent);
                if extent > 0 {
                    let mut scalars: Words = smallvec![0, extent as u64];
                    scalars.extend_from_slice(x);
                    self.call(*kernel, &args, &scalars)?;
                }
                smallvec![]
            }
            KOp::Launch { kernel, mems, grid, block } => {
                let grid = grid.map(|extent| self.extent(frame, extent).max(0) as u64);
                if grid.contains(&0) {
                    return Ok(smallvec![]);
                }
                let mut at = Vec::with_capacity(mems.len());
                for bound in self.bindings(frame, mems)? {
                    match bound.at {
                        At::Device(buffer) => at.push((buffer, bound.start)),
                        At::Local(_) => return Err(Error::Refused("a launch on memory of the host".into())),
                    }
                }
                let launch = Launch { kernel: *kernel, grid, block: *block, mems: at, scalars: x.to_vec() };
                let mut state = self.state();
                state.counts.launches += 1;
                state.driver.launch(self.executable.code, &launch)?;
                smallvec![]
            }
            KOp::ThreadId(_) | KOp::BlockId(_) | KOp::Barrier | KOp::Shuffle(_) => {
                return Err(Error::Refused("what only a launched kernel does, on the host".into()));
            }
            KOp::Library(call) => {
                self.state().counts.on_host += 1;
                self.library(frame, call)?;
                smallvec![]
            }
            KOp::Reserve(m) => {
                self.reserve(frame, *m, x[0] as i64)?;
                smallvec![]
            }
            // Runs on a device are not counted.
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
        f: &For,
        init: &[u64],
        results: &[KValue],
    ) -> Result<Words, Error> {
        let (start, end) = (self.extent(frame, f.start), self.extent(frame, f.end));
        let mut counters = (start..end).step_by(f.step.max(1) as usize);
        let LoopKind::Lanes(combines) = &f.kind else {
            let mut state: Words = init.into();
            for i in counters {
                let args: Words = std::iter::once(i as u64).chain(state.iter().copied()).collect();
                state = self.block(frame, &f.body, &args)?;
            }
            return Ok(state);
        };
        let values = &self.executable.program.kernels[frame.kernel].values;
        let types: SmallVec<[Scalar; 2]> = results.iter().map(|&r| values[r]).collect();
        let identities: Words = combines.iter().zip(&types).map(|(c, &ty)| c.identity(ty)).collect();
        let mut lanes = vec![identities; LANES];
        for k in 0.. {
            let Some(i) = counters.next() else { break };
            let lane = &mut lanes[k % LANES];
            let args: Words = std::iter::once(i as u64).chain(lane.iter().copied()).collect();
            *lane = self.block(frame, &f.body, &args)?;
        }
        let mut w = LANES / 2;
        while w > 0 {
            for l in 0..w {
                for (k, (c, &ty)) in combines.iter().zip(&types).enumerate() {
                    lanes[l][k] = binary(c.op(), ty, lanes[l][k], lanes[l + w][k]);
                }
            }
            w /= 2;
        }
        Ok(lanes.swap_remove(0))
    }

    /// The memory of an access and its place there in bytes. The verifier has seen that it stays inside; stacks are looked at here.
    fn locate(&self, frame: &Frame, access: &Access) -> Result<(Bound, usize), Error> {
        let bound = self.current(frame, access.mem);
        let place = access.terms.iter().fold(i128::from(access.offset), |sum, &(v, stride)| {
            sum + i128::from(frame.values[v] as i64) * i128::from(stride)
        });
        match usize::try_from(place).ok().filter(|&p| p <= bound.len) {
            Some(place) => Ok((bound, place * bound.elem.size())),
            None => {
                Err(Error::Refused(format!("element {place} of a memory of {} (this is a bug)", bound.len)))
            }
        }
    }

    /// What a memref stands for now: stacks move.
    fn current(&self, frame: &Frame, m: MemRef) -> Bound {
        let def = &self.executable.program.kernels[frame.kernel].mems[m];
        match def.kind {
            MemKind::Program(mem) => self.mems[mem],
            MemKind::Param(_) | MemKind::Local | MemKind::Workgroup => frame.mems[m],
        }
    }

    fn bindings(&self, frame: &Frame, mems: &[Access]) -> Result<Vec<Bound>, Error> {
        let bind = |access: &Access| {
            let (bound, place) = self.locate(frame, access)?;
            let len = bound.len - place / bound.elem.size();
            Ok(Bound { start: bound.start + place, len, ..bound })
        };
        mems.iter().map(bind).collect()
    }

    fn read(&self, bound: Bound, place: usize, out: &mut [u8]) -> Result<(), Error> {
        let at = bound.start + place;
        match bound.at {
            At::Local(k) => {
                out.copy_from_slice(&self.locals[k][at..at + out.len()]);
                Ok(())
            }
            At::Device(buffer) => {
                if place + out.len() > bound.len * bound.elem.size() {
                    return Err(Error::Refused("a read beyond a memory (this is a bug)".into()));
                }
                if out.is_empty() { Ok(()) } else { self.state().driver.read(buffer, at, out) }
            }
        }
    }

    fn write(&mut self, bound: Bound, place: usize, bytes: &[u8]) -> Result<(), Error> {
        let at = bound.start + place;
        match bound.at {
            At::Local(k) => {
                self.locals[k][at..at + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            At::Device(buffer) => {
                if place + bytes.len() > bound.len * bound.elem.size() {
                    return Err(Error::Refused("a write beyond a memory (this is a bug)".into()));
                }
                if bytes.is_empty() { Ok(()) } else { self.state().driver.write(buffer, at, bytes) }
            }
        }
    }

    /// Makes room in a stack: twice what there was, so that what is copied is no more than what is written.
    fn reserve(&mut self, frame: &Frame, m: MemRef, rows: i64) -> Result<(), Error> {
        let def = &self.executable.program.kernels[frame.kernel].mems[m];
        let MemKind::Program(mem) = def.kind else {
            return Err(Error::Refused("room in what is no stack".into()));
        };
        let bound = self.mems[mem];
        let row = bound.row * bound.elem.size();
        let device = &self.executable.device;
        let too_large = || Error::Memory { device: device.name().to_owned(), bytes: usize::MAX };
        let needed =
            usize::try_from(rows.max(0)).ok().and_then(|n| n.checked_mul(row)).ok_or_else(too_large)?;
        let slot = self.stacks.iter_mut().find(|s| s.0 == mem).expect("a stack has memory");
        if needed > slot.1.len() {
            let grown = device.allocate(needed.max(slot.1.len().saturating_mul(2)))?;
            if slot.2 > 0 {
                device.state().driver.copy(slot.1.buffer, grown.buffer, slot.2)?;
            }
            slot.1 = grown;
        }
        slot.2 = slot.2.max(needed);
        let len = slot.2 / bound.elem.size();
        self.mems[mem] = Bound { at: At::Device(slot.1.buffer), len, ..bound };
        Ok(())
    }
}

impl Bound {
    fn at_device(&self) -> bool {
        matches!(self.at, At::Device(_))
    }
}
