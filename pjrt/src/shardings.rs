//! The extension for shardings. One device has none; saying so spares callers to look for them in the whole program.

use crate::entry;
use crate::error::Done;
use crate::executable::Executable;
use crate::ffi::*;
use crate::handles;

fn of_inputs(a: &mut PJRT_Shardings_PJRT_Executable_ParameterShardings_Args) -> Done {
    handles::get::<Executable>(a.executable)?;
    (a.num_parameters, a.shardings, a.sharding_sizes) = (0, std::ptr::null(), std::ptr::null());
    Ok(())
}

fn of_outputs(a: &mut PJRT_Shardings_PJRT_Executable_OutputShardings_Args) -> Done {
    handles::get::<Executable>(a.executable)?;
    (a.num_outputs, a.shardings, a.sharding_sizes) = (0, std::ptr::null(), std::ptr::null());
    Ok(())
}

entry::functions! {
    /// In the order of the header.
    pub(crate) const FUNCTIONS: [Function; 2] = [
        PJRT_Shardings_PJRT_Executable_ParameterShardings => of_inputs,
        PJRT_Shardings_PJRT_Executable_OutputShardings => of_outputs,
    ];
}
