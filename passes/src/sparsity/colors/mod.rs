//! Colours: how few products with vectors give all places of a matrix, and how the places follow from the products.
//!
//! One product is taken for each colour, with the sum of the unit vectors of its columns. Three ways of colouring, from the one
//! that asks nothing of the matrix to the one that asks most:
//! - [`columns`]: columns that meet in no row. Each place stands alone in a product.
//! - [`star`], of a symmetric matrix: a place may be read in the row of either of its ends.
//! - [`acyclic`], of a symmetric matrix: places are also computed from others, by subtraction, as one solves with a tree.
//!
//! Gebremedhin, Tarafdar, Manne, Pothen, "New Acyclic and Star Coloring Algorithms with Application to Computing Hessians",
//! SIAM J. Sci. Comput. 2007.

mod acyclic;
mod columns;
mod star;

pub use acyclic::color_acyclic;
pub use columns::color_columns;
pub use star::color_star;

use super::Pattern;

/// Steps that looking for colours may take; more would take longer than is saved.
const MOST_STEPS: usize = 1 << 32;

/// Not coloured yet.
const NONE: u32 = u32::MAX;

/// A colour for each column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Coloring {
    /// The colour of each column; 0 of a column without any place, which adds nothing to it.
    pub of: Vec<u32>,
    /// How many colours there are.
    pub colors: usize,
}

/// How places follow from products: a value for each *unknown*, which is read from a product, and from which values of earlier
/// unknowns are then subtracted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Recovery {
    /// For each unknown, the product it is read from, by its colour, and the row in it.
    pub read: Vec<(u32, u32)>,
    /// What is subtracted, in this order: pairs of an unknown and one of an earlier level that is subtracted from it.
    pub levels: Vec<Vec<(u32, u32)>>,
    /// For each place of the pattern, its unknown.
    pub unknown: Vec<u32>,
}

impl Coloring {
    /// Each place is read where its column's colour and its row say: right if no two columns of a colour meet in a row.
    pub fn direct(&self, pattern: &Pattern) -> Recovery {
        Recovery::of_places(pattern, |row, column| (self.of[column as usize], row))
    }

    /// Of colours of rows: each place is read where its row's colour and its column say.
    pub fn direct_by_rows(&self, pattern: &Pattern) -> Recovery {
        Recovery::of_places(pattern, |row, column| (self.of[row as usize], column))
    }
}

impl Recovery {
    /// Each place is read from a product, and that is all.
    fn of_places(pattern: &Pattern, read: impl Fn(u32, u32) -> (u32, u32)) -> Recovery {
        let read: Vec<(u32, u32)> = pattern.places().map(|(row, column)| read(row, column)).collect();
        Recovery { unknown: (0..read.len() as u32).collect(), read, levels: Vec::new() }
    }
}

/// The graph of a symmetric matrix: its columns are vertices, and a place off the diagonal joins two. A place that has no mirror
/// image joins them too, so that colours are right whatever stands there.
struct Graph {
    neighbors: Pattern,
}

impl Graph {
    /// Of a square pattern.
    fn new(pattern: &Pattern) -> Graph {
        let mirrored = pattern.transposed();
        let mut neighbors = Pattern { columns: pattern.columns, starts: vec![0], indices: Vec::new() };
        for v in 0..pattern.rows() {
            let mut all = [pattern.row(v), mirrored.row(v)].concat();
            all.sort_unstable();
            all.dedup();
            neighbors.indices.extend(all.into_iter().filter(|&w| w as usize != v));
            neighbors.starts.push(neighbors.indices.len());
        }
        Graph { neighbors }
    }

    fn len(&self) -> usize {
        self.neighbors.columns
    }

    fn of(&self, v: u32) -> &[u32] {
        self.neighbors.row(v as usize)
    }

    /// The number of the edge between two neighbours, the same from both of its ends; numbers are below that of the entries.
    fn edge(&self, v: u32, w: u32) -> usize {
        let (v, w) = (v.min(w), v.max(w));
        let at = self.of(v).binary_search(&w).expect("neighbours");
        self.neighbors.starts[v as usize] + at
    }

    /// The vertices in the order in which they stand, and in that of those with most neighbours.
    fn orders(&self) -> [Vec<u32>; 2] {
        let natural: Vec<u32> = (0..self.len() as u32).collect();
        let mut largest = natural.clone();
        largest.sort_by_key(|&v| std::cmp::Reverse(self.of(v).len()));
        [natural, largest]
    }

    /// Paths of this many edges from all vertices, or more.
    fn paths(&self, edges: usize) -> usize {
        let mut from = vec![1usize; self.len()];
        for _ in 0..edges {
            let next = |v| self.of(v).iter().map(|&w| from[w as usize]).fold(0, usize::saturating_add);
            from = (0..self.len() as u32).map(next).collect();
        }
        from.into_iter().fold(0, usize::saturating_add)
    }
}

/// Colours that are being given: which a vertex must not have.
struct Palette {
    of: Vec<u32>,
    /// For each colour, the last vertex that must not have it.
    forbidden: Vec<u32>,
}

impl Palette {
    fn new(vertices: usize) -> Palette {
        Palette { of: vec![NONE; vertices], forbidden: Vec::new() }
    }

    /// The colour of a vertex, if it has one.
    fn of(&self, v: u32) -> Option<u32> {
        Some(self.of[v as usize]).filter(|&c| c != NONE)
    }

    fn forbid(&mut self, v: u32, color: u32) {
        self.forbidden[color as usize] = v;
    }

    /// Gives a vertex the first colour that it may have.
    fn give(&mut self, v: u32) -> u32 {
        let color = self.forbidden.iter().position(|&f| f != v).unwrap_or(self.forbidden.len());
        if color == self.forbidden.len() {
            self.forbidden.push(NONE);
        }
        self.of[v as usize] = color as u32;
        color as u32
    }

    /// When all that need one have a colour.
    fn done(mut self) -> Coloring {
        self.of.iter_mut().filter(|c| **c == NONE).for_each(|c| *c = 0);
        Coloring { of: self.of, colors: self.forbidden.len() }
    }
}
