//! Text to instructions.

use super::pure::{Pure, pure};
use std::collections::HashMap;

/// A module that was read.
#[derive(Debug)]
pub struct Code {
    entries: Vec<Entry>,
}

/// An entry of a module.
#[derive(Debug)]
pub struct Entry {
    /// Its symbol.
    pub name: String,
    /// Names and bytes of its parameters.
    pub params: Vec<(String, usize)>,
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    pub(super) insts: Vec<Inst>,
    /// Registers of a thread.
    pub(super) registers: usize,
    /// Bytes that the threads of a block share, and that each has for itself.
    pub(super) shared: usize,
    pub(super) local: usize,
}

#[derive(Debug)]
pub(super) struct Inst {
    /// The register that decides, and the value that it must have.
    pub(super) guard: Option<(usize, bool)>,
    pub(super) op: Op,
    /// The text, for messages.
    pub(super) text: String,
}

pub(super) enum Op {
    Pure { f: Pure, to: usize, from: Vec<Arg> },
    Load { space: Space, bytes: usize, to: usize, at: (Arg, i64) },
    Store { space: Space, bytes: usize, value: Arg, at: (Arg, i64) },
    Branch(usize),
    Barrier,
    Shuffle { to: usize, value: Arg, mask: Arg },
    Return,
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Op::Pure { .. } => "pure",
            Op::Load { .. } => "load",
            Op::Store { .. } => "store",
            Op::Branch(_) => "branch",
            Op::Barrier => "barrier",
            Op::Shuffle { .. } => "shuffle",
            Op::Return => "return",
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    Param,
    Global,
    Shared,
    Local,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arg {
    Register(usize),
    Number(u64),
    /// `%tid` and `%ctaid` along an axis.
    Thread(usize),
    Block(usize),
}

impl Code {
    /// Reads a module.
    ///
    /// # Errors
    /// The line that is not what we print.
    pub fn parse(text: &str) -> Result<Code, String> {
        let mut entries = Vec::new();
        let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
        while let Some(line) = lines.next() {
            let Some(name) = line.strip_prefix(".visible .entry ") else {
                let known = [".version ", ".target ", ".address_size "].iter().any(|k| line.starts_with(k));
                if known {
                    continue;
                }
                return Err(format!("`{line}` outside of an entry"));
            };
            let name = name.trim_end_matches('(').to_owned();
            let mut params = Vec::new();
            for line in lines.by_ref().take_while(|&l| l != ")") {
                let parts: Vec<&str> = line.trim_end_matches(',').split_whitespace().collect();
                match parts[..] {
                    [".param", ty, name] => params.push((name.to_owned(), size(&ty[1..])?)),
                    _ => return Err(format!("`{line}` among parameters")),
                }
            }
            let sizes = lines.next().and_then(|l| l.strip_prefix(".reqntid ")).unwrap_or_default();
            let sizes: Vec<u32> = sizes.split(", ").filter_map(|n| n.parse().ok()).collect();
            let block = sizes.try_into().map_err(|_| format!("no sizes of blocks of `{name}`"))?;
            if lines.next() != Some("{") {
                return Err(format!("no body of `{name}`"));
            }
            let body: Vec<&str> = lines.by_ref().take_while(|&l| l != "}").collect();
            entries.push(entry(name, params, block, &body)?);
        }
        Ok(Code { entries })
    }

    /// The entry of that name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.name == name)
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

impl Entry {
    /// Instructions of its text.
    pub fn instructions(&self) -> usize {
        self.insts.len()
    }
}

/// Bytes of a type.
fn size(ty: &str) -> Result<usize, String> {
    let bits: usize = ty[1..].parse().map_err(|_| format!("`{ty}` is no type"))?;
    Ok(bits / 8)
}

/// What the names of a body stand for.
#[derive(Default)]
struct Names {
    /// First register of each letter.
    registers: HashMap<char, usize>,
    /// Places of labels, of parameters, and of memories.
    labels: HashMap<String, usize>,
    params: HashMap<String, u64>,
    memories: HashMap<String, u64>,
}

fn entry(
    name: String,
    params: Vec<(String, usize)>,
    block: [u32; 3],
    body: &[&str],
) -> Result<Entry, String> {
    let mut names = Names::default();
    let mut at = 0;
    for (param, bytes) in &params {
        at = u64::next_multiple_of(at, *bytes as u64);
        names.params.insert(param.clone(), at);
        at += *bytes as u64;
    }
    let (mut registers, mut shared, mut local) = (0, 0, 0);
    let mut code = Vec::new();
    for &line in body {
        if let Some(label) = line.strip_suffix(':') {
            names.labels.insert(label.to_owned(), code.len());
        } else if let Some(rest) = line.strip_prefix(".reg ") {
            let bad = || format!("`{line}` declares no registers");
            let (letter, count) =
                rest.split_once('%').and_then(|(_, r)| r.split_once('<')).ok_or_else(bad)?;
            names.registers.insert(letter.chars().next().ok_or_else(bad)?, registers);
            registers += count.trim_end_matches(">;").parse::<usize>().map_err(|_| bad())?;
        } else if line.starts_with(".shared ") || line.starts_with(".local ") {
            let parts: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
            let bad = || format!("`{line}` declares no memory");
            let [space, ".align", align, ".b8", memory] = parts[..] else { return Err(bad()) };
            let (memory, count) = memory.trim_end_matches(']').split_once('[').ok_or_else(bad)?;
            let total = if space == ".shared" { &mut shared } else { &mut local };
            *total = usize::next_multiple_of(*total, align.parse().map_err(|_| bad())?);
            names.memories.insert(memory.to_owned(), *total as u64);
            *total += count.parse::<usize>().map_err(|_| bad())?;
        } else {
            code.push(line);
        }
    }
    let insts: Result<Vec<Inst>, String> = code.iter().map(|line| inst(line, &names)).collect();
    Ok(Entry { name, params, block, insts: insts?, registers, shared, local })
}

fn inst(line: &str, names: &Names) -> Result<Inst, String> {
    let bad = |why: &str| format!("`{line}`: {why}");
    let text = line.strip_suffix(';').ok_or_else(|| bad("no semicolon"))?;
    let (guard, text) = match text.strip_prefix('@') {
        None => (None, text),
        Some(rest) => {
            let (register, rest) = rest.split_once(' ').ok_or_else(|| bad("no instruction"))?;
            let (name, value) = match register.strip_prefix('!') {
                Some(name) => (name, false),
                None => (register, true),
            };
            (Some((register_of(name, names).ok_or_else(|| bad("no register"))?, value)), rest)
        }
    };
    let (opcode, rest) = text.split_once(' ').unwrap_or((text, ""));
    let args: Vec<&str> = rest.split(", ").filter(|a| !a.is_empty()).collect();
    let value = |text: &str| arg(text, names).ok_or_else(|| bad(&format!("what is `{text}`?")));
    let register =
        |text: &str| register_of(text, names).ok_or_else(|| bad(&format!("`{text}` is no register")));
    let parts: Vec<&str> = opcode.split('.').collect();
    let op = match (&parts[..], &args[..]) {
        (["ret"], []) => Op::Return,
        (["bra"], [label]) => Op::Branch(*names.labels.get(*label).ok_or_else(|| bad("no such label"))?),
        (["bar", "sync"], ["0"]) => Op::Barrier,
        (["shfl", "sync", "bfly", "b32"], [to, x, mask, "0x1f", _]) => {
            Op::Shuffle { to: register(to)?, value: value(x)?, mask: value(mask)? }
        }
        (["ld", space, ty] | ["ld", space @ "global", "nc", ty], [to, at]) => {
            let (space, bytes) = (space_of(space).ok_or_else(|| bad("no such space"))?, size(ty)?);
            Op::Load {
                space,
                bytes,
                to: register(to)?,
                at: address(at, names).ok_or_else(|| bad("no address"))?,
            }
        }
        (["st", space, ty], [at, x]) => {
            let (space, bytes) = (space_of(space).ok_or_else(|| bad("no such space"))?, size(ty)?);
            let at = address(at, names).ok_or_else(|| bad("no address"))?;
            Op::Store { space, bytes, value: value(x)?, at }
        }
        (_, [to, from @ ..]) => {
            let (f, count) = pure(opcode).ok_or_else(|| bad("an instruction that we do not print"))?;
            if count != from.len() {
                return Err(bad(&format!("{count} operands are needed")));
            }
            let from: Result<Vec<Arg>, String> = from.iter().map(|x| value(x)).collect();
            Op::Pure { f, to: register(to)?, from: from? }
        }
        _ => return Err(bad("an instruction that we do not print")),
    };
    Ok(Inst { guard, op, text: line.to_owned() })
}

fn space_of(name: &str) -> Option<Space> {
    Some(match name {
        "param" => Space::Param,
        "global" => Space::Global,
        "shared" => Space::Shared,
        "local" => Space::Local,
        _ => return None,
    })
}

fn register_of(text: &str, names: &Names) -> Option<usize> {
    let text = text.strip_prefix('%')?;
    let letter = text.chars().next()?;
    Some(names.registers.get(&letter)? + text[1..].parse::<usize>().ok()?)
}

fn arg(text: &str, names: &Names) -> Option<Arg> {
    if let Some(bits) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0d")) {
        return u64::from_str_radix(bits, 16).ok().map(Arg::Number);
    }
    if let Some(bits) = text.strip_prefix("0x") {
        return u64::from_str_radix(bits, 16).ok().map(Arg::Number);
    }
    if let Ok(n) = text.parse::<i128>() {
        return Some(Arg::Number(n as u64));
    }
    if let Some(&place) = names.memories.get(text) {
        return Some(Arg::Number(place));
    }
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        if text.strip_prefix("%tid.") == Some(axis) {
            return Some(Arg::Thread(k));
        }
        if text.strip_prefix("%ctaid.") == Some(axis) {
            return Some(Arg::Block(k));
        }
    }
    register_of(text, names).map(Arg::Register)
}

fn address(text: &str, names: &Names) -> Option<(Arg, i64)> {
    let text = text.strip_prefix('[')?.strip_suffix(']')?;
    if let Some(&place) = names.params.get(text) {
        return Some((Arg::Number(place), 0));
    }
    match text.split_once('+') {
        None => Some((arg(text, names)?, 0)),
        Some((base, offset)) => Some((arg(base, names)?, offset.parse().ok()?)),
    }
}
