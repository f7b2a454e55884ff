//! Running an entry.

use super::Memory;
use super::parse::{Arg, Entry, Inst, Op, Space};

/// A launch of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Blocks along x, y, z.
    pub grid: [u64; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Words of the parameters, in order.
    pub params: Vec<u64>,
}

/// What ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Threads.
    pub threads: u64,
    /// Instructions of all threads.
    pub instructions: u64,
    /// Bytes that were read from buffers, and written.
    pub read: u64,
    /// Bytes that were written to buffers.
    pub written: u64,
}

/// What registers hold that nobody has written.
const GARBAGE: u64 = 0xdead_beef_dead_beef;

struct Thread {
    id: [u64; 3],
    registers: Vec<u64>,
    local: Vec<u8>,
    next: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Runs,
    /// At a barrier.
    Waits,
    /// At a shuffle.
    Exchanges,
    Done,
}

/// Runs all blocks of a launch, in order, for at most so many instructions.
///
/// # Errors
/// What a GPU would refuse or leave open, and more instructions than that.
pub fn run(entry: &Entry, memory: &mut Memory, launch: &Launch, most: u64) -> Result<Counts, String> {
    if launch.block != entry.block {
        return Err(format!(
            "blocks of {:?} of `{}`, which takes {:?}",
            launch.block, entry.name, entry.block
        ));
    }
    if launch.params.len() != entry.params.len() {
        let (given, needed) = (launch.params.len(), entry.params.len());
        return Err(format!("`{}` takes {needed} parameters, {given} are given", entry.name));
    }
    let mut params = Vec::new();
    for ((_, bytes), word) in entry.params.iter().zip(&launch.params) {
        params.resize(usize::next_multiple_of(params.len(), *bytes), 0);
        params.extend_from_slice(&word.to_le_bytes()[..*bytes]);
    }
    let mut machine = Machine { entry, memory, params, block: [0; 3], counts: Counts::default(), most };
    let [x, y, z] = launch.grid;
    for block in (0..z).flat_map(|k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k]))) {
        machine.block = block;
        machine.block(launch.block)?;
    }
    Ok(machine.counts)
}

struct Machine<'a> {
    entry: &'a Entry,
    memory: &'a mut Memory,
    params: Vec<u8>,
    block: [u64; 3],
    counts: Counts,
    most: u64,
}

impl Machine<'_> {
    fn block(&mut self, size: [u32; 3]) -> Result<(), String> {
        let [x, y, z] = size.map(u64::from);
        let ids = (0..z).flat_map(|k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])));
        let undefined = wengert_ir::kernel::interp::UNDEFINED;
        let mut threads: Vec<Thread> = ids
            .map(|id| Thread {
                id,
                registers: vec![GARBAGE; self.entry.registers],
                local: vec![undefined; self.entry.local],
                next: 0,
                state: State::Runs,
            })
            .collect();
        let mut shared = vec![undefined; self.entry.shared];
        self.counts.threads += threads.len() as u64;
        loop {
            for thread in &mut threads {
                if thread.state == State::Runs {
                    self.thread(thread, &mut shared)?;
                }
            }
            let state = threads[0].state;
            let at = threads[0].next;
            if threads.iter().any(|t| t.state != state || (state != State::Done && t.next != at)) {
                return Err(format!(
                    "`{}`: threads of a block wait for each other in two places",
                    self.entry.name
                ));
            }
            match state {
                State::Done => return Ok(()),
                State::Exchanges => self.exchange(&mut threads)?,
                State::Waits | State::Runs => {}
            }
            for thread in &mut threads {
                thread.next += 1;
                thread.state = State::Runs;
            }
        }
    }

    fn exchange(&self, threads: &mut [Thread]) -> Result<(), String> {
        let Op::Shuffle { to, value, mask } = &self.entry.insts[threads[0].next].op else {
            unreachable!("threads exchange at a shuffle")
        };
        let given: Vec<u64> = threads.iter().map(|t| self.value(t, *value)).collect();
        for (k, thread) in threads.iter_mut().enumerate() {
            // Within groups of 32.
            let other = k ^ (self.value(thread, *mask) as usize & 31);
            let word = given.get(other).ok_or("a shuffle with a thread that is not there")?;
            thread.registers[*to] = *word;
        }
        Ok(())
    }

    fn value(&self, thread: &Thread, arg: Arg) -> u64 {
        match arg {
            Arg::Register(k) => thread.registers[k],
            Arg::Number(n) => n,
            Arg::Thread(axis) => thread.id[axis],
            Arg::Block(axis) => self.block[axis],
        }
    }

    /// Runs a thread until it waits or is done.
    fn thread(&mut self, thread: &mut Thread, shared: &mut [u8]) -> Result<(), String> {
        let entry = self.entry;
        loop {
            let Some(inst) = entry.insts.get(thread.next) else {
                return Err(format!("`{}` ends without `ret`", entry.name));
            };
            self.counts.instructions += 1;
            if self.counts.instructions > self.most {
                return Err(format!("`{}`: more than {} instructions", entry.name, self.most));
            }
            let fault = |why: &dyn std::fmt::Display| format!("`{}`: `{}`: {why}", entry.name, inst.text);
            if let Some((register, value)) = inst.guard
                && (thread.registers[register] != 0) != value
            {
                thread.next += 1;
                continue;
            }
            match self.inst(thread, shared, inst) {
                Err(why) => return Err(fault(&why)),
                Ok(true) => {}
                Ok(false) => return Ok(()),
            }
        }
    }

    /// Runs an instruction; false if the thread stops there.
    fn inst(&mut self, thread: &mut Thread, shared: &mut [u8], inst: &Inst) -> Result<bool, String> {
        match &inst.op {
            Op::Pure { f, to, from } => {
                let mut x = [0; 4];
                for (k, &arg) in from.iter().enumerate() {
                    x[k] = self.value(thread, arg);
                }
                thread.registers[*to] = f(&x[..from.len()])?;
            }
            Op::Load { space, bytes, to, at } => {
                let address = self.value(thread, at.0).wrapping_add(at.1 as u64);
                let mut word = [0; 8];
                let from = self.bytes(thread, shared, *space, address, *bytes)?;
                word[..*bytes].copy_from_slice(from);
                thread.registers[*to] = u64::from_le_bytes(word);
                self.counts.read += if *space == Space::Global { *bytes as u64 } else { 0 };
            }
            Op::Store { space, bytes, value, at } => {
                let address = self.value(thread, at.0).wrapping_add(at.1 as u64);
                let word = self.value(thread, *value).to_le_bytes();
                self.bytes(thread, shared, *space, address, *bytes)?.copy_from_slice(&word[..*bytes]);
                self.counts.written += if *space == Space::Global { *bytes as u64 } else { 0 };
            }
            Op::Branch(target) => {
                thread.next = *target;
                return Ok(true);
            }
            Op::Barrier | Op::Shuffle { .. } => {
                let waits = matches!(inst.op, Op::Barrier);
                thread.state = if waits { State::Waits } else { State::Exchanges };
                return Ok(false);
            }
            Op::Return => {
                thread.state = State::Done;
                return Ok(false);
            }
        }
        thread.next += 1;
        Ok(true)
    }

    fn bytes<'m>(
        &'m mut self,
        thread: &'m mut Thread,
        shared: &'m mut [u8],
        space: Space,
        address: u64,
        count: usize,
    ) -> Result<&'m mut [u8], String> {
        if !address.is_multiple_of(count as u64) {
            return Err(format!("{count} bytes at {address:#x} are not aligned"));
        }
        let of: &mut [u8] = match space {
            Space::Global => return self.memory.bytes(address, count),
            Space::Param => &mut self.params,
            Space::Shared => shared,
            Space::Local => &mut thread.local,
        };
        let place = usize::try_from(address).ok();
        let bytes = place.and_then(|p| of.get_mut(p..p.checked_add(count)?));
        bytes.ok_or_else(|| format!("{count} bytes at {address:#x} are outside of {space:?} memory"))
    }
}
