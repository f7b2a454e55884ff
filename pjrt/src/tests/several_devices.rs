//! Programs for several devices.

use super::harness::*;
use crate::ffi::*;

/// The first argument in rows on two devices, the second whole; two results, in columns and of which nothing is said.
const PROGRAM: &str = "module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @m = <[\"x\"=2]>
  func.func public @main(%x: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {}]>, jax.buffer_donor = true}, %y: tensor<f32>) -> (tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {\"x\"}]>}, tensor<f32>) {
    %0 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<2x2xf32>
    %2 = sdy.manual_computation(%x) in_shardings=[<@m, [{\"x\"}, {}]>] out_shardings=[<@m, []>] manual_axes={\"x\"} (%a: tensor<1x2xf32>) {
      %c = stablehlo.constant dense<0.0> : tensor<f32>
      %4 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x2xf32>, tensor<f32>) -> tensor<f32>
      %5 = \"stablehlo.all_reduce\"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%b: tensor<f32>, %d: tensor<f32>):
        %6 = stablehlo.add %b, %d : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      sdy.return %5 : tensor<f32>
    } : (tensor<2x2xf32>) -> tensor<f32>
    return %1, %2 : tensor<2x2xf32>, tensor<f32>
  }
}";

/// Options of a program for devices 1 and 0 of three.
const OPTIONS: &[u8] =
    &[0x1a, 18, 0x28, 2, 0x4a, 14, 0x08, 1, 0x10, 2, 0x1a, 3, 0x0a, 1, 1, 0x1a, 3, 0x0a, 1, 0];

fn call_on(
    executable: *mut PJRT_LoadedExecutable,
    arguments: &[&[*mut PJRT_Buffer]],
    outputs: usize,
) -> Result<Vec<Vec<*mut PJRT_Buffer>>, (i32, String)> {
    let mut options: PJRT_ExecuteOptions = args();
    let mut out = vec![vec![std::ptr::null_mut(); outputs]; arguments.len()];
    let lists: Vec<*const *mut PJRT_Buffer> = arguments.iter().map(|list| list.as_ptr()).collect();
    let places: Vec<*mut *mut PJRT_Buffer> = out.iter_mut().map(Vec::as_mut_ptr).collect();
    let mut events = vec![std::ptr::null_mut(); arguments.len()];
    let mut a: PJRT_LoadedExecutable_Execute_Args = args();
    (a.executable, a.options, a.num_devices) = (executable, &mut options, arguments.len());
    a.num_args = arguments.first().map_or(0, |list| list.len());
    (a.argument_lists, a.output_lists) = (lists.as_ptr(), places.as_ptr());
    a.device_complete_events = events.as_mut_ptr();
    call("PJRT_LoadedExecutable_Execute", &mut a)?;
    for event in events {
        wait(event).expect("it runs");
        destroy_event(event);
    }
    Ok(out)
}

#[test]
fn arrays_lie_in_parts() {
    let caller = Caller::with(&[number_option("num_devices", 3)]);
    let loaded = caller.compile_with(PROGRAM.as_bytes(), "mlir", OPTIONS).expect("compiles");
    // On which devices, and what they are of the program.
    let mut devices: PJRT_LoadedExecutable_AddressableDevices_Args = args();
    devices.executable = loaded;
    call("PJRT_LoadedExecutable_AddressableDevices", &mut devices).expect("devices");
    assert_eq!(devices.num_addressable_devices, 2);
    let mut assignment: PJRT_LoadedExecutable_GetDeviceAssignment_Args = args();
    assignment.executable = loaded;
    call("PJRT_LoadedExecutable_GetDeviceAssignment", &mut assignment).expect("an assignment");
    // SAFETY: the bytes are the executable's.
    let bytes =
        unsafe { std::slice::from_raw_parts(assignment.serialized_bytes, assignment.serialized_bytes_size) };
    assert_eq!(bytes, &OPTIONS[6..]);
    let mut ids: PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args = args();
    ids.executable = loaded;
    call("PJRT_LoadedExecutable_AddressableDeviceLogicalIds", &mut ids).expect("numbers");
    assert_eq!(ids.num_addressable_device_logical_ids, 2);
    let mut partitions: PJRT_Executable_NumPartitions_Args = args();
    partitions.executable = executable_of(loaded);
    call("PJRT_Executable_NumPartitions", &mut partitions).expect("a number");
    assert_eq!(partitions.num_partitions, 2);
    let mut dims: PJRT_Executable_OutputDimensions_Args = args();
    dims.executable = partitions.executable;
    call("PJRT_Executable_OutputDimensions", &mut dims).expect("dimensions");
    // SAFETY: the list is the executable's.
    assert_eq!(unsafe { std::slice::from_raw_parts(dims.dims, 2) }, [2, 1]);

    // SAFETY: the list is the executable's.
    let on = unsafe { std::slice::from_raw_parts(devices.addressable_devices, 2) };
    let buffer = |k: usize, dims: &[i64], x: &[f32]| {
        let mut copy: PJRT_Buffer_CopyToDevice_Args = args();
        (copy.buffer, copy.dst_device) = (caller.buffer(dims, x), on[k]);
        call("PJRT_Buffer_CopyToDevice", &mut copy).expect("a copy");
        copy.dst_buffer
    };
    let rows = [buffer(0, &[1, 2], &[1.0, 2.0]), buffer(1, &[1, 2], &[3.0, 4.0])];
    let y = [buffer(0, &[], &[10.0]), buffer(1, &[], &[10.0])];
    let out = call_on(loaded, &[&[rows[0], y[0]], &[rows[1], y[1]]], 2).expect("it runs");
    assert_eq!(numbers(out[0][0]), Ok(vec![10.0, 30.0]));
    assert_eq!(numbers(out[1][0]), Ok(vec![20.0, 40.0]));
    assert_eq!([numbers(out[0][1]), numbers(out[1][1])], [Ok(vec![10.0]), Ok(vec![10.0])]);
    assert!(rows.iter().all(|&x| is_deleted(x)) && !is_deleted(y[0]));

    // What does not fit.
    let row = |k: usize| buffer(k, &[1, 2], &[1.0, 2.0]);
    let refused = |given: &[&[*mut PJRT_Buffer]], why: &str| {
        assert_error(call_on(loaded, given, 2).map(drop), 3, why);
    };
    refused(&[&[row(0), y[0]]], "on 1 devices of a program for 2");
    let whole = buffer(1, &[2, 2], &[0.0; 4]);
    refused(&[&[row(0), y[0]], &[whole, y[1]]], "argument 0 is tensor<2x2xf32>");
    refused(&[&[rows[0], y[0]], &[row(1), y[1]]], "deleted");
    refused(&[&[row(1), y[0]], &[row(0), y[1]]], "argument 0 of device 1 lies on device 0");
}

#[test]
fn devices_are_there_and_others() {
    let one = Caller::new();
    assert_error(one.compile_with(PROGRAM.as_bytes(), "mlir", OPTIONS).map(drop), 3, "no device 1");
    let three = Caller::with(&[number_option("num_devices", 3)]);
    let twice = [&OPTIONS[..14], &[0, 0x1a, 3, 0x0a, 1, 0]].concat();
    assert_error(three.compile_with(PROGRAM.as_bytes(), "mlir", &twice).map(drop), 3, "is given [0, 0]");
    let three_of = [0x1a, 2, 0x28, 3];
    assert_error(three.compile_with(PROGRAM.as_bytes(), "mlir", &three_of).map(drop), 12, "2 of 3 devices");
}

/// What programs say of arrays is checked, or left out where it is a wish.
#[test]
fn shardings_that_do_not_fit() {
    let caller = Caller::with(&[number_option("num_devices", 2)]);
    let compile = |said: &str, wish: &str| {
        let text = format!(
            "module {{ sdy.mesh @m = <[\"x\"=2]>
              func.func public @main(%x: tensor<3x2xf32> {{{said}}}) -> tensor<3x2xf32> {{
                {wish}
                %y = stablehlo.negate %x : tensor<3x2xf32>
                return %y : tensor<3x2xf32>
              }} }}"
        );
        caller.compile_with(text.as_bytes(), "mlir", &[0x1a, 2, 0x28, 2]).map(drop)
    };
    let lies = |dims: &str| format!("sdy.sharding = #sdy.sharding<@m, {dims}>");
    assert_eq!(compile(&lies("[{}, {\"x\"}]"), ""), Ok(()));
    assert_error(compile(&lies("[{\"x\"}]"), ""), 3, "of tensor<3x2xf32>");
    assert_error(compile(&lies("[{\"x\"}, {}]"), ""), 12, "parts of different sizes");
    assert_error(compile(&lies("[{\"z\"}, {}]"), ""), 12, "no mesh here has an axis");
    let wish = |dims: &str| format!("%0 = sdy.sharding_constraint %x <@m, {dims}> : tensor<3x2xf32>");
    for dims in ["[{}, {\"x\"}]", "[{\"x\"}, {}]", "[{\"x\"}]", "[{}, {}, {}]"] {
        assert_eq!(compile("", &wish(dims)), Ok(()), "{dims}");
    }
}
