//! Fusion as rewriting: rows of a table, each of which makes one kernel of two where the cost model says that it saves time, applied to
//! the kernels that [`fusion`](super::fusion) formed until none saves any more.
//!
//! A program's kernels are a partition of what is stored, and a rewrite makes one class of two. Which order they come in does not
//! matter to what can be reached, so no e-graph is needed to keep the alternatives: what a kernel of some members costs is the same
//! in all partitions that have it, and the saving of a rewrite is known before it is made. The best is made first. A rewrite that would
//! let a kernel wait for itself, by way of a third, of a barrier or of an effect, is none: [`Order`] looks for the way. So order is
//! always possible, and [`Planner::is_ordered`] says so. Every rewrite saves time by the model, so the plan is never worse than that
//! it began with. The same program gives the same plan.

pub(crate) mod testing;

use super::fusion::Planner;
use super::price::Pricing;
use super::{Fused, Group, Plan, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, InstId, Value};
use wengert_ir::op::Op;
use wengert_ir::types::Dims;

/// A row of the table: what two kernels over the same indices must be to each other.
pub(in crate::lower) struct Rewrite {
    pub(in crate::lower) name: &'static str,
    pub(in crate::lower) doc: &'static str,
    applies: fn(&Pair) -> bool,
}

/// The rewrites. The first that applies to a pair names what was done; the saving is the model's, whatever the name.
#[rustfmt::skip]
pub(in crate::lower) static REWRITES: &[Rewrite] = &[
    Rewrite { name: "epilogue",            doc: "what is read at the element that a reducing kernel stores joins it",    applies: |p| p.feeds && p.reduces[0] },
    Rewrite { name: "reduction",           doc: "a reduction joins the kernel that makes what it reduces",               applies: |p| p.feeds && p.reduces[1] },
    Rewrite { name: "producer-consumer",   doc: "a kernel joins the one that makes what it reads",                       applies: |p| p.feeds },
    Rewrite { name: "siblings",            doc: "kernels that read the same values read them once",                      applies: |p| p.shared > 0 },
];

/// What two kernels are to each other.
struct Pair {
    /// Whether the second reads what the first makes.
    feeds: bool,
    /// Which of them reduce.
    reduces: [bool; 2],
    /// Picoseconds that it takes to read what both read.
    shared: u64,
}

/// Kernels that are looked at together with one, of those over the same indices that follow it.
const WINDOW: usize = 12;
/// Kernels and instructions that are looked at for a way from one kernel to another; beyond, there may be one.
const STEPS: usize = 1 << 12;
/// No node.
const NOBODY: u32 = u32::MAX;
/// A function of more kernels is left as it is.
const MOST_GROUPS: usize = 1 << 12;

/// Which kernels and instructions wait for which.
#[derive(Clone)]
struct Order {
    /// What waits for a node: kernels by number, then instructions of their own and barriers.
    next: Vec<SmallVec<[u32; 4]>>,
    /// The kernel that a kernel became a part of, or itself.
    became: Vec<u32>,
    seen: Vec<u32>,
    stamp: u32,
}

impl Order {
    fn find(&self, mut node: u32) -> u32 {
        while self.became[node as usize] != node {
            node = self.became[node as usize];
        }
        node
    }

    /// Whether `to` waits for `from` by way of something else, as far as is looked.
    fn leads(&mut self, from: u32, to: u32) -> bool {
        self.stamp += 1;
        let mut work: Vec<u32> = Vec::new();
        let mut steps = 0;
        let mut node = from;
        loop {
            for k in 0..self.next[node as usize].len() {
                let next = self.find(self.next[node as usize][k]);
                if next == to && node != from {
                    return true;
                }
                if next != to && next != from && self.seen[next as usize] != self.stamp {
                    self.seen[next as usize] = self.stamp;
                    work.push(next);
                }
            }
            steps += 1;
            if steps > STEPS {
                return true;
            }
            match work.pop() {
                Some(next) => node = next,
                None => return false,
            }
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let moved = std::mem::take(&mut self.next[b as usize]);
        self.next[a as usize].extend(moved);
        self.became[b as usize] = a;
    }
}

/// A pair that saves something.
struct Candidate {
    saves: u64,
    pair: [u32; 2],
    rewrite: usize,
}

impl Planner<'_> {
    /// The plan with the rewrites that save time: never one that takes more by the model than that with the kernels as they are.
    pub(in crate::lower) fn best(mut self) -> Plan {
        if self.groups.len() < 2 || self.groups.len() > MOST_GROUPS {
            return self.finish();
        }
        let start = self.clone().finish();
        self.rewrite(&start);
        if self.fused.is_empty() || !self.is_ordered() {
            return start;
        }
        let (target, func) = (self.target, self.func);
        let price = |plan: &Plan| Pricing { target, func, plan, is_entry: false }.total();
        let end = self.finish();
        if price(&end) <= price(&start) { end } else { start }
    }

    /// Applies rewrites to the kernels, of which `plan` is the plan, until none saves time.
    fn rewrite(&mut self, plan: &Plan) {
        let rows = self.runs(plan);
        let mut order = self.waiting();
        let mut dirty: Vec<bool> = vec![true; self.groups.len()];
        loop {
            let found = self.candidates(&order, &rows, &dirty);
            dirty.fill(false);
            let mut changed = false;
            for Candidate { saves, pair: [a, b], rewrite } in found {
                // What changed in this round is looked at in the next.
                let is_stale = [a, b].iter().any(|&g| dirty[g as usize] || order.find(g) != g);
                if is_stale || order.leads(a, b) || order.leads(b, a) {
                    continue;
                }
                self.fused.push(Fused { rewrite: REWRITES[rewrite].name, saves, members: self.lasts(a, b) });
                order.join(a, b);
                self.join_groups(a, b);
                dirty[a as usize] = true;
                changed = true;
            }
            if !changed {
                break;
            }
        }
        self.renumber();
    }

    /// Kernels that share rows stay together: for each, the run of a plan that it is in, from 1.
    fn runs(&self, plan: &Plan) -> Vec<u32> {
        let mut rows = vec![0; self.groups.len()];
        for (number, run) in (1..).zip(&plan.rows) {
            run.groups.iter().for_each(|&g| rows[g as usize] = number);
        }
        rows
    }

    /// Whether no kernel waits for itself. Rewrites see to that; this is the check.
    fn is_ordered(&mut self) -> bool {
        let order = self.waiting();
        let mut missing = vec![0u32; order.next.len()];
        order.next.iter().flatten().for_each(|&n| missing[n as usize] += 1);
        let mut ready: Vec<usize> = (0..missing.len()).filter(|&n| missing[n] == 0).collect();
        let mut done = 0;
        while let Some(node) = ready.pop() {
            done += 1;
            for &next in &order.next[node] {
                missing[next as usize] -= 1;
                if missing[next as usize] == 0 {
                    ready.push(next as usize);
                }
            }
        }
        done == missing.len()
    }

    /// The last members of two kernels, by which people know them.
    fn lasts(&self, a: u32, b: u32) -> [InstId; 2] {
        [a, b].map(|g| *self.groups[g as usize].members.last().expect("kernels have members"))
    }

    /// Which nodes wait for which.
    fn waiting(&mut self) -> Order {
        let func = self.func;
        let mut nodes = self.groups.len() as u32;
        let mut node_of: EntityVec<InstId, u32> = EntityVec::filled(NOBODY, func.insts.len());
        for (id, inst) in func.insts.iter() {
            let barrier = matches!(inst.op, Op::OptimizationBarrier(_)) && inst.operands.len() > 1;
            node_of[id] = match self.roles[id] {
                Role::Member(g) => g,
                Role::Registers | Role::Opaque => nodes,
                Role::Inlined if barrier => nodes,
                Role::Inlined | Role::Dead => continue,
            };
            nodes += u32::from(node_of[id] == nodes);
        }
        let mut order = Order {
            next: vec![SmallVec::new(); nodes as usize],
            became: (0..nodes).collect(),
            seen: vec![0; nodes as usize],
            stamp: 0,
        };
        let mut acted: Option<u32> = None;
        for (id, _) in func.insts.iter() {
            let node = node_of[id];
            if node == NOBODY {
                continue;
            }
            let mut edge = |from: u32| {
                let next = &mut order.next[from as usize];
                if from != node && !next.contains(&node) {
                    next.push(node);
                }
            };
            for (v, _) in self.reads(id) {
                // The indices of a view are part of the code, and nobody makes them.
                if let Def::Inst(i, _) = func.values[v].def
                    && node_of[i] != NOBODY
                {
                    edge(node_of[i]);
                }
            }
            for barrier in self.barriers(id) {
                edge(node_of[barrier]);
            }
            if self.acts[id] {
                acted.replace(node).into_iter().for_each(edge);
            }
        }
        order
    }

    /// The barriers behind which an instruction reads.
    fn barriers(&self, id: InstId) -> Vec<InstId> {
        let func = self.func;
        let mut found: Vec<InstId> = Vec::new();
        if self.after(&func.insts[id]) == 0 {
            return found;
        }
        let mut seen: FxHashSet<InstId> = FxHashSet::default();
        let mut work = vec![id];
        while let Some(at) = work.pop() {
            for &v in &func.insts[at].operands {
                if let Def::Inst(i, _) = func.values[v].def
                    && self.roles[i] == Role::Inlined
                    && seen.insert(i)
                {
                    let inst = &func.insts[i];
                    if matches!(inst.op, Op::OptimizationBarrier(_)) && inst.operands.len() > 1 {
                        found.push(i);
                    }
                    work.push(i);
                }
            }
        }
        found.sort();
        found
    }

    /// Kernels that may be joined, the most saving first, by what they loop over: dimensions of one index do not matter.
    fn candidates(&self, order: &Order, rows: &[u32], dirty: &[bool]) -> Vec<Candidate> {
        let mut by_space: FxHashMap<Dims, usize> = FxHashMap::default();
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for (g, group) in (0u32..).zip(&self.groups) {
            if order.find(g) != g || group.space.contains(&0) {
                continue;
            }
            let key: Dims = group.space.iter().copied().filter(|&n| n != 1).collect();
            let at = *by_space.entry(key).or_insert_with(|| {
                lists.push(Vec::new());
                lists.len() - 1
            });
            lists[at].push(g);
        }
        let mut found = Vec::new();
        for list in &lists {
            for (k, &a) in list.iter().enumerate() {
                for &b in list[k + 1..].iter().take(WINDOW) {
                    let fresh = dirty[a as usize] || dirty[b as usize];
                    if fresh && rows[a as usize] == rows[b as usize] {
                        found.extend(self.candidate(a, b));
                    }
                }
            }
        }
        found.sort_by_key(|c: &Candidate| (std::cmp::Reverse(c.saves), c.pair));
        found
    }

    fn candidate(&self, a: u32, b: u32) -> Option<Candidate> {
        if !self.may_be_one(a, b) {
            return None;
        }
        let (saves, pair) =
            [[a, b], [b, a]].into_iter().map(|p| self.saving(p)).max_by_key(|s| (s.1.feeds, s.0))?;
        let rewrite = REWRITES.iter().position(|r| (r.applies)(&pair))?;
        Some(Candidate { saves, pair: [a, b], rewrite })
    }

    /// Whether the members of two kernels could be one as far as loops go.
    fn may_be_one(&self, a: u32, b: u32) -> bool {
        let (x, y) = (&self.groups[a as usize], &self.groups[b as usize]);
        let values = x.reads.len() + x.members.len() + y.reads.len() + y.members.len();
        let size = x.size.saturating_add(y.size);
        if !self.fits_one(size, values, [x.reduced.as_ref(), y.reduced.as_ref()], x.choices || y.choices) {
            return false;
        }
        // Lanes that are not full make what else the loop computes slow.
        if x.reduced.is_some() != y.reduced.is_some() && [x, y].iter().any(|g| g.reduces_few()) {
            return false;
        }
        let both = x.reduced.is_some() && y.reduced.is_some();
        let written_out = x.unrolled.is_some() || y.unrolled.is_some();
        if (both || written_out) && (x.space != y.space || x.reduced != y.reduced || x.unrolled != y.unrolled)
        {
            return false;
        }
        self.reads_here(&x.reads, b) && self.reads_here(&y.reads, a)
    }

    /// What one kernel in place of two saves, in picoseconds, and what they are to each other.
    fn saving(&self, [a, b]: [u32; 2]) -> (u64, Pair) {
        let rates = &self.target.rates;
        let (x, y) = (&self.groups[a as usize], &self.groups[b as usize]);
        let bytes = |v: Value| self.func.tensor(v).bytes() as u64;
        let (mut feeds, mut shared) = (false, 0u64);
        for &(v, _) in &y.reads {
            let made = matches!(self.func.values[v].def, Def::Inst(i, _) if self.roles[i] == Role::Member(a));
            if made {
                feeds = true;
                // It is at hand, and need not be stored if nobody else reads it.
                shared += rates.transfer(bytes(v)) * if self.readers(v) == 1 { 2 } else { 1 };
            } else if x.reads.iter().any(|r| r.0 == v) {
                shared += rates.transfer(bytes(v));
            }
        }
        let pair = Pair { feeds, reduces: [x.reduced.is_some(), y.reduced.is_some()], shared };
        (rates.launch + shared, pair)
    }

    /// How many kernels read a value, with those for which it is a result.
    fn readers(&self, v: Value) -> usize {
        let of_groups = self.groups.iter().filter(|g| g.reads.iter().any(|r| r.0 == v)).count();
        of_groups + usize::from(self.func.results.contains(&v))
    }

    /// Makes a kernel part of another.
    fn join_groups(&mut self, a: u32, b: u32) {
        let empty = Group { members: Vec::new(), reads: Vec::new(), ..self.groups[b as usize].clone() };
        let other = std::mem::replace(&mut self.groups[b as usize], empty);
        let group = &mut self.groups[a as usize];
        for &id in &other.members {
            self.roles[id] = Role::Member(a);
        }
        if other.reduced.is_some() {
            group.space = other.space;
            group.reduced = other.reduced;
        }
        group.members.extend(other.members);
        group.members.sort();
        group.choices |= other.choices;
        group.size = group.size.saturating_add(other.size);
        group.depth = group.depth.max(other.depth);
        for (v, same) in other.reads {
            match group.reads.iter_mut().find(|(w, _)| *w == v) {
                Some((_, known)) => *known &= same,
                None => group.reads.push((v, same)),
            }
        }
        let (roles, func) = (&self.roles, self.func);
        let own = |v: Value| matches!(func.values[v].def, Def::Inst(i, _) if roles[i] == Role::Member(a));
        group.reads.retain(|&(v, _)| !own(v));
    }

    /// Leaves out the kernels that became parts of others.
    fn renumber(&mut self) {
        let mut number = vec![u32::MAX; self.groups.len()];
        let mut kept = Vec::with_capacity(self.groups.len());
        for (k, group) in std::mem::take(&mut self.groups).into_iter().enumerate() {
            if !group.members.is_empty() {
                number[k] = kept.len() as u32;
                kept.push(group);
            }
        }
        self.groups = kept;
        for role in self.roles.values_mut() {
            if let Role::Member(g) = role {
                *g = number[*g as usize];
            }
        }
    }
}
