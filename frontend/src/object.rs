//! Object files and C headers: a program compiled ahead of time, to be called from C, C++ or anything that can call C,
//! without this library.

mod names;

use crate::compile;
use crate::deep;
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
    /// Fails if the program has an operation that is no loop (sorting, factorizations, transforms, complex arguments) and may not call
    /// the library for these ([`Calls::Runtime`]), or one that needs a process (checks, functions of the host, the reverse mode of
    /// a `while` of unknown length), if the symbol is no name for a C
    /// function ([`check_symbol`]), if there is no code for the machine (for other architectures than this one's, there is with
    /// the feature `other-machines`), or if it would have to call C's library and may not ([`Calls::Nothing`]).
    pub fn object(&self, options: &ObjectOptions) -> Result<Vec<u8>, Error> {
        check_symbol(&options.symbol)?;
        if !self.checks.is_empty() {
            let message = "the program checks values while it runs, which an object file cannot report";
            return Err(Error::new(message.to_owned(), None));
        }
        deep::run(&self.optimized, || self.object_of(options))
    }

    fn object_of(&self, options: &ObjectOptions) -> Result<Vec<u8>, Error> {
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
        // What ends the comment ends it there only.
        let origin = origin.replace("*/", "* /").replace(|c: char| c.is_control() || c == '\\', " ");
        let func = self.optimized.module.get(self.optimized.func);
        let mut names: Vec<String> = Vec::new();
        for k in 0..self.program.params.len() {
            let given = func.param_names.get(k).map(|n| n.replace(['.', '[', ']'], "_")).unwrap_or_default();
            let usable = names::is_parameter(&given) && !names.contains(&given) && !is_used(&given);
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
        let (returns, why) = status(options.calls);
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
{list} * Results must not overlap arguments. {returns} */
int32_t {symbol}({parameters});
{why}
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

/// What a header says of what a call gives, and what it declares to ask why.
fn status(calls: Calls) -> (&'static str, &'static str) {
    match calls {
        Calls::Runtime => (
            "Returns 0, or another number if an operation failed, of which wengert_last_error() says why.",
            "
/* Of libwengert_runtime, which this is linked with: why the last call on this thread that failed did so. */
const char *wengert_last_error(void);
",
        ),
        Calls::C | Calls::Nothing => ("Returns 0.", ""),
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

/// Whether the header gives a parameter that name by itself.
fn is_used(name: &str) -> bool {
    let numbered = ["arg", "out"].into_iter().filter_map(|prefix| name.strip_prefix(prefix));
    name == "scratch" || numbered.into_iter().any(|rest| rest.chars().all(|c| c.is_ascii_digit()))
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
