//! `WENGERT_DUMP=DIR`: every pass's result of every compilation, numbered, as files a person can read and diff.
//!
//! `DIR/0003-jit/00-traced.mlir`, `01-inline.mlir`, .., `06-kernel.txt`. A folder that cannot be written is reported once on
//! standard error and otherwise ignored.

use crate::entry::as_program;
use std::path::PathBuf;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use wengert_ir::func::{FuncId, Module};
use wengert_ir::kernel::Program;
use wengert_ir::text;
use wengert_passes::pipeline::Step;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Where one compilation is dumped, if it is.
pub(crate) struct Dump {
    dir: Option<PathBuf>,
    files: usize,
}

impl Dump {
    /// Starts a folder with the function as traced.
    pub(crate) fn new(module: &Module, func: FuncId) -> Self {
        let Some(root) = std::env::var_os("WENGERT_DUMP") else { return Self { dir: None, files: 0 } };
        let name = if module.name.is_empty() { &module.get(func).name } else { &module.name };
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = PathBuf::from(root)
            .join(format!("{number:04}-{}", name.replace(|c: char| !c.is_alphanumeric(), "_")));
        let mut dump = Self { dir: Some(dir), files: 0 };
        dump.write("traced.mlir", || text_of(module, func));
        dump
    }

    /// Adds the result of a pass.
    pub(crate) fn pass(&mut self, step: &Step<'_>) {
        let name = format!("{}.mlir", step.pass.name);
        self.write(&name, || text_of(step.module, step.func));
    }

    /// Adds the kernel IR.
    pub(crate) fn program(&mut self, program: &Program) {
        self.write("kernel.txt", || program.to_string());
    }

    fn write(&mut self, name: &str, text: impl FnOnce() -> String) {
        let Some(dir) = &self.dir else { return };
        let path = dir.join(format!("{:02}-{name}", self.files));
        self.files += 1;
        let written = std::fs::create_dir_all(dir).and_then(|()| std::fs::write(&path, text()));
        if let Err(e) = written {
            report(&path, &e);
        }
    }
}

fn report(path: &std::path::Path, e: &std::io::Error) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| crate::warn::warn(format_args!("WENGERT_DUMP: {}: {e}", path.display())));
}

/// The text of a function as a program.
fn text_of(module: &Module, func: FuncId) -> String {
    text::print(&as_program(module, func).0, &text::PrintOptions { locations: false, plain: false })
}
