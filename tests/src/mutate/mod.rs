//! Mutants: programs that are nearly right.
//!
//! A mutant is a program of the corpus, or a random one, in which something was changed: at the level of its structure
//! ([`structure`]: operands, attributes, constants, types, regions, instructions deleted and doubled, with what follows made
//! to fit again) or at the level of its text ([`words`]: numbers, types, names and lines, most of which a reader must
//! refuse). [`judge`] says whether the compiler may do what it does with it: refuse it with an error, or compute what the
//! reference interpreter computes, in every way that must not matter. The same seed gives the same mutant on every machine.
//!
//! Shared by the test of a small sample, by the command `mutate`, which runs them by the ten thousand in processes of their
//! own, and by the targets of `fuzz/`.

pub mod judge;
pub(crate) mod rounding;
mod structure;
mod words;

use crate::random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use wengert_ir::func::{FuncId, Inst, Module};
use wengert_ir::op::Attr;
use wengert_ir::testing::Random;

/// A program that is nearly right.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// What it was made from.
    pub seed: u64,
    /// What it says, as StableHLO text.
    pub text: String,
}

/// The mutant of a seed.
pub fn mutant(seed: u64) -> Mutant {
    let mut random = Random(seed.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ 0x1517);
    let (mut module, mut func) = origin(&mut random);
    let of_text = random.chance(25);
    for _ in 0..=random.below(if of_text { 2 } else { 4 }) {
        (module, func) = structure::changed(&module, func, &mut random);
    }
    // What no longer verifies may not print either; then the text of the program before is changed.
    let mut text = text_of(&module, func).unwrap_or_default();
    if of_text || text.is_empty() {
        if text.is_empty() {
            let (module, func) = origin(&mut random);
            text = random::check::printed(&module, func);
        }
        for _ in 0..=random.below(3) {
            text = words::changed(&text, &mut random);
        }
    }
    Mutant { seed, text }
}

/// A program's text, if it can be printed. An operation that says it has more inputs than operands cannot: a name would be
/// printed for each.
fn text_of(m: &Module, f: FuncId) -> Option<String> {
    let counts = |inst: &Inst| {
        let most = inst.operands.len() as i64;
        let is_fine =
            |(name, value): &(&str, Attr)| *name != "inputs" || matches!(value, Attr::Int(n) if *n <= most);
        inst.op.attrs().iter().all(is_fine)
    };
    if !m.funcs.values().all(|f| f.insts.values().all(counts)) {
        return None;
    }
    catch_unwind(AssertUnwindSafe(|| random::check::printed(m, f))).ok()
}

/// A text with something changed in it, as [`mutant`] changes it: for fuzzers, which bring their own programs.
pub fn changed(text: &str, seed: u64) -> String {
    let mut random = Random(seed);
    let module = wengert_ir::text::parse(text).ok().filter(|m| wengert_ir::verify::verify(m).is_ok());
    let entry = module.as_ref().and_then(entry);
    if let (Some(module), Some(func), true) = (module, entry, random.chance(70)) {
        let (module, func) = structure::changed(&module, func, &mut random);
        if let Some(text) = text_of(&module, func) {
            return text;
        }
    }
    words::changed(text, &mut random)
}

/// A program to change: of the corpus, or random.
fn origin(random: &mut Random) -> (Module, FuncId) {
    if random.chance(50) {
        let corpus = corpus();
        let (module, func) = &corpus[random.below(corpus.len())];
        return (module.clone(), *func);
    }
    let program = random::generate(random.bits() >> 8);
    (program.module, program.func)
}

/// The programs of the corpus.
fn corpus() -> &'static [(Module, FuncId)] {
    static CORPUS: OnceLock<Vec<(Module, FuncId)>> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let read = |case: String| {
            let source = std::fs::read_to_string(crate::corpus(&case).join("program.mlir")).ok()?;
            let module = wengert_ir::text::parse(&source).ok()?;
            let func = entry(&module)?;
            Some((module, func))
        };
        crate::corpus_cases().into_iter().filter_map(read).collect()
    })
}

/// The function that a program is entered by.
fn entry(module: &Module) -> Option<FuncId> {
    use wengert_ir::func::FuncKind;
    let public = module.funcs.iter().find(|(_, f)| f.kind == FuncKind::Public).map(|(id, _)| id);
    module.find("main").or(public)
}
