//! What is said of comparisons with the counter of a loop, beside what they are in every trip.

use wengert_ir::op::{Compare, CompareType, Direction};
use wengert_ir::types::DType;
use wengert_passes::testing::{Counter, Known, step};

/// Every comparison of `scale * counter + offset` with a number, over counters of every sign and length: what is said to be
/// always so is so in every trip, and what is so in every trip is said.
#[test]
fn comparisons_hold_in_every_trip() {
    for (start, limit) in [(0, 1), (0, 4), (-2, 3), (1, 3), (-4, -1)] {
        let counter = Counter { param: 0, dtype: DType::I32, start, limit };
        for scale in -2..=2i128 {
            for (offset, other) in (-5..=5i128).flat_map(|a| (-5..=5).map(move |b| (a, b))) {
                for &direction in Direction::ALL {
                    let holds = |k: i128| {
                        let x = scale * k + offset;
                        match direction {
                            Direction::Eq => x == other,
                            Direction::Ne => x != other,
                            Direction::Ge => x >= other,
                            Direction::Gt => x > other,
                            Direction::Le => x <= other,
                            Direction::Lt => x < other,
                        }
                    };
                    let x = |k: usize| match k {
                        0 => Some(Known::Int { scale, offset }),
                        _ => Some(Known::Int { scale: 0, offset: other }),
                    };
                    let op = Compare { direction, kind: CompareType::Signed }.into();
                    let said = step(&op, x, &counter);
                    let every = (start..limit).map(holds).collect::<Vec<bool>>();
                    let always = every.iter().all(|&b| b == every[0]).then(|| Known::Bool(every[0]));
                    let what = format!("{scale} k + {offset} {} {other}, {start}..{limit}", direction.name());
                    // A value passed over between two trips is not looked for.
                    let equality = matches!(direction, Direction::Eq | Direction::Ne);
                    if !(equality && said.is_none()) {
                        assert_eq!(said, always, "{what}");
                    }
                }
            }
        }
    }
}
