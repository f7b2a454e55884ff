//! Whole programs on a GPU that is not there: the corpus from the PTX text that a driver would be given, against native code and
//! the kernel interpreter; and what NVIDIA's assembler says of all of it.

use std::collections::BTreeMap;
use wengert::stages::Traced;
use wengert::{Limits, Tensor};
use wengert_gpu::drivers::reference;
use wengert_gpu::testing::{assemble, ptxas};
use wengert_gpu::{Executable, ptx};
use wengert_ir::array::Array;
use wengert_ir::kernel::interp;
use wengert_ir::testing::skip;
use wengert_ir::types::DType;
use wengert_tests::device_report::{self, Verdict};
use wengert_tests::random::agreement::{BOUND, agree};

/// A program of the corpus with its arguments, or with its derivative.
fn programs() -> Vec<(String, Traced, Vec<Tensor>)> {
    device_report::entries().into_iter().map(|entry| (entry.name, entry.traced, entry.args)).collect()
}

/// Every program of the corpus from PTX text: the bits of the kernel interpreter, which runs the same launches. What the host
/// does for the device is counted, and named.
#[test]
fn the_corpus_from_ptx_text() {
    let (mut ran, mut launches, mut read_backs, mut refused) =
        (0, 0, 0, BTreeMap::<String, Vec<String>>::new());
    let mut on_host: BTreeMap<String, u64> = BTreeMap::new();
    let mut widest = (0, String::new());
    for (name, traced, args) in programs() {
        let lowered = match traced.within(Limits::default()).lower().and_then(|l| l.gpu()) {
            Ok(program) => program,
            Err(e) => {
                refused.entry(e.message().to_owned()).or_default().push(name);
                continue;
            }
        };
        let program = &lowered;
        widest = widest.max((most_memories(program), name.clone()));
        let arrays: Vec<Array> = args.iter().map(Tensor::to_array).collect();
        let want = interp::run(program, &arrays);
        let (device, _) = reference::device();
        let found = Executable::load(&device, program).and_then(|executable| {
            executable.call_bytes(&arrays.iter().map(Array::bytes).collect::<Vec<_>>())
        });
        match (found, want) {
            (Ok(found), Ok(want)) => {
                for (k, (bytes, want)) in found.iter().zip(&want).enumerate() {
                    let found = Array::from_bytes(want.ty().clone(), bytes);
                    // Bits, but where an operation of the interpreter's rounds as it likes.
                    let bound = has_products(program).then_some([1e-9, 1e-3]);
                    agree(&found, want, bound).unwrap_or_else(|e| panic!("{name}: result {k}: {e}"));
                }
                let counts = device.counts();
                ran += 1;
                launches += counts.launches;
                read_backs += counts.read_backs;
                if counts.on_host > 0 {
                    on_host.insert(name, counts.on_host);
                }
            }
            (Err(e), Err(_)) | (Err(e), Ok(_)) => {
                refused.entry(e.to_string()).or_default().push(name);
            }
            (Ok(_), Err(e)) => panic!("{name}: runs from PTX text and not in the interpreter: {e}"),
        }
    }
    eprintln!(
        "{ran} programs, {launches} launches, {read_backs} elements read by the host; on the host {on_host:?}"
    );
    assert!(refused.is_empty(), "refused: {refused:#?}");
    assert!(ran > 100, "{ran} ran");
    // What the devices of WebGPU bind at one time, one of which is the printer's own.
    assert!(widest.0 < 32, "a launch of {} touches {} memories", widest.1, widest.0);
}

/// The most memories that a launch of a program is given.
fn most_memories(program: &wengert_ir::kernel::Program) -> usize {
    let of = |m: &wengert_ir::kernel::MemRefDef| matches!(m.kind, wengert_ir::kernel::MemKind::Param(_));
    let launched = program.kernels.iter().filter(|(id, _)| *id != program.entry);
    launched.map(|(_, k)| k.mems.values().filter(|m| of(m)).count()).max().unwrap_or(0)
}

fn has_products(program: &wengert_ir::kernel::Program) -> bool {
    let text = program.to_string();
    text.contains("gemm") || text.contains("reference")
}

/// The corpus as WGSL, where there is Vulkan and a build with `wengert-gpu/wgpu`.
#[test]
fn the_corpus_on_vulkan() {
    let device = match wengert_gpu::drivers::open("wgpu:0") {
        Ok(device) => device,
        Err(why) => return skip("vulkan", &why.to_string()),
    };
    let (mut ran, mut same, mut refused) = (0, 0, BTreeMap::<String, Vec<String>>::new());
    for (name, traced, args) in programs().into_iter().filter(|p| !p.0.ends_with(", gradient")) {
        let Ok(program) = traced.lower().and_then(|l| l.gpu()) else { continue };
        let arrays: Vec<Array> = args.iter().map(Tensor::to_array).collect();
        let Ok(want) = interp::run(&program, &arrays) else { continue };
        let found = Executable::load(&device, &program).and_then(|executable| {
            executable.call_bytes(&arrays.iter().map(Array::bytes).collect::<Vec<_>>())
        });
        let found = match found {
            Ok(found) => found,
            Err(e) => {
                refused.entry(e.to_string()).or_default().push(name);
                continue;
            }
        };
        ran += 1;
        let mut equal = true;
        for (k, (bytes, want)) in found.iter().zip(&want).enumerate() {
            let found = Array::from_bytes(want.ty().clone(), bytes);
            equal &= agree(&found, want, None).is_ok();
            agree(&found, want, Some(BOUND)).unwrap_or_else(|e| panic!("{name}: result {k}: {e}"));
        }
        same += usize::from(equal);
    }
    eprintln!("{ran} programs on Vulkan, {same} of them with the interpreter's bits; refused: {refused:#?}");
    assert!(refused.is_empty() && ran > 90, "{ran} ran, refused: {refused:#?}");
}

/// What native code gives: bits, but for contractions.
#[test]
fn the_corpus_equals_native_code() {
    let device = wengert::Device::named("reference").expect("it is always there");
    let mut same = 0;
    let mut all = 0;
    for (name, traced, args) in programs() {
        let native = traced.lower().and_then(|l| l.compile()).and_then(|c| c.call(&args));
        let there = traced.compile_on(&device).and_then(|c| c.call(&args));
        let (Ok(native), Ok(there)) = (native, there) else { continue };
        all += 1;
        let mut equal = true;
        for (k, (a, b)) in there.iter().zip(&native).enumerate() {
            let (a, b) = (a.to_array(), b.to_array());
            equal &= agree(&a, &b, None).is_ok();
            let bound = if b.dtype() == DType::F64 { [1e-9; 2] } else { [1e-9, 2e-3] };
            agree(&a, &b, Some(bound)).unwrap_or_else(|e| panic!("{name}: result {k}: {e}"));
        }
        same += usize::from(equal);
    }
    eprintln!("{same} of {all} programs have native code's bits");
    assert!(same * 10 >= all * 8, "{same} of {all} have native code's bits");
}

/// The whole corpus assembles for Turing and Hopper, and next to nothing of it spills.
#[test]
fn the_corpus_assembles() {
    let assembler = match ptxas() {
        Ok(path) => path,
        Err(why) => return skip("ptxas", &why),
    };
    let (mut entries, mut most, mut shared, mut stack) = (0, (0, String::new()), 0, 0);
    let (mut spilling, mut spilled) = (Vec::new(), 0);
    for (k, (name, traced, _)) in programs().into_iter().enumerate() {
        let Ok(program) = traced.lower().and_then(|l| l.gpu()) else { continue };
        let Ok(module) = ptx::module(&program) else { continue };
        if module.entries.is_empty() {
            continue;
        }
        let target = if k % 2 == 0 { "sm_90" } else { "sm_75" };
        let used = assemble(&assembler, &module.text, target).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(used.len(), module.entries.len(), "{name}");
        for u in used {
            entries += 1;
            if u.spills > 0 {
                spilling.push(format!("{name}: {u:?}"));
                spilled = spilled.max(u.spills);
            }
            shared = shared.max(u.shared);
            stack = stack.max(u.stack);
            if u.registers > most.0 {
                most = (u.registers, format!("{name}: {}", u.entry));
            }
        }
    }
    eprintln!("{entries} entries; at most {most:?} registers, {shared} bytes shared, {stack} bytes of stack");
    eprintln!("{} spill, {spilled} bytes at most: {spilling:#?}", spilling.len());
    // One, whose straight line is the work of one thread.
    assert!(spilling.len() <= 1 && spilled <= 3000, "{spilling:#?}");
}

/// What a program does on the device: launches, elements that the host reads, bytes that kernels read and write, instructions.
#[derive(Debug)]
struct Work {
    launches: u64,
    read_backs: u64,
    read: u64,
    written: u64,
    instructions: u64,
}

fn work(f: impl Fn(Vec<Tensor>) -> Vec<Tensor> + Send + Sync + 'static, shapes: &[&[usize]]) -> Work {
    let mut random = wengert_ir::testing::Random(1);
    let args: Vec<Tensor> = shapes
        .iter()
        .map(|s| Tensor::from(random.array(&wengert::TensorType::new(DType::F32, s), -1.0, 1.0)))
        .collect();
    let traced = wengert::jit(f).trace((args.clone(),)).expect("traces");
    let program = traced.lower().and_then(|l| l.gpu()).expect("lowers");
    let (device, counts) = reference::device();
    let executable = Executable::load(&device, &program).expect("loads");
    let arrays: Vec<Array> = args.iter().map(Tensor::to_array).collect();
    executable.call_bytes(&arrays.iter().map(Array::bytes).collect::<Vec<_>>()).expect("runs");
    let host = device.counts();
    let c = *counts.lock().expect("counts");
    Work {
        launches: host.launches,
        read_backs: host.read_backs,
        read: c.read,
        written: c.written,
        instructions: c.instructions,
    }
}

/// Figures of `docs/gpu.md`: a chain and its gradient move the least bytes there are, in one launch.
#[test]
fn work_is_counted() {
    const N: u64 = 1 << 16;
    let chain = work(|x| vec![(x[0].sin() * x[0].exp() + 1.0).log()], &[&[N as usize]]);
    eprintln!("chain: {chain:?}, {} instructions per element", chain.instructions / N);
    assert_eq!((chain.launches, chain.read_backs, chain.read, chain.written), (1, 0, 4 * N, 4 * N));
    let gradient = work(
        |x| {
            let f = |x: Tensor| (x.sin() * x.exp() + 3.0).log().sum();
            vec![wengert::grad(f)(x[0].clone())]
        },
        &[&[N as usize]],
    );
    eprintln!("gradient: {gradient:?}, {} instructions per element", gradient.instructions / N);
    assert_eq!((gradient.launches, gradient.read_backs), (1, 0));
    assert_eq!((gradient.read, gradient.written), (4 * N, 4 * N));
    let softmax = |x: Vec<Tensor>| {
        let loss = |x: Tensor| -(wengert::nn::log_softmax(&x, -1) * 0.5).mean();
        let (value, gradient) = wengert::value_and_grad(loss)(x[0].clone());
        vec![value, gradient]
    };
    let softmax = work(softmax, &[&[64, 512]]);
    eprintln!("softmax loss and gradient of 64 x 512: {softmax:?}");
    assert_eq!(softmax.read_backs, 0);
}

/// The report of a device, of a part of it: what it says of the interpreter of PTX text, and that large arrays move what they must.
#[test]
fn a_device_is_reported() {
    let (device, _) = reference::device();
    let rows: Vec<device_report::Row> = device_report::entries()
        .iter()
        .filter(|entry| entry.name.starts_with("nn_"))
        .chain(&device_report::large(1 << 12))
        .map(|entry| device_report::row(&device, entry, true))
        .collect();
    assert!(rows.len() > 8, "{} programs", rows.len());
    for row in &rows {
        assert!(matches!(row.verdict, Verdict::Same | Verdict::Near), "{}: {:?}", row.name, row.verdict);
        assert!(row.counts[0] > 0 && row.work[0] > 0, "{} launches nothing", row.name);
    }
    let text = device_report::markdown("Here", &rows);
    assert!(text.contains("0 are wrong, 0 are refused"), "{text}");
    assert_eq!(device_report::raw(&rows).lines().count(), rows.len() + 1);
    let moved =
        |name: &str| rows.iter().find(|r| r.name.starts_with(name)).map(|r| (r.work[0] + r.work[1], r.least));
    for name in ["chain of functions", "transpose"] {
        let (moved, least) = moved(name).expect("it is there");
        assert_eq!(moved, least, "{name}");
    }
    let (fine, wrong) = device_report::random(&device, 200);
    assert!(fine > 150 && wrong.is_empty(), "{fine} agree, {wrong:?}");
}
