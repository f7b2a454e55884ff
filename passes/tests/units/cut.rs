//! Minimum cuts of small networks.

use wengert_ir::testing::Random;
use wengert_passes::testing::Network;

#[test]
fn keeps_the_narrow_place() {
    // a, b (given) -> c (small) -> d, e (wanted)
    let mut n = Network::new();
    let [a, b, c, d, e] = [10, 10, 3, 8, 8].map(|price| n.value(price));
    n.given(a);
    n.given(b);
    [(c, a), (c, b), (d, c), (e, c)].into_iter().for_each(|(v, o)| n.needs(v, o));
    n.wanted(d);
    n.wanted(e);
    assert_eq!(n.cut(), (vec![c], 3));
}

#[test]
fn of_equal_sets_keeps_the_last() {
    let mut n = Network::new();
    let [a, b] = [4, 4].map(|price| n.value(price));
    n.given(a);
    n.needs(b, a);
    n.wanted(b);
    assert_eq!(n.cut(), (vec![b], 4));
}

#[test]
fn keeps_what_is_given_and_wanted() {
    let mut n = Network::new();
    let a = n.value(7);
    n.given(a);
    n.wanted(a);
    assert_eq!(n.cut(), (vec![a], 7));
}

/// Against every subset, on small graphs of every kind.
#[test]
fn no_set_costs_less() {
    let mut random = Random(3);
    for _ in 0..300 {
        let count = 6;
        let prices: Vec<u64> = (0..count).map(|_| random.bits() % 9 + 1).collect();
        let mut operands: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (v, list) in operands.iter_mut().enumerate() {
            list.extend((0..v).filter(|_| random.bits().is_multiple_of(3)));
        }
        let wanted: Vec<usize> =
            (0..count).filter(|&v| v + 1 == count || random.bits().is_multiple_of(4)).collect();
        let mut n = Network::new();
        for v in 0..count {
            n.value(prices[v]);
            if operands[v].is_empty() {
                n.given(v);
            }
            operands[v].iter().for_each(|&o| n.needs(v, o));
        }
        wanted.iter().for_each(|&v| n.wanted(v));
        let (kept, price) = n.cut();
        assert_eq!(kept.iter().map(|&v| prices[v]).sum::<u64>(), price);
        fn follows(v: usize, kept: u32, operands: &[Vec<usize>]) -> bool {
            kept >> v & 1 == 1
                || !operands[v].is_empty() && operands[v].iter().all(|&o| follows(o, kept, operands))
        }
        let works = |set: u32| wanted.iter().all(|&v| follows(v, set, &operands));
        assert!(works(kept.iter().map(|v| 1 << v).sum()));
        let cost = |set: u32| (0..count).filter(|v| set >> v & 1 == 1).map(|v| prices[v]).sum::<u64>();
        let least = (0..1u32 << count).filter(|&set| works(set)).map(cost).min();
        assert_eq!(Some(price), least);
    }
}
