//! Programs of one kernel, their inputs, and the comparison of compiled code with the kernel interpreter.

#![allow(dead_code, reason = "each test binary uses a part")]

use wengert_cpu::{Executable, Options, Wide};
use wengert_ir::array::Array;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{KValue, KernelId, Mem, MemDef, MemKind, MemRef, Place, Program, Scalar};
use wengert_ir::types::{DType, Dims, FloatMode, TensorType};
use wengert_passes::lower;
use wengert_passes::pipeline::Pipeline;

/// Every scalar type.
pub(crate) const SCALARS: [Scalar; 7] =
    [Scalar::F64, Scalar::F32, Scalar::I64, Scalar::I32, Scalar::I16, Scalar::I8, Scalar::I1];

pub(crate) fn dtype(ty: Scalar) -> DType {
    match ty {
        Scalar::F64 => DType::F64,
        Scalar::F32 => DType::F32,
        Scalar::I64 => DType::I64,
        Scalar::I32 => DType::I32,
        Scalar::I16 => DType::I16,
        Scalar::I8 => DType::I8,
        Scalar::I1 => DType::I1,
    }
}

/// A program being put together: its memories and its entry kernel.
pub(crate) struct Maker {
    pub(crate) program: Program,
    pub(crate) b: KernelBuilder,
}

impl Maker {
    pub(crate) fn new() -> Self {
        let program = Program {
            name: "main".into(),
            mode: FloatMode::Exact,
            params: vec![],
            results: vec![],
            mems: EntityVec::new(),
            kernels: EntityVec::new(),
            entry: EntityVec::<KernelId, ()>::new().next_key(),
            scratch: 0,
        };
        Self { program, b: KernelBuilder::new("main", &[]).0 }
    }

    pub(crate) fn mem(&mut self, elem: Scalar, len: usize, place: Place) -> Mem {
        self.program.mems.push(MemDef { elem, shape: Dims::from_slice(&[len]), place })
    }

    fn bound(&mut self, elem: Scalar, len: usize, place: Place) -> MemRef {
        let mem = self.mem(elem, len, place);
        self.b.mem(elem, len, MemKind::Program(mem))
    }

    pub(crate) fn param(&mut self, elem: Scalar, len: usize) -> MemRef {
        self.program.params.push(TensorType::new(dtype(elem), &[len]));
        let number = self.program.params.len() as u32 - 1;
        self.bound(elem, len, Place::Param(number))
    }

    pub(crate) fn result(&mut self, elem: Scalar, len: usize) -> MemRef {
        self.program.results.push(TensorType::new(dtype(elem), &[len]));
        let number = self.program.results.len() as u32 - 1;
        self.bound(elem, len, Place::Result(number))
    }

    pub(crate) fn scratch(&mut self, elem: Scalar, len: usize) -> MemRef {
        let at = self.program.scratch;
        self.program.scratch = (at + len * elem.size()).next_multiple_of(64);
        self.bound(elem, len, Place::Scratch(at))
    }

    pub(crate) fn constant(&mut self, elem: Scalar, bytes: &[u8]) -> MemRef {
        self.bound(elem, bytes.len() / elem.size(), Place::Constant(bytes.into()))
    }

    pub(crate) fn local(&mut self, elem: Scalar, len: usize) -> MemRef {
        self.b.mem(elem, len, MemKind::Local)
    }

    /// A stack whose rows have `len` elements.
    pub(crate) fn stack(&mut self, elem: Scalar, len: usize) -> MemRef {
        self.bound(elem, len, Place::Stack)
    }

    pub(crate) fn int(&mut self, value: i64) -> KValue {
        self.b.bits(Scalar::I64, value as u64)
    }

    /// The program; other kernels go before, so the entry is the last one.
    pub(crate) fn finish(mut self) -> Program {
        self.program.entry = self.program.kernels.push(self.b.finish());
        self.program
    }
}

/// A reproducible stream of words.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// An element: one in four is a special value, the rest are ordinary numbers.
pub(crate) fn element(ty: Scalar, random: &mut Random) -> u64 {
    let (word, special) = (random.next(), random.next());
    let small = (word % 2001) as f64 / 100.0 - 10.0;
    match ty {
        Scalar::F64 if special % 4 == 0 => {
            let all = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                1.5,
                2.5,
                -2.5,
                f64::NAN,
                f64::INFINITY,
                -f64::INFINITY,
                5e-324,
                1e300,
                -1e300,
                f64::MIN_POSITIVE,
                2147483648.5,
                -2147483649.5,
                1e19,
                -9.3e18,
            ];
            all[word as usize % all.len()].to_bits()
        }
        Scalar::F64 => small.to_bits(),
        Scalar::F32 if special % 4 == 0 => {
            let all = [
                0.0f32,
                -0.0,
                1.0,
                -1.0,
                0.5,
                1.5,
                2.5,
                -2.5,
                f32::NAN,
                f32::INFINITY,
                -f32::INFINITY,
                1e-45,
                1e38,
                -1e38,
                f32::MIN_POSITIVE,
                2147483648.5,
                -2147483904.0,
                1e19,
                -9.3e18,
            ];
            u64::from(all[word as usize % all.len()].to_bits())
        }
        Scalar::F32 => u64::from((small as f32).to_bits()),
        Scalar::I1 => word & 1,
        Scalar::I64 | Scalar::I32 | Scalar::I16 | Scalar::I8 => match special % 4 {
            0 => [
                0,
                1,
                u64::MAX,
                1 << 63,
                i64::MAX as u64,
                1 << 31,
                i32::MAX as u64,
                0x8000,
                0x80,
                31,
                32,
                63,
                64,
                33,
            ][word as usize % 14],
            1 => word,
            _ => (word % 41).wrapping_sub(20),
        },
    }
}

pub(crate) fn elements(ty: Scalar, len: usize, random: &mut Random) -> Vec<u8> {
    (0..len).flat_map(|_| element(ty, random).to_le_bytes()[..ty.size()].to_vec()).collect()
}

pub(crate) fn inputs(program: &Program, seed: u64) -> Vec<Array> {
    let mut random = Random(seed);
    let scalar = |t: &TensorType| SCALARS.into_iter().find(|&s| dtype(s) == t.dtype).expect("a scalar type");
    program
        .params
        .iter()
        .map(|t| Array::from_bytes(t.clone(), &elements(scalar(t), t.elements(), &mut random)))
        .collect()
}

/// Runs compiled code.
pub(crate) fn run(program: &Program, options: &Options, args: &[Array]) -> Vec<Array> {
    let executable = Executable::compile(program, options)
        .unwrap_or_else(|e| panic!("{e}\n{}", wengert_cpu::clif(program, options).unwrap_or_default()));
    call(&executable, program, args)
}

pub(crate) fn call(executable: &Executable, program: &Program, args: &[Array]) -> Vec<Array> {
    let mut results: Vec<Array> =
        program.results.iter().map(|t| Array::from_bytes(t.clone(), &vec![0xff; t.bytes()])).collect();
    let args: Vec<&[u8]> = args.iter().map(|a| a.bytes()).collect();
    let mut slices: Vec<&mut [u8]> = results.iter_mut().map(|r| r.bytes_mut()).collect();
    executable.call(&args, &mut slices).expect("the call succeeds");
    results
}

/// Bits with every NaN the same.
pub(crate) fn canonical(array: &Array) -> Vec<u64> {
    let size = array.dtype().size();
    array
        .bytes()
        .chunks_exact(size)
        .map(|c| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(c);
            let word = u64::from_le_bytes(word);
            match array.dtype() {
                DType::F64 if f64::from_bits(word).is_nan() => f64::NAN.to_bits(),
                DType::F32 if f32::from_bits(word as u32).is_nan() => u64::from(f32::NAN.to_bits()),
                _ => word,
            }
        })
        .collect()
}

#[track_caller]
pub(crate) fn assert_same(found: &[Array], expected: &[Array], args: &[Array], what: &str) {
    assert_eq!(found.len(), expected.len());
    for (k, (f, e)) in found.iter().zip(expected).enumerate() {
        let (fc, ec) = (canonical(f), canonical(e));
        if let Some(i) = (0..fc.len()).find(|&i| fc[i] != ec[i]) {
            let at: Vec<String> =
                args.iter().map(|a| canonical(a).get(i).map_or("-".into(), |w| format!("{w:#x}"))).collect();
            panic!(
                "{what}: result {k} at {i}: compiled {:#x}, interpreted {:#x}; arguments there {at:?}",
                fc[i], ec[i]
            );
        }
    }
}

/// Compiled code under every option gives what the kernel interpreter gives.
#[track_caller]
pub(crate) fn check(program: &Program, args: &[Array], what: &str) {
    // Some programs here are not valid: truth values have no arithmetic.
    if wengert_ir::kernel::verify::verify(program).is_err() {
        assert!(
            Executable::compile(program, &Options::default()).is_err(),
            "{what}: compiled without a proof"
        );
        return;
    }
    let expected = wengert_ir::kernel::interp::run(program, args).unwrap_or_else(|e| panic!("{what}: {e}"));
    let tiled = wengert_cpu::tiled(program);
    // That its accesses stay in their memory follows from the program it is made of; the interpreter watches over it.
    let errors = wengert_ir::kernel::verify::verify(&tiled).err().unwrap_or_default();
    let errors: Vec<_> = errors.iter().filter(|e| !e.contains("access to")).collect();
    assert!(errors.is_empty(), "{what}: {errors:?}\n{tiled}");
    let found =
        wengert_ir::kernel::interp::run(&tiled, args).unwrap_or_else(|e| panic!("{what}, tiled: {e}"));
    assert_same(&found, &expected, args, &format!("{what}, cut into tiles and interpreted"));
    for (vectors, tiles, wide) in [
        (false, false, None),
        (true, false, None),
        (true, true, None),
        (true, false, Some(Wide::Ymm)),
        (true, true, Some(Wide::Ymm)),
        (true, false, Some(Wide::Zmm)),
        (true, true, Some(Wide::Zmm)),
    ] {
        let options = Options { vectors, tiles, wide, ..Options::default() };
        let found = run(program, &options, args);
        assert_same(&found, &expected, args, &format!("{what}, vectors {vectors}, tiles {tiles}, {wide:?}"));
    }
}

/// What a function of tensor IR gives in the reference interpreter, in kernels as they are and in compiled code, with small
/// tensors in registers and in memory.
#[track_caller]
pub(crate) fn all_ways(
    module: &Module,
    func: FuncId,
    args: &[Array],
    what: &str,
) -> Vec<(String, Vec<Array>)> {
    let found = interp::run(module, func, args, &Limits::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let mut out = vec![("interpreted".to_owned(), found)];
    let mut module = module.clone();
    let func = Pipeline::default().run(&mut module, func, &mut |_| {});
    for registers in [None, Some(1)] {
        let options = lower::Options { registers, ..lower::Options::default() };
        let program = lower::lower(&module, func, &options).unwrap_or_else(|e| panic!("{what}: {e}"));
        let found = wengert_ir::kernel::interp::run(&program, args).unwrap_or_else(|e| panic!("{what}: {e}"));
        out.push((format!("lowered, registers {registers:?}"), found));
        out.push((format!("compiled, registers {registers:?}"), run(&program, &Options::default(), args)));
    }
    out
}
