//! Drivers: nothing is written beside a buffer, what is not there says so, and the interpreter of PTX finds what a GPU would not.

mod common;

use common::{array, elementwise, words};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wengert_gpu::device::{Buffer, Code, Driver, Launch};
use wengert_gpu::drivers::{self, reference::Reference};
use wengert_gpu::ptx::interp::{Code as Text, Launch as Words, Memory, run};
use wengert_gpu::{Device, Error, Executable};
use wengert_ir::kernel::{KBinary, KOp, Program, Scalar};

/// Bytes before and after each buffer that nobody may touch.
const ZONE: usize = 256;
const PATTERN: u8 = 0xa5;

/// A driver that puts zones around the buffers of another, and looks at them.
struct Guarded {
    inner: Box<dyn Driver>,
    sizes: BTreeMap<u64, usize>,
}

impl Guarded {
    fn device(inner: Box<dyn Driver>) -> Device {
        Device::new("guarded", "a driver with zones", Box::new(Guarded { inner, sizes: BTreeMap::new() }))
    }

    fn look(&mut self) -> Result<(), Error> {
        for (&buffer, &size) in &self.sizes {
            for at in [0, ZONE + size] {
                let mut zone = [0; ZONE];
                self.inner.read(Buffer(buffer), at, &mut zone)?;
                assert!(
                    zone.iter().all(|&b| b == PATTERN),
                    "a write beside a buffer of {size} bytes, at {at}"
                );
            }
        }
        Ok(())
    }
}

impl Driver for Guarded {
    fn allocate(&mut self, bytes: usize) -> Result<Buffer, Error> {
        let buffer = self.inner.allocate(bytes + 2 * ZONE)?;
        self.inner.write(buffer, 0, &vec![PATTERN; bytes + 2 * ZONE])?;
        self.sizes.insert(buffer.0, bytes);
        Ok(buffer)
    }
    fn free(&mut self, buffer: Buffer) {
        self.sizes.remove(&buffer.0);
        self.inner.free(buffer);
    }
    fn write(&mut self, buffer: Buffer, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        assert!(offset + bytes.len() <= self.sizes[&buffer.0]);
        self.inner.write(buffer, offset + ZONE, bytes)
    }
    fn read(&mut self, buffer: Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        assert!(offset + bytes.len() <= self.sizes[&buffer.0]);
        self.look()?;
        self.inner.read(buffer, offset + ZONE, bytes)
    }
    fn copy(&mut self, from: Buffer, to: Buffer, bytes: usize) -> Result<(), Error> {
        let mut all = vec![0; bytes];
        self.inner.read(from, ZONE, &mut all)?;
        self.inner.write(to, ZONE, &all)
    }
    fn load(&mut self, program: &Program) -> Result<Code, Error> {
        self.inner.load(program)
    }
    fn unload(&mut self, code: Code) {
        self.inner.unload(code);
    }
    fn launch(&mut self, code: Code, launch: &Launch) -> Result<(), Error> {
        let mems = launch.mems.iter().map(|&(b, offset)| (b, offset + ZONE)).collect();
        self.inner.launch(code, &Launch { mems, ..launch.clone() })
    }
    fn wait(&mut self) -> Result<(), Error> {
        self.inner.wait()
    }
}

/// Programs of every element type, of lengths that fill no block.
fn guarded(device: &Device) {
    for ty in common::TYPES {
        for n in [1, 3, 31, 33, 65] {
            let op = if ty == Scalar::I1 { KBinary::Xor } else { KBinary::Add };
            let program = elementwise(&[ty, ty], &[ty], n, |b, x| vec![b.op(KOp::Binary(op), x, ty)]);
            let all: Vec<u64> = words(ty).into_iter().cycle().take(n).collect();
            let executable = Executable::load(device, &program).unwrap_or_else(|e| panic!("{e}"));
            let x = array(ty, &all);
            let out = executable.call_bytes(&[x.bytes(), x.bytes()]).unwrap_or_else(|e| panic!("{e}"));
            let want = wengert_ir::kernel::interp::run(&program, &[x.clone(), x]).expect("runs");
            let found = wengert_ir::array::Array::from_bytes(want[0].ty().clone(), &out[0]);
            assert_eq!(common::canonical(&found), common::canonical(&want[0]), "{n} of {ty:?}");
        }
    }
    device.wait().expect("well");
}

#[test]
fn nothing_is_written_beside_buffers() {
    guarded(&Guarded::device(Box::<Reference>::default()));
}

#[cfg(feature = "wgpu")]
#[test]
fn nothing_is_written_beside_buffers_of_wgpu() {
    match drivers::wgpu::driver(0) {
        Ok((_, driver)) => guarded(&Guarded::device(driver)),
        Err(why) => wengert_ir::testing::skip("vulkan", &why.to_string()),
    }
}

#[test]
fn devices_that_are_not_there() {
    for name in ["gpu:9", "wgpu:99", "gpu:-1", "tpu", "gpu", "reference:0", ""] {
        let why = drivers::open(name).expect_err(name).to_string();
        assert!(!why.is_empty() && !why.contains('\n'), "{name}: {why}");
    }
    assert_eq!(drivers::open("reference").expect("there"), drivers::open("reference").expect("there"));
    assert!(drivers::list().iter().any(|(name, found)| name == "reference" && found.is_ok()));
}

#[test]
fn arguments_of_another_device_are_refused() {
    let program = elementwise(&[Scalar::F32], &[Scalar::F32], 4, |_, x| x.to_vec());
    let (here, _) = drivers::reference::device();
    let (there, _) = drivers::reference::device();
    let executable = Executable::load(&here, &program).expect("loads");
    let memory = there.upload(&[0; 16]).expect("room");
    let why = executable.call(&[&memory]).expect_err("elsewhere").to_string();
    assert!(why.contains(".to(&device)"), "{why}");
    let short = here.upload(&[0; 12]).expect("room");
    assert!(executable.call(&[&short]).expect_err("short").to_string().contains("16 bytes"));
    assert!(executable.call(&[]).expect_err("none").to_string().contains("1 arguments"));
}

fn text(body: &str) -> String {
    format!(
        ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry k(\n\t.param .u64 m0\n)\n.reqntid 2, 1, 1\n{{\n\
         \t.reg .pred %p<9>;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %q<9>;\n\tld.param.u64 %q1, [m0];\n{body}\n\tret;\n}}\n"
    )
}

fn runs(body: &str) -> Result<(), String> {
    let code = Text::parse(&text(body))?;
    let mut memory = Memory::default();
    let params = vec![memory.allocate(64)];
    let launch = Words { grid: [1; 3], block: [2, 1, 1], params };
    run(code.entry("k").expect("there"), &mut memory, &launch, 1000).map(|_| ())
}

/// The interpreter is strict where a GPU is not.
#[test]
fn the_interpreter_is_strict() {
    assert_eq!(runs("\tst.global.b32 [%q1+60], 1;"), Ok(()));
    for (body, part) in [
        ("\tst.global.b32 [%q1+64], 1;", "in no buffer"),
        ("\tld.global.b64 %q2, [%q1+-8];", "in no buffer"),
        ("\tst.global.b32 [%q1+2], 1;", "not aligned"),
        ("\tmov.b32 %r1, 0;\n\tdiv.s32 %r2, 5, %r1;", "leaves open"),
        ("\tdiv.s32 %r2, -2147483648, -1;", "leaves open"),
        ("$L1:\n\tbra $L1;", "more than 1000"),
        (
            "\tmov.u32 %r1, %tid.x;\n\tsetp.eq.u32 %p1, %r1, 0;\n\t@%p1 bra $L1;\n\tbar.sync 0;\n$L1:",
            "two places",
        ),
        ("\tbra $L7;", "no such label"),
        ("\tadd.rn.ftz.f32 %r1, %r2, %r3;", "do not print"),
        ("\tsin.approx.f32 %r1, %r2;", "do not print"),
        ("\tadd.s32 %r1, %r2;", "operands are needed"),
        ("\tadd.s32 %r1, %r2, %x3;", "what is"),
        ("\tld.shared.b32 %r1, [0];", "outside of Shared"),
    ] {
        let why = runs(body).expect_err(body);
        assert!(why.contains(part), "{body}: {why}");
    }
}

/// A driver that gives buffers, and nothing else: how many, and how many of them are freed.
#[derive(Default)]
struct Nowhere {
    given: u64,
    freed: Arc<AtomicU64>,
    /// Bytes that there is room for, if that is limited, and those of the buffers that are out.
    room: Option<usize>,
    out: BTreeMap<u64, usize>,
}

impl Driver for Nowhere {
    fn allocate(&mut self, bytes: usize) -> Result<Buffer, Error> {
        let out: usize = self.out.values().sum();
        if self.room.is_some_and(|room| out + bytes > room) {
            return Err(Error::Memory { device: String::new(), bytes });
        }
        self.given += 1;
        self.out.insert(self.given, bytes);
        Ok(Buffer(self.given))
    }
    fn free(&mut self, buffer: Buffer) {
        assert!(self.out.remove(&buffer.0).is_some(), "freed once");
        self.freed.fetch_add(1, Ordering::Relaxed);
    }
    fn write(&mut self, _: Buffer, _: usize, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }
    fn read(&mut self, _: Buffer, _: usize, _: &mut [u8]) -> Result<(), Error> {
        Ok(())
    }
    fn copy(&mut self, _: Buffer, _: Buffer, _: usize) -> Result<(), Error> {
        Ok(())
    }
    fn load(&mut self, _: &Program) -> Result<Code, Error> {
        Err(Error::Refused("nothing runs here".into()))
    }
    fn unload(&mut self, _: Code) {}
    fn launch(&mut self, _: Code, _: &Launch) -> Result<(), Error> {
        Ok(())
    }
    fn wait(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// What goes back to the pool is given again however much has passed through it: only what lies there unused counts towards
/// what a device keeps.
#[test]
fn the_pool_keeps_what_is_used_again() {
    let driver = Nowhere::default();
    let freed = driver.freed.clone();
    let device = Device::new("pool", "one pool", Box::new(driver));
    let allocations = || device.counts().allocations;
    // Twice as many bytes as are kept at most, a few at a time.
    for _ in 0..64 {
        drop(device.allocate(32 << 20).expect("there is room"));
    }
    assert_eq!((allocations(), freed.load(Ordering::Relaxed)), (1, 0));
    // More at once than are kept: what does not lie there is asked for anew, and no more.
    for round in 0..3 {
        let before = allocations();
        let all: Vec<_> = (0..40).map(|_| device.allocate(32 << 20).expect("there is room")).collect();
        drop(all);
        assert_eq!(allocations() - before, if round == 0 { 39 } else { 8 });
        assert_eq!(freed.load(Ordering::Relaxed), 8 * (round + 1));
    }
}

/// Where a device is full, what its pool keeps is freed, and the pool begins anew: what is given back to it later is kept again.
#[test]
fn a_full_device_takes_from_its_pool() {
    let driver = Nowhere { room: Some(1_000 << 20), ..Nowhere::default() };
    let freed = driver.freed.clone();
    let device = Device::new("full", "room for a thousand", Box::new(driver));
    let allocations = || device.counts().allocations;
    let allocate = |megabytes: usize| device.allocate(megabytes << 20).expect("there is room");
    // Each size is asked for where the pool is full of the one before.
    for (each, count) in [(32usize, 31), (64, 15), (48, 20), (16, 62), (32, 31)] {
        let all: Vec<_> = (0..count).map(|_| allocate(each)).collect();
        drop(all);
        let (before, gone) = (allocations(), freed.load(Ordering::Relaxed));
        let again: Vec<_> = (0..count).map(|_| allocate(each)).collect();
        assert_eq!((allocations(), freed.load(Ordering::Relaxed)), (before, gone), "{each} megabytes");
        drop(again);
    }
    let most = device.allocate(1_001 << 20).expect_err("more than there is room for");
    assert!(most.to_string().contains("full"), "{most}");
}
