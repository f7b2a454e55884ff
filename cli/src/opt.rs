//! `wengert opt`: passes over tensor IR.

use crate::Result;
use crate::args::OptArgs;
use crate::out::{out, outln};
use crate::{emit, files};
use wengert::outputs;
use wengert::stages::Traced;
use wengert_ir::verify;
use wengert_passes::pipeline::Pipeline;

pub(crate) fn opt(args: &OptArgs) -> Result<()> {
    let pipeline = Pipeline::parse(&args.pipeline).map_err(|e| e.to_string())?;
    let program = emit::derive(files::any_program(&args.program)?, &args.derivative)?;
    let (module, func) = program.module();
    let mut module = module.clone();
    let mut broken = Ok(());
    let func = pipeline.run_within(&mut module, func, &program.limits(), &mut |step| {
        let shown = Traced::new(step.module.clone(), step.func);
        if args.print_after_all {
            outln!(
                "// ----- {} {} ({:.3} ms)\n{}",
                step.index,
                step.pass.name,
                step.elapsed.as_secs_f64() * 1e3,
                shown.text(args.locations)
            );
        }
        if args.verify_each && broken.is_ok() {
            broken = verify::verify(shown.module().0).map_err(|errors| {
                let lines: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
                format!(
                    "the program is broken after pass {} ({}):\n{}",
                    step.index,
                    step.pass.name,
                    lines.join("\n")
                )
            });
        }
    });
    let func = func.map_err(|e| e.to_string())?;
    broken?;
    let program = Traced::new(module, func);
    if let Some(version) = &args.emit_bytecode {
        let Some(path) = &args.output else { return Err("--emit-bytecode wants a file, -o FILE".to_owned()) };
        let bytes = program.to_bytecode(Some(version)).map_err(|e| e.to_string())?;
        return outputs::save(path, &bytes).map_err(|e| e.to_string());
    }
    match &args.output {
        Some(path) => {
            outputs::save(path, program.text(args.locations).as_bytes()).map_err(|e| e.to_string())?
        }
        None if args.print_after_all => {}
        None => out!("{}", program.text(args.locations)),
    }
    Ok(())
}
