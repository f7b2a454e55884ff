//! Loops that are reversed with a given number of states: no step is made once more than it must.

use wengert::testing::split;
use wengert::{Tensor, jit};

fn b(s: u64, t: u64) -> u64 {
    (1..=t).fold(1, |b, k| b * (s + k) / k)
}

/// The fewest steps that are made again to reverse `l` with `s` states, the first included.
fn formula(l: u64, s: u64) -> u64 {
    let t = (0..).find(|&t| b(s, t) >= l).expect("some");
    if t == 0 { 0 } else { t * l - b(s + 1, t - 1) }
}

/// How many steps the reverse pass makes, as it goes from one to the one before (`Machine::state`).
fn made(l: i64, s: i64, split: &dyn Fn(i64, i64) -> i64) -> u64 {
    let (mut kept, mut steps) = (vec![0i64], 0);
    for k in (0..l).rev() {
        if kept[kept.len() - 1] > k {
            kept.pop();
        }
        while (kept.len() as i64) < s && kept[kept.len() - 1] < k {
            let from = kept[kept.len() - 1];
            let m = split(k - from + 1, s - kept.len() as i64 + 1);
            assert!(m > 0 && from + m <= k, "{m} of {}", k - from + 1);
            steps += m;
            kept.push(from + m);
        }
        steps += k - kept[kept.len() - 1];
    }
    steps as u64
}

#[test]
fn the_formula_is_the_optimum() {
    // By trying every place for the next state.
    let mut best = vec![vec![0u64; 9]; 41];
    for l in 2..=40usize {
        best[l][1] = (l * (l - 1) / 2) as u64;
        for s in 2..=8 {
            best[l][s] = (1..l).map(|m| m as u64 + best[l - m][s - 1] + best[m][s]).min().expect("some");
        }
    }
    for (l, row) in best.iter().enumerate().skip(1) {
        for (s, &steps) in row.iter().enumerate().skip(1) {
            assert_eq!(formula(l as u64, s as u64), steps, "{l} steps, {s} states");
        }
    }
}

#[test]
fn no_step_is_made_once_more_than_it_must() {
    let compiled = jit(|l: Tensor, s: Tensor| split(&l, &s));
    let split = |l: i64, s: i64| compiled(Tensor::from(l), Tensor::from(s)).item::<i64>();
    for (l, s) in [
        (1, 1),
        (2, 1),
        (7, 1),
        (2, 2),
        (3, 2),
        (10, 2),
        (21, 2),
        (22, 2),
        (10, 3),
        (35, 3),
        (36, 3),
        (100, 4),
        (126, 5),
        (127, 5),
        (60, 60),
        (1000, 6),
    ] {
        assert_eq!(made(l, s, &split), formula(l as u64, s as u64), "{l} steps, {s} states");
    }
}
