//! Which values integers of a kernel can have: an interval each, and how each is made from others where that says more.
//!
//! Values are read as signed. An interval holds whatever the program is given; a form holds because the interval of the result
//! shows that nothing wraps. [`Ranges::is_nonnegative`] is what proofs of accesses come down to. A loop of at most one trip that
//! is there if a test holds is a guard: within it, values have the intervals for which the test holds ([`Ranges::assume`]).

use crate::entity::EntityVec;
use crate::kernel::{
    Access, Extent, KBinary, KCast, KInst, KOp, KUnary, KValue, Kernel, MOST_COUNTER, Scalar, scalar,
};
use crate::op::{CompareType, Direction};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Least and largest value.
pub(super) type Interval = (i64, i64);

/// How a value is made from others; of `I64` only.
#[derive(Clone, Copy)]
enum Form {
    Opaque,
    Sum(KValue, KValue),
    Difference(KValue, KValue),
    Scaled(KValue, i64),
    Least(KValue, KValue),
    Greatest(KValue, KValue),
    /// The counter of a loop between these bounds.
    Counter(Extent, Extent),
}

/// What it says that a value is not 0.
#[derive(Clone, Copy)]
enum Test {
    /// The value is at least 0 and less than the number.
    Below(KValue, i64),
    /// Neither is 0.
    Both(KValue, KValue),
    /// It is not 0.
    Same(KValue),
}

#[derive(Clone, Copy)]
struct Fact {
    interval: Interval,
    form: Form,
    /// Values are made from those of smaller numbers.
    order: u32,
}

/// What is known of the values of one kernel.
pub(super) struct Ranges {
    facts: EntityVec<KValue, Fact>,
    tests: BTreeMap<KValue, Test>,
    next: u32,
}

/// How many steps a proof may take. Most take some ten per dimension, but every index that is clamped can be bounded in two
/// ways, and which of them is needed shows at the end: three of those beside the row of a stack take more than 256.
const MOST_STEPS: u32 = 4096;

impl Ranges {
    pub(super) fn new(kernel: &Kernel) -> Self {
        let fact = |&ty: &Scalar| Fact { interval: every(ty), form: Form::Opaque, order: 0 };
        Self { facts: kernel.values.values().map(fact).collect(), tests: BTreeMap::new(), next: 0 }
    }

    pub(super) fn interval(&self, v: KValue) -> Interval {
        self.facts.get(v).map_or((i64::MIN, i64::MAX), |fact| fact.interval)
    }

    pub(super) fn of_extent(&self, extent: Extent) -> Interval {
        match extent {
            Extent::Const(n) => (n, n),
            Extent::Value(v) => self.interval(v),
        }
    }

    /// Gives a value its interval.
    pub(super) fn define(&mut self, v: KValue, interval: Interval) {
        self.define_as(v, interval, Form::Opaque);
    }

    /// Makes a value the counter of a loop with these bounds; `last` is at least its last value.
    pub(super) fn define_counter(&mut self, v: KValue, start: Extent, end: Extent, last: i64) {
        let first = self.of_extent(start).0;
        self.define_as(v, (first, last), Form::Counter(start, end));
    }

    fn define_as(&mut self, v: KValue, interval: Interval, form: Form) {
        self.next += 1;
        if self.facts.get(v).is_some() {
            self.facts[v] = Fact { interval, form, order: self.next };
        }
    }

    /// What an instruction of one integer result that holds no blocks makes known of it.
    pub(super) fn define_result(&mut self, kernel: &Kernel, inst: &KInst) {
        let [result] = inst.results[..] else { return };
        let ty = kernel.values[result];
        if ty.is_float() {
            return;
        }
        let x = |k: usize| self.interval(inst.operands[k]);
        let from = |k: usize| kernel.values[inst.operands[k]];
        let interval = match &inst.op {
            KOp::Const(word) => {
                let n = if ty == Scalar::I1 { (*word & 1) as i64 } else { scalar::signed(ty, *word) };
                (n, n)
            }
            KOp::Unary(op) => unary(*op, ty, x(0)),
            KOp::Binary(op) => binary(*op, ty, x(0), x(1)),
            KOp::Compare(..) => (0, 1),
            KOp::Select => hull(x(1), x(2)),
            KOp::Cast(kind) => cast(*kind, from(0), ty, x(0)),
            KOp::Load(_) | KOp::Fma | KOp::Math(_) | KOp::Math2(_) => every(ty),
            KOp::Shuffle(_) => x(0),
            // Their intervals are those of the launches.
            KOp::ThreadId(_) | KOp::BlockId(_) => return,
            KOp::Launch { .. } | KOp::Barrier => return,
            KOp::Store(_)
            | KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => return,
        };
        let form = match (&inst.op, &inst.operands[..]) {
            (KOp::Binary(op), &[a, b]) if ty == Scalar::I64 => self.form(*op, a, b),
            _ => Form::Opaque,
        };
        self.define_as(result, interval, form);
        if let Some(test) = self.test(kernel, inst) {
            self.tests.insert(result, test);
        }
    }

    fn test(&self, kernel: &Kernel, inst: &KInst) -> Option<Test> {
        let truth = |v: KValue| kernel.values[v] == Scalar::I1;
        if let (KOp::Compare(Direction::Lt, CompareType::Unsigned), &[a, b]) = (&inst.op, &inst.operands[..])
        {
            let (least, most) = self.interval(b);
            return (least == most && least > 0).then_some(Test::Below(a, least));
        }
        if let (KOp::Binary(KBinary::And), &[a, b]) = (&inst.op, &inst.operands[..]) {
            return truth(a).then_some(Test::Both(a, b));
        }
        let &[a] = &inst.operands[..] else { return None };
        (inst.op == KOp::Cast(KCast::Unsigned) && truth(a)).then_some(Test::Same(a))
    }

    /// Takes it that a value is not 0; gives what was known before, for [`Ranges::forget`], or `None` if it always is.
    pub(super) fn assume(&mut self, nonzero: KValue) -> Option<Vec<(KValue, Interval)>> {
        let (mut before, mut work) = (Vec::new(), vec![nonzero]);
        // A test may be part of another one in more ways than can be counted.
        let mut seen = BTreeSet::new();
        while let Some(v) = work.pop() {
            if !seen.insert(v) {
                continue;
            }
            match self.tests.get(&v) {
                None => {}
                Some(&Test::Same(a)) => work.push(a),
                Some(&Test::Both(a, b)) => work.extend([a, b]),
                Some(&Test::Below(a, n)) => {
                    let known = self.interval(a);
                    let (low, high) = (known.0.max(0), known.1.min(n - 1));
                    if low > high {
                        self.forget(before);
                        return None;
                    }
                    before.push((a, known));
                    self.facts[a].interval = (low, high);
                }
            }
        }
        Some(before)
    }

    /// Makes known again what was before an assumption.
    pub(super) fn forget(&mut self, before: Vec<(KValue, Interval)>) {
        for (v, interval) in before.into_iter().rev() {
            self.facts[v].interval = interval;
        }
    }

    fn form(&self, op: KBinary, a: KValue, b: KValue) -> Form {
        let (x, y) = (self.interval(a), self.interval(b));
        let known = |x: Interval| (x.0 == x.1).then_some(x.0);
        let fits = corners(op, x, y).is_some_and(|i| within(Scalar::I64, i).is_some());
        match op {
            KBinary::Add if fits => Form::Sum(a, b),
            KBinary::Sub if fits => Form::Difference(a, b),
            KBinary::Mul if fits => match (known(x), known(y)) {
                (_, Some(n)) => Form::Scaled(a, n),
                (Some(n), None) => Form::Scaled(b, n),
                (None, None) => Form::Opaque,
            },
            KBinary::Shl => match known(y) {
                Some(n @ 0..62) if times_fits(x, 1 << n) => Form::Scaled(a, 1 << n),
                _ => Form::Opaque,
            },
            KBinary::Min => Form::Least(a, b),
            KBinary::Max => Form::Greatest(a, b),
            KBinary::Add
            | KBinary::Sub
            | KBinary::Mul
            | KBinary::Div
            | KBinary::DivU
            | KBinary::Rem
            | KBinary::RemU
            | KBinary::MinU
            | KBinary::MaxU
            | KBinary::And
            | KBinary::Or
            | KBinary::Xor
            | KBinary::Shr
            | KBinary::ShrU
            | KBinary::NextAfter => Form::Opaque,
        }
    }

    /// Least and largest value of a sum; `None` if they are out of all bounds.
    pub(super) fn bounds(&self, sum: &Linear) -> Option<(i128, i128)> {
        let (mut least, mut most) = (sum.constant, sum.constant);
        for &(v, c) in &sum.terms {
            let (low, high) = self.interval(v);
            let (a, b) = (i128::from(low).checked_mul(c)?, i128::from(high).checked_mul(c)?);
            least = least.checked_add(a.min(b))?;
            most = most.checked_add(a.max(b))?;
        }
        Some((least, most))
    }

    /// Whether a sum is shown to be at least zero, whatever the values are.
    pub(super) fn is_nonnegative(&self, sum: &Linear) -> bool {
        self.holds(sum.clone(), &mut { MOST_STEPS })
    }

    /// The proof: by intervals; else what is made from others is replaced by what it is made from, the last one first.
    fn holds(&self, sum: Linear, steps: &mut u32) -> bool {
        match self.bounds(&sum) {
            Some((least, _)) if least >= 0 => return true,
            Some(_) => {}
            None => return false,
        }
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let made = |&(v, _): &(KValue, i128)| !matches!(self.facts[v].form, Form::Opaque);
        let last = (0..sum.terms.len()).filter(|&k| made(&sum.terms[k]));
        let Some(last) = last.max_by_key(|&k| self.facts[sum.terms[k].0].order) else { return false };
        let mut rest = sum;
        let (v, c) = rest.terms.remove(last);
        if c == i128::MIN {
            return false;
        }
        let Fact { interval, form, .. } = self.facts[v];
        // The rest with other terms in its place; no proof of what does not fit.
        let mut try_with = |terms: &[(KValue, i128)], constant: i128| {
            let mut sum = rest.clone();
            let added = terms.iter().try_for_each(|&(v, c)| sum.add(v, c));
            added.is_some() && sum.shift(constant).is_some() && self.holds(sum, steps)
        };
        let shown = match form {
            Form::Opaque => false,
            Form::Sum(a, b) => try_with(&[(a, c), (b, c)], 0),
            Form::Difference(a, b) => try_with(&[(a, c), (b, -c)], 0),
            Form::Scaled(a, n) => match c.checked_mul(n.into()) {
                Some(c) => try_with(&[(a, c)], 0),
                None => false,
            },
            // It is one of the two, and no more than either.
            Form::Least(a, b) if c > 0 => try_with(&[(a, c)], 0) && try_with(&[(b, c)], 0),
            Form::Least(a, b) => try_with(&[(a, c)], 0) || try_with(&[(b, c)], 0),
            Form::Greatest(a, b) if c < 0 => try_with(&[(a, c)], 0) && try_with(&[(b, c)], 0),
            Form::Greatest(a, b) => try_with(&[(a, c)], 0) || try_with(&[(b, c)], 0),
            Form::Counter(start, end) => {
                let (bound, last) = if c > 0 { (start, 0) } else { (end, -c) };
                match bound {
                    Extent::Const(n) => match c.checked_mul(n.into()) {
                        Some(n) => try_with(&[], n.saturating_add(last)),
                        None => false,
                    },
                    Extent::Value(v) => try_with(&[(v, c)], last),
                }
            }
        };
        shown || {
            let bound = if c > 0 { interval.0 } else { interval.1 };
            c.checked_mul(bound.into()).is_some_and(|n| try_with(&[], n))
        }
    }
}

/// `constant + sum of coefficient * value`.
#[derive(Clone)]
pub(super) struct Linear {
    constant: i128,
    terms: SmallVec<[(KValue, i128); 6]>,
}

impl Linear {
    pub(super) fn constant(constant: i128) -> Self {
        Self { constant, terms: SmallVec::new() }
    }

    /// The position of an access.
    pub(super) fn position(access: &Access) -> Self {
        let terms = access.terms.iter().map(|&(v, stride)| (v, stride.into())).collect();
        Self { constant: access.offset.into(), terms }
    }

    /// Adds `c * v`; `None` if that does not fit.
    pub(super) fn add(&mut self, v: KValue, c: i128) -> Option<()> {
        match self.terms.iter().position(|t| t.0 == v) {
            None => self.terms.push((v, c)),
            Some(k) => {
                self.terms[k].1 = self.terms[k].1.checked_add(c)?;
                if self.terms[k].1 == 0 {
                    self.terms.remove(k);
                }
            }
        }
        Some(())
    }

    /// Adds an extent.
    pub(super) fn add_extent(&mut self, extent: Extent) -> Option<()> {
        match extent {
            Extent::Const(n) => self.shift(n.into()),
            Extent::Value(v) => self.add(v, 1),
        }
    }

    /// Adds a number; `None` if that does not fit.
    pub(super) fn shift(&mut self, n: i128) -> Option<()> {
        self.constant = self.constant.checked_add(n)?;
        Some(())
    }

    /// `self + other`; `None` if that does not fit.
    pub(super) fn plus(&self, other: &Linear) -> Option<Linear> {
        let mut out = self.clone();
        out.shift(other.constant)?;
        for &(v, c) in &other.terms {
            out.add(v, c)?;
        }
        Some(out)
    }

    /// `other - self`; `None` if that does not fit.
    pub(super) fn subtracted_from(&self, other: &Linear) -> Option<Linear> {
        let mut out = other.clone();
        out.shift(self.constant.checked_neg()?)?;
        for &(v, c) in &self.terms {
            out.add(v, c.checked_neg()?)?;
        }
        Some(out)
    }
}

/// All values of a type. What memory holds for a truth value is a byte, which may be any.
pub(super) fn every(ty: Scalar) -> Interval {
    match ty {
        Scalar::I1 => (0, 255),
        Scalar::I8 => (i8::MIN.into(), i8::MAX.into()),
        Scalar::I16 => (i16::MIN.into(), i16::MAX.into()),
        Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
        Scalar::I64 | Scalar::F64 | Scalar::F32 => (i64::MIN, i64::MAX),
    }
}

/// The values of either.
pub(super) fn hull(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// An interval that a type holds: what it does not hold has wrapped.
fn within(ty: Scalar, (low, high): (i128, i128)) -> Option<Interval> {
    let (least, most) = every(ty);
    (low >= least.into() && high <= most.into()).then_some((low as i64, high as i64))
}

fn times_fits(x: Interval, n: i64) -> bool {
    x.0.checked_mul(n).is_some() && x.1.checked_mul(n).is_some()
}

/// What an operation gives of a value that is between these.
pub fn unary(op: KUnary, ty: Scalar, (low, high): Interval) -> Interval {
    let (a, b) = (i128::from(low), i128::from(high));
    let exact = match op {
        KUnary::Neg => Some((-b, -a)),
        KUnary::Abs if a >= 0 => Some((a, b)),
        KUnary::Abs => Some((0, b.max(-a))),
        KUnary::Not if ty == Scalar::I1 => (b <= 1).then_some((0, 1)),
        KUnary::Not => Some((-b - 1, -a - 1)),
        KUnary::Popcnt | KUnary::Clz => Some((0, 64)),
        KUnary::Sqrt | KUnary::Floor | KUnary::Ceil | KUnary::Nearest => None,
    };
    exact.and_then(|i| within(ty, i)).unwrap_or(every(ty))
}

/// The result before it wraps, of operations that are monotone in each operand.
fn corners(op: KBinary, x: Interval, y: Interval) -> Option<(i128, i128)> {
    let f = |a: i64, b: i64| {
        let (a, b) = (i128::from(a), i128::from(b));
        match op {
            KBinary::Add => Some(a + b),
            KBinary::Sub => Some(a - b),
            KBinary::Mul => Some(a * b),
            KBinary::Div | KBinary::DivU => a.checked_div(b),
            KBinary::Rem
            | KBinary::RemU
            | KBinary::Min
            | KBinary::MinU
            | KBinary::Max
            | KBinary::MaxU
            | KBinary::And
            | KBinary::Or
            | KBinary::Xor
            | KBinary::Shl
            | KBinary::Shr
            | KBinary::ShrU
            | KBinary::NextAfter => None,
        }
    };
    let all = [f(x.0, y.0)?, f(x.0, y.1)?, f(x.1, y.0)?, f(x.1, y.1)?];
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// What an operation gives of two values that are between these.
pub fn binary(op: KBinary, ty: Scalar, x: Interval, y: Interval) -> Interval {
    let all = every(ty);
    let (positive_x, positive_y) = (x.0 >= 0, y.0 >= 0);
    let width = scalar::width(ty);
    let amount = (y.0 == y.1 && (0..i64::from(width)).contains(&y.0)).then_some(y.0 as u32);
    let least = || (x.0.min(y.0), x.1.min(y.1));
    let greatest = || (x.0.max(y.0), x.1.max(y.1));
    match op {
        KBinary::Add | KBinary::Sub | KBinary::Mul => {
            corners(op, x, y).and_then(|i| within(ty, i)).unwrap_or(all)
        }
        KBinary::Min => least(),
        KBinary::Max => greatest(),
        KBinary::MinU if positive_x && positive_y => least(),
        // The smaller one of two unsigned numbers, one of which has no sign bit.
        KBinary::MinU if positive_x => (0, x.1),
        KBinary::MinU if positive_y => (0, y.1),
        KBinary::MaxU if positive_x && positive_y => greatest(),
        KBinary::Div if y.0 > 0 => corners(op, x, y).and_then(|i| within(ty, i)).unwrap_or(all),
        KBinary::DivU if positive_x && y.0 > 0 => {
            corners(op, x, y).and_then(|i| within(ty, i)).unwrap_or(all)
        }
        // With the sign of the dividend.
        KBinary::Rem if y.0 > 0 => (x.0.max(1 - y.1).min(0), x.1.min(y.1 - 1).max(0)),
        KBinary::RemU if y.0 > 0 && positive_x => (0, x.1.min(y.1 - 1)),
        KBinary::RemU if y.0 > 0 => (0, y.1 - 1),
        KBinary::And if positive_x && positive_y => (0, x.1.min(y.1)),
        KBinary::And if positive_x => (0, x.1),
        KBinary::And if positive_y => (0, y.1),
        // No bit above the highest of either.
        KBinary::Or | KBinary::Xor if positive_x && positive_y => {
            let bits = 64 - (x.1 | y.1).leading_zeros();
            (0, if bits >= 63 { i64::MAX } else { (1 << bits) - 1 })
        }
        KBinary::Shl => match amount {
            Some(n @ 0..62) if times_fits(x, 1 << n) => {
                within(ty, ((x.0 << n).into(), (x.1 << n).into())).unwrap_or(all)
            }
            _ => all,
        },
        KBinary::Shr if positive_x => (0, x.1),
        KBinary::Shr => amount.map_or(all, |n| (x.0 >> n, x.1 >> n)),
        KBinary::ShrU if positive_x => (0, x.1),
        KBinary::ShrU => match amount {
            Some(n @ 1..) => (0, (((1u128 << width) - 1) >> n) as i64),
            _ => all,
        },
        KBinary::MinU
        | KBinary::MaxU
        | KBinary::Div
        | KBinary::DivU
        | KBinary::Rem
        | KBinary::RemU
        | KBinary::And
        | KBinary::Or
        | KBinary::Xor
        | KBinary::NextAfter => all,
    }
}

/// What a value that is between these is as another type.
pub fn cast(kind: KCast, from: Scalar, to: Scalar, x: Interval) -> Interval {
    let all = every(to);
    let wide = |(low, high): Interval| within(to, (low.into(), high.into())).unwrap_or(all);
    match kind {
        KCast::Signed | KCast::Unsigned if to == Scalar::I1 => (0, 1),
        KCast::Signed | KCast::Unsigned if from.is_float() => all,
        KCast::Signed => wide(x),
        KCast::Unsigned if x.0 >= 0 || from == Scalar::I64 => wide(x),
        KCast::Unsigned => wide((0, (1i64 << scalar::width(from)) - 1)),
        KCast::Bits if from == to => x,
        KCast::Bits => all,
    }
}

/// The interval of what grows by one on every trip of a loop, from one of these values: nothing counts further.
pub(super) fn counted_up(from: Interval) -> Interval {
    (from.0, from.1.max(MOST_COUNTER))
}
