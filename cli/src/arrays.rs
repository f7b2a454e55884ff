//! Arrays that the command is given: `.npy` files, and members of `.npz` archives.
//!
//! A path that ends in `.npz` stands for all arrays of the archive: those that `numpy.savez(file, a, b)` numbers (`arr_0`,
//! `arr_1`...) by number, others in the order of the archive. `FILE.npz:NAME` is one of them.

use crate::{Result, files};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use wengert::{Limits, Tensor, stages::Traced};
use wengert_ir::npy;
use wengert_ir::types::{DType, DYNAMIC, TensorType};
use zip::ZipArchive;

/// Where an array is.
enum Source {
    /// In a file of its own.
    File(PathBuf),
    /// In an archive, under this name.
    Member(PathBuf, String),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::File(path) => path.display().fmt(f),
            Source::Member(path, name) => write!(f, "{}:{name}", path.display()),
        }
    }
}

/// The arrays that words of a command line name, archives taken apart.
fn sources(words: &[impl AsRef<Path>]) -> Result<Vec<Source>> {
    let mut out = Vec::new();
    for word in words {
        let path = word.as_ref();
        let text = path.to_string_lossy();
        if let Some((archive, name)) = text.rsplit_once(".npz:") {
            out.push(Source::Member(format!("{archive}.npz").into(), name.to_owned()));
        } else if path.extension().is_some_and(|e| e == "npz") {
            let archive = open(path)?;
            let names = archive.file_names().filter_map(|n| n.strip_suffix(".npy"));
            let mut names: Vec<String> = names.map(str::to_owned).collect();
            let number = |name: &str| name.strip_prefix("arr_")?.parse::<usize>().ok();
            if names.iter().all(|n| number(n).is_some()) {
                names.sort_by_key(|n| number(n));
            }
            if names.is_empty() {
                return Err(format!("{}: the archive has no arrays", path.display()));
            }
            out.extend(names.into_iter().map(|name| Source::Member(path.to_owned(), name)));
        } else {
            out.push(Source::File(path.to_owned()));
        }
    }
    Ok(out)
}

fn open(path: &Path) -> Result<ZipArchive<File>> {
    let within = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let file = File::open(path).map_err(|e| within(&e))?;
    ZipArchive::new(file).map_err(|e| within(&e))
}

/// More than the header of an array's file needs.
const HEADER: u64 = 1 << 16;

/// The array for a place where one of type `ty` is due, of no more bytes than there may be memory; the caller compares the
/// types.
fn read(source: &Source, ty: &TensorType, limits: &Limits) -> Result<Tensor> {
    let within = |e: &dyn std::fmt::Display| format!("{source}: {e}");
    let bytes = match source {
        Source::File(path) => files::contents(path, limits)?,
        Source::Member(path, name) => {
            let mut archive = open(path)?;
            let member = archive.by_name(&format!("{name}.npy")).map_err(|e| within(&e))?;
            // A small archive may not unpack to more than is asked for; of open sizes it says itself how much it holds.
            let most =
                ty.checked_elements().filter(|_| ty.is_static()).map(|n| n.saturating_mul(ty.dtype.size()));
            let most = most.map_or(member.size(), |n| (n as u64).saturating_add(HEADER));
            if let Some(max) = limits.max_memory.filter(|&max| most > max) {
                return Err(within(&format!("has more than {max} bytes (--max-memory)")));
            }
            let mut bytes = Vec::new();
            member.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| within(&e))?;
            if bytes.len() as u64 > most {
                return Err(within(&format!("holds more than {ty}, which is due here")));
            }
            bytes
        }
    };
    parse(&bytes, ty.dtype).map_err(|e| within(&e))
}

/// The one array that a word of the command line names, for a place where one of type `ty` is due.
pub(crate) fn array(path: &Path, ty: &TensorType, limits: &Limits) -> Result<Tensor> {
    match &sources(&[path])?[..] {
        [source] => read(source, ty, limits),
        many => Err(format!("{} holds {} arrays: name one, as FILE.npz:NAME", path.display(), many.len())),
    }
}

/// Arrays for the function's arguments, checked against its types.
pub(crate) fn inputs(program: &Traced, paths: &[impl AsRef<Path>]) -> Result<Vec<Tensor>> {
    let (types, limits) = (program.param_types(), program.limits());
    let sources = sources(paths)?;
    if types.len() != sources.len() {
        let inputs = if types.len() == 1 { "input" } else { "inputs" };
        return Err(format!("the function takes {} {inputs}, --inputs has {}", types.len(), sources.len()));
    }
    let inputs = sources.iter().zip(types).enumerate().map(|(k, (source, ty))| {
        let t = read(source, &ty, &limits)?;
        if !fits(&ty, &t.ty()) {
            return Err(format!("input {k} ({source}) is {}, the function takes {ty}", t.ty()));
        }
        Ok(t)
    });
    inputs.collect()
}

/// Whether a type is another one, or what that leaves open.
fn fits(open: &TensorType, ty: &TensorType) -> bool {
    let same = |(&a, &b): (&usize, &usize)| a == DYNAMIC || a == b;
    open.dtype == ty.dtype && open.rank() == ty.rank() && open.shape.iter().zip(&ty.shape).all(same)
}

fn parse(bytes: &[u8], dtype: DType) -> std::result::Result<Tensor, npy::NpyError> {
    npy::parse_as(bytes, dtype).map(Tensor::from)
}
