//! Reading programs, writing results.

use crate::Result;
use crate::args::ProgramArgs;
use crate::out::outln;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use wengert::outputs::Outputs;
use wengert::{Limits, Tensor, stages::Traced};
use wengert_ir::bytecode;
use wengert_ir::func::{FuncKind, Module};
use wengert_ir::npy;

/// The program of a command line.
pub(crate) fn program(args: &ProgramArgs) -> Result<Traced> {
    let (path, limits) = (&args.program, args.limits.limits());
    let source = contents(path, &limits)?;
    let program = Traced::parse(source, Some(&args.entry)).map_err(|e| format!("{}:{e}", path.display()))?;
    Ok(program.within(limits))
}

/// The program of a command line that may be there to be printed only.
pub(crate) fn any_program(args: &ProgramArgs) -> Result<Traced> {
    let (path, limits) = (&args.program, args.limits.limits());
    let program = Traced::read(contents(path, &limits)?, Some(&args.entry));
    Ok(program.map_err(|e| format!("{}:{e}", path.display()))?.within(limits))
}

/// The program of a command line, what does not say where it comes from at its line of the file.
pub(crate) fn placed(args: &ProgramArgs) -> Result<Traced> {
    let (path, limits) = (args.program.display().to_string(), args.limits.limits());
    let Source::Text(text) = source(&args.program, &limits)? else { return program(args) };
    let program = Traced::parse_placed(&text, Some(&args.entry), &path).map_err(|e| format!("{path}:{e}"))?;
    Ok(program.within(limits))
}

/// A file with a program.
pub(crate) enum Source {
    Text(String),
    /// What is in it is bytecode.
    Module(Module),
}

/// The program of a file, text or bytecode by its first bytes.
pub(crate) fn source(path: &Path, limits: &Limits) -> Result<Source> {
    let bytes = contents(path, limits)?;
    if bytecode::is_binary(&bytes) {
        let module = bytecode::read(&bytes).map_err(|e| format!("{}:{e}", path.display()))?;
        return Ok(Source::Module(module));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{}: not UTF-8 text", path.display()))?;
    Ok(Source::Text(text))
}

/// The bytes of a file, no more of them than there may be memory.
pub(crate) fn contents(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let max = limits.max_memory.unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|f| f.take(max.saturating_add(1)).read_to_end(&mut bytes));
    read.map_err(|e| format!("{}: {e}", path.display()))?;
    match bytes.len() as u64 > max {
        true => Err(format!("{}: has more than {max} bytes (--max-memory)", path.display())),
        false => Ok(bytes),
    }
}

/// What separates modules in one file.
const SEPARATOR: &str = "// -----";

/// Whether a text has several modules.
pub(crate) fn is_split(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(SEPARATOR))
}

/// The modules of a text, each on the lines it has in the file.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for (number, line) in text.lines().enumerate() {
        if line.starts_with(SEPARATOR) {
            parts.push("\n".repeat(number));
        }
        let part = parts.last_mut().expect("there is one");
        part.push_str(line);
        part.push('\n');
    }
    parts
}

/// The modules of a program.
pub(crate) fn modules(source: &Source) -> Result<Vec<Module>> {
    match source {
        Source::Module(module) => Ok(vec![module.clone()]),
        Source::Text(text) => {
            split(text).iter().map(|part| wengert_ir::text::parse(part).map_err(|e| e.to_string())).collect()
        }
    }
}

/// The programs of a file, by name: of each module the function `entry`, or every public function without
/// arguments if there is none of that name.
pub(crate) fn programs(source: &Source, entry: &str, limits: Limits) -> Result<Vec<(String, Traced)>> {
    let mut out = Vec::new();
    for module in modules(source)? {
        if let Some(func) = module.find(entry) {
            out.push((entry.to_owned(), Traced::new(module, func).within(limits)));
            continue;
        }
        for (id, func) in module.funcs.iter() {
            if func.kind == FuncKind::Public && func.params.is_empty() {
                out.push((func.name.clone(), Traced::new(module.clone(), id).within(limits)));
            }
        }
    }
    Ok(out)
}

/// Writes results as `DIR/name.npy`, or prints them.
pub(crate) fn write(dir: Option<&Path>, results: &[(String, Tensor)]) -> Result<()> {
    let Some(dir) = dir else {
        for (name, tensor) in results {
            outln!("{name} = {tensor}");
        }
        return Ok(());
    };
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut outputs = Outputs::default();
    for (name, tensor) in results {
        let path = dir.join(format!("{name}.npy"));
        let bytes = npy::write(&tensor.to_array()).map_err(|e| format!("{}: {e}", path.display()))?;
        outputs.add(&path, &bytes).map_err(|e| e.to_string())?;
    }
    outputs.finish().map_err(|e| e.to_string())
}
