//! Counted `while` to `scan`.
//!
//! JAX writes `scan` and `fori_loop` as a `while` whose condition is `counter < limit`, whose inputs are
//! whole buffers sliced at the counter and whose outputs are whole buffers updated at the counter. Kept so,
//! reverse mode would save a whole buffer per trip. Five steps make it a scan again:
//!
//! 1. calls are inlined;
//! 2. carries that never change are taken from outside (that is `dce`);
//! 3. constants that are taken from outside, the step among them, are written inside (that is `sink`);
//! 4. rows of a constant read at the counter become xs, also those read at `limit - 1 - counter`;
//! 5. buffers that the body only writes, row by row at the counter, become ys. If the rows written do not
//!    cover the buffer, the rest of it is put back afterwards. A row that is read before it is written,
//!    at the same place, is an xs of the buffer as it was before the loop.
//!
//! The counter itself becomes an iota, and its last value is the limit. Other carries that move by a constant
//! from a constant (`fori_loop` of JAX counts twice) are worked out from it. A `while` whose number of trips
//! is not a constant stays.

pub(crate) mod affine;
mod counters;

use crate::dce::dce;
use crate::inline::inline_calls;
use crate::rewrite::{copy_inst, like, mapped, push};
use crate::sink::sink;
use affine::{Counter, Known, Range, integer};
use counters::{find_counter, find_steps};
use wengert_ir::array::{Array, Literal};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value, Values};
use wengert_ir::op::{
    BinaryOp, Constant, DynamicUpdateSlice, Iota, Op, Reshape, Reverse, Scan, Slice, While,
};
use wengert_ir::types::{Dims, TensorType};

/// `func` with its counted loops raised, regions included. Calls are inlined and dead values dropped.
pub fn raise(m: &mut Module, func: FuncId) -> FuncId {
    let f = inline_calls(m, func);
    let f = dce(m, f);
    let f = sink(m, f);
    let f = raise_func(m, f);
    // Rows, which there were none of before.
    let f = sink(m, f);
    dce(m, f)
}

fn raise_func(m: &mut Module, func: FuncId) -> FuncId {
    let f = m.get(func);
    if f.insts.values().all(|i| i.op.callees().is_empty()) {
        return func;
    }
    let (mut out, mut env) = like(&f);
    for inst in f.insts.values() {
        let mut inst = inst.clone();
        if !matches!(inst.op, Op::Call(_) | Op::Composite(_)) {
            inst.op.map_callees(&mut |c| raise_func(m, c));
        }
        if let Op::While(w) = &inst.op {
            let operands = mapped(&env, &inst.operands);
            if let Some(results) = raise_while(m, &mut out, w, &operands, &inst.loc) {
                for (&old, new) in inst.results.iter().zip(results) {
                    env[old] = Some(new);
                }
                continue;
            }
        }
        copy_inst(&mut out, &f, &inst, &mut env);
    }
    out.results = mapped(&env, &f.results).to_vec();
    if out == *f { func } else { m.add(out) }
}

/// Up to this many trips the values of the counter are an iota; a longer loop carries it, so that no huge
/// array is made only to count.
const IOTA_TRIPS: usize = 1 << 16;

/// What a carry of the loop becomes.
enum Carry {
    /// The counter, as xs.
    Counter,
    /// It moves as the counter does, and is worked out from it.
    Steps {
        /// By how much in each trip.
        scale: i128,
        /// What it is where the counter is zero.
        offset: i128,
    },
    /// A buffer written row by row.
    Rows {
        /// The row that the body writes, of shape `[1, ..]`.
        update: Value,
        /// Which rows.
        range: Range,
    },
    /// It stays a carry.
    Plain,
}

/// An operand that becomes xs: these rows of this parameter of the body.
#[derive(Clone, Copy, PartialEq)]
struct Sliced {
    param: usize,
    range: Range,
}

/// What is known of a loop once its counter is found.
struct Plan {
    counter: Counter,
    /// Parameters that move with it.
    steps: Vec<(usize, Known)>,
    carries: Vec<Carry>,
    /// Instructions of the body that read a row, by the xs they read.
    reads: EntityVec<Value, Option<usize>>,
    xs: Vec<Sliced>,
    reverse: bool,
}

impl Plan {
    /// Whether the counter's values are an xs.
    fn counts_rows(&self) -> bool {
        self.carries.iter().any(|c| matches!(c, Carry::Counter))
    }
}

/// Appends the scan that `w` is, and gives what `w` gave; `None` if it is not counted.
fn raise_while(
    m: &mut Module,
    out: &mut Func,
    w: &While,
    operands: &[Value],
    loc: &Loc,
) -> Option<Vec<Value>> {
    // The condition is not asked any more; nobody may notice.
    if w.stacks > 0 || m.has_effects(w.cond) {
        return None;
    }
    let (cond, body) = (m.get(w.cond), m.get(w.body));
    let counter = find_counter(&cond, &body, w.consts, |k| integer(out.constant(operands[k])?))?;
    let trips = counter.trips();
    let count = |out: &mut Func, m: &Module| {
        push(m, out, Constant { value: Literal::from_array(&Array::scalar(trips as i64)) }, &[], loc)[0]
    };
    if trips == 0 {
        let mut results = operands[w.consts..].to_vec();
        if w.counted {
            results.push(count(out, m));
        }
        return Some(results);
    }
    let steps = find_steps(&body, w.consts, &counter, |k| integer(out.constant(operands[k])?));
    let plan = make_plan(&body, w.consts, counter, steps);
    let new_body = build_body(m, &body, w.consts, &plan, loc);
    let new_body = m.add(new_body);

    let mut args: Values = operands[..w.consts].into();
    let plain = |k: &usize| matches!(plan.carries[*k], Carry::Plain);
    let kept: Vec<usize> = (0..plan.carries.len()).filter(plain).collect();
    args.extend(kept.iter().map(|&k| operands[w.consts + k]));
    if plan.counts_rows() {
        args.push(counter_values(m, out, &plan, loc));
    }
    for x in &plan.xs {
        let whole = operands[x.param];
        args.push(rows_of(m, out, whole, x.range, plan.reverse, loc));
    }
    let scan =
        Scan { body: new_body, consts: w.consts, carry: kept.len(), reverse: plan.reverse, length: trips };
    let found = push(m, out, scan, &args, loc);
    let (mut carried, mut stacked) = (found[..kept.len()].iter(), found[kept.len()..].iter());
    let mut results = Vec::new();
    for (k, carry) in plan.carries.iter().enumerate() {
        let before = operands[w.consts + k];
        results.push(match carry {
            Carry::Plain => *carried.next().expect("one result per carry"),
            Carry::Counter => {
                let ty = out.tensor(before).clone();
                push(m, out, Constant { value: affine::literal(&ty, plan.counter.limit) }, &[], loc)[0]
            }
            Carry::Steps { scale, offset } => {
                let ty = out.tensor(before).clone();
                let last = scale * plan.counter.limit + offset;
                push(m, out, Constant { value: affine::literal(&ty, last) }, &[], loc)[0]
            }
            Carry::Rows { range, .. } => {
                let rows = *stacked.next().expect("one result per buffer");
                write_back(m, out, before, rows, *range, plan.reverse, loc)
            }
        });
    }
    if w.counted {
        results.push(count(out, m));
    }
    Some(results)
}

/// Decides what becomes of each carry and each read.
fn make_plan(body: &Func, consts: usize, counter: Counter, steps: Vec<(usize, Known)>) -> Plan {
    let known = affine::analyse(body, &counter, &steps);
    let mut uses = EntityVec::<Value, usize>::filled(0, body.values.len());
    for &v in body.insts.values().flat_map(|i| &i.operands).chain(&body.results) {
        uses[v] += 1;
    }
    let mut xs: Vec<Sliced> = Vec::new();
    let mut reads = EntityVec::<Value, Option<usize>>::filled(None, body.values.len());
    let mut read = |inst: &Inst, param: usize, range: Range| {
        let x = Sliced { param, range };
        let at = xs.iter().position(|y| *y == x).unwrap_or_else(|| {
            xs.push(x);
            xs.len() - 1
        });
        reads[inst.results[0]] = Some(at);
    };
    for inst in body.insts.values() {
        let constant = body.params[..consts].iter().position(|&p| inst.operands.first() == Some(&p));
        if let (Some(k), Some(range)) = (constant, row_read(body, inst, &known, &counter)) {
            read(inst, k, range);
        }
    }
    let mut carries = Vec::new();
    for k in 0..body.results.len() {
        let param = body.params[consts + k];
        if consts + k == counter.param {
            carries.push(if counter.trips() <= IOTA_TRIPS { Carry::Counter } else { Carry::Plain });
            continue;
        }
        if let Some(&(_, Known::Int { scale, offset })) = steps.iter().find(|(j, _)| *j == consts + k) {
            carries.push(Carry::Steps { scale, offset });
            continue;
        }
        let Some((update, range)) = row_write(body, k, param, &known, &counter) else {
            carries.push(Carry::Plain);
            continue;
        };
        // The other uses of the buffer must be reads of the row about to be written.
        let readers: Vec<&Inst> = body
            .insts
            .values()
            .filter(|i| i.operands.contains(&param) && i.results[0] != body.results[k])
            .collect();
        let only_reads = readers
            .iter()
            .all(|i| row_read(body, i, &known, &counter) == Some(range) && i.operands[0] == param);
        if uses[body.results[k]] == 1 && uses[param] == 1 + readers.len() && only_reads {
            for inst in readers {
                read(inst, consts + k, range);
            }
            carries.push(Carry::Rows { update, range });
        } else {
            carries.push(Carry::Plain);
        }
    }
    let reverse = runs_down(&xs, &carries);
    Plan { counter, steps, carries, reads, xs, reverse }
}

/// Whether most rows are read and written from the last to the first.
fn runs_down(xs: &[Sliced], carries: &[Carry]) -> bool {
    let written = carries.iter().filter_map(|c| match c {
        Carry::Rows { range, .. } => Some(range),
        Carry::Counter | Carry::Steps { .. } | Carry::Plain => None,
    });
    let down = xs.iter().map(|x| &x.range).chain(written).filter(|r| r.down).count();
    let all = xs.len() + carries.iter().filter(|c| matches!(c, Carry::Rows { .. })).count();
    2 * down > all
}

/// The rows that a `dynamic_slice` reads one at a time, if its first index follows the counter and the
/// others are constant.
fn row_read(
    body: &Func,
    inst: &Inst,
    known: &EntityVec<Value, Option<Known>>,
    counter: &Counter,
) -> Option<Range> {
    let Op::DynamicSlice(s) = &inst.op else { return None };
    let rows = *body.tensor(inst.operands[0]).shape.first()?;
    if s.sizes[0] != 1 {
        return None;
    }
    for &index in &inst.operands[2..] {
        known[index].as_ref()?.constant()?;
    }
    counter.range(known[inst.operands[1]].as_ref()?, rows)
}

/// The row that the body writes to buffer `k`, and which rows all trips write.
fn row_write(
    body: &Func,
    k: usize,
    param: Value,
    known: &EntityVec<Value, Option<Known>>,
    counter: &Counter,
) -> Option<(Value, Range)> {
    let (_, inst) = body.def(body.results[k])?;
    if !matches!(inst.op, Op::DynamicUpdateSlice(_)) || inst.operands[0] != param {
        return None;
    }
    let (buffer, update) = (body.tensor(param), body.tensor(inst.operands[1]));
    if update.shape.first() != Some(&1) || update.shape[1..] != buffer.shape[1..] {
        return None;
    }
    // Indices of the other dimensions are clamped to 0, whatever they are, for the update fills them.
    let range = counter.range(known[inst.operands[2]].as_ref()?, buffer.shape[0])?;
    Some((inst.operands[1], range))
}

/// Parameters of a trip, and what is worked out from the counter: gives the rows that are read.
fn take_params(
    m: &Module,
    body: &Func,
    consts: usize,
    plan: &Plan,
    loc: &Loc,
    out: &mut Func,
    env: &mut EntityVec<Value, Option<Value>>,
) -> Vec<Value> {
    for &p in &body.params[..consts] {
        env[p] = Some(out.param(body.ty(p).clone()));
    }
    for (k, carry) in plan.carries.iter().enumerate() {
        if let Carry::Plain = carry {
            let p = body.params[consts + k];
            env[p] = Some(out.param(body.ty(p).clone()));
        }
    }
    if plan.counts_rows() {
        let counter = body.params[plan.counter.param];
        env[counter] = Some(out.param(body.ty(counter).clone()));
    }
    let rows: Vec<Value> =
        plan.xs.iter().map(|x| out.param(body.tensor(body.params[x.param]).unstacked())).collect();
    if !plan.steps.is_empty() {
        let counter = env[body.params[plan.counter.param]].expect("a parameter");
        for &(k, step) in &plan.steps {
            let ty = body.tensor(body.params[k]);
            env[body.params[k]] = Some(affine::emit(m, out, step, counter, ty, loc));
        }
    }
    rows
}

/// One trip: consts, plain carries, the counter, the rows.
fn build_body(m: &Module, body: &Func, consts: usize, plan: &Plan, loc: &Loc) -> Func {
    let (mut out, mut env) = (Func::new(body.name.clone(), body.kind), crate::rewrite::env(body));
    let rows = take_params(m, body, consts, plan, loc, &mut out, &mut env);
    let known = affine::analyse(body, &plan.counter, &plan.steps);
    for inst in body.insts.values() {
        if let Some(x) = inst.results.first().and_then(|&r| plan.reads[r]) {
            let Op::DynamicSlice(s) = &inst.op else { unreachable!("a read is a dynamic_slice") };
            let row = slice_row(m, &mut out, rows[x], &s.sizes, &inst.operands[2..], &known, &inst.loc);
            env[inst.results[0]] = Some(row);
            continue;
        }
        // An index that could count from the end, and does in no trip, is what it is.
        if let (Op::Select(_), Some(Known::Bool(first))) =
            (&inst.op, inst.operands.first().and_then(|&c| known[c]))
        {
            env[inst.results[0]] = env[inst.operands[if first { 1 } else { 2 }]];
            continue;
        }
        let writes = plan
            .carries
            .iter()
            .enumerate()
            .any(|(k, c)| matches!(c, Carry::Rows { .. }) && inst.results.contains(&body.results[k]));
        if !writes {
            copy_inst(&mut out, body, inst, &mut env);
        }
    }
    let mut results = Vec::new();
    for (k, carry) in plan.carries.iter().enumerate() {
        if let Carry::Plain = carry {
            results.push(env[body.results[k]].expect("defined"));
        }
    }
    for carry in &plan.carries {
        if let Carry::Rows { update, .. } = carry {
            let update = env[*update].expect("defined");
            let shape = Dims::from_slice(&out.tensor(update).shape[1..]);
            results.push(push(m, &mut out, Reshape { shape }, &[update], loc)[0]);
        }
    }
    out.results = results;
    out
}

/// What a `dynamic_slice` of one row gives, from the row: shape `sizes`.
fn slice_row(
    m: &Module,
    out: &mut Func,
    row: Value,
    sizes: &Dims,
    starts: &[Value],
    known: &EntityVec<Value, Option<Known>>,
    loc: &Loc,
) -> Value {
    let ty = out.tensor(row).clone();
    let mut part = row;
    if ty.shape[..] != sizes[1..] {
        let start: Dims = starts
            .iter()
            .enumerate()
            .map(|(d, &s)| {
                let at = known[s].as_ref().and_then(Known::constant).expect("row_read checked");
                at.clamp(0, (ty.shape[d] - sizes[1 + d]) as i128) as usize
            })
            .collect();
        let limit = start.iter().zip(&sizes[1..]).map(|(s, n)| s + n).collect();
        let strides = Dims::from_elem(1, start.len());
        part = push(m, out, Slice { start, limit, strides }, &[row], loc)[0];
    }
    push(m, out, Reshape { shape: sizes.clone() }, &[part], loc)[0]
}

/// The values of the counter, by row.
fn counter_values(m: &Module, out: &mut Func, plan: &Plan, loc: &Loc) -> Value {
    let n = plan.counter.trips();
    let ty = TensorType::new(plan.counter.dtype, &[n]);
    let iota = push(m, out, Iota { ty: ty.clone(), dim: 0 }, &[], loc)[0];
    let (first, op) = match plan.reverse {
        // Row r belongs to trip n - 1 - r.
        true => (plan.counter.limit - 1, BinaryOp::Subtract),
        false if plan.counter.start == 0 => return iota,
        false => (plan.counter.start, BinaryOp::Add),
    };
    let first = push(m, out, Constant { value: affine::literal(&ty, first) }, &[], loc)[0];
    push(m, out, op, &[first, iota], loc)[0]
}

/// These rows of a buffer, in the order in which the scan wants them.
fn rows_of(m: &Module, out: &mut Func, buffer: Value, range: Range, reverse: bool, loc: &Loc) -> Value {
    let ty = out.tensor(buffer).clone();
    let mut rows = buffer;
    if range.low > 0 || range.rows < ty.shape[0] {
        let mut start = Dims::from_elem(0, ty.rank());
        let mut limit = ty.shape.clone();
        (start[0], limit[0]) = (range.low, range.low + range.rows);
        let strides = Dims::from_elem(1, ty.rank());
        rows = push(m, out, Slice { start, limit, strides }, &[buffer], loc)[0];
    }
    if range.down != reverse {
        rows = push(m, out, Reverse { dims: Dims::from_slice(&[0]) }, &[rows], loc)[0];
    }
    rows
}

/// The buffer after the loop: the rows written, and what was there before around them.
fn write_back(
    m: &Module,
    out: &mut Func,
    before: Value,
    rows: Value,
    range: Range,
    reverse: bool,
    loc: &Loc,
) -> Value {
    let mut rows = rows;
    if range.down != reverse {
        rows = push(m, out, Reverse { dims: Dims::from_slice(&[0]) }, &[rows], loc)[0];
    }
    let ty = out.tensor(before).clone();
    if range.rows == ty.shape[0] {
        return rows;
    }
    let index = TensorType::scalar(wengert_ir::types::DType::I64);
    let mut operands: Values = Values::from_slice(&[before, rows]);
    for d in 0..ty.rank() {
        let start = if d == 0 { range.low } else { 0 };
        let value = affine::literal(&index, start as i128);
        operands.push(push(m, out, Constant { value }, &[], loc)[0]);
    }
    push(m, out, DynamicUpdateSlice {}, &operands, loc)[0]
}
