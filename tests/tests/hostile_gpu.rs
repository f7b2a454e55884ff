//! Kernels for a GPU that nobody's lowering made: what the verifier lets through stays in the memory that it is given, in the
//! interpreter that looks at each access and from the PTX text that a driver would get.

use wengert::Limits;
use wengert_gpu::Executable;
use wengert_gpu::drivers::reference;
use wengert_ir::array::Array;
use wengert_ir::kernel::{Program, text};
use wengert_ir::testing::kernels::stay_in_their_memory;
use wengert_tests::device_report::entries;

/// Small programs of every kind: the corpus and its gradients, lowered for a GPU, with their arguments.
fn programs() -> Vec<(String, Program, Vec<Array>)> {
    let lowered = entries().into_iter().filter_map(|entry| {
        let program = entry.traced.within(Limits::default()).lower().and_then(|l| l.gpu()).ok()?;
        let args: Vec<Array> = entry.args.iter().map(wengert::Tensor::to_array).collect();
        (program.to_string().len() < 12_000).then_some((entry.name, program, args))
    });
    lowered.collect()
}

/// An access far outside.
#[test]
fn nothing_is_launched_that_leaves_its_memory() {
    let source = "program @p(tensor<8xf64>) -> (tensor<8xf64>) mode exact scratch 0 entry @main {
       mem0 = param 0 : memref<8xf64>
       mem1 = result 0 : memref<8xf64>
       func @k() {
         %x = param 0 : memref<8xf64>
         %y = param 1 : memref<8xf64>
         %t = gpu.thread_id x : i64
         %v = memref.load %x[%t + 100000000000] : f64
         memref.store %v, %y[%t] : f64
       }
       func @main() {
         %a = program mem0 : memref<8xf64>
         %r = program mem1 : memref<8xf64>
         gpu.launch @k blocks(1, 1, 1) threads(8, 1, 1) (%a[0], %r[0]; )
       }
     }";
    let program = text::parse(source).expect("it reads");
    let (device, _) = reference::device();
    let message = Executable::load(&device, &program).map(drop).expect_err("refused").to_string();
    assert!(message.contains("not a valid program") && message.contains("access to"), "{message}");
}

/// Valid programs changed at random: they may be refused, may race and may not end.
#[test]
fn mutants_that_pass_stay_in_their_memory() {
    stay_in_their_memory(&programs(), 1_000, |_, program, args| {
        let (device, _) = reference::device_within(10_000_000);
        let args: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
        let ran = Executable::load(&device, program).and_then(|executable| executable.call_bytes(&args));
        ran.map(drop).map_err(|e| e.to_string())
    });
}
