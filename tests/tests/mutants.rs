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
            Verdict::Agrees(_) => agree += 1,
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

/// What a judge must know: signs of computed NaN, sums of `f32` given as `f64` or integers, memory for a branch that is not
/// taken, large complex factors, a loop that ends by an equality or a conversion of floats, infinity next to padding, memory
/// that only the interpreter takes, what is left where sums cancel, a sum at a tie of 8 bits, a factor of a singular matrix.
#[test]
fn what_nothing_promises_is_no_fault() {
    let seeds = [
        16857, 109461, 241205, 117071, 17901, 228136, 254573, 224491, 200327, 203401, 245339, 2161865,
        4317365, 4488688, 5024637, 5405999, 5470869, 5568008, 5816426, 5824175, 30030874, 30755532, 50056489,
        80385577, 80638996, 20_230_911,
    ];
    seeds.into_iter().for_each(agrees);
}

/// A type of powers of two, which has no zero; trips that do nothing; as many trips as numbers of 64 bits; a comparator that
/// captures a tensor; memory for what is not run, or is nothing; a long proof that an access stays in its rows; sums of -0;
/// partial sums of more than the stack holds; a long scan in a loop that does not run; a batch of more than can be addressed;
/// a constant of gigabytes in a loop that does not run; the sign of a NaN of 8 bits; a loop that
/// ends only for the examples of a batch that are not done; a stride of 2^63 - 1 where one element is taken; more stacks than can be
/// counted; 2^63 - 1 elements between those of one.
#[test]
fn what_was_wrong_once() {
    let seeds = [
        1_048_157, 1_076_036, 1_073_940, 1_140_320, 1_154_451, 1_172_031, 1_142_601, 1_099_011, 1_103_106,
        4_377_799, 4_521_022, 4_600_778, 5_024_661, 5_291_988, 5_423_258, 5_639_110, 5_852_396, 30_251_733,
        30_493_807, 30_552_030, 20_017_860, 22_016_409, 22_029_228, 22_037_272,
    ];
    seeds.into_iter().for_each(agrees);
}

fn agrees(seed: u64) {
    if let Verdict::Fails(fault) = judge(&mutant(seed)) {
        panic!("seed {seed}: {}: {}", fault.failure.stage, fault.failure.detail);
    }
}
