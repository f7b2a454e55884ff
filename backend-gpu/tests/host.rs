//! The host's part of programs: what it computes, launches, reads back, grows and hands to the interpreter, against the kernel
//! interpreter: all bits, on the interpreter of PTX and on Vulkan where there is one.

mod common;

use common::canonical;
use wengert_gpu::drivers::reference;
use wengert_gpu::{Counts, Device, Executable};
use wengert_ir::array::Array;
use wengert_ir::kernel::{Program, interp, text, verify};
use wengert_ir::testing::Random;

fn parse(source: &str) -> Program {
    let program = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{source}"));
    program
}

fn on(device: &Device, program: &Program, args: &[Array]) -> Vec<Array> {
    let executable = Executable::load(device, program).unwrap_or_else(|e| panic!("{e}"));
    let bytes: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
    let out = executable.call_bytes(&bytes).unwrap_or_else(|e| panic!("{e}"));
    out.iter().zip(&program.results).map(|(b, ty)| Array::from_bytes(ty.clone(), b)).collect()
}

/// Runs a program everywhere; what the interpreter of PTX did.
fn check(program: &Program, args: &[Array]) -> Counts {
    let want: Vec<_> =
        interp::run(program, args).unwrap_or_else(|e| panic!("{e}")).iter().map(canonical).collect();
    let (device, _) = reference::device();
    let found: Vec<_> = on(&device, program, args).iter().map(canonical).collect();
    assert_eq!(found, want, "{program}");
    match wengert_gpu::drivers::open("wgpu:0") {
        Ok(vulkan) => {
            let found: Vec<_> = on(&vulkan, program, args).iter().map(canonical).collect();
            assert_eq!(found, want, "on {vulkan:?}: {program}");
        }
        Err(why) => wengert_ir::testing::skip("vulkan", &why.to_string()),
    }
    device.counts()
}

fn random(program: &Program, seed: u64) -> Vec<Array> {
    let mut random = Random(seed);
    program.params.iter().map(|ty| random.array(ty, -4.0, 9.0)).collect()
}

/// Two launches that pass sums on, shuffles, barriers, and a grid whose size is read back.
#[test]
fn launches() {
    let program = parse(include_str!("../../ir/tests/units/kernel/launch.kir"));
    for seed in 0..3 {
        let mut args = random(&program, seed);
        // Without trips nobody writes the last result; with more, blocks would write it together.
        args[1] = Array::new(&[], &[1i32]);
        let counts = check(&program, &args);
        assert_eq!((counts.read_backs, counts.on_host, counts.launches), (1, 0, 4));
    }
}

/// Scalars of every type go to kernels; memories begin in the middle of others.
#[test]
fn scalars_and_offsets() {
    for (ty, value) in [
        ("f64", "2.5"),
        ("f32", "-1.5"),
        ("i64", "-7"),
        ("i32", "-7"),
        ("i16", "300"),
        ("i8", "-3"),
        ("i1", "1"),
    ] {
        let source = format!(
            "program @p(tensor<64x{ty}>) -> (tensor<64x{ty}>) mode exact scratch 1024 entry @main {{
  mem0 = param 0 : memref<64x{ty}>
  mem1 = result 0 : memref<64x{ty}>
  mem2 = scratch 512 : memref<64x{ty}>
  func @put(%a: i64, %s: {ty}, %flag: i1) {{
    %x = param 0 : memref<32x{ty}>
    %y = param 1 : memref<32x{ty}>
    %t = gpu.thread_id x : i64
    %v = memref.load %x[%t] : {ty}
    %w = arith.select %flag, %s, %v : {ty}
    %to = arith.xori %t, %a : i64
    memref.store %w, %y[%to] : {ty}
  }}
  func @main() {{
    %x = program mem0 : memref<64x{ty}>
    %y = program mem1 : memref<64x{ty}>
    %z = program mem2 : memref<64x{ty}>
    %s = arith.constant {value} : {ty}
    %one = arith.constant 1 : i64
    %eight = arith.constant 8 : i64
    %yes = arith.constant 1 : i1
    %no = arith.constant 0 : i1
    gpu.launch @put blocks(1, 1, 1) threads(32, 1, 1) (%x[32], %z[0]; %one, %s, %no)
    gpu.launch @put blocks(1, 1, 1) threads(32, 1, 1) (%x[0], %z[32]; %eight, %s, %no)
    gpu.launch @put blocks(1, 1, 1) threads(32, 1, 1) (%z[8], %y[0]; %one, %s, %no)
    gpu.launch @put blocks(1, 1, 1) threads(32, 1, 1) (%z[16], %y[32]; %eight, %s, %yes)
  }}
}}
"
        );
        let program = parse(&source);
        let counts = check(&program, &random(&program, 2));
        assert_eq!(counts.launches, 4, "{ty}");
    }
}

/// The host loops while what the device computed says so, chooses what to launch, and writes to the device.
#[test]
fn the_host_decides() {
    let program = parse(
        "program @p(tensor<8xf32>) -> (tensor<8xf32>, tensor<i64>) mode exact scratch 0 entry @main {
  mem0 = param 0 : memref<8xf32>
  mem1 = result 0 : memref<8xf32>
  mem2 = result 1 : memref<i64>
  func @copy() {
    %x = param 0 : memref<8xf32>
    %y = param 1 : memref<8xf32>
    %t = gpu.thread_id x : i64
    %v = memref.load %x[%t] : f32
    memref.store %v, %y[%t] : f32
  }
  func @grow(%by: f32) {
    %y = param 0 : memref<8xf32>
    %t = gpu.thread_id x : i64
    %v = memref.load %y[%t] : f32
    %w = arith.addf %v, %by : f32
    memref.store %w, %y[%t] : f32
  }
  func @main() {
    %x = program mem0 : memref<8xf32>
    %y = program mem1 : memref<8xf32>
    %n = program mem2 : memref<1xi64>
    gpu.launch @copy blocks(1, 1, 1) threads(8, 1, 1) (%x[0], %y[0]; )
    %zero = arith.constant 0 : i64
    %limit = arith.constant 20.0 : f32
    %count = scf.while (%k = %zero) -> (i64) {
      %v = memref.load %y[3] : f32
      %more = arith.cmp LT, FLOAT, %v, %limit : f32
      scf.yield %more
    } do (%k2) {
      %one = arith.constant 1 : i64
      %odd = arith.andi %k2, %one : i64
      %step = scf.index_switch %odd -> (i64) {
        %a = arith.constant 1.5 : f32
        gpu.launch @grow blocks(1, 1, 1) threads(8, 1, 1) (%y[0]; %a)
        scf.yield %one
      } {
        %b = arith.constant 0.25 : f32
        gpu.launch @grow blocks(1, 1, 1) threads(8, 1, 1) (%y[0]; %b)
        scf.yield %one
      }
      %next = arith.addi %k2, %step : i64
      scf.yield %next
    }
    memref.store %count, %n[0] : i64
  }
}
",
    );
    let counts = check(&program, &random(&program, 4));
    assert_eq!(counts.writes, 1);
    assert!(counts.read_backs > 5 && counts.launches == counts.read_backs, "{counts:?}");
}

/// Everything that kernels of a CPU do, on the host: loops, calls, stacks, products, functions over tiles, the interpreter.
#[test]
fn the_host_does_the_rest() {
    let program = parse(include_str!("../../ir/tests/units/kernel/all.kir"));
    let counts = check(&program, &random(&program, 1));
    assert!(counts.on_host > 0 && counts.launches == 0, "{counts:?}");
}
