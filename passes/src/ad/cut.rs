//! The cheapest set of values from which others follow: a minimum cut between what cannot be computed again and what is
//! wanted, where to keep a value costs its bytes (as in Chen et al., "Training Deep Nets with Sublinear Memory Cost",
//! 2016, by way of the min-cut partitioner of Zheng et al., functorch, 2022).
//!
//! A value is two vertices, the second reached from the first at its price. The flow is Dinic's; vertices and edges are
//! visited in the order they were added, so the same graph gives the same cut.

/// Never cut.
const ENDLESS: u64 = u64::MAX / 4;

struct Edge {
    to: usize,
    room: u64,
}

/// A network of values.
#[derive(Default)]
pub struct Network {
    /// Edge `2 k` and its reverse `2 k + 1`.
    edges: Vec<Edge>,
    /// Edges that leave a vertex: those of value `v` are `2 v + 2` (before its price) and `2 v + 3` (after).
    out: Vec<Vec<usize>>,
}

const SOURCE: usize = 0;
const SINK: usize = 1;

impl Network {
    /// A network without values.
    pub fn new() -> Self {
        Self { edges: Vec::new(), out: vec![Vec::new(), Vec::new()] }
    }

    /// A value that costs this much to keep; values are numbered from 0.
    pub fn value(&mut self, price: u64) -> usize {
        let before = self.out.len();
        self.out.push(Vec::new());
        self.out.push(Vec::new());
        self.edge(before, before + 1, price.min(ENDLESS / 4));
        (before - 2) / 2
    }

    /// A value that must be kept if anything needs it.
    pub fn given(&mut self, value: usize) {
        self.edge(SOURCE, 2 * value + 2, ENDLESS);
    }

    /// A value that is needed.
    pub fn wanted(&mut self, value: usize) {
        self.edge(2 * value + 3, SINK, ENDLESS);
    }

    /// To have `value` without keeping it takes `operand`.
    pub fn needs(&mut self, value: usize, operand: usize) {
        self.edge(2 * operand + 3, 2 * value + 2, ENDLESS);
    }

    fn edge(&mut self, from: usize, to: usize, room: u64) {
        self.out[from].push(self.edges.len());
        self.edges.push(Edge { to, room });
        self.out[to].push(self.edges.len());
        self.edges.push(Edge { to: from, room: 0 });
    }

    /// The values to keep, the last possible ones where several sets cost the same; and what they cost.
    pub fn cut(mut self) -> (Vec<usize>, u64) {
        let mut flow = 0;
        while let Some(levels) = self.levels() {
            let mut next = vec![0; self.out.len()];
            while let Some(more) = self.augment(&levels, &mut next) {
                flow += more;
            }
        }
        // What still reaches the sink follows from the cut.
        let mut after = vec![false; self.out.len()];
        after[SINK] = true;
        let mut work = vec![SINK];
        while let Some(v) = work.pop() {
            for &e in &self.out[v] {
                // The edge towards `v` is the reverse of one that leaves it.
                let (from, room) = (self.edges[e].to, self.edges[e ^ 1].room);
                if room > 0 && !after[from] {
                    after[from] = true;
                    work.push(from);
                }
            }
        }
        let values = (0..(self.out.len() - 2) / 2).filter(|v| after[2 * v + 3] && !after[2 * v + 2]);
        (values.collect(), flow)
    }

    /// Distances from the source over edges with room, if the sink is reached.
    fn levels(&self) -> Option<Vec<u32>> {
        let mut levels = vec![u32::MAX; self.out.len()];
        levels[SOURCE] = 0;
        let mut queue = std::collections::VecDeque::from([SOURCE]);
        while let Some(v) = queue.pop_front() {
            for &e in &self.out[v] {
                let Edge { to, room } = self.edges[e];
                if room > 0 && levels[to] == u32::MAX {
                    levels[to] = levels[v] + 1;
                    queue.push_back(to);
                }
            }
        }
        (levels[SINK] != u32::MAX).then_some(levels)
    }

    /// Sends what it can along one shortest path.
    fn augment(&mut self, levels: &[u32], next: &mut [usize]) -> Option<u64> {
        let mut path: Vec<usize> = Vec::new();
        let mut at = SOURCE;
        while at != SINK {
            match self.out[at].get(next[at]) {
                Some(&e) => {
                    let Edge { to, room } = self.edges[e];
                    if room > 0 && levels[to] == levels[at] + 1 {
                        path.push(e);
                        at = to;
                    } else {
                        next[at] += 1;
                    }
                }
                None => {
                    // A dead end: back one step, and never here again.
                    let e = path.pop()?;
                    at = self.edges[e ^ 1].to;
                    next[at] += 1;
                }
            }
        }
        let more = path.iter().map(|&e| self.edges[e].room).min()?;
        for e in path {
            self.edges[e].room -= more;
            self.edges[e ^ 1].room += more;
        }
        Some(more)
    }
}
