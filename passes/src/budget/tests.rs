//! Schedules beside the cheapest that there are, which an exhaustive search finds on small graphs.

use super::schedule::{Problem, Task};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

fn task(operands: &[usize], bytes: u64, cost: u64) -> Task {
    Task { operands: operands.to_vec(), bytes, cost, repeatable: true, ..Task::default() }
}

/// Layers forward, `(bytes, cost)` each, and back: each layer's reverse pass needs what went in, and the cotangent. `skips` are
/// pairs of layers of which the second also reads the first's result.
fn network(layers: &[(u64, u64)], skips: &[(usize, usize)]) -> Problem {
    let n = layers.len();
    let mut tasks: Vec<Task> = Vec::new();
    let reads = |k: usize| {
        let mut all: Vec<usize> = skips.iter().filter(|s| s.1 == k).map(|s| s.0).collect();
        all.extend(k.checked_sub(1));
        all.sort_unstable();
        all.dedup();
        all
    };
    for (k, &(bytes, cost)) in layers.iter().enumerate() {
        tasks.push(task(&reads(k), bytes, cost));
    }
    for k in (0..n).rev() {
        // The cotangent of layer k's input.
        let mut operands = reads(k);
        operands.push(k);
        if k + 1 < n {
            operands.push(2 * n - 2 - k);
        }
        operands.extend(skips.iter().filter(|s| s.0 == k && s.1 > k + 1).map(|s| 2 * n - 1 - s.1));
        operands.sort_unstable();
        operands.dedup();
        let (bytes, cost) = layers[k];
        tasks.push(task(&operands, bytes, 2 * cost));
    }
    let last = tasks.last_mut().expect("layers");
    (last.root, last.bytes) = (true, 0);
    Problem { tasks }
}

/// The programs on which the method is held to the exact one.
fn table() -> Vec<(&'static str, Problem)> {
    let alternating: Vec<(u64, u64)> = (0..6).map(|k| if k % 2 == 0 { (8, 40) } else { (8, 5) }).collect();
    vec![
        ("a chain of equal layers", network(&[(8, 10); 7], &[])),
        ("products and cheap layers in turn", network(&alternating, &[])),
        (
            "layers that become narrow and wide again",
            network(&[(16, 20), (8, 15), (4, 10), (4, 10), (8, 15), (16, 20)], &[]),
        ),
        (
            "the same with skips",
            network(&[(16, 20), (8, 15), (4, 10), (4, 10), (8, 15), (16, 20)], &[(0, 5), (1, 4)]),
        ),
        ("residual blocks", network(&[(8, 10); 6], &[(0, 2), (2, 4)])),
        ("one wide and expensive", network(&[(4, 10), (32, 60), (4, 10), (4, 10), (4, 10), (4, 10)], &[])),
        ("one wide and cheap", network(&[(4, 20), (32, 5), (4, 20), (4, 20), (4, 20), (4, 20)], &[])),
        ("growing", network(&[(2, 5), (4, 10), (8, 15), (16, 20), (32, 25), (64, 30)], &[])),
        ("shrinking", network(&[(64, 30), (32, 25), (16, 20), (8, 15), (4, 10), (2, 5)], &[])),
        ("dense: each reads two before", network(&[(6, 12); 6], &[(0, 2), (1, 3), (2, 4), (3, 5)])),
    ]
}

/// The least cost with which all roots are computed within so many bytes, in any order.
fn exact(p: &Problem, limit: u64) -> Option<u64> {
    let n = p.tasks.len();
    let bytes: Vec<u64> = (0..1usize << n)
        .map(|set| (0..n).filter(|t| set >> t & 1 == 1).map(|t| p.tasks[t].bytes).sum())
        .collect();
    let roots: usize = (0..n).filter(|&t| p.tasks[t].root).map(|t| 1 << t).sum();
    let needs: Vec<usize> = p.tasks.iter().map(|t| t.operands.iter().map(|o| 1 << o).sum()).collect();
    let mut best = vec![u64::MAX; 1 << n];
    let mut queue = BinaryHeap::from([(Reverse(0u64), 0usize)]);
    best[0] = 0;
    while let Some((Reverse(cost), set)) = queue.pop() {
        if cost > best[set] {
            continue;
        }
        if set & roots == roots {
            return Some(cost);
        }
        for t in 0..n {
            let (next, more) = match set >> t & 1 {
                1 => (set ^ 1 << t, 0),
                _ if set & needs[t] == needs[t] && bytes[set | 1 << t] <= limit => {
                    (set | 1 << t, p.tasks[t].cost)
                }
                _ => continue,
            };
            if cost + more < best[next] {
                best[next] = cost + more;
                queue.push((Reverse(cost + more), next));
            }
        }
    }
    None
}

/// The least bytes with which there is any schedule.
fn least(p: &Problem) -> u64 {
    let (mut low, mut high) = (0, p.plain().peak);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if exact(p, middle).is_some() { high = middle } else { low = middle }
    }
    high
}

#[test]
fn near_the_cheapest() {
    let mut wrong = String::new();
    for (name, p) in table() {
        let base: u64 = p.tasks.iter().map(|t| t.cost).sum();
        let (least, most) = (least(&p), p.plain().peak);
        let smallest = p.smallest().peak;
        println!("{name}: {least} to {most} bytes, found {smallest}, {base}");
        if smallest * 10 > least * 11 {
            wrong += &format!("{name}: needs {smallest} bytes instead of {least}\n");
        }
        for step in 0..=6 {
            let limit = least + (most - least) * step / 6;
            let best = exact(&p, limit).expect("feasible") - base;
            match p.schedule(limit) {
                Some(s) => {
                    assert!(s.peak <= limit);
                    println!("  {limit}: {} instead of {best}", s.cost - base);
                    if (s.cost - base) * 10 > best * 11 {
                        wrong += &format!("{name} in {limit}: {} instead of {best}\n", s.cost - base);
                    }
                }
                None if limit < smallest => {}
                None => wrong += &format!("{name} in {limit}: none instead of {best}\n"),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
