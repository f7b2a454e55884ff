//! `wengert build`: object files, shared libraries and C headers.

use crate::Result;
use crate::args::{BuildArgs, Cpu};
use crate::emit::derive;
use crate::files;
use std::path::{Path, PathBuf};
use std::process::Command;
use target_lexicon::Triple;
use wengert::object;

pub(crate) fn build(args: &BuildArgs) -> Result<()> {
    let triple = match &args.target {
        None => Triple::host(),
        Some(text) => text.parse().map_err(|e| format!("--target {text}: {e}"))?,
    };
    let kind = kind(&args.output)?;
    if kind == Kind::Library && triple != Triple::host() {
        return Err("a shared library for another machine needs its linker: make an object file (.o)".into());
    }
    let symbol = args.symbol.clone().unwrap_or_else(|| symbol_of(&args.program.program));
    let program = derive(files::program(&args.program)?, &args.derivative)?;
    let lowered = program.lower().map_err(|e| e.to_string())?;
    let cpu = match args.cpu {
        Cpu::Baseline => object::Cpu::Baseline,
        Cpu::Common => object::Cpu::Common,
        Cpu::Native => object::Cpu::Native,
    };
    let calls = if args.self_contained { object::Calls::Nothing } else { object::Calls::C };
    let options = object::ObjectOptions { triple, cpu, symbol, calls };
    let bytes = lowered.object(&options).map_err(|e| e.to_string())?;
    match kind {
        Kind::Object => write(&args.output, &bytes)?,
        Kind::Library => link(&args.output, &bytes)?,
    }
    if let Some(header) = &args.header {
        let path = header.clone().unwrap_or_else(|| args.output.with_extension("h"));
        let origin = args.program.program.file_name().unwrap_or_default().to_string_lossy();
        let text = lowered.c_header(&options, &origin).map_err(|e| e.to_string())?;
        write(&path, text.as_bytes())?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Library,
}

fn kind(output: &Path) -> Result<Kind> {
    match output.extension().and_then(|e| e.to_str()) {
        Some("o" | "obj") => Ok(Kind::Object),
        Some("so" | "dylib" | "dll") => Ok(Kind::Library),
        _ => Err(format!("{}: an output ends with .o, .obj, .so, .dylib or .dll", output.display())),
    }
}

/// The file's name with what C does not allow replaced.
fn symbol_of(program: &Path) -> String {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    let clean: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if clean.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        clean
    } else {
        format!("f_{clean}")
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// Links an object to a shared library with the system's C compiler.
fn link(output: &Path, bytes: &[u8]) -> Result<()> {
    let object = PathBuf::from(format!("{}.{}.o", output.display(), std::process::id()));
    write(&object, bytes)?;
    let linked = Command::new("cc").arg("-shared").arg("-o").arg(output).arg(&object).arg("-lm").output();
    let removed = std::fs::remove_file(&object).map_err(|e| format!("{}: {e}", object.display()));
    match linked {
        Err(e) => Err(format!("cc, which links shared libraries: {e}; make an object file (.o) instead")),
        Ok(out) if !out.status.success() => {
            Err(format!("cc failed to link {}: {}", output.display(), String::from_utf8_lossy(&out.stderr)))
        }
        Ok(_) => removed,
    }
}
