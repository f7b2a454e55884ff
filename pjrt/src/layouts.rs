//! The extension for layouts.

use crate::blob;
use crate::buffer::Buffer;
use crate::client::Client;
use crate::entry;
use crate::error::Done;
use crate::executable::Executable;
use crate::ffi::*;
use crate::handles;
use crate::layout::{Layout, Order, give};
use crate::topology::Topology;

fn destroy(a: &mut PJRT_Layouts_MemoryLayout_Destroy_Args) -> Done {
    handles::destroy::<Layout>(a.layout)
}

fn serialize(a: &mut PJRT_Layouts_MemoryLayout_Serialize_Args) -> Done {
    let layout = handles::get::<Layout>(a.layout)?;
    (a.serialized_bytes, a.serialized_bytes_size, a.serialized_layout) = layout.bytes()?;
    a.serialized_layout_deleter = Some(blob::delete);
    Ok(())
}

fn client_default(a: &mut PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args) -> Done {
    handles::get::<Client>(a.client)?;
    a.layout = give(&Order::row_major(a.num_dims))?;
    Ok(())
}

fn topology_default(a: &mut PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args) -> Done {
    handles::get::<Topology>(a.topology_description)?;
    a.layout = give(&Order::row_major(a.num_dims))?;
    Ok(())
}

fn of_buffer(a: &mut PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args) -> Done {
    let buffer = handles::get::<Buffer>(a.buffer)?;
    a.layout = give(&buffer.order)?;
    Ok(())
}

/// The list, and what is in it, is the executable's.
fn of_outputs(a: &mut PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args) -> Done {
    let executable = handles::get::<Executable>(a.executable)?;
    let layouts = executable.output_layouts();
    (a.num_outputs, a.layouts) = (layouts.len(), layouts.as_ptr().cast_mut());
    Ok(())
}

fn of_inputs(a: &mut PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args) -> Done {
    let executable = handles::get::<Executable>(a.executable)?;
    let layouts = executable.input_layouts();
    (a.num_parameters, a.layouts) = (layouts.len(), layouts.as_ptr().cast_mut());
    Ok(())
}

entry::functions! {
    /// In the order of the header.
    pub(crate) const FUNCTIONS: [Function; 7] = [
        PJRT_Layouts_MemoryLayout_Destroy => destroy,
        PJRT_Layouts_MemoryLayout_Serialize => serialize,
        PJRT_Layouts_PJRT_Client_GetDefaultLayout => client_default,
        PJRT_Layouts_PJRT_Buffer_MemoryLayout => of_buffer,
        PJRT_Layouts_PJRT_Topology_GetDefaultLayout => topology_default,
        PJRT_Layouts_PJRT_Executable_GetOutputLayouts => of_outputs,
        PJRT_Layouts_PJRT_Executable_GetParameterLayouts => of_inputs,
    ];
}
