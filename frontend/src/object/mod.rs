//! Object files: a program compiled ahead of time, to be called from C, C++, Rust or anything that can call C, without this library.
//! The header for C and the module for Rust say how.

mod c;
mod names;
mod rust;

use crate::compile;
use crate::deep;
use crate::error::Error;
use crate::program::Lowered;
use std::borrow::Cow;
pub use wengert_cpu::{Calls, Cpu, ObjectOptions};
use wengert_ir::kernel::Program;
use wengert_ir::types::{DType, TensorType};

/// A program compiled ahead of time: one function, and what its callers have to know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    bytes: Vec<u8>,
    stack: u64,
    scratch: usize,
    symbol: String,
    calls: Calls,
    params: Vec<(String, TensorType)>,
    results: Vec<TensorType>,
}

impl Object {
    /// The object file: ELF, Mach-O or COFF, by the triple.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes of scratch memory that a call needs, 64-byte aligned; calls at the same time need memory of their own.
    pub fn scratch_bytes(&self) -> usize {
        self.scratch
    }

    /// Bytes of the stack that a call takes at most. What C's library and Wengert's for objects take beside it is not known.
    pub fn stack_bytes(&self) -> u64 {
        self.stack
    }

    /// The header that declares the function to C and C++; `origin` says in its first line what it was made from.
    pub fn c_header(&self, origin: &str) -> String {
        c::header(self, origin)
    }

    /// A module of Rust, of any edition and without the standard library, with a safe function that calls the object's: arguments are
    /// references to arrays, results mutable ones. `origin` says in its first line what it was made from.
    pub fn rust_module(&self, origin: &str) -> String {
        rust::module(self, origin)
    }

    /// Names of the arguments and of the results, with their types.
    fn tensors(&self) -> impl Iterator<Item = (Cow<'_, str>, &TensorType)> {
        let params = self.params.iter().map(|(name, ty)| (Cow::Borrowed(&name[..]), ty));
        params.chain(self.results.iter().enumerate().map(|(k, ty)| (Cow::Owned(format!("out{k}")), ty)))
    }

    /// A line for each argument and result: what begins it, its name and its type.
    fn list(&self, begin: &str) -> String {
        let width = self.tensors().map(|(name, _)| name.len()).max().unwrap_or(0);
        self.tensors().map(|(name, ty)| format!("{begin}  {name:width$}  {ty}\n")).collect()
    }
}

impl Lowered {
    /// Compiles ahead of time. Mathematics is part of the object; parallel loops run on the caller's thread.
    ///
    /// Fails if the program has an operation that is no loop (sorting, factorizations, transforms, complex arguments) and may not call
    /// the library for these ([`Calls::Runtime`]), or one that needs a process (checks, functions of the host, the reverse mode of
    /// a `while` of unknown length), if the symbol is no name for a C
    /// function ([`check_symbol`]), if there is no code for the machine (for other architectures than this one's, there is with
    /// the feature `other-machines`), or if it would have to call C's library and may not ([`Calls::Nothing`]).
    pub fn object(&self, options: &ObjectOptions) -> Result<Object, Error> {
        check_symbol(&options.symbol)?;
        if !self.checks.is_empty() {
            let message = "the program checks values while it runs, which an object file cannot report";
            return Err(Error::new(message.to_owned(), None));
        }
        deep::run(&self.optimized, || self.object_of(options))
    }

    fn object_of(&self, options: &ObjectOptions) -> Result<Object, Error> {
        let program = self.program_for(options)?;
        let file = wengert_cpu::object(&program, options).map_err(|e| Error::new(e.to_string(), None))?;
        let func = self.optimized.module.get(self.optimized.func);
        let mut params: Vec<(String, TensorType)> = Vec::new();
        for (k, ty) in program.params.iter().enumerate() {
            let given = func.param_names.get(k).map(|name| words(name)).unwrap_or_default();
            let is_new = params.iter().all(|(known, _)| *known != given);
            let usable = names::is_parameter(&given) && is_new && !is_used(&given);
            params.push((if usable { given } else { format!("arg{k}") }, ty.clone()));
        }
        Ok(Object {
            bytes: file.bytes,
            stack: file.stack,
            scratch: program.scratch,
            symbol: options.symbol.clone(),
            calls: options.calls,
            params,
            results: program.results.clone(),
        })
    }

    /// The program for the machine of an object file: what is contracted depends on it, and so does the scratch memory.
    fn program_for(&self, options: &ObjectOptions) -> Result<Cow<'_, Program>, Error> {
        let fuses = options.fuses().map_err(|e| Error::new(e.to_string(), None))?;
        Ok(if fuses == wengert_cpu::fuses() {
            Cow::Borrowed(&self.program)
        } else {
            Cow::Owned(compile::lower(&self.traced, fuses)?.program)
        })
    }
}

/// Fails if `symbol` is no name for a C function: no identifier, a keyword of C or C++, a name that C reserves, or that of a
/// function of its library.
pub fn check_symbol(symbol: &str) -> Result<(), Error> {
    match names::refusal(symbol) {
        None => Ok(()),
        Some(why) => Err(Error::new(format!("`{symbol}` is no name for a C function: {why}"), None)),
    }
}

/// What a program calls a part of a tree, as one word: `params['gain'][0]` is `params_gain_0`.
fn words(name: &str) -> String {
    let words = name.split(|c: char| ".[]'\"".contains(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Whether a header or a module gives a parameter that name by itself.
fn is_used(name: &str) -> bool {
    let numbered = ["arg", "out"].into_iter().filter_map(|prefix| name.strip_prefix(prefix));
    name == "scratch" || numbered.into_iter().any(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

/// What an element is in memory, in C and in Rust: of what they have no type for, an integer with its bits; a complex number is two
/// of its parts.
fn element(dtype: DType) -> [&'static str; 2] {
    match dtype.part() {
        DType::F64 => ["double", "f64"],
        DType::F32 => ["float", "f32"],
        DType::I64 => ["int64_t", "i64"],
        DType::I32 => ["int32_t", "i32"],
        DType::I16 => ["int16_t", "i16"],
        DType::I8 => ["int8_t", "i8"],
        DType::U64 => ["uint64_t", "u64"],
        DType::U32 => ["uint32_t", "u32"],
        DType::F16 | DType::BF16 | DType::U16 => ["uint16_t", "u16"],
        DType::I1 => ["uint8_t", "bool"],
        _ => ["uint8_t", "u8"],
    }
}
