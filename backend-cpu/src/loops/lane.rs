//! Formulas of the math library as instructions of a kernel: lanes that are scalars of it.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{KBinary, KCast, KInst, KOp, KUnary, KValue, Scalar};
use wengert_ir::math::lane::{Int, Lane, Later, mark};
use wengert_ir::math::{Binary, Unary, VisitBinary, VisitUnary};
use wengert_ir::op::{CompareType, Direction};

/// Instructions in the making.
pub(super) struct Build<'k> {
    values: &'k mut EntityVec<KValue, Scalar>,
    pub(super) insts: Vec<KInst>,
    constants: FxHashMap<(Scalar, u64), KValue>,
    /// What a conversion of bits was made of.
    bits: FxHashMap<KValue, KValue>,
    /// Where the result is marked: what [`Lane::rarely`] leaves for later.
    pub(super) rare: Option<KValue>,
}

impl<'k> Build<'k> {
    pub(super) fn new(values: &'k mut EntityVec<KValue, Scalar>) -> Self {
        Self {
            values,
            insts: Vec::new(),
            constants: FxHashMap::default(),
            bits: FxHashMap::default(),
            rare: None,
        }
    }

    /// A scalar that no instruction here defines.
    pub(super) fn value(&mut self, ty: Scalar) -> KValue {
        self.values.push(ty)
    }

    #[inline(never)]
    pub(super) fn emit(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        let result = self.value(ty);
        self.insts.push(KInst { op, operands: SmallVec::from_slice(operands), results: smallvec![result] });
        result
    }

    #[inline(never)]
    pub(super) fn constant(&mut self, word: u64, ty: Scalar) -> KValue {
        if let Some(&known) = self.constants.get(&(ty, word)) {
            return known;
        }
        let v = self.emit(KOp::Const(word), &[], ty);
        self.constants.insert((ty, word), v);
        v
    }

    /// The same bits as another type: of what was converted before, what it was made of.
    #[inline(never)]
    pub(super) fn cast(&mut self, v: KValue, ty: Scalar) -> KValue {
        if let Some(&known) = self.bits.get(&v) {
            return known;
        }
        let cast = self.emit(KOp::Cast(KCast::Bits), &[v], ty);
        self.bits.insert(v, cast);
        self.bits.insert(cast, v);
        cast
    }
}

/// A formula of numbers of a type.
pub(super) struct Formula<'b, 'k> {
    pub(super) build: &'b RefCell<Build<'k>>,
    pub(super) ty: Scalar,
    pub(super) operands: [KValue; 2],
}

impl VisitUnary for Formula<'_, '_> {
    type Output = KValue;
    fn visit<F: Unary>(self, _: F) -> KValue {
        let Self { build: b, ty, operands: [v, _] } = self;
        if ty == Scalar::F64 { F::eval(Float::<8> { b, v }).v } else { F::eval(Float::<4> { b, v }).v }
    }
}

impl VisitBinary for Formula<'_, '_> {
    type Output = KValue;
    fn visit<F: Binary>(self, _: F) -> KValue {
        let Self { build: b, ty, operands: [v, w] } = self;
        match ty == Scalar::F64 {
            true => F::eval(Float::<8> { b, v }, Float { b, v: w }).v,
            false => F::eval(Float::<4> { b, v }, Float { b, v: w }).v,
        }
    }
}

/// A float of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Float<'b, 'k, const SIZE: usize> {
    b: &'b RefCell<Build<'k>>,
    v: KValue,
}

/// An integer of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Whole<'b, 'k, const SIZE: usize> {
    b: &'b RefCell<Build<'k>>,
    v: KValue,
}

/// A truth value.
#[derive(Clone, Copy)]
struct Truth<'b, 'k> {
    b: &'b RefCell<Build<'k>>,
    v: KValue,
}

impl<const SIZE: usize> Float<'_, '_, SIZE> {
    const TYPE: Scalar = if SIZE == 8 { Scalar::F64 } else { Scalar::F32 };

    fn with(self, op: KOp, operands: &[KValue]) -> Self {
        let v = self.b.borrow_mut().emit(op, operands, Self::TYPE);
        Self { v, ..self }
    }
}

impl<'b, 'k, const SIZE: usize> Whole<'b, 'k, SIZE> {
    const TYPE: Scalar = if SIZE == 8 { Scalar::I64 } else { Scalar::I32 };

    fn with(self, op: KBinary, other: Self) -> Self {
        let v = self.b.borrow_mut().emit(KOp::Binary(op), &[self.v, other.v], Self::TYPE);
        Self { v, ..self }
    }

    fn compare(self, how: Direction, other: Self) -> Truth<'b, 'k> {
        let op = KOp::Compare(how, CompareType::Unsigned);
        let v = self.b.borrow_mut().emit(op, &[self.v, other.v], Scalar::I1);
        Truth { b: self.b, v }
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident),*) => {
        $(impl<const SIZE: usize> $trait for Float<'_, '_, SIZE> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.with(KOp::Binary(KBinary::$trait), &[self.v, other.v])
            }
        })*
    };
}
operator!(Add add, Sub sub, Mul mul, Div div);

impl<const SIZE: usize> Neg for Float<'_, '_, SIZE> {
    type Output = Self;
    fn neg(self) -> Self {
        self.with(KOp::Unary(KUnary::Neg), &[self.v])
    }
}

macro_rules! integer {
    ($($method:ident $op:ident),*) => {
        $(fn $method(self, other: Self) -> Self {
            self.with(KBinary::$op, other)
        })*
    };
}

macro_rules! lane {
    ($size:literal $float:ident $mantissa:literal $bias:literal) => {
        impl<'b, 'k> Int for Whole<'b, 'k, $size> {
            type Mask = Truth<'b, 'k>;
            fn int(self, value: u64) -> Self {
                let value = if $size == 8 { value } else { u64::from(value as u32) };
                let v = self.b.borrow_mut().constant(value, Self::TYPE);
                Self { v, ..self }
            }
            integer!(add Add, sub Sub, mul Mul, and And, or Or, xor Xor, shl Shl, shr ShrU, sar Shr);
            fn mul_high(self, _: Self) -> Self {
                unreachable!("only parts of formulas that are left for later need it")
            }
            fn equal(self, other: Self) -> Self::Mask {
                self.compare(Direction::Eq, other)
            }
            fn below(self, other: Self) -> Self::Mask {
                self.compare(Direction::Lt, other)
            }
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                let v = mask.b.borrow_mut().emit(KOp::Select, &[mask.v, a.v, b.v], Self::TYPE);
                Self { v, ..a }
            }
        }

        impl<'b, 'k> Lane for Float<'b, 'k, $size> {
            const WIDTH: u64 = 8 * $size;
            const MANTISSA: u64 = $mantissa;
            const BIAS: u64 = $bias;
            type Mask = Truth<'b, 'k>;
            type Int = Whole<'b, 'k, $size>;
            fn lit(self, value: f64) -> Self {
                #[allow(clippy::unnecessary_cast, reason = "one of the types is f64")]
                let word = u64::from((value as $float).to_bits());
                let v = self.b.borrow_mut().constant(word, Self::TYPE);
                Self { v, ..self }
            }
            fn fma(self, b: Self, c: Self) -> Self {
                self.with(KOp::Fma, &[self.v, b.v, c.v])
            }
            fn sqrt(self) -> Self {
                self.with(KOp::Unary(KUnary::Sqrt), &[self.v])
            }
            fn lt(self, other: Self) -> Self::Mask {
                let op = KOp::Compare(Direction::Lt, CompareType::Float);
                let v = self.b.borrow_mut().emit(op, &[self.v, other.v], Scalar::I1);
                Truth { b: self.b, v }
            }
            fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                let v = a.b.borrow_mut().emit(KOp::Binary(KBinary::And), &[a.v, b.v], Scalar::I1);
                Truth { v, ..a }
            }
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                a.with(KOp::Select, &[mask.v, a.v, b.v])
            }
            fn bits(self) -> Self::Int {
                let v = self.b.borrow_mut().cast(self.v, Whole::<'_, '_, $size>::TYPE);
                Whole { b: self.b, v }
            }
            fn of(bits: Self::Int) -> Self {
                let v = bits.b.borrow_mut().cast(bits.v, Self::TYPE);
                Self { b: bits.b, v }
            }
            fn canonical(self) -> Self {
                // Payloads of NaN are nobody's business.
                self
            }
            fn rarely(mask: Self::Mask, _: impl Later<Self>, common: Self) -> Self {
                common.b.borrow_mut().rare = Some(mask.v);
                Self::select(mask, mark(common), common)
            }
        }
    };
}
lane!(4 f32 23 127);
lane!(8 f64 52 1023);
