//! Places along axes that programs compute from numbers of devices.
//!
//! JAX asks for the number of the device and takes from it the place along an axis: `partition_id / stride % size`. Known as such a place
//! it is the same for all devices along other axes, so that branches and loops that communicate along these may depend on it.

use std::collections::HashMap;
use wengert_ir::func::{Inst, Value};
use wengert_ir::op::{BinaryOp, Op};
use wengert_ir::sharding::Mesh;

/// What is known of numbers in a function.
pub(super) struct Numbers {
    /// Of each axis how far apart neighbours are, and how many devices lie along it; none where devices are in another order.
    axes: Vec<(usize, usize)>,
    constants: HashMap<Value, usize>,
    /// Values that are the number of the device, divided by this.
    divided: HashMap<Value, usize>,
}

impl Numbers {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let axes = (0..mesh.axes.len()).map(|axis| (mesh.stride(axis), mesh.axes[axis].1));
        let axes = if mesh.devices.is_empty() { axes.collect() } else { Vec::new() };
        Self { axes, constants: HashMap::new(), divided: HashMap::new() }
    }

    /// The axis along which the result of an instruction, the next of the function, is the place.
    pub(super) fn axis(&mut self, inst: &Inst) -> Option<usize> {
        let &[result] = &inst.results[..] else { return None };
        let known = |k: usize| {
            let divided = self.divided.get(inst.operands.first()?)?;
            Some((*divided, *self.constants.get(inst.operands.get(k)?)?))
        };
        if let Op::Foreign(op) = &inst.op {
            self.divided.extend((&*op.name == "stablehlo.partition_id").then_some((result, 1)));
        } else if let Op::Constant(c) = &inst.op {
            let number = c.value.splat_integer().filter(|_| c.value.ty().shape.is_empty());
            self.constants.extend(number.and_then(|n| usize::try_from(n).ok()).map(|n| (result, n)));
        } else if let Op::Binary(BinaryOp::Divide) = &inst.op {
            let divided = known(1).filter(|known| known.1 > 0).and_then(|(d, by)| d.checked_mul(by));
            self.divided.extend(divided.map(|d| (result, d)));
        } else if let Op::Binary(BinaryOp::Remainder) = &inst.op {
            let (stride, size) = known(1)?;
            return self.axes.iter().position(|axis| *axis == (stride, size) || axis.1 == 1 && size == 1);
        }
        None
    }
}
