//! What sections do, counted: of a memory, however often it is read or written, not more than all of it.

use wengert_ir::kernel::{sections, text};

#[test]
fn of_a_memory_not_more_is_read_or_written_than_it_has() {
    for (ty, size) in [("f32", 4), ("f64", 8), ("i8", 1)] {
        for len in [1u64, 40, 1_000] {
            for outer in [0, 1, 3, 50] {
                for inner in [1, 7, 40] {
                    for reads in [1, 2] {
                        let inner = inner.min(len);
                        let loads: String =
                            (0..reads).map(|k| format!("%x{k} = memref.load %m0[%j] : {ty}\n")).collect();
                        let program = text::parse(&format!(
                            "program @f(tensor<{len}x{ty}>) -> (tensor<{len}x{ty}>) mode default scratch 0 entry @main {{
                               mem0 = param 0 : memref<{len}x{ty}>
                               mem1 = result 0 : memref<{len}x{ty}>
                               func @main() {{
                                 %m0 = program mem0 : memref<{len}x{ty}>
                                 %m1 = program mem1 : memref<{len}x{ty}>
                                 scf.for %i = 0 to {outer} step 1 {{
                                   scf.for %j = 0 to {inner} step 1 {{
                                     {loads}
                                     memref.store %x0, %m1[%j] : {ty}
                                   }}
                                 }}
                               }}
                             }}"
                        ))
                        .unwrap_or_else(|e| panic!("{e}"));
                        let body = &program.kernels[program.entry].body.insts;
                        let work = sections::of(&program, program.entry, body);
                        let accesses = outer * inner;
                        let bytes = [accesses * reads, accesses].map(|n| n.min(len) * size);
                        let what = format!("{outer} times {inner} of {len} {ty}, read {reads} times");
                        assert_eq!([work.read, work.written], bytes, "{what}");
                        assert_eq!((work.operations, work.flops), (accesses * (reads + 1), 0), "{what}");
                    }
                }
            }
        }
    }
}
