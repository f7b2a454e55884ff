//! Launches: text, verifier, interpreter, races.

use super::{Options, Program, parse, print, read, run, run_with, verify};
use wengert_ir::array::Array;
use wengert_ir::kernel::count::counted;
use wengert_ir::kernel::launch::{blocks, uniform};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, TensorType};

const SUMS: &str = include_str!("launch.kir");

fn sums() -> Program {
    let program = read(SUMS);
    verify(&program).unwrap_or_else(|e| panic!("{}", e.join("\n")));
    program
}

#[test]
fn text_of_launches_loses_nothing() {
    let program = sums();
    let text = print(&program);
    assert_eq!(read(&text), program, "{text}");
    let sizes: Vec<Option<[u32; 3]>> = blocks(&program).values().copied().collect();
    let [x, ring] = [[256, 1, 1], [1, 3, 1]].map(Some);
    assert_eq!(sizes, [x, Some([16, 1, 1]), Some([1, 1, 1]), ring, None]);
}

#[test]
fn launches_run_in_the_interpreter() {
    let program = sums();
    let mut random = Random(3);
    let x = random.array(&TensorType::new(DType::F32, &[1000]), -1.0, 1.0);
    let values = x.as_slice::<f32>();
    for backwards in [false, true] {
        let options = Options { backwards, ..Options::default() };
        let out = run_with(&program, &[x.clone(), Array::scalar(1i32)], options).unwrap();
        let doubled: Vec<f32> = values.iter().map(|v| v * 2.0).collect();
        assert_eq!(out[0].as_slice::<f32>(), doubled);
        assert_eq!(out[1].as_slice::<f32>()[0].to_bits(), ordered_sum(values).to_bits());
        assert_eq!(out[2].as_slice::<i64>(), [2, 0, 1]);
    }
    // No blocks: nothing is written. Two blocks write the same elements, which is a race.
    let out = run(&program, &[x.clone(), Array::scalar(0i32)]).unwrap();
    assert_eq!(out[2].as_slice::<i64>(), [-1; 3]);
    let error = run(&program, &[x, Array::scalar(2i32)]).unwrap_err().to_string();
    assert!(error.contains("kernel `ring`: two threads touch element"), "{error}");
}

/// The defined order, as the module says it.
fn ordered_sum(x: &[f32]) -> f32 {
    fn combine(mut v: Vec<f32>) -> f32 {
        while v.len() > 1 {
            let w = v.len() / 2;
            (0..w).for_each(|l| v[l] += v[l + w]);
            v.truncate(w);
        }
        v[0]
    }
    let block = |block: &[f32]| {
        let mut lanes = vec![-0.0; 16];
        block.iter().enumerate().for_each(|(i, v)| lanes[i % 16] += v);
        combine(lanes)
    };
    combine(x.chunks(512).map(block).collect())
}

/// A launch is counted before it begins, by its threads; one of unknown size times that size.
#[test]
fn steps_of_launches_are_counted() {
    let program = counted(&sums());
    verify(&program).unwrap_or_else(|e| panic!("{}", e.join("\n")));
    let text = print(&program);
    let steps: Vec<&str> = text.lines().map(str::trim).filter(|l| l.starts_with("wengert.steps")).collect();
    // 1024 threads of about ten operations each and 32 of some 32 trips; then 3 threads a block.
    assert_eq!(steps.len(), 2, "{text}");
    assert!(steps[1].contains(", %"), "{text}");
}

/// A launch of one kernel by the entry, with a result of 8 doubles.
fn around(kernel: &str, entry: &str) -> String {
    format!(
        "program @p(tensor<8xf64>, tensor<i32>) -> (tensor<8xf64>) mode exact scratch 0 entry @main {{
           mem0 = param 0 : memref<8xf64>
           mem1 = result 0 : memref<8xf64>
           mem2 = param 1 : memref<i32>
           func @k(%s: i64) {{
             %x = param 0 : memref<8xf64>
             %y = param 1 : memref<8xf64>
             %w = workgroup : memref<8xf64>
             %zero = arith.constant 0 : i64
             %one = arith.constant 1 : i64
             %f = arith.constant 0.5 : f64
             {kernel}
           }}
           func @other() {{
             %x = param 0 : memref<8xf64>
           }}
           func @main() {{
             %a = program mem0 : memref<8xf64>
             %r = program mem1 : memref<8xf64>
             %m = program mem2 : memref<1xi32>
             %l = local : memref<8xf64>
             %seven = arith.constant 7 : i64
             %u = memref.load %m[0] : i32
             %n = arith.cast_signed %u : i32 to i64
             {entry}
           }}
         }}"
    )
}

const EIGHT: &str = "gpu.launch @k blocks(1, 1, 1) threads(8, 1, 1) (%a[0], %r[0]; %seven)";

#[test]
fn the_verifier_names_what_is_wrong_with_launches() {
    let t = "%t = gpu.thread_id x : i64 ";
    let wrong: &[(&str, &str, &str)] = &[
        ("%t = gpu.thread_id x : i64 %v = memref.load %x[%t + 1] : f64", EIGHT, "access to 1..=8 of %m0"),
        ("%t = gpu.thread_id x : i64", "", "only in a kernel that is launched"),
        ("%t = gpu.thread_id x : f64", EIGHT, "does not take [] and give [F64]"),
        ("", "", "workgroup memory is of launched kernels"),
        ("", "gpu.launch @k blocks(1, 1, 1) threads(0, 1, 1) (%a[0], %r[0]; %seven)", "0 threads a block"),
        (
            "",
            "gpu.launch @k blocks(1, 1, 1) threads(256, 8, 1) (%a[0], %r[0]; %seven)",
            "2048 threads a block",
        ),
        (
            "",
            "gpu.launch @k blocks(1, 1, 1) threads(4, 1, 65) (%a[0], %r[0]; %seven)",
            "no more than 64 along z",
        ),
        (
            "",
            "gpu.launch @k blocks(%n, %n, 1) threads(8, 1, 1) (%a[0], %r[0]; %seven)",
            "blocks along an axis",
        ),
        ("", "gpu.launch @k blocks(1, 1, 1) threads(8, 1, 1) (%a[1], %r[0]; %seven)", "access to 1..=8"),
        (
            "",
            "gpu.launch @k blocks(1, 1, 1) threads(8, 1, 1) (%a[0], %l[0]; %seven)",
            "local memory of the host",
        ),
        (
            "memref.store %f, %y[0] : f64",
            "gpu.launch @k blocks(1, 1, 1) threads(8, 1, 1) (%r[0], %a[0]; %seven)",
            "read-only",
        ),
        ("", "gpu.launch @main blocks(1, 1, 1) threads(8, 1, 1) (;)", "calls itself"),
        ("func.call @other(%x[0];)", EIGHT, "Call in what is launched"),
        ("gpu.launch @other blocks(1, 1, 1) threads(1, 1, 1) (%x[0];)", EIGHT, "Launch in what is launched"),
        ("library.tile math.exp %x[0] to %y[0] len 1", EIGHT, "Library(Tile in what is launched"),
        ("", "func.call @k(%a[0], %r[0]; %seven)", "workgroup memory is of launched kernels"),
        (
            "",
            "gpu.launch @other blocks(1, 1, 1) threads(8, 1, 1) (%a[0];) func.call @other(%a[0];)",
            "it is launched and called",
        ),
        (
            "",
            "gpu.launch @other blocks(1, 1, 1) threads(8, 1, 1) (%a[0];) \
             gpu.launch @other blocks(1, 1, 1) threads(4, 1, 1) (%a[0];)",
            "with blocks of other sizes",
        ),
        ("%q = workgroup : memref<6137xf64>", EIGHT, "49216 bytes of workgroup memory, 49152 at most"),
        ("gpu.barrier", "", "Barrier in what is not launched"),
        ("%q = gpu.shuffle xor %s, 8 : i64", EIGHT, "threads of a block of 8 exchanged by 8"),
        ("%q = gpu.shuffle xor %s, 0 : i64", EIGHT, "exchanged by 0"),
        ("scf.for %i = 0 to %t step 1 { gpu.barrier }", EIGHT, "1 barriers or shuffles"),
        ("scf.for vector %i = 0 to 4 step 1 { }", EIGHT, "For in what is launched"),
        ("scf.index_switch %t -> () { gpu.barrier } { gpu.barrier }", EIGHT, "2 barriers or shuffles"),
        // Own memories that differ: by what is stored, where, and by whom.
        (
            "%p = local : memref<2xi64> memref.store %t, %p[0] : i64 %v = memref.load %p[0] : i64 \
             scf.index_switch %v -> () { gpu.barrier } { }",
            EIGHT,
            "1 barriers or shuffles",
        ),
        (
            "%p = local : memref<8xi64> scf.for %i = %t to 8 step 8 { memref.store %one, %p[%i] : i64 } \
             %v = memref.load %p[0] : i64 scf.index_switch %v -> () { gpu.barrier } { }",
            EIGHT,
            "1 barriers or shuffles",
        ),
        // Memory that holds nothing yet, and of which a part does.
        (
            "%p = local : memref<1xi64> %v = memref.load %p[0] : i64 scf.index_switch %v -> () { gpu.barrier } { } \
             memref.store %one, %p[0] : i64 %u = arith.addi %t, %one : i64",
            EIGHT,
            "1 barriers or shuffles",
        ),
        (
            "%p = local : memref<4xi64> scf.for %i = 0 to 3 step 1 { memref.store %i, %p[%i] : i64 } \
             %v = memref.load %p[3] : i64 scf.index_switch %v -> () { gpu.barrier } { }",
            EIGHT,
            "1 barriers or shuffles",
        ),
        (
            "%p = local : memref<1xi64> scf.for %i = 0 to %s step 1 { memref.store %one, %p[0] : i64 } \
             %v = memref.load %p[0] : i64 scf.index_switch %v -> () { gpu.barrier } { }",
            EIGHT,
            "1 barriers or shuffles",
        ),
        (
            "%p = local : memref<1xi64> scf.index_switch %t -> () { memref.store %one, %p[0] : i64 } { } \
             %v = memref.load %p[0] : i64 scf.index_switch %v -> () { gpu.barrier } { }",
            EIGHT,
            "1 barriers or shuffles",
        ),
        (
            "%e = scf.for %i = 0 to %t step 1 iter(%k = %zero) -> (i64) { scf.yield %s } \
             %b = arith.minsi %e, %one : i64 %lo = arith.maxsi %b, %zero : i64 \
             scf.for %j = 0 to %lo step 1 { %q = gpu.shuffle xor %f, 1 : f64 }",
            EIGHT,
            "1 barriers or shuffles",
        ),
        (
            "%c = memref.load %w[%t] : f64 %e = arith.cast_signed %c : f64 to i64 %b = arith.minsi %e, %one : i64 \
             %lo = arith.maxsi %b, %zero : i64 scf.for %j = 0 to %lo step 1 { gpu.barrier }",
            EIGHT,
            "1 barriers or shuffles",
        ),
    ];
    for (kernel, entry, message) in wrong {
        let defines = kernel.contains("%t") && !kernel.contains("%t = ");
        let kernel = format!("{}{kernel}", if defines { t } else { "" });
        let program = read(&around(&kernel, entry));
        let errors = verify(&program).expect_err(&kernel).join("\n");
        assert!(errors.contains(message), "{kernel} / {entry}: {errors}");
        assert_eq!(read(&print(&program)), program, "{kernel}");
    }
    // Launched by one of several threads.
    let text = around("", "scf.parallel @piece to 4 grain 1 (%a[0];)").replace(
        "func @main",
        "func @piece(%lo: i64, %hi: i64) {
           %x = param 0 : memref<8xf64>
           gpu.launch @other blocks(1, 1, 1) threads(1, 1, 1) (%x[0];)
         }
         func @main",
    );
    let errors = verify(&read(&text)).unwrap_err().join("\n");
    assert!(errors.contains("launched by one of several threads"), "{errors}");
    assert!(
        parse(
            "program @p() -> () mode exact scratch 0 entry @e { func @e() { gpu.launch @e blocks(1, 1) } }"
        )
        .is_err()
    );
}

/// What is in bounds, and where barriers may stand.
#[test]
fn the_verifier_accepts_launches() {
    for kernel in [
        "%t = gpu.thread_id x : i64 %v = memref.load %x[%t] : f64 memref.store %v, %y[%t] : f64",
        "scf.for %i = 0 to %s step 1 { gpu.barrier }",
        "%c = memref.load %w[%zero] : f64 %e = arith.cast_signed %c : f64 to i64 %b = arith.minsi %e, %one : i64 \
         %lo = arith.maxsi %b, %zero : i64 scf.for %j = 0 to %lo step 1 { gpu.barrier }",
        "%n = scf.while (%k = %zero) -> (i64) { %go = arith.cmp LT, SIGNED, %k, %s : i64 scf.yield %go } \
         do (%l) { gpu.barrier %m = arith.addi %l, %one : i64 scf.yield %m }",
        "%b = gpu.block_id x : i64 scf.index_switch %b -> () { gpu.barrier } { }",
        // Each thread has the same in its own memory.
        "%p = local : memref<1xf64> memref.store %f, %p[0] : f64 %v = memref.load %p[0] : f64 \
         %e = arith.cast_signed %v : f64 to i64 scf.index_switch %e -> () { gpu.barrier } { }",
        "%p = local : memref<4xi64> scf.for %i = 0 to 4 step 1 { memref.store %i, %p[%i] : i64 } \
         %v = memref.load %p[%one] : i64 scf.index_switch %v -> () { gpu.barrier } { }",
    ] {
        verify(&read(&around(kernel, EIGHT))).unwrap_or_else(|e| panic!("{kernel}: {}", e.join("\n")));
    }
    let program = read(&around("%t = gpu.thread_id x : i64 %q = arith.addi %t, %s : i64", EIGHT));
    let (_, kernel) = program.kernels.iter().next().unwrap();
    let differing = uniform(kernel).values().filter(|u| !**u).count();
    assert_eq!(differing, 2);
}

/// Threads that touch an element that another one writes, and those that wait before.
#[test]
fn races_are_found() {
    let t = "%t = gpu.thread_id x : i64 %n = arith.xori %t, %one : i64 ";
    for (kernel, races) in [
        ("memref.store %f, %w[%t] : f64 %v = memref.load %w[%n] : f64", true),
        ("memref.store %f, %w[%t] : f64 gpu.barrier %v = memref.load %w[%n] : f64", false),
        ("memref.store %f, %w[%t] : f64 %v = memref.load %w[%t] : f64", false),
        ("memref.store %f, %w[0] : f64", true),
        ("memref.store %f, %y[0] : f64", true),
        ("%v = memref.load %y[0] : f64 gpu.barrier memref.store %v, %y[%t] : f64", false),
        ("%v = memref.load %y[0] : f64 memref.store %v, %y[%t] : f64", true),
        ("%v = memref.load %y[%n] : f64 memref.store %f, %y[%t] : f64", true),
        ("%v = memref.load %x[0] : f64 memref.store %v, %y[%t] : f64", false),
        (
            "memref.store %f, %w[%t] : f64 %q = gpu.shuffle xor %f, 1 : f64 %v = memref.load %w[%n] : f64",
            true,
        ),
    ] {
        let program = read(&around(&format!("{t}{kernel}"), EIGHT));
        verify(&program).unwrap_or_else(|e| panic!("{kernel}: {}", e.join("\n")));
        for backwards in [false, true] {
            let args = [Array::new(&[8], &[1.0; 8]), Array::scalar(1i32)];
            let result = run_with(&program, &args, Options { backwards, ..Options::default() });
            assert_eq!(result.is_err(), races, "{kernel}: {result:?}");
        }
    }
}
