//! Markdown tables of a run.

use crate::record::{Record, Row};
use crate::workloads::ELEMENTS;

/// Time per call of every workload: medians, in brackets half the distance of the quartiles as a part of the median.
pub fn times(rows: &[(String, Row)], most: usize) -> String {
    let mut columns: Vec<(String, &str, usize)> = vec![("compiled".into(), "compiled", 1)];
    let mut column = |title: &str, peer: &'static str, threads: usize| {
        columns.push((title.to_owned(), peer, threads));
    };
    column("into memory given", "prepared", 1);
    column("relaxed", "relaxed", 1);
    column("eager", "eager", 1);
    column("JAX", "jax", 1);
    column("JAX tuned", "jax tuned", 1);
    column("JAX eager", "jax eager", 1);
    column("C", "c", 1);
    column("C fast", "c fast", 1);
    if most > 1 {
        column(&format!("compiled, {most} threads"), "compiled", most);
        column(&format!("JAX, {most} threads"), "jax", most);
    }
    let mut head: Vec<String> =
        std::iter::once("workload".into()).chain(columns.iter().map(|c| c.0.clone())).collect();
    let mut ratios = vec![("eager / compiled", "eager", 1), ("JAX / compiled", "jax", 1)];
    if most > 1 {
        ratios.push(("the same, all threads", "jax", most));
    }
    ratios.push(("C / compiled", "c", 1));
    head.extend(ratios.iter().map(|r| r.0.to_owned()));
    let body = rows.iter().map(|(name, row)| {
        let cells =
            columns.iter().map(|(_, peer, threads)| row.get(peer, *threads).map_or(String::new(), cell));
        let ratios = ratios.iter().map(|(_, peer, threads)| {
            let ratio = ratio(row, peer, *threads);
            ratio.map_or(String::new(), |r| format!("{r:.2}"))
        });
        std::iter::once(name.clone()).chain(cells).chain(ratios).collect()
    });
    markdown(&head, body)
}

/// Compilation, first call and memory.
pub fn costs(rows: &[(String, Row)]) -> String {
    let head = ["workload", "compile", "JAX", "first call", "JAX", "peak memory", "JAX"].map(String::from);
    let body = rows.iter().map(|(name, row)| {
        let both = |show: &dyn Fn(&Record) -> Option<String>| {
            ["compiled", "jax"].map(|peer| row.get(peer, 1).and_then(show).unwrap_or_default())
        };
        let compile = both(&|r| Some(micros(r.compile_ms? * 1e3)));
        let first = both(&|r| Some(micros(r.first_us?)));
        let memory = both(&|r| Some(format!("{:.1} MB", r.peak_mb?)));
        std::iter::once(name.clone()).chain(compile).chain(first).chain(memory).collect()
    });
    markdown(&head, body)
}

/// Nanoseconds per element of the elementwise functions.
pub fn elements(rows: &[(String, Row)]) -> String {
    let columns =
        [("compiled", "compiled"), ("relaxed", "relaxed"), ("JAX", "jax"), ("C", "c"), ("C fast", "c fast")];
    let head: Vec<String> =
        std::iter::once("function").chain(columns.map(|c| c.0)).map(String::from).collect();
    let chosen = rows.iter().filter_map(|(name, row)| Some((name.strip_prefix("elementwise.")?, row)));
    let body = chosen.map(|(name, row)| {
        let per_element =
            |peer| row.micros(peer, 1).map_or(String::new(), |t| format!("{:.2}", t * 1e3 / ELEMENTS as f64));
        std::iter::once(name.to_owned()).chain(columns.map(|c| per_element(c.1))).collect()
    });
    markdown(&head, body)
}

/// Gigabytes per second of `axpy`, on one thread and on `most`: what it reads and writes, twelve bytes per element, as STREAM
/// counts. Its form in C is STREAM's triad. `None` if it was not measured.
pub fn bandwidth(rows: &[(String, Row)], most: usize) -> Option<String> {
    let (name, row) = rows.iter().find(|(name, _)| name.starts_with("axpy."))?;
    let elements: f64 = name.split('.').nth(1)?.parse().ok()?;
    let columns = [("compiled", "compiled", 1), ("on all threads", "compiled", most), ("JAX", "jax", 1)];
    let columns = columns.into_iter().filter(|c| most > 1 || c.0 != "on all threads");
    let rates = columns.chain([("the triad in C", "c", 1)]).filter_map(|(title, peer, threads)| {
        Some(format!("{title} {:.1} GB/s", 12e-3 * elements / row.micros(peer, threads)?))
    });
    let parts: Vec<String> = rates.collect();
    Some(format!("Memory: {}.\n", parts.join(", ")))
}

/// How much longer an implementation takes than ours on as many threads.
pub fn ratio(row: &Row, peer: &str, threads: usize) -> Option<f64> {
    Some(row.micros(peer, threads)? / row.micros("compiled", threads)?)
}

fn markdown(head: &[String], body: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = format!("| {} |\n|---|{}\n", head.join(" | "), "---:|".repeat(head.len() - 1));
    for cells in body {
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

fn cell(record: &Record) -> String {
    match (record.us, record.us_low, record.us_high, &record.failed) {
        (Some(us), Some(low), Some(high), _) => {
            format!("{} (±{:.0} %)", micros(us), (high - low) / 2.0 / us * 100.0)
        }
        (Some(us), ..) => micros(us),
        (None, _, _, Some(why)) if why.starts_with("over") => why.clone(),
        (None, _, _, Some(_)) => "fails".into(),
        (None, ..) => String::new(),
    }
}

/// A time with three digits and its unit.
pub fn micros(t: f64) -> String {
    let (value, unit) = match t {
        t if t < 1.0 => (t * 1e3, "ns"),
        t if t < 1e3 => (t, "µs"),
        t if t < 1e6 => (t / 1e3, "ms"),
        t => (t / 1e6, "s"),
    };
    let digits = if value < 10.0 { 2 } else { (value < 100.0) as usize };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_spreads() {
        assert_eq!([0.0123, 4.5678, 45678.0, 3.2e6].map(micros), ["12.3 ns", "4.57 µs", "45.7 ms", "3.20 s"]);
        let record =
            Record { us: Some(100.0), us_low: Some(95.0), us_high: Some(105.0), ..Record::default() };
        assert_eq!(cell(&record), "100 µs (±5 %)");
        assert_eq!(cell(&Record { failed: Some("no such op".into()), ..Record::default() }), "fails");
        assert_eq!(cell(&Record { failed: Some("over 60 s".into()), ..Record::default() }), "over 60 s");
    }

    #[test]
    fn bandwidth_counts_what_is_read_and_written() {
        let mut row = Row::default();
        for (peer, us) in [("compiled", 6000.0), ("c", 8000.0)] {
            row.insert(Record { peer: peer.into(), threads: 1, us: Some(us), ..Record::default() });
        }
        let text = bandwidth(&[("axpy.10000000.f".into(), row)], 1);
        assert_eq!(text.as_deref(), Some("Memory: compiled 20.0 GB/s, the triad in C 15.0 GB/s.\n"));
        assert_eq!(bandwidth(&[], 2), None);
    }

    #[test]
    fn a_row_has_a_cell_per_column() {
        let mut row = Row::default();
        for (peer, us) in [("compiled", 2.0), ("jax", 5.0)] {
            row.insert(Record { peer: peer.into(), threads: 1, us: Some(us), ..Record::default() });
        }
        let table = times(&[("a.f".into(), row)], 1);
        let widths: Vec<usize> = table.lines().map(|l| l.matches('|').count()).collect();
        assert!(widths.windows(2).all(|w| w[0] == w[1]), "{table}");
        assert!(table.contains("| 2.50 |"), "{table}");
    }
}
