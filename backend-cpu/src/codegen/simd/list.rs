//! A body as text: one line per instruction.

use super::body::{Body, Inst, Run, Src, V};
use super::enc;
use std::fmt;

impl fmt::Display for Src {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Src::V(v) => v.fmt(f),
            Src::Number(word) => write!(f, "{word:#x}"),
            Src::Uniform(k) => write!(f, "u{k}"),
            Src::Iota(first) => write!(f, "iota+{first}"),
        }
    }
}

impl fmt::Display for V {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Display for super::body::K {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "k{}", self.0)
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[p{} + {} i + {}]", self.pointer, self.scale, self.offset)
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = enc::name;
        match self {
            Inst::Unary { enc, x, to, .. } => write!(f, "{to} = {} {x}", name(*enc)),
            Inst::Reversed { enc, x, to, .. } => write!(f, "{to} = {} {x}", name(*enc)),
            Inst::Binary { enc, a, b, to, .. } => write!(f, "{to} = {} {a}, {b}", name(*enc)),
            Inst::Fma { signs, a, b, c, to, .. } => {
                write!(f, "{to} = {} {a}, {b}, {c}", ["fma", "fms", "fnma", "fnms"][*signs as usize])
            }
            Inst::Where { enc, mask, a, b, base, to, .. } => {
                write!(f, "{to} = {mask} ? {} {a}, {b} : {base}", name(*enc))
            }
            Inst::Select { mask, yes, no, to, .. } => write!(f, "{to} = {mask} ? {yes} : {no}"),
            Inst::Choose { mask, yes, no, to } => write!(f, "{to} = {mask} ? {yes} : {no}"),
            Inst::Keep { mask, number, to, .. } => write!(f, "{to} = {mask} ? {number} : 0"),
            Inst::Compare { enc, imm, a, b, to, .. } => {
                write!(f, "{to} = {} {a}, {b}", name(*enc))?;
                imm.map_or(Ok(()), |imm| write!(f, ", {imm:#x}"))
            }
            Inst::Masks { op, a, b, to } => {
                let name = match *op {
                    enc::KAND => "and",
                    enc::KANDN => "andn",
                    enc::KOR => "or",
                    enc::KXOR => "xor",
                    _ => "?",
                };
                write!(f, "{to} = {name} {a}, {b}")
            }
            Inst::Not { x, to } => write!(f, "{to} = not {x}"),
            Inst::Join { high, low, to } => write!(f, "{to} = join {high}, {low}"),
            Inst::High { x, to } => write!(f, "{to} = high {x}"),
            Inst::Load { enc, run, to, .. } => write!(f, "{to} = {} {run}", name(*enc)),
            Inst::Store { enc, run, from, .. } => write!(f, "{} {from}, {run}", name(*enc)),
            Inst::Gather { run, step, index, to, .. } => {
                write!(f, "{to} = gather {run} step {step}")?;
                index.map_or(Ok(()), |index| write!(f, " at {index}"))
            }
            Inst::Scatter { run, step, from, .. } => write!(f, "scatter {from}, {run} step {step}"),
            Inst::Row { run, step, row, low, to, .. } => {
                write!(f, "{to} = row {row} of {run} step {step}")?;
                low.map_or(Ok(()), |low| write!(f, " above {low}"))
            }
            Inst::KeepRow { run, step, row, upper, from, .. } => {
                write!(
                    f,
                    "keep {from}{}, row {row} of {run} step {step}",
                    if *upper { " upper half" } else { "" }
                )
            }
            Inst::Turn { side, second, a, b, to, .. } => {
                write!(f, "{to} = turn {a}, {b} by {side}{}", if *second { ", second" } else { "" })
            }
            Inst::Counter { to } => write!(f, "{to} = counter"),
        }
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "; {}-bit loop, {} iterations at a time", 8 * u32::from(self.wide.bytes()), self.width)?;
        for inst in &self.insts {
            writeln!(f, ";   {inst}")?;
        }
        for c in &self.carried {
            writeln!(
                f,
                ";   carry {} lanes {}.. from {} to {}",
                c.number,
                (self.wide.bytes() / c.size) * c.part,
                c.from,
                c.to
            )?;
        }
        Ok(())
    }
}
