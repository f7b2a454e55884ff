//! Stand-ins for parts that are being connected.

use wengert_ir::func::{FuncId, Module};
use wengert_ir::kernel::Program;

pub(crate) fn lower(_: &Module, _: FuncId) -> Result<Program, String> {
    Err("lowering is not connected".into())
}

/// Stand-in for the printer.
pub(crate) mod text {
    pub(crate) use wengert_ir::text::parse;
    #[derive(Default)]
    pub(crate) struct PrintOptions {
        pub(crate) locations: bool,
    }
    pub(crate) fn print(module: &wengert_ir::func::Module, options: &PrintOptions) -> String {
        format!("{module:?} {}", options.locations)
    }
}
