//! Reading programs and arrays, writing results.

use crate::Result;
use crate::args::ProgramArgs;
use std::path::Path;
use wengert::{Tensor, stages::Traced};
use wengert_ir::npy;

/// The program of a command line.
pub(crate) fn program(args: &ProgramArgs) -> Result<Traced> {
    let path = &args.program;
    let text = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = String::from_utf8(text).map_err(|_| format!("{}: not UTF-8 text", path.display()))?;
    Traced::parse(&text, Some(&args.entry)).map_err(|e| format!("{}:{e}", path.display()))
}

/// An array from a .npy file.
pub(crate) fn array(path: &Path) -> Result<Tensor> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    npy::parse(&bytes).map(Tensor::from).map_err(|e| format!("{}: {e}", path.display()))
}

/// Arrays for the function's arguments, checked against its types.
pub(crate) fn inputs(program: &Traced, paths: &[impl AsRef<Path>]) -> Result<Vec<Tensor>> {
    let types = program.param_types();
    if types.len() != paths.len() {
        return Err(format!("the function takes {} inputs, --inputs has {}", types.len(), paths.len()));
    }
    paths
        .iter()
        .zip(types)
        .enumerate()
        .map(|(k, (path, ty))| {
            let t = array(path.as_ref())?;
            if t.ty() != ty {
                return Err(format!(
                    "input {k} ({}) is {}, the function takes {ty}",
                    path.as_ref().display(),
                    t.ty()
                ));
            }
            Ok(t)
        })
        .collect()
}

/// Writes results as `DIR/name.npy`, or prints them.
pub(crate) fn write(dir: Option<&Path>, results: &[(String, Tensor)]) -> Result<()> {
    let Some(dir) = dir else {
        for (name, tensor) in results {
            println!("{name} = {tensor}");
        }
        return Ok(());
    };
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    for (name, tensor) in results {
        let path = dir.join(format!("{name}.npy"));
        let describe = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let bytes = npy::write(&tensor.to_array()).map_err(|e| describe(&e))?;
        std::fs::write(&path, bytes).map_err(|e| describe(&e))?;
    }
    Ok(())
}
