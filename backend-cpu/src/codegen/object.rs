//! Object files: programs compiled ahead of time, for this machine or another, that C can call and that need no
//! runtime of ours. Constants and the functions of the math library that a program calls are part of the object.
//!
//! Parallel loops run on the caller's thread, and matrix products as loops. Operations that have none (sorts, factorizations, transforms)
//! are calls of the one function of `backend-cpu/runtime`, a library that goes with the object, where that is asked for; else they are an
//! error, as is what needs the runtime of a process (the growing stack of a reverse `while`).

use super::declare::routine_signature;
use super::frames::Frames;
use super::tiles::Functions;
use super::{Code, Linkage, Outlined, build, compile_function, formula, isa, segments, with_loops};
use crate::loops::with_products;
use crate::options::{CompileError, Options, Wide};
use crate::runtime::entry::Routine;
use cranelift_codegen::Context as CodegenContext;
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder, Signature, StackSlotData, StackSlotKind, UserFuncName, types,
};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{
    DataDescription, DataId, FuncId, Linkage as Visible, Module, ModuleError, ModuleRelocTarget,
};
use cranelift_object::{ObjectBuilder, ObjectModule};
pub use isa::Cpu;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use target_lexicon::{Architecture, BinaryFormat, Triple};
use wengert_ir::kernel::reference::Reference;
use wengert_ir::kernel::{KOp, Library, Mem, Place, Program};
use wengert_ir::{launch_ops, scalar_ops};

/// What to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectOptions {
    /// The machine; [`Triple::host`] for this one.
    pub triple: Triple,
    /// Its instructions.
    pub cpu: Cpu,
    /// The symbol of the function; a C identifier.
    pub symbol: String,
    /// What it may call.
    pub calls: Calls,
}

/// What an object file may refer to that is not in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// C's mathematics, for what it has and this machine has no instruction for: `fmod`, and on a baseline x86-64 `fma`,
    /// `floor` and their kin.
    #[default]
    C,
    /// That, and Wengert's library for objects (`libwengert_runtime.a`).
    Runtime,
    /// Nothing at all.
    Nothing,
}

/// The function of the runtime library: `(place of a pointer, text, its size, tensors)`; gives a status.
const RUN: &str = "wengert_run";

impl ObjectOptions {
    /// For this machine and those of its kind since 2015 ([`Cpu::Common`]); the object calls nothing but C's mathematics.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self { triple: Triple::host(), cpu: Cpu::Common, symbol: symbol.into(), calls: Calls::C }
    }

    /// Whether the machine multiplies and adds in one instruction: if not, programs should not be contracted.
    pub fn fuses(&self) -> Result<bool, CompileError> {
        Ok(isa::fuses(&isa::target(&self.triple, self.cpu)?.balanced))
    }
}

/// Symbols of an object under construction.
pub(crate) struct Symbols {
    /// Where each constant is.
    pub(crate) constants: FxHashMap<Mem, DataId>,
    routines: Vec<(Routine, FuncId)>,
    programs: Vec<(Arc<Reference>, [DataId; 2])>,
    calls: Calls,
}

impl Symbols {
    /// The runtime's function, and where the pointer and the text of a program are.
    pub(crate) fn program(
        &mut self,
        module: &mut dyn Module,
        program: &Arc<Reference>,
    ) -> (FuncId, [DataId; 2]) {
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(types::I64); 4]);
        signature.returns.push(AbiParam::new(types::I32));
        let run = module.declare_function(RUN, Visible::Import, &signature).expect("a name is declared once");
        if let Some((_, data)) = self.programs.iter().find(|(known, _)| known == program) {
            return (run, *data);
        }
        let data = [true, false].map(|writable| {
            let id = module.declare_anonymous_data(writable, false).expect("it has no name");
            let mut data = DataDescription::new();
            match writable {
                true => data.define_zeroinit(size_of::<usize>()),
                false => data.define(program.text().as_bytes().into()),
            }
            data.set_align(size_of::<usize>() as u64);
            module.define_data(id, &data).expect("it is defined once");
            id
        });
        self.programs.push((program.clone(), data));
        (run, data)
    }

    /// The function that is a routine: one of the object's own, or C's `fmod`.
    pub(crate) fn routine(&mut self, module: &mut dyn Module, routine: Routine) -> FuncId {
        if let Some(&(_, id)) = self.routines.iter().find(|(known, _)| *known == routine) {
            return id;
        }
        let signature = routine_signature(routine.shape(), module.isa().default_call_conv());
        let id = match routine {
            Routine::Remainder(ty) if self.calls != Calls::Nothing => {
                let name = if ty.size() == 8 { "fmod" } else { "fmodf" };
                module.declare_function(name, Visible::Import, &signature)
            }
            _ => module.declare_anonymous_function(&signature),
        };
        let id = id.expect("a name is declared once");
        self.routines.push((routine, id));
        id
    }
}

/// A program compiled ahead of time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectFile {
    /// The file: ELF, Mach-O or COFF, by the triple.
    pub bytes: Vec<u8>,
    /// Bytes of the stack that a call takes at most, but for what functions take that are not in the file.
    pub stack: u64,
}

/// Compiles a program to an object file that defines
/// `int32_t symbol(const T *arg0, .., T *out0, .., void *scratch)`, which gives zero, or what a call of the runtime library gave that
/// failed; `scratch` is memory of [`Program::scratch`] bytes, 64-byte aligned, or null if that is zero.
///
/// Fails if the program needs what it may not call, or a process, or if there is no code for the machine.
pub fn object(program: &Program, options: &ObjectOptions) -> Result<ObjectFile, CompileError> {
    let plain = |message: String| CompileError { kernel: None, message };
    needs_no_process(program, options.calls).map_err(plain)?;
    super::check(program)?;
    let host = isa::target(&with_format(&options.triple)?, options.cpu)?;
    let fuses = isa::fuses(&host.balanced);
    let flags = flags(options, fuses);
    let whole = loops(program, &flags, fuses, host.wide.is_some());
    let program = &segments::split(&whole).unwrap_or(whole);
    let builder = ObjectBuilder::new(
        host.balanced.clone(),
        options.symbol.clone(),
        cranelift_module::default_libcall_names(),
    );
    let mut module = ObjectModule::new(builder.map_err(|e| plain(e.to_string()))?);

    let constants = constants(program, &mut module).map_err(|e| plain(e.to_string()))?;
    let symbols = Symbols { constants, routines: Vec::new(), programs: Vec::new(), calls: options.calls };
    let mut frames = Frames::default();
    let define = &mut |module: &mut ObjectModule, id, context: &mut CodegenContext, size| {
        let code = compiled(host.choose(size), id, context, options.calls)?;
        frames.add(id, context);
        module.define_function_bytes(id, code.align, &code.bytes, &code.relocs).map_err(|e| e.to_string())
    };
    let env = build(program, &flags, &host, &mut module, Linkage::Object(symbols), false, define)?;
    for Outlined { id, bytes, .. } in &env.outlined {
        module.define_function_bytes(*id, 64, bytes, &[]).map_err(|e| plain(e.to_string()))?;
    }
    let Linkage::Object(symbols) = &env.linkage else { unreachable!("as it was made") };

    let mut context = CodegenContext::new();
    let mut frontend = FunctionBuilderContext::new();
    let config = host.balanced.frontend_config();
    for &(routine, id) in &symbols.routines {
        if matches!(routine, Routine::Remainder(_)) && options.calls != Calls::Nothing {
            continue;
        }
        let signature = routine_signature(routine.shape(), host.balanced.default_call_conv());
        context.func = Function::with_name_signature(UserFuncName::default(), signature);
        if formula::build(routine, &mut context.func, &mut frontend, config) {
            define(&mut module, id, &mut context, 0).map_err(plain)?;
        }
        context.clear();
    }
    let entry = env.functions[program.entry].id;
    let id = wrapper(program, &options.symbol, entry, &mut module, &mut context.func, &mut frontend)
        .map_err(|e| plain(e.to_string()))?;
    define(&mut module, id, &mut context, 0).map_err(plain)?;
    let stack = frames.deepest(id);
    let bytes = module.finish().emit().map_err(|e| plain(e.to_string()))?;
    Ok(ObjectFile { bytes, stack })
}

/// The program whose kernels an object is made of, before long blocks are cut: what a process has a library for are loops of it.
fn loops(program: &Program, flags: &Options, fuses: bool, wide: bool) -> Program {
    let program = with_products(program, fuses);
    // Short functions stay in loops of long vectors, of any length; of others loops are cut.
    let wide = wide.then_some(Wide::Zmm);
    let program = with_loops(&program, flags, wide, Functions::Kernels).into_owned();
    debug_assert_eq!(wengert_ir::kernel::verify::verify(&program).err(), None, "loops of an object");
    program
}

/// The same, for tests.
pub(crate) fn object_kernels(program: &Program, options: &ObjectOptions) -> Result<Program, CompileError> {
    let host = isa::target(&with_format(&options.triple)?, options.cpu)?;
    let fuses = isa::fuses(&host.balanced);
    Ok(loops(program, &flags(options, fuses), fuses, host.wide.is_some()))
}

/// The code of a function of an object.
fn compiled(
    isa: &OwnedTargetIsa,
    id: FuncId,
    context: &mut CodegenContext,
    calls: Calls,
) -> Result<Code, String> {
    let mut code = compile_function(isa, context)?;
    for reloc in &mut code.relocs {
        // Where a part of an address is, for the other part of it.
        if let ModuleRelocTarget::FunctionOffset(within, _) = &mut reloc.name {
            *within = id;
        }
    }
    if calls == Calls::Nothing {
        calls_nothing(&code)?;
    }
    Ok(code)
}

/// The machine with a format for its objects: ELF where there is no system that has one.
fn with_format(triple: &Triple) -> Result<Triple, CompileError> {
    let mut triple = triple.clone();
    if triple.binary_format == BinaryFormat::Unknown {
        triple.binary_format = BinaryFormat::Elf;
    }
    let is_arm = matches!(triple.architecture, Architecture::Aarch64(_));
    if is_arm && triple.binary_format == BinaryFormat::Coff {
        let message =
            format!("there are no objects for {triple}: nothing here writes COFF for its addresses");
        return Err(CompileError { kernel: None, message });
    }
    Ok(triple)
}

/// How kernels become code of the machine.
fn flags(options: &ObjectOptions, fuses: bool) -> Options {
    // Vectors of 128 bits are part of these architectures, of others an extension.
    let vectors = matches!(options.triple.architecture, Architecture::X86_64 | Architecture::Aarch64(_));
    // Formulas without fused multiply-adds are calls of C's for each of them, in vectors or not.
    Options { vectors, tiles: vectors && fuses, ..Options::default() }
}

/// An error that names what code calls of C's library for want of an instruction.
fn calls_nothing(code: &Code) -> Result<(), String> {
    let call = code.relocs.iter().find_map(|reloc| match reloc.name {
        ModuleRelocTarget::LibCall(call) => Some(cranelift_module::default_libcall_names()(call)),
        _ => None,
    });
    let Some(call) = call else { return Ok(()) };
    Err(format!(
        "needs `{call}`, for which the machine asked for has no instruction, from C's library; a self-contained object is possible \
         for machines that have one (`--cpu common`)"
    ))
}

/// An error that names what an object has no code for.
fn needs_no_process(program: &Program, calls: Calls) -> Result<(), String> {
    let mut found = None;
    let mut called = None;
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| match &inst.op {
            KOp::Reserve(_) => {
                found = Some("the reverse mode of a `while` whose number of trips is not known".to_owned());
            }
            KOp::Steps(_) => found = Some("a limit on steps".to_owned()),
            launch_ops!() => found = Some("a GPU".to_owned()),
            KOp::Library(library) => match &**library {
                Library::Reference { program, .. } => {
                    let name = format!("`{}`", program.operations().join(", "));
                    if program.needs_process() {
                        found = Some(name);
                    } else if calls != Calls::Runtime {
                        called = Some(name);
                    }
                }
                Library::Section(_) => found = Some("a clock".to_owned()),
                Library::Gemm { .. } | Library::Tile { .. } | Library::Tile2 { .. } => {}
            },
            scalar_ops!()
            | KOp::Load(_)
            | KOp::Store(_)
            | KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. } => {}
        });
    }
    match (found, called) {
        (None, None) => Ok(()),
        (Some(what), _) => Err(format!("{what} needs Wengert's runtime, which an object file does not have")),
        (None, Some(what)) => Err(format!(
            "{what} is no loop of the object: with `--runtime` (`Calls::Runtime`) it is a call of Wengert's library for objects"
        )),
    }
}

fn constants(
    program: &Program,
    module: &mut ObjectModule,
) -> Result<FxHashMap<Mem, DataId>, Box<ModuleError>> {
    let mut constants = FxHashMap::default();
    for (mem, def) in program.mems.iter() {
        if let Place::Constant(bytes) = &def.place {
            let id = module.declare_anonymous_data(false, false)?;
            let mut data = DataDescription::new();
            // Nothing points at an empty object, but it has an address.
            data.define(if bytes.is_empty() { vec![0].into() } else { bytes.to_vec().into() });
            data.set_align(64);
            module.define_data(id, &data)?;
            constants.insert(mem, id);
        }
    }
    Ok(constants)
}

/// The function that C calls: it lays out pointers as the entry kernel takes them.
fn wrapper(
    program: &Program,
    symbol: &str,
    entry: FuncId,
    module: &mut ObjectModule,
    func: &mut Function,
    frontend: &mut FunctionBuilderContext,
) -> Result<FuncId, Box<ModuleError>> {
    let (args, results) = (program.params.len(), program.results.len());
    let mut signature = Signature::new(module.isa().default_call_conv());
    signature.params.extend((0..args + results + 1).map(|_| AbiParam::new(types::I64)));
    signature.returns.push(AbiParam::new(types::I32));
    let id = module.declare_function(symbol, Visible::Export, &signature)?;
    *func = Function::with_name_signature(UserFuncName::default(), signature);
    let mut b = FunctionBuilder::new(func, frontend);
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    let given = b.block_params(block).to_vec();
    let slot = |b: &mut FunctionBuilder<'_>, words: usize| {
        let size = 8 * words.max(1) as u32;
        b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4))
    };
    let list = |b: &mut FunctionBuilder<'_>, pointers: &[cranelift_codegen::ir::Value]| {
        let slot = slot(b, pointers.len());
        for (k, &p) in pointers.iter().enumerate() {
            b.ins().stack_store(types::I64, p, slot, 8 * k as i32);
        }
        b.ins().stack_addr(types::I64, slot, 0)
    };
    let arg_list = list(&mut b, &given[..args]);
    let result_list = list(&mut b, &given[args..args + results]);
    // The record of a call has no use without a runtime, but a place.
    let zero = b.ins().iconst(types::I64, 0);
    let record = list(&mut b, &[zero; 4]);
    let callee = module.declare_func_in_func(entry, b.func);
    let call = b.ins().call(callee, &[record, arg_list, result_list, given[args + results]]);
    let status = b.inst_results(call)[0];
    b.ins().return_(&[status]);
    b.seal_all_blocks();
    b.finalize(module.isa().frontend_config());
    Ok(id)
}
