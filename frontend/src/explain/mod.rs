//! [`Traced::explain_html`]: what the compiler made of a program, as one page for a browser.
//!
//! The program after calls are inlined is given a tag per instruction in place of its location; passes keep locations,
//! so the tags on the optimized program say what came from where. What is the same expression on both sides is found
//! by numbering both programs in one table ([`numbers`]). [`listing`] makes lines of a program, [`page`] makes HTML.

mod listing;
mod numbers;
mod page;

use crate::deep;
use crate::error::Error;
use crate::program::{Timing, Traced};
use listing::{Line, Side};
use numbers::Numbers;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Loc, Module};
use wengert_passes::cost_report::{self, CostReport};
use wengert_passes::egraph::{self, Became};
use wengert_passes::pipeline::Pipeline;

/// Number of an instruction of the program as written.
type Tag = usize;

/// All that the page says.
struct Report {
    title: String,
    mode: &'static str,
    before: Vec<Line>,
    after: Vec<Line>,
    costs: [CostReport; 2],
    /// By rule: how many steps of explanations use it, how often it joined two expressions.
    rules: BTreeMap<String, (usize, usize)>,
    /// The kernel IR, or why there is none; and how many kernels and bytes of scratch memory it has.
    kernels: Result<(String, usize, usize), String>,
    timings: Vec<Timing>,
    /// What `vmap` runs for one example after the other.
    looped: Vec<String>,
    /// What is expected of each kernel, as a table.
    profile: Option<String>,
}

impl Traced {
    /// What the compiler makes of this program as one HTML page, which needs nothing but itself: the program as
    /// written (calls inlined) beside the optimized one, what became of each instruction and by which rules, bytes
    /// and arithmetic before and after, the kernels, and how long each pass took. `title` is shown.
    ///
    /// It compiles the program. Where lowering fails the page says why, and has no kernels.
    ///
    /// Fails if the program grows beyond its limits.
    pub fn explain_html(&self, title: &str) -> Result<String, Error> {
        deep::run(self, || Ok(page::write(&self.report(title)?)))
    }

    /// The operations that a [`crate::vmap`] in this program has to run for one example of a batch after the other, because there is
    /// none on a whole batch that does the same, each with its line: a function of the host, a branch that prints.
    /// Everything else has a dimension more. Vectors of the basis
    /// of a [`crate::jacrev`] and its kin are examples too; there an operation stands for the derivative that it is in, which is
    /// taken for one vector after the other as a whole.
    ///
    /// ```
    /// use wengert::{Tensor, callback, jit, vmap};
    /// let f = |x: Tensor| callback(|x: Tensor| x, &x, (x.sin(),));
    /// let program = jit(vmap(f)).trace((Tensor::from([1.0f64, 2.0]),))?;
    /// assert!(program.example_by_example()[0].starts_with("stablehlo.custom_call at "));
    /// # Ok::<(), wengert::Error>(())
    /// ```
    pub fn example_by_example(&self) -> Vec<String> {
        let found = wengert_passes::batch::example_by_example(&self.module, self.func);
        found.into_iter().map(|(name, loc)| format!("{name} at {}", loc.place())).collect()
    }

    fn report(&self, title: &str) -> Result<Report, Error> {
        let mut module = self.module.clone();
        let written = Pipeline::parse("inline,custom").expect("passes of the table");
        let func = written.run_within(&mut module, self.func, &self.limits, &mut |_| {})?;
        let (mut module, func) = module.reachable(&[func]);
        let sources = tag(&mut module);
        let written = (module.clone(), func[0]);
        let mut prepared = None;
        let func = Pipeline::default().run_within(&mut module, func[0], &self.limits, &mut |step| {
            // What `simplify` is given.
            if step.pass.name == "intern" {
                prepared = Some((step.module.clone(), step.func));
            }
        })?;
        let (mut prepared, root) = prepared.unwrap_or_else(|| written.clone());
        let mut rules: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let steps = became(&prepared, root);
        for step in steps.values().flat_map(|b| &b.steps) {
            rules.entry(step.rule.clone()).or_default().0 += 1;
        }
        for (rule, count) in egraph::optimize(&mut prepared, root, &egraph::Options::default()).report.fired {
            rules.entry(rule.to_owned()).or_default().1 += count;
        }
        let mut numbers = Numbers::default();
        let old = numbers.of(&written.0, written.1);
        let new = numbers.of(&module, func);
        let side = |name, m, func| Side { name, module: m, func, sources: &sources, steps: &steps };
        let mut before = listing::lines(&side('b', &written.0, written.1), &mut numbers);
        let mut after = listing::lines(&side('a', &module, func), &mut numbers);
        let (left, right) = (operations(&before), operations(&after));
        mark(&mut before, &right, &new);
        mark(&mut after, &left, &old);
        let (kernels, timings) = self.measured();
        let profile = self.lower().and_then(|l| l.kernels()).ok().map(|p| p.to_string());
        Ok(Report {
            title: title.to_owned(),
            mode: listing::mode(module.mode),
            before,
            after,
            costs: [cost_report::of_func(&written.0, written.1), cost_report::of_func(&module, func)],
            rules,
            kernels,
            timings,
            looped: self.example_by_example(),
            profile,
        })
    }

    /// The kernels, and how long each step of compilation took.
    #[allow(clippy::type_complexity, reason = "the two fields of a report")]
    fn measured(&self) -> (Result<(String, usize, usize), String>, Vec<Timing>) {
        let lowered = match self.lower() {
            Ok(lowered) => lowered,
            Err(e) => return (Err(e.to_string()), Vec::new()),
        };
        let mut timings = lowered.timings().to_vec();
        let start = Instant::now();
        let compiled = lowered.compile();
        timings.push(Timing { name: "codegen", elapsed: start.elapsed() });
        let program = lowered.program();
        match compiled {
            Ok(_) => (Ok((program.to_string(), program.kernels.len(), program.scratch)), timings),
            Err(e) => (Err(e.to_string()), timings),
        }
    }
}

/// Puts a number in place of every location; gives the locations by number.
fn tag(m: &mut Module) -> Vec<Loc> {
    let mut sources = Vec::new();
    let mut funcs = EntityVec::new();
    for func in m.funcs.values() {
        let mut func = Func::clone(func);
        for inst in func.insts.values_mut() {
            let number = Loc::Text(format!("#{}", sources.len()).into());
            sources.push(std::mem::replace(&mut inst.loc, number));
        }
        funcs.push(Arc::new(func));
    }
    m.funcs = funcs;
    sources
}

/// The number in a location that [`tag`] put there.
fn tag_of(loc: &Loc) -> Option<Tag> {
    match loc {
        Loc::Text(text) => text.strip_prefix('#')?.parse().ok(),
        Loc::Unknown | Loc::Rust(_) => None,
    }
}

/// What became of instructions by tag, in a function and the bodies of its loops and branches.
fn became(m: &Module, root: FuncId) -> BTreeMap<Tag, Became> {
    let (mut seen, mut work) = (BTreeSet::new(), vec![root]);
    let mut out = BTreeMap::new();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let func = m.get(id);
        for inst in func.insts.values().filter(|i| i.op.is_control_flow()) {
            work.extend(inst.op.callees());
        }
        for became in egraph::explain_values(m, id, &egraph::Options::default()) {
            if let Some(tag) = tag_of(&func.insts[became.inst].loc) {
                out.entry(tag).or_insert(became);
            }
        }
    }
    out
}

/// The operations of lines by tag.
fn operations(lines: &[Line]) -> BTreeMap<Tag, Vec<String>> {
    let mut out: BTreeMap<Tag, Vec<String>> = BTreeMap::new();
    for line in lines {
        if let Some(tag) = line.tag {
            out.entry(tag).or_default().push(line.operation.clone());
        }
    }
    out
}

/// Says of each line what became of it, or where it comes from, on the other side.
fn mark(lines: &mut [Line], others: &BTreeMap<Tag, Vec<String>>, numbers: &BTreeSet<u32>) {
    for line in lines.iter_mut().filter(|l| l.is_inst) {
        let others = line.tag.and_then(|t| others.get(&t));
        line.fate = match others {
            _ if line.number.is_some_and(|n| numbers.contains(&n)) => listing::Fate::Same,
            Some(others) if others.contains(&line.operation) => listing::Fate::Same,
            Some(_) => listing::Fate::Rewritten,
            None => listing::Fate::Alone,
        };
    }
}
