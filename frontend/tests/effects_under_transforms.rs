//! Every effect under every transform, in every kind of program: what is heard once, in the order of the program, with the values of
//! the function; what the transform gives is what it gives of the function without the effect. `rules` has what is differentiated
//! otherwise than as it stands.

mod rules;
mod tools;

use std::sync::Arc;
use tools::{Effect, F, PROGRAMS, TRANSFORMS, Transform, heard, nothing, said, words, x};
use wengert::{Tensor, jit};

/// What is heard, by name.
const EFFECTS: &[(&str, Effect)] = &[
    ("debug_print", tools::prints),
    ("debug_callback", tools::looks_on),
    ("io_callback", tools::asks),
    ("io_callback_unordered", tools::asks_in_any_order),
    ("callback", tools::is_called),
    ("sow", tools::is_sown),
    ("check", tools::holds),
    ("all of them", tools::does_all),
];

/// What may be refused: parts of the names of the effect, the program and the transform, and what is said then, with the line of
/// the effect or of the transform. All else must be done.
const REFUSED: &[[&str; 4]] = &[
    ["io_callback", "slots", "", "with `Save::Slots` the reverse pass would call it again"],
    ["all of", "slots", "", "with `Save::Slots` the reverse pass would call it again"],
    ["io_callback", "", "a pullback within memory", "use the budget of `grad`"],
    ["all of", "", "a pullback within memory", "use the budget of `grad`"],
    ["io_callback", "", "vmap", "use `io_callback_unordered` or `debug_callback`"],
    ["all of", "", "vmap", "use `io_callback_unordered` or `debug_callback`"],
    // Text does not hold functions.
    ["call", "", "text", "`effects::ffi::register` makes one known"],
    ["all of", "", "text", "`effects::ffi::register` makes one known"],
    // The trips of such a loop are not known before it runs.
    ["", "a loop", "within memory", "Give the loop a number of steps"],
    ["io_callback", "loop", "", "Give the loop a number of trips"],
    ["all of", "loop", "", "Give the loop a number of trips"],
    // What it gives would be needed again.
    ["io_callback_unordered", "loop", "vmap", "Leave the call out of the loop"],
];

fn run(t: &'static Transform, of: fn(Effect, Tensor) -> Tensor, effect: Effect, compiled: bool) -> Ran {
    said(|| {
        let f: F = Arc::new(move |x| of(effect, x));
        let of = (t.of)(&f);
        let of = move |x: Tensor| of(x);
        heard(|| if compiled { jit(of)(x()) } else { of(x()) })
    })
}

/// What is given and heard, or what is said.
type Ran = Result<(Tensor, Vec<String>), String>;

/// What is wrong with a run, if anything is. `want` is what the program itself has heard.
fn wrong(name: &str, ran: &Ran, silent: &Ran, want: &[String]) -> Option<String> {
    match (ran, silent) {
        (Ok((y, got)), Ok((silent, _))) => {
            let far = (y - silent).abs().max().item::<f64>();
            // A pure function may be called more or less often.
            let is_heard = match name {
                "callback" => got.iter().all(|line| want.contains(line)),
                _ => got == want,
            };
            match far.is_nan() || far > 1e-9 {
                true => Some(format!("off by {far}")),
                false if is_heard => None,
                false => Some(format!("{:?}, not {:?}", words(got), words(want))),
            }
        }
        (Ok(_), Err(e)) => Some(format!("without the effect it says {e}")),
        (Err(e), _) => Some(e.clone()),
    }
}

/// Whether a row of [`REFUSED`] says so.
fn is_refused(names: [&str; 3], message: &str) -> bool {
    let is_of = |row: &[&str; 4]| {
        (0..3).all(|k| names[k].contains(row[k]))
            && message.contains(row[3])
            && message.contains("effects_under_transforms")
    };
    REFUSED.iter().any(is_of)
}

/// The programs of one of the parts: tests run side by side.
fn programs(part: usize, parts: usize) {
    let mut all = Vec::new();
    for program in PROGRAMS.iter().skip(part).step_by(parts) {
        let plain: Vec<Ran> = EFFECTS.iter().map(|&(_, e)| said(|| heard(|| (program.of)(e, x())))).collect();
        let lines = &plain[0].as_ref().expect("it prints").1;
        assert_eq!(words(lines).join(" "), program.words, "{}", program.name);
        for (l, t) in TRANSFORMS.iter().enumerate() {
            let silent = run(t, program.of, nothing, false);
            for (m, (&(name, effect), plain)) in EFFECTS.iter().zip(&plain).enumerate() {
                let want = plain.as_ref().map_or(&[][..], |(_, lines)| lines);
                // The first and the last both ways, the others in turns.
                let both = m == 0 || m + 1 == EFFECTS.len();
                for compiled in [false, true].into_iter().filter(|&c| both || c == ((l + m) % 2 == 0)) {
                    let Some(what) = wrong(name, &run(t, program.of, effect, compiled), &silent, want) else {
                        continue;
                    };
                    if !is_refused([name, program.name, t.name], &what) {
                        all.push(format!("{name}, {} of {}, {compiled}: {what}", t.name, program.name));
                    }
                }
            }
        }
    }
    assert!(all.is_empty(), "{} wrong:\n{}", all.len(), all.join("\n"));
}

/// A row of what may be refused goes when nothing of it is refused any more.
#[test]
fn what_may_be_refused_is_refused_somewhere() {
    for row in REFUSED {
        let [of_effect, of_program, of_transform, _] = row;
        let is_refused = |effect: Effect, of: fn(Effect, Tensor) -> Tensor, t: &'static Transform| {
            [false, true].iter().any(|&c| run(t, of, effect, c).is_err_and(|e| e.contains(row[3])))
        };
        let mut programs = PROGRAMS.iter().filter(|p| p.name.contains(of_program));
        let found = programs.any(|p| {
            let mut transforms = TRANSFORMS.iter().filter(|t| t.name.contains(of_transform));
            transforms.any(|t| {
                let mut effects = EFFECTS.iter().filter(|(name, _)| name.contains(of_effect));
                effects.any(|&(_, effect)| is_refused(effect, p.of, t))
            })
        });
        assert!(found, "{row:?}");
    }
}

#[test]
fn programs_1_of_4() {
    programs(0, 4);
}

#[test]
fn programs_2_of_4() {
    programs(1, 4);
}

#[test]
fn programs_3_of_4() {
    programs(2, 4);
}

#[test]
fn programs_4_of_4() {
    programs(3, 4);
}
