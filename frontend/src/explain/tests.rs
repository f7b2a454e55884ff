//! What the page shows, and that it escapes what programs contain.

use super::page::escape;
use crate::stages::Traced;
use wengert_ir::text;

const PROGRAM: &str = r#"module {
  func.func public @main(%x: tensor<4x4xf32> loc("a<b&\"c")) -> tensor<4x4xf32> {
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.exponential %1 : tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}"#;

fn program() -> Traced {
    let module = text::parse_placed(PROGRAM, "dir/<p>.mlir").expect("a program");
    let func = module.find("main").expect("main");
    Traced::new(module, func)
}

#[test]
fn every_instruction_has_a_line_and_a_source() {
    let report = program().report("t").expect("small");
    let ops = |lines: &[super::Line]| {
        lines.iter().filter(|l| l.is_inst).map(super::listing::text).collect::<Vec<_>>()
    };
    assert_eq!(ops(&report.before).len(), 3);
    assert_eq!(ops(&report.after), ["%1 = exponential %0 : tensor<4x4xf32>"]);
    let sources: Vec<&str> =
        report.before.iter().filter_map(|l| Some(l.source.as_ref()?.text.as_str())).collect();
    assert_eq!(sources, ["dir/<p>.mlir:3", "dir/<p>.mlir:4", "dir/<p>.mlir:5"]);
    assert_eq!(
        report.after.iter().find(|l| l.is_inst).and_then(|l| l.source.as_ref()).map(|s| s.text.as_str()),
        Some("dir/<p>.mlir:5")
    );
    assert_eq!(report.rules.get("transpose-transpose").map(|r| r.0 > 0), Some(true), "{:?}", report.rules);
}

#[test]
fn cost_reports_are_sums_of_lines() {
    let report = program().report("t").expect("small");
    for (lines, costs) in [(&report.before, report.costs[0]), (&report.after, report.costs[1])] {
        assert_eq!(lines.iter().map(|l| l.costs.read).sum::<u64>(), costs.read);
        assert_eq!(lines.iter().map(|l| l.costs.written).sum::<u64>(), costs.written);
        assert_eq!(lines.iter().map(|l| l.costs.flops).sum::<u64>(), costs.flops);
    }
    assert_eq!(report.costs.map(|a| (a.read, a.written, a.flops)), [(192, 192, 16), (64, 64, 16)]);
}

#[test]
fn names_of_users_are_escaped() {
    assert_eq!(escape("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    let page = program().explain_html("<script>alert(\"1\")</script>").expect("a page");
    assert!(page.contains("<h1>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</h1>"));
    assert!(page.contains("&lt;p&gt;.mlir:3") && !page.contains("<p>.mlir"));
    assert!(!page.contains("http"), "the page loads nothing");
}

/// Tags stand where locations stood, and locations decide nothing.
#[test]
fn the_page_shows_the_program_that_is_compiled() {
    let program = program();
    let report = program.report("t").expect("small");
    let optimized = program.optimize().expect("small");
    let (module, func) = optimized.module();
    assert_eq!(report.after.iter().filter(|l| l.is_inst).count(), module.get(func).insts.len());
    assert!(report.timings.iter().any(|t| t.name == "simplify") && report.kernels.is_ok());
}
