//! Every workload compiled, with prepared arguments, eagerly, and its compilation.
//! `cargo bench -p wengert-benches -- scalar` runs those whose names match.

use criterion::{Criterion, criterion_group, criterion_main};
use std::time::Duration;
use wengert_benches::workloads::all;

fn workloads(criterion: &mut Criterion) {
    // What the command line leaves out is not even made: the first argument that is not an option is a filter.
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    for workload in all().into_iter().filter(|w| w.name.contains(&filter) || filter.contains('/')) {
        let mut case = workload.case();
        let mut group = criterion.benchmark_group(&workload.name);
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(100))
            .measurement_time(Duration::from_millis(500));
        group.bench_function("compiled", |b| b.iter(&mut case.compiled));
        if let Some(prepared) = &mut (case.prepared)() {
            group.bench_function("prepared", |b| b.iter(&mut *prepared));
        }
        group.bench_function("eager", |b| b.iter(&mut case.eager));
        group.bench_function("compile", |b| b.iter(&mut case.compile));
        group.finish();
    }
}

criterion_group!(benches, workloads);
criterion_main!(benches);
