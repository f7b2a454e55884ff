//! Colourings of random patterns, with what they promise checked, and matrices recovered from products.

use wengert_passes::sparsity::{Coloring, Pattern, Recovery, color_acyclic, color_columns, color_star};

/// Numbers that are the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn pattern_of(n: usize, mut is: impl FnMut(usize, usize) -> bool) -> Pattern {
    let mut all = Pattern { columns: n, starts: vec![0], indices: Vec::new() };
    for row in 0..n {
        all.indices.extend((0..n).filter(|&c| is(row, c)).map(|c| c as u32));
        all.starts.push(all.indices.len());
    }
    all
}

/// A symmetric pattern with about `degree` places in a row, and a diagonal or not.
fn symmetric(numbers: &mut Numbers, n: usize, degree: u64, diagonal: bool) -> Pattern {
    let mut is = vec![false; n * n];
    for _ in 0..n as u64 * degree / 2 {
        let (a, b) = (numbers.below(n as u64) as usize, numbers.below(n as u64) as usize);
        if a != b {
            (is[a * n + b], is[b * n + a]) = (true, true);
        }
    }
    pattern_of(n, |r, c| if r == c { diagonal } else { is[r * n + c] })
}

fn grid(side: usize) -> Pattern {
    pattern_of(side * side, |a, b| {
        let ([r, c], [s, d]) = ([a / side, a % side], [b / side, b % side]);
        r.abs_diff(s) + c.abs_diff(d) <= 1
    })
}

/// The matrix of whole numbers with this pattern, one for each pair of places that are each other's mirror images.
fn matrix(pattern: &Pattern) -> Vec<Vec<i64>> {
    let n = pattern.columns;
    let value = |r: usize, c: usize| (r.min(c) * 1009 + r.max(c) * 31 + 1) as i64 % 997 + 1;
    let mut all = vec![vec![0; n]; pattern.rows()];
    for (r, row) in all.iter_mut().enumerate() {
        pattern.row(r).iter().for_each(|&c| row[c as usize] = value(r, c as usize));
    }
    all
}

/// The values of all places, from one product for each colour.
fn recovered(pattern: &Pattern, (coloring, recovery): &(Coloring, Recovery)) -> Vec<i64> {
    let matrix = matrix(pattern);
    let mut products = vec![vec![0i64; pattern.rows()]; coloring.colors];
    for (r, row) in matrix.iter().enumerate() {
        for (c, &x) in row.iter().enumerate() {
            products.get_mut(coloring.of[c] as usize).into_iter().for_each(|p| p[r] += x);
        }
    }
    let mut values: Vec<i64> = recovery
        .read
        .iter()
        .map(|&(color, row)| match products.get(color as usize) {
            Some(product) => product[row as usize],
            None => 0,
        })
        .collect();
    for level in &recovery.levels {
        let before = values.clone();
        level.iter().for_each(|&(to, from)| values[to as usize] -= before[from as usize]);
    }
    recovery.unknown.iter().map(|&u| values[u as usize]).collect()
}

fn expected(pattern: &Pattern) -> Vec<i64> {
    let matrix = matrix(pattern);
    (0..pattern.rows())
        .flat_map(|r| pattern.row(r).iter().map(move |&c| (r, c as usize)))
        .map(|(r, c)| matrix[r][c])
        .collect()
}

#[test]
fn every_way_recovers_every_symmetric_matrix() {
    let mut numbers = Numbers(1);
    let mut acyclic = 0;
    for round in 0..400 {
        let n = 1 + numbers.below(24) as usize;
        let degree = numbers.below(7);
        let pattern = symmetric(&mut numbers, n, degree, round % 3 != 0);
        let columns = color_columns(&pattern).unwrap();
        let recovery = columns.direct(&pattern);
        let columns = (columns, recovery);
        let star = color_star(&pattern).unwrap();
        let expected = expected(&pattern);
        assert_eq!(recovered(&pattern, &columns), expected, "columns of {pattern:?}");
        assert_eq!(recovered(&pattern, &star), expected, "star of {pattern:?}");
        assert!(star.1.levels.is_empty());
        if let Some(found) = color_acyclic(&pattern) {
            assert_eq!(recovered(&pattern, &found), expected, "acyclic of {pattern:?}");
            acyclic += 1;
        }
    }
    assert!(acyclic > 300, "{acyclic} patterns had an acyclic colouring of few levels");
}

#[test]
fn a_place_without_a_mirror_image_is_read_where_it_stands() {
    let mut numbers = Numbers(2);
    for _ in 0..100 {
        let n = 2 + numbers.below(12) as usize;
        let pattern = pattern_of(n, |_, _| numbers.below(4) == 0);
        let (coloring, recovery) = color_star(&pattern).unwrap();
        // Neighbours differ, so each place is read in its own row or in its mirror image's.
        let places = pattern.places();
        for ((row, column), &unknown) in places.zip(&recovery.unknown) {
            let read = recovery.read[unknown as usize];
            let of = |v: u32| coloring.of[v as usize];
            assert!(read == (of(column), row) || read == (of(row), column));
        }
    }
}

#[test]
fn grids_and_arrows_take_few_colours() {
    let count = |p: &Pattern| {
        let acyclic = color_acyclic(p).map(|c| c.0.colors);
        (color_columns(p).unwrap().colors, color_star(p).unwrap().0.colors, acyclic)
    };
    // A full first row and column, and the diagonal: columns all meet in the first row, a star has two colours.
    let arrow = pattern_of(50, |r, c| r == 0 || c == 0 || r == c);
    assert_eq!(count(&arrow), (50, 2, Some(2)));
    let (columns, star, acyclic) = count(&grid(12));
    assert!(star <= columns && acyclic.is_none_or(|a| a <= star), "{columns} {star} {acyclic:?}");
    // Three diagonals: along the chain, places would be computed from each other for ever.
    let chain = |n: usize| pattern_of(n, |r, c| r.abs_diff(c) <= 1);
    assert_eq!(count(&chain(500)), (3, 3, None));
    assert_eq!(count(&chain(40)), (3, 3, Some(2)));
    // Nothing at all, and only a diagonal.
    assert_eq!(count(&pattern_of(5, |_, _| false)), (0, 0, Some(0)));
    assert_eq!(count(&pattern_of(5, |r, c| r == c)), (1, 1, Some(1)));
}

#[test]
fn what_is_not_square_is_not_symmetric() {
    let pattern = Pattern { columns: 3, starts: vec![0, 1], indices: vec![2] };
    assert!(color_star(&pattern).is_none() && color_acyclic(&pattern).is_none());
}

/// A point of a grid and its neighbours meet pairwise: five colours there must be, and five are found.
#[test]
fn columns_of_a_grid_have_five_colors() {
    for side in [5, 12, 31, 40] {
        assert_eq!(color_columns(&grid(side)).unwrap().colors, 5, "{side}");
    }
}
