//! Colours for the columns of a matrix.

use super::{Coloring, MOST_STEPS, Palette};
use crate::sparsity::Pattern;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More colours than this are not tried to be fewer by [`saturated`], which remembers for each column which ones it may not have.
const MOST_REMEMBERED: usize = 256;

/// Colours such that no two columns of one colour have a place in the same row: each column in turn gets the first colour that
/// none has which it meets, in the order in which they stand, in that of the columns with most places, and in that of those with
/// least choice; the best is taken.
///
/// `None` if some row has so many places that looking at all pairs in it would take longer than what is saved.
pub fn color_columns(pattern: &Pattern) -> Option<Coloring> {
    let pairs = (0..pattern.rows()).map(|r| pattern.row(r).len().saturating_pow(2));
    let steps = pairs.fold(0, usize::saturating_add);
    if steps > MOST_STEPS {
        return None;
    }
    let rows_of = pattern.transposed();
    let natural: Vec<u32> = (0..pattern.columns as u32).collect();
    let mut largest = natural.clone();
    largest.sort_by_key(|&c| Reverse(rows_of.row(c as usize).len()));
    let all = [natural, largest].map(|order| greedy(pattern, &rows_of, &order));
    let best = all.into_iter().min_by_key(|c| c.colors)?;
    // The columns of a row all differ.
    let least = (0..pattern.rows()).map(|r| pattern.row(r).len()).max().unwrap_or(0);
    if best.colors == least || best.colors > MOST_REMEMBERED || steps > MOST_STEPS / 16 {
        return Some(best);
    }
    let other = saturated(pattern, &rows_of, best.colors);
    Some(if other.colors < best.colors { other } else { best })
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

/// The next column is always one of those that may not have most colours already (Brélaz, "New Methods to Color the Vertices of a
/// Graph", CACM 1979). Of a grid with five neighbours to a point it finds the five colours where other orders find seven.
///
/// No more than `most` colours and one are looked at: with those, another colouring is better.
fn saturated(pattern: &Pattern, rows_of: &Pattern, most: usize) -> Coloring {
    let words = most.div_ceil(64) + 1;
    let mut forbidden = vec![0u64; pattern.columns * words];
    let mut saturation = vec![0u32; pattern.columns];
    let meets = |c: u32| rows_of.row(c as usize).iter().flat_map(|&row| pattern.row(row as usize)).copied();
    let places: Vec<u32> = (0..pattern.columns as u32).map(|c| meets(c).count() as u32).collect();
    let colored = |c: &u32| !rows_of.row(*c as usize).is_empty();
    let entry = |saturation: &[u32], c: u32| (saturation[c as usize], places[c as usize], Reverse(c));
    let mut queue: BinaryHeap<_> =
        (0..pattern.columns as u32).filter(colored).map(|c| entry(&saturation, c)).collect();
    let mut palette = Palette::new(pattern.columns);
    while let Some((known, _, Reverse(column))) = queue.pop() {
        if palette.of(column).is_some() || known != saturation[column as usize] {
            continue;
        }
        for other in meets(column) {
            palette.of(other).into_iter().for_each(|color| palette.forbid(column, color));
        }
        let color = palette.give(column) as usize;
        if color >= most {
            break;
        }
        for other in meets(column) {
            let word = &mut forbidden[other as usize * words + color / 64];
            let bit = 1 << (color % 64);
            if palette.of(other).is_none() && *word & bit == 0 {
                *word |= bit;
                saturation[other as usize] += 1;
                queue.push(entry(&saturation, other));
            }
        }
    }
    palette.done()
}
