//! What is measured, and how: [`workloads`] for the benches and the report, [`measure`] for the report.

pub mod measure;
pub mod plot;
pub mod workloads;
