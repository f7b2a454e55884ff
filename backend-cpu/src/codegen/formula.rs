//! The math library as Cranelift functions, for object files: its formulas over lanes that are values of a function
//! under construction. Same bits as every other form.

use super::remainder;
use crate::runtime::entry::Routine;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Function, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use wengert_ir::kernel::Scalar;
use wengert_ir::math::lane::{Int, Lane, Later, next_after};
use wengert_ir::math::{Binary, Unary, VisitBinary, VisitUnary};

/// Builds the body of a routine that is a formula; false if it is none.
pub(crate) fn build(
    routine: Routine,
    func: &mut Function,
    context: &mut FunctionBuilderContext,
    config: TargetFrontendConfig,
) -> bool {
    let is_formula = match routine {
        Routine::Math(..) | Routine::Math2(..) | Routine::NextAfter(_) => true,
        Routine::Remainder(ty) => {
            remainder::build(ty, func, context, config);
            return true;
        }
        Routine::Eight(..)
        | Routine::Tile(..)
        | Routine::Tile2(..)
        | Routine::Product
        | Routine::Parallel
        | Routine::Reference
        | Routine::Grow
        | Routine::Section => false,
    };
    if !is_formula {
        return false;
    }
    let mut b = FunctionBuilder::new(func, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params: Vec<Value> = b.block_params(entry).to_vec();
    let cell = RefCell::new(b);
    let (x, y) = (params[0], *params.last().expect("a routine takes a number"));
    let result = match routine {
        Routine::Math(f, ty) => f.visit(Build { b: &cell, double: ty == Scalar::F64, x, y }),
        Routine::Math2(f, ty) => f.visit(Build { b: &cell, double: ty == Scalar::F64, x, y }),
        Routine::NextAfter(Scalar::F64) => {
            next_after(Float::<8> { b: &cell, v: x }, Float { b: &cell, v: y }).v
        }
        Routine::NextAfter(_) => next_after(Float::<4> { b: &cell, v: x }, Float { b: &cell, v: y }).v,
        Routine::Remainder(_)
        | Routine::Eight(..)
        | Routine::Tile(..)
        | Routine::Tile2(..)
        | Routine::Product
        | Routine::Parallel
        | Routine::Reference
        | Routine::Grow
        | Routine::Section => unreachable!("no formula"),
    };
    let mut b = cell.into_inner();
    b.ins().return_(&[result]);
    b.seal_all_blocks();
    b.finalize(config);
    true
}

struct Build<'b, 'f> {
    b: &'b RefCell<FunctionBuilder<'f>>,
    double: bool,
    x: Value,
    y: Value,
}

impl VisitUnary for Build<'_, '_> {
    type Output = Value;
    fn visit<F: Unary>(self, _: F) -> Value {
        let Self { b, x, .. } = self;
        if self.double { F::eval(Float::<8> { b, v: x }).v } else { F::eval(Float::<4> { b, v: x }).v }
    }
}

impl VisitBinary for Build<'_, '_> {
    type Output = Value;
    fn visit<F: Binary>(self, _: F) -> Value {
        let Self { b, x, y, .. } = self;
        if self.double {
            F::eval(Float::<8> { b, v: x }, Float { b, v: y }).v
        } else {
            F::eval(Float::<4> { b, v: x }, Float { b, v: y }).v
        }
    }
}

// What adds an instruction is never inlined: formulas are, into one function each of thousands of instructions, and with what adds
// them in line that was half of this crate's code and of the time it takes to build.

/// A float of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Float<'b, 'f, const SIZE: usize> {
    b: &'b RefCell<FunctionBuilder<'f>>,
    v: Value,
}

/// An integer of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Whole<'b, 'f, const SIZE: usize> {
    b: &'b RefCell<FunctionBuilder<'f>>,
    v: Value,
}

/// A truth value.
#[derive(Clone, Copy)]
struct Truth<'b, 'f> {
    b: &'b RefCell<FunctionBuilder<'f>>,
    v: Value,
}

macro_rules! operator {
    ($($trait:ident $method:ident $inst:ident),*) => {
        $(impl<const SIZE: usize> $trait for Float<'_, '_, SIZE> {
            type Output = Self;
            #[inline(never)]
            fn $method(self, other: Self) -> Self {
                let v = self.b.borrow_mut().ins().$inst(self.v, other.v);
                Self { v, ..self }
            }
        })*
    };
}
operator!(Add add fadd, Sub sub fsub, Mul mul fmul, Div div fdiv);

impl<const SIZE: usize> Neg for Float<'_, '_, SIZE> {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        let v = self.b.borrow_mut().ins().fneg(self.v);
        Self { v, ..self }
    }
}

macro_rules! integer {
    ($($method:ident $inst:ident),*) => {
        $(#[inline(never)]
        fn $method(self, other: Self) -> Self {
            let v = self.b.borrow_mut().ins().$inst(self.v, other.v);
            Self { v, ..self }
        })*
    };
}

macro_rules! lane {
    ($size:literal $float:ident $int:ident $mantissa:literal $bias:literal $const:ident $of:ty) => {
        impl<'b, 'f> Int for Whole<'b, 'f, $size> {
            type Mask = Truth<'b, 'f>;
            #[inline(never)]
            fn int(self, value: u64) -> Self {
                let value = if $size == 4 { i64::from(value as u32 as i32) } else { value as i64 };
                let v = self.b.borrow_mut().ins().iconst(types::$int, value);
                Self { v, ..self }
            }
            integer!(add iadd, sub isub, mul imul, mul_high umulhi, and band, or bor, xor bxor, shl ishl, shr ushr, sar sshr);
            #[inline(never)]
            fn equal(self, other: Self) -> Self::Mask {
                let v = self.b.borrow_mut().ins().icmp(IntCC::Equal, self.v, other.v);
                Truth { b: self.b, v }
            }
            #[inline(never)]
            fn below(self, other: Self) -> Self::Mask {
                let v = self.b.borrow_mut().ins().icmp(IntCC::UnsignedLessThan, self.v, other.v);
                Truth { b: self.b, v }
            }
            #[inline(never)]
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                let v = mask.b.borrow_mut().ins().select(mask.v, a.v, b.v);
                Self { v, ..a }
            }
        }

        impl<'b, 'f> Lane for Float<'b, 'f, $size> {
            const WIDTH: u64 = 8 * $size;
            const MANTISSA: u64 = $mantissa;
            const BIAS: u64 = $bias;
            type Mask = Truth<'b, 'f>;
            type Int = Whole<'b, 'f, $size>;
            #[inline(never)]
            fn lit(self, value: f64) -> Self {
                let v = self.b.borrow_mut().ins().$const(value as $of);
                Self { v, ..self }
            }
            #[inline(never)]
            fn fma(self, b: Self, c: Self) -> Self {
                let v = self.b.borrow_mut().ins().fma(self.v, b.v, c.v);
                Self { v, ..self }
            }
            #[inline(never)]
            fn sqrt(self) -> Self {
                let v = self.b.borrow_mut().ins().sqrt(self.v);
                Self { v, ..self }
            }
            #[inline(never)]
            fn lt(self, other: Self) -> Self::Mask {
                let v = self.b.borrow_mut().ins().fcmp(FloatCC::LessThan, self.v, other.v);
                Truth { b: self.b, v }
            }
            #[inline(never)]
            fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                let v = a.b.borrow_mut().ins().band(a.v, b.v);
                Truth { v, ..a }
            }
            #[inline(never)]
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                let v = mask.b.borrow_mut().ins().select(mask.v, a.v, b.v);
                Self { v, ..a }
            }
            #[inline(never)]
            fn bits(self) -> Self::Int {
                let v = self.b.borrow_mut().ins().bitcast(types::$int, MemFlagsData::new(), self.v);
                Whole { b: self.b, v }
            }
            #[inline(never)]
            fn of(bits: Self::Int) -> Self {
                let v = bits.b.borrow_mut().ins().bitcast(types::$float, MemFlagsData::new(), bits.v);
                Self { b: bits.b, v }
            }
            fn rarely(mask: Self::Mask, rare: impl Later<Self>, common: Self) -> Self {
                let join = open_rare(mask, types::$float, common.v);
                let rare = rare.now();
                let mut b = mask.b.borrow_mut();
                b.ins().jump(join, &[rare.v.into()]);
                b.switch_to_block(join);
                let v = b.block_params(join)[0];
                Self { v, ..common }
            }
        }
    };
}
lane!(4 F32 I32 23 127 f32const f32);
lane!(8 F64 I64 52 1023 f64const f64);

/// Opens a block for when the mask holds; the block after it, which takes a value of this type, gets `otherwise`.
fn open_rare(mask: Truth<'_, '_>, ty: Type, otherwise: Value) -> cranelift_codegen::ir::Block {
    let mut b = mask.b.borrow_mut();
    let (rare, join) = (b.create_block(), b.create_block());
    b.append_block_param(join, ty);
    b.ins().brif(mask.v, rare, &[], join, &[otherwise.into()]);
    b.set_cold_block(rare);
    b.switch_to_block(rare);
    join
}
