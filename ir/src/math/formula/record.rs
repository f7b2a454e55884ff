//! The lane that writes down what a formula does to it.

use super::{Block, Comparison, FloatOp, Formula, Function, IntOp, Means, Node, Op, Rare, Type};
use crate::entity::EntityVec;
use crate::math::lane::{self, Int, Lane, Later, Step, mark, next_after};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The formula of numbers of `SIZE` bytes.
pub(super) fn formula<const SIZE: usize>(f: Function, means: Means) -> Formula {
    let b = RefCell::new(Recorder {
        nodes: EntityVec::new(),
        known: Known::default(),
        open: vec![Block::default()],
        means,
        rare: None,
    });
    let param = || Float::<'_, SIZE> { b: &b, v: b.borrow_mut().param() };
    let result = match f {
        Function::One(f) => f.eval(param()),
        Function::Two(f) => f.eval(param(), param()),
        Function::NextAfter => next_after(param(), param()),
    };
    let result = result.v;
    let mut recorder = b.into_inner();
    let mut body = recorder.close(smallvec![result]);
    let mut read = EntityVec::filled(false, recorder.nodes.len());
    recorder.rare.into_iter().for_each(|v| read[v] = true);
    prune(&mut body, &mut recorder.nodes, &mut read);
    Formula { nodes: recorder.nodes, body, rare: recorder.rare }
}

/// Drops the nodes of a block that nobody reads, last first.
fn prune(block: &mut Block, nodes: &mut EntityVec<Node, (Op, Type)>, read: &mut EntityVec<Node, bool>) {
    block.results.iter().for_each(|&v| read[v] = true);
    let all = std::mem::take(&mut block.nodes);
    for v in all.into_iter().rev() {
        if !read[v] {
            continue;
        }
        block.nodes.push(v);
        let mut op = std::mem::replace(&mut nodes[v].0, Op::Param);
        op.operands().into_iter().for_each(|x| read[x] = true);
        if let Op::Rarely { rare: inner, .. } | Op::Count { step: inner, .. } = &mut op {
            prune(inner, nodes, read);
        }
        nodes[v].0 = op;
    }
    block.nodes.reverse();
}

/// The nodes of operations that were written down.
type Known = FxHashMap<(Op, Type), Node>;

/// A formula in the making.
struct Recorder {
    nodes: EntityVec<Node, (Op, Type)>,
    /// What was written down where it can be read.
    known: Known,
    /// Blocks that are not closed, outermost first.
    open: Vec<Block>,
    means: Means,
    rare: Option<Node>,
}

impl Recorder {
    fn param(&mut self) -> Node {
        let v = self.nodes.push((Op::Param, Type::Float));
        self.open.last_mut().expect("a block is open").params.push(v);
        v
    }

    // What writes down is never inlined: formulas are, into one function each of thousands of instructions.
    #[inline(never)]
    fn write(&mut self, op: Op, ty: Type) -> Node {
        if let Op::Cast(x) = op
            && let Op::Cast(source) = self.nodes[x].0
        {
            return source;
        }
        let entry = (op, ty);
        if let Some(&known) = self.known.get(&entry) {
            return known;
        }
        let v = self.nodes.push(entry.clone());
        self.known.insert(entry, v);
        self.open.last_mut().expect("a block is open").nodes.push(v);
        v
    }

    fn close(&mut self, results: SmallVec<[Node; 2]>) -> Block {
        let mut block = self.open.pop().expect("a block is open");
        block.results = results;
        block
    }
}

/// Writes down a block that may read what is known; what is known within is not known after it.
fn block(b: &RefCell<Recorder>, known: Known, body: impl FnOnce() -> SmallVec<[Node; 2]>) -> Box<Block> {
    let before = std::mem::replace(&mut b.borrow_mut().known, known);
    b.borrow_mut().open.push(Block::default());
    let results = body();
    let mut recorder = b.borrow_mut();
    recorder.known = before;
    Box::new(recorder.close(results))
}

/// A float of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Float<'b, const SIZE: usize> {
    b: &'b RefCell<Recorder>,
    v: Node,
}

/// An integer of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Integer<'b, const SIZE: usize> {
    b: &'b RefCell<Recorder>,
    v: Node,
}

/// A truth value.
#[derive(Clone, Copy)]
struct Truth<'b> {
    b: &'b RefCell<Recorder>,
    v: Node,
}

impl<const SIZE: usize> Float<'_, SIZE> {
    fn with(self, op: Op) -> Self {
        let v = self.b.borrow_mut().write(op, Type::Float);
        Self { v, ..self }
    }
}

impl<'b, const SIZE: usize> Integer<'b, SIZE> {
    fn with(self, op: Op) -> Self {
        let v = self.b.borrow_mut().write(op, Type::Int);
        Self { v, ..self }
    }

    fn two(self, op: IntOp, other: Self) -> Self {
        self.with(Op::Int(op, [self.v, other.v]))
    }

    fn compare(self, how: Comparison, other: Self) -> Truth<'b> {
        Truth { b: self.b, v: self.b.borrow_mut().write(Op::Compare(how, [self.v, other.v]), Type::Mask) }
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident),*) => {
        $(impl<const SIZE: usize> $trait for Float<'_, SIZE> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.with(Op::Float(FloatOp::$trait, [self.v, other.v]))
            }
        })*
    };
}
operator!(Add add, Sub sub, Mul mul, Div div);

impl<const SIZE: usize> Neg for Float<'_, SIZE> {
    type Output = Self;
    fn neg(self) -> Self {
        self.with(Op::Neg(self.v))
    }
}

macro_rules! integer {
    ($($method:ident $op:ident),*) => {
        $(fn $method(self, other: Self) -> Self {
            self.two(IntOp::$op, other)
        })*
    };
}

impl<'b, const SIZE: usize> Int for Integer<'b, SIZE> {
    type Mask = Truth<'b>;
    fn int(self, value: u64) -> Self {
        self.with(Op::Const(if SIZE == 8 { value } else { u64::from(value as u32) }))
    }
    integer!(add Add, sub Sub, mul Mul, and And, or Or, xor Xor, shl Shl, shr Shr, sar Sar);
    #[inline(never)]
    fn mul_high(self, other: Self) -> Self {
        if self.b.borrow().means.mul_high {
            return self.two(IntOp::MulHigh, other);
        }
        // By halves: (a 2^h + b)(c 2^h + d), where no sum of two products of halves and a half wraps.
        let half = self.int(4 * SIZE as u64);
        let mask = self.int((1 << (4 * SIZE)) - 1);
        let (a, b, c, d) = (self.shr(half), self.and(mask), other.shr(half), other.and(mask));
        let middle = a.mul(d).add(b.mul(d).shr(half));
        let low = b.mul(c).add(middle.and(mask));
        a.mul(c).add(middle.shr(half)).add(low.shr(half))
    }
    fn equal(self, other: Self) -> Truth<'b> {
        self.compare(Comparison::Equal, other)
    }
    fn below(self, other: Self) -> Truth<'b> {
        self.compare(Comparison::Below, other)
    }
    fn select(mask: Truth<'b>, a: Self, b: Self) -> Self {
        a.with(Op::Select([mask.v, a.v, b.v]))
    }
}

impl<'b, const SIZE: usize> Lane for Float<'b, SIZE> {
    const WIDTH: u64 = 8 * SIZE as u64;
    const MANTISSA: u64 = if SIZE == 8 { 52 } else { 23 };
    const BIAS: u64 = if SIZE == 8 { 1023 } else { 127 };
    type Mask = Truth<'b>;
    type Int = Integer<'b, SIZE>;
    fn lit(self, value: f64) -> Self {
        self.with(Op::Const(if SIZE == 8 { value.to_bits() } else { u64::from((value as f32).to_bits()) }))
    }
    fn fma(self, b: Self, c: Self) -> Self {
        self.with(Op::Fma([self.v, b.v, c.v]))
    }
    fn sqrt(self) -> Self {
        self.with(Op::Sqrt(self.v))
    }
    fn lt(self, other: Self) -> Truth<'b> {
        let op = Op::Compare(Comparison::Less, [self.v, other.v]);
        Truth { b: self.b, v: self.b.borrow_mut().write(op, Type::Mask) }
    }
    fn both(a: Truth<'b>, b: Truth<'b>) -> Truth<'b> {
        Truth { b: a.b, v: a.b.borrow_mut().write(Op::Both([a.v, b.v]), Type::Mask) }
    }
    fn select(mask: Truth<'b>, a: Self, b: Self) -> Self {
        a.with(Op::Select([mask.v, a.v, b.v]))
    }
    fn bits(self) -> Integer<'b, SIZE> {
        Integer { b: self.b, v: self.b.borrow_mut().write(Op::Cast(self.v), Type::Int) }
    }
    fn of(bits: Integer<'b, SIZE>) -> Self {
        Self { b: bits.b, v: bits.b.borrow_mut().write(Op::Cast(bits.v), Type::Float) }
    }
    #[inline(never)]
    fn rarely(mask: Truth<'b>, rare: impl Later<Self>, common: Self) -> Self {
        let b = mask.b;
        let how = b.borrow().means.rare;
        if how == Rare::Branch {
            // It computes again what is rarely read: kept for it, that would take registers where it is not.
            let rare = block(b, Known::default(), || smallvec![rare.now().v]);
            return common.with(Op::Rarely { mask: mask.v, common: common.v, rare });
        }
        b.borrow_mut().rare = Some(mask.v);
        if how == Rare::Mark { Self::select(mask, mark(common), common) } else { common }
    }
    #[inline(never)]
    fn count_down(most: u32, x: [Self; 2], step: &impl Step<Self>) -> [Self; 2] {
        let b = x[0].b;
        if !b.borrow().means.counts {
            return (1..=most).rev().fold(x, |x, k| step.step(x[0].lit(f64::from(k)), x));
        }
        let init = x.map(|x| x.v);
        let known = b.borrow().known.clone();
        let step = block(b, known, || {
            let [k, x, y] = [(); 3].map(|()| Self { b, v: b.borrow_mut().param() });
            step.step(k, [x, y]).map(|x| x.v).into_iter().collect()
        });
        let first = x[0].with(Op::Count { most, init, step });
        [first, first.with(Op::Second(first.v))]
    }
    #[inline(never)]
    fn at_most(self, bound: f64) -> Self {
        let (bound, clamps) = (self.lit(bound), self.b.borrow().means.clamps);
        if clamps { self.with(Op::AtMost([self.v, bound.v])) } else { lane::at_most(self, bound) }
    }
    #[inline(never)]
    fn at_least(self, bound: f64) -> Self {
        let (bound, clamps) = (self.lit(bound), self.b.borrow().means.clamps);
        if clamps { self.with(Op::AtLeast([self.v, bound.v])) } else { lane::at_least(self, bound) }
    }
    #[inline(never)]
    fn scale(self, n: Integer<'b, SIZE>) -> Self {
        let clamps = self.b.borrow().means.clamps;
        if clamps { self.with(Op::Scale([self.v, n.v])) } else { lane::scale(self, n) }
    }
    #[inline(never)]
    fn canonical(self) -> Self {
        let canonical = self.b.borrow().means.canonical;
        if canonical { lane::canonical(self) } else { self }
    }
}
