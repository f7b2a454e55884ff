//! Arguments given away: a result lies in their memory where nothing is read after it was written, and memory that somebody
//! else holds is never written to.

use wengert::{DType, Tensor, jit, value_and_grad};

/// Where the elements lie.
fn place(t: &Tensor) -> usize {
    t.to_array().bytes().as_ptr() as usize
}

fn counted(n: usize) -> Tensor {
    Tensor::from((0..n).map(|k| (k % 97) as f64 * 0.25 - 3.0).collect::<Vec<f64>>())
}

#[test]
fn an_update_happens_in_place() {
    for n in [100, 10_000, 300_001] {
        let step = jit(|w: Tensor, g: Tensor| &w - &g * 0.5);
        let want: Vec<f64> = (0..n).map(|k| ((k % 97) as f64 * 0.25 - 3.0) * 0.5).collect();
        let (w, g) = (counted(n), counted(n));
        let at = place(&w);
        let w = step(w, g.clone());
        assert_eq!(place(&w), at, "{n} elements");
        assert_eq!(w.to_vec::<f64>(), want);
        assert_eq!(g.to_vec::<f64>(), counted(n).to_vec::<f64>(), "what is shared stays");
    }
}

#[test]
fn what_somebody_holds_is_left_alone() {
    let step = jit(|w: Tensor| w.exp() * 2.0 + &w);
    for n in [100, 50_000] {
        let w = counted(n);
        let kept = w.clone();
        let out = step(w);
        assert_ne!(place(&out), place(&kept));
        assert_eq!(kept.to_vec::<f64>(), counted(n).to_vec::<f64>());
        // Twice the same argument, and a function that captures it.
        let twice = jit(|a: Tensor, b: Tensor| (&a + &b, a - b));
        let x = counted(n);
        let (sum, difference) = twice(x.clone(), x);
        assert_eq!(sum.to_vec::<f64>(), counted(n).to_vec::<f64>().iter().map(|v| v + v).collect::<Vec<_>>());
        assert!(difference.to_vec::<f64>().iter().all(|&v| v == 0.0));
        let held = counted(n);
        let captures = {
            let held = held.clone();
            jit(move |x: Tensor| &x * &held)
        };
        captures(held.clone());
        captures(counted(n));
        assert_eq!(held.to_vec::<f64>(), counted(n).to_vec::<f64>());
    }
}

/// Functions that read elements after others have been written, in one way or another: given away or not, the same results.
#[test]
fn giving_away_changes_no_result() {
    type F = fn(Tensor) -> Vec<Tensor>;
    let cases: [(&str, F); 12] = [
        ("reversed", |x| vec![x.flip(0)]),
        ("shifted", |x| vec![x.roll(1, 0)]),
        ("transposed", |x| vec![x.reshape(&[60, 100]).transpose(&[1, 0]).reshape(&[6000])]),
        ("used by two results", |x| vec![&x * 2.0, &x * 3.0]),
        ("used by a later result", |x| vec![x.exp().log1p().tanh(), x.sin() + &x]),
        ("normalized", |x| vec![&x / x.square().sum().sqrt()]),
        ("rows normalized", |x| {
            let y = x.reshape(&[60, 100]);
            vec![(&y - y.mean_axes(&[1]).expand_dims(1)).reshape(&[6000])]
        }),
        ("softmax", |x| vec![x.reshape(&[60, 100]).softmax(-1).reshape(&[6000])]),
        ("summed up", |x| vec![x.cumsum(0)]),
        ("sorted", |x| vec![x.sort(0)]),
        ("multiplied", |x| {
            let y = x.get(..3600).reshape(&[60, 60]);
            let z = y.matmul(&y).reshape(&[3600]);
            vec![wengert::concatenate(&[z, x.get(3600..)], 0)]
        }),
        ("averaged with neighbours", |x| {
            let inner = (x.get(2..) + x.get(..-2)) * 0.5;
            vec![wengert::concatenate(&[x.get(..1), inner, x.get(5999..)], 0)]
        }),
    ];
    for (name, f) in cases {
        let given = jit(f);
        let x = counted(6000);
        let kept = x.clone();
        let want = given(x);
        let found = given(counted(6000));
        for (found, want) in found.iter().zip(&want) {
            assert!(found.to_array() == want.to_array(), "{name}");
        }
        assert_eq!(kept.to_vec::<f64>(), counted(6000).to_vec::<f64>(), "{name}");
    }
}

/// The same where several threads share the work: what another piece has still to read must not be written.
#[test]
fn giving_away_changes_no_result_of_shared_work() {
    const SIDE: usize = 1000;
    const N: usize = SIDE * SIDE;
    type F = fn(&Tensor) -> Tensor;
    let reads_elsewhere: [(&str, F); 6] = [
        ("shifted", |x| wengert::concatenate(&[x.get(1..), Tensor::zeros(&[1], DType::F64)], 0) * 1.5 + 0.5),
        ("shifted the other way", |x| {
            wengert::concatenate(&[Tensor::zeros(&[1], DType::F64), x.get(..-1)], 0) * 1.5
        }),
        ("reversed", |x| x.flip(0) + 1.0),
        ("rolled by half", |x| x.roll(N as isize / 2, 0) * 0.5),
        ("transposed", |x| (x.reshape(&[SIDE as isize, -1]).transpose(&[1, 0]) * 2.0).reshape(&[-1])),
        ("averaged with neighbours", |x| {
            let inner = (x.get(2..) + x.get(..-2)) * 0.5;
            wengert::concatenate(&[x.get(..1), inner, x.get(N as isize - 1..)], 0)
        }),
    ];
    for (name, f) in reads_elsewhere {
        let given = jit(move |x: Tensor| f(&x));
        let x = counted(N);
        let kept = x.clone();
        let want = given(x).to_array();
        for _ in 0..3 {
            let x = counted(N);
            let at = place(&x);
            let found = given(x);
            assert!(found.to_array() == want, "{name}");
            assert_ne!(place(&found), at, "{name}: the memory of what is read elsewhere was taken");
        }
        drop(kept);
    }
    let (x, step) = (counted(N), jit(|x: Tensor| (&x * 1.5 + 0.5).sin() + x));
    let at = place(&x);
    assert_eq!(place(&step(x)), at);
}

/// A loop that calls the library is cut into tiles, the last of which may be shorter, and routines may work in place.
#[test]
fn an_update_that_calls_the_library_happens_in_place() {
    type F = fn(Tensor) -> Tensor;
    let functions: [(&str, F); 5] = [
        ("sine", |x| x.sin()),
        ("sine of a sum", |x| (&x * 1.5 + 0.5).sin() + x),
        ("power", |x| (&x * &x + 1.0).pow(&x)),
        ("two in a row", |x| x.tanh().exp()),
        ("of itself twice", |x| x.atan2(&(&x + 1.0))),
    ];
    for n in [200, 5_000, 5_003, 300_001] {
        for (name, f) in functions {
            let step = jit(f);
            let kept = counted(n);
            let want = step(kept.clone()).to_array();
            let x = counted(n);
            let at = place(&x);
            let found = step(x);
            assert_eq!(place(&found), at, "{name} of {n}");
            assert!(found.to_array() == want, "{name} of {n}");
            assert_eq!(kept.to_vec::<f64>(), counted(n).to_vec::<f64>(), "{name} of {n}");
        }
    }
}

#[test]
fn a_training_step_takes_no_new_memory_for_parameters() {
    let loss = |w: Vec<Tensor>, x: Tensor| w.iter().fold(x, |x, w| x.matmul(w).tanh()).square().mean();
    let step = jit(move |w: Vec<Tensor>, x: Tensor| {
        let (value, g) = value_and_grad(loss)(w.clone(), x);
        let new: Vec<Tensor> = w.iter().zip(&g).map(|(w, g)| w - g * 0.1).collect();
        (value, new)
    });
    let made = || -> Vec<Tensor> { (0..3).map(|_| Tensor::ones(&[64, 64], DType::F64) * 0.01).collect() };
    let x = Tensor::ones(&[8, 64], DType::F64);
    let (shared, mut w) = (made(), made());
    let places: Vec<usize> = w.iter().map(place).collect();
    let mut reference = shared.clone();
    for _ in 0..3 {
        let (value, new) = step(w, x.clone());
        w = new;
        let (want, next) = step(reference.clone(), x.clone());
        reference = next;
        assert_eq!(value.item::<f64>(), want.item::<f64>());
    }
    for (k, (w, reference)) in w.iter().zip(&reference).enumerate() {
        assert!(w.to_array() == reference.to_array());
        assert_eq!(place(w), places[k], "parameter {k}");
    }
}

/// A result of the argument's size beside every kind of reader of the argument, in both orders and three sizes: what is written
/// first must not lie where the other still reads.
#[test]
fn what_is_read_later_is_not_written_over() {
    type F = fn(&Tensor) -> Tensor;
    let writers: [(&str, F); 4] = [
        ("scaled", |x| x * 2.0),
        ("reversed", |x| x.flip(0) + 1.0),
        ("rolled", |x| x.roll(3, 0)),
        ("centred", |x| x - x.mean()),
    ];
    let readers: [(&str, F); 9] = [
        ("its beginning", |x| x.get(..100) + 1.0),
        ("its end", |x| x.get(100..) * 3.0),
        ("every other", |x| x.get(..200).reshape(&[100, 2]).get((.., 1)).exp()),
        ("a sum", |x| x.sum()),
        ("columns", |x| x.get(..200).reshape(&[10, 20]).sum_axes(&[0])),
        ("some", |x| x.take(&Tensor::from([3i32, 199, 0]), 0)),
        ("running sums", |x| x.cumsum(0)),
        ("products", |x| {
            let m = x.get(..144).reshape(&[12, 12]);
            m.matmul(&m.t())
        }),
        ("in order", |x| x.get(..150).sort(0)),
    ];
    for n in [256, 5000, 100_000] {
        for dtype in [DType::F32, DType::F64] {
            for (writer, write) in writers {
                for (reader, read) in readers {
                    let forward = move |x: Tensor| vec![write(&x), read(&x)];
                    let backward = move |x: Tensor| vec![read(&x), write(&x)];
                    let x = || counted(n).astype(dtype);
                    let kept = x();
                    let want = jit(forward)(kept.clone());
                    let (given, reversed) = (jit(forward)(x()), jit(backward)(x()));
                    for (k, want) in want.iter().enumerate() {
                        for got in [&given[k], &reversed[1 - k]] {
                            let same = got.to_array().bytes() == want.to_array().bytes();
                            assert!(same, "{n} {dtype}: {writer} beside {reader}, result {k}");
                        }
                    }
                    assert_eq!(kept.to_array(), x().to_array());
                }
            }
        }
    }
}
