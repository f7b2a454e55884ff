//! Support for tests: NVIDIA's assembler, and the device that they run on. Not part of the public interface.

use crate::device::{Device, Error};
use crate::drivers;
use std::path::PathBuf;
use std::process::Command;

/// The environment variable that names the device on which tests of operations run.
pub const DEVICE: &str = "WENGERT_TEST_DEVICE";

/// That device; if none is named, one of its own for each that asks, which interprets PTX text.
///
/// # Errors
/// If there is no such device.
pub fn device() -> Result<Device, Error> {
    match std::env::var(DEVICE) {
        Ok(name) => drivers::open(&name),
        Err(_) => Ok(drivers::reference::device().0),
    }
}

/// What an entry takes of a multiprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Used {
    /// Its symbol.
    pub entry: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared: u32,
    /// Bytes that a thread spills: stores, and loads.
    pub spills: u32,
    /// Bytes of the stack frame of a thread: local memory.
    pub stack: u32,
}

/// Where the assembler is: what `WENGERT_PTXAS` names, or where `.ci/run` installs it.
///
/// # Errors
/// Why it is not there.
pub fn ptxas() -> Result<PathBuf, String> {
    let path = match std::env::var_os("WENGERT_PTXAS") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/gpu-tools/ptxas"),
    };
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("{} is not there (`bash .ci/run` installs it)", path.display()))
    }
}

/// Assembles a module for a generation of GPUs, such as `sm_90`.
///
/// # Errors
/// What the assembler says.
pub fn assemble(ptxas: &PathBuf, text: &str, target: &str) -> Result<Vec<Used>, String> {
    let folder = std::env::temp_dir().join(format!(
        "wengert-ptxas-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let (source, object) = (folder.join("module.ptx"), folder.join("module.cubin"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let out = Command::new(ptxas)
        .arg(format!("-arch={target}"))
        .args(["-v", "-o"])
        .args([&object, &source])
        .output()
        .map_err(|e| format!("{}: {e}", ptxas.display()));
    let _ = std::fs::remove_dir_all(&folder);
    let out = out?;
    let said = String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout);
    if !out.status.success() {
        return Err(said);
    }
    Ok(parse(&said))
}

/// What `-v` says of each entry.
fn parse(said: &str) -> Vec<Used> {
    let mut all: Vec<Used> = Vec::new();
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let entry = rest.split('\'').next().unwrap_or_default().to_owned();
            all.push(Used { entry, registers: 0, shared: 0, spills: 0, stack: 0 });
        }
        let Some(last) = all.last_mut() else { continue };
        // `0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads`; `Used 14 registers, 64 bytes smem`.
        for part in line.split(", ") {
            let words: Vec<&str> = part.split_whitespace().collect();
            let number = words.iter().find_map(|w| w.parse::<u32>().ok()).unwrap_or(0);
            match words.last() {
                Some(&"frame") => last.stack = number,
                Some(&"stores" | &"loads") => last.spills += number,
                Some(&"registers") => last.registers = number,
                Some(&"smem") => last.shared = number,
                _ => {}
            }
        }
    }
    all
}
