//! Data between callers and buffers: arrays of numpy in, arrays for numpy out, memory of other libraries.

use crate::asked;
use crate::buffer::Buffer;
use crate::client::Client;
use crate::data::{Cell, Data, ForeignView, HostMemory};
use crate::device::Device;
use crate::entry;
use crate::error::{Code, Done, Failure};
use crate::event::{self, Completion};
use crate::ffi::*;
use crate::handles;
use crate::memory::Memory;
use crate::strides;
use crate::types::{self, TOKEN};
use std::sync::Arc;
use wengert::TensorType;
use wengert_ir::array::Bytes;

/// Arrays of fewer bytes are copied even where they could be read in place: that costs less than to say when they are not needed any
/// more.
const COPIED: usize = 4096;

/// Alignment that compiled code needs.
const ALIGNMENT: usize = 8;

/// Where a new buffer is to be: in a memory, or on a device, or on the first one.
fn target(
    client: *const PJRT_Client,
    device: *const PJRT_Device,
    memory: *const PJRT_Memory,
) -> Done<(Arc<Device>, &'static Memory)> {
    let client = handles::get::<Client>(client)?;
    if !memory.is_null() {
        let memory = Memory::of_pointer(memory)?;
        return Ok((memory.device()?, memory));
    }
    let device = if device.is_null() { client.devices()[0].clone() } else { handles::get::<Device>(device)? };
    let memory = device.default_memory();
    Ok((device, memory))
}

/// Memory for an array, or an error.
fn memory_for(ty: &TensorType) -> Done<Bytes> {
    Bytes::try_take(ty.bytes()).ok_or_else(|| {
        Failure::new(Code::ResourceExhausted, format!("no memory for {} bytes ({ty})", ty.bytes()))
    })
}

/// Where the elements of an array lie with these strides, as [`strides::extent`] says; an error if no memory is that
/// large. An array without elements lies nowhere, whatever its strides.
fn extent(ty: &TensorType, given: &[i64]) -> Done<(i64, i64)> {
    if ty.bytes() == 0 {
        return Ok((0, 0));
    }
    strides::extent(ty, given).ok_or_else(|| Failure::invalid(format!("no memory has the strides {given:?}")))
}

/// `PJRT_Client_BufferFromHostBuffer`.
pub(crate) fn from_host(a: &mut PJRT_Client_BufferFromHostBuffer_Args) -> Done {
    let (device, memory) = target(a.client, a.device, a.memory)?;
    // SAFETY: the header's contract.
    let (dims, given) = unsafe {
        (
            entry::list("dims", a.dims, a.num_dims)?,
            entry::list("byte_strides", a.byte_strides, a.num_byte_strides)?,
        )
    };
    if a.type_ == TOKEN {
        a.done_with_host_buffer = event::give(Completion::done())?;
        a.buffer = handles::insert(Buffer::token(Cell::ready(Data::owned(Bytes::take(0))), device))?;
        return Ok(());
    }
    let ty = types::tensor(a.type_, dims)?;
    // SAFETY: the header's contract.
    let order = unsafe { asked::order(&ty, a.device_layout) }?;
    if !given.is_empty() && given.len() != dims.len() {
        return Err(Failure::invalid(format!("{} strides for {} dimensions", given.len(), dims.len())));
    }
    let (length, dense, to) = (ty.bytes(), strides::dense(&ty), order.strides(&ty));
    let from = if given.is_empty() { &dense } else { given };
    let lies_right = strides::are(&ty, from, &to);
    if a.data.is_null() && length > 0 {
        return Err(Failure::invalid(format!("no data (a null pointer) for {ty}")));
    }
    let may_stay =
        matches!(a.host_buffer_semantics, semantics::IMMUTABLE_ZERO_COPY | semantics::MUTABLE_ZERO_COPY);
    let mut in_place = None;
    if may_stay && lies_right && length >= COPIED && a.data.addr().is_multiple_of(ALIGNMENT) {
        let released: Arc<Completion> = Arc::default();
        // SAFETY: the caller leaves the memory to us, unwritten, until the event; it has all elements of the type.
        let host = Data::Host(unsafe { HostMemory::new(a.data.cast(), length, released.clone()) });
        in_place = types::are_ours(ty.dtype, &host).then_some((host, released));
    }
    let (data, released) = if let Some(in_place) = in_place {
        in_place
    } else {
        extent(&ty, from)?;
        let mut bytes = memory_for(&ty)?;
        // SAFETY: the caller's array has the elements where it says, for the call; ours are new and dense.
        unsafe { strides::copy(&ty, a.data.cast(), from, bytes.as_mut_ptr(), &to) };
        types::from_host(ty.dtype, &mut bytes);
        (Data::owned(bytes), Completion::done())
    };
    a.done_with_host_buffer = event::give(released)?;
    a.buffer = handles::insert(Buffer::new(ty, order, Cell::ready(data), device, memory))?;
    Ok(())
}

/// `PJRT_Client_CreateUninitializedBuffer`: of zeros, so that nobody reads what was in memory.
pub(crate) fn uninitialized(a: &mut PJRT_Client_CreateUninitializedBuffer_Args) -> Done {
    let (device, memory) = target(a.client, a.device, a.memory)?;
    // SAFETY: the header's contract.
    let dims = unsafe { entry::list("shape_dims", a.shape_dims, a.shape_num_dims) }?;
    let ty = types::tensor(a.shape_element_type, dims)?;
    // SAFETY: the header's contract.
    let order = unsafe { asked::order(&ty, a.shape_layout) }?;
    let mut bytes = memory_for(&ty)?;
    bytes.fill(0);
    a.buffer = handles::insert(Buffer::new(ty, order, Cell::ready(Data::owned(bytes)), device, memory))?;
    Ok(())
}

/// `PJRT_Client_CreateViewOfDeviceBuffer`: memory of another library, read in place.
pub(crate) fn view(a: &mut PJRT_Client_CreateViewOfDeviceBuffer_Args) -> Done {
    let (device, memory) = target(a.client, a.device, a.memory)?;
    // SAFETY: the header's contract.
    let dims = unsafe { entry::list("dims", a.dims, a.num_dims) }?;
    let ty = types::tensor(a.element_type, dims)?;
    // SAFETY: the header's contract.
    let order = unsafe { asked::order(&ty, a.layout) }?;
    let start: *const u8 = a.device_buffer_ptr.cast_const().cast();
    if start.is_null() && ty.bytes() > 0 {
        return Err(Failure::invalid(format!("no data (a null pointer) for {ty}")));
    }
    // SAFETY: the caller leaves the memory to us until it is told that it is not needed any more.
    let view = unsafe { ForeignView::new(start, ty.bytes(), a.on_delete_callback, a.on_delete_callback_arg) };
    let view = Data::View(view);
    let data = if types::are_ours(ty.dtype, &view) {
        view
    } else {
        let mut bytes = memory_for(&ty)?;
        bytes.copy_from_slice(&view);
        types::from_host(ty.dtype, &mut bytes);
        Data::owned(bytes)
    };
    a.buffer = handles::insert(Buffer::new(ty, order, Cell::ready(data), device, memory))?;
    Ok(())
}

/// Memory of a caller that is written later.
struct Destination(*mut u8);

// SAFETY: the caller keeps it for us until the event of the copy.
unsafe impl Send for Destination {}

impl Destination {
    fn start(&self) -> *mut u8 {
        self.0
    }
}

/// Does `copy` on a buffer's data when it is there, and gives the event of that.
fn copied_out(buffer: &Buffer, copy: impl FnOnce(&[u8]) + Send + 'static) -> Done<*mut PJRT_Event> {
    let cell = buffer.cell()?;
    if cell.is_settled() {
        copy(cell.wait()?);
        return event::give(Completion::done());
    }
    let copied: Arc<Completion> = Arc::default();
    let (waited, set) = (cell.clone(), copied.clone());
    cell.completion().then(move |_| {
        set.set(waited.wait().map(|data| copy(data)));
    });
    event::give(copied)
}

/// `PJRT_Buffer_ToHostBuffer`.
pub(crate) fn to_host(a: &mut PJRT_Buffer_ToHostBuffer_Args) -> Done {
    let buffer = handles::get::<Buffer>(a.src)?;
    let ty = buffer.ty.clone();
    // SAFETY: the header's contract.
    let to = unsafe { asked::bytes_between(&ty, a.host_layout, &buffer.order) }?;
    let from = buffer.order.strides(&ty);
    let (low, high) = extent(&ty, &to)?;
    if a.dst.is_null() {
        a.dst_size = high as usize;
        return Ok(());
    }
    if low < 0 || high as usize > a.dst_size {
        let message = format!("{ty} in a memory of {} bytes, {high} are needed", a.dst_size);
        return Err(Failure::invalid(message));
    }
    let destination = Destination(a.dst.cast());
    a.event = copied_out(&buffer, move |data| {
        let narrow = types::is_narrow(ty.dtype);
        let mut changed = Vec::new();
        let source = if narrow {
            changed.extend_from_slice(data);
            types::to_host(ty.dtype, &mut changed);
            changed.as_ptr()
        } else {
            data.as_ptr()
        };
        // SAFETY: the data has all elements of the type; the caller's memory has room for them, which was checked.
        unsafe { strides::copy(&ty, source, &from, destination.start(), &to) };
    })?;
    Ok(())
}

/// `PJRT_Buffer_CopyRawToHost`.
pub(crate) fn raw_to_host(a: &mut PJRT_Buffer_CopyRawToHost_Args) -> Done {
    let buffer = handles::get::<Buffer>(a.buffer)?;
    let bytes = buffer.ty.bytes();
    let range = (|| {
        let (offset, size) = (usize::try_from(a.offset).ok()?, usize::try_from(a.transfer_size).ok()?);
        offset.checked_add(size).filter(|&end| end <= bytes).map(|end| offset..end)
    })();
    let Some(range) = range else {
        let message = format!("{} bytes from {} on, of a buffer of {bytes}", a.transfer_size, a.offset);
        return Err(Failure::invalid(message));
    };
    if a.dst.is_null() && !range.is_empty() {
        return Err(Failure::invalid("no memory to copy to (a null pointer)"));
    }
    let destination = Destination(a.dst.cast());
    a.event = copied_out(&buffer, move |data| {
        let source = &data[range];
        if !source.is_empty() {
            // SAFETY: the caller has as many bytes there as it asked for.
            unsafe { std::ptr::copy_nonoverlapping(source.as_ptr(), destination.start(), source.len()) };
        }
    })?;
    Ok(())
}

/// `PJRT_Client_DmaMap`: all memory is within reach.
pub(crate) fn dma_map(a: &mut PJRT_Client_DmaMap_Args) -> Done {
    handles::get::<Client>(a.client).map(drop)
}

/// `PJRT_Client_DmaUnmap`.
pub(crate) fn dma_unmap(a: &mut PJRT_Client_DmaUnmap_Args) -> Done {
    handles::get::<Client>(a.client).map(drop)
}
