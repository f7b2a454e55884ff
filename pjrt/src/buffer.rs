//! Buffers: arrays on a device, made by callers or by programs.
//!
//! A buffer shares its [`Cell`] with the programs that read it and with its copies, which is sound because nobody writes
//! to data that is shared: a program that is given an argument away writes there only if it alone holds the cell. What numpy looks
//! at (an *external reference*) is held too, even when the buffer is deleted or given away.

use crate::asked;
use crate::callback;
use crate::data::Cell;
use crate::device::Device;
use crate::entry;
use crate::error::{Code, Done, Failure};
use crate::event;
use crate::ffi::*;
use crate::handles::{self, objects};
use crate::layout::Order;
use crate::memory::Memory;
use crate::types::{self, TOKEN};
use std::sync::{Arc, Mutex, MutexGuard};
use wengert::{DType, TensorType};

objects! { Buffer as PJRT_Buffer = 2 "buffer"; }

/// An array on a device, or a token.
pub(crate) struct Buffer {
    /// That of a token is that of its single byte.
    pub(crate) ty: TensorType,
    /// How its dimensions lie in memory.
    pub(crate) order: Order,
    number: PJRT_Buffer_Type,
    dims: Vec<i64>,
    device: Arc<Device>,
    memory: &'static Memory,
    content: Mutex<Content>,
}

struct Content {
    /// There until it is deleted or given away.
    cell: Option<Arc<Cell>>,
    /// How many others look at the memory, and the data that they look at.
    references: usize,
    referred: Option<Arc<Cell>>,
}

impl Buffer {
    pub(crate) fn new(
        ty: TensorType,
        order: Order,
        cell: Arc<Cell>,
        device: Arc<Device>,
        memory: &'static Memory,
    ) -> Arc<Self> {
        let (number, dims) = (types::number(ty.dtype), ty.shape.iter().map(|&d| d as i64).collect());
        let content = Mutex::new(Content { cell: Some(cell), references: 0, referred: None });
        Arc::new(Self { ty, order, number, dims, device, memory, content })
    }

    /// What orders effects: it is there once the program has run that gives it.
    pub(crate) fn token(cell: Arc<Cell>, device: Arc<Device>) -> Arc<Self> {
        let memory = device.default_memory();
        let content = Mutex::new(Content { cell: Some(cell), references: 0, referred: None });
        let ty = TensorType::new(DType::I1, &[0]);
        let order = Order::row_major(0);
        Arc::new(Self { ty, order, number: TOKEN, dims: Vec::new(), device, memory, content })
    }

    /// The number of its device.
    pub(crate) fn device_id(&self) -> i32 {
        self.device.id
    }

    pub(crate) fn is_token(&self) -> bool {
        self.number == TOKEN
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Where its data is.
    pub(crate) fn cell(&self) -> Done<Arc<Cell>> {
        self.content().cell.clone().ok_or_else(deleted)
    }

    /// Gives its data away; from now on it is deleted.
    pub(crate) fn delete(&self) {
        // Dropped without the lock: it may call the caller back.
        let _cell = self.content().cell.take();
    }
}

fn deleted() -> Failure {
    Failure::invalid("the buffer has been deleted or donated")
}

fn get(buffer: *const PJRT_Buffer) -> Done<Arc<Buffer>> {
    handles::get::<Buffer>(buffer)
}

/// `PJRT_Buffer_Destroy`.
pub(crate) fn destroy(a: &mut PJRT_Buffer_Destroy_Args) -> Done {
    handles::destroy::<Buffer>(a.buffer)
}

/// `PJRT_Buffer_ElementType`.
pub(crate) fn element_type(a: &mut PJRT_Buffer_ElementType_Args) -> Done {
    a.type_ = get(a.buffer)?.number;
    Ok(())
}

/// `PJRT_Buffer_Dimensions`; the list is the buffer's.
pub(crate) fn dimensions(a: &mut PJRT_Buffer_Dimensions_Args) -> Done {
    let buffer = get(a.buffer)?;
    (a.dims, a.num_dims) = (buffer.dims.as_ptr(), buffer.dims.len());
    Ok(())
}

/// `PJRT_Buffer_UnpaddedDimensions`: nothing is padded.
pub(crate) fn unpadded_dimensions(a: &mut PJRT_Buffer_UnpaddedDimensions_Args) -> Done {
    let buffer = get(a.buffer)?;
    (a.unpadded_dims, a.num_dims) = (buffer.dims.as_ptr(), buffer.dims.len());
    Ok(())
}

/// `PJRT_Buffer_DynamicDimensionIndices`: there are none.
pub(crate) fn dynamic_dimensions(a: &mut PJRT_Buffer_DynamicDimensionIndices_Args) -> Done {
    get(a.buffer)?;
    (a.dynamic_dim_indices, a.num_dynamic_dims) = (std::ptr::null(), 0);
    Ok(())
}

/// `PJRT_Buffer_GetMemoryLayout`; the list is the buffer's.
pub(crate) fn memory_layout(a: &mut PJRT_Buffer_GetMemoryLayout_Args) -> Done {
    let buffer = get(a.buffer)?;
    let tiled = PJRT_Buffer_MemoryLayout_Tiled {
        struct_size: size_of::<PJRT_Buffer_MemoryLayout_Tiled>(),
        extension_start: std::ptr::null_mut(),
        minor_to_major: buffer.order.as_ptr(),
        minor_to_major_size: buffer.order.len(),
        tile_dims: std::ptr::null(),
        tile_dim_sizes: std::ptr::null(),
        num_tiles: 0,
    };
    a.layout.value = PJRT_Buffer_MemoryLayout_Value { tiled };
    a.layout.type_ = layout_type::TILED;
    Ok(())
}

/// `PJRT_Buffer_OnDeviceSizeInBytes`.
pub(crate) fn size(a: &mut PJRT_Buffer_OnDeviceSizeInBytes_Args) -> Done {
    a.on_device_size_in_bytes = get(a.buffer)?.ty.bytes();
    Ok(())
}

/// `PJRT_Buffer_Device`.
pub(crate) fn device(a: &mut PJRT_Buffer_Device_Args) -> Done {
    a.device = get(a.buffer)?.device.handle();
    Ok(())
}

/// `PJRT_Buffer_Memory`.
pub(crate) fn memory(a: &mut PJRT_Buffer_Memory_Args) -> Done {
    a.memory = get(a.buffer)?.memory.pointer();
    Ok(())
}

/// `PJRT_Buffer_IsOnCpu`: whether numpy may look at the memory, which it may where elements lie as a caller expects.
pub(crate) fn is_on_cpu(a: &mut PJRT_Buffer_IsOnCpu_Args) -> Done {
    a.is_on_cpu = (!types::is_narrow(get(a.buffer)?.ty.dtype)).into();
    Ok(())
}

/// `PJRT_Buffer_Delete`.
pub(crate) fn delete(a: &mut PJRT_Buffer_Delete_Args) -> Done {
    get(a.buffer)?.delete();
    Ok(())
}

/// `PJRT_Buffer_IsDeleted`.
pub(crate) fn is_deleted(a: &mut PJRT_Buffer_IsDeleted_Args) -> Done {
    a.is_deleted = get(a.buffer)?.content().cell.is_none().into();
    Ok(())
}

/// `PJRT_Buffer_ReadyEvent`.
pub(crate) fn ready_event(a: &mut PJRT_Buffer_ReadyEvent_Args) -> Done {
    let completion = match get(a.buffer)?.cell() {
        Ok(cell) => cell.completion().clone(),
        Err(e) => event::Completion::failed(e),
    };
    a.event = event::give(completion)?;
    Ok(())
}

/// Where the data lies, waited for.
fn address(buffer: *const PJRT_Buffer) -> Done<*const u8> {
    let cell = get(buffer)?.cell()?;
    let data = if cell.is_settled() { cell.wait() } else { callback::unlocked(|| cell.wait()) };
    Ok(data?.as_ptr())
}

/// `PJRT_Buffer_UnsafePointer`.
pub(crate) fn unsafe_pointer(a: &mut PJRT_Buffer_UnsafePointer_Args) -> Done {
    a.buffer_pointer = address(a.buffer)?.expose_provenance();
    Ok(())
}

/// `PJRT_Buffer_OpaqueDeviceMemoryDataPointer`.
pub(crate) fn data_pointer(a: &mut PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args) -> Done {
    a.device_memory_ptr = address(a.buffer)?.cast_mut().cast();
    Ok(())
}

/// `PJRT_Buffer_IncreaseExternalReferenceCount`.
pub(crate) fn increase_references(a: &mut PJRT_Buffer_IncreaseExternalReferenceCount_Args) -> Done {
    let buffer = get(a.buffer)?;
    let mut content = buffer.content();
    if content.referred.is_none() {
        content.referred = Some(content.cell.clone().ok_or_else(deleted)?);
    }
    content.references += 1;
    Ok(())
}

/// `PJRT_Buffer_DecreaseExternalReferenceCount`.
pub(crate) fn decrease_references(a: &mut PJRT_Buffer_DecreaseExternalReferenceCount_Args) -> Done {
    let buffer = get(a.buffer)?;
    let mut content = buffer.content();
    let Some(left) = content.references.checked_sub(1) else {
        return Err(Failure::new(Code::FailedPrecondition, "the buffer has no external reference"));
    };
    content.references = left;
    let last = if left == 0 { content.referred.take() } else { None };
    drop(content);
    // Without the lock: it may call the caller back.
    drop(last);
    Ok(())
}

/// A buffer with the same data.
fn copied(
    buffer: *const PJRT_Buffer,
    device: Arc<Device>,
    memory: &'static Memory,
) -> Done<*mut PJRT_Buffer> {
    let buffer = get(buffer)?;
    if buffer.is_token() {
        return handles::insert(Buffer::token(buffer.cell()?, device));
    }
    handles::insert(Buffer::new(buffer.ty.clone(), buffer.order.clone(), buffer.cell()?, device, memory))
}

/// `PJRT_Buffer_CopyToDevice`.
pub(crate) fn copy_to_device(a: &mut PJRT_Buffer_CopyToDevice_Args) -> Done {
    let device = handles::get::<Device>(a.dst_device)?;
    let memory = device.default_memory();
    a.dst_buffer = copied(a.buffer, device, memory)?;
    Ok(())
}

/// `PJRT_Buffer_CopyToMemory`.
pub(crate) fn copy_to_memory(a: &mut PJRT_Buffer_CopyToMemory_Args) -> Done {
    let memory = Memory::of_pointer(a.dst_memory)?;
    a.dst_buffer = copied(a.buffer, memory.device()?, memory)?;
    Ok(())
}

/// `PJRT_Client_CreateErrorBuffer`: a buffer whose data will never be there.
pub(crate) fn create_error(a: &mut PJRT_Client_CreateErrorBuffer_Args) -> Done {
    let memory = Memory::of_pointer(a.memory)?;
    if a.error_code == 0 {
        return Err(Failure::invalid("PJRT_Client_CreateErrorBuffer: code 0 is no error"));
    }
    // SAFETY: the header's contract.
    let (dims, message) = unsafe {
        (
            entry::list("shape_dims", a.shape_dims, a.shape_num_dims)?,
            entry::text("error_message", a.error_message, a.error_message_size)?,
        )
    };
    let cell = Cell::failed(Failure { code: a.error_code, message: message.to_owned() });
    let device = memory.device()?;
    a.buffer = handles::insert(if a.shape_element_type == TOKEN {
        Buffer::token(cell, device)
    } else {
        let ty = types::tensor(a.shape_element_type, dims)?;
        // SAFETY: the header's contract.
        let order = unsafe { asked::order(&ty, a.shape_layout) }?;
        Buffer::new(ty, order, cell, device, memory)
    })?;
    Ok(())
}
