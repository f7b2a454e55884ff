//! Colours for the columns of a matrix.

use super::{Coloring, MOST_STEPS, Palette};
use crate::sparsity::Pattern;

/// Colours such that no two columns of one colour have a place in the same row: each column in turn gets the first colour that
/// none has which it meets, in the order in which they stand, and in that of the columns with most places; the better is taken.
///
/// `None` if some row has so many places that looking at all pairs in it would take longer than what is saved.
pub fn color_columns(pattern: &Pattern) -> Option<Coloring> {
    let pairs = (0..pattern.rows()).map(|r| pattern.row(r).len().saturating_pow(2));
    if pairs.fold(0, usize::saturating_add) > MOST_STEPS {
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
    let mut palette = Palette::new(pattern.columns);
    for &column in order {
        let rows = rows_of.row(column as usize);
        for &other in rows.iter().flat_map(|&row| pattern.row(row as usize)) {
            if let Some(color) = palette.of(other) {
                palette.forbid(column, color);
            }
        }
        if !rows.is_empty() {
            palette.give(column);
        }
    }
    palette.done()
}
