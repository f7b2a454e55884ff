//! Callers that do it wrong get an error, whatever they do.

use super::harness::*;
use crate::api::NAMES;
use crate::ffi::*;

/// Every function of the table: null, a struct that is too short, zeros for everything. No error is a success that did nothing.
#[test]
fn no_function_minds_null_or_zeros() {
    for name in NAMES.iter().filter(|n| !["PJRT_Error_Destroy", "PJRT_Error_Message"].contains(n)) {
        let null = call_raw(name, std::ptr::null_mut()).expect_err("no arguments");
        assert!([3, 12].contains(&null.0) && null.1.contains(name), "{name}: {null:?}");
        let mut zeros = [0u64; 64];
        assert!(call_raw(name, zeros.as_mut_ptr().cast()).is_err(), "{name} took a struct of no bytes");
        let odd = zeros.as_mut_ptr().wrapping_byte_add(1);
        assert!(call_raw(name, odd.cast()).is_err(), "{name} took a misaligned struct");
        zeros[0] = 400;
        if let Err((code, message)) = call_raw(name, zeros.as_mut_ptr().cast()) {
            assert!([3, 12].contains(&code) && !message.is_empty(), "{name}: {code} {message}");
        }
    }
}

/// Every handle of every function replaced by garbage.
#[test]
fn no_function_follows_a_pointer_that_is_none() {
    for garbage in [1usize, 0x41, 0x42, 0x7fff_dead_beef, usize::MAX] {
        for name in NAMES.iter().filter(|n| !n.contains("Error") && !n.contains("Initialize")) {
            let mut words = [0u64; 64];
            words[0] = 400;
            // The first field is the object, but for functions that begin with text.
            if [
                "PJRT_TopologyDescription_Create",
                "PJRT_TopologyDescription_Deserialize",
                "PJRT_Client_Create",
                "PJRT_Plugin_Attributes",
                "PJRT_Event_Create",
                "PJRT_ExecuteContext_Create",
            ]
            .contains(name)
            {
                continue;
            }
            words[2] = garbage as u64;
            let outcome = call_raw(name, words.as_mut_ptr().cast());
            let (code, message) = outcome.expect_err(name);
            assert!([3, 12].contains(&code) && !message.is_empty(), "{name}: {code} {message}");
        }
    }
}

#[test]
fn errors_are_destroyed_once() {
    let mut a: PJRT_Buffer_Dimensions_Args = args();
    a.buffer = std::ptr::without_provenance_mut(0x1234);
    let function =
        crate::api::FUNCTIONS[NAMES.iter().position(|n| *n == "PJRT_Buffer_Dimensions").expect("there")];
    // SAFETY: as in the harness.
    let error = unsafe { (function.fallible)((&raw mut a).cast()) };
    let mut code: PJRT_Error_GetCode_Args = args();
    code.error = error;
    assert!(call("PJRT_Error_GetCode", &mut code).is_ok() && code.code == 3);
    let mut destroy: PJRT_Error_Destroy_Args = args();
    destroy.error = error;
    for _ in 0..2 {
        assert!(crate::error::destroy(&mut destroy).is_ok());
    }
    assert_error(call("PJRT_Error_GetCode", &mut code), 3, "no error of this plugin");
}

#[test]
fn objects_are_destroyed_once_and_not_used_afterwards() {
    let caller = Caller::new();
    let x = caller.buffer(&[2], &[1.0, 2.0]);
    let mut event: PJRT_Buffer_ReadyEvent_Args = args();
    event.buffer = x;
    call("PJRT_Buffer_ReadyEvent", &mut event).expect("an event");
    // One kind of object is not taken for another.
    let mut wrong: PJRT_Event_IsReady_Args = args();
    wrong.event = x.cast();
    assert_error(call("PJRT_Event_IsReady", &mut wrong), 3, "no event");
    destroy_event(event.event);
    assert_error(wait(event.event), 3, "no event: another pointer, or one that was destroyed");
    assert!(destroy_buffer(x).is_ok());
    assert_error(destroy_buffer(x), 3, "no buffer");
    assert_error(numbers(x).map(drop), 3, "no buffer");
    assert!(destroy_buffer(std::ptr::null_mut()).is_ok());
    // A new buffer in its place is not the old one.
    let y = caller.buffer(&[2], &[3.0, 4.0]);
    assert!(x != y && numbers(x).is_err());
    // A client that is gone, with a buffer that lives on.
    let client = caller.client;
    drop(caller);
    let mut devices: PJRT_Client_Devices_Args = args();
    devices.client = client;
    assert_error(call("PJRT_Client_Devices", &mut devices), 3, "no client");
    assert_eq!(numbers(y), Ok(vec![3.0, 4.0]));
}

#[test]
fn programs_that_cannot_be_compiled_say_why() {
    let caller = Caller::new();
    let compile = |text: &str| caller.compile(text).map(drop);
    assert_error(compile("func.func @main("), 3, "cannot be read");
    assert_error(compile("func.func private @other() { return }"), 3, "no function @main");
    assert_error(caller.compile_with(&[0xff, 0xfe], "mlir", &[]).map(drop), 3, "neither bytecode nor text");
    assert_error(caller.compile_with(b"HloModule x", "hlo", &[]).map(drop), 12, "\"hlo\"");
    let dynamic = "func.func public @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }";
    assert_error(compile(dynamic), 12, "argument 0 is tensor<?xf32>");
    let identity = "func.func public @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }";
    assert_error(
        caller.compile_with(identity.as_bytes(), "mlir", &[0x1a]).map(drop),
        3,
        "malformed compile options",
    );
    // Two replicas.
    assert_error(
        caller.compile_with(identity.as_bytes(), "mlir", &[0x1a, 2, 0x20, 2]).map(drop),
        12,
        "2 copies of a program",
    );
    // A device that is not there.
    assert_error(
        caller.compile_with(identity.as_bytes(), "mlir", &[0x1a, 2, 0x08, 7]).map(drop),
        3,
        "no device 7",
    );
    // Arguments of other types than the program has.
    let executable = caller.compile(identity).expect("compiles");
    let (x, y) = (caller.buffer(&[2], &[1.0, 2.0]), caller.buffer(&[], &[1.0]));
    assert_error(
        caller.execute(executable, &[x], 1).map(drop),
        3,
        "argument 0 is tensor<2xf32>, the program takes tensor<f32>",
    );
    assert_error(caller.execute(executable, &[y, y], 1).map(drop), 3, "2 arguments for 1");
    assert_error(caller.execute(executable, &[], 1).map(drop), 3, "0 arguments for 1");
    assert!(caller.execute(executable, &[y], 1).is_ok() && destroy_executable(executable).is_ok());
    assert_error(caller.execute(executable, &[y], 1).map(drop), 3, "no loaded executable");
}

#[test]
fn arrays_that_no_memory_holds_are_refused() {
    let caller = Caller::new();
    let data = [0f32; 4];
    let create = |ty: i32, dims: &[i64], strides: &[i64], data: *const f32| {
        let mut a: PJRT_Client_BufferFromHostBuffer_Args = args();
        (a.client, a.device, a.type_, a.data) = (caller.client, caller.device, ty, data.cast());
        (a.dims, a.num_dims) = (dims.as_ptr(), dims.len());
        (a.byte_strides, a.num_byte_strides) = (strides.as_ptr(), strides.len());
        call("PJRT_Client_BufferFromHostBuffer", &mut a)
    };
    assert_error(create(99, &[2], &[], data.as_ptr()), 12, "no element type 99");
    assert_error(create(11, &[-2], &[], data.as_ptr()), 3, "[-2]");
    assert_error(create(11, &[i64::MAX, 8], &[], data.as_ptr()), 3, "dimensions");
    assert_error(create(11, &[2], &[], std::ptr::null()), 3, "null pointer");
    assert_error(create(11, &[2], &[4, 4], data.as_ptr()), 3, "2 strides for 1");
    assert_error(create(11, &[2, 2], &[i64::MAX, i64::MAX], data.as_ptr()), 3, "strides");
    let mut a: PJRT_Client_BufferFromHostBuffer_Args = args();
    (a.client, a.type_, a.num_dims) = (caller.client, 11, 3);
    assert_error(call("PJRT_Client_BufferFromHostBuffer", &mut a), 3, "dims: no list of 3");
}

/// Sizes of an empty array count too: one of these would have the largest number of bytes, whatever it is given.
#[test]
fn empty_arrays_of_absurd_sizes_are_refused() {
    let caller = Caller::new();
    let data = [0f32; 4];
    let data: *mut std::ffi::c_void = data.as_ptr().cast_mut().cast();
    let refused = |outcome: Outcome| assert_error(outcome, 3, "no array has the dimensions");
    for dims in [&[0, 1i64 << 40, 1 << 40][..], &[1 << 40, 1 << 40, 0], &[0, i64::MAX]] {
        // Copied, and read in place.
        for semantics in [0, semantics::IMMUTABLE_ZERO_COPY] {
            let mut a: PJRT_Client_BufferFromHostBuffer_Args = args();
            (a.client, a.device, a.type_, a.data) = (caller.client, caller.device, 11, data);
            (a.dims, a.num_dims, a.host_buffer_semantics) = (dims.as_ptr(), dims.len(), semantics);
            refused(call("PJRT_Client_BufferFromHostBuffer", &mut a));
        }
        let mut a: PJRT_Client_CreateViewOfDeviceBuffer_Args = args();
        (a.client, a.device, a.element_type, a.device_buffer_ptr) = (caller.client, caller.device, 11, data);
        (a.dims, a.num_dims) = (dims.as_ptr(), dims.len());
        refused(call("PJRT_Client_CreateViewOfDeviceBuffer", &mut a));
        let mut a: PJRT_Client_CreateUninitializedBuffer_Args = args();
        (a.client, a.device, a.shape_element_type) = (caller.client, caller.device, 11);
        (a.shape_dims, a.shape_num_dims) = (dims.as_ptr(), dims.len());
        refused(call("PJRT_Client_CreateUninitializedBuffer", &mut a));
    }
}

/// A place that does not fit a number is none that was looked at: nothing is written, and the caller is not told a size.
#[test]
fn a_layout_that_no_memory_has_is_not_written() {
    let caller = Caller::new();
    let mut out = [7u8; 64];
    let mut read = |buffer: *mut PJRT_Buffer, strides: &[i64], has_memory: bool| -> Outcome {
        let strides = PJRT_Buffer_MemoryLayout_Strides {
            struct_size: size_of::<PJRT_Buffer_MemoryLayout_Strides>(),
            extension_start: std::ptr::null_mut(),
            byte_strides: strides.as_ptr(),
            num_byte_strides: strides.len(),
        };
        let mut layout = PJRT_Buffer_MemoryLayout {
            struct_size: size_of::<PJRT_Buffer_MemoryLayout>(),
            extension_start: std::ptr::null_mut(),
            value: PJRT_Buffer_MemoryLayout_Value { strides },
            type_: layout_type::STRIDES,
        };
        let mut a: PJRT_Buffer_ToHostBuffer_Args = args();
        (a.src, a.host_layout) = (buffer, &mut layout);
        if has_memory {
            (a.dst, a.dst_size) = (out.as_mut_ptr().cast(), out.len());
        }
        call("PJRT_Buffer_ToHostBuffer", &mut a)?;
        if has_memory {
            wait(a.event)?;
            destroy_event(a.event);
        }
        Ok(())
    };
    let (row, square) = (caller.buffer(&[3], &[1.0, 2.0, 3.0]), caller.buffer(&[2, 2], &[1.0; 4]));
    let most = i64::MAX - 8;
    for has_memory in [false, true] {
        // Of one dimension, of two together, and backwards.
        for (buffer, strides) in
            [(row, &[i64::MAX / 2 + 2][..]), (square, &[most; 2][..]), (square, &[i64::MIN; 2][..])]
        {
            assert_error(read(buffer, strides, has_memory), 3, "no memory has the strides");
        }
    }
    assert_error(read(row, &[-4], true), 3, "are needed");
    // Without elements nobody walks anywhere.
    let nothing = caller.buffer(&[0, 3], &[]);
    assert_eq!(read(nothing, &[i64::MAX, i64::MAX], true), Ok(()));
    assert_eq!(read(nothing, &[i64::MAX, i64::MAX], false), Ok(()));
    assert_eq!(out, [7; 64]);
}

#[test]
fn options_that_nobody_knows_are_refused() {
    let option = number_option;
    let create = |options: &[PJRT_NamedValue]| {
        let mut a: PJRT_Client_Create_Args = args();
        (a.create_options, a.num_options) = (options.as_ptr(), options.len());
        call("PJRT_Client_Create", &mut a)
    };
    assert_error(create(&[option("speed", 1)]), 3, "create option speed: there is no such option");
    assert_error(create(&[option("num_devices", 0)]), 3, "0 devices");
    let caller = Caller::with(&[option("num_devices", 3)]);
    let mut lookup: PJRT_Client_LookupDevice_Args = args();
    (lookup.client, lookup.id) = (caller.client, 2);
    assert!(call("PJRT_Client_LookupDevice", &mut lookup).is_ok());
    lookup.id = 3;
    assert_error(call("PJRT_Client_LookupDevice", &mut lookup), 3, "no device 3: there are 3");
    let mut assignment: PJRT_Client_DefaultDeviceAssignment_Args = args();
    let mut places = [-1i32; 4];
    (assignment.client, assignment.num_replicas, assignment.num_partitions) = (caller.client, 3, 1);
    (assignment.default_assignment, assignment.default_assignment_size) = (places.as_mut_ptr(), 4);
    call("PJRT_Client_DefaultDeviceAssignment", &mut assignment).expect("three devices");
    assignment.num_replicas = 4;
    assert_error(call("PJRT_Client_DefaultDeviceAssignment", &mut assignment), 3, "on 3 devices");
    assert_eq!(places, [0, 1, 2, -1]);
}

#[test]
fn what_is_not_implemented_says_its_name() {
    let mut words = [0u64; 64];
    words[0] = 400;
    for name in ["PJRT_Buffer_Bitcast", "PJRT_Client_CreateAliasBuffer", "PJRT_CopyToDeviceStream_AddChunk"] {
        assert_error(call_raw(name, words.as_mut_ptr().cast()), 12, &format!("{name} is not implemented"));
    }
}
