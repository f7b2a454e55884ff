//! Kernel programs that nobody's lowering made.

use super::Random;
use crate::array::Array;
use crate::kernel::verify::verify;
use crate::kernel::{Program, interp, text};
use crate::rules::EvalError;

/// Changes programs at random, and tries each that the verifier takes: by the interpreter that looks at each access, and then, if it
/// ends, by `run`, which says why if it does not run. `count` mutants of all programs in turn, unless the variables
/// `WENGERT_MUTANTS` and `WENGERT_SEED` of the environment say others.
///
/// Panics if one touches what is not its own, and if so few were tried that nothing was shown.
pub fn stay_in_their_memory(
    programs: &[(String, Program, Vec<Array>)],
    count: usize,
    mut run: impl FnMut(usize, &Program, &[Array]) -> Result<(), String>,
) {
    assert!(programs.len() > 60, "{}", programs.len());
    let said = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let count = said("WENGERT_MUTANTS").map_or(count, |n| n as usize);
    let mut random = Random(said("WENGERT_SEED").unwrap_or(1));
    let (mut read, mut passed, mut ran) = (0u64, 0u64, 0u64);
    for k in 0..count {
        let (name, program, args) = &programs[k % programs.len()];
        let source = mutant(&program.to_string(), &mut random);
        let Ok(program) = text::parse(&source) else { continue };
        read += 1;
        if program.params.iter().ne(args.iter().map(Array::ty)) || verify(&program).is_err() {
            continue;
        }
        passed += 1;
        let interpreted = match interp::run_limited(&program, args, interp::Options::default(), 2_000_000) {
            Ok(_) => Ok(()),
            Err(EvalError::Steps(_) | EvalError::Memory(_)) => continue,
            Err(e) => Err(e.to_string()),
        };
        let tried = run(k, &program, args);
        ran += u64::from(tried.is_ok());
        // Memories that overlap give wrong numbers only; so do operations that the interpreter refuses.
        for message in [interpreted, tried].into_iter().filter_map(Result::err) {
            let outside = ["access to", "read-only", "are outside of", "are not aligned"];
            assert!(
                !outside.iter().any(|what| message.contains(what)),
                "mutant {k} of {name}: {message}\n{source}"
            );
        }
    }
    assert!(
        passed > count as u64 / 20 && ran > passed / 2,
        "{read} of {count} read, {passed} passed, {ran} ran"
    );
}

/// What text is made of, as far as mutation cares.
fn tokens(source: &str) -> Vec<&str> {
    let kind = |c: char| {
        if c.is_alphanumeric() || "%_.@".contains(c) {
            0
        } else if c.is_whitespace() {
            1
        } else {
            2
        }
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = 1;
    for (at, c) in source.char_indices() {
        if kind(c) != before || before == 2 {
            out.push(&source[start..at]);
            start = at;
            before = kind(c);
        }
    }
    out.push(&source[start..]);
    out
}

/// The text of a kernel program changed in a place or two: another number, another value, another operation, a line less or twice. It
/// need be no program.
fn mutant(source: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let mut pick = |n: usize| (random.bits() % n.max(1) as u64) as usize;
    for _ in 0..1 + pick(2) {
        let at = pick(lines.len());
        let how = pick(12);
        if how == 0 {
            drop(lines.remove(at));
        } else if how == 1 {
            lines.insert(at, lines[at].clone());
        } else if how == 2 && at + 1 < lines.len() {
            lines.swap(at, at + 1);
        } else {
            lines[at] = changed(&lines, at, &mut pick);
        }
    }
    lines.join("\n")
}

/// A line with another word in place of one of its own: a number near or far, a value or an operation of any line, a type.
fn changed(lines: &[String], at: usize, pick: &mut dyn FnMut(usize) -> usize) -> String {
    let parts = tokens(&lines[at]);
    let k = pick(parts.len());
    let part = parts[k];
    let new = if let Ok(n) = part.parse::<i64>() {
        let (near, far) = (n.wrapping_add(pick(5) as i64 - 2), n.wrapping_mul(1 << pick(40)));
        [near, far, n.wrapping_neg(), 0, i64::MAX, 1 << pick(63)][pick(6)].to_string()
    } else if part.starts_with('%') {
        let from = &lines[pick(lines.len())];
        let names: Vec<&str> = tokens(from).into_iter().filter(|t| t.starts_with('%')).collect();
        names.get(pick(names.len())).unwrap_or(&part).to_string()
    } else if part.contains('.') {
        let from = &lines[pick(lines.len())];
        let words: Vec<&str> = tokens(from).into_iter().filter(|t| t.contains('.')).collect();
        words.get(pick(words.len())).unwrap_or(&part).to_string()
    } else {
        let words = ["i64", "i32", "f32", "f64", "i1", "vector", "param", "result", "scratch", "stack"];
        words[pick(words.len())].to_owned()
    };
    parts[..k].concat() + &new + &parts[k + 1..].concat()
}
