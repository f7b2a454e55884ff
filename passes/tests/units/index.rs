//! Linear positions that split into a shape, and one that does not.

use wengert_passes::testing::{Affine, Stuck, Var, delinearize, linear};

fn atom(k: u32, c: i64) -> Affine {
    Affine::var(Var::Atom(k)).scaled(c, 0)
}

#[test]
fn a_position_splits_where_its_terms_do() {
    // Atoms of extents 2 and 12 over the shape 2x3x4: the second must be cut at 4.
    let max = |v: Var| if v == Var::Atom(0) { 1 } else { 11 };
    let mut p = atom(0, 12);
    p.add(&atom(1, 1), 1);
    assert_eq!(delinearize(&p, &[2, 3, 4], &max), Err(Stuck::Split(1, 4)));
    let split = delinearize(&p, &[2, 12], &max).unwrap();
    assert_eq!(split[..], [atom(0, 1), atom(1, 1)]);
    assert_eq!(linear(&split, &[2, 12]), p);
}

#[test]
fn a_reversed_position_splits_when_each_part_is_reversed() {
    let max = |v: Var| if v == Var::Atom(0) { 1 } else { 3 };
    // (1 - i) * 4 + (3 - j)
    let mut p = Affine::constant(7);
    p.add(&atom(0, 1), -4);
    p.add(&atom(1, 1), -1);
    let split = delinearize(&p, &[2, 4], &max).unwrap();
    assert_eq!(split[1].range(&max), (0, 3));
}

#[test]
fn positions_before_the_first_row_have_negative_rows() {
    // 12 i - 5, i from 1: in rows of six the row 2 i - 1, always column 1.
    let mut p = Affine::constant(-5);
    p.add(&Affine::var(Var::Atom(0)).scaled(12, 0), 1);
    let split = delinearize(&p, &[4, 6], &|_| 2).unwrap();
    assert_eq!(linear(&split, &[4, 6]), p);
}
