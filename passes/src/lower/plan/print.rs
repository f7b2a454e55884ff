//! A plan as text: its units in order, each with what it computes, what of that is computed inside, and what is stored.

use super::price::Pricing;
use super::rewrites::REWRITES;
use super::strided_views::is_view;
use super::{Fused, Group, Plan, Unit};
use rustc_hash::FxHashSet;
use std::fmt::Write;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, InstId, Value};
use wengert_ir::text;

/// The plan of a function, called `title`, whose tensors of up to `limit` elements are in registers. Values are called what
/// they are called in the text of the function alone.
pub(in crate::lower) fn print(title: &str, func: &Func, plan: &Plan, limit: usize) -> String {
    let inside = EntityVec::filled(false, func.values.len());
    let mut p = Printer { func, plan, names: text::value_names(func), inside, out: String::new() };
    let params: Vec<String> = func.params.iter().map(|&v| p.typed(v)).collect();
    p.line(0, format_args!("plan {title}({}) registers {limit} {{", params.join(", ")));
    for &unit in &plan.units {
        p.unit(unit);
    }
    let results: Vec<&str> = func.results.iter().map(|&v| &*p.names[v]).collect();
    let results = results.join(", ");
    p.line(2, format_args!("return {results}"));
    for fused in &plan.fused {
        p.fused(2, fused);
    }
    p.line(0, format_args!("}}"));
    p.out
}

/// Which fusions a function's plan has, and what each saves by the cost model: for each kernel over its instructions one by one, and
/// for each rewrite over the two kernels that it joined.
pub(in crate::lower) fn print_fusion(title: &str, priced: &Pricing<'_>) -> String {
    let (func, plan) = (priced.func, priced.plan);
    let inside = EntityVec::filled(false, func.values.len());
    let mut p = Printer { func, plan, names: text::value_names(func), inside, out: String::new() };
    p.line(0, format_args!("fusion of {title}"));
    for (g, group) in (0u32..).zip(&plan.groups) {
        let inlined: FxHashSet<Value> = group.members.iter().flat_map(|&id| plan.inlined(func, id)).collect();
        let made = group
            .members
            .iter()
            .map(|&id| &*p.names[func.insts[id].results[0]])
            .collect::<Vec<_>>()
            .join(", ");
        if group.members.len() + inlined.len() < 2 {
            continue;
        }
        let saves = priced.apart(g).saturating_sub(priced.kernel(g));
        let (space, saves) = (sizes(&group.space), nanoseconds(saves));
        p.line(2, format_args!("kernel {space}: {made} with {} inside, saves {saves}", inlined.len()));
    }
    for fused in &plan.fused {
        p.fused(2, fused);
    }
    for rewrite in REWRITES.iter().filter(|r| plan.fused.iter().any(|f| f.rewrite == r.name)) {
        p.line(4, format_args!("{}: {}", rewrite.name, rewrite.doc));
    }
    p.out
}

/// A time that is given in picoseconds.
fn nanoseconds(time: u64) -> String {
    if time < 10_000_000 {
        format!("{}.{} ns", time / 1_000, time % 1_000 / 100)
    } else {
        format!("{} us", time / 1_000_000)
    }
}

struct Printer<'p> {
    func: &'p Func,
    plan: &'p Plan,
    names: EntityVec<Value, String>,
    /// Whether a value was computed inside a reader before.
    inside: EntityVec<Value, bool>,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, indent: usize, text: std::fmt::Arguments<'_>) {
        writeln!(self.out, "{:indent$}{text}", "").expect("a string takes everything");
    }

    fn typed(&self, v: Value) -> String {
        format!("{}: {}", self.names[v], self.func.ty(v))
    }

    fn fused(&mut self, indent: usize, fused: &Fused) {
        let [a, b] = fused.members.map(|id| self.names[self.func.insts[id].results[0]].clone());
        let Fused { rewrite, saves, .. } = fused;
        self.line(
            indent,
            format_args!("fused {rewrite}: the kernels of {a} and {b}, saves {}", nanoseconds(*saves)),
        );
    }

    fn unit(&mut self, unit: Unit) {
        match unit {
            Unit::Registers(id) => {
                let text = self.inst(id, "");
                self.line(2, format_args!("registers {text}"));
            }
            Unit::Opaque(id) => {
                let text = self.inst(id, "");
                self.line(2, format_args!("alone {text}"));
            }
            Unit::Group(g) => self.group(2, g),
            Unit::Rows(r) => {
                let plan = self.plan;
                let run = &plan.rows[r as usize];
                let rows = sizes(&plan.groups[run.groups[0] as usize].space[..run.rank]);
                self.line(2, format_args!("rows {rows} {{"));
                for &g in &run.groups {
                    self.group(4, g);
                }
                self.line(2, format_args!("}}"));
            }
        }
    }

    fn group(&mut self, indent: usize, g: u32) {
        let Group { space, reduced, members, unrolled, .. } = &self.plan.groups[g as usize];
        let mut head = format!("kernel {}", sizes(space));
        if let Some(dims) = reduced {
            write!(head, " reduces {dims:?}").expect("a string takes everything");
        }
        if let Some(dim) = unrolled {
            write!(head, " unrolls [{dim}]").expect("a string takes everything");
        }
        self.line(indent, format_args!("{head} {{"));
        for &id in members {
            let text = self.inst(id, if self.plan.internal[id] { "" } else { ", stored" });
            self.line(indent + 2, format_args!("{text}"));
        }
        self.line(indent, format_args!("}}"));
    }

    /// `results = operation operands : types`, a note, and what is computed inside it: `again` if it was before.
    fn inst(&mut self, id: InstId, note: &str) -> String {
        let inst = &self.func.insts[id];
        let results: Vec<String> = inst.results.iter().map(|&v| self.names[v].clone()).collect();
        let types: Vec<String> = inst.results.iter().map(|&v| self.func.ty(v).to_string()).collect();
        let mut text = format!("{} = {}", results.join(", "), inst.op.name());
        // The indices of a gather that is a view are part of the code.
        let read = if is_view(self.func, inst) { &inst.operands[..1] } else { &inst.operands[..] };
        for (k, &v) in read.iter().enumerate() {
            text += if k == 0 { " " } else { ", " };
            text += &self.names[v];
        }
        write!(text, " : {}{note}", types.join(", ")).expect("a string takes everything");
        let inside: Vec<String> = self
            .plan
            .inlined(self.func, id)
            .into_iter()
            .map(|v| {
                let again = std::mem::replace(&mut self.inside[v], true);
                format!("{}{}", self.names[v], if again { " again" } else { "" })
            })
            .collect();
        if !inside.is_empty() {
            write!(text, ", inside {}", inside.join(", ")).expect("a string takes everything");
        }
        text
    }
}

fn sizes(space: &[usize]) -> String {
    if space.is_empty() {
        return "of one".to_owned();
    }
    space.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}
