//! Random choices, constants and arguments.

use super::{Flavor, Maker};
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{FuncId, Loc, Module, Value};
use wengert_ir::op::{BroadcastInDim, Constant, Convert, Iota, Reshape};
use wengert_ir::testing::{Random, SPECIAL};
use wengert_ir::types::{DType, DTypeClass, Dims, TensorType, Type};

/// One element.
fn element(random: &mut Random, dtype: DType, special: bool) -> Vec<u8> {
    let scalar = |x: f64, dtype: DType| Literal::splat(TensorType::scalar(dtype), x).stored_bytes().to_vec();
    match dtype.class() {
        DTypeClass::Bool => vec![(random.bits() >> 9 & 1) as u8],
        DTypeClass::Signed | DTypeClass::Unsigned => match random.below(if special { 3 } else { 12 }) {
            0 if dtype.bits() >= 8 => random.bits().to_le_bytes()[..dtype.size()].to_vec(),
            _ => scalar(
                (random.below(12) as f64) - if dtype.class() == DTypeClass::Signed { 4.0 } else { 0.0 },
                dtype,
            ),
        },
        DTypeClass::Float if special => match random.below(4) {
            0 => scalar(beside_tie(random), dtype),
            _ => scalar(random.pick(SPECIAL), dtype),
        },
        DTypeClass::Float => scalar(random.uniform(-2.0, 3.0), dtype),
        // Few, so that some are equal.
        DTypeClass::Complex if special && random.chance(50) => {
            [(); 2].map(|()| scalar(random.pick(&SPECIAL[..4]), dtype.part())).concat()
        }
        DTypeClass::Complex => {
            [element(random, dtype.part(), special), element(random, dtype.part(), special)].concat()
        }
    }
}

/// A number at or just beside the middle between two neighbours of fewer bits: rounded twice, it may end on the other side.
fn beside_tie(random: &mut Random) -> f64 {
    let unit = 2f64.powi(-(random.below(25) as i32));
    let (odd, side) = (random.below(2) as f64, random.below(3) as f64 - 1.0);
    1.0 + odd * unit + unit / 2.0 + side * 2f64.powi(-45)
}

fn array(random: &mut Random, ty: &TensorType, special: bool) -> Array {
    let bytes: Vec<u8> = (0..ty.elements())
        .flat_map(|_| {
            // Special values meet ordinary ones.
            let special = special && random.chance(60);
            element(random, ty.dtype, special)
        })
        .collect();
    Array::from_bytes(ty.clone(), &bytes)
}

/// What a program is called with.
pub(super) fn arguments(m: &Module, func: FuncId, random: &mut Random, special: bool) -> Vec<Array> {
    m.get(func).param_types().iter().map(|t| array(random, t.tensor(), special)).collect()
}

/// Arguments of these types.
pub(crate) fn of_types(types: &[TensorType], random: &mut Random, special: bool) -> Vec<Array> {
    types.iter().map(|t| array(random, t, special)).collect()
}

impl Maker {
    /// A constant: a splat of a number that rules look for, or of elements if it is small.
    pub(super) fn constant(&mut self, ty: &TensorType) -> Value {
        let smooth = self.flavor == Flavor::Smooth;
        let value = if !smooth && ty.elements() <= 12 && self.chance(50) {
            Literal::from_array(&array(&mut self.random, ty, false))
        } else {
            let numbers: &[f64] = match smooth {
                true => &[1.0, 2.0, 0.5, -1.0, 0.3, -0.7],
                false => &[0.0, 0.0, -0.0, 1.0, 1.0, -1.0, 2.0, 0.5, 3.0, 4.0, 0.1, -7.0, 8.0, 255.0],
            };
            Literal::splat(ty.clone(), self.random.pick(numbers))
        };
        self.literal(value)
    }

    /// A constant, of any size.
    fn literal(&mut self, value: Literal) -> Value {
        let ty = Type::Tensor(value.ty().clone());
        self.func.push_typed(Constant { value }.into(), &[], [ty], Loc::Unknown)[0]
    }

    /// A constant scalar of a number.
    pub(super) fn number(&mut self, dtype: DType, value: f64) -> Value {
        self.literal(Literal::splat(TensorType::scalar(dtype), value))
    }

    /// A splat.
    pub(super) fn splat(&mut self, ty: &TensorType, value: f64) -> Value {
        self.literal(Literal::splat(ty.clone(), value))
    }

    /// A constant of chosen elements.
    pub(super) fn elements(&mut self, ty: &TensorType, values: impl Iterator<Item = f64>) -> Value {
        let array = wengert_ir::testing::numbers(ty, values);
        self.literal(Literal::from_array(&array))
    }

    /// A value of a type: one that there is, or one made from what nearly fits, or a constant.
    pub(super) fn of_type(&mut self, ty: &TensorType) -> Value {
        let same: Vec<Value> = self.pool.iter().copied().filter(|&v| self.func.tensor(v) == ty).collect();
        match self.below(10) {
            0..=4 if !same.is_empty() => return self.random.pick(&same),
            5 | 6 => {
                if let Some(v) = self.converted(ty) {
                    return v;
                }
            }
            7 | 8 => {
                if let Some(v) = self.spread(ty) {
                    return v;
                }
            }
            9 if self.flavor == Flavor::Wild && ty.rank() > 0 && ty.dtype != DType::I1 => {
                let dim = self.below(ty.rank());
                if let Some(v) = self.push(Iota { ty: ty.clone(), dim }, &[]) {
                    return v;
                }
            }
            _ => {}
        }
        if !same.is_empty() && self.chance(80) {
            return self.random.pick(&same);
        }
        if self.chance(50)
            && let Some(v) = self.converted(ty).or_else(|| self.spread(ty))
        {
            return v;
        }
        self.constant(ty)
    }

    /// A value of the same shape, converted; of as many elements, reshaped.
    fn converted(&mut self, ty: &TensorType) -> Option<Value> {
        let (n, dtype) = (ty.elements(), ty.dtype);
        let smooth = self.flavor == Flavor::Smooth;
        let v = self.value_where(|t| {
            let kind = if smooth { t.dtype == dtype } else { !t.dtype.is_complex() || dtype.is_complex() };
            t.elements() == n && kind
        })?;
        let v = if self.ty(v).dtype == dtype { v } else { self.push(Convert { dtype }, &[v])? };
        if self.ty(v).shape == ty.shape {
            Some(v)
        } else {
            self.push(Reshape { shape: ty.shape.clone() }, &[v])
        }
    }

    /// A smaller value of the same elements, broadcast.
    fn spread(&mut self, ty: &TensorType) -> Option<Value> {
        let (dtype, rank) = (ty.dtype, ty.rank());
        let v = self.value_where(|t| t.dtype == dtype && t.rank() < rank.max(1))?;
        let from = self.ty(v).shape;
        let mut dims = Dims::new();
        let mut next = 0;
        for &n in &from {
            let at = (next..rank).find(|&d| ty.shape[d] == n || n == 1)?;
            dims.push(at);
            next = at + 1;
        }
        self.push(BroadcastInDim { shape: ty.shape.clone(), dims }, &[v])
    }

    /// A boolean of a shape, or a scalar one.
    pub(super) fn predicate(&mut self, shape: &Dims) -> Value {
        let shape = if self.chance(25) { Dims::new() } else { shape.clone() };
        let ty = TensorType { dtype: DType::I1, shape };
        let known: Vec<Value> = self.pool.iter().copied().filter(|&v| *self.func.tensor(v) == ty).collect();
        if !known.is_empty() && self.chance(60) {
            return self.random.pick(&known);
        }
        let x = match self.value_where(|t| t.shape == ty.shape && !t.dtype.is_complex()) {
            Some(x) => x,
            None => {
                let dtype = if self.flavor == Flavor::Smooth { DType::F64 } else { DType::I32 };
                self.of_type(&ty.with_dtype(dtype))
            }
        };
        let y = match self.flavor {
            Flavor::Wild => {
                let ty = self.ty(x);
                self.of_type(&ty)
            }
            // No value of a program with roundings of its own is near this.
            Flavor::Smooth => {
                let (ty, at) = (self.ty(x), self.random.uniform(-0.7, 0.9));
                self.splat(&ty, at)
            }
        };
        self.compared(x, y).unwrap_or_else(|| self.constant(&ty))
    }
}
