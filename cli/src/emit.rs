//! `wengert emit`: a program at one stage.

use crate::Result;
use crate::args::{DerivativeArgs, EmitArgs, Stage};
use crate::files;
use wengert::stages::Traced;

pub(crate) fn emit(args: &EmitArgs) -> Result<()> {
    let program = derive(files::program(&args.program)?, &args.derivative)?;
    let text = match args.stage {
        Stage::Tensor => program.text(args.locations),
        Stage::Optimized => program.optimize().text(args.locations),
        Stage::Kernel => program.lower().map_err(|e| e.to_string())?.to_string(),
        Stage::Clif => program.lower().and_then(|l| l.clif()).map_err(|e| e.to_string())?,
        Stage::Asm => program.lower().and_then(|l| l.asm()).map_err(|e| e.to_string())?,
    };
    print!("{text}");
    Ok(())
}

/// The program, or its value and gradient.
pub(crate) fn derive(program: Traced, args: &DerivativeArgs) -> Result<Traced> {
    match &args.grad {
        None => Ok(program),
        Some(wrt) => program.value_and_grad(wrt).map_err(|e| e.to_string()),
    }
}
