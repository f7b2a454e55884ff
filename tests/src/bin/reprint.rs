//! Reads StableHLO programs and writes what our printer makes of them: `reprint FOLDER FILE...` writes
//! `FOLDER/0.mlir`, `FOLDER/1.mlir`... and says on standard error which files it could not read.
//!
//! `tests/jaxlib_parse.py` hands the result to upstream's parser.

use std::io::Write;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let Some(folder) = args.next() else {
        writeln!(std::io::stderr(), "usage: reprint FOLDER FILE...")?;
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    for (k, file) in args.enumerate() {
        match wengert_ir::text::parse(&std::fs::read_to_string(&file)?) {
            Ok(module) => std::fs::write(Path::new(&folder).join(format!("{k}.mlir")), module.to_string())?,
            Err(e) => writeln!(std::io::stderr(), "{file}:{e}")?,
        }
    }
    Ok(())
}
