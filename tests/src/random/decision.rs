//! Steps that compare a value with what is made of it elsewhere: the largest of some sums of products, and which of them it
//! is. Lowering computes such a sum in the loop that finds the largest and again in the loop that compares; a sum that is
//! rounded otherwise in one of them is never the largest, and the derivative of the maximum is zero everywhere.

use super::{Flavor, Maker};
use wengert_ir::func::Value;
use wengert_ir::op::*;
use wengert_ir::types::{DType, Dims};

impl Maker {
    pub(super) fn decision(&mut self) {
        let Some(x) = self.value_where(|t| matches!(t.dtype, DType::F32 | DType::F64)) else { return };
        let Some(sum) = self.sum_of_products(x) else { return };
        if self.ty(sum).rank() == 0 {
            self.pool.push(sum);
            return;
        }
        match self.flavor {
            // The derivative compares.
            Flavor::Smooth => {
                if let Some((largest, _)) = self.extremum(sum) {
                    let bounded = self.hidden(UnaryOp::Tanh, &[largest]).expect("a float");
                    self.pool.push(bounded);
                }
            }
            Flavor::Wild => {
                let Some((largest, dims)) = self.extremum(sum) else { return };
                let ty = self.ty(sum);
                let kept: Dims = (0..ty.rank()).filter(|d| !dims.contains(d)).collect();
                let spread = BroadcastInDim { shape: ty.shape.clone(), dims: kept };
                let Some(spread) = self.hidden(spread, &[largest]) else { return };
                let direction =
                    self.random.pick(&[Direction::Eq, Direction::Eq, Direction::Ge, Direction::Ne]);
                let compare = Compare { direction, kind: CompareType::Float };
                let which = self.push(compare, &[sum, spread]);
                if let Some(which) = which.filter(|_| self.chance(50)) {
                    self.push(Convert { dtype: ty.dtype }, &[which]);
                }
            }
        }
    }

    /// `x * y + z`, and more that a compiler may round otherwise.
    fn sum_of_products(&mut self, x: Value) -> Option<Value> {
        let ty = self.ty(x);
        let (y, z) = (self.of_type(&ty), self.of_type(&ty));
        let product = self.hidden(BinaryOp::Multiply, &[x, y])?;
        let other = match self.below(3) {
            0 => self.hidden(BinaryOp::Multiply, &[z, y])?,
            1 => {
                let third = self.splat(&ty, 3.0);
                self.hidden(BinaryOp::Divide, &[z, third])?
            }
            _ => z,
        };
        let operands = if self.chance(50) { [product, other] } else { [other, product] };
        let op = if self.chance(60) { BinaryOp::Add } else { BinaryOp::Subtract };
        if self.chance(25) {
            // The product has another reader.
            self.pool.push(product);
        }
        self.hidden(op, &operands)
    }

    /// The largest or smallest elements over some dimensions.
    fn extremum(&mut self, x: Value) -> Option<(Value, Dims)> {
        let ty = self.ty(x);
        let dims = self.some_dims(ty.rank());
        let (op, init) =
            self.random.pick(&[(BinaryOp::Maximum, f64::NEG_INFINITY), (BinaryOp::Minimum, f64::INFINITY)]);
        let init = self.number(ty.dtype, init);
        let op = Reduce { dims: dims.clone(), inputs: 1, reducer: Reducer::Op(op) };
        Some((self.hidden(op, &[x, init])?, dims))
    }
}
