//! Programs: compiled, run, asked about, given arguments away, as bytes and back.

use super::harness::*;
use crate::ffi::*;

pub(super) const DOUBLE: &str = r#"module @jit_double {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}"#;

/// `x + y`, `x` given away.
const GIVEN: &str = r#"module @jit_update {
  func.func public @main(%arg0: tensor<1024xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1024xf32>) -> (tensor<1024xf32> {jax.result_info = ""}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<1024xf32>
    return %0 : tensor<1024xf32>
  }
}"#;

/// A million trips of `c -> sin(c) + x`.
pub(super) const LONG: &str = r#"module @jit_long {
  func.func public @main(%arg0: tensor<1024xf32>) -> tensor<1024xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %c = %arg0) : tensor<i32>, tensor<1024xf32>
    cond {
      %n = stablehlo.constant dense<3000> : tensor<i32>
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.sine %c : tensor<1024xf32>
      %d = stablehlo.add %s, %arg0 : tensor<1024xf32>
      stablehlo.return %j, %d : tensor<i32>, tensor<1024xf32>
    }
    return %0#1 : tensor<1024xf32>
  }
}"#;

#[test]
fn a_program_runs() {
    let caller = Caller::new();
    let double = caller.compile(DOUBLE).expect("compiles");
    let x = caller.buffer(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let y = caller.execute(double, &[x], 1).expect("runs");
    assert_eq!(numbers(y[0]), Ok(vec![2.0, 4.0, 6.0, 8.0]));
    assert_eq!(numbers(x), Ok(vec![1.0, 2.0, 3.0, 4.0]));
    assert!(destroy_buffer(x).is_ok() && destroy_buffer(y[0]).is_ok() && destroy_executable(double).is_ok());
}

#[test]
fn what_is_asked_of_a_program() {
    let caller = Caller::new();
    let loaded = caller.compile(DOUBLE).expect("compiles");
    let executable = executable_of(loaded);
    let text = |start: *const u8, length: usize| {
        // SAFETY: texts are the executable's.
        String::from_utf8(unsafe { std::slice::from_raw_parts(start, length) }.to_vec()).expect("text")
    };
    let mut name: PJRT_Executable_Name_Args = args();
    name.executable = executable;
    call("PJRT_Executable_Name", &mut name).expect("a name");
    assert_eq!(text(name.executable_name, name.executable_name_size), "jit_double");
    let mut outputs: PJRT_Executable_NumOutputs_Args = args();
    outputs.executable = executable;
    call("PJRT_Executable_NumOutputs", &mut outputs).expect("a number");
    assert_eq!(outputs.num_outputs, 1);
    let mut types: PJRT_Executable_OutputElementTypes_Args = args();
    types.executable = executable;
    call("PJRT_Executable_OutputElementTypes", &mut types).expect("types");
    // SAFETY: as many as said.
    assert_eq!(unsafe { std::slice::from_raw_parts(types.output_types, types.num_output_types) }, [11]);
    let mut dims: PJRT_Executable_OutputDimensions_Args = args();
    dims.executable = executable;
    call("PJRT_Executable_OutputDimensions", &mut dims).expect("dimensions");
    // SAFETY: one result of one dimension.
    assert_eq!(unsafe { (*dims.dim_sizes, *dims.dims, dims.num_outputs) }, (1, 4, 1));
    let mut stats: PJRT_Executable_GetCompiledMemoryStats_Args = args();
    stats.executable = executable;
    call("PJRT_Executable_GetCompiledMemoryStats", &mut stats).expect("statistics");
    assert_eq!(
        (stats.argument_size_in_bytes, stats.output_size_in_bytes, stats.alias_size_in_bytes),
        (16, 16, 0)
    );
    assert!(stats.generated_code_size_in_bytes > 0);
    let mut costs: PJRT_Executable_GetCostAnalysis_Args = args();
    costs.executable = executable;
    call("PJRT_Executable_GetCostAnalysis", &mut costs).expect("costs");
    // SAFETY: the list is the executable's; the first value is a number.
    let (first, flops) = unsafe { (*costs.properties, (*costs.properties).value.float) };
    assert_eq!((text(first.name, first.name_size).as_str(), flops), ("flops", 4.0));
    // The optimized program: how long it is, then the text.
    let mut program: PJRT_Program = args();
    let mut optimized: PJRT_Executable_OptimizedProgram_Args = args();
    (optimized.executable, optimized.program) = (executable, &mut program);
    call("PJRT_Executable_OptimizedProgram", &mut optimized).expect("a length");
    // SAFETY: `optimized` points to it, and is not used meanwhile.
    let mut code = vec![0u8; unsafe { (*optimized.program).code_size }];
    // SAFETY: as above.
    unsafe { (*optimized.program).code = code.as_mut_ptr() };
    call("PJRT_Executable_OptimizedProgram", &mut optimized).expect("a text");
    assert!(String::from_utf8(code).expect("text").contains("stablehlo."));
    // Where it runs.
    let mut assignment: PJRT_LoadedExecutable_GetDeviceAssignment_Args = args();
    assignment.executable = loaded;
    call("PJRT_LoadedExecutable_GetDeviceAssignment", &mut assignment).expect("an assignment");
    // SAFETY: bytes are the executable's.
    let bytes =
        unsafe { std::slice::from_raw_parts(assignment.serialized_bytes, assignment.serialized_bytes_size) };
    assert_eq!(bytes, [8, 1, 16, 1, 26, 3, 10, 1, 0]);
    let mut destroy: PJRT_Executable_Destroy_Args = args();
    destroy.executable = executable;
    assert!(call("PJRT_Executable_Destroy", &mut destroy).is_ok());
    assert_error(call("PJRT_Executable_Destroy", &mut destroy), 3, "no executable");
    assert_error(call("PJRT_Executable_NumOutputs", &mut outputs), 3, "no executable");
    // The loaded one still runs.
    let x = caller.buffer(&[4], &[1.0; 4]);
    assert!(caller.execute(loaded, &[x], 1).is_ok());
    let mut delete: PJRT_LoadedExecutable_Delete_Args = args();
    delete.executable = loaded;
    assert!(call("PJRT_LoadedExecutable_Delete", &mut delete).is_ok());
    assert_error(caller.execute(loaded, &[x], 1).map(drop), 3, "has been deleted");
}

#[test]
fn what_is_given_away_is_written_in_place_if_nobody_else_holds_it() {
    let caller = Caller::new();
    let update = caller.compile(GIVEN).expect("compiles");
    let ones = vec![1f32; 1024];
    let y = caller.buffer(&[1024], &ones);
    let x = caller.buffer(&[1024], &ones);
    let at = address(x);
    let out = caller.execute(update, &[x, y], 1).expect("runs");
    assert!(is_deleted(x) && !is_deleted(y));
    assert_eq!((address(out[0]), numbers(out[0])), (at, Ok(vec![2.0; 1024])));
    assert_error(numbers(x).map(drop), 3, "deleted or donated");
    assert_error(caller.execute(update, &[x, y], 1).map(drop), 3, "argument 0: the buffer has been deleted");
    // Numpy looks at it: it is deleted, and what numpy sees stays.
    let x = caller.buffer(&[1024], &ones);
    let mut refer: PJRT_Buffer_IncreaseExternalReferenceCount_Args = args();
    refer.buffer = x;
    call("PJRT_Buffer_IncreaseExternalReferenceCount", &mut refer).expect("a buffer");
    let seen = address(x) as *const f32;
    let out = caller.execute(update, &[x, y], 1).expect("runs");
    // SAFETY: the reference keeps the memory.
    assert!(is_deleted(x) && address(out[0]) != seen.addr() && unsafe { *seen } == 1.0);
    let mut release: PJRT_Buffer_DecreaseExternalReferenceCount_Args = args();
    release.buffer = x;
    assert!(call("PJRT_Buffer_DecreaseExternalReferenceCount", &mut release).is_ok());
    assert_error(
        call("PJRT_Buffer_DecreaseExternalReferenceCount", &mut release),
        9,
        "no external reference",
    );
    // A caller may keep it after all.
    let x = caller.buffer(&[1024], &ones);
    let (out, event) = caller.execute_keeping(update, &[x, y], 1, &[0]).expect("runs");
    assert!(wait(event).is_ok() && !is_deleted(x) && address(out[0]) != address(x));
    assert_eq!(numbers(x), Ok(ones.clone()));
    // Twice in one call it cannot be given away.
    assert_error(caller.execute(update, &[x, x], 1).map(drop), 3, "use a buffer that is donated");
    assert!(!is_deleted(x));
}

/// Whichever arguments are given away, none of them may be another argument too, before it or after it, and nothing is deleted.
#[test]
fn what_is_given_away_is_given_once() {
    let caller = Caller::new();
    let ty = "tensor<64xf32>";
    for donors in 0..8u32 {
        let is_donor = |k: usize| donors >> k & 1 == 1;
        let param =
            |k| format!("%arg{k}: {ty}{}", if is_donor(k) { " {jax.buffer_donor = true}" } else { "" });
        let text = format!(
            "module @jit_sum {{
               func.func public @main({}, {}, {}) -> ({ty}) {{
                 %0 = stablehlo.add %arg0, %arg1 : {ty}
                 %1 = stablehlo.add %0, %arg2 : {ty}
                 return %1 : {ty}
               }}
             }}",
            param(0),
            param(1),
            param(2)
        );
        let program = caller.compile(&text).expect("compiles");
        for same in [[0, 1], [1, 2], [0, 2]] {
            let mut buffers = [1.0, 2.0, 3.0].map(|x| caller.buffer(&[64], &[x; 64]));
            buffers[same[1]] = buffers[same[0]];
            let ran = caller.execute(program, &buffers, 1);
            match same.iter().filter(|&&k| is_donor(k)).count() {
                0 => assert!(ran.is_ok(), "{donors:b} {same:?}"),
                1 => assert_error(ran.map(drop), 3, "use a buffer that is donated"),
                2.. => assert_error(ran.map(drop), 3, "donate the same buffer twice"),
            }
            let deleted = same.iter().any(|&k| is_deleted(buffers[k]));
            assert!(!deleted, "{donors:b} {same:?}");
        }
    }
}

#[test]
fn a_long_program_runs_while_its_caller_goes_on() {
    let caller = Caller::new();
    let long = caller.compile(LONG).expect("compiles");
    let double = caller.compile(&DOUBLE.replace("4xf32", "1024xf32")).expect("compiles");
    let x = caller.buffer(&[1024], &[0.5; 1024]);
    // A busy machine may not let the caller go on before it has run: of many times it does once.
    let mut started = caller.execute_keeping(long, &[x], 1, &[]).expect("starts");
    let mut went_on = !is_ready(started.1);
    for _ in 0..200 {
        if went_on {
            break;
        }
        let again = caller.execute_keeping(long, &[x], 1, &[]).expect("starts");
        went_on = !is_ready(again.1);
        let (before, event) = std::mem::replace(&mut started, again);
        assert!(wait(event).is_ok() && destroy_buffer(before[0]).is_ok());
    }
    let (first, event) = started;
    // What needs its result waits for it, and its caller does not.
    let (second, after) = caller.execute_keeping(double, &first, 1, &[]).expect("starts");
    assert!(destroy_buffer(first[0]).is_ok() && destroy_buffer(x).is_ok());
    let found = numbers(second[0]).expect("there");
    let expected = (0..3000).fold(0.5f32, |c, _| c.sin() + 0.5) * 2.0;
    assert!(
        found.len() == 1024 && found.iter().all(|f| (f - expected).abs() < 1e-5),
        "{} {expected}",
        found[0]
    );
    assert!(wait(event).is_ok() && wait(after).is_ok() && is_ready(event));
    assert!(went_on, "the call of a program of milliseconds was over only when it had run");
}

#[test]
fn a_client_goes_when_its_programs_have_run() {
    let caller = Caller::new();
    let (long, double) = (caller.compile(LONG).expect("compiles"), DOUBLE.replace("4xf32", "1024xf32"));
    let double = caller.compile(&double).expect("compiles");
    let x = caller.buffer(&[1024], &[0.5; 1024]);
    let (y, event) = caller.execute_keeping(long, &[x], 1, &[]).expect("starts");
    let (z, after) = caller.execute_keeping(double, &y, 1, &[]).expect("starts");
    drop(caller);
    assert!(is_ready(event) && is_ready(after));
    assert!(numbers(z[0]).is_ok() && destroy_buffer(z[0]).is_ok() && destroy_executable(long).is_ok());
}

#[test]
fn fingerprints_tell_float_modes_from_each_other() {
    let fingerprint = |mode: Option<&'static str>| {
        let options: Vec<_> = mode.map(|mode| text_option("float_mode", mode)).into_iter().collect();
        let caller = Caller::with(&options);
        let loaded = caller.compile(DOUBLE).expect("compiles");
        let mut a: PJRT_LoadedExecutable_Fingerprint_Args = args();
        a.executable = loaded;
        call("PJRT_LoadedExecutable_Fingerprint", &mut a).expect("a text");
        // SAFETY: the text is the executable's.
        unsafe { std::slice::from_raw_parts(a.executable_fingerprint, a.executable_fingerprint_size) }
            .to_vec()
    };
    assert!(fingerprint(Some("default")) == fingerprint(None));
    assert!(fingerprint(Some("exact")) == fingerprint(Some("exact")));
    assert!(fingerprint(Some("exact")) != fingerprint(None));
    assert!(fingerprint(Some("exact")) != fingerprint(Some("relaxed")));
}

#[test]
fn a_limit_is_told_from_what_is_not_known() {
    let caller = Caller::with(&[number_option("max_memory", 1 << 16)]);
    let unknown = r#"func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = stablehlo.custom_call @nobody_has_this(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }"#;
    assert_error(caller.compile(unknown).map(drop), 12, "@nobody_has_this");
    let large = DOUBLE.replace("4xf32", "100000xf32");
    assert_error(caller.compile(&large).map(drop), 8, "more than the 65536 allowed");
    assert!(caller.compile(DOUBLE).is_ok());
}

/// More than there is while it runs: an error of that kind, in words for people who use JAX.
#[test]
fn memory_that_is_not_there() {
    let caller = Caller::new();
    let sorted = r#"func.func public @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %big = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1xf32>) -> tensor<17592186044416xf32>
      %up = stablehlo.iota dim = 0 : tensor<17592186044416xf32>
      %sum = stablehlo.add %big, %up : tensor<17592186044416xf32>
      %sorted = "stablehlo.sort"(%sum) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) : (tensor<17592186044416xf32>) -> tensor<17592186044416xf32>
      %first = stablehlo.slice %sorted [0:1] : (tensor<17592186044416xf32>) -> tensor<1xf32>
      return %first : tensor<1xf32>
    }"#;
    let sorted = caller.compile(sorted).expect("compiles");
    let x = caller.buffer(&[1], &[1.0]);
    let (_, event) = caller.execute_keeping(sorted, &[x], 1, &[]).expect("it begins");
    assert_error(wait(event), 8, "WENGERT_MAX_MEMORY");
    destroy_event(event);
}

#[test]
fn executables_are_written_and_read() {
    let caller = Caller::new();
    let loaded = caller.compile(DOUBLE).expect("compiles");
    let mut a: PJRT_Executable_Serialize_Args = args();
    a.executable = executable_of(loaded);
    call("PJRT_Executable_Serialize", &mut a).expect("bytes");
    // SAFETY: the bytes live until they are deleted.
    let bytes = unsafe { std::slice::from_raw_parts(a.serialized_bytes, a.serialized_bytes_size) }.to_vec();
    let delete = a.serialized_executable_deleter.expect("a function");
    // SAFETY: what it is for; a second time it does nothing.
    unsafe {
        delete(a.serialized_executable);
        delete(a.serialized_executable);
    }
    let mut load: PJRT_Executable_DeserializeAndLoad_Args = args();
    load.client = caller.client;
    (load.serialized_executable, load.serialized_executable_size) = (bytes.as_ptr(), bytes.len());
    call("PJRT_Executable_DeserializeAndLoad", &mut load).expect("an executable");
    let x = caller.buffer(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let y = caller.execute(load.loaded_executable, &[x], 1).expect("runs");
    assert_eq!(numbers(y[0]), Ok(vec![2.0, 4.0, 6.0, 8.0]));
    load.serialized_executable_size -= 1;
    assert_error(call("PJRT_Executable_DeserializeAndLoad", &mut load), 3, "damaged");
    // Older callers have no options to override.
    load.struct_size = 48;
    load.serialized_executable_size += 1;
    assert!(call("PJRT_Executable_DeserializeAndLoad", &mut load).is_ok());
}

#[test]
fn tokens_order_and_hold_nothing() {
    let caller = Caller::new();
    let program = r#"func.func public @main(%t: !stablehlo.token, %x: tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>) {
      %y = stablehlo.add %x, %x : tensor<4xf32>
      return %t, %y : !stablehlo.token, tensor<4xf32>
    }"#;
    let executable = caller.compile(program).expect("compiles");
    let (token, _) = caller.buffer_of(crate::types::TOKEN, &[], std::ptr::null(), &[], 0);
    let x = caller.buffer(&[4], &[1.0; 4]);
    let out = caller.execute(executable, &[token, x], 2).expect("runs");
    let mut ty: PJRT_Buffer_ElementType_Args = args();
    ty.buffer = out[0];
    call("PJRT_Buffer_ElementType", &mut ty).expect("a type");
    assert_eq!((ty.type_, numbers(out[1])), (crate::types::TOKEN, Ok(vec![2.0; 4])));
    assert!(caller.execute(executable, &[out[0], x], 2).is_ok());
    // JAX gives an array where a program takes a token.
    assert!(caller.execute(executable, &[x, x], 2).is_ok());
    assert_error(caller.execute(executable, &[x, token], 2).map(drop), 3, "argument 1 is");
}
