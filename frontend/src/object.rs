//! Object files and C headers: a program compiled ahead of time, to be called from C, C++ or anything that can call C,
//! without this library.

use crate::compile;
use crate::error::Error;
use crate::stages::Lowered;
use std::borrow::Cow;
use std::fmt::Write as _;
pub use wengert_cpu::{Calls, Cpu, ObjectOptions};
use wengert_ir::kernel::Program;
use wengert_ir::types::{DType, TensorType};

impl Lowered {
    /// An object file (ELF, Mach-O or COFF, by the triple) that defines one C function; [`Lowered::c_header`] declares
    /// it. Mathematics is part of the object; parallel loops run on the caller's thread.
    ///
    /// Fails if the program has an operation that needs the runtime library (sorting, factorizations, transforms,
    /// complex or 16-bit arguments, checks, the reverse mode of a `while` of unknown length), if the symbol is no C
    /// identifier, if there is no code for the machine, or if it would have to call C's library and may not
    /// ([`Calls::Nothing`]).
    pub fn object(&self, options: &ObjectOptions) -> Result<Vec<u8>, Error> {
        if !is_identifier(&options.symbol) {
            let message = format!("`{}` is no name for a C function", options.symbol);
            return Err(Error::new(message, None));
        }
        if !self.checks.is_empty() {
            let message = "the program checks values while it runs, which an object file cannot report";
            return Err(Error::new(message.to_owned(), None));
        }
        let plain = |e: &dyn std::fmt::Display| Error::new(e.to_string(), None);
        wengert_cpu::object(&*self.program_for(options)?, options).map_err(|e| plain(&e))
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

    /// The C header of [`Lowered::object`] with the same options; `origin` says in its first line what it was made from.
    ///
    /// Fails if there is no code for the machine.
    pub fn c_header(&self, options: &ObjectOptions, origin: &str) -> Result<String, Error> {
        let (symbol, program) = (&options.symbol, self.program_for(options)?);
        let guard = symbol.to_uppercase();
        let func = self.optimized.module.get(self.optimized.func);
        let mut names: Vec<String> = Vec::new();
        for k in 0..self.program.params.len() {
            let given = func.param_names.get(k).map(|n| n.replace(['.', '[', ']'], "_")).unwrap_or_default();
            let usable =
                is_identifier(&given) && !names.contains(&given) && !RESERVED.contains(&given.as_str());
            names.push(if usable { given } else { format!("arg{k}") });
        }
        let outs: Vec<String> = (0..self.program.results.len()).map(|k| format!("out{k}")).collect();
        let all = || names.iter().zip(&self.program.params).chain(outs.iter().zip(&self.program.results));
        let width = all().map(|(n, _)| n.len()).max().unwrap_or(0);
        let mut list = String::new();
        for (name, ty) in all() {
            let _ = writeln!(list, " *   {name:width$}  {ty}");
        }
        let parameters: Vec<String> = names
            .iter()
            .zip(&self.program.params)
            .map(|(n, ty)| format!("const {} *{n}", c_type(ty)))
            .chain(outs.iter().zip(&self.program.results).map(|(n, ty)| format!("{} *{n}", c_type(ty))))
            .chain(["void *scratch".to_owned()])
            .collect();
        Ok(format!(
            "/* Made from {origin} by wengert {version}. */
#ifndef WENGERT_{guard}_H
#define WENGERT_{guard}_H

#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {{
#endif

/* Bytes of scratch memory that a call needs, 64-byte aligned; where this is 0, NULL will do.
 * Calls at the same time need memory of their own. */
#define {guard}_SCRATCH_BYTES {scratch}

/* Dense arrays in row-major order:
{list} * Results must not overlap arguments. Returns 0. */
int32_t {symbol}({parameters});

#ifdef __cplusplus
}}
#endif

#endif
",
            version = env!("CARGO_PKG_VERSION"),
            scratch = program.scratch,
            parameters = parameters.join(", "),
        ))
    }
}

/// Names that the header uses otherwise, and words of C that arguments are likely to be called.
const RESERVED: [&str; 14] = [
    "scratch", "double", "float", "int", "long", "short", "char", "signed", "unsigned", "void", "const",
    "auto", "register", "static",
];

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())
}

/// The C type of an element: of what C has no type for, an integer with its bits.
fn c_type(ty: &TensorType) -> &'static str {
    match ty.dtype {
        DType::F64 => "double",
        DType::F32 => "float",
        DType::I64 => "int64_t",
        DType::I32 => "int32_t",
        DType::I16 => "int16_t",
        DType::I8 => "int8_t",
        DType::U64 => "uint64_t",
        DType::U32 => "uint32_t",
        DType::F16 | DType::BF16 | DType::U16 => "uint16_t",
        _ => "uint8_t",
    }
}
