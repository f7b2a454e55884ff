//! Random programs with nested control flow: every form of derivative agrees with every other and with
//! finite differences, to second order, and the structural passes keep values.

mod support;
use support::{build, scalar, stacked};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::{
    BinaryOp, Case, Concatenate, Convert, Direction, Reduce, Reducer, Scan, UnaryOp, While,
};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, Dims, TensorType};

/// Length of every vector.
const N: usize = 3;

type E<'a> = &'a mut dyn Emit;

/// What a program may use so far.
#[derive(Clone, Default)]
struct Pool {
    scalars: Vec<Term>,
    vectors: Vec<Term>,
}

impl Pool {
    fn add(&mut self, e: E<'_>, term: Term) {
        match e.ty(term).rank() {
            0 => self.scalars.push(term),
            _ => self.vectors.push(term),
        }
    }
    fn types(&self) -> Vec<TensorType> {
        let mut out = vec![scalar(); self.scalars.len()];
        out.extend(vec![stacked(N); self.vectors.len()]);
        out
    }
    fn terms(&self) -> Vec<Term> {
        [&self.scalars[..], &self.vectors].concat()
    }
    fn from(e: E<'_>, terms: &[Term]) -> Pool {
        let mut pool = Pool::default();
        for &t in terms {
            if e.ty(t).dtype.is_float() {
                pool.add(e, t);
            }
        }
        pool
    }
}

struct Maker {
    random: Random,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        (self.random.bits() % n as u64) as usize
    }
    fn pick(&mut self, terms: &[Term]) -> Term {
        let k = self.below(terms.len());
        terms[k]
    }
    /// A few of the pool, at least one of each kind, for a region to capture.
    fn captures(&mut self, pool: &Pool) -> Pool {
        let mut out = Pool::default();
        for _ in 0..1 + self.below(2) {
            out.scalars.push(self.pick(&pool.scalars));
            out.vectors.push(self.pick(&pool.vectors));
        }
        out
    }

    /// Adds `n` random values to the pool.
    fn grow(&mut self, e: E<'_>, pool: &mut Pool, n: usize, depth: usize) {
        for _ in 0..n {
            let made = self.step(e, pool, depth);
            for t in made {
                pool.add(e, t);
            }
        }
    }

    fn step(&mut self, e: E<'_>, pool: &Pool, depth: usize) -> Vec<Term> {
        let kinds = if depth > 0 { 11 } else { 7 };
        let of_vectors = self.below(2) == 0;
        let terms = if of_vectors { &pool.vectors } else { &pool.scalars };
        match self.below(kinds) {
            0 => {
                let unary =
                    [UnaryOp::Sine, UnaryOp::Cosine, UnaryOp::Tanh, UnaryOp::Logistic, UnaryOp::Negate];
                let op = unary[self.below(unary.len())];
                vec![e.unary(op, self.pick(terms))]
            }
            1 | 2 => {
                let binary = [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply];
                let op = binary[self.below(binary.len())];
                let (a, b) = (self.pick(terms), self.pick(terms));
                let made = e.binary(op, a, b);
                vec![e.unary(UnaryOp::Sine, made)]
            }
            3 => {
                let x = self.pick(&pool.vectors);
                let zero = e.splat(scalar(), 0.0);
                let reducer = Reducer::Op(BinaryOp::Add);
                let sum = e.one(Reduce { dims: Dims::from_slice(&[0]), inputs: 1, reducer }, &[x, zero]);
                vec![e.unary(UnaryOp::Sine, sum)] // what grows from trip to trip tells nothing
            }
            4 => {
                let x = self.pick(&pool.scalars);
                vec![e.broadcast_in_dim(x, &[N], &[])]
            }
            5 => {
                let (a, b, x) = (self.pick(terms), self.pick(terms), self.pick(&pool.scalars));
                let zero = e.splat(scalar(), 0.1);
                let pred = e.compare(Direction::Gt, x, zero);
                vec![e.select(pred, a, b)]
            }
            6 => {
                let parts: Vec<Term> =
                    (0..N).map(|_| self.pick(&pool.scalars)).map(|x| e.reshape(x, &[1])).collect();
                vec![e.one(Concatenate { dim: 0 }, &parts)]
            }
            7 | 8 => self.scan(e, pool, depth - 1),
            9 => self.case(e, pool, depth - 1),
            _ => self.while_(e, pool, depth - 1),
        }
    }

    fn scan(&mut self, e: E<'_>, pool: &Pool, depth: usize) -> Vec<Term> {
        let (consts, carry) = (self.captures(pool), self.captures(pool));
        let x = self.pick(&pool.vectors);
        let mut types = [consts.types(), carry.types()].concat();
        types.push(scalar());
        let (n, reverse) = (carry.scalars.len(), self.below(2) == 0);
        let body = build(e.module(), "body", &types, |e, p| {
            let mut pool = Pool::from(e, p);
            self.grow(e, &mut pool, 3, depth);
            let mut out: Vec<Term> = Vec::new();
            // Now and then a carry that stays what it is.
            let first = consts.terms().len();
            for k in 0..n {
                out.push(if self.below(4) == 0 { p[first + k] } else { self.pick(&pool.scalars) });
            }
            for _ in 0..carry.vectors.len() {
                out.push(self.pick(&pool.vectors));
            }
            out.push(self.pick(&pool.scalars));
            out
        });
        let carried = carry.terms();
        let op = Scan { body, consts: consts.terms().len(), carry: carried.len(), reverse, length: N };
        let operands = [consts.terms(), carried, vec![x]].concat();
        e.emit(op.into(), &operands).to_vec()
    }

    fn case(&mut self, e: E<'_>, pool: &Pool, depth: usize) -> Vec<Term> {
        let captures = self.captures(pool);
        let types = captures.types();
        let mut branches = Vec::new();
        for _ in 0..1 + self.below(3) {
            branches.push(build(e.module(), "branch", &types, |e, p| {
                let mut pool = Pool::from(e, p);
                let n = self.below(4);
                self.grow(e, &mut pool, n, depth);
                vec![self.pick(&pool.scalars), self.pick(&pool.vectors)]
            }));
        }
        let x = self.pick(&pool.scalars);
        let shifted = e.splat(scalar(), 1.0);
        let shifted = e.add(x, shifted);
        let index = e.one(Convert { dtype: DType::I32 }, &[shifted]);
        e.emit(Case { branches }.into(), &[vec![index], captures.terms()].concat()).to_vec()
    }

    /// Two to four trips, as data says.
    fn while_(&mut self, e: E<'_>, pool: &Pool, depth: usize) -> Vec<Term> {
        let (consts, carry) = (self.captures(pool), self.captures(pool));
        let int = TensorType::scalar(DType::I32);
        let mut types = vec![int.clone()];
        types.extend(consts.types());
        types.push(int.clone());
        types.extend(carry.types());
        let at = 1 + consts.types().len();
        let cond = build(e.module(), "cond", &types, |e, p| vec![e.compare(Direction::Lt, p[at], p[0])]);
        let body = build(e.module(), "body", &types, |e, p| {
            let mut pool = Pool::from(e, p);
            self.grow(e, &mut pool, 3, depth);
            let one = e.splat(int.clone(), 1.0);
            let mut out = vec![e.add(p[at], one)];
            out.extend((0..carry.scalars.len()).map(|_| self.pick(&pool.scalars)));
            out.extend((0..carry.vectors.len()).map(|_| self.pick(&pool.vectors)));
            out
        });
        let x = self.pick(&pool.scalars);
        let three = e.splat(scalar(), 3.0);
        let limit = e.add(x, three);
        let limit = e.one(Convert { dtype: DType::I32 }, &[limit]);
        let zero = e.splat(TensorType::scalar(DType::I32), 0.0);
        let op = While { cond, body, consts: at, stacks: 0, counted: false };
        let operands = [vec![limit], consts.terms(), vec![zero], carry.terms()].concat();
        e.emit(op.into(), &operands)[1..].to_vec()
    }

    fn program(&mut self, m: &mut Module) -> FuncId {
        build(m, "random", &[scalar(), stacked(N)], |e, p| {
            let mut pool = Pool::from(e, p);
            self.grow(e, &mut pool, 6, 3);
            let zero = e.splat(scalar(), 0.0);
            let last = *pool.vectors.last().expect("a vector");
            let reducer = Reducer::Op(BinaryOp::Add);
            let sum = e.one(Reduce { dims: Dims::from_slice(&[0]), inputs: 1, reducer }, &[last, zero]);
            let other = *pool.scalars.last().expect("a scalar");
            vec![e.add(sum, other), last]
        })
    }
}

#[test]
fn random_programs() {
    for seed in 0..100 {
        let mut m = Module::new("random");
        let f = Maker { random: Random(seed) }.program(&mut m);
        let name = format!("program {seed}");
        let args = [Array::scalar(0.37), Array::new(&[N], &[0.21, -0.43, 0.64])];
        let want = support::run(&m, f, &args);
        let slim = wengert_passes::dce::dce(&mut m, f);
        assert_eq!(support::run(&m, slim, &args), want, "{name}: dce");
        assert_eq!(wengert_passes::dce::dce(&mut m, slim), slim, "{name}: dce again");
        let raised = wengert_passes::raise::raise(&mut m, f);
        assert_eq!(support::run(&m, raised, &args), want, "{name}: raise");
        support::check_forms(&mut m, f, &args, &name);
        support::check_second_order(&mut m, f, &args, &name);
    }
}
