//! The math library as vector code: its formulas, read as instructions of a body.

use super::body::{Body, K, Size, Src, V};
use super::enc::{self, Enc};
use std::sync::OnceLock;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::Scalar;
use wengert_ir::math::formula::{Comparison, FloatOp, Formula, Function, IntOp, Means, Node, Op, Rare};
use wengert_ir::math::{MathFn, MathFn2};

/// Formulas of more instructions are left to the tile routines, whose compiler schedules them better.
const LONGEST: usize = 160;

/// Payloads of NaN are nobody's business; what is rare is no vector code.
const MEANS: Means =
    Means { rare: Rare::Omit, canonical: false, clamps: true, counts: false, mul_high: true };

/// Adds a function of one number.
pub(super) fn unary(body: &mut Body, f: MathFn, size: Size, x: Src) -> V {
    add(body, &known(Function::One(f), size).formula, size, &[x])
}

/// Adds a function of two numbers.
pub(super) fn binary(body: &mut Body, f: MathFn2, size: Size, x: Src, y: Src) -> V {
    add(body, &known(Function::Two(f), size).formula, size, &[x, y])
}

/// Whether a function is short and has no rare path.
pub(crate) fn inlines(f: MathFn, ty: Scalar) -> bool {
    known(Function::One(f), if ty == Scalar::F64 { 8 } else { 4 }).fits
}

/// Whether a function of two numbers is short and has no rare path.
pub(crate) fn inlines2(f: MathFn2, ty: Scalar) -> bool {
    known(Function::Two(f), if ty == Scalar::F64 { 8 } else { 4 }).fits
}

/// What is known of a function.
struct Known {
    formula: Formula,
    /// Whether it is part of loops.
    fits: bool,
}

/// What is known of a function of numbers of so many bytes, found out once.
fn known(f: Function, size: Size) -> &'static Known {
    const FUNCTIONS: usize = MathFn::ALL.len() + MathFn2::ALL.len() + 1;
    static KNOWN: [[OnceLock<Known>; 2]; FUNCTIONS] = [const { [const { OnceLock::new() }; 2] }; FUNCTIONS];
    let number = match f {
        Function::One(f) => f as usize,
        Function::Two(f) => MathFn::ALL.len() + f as usize,
        Function::NextAfter => FUNCTIONS - 1,
    };
    KNOWN[number][usize::from(size == 8)].get_or_init(|| {
        let formula = Formula::of(f, size == 8, MEANS);
        let mut body = Body::default();
        let x = body.vector();
        add(&mut body, &formula, size, &[Src::V(x), Src::Uniform(0)]);
        let fits = formula.rare.is_none() && body.insts.len() <= LONGEST;
        Known { formula, fits }
    })
}

/// What a node is in a body.
#[derive(Clone, Copy)]
enum Made {
    Number(Src),
    Mask(K),
}

/// Adds a formula.
fn add(body: &mut Body, formula: &Formula, size: Size, operands: &[Src]) -> V {
    let mut values = EntityVec::filled(Made::Number(Src::Number(0)), formula.nodes.len());
    formula.body.params.iter().zip(operands).for_each(|(&p, &x)| values[p] = Made::Number(x));
    let mut reader = Reader { body, size, values };
    for &v in &formula.body.nodes {
        reader.values[v] = reader.op(&formula.nodes[v].0);
    }
    let result = reader.number(formula.body.results[0]);
    body.register(size, result)
}

struct Reader<'b> {
    body: &'b mut Body,
    size: Size,
    values: EntityVec<Node, Made>,
}

impl Reader<'_> {
    fn number(&self, v: Node) -> Src {
        match self.values[v] {
            Made::Number(src) => src,
            Made::Mask(_) => unreachable!("a truth value is no number"),
        }
    }

    fn mask(&self, v: Node) -> K {
        match self.values[v] {
            Made::Mask(mask) => mask,
            Made::Number(_) => unreachable!("a number is no truth value"),
        }
    }

    fn two(&mut self, (enc, commutes): ([Enc; 2], bool), [x, y]: [Src; 2]) -> Made {
        Made::Number(Src::V(self.body.binary((self.of_size(enc), commutes), self.size, x, y)))
    }

    fn one(&mut self, enc: Enc, x: Src) -> Made {
        Made::Number(Src::V(self.body.unary(enc, self.size, None, x)))
    }

    /// The encoding for numbers of this size.
    fn of_size(&self, enc: [Enc; 2]) -> Enc {
        enc[usize::from(self.size == 8)]
    }

    fn op(&mut self, op: &Op) -> Made {
        let size = self.size;
        let pair = |x: &[Node; 2]| x.map(|x| self.number(x));
        match op {
            Op::Const(word) => Made::Number(Src::Number(*word)),
            Op::Cast(x) => self.values[*x],
            Op::Neg(x) => {
                let x = self.number(*x);
                Made::Number(Src::V(self.body.negated(size, x)))
            }
            Op::Sqrt(x) => self.one(self.of_size(enc::FSQRT), self.number(*x)),
            Op::Float(op, x) => self.two(arithmetic(*op), pair(x)),
            Op::Fma(x) => {
                let [a, b, c] = x.map(|x| self.number(x));
                Made::Number(Src::V(self.body.fma(size, a, b, c)))
            }
            Op::Int(op, x) => self.two(whole(*op), pair(x)),
            Op::Compare(how, x) => {
                let [x, y] = pair(x);
                let (enc, imm) = match how {
                    Comparison::Less => (enc::FCOMPARE, 0x11),
                    Comparison::Equal => (enc::COMPARE, 0),
                    Comparison::Below => (enc::COMPARE_U, 1),
                };
                Made::Mask(self.body.compare((self.of_size(enc), Some(imm)), size, x, y))
            }
            Op::Both([a, b]) => Made::Mask(self.body.masks(enc::KAND, self.mask(*a), self.mask(*b))),
            Op::Select([mask, x, y]) => {
                let (mask, x, y) = (self.mask(*mask), self.number(*x), self.number(*y));
                Made::Number(Src::V(self.body.select(size, mask, x, y)))
            }
            // These give their second operand unless the first is less, or greater: NaN stays.
            Op::AtMost([x, bound]) => self.two((enc::FMIN, false), pair(&[*bound, *x])),
            Op::AtLeast([x, bound]) => self.two((enc::FMAX, false), pair(&[*bound, *x])),
            Op::Scale(x) => {
                let [x, n] = pair(x);
                self.scaled(x, n)
            }
            Op::Param | Op::Rarely { .. } | Op::Count { .. } | Op::Second(_) => {
                unreachable!("formulas for vectors are made without")
            }
        }
    }

    /// One rounding, as the definition has. An exponent that was read off a rounded float is that float.
    fn scaled(&mut self, x: Src, n: Src) -> Made {
        let magic = Src::Number(if self.size == 8 { 0x4338_0000_0000_0000 } else { 0x4b40_0000 });
        let float = match self.body.difference(n, magic) {
            Some(float) => self.two((enc::FSUB, false), [float, magic]),
            None => {
                let enc = if self.size == 8 { enc::I64_TO_F64 } else { enc::I32_TO_F32 };
                self.one(enc[0], n)
            }
        };
        let Made::Number(float) = float else { unreachable!("a float") };
        self.two((enc::SCALE, false), [x, float])
    }
}

fn arithmetic(op: FloatOp) -> ([Enc; 2], bool) {
    match op {
        FloatOp::Add => (enc::FADD, true),
        FloatOp::Sub => (enc::FSUB, false),
        FloatOp::Mul => (enc::FMUL, true),
        FloatOp::Div => (enc::FDIV, false),
    }
}

fn whole(op: IntOp) -> ([Enc; 2], bool) {
    match op {
        IntOp::Add => (enc::ADD, true),
        IntOp::Sub => (enc::SUB, false),
        IntOp::Mul => (enc::MUL, true),
        IntOp::MulHigh => unreachable!("only rare parts need it"),
        IntOp::And => (enc::AND, true),
        IntOp::Or => (enc::OR, true),
        IntOp::Xor => (enc::XOR, true),
        IntOp::Shl => (enc::SHL, false),
        IntOp::Shr => (enc::SHR_U, false),
        IntOp::Sar => (enc::SHR, false),
    }
}
