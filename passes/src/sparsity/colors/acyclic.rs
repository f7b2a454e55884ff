//! Acyclic colouring: neighbours differ, and every cycle has three colours. The vertices of any two colours then form trees, and
//! the places between them are computed from the leaves on: all but one of the places that a row of a product adds up are known.

use super::{Coloring, Graph, MOST_STEPS, Palette, Recovery};
use crate::sparsity::Pattern;
use rustc_hash::FxHashMap;

/// Levels of places that are computed from others. Each is a few operations of the program.
const MOST_LEVELS: usize = 32;

/// Colours for the columns of a symmetric matrix, and how its places follow from the products. `None` if the pattern is not square,
/// if looking for colours would take longer than what is saved, or if places would have to be computed from others more than 32
/// times over, as along a long chain.
pub fn color_acyclic(pattern: &Pattern) -> Option<(Coloring, Recovery)> {
    if pattern.rows() != pattern.columns {
        return None;
    }
    let graph = Graph::new(pattern);
    if graph.paths(2) > MOST_STEPS {
        return None;
    }
    let all = graph.orders().map(|order| greedy(&graph, pattern, &order));
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(c, _)| c.colors);
    all.into_iter().find_map(|(coloring, mut trees)| {
        let recovery = recovery(&graph, pattern, &coloring, &mut trees)?;
        Some((coloring, recovery))
    })
}

/// Edges that are in one tree: a forest of sets, with edges as numbers.
struct Trees(Vec<u32>);

impl Trees {
    fn find(&mut self, edge: usize) -> usize {
        let mut at = edge;
        while self.0[at] as usize != at {
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}

fn greedy(graph: &Graph, pattern: &Pattern, order: &[u32]) -> (Coloring, Trees) {
    let mut palette = Palette::new(graph.len());
    let mut trees = Trees((0..graph.neighbors.indices.len() as u32).collect());
    // For each tree, the last vertex that met it, and by which neighbour.
    let mut met: Vec<(u32, u32)> = vec![(u32::MAX, 0); graph.neighbors.indices.len()];
    for &v in order {
        for &w in graph.of(v) {
            palette.of(w).into_iter().for_each(|c| palette.forbid(v, c));
        }
        for &w in graph.of(v) {
            if palette.of(w).is_none() {
                continue;
            }
            for &x in graph.of(w) {
                let Some(color) = palette.of(x) else { continue };
                let tree = trees.find(graph.edge(w, x));
                // Two neighbours of v in one tree: in the colour of x, v would close a cycle.
                let (of, by) = met[tree];
                if of != v {
                    met[tree] = (v, w);
                } else if by != w {
                    palette.forbid(v, color);
                }
            }
        }
        if graph.of(v).is_empty() && pattern.row(v as usize).is_empty() {
            continue;
        }
        let color = palette.give(v);
        let mut first: Vec<Option<u32>> = vec![None; palette.forbidden.len()];
        for &w in graph.of(v) {
            let Some(of_w) = palette.of(w) else { continue };
            let edge = graph.edge(v, w);
            match first[of_w as usize] {
                Some(other) => trees.join(graph.edge(v, other), edge),
                None => first[of_w as usize] = Some(w),
            }
            for &x in graph.of(w).iter().filter(|&&x| x != v && palette.of(x) == Some(color)) {
                trees.join(graph.edge(w, x), edge);
            }
        }
    }
    (palette.done(), trees)
}

/// A vertex in one tree: places between it and its neighbours there.
struct End {
    vertex: u32,
    edges: Vec<u32>,
    /// How many of them are not known yet.
    open: usize,
}

/// The edges of all trees, and their ends.
#[derive(Default)]
struct Edges {
    ends: Vec<End>,
    /// For each edge its two ends.
    of: Vec<[u32; 2]>,
    /// For each entry of the graph that stands for an edge, the edge.
    at: FxHashMap<usize, u32>,
}

impl Edges {
    fn new(graph: &Graph, trees: &mut Trees) -> Edges {
        let mut all = Edges::default();
        let mut index: FxHashMap<(usize, u32), u32> = FxHashMap::default();
        for v in 0..graph.len() as u32 {
            for &w in graph.of(v).iter().filter(|&&w| v < w) {
                let (entry, number) = (graph.edge(v, w), all.of.len() as u32);
                let tree = trees.find(entry);
                let ends = [v, w].map(|vertex| {
                    let end = *index.entry((tree, vertex)).or_insert_with(|| {
                        all.ends.push(End { vertex, edges: Vec::new(), open: 0 });
                        all.ends.len() as u32 - 1
                    });
                    all.ends[end as usize].edges.push(number);
                    all.ends[end as usize].open += 1;
                    end
                });
                all.of.push(ends);
                all.at.insert(entry, number);
            }
        }
        all
    }
}

/// Unknowns are the diagonal and then the edges. An end of which one edge is not known reads it in its row, less the others.
fn recovery(graph: &Graph, pattern: &Pattern, coloring: &Coloring, trees: &mut Trees) -> Option<Recovery> {
    let n = graph.len() as u32;
    let mut edges = Edges::new(graph, trees);
    let mut read: Vec<(u32, u32)> = (0..n).map(|v| (coloring.of[v as usize], v)).collect();
    read.resize(read.len() + edges.of.len(), (0, 0));
    let mut known = vec![false; edges.of.len()];
    let mut levels: Vec<Vec<(u32, u32)>> = Vec::new();
    let open = |ends: &[End], e: u32| ends[e as usize].open == 1;
    let mut leaves: Vec<u32> = (0..edges.ends.len() as u32).filter(|&e| open(&edges.ends, e)).collect();
    while !leaves.is_empty() {
        let (mut level, mut solved) = (Vec::new(), Vec::new());
        for end in leaves.drain(..) {
            let leaf = &edges.ends[end as usize];
            // None is open where the other end of the edge was a leaf too, and came first.
            let Some(&edge) = leaf.edges.iter().find(|&&e| !known[e as usize]) else { continue };
            let other =
                edges.of[edge as usize].into_iter().find(|&e| e != end).expect("an edge has two ends");
            let other = edges.ends[other as usize].vertex;
            read[(n + edge) as usize] = (coloring.of[other as usize], leaf.vertex);
            level.extend(leaf.edges.iter().filter(|&&e| e != edge).map(|&e| (n + edge, n + e)));
            known[edge as usize] = true;
            solved.push(edge);
        }
        for end in solved.into_iter().flat_map(|e| edges.of[e as usize]) {
            edges.ends[end as usize].open -= 1;
            leaves.extend(open(&edges.ends, end).then_some(end));
        }
        if !level.is_empty() {
            levels.push(level);
        }
    }
    if levels.len() > MOST_LEVELS {
        return None;
    }
    let unknown = |row: u32, column: u32| match row == column {
        true => row,
        false => n + edges.at[&graph.edge(row, column)],
    };
    Some(Recovery { unknown: pattern.places().map(|(row, c)| unknown(row, c)).collect(), read, levels })
}
