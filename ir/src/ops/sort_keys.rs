//! What a comparator compares: integer keys whose order is its order.
//!
//! A comparator is *known* if it is `f(lhs) < f(rhs)` for a function `f` of the elements of one side, or
//! several such comparisons in order of weight, as `lt_0 or (eq_0 and lt_1)`. Then `f` is evaluated on whole
//! tensors, once, and the results are mapped to unsigned integers.

use crate::array::{Array, Literal};
use crate::entity::EntityVec;
use crate::func::{Def, Func, FuncId, Value};
use crate::minifloat::{Format, decode};
use crate::op::{BinaryOp, CompareType, Direction, Kind, Op};
use crate::rules::{EvalError, Evaluate};
use crate::types::{DType, DTypeClass, TensorType};

/// Keys of every element, in order of weight.
pub(super) struct Keys {
    /// Smaller comes first.
    pub(super) columns: Vec<Vec<u64>>,
}

/// How many pairs of values are looked at before a comparator counts as unknown: shared parts of it are seen
/// once per use.
const MAX_STEPS: usize = 4096;

/// The keys of a known comparator on these tensors, or `None`. NaN under a `FLOAT` comparison has no key.
pub(super) fn keys(
    cx: &mut dyn Evaluate,
    comparator: FuncId,
    xs: &[Array],
    captures: &[Array],
) -> Result<Option<Keys>, EvalError> {
    let Some(func) = cx.func(comparator) else { return Ok(None) };
    let mut known = Comparator { func: &func, captures: captures.len(), steps: MAX_STEPS };
    let Some(columns) = func.results.first().and_then(|&r| known.columns(r)) else { return Ok(None) };
    let mut out = Vec::new();
    for column in columns {
        let canonical = known.canonical(column.value).filter(|_| column.kind == CompareType::TotalOrder);
        if let Some((input, nan)) = canonical
            && let Some(keys) = canonical_order(&xs[input], nan, column.descending)
        {
            out.push(keys);
            continue;
        }
        let mut lifted = Lifted::new(&func, xs, captures);
        let Some(values) = lifted.value(cx, column.value)? else { return Ok(None) };
        if column.kind == CompareType::Float {
            let Some(key) = float_order(&values, column.descending) else { return Ok(None) };
            out.push(key);
        } else {
            out.push(total_order(&values, column.descending));
        }
    }
    Ok(Some(Keys { columns: out }))
}

/// One comparison of a known comparator.
struct Column {
    /// What is compared, of the left elements.
    value: Value,
    kind: CompareType,
    descending: bool,
}

struct Comparator<'f> {
    func: &'f Func,
    captures: usize,
    steps: usize,
}

impl Comparator<'_> {
    /// The comparisons that a result stands for.
    fn columns(&mut self, v: Value) -> Option<Vec<Column>> {
        let (_, inst) = self.func.def(v)?;
        match &inst.op {
            Op::Compare(_) => Some(vec![self.strict(v)?]),
            Op::Binary(BinaryOp::Or) => {
                let (a, b) = (inst.operands[0], inst.operands[1]);
                self.chain(a, b).or_else(|| self.chain(b, a))
            }
            _ => None,
        }
    }

    /// `less or (equal and rest)`.
    fn chain(&mut self, less: Value, other: Value) -> Option<Vec<Column>> {
        let first = self.strict(less)?;
        let (_, inst) = self.func.def(other)?;
        let Op::Binary(BinaryOp::And) = inst.op else { return None };
        let (a, b) = (inst.operands[0], inst.operands[1]);
        let rest = if self.equates(a, &first) {
            b
        } else if self.equates(b, &first) {
            a
        } else {
            return None;
        };
        let mut columns = vec![first];
        columns.extend(self.columns(rest)?);
        Some(columns)
    }

    /// A strict comparison of the two sides.
    fn strict(&mut self, v: Value) -> Option<Column> {
        let (_, inst) = self.func.def(v)?;
        let Op::Compare(c) = &inst.op else { return None };
        let (a, b) = (inst.operands[0], inst.operands[1]);
        let descending = match c.direction {
            Direction::Lt => false,
            Direction::Gt => true,
            Direction::Eq | Direction::Ne | Direction::Ge | Direction::Le => return None,
        };
        if self.is_side(a, 0) && self.is_side(b, 1) && self.same(a, b, true) {
            Some(Column { value: a, kind: c.kind, descending })
        } else if self.is_side(b, 0) && self.is_side(a, 1) && self.same(b, a, true) {
            Some(Column { value: b, kind: c.kind, descending: !descending })
        } else {
            None
        }
    }

    /// Whether `v` says that both sides of a comparison are equal.
    fn equates(&mut self, v: Value, column: &Column) -> bool {
        let Some((_, inst)) = self.func.def(v) else { return false };
        let Op::Compare(c) = &inst.op else { return false };
        let (a, b) = (inst.operands[0], inst.operands[1]);
        let (left, right) = if self.is_side(a, 0) { (a, b) } else { (b, a) };
        c.direction == Direction::Eq
            && c.kind == column.kind
            && self.is_side(left, 0)
            && self.is_side(right, 1)
            && self.same(left, column.value, false)
            && self.same(left, right, true)
    }

    /// The operand of which a value is the left element with one zero and one NaN, as JAX compares floats; and the bits of the NaN:
    /// `select(x != x, NaN, select(x == 0, 0, x))`.
    fn canonical(&self, v: Value) -> Option<(usize, u64)> {
        let [is_nan, nan, number] = self.select(v)?;
        let [is_zero, zero, x] = self.select(number)?;
        let Def::Param(p) = self.func.values[x].def else { return None };
        let element = (p as usize).checked_sub(self.captures).filter(|p| p % 2 == 0)?;
        // What `x` is compared with.
        let compared = |v: Value, direction| {
            let (_, inst) = self.func.def(v)?;
            let Op::Compare(c) = &inst.op else { return None };
            let is = c.direction == direction && c.kind == CompareType::Float && inst.operands[0] == x;
            is.then_some(inst.operands[1])
        };
        let (bits, number) = self.splat(nan)?;
        let zeros_are_one =
            self.splat(compared(is_zero, Direction::Eq)?)?.1 == 0.0 && self.splat(zero)?.0 == 0;
        let nans_are_one = compared(is_nan, Direction::Ne)? == x && number.is_nan();
        (zeros_are_one && nans_are_one).then_some((element / 2, bits))
    }

    /// Predicate and values of a `select`.
    fn select(&self, v: Value) -> Option<[Value; 3]> {
        let (_, inst) = self.func.def(v)?;
        let Op::Select(_) = &inst.op else { return None };
        Some([inst.operands[0], inst.operands[1], inst.operands[2]])
    }

    /// The bits of a constant, and the number.
    fn splat(&self, v: Value) -> Option<(u64, f64)> {
        let (_, inst) = self.func.def(v)?;
        let Op::Constant(c) = &inst.op else { return None };
        Some((raw(c.value.as_splat()?), c.value.splat_value()?))
    }

    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    /// Whether `v` is computed elementwise from captures and elements of one side (0 left, 1 right) alone.
    fn is_side(&mut self, v: Value, side: usize) -> bool {
        if !self.step() {
            return false;
        }
        match self.func.values[v].def {
            Def::Param(p) => {
                let p = p as usize;
                p < self.captures || (p - self.captures) % 2 == side
            }
            Def::Inst(inst, _) => {
                let inst = &self.func.insts[inst];
                let scalars = inst.results.len() == 1 && self.func.tensor(v).rank() == 0;
                scalars
                    && (inst.op.kind() == Kind::Elementwise || matches!(inst.op, Op::Constant(_)))
                    && inst.operands.iter().all(|&o| self.is_side(o, side))
            }
        }
    }

    /// Whether `b` computes what `a` does: from the same parameters, or if `mirrored` with right elements in
    /// place of left ones.
    fn same(&mut self, a: Value, b: Value, mirrored: bool) -> bool {
        if !self.step() {
            return false;
        }
        match (self.func.values[a].def, self.func.values[b].def) {
            (Def::Param(p), Def::Param(q)) => {
                let own = (p as usize) >= self.captures && mirrored;
                q == p + own as u32
            }
            (Def::Inst(i, _), Def::Inst(j, _)) => {
                let (x, y) = (&self.func.insts[i], &self.func.insts[j]);
                x.op == y.op
                    && x.operands.len() == y.operands.len()
                    && x.operands.iter().zip(&y.operands).all(|(&a, &b)| self.same(a, b, mirrored))
            }
            (Def::Param(_), Def::Inst(..)) | (Def::Inst(..), Def::Param(_)) => false,
        }
    }
}

/// Evaluates scalars of a comparator's left side on whole tensors.
struct Lifted<'f> {
    func: &'f Func,
    values: EntityVec<Value, Option<Array>>,
    shape: &'f [usize],
}

impl<'f> Lifted<'f> {
    fn new(func: &'f Func, xs: &'f [Array], captures: &[Array]) -> Self {
        let mut values = EntityVec::filled(None, func.values.len());
        let shape = xs[0].shape();
        // A tensor that is captured is no scalar of the comparator.
        for (&param, capture) in func.params.iter().zip(captures).filter(|(_, c)| c.shape().is_empty()) {
            let all = Literal::splat_bytes(capture.ty().with_shape(shape), capture.bytes());
            values[param] = Some(all.to_array());
        }
        for (&param, x) in func.params[captures.len()..].iter().step_by(2).zip(xs) {
            values[param] = Some(x.clone());
        }
        Self { func, values, shape }
    }

    /// The value on every element; `None` if an operation is not known.
    fn value(&mut self, cx: &mut dyn Evaluate, v: Value) -> Result<Option<Array>, EvalError> {
        if let Some(found) = &self.values[v] {
            return Ok(Some(found.clone()));
        }
        let Some((_, inst)) = self.func.def(v) else { return Ok(None) };
        let mut operands = Vec::new();
        for &operand in &inst.operands {
            let Some(value) = self.value(cx, operand)? else { return Ok(None) };
            operands.push(value);
        }
        let ty = self.func.tensor(v).with_shape(self.shape);
        cx.tick(1)?;
        cx.reserve(&ty)?;
        let result = match &inst.op {
            Op::Constant(c) => match c.value.as_splat() {
                Some(bytes) => Literal::splat_bytes(ty, bytes).to_array(),
                None => return Ok(None),
            },
            Op::BitcastConvert(b) => {
                let mut lifted = b.clone();
                lifted.ty = ty;
                Op::from(lifted).def().eval(cx, &operands)?.remove(0)
            }
            op => op.def().eval(cx, &operands)?.remove(0),
        };
        self.values[v] = Some(result.clone());
        Ok(Some(result))
    }
}

/// An element as an unsigned number.
#[inline(always)]
fn raw(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Keys in the natural order of integers and booleans, and the total order of floats: `-NaN`, `-inf`, negative,
/// `-0`, `+0`, positive, `+inf`, `NaN`.
pub(super) fn total_order(x: &Array, descending: bool) -> Vec<u64> {
    // Words of a length known to the compiler: this is most of the time that a sort takes.
    fn words<const SIZE: usize>(bytes: &[u8], key: impl Fn(u64) -> u64) -> Vec<u64> {
        bytes.as_chunks::<SIZE>().0.iter().map(|e| key(raw(e))).collect()
    }
    if let Some(ranks) = ranks(x) {
        return total_order(&ranks, descending);
    }
    let key = total_key(x.dtype(), descending);
    match x.dtype().size() {
        1 => words::<1>(x.bytes(), key),
        2 => words::<2>(x.bytes(), key),
        4 => words::<4>(x.bytes(), key),
        _ => words::<8>(x.bytes(), key),
    }
}

/// The same of floats of which zeros are one, as are NaNs, whose bits are given; `None` for types that have neither as IEEE has them.
fn canonical_order(x: &Array, nan: u64, descending: bool) -> Option<Vec<u64>> {
    fn words<const SIZE: usize>(bytes: &[u8], infinity: u64, nan: u64, key: impl Fn(u64) -> u64) -> Vec<u64> {
        let sign = 1u64 << (8 * SIZE - 1);
        let canonical = |bits: u64| {
            let magnitude = bits & !sign;
            if magnitude > infinity {
                nan
            } else if magnitude == 0 {
                0
            } else {
                bits
            }
        };
        bytes.as_chunks::<SIZE>().0.iter().map(|e| key(canonical(raw(e)))).collect()
    }
    let key = total_key(x.dtype(), descending);
    let infinities =
        [(DType::F16, 0x7c00), (DType::BF16, 0x7f80), (DType::F32, 0x7f80_0000), (DType::F64, 0x7ff0 << 48)];
    let (_, infinity) = infinities.into_iter().find(|(dtype, _)| *dtype == x.dtype())?;
    let bytes = x.bytes();
    Some(if x.dtype().size() == 2 {
        words::<2>(bytes, infinity, nan, key)
    } else if x.dtype().size() == 4 {
        words::<4>(bytes, infinity, nan, key)
    } else {
        words::<8>(bytes, infinity, nan, key)
    })
}

/// For floats of at most 8 bits, whose codes are not all in the order of their values, the place of each element's code among all.
fn ranks(x: &Array) -> Option<Array> {
    let dtype = x.dtype();
    let format = Format::of(dtype)?;
    let mut codes: Vec<u8> = (0..=u8::MAX >> (8 - format.bits)).collect();
    codes.sort_by(|&a, &b| decode(dtype, a).total_cmp(&decode(dtype, b)));
    let mut rank = [0u8; 256];
    // Codes of one NaN are equal.
    for pair in codes.windows(2) {
        let differ = decode(dtype, pair[0]).total_cmp(&decode(dtype, pair[1])).is_ne();
        rank[pair[1] as usize] = rank[pair[0] as usize] + differ as u8;
    }
    let ranks: Vec<u8> = x.bytes().iter().map(|&code| rank[code as usize]).collect();
    Some(Array::from_bytes(x.ty().with_dtype(DType::U8), &ranks))
}

/// The key of an element by its bits, in the order of [`total_order`].
fn total_key(dtype: DType, descending: bool) -> impl Fn(u64) -> u64 + Copy {
    let size = dtype.size();
    let (sign, mask) = (1u64 << (8 * size - 1), u64::MAX >> (64 - 8 * size));
    let (positive, negative) = match dtype.class() {
        DTypeClass::Bool | DTypeClass::Unsigned => (0, 0),
        DTypeClass::Signed => (sign, sign),
        // Magnitudes of negative numbers run the other way.
        DTypeClass::Float | DTypeClass::Complex => (sign, mask),
    };
    let flip = if descending { mask } else { 0 };
    move |bits| bits ^ flip ^ if bits & sign == 0 { positive } else { negative }
}

/// Of each line of `length` elements the positions of the `keep` largest, less than all, in the order of [`total_order`]; of equal
/// ones the first.
pub(super) fn largest(x: &Array, length: usize, keep: usize) -> Vec<u32> {
    if let Some(ranks) = ranks(x) {
        return largest(&ranks, length, keep);
    }
    let key = total_key(x.dtype(), true);
    match x.dtype().size() {
        1 => largest_of::<1>(x.bytes(), length, keep, key),
        2 => largest_of::<2>(x.bytes(), length, keep, key),
        4 => largest_of::<4>(x.bytes(), length, keep, key),
        _ => largest_of::<8>(x.bytes(), length, keep, key),
    }
}

/// Keys below the largest of those kept are gathered until there are as many again, of which half are dropped: few are
/// gathered where elements are in no order, and each costs the same where they all are.
fn largest_of<const SIZE: usize>(
    bytes: &[u8],
    length: usize,
    keep: usize,
    key: impl Fn(u64) -> u64,
) -> Vec<u32> {
    let elements = bytes.as_chunks::<SIZE>().0;
    let most = 2 * keep.max(LEAST_KEPT);
    let mut kept: Vec<(u64, u32)> = Vec::with_capacity(most);
    let mut out = Vec::with_capacity(elements.len() / length * keep);
    for line in elements.chunks_exact(length) {
        kept.clear();
        let mut bound = None;
        for (i, element) in line.iter().enumerate() {
            let key = key(raw(element));
            // What comes later is not before an equal one.
            if bound.is_some_and(|bound| key >= bound) {
                continue;
            }
            kept.push((key, i as u32));
            if kept.len() == most {
                let (_, &mut (last, _), _) = kept.select_nth_unstable(keep - 1);
                kept.truncate(keep);
                bound = Some(last);
            }
        }
        kept.sort_unstable();
        out.extend(kept[..keep].iter().map(|&(_, i)| i));
    }
    out
}

/// Fewer are gathered too often.
const LEAST_KEPT: usize = 32;

/// Keys in IEEE order, in which zeros are equal; `None` if there is a NaN or the elements are not floats.
fn float_order(x: &Array, descending: bool) -> Option<Vec<u64>> {
    let size = x.dtype().size();
    if !x.dtype().is_float() || size > 8 {
        return None;
    }
    let exact = crate::op::Compare { direction: Direction::Eq, kind: CompareType::Float };
    let mut keys = total_order(x, descending);
    // What does not equal itself is NaN.
    let own = crate::rules::OpDef::eval(&exact, &mut Alone, &[x.clone(), x.clone()]).ok()?;
    if own[0].bytes().contains(&0) {
        return None;
    }
    let zero = Array::zeros(TensorType::new(x.dtype(), &[1]));
    let zero_key = total_order(&zero, descending)[0];
    let negative_zero = match Format::of(x.dtype()) {
        Some(format) if decode(x.dtype(), format.sign()) == 0.0 => format.sign() as u64,
        // It has none, or the code is that of a NaN.
        Some(_) => return Some(keys),
        None => 1u64 << (8 * size - 1),
    };
    for (key, element) in keys.iter_mut().zip(x.bytes().chunks_exact(size)) {
        if raw(element) == negative_zero {
            *key = zero_key;
        }
    }
    Some(keys)
}

/// For operations that ask for nothing.
struct Alone;

impl Evaluate for Alone {
    fn call(&mut self, _: FuncId, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        Err(EvalError::Unsupported("a call".to_owned()))
    }
    fn result_types(&self, _: FuncId) -> Vec<crate::types::Type> {
        Vec::new()
    }
    fn tick(&mut self, _: u64) -> Result<(), EvalError> {
        Ok(())
    }
    fn reserve(&mut self, _: &TensorType) -> Result<(), EvalError> {
        Ok(())
    }
}
