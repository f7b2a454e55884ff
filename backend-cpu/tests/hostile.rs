//! Kernels that nobody's lowering made: whatever is in them, safe code that compiles and runs them stays in its memory. What
//! the verifier lets through is run where every access is looked at, then as machine code.

use std::path::{Path, PathBuf};
use wengert_cpu::{CallLimits, CodeCache, Executable, ObjectOptions, Options};
use wengert_ir::array::Array;
use wengert_ir::kernel::{Program, text};
use wengert_ir::testing::kernels::stay_in_their_memory;
use wengert_passes::lower::{self, lower};
use wengert_passes::pipeline::Pipeline;

const OUT_OF_BOUNDS: &str =
    "program @main(tensor<4xf32>) -> (tensor<4xf32>) mode default scratch 0 entry @main {
  mem0 = param 0 : memref<4xf32>
  mem1 = result 0 : memref<4xf32>

  func @main() {
    %m0 = program mem0 : memref<4xf32>
    %m1 = program mem1 : memref<4xf32>
    %0 = memref.load %m0[100000000000] : f32
    memref.store %0, %m1[0] : f32
  }
}
";

/// Every door through which a program becomes code.
#[test]
fn no_code_is_made_of_what_leaves_its_memory() {
    let program = text::parse(OUT_OF_BOUNDS).expect("it reads");
    let options = Options::default();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-cache");
    let cache = CodeCache::open_with_secret(&folder, &[7; 32]).expect("a cache");
    let object = ObjectOptions {
        triple: target_lexicon::Triple::host(),
        cpu: wengert_cpu::Cpu::Common,
        symbol: "f".into(),
        calls: wengert_cpu::Calls::C,
    };
    let refused = [
        Executable::compile(&program, &options).map(drop),
        Executable::compile_cached(&program, &options, Some(&cache)).map(drop),
        wengert_cpu::machine_code(&program, &options).map(drop),
        wengert_cpu::clif(&program, &options).map(drop),
        wengert_cpu::asm(&program, &options).map(drop),
        wengert_cpu::object(&program, &object).map(drop),
    ];
    for result in refused {
        let message = result.expect_err("refused").to_string();
        assert!(message.contains("access to 100000000000..=100000000000 of %m0, which has 4"), "{message}");
    }
}

/// Small programs of every kind: the corpus, lowered, with their arguments.
fn programs() -> Vec<(String, Program, Vec<Array>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(corpus).expect("a folder").flatten().map(|e| e.path()).collect();
    folders.sort();
    let mut out = Vec::new();
    for folder in folders {
        let Ok(source) = std::fs::read_to_string(folder.join("program.mlir")) else { continue };
        let args = (0..).map_while(|k| std::fs::read(folder.join(format!("in{k}.npy"))).ok());
        let args: Vec<Array> = args.filter_map(|bytes| wengert_ir::npy::parse(&bytes).ok()).collect();
        let Ok(mut module) = wengert_ir::text::parse(&source) else { continue };
        let Some(func) = module.find("main") else { continue };
        let func = Pipeline::default().run(&mut module, func, &mut |_| {});
        let Ok(program) = lower(&module, func, &lower::Options::default()) else { continue };
        let fits = args.iter().map(Array::ty).eq(&program.params);
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if fits && program.to_string().len() < 12_000 {
            out.push((name, program, args));
        }
    }
    out
}

/// Runs machine code with the bytes after and before results watched; gives what it gives.
fn run(program: &Program, args: &[Array], options: &Options) -> Option<Vec<u8>> {
    const MARGIN: usize = 4096;
    let executable = Executable::compile(program, options).unwrap_or_else(|e| panic!("{e}\n{program}"));
    let args: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
    let sizes = executable.result_bytes().to_vec();
    let mut buffers: Vec<Vec<u64>> =
        sizes.iter().map(|n| vec![0xa5a5_a5a5_a5a5_a5a5; n.div_ceil(8) + MARGIN / 4]).collect();
    let mut slices: Vec<&mut [u8]> = Vec::new();
    for (buffer, &n) in buffers.iter_mut().zip(&sizes) {
        slices.push(&mut bytemuck::cast_slice_mut(buffer)[MARGIN..MARGIN + n]);
    }
    let mut limits = CallLimits { max_steps: 1_000_000, max_stack_memory: 1 << 24 };
    let done = executable.call_limited(&args, &mut slices, &mut limits);
    let mut out = Vec::new();
    for (buffer, &n) in buffers.iter().zip(&sizes) {
        let bytes: &[u8] = bytemuck::cast_slice(buffer);
        let outside = bytes[..MARGIN].iter().chain(&bytes[MARGIN + n..]);
        assert!(outside.copied().all(|b| b == 0xa5), "written outside\n{program}");
        out.extend_from_slice(&bytes[MARGIN..MARGIN + n]);
    }
    done.ok().map(|()| out)
}

/// Valid programs changed at random. What the verifier takes reads and writes nothing outside, run by the interpreter that
/// looks at each access; and the code made of it, whose results are watched.
#[test]
fn mutants_that_pass_stay_in_their_memory() {
    let options = [
        Options { count_steps: true, ..Options::default() },
        Options { count_steps: true, wide: None, ..Options::default() },
        Options { count_steps: true, vectors: false, tiles: false, wide: None },
    ];
    stay_in_their_memory(&programs(), 1_500, |k, program, args| {
        run(program, args, &options[k % options.len()]);
        Ok(())
    });
}

/// A program that launches kernels is for a GPU: no code is made of it.
#[test]
fn launches_are_refused() {
    let text = "program @p(tensor<8xf64>) -> (tensor<8xf64>) mode exact scratch 0 entry @main {
       mem0 = param 0 : memref<8xf64>
       mem1 = result 0 : memref<8xf64>
       func @k() {
         %x = param 0 : memref<8xf64>
         %y = param 1 : memref<8xf64>
         %t = gpu.thread_id x : i64
         %v = memref.load %x[%t] : f64
         memref.store %v, %y[%t] : f64
       }
       func @main() {
         %a = program mem0 : memref<8xf64>
         %r = program mem1 : memref<8xf64>
         gpu.launch @k blocks(1, 1, 1) threads(8, 1, 1) (%a[0], %r[0]; )
       }
     }";
    let program = wengert_ir::kernel::text::parse(text).expect("it parses");
    let error = wengert_cpu::Executable::compile(&program, &Default::default()).unwrap_err().to_string();
    assert!(error.contains("kernel @main: it launches kernels on a GPU"), "{error}");
}
