//! Whether we got slower, by ratios to other implementations measured in the same run: seconds differ from machine to
//! machine, ratios much less.

use crate::record::Row;
use crate::table::ratio;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A ratio may get worse by this part before it counts.
pub const MARGIN: f64 = 0.25;

/// What is kept of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Baseline {
    /// What it ran on, for people.
    pub machine: String,
    /// By workload and then by implementation with its threads (`jax 2`): how much longer that takes than ours.
    pub ratios: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Baseline {
    /// The ratios of a run.
    pub fn of(rows: &[(String, Row)], machine: String) -> Self {
        let ratios = |row: &Row| {
            let others = row.records().filter(|r| ["jax", "c", "c fast"].contains(&r.peer.as_str()));
            others
                .filter_map(|r| {
                    Some((format!("{} {}", r.peer, r.threads), rounded(ratio(row, &r.peer, r.threads)?)))
                })
                .collect()
        };
        Self { machine, ratios: rows.iter().map(|(name, row)| (name.clone(), ratios(row))).collect() }
    }

    /// Takes over what another run has; what it has not stays.
    pub fn update(&mut self, other: Self) {
        self.machine = other.machine;
        for (name, ratios) in other.ratios {
            self.ratios.entry(name).or_default().extend(ratios);
        }
    }

    /// A line for each ratio of `now` that is worse than here by more than [`MARGIN`].
    pub fn worse(&self, now: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, before) in &self.ratios {
            let Some(after) = now.ratios.get(name) else { continue };
            for (peer, &before) in before {
                match after.get(peer) {
                    Some(&after) if after * (1.0 + MARGIN) < before => {
                        lines.push(format!("{name}: {peer} / compiled was {before:.2}, is {after:.2}"));
                    }
                    _ => {}
                }
            }
        }
        lines
    }
}

/// Three digits: more are noise.
fn rounded(ratio: f64) -> f64 {
    let scale = 10f64.powf(2.0 - ratio.abs().max(1e-9).log10().floor());
    (ratio * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;

    fn run(jax: f64, threads: usize) -> Baseline {
        let mut row = Row::default();
        for (peer, us) in [("compiled", 10.0), ("jax", jax), ("eager", 1.0)] {
            row.insert(Record { peer: peer.into(), threads, us: Some(us), ..Record::default() });
        }
        Baseline::of(&[("a.f".into(), row)], "here".into())
    }

    #[test]
    fn what_got_worse_by_more_than_the_margin_is_named() {
        let before = run(20.0, 1);
        assert_eq!(before.worse(&run(17.0, 1)), [""; 0]);
        assert_eq!(before.worse(&run(15.0, 1)), ["a.f: jax 1 / compiled was 2.00, is 1.50"]);
    }

    #[test]
    fn what_one_run_lacks_is_not_compared_but_kept() {
        let mut kept = run(20.0, 1);
        assert_eq!(kept.worse(&run(1.0, 2)), [""; 0]);
        kept.update(run(50.0, 2));
        assert_eq!(kept.ratios["a.f"], BTreeMap::from([("jax 1".into(), 2.0), ("jax 2".into(), 5.0)]));
    }

    #[test]
    fn ratios_are_kept_with_three_digits() {
        assert_eq!([0.012345, 1.23456, 1234.5].map(rounded), [0.0123, 1.23, 1230.0]);
    }
}
