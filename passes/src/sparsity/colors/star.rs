//! Star colouring: neighbours differ, and every path of four vertices has three colours. The vertices of any two colours then
//! form stars, and the place between two neighbours stands alone in the row of one of them.

use super::{Coloring, Graph, MOST_STEPS, Palette, Recovery};
use crate::sparsity::Pattern;

/// Colours for the columns of a symmetric matrix, and how its places are read from the products; each is read once, in the row of
/// one of its ends. `None` if the pattern is not square, or if looking for colours would take longer than what is saved.
pub fn color_star(pattern: &Pattern) -> Option<(Coloring, Recovery)> {
    if pattern.rows() != pattern.columns {
        return None;
    }
    let graph = Graph::new(pattern);
    if graph.paths(3) > MOST_STEPS {
        return None;
    }
    let all = graph.orders().map(|order| greedy(&graph, pattern, &order));
    let coloring = all.into_iter().min_by_key(|c| c.colors)?;
    let recovery = recovery(&graph, pattern, &coloring);
    Some((coloring, recovery))
}

fn greedy(graph: &Graph, pattern: &Pattern, order: &[u32]) -> Coloring {
    let mut palette = Palette::new(graph.len());
    // For each colour, the last vertex that saw it on a neighbour, and that neighbour.
    let mut seen: Vec<(u32, u32)> = Vec::new();
    for &v in order {
        for &w in graph.of(v) {
            let Some(color) = palette.of(w) else { continue };
            palette.forbid(v, color);
            // v between two of one colour: it must not have that of a neighbour of either.
            let (by, first) = seen[color as usize];
            if by == v {
                for &x in graph.of(first).iter().chain(graph.of(w)) {
                    palette.of(x).into_iter().for_each(|c| palette.forbid(v, c));
                }
            } else {
                seen[color as usize] = (v, w);
            }
            // v at the end of v, w, x, y, where y has w's colour: it must not have that of x.
            for &x in graph.of(w) {
                let Some(of_x) = palette.of(x) else { continue };
                if graph.of(x).iter().any(|&y| y != w && palette.of(y) == Some(color)) {
                    palette.forbid(v, of_x);
                }
            }
        }
        if !graph.of(v).is_empty() || !pattern.row(v as usize).is_empty() {
            let color = palette.give(v) as usize;
            seen.resize(seen.len().max(color + 1), (u32::MAX, 0));
        }
    }
    palette.done()
}

fn recovery(graph: &Graph, pattern: &Pattern, coloring: &Coloring) -> Recovery {
    let of = |v: u32| coloring.of[v as usize];
    let mut read = Vec::with_capacity(pattern.indices.len());
    for row in 0..pattern.rows() as u32 {
        // How often each colour is among the neighbours.
        let mut colors: Vec<u32> = graph.of(row).iter().map(|&w| of(w)).collect();
        colors.sort_unstable();
        let alone = |color| {
            let first = colors.partition_point(|&c| c < color);
            colors.get(first + 1) != Some(&color)
        };
        for &column in pattern.row(row as usize) {
            let here = column == row || alone(of(column));
            read.push(if here { (of(column), row) } else { (of(row), column) });
        }
    }
    Recovery { unknown: (0..read.len() as u32).collect(), read, levels: Vec::new() }
}
