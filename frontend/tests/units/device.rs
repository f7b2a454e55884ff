//! Where tensors live.

use wengert::testing::another_reference;
use wengert::{Device, Tensor, jit};

/// A tensor goes from everywhere to everywhere, has its elements there, and is not copied where it is already.
#[test]
fn tensors_go_from_each_device_to_each() {
    let devices = [Device::cpu(), another_reference(), another_reference()];
    for from in &devices {
        for to in &devices {
            let x = Tensor::from([1.0f32, 2.5, -3.0]).to(from);
            assert_eq!(x.device(), *from);
            let before = to.counts().copies_in;
            let y = x.to(to);
            assert!(y.device() == *to, "from {from} to {to}");
            assert_eq!(y.to_vec::<f32>(), [1.0, 2.5, -3.0]);
            let copies = u64::from(from != to && !to.is_cpu());
            assert_eq!(to.counts().copies_in - before, copies, "from {from} to {to}");
            // Where both are, they meet; elsewhere they are refused.
            let met = jit(|x: Tensor, y: Tensor| x + y).try_call((x, y));
            if from != to && !from.is_cpu() && !to.is_cpu() {
                let said = met.expect_err("two devices");
                assert!(said.message().starts_with("operands are on reference and on reference"), "{said}");
            } else {
                let met = met.unwrap_or_else(|e| panic!("from {from} to {to}: {e}"));
                assert_eq!(met.to_vec::<f32>(), [2.0, 5.0, -6.0]);
            }
        }
    }
}
