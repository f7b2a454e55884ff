//! `wengert emit`: a program at one stage; `wengert explain`: what the rewrites did.

use crate::Result;
use crate::args::{DerivativeArgs, EmitArgs, ExplainArgs, Stage};
use crate::files;
use crate::out::out;
use std::fmt::Write;
use wengert::MemoryPlan;
use wengert::outputs;
use wengert::stages::Traced;

pub(crate) fn emit(args: &EmitArgs) -> Result<()> {
    let program = derive(files::any_program(&args.program)?, &args.derivative)?;
    let text = match args.stage {
        Stage::Tensor => program.text(args.locations),
        Stage::Stablehlo => program.stablehlo().map_err(|e| e.to_string())?,
        Stage::Optimized => program.optimize().map_err(|e| e.to_string())?.text(args.locations),
        Stage::Plan => program.lower().and_then(|l| l.plan()).map_err(|e| e.to_string())?,
        Stage::Kernel => program.lower().map_err(|e| e.to_string())?.to_string(),
        Stage::Gpu => program.lower().and_then(|l| l.gpu()).map_err(|e| e.to_string())?.to_string(),
        Stage::Clif => program.lower().and_then(|l| l.clif()).map_err(|e| e.to_string())?,
        Stage::Asm => program.lower().and_then(|l| l.asm()).map_err(|e| e.to_string())?,
        #[cfg(feature = "gpu")]
        Stage::Ptx => program.lower().and_then(|l| l.ptx()).map_err(|e| e.to_string())?,
        #[cfg(feature = "gpu")]
        Stage::Wgsl => program.lower().and_then(|l| l.wgsl()).map_err(|e| e.to_string())?,
    };
    out!("{text}");
    Ok(())
}

pub(crate) fn explain(args: &ExplainArgs) -> Result<()> {
    if let Some(page) = &args.html {
        let program = derive(files::placed(&args.program)?, &args.derivative)?;
        let mut title = args.program.program.display().to_string();
        if let Some(wrt) = &args.derivative.grad {
            let wrt: Vec<String> = wrt.iter().map(usize::to_string).collect();
            title.push_str(&format!(" with its gradient by {}", wrt.join(", ")));
        }
        let text = program.explain_html(&title).map_err(|e| e.to_string())?;
        return outputs::save(page, text.as_bytes()).map_err(|e| e.to_string());
    }
    let program = files::placed(&args.program)?;
    let mut text = String::new();
    let program = if let (Some(wrt), Some(bytes)) = (&args.derivative.grad, args.derivative.memory_budget) {
        let (derived, plan) = planned(&program, wrt, bytes)?;
        writeln!(text, "{plan}").expect("a string takes everything");
        derived
    } else {
        derive(program, &args.derivative)?
    };
    let results = match args.result {
        Some(k) => k..k + 1,
        None => 0..program.result_types().len(),
    };
    for k in results {
        let explained = program.explain(k).map_err(|e| e.to_string())?;
        writeln!(text, "result {k}:\n{explained}").expect("a string takes everything");
    }
    for line in program.example_by_example() {
        writeln!(text, "one example of a batch after the other: {line}").expect("a string takes everything");
    }
    // What cannot be lowered has no loops to speak of.
    if let Ok(fusion) = program.lower().and_then(|l| l.fusion()) {
        text.push_str(&fusion);
    }
    let profile = program.lower().and_then(|l| l.kernels()).map_err(|e| e.to_string());
    match profile {
        Ok(profile) => writeln!(
            text,
            "kernels, by estimate for one thread (`wengert bench --profile` measures):\n{profile}"
        ),
        Err(e) => writeln!(text, "no kernels: {e}"),
    }
    .expect("a string takes everything");
    out!("{text}");
    Ok(())
}

/// The program, or its value and gradient.
pub(crate) fn derive(program: Traced, args: &DerivativeArgs) -> Result<Traced> {
    match (&args.grad, args.memory_budget) {
        (None, _) => Ok(program),
        (Some(wrt), None) => program.value_and_grad(wrt).map_err(|e| e.to_string()),
        (Some(wrt), Some(bytes)) => planned(&program, wrt, bytes).map(|(derived, _)| derived),
    }
}

/// Value and gradient in so many bytes, and what was chosen for that.
pub(crate) fn planned(program: &Traced, wrt: &[usize], bytes: u64) -> Result<(Traced, MemoryPlan)> {
    program.value_and_grad_within(wrt, bytes, None).map_err(|e| e.to_string())
}
