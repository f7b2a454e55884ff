//! Arrays in and out: every element type, strides, memory that is read in place, memory of other libraries.

use super::harness::*;
use crate::ffi::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[test]
fn bytes_come_out_as_they_went_in() {
    let caller = Caller::new();
    let data: Vec<u8> = (0..64u8).map(|k| k.wrapping_mul(37)).collect();
    for ty in (2..=29).filter(|ty| ![21, 22, 23, 24, 25, 29].contains(ty)) {
        let (buffer, event) = caller.buffer_of(ty, &[2, 2], data.as_ptr().cast(), &[], 0);
        let found = bytes(buffer).expect("there");
        assert!(is_ready(event) && found[..] == data[..found.len()] && found.len() >= 4, "type {ty}");
    }
    // Integers of four bits: the caller's upper bits are zero, whatever they were here.
    let nibbles: Vec<u8> = (0..16).collect();
    for ty in [21, 22] {
        let (buffer, _) = caller.buffer_of(ty, &[16], nibbles.as_ptr().cast(), &[], 2);
        assert_eq!(bytes(buffer), Ok(nibbles.clone()));
    }
    let (nothing, _) = caller.buffer_of(11, &[0, 3], std::ptr::null(), &[], 0);
    assert_eq!(bytes(nothing), Ok(Vec::new()));
    let (scalar, _) = caller.buffer_of(12, &[], data.as_ptr().cast(), &[], 0);
    assert_eq!(bytes(scalar), Ok(data[..8].to_vec()));
}

#[test]
fn truth_values_are_zero_or_one_however_they_come() {
    let caller = Caller::new();
    let text = r#"func.func public @main(%x: tensor<8192xi1>) -> (tensor<i32>, tensor<8192xi1>) {
      %n = stablehlo.convert %x : (tensor<8192xi1>) -> tensor<8192xi32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %sum = stablehlo.reduce(%n init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192xi32>, tensor<i32>) -> tensor<i32>
      %not = stablehlo.not %x : tensor<8192xi1>
      return %sum, %not : tensor<i32>, tensor<8192xi1>
    }"#;
    let count = caller.compile(text).expect("compiles");
    let clean: Vec<u8> = (0..8192).map(|k| (k % 3 == 0) as u8).collect();
    let dirty: Vec<u8> = (0..8192).map(|k| if k % 3 == 0 { 1 + (k % 255) as u8 } else { 0 }).collect();
    let view = |data: &[u8]| {
        let mut a: PJRT_Client_CreateViewOfDeviceBuffer_Args = args();
        (a.client, a.device_buffer_ptr) = (caller.client, data.as_ptr().cast_mut().cast());
        (a.dims, a.num_dims, a.element_type, a.device) = ([8192].as_ptr(), 1, 1, caller.device);
        call("PJRT_Client_CreateViewOfDeviceBuffer", &mut a).expect("a view");
        a.buffer
    };
    for data in [&clean, &dirty] {
        // Copied, read in place if it may be, a view.
        let buffers =
            [0, 2].map(|semantics| caller.buffer_of(1, &[8192], data.as_ptr().cast(), &[], semantics).0);
        for (k, &buffer) in buffers.iter().chain(&[view(data)]).enumerate() {
            let in_place = address(buffer) == data.as_ptr().addr();
            let may = data == &clean && (k == 2 || k == 1 && data.as_ptr().addr().is_multiple_of(8));
            assert_eq!(in_place, may, "way {k}");
            assert_eq!(bytes(buffer), Ok(clean.clone()));
            let out = caller.execute(count, &[buffer], 2).expect("runs");
            assert_eq!(bytes(out[0]), Ok(2731i32.to_ne_bytes().to_vec()));
            assert_eq!(bytes(out[1]), Ok(clean.iter().map(|b| 1 - b).collect()));
            assert!(destroy_buffer(buffer).is_ok());
        }
    }
}

#[test]
fn elements_lie_where_strides_say() {
    let caller = Caller::new();
    let data: Vec<f32> = (0..6).map(|k| k as f32).collect();
    let read = |first: usize, dims: &[i64], strides: &[i64]| {
        let (buffer, _) = caller.buffer_of(11, dims, data[first..].as_ptr().cast(), strides, 2);
        numbers(buffer).expect("there")
    };
    assert_eq!(read(0, &[3, 2], &[4, 12]), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    assert_eq!(read(5, &[6], &[-4]), [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    assert_eq!(read(2, &[2, 2], &[0, 4]), [2.0, 3.0, 2.0, 3.0]);
    // Out again in another order.
    let x = caller.buffer(&[2, 3], &data);
    let mut out = [0f32; 6];
    let order = [0i64, 1];
    let mut layout = tiled(&order);
    let mut a: PJRT_Buffer_ToHostBuffer_Args = args();
    (a.src, a.host_layout, a.dst, a.dst_size) = (x, &mut layout, out.as_mut_ptr().cast(), 24);
    call("PJRT_Buffer_ToHostBuffer", &mut a).expect("copied");
    assert_eq!(out, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    a.dst_size = 23;
    assert_error(call("PJRT_Buffer_ToHostBuffer", &mut a), 3, "24 are needed");
    layout.value.tiled.minor_to_major = [1i64, 1].as_ptr();
    a.host_layout = &mut layout;
    assert_error(call("PJRT_Buffer_ToHostBuffer", &mut a), 3, "no order");
}

#[test]
fn large_arrays_are_read_in_place_until_nobody_needs_them() {
    let caller = Caller::new();
    let data = vec![1.5f32; 1 << 16];
    let (buffer, event) = caller.buffer_of(11, &[1 << 16], data.as_ptr().cast(), &[], 2);
    assert!(address(buffer) == data.as_ptr().addr() && !is_ready(event));
    let program =
        "func.func public @main(%x: tensor<65536xf32> {jax.buffer_donor = true}) -> tensor<65536xf32> {
      %y = stablehlo.add %x, %x : tensor<65536xf32>
      return %y : tensor<65536xf32>
    }";
    let double = caller
        .compile(
            &program.replace("@main(%x", "@main(%arg0").replace("%x,", "%arg0,").replace(" %x ", " %arg0 "),
        )
        .expect("compiles");
    let out = caller.execute(double, &[buffer], 1).expect("runs");
    // It was given away, and is the caller's all the same: nobody wrote there.
    assert!(
        is_deleted(buffer)
            && data.iter().all(|&x| x == 1.5)
            && numbers(out[0]).is_ok_and(|y| y == vec![3.0; 1 << 16])
    );
    assert!(is_ready(event), "the memory is not needed any more");
    // Few bytes, or such as are not aligned, are copied.
    let (small, event) = caller.buffer_of(11, &[4], data.as_ptr().cast(), &[], 2);
    assert!(is_ready(event) && address(small) != data.as_ptr().addr());
    let odd = data.as_ptr().wrapping_byte_add(4);
    let (copied, event) = caller.buffer_of(11, &[1 << 15], odd.cast(), &[], 2);
    assert!(is_ready(event) && address(copied) != odd.addr());
}

#[test]
fn memory_of_others_is_given_back() {
    static GIVEN_BACK: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn give_back(data: *mut c_void, argument: *mut c_void) {
        assert_eq!(argument.addr(), 17);
        GIVEN_BACK.store(data.addr(), SeqCst);
    }
    let caller = Caller::new();
    let mut data = [2.5f32; 4];
    let mut a: PJRT_Client_CreateViewOfDeviceBuffer_Args = args();
    let dims = [4i64];
    (a.client, a.device, a.device_buffer_ptr) = (caller.client, caller.device, data.as_mut_ptr().cast());
    (a.dims, a.num_dims, a.element_type) = (dims.as_ptr(), 1, 11);
    a.on_delete_callback = Some(give_back);
    a.on_delete_callback_arg = std::ptr::without_provenance_mut(17);
    call("PJRT_Client_CreateViewOfDeviceBuffer", &mut a).expect("a buffer");
    assert_eq!((address(a.buffer), numbers(a.buffer)), (data.as_ptr().addr(), Ok(vec![2.5; 4])));
    // A copy shares it, and holds it.
    let mut copy: PJRT_Buffer_CopyToDevice_Args = args();
    (copy.buffer, copy.dst_device) = (a.buffer, caller.device);
    call("PJRT_Buffer_CopyToDevice", &mut copy).expect("a copy");
    assert!(destroy_buffer(a.buffer).is_ok());
    assert_eq!((GIVEN_BACK.load(SeqCst), numbers(copy.dst_buffer)), (0, Ok(vec![2.5; 4])));
    assert!(destroy_buffer(copy.dst_buffer).is_ok());
    assert_eq!(GIVEN_BACK.load(SeqCst), data.as_ptr().addr());
}

#[test]
fn memories_are_three_and_hold_the_same() {
    let caller = Caller::new();
    let mut a: PJRT_Device_AddressableMemories_Args = args();
    a.device = caller.device;
    call("PJRT_Device_AddressableMemories", &mut a).expect("memories");
    // SAFETY: the list is the device's.
    let memories = unsafe { std::slice::from_raw_parts(a.memories, a.num_memories) };
    let kind = |memory: *mut PJRT_Memory| {
        let mut a: PJRT_Memory_Kind_Args = args();
        a.memory = memory;
        call("PJRT_Memory_Kind", &mut a).expect("a kind");
        // SAFETY: names live for ever.
        String::from_utf8(unsafe { std::slice::from_raw_parts(a.kind, a.kind_size) }.to_vec()).expect("text")
    };
    assert_eq!(
        memories.iter().map(|&m| kind(m)).collect::<Vec<_>>(),
        ["device", "pinned_host", "unpinned_host"]
    );
    let x = caller.buffer(&[2], &[1.0, 2.0]);
    let mut copy: PJRT_Buffer_CopyToMemory_Args = args();
    (copy.buffer, copy.dst_memory) = (x, memories[1]);
    call("PJRT_Buffer_CopyToMemory", &mut copy).expect("a copy");
    let mut memory: PJRT_Buffer_Memory_Args = args();
    memory.buffer = copy.dst_buffer;
    call("PJRT_Buffer_Memory", &mut memory).expect("a memory");
    assert_eq!((memory.memory, numbers(copy.dst_buffer)), (memories[1], Ok(vec![1.0, 2.0])));
    // What a caller keeps with a memory.
    // SAFETY: memories begin with their table of functions, which live for ever.
    unsafe {
        let table = &*(*memories[2]).vtable;
        let (key, data) = (std::ptr::without_provenance(5), std::ptr::without_provenance_mut(6));
        assert!((table.get_user_data)(memories[2], key).is_null());
        (table.set_user_data)(memories[2], key, data, None);
        assert_eq!((table.get_user_data)(memories[2], key), data);
        // What is kept with a memory is freed when it is replaced, or when the client goes.
        let count = AtomicUsize::new(0);
        let counter = (&raw const count).cast_mut().cast();
        for (memory, key) in [(0, 1), (0, 2), (1, 1), (0, 1)] {
            (table.set_user_data)(memories[memory], std::ptr::without_provenance(key), counter, Some(freed));
        }
        assert_eq!(count.load(SeqCst), 1);
        let memory = memories[0];
        drop(caller);
        assert_eq!(count.load(SeqCst), 4);
        assert!((table.get_user_data)(memory, std::ptr::without_provenance(1)).is_null());
    }
}

/// Counts that something was freed.
unsafe extern "C" fn freed(count: *mut c_void) {
    // SAFETY: the test gives a counter.
    unsafe { (*count.cast::<AtomicUsize>()).fetch_add(1, SeqCst) };
}

#[test]
fn an_error_buffer_says_why() {
    let caller = Caller::new();
    let mut memory: PJRT_Device_DefaultMemory_Args = args();
    memory.device = caller.device;
    call("PJRT_Device_DefaultMemory", &mut memory).expect("a memory");
    let mut a: PJRT_Client_CreateErrorBuffer_Args = args();
    let (message, dims) = ("it went wrong", [4i64]);
    (a.client, a.memory, a.error_code, a.shape_element_type) = (caller.client, memory.memory, 8, 11);
    (a.error_message, a.error_message_size) = (message.as_ptr(), message.len());
    (a.shape_dims, a.shape_num_dims) = (dims.as_ptr(), 1);
    call("PJRT_Client_CreateErrorBuffer", &mut a).expect("a buffer");
    assert_error(numbers(a.buffer).map(drop), 8, message);
    let mut ready: PJRT_Buffer_ReadyEvent_Args = args();
    ready.buffer = a.buffer;
    call("PJRT_Buffer_ReadyEvent", &mut ready).expect("an event");
    assert_error(wait(ready.event), 8, message);
    a.error_code = 0;
    assert_error(call("PJRT_Client_CreateErrorBuffer", &mut a), 3, "code 0 is no error");
}
