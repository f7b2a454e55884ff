//! Two thousand mutants of programs are refused, or computed alike in every way; the command `mutate` runs them by the ten
//! thousand, in processes of their own.

use wengert_tests::mutate::judge::{Verdict, judge};
use wengert_tests::mutate::mutant;

/// Mutants of all tests.
const COUNT: u64 = 2000;

fn run(seeds: impl Iterator<Item = u64>) {
    let (mut agree, mut all) = (0, 0);
    for seed in seeds {
        let mutant = mutant(seed);
        all += 1;
        match judge(&mutant) {
            Verdict::Refused | Verdict::Unrun => {}
            Verdict::Agrees => agree += 1,
            Verdict::Fails(fault) => {
                let failure = &fault.failure;
                panic!("seed {seed}: {}: {}\n{}", failure.stage, failure.detail, mutant.text)
            }
        }
    }
    // Mutants that are all refused test nothing but the parser.
    assert!(agree * 4 >= all, "{agree} of {all} ran");
}

#[test]
fn even_seeds() {
    run((0..COUNT).step_by(2));
}

#[test]
fn odd_seeds() {
    run((1..COUNT).step_by(2));
}
