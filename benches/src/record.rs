//! What an implementation prints about a workload, a JSON object a line, and all of a run by workload.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One line.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The workload's name.
    pub workload: String,
    /// The implementation: `compiled`, `relaxed`, `prepared`, `eager`, `jax`, `jax tuned`,
    /// `jax eager`, `c`, `c fast`.
    pub peer: String,
    /// On how many threads.
    pub threads: usize,
    /// Microseconds of a call, the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub us: Option<f64>,
    /// The lower quartile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub us_low: Option<f64>,
    /// The upper quartile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub us_high: Option<f64>,
    /// Microseconds of the first call, compilation included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_us: Option<f64>,
    /// Milliseconds from the function to machine code, later than the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile_ms: Option<f64>,
    /// Growth of memory through the first and later calls, megabytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_mb: Option<f64>,
    /// The weighted sum of absolute values of all results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<f64>,
    /// Why there are no numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// The records of a workload by implementation and threads.
#[derive(Clone, Debug, Default)]
pub struct Row(BTreeMap<(String, usize), Record>);

impl Row {
    /// Adds what was printed about this workload.
    pub fn insert(&mut self, record: Record) {
        self.0.insert((record.peer.clone(), record.threads), record);
    }

    /// The record of an implementation.
    pub fn get(&self, peer: &str, threads: usize) -> Option<&Record> {
        self.0.get(&(peer.to_owned(), threads))
    }

    /// Its median, in microseconds.
    pub fn micros(&self, peer: &str, threads: usize) -> Option<f64> {
        self.get(peer, threads)?.us
    }

    /// All records, by name and threads.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.0.values()
    }

    /// Implementations whose check value is not ours, with theirs and ours; one that is not a number agrees with none.
    pub fn disagreements(&self, tolerance: f64) -> Vec<(String, f64, f64)> {
        let Some(ours) = self.records().find(|r| r.peer == "compiled").and_then(|r| r.check) else {
            return vec![];
        };
        let close = |c: f64| (c - ours).abs() <= tolerance * ours.abs().max(f64::MIN_POSITIVE);
        let checks = self.records().filter_map(|r| Some((r.peer.clone(), r.check?, ours)));
        checks.filter(|&(_, c, _)| !close(c)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(peer: &str, check: f64) -> Record {
        Record { peer: peer.into(), threads: 1, check: Some(check), ..Record::default() }
    }

    #[test]
    fn a_wrong_check_value_is_named() {
        let mut row = Row::default();
        row.insert(record("compiled", 100.0));
        row.insert(record("jax", 100.01));
        row.insert(record("c", 101.0));
        assert_eq!(row.disagreements(1e-3), [("c".to_owned(), 101.0, 100.0)]);
        row.insert(record("compiled", f64::NAN));
        assert_eq!(row.disagreements(1e-3).len(), 3);
    }

    #[test]
    fn a_line_needs_no_more_than_it_says() {
        let line = r#"{"workload": "a.b", "peer": "c", "threads": 1, "us": 2.5}"#;
        let parsed: Record = serde_json::from_str(line).unwrap();
        assert_eq!((parsed.us, parsed.check), (Some(2.5), None));
        assert_eq!(serde_json::to_string(&parsed).unwrap(), line.replace(": ", ":").replace(", ", ","));
    }
}
