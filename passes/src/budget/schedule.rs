//! When a program computes what, so that it stays within memory: values are let go and computed again, or kept in a smaller
//! type in the meantime.
//!
//! The tasks of a program run in their order. Where memory runs out, what is let go is what costs little to have again for
//! the bytes it frees and the time it is not needed (Kirisame et al., *Dynamic Tensor Rematerialization*, ICLR 2021, but
//! with the future known). Several rules of that kind are tried, and the best schedule is improved by local search. All of it is
//! bounded by counts, and the same problem gives the same schedule.

/// A value, and what it takes to have it.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// What it is computed from; earlier tasks, each once.
    pub operands: Vec<usize>,
    /// Memory that it takes while somebody needs it.
    pub bytes: u64,
    /// What computing it costs.
    pub cost: u64,
    /// Whether it may be computed more than once.
    pub repeatable: bool,
    /// Whether it makes something discrete of numbers: what it reads must be what was computed first, to the bit.
    pub decides: bool,
    /// The task that others see before this one, if they see both.
    pub after: Option<usize>,
    /// Bytes in a smaller type, if it may be kept in one.
    pub small: Option<u64>,
    /// Whether results depend on it that must be exact.
    pub exact: bool,
    /// Whether it is needed after everything else.
    pub root: bool,
}

/// The tasks of a program, in the order in which it computes them first.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Each after what it is computed from.
    pub tasks: Vec<Task>,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A task is computed, from what its operands were last.
    Compute(usize),
    /// Its value is stored in the smaller type.
    Compress(usize),
    /// It is made of that.
    Expand(usize),
}

/// What to do when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// In order.
    pub steps: Vec<Step>,
    /// Of all steps together.
    pub cost: u64,
    /// The most bytes at any time.
    pub peak: u64,
    /// Which tasks are not computed in their turn, but where they are needed first.
    pub(super) late: Vec<bool>,
}

/// What changing the type of so many bytes costs: they are read and written once.
fn conversion(bytes: u64) -> u64 {
    bytes.saturating_add(10)
}

impl Problem {
    /// Every task once, in order.
    pub fn plain(&self) -> Schedule {
        let steps = (0..self.tasks.len()).map(Step::Compute).collect();
        self.finished(steps, vec![false; self.tasks.len()])
    }

    /// For each step, the last one that reads what it makes: one past the end for what is needed after everything. `None` for
    /// steps that nobody needs.
    fn lives(&self, steps: &[Step]) -> Vec<Option<usize>> {
        let n = self.tasks.len();
        // Which step reads which: the last before it that made the value.
        let (mut full, mut small): (Vec<Option<usize>>, Vec<Option<usize>>) = (vec![None; n], vec![None; n]);
        let mut reads: Vec<Vec<usize>> = Vec::with_capacity(steps.len());
        for (at, step) in steps.iter().enumerate() {
            let before = |v: &usize| full[*v].expect("computed before it is read");
            reads.push(match step {
                Step::Compute(t) => self.tasks[*t].operands.iter().map(before).collect(),
                Step::Compress(t) => vec![before(t)],
                Step::Expand(t) => vec![small[*t].expect("stored before")],
            });
            match step {
                Step::Compute(t) | Step::Expand(t) => full[*t] = Some(at),
                Step::Compress(t) => small[*t] = Some(at),
            }
        }
        let mut last: Vec<Option<usize>> = vec![None; steps.len()];
        for (t, task) in self.tasks.iter().enumerate() {
            if let (true, Some(at)) = (task.root, full[t]) {
                last[at] = Some(steps.len());
            }
        }
        for at in (0..steps.len()).rev() {
            if last[at].is_some() {
                reads[at].iter().for_each(|&r| last[r] = Some(last[r].map_or(at, |l| l.max(at))));
            }
        }
        last
    }

    /// A schedule of steps, without those that nobody needs.
    fn finished(&self, steps: Vec<Step>, late: Vec<bool>) -> Schedule {
        let last = self.lives(&steps);
        let bytes = |step: &Step| match step {
            Step::Compute(t) | Step::Expand(t) => self.tasks[*t].bytes,
            Step::Compress(t) => self.tasks[*t].small.unwrap_or(0),
        };
        let mut ends: Vec<u64> = vec![0; steps.len() + 1];
        let (mut live, mut peak, mut cost) = (0u64, 0u64, 0u64);
        for (at, step) in steps.iter().enumerate() {
            if let Some(end) = last[at] {
                live = live.saturating_add(bytes(step));
                ends[end] = ends[end].saturating_add(bytes(step));
                peak = peak.max(live);
                cost = cost.saturating_add(self.price(step));
            }
            live = live.saturating_sub(ends[at]);
        }
        let steps = steps.into_iter().zip(&last).filter(|(_, l)| l.is_some()).map(|(s, _)| s).collect();
        Schedule { steps, cost, peak, late }
    }

    fn price(&self, step: &Step) -> u64 {
        match step {
            Step::Compute(t) => self.tasks[*t].cost,
            Step::Compress(t) | Step::Expand(t) => conversion(self.tasks[*t].bytes),
        }
    }

    /// Tasks that take less memory where they are needed first than in their turn: what they are made of is there by then.
    fn better_late(&self) -> Vec<bool> {
        let n = self.tasks.len();
        let mut first: Vec<usize> = vec![usize::MAX; n];
        let mut last: Vec<usize> = vec![0; n];
        let mut late = vec![false; n];
        let mut at = vec![0; n];
        for t in (0..n).rev() {
            let task = &self.tasks[t];
            // Readers come later and are placed already.
            let there = task.operands.iter().all(|&o| last[o] >= first[t] || self.tasks[o].root);
            let lone = task
                .operands
                .iter()
                .map(|&o| &self.tasks[o])
                .filter(|o| !o.root)
                .map(|o| o.bytes)
                .sum::<u64>();
            late[t] =
                task.repeatable && !task.root && first[t] != usize::MAX && (there || lone <= task.bytes);
            at[t] = if late[t] { first[t] } else { t };
            for &o in &task.operands {
                first[o] = first[o].min(at[t]);
                last[o] = last[o].max(at[t]);
            }
        }
        late
    }

    /// The cheapest schedule that is found with no more than `limit` bytes at a time.
    pub fn schedule(&self, limit: u64) -> Option<Schedule> {
        let none = vec![false; self.tasks.len()];
        let needed = self.plain().cost;
        let mut starts = Vec::new();
        for late in [none.clone(), self.better_late()] {
            let order: Vec<usize> = (0..self.tasks.len()).collect();
            let (held, first, turn) = (none.clone(), none.clone(), order.clone());
            let hints = Hints { late, held, first, order, turn, rule: Rule::ALL[0] };
            for rule in Rule::ALL {
                let mut start = None;
                self.consider(limit, Hints { rule, ..hints.clone() }, &mut start, &mut MOST_STEPS.clone());
                starts.extend(start);
            }
        }
        // From each start one change after the other, as long as one helps; the best starts first.
        starts.sort_by_key(|(s, _)| (s.cost, s.peak));
        let mut effort = MOST_STEPS;
        let mut best: Option<(Schedule, Hints)> = None;
        for start in starts {
            let mut at = Some(start);
            while effort > 0 {
                let before = at.as_ref().map(|(s, _)| (s.cost, s.peak));
                if before.is_some_and(|b| b.0 <= needed) {
                    break;
                }
                let now = |at: &Option<(Schedule, Hints)>| at.as_ref().map(|(s, _)| (s.cost, s.peak));
                for k in 0..CHANGES.len() * self.tasks.len() {
                    if effort == 0 {
                        break;
                    }
                    effort = effort.saturating_sub(self.overhead());
                    let other = self.changed(&at.as_ref().expect("a start").1, k);
                    other.into_iter().for_each(|o| self.consider(limit, o, &mut at, &mut effort));
                }
                if now(&at) == before {
                    break;
                }
            }
            let better =
                |(a, _): &(Schedule, Hints), (b, _): &(Schedule, Hints)| (a.cost, a.peak) < (b.cost, b.peak);
            if let Some(found) = at
                && best.as_ref().is_none_or(|b| better(&found, b))
            {
                best = Some(found);
            }
        }
        best.map(|b| b.0)
    }

    /// The effort of what is done for one change besides choosing: copies of what there is about each task, which take little.
    fn overhead(&self) -> u64 {
        1 + self.tasks.len() as u64 / 16
    }

    /// Hints with change number `k`, if it is one.
    fn changed(&self, hints: &Hints, k: usize) -> Option<Hints> {
        let (t, change) = (k / CHANGES.len(), CHANGES[k % CHANGES.len()]);
        let mut other = hints.clone();
        change(&mut other, t, &self.tasks[t]).then_some(other)
    }

    fn consider(&self, limit: u64, hints: Hints, best: &mut Option<(Schedule, Hints)>, effort: &mut u64) {
        if *effort == 0 {
            return;
        }
        let mut greedy = Greedy::new(self, limit, &hints);
        let done = greedy.run();
        *effort = effort.saturating_sub(greedy.effort);
        if done.is_none() {
            return;
        }
        let schedule = self.finished(std::mem::take(&mut greedy.steps), hints.late.clone());
        if schedule.peak > limit {
            return;
        }
        let better = best.as_ref().is_none_or(|b| (schedule.cost, schedule.peak) < (b.0.cost, b.0.peak));
        if better {
            *best = Some((schedule, hints));
        }
    }

    /// The least bytes with which there is a schedule, to a hundredth, and it.
    pub fn smallest(&self) -> Schedule {
        let mut best = self.plain();
        let mut low = 0;
        while best.peak > low + best.peak / 100 + 1 {
            let middle = low + (best.peak - low) / 2;
            match self.schedule(middle) {
                Some(schedule) if schedule.peak < best.peak => best = schedule,
                Some(_) | None => low = middle,
            }
        }
        best
    }
}

impl Schedule {
    /// Tasks whose values wait for the reverse pass when all that results must be exact of is computed, and whether in the smaller
    /// type.
    pub(super) fn waiting(&self, p: &Problem) -> Vec<(usize, bool)> {
        let mut computed = vec![false; p.tasks.len()];
        let mut end = None;
        for (at, step) in self.steps.iter().enumerate() {
            if let Step::Compute(t) = *step
                && !std::mem::replace(&mut computed[t], true)
                && p.tasks[t].exact
            {
                end = Some(at);
            }
        }
        let Some(end) = end else { return Vec::new() };
        let last = p.lives(&self.steps);
        let waits = self.steps[..=end].iter().zip(&last).filter(|(_, l)| l.is_some_and(|l| l > end));
        let found = waits.map(|(step, _)| match *step {
            Step::Compute(t) | Step::Expand(t) => (t, false),
            Step::Compress(t) => (t, true),
        });
        found.collect()
    }
}

/// What local search tries with each task.
const CHANGES: [fn(&mut Hints, usize, &Task) -> bool; 4] =
    [Hints::turn_late, Hints::turn_held, Hints::turn_first, Hints::move_up];

/// Bounds the search: steps that are looked at, among what is live.
const MOST_STEPS: u64 = 1 << 23;

/// How what is let go is chosen.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rule {
    /// Counts what it costs to have it again.
    cost: bool,
    /// Counts what that needs and is not there either.
    chain: bool,
    /// Counts how long it is not needed.
    time: bool,
}

impl Rule {
    const ALL: [Rule; 5] = [
        Rule { cost: true, chain: true, time: true },
        Rule { cost: true, chain: true, time: false },
        Rule { cost: true, chain: false, time: true },
        Rule { cost: true, chain: false, time: false },
        Rule { cost: false, chain: false, time: true },
    ];
}

/// What local search changes.
#[derive(Clone, Debug)]
struct Hints {
    /// Tasks that wait until they are needed.
    late: Vec<bool>,
    /// Values that are not let go, but in a smaller type.
    held: Vec<bool>,
    /// Values that are let go before others.
    first: Vec<bool>,
    /// The order in which tasks have their turns.
    order: Vec<usize>,
    /// When each has its turn.
    turn: Vec<usize>,
    rule: Rule,
}

impl Hints {
    fn turn_late(&mut self, t: usize, task: &Task) -> bool {
        self.late[t] ^= true;
        task.repeatable && !task.root && !task.decides
    }

    fn turn_held(&mut self, t: usize, task: &Task) -> bool {
        self.held[t] ^= true;
        self.first[t] = false;
        task.bytes > 0
    }

    /// As soon as what it needs is there, and what others see before it is done.
    fn move_up(&mut self, t: usize, task: &Task) -> bool {
        let before = task.operands.iter().chain(&task.after);
        let (at, after) = (self.turn[t], before.map(|&o| self.turn[o]).max().map_or(0, |p| p + 1));
        if after >= at {
            return false;
        }
        self.order[after..=at].rotate_right(1);
        for (k, &moved) in self.order.iter().enumerate().take(at + 1).skip(after) {
            self.turn[moved] = k;
        }
        true
    }

    fn turn_first(&mut self, t: usize, task: &Task) -> bool {
        self.first[t] ^= true;
        self.held[t] = false;
        task.bytes > 0 && task.repeatable
    }
}

/// One run through the tasks.
struct Greedy<'p> {
    p: &'p Problem,
    limit: u64,
    hints: &'p Hints,
    /// For each task, when it is read: in ascending order.
    readers: Vec<Vec<(usize, bool)>>,
    /// What all tasks before cost.
    clock: Vec<u64>,
    live: Vec<bool>,
    small: Vec<bool>,
    /// Values that were in the smaller type, or were computed from such.
    rough: Vec<bool>,
    computed: Vec<bool>,
    /// How many that are being computed need it.
    pins: Vec<u32>,
    used: u64,
    /// Whose turn it is.
    now: usize,
    steps: Vec<Step>,
    effort: u64,
}

impl<'p> Greedy<'p> {
    fn new(p: &'p Problem, limit: u64, hints: &'p Hints) -> Self {
        let n = p.tasks.len();
        let mut turn = hints.turn.clone();
        let mut readers: Vec<Vec<(usize, bool)>> = vec![Vec::new(); n];
        for &t in hints.order.iter().rev() {
            if hints.late[t] {
                turn[t] = readers[t].iter().map(|r| r.0).min().unwrap_or(turn[t]);
            }
            for &o in &p.tasks[t].operands {
                readers[o].push((turn[t], p.tasks[t].decides));
            }
        }
        readers.iter_mut().for_each(|r| r.sort_unstable());
        let mut clock = vec![0u64];
        for &t in &hints.order {
            clock.push(clock[clock.len() - 1].saturating_add(p.tasks[t].cost).saturating_add(1));
        }
        Greedy {
            p,
            limit,
            hints,
            readers,
            clock,
            live: vec![false; n],
            small: vec![false; n],
            rough: vec![false; n],
            computed: vec![false; n],
            pins: vec![0; n],
            used: 0,
            now: 0,
            steps: Vec::new(),
            effort: 0,
        }
    }

    fn run(&mut self) -> Option<()> {
        for (now, &t) in self.hints.order.iter().enumerate() {
            self.now = now;
            if !self.hints.late[t] {
                self.compute(t)?;
            }
        }
        Some(())
    }

    /// When a value is read next, this turn included.
    fn next(&self, t: usize) -> Option<usize> {
        let readers = &self.readers[t];
        readers.get(readers.partition_point(|r| r.0 < self.now)).map(|r| r.0)
    }

    /// Whether something is decided from it still.
    fn decides(&self, t: usize) -> bool {
        self.readers[t].iter().rev().take_while(|r| r.0 >= self.now).any(|r| r.1)
    }

    /// Computes a task, and before it what it needs and is not there.
    fn compute(&mut self, target: usize) -> Option<()> {
        let exact = self.p.tasks[target].exact && !self.computed[target];
        let mut stack: Vec<(usize, usize)> = vec![(target, 0)];
        while let Some(top) = stack.last_mut() {
            let (t, at) = *top;
            top.1 += 1;
            if let Some(&o) = self.p.tasks[t].operands.get(at) {
                let must = self.p.tasks[t].decides;
                if self.live[o] {
                    if self.rough[o] && (exact || must) {
                        return None;
                    }
                    self.pins[o] += 1;
                } else if self.small[o] && !exact && !must {
                    self.room(self.p.tasks[o].bytes)?;
                    self.have(o, Step::Expand(o));
                    self.forget_small(o);
                    self.rough[o] = true;
                    self.pins[o] += 1;
                } else if self.computed[o] && (!self.p.tasks[o].repeatable || must) || stack.len() > 4096 {
                    return None;
                } else {
                    stack.push((o, 0));
                }
                continue;
            }
            stack.pop();
            self.room(self.p.tasks[t].bytes)?;
            self.effort += 1 + self.p.tasks[t].operands.len() as u64;
            if self.effort > 64 * self.p.tasks.len() as u64 + MOST_STEPS / 64 {
                return None;
            }
            self.rough[t] = self.p.tasks[t].operands.iter().any(|&o| self.rough[o]);
            if self.small[t] {
                self.forget_small(t);
            }
            self.have(t, Step::Compute(t));
            self.computed[t] = true;
            if stack.is_empty() {
                self.now += 1;
            } else {
                self.pins[t] += 1;
            }
            for &o in &self.p.tasks[t].operands {
                self.pins[o] -= 1;
                self.drop_if_done(o);
            }
            if stack.is_empty() {
                self.drop_if_done(t);
            }
        }
        Some(())
    }

    fn have(&mut self, t: usize, step: Step) {
        self.steps.push(step);
        self.live[t] = true;
        self.used += self.p.tasks[t].bytes;
    }

    fn let_go(&mut self, t: usize) {
        self.live[t] = false;
        self.used -= self.p.tasks[t].bytes;
    }

    fn forget_small(&mut self, t: usize) {
        self.small[t] = false;
        self.used -= self.p.tasks[t].small.unwrap_or(0);
    }

    fn drop_if_done(&mut self, t: usize) {
        if self.live[t] && self.pins[t] == 0 && !self.p.tasks[t].root && self.next(t).is_none() {
            self.let_go(t);
        }
    }

    /// Lets values go until there is room for so many bytes.
    fn room(&mut self, bytes: u64) -> Option<()> {
        while self.used + bytes > self.limit {
            let mut victim: Option<(f64, usize, bool)> = None;
            for t in 0..self.live.len() {
                if !self.live[t] || self.pins[t] > 0 || self.p.tasks[t].bytes == 0 {
                    continue;
                }
                self.effort += 1;
                let task = &self.p.tasks[t];
                if task.root || self.decides(t) {
                    continue;
                }
                let next = self.next(t).unwrap_or(self.live.len());
                let time = (self.clock[next] - self.clock[self.now.min(next)] + 1) as f64;
                let time = if self.hints.rule.time { time } else { 1.0 };
                if task.repeatable && !self.hints.held[t] {
                    let score = match self.hints.first[t] {
                        true => 0.0,
                        false => self.price(t) / (task.bytes as f64 * time),
                    };
                    if victim.is_none_or(|v| score < v.0) {
                        victim = Some((score, t, false));
                    }
                }
                if let Some(small) = task.small
                    && small < task.bytes
                    && self.used + small <= self.limit
                {
                    let score = 2.0 * conversion(task.bytes) as f64 / ((task.bytes - small) as f64 * time);
                    if victim.is_none_or(|v| score < v.0) {
                        victim = Some((score, t, true));
                    }
                }
            }
            let (_, t, compressed) = victim?;
            if compressed {
                self.steps.push(Step::Compress(t));
                self.small[t] = true;
                self.used += self.p.tasks[t].small.unwrap_or(0);
            }
            self.let_go(t);
        }
        Some(())
    }

    /// What having a value again costs, with what it needs and is not there.
    fn price(&mut self, t: usize) -> f64 {
        let Rule { cost, chain, .. } = self.hints.rule;
        if !cost {
            return 1.0;
        }
        let mut sum = self.p.tasks[t].cost + 1;
        if chain {
            let (mut work, mut seen) = (vec![t], vec![t]);
            while let Some(t) = work.pop() {
                for &o in &self.p.tasks[t].operands {
                    if !self.live[o] && !self.small[o] && seen.len() < 64 && !seen.contains(&o) {
                        sum = sum.saturating_add(self.p.tasks[o].cost);
                        seen.push(o);
                        work.push(o);
                    }
                }
            }
            self.effort += seen.len() as u64;
        }
        sum as f64
    }
}
