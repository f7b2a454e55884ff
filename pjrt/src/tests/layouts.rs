//! Arrays whose dimensions lie in another order than row-major: as buffers, as what programs take and give.

use super::harness::*;
use crate::ffi::*;

const COLUMNS: [i64; 2] = [0, 1];
const ROWS: [i64; 2] = [1, 0];
/// Two rows of three, row by row and column by column.
const BY_ROWS: [f32; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
const BY_COLUMNS: [f32; 6] = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0];

/// What the extension says of a layout; it is destroyed if it is the caller's.
fn text(layout: *mut PJRT_Layouts_MemoryLayout, is_ours: bool) -> String {
    let mut a: PJRT_Layouts_MemoryLayout_Serialize_Args = args();
    a.layout = layout;
    call("PJRT_Layouts_MemoryLayout_Serialize", &mut a).expect("a text");
    if is_ours {
        let mut destroy: PJRT_Layouts_MemoryLayout_Destroy_Args = args();
        destroy.layout = layout;
        call("PJRT_Layouts_MemoryLayout_Destroy", &mut destroy).expect("once");
    }
    // SAFETY: the bytes are there until they are given back, whatever has become of the layout.
    let bytes = unsafe { std::slice::from_raw_parts(a.serialized_bytes, a.serialized_bytes_size) }.to_vec();
    // SAFETY: as the header has it.
    unsafe { (a.serialized_layout_deleter.expect("a deleter"))(a.serialized_layout) };
    String::from_utf8(bytes).expect("text")
}

/// How a buffer says that it lies, by both functions that there are.
fn layout(buffer: *mut PJRT_Buffer) -> String {
    let mut a: PJRT_Buffer_GetMemoryLayout_Args = args();
    a.buffer = buffer;
    call("PJRT_Buffer_GetMemoryLayout", &mut a).expect("a layout");
    // SAFETY: it is of this type, and the list is the buffer's.
    let order = unsafe {
        let tiled = a.layout.value.tiled;
        std::slice::from_raw_parts(tiled.minor_to_major, tiled.minor_to_major_size)
    };
    let mut b: PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args = args();
    b.buffer = buffer;
    call("PJRT_Layouts_PJRT_Buffer_MemoryLayout", &mut b).expect("a layout");
    let said = text(b.layout, true);
    assert_eq!(said, format!("{order:?}").replace('[', "{").replace(']', "}").replace(' ', ""));
    said
}

/// The numbers of a buffer in row-major order.
fn by_rows(buffer: *mut PJRT_Buffer, count: usize) -> Vec<f32> {
    let mut out = vec![0f32; count];
    let mut rows = tiled(&ROWS);
    let mut a: PJRT_Buffer_ToHostBuffer_Args = args();
    (a.src, a.host_layout, a.dst, a.dst_size) = (buffer, &mut rows, out.as_mut_ptr().cast(), 4 * count);
    call("PJRT_Buffer_ToHostBuffer", &mut a).expect("copied");
    wait(a.event).expect("copied");
    destroy_event(a.event);
    out
}

impl Caller {
    /// An array of two rows of three in an order.
    fn lying(&self, order: &[i64]) -> *mut PJRT_Buffer {
        let mut layout = tiled(order);
        self.buffer_in(&mut layout, 11, &[2, 3], BY_ROWS.as_ptr().cast(), &[], 0).0
    }

    /// A program whose arguments and results are of two dimensions, with what it says of their layouts.
    fn program(&self, said: [&str; 2], body: &str) -> Result<*mut PJRT_LoadedExecutable, (i32, String)> {
        let [argument, result] = said.map(|said| match said {
            "" => String::new(),
            _ => format!("mhlo.layout_mode = \"{said}\""),
        });
        self.compile(&format!(
            "func.func public @main(%x: tensor<2x3xf32> {{{argument}}}) -> (tensor<3x2xf32> {{{result}}}) {{
              {body}
            }}"
        ))
    }
}

/// The layouts that an executable says it takes and gives.
fn layouts(loaded: *mut PJRT_LoadedExecutable) -> [String; 2] {
    let executable = executable_of(loaded);
    let mut inputs: PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args = args();
    inputs.executable = executable;
    call("PJRT_Layouts_PJRT_Executable_GetParameterLayouts", &mut inputs).expect("layouts");
    let mut outputs: PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args = args();
    outputs.executable = executable;
    call("PJRT_Layouts_PJRT_Executable_GetOutputLayouts", &mut outputs).expect("layouts");
    assert_eq!((inputs.num_parameters, outputs.num_outputs), (1, 1));
    // SAFETY: the lists are the executable's, of one each.
    unsafe { [text(*inputs.layouts, false), text(*outputs.layouts, false)] }
}

#[test]
fn buffers_lie_as_they_are_asked_to() {
    let caller = Caller::new();
    let (rows, columns) = (caller.lying(&ROWS), caller.lying(&COLUMNS));
    assert_eq!((layout(rows), layout(columns)), ("{1,0}".to_owned(), "{0,1}".to_owned()));
    assert_eq!((numbers(rows), numbers(columns)), (Ok(BY_ROWS.to_vec()), Ok(BY_COLUMNS.to_vec())));
    assert_eq!((by_rows(rows, 6), by_rows(columns, 6)), (BY_ROWS.to_vec(), BY_ROWS.to_vec()));
    // Copies lie as the original.
    let mut copy: PJRT_Buffer_CopyToDevice_Args = args();
    (copy.buffer, copy.dst_device) = (columns, caller.device);
    call("PJRT_Buffer_CopyToDevice", &mut copy).expect("a copy");
    assert_eq!(
        (layout(copy.dst_buffer), by_rows(copy.dst_buffer, 6)),
        ("{0,1}".to_owned(), BY_ROWS.to_vec())
    );
    // Memory of others, by strides.
    let view = |strides: &[i64], order: Option<&[i64]>| {
        let mut said = order.map_or_else(|| tiled(&[]), tiled);
        if order.is_none() {
            said.type_ = layout_type::STRIDES;
            said.value.strides = PJRT_Buffer_MemoryLayout_Strides {
                struct_size: size_of::<PJRT_Buffer_MemoryLayout_Strides>(),
                extension_start: std::ptr::null_mut(),
                byte_strides: strides.as_ptr(),
                num_byte_strides: strides.len(),
            };
        }
        let mut a: PJRT_Client_CreateViewOfDeviceBuffer_Args = args();
        (a.client, a.device_buffer_ptr) = (caller.client, BY_COLUMNS.as_ptr().cast_mut().cast());
        (a.dims, a.num_dims, a.element_type, a.device) = ([2, 3].as_ptr(), 2, 11, caller.device);
        a.layout = &mut said;
        call("PJRT_Client_CreateViewOfDeviceBuffer", &mut a).map(|()| a.buffer)
    };
    for seen in [view(&[4, 8], None), view(&[], Some(&COLUMNS))] {
        let seen = seen.expect("a view");
        assert_eq!((layout(seen), by_rows(seen, 6)), ("{0,1}".to_owned(), BY_ROWS.to_vec()));
        assert_eq!(address(seen), BY_COLUMNS.as_ptr().addr());
    }
    assert_error(view(&[4, 16], None).map(drop), 12, "with gaps");
    assert_error(view(&[], Some(&[0, 0])).map(drop), 3, "no order");
    // A caller's array that lies as it is to lie is read in place.
    let large = vec![1.0f32; 1 << 12];
    let mut layout = tiled(&COLUMNS);
    let data = large.as_ptr();
    let (placed, _) = caller.buffer_in(&mut layout, 11, &[64, 64], data.cast(), &[4, 256], 2);
    assert_eq!(address(placed), data.addr());
    let (moved, _) = caller.buffer_in(&mut layout, 11, &[64, 64], data.cast(), &[], 2);
    assert_ne!(address(moved), data.addr());
}

#[test]
fn programs_take_and_give_what_they_say() {
    let caller = Caller::new();
    let body = "%y = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %z = stablehlo.add %y, %y : tensor<3x2xf32>
      return %z : tensor<3x2xf32>";
    // 2 x^T, row by row.
    let expected = vec![0.0, 6.0, 2.0, 8.0, 4.0, 10.0];
    for argument in ["", "default", "auto", "{1,0}", "{0,1}"] {
        for result in ["", "default", "auto", "{1,0}", "{0,1}"] {
            let double = caller.program([argument, result], body).expect("compiles");
            let order = |said: &str| if said == "{0,1}" { "{0,1}" } else { "{1,0}" };
            assert_eq!(layouts(double), [order(argument), order(result)]);
            // What lies otherwise is copied.
            for given in [&ROWS, &COLUMNS] {
                let x = caller.lying(given);
                let y = caller.execute(double, &[x], 1).expect("runs")[0];
                assert_eq!((by_rows(y, 6), layout(y)), (expected.clone(), order(result).to_owned()));
                assert_eq!(by_rows(x, 6), BY_ROWS);
            }
        }
    }
    for (said, code, why) in [
        ("{1,0:T(8,128)}", 12, "tiles"),
        ("{1}", 3, "argument 0: no order of 2 dimensions"),
        ("rows", 3, "argument 0: no layout of 2 dimensions"),
    ] {
        assert_error(caller.program([said, ""], body).map(drop), code, why);
    }
    assert_error(caller.program(["", "{2,0}"], body).map(drop), 3, "result 0: no order");
}

#[test]
fn the_text_of_a_program_has_its_own_shapes() {
    let caller = Caller::new();
    let body = "%y = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      return %y : tensor<3x2xf32>";
    for (said, order) in [("{0,1}", "0, 1"), ("{1,0}", "1, 0")] {
        let loaded = caller.program([said, "{1,0}"], body).expect("compiles");
        let mut program: PJRT_Program = args();
        let mut a: PJRT_Executable_OptimizedProgram_Args = args();
        (a.executable, a.program) = (executable_of(loaded), &mut program);
        call("PJRT_Executable_OptimizedProgram", &mut a).expect("a length");
        // SAFETY: `a` points to it, and is not used meanwhile.
        let mut code = vec![0u8; unsafe { (*a.program).code_size }];
        // SAFETY: as above.
        unsafe { (*a.program).code = code.as_mut_ptr() };
        call("PJRT_Executable_OptimizedProgram", &mut a).expect("a text");
        let text = String::from_utf8(code).expect("text");
        let layouts =
            format!("xla_entry_computation_parameter_layouts = [dense<[{order}]> : tensor<2xindex>]");
        let entry = text.lines().find(|line| line.contains("@main(")).unwrap_or_default();
        assert!(text.contains(&layouts) && entry.contains("tensor<2x3xf32>"), "{text}");
        // It is a program, of the same.
        let again = caller.compile(&text).expect("compiles");
        let y = caller.execute(again, &[caller.lying(&ROWS)], 1).expect("runs")[0];
        assert_eq!(numbers(y), Ok(BY_COLUMNS.to_vec()));
    }
}

#[test]
fn what_is_left_open_is_where_nothing_moves() {
    let caller = Caller::new();
    let transposed = "%y = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>";
    let twice = "%a = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
      %y = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>";
    let wished = format!(
        "{} %y = stablehlo.custom_call @LayoutConstraint(%t) {{operand_layouts = [dense<[0, 1]> : tensor<2xindex>], \
         result_layouts = [dense<[1, 0]> : tensor<2xindex>]}} : (tensor<3x2xf32>) -> tensor<3x2xf32>",
        transposed.replace("%y", "%t")
    );
    for (argument, body, expected) in [
        ("", transposed, "{0,1}"),
        ("auto", twice, "{0,1}"),
        ("{0,1}", transposed, "{1,0}"),
        ("", &wished, "{1,0}"),
        ("{0,1}", &wished, "{1,0}"),
    ] {
        let body = format!("{body}\n return %y : tensor<3x2xf32>");
        let program = caller.program([argument, "auto"], &body).expect("compiles");
        assert_eq!(layouts(program)[1], expected, "{argument} {body}");
        let y = caller.execute(program, &[caller.lying(&COLUMNS)], 1).expect("runs")[0];
        assert_eq!((by_rows(y, 6), layout(y)), (BY_COLUMNS.to_vec(), expected.to_owned()));
    }
}

#[test]
fn memory_is_taken_over_in_any_order() {
    let caller = Caller::new();
    let update = caller
        .compile(
            "func.func public @main(%x: tensor<32x64xf32> {mhlo.layout_mode = \"{0,1}\", tf.aliasing_output = 0 : i32}) \
             -> (tensor<32x64xf32> {mhlo.layout_mode = \"{0,1}\"}) {
              %0 = stablehlo.add %x, %x : tensor<32x64xf32>
              return %0 : tensor<32x64xf32>
            }",
        )
        .expect("compiles");
    let data: Vec<f32> = (0..2048).map(|k| k as f32).collect();
    let doubled: Vec<f32> = data.iter().map(|x| 2.0 * x).collect();
    let give = |order: &[i64], dims: &[i64]| {
        let mut layout = tiled(order);
        caller.buffer_in(&mut layout, 11, dims, data.as_ptr().cast(), &[], 0).0
    };
    let x = give(&COLUMNS, &[32, 64]);
    let at = address(x);
    let y = caller.execute(update, &[x], 1).expect("runs")[0];
    assert_eq!((is_deleted(x), address(y), by_rows(y, 2048)), (true, at, doubled.clone()));
    // One that lies otherwise is given away all the same.
    let x = give(&ROWS, &[32, 64]);
    let y = caller.execute(update, &[x], 1).expect("runs")[0];
    assert_eq!((is_deleted(x), by_rows(y, 2048), layout(y)), (true, doubled, "{0,1}".to_owned()));
    // The same bytes of another shape are no argument.
    let outcome = caller.execute(update, &[give(&ROWS, &[64, 32])], 1).map(drop);
    assert_error(outcome, 3, "argument 0 is");
}
