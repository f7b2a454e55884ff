//! The math library as vector code: its formulas over lanes that are values of a body.

use super::body::{Body, K, Size, Src, V};
use super::enc;
use super::enc::Enc;
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::OnceLock;
use wengert_ir::kernel::Scalar;
use wengert_ir::math::lane::{Int, Lane, Later};
use wengert_ir::math::{Binary, MathFn, MathFn2, Unary, VisitBinary, VisitUnary};

/// Formulas of more instructions are left to the tile routines, whose compiler schedules them better.
const LONGEST: usize = 160;

/// Adds a function of one number.
pub(super) fn unary(body: &mut Body, f: MathFn, size: Size, x: Src) -> V {
    f.visit(Build { body, size, operands: [x, x] })
}

/// Adds a function of two numbers.
pub(super) fn binary(body: &mut Body, f: MathFn2, size: Size, x: Src, y: Src) -> V {
    f.visit(Build { body, size, operands: [x, y] })
}

/// Whether a function is short and has no rare path.
pub(crate) fn inlines(f: MathFn, ty: Scalar) -> bool {
    static KNOWN: OnceLock<Vec<[bool; 2]>> = OnceLock::new();
    let fits = |f: MathFn, size| fits(|body, x| unary(body, f, size, x));
    let known = KNOWN.get_or_init(|| MathFn::ALL.iter().map(|&f| [fits(f, 4), fits(f, 8)]).collect());
    known[f as usize][usize::from(ty == Scalar::F64)]
}

/// Whether a function of two numbers is short and has no rare path.
pub(crate) fn inlines2(f: MathFn2, ty: Scalar) -> bool {
    static KNOWN: OnceLock<Vec<[bool; 2]>> = OnceLock::new();
    let fits = |f: MathFn2, size| fits(|body, x| binary(body, f, size, x, Src::Uniform(0)));
    let known = KNOWN.get_or_init(|| MathFn2::ALL.iter().map(|&f| [fits(f, 4), fits(f, 8)]).collect());
    known[f as usize][usize::from(ty == Scalar::F64)]
}

fn fits(build: impl FnOnce(&mut Body, Src) -> V) -> bool {
    let mut body = Body::default();
    let x = body.vector();
    build(&mut body, Src::V(x));
    !body.rare && body.insts.len() <= LONGEST
}

struct Build<'b> {
    body: &'b mut Body,
    size: Size,
    operands: [Src; 2],
}

impl Build<'_> {
    fn run(
        self,
        f32: impl FnOnce([Number<'_, 4>; 2]) -> Src,
        f64: impl FnOnce([Number<'_, 8>; 2]) -> Src,
    ) -> V {
        let body = RefCell::new(std::mem::take(self.body));
        let result = match self.size {
            4 => f32(self.operands.map(|src| Number { body: &body, src })),
            _ => f64(self.operands.map(|src| Number { body: &body, src })),
        };
        *self.body = body.into_inner();
        self.body.register(self.size, result)
    }
}

impl VisitUnary for Build<'_> {
    type Output = V;
    fn visit<F: Unary>(self, _: F) -> V {
        self.run(|[x, _]| F::eval(x).src, |[x, _]| F::eval(x).src)
    }
}

impl VisitBinary for Build<'_> {
    type Output = V;
    fn visit<F: Binary>(self, _: F) -> V {
        self.run(|[x, y]| F::eval(x, y).src, |[x, y]| F::eval(x, y).src)
    }
}

/// Numbers, floats or integers, in lanes of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Number<'b, const SIZE: u8> {
    body: &'b RefCell<Body>,
    src: Src,
}

/// Truth values.
#[derive(Clone, Copy)]
struct Truth<'b> {
    body: &'b RefCell<Body>,
    mask: K,
}

impl<const SIZE: u8> Number<'_, SIZE> {
    const N: usize = if SIZE == 8 { 1 } else { 0 };

    fn with(self, src: Src) -> Self {
        Self { src, ..self }
    }

    /// Not inlined, as nothing is that adds an instruction: formulas are, into one function each.
    #[inline(never)]
    fn op(self, (enc, commutes): ([Enc; 2], bool), other: Self) -> Self {
        let v = self.body.borrow_mut().binary((enc[Self::N], commutes), SIZE, self.src, other.src);
        self.with(Src::V(v))
    }

    fn float_bits(value: f64) -> u64 {
        if SIZE == 8 { value.to_bits() } else { u64::from((value as f32).to_bits()) }
    }
}

impl<'b, const SIZE: u8> Number<'b, SIZE> {
    #[inline(never)]
    fn compare(self, enc: [Enc; 2], imm: u8, other: Self) -> Truth<'b> {
        let how = (enc[Self::N], Some(imm));
        let mask = self.body.borrow_mut().compare(how, SIZE, self.src, other.src);
        Truth { body: self.body, mask }
    }

    #[inline(never)]
    fn choose(mask: Truth<'b>, a: Self, b: Self) -> Self {
        let v = mask.body.borrow_mut().select(SIZE, mask.mask, a.src, b.src);
        a.with(Src::V(v))
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident $enc:ident $commutes:literal),*) => {
        $(impl<const SIZE: u8> $trait for Number<'_, SIZE> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.op((enc::$enc, $commutes), other)
            }
        })*
    };
}
operator!(Add add FADD true, Sub sub FSUB false, Mul mul FMUL true, Div div FDIV false);

impl<const SIZE: u8> Neg for Number<'_, SIZE> {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        let v = self.body.borrow_mut().negated(SIZE, self.src);
        self.with(Src::V(v))
    }
}

macro_rules! lane {
    ($size:literal $mantissa:literal $bias:literal) => {
        impl<'b> Int for Number<'b, $size> {
            type Mask = Truth<'b>;
            fn int(self, value: u64) -> Self {
                self.with(Src::Number(value))
            }
            fn add(self, other: Self) -> Self {
                self.op((enc::ADD, true), other)
            }
            fn sub(self, other: Self) -> Self {
                self.op((enc::SUB, false), other)
            }
            fn mul(self, other: Self) -> Self {
                self.op((enc::MUL, true), other)
            }
            fn mul_high(self, _: Self) -> Self {
                // Only rare paths need it.
                self.body.borrow_mut().rare = true;
                self
            }
            fn and(self, other: Self) -> Self {
                self.op((enc::AND, true), other)
            }
            fn or(self, other: Self) -> Self {
                self.op((enc::OR, true), other)
            }
            fn xor(self, other: Self) -> Self {
                self.op((enc::XOR, true), other)
            }
            fn shl(self, amount: Self) -> Self {
                self.op((enc::SHL, false), amount)
            }
            fn shr(self, amount: Self) -> Self {
                self.op((enc::SHR_U, false), amount)
            }
            fn sar(self, amount: Self) -> Self {
                self.op((enc::SHR, false), amount)
            }
            fn equal(self, other: Self) -> Truth<'b> {
                self.compare(enc::COMPARE, 0, other)
            }
            fn below(self, other: Self) -> Truth<'b> {
                self.compare(enc::COMPARE_U, 1, other)
            }
            fn select(mask: Truth<'b>, a: Self, b: Self) -> Self {
                Self::choose(mask, a, b)
            }
        }

        impl<'b> Lane for Number<'b, $size> {
            const WIDTH: u64 = 8 * $size;
            const MANTISSA: u64 = $mantissa;
            const BIAS: u64 = $bias;
            type Mask = Truth<'b>;
            type Int = Self;
            fn lit(self, value: f64) -> Self {
                self.with(Src::Number(Self::float_bits(value)))
            }
            #[inline(never)]
            fn fma(self, b: Self, c: Self) -> Self {
                let v = self.body.borrow_mut().fma($size, self.src, b.src, c.src);
                self.with(Src::V(v))
            }
            #[inline(never)]
            fn sqrt(self) -> Self {
                let v = self.body.borrow_mut().unary(enc::FSQRT[Self::N], $size, None, self.src);
                self.with(Src::V(v))
            }
            fn lt(self, other: Self) -> Truth<'b> {
                self.compare(enc::FCOMPARE, 0x11, other)
            }
            #[inline(never)]
            fn both(a: Truth<'b>, b: Truth<'b>) -> Truth<'b> {
                let mask = a.body.borrow_mut().masks(enc::KAND, a.mask, b.mask);
                Truth { mask, ..a }
            }
            fn select(mask: Truth<'b>, a: Self, b: Self) -> Self {
                Self::choose(mask, a, b)
            }
            fn bits(self) -> Self {
                self
            }
            fn of(bits: Self) -> Self {
                bits
            }
            fn at_most(self, bound: f64) -> Self {
                // Gives its second operand unless the first is less: NaN stays.
                self.lit(bound).op((enc::FMIN, false), self)
            }
            fn at_least(self, bound: f64) -> Self {
                self.lit(bound).op((enc::FMAX, false), self)
            }
            #[inline(never)]
            fn scale(self, n: Self) -> Self {
                // One rounding, as the definition has. An exponent that was read off a rounded float is that float.
                let magic = self.magic_bits();
                let rounded = self.body.borrow().difference(n.src, magic.src);
                let float = match rounded {
                    Some(float) => self.with(float) - magic,
                    None => {
                        let enc = if $size == 8 { enc::I64_TO_F64 } else { enc::I32_TO_F32 };
                        let v = self.body.borrow_mut().unary(enc[0], $size, None, n.src);
                        self.with(Src::V(v))
                    }
                };
                self.op((enc::SCALE, false), float)
            }
            fn canonical(self) -> Self {
                // Payloads of NaN are nobody's business.
                self
            }
            fn rarely(_: Truth<'b>, _: impl Later<Self>, common: Self) -> Self {
                common.body.borrow_mut().rare = true;
                common
            }
        }
    };
}
lane!(4 23 127);
lane!(8 52 1023);
