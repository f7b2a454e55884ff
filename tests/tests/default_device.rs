//! The device of the process: what names no other runs there. A process of its own, because all of it changes.

use wengert::{Device, Tensor, grad, jit, set_default_device};

#[test]
fn programs_and_operations_run_on_the_default() {
    let device = Device::named("reference").expect("it is always there");
    assert_eq!(Tensor::from([1.0f32]).device(), Device::cpu());
    set_default_device(&device);
    let x = Tensor::from([1.0f32, 2.0]);
    // What is made of numbers is on the host; what is computed is on the device.
    assert_eq!(x.device(), Device::cpu());
    let y = &x * 2.0;
    assert_eq!(y.device(), device);
    assert_eq!(y.to_vec::<f32>(), [2.0, 4.0]);
    let before = device.counts();
    let g = grad(|x: Tensor| (&x * &x * &x).sum())(x.clone());
    assert_eq!(g.to_vec::<f32>(), [3.0, 12.0]);
    assert!(device.counts().launches > before.launches);
    assert_eq!(jit(|x: Tensor| x.exp())(x.clone()).device(), device);
    // Who says the CPU gets it.
    assert_eq!(jit(|x: Tensor| x.exp()).on(&Device::cpu())(x.clone()).device(), Device::cpu());
    set_default_device(&Device::cpu());
    assert_eq!((&x + 1.0).device(), Device::cpu());
    // What lives on a device still takes others with it.
    assert_eq!((&x + &y).device(), device);
}
