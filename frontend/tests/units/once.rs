//! Pullbacks that are called once.

use wengert::testing::call_watched;
use wengert::{Tensor, vjp};

/// A chain of `n` operations on 1000 numbers, whose derivative needs every value.
fn chain(n: usize) -> impl Fn(Tensor) -> Tensor + Send + Sync + 'static {
    move |x: Tensor| (0..n).fold(x, |x, _| x.sin())
}

#[test]
fn saved_values_are_freed_while_it_runs() {
    let x = Tensor::from(vec![0.5f64; 1000]);
    let (_, back) = vjp(chain(20), (x.clone(),));
    let expected = back.call(Tensor::from(vec![1.0f64; 1000]));
    assert!(back.saved_bytes() >= 20 * 8000, "{}", back.saved_bytes());
    let mut held = Vec::new();
    let found = call_watched(back.into_once(), Tensor::from(vec![1.0f64; 1000]), &mut |n| held.push(n));
    assert_eq!(found.0.to_vec::<f64>(), expected.0.to_vec::<f64>());
    // The last value is the result, which no derivative needs; the others go one after the other.
    assert!(held[0] <= 20 * 8000, "{held:?}");
    assert!(held.windows(2).all(|w| w[1] <= w[0]), "{held:?}");
    assert_eq!(held.last(), Some(&0), "{held:?}");
    let half = held[held.len() / 2];
    assert!(half <= 12 * 8000, "{held:?}");
}

#[test]
fn what_a_clone_holds_stays() {
    let (_, back) = vjp(chain(3), (Tensor::from([0.5f64]),));
    let kept = back.clone();
    let one = || Tensor::from([1.0f64]);
    let once = back.into_once().call(one());
    assert_eq!(kept.call(one()).0.to_vec::<f64>(), once.0.to_vec::<f64>());
    assert_eq!(kept.into_once().call(one()).0.to_vec::<f64>(), once.0.to_vec::<f64>());
}
