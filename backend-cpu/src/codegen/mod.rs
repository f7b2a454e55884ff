//! The driver: a program becomes one module of machine code.
//!
//! All kernels are declared, then built one by one and compiled, by several threads where that pays, then linked and
//! made executable together.

mod addresses;
mod clif;
pub(crate) mod declare;
mod donate;
pub(crate) mod form;
pub(crate) mod formula;
mod frames;
mod function;
pub(crate) mod isa;
mod lanes;
pub(crate) mod link;
mod memory;
pub(crate) mod object;
mod outline;
pub(crate) mod refusal;
mod remainder;
mod scalar;
mod segments;
mod shared;
mod simd;
pub(crate) mod survey;
mod tiles;
mod variation;
mod vector;
mod wide;
mod workers;

use crate::cache::{CodeCache, Key};
use crate::loops::with_functions;
use crate::options::{CompileError, Options, Wide};
use crate::runtime::data::Data;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_codegen::{Context as CodegenContext, FinalizedMachReloc};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc};
use declare::{Declared, declare, piece_signature};
use link::{Code, Image, Outside};
use std::borrow::Cow;
use std::cell::RefCell;
use tiles::Functions;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{KOp, KernelId, Mem, Place, Program, count};

/// Whether this machine multiplies and adds in one instruction: if not, programs should not be contracted.
pub fn fuses() -> bool {
    isa::host().is_ok_and(|host| isa::fuses(&host.balanced))
}

/// What a compilation gives; `entry` lives in `module`.
pub(crate) struct Compiled {
    pub(crate) module: JITModule,
    pub(crate) entry: *const u8,
    /// What the code refers to.
    pub(crate) data: Data,
    pub(crate) code_size: usize,
    /// Arguments with the result that may have their memory.
    pub(crate) donations: Vec<(u32, u32)>,
}

/// What all functions of a program share while they are built.
pub(crate) struct Env<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    pub(crate) functions: EntityVec<KernelId, Declared>,
    pub(crate) outside: Outside,
    pub(crate) host: &'a isa::Host,
    /// Functions that Cranelift did not make.
    pub(crate) outlined: Vec<Outlined>,
    /// Whether somebody will read them.
    pub(crate) lists: bool,
    pub(crate) linkage: Linkage,
}

/// A function that Cranelift did not make.
pub(crate) struct Outlined {
    pub(crate) id: FuncId,
    pub(crate) bytes: Vec<u8>,
    /// Its listing, if one is made.
    pub(crate) text: String,
}

/// How code refers to what it does not contain.
pub(crate) enum Linkage {
    /// By address: it runs in this process.
    Process,
    /// By symbol: it goes into an object file.
    Object(object::Symbols),
}

impl Env<'_> {
    /// The vectors of inner loops, if longer than 128 bits.
    pub(crate) fn wide(&self) -> Option<Wide> {
        self.options.wide_of(self.host.wide)
    }

    /// Which of the program's stacks a memory is.
    pub(crate) fn stack_number(&self, mem: Mem) -> usize {
        let mut stacks = self.program.mems.iter().filter(|(_, def)| def.place == Place::Stack);
        stacks.position(|(stack, _)| stack == mem).expect("a stack of the program")
    }
}

/// Reused between compilations of a thread, for their allocations.
#[derive(Default)]
struct Workspace {
    context: Option<CodegenContext>,
    builder: FunctionBuilderContext,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Compiles a program into fresh executable memory, or takes its code from a cache.
pub(crate) fn compile(
    program: &Program,
    options: &Options,
    cache: Option<&CodeCache>,
) -> Result<Compiled, CompileError> {
    let host = isa::host()?;
    // Code is made, kept and taken for programs that stay in their memory only.
    check(program)?;
    let mut module = empty_module(host);
    let cache = cache.map(|cache| (cache, Key::new(program, options, host)));
    let kept = cache.as_ref().and_then(|(cache, key)| cache.load(key, program));
    let image = match kept {
        Some(kept) => {
            let signature = module.make_signature();
            for _ in &kept.codes {
                let declared = module.declare_anonymous_function(&signature);
                declared.map_err(|e| CompileError { kernel: None, message: e.to_string() })?;
            }
            kept
        }
        None => {
            let image = image(program, options, &mut module)?;
            if let Some((cache, key)) = &cache {
                cache.store(key, &image);
            }
            image
        }
    };
    let (code_size, donations) = (image.code_size(), image.donations.clone());
    let (entry, data) = image.link(program, &mut module)?;
    Ok(Compiled { module, entry, data, code_size, donations })
}

/// Refuses a program that might leave its memory, or that the code generator does not understand.
pub(crate) fn check(program: &Program) -> Result<(), CompileError> {
    wengert_ir::kernel::verify::verify(program).map_err(|errors| {
        let more = match errors.len() {
            0 | 1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let first = errors.into_iter().next().unwrap_or_default();
        CompileError { kernel: None, message: format!("the kernel program is not valid: {first}{more}") }
    })?;
    for kernel in program.kernels.values() {
        let mut launches = false;
        kernel.body.visit(&mut |inst| launches |= matches!(inst.op, KOp::Launch { .. }));
        if launches {
            let message = "it launches kernels on a GPU: programs for the CPU are lowered for a CPU".into();
            return Err(CompileError { kernel: Some(kernel.name.clone()), message });
        }
    }
    Ok(())
}

pub(crate) fn empty_module(host: &isa::Host) -> JITModule {
    let names = cranelift_module::default_libcall_names();
    JITModule::new(JITBuilder::with_isa(host.balanced.clone(), names))
}

/// The machine code of a program before it has a place in memory, all functions in order: the same for the same program
/// and machine, however many threads make it.
pub fn machine_code(program: &Program, options: &Options) -> Result<Vec<u8>, CompileError> {
    check(program)?;
    let mut module = empty_module(isa::host()?);
    let image = image(program, options, &mut module);
    // SAFETY: nothing was defined in the module, so no pointer into its memory exists.
    unsafe { module.free_memory() };
    Ok(image?.codes.into_iter().flat_map(|code| code.bytes).collect())
}

/// Compiles a program, all of whose functions it declares in `module`.
pub(crate) fn image(
    program: &Program,
    options: &Options,
    module: &mut JITModule,
) -> Result<Image, CompileError> {
    let host = isa::host()?;
    let prepared = prepare(program, options);
    let cut = &*prepared;
    let operations = cut.kernels.values().map(|kernel| segments::operations(&kernel.body)).sum();
    let threads = workers::threads(operations, cut.kernels.len());
    let (env, mut done) = if threads == 1 {
        let mut done = Vec::new();
        let env = build(cut, options, host, module, Linkage::Process, false, &mut |_, id, context, size| {
            done.push((id.as_u32(), Ok(compile_function(host.choose(size), context)?)));
            Ok(())
        });
        (env, done)
    } else {
        workers::compile(host, threads, |give| {
            build(cut, options, host, module, Linkage::Process, false, &mut |_, id, context, size| {
                let func = std::mem::replace(&mut context.func, Function::new());
                give(workers::Job { number: id.as_u32(), func, size });
                Ok(())
            })
        })
    };
    let env = env?;
    for Outlined { id, bytes, .. } in env.outlined {
        done.push((id.as_u32(), Ok(Code { bytes, align: 64, relocs: Vec::new() })));
    }
    done.sort_by_key(|&(number, _)| number);
    let codes = done.into_iter().enumerate().map(|(k, (number, code))| {
        debug_assert_eq!(k, number as usize, "every function is compiled once");
        code.map_err(|message| {
            let of = |declared: &Declared| {
                [Some(declared.id), declared.piece].contains(&Some(FuncId::from_u32(number)))
            };
            let kernel = env.functions.iter().find(|(_, declared)| of(declared));
            CompileError { kernel: kernel.map(|(id, _)| cut.kernels[id].name.clone()), message }
        })
    });
    let codes = codes.collect::<Result<Vec<Code>, CompileError>>()?;
    let entry = env.functions[cut.entry].id.as_u32();
    Ok(Image { codes, entry, outside: env.outside, donations: donate::donations(cut) })
}

/// What makes a program another one with the same meaning, where there is something to do.
type Change<'a> = &'a dyn Fn(&Program) -> Option<Program>;

/// The program that is compiled for this one in a process, with the same meaning.
fn prepare<'a>(program: &'a Program, options: &Options) -> Cow<'a, Program> {
    let whole = with_loops(program, options, options.wide(), Functions::Routines);
    segments::split(&whole).map_or(whole, Cow::Owned)
}

/// The program before long blocks are cut, for a machine with such vectors; loops call `functions` of the math library for all of their
/// iterations. (Kernels that a block is cut into share memory that the block uses one time after the other.)
fn with_loops<'a>(
    program: &'a Program,
    options: &Options,
    wide: Option<Wide>,
    functions: Functions,
) -> Cow<'a, Program> {
    let mut program = Cow::Borrowed(program);
    let tiles = |program: &Program| options.tiles.then(|| tiles::split(program, wide, functions)).flatten();
    let counted = |program: &Program| options.count_steps.then(|| count::counted(program));
    let kernels =
        |program: &Program| (functions == Functions::Kernels).then(|| with_functions(program)).flatten();
    let changes: [Change<'_>; 4] = [&counted, &tiles, &kernels, &shared::share];
    for change in changes {
        if let Some(changed) = change(&program) {
            program = Cow::Owned(changed);
        }
    }
    program
}

/// The program that is compiled for this one: loops that call the math library are cut into tiles.
pub fn tiled(program: &Program) -> Cow<'_, Program> {
    let wide = Options::default().wide();
    tiles::split(program, wide, Functions::Routines).map_or(Cow::Borrowed(program), Cow::Owned)
}

/// The program with its long blocks cut into kernels, as it is compiled.
pub fn segmented(program: &Program) -> Cow<'_, Program> {
    segments::split(program).map_or(Cow::Borrowed(program), Cow::Owned)
}

/// The program with equal loops made one kernel, as it is compiled.
pub fn shared(program: &Program) -> Cow<'_, Program> {
    shared::share(program).map_or(Cow::Borrowed(program), Cow::Owned)
}

/// The text of every function of a program before compilation.
pub fn clif(program: &Program, options: &Options) -> Result<String, CompileError> {
    listing(program, options, |_, context| Ok(context.func.display().to_string()))
}

/// The machine code of every function of a program, as text.
pub fn asm(program: &Program, options: &Options) -> Result<String, CompileError> {
    listing(program, options, |isa, context| {
        context.set_disasm(true);
        let compiled = context.compile(isa, &mut Default::default()).map_err(|e| e.inner.to_string())?;
        Ok(compiled.vcode.clone().unwrap_or_default())
    })
}

fn listing(
    program: &Program,
    options: &Options,
    show: impl Fn(&dyn TargetIsa, &mut CodegenContext) -> Result<String, String>,
) -> Result<String, CompileError> {
    let host = isa::host()?;
    check(program)?;
    let prepared = prepare(program, options);
    let program = &*prepared;
    let mut module = empty_module(host);
    let mut text = String::new();
    let env =
        build(program, options, host, &mut module, Linkage::Process, true, &mut |_, id, context, size| {
            text.push_str(&format!("; {id}\n{}\n", show(&**host.choose(size), context)?));
            context.set_disasm(false);
            Ok(())
        })?;
    for outlined in &env.outlined {
        text.push_str(&format!("; {}, {} bytes\n{}\n", outlined.id, outlined.bytes.len(), outlined.text));
    }
    // SAFETY: nothing was defined in the module, so no pointer into its memory exists.
    unsafe { module.free_memory() };
    Ok(contents(&env) + &text)
}

/// Which function is which kernel, and how many places share its code.
fn contents(env: &Env<'_>) -> String {
    let mut places = EntityVec::<KernelId, usize>::filled(0, env.program.kernels.len());
    for kernel in env.program.kernels.values() {
        kernel.body.visit(&mut |inst| {
            if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } = &inst.op {
                places[*kernel] += 1;
            }
        });
    }
    let line = |(id, declared): (KernelId, &Declared)| {
        let shared =
            if places[id] > 1 { format!(", the same code for {} places", places[id]) } else { String::new() };
        format!("; {} is @{}{shared}\n", declared.id, env.program.kernels[id].name)
    };
    env.functions.iter().map(line).collect()
}

/// What to do with a built function of so many operations.
type Define<'a, M> = &'a mut dyn FnMut(&mut M, FuncId, &mut CodegenContext, usize) -> Result<(), String>;

/// Builds every function of the program and hands each to `define`.
fn build<'a, M: Module>(
    program: &'a Program,
    options: &'a Options,
    host: &'a isa::Host,
    module: &mut M,
    linkage: Linkage,
    lists: bool,
    define: Define<'_, M>,
) -> Result<Env<'a>, CompileError> {
    let functions = declare(program, module)?;
    let mut env = Env {
        program,
        options,
        functions,
        outside: Outside::new(program),
        host,
        outlined: Vec::new(),
        lists,
        linkage,
    };
    // Taken, so that nothing half-made stays in it if this ends early.
    let mut workspace = WORKSPACE.take();
    let Workspace { context, builder } = &mut workspace;
    let context = context.get_or_insert_with(CodegenContext::new);
    for (id, kernel) in program.kernels.iter() {
        let named = |message: String| CompileError { kernel: Some(kernel.name.clone()), message };
        let declared = &env.functions[id];
        context.func = Function::with_name_signature(Default::default(), declared.signature.clone());
        let (func_id, piece) = (declared.id, declared.piece);
        let size = function::build(&mut env, module, id, &mut context.func, builder);
        define(module, func_id, context, size).map_err(named)?;
        context.clear();
        if let Some(piece) = piece {
            context.func =
                Function::with_name_signature(Default::default(), piece_signature(&*host.balanced));
            function::build_piece(&env, module, id, &mut context.func, builder);
            define(module, piece, context, 0).map_err(named)?;
            context.clear();
        }
    }
    WORKSPACE.set(workspace);
    Ok(env)
}

/// The function in `context` as machine code.
pub(crate) fn compile_function(isa: &OwnedTargetIsa, context: &mut CodegenContext) -> Result<Code, String> {
    let compiled = context.compile(&**isa, &mut Default::default()).map_err(|e| e.inner.to_string())?;
    let bytes = compiled.code_buffer().to_vec();
    let align = u64::from(compiled.buffer.alignment).max(16);
    let relocs: Vec<FinalizedMachReloc> = compiled.buffer.relocs().to_vec();
    let func = &context.func;
    let relocs = relocs.iter().map(|r| ModuleReloc::from_mach_reloc(r, func, FuncId::from_u32(0))).collect();
    Ok(Code { bytes, align, relocs })
}
