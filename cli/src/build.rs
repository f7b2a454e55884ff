//! `wengert build`: object files, shared libraries, C headers and Rust modules.

use crate::Result;
use crate::args::{BuildArgs, Cpu};
use crate::emit::derive;
use crate::files;
use std::path::{Path, PathBuf};
use std::process::Command;
use target_lexicon::Triple;
use wengert::object;
use wengert::outputs::Outputs;

pub(crate) fn build(args: &BuildArgs) -> Result<()> {
    let triple = match &args.target {
        None => Triple::host(),
        Some(text) => text.parse().map_err(|e| format!("--target {text}: {e}"))?,
    };
    let kind = kind(&args.output)?;
    if kind == Kind::Library && triple != Triple::host() {
        return Err("a shared library for another machine needs its linker: make an object file (.o)".into());
    }
    if kind == Kind::Library && args.runtime {
        let message = "a shared library would miss what --runtime calls: make an object file (.o), and link it with libwengert_runtime.a";
        return Err(message.into());
    }
    let symbol = args.symbol.clone().unwrap_or_else(|| symbol_of(&args.program.program));
    let program = derive(files::program(&args.program)?, &args.derivative)?;
    let lowered = program.lower().map_err(|e| e.to_string())?;
    let cpu = match args.cpu {
        Cpu::Baseline => object::Cpu::Baseline,
        Cpu::Common => object::Cpu::Common,
        Cpu::Native => object::Cpu::Native,
    };
    let calls = match (args.self_contained, args.runtime) {
        (true, _) => object::Calls::Nothing,
        (false, true) => object::Calls::Runtime,
        (false, false) => object::Calls::C,
    };
    let options = object::ObjectOptions { triple, cpu, symbol, calls };
    let made = lowered.object(&options).map_err(|e| e.to_string())?;
    let mut outputs = Outputs::default();
    match kind {
        Kind::Object => outputs.add(&args.output, made.bytes()).map_err(|e| e.to_string())?,
        Kind::Library => link(&mut outputs, &args.output, made.bytes())?,
    }
    let origin = args.program.program.file_name().unwrap_or_default().to_string_lossy();
    let texts = [
        (&args.header, "h", "the header", made.c_header(&origin)),
        (&args.rust, "rs", "the Rust module", made.rust_module(&origin)),
    ];
    let mut paths = vec![place(&args.output), place(&args.program.program)];
    if paths[0] == paths[1] {
        return Err(format!("{}: the output would replace the program", args.output.display()));
    }
    for (asked, extension, what, text) in texts {
        let Some(path) = asked else { continue };
        let path = path.clone().unwrap_or_else(|| args.output.with_extension(extension));
        if paths.contains(&place(&path)) {
            return Err(format!("{}: {what} would replace another file of this command", path.display()));
        }
        outputs.add(&path, text.as_bytes()).map_err(|e| e.to_string())?;
        paths.push(place(&path));
    }
    outputs.finish().map_err(|e| e.to_string())
}

/// A path as it is however it was written, of a file that may not be there yet.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whole = folder.canonicalize().ok().zip(path.file_name()).map(|(folder, name)| folder.join(name));
    path.canonicalize().ok().or(whole).unwrap_or_else(|| path.to_owned())
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

/// The file's name with what C does not allow replaced; where C has another use for that, or `main.mlir` would be the
/// `main` of a program, `f_` comes before it.
fn symbol_of(program: &Path) -> String {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    let clean: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match object::check_symbol(&clean) {
        Ok(()) => clean,
        Err(_) => format!("f_{clean}"),
    }
}

/// Links an object to a shared library with the system's C compiler, in a folder of its own beside the output.
fn link(outputs: &mut Outputs, output: &Path, bytes: &[u8]) -> Result<()> {
    let describe = |e: std::io::Error| format!("{}: {e}", output.display());
    let beside = output.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new().prefix(".wengert-").tempdir_in(beside).map_err(describe)?;
    let (object, library) = (folder.path().join("object.o"), folder.path().join("library"));
    std::fs::write(&object, bytes).map_err(describe)?;
    let mut cc = Command::new("cc");
    cc.arg("-shared").arg("-o").arg(&library).arg(&object).arg("-lm");
    if cfg!(target_os = "macos") {
        // A library there holds the path that programs look for it at.
        cc.arg("-install_name").arg(output);
    }
    match cc.output() {
        Err(e) => Err(format!("cc, which links shared libraries: {e}; make an object file (.o) instead")),
        Ok(out) if !out.status.success() => {
            Err(format!("cc failed to link {}: {}", output.display(), String::from_utf8_lossy(&out.stderr)))
        }
        Ok(_) => outputs.add_copy(output, &library).map_err(|e| e.to_string()),
    }
}
