//! What the page shows, and that it escapes what programs contain.

use wengert::stages::Traced;

const PROGRAM: &str = r#"module {
  func.func public @main(%x: tensor<4x4xf32> loc("a<b&\"c")) -> tensor<4x4xf32> {
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.exponential %1 : tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}"#;

fn program() -> Traced {
    Traced::parse_placed(PROGRAM, None, "dir/<p>.mlir").expect("a program")
}

fn page() -> String {
    program().explain_html("t").expect("small")
}

/// What stands between two marks, where they are first.
#[track_caller]
fn between<'p>(html: &'p str, from: &str, to: &str) -> &'p str {
    let inside = html.split_once(from).and_then(|(_, rest)| Some(rest.split_once(to)?.0));
    inside.unwrap_or_else(|| panic!("no {from} .. {to} in {html}"))
}

/// HTML as a browser shows it.
fn shown(html: &str) -> String {
    let mut text = html.split('<').next().unwrap_or_default().to_owned();
    text.extend(html.split('<').skip(1).filter_map(|part| Some(part.split_once('>')?.1)));
    let written = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    written.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// The lines of a side: `b` before, `a` after.
fn lines<'p>(page: &'p str, side: &str) -> Vec<&'p str> {
    let side = between(page, &format!("<section class=\"side\" id=\"{side}\">"), "</section>");
    side.split("<div class=\"line ").skip(1).collect()
}

/// The same, instructions only, without inputs and results.
fn insts<'p>(page: &'p str, side: &str) -> Vec<&'p str> {
    lines(page, side).into_iter().filter(|line| line.starts_with("inst ")).collect()
}

/// Where a line comes from, if it says so.
fn source(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("class=\"src\"")?;
    Some(shown(between(rest, "title=\"", "\"")))
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<u64> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    digits.map(|digits| digits.parse().expect("a number")).collect()
}

#[test]
fn every_instruction_has_a_line_and_a_source() {
    let page = page();
    let text = |line: &&str| shown(between(line, "<code>", "</code>"));
    assert_eq!(insts(&page, "b").len(), 3);
    let after: Vec<String> = insts(&page, "a").iter().map(text).collect();
    assert_eq!(after, ["%1 = exponential %0 : tensor<4x4xf32>"]);
    let sources: Vec<String> = lines(&page, "b").into_iter().filter_map(source).collect();
    assert_eq!(sources, ["dir/<p>.mlir:3", "dir/<p>.mlir:4", "dir/<p>.mlir:5"]);
    assert_eq!(source(insts(&page, "a")[0]).as_deref(), Some("dir/<p>.mlir:5"));
    let rule = between(&page, "<tr data-f=\"transpose-transpose\">", "</tr>");
    let steps: u64 = between(rule, "<td>", "</td>").parse().expect("a number");
    assert!(steps > 0, "{rule}");
}

#[test]
fn cost_reports_are_sums_of_lines() {
    let page = page();
    let table = between(&page, "<table id=\"costs\">", "</table>");
    // Of each kind, before and after.
    let costs = ["bytes read", "bytes written", "arithmetic"].map(|kind| {
        let row = between(table, &format!("<tr><th>{kind}</th>"), "</tr>");
        let (before, rest) = row.split_once("</td>").expect("two cells");
        [before, rest].map(|cell| between(cell, "title=\"", "\"").parse::<u64>().expect("a number"))
    });
    for (k, side) in ["b", "a"].into_iter().enumerate() {
        let of_line = |line: &str| numbers(between(line, "class=\"cols\" title=\"", "\""));
        let of_lines: Vec<Vec<u64>> = insts(&page, side).into_iter().map(of_line).collect();
        for (number, cost) in costs.iter().enumerate() {
            assert_eq!(of_lines.iter().map(|line| line[number]).sum::<u64>(), cost[k], "{of_lines:?}");
        }
    }
    assert_eq!(costs, [[192, 64], [192, 64], [16, 16]]);
}

#[test]
fn names_of_users_are_escaped() {
    let title = |title: &str| program().explain_html(title).expect("a page");
    assert!(title("<a href=\"x\">'&").contains("<h1>&lt;a href=&quot;x&quot;&gt;&#39;&amp;</h1>"));
    let page = title("<script>alert(\"1\")</script>");
    assert!(page.contains("<h1>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</h1>"));
    assert!(page.contains("&lt;p&gt;.mlir:3") && !page.contains("<p>.mlir"));
    assert!(!page.contains("http"), "the page loads nothing");
}

/// Tags stand where locations stood, and locations decide nothing.
#[test]
fn the_page_shows_the_program_that_is_compiled() {
    let page = page();
    let optimized = program().optimize().expect("small");
    let (module, func) = optimized.module();
    assert_eq!(insts(&page, "a").len(), module.get(func).insts.len());
    let timings = between(&page, "<table id=\"timings\">", "</table>");
    for step in ["simplify", "codegen"] {
        assert!(timings.contains(&format!("<th>{step}</th>")), "{timings}");
    }
    assert!(page.contains("<details id=\"kernels\">"));
}

#[test]
fn links_to_files_are_addresses() {
    const PROGRAM: &str = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.sine %x : tensor<f32>\n  return %0 : tensor<f32>\n}\n";
    let file = std::env::temp_dir().join(format!("100%41 a#{}.mlir", std::process::id()));
    std::fs::write(&file, PROGRAM).expect("a file");
    let program =
        wengert::Traced::parse_placed(PROGRAM, None, file.to_str().expect("text")).expect("a program");
    let page = program.explain_html("t").expect("a page");
    std::fs::remove_file(&file).expect("it is there");
    assert!(page.contains("/100%2541%20a%23"), "{page}");
}
