//! How callers want arrays to lie, as the header's structs say it.

use crate::entry;
use crate::error::{Done, Failure};
use crate::ffi::{PJRT_Buffer_MemoryLayout, layout_type};
use crate::layout::Order;
use crate::strides;
use wengert::TensorType;

/// A layout of a caller: the order of dimensions that lie densely, or bytes between neighbours.
enum Asked {
    Order(Order),
    Strides(Vec<i64>),
}

/// # Safety
/// `layout` points to a layout as the header describes it.
unsafe fn asked(ty: &TensorType, layout: *const PJRT_Buffer_MemoryLayout) -> Done<Asked> {
    if !layout.is_aligned() {
        return Err(Failure::invalid("a misaligned layout"));
    }
    // SAFETY: the contract of this function; the type says which of the two there is, and any bytes are valid.
    let (kind, tiled, strided) = unsafe { ((*layout).type_, (*layout).value.tiled, (*layout).value.strides) };
    let rank = ty.shape.len();
    match kind {
        layout_type::TILED => {
            // SAFETY: the contract of this function.
            let order =
                unsafe { entry::list("minor_to_major", tiled.minor_to_major, tiled.minor_to_major_size) }?;
            let order = Order::new(order, rank)?;
            if tiled.num_tiles != 0 {
                return Err(Failure::unimplemented("a layout with tiles"));
            }
            Ok(Asked::Order(order))
        }
        layout_type::STRIDES => {
            // SAFETY: the contract of this function.
            let strides =
                unsafe { entry::list("byte_strides", strided.byte_strides, strided.num_byte_strides) }?;
            if strides.len() != rank {
                return Err(Failure::invalid(format!("{} strides for {rank} dimensions", strides.len())));
            }
            Ok(Asked::Strides(strides.to_vec()))
        }
        other => Err(Failure::invalid(format!("no layout has the type {other}"))),
    }
}

/// The strides that a caller asks for with a layout, or those of an order if it gives none.
///
/// # Safety
/// `layout` is null or points to a layout as the header describes it.
pub(crate) unsafe fn bytes_between(
    ty: &TensorType,
    layout: *const PJRT_Buffer_MemoryLayout,
    otherwise: &Order,
) -> Done<Vec<i64>> {
    if layout.is_null() {
        return Ok(otherwise.strides(ty));
    }
    // SAFETY: the contract of this function.
    Ok(match unsafe { asked(ty, layout) }? {
        Asked::Order(order) => order.strides(ty),
        Asked::Strides(strides) => strides,
    })
}

/// The order in which a caller wants an array to lie, row-major if it does not say. Fails if there would be gaps.
///
/// # Safety
/// As of [`bytes_between`].
pub(crate) unsafe fn order(ty: &TensorType, layout: *const PJRT_Buffer_MemoryLayout) -> Done<Order> {
    let rank = ty.shape.len();
    if layout.is_null() {
        return Ok(Order::row_major(rank));
    }
    // SAFETY: the contract of this function.
    match unsafe { asked(ty, layout) }? {
        Asked::Order(order) => Ok(order),
        Asked::Strides(strides) if ty.bytes() == 0 || strides::are_dense(ty, &strides) => {
            Ok(Order::row_major(rank))
        }
        Asked::Strides(strides) => {
            let mut dims: Vec<usize> = (0..rank).collect();
            // Of dimensions that nobody walks along the strides may be any: they are kept within their neighbours.
            dims.sort_by_key(|&d| std::cmp::Reverse((strides[d], ty.shape[d])));
            let order = Order::outermost_first(dims.into_iter());
            if strides::are(ty, &strides, &order.strides(ty)) {
                return Ok(order);
            }
            Err(Failure::unimplemented(format!("a buffer of {ty} with gaps, of the strides {strides:?}")))
        }
    }
}
