//! How each operation is read and written, by family: the two forms of reading and the writing stand side by side.
//!
//! A family lists the [`Form`]s of its operations; the parser below knows none of them. Elementwise operations without
//! attributes are known by the lists of [`UnaryOp`] and [`BinaryOp`]. What StableHLO says with operations that the tensor IR
//! has not is in [`extended`], [`broadcasting`], [`ragged`] and [`scan`]; what only the tensor IR has in [`composite`].

mod broadcasting;
mod call;
mod check;
mod collectives;
mod communication;
mod composite;
mod contraction;
mod control;
mod custom_call;
mod effects;
mod elementwise;
mod extended;
mod foreign;
mod gather_scatter;
mod library;
mod movement;
mod named_axis;
mod ragged;
mod reduction;
mod scan;
mod sharding;
mod sized_calls;
mod source;
mod windows;
mod write_composite;

pub use communication::communication;
pub(crate) use custom_call::spelled_call;
pub(crate) use effects::spelled_effect;
pub use extended::static_form;
pub(super) use foreign::is_foreign;
pub use sized_calls::{SizedCall, is_sized_call, static_call};

use super::generic::Raw;
use super::names::Scope;
use super::parser::{Instr, Parser, Res};
use super::printer::Printer;
use crate::func::Inst;
use crate::op::*;
use crate::ops_of;
use elementwise::unary_named;
use extended::is_extended;
use rustc_hash::FxHashMap;
use sharding::{has_body, is_sharding};
use std::sync::LazyLock;

/// Reads what follows the name of an operation, which stands at a place of the source.
type Pretty = for<'s> fn(&mut Parser<'s>, usize) -> Res<Instr>;
/// The instruction that a generic form spells.
type Generic = for<'s> fn(&mut Parser<'s>, Raw<'s>) -> Res<Instr>;

/// How an operation is read.
pub(super) struct Form {
    name: &'static str,
    /// In the form for people; `None` if MLIR prints the generic form only.
    pretty: Option<Pretty>,
    generic: Generic,
    /// Fewest and most regions of the generic form.
    regions: (usize, usize),
}

impl Form {
    const fn new(name: &'static str, pretty: Pretty, generic: Generic) -> Form {
        Form { name, pretty: Some(pretty), generic, regions: (0, 0) }
    }

    const fn generic(name: &'static str, generic: Generic) -> Form {
        Form { name, pretty: None, generic, regions: (0, 0) }
    }

    const fn regions(self, n: usize) -> Form {
        Form { regions: (n, n), ..self }
    }

    const fn some_regions(self) -> Form {
        Form { regions: (1, usize::MAX), ..self }
    }

    const fn any_regions(self) -> Form {
        Form { regions: (0, usize::MAX), ..self }
    }
}

const FAMILIES: [&[Form]; 12] = [
    source::FORMS,
    elementwise::FORMS,
    movement::FORMS,
    gather_scatter::FORMS,
    contraction::FORMS,
    reduction::FORMS,
    windows::FORMS,
    library::FORMS,
    control::FORMS,
    call::FORMS,
    custom_call::FORMS,
    named_axis::FORMS,
];

/// The names that families list, each as often as they do.
pub fn listed() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().copied().flatten().map(|form| form.name)
}

/// Whether an operation that no family lists is known by its name.
pub fn is_known_without_form(name: &str) -> bool {
    let simple = unary_named(name).is_some() || BinaryOp::parse(name).is_some();
    simple || is_extended(name) || is_sharding(name)
}

fn form(name: &str) -> Option<&'static Form> {
    static FORMS: LazyLock<FxHashMap<&str, &Form>> =
        LazyLock::new(|| FAMILIES.iter().copied().flatten().map(|form| (form.name, form)).collect());
    FORMS.get(name).copied()
}

/// Operations of the StableHLO specification and of CHLO that have no meaning here yet.
const NOT_YET: &[&str] = &[
    // CHLO
    "scan",
    "asin_acos_kernel",
    "minimum_broadcast_shapes",
];

impl<'s> Parser<'s> {
    /// What follows the name of an operation in pretty form.
    pub(super) fn pretty(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        if let Some(form) = form(name) {
            return match form.pretty {
                Some(read) => read(self, at),
                None => self.fail_at(at, format!("write `{name}` in generic form, between quotes")),
            };
        }
        if let Some(op) = unary_named(name) {
            return self.elementwise(op.into(), 1, at);
        }
        if let Some(op) = BinaryOp::parse(name) {
            return if op == BinaryOp::Complex {
                self.complex(at)
            } else {
                self.elementwise(op.into(), 2, at)
            };
        }
        match name {
            "chlo.scan" => self.scan_pretty(at),
            _ if name.starts_with("sdy.") => self.sharding_pretty(name, at),
            _ if is_extended(name) => self.extended_pretty(name, at),
            _ if name.starts_with("check.") => self.check_pretty(name, at),
            _ if name.starts_with("chlo.broadcast_") => self.broadcasting(name, at),
            _ => self.unknown(name, at),
        }
    }

    /// What follows the quoted name of an operation. An unknown one is named before anything about its attributes.
    pub(super) fn generic(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        self.check_known(name, at)?;
        let raw = self.raw(name, at, is_foreign(name))?;
        self.spelled(raw)
    }

    /// Fails for an operation that is not read.
    pub(super) fn check_known(&self, name: &str, at: usize) -> Res<()> {
        let others = is_known_without_form(name) || name == "chlo.scan";
        let prefixed = name.starts_with("check.") || name.starts_with("chlo.broadcast_");
        if form(name).is_none() && !others && !prefixed {
            return self.unknown(name, at);
        }
        Ok(())
    }

    /// The instruction that the generic form of a known operation spells.
    pub(super) fn spelled(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let (name, at) = (raw.name, raw.at);
        let (fewest, most) = regions(name);
        if !(fewest..=most).contains(&raw.regions.len()) {
            return self.fail_at(at, format!("expected {fewest} regions, found {}", raw.regions.len()));
        }
        if let Some(form) = form(name) {
            return (form.generic)(self, raw);
        }
        if let Some(op) = unary_named(name) {
            self.count(&raw, 1)?;
            return Ok(raw.is(op));
        }
        if let Some(op) = BinaryOp::parse(name) {
            self.count(&raw, 2)?;
            return Ok(raw.is(op));
        }
        match name {
            "chlo.scan" => self.scan_generic(raw),
            _ if is_sharding(name) => self.sharding_generic(raw),
            _ if is_extended(name) => self.extended(raw),
            _ if name.starts_with("check.") => self.check_generic(name, &raw.attrs, raw.operands, at),
            _ => self.broadcast_operands(name, &raw.attrs, &raw.operands, raw.results, at),
        }
    }

    /// The error for a name that is not in the list of operations.
    pub(super) fn unknown<T>(&self, name: &str, at: usize) -> Res<T> {
        let short = name.strip_prefix("stablehlo.").or_else(|| name.strip_prefix("chlo."));
        if short.is_some_and(|s| NOT_YET.contains(&s) || s.starts_with("broadcast_")) {
            return self.fail_at(at, format!("`{name}` is not supported yet"));
        }
        self.fail_at(at, format!("unknown operation `{name}`"))
    }
}

/// Fewest and most regions of an operation in generic form.
fn regions(name: &str) -> (usize, usize) {
    match name {
        "stablehlo.if" => (2, 2),
        "stablehlo.all_reduce"
        | "stablehlo.reduce_scatter"
        | "stablehlo.collective_reduce"
        | "stablehlo.async_start"
        | "chlo.scan" => (1, 1),
        _ if has_body(name) => (1, 1),
        _ => form(name).map_or((0, 0), |form| form.regions),
    }
}

impl Printer<'_> {
    /// The operation with its operands, attributes, regions and types.
    pub(super) fn op(&mut self, scope: &Scope<'_>, inst: &Inst) {
        if Self::is_composite(&inst.op) {
            return self.composite(scope, inst);
        }
        match &inst.op {
            ops_of!(source) => self.source(&inst.op),
            ops_of!(elementwise) => self.elementwise(scope, inst),
            ops_of!(movement) | ops_of!(update) => self.movement(scope, inst),
            Op::DotGeneral(dot) => self.contraction(scope, inst, dot),
            Op::Reduce(reduce) => self.reduce(scope, inst, reduce),
            ops_of!(library) => self.library(scope, inst),
            Op::Call(call) => self.call(scope, inst, call),
            Op::Composite(composite) => self.user_composite(scope, inst, composite),
            Op::Case(case) => self.case(scope, inst, case),
            Op::While(w) => self.while_loop(scope, inst, w),
            Op::OptimizationBarrier(barrier) => self.barrier(scope, inst, barrier),
            Op::AxisIndex(op) => self.axis_index(scope, inst, op),
            Op::Collective(op) => self.collective(scope, inst, op),
            Op::Check(check) => self.check(scope, inst, check),
            Op::Print(_) | Op::Assert(_) | Op::Sow(_) => self.effect(scope, inst),
            Op::Foreign(foreign) => self.foreign(scope, inst, foreign),
            Op::Scan(_)
            | Op::CustomJvp(_)
            | Op::CustomVjp(_)
            | Op::Checkpoint(_)
            | Op::LinearSolve(_)
            | Op::Root(_)
            | Op::StopGradient(_) => {
                unreachable!("written as composites")
            }
            // It is transposed before anybody sees it.
            Op::CustomLinear(_) => unreachable!("in the middle of a pass"),
        }
    }

    /// Whether the operation prints as a composite.
    fn is_composite(op: &Op) -> bool {
        match op {
            Op::Fma(_) | Op::Scan(_) | Op::StopGradient(_) => true,
            Op::CustomJvp(_) | Op::CustomVjp(_) | Op::Checkpoint(_) | Op::LinearSolve(_) | Op::Root(_) => {
                true
            }
            Op::Unary(op) => op.name().starts_with("wengert."),
            Op::While(w) => w.counted || w.stacks > 0,
            Op::Zero(z) => !z.ty.is_static(),
            _ => false,
        }
    }
}
