//! The table of programs by what they were compiled for.

use std::sync::Arc;
use wengert::testing::{Entries, KEPT, LISTED, Signature, Signed};
use wengert::{DType, Tensor};

/// As much of a program as the table asks for.
struct Program(Signature);

impl Signed for Program {
    fn signature(&self) -> &Signature {
        &self.0
    }
}

/// The first and the last stay, those between go, the oldest first; and what is there is found by its arguments.
#[test]
fn the_oldest_leave() {
    let args = |n: usize| (Tensor::zeros(&[n], DType::F32),);
    let (all, entries) = (LISTED + KEPT + 10, Entries::default());
    (0..all).for_each(|n| entries.push(Arc::new(Program(Signature::of(&args(n))))));
    assert_eq!(entries.count(), LISTED + KEPT);
    let found = |n: usize| {
        let listed = entries.first().find(|p| p.0.matches(&args(n))).cloned();
        listed.or_else(|| entries.other(&args(n))).map(|p| p.0.leaves[0].shape[0])
    };
    for n in 0..all {
        let gone = (LISTED..LISTED + 10).contains(&n);
        assert_eq!(found(n), (!gone).then_some(n), "{n}");
    }
    assert_eq!(found(all), None);
    assert!(entries.other(&(Tensor::zeros(&[20], DType::F64),)).is_none());
}
