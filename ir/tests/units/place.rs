//! Where an instruction was written, in one line.

use wengert_ir::func::Loc;
use wengert_ir::place::line;

#[test]
fn calls_within_calls_are_one_line() {
    let short = |text: &str| Loc::Text(text.into()).place().to_string();
    let nested = r#""jit(f)/add"(callsite("inner"("/opt/lib/site-packages/jax/numpy.py":10:4 to :9) at callsite("outer"("/home/me/f.py":3:1 to :7) at "main"("/home/me/f.py":9:0 to :4))))"#;
    assert_eq!(short(nested), r#""jit(f)/add" ("jax/numpy.py":10:4, from "/home/me/f.py":3:1)"#);
    assert_eq!(short(r#"callsite("a.py":1:2 at "b.py":3:4)"#), r#""a.py":1:2"#);
    assert_eq!(short(r#""a.py":1:2 (more)"#), r#""a.py":1:2"#);
    assert_eq!(short(r#""x"(callsite("a.py":1:2 at "b.py":3:4))"#), r#""x" ("a.py":1:2)"#);
    for same in [r#""model.mlir":208:11"#, r#""x""#, "fused[]", r#""a"("b")"#, r#""open"#, "unknown"] {
        assert_eq!(short(same), same);
    }
    assert_eq!(Loc::Unknown.place().to_string(), "unknown");
    assert_eq!(line(r#""n"("a.py":7)"#), Some(("a.py", "7")));
}
