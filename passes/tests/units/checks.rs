//! Checks that are taken out of a function, and what they say of the results that stand for them.

use wengert_ir::array::Array;
use wengert_ir::func::Loc;
use wengert_ir::interp::{Limits, run};
use wengert_ir::op::Op;
use wengert_passes::checks::hoist;
use wengert_passes::pipeline::Pipeline;

const PROGRAM: &str = r#"
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %c = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
      %y = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
      check.expect_eq %y, %c : tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = stablehlo.add %x, %x : tensor<2xf32>
      check.expect_almost_eq %y, %y : tensor<2xf32>
      return %y : tensor<2xf32>
    }"#;

#[test]
fn what_is_checked_becomes_results() {
    let mut m = wengert_ir::text::parse(PROGRAM).expect("parses");
    let main = m.find("main").expect("there");
    let (hoisted, checks) = hoist(&mut m, main);
    assert!(!m.has_effects(hoisted));
    assert_eq!((checks.len(), m.get(hoisted).results.len()), (2, 4));
    for (x, fails) in [([1f32, 2.0], false), ([1.0, 3.0], true)] {
        let out = run(&m, hoisted, &[Array::new(&[2], &x)], &Limits::default()).expect("runs");
        let found = checks.iter().find_map(|c| c.verify(&out[1..]).err());
        assert_eq!(found.is_some(), fails);
        if let Some(failure) = found {
            assert_eq!((failure.index.as_slice(), failure.got.as_str()), (&[1][..], "6.0"));
            assert_eq!(failure.loc, Loc::Text("\"-\":5:7".into()));
        }
    }
}

#[test]
fn passes_keep_checks() {
    let mut m = wengert_ir::text::parse(PROGRAM).expect("parses");
    let main = m.find("main").expect("there");
    let out = Pipeline::default().run(&mut m, main, &mut |_| {});
    assert_eq!(m.get(out).insts.values().filter(|i| matches!(i.op, Op::Check(_))).count(), 2);
}
