//! What is measured, and how: [`workloads`] for the benches and the report, the rest for the report: [`measure`] times
//! a call, [`run`] runs every implementation in a process of its own, [`record`] holds what they print, [`table`],
//! [`plot`] and [`regression`] show it.

pub mod measure;
pub mod plot;
pub mod record;
pub mod regression;
pub mod run;
pub mod table;
pub mod workloads;
