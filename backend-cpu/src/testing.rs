//! Support for this crate's tests: parts that its interface does not show. Not part of the public interface.

use crate::cache::{CodeCache, Key};
use crate::codegen::declare::routine_signature;
use crate::codegen::object::{ObjectOptions, object_kernels};
use crate::codegen::{compile_function, empty_module, formula, image, isa};
use crate::options::{CompileError, Options};
use crate::runtime::entry::{Routine, Shape};
use crate::runtime::product::Product;
use crate::runtime::{Status, pool, thin};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{Function, UserFuncName};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, ModuleReloc, ModuleRelocTarget};
use std::panic::{AssertUnwindSafe, catch_unwind};
use target_lexicon::Triple;
use wengert_ir::kernel::{KInst, KOp, Library, Program, Scalar};
use wengert_ir::math::{MathFn, MathFn2};

pub use crate::runtime::stacks::Stack;

/// What `f` gives, with vectors of at most 256 bits in products that this thread makes.
pub fn with_narrow_vectors<R>(f: impl FnOnce() -> R) -> R {
    crate::runtime::direct::with_narrow_vectors(f)
}

/// Runs `work(0)`, `work(1)`, .. on the threads of the process; gives the first status that is not 0, if any. A piece that panics
/// gives [`Status::Panic`].
pub fn run_pieces(pieces: usize, work: &(dyn Fn(usize) -> i32 + Sync)) -> i32 {
    pool::run(pieces, &|piece| {
        // Nothing may unwind out of a piece, what was thrown least of all when it is dropped.
        catch_unwind(AssertUnwindSafe(|| work(piece))).unwrap_or_else(|thrown| {
            std::mem::forget(thrown);
            Status::Panic as i32
        })
    })
}

/// A buffer as calls have it: between pages that nobody may touch. `None` if the machine has no more memory.
#[cfg(feature = "guard-pages")]
pub fn guarded(len: usize) -> Option<impl std::ops::DerefMut<Target = [u8]>> {
    crate::runtime::buffer::take(len)
}

/// All that the code of a program depends on, on a machine, as a cache has it.
///
/// # Errors
/// If there is no code for the machine.
pub fn key(
    program: &Program,
    options: &Options,
    triple: &Triple,
    cpu: isa::Cpu,
) -> Result<Vec<u8>, CompileError> {
    Ok(Key::new(program, options, &isa::target(triple, cpu)?).0)
}

/// Whether a cache takes back the code of a program once `change` has had its hand in what the code refers to: name spaces and numbers.
///
/// # Errors
/// If the program cannot be compiled.
pub fn is_taken_back(
    cache: &CodeCache,
    program: &Program,
    options: &Options,
    change: impl FnOnce(&mut [(u32, u32)]),
) -> Result<bool, CompileError> {
    let host = isa::host()?;
    let mut module = empty_module(host);
    let image = image(program, options, &mut module);
    // SAFETY: nothing was defined in the module, so no pointer into its memory exists.
    unsafe { module.free_memory() };
    let mut image = image?;
    let relocs = || image.codes.iter().flat_map(|code| &code.relocs);
    let name = |reloc: &ModuleReloc| {
        let ModuleRelocTarget::User { namespace, index } = reloc.name else { return None };
        Some((namespace, index))
    };
    let mut names: Vec<(u32, u32)> = relocs().filter_map(name).collect();
    change(&mut names);
    let mut changed = names.into_iter();
    for reloc in image.codes.iter_mut().flat_map(|code| &mut code.relocs) {
        if name(reloc).is_some() {
            let (namespace, index) = changed.next().expect("as many");
            reloc.name = ModuleRelocTarget::User { namespace, index };
        }
    }
    let key = Key::new(program, options, host);
    cache.store(&key, &image);
    Ok(cache.load(&key, program).is_some())
}

/// The kernels that an object of this program is made of.
pub fn kernels_of_object(program: &Program, options: &ObjectOptions) -> Result<Program, CompileError> {
    object_kernels(program, options)
}

/// What vectors lie along in each product that the entry kernel calls for: `Rows` or `Sum` of the longer factor where the other has few
/// columns, and nothing else.
pub fn thin_products(program: &Program) -> Vec<String> {
    let product = |inst: &KInst| {
        let KOp::Library(library) = &inst.op else { return None };
        let Library::Gemm { elem, sizes, rows, depth, a, b, c, adds } = &**library else { return None };
        let p = Product::new(*elem, *sizes, [rows, depth], [a, b, c], *adds);
        let turned = || p.is_even.then(|| thin::along(&p.transposed())).flatten();
        Some(format!("{:?}", thin::along(&p).or_else(turned)))
    };
    program.kernels[program.entry].body.insts.iter().filter_map(product).collect()
}

/// A function of two numbers, of which those of one leave out the second, and those of singles round both.
pub type OfNumbers<'f> = &'f dyn Fn(f64, f64) -> f64;

/// Shows every routine of the math library that object files have as a formula: its name, the formula in machine code, and what the
/// library has.
pub fn formulas(look: &mut dyn FnMut(&str, [OfNumbers<'_>; 2])) {
    let host = isa::host().expect("this machine");
    for ty in [Scalar::F32, Scalar::F64] {
        let one = MathFn::ALL.iter().map(|&f| Routine::Math(f, ty));
        let two = MathFn2::ALL.iter().map(|&f| Routine::Math2(f, ty));
        for routine in one.chain(two).chain([Routine::NextAfter(ty), Routine::Remainder(ty)]) {
            let names = cranelift_module::default_libcall_names();
            let mut module = JITModule::new(JITBuilder::with_isa(host.balanced.clone(), names));
            let signature = routine_signature(routine.shape(), host.balanced.default_call_conv());
            let id = module.declare_anonymous_function(&signature).expect("declared");
            let mut context = Context::new();
            context.func = Function::with_name_signature(UserFuncName::default(), signature);
            let (frontend, config) = (&mut FunctionBuilderContext::new(), host.balanced.frontend_config());
            assert!(
                formula::build(routine, &mut context.func, frontend, config),
                "{routine:?} is no formula"
            );
            let code = compile_function(&host.balanced, &mut context).expect("compiled");
            module.define_function_bytes(id, code.align, &code.bytes, &code.relocs).expect("defined");
            module.finalize_definitions().expect("finished");
            let (ours, library) = (module.get_finalized_function(id) as usize, routine.address());
            let shape = routine.shape();
            // SAFETY: the function has the routine's shape, and the module, which is alive.
            let ours = |x: f64, y: f64| unsafe { call(shape, ours, x, y) };
            // SAFETY: the routine has its shape, and is there always.
            let library = |x: f64, y: f64| unsafe { call(shape, library, x, y) };
            look(&format!("{routine:?}"), [&ours, &library]);
            // SAFETY: who looked has kept neither function, and nothing else points into the module.
            unsafe { module.free_memory() };
        }
    }
}

/// # Safety
/// `f` is the address of a function of this shape.
unsafe fn call(shape: Shape, f: usize, x: f64, y: f64) -> f64 {
    type F1<T> = extern "C" fn(T) -> T;
    type F2<T> = extern "C" fn(T, T) -> T;
    // SAFETY: our contract.
    unsafe {
        match shape {
            Shape::F64x1 => std::mem::transmute::<usize, F1<f64>>(f)(x),
            Shape::F64x2 => std::mem::transmute::<usize, F2<f64>>(f)(x, y),
            Shape::F32x1 => std::mem::transmute::<usize, F1<f32>>(f)(x as f32).into(),
            Shape::F32x2 => std::mem::transmute::<usize, F2<f32>>(f)(x as f32, y as f32).into(),
            Shape::Words(_) | Shape::Void(_) => unreachable!("no formula"),
        }
    }
}
