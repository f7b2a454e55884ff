//! Devices in the API: programs and tensors on one, errors about those that are not there. The device is the interpreter of PTX
//! text, which is always there.

use wengert::{DType, Device, Tensor, grad, jit};

fn device() -> Device {
    Device::named("reference").expect("it is always there")
}

/// The message of a panic.
fn message(f: impl FnOnce()) -> String {
    let cause = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it fails");
    cause.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn functions_run_where_they_are_told() {
    let device = device();
    let f = |x: Tensor| (x.sin() * x.exp()).sum();
    let x = Tensor::from((0..300).map(|k| k as f32 * 0.01).collect::<Vec<f32>>());
    let before = device.counts();
    let there = jit(grad(f)).on(&device)(x.clone());
    assert_eq!(there.device(), device);
    let after = device.counts();
    assert!(after.launches > before.launches, "{after:?}");
    assert_eq!(there.to_vec::<f32>(), jit(grad(f))(x).to_vec::<f32>());
    assert_eq!(jit(f).on(&Device::cpu())(Tensor::from([0.0f32])).device(), Device::cpu());
}

#[test]
fn tensors_stay_where_they_are() {
    let device = device();
    let x = Tensor::from([1.0f32, 2.0, 3.0]).to(&device);
    assert_eq!(x.device(), device);
    let f = jit(|x: Tensor, y: Tensor| &x * &y + 1.0);
    let y = f(x.clone(), x.clone());
    let z = f(y.clone(), x.clone());
    assert_eq!((y.device(), z.device()), (device.clone(), device.clone()));
    assert_eq!(z.to_vec::<f32>(), [3.0, 11.0, 31.0]);
    // Operations by themselves too.
    let w = &x + &z;
    assert_eq!(w.device(), device);
    assert_eq!(w.to_vec::<f32>(), [4.0, 13.0, 34.0]);
    assert_eq!(format!("{}", w.to(&Device::cpu())), format!("{w}"));
    assert_eq!(w.to(&Device::cpu()).device(), Device::cpu());
    assert_eq!(w.sum().item::<f32>(), 51.0);
}

#[test]
fn loops_and_branches_run_there() {
    let device = device();
    let f = |x: Tensor| {
        let step = |_: Tensor, x: Tensor| &x + (&x * 0.1).sin();
        wengert::fori_loop(0, 5, step, x).sum()
    };
    let x = Tensor::from([0.5f64, 1.5]);
    let there = jit(wengert::value_and_grad(f)).on(&device)(x.clone());
    let here = jit(wengert::value_and_grad(f))(x);
    assert_eq!(there.0.item::<f64>(), here.0.item::<f64>());
    assert_eq!(there.1.to_vec::<f64>(), here.1.to_vec::<f64>());
}

#[test]
fn what_is_not_there_says_so_in_a_line() {
    for (name, part) in [
        ("tpu:0", "`tpu:0` is no device"),
        ("gpu:x", "`gpu:x` is no device: give a number"),
        ("gpu", "`gpu` is no device: give a number"),
        ("gpu:0", "no device gpu:0"),
        ("wgpu:7", "no device wgpu:7"),
        ("cpu:3", "`cpu:3` is no device"),
        ("reference:1", "`reference:1` is no device"),
        ("", "`` is no device"),
    ] {
        let why = Device::named(name).expect_err(name);
        assert!(why.message().contains(part) && !why.message().contains('\n'), "{name}: {why}");
    }
    assert!(Device::all().contains(&Device::cpu()));
    assert!(Device::list().iter().any(|l| l.found.is_err()));
}

#[test]
fn a_traced_tensor_has_no_device() {
    let said = message(|| {
        jit(|x: Tensor| x.to(&device()))(Tensor::from(1.0f32));
    });
    assert!(said.contains("jit(f).on(&device)"), "{said}");
}

#[test]
fn a_failed_program_leaves_the_device_well() {
    let device = device();
    let checked = jit(|x: Tensor| {
        wengert::check(&x.less(2.0), "x is small", &[]);
        &x + 1.0
    })
    .on(&device);
    assert!(checked.try_call((Tensor::from(3.0f32),)).is_err());
    assert_eq!(checked.try_call((Tensor::from(1.0f32),)).expect("well").item::<f32>(), 2.0);
}

#[test]
fn memory_comes_back_to_the_pool() {
    let device = device();
    let f = jit(|x: Tensor| (&x * 2.0).cos()).on(&device);
    let x = Tensor::from(vec![0.5f32; 1000]).to(&device);
    f(x.clone()).to_vec::<f32>();
    let before = device.counts().allocations;
    for _ in 0..5 {
        f(x.clone()).to_vec::<f32>();
    }
    // Other tests share the device; a call of this one takes none.
    assert!(device.counts().allocations <= before + 64);
}

#[test]
fn operands_on_two_devices_are_refused() {
    let there = match Device::wgpu(0) {
        Ok(there) => there,
        Err(why) => return wengert_ir::testing::skip("vulkan", why.message()),
    };
    let x = Tensor::from([1.0f32, 2.0]).to(&device());
    let y = Tensor::from([3.0f32, 4.0]).to(&there);
    for said in [
        message(|| drop(&x + &y)),
        jit(|x: Tensor, y: Tensor| &x + &y)
            .try_call((x.clone(), y.clone()))
            .expect_err("two devices")
            .to_string(),
        jit(|x: Tensor| &x + 1.0).on(&there).try_call((x.clone(),)).expect_err("elsewhere").to_string(),
    ] {
        assert!(said.contains(".to(&device)") && said.contains("wgpu:0"), "{said}");
    }
    assert_eq!((&x + &y.to(&device())).to_vec::<f32>(), [4.0, 6.0]);
    // Programs with their derivatives run there.
    let f = |x: Tensor| (x.sin() * x.exp()).sum();
    let (here, found) = (jit(grad(f))(y.to(&Device::cpu())), jit(grad(f))(y));
    assert_eq!(found.device(), there);
    for (a, b) in here.to_vec::<f32>().iter().zip(found.to_vec::<f32>()) {
        assert!((a - b).abs() <= 1e-5 * a.abs(), "{a} and {b}");
    }
}

#[test]
fn devices_by_number_are_those_of_the_number() {
    for (found, part) in [(Device::gpu(7), "no device gpu:7"), (Device::wgpu(7), "no device wgpu:7")] {
        let why = found.expect_err(part);
        assert!(why.message().contains(part), "{why}");
    }
}

/// Products that take whole tiles of threads, and some that do not.
#[test]
fn products_of_whole_tiles_on_a_device() {
    let numbers = |rows: isize, columns: isize| {
        (Tensor::arange((rows * columns) as usize, DType::F32) * 0.37).sin().reshape(&[rows, columns])
    };
    let device = Device::named("reference").expect("it is always there");
    for (rows, depth, columns) in [(64, 16, 64), (64, 40, 80), (130, 33, 70)] {
        let (a, b) = (numbers(rows, depth), numbers(depth, columns));
        let f = |a: Tensor, b: Tensor| a.matmul(&b);
        let there = jit(f).on(&device)(a.clone(), b.clone()).to_vec::<f32>();
        let here = f(a, b).to_vec::<f32>();
        there.iter().zip(&here).for_each(|(a, b)| assert!((a - b).abs() < 1e-4, "{rows} {depth} {columns}"));
    }
}
