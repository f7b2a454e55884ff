//! The extension for shardings. A program of one device has none; saying so spares callers to look for them in the whole program.

use crate::entry;
use crate::error::Done;
use crate::executable::Executable;
use crate::ffi::*;
use crate::handles;

const NOTHING: (usize, *const *const u8, *const usize) = (0, std::ptr::null(), std::ptr::null());

/// The lists are the executable's, here and below.
fn of_inputs(a: &mut PJRT_Shardings_PJRT_Executable_ParameterShardings_Args) -> Done {
    let executable = handles::get::<Executable>(a.executable)?;
    (a.num_parameters, a.shardings, a.sharding_sizes) = executable.input_shardings().unwrap_or(NOTHING);
    Ok(())
}

fn of_outputs(a: &mut PJRT_Shardings_PJRT_Executable_OutputShardings_Args) -> Done {
    let executable = handles::get::<Executable>(a.executable)?;
    (a.num_outputs, a.shardings, a.sharding_sizes) = executable.output_shardings().unwrap_or(NOTHING);
    Ok(())
}

entry::functions! {
    /// In the order of the header.
    pub(crate) const FUNCTIONS: [Function; 2] = [
        PJRT_Shardings_PJRT_Executable_ParameterShardings => of_inputs,
        PJRT_Shardings_PJRT_Executable_OutputShardings => of_outputs,
    ];
}
