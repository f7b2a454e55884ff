//! Colours for the columns of a pattern.

use super::Pattern;

/// A colour for each column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coloring {
    /// The colour of each column; 0 of a column without any place, which adds nothing to it.
    pub of: Vec<u32>,
    /// How many colours there are.
    pub colors: usize,
}

/// Colours such that no two columns of one colour have a place in the same row: each column in turn gets the first colour that
/// none has which it meets, in the order in which they stand, and in that of the columns with most places; the better is taken.
///
/// `None` if some row has so many places that looking at all pairs in it would take longer than what is saved.
pub fn color_columns(pattern: &Pattern) -> Option<Coloring> {
    /// Pairs of places of one row that are looked at.
    const MOST: usize = 1 << 32;
    let pairs = (0..pattern.rows()).map(|r| pattern.row(r).len().saturating_pow(2));
    if pairs.fold(0, usize::saturating_add) > MOST {
        return None;
    }
    let rows_of = pattern.transposed();
    let natural: Vec<u32> = (0..pattern.columns as u32).collect();
    let mut largest = natural.clone();
    largest.sort_by_key(|&c| std::cmp::Reverse(rows_of.row(c as usize).len()));
    let all = [natural, largest].map(|order| greedy(pattern, &rows_of, &order));
    all.into_iter().min_by_key(|c| c.colors)
}

fn greedy(pattern: &Pattern, rows_of: &Pattern, order: &[u32]) -> Coloring {
    const NONE: u32 = u32::MAX;
    let mut of = vec![NONE; pattern.columns];
    // For each colour, the last column that must not have it.
    let mut taken: Vec<u32> = Vec::new();
    for &column in order {
        if rows_of.row(column as usize).is_empty() {
            continue;
        }
        for &row in rows_of.row(column as usize) {
            for &other in pattern.row(row as usize) {
                if of[other as usize] != NONE {
                    taken[of[other as usize] as usize] = column;
                }
            }
        }
        let color = taken.iter().position(|&t| t != column).unwrap_or(taken.len());
        if color == taken.len() {
            taken.push(NONE);
        }
        of[column as usize] = color as u32;
    }
    of.iter_mut().filter(|c| **c == NONE).for_each(|c| *c = 0);
    Coloring { of, colors: taken.len() }
}
