//! Every labelled constraint of the StableHLO specification that our form can express, violated: the error names
//! the operation and the label.
//!
//! Each table is a family; add rows for a new operation to the table that fits. A row is the operation, the
//! label, and a line that breaks the constraint and no other before it. The values of [`PRELUDE`] may be used.

mod collectives;
mod elementwise;
mod indexing;
mod linear;
mod moving;
mod regions;
mod scatter;
mod windows;

use wengert_ir::text::parse;

/// Operation, label, line.
type Row = (&'static str, &'static str, &'static str);

/// Parameters that lines may use.
const PRELUDE: &str = "\
    %f: tensor<2x3xf32>, %g: tensor<2x3xf32>, %d: tensor<2x3xf64>, %t: tensor<3x2xf32>, %v: tensor<3xf32>, \
    %s: tensor<f32>, %sd: tensor<f64>, %i: tensor<2x3xi32>, %si: tensor<i32>, %sl: tensor<i64>, %iv: tensor<2xi32>, \
    %p: tensor<i1>, %pm: tensor<2x3xi1>, %pv: tensor<3xi1>, %u: tensor<2x3xui32>, %z: tensor<2x3xcomplex<f32>>, \
    %b: tensor<4x2x3xf32>, %tok: !stablehlo.token";

#[test]
fn each_violation_is_reported_by_its_label() {
    let mut wrong = Vec::new();
    let tables = [
        elementwise::TABLE,
        moving::TABLE,
        indexing::TABLE,
        regions::TABLE,
        scatter::TABLE,
        windows::TABLE,
        linear::TABLE,
        collectives::TABLE,
    ];
    for &(op, label, line) in tables.into_iter().flatten() {
        let text = format!("func.func @main({PRELUDE}) {{\n  {line}\n  return\n}}\n");
        match parse(&text) {
            Ok(_) => wrong.push(format!("{op} {label}: accepted: {line}")),
            Err(e) if !e.message.contains(op) || !e.message.contains(&format!("({label})")) => {
                wrong.push(format!("{op} {label}: {}\n    {line}", e.message));
            }
            Err(e) if e.line < 2 => wrong.push(format!("{op} {label}: on line {}", e.line)),
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
