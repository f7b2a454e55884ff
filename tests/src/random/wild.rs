//! Steps of wild programs: elementwise operations of every kind, reductions, sorts, contractions of few bits.

use super::{FP8, Maker};
use wengert_ir::func::{FuncKind, Value};
use wengert_ir::op::*;
use wengert_ir::types::{DType, DTypeClass, Dims, TensorType};

/// Combinations that `reduce` knows by name.
const MONOIDS: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Multiply,
    BinaryOp::Maximum,
    BinaryOp::Minimum,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
];

impl Maker {
    pub(super) fn wild(&mut self) {
        let x = self.value();
        match self.below(26) {
            0..=4 => self.wild_binary(x),
            5..=7 => self.wild_unary(x),
            8 => {
                let ty = self.ty(x);
                let y = self.of_type(&ty);
                self.compared(x, y);
            }
            9 | 10 => {
                let ty = self.ty(x);
                let (y, p) = (self.of_type(&ty), self.predicate(&ty.shape));
                let operands = if self.chance(50) { [p, x, y] } else { [p, y, x] };
                self.push(Select {}, &operands);
            }
            11 => {
                let ty = self.ty(x);
                let scalar = TensorType::scalar(ty.dtype);
                let (low, high) = match self.below(2) {
                    0 => (self.of_type(&scalar), self.of_type(&scalar)),
                    _ => (self.of_type(&ty), self.of_type(&ty)),
                };
                self.push(Clamp {}, &[low, x, high]);
            }
            12 | 13 => {
                let dtype = self.any_type().dtype;
                if !self.ty(x).dtype.is_complex() || dtype.is_complex() {
                    self.push(Convert { dtype }, &[x]);
                }
            }
            14 => self.bits_of(x),
            15 => {
                let (exponent_bits, mantissa_bits) = (2 + self.below(7), 1 + self.below(12));
                self.push(ReducePrecision { exponent_bits, mantissa_bits }, &[x]);
            }
            16 => {
                let ty = self.ty(x);
                if matches!(ty.dtype, DType::F32 | DType::F64) {
                    let (y, z) = (self.of_type(&ty), self.of_type(&ty));
                    self.push(Fma {}, &[x, y, z]);
                }
            }
            17..=19 => self.reduction(x),
            20 => self.sorted(x),
            21 => {
                let ty = self.ty(x);
                if let (Some(&n), true) = (ty.shape.last(), ty.dtype.is_native()) {
                    let k = 1 + self.below(n.max(1));
                    let x = self.without_nan(x);
                    self.push_all(TopK { k }.into(), &[x]);
                }
            }
            22 | 23 => self.contraction(x),
            24 => {
                let ty = self.ty(x);
                if matches!(ty.dtype, DType::F32 | DType::F64) {
                    let y = self.of_type(&ty);
                    self.push(BinaryOp::Complex, &[x, y]);
                } else if ty.dtype.is_complex() {
                    let op = self.random.pick(&[UnaryOp::Real, UnaryOp::Imag, UnaryOp::Conj, UnaryOp::Abs]);
                    self.push(op, &[x]);
                }
            }
            _ => self.mapped(x),
        }
    }

    fn wild_binary(&mut self, x: Value) {
        use BinaryOp::*;
        let ty = self.ty(x);
        let common = [Add, Add, Subtract, Multiply, Multiply, Divide, Maximum, Minimum];
        let bitwise =
            [And, Or, Xor, ShiftLeft, ShiftRightLogical, ShiftRightArithmetic, Remainder, Power, Mulhi];
        let op = match ty.dtype.class() {
            DTypeClass::Signed | DTypeClass::Unsigned if self.chance(50) => self.random.pick(&bitwise),
            DTypeClass::Bool => self.random.pick(&[And, Or, Xor, And, Or, Xor, Add, Multiply, Maximum]),
            _ if self.chance(85) => self.random.pick(&common),
            _ => self.random.pick(BinaryOp::ALL),
        };
        let y = if self.chance(6) { x } else { self.of_type(&ty) };
        let operands = if self.chance(50) { [x, y] } else { [y, x] };
        self.push(op, &operands);
    }

    fn wild_unary(&mut self, x: Value) {
        use UnaryOp::*;
        let common =
            [Negate, Negate, Abs, Sign, Floor, Ceil, Sqrt, Exponential, Log, Tanh, Square, Not, IsFinite];
        for _ in 0..3 {
            let op = if self.chance(60) { self.random.pick(&common) } else { self.random.pick(UnaryOp::ALL) };
            if self.push(op, &[x]).is_some() {
                return;
            }
        }
    }

    /// A comparison in the natural order, or now and then of floats in their total order.
    pub(super) fn compared(&mut self, x: Value, y: Value) -> Option<Value> {
        let dtype = self.ty(x).dtype;
        let direction = self.random.pick(Direction::ALL);
        if dtype.is_float() && self.chance(10) && self.flavor == super::Flavor::Wild {
            // The order of NaN depends on its sign, which no operation promises.
            let (x, y) = (self.without_nan(x), self.without_nan(y));
            return self.push(Compare { direction, kind: CompareType::TotalOrder }, &[x, y]);
        }
        if dtype.is_complex() && !matches!(direction, Direction::Eq | Direction::Ne) {
            return None;
        }
        self.push(Compare { direction, kind: CompareType::natural(dtype) }, &[x, y])
    }

    /// The value with 1 for every NaN.
    pub(super) fn without_nan(&mut self, x: Value) -> Value {
        let ty = self.ty(x);
        if !ty.dtype.is_float() {
            return x;
        }
        let one = self.splat(&ty, 1.0);
        let equal = Compare { direction: Direction::Eq, kind: CompareType::Float };
        let number = self.hidden(equal, &[x, x]).expect("floats compare");
        self.hidden(Select {}, &[number, x, one]).expect("one type")
    }

    /// The same bits as another type.
    fn bits_of(&mut self, x: Value) {
        use DType::*;
        let ty = self.ty(x);
        let to: &[DType] = match ty.dtype {
            F64 => &[I64, U64],
            F32 => &[I32, U32],
            I64 | U64 => &[F64, I64, U64],
            I32 | U32 => &[F32, I32, U32],
            F16 | BF16 => &[I16, U16],
            I16 | U16 => &[F16, BF16, U16],
            I8 | U8 if self.fp8 => &FP8,
            _ if FP8.contains(&ty.dtype) => &[I8, U8],
            _ => return,
        };
        let x = self.without_nan(x);
        let ty = ty.with_dtype(self.random.pick(to));
        self.push(BitcastConvert { ty }, &[x]);
    }

    pub(super) fn some_dims(&mut self, rank: usize) -> Dims {
        let dims: Dims = (0..rank).filter(|_| self.random.bits() >> 20 & 1 == 0).collect();
        if dims.is_empty() { Dims::from_slice(&[rank - 1]) } else { dims }
    }

    fn reduction(&mut self, x: Value) {
        let ty = self.ty(x);
        if ty.rank() == 0 || ty.dtype.is_complex() && self.chance(50) {
            return;
        }
        let dims = self.some_dims(ty.rank());
        let scalar = TensorType::scalar(ty.dtype);
        let init = if self.chance(50) { self.splat(&scalar, 0.0) } else { self.of_type(&scalar) };
        if self.chance(12) && matches!(ty.dtype, DType::F32 | DType::F64 | DType::I32) {
            self.largest(x, &dims);
            return;
        }
        if self.chance(12) && ty.rank() > 0 {
            return self.windows(x, init);
        }
        let reducer = Reducer::Op(self.random.pick(MONOIDS));
        self.push(Reduce { dims, inputs: 1, reducer }, &[x, init]);
    }

    /// The largest elements and where they are: two tensors reduced together by a function.
    pub(super) fn largest(&mut self, x: Value, dims: &Dims) -> Option<Vec<Value>> {
        let ty = self.ty(x);
        let at = TensorType { dtype: DType::I32, shape: ty.shape.clone() };
        let dim = dims[0];
        let places = self.hidden(Iota { ty: at, dim }, &[])?;
        let (value, place) = (TensorType::scalar(ty.dtype), TensorType::scalar(DType::I32));
        let params = [value.clone(), place.clone(), value, place];
        let body = self.function(FuncKind::Region, &params, |s, p| {
            let kind = CompareType::natural(ty.dtype);
            let ahead =
                s.hidden(Compare { direction: Direction::Ge, kind }, &[p[0], p[2]]).expect("one type");
            [(p[0], p[2]), (p[1], p[3])]
                .map(|(a, b)| s.hidden(Select {}, &[ahead, a, b]).expect("one type"))
                .to_vec()
        });
        let x = self.without_nan(x);
        let (low, zero) = (self.number(ty.dtype, -1e9), self.number(DType::I32, 0.0));
        let op = Reduce { dims: dims.clone(), inputs: 2, reducer: Reducer::Func(body) };
        self.push_all(op.into(), &[x, places, low, zero])
    }

    fn windows(&mut self, x: Value, init: Value) {
        let ty = self.ty(x);
        if self.reaches {
            return self.any_windows(x, init);
        }
        let mut size = |most: usize| -> Dims { ty.shape.iter().map(|_| 1 + self.below(most)).collect() };
        let op = ReduceWindow {
            window_dimensions: size(3),
            window_strides: size(2),
            base_dilations: size(1),
            window_dilations: size(2),
            padding_low: ty.shape.iter().map(|_| 1).collect(),
            padding_high: ty.shape.iter().map(|_| 0).collect(),
            inputs: 1,
            reducer: Reducer::Op(self.random.pick(MONOIDS)),
        };
        self.push(op, &[x, init]);
    }

    /// Windows in every dilation, with more or less around.
    fn any_windows(&mut self, x: Value, init: Value) {
        let rank = self.ty(x).rank();
        let mut size = |most: usize| -> Dims { (0..rank).map(|_| 1 + self.below(most)).collect() };
        let (window_dimensions, window_strides) = (size(4), size(3));
        let (base_dilations, window_dilations) = (size(2), size(2));
        let op = ReduceWindow {
            window_dimensions,
            window_strides,
            base_dilations,
            window_dilations,
            padding_low: self.padding(rank, 2),
            padding_high: self.padding(rank, 2),
            inputs: 1,
            reducer: Reducer::Op(self.random.pick(MONOIDS)),
        };
        self.push(op, &[x, init]);
    }

    /// A sort by the first of one or two tensors.
    fn sorted(&mut self, x: Value) {
        let ty = self.ty(x);
        if ty.rank() == 0 || ty.dtype.is_complex() {
            return;
        }
        let mut operands = vec![self.without_nan(x)];
        if self.chance(50) {
            let mut other = self.any_type();
            other.shape.clone_from(&ty.shape);
            operands.push(self.of_type(&other));
        }
        let params: Vec<TensorType> = operands
            .iter()
            .map(|&v| TensorType::scalar(self.ty(v).dtype))
            .flat_map(|t| [t.clone(), t])
            .collect();
        let direction = if self.chance(60) { Direction::Lt } else { Direction::Gt };
        let comparator = self.function(FuncKind::Region, &params, |s, p| {
            let kind = CompareType::natural(ty.dtype);
            vec![s.hidden(Compare { direction, kind }, &[p[0], p[1]]).expect("one type")]
        });
        let dimension = self.below(ty.rank());
        let op = Sort { dimension, is_stable: true, inputs: operands.len(), comparator };
        self.push_all(op.into(), &operands);
    }

    /// A contraction that no order of summation rounds: its operands are multiples of 1/4 up to 4. Now and then operands and
    /// result have types of their own.
    fn contraction(&mut self, x: Value) {
        use DType::*;
        let ty = self.ty(x);
        let Some((mut op, y)) = self.contraction_of(x) else { return };
        if ty.dtype.is_complex() || ty.dtype == I1 {
            return;
        }
        let (x, mut y) = (self.few_bits(x), self.few_bits(y));
        if self.chance(40) {
            let (others, results): (&[DType], &[DType]) = match ty.dtype.is_float() {
                true => (&[F64, F32, F16, BF16], &[F64, F32]),
                false => (&[I8, U8, I16, U16, I32, U32, I64, U64], &[I8, U8, I16, I32, U32, I64, U64]),
            };
            let dtype = self.random.pick(others);
            y = self.hidden(Convert { dtype }, &[y]).expect("numbers convert");
            op.dtype = self.random.pick(results);
        } else if matches!(ty.dtype, F16 | BF16) || FP8.contains(&ty.dtype) {
            return;
        }
        let Some(product) = self.hidden(op, &[x, y]) else { return };
        self.settled(product);
    }

    /// A sum of zeros has the sign that its order gives it: here it has none. (Adding zero would settle it too, but not in the relaxed
    /// mode, which drops such a sum.)
    pub(super) fn settled(&mut self, product: Value) {
        let ty = self.ty(product);
        let zero = self.splat(&ty, 0.0);
        let equal = Compare { direction: Direction::Eq, kind: CompareType::natural(ty.dtype) };
        let vanishes = self.hidden(equal, &[product, zero]).expect("one type");
        self.push(Select {}, &[vanishes, zero, product]);
    }

    /// A contraction of a value with another one.
    pub(super) fn contraction_of(&mut self, x: Value) -> Option<(DotGeneral, Value)> {
        let ty = self.ty(x);
        let rank = ty.rank();
        if rank == 0 {
            return None;
        }
        let contracted = self.below(rank);
        let n = ty.shape[contracted];
        let y = match self.value_where(|t| t.dtype == ty.dtype && t.shape.contains(&n)) {
            Some(y) if self.chance(80) => y,
            _ => {
                let mut shape = self.shape();
                let at = self.below(shape.len() + 1);
                shape.insert(at, n);
                let shape: Dims = shape.into_iter().take(3).collect();
                if !shape.contains(&n) || shape.iter().product::<usize>() > super::LARGEST {
                    return None;
                }
                self.of_type(&TensorType { dtype: ty.dtype, shape })
            }
        };
        let other = self.ty(y).shape;
        let with = other.iter().position(|&d| d == n)?;
        let mut op = DotGeneral {
            lhs_batching_dims: Dims::new(),
            rhs_batching_dims: Dims::new(),
            lhs_contracting_dims: Dims::from_slice(&[contracted]),
            rhs_contracting_dims: Dims::from_slice(&[with]),
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype: ty.dtype,
        };
        // Another pair of equal dimensions becomes a batch, or is contracted too.
        if self.chance(40) {
            let pair = (0..rank).filter(|&d| d != contracted).find_map(|d| {
                let e = (0..other.len()).find(|&e| e != with && other[e] == ty.shape[d])?;
                Some((d, e))
            });
            if let Some((d, e)) = pair {
                if self.chance(60) {
                    (op.lhs_batching_dims, op.rhs_batching_dims) =
                        (Dims::from_slice(&[d]), Dims::from_slice(&[e]));
                } else {
                    op.lhs_contracting_dims.push(d);
                    op.rhs_contracting_dims.push(e);
                }
            }
        }
        Some((op, y))
    }

    /// A float rounded to multiples of 1/4 in [-4, 4]; integers stay.
    pub(super) fn few_bits(&mut self, x: Value) -> Value {
        let ty = self.ty(x);
        if !ty.dtype.is_float() {
            return x;
        }
        let (low, high) = (self.number(ty.dtype, -16.0), self.number(ty.dtype, 16.0));
        let (four, quarter) = (self.splat(&ty, 4.0), self.splat(&ty, 0.25));
        let scaled = self.hidden(BinaryOp::Multiply, &[x, four]).expect("one type");
        let clamped = self.hidden(Clamp {}, &[low, scaled, high]).expect("bounds are scalars");
        let whole = self.hidden(UnaryOp::Floor, &[clamped]).expect("a float");
        let small = self.hidden(BinaryOp::Multiply, &[whole, quarter]).expect("one type");
        self.without_nan(small)
    }

    /// A function of scalars over all elements, and a barrier now and then.
    fn mapped(&mut self, x: Value) {
        let ty = self.ty(x);
        if self.chance(50) {
            let region = self.below(2);
            self.push(OptimizationBarrier { region }, &[x]);
            return;
        }
        let scalar = TensorType::scalar(ty.dtype);
        let computation = self.function(FuncKind::Region, std::slice::from_ref(&scalar), |s, p| {
            let c = s.constant(&scalar);
            let sum = s.hidden(BinaryOp::Add, &[p[0], c]);
            vec![sum.unwrap_or(p[0])]
        });
        let dimensions = (0..ty.rank()).collect();
        self.push(Map { dimensions, inputs: 1, computation }, &[x]);
    }
}
