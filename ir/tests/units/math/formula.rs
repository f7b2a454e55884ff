//! Formulas as data: read with whatever means, they give the bits of the library.

use wengert_ir::entity::EntityVec;
use wengert_ir::math::formula::{
    Block, Comparison, FloatOp, Formula, Function, IntOp, Means, Node, Op, Rare,
};
use wengert_ir::math::lane::{Int, Lane, MARK, next_after};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::testing::Random;

/// What a node is for one argument.
#[derive(Clone, Copy)]
enum Value<L: Lane> {
    Float(L),
    Int(L::Int),
    Mask(bool),
}

struct Reader<'f, L: Lane> {
    formula: &'f Formula,
    float: fn(u64) -> L,
    values: EntityVec<Node, Option<[Value<L>; 2]>>,
}

impl<L: Lane<Mask = bool>> Reader<'_, L> {
    fn value(&self, v: Node) -> Value<L> {
        self.values[v].expect("what is read is before")[0]
    }
    fn float(&self, v: Node) -> L {
        let Value::Float(x) = self.value(v) else { panic!("{v} is no float") };
        x
    }
    fn int(&self, v: Node) -> L::Int {
        let Value::Int(x) = self.value(v) else { panic!("{v} is no integer") };
        x
    }
    fn mask(&self, v: Node) -> bool {
        let Value::Mask(x) = self.value(v) else { panic!("{v} is no truth value") };
        x
    }

    fn block(&mut self, block: &Block) -> Vec<L> {
        for &v in &block.nodes {
            self.values[v] = Some(self.op(v));
        }
        block.results.iter().map(|&v| self.float(v)).collect()
    }

    fn op(&mut self, v: Node) -> [Value<L>; 2] {
        let (op, ty) = &self.formula.nodes[v];
        let is_float = *ty == wengert_ir::math::formula::Type::Float;
        let float = |x: L| [Value::Float(x); 2];
        match op {
            Op::Param => panic!("a parameter is given"),
            Op::Const(bits) if is_float => float((self.float)(*bits)),
            Op::Const(bits) => [Value::Int((self.float)(0).int(*bits)); 2],
            Op::Neg(x) => float(-self.float(*x)),
            Op::Sqrt(x) => float(self.float(*x).sqrt()),
            Op::Float(op, x) => {
                let [x, y] = x.map(|x| self.float(x));
                float(match op {
                    FloatOp::Add => x + y,
                    FloatOp::Sub => x - y,
                    FloatOp::Mul => x * y,
                    FloatOp::Div => x / y,
                })
            }
            Op::Fma([x, y, z]) => float(self.float(*x).fma(self.float(*y), self.float(*z))),
            Op::Int(op, x) => {
                let [x, y] = x.map(|x| self.int(x));
                let z = match op {
                    IntOp::Add => x.add(y),
                    IntOp::Sub => x.sub(y),
                    IntOp::Mul => x.mul(y),
                    IntOp::MulHigh => x.mul_high(y),
                    IntOp::And => x.and(y),
                    IntOp::Or => x.or(y),
                    IntOp::Xor => x.xor(y),
                    IntOp::Shl => x.shl(y),
                    IntOp::Shr => x.shr(y),
                    IntOp::Sar => x.sar(y),
                };
                [Value::Int(z); 2]
            }
            Op::Compare(how, [x, y]) => {
                let mask = match how {
                    Comparison::Less => self.float(*x).lt(self.float(*y)),
                    Comparison::Equal => self.int(*x).equal(self.int(*y)),
                    Comparison::Below => self.int(*x).below(self.int(*y)),
                };
                [Value::Mask(mask); 2]
            }
            Op::Both([x, y]) => [Value::Mask(self.mask(*x) && self.mask(*y)); 2],
            Op::Select([mask, x, y]) => [if self.mask(*mask) { self.value(*x) } else { self.value(*y) }; 2],
            Op::Cast(x) => match self.value(*x) {
                Value::Float(x) => [Value::Int(x.bits()); 2],
                Value::Int(x) => float(L::of(x)),
                Value::Mask(_) => panic!("a truth value has no bits"),
            },
            Op::AtMost([x, bound]) => {
                let (x, bound) = (self.float(*x), self.float(*bound));
                float(if bound.lt(x) { bound } else { x })
            }
            Op::AtLeast([x, bound]) => {
                let (x, bound) = (self.float(*x), self.float(*bound));
                float(if x.lt(bound) { bound } else { x })
            }
            Op::Scale([x, n]) => float(self.float(*x).scale(self.int(*n))),
            Op::Rarely { mask, common, rare } => match self.mask(*mask) {
                true => float(self.block(rare)[0]),
                false => float(self.float(*common)),
            },
            Op::Count { most, init, step } => {
                let mut x = init.map(|v| self.float(v));
                for k in (1..=*most).rev() {
                    let k = x[0].lit(f64::from(k));
                    let given = [k, x[0], x[1]];
                    step.params.iter().zip(given).for_each(|(&p, v)| self.values[p] = Some(float(v)));
                    x = self.block(step).try_into().unwrap_or_else(|_| panic!("two numbers"));
                }
                x.map(Value::Float)
            }
            Op::Second(count) => [self.values[*count].expect("what is read is before")[1]; 2],
        }
    }
}

/// The result of a formula, and whether it is not the function's.
fn read<L: Lane<Mask = bool>>(formula: &Formula, x: [L; 2], from: fn(u64) -> L) -> (L, bool) {
    let values = EntityVec::filled(None, formula.nodes.len());
    let mut reader = Reader { formula, float: from, values };
    formula.body.params.iter().zip(x).for_each(|(&p, x)| reader.values[p] = Some([Value::Float(x); 2]));
    let result = reader.block(&formula.body)[0];
    (result, formula.rare.is_some_and(|v| reader.mask(v)))
}

/// Readers as the back ends are: functions, kernels of devices, vector loops of kernels, vector code.
const READERS: [Means; 4] = [
    Means { rare: Rare::Branch, canonical: true, clamps: false, counts: false, mul_high: true },
    Means { rare: Rare::Branch, canonical: true, clamps: false, counts: true, mul_high: false },
    Means { rare: Rare::Mark, canonical: false, clamps: false, counts: false, mul_high: false },
    Means { rare: Rare::Omit, canonical: false, clamps: true, counts: false, mul_high: true },
];

const SCALES: [f64; 9] = [2.0, 20.0, 90.0, 800.0, 1e6, 1e30, 1e300, 1e-30, 1e-310];
const SPECIAL: [f64; 8] = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, -3.0, 5e-324];

#[test]
fn formulas_give_the_bits_of_the_library() {
    let one = MathFn::ALL.iter().map(|&f| Function::One(f));
    let two = MathFn2::ALL.iter().map(|&f| Function::Two(f));
    let mut random = Random(20_261_130);
    for f in one.chain(two).chain([Function::NextAfter]) {
        for means in READERS {
            let [single, double] = [false, true].map(|double| Formula::of(f, double, means));
            let mut number = |k: usize| match k {
                0..8 => SPECIAL[k],
                _ => random.uniform(-0.5, 0.5) * SCALES[k % SCALES.len()],
            };
            for k in 0..400 {
                let (x, y) = (number(k), number((5 * k + 3) % 401));
                let (got, rare) = read::<f64>(&double, [x, y], f64::from_bits);
                let want = match f {
                    Function::One(f) => f.eval_f64(x),
                    Function::Two(f) => f.eval_f64(x, y),
                    Function::NextAfter => next_after(x, y),
                };
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                let marked = means.rare == Rare::Omit || got.to_bits() == MARK[1];
                assert!(
                    if rare { marked } else { same },
                    "{f:?} of {x:e}, {y:e}: {got:e}, not {want:e}; {means:?}"
                );
                assert!(
                    !means.canonical || !want.is_nan() || got.to_bits() == want.to_bits(),
                    "{f:?}: a NaN"
                );

                let (x, y) = (x as f32, y as f32);
                let (got, rare) = read::<f32>(&single, [x, y], |bits| f32::from_bits(bits as u32));
                let want = match f {
                    Function::One(f) => f.eval_f32(x),
                    Function::Two(f) => f.eval_f32(x, y),
                    Function::NextAfter => next_after(x, y),
                };
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                let marked = means.rare == Rare::Omit || u64::from(got.to_bits()) == MARK[0];
                assert!(
                    if rare { marked } else { same },
                    "{f:?} of {x:e}, {y:e}: {got:e}, not {want:e}; {means:?}"
                );
            }
        }
    }
}

/// Nothing is written down twice, and nothing that nobody reads.
#[test]
fn formulas_are_short() {
    for &f in MathFn::ALL {
        let formula = Formula::of(Function::One(f), false, READERS[3]);
        let nodes = &formula.body.nodes;
        for (k, &v) in nodes.iter().enumerate() {
            assert!(!nodes[..k].iter().any(|&w| formula.nodes[w] == formula.nodes[v]), "{f:?}: {v} is there");
        }
    }
    let exp = Formula::of(Function::One(MathFn::Exp), false, READERS[3]);
    let operations = exp.body.nodes.iter().filter(|&&v| !matches!(exp.nodes[v].0, Op::Const(_))).count();
    assert!(operations <= 20, "{operations}: {exp:?}");
}
