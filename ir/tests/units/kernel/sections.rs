//! Sections of a program and their work.

use wengert_ir::kernel::sections::{SectionKind, Work, marked};
use wengert_ir::kernel::text::parse;

/// 50 trips of two loops over 60,000 numbers each, one of which adds.
const PROGRAM: &str = "
program @f(tensor<60000xf32>) -> (tensor<60000xf32>) mode default scratch 0 entry @main {
  mem0 = param 0 : memref<60000xf32>
  mem1 = result 0 : memref<60000xf32>
  func @main() {
    %m0 = program mem0 : memref<60000xf32>
    %m1 = program mem1 : memref<60000xf32>
    scf.for %0 = 0 to 50 step 1 {
      scf.for vector %1 = 0 to 60000 step 1 {
        %2 = memref.load %m0[%1] : f32
        %3 = arith.addf %2, %2 : f32
        memref.store %3, %m1[%1] : f32
      }
      scf.for vector %4 = 0 to 60000 step 1 {
        %5 = memref.load %m0[%4] : f32
        memref.store %5, %m1[%4] : f32
      }
    }
  }
}";

#[test]
fn long_loops_inside_a_loop_are_sections_of_their_own() {
    let program = parse(PROGRAM).unwrap();
    let (marked, sections) = marked(&program);
    let kinds: Vec<SectionKind> = sections.iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [SectionKind::Between, SectionKind::Inside, SectionKind::Loop, SectionKind::Loop]);
    assert_eq!(sections.iter().map(|s| s.place).collect::<Vec<_>>(), [None, Some(2), Some(0), Some(1)]);
    let work = |read, written, flops, operations| Work { read, written, flops, operations, at_least: false };
    assert_eq!(sections[2].work, work(240_000, 240_000, 60_000, 180_000));
    assert_eq!(sections[3].work, work(240_000, 240_000, 0, 120_000));
    // It is a program like others, and without marks the same one.
    let text = marked.to_string();
    assert_eq!(parse(&text).unwrap(), marked);
    let lines = |t: &str| t.lines().filter(|l| !l.contains("library.section")).collect::<Vec<_>>().join("\n");
    assert_eq!(lines(&text), lines(&program.to_string()));
}
