//! The driver: a program becomes one module of machine code.
//!
//! All kernels are declared, then built and compiled one by one, then made executable together.

mod formula;
mod function;
pub(crate) mod isa;
mod lanes;
mod memory;
pub(crate) mod object;
mod scalar;
mod segments;
mod tiles;
mod vector;
mod wide;
mod zmm;

use crate::runtime::data::Data;
use crate::runtime::entry::Shape;
use cranelift_codegen::ir::{AbiParam, Function, Signature, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, TargetIsa};
use cranelift_codegen::{Context as CodegenContext, FinalizedMachReloc};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{Block, KOp, Kernel, KernelId, MemKind, Place, Program};

/// How to compile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Whether trips of `while` loops are counted against the limit given at the call.
    pub count_steps: bool,
    /// Whether loops become vector code; without, every loop runs one element at a time, with the same results.
    pub vectors: bool,
    /// Whether loops that call the math library run over tiles in its wide routines; same results.
    pub tiles: bool,
    /// Whether inner loops become 512-bit vector code where the machine has it; same results.
    pub zmm: bool,
}

impl Options {
    fn uses_zmm(&self) -> bool {
        self.zmm && self.vectors && zmm::available()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { count_steps: false, vectors: true, tiles: true, zmm: true }
    }
}

/// Whether this machine multiplies and adds in one instruction: if not, programs should not be contracted.
pub fn fuses() -> bool {
    isa::host().is_ok_and(|host| isa::fuses(&host.balanced))
}

/// Why a program could not be compiled. None of these is the fault of a verified program on a supported host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    /// The kernel, if one is to blame.
    pub kernel: Option<String>,
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kernel {
            Some(kernel) => write!(f, "kernel @{kernel}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for CompileError {}

/// What a compilation gives; `entry` lives in `module` and refers to `data`.
pub(crate) struct Compiled {
    pub(crate) module: JITModule,
    pub(crate) entry: *const u8,
    pub(crate) data: Data,
    pub(crate) code_size: usize,
}

/// What all functions of a program share while they are built.
pub(crate) struct Env<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    pub(crate) functions: EntityVec<KernelId, Declared>,
    pub(crate) data: Data,
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
    /// Whether to make 512-bit code.
    pub(crate) fn zmm(&self) -> bool {
        self.options.uses_zmm()
    }
}

/// A kernel's functions.
pub(crate) struct Declared {
    pub(crate) id: FuncId,
    /// The same kernel with the signature that the thread pool calls, if it is called in parallel.
    pub(crate) piece: Option<FuncId>,
    /// Whether it takes the program's arguments, results and scratch.
    pub(crate) frame: bool,
    pub(crate) signature: Signature,
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

/// Compiles a program into fresh executable memory.
pub(crate) fn compile(program: &Program, options: &Options) -> Result<Compiled, CompileError> {
    let host = isa::host()?;
    let tiled = if options.tiles { cut_into_tiles(program, options) } else { Cow::Borrowed(program) };
    let cut = segments::split(&tiled);
    let program = cut.as_ref().unwrap_or(&tiled);
    let mut module = JITModule::new(JITBuilder::with_isa(
        host.balanced.clone(),
        cranelift_module::default_libcall_names(),
    ));
    let mut code_size = 0;
    let env = build(
        program,
        options,
        host,
        &mut module,
        Linkage::Process,
        false,
        &mut |module, id, context, isa| {
            let code = compile_function(isa, context)?;
            code_size += code.0.len();
            module.define_function_bytes(id, code.1, &code.0, &code.2).map_err(|e| e.to_string())
        },
    )?;
    for Outlined { id, bytes, .. } in &env.outlined {
        code_size += bytes.len();
        let defined = module.define_function_bytes(*id, 64, bytes, &[]);
        defined.map_err(|e| CompileError { kernel: None, message: e.to_string() })?;
    }
    module.finalize_definitions().map_err(|e| CompileError { kernel: None, message: e.to_string() })?;
    let entry = module.get_finalized_function(env.functions[program.entry].id);
    Ok(Compiled { module, entry, data: env.data, code_size })
}

/// The program that is compiled for this one: loops that call the math library are cut into tiles.
pub fn tiled(program: &Program) -> Cow<'_, Program> {
    cut_into_tiles(program, &Options::default())
}

fn cut_into_tiles<'a>(program: &'a Program, options: &Options) -> Cow<'a, Program> {
    tiles::split(program, options.uses_zmm()).map_or(Cow::Borrowed(program), Cow::Owned)
}

/// The program with its long blocks cut into kernels, as it is compiled.
pub fn segmented(program: &Program) -> Cow<'_, Program> {
    segments::split(program).map_or(Cow::Borrowed(program), Cow::Owned)
}

/// The text of every function of a program before compilation.
pub fn clif(program: &Program) -> Result<String, CompileError> {
    listing(program, |_, context| Ok(context.func.display().to_string()))
}

/// The machine code of every function of a program, as text.
pub fn asm(program: &Program) -> Result<String, CompileError> {
    listing(program, |isa, context| {
        context.set_disasm(true);
        let compiled = context.compile(isa, &mut Default::default()).map_err(|e| e.inner.to_string())?;
        Ok(compiled.vcode.clone().unwrap_or_default())
    })
}

fn listing(
    program: &Program,
    show: impl Fn(&dyn TargetIsa, &mut CodegenContext) -> Result<String, String>,
) -> Result<String, CompileError> {
    let host = isa::host()?;
    let options = Options::default();
    let tiled = tiled(program);
    let cut = segments::split(&tiled);
    let program = cut.as_ref().unwrap_or(&tiled);
    let mut module = JITModule::new(JITBuilder::with_isa(
        host.balanced.clone(),
        cranelift_module::default_libcall_names(),
    ));
    let mut text = String::new();
    let env =
        build(program, &options, host, &mut module, Linkage::Process, true, &mut |_, id, context, isa| {
            text.push_str(&format!("; {id}\n{}\n", show(&**isa, context)?));
            context.set_disasm(false);
            Ok(())
        })?;
    for outlined in &env.outlined {
        text.push_str(&format!("; {}, {} bytes\n{}\n", outlined.id, outlined.bytes.len(), outlined.text));
    }
    // SAFETY: nothing was defined in the module, so no pointer into its memory exists.
    unsafe { module.free_memory() };
    Ok(text)
}

/// What to do with a built function.
type Define<'a, M> =
    &'a mut dyn FnMut(&mut M, FuncId, &mut CodegenContext, &OwnedTargetIsa) -> Result<(), String>;

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
        data: Data::new(program),
        host,
        outlined: Vec::new(),
        lists,
        linkage,
    };
    WORKSPACE.with_borrow_mut(|workspace| {
        let Workspace { context, builder } = workspace;
        let context = context.get_or_insert_with(CodegenContext::new);
        for (id, kernel) in program.kernels.iter() {
            let named = |message: String| CompileError { kernel: Some(kernel.name.clone()), message };
            let declared = &env.functions[id];
            context.func = Function::with_name_signature(Default::default(), declared.signature.clone());
            let (func_id, piece) = (declared.id, declared.piece);
            let size = function::build(&mut env, module, id, &mut context.func, builder);
            define(module, func_id, context, host.choose(size)).map_err(named)?;
            context.clear();
            if let Some(piece) = piece {
                context.func =
                    Function::with_name_signature(Default::default(), piece_signature(&*host.balanced));
                function::build_piece(&env, module, id, &mut context.func, builder);
                define(module, piece, context, &host.balanced).map_err(named)?;
                context.clear();
            }
        }
        Ok(())
    })?;
    Ok(env)
}

/// Bytes of code, alignment and relocations of the function in `context`.
fn compile_function(
    isa: &OwnedTargetIsa,
    context: &mut CodegenContext,
) -> Result<(Vec<u8>, u64, Vec<ModuleReloc>), String> {
    let compiled = context.compile(&**isa, &mut Default::default()).map_err(|e| e.inner.to_string())?;
    let bytes = compiled.code_buffer().to_vec();
    let alignment = u64::from(compiled.buffer.alignment).max(16);
    let relocs: Vec<FinalizedMachReloc> = compiled.buffer.relocs().to_vec();
    let func = &context.func;
    let relocs = relocs.iter().map(|r| ModuleReloc::from_mach_reloc(r, func, FuncId::from_u32(0))).collect();
    Ok((bytes, alignment, relocs))
}

/// Declares every kernel, and a second function for those that run in parallel.
fn declare(
    program: &Program,
    module: &mut dyn Module,
) -> Result<EntityVec<KernelId, Declared>, CompileError> {
    let mut parallel = EntityVec::<KernelId, bool>::filled(false, program.kernels.len());
    for kernel in program.kernels.values() {
        mark_parallel(&kernel.body, &mut parallel);
    }
    let error = |e: cranelift_module::ModuleError| CompileError { kernel: None, message: e.to_string() };
    let mut functions = EntityVec::new();
    for (id, kernel) in program.kernels.iter() {
        let frame = id == program.entry || uses_frame(program, kernel);
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        if frame {
            signature.params.extend([AbiParam::new(types::I64); 3]);
        }
        let params = kernel.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).count();
        signature.params.extend((0..params).map(|_| AbiParam::new(types::I64)));
        signature
            .params
            .extend(kernel.body.params.iter().map(|&v| AbiParam::new(scalar::clif_type(kernel.values[v]))));
        signature.returns.push(AbiParam::new(types::I32));
        let func = module.declare_anonymous_function(&signature).map_err(error)?;
        let piece = match parallel[id] {
            true => Some(module.declare_anonymous_function(&piece_signature(module.isa())).map_err(error)?),
            false => None,
        };
        functions.push(Declared { id: func, piece, frame, signature });
    }
    Ok(functions)
}

/// The signature of a routine.
fn routine_signature(shape: Shape, convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    let (param, count, result) = match shape {
        Shape::F64x1 => (types::F64, 1, Some(types::F64)),
        Shape::F32x1 => (types::F32, 1, Some(types::F32)),
        Shape::F64x2 => (types::F64, 2, Some(types::F64)),
        Shape::F32x2 => (types::F32, 2, Some(types::F32)),
        Shape::Words(n) => (types::I64, n, Some(types::I32)),
        Shape::Void(n) => (types::I64, n, None),
    };
    signature.params.extend((0..count).map(|_| AbiParam::new(param)));
    signature.returns.extend(result.map(AbiParam::new));
    signature
}

/// `(context, lo, hi, payload) -> status`; the payload is the frame if needed, memrefs, and scalars, a word each.
fn piece_signature(isa: &dyn TargetIsa) -> Signature {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.extend([AbiParam::new(types::I64); 4]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// Whether a kernel reads the program's arguments, results or scratch by itself, or calls one that does.
fn uses_frame(program: &Program, kernel: &Kernel) -> bool {
    let own = kernel.mems.values().any(|m| match m.kind {
        MemKind::Program(mem) => {
            matches!(program.mems[mem].place, Place::Param(_) | Place::Result(_) | Place::Scratch(_))
        }
        MemKind::Param(_) | MemKind::Local => false,
    });
    own || {
        let mut calls = false;
        visit(&kernel.body, &mut |op| {
            if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } = op {
                calls |= uses_frame(program, &program.kernels[*kernel]);
            }
        });
        calls
    }
}

fn mark_parallel(body: &Block, parallel: &mut EntityVec<KernelId, bool>) {
    visit(body, &mut |op| {
        if let KOp::Parallel { kernel, .. } = op {
            parallel[*kernel] = true;
        }
    });
}

/// Visits every operation of a block, those of nested blocks included.
pub(crate) fn visit(block: &Block, f: &mut impl FnMut(&KOp)) {
    for inst in &block.insts {
        f(&inst.op);
        inst.op.blocks().for_each(|b| visit(b, f));
    }
}
