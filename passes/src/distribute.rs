//! Products that a loop makes trip by trip are made of all trips' rows at once, beside the loop: loop distribution (Allen and Kennedy,
//! *Optimizing Compilers for Modern Architectures*, 2001, section 2.4), for what costs most.
//!
//! A product of a matrix with a vector reads the matrix to use each element once. Of as many vectors as there are trips a product of
//! matrices uses each element often, while it is near. Three kinds need not be made where they stand in a `scan`:
//!
//! - A row of what the loop runs over times a matrix that no trip changes, the inputs of a recurrent network: made before the loop, and
//!   the loop runs over the results.
//! - What only becomes a row of a result, a product with such a matrix: the loop gives the other factor's rows, and the product is made
//!   after it.
//! - What is only added to a sum that the loop carries, the derivative by a matrix that every trip multiplies by: the loop gives the rows
//!   of both factors, and one product sums over trips. That is one contraction, in whose order nothing is promised, if the sum
//!   begins with zeros and nothing else is added; other sums are reordered in relaxed mode only.
//!
//! Rows of all trips take memory, of which there is a limit ([`Sizes::bytes`]).

use crate::accumulate::is_zero;
use crate::hoist;
use crate::inline::rebuilt;
use crate::lower::plan::classify::has_one_type;
use crate::rewrite::{Env, copy_inst, env, like, mapped, push, uses};
use crate::structure::Loop;
use crate::total::Totality;
use std::sync::Arc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Loc, Module, Value, Values};
use wengert_ir::op::{BinaryOp, DotGeneral, Op, Transpose};
use wengert_ir::types::{DType, DYNAMIC, Dims, FloatMode, Type};

/// From which sizes on products leave their loops.
#[derive(Clone, Copy)]
pub struct Sizes {
    /// The fewest trips.
    pub trips: usize,
    /// The fewest elements of a matrix that every trip reads, or adds to.
    pub matrix: usize,
    /// The most rows that a trip multiplies it by, or adds: products of more make use of it while it is near.
    pub rows: usize,
    /// The most bytes of rows of all trips that a loop gives or is given for it, and of a sum.
    pub bytes: usize,
}

impl Sizes {
    /// What pays. Matrices of up to 32 x 32 elements stay in the nearest cache.
    const DEFAULT: Sizes = Sizes { trips: 8, matrix: 32 * 32 + 1, rows: 32, bytes: 8 << 20 };
    /// Whatever can.
    pub const NONE: Sizes = Sizes { trips: 1, matrix: 0, rows: usize::MAX, bytes: usize::MAX };
}

/// `func` with products made beside its loops. It is `func` itself if there are none, and in exact mode, where sums stay in their order.
pub(crate) fn distribute(m: &mut Module, func: FuncId) -> FuncId {
    distribute_from(m, func, &Sizes::DEFAULT)
}

/// [`distribute`] from other sizes on.
pub fn distribute_from(m: &mut Module, func: FuncId, sizes: &Sizes) -> FuncId {
    if m.mode == FloatMode::Exact {
        return func;
    }
    let mut total = Totality::default();
    rebuilt(m, func, |m, f| {
        let (mut out, mut env) = like(f);
        for inst in f.insts.values() {
            let found = Loop::of(&inst.op, inst.operands.len(), inst.results.len()).and_then(|l| {
                let carried = &inst.operands[l.carry_range()];
                let zeros: Vec<bool> = carried.iter().map(|&v| is_zero(f, v)).collect();
                Found::of(m, &mut total, l, sizes, &zeros)
            });
            let Some(found) = found else {
                copy_inst(&mut out, f, inst, &mut env);
                continue;
            };
            let operands = mapped(&env, &inst.operands);
            let results = found.apart(m, &mut out, &operands, &inst.loc);
            inst.results.iter().zip(results).for_each(|(&old, new)| env[old] = Some(new));
        }
        out.results = mapped(&env, &f.results).to_vec();
        Some(out)
    })
}

/// A product with a matrix that no trip changes.
struct Product {
    inst: InstId,
    /// Which operand changes.
    row: usize,
}

/// Products that are added to what a loop carries.
struct Sum {
    /// Which of the carried values.
    carried: usize,
    /// Each with the order in which its dimensions are added.
    products: Vec<(InstId, Option<Dims>)>,
    /// What is added besides, in the loop.
    rest: Vec<Value>,
}

/// What can leave a loop.
struct Found {
    body: Arc<Func>,
    l: Loop,
    before: Vec<Product>,
    /// With the result of the loop that each becomes a row of.
    after: Vec<(usize, Product)>,
    sums: Vec<Sum>,
    /// Instructions that the loop does without.
    gone: EntityVec<InstId, bool>,
}

impl Found {
    fn of(m: &Module, total: &mut Totality, l: Loop, sizes: &Sizes, zeros: &[bool]) -> Option<Found> {
        let trips = l.length();
        let body = m.get(l.body);
        let is_product = |inst: &Inst| matches!(inst.op, Op::DotGeneral(_));
        if trips == DYNAMIC || trips < sizes.trips || !body.insts.values().any(is_product) {
            return None;
        }
        let fixed = hoist::invariant(m, total, &body, l.consts, hoist::is_free_to_move);
        let relaxed = m.mode == FloatMode::Relaxed;
        let mut look =
            Look { sizes, relaxed, body: &body, l: &l, uses: uses(&body), fixed, room: sizes.bytes };
        let gone = EntityVec::filled(false, body.insts.len());
        let mut found =
            Found { body: body.clone(), l: l.clone(), before: vec![], after: vec![], sums: vec![], gone };
        let rows = &body.params[l.consts + l.carry..];
        for (id, inst) in body.insts.iter() {
            let product = look.product(inst).filter(|&row| rows.contains(&inst.operands[row]));
            if let Some(row) = product.filter(|_| look.makes_room([inst.results[0]])) {
                found.gone[id] = true;
                found.before.push(Product { inst: id, row });
            }
        }
        for (k, &v) in body.results.iter().enumerate().skip(l.carry) {
            let Some((id, inst)) = body.def(v) else { continue };
            if found.gone[id] || look.uses[v] > 1 {
                continue;
            }
            let product = look.product(inst);
            if let Some(row) = product.filter(|&row| look.makes_room([inst.operands[row]])) {
                found.gone[id] = true;
                found.after.push((k, Product { inst: id, row }));
            }
        }
        for (carried, &is_zero) in zeros.iter().enumerate() {
            if let Some((sum, additions)) = look.sum(carried, is_zero, &found.gone) {
                sum.products.iter().for_each(|(id, _)| found.gone[*id] = true);
                additions.iter().for_each(|&id| found.gone[id] = true);
                found.sums.push(sum);
            }
        }
        let any = !found.before.is_empty() || !found.after.is_empty() || !found.sums.is_empty();
        any.then_some(found)
    }

    /// Makes the loop and the products in `out`, and gives the loop's results.
    fn apart(&self, m: &mut Module, out: &mut Func, operands: &Values, loc: &Loc) -> Vec<Value> {
        let (body, l) = (&self.body, &self.l);
        let (fixed, mut stacks) = self.rows_before(m, out, operands);
        let is_kept = |&k: &usize| self.sum_of(k).is_none_or(|s| !s.rest.is_empty());
        let kept: Vec<usize> = (0..l.carry).filter(is_kept).collect();
        let given = self.factors_given(&stacks);
        let new = self.left(m, &kept, &given, loc);
        let results = self.run(m, out, new, &self.args(operands, &kept, &stacks), kept.len(), loc);
        let (carried, rows) = results.split_at(kept.len());
        let (rows, factors) = rows.split_at(body.results.len() - l.carry);
        given.iter().zip(factors).for_each(|(&v, &stack)| stacks[v] = Some(stack));
        let sums = (0..l.carry).map(|k| {
            let from = kept.iter().position(|&at| at == k).map(|at| carried[at]);
            let begin = from.unwrap_or(operands[l.first + l.consts + k]);
            let products = self.sum_of(k).map_or(&[][..], |s| &s.products);
            products.iter().fold(begin, |sum, (id, perm)| {
                let inst = &body.insts[*id];
                let mut product =
                    push(m, out, over_trips(inst), &mapped(&stacks, &inst.operands), &inst.loc)[0];
                if let Some(perm) = perm {
                    product = push(m, out, Transpose { perm: perm.clone() }, &[product], &inst.loc)[0];
                }
                push(m, out, BinaryOp::Add, &[sum, product], &inst.loc)[0]
            })
        });
        let mut old: Vec<Value> = sums.collect();
        let mut of = env(body);
        for (k, &row) in rows.iter().enumerate() {
            old.push(match self.product_after(l.carry + k) {
                // What is known as a whole need not be given row by row.
                None => stacks[body.results[l.carry + k]].unwrap_or(row),
                Some(product) => {
                    let inst = &body.insts[product.inst];
                    of[inst.operands[product.row]] = Some(row);
                    product.of_all(m, out, inst, &of, &fixed)
                }
            });
        }
        old
    }

    fn sum_of(&self, carried: usize) -> Option<&Sum> {
        self.sums.iter().find(|s| s.carried == carried)
    }

    fn product_after(&self, result: usize) -> Option<&Product> {
        self.after.iter().find(|(k, _)| *k == result).map(|(_, product)| product)
    }

    /// What no trip changes, outside, and the rows of all trips that are known before the loop.
    fn rows_before(&self, m: &Module, out: &mut Func, operands: &Values) -> (Env, Env) {
        let (body, l) = (&self.body, &self.l);
        let products = self.before.iter().chain(self.after.iter().map(|(_, p)| p));
        let matrices: Vec<Value> = products.map(|p| body.insts[p.inst].operands[1 - p.row]).collect();
        let fixed = hoist::outside(out, body, &operands[l.first..][..l.consts], &matrices);
        let mut stacks = env(body);
        let rows = &operands[l.first + l.consts + l.carry..];
        body.params[l.consts + l.carry..].iter().zip(rows).for_each(|(&p, &v)| stacks[p] = Some(v));
        for product in &self.before {
            let inst = &body.insts[product.inst];
            stacks[inst.results[0]] = Some(product.of_all(m, out, inst, &stacks, &fixed));
        }
        (fixed, stacks)
    }

    /// Factors of products that are summed after the loop, whose rows it has to give.
    fn factors_given(&self, stacks: &Env) -> Vec<Value> {
        let products = self.sums.iter().flat_map(|s| &s.products);
        let mut given: Vec<Value> = Vec::new();
        for &v in products.flat_map(|(id, _)| &self.body.insts[*id].operands) {
            if stacks[v].is_none() && !given.contains(&v) {
                given.push(v);
            }
        }
        given
    }

    /// The results of the products that are made before the loop.
    fn results_before(&self) -> impl Iterator<Item = Value> + '_ {
        self.before.iter().map(|p| self.body.insts[p.inst].results[0])
    }

    /// What is left of a trip: a function of constants, the carried values that are `kept`, rows, and rows of the products made before.
    fn left(&self, m: &Module, kept: &[usize], given: &[Value], loc: &Loc) -> Func {
        let (body, l) = (&self.body, &self.l);
        let mut new = Func::new(body.name.clone(), body.kind);
        let mut inside = env(body);
        let (constants, rest) = body.params.split_at(l.consts);
        let (carried, rows) = rest.split_at(l.carry);
        let params = constants.iter().copied().chain(kept.iter().map(|&k| carried[k]));
        for p in params.chain(rows.iter().copied()).chain(self.results_before()) {
            inside[p] = Some(new.param(body.ty(p).clone()));
        }
        for (id, inst) in body.insts.iter() {
            if !self.gone[id] {
                copy_inst(&mut new, body, inst, &mut inside);
            }
        }
        for &k in kept {
            let (first, terms) = match self.sum_of(k) {
                None => (body.results[k], &[][..]),
                Some(sum) => (carried[k], &sum.rest[..]),
            };
            let first = mapped(&inside, &[first])[0];
            let value = mapped(&inside, terms)
                .iter()
                .fold(first, |sum, &term| push(m, &mut new, BinaryOp::Add, &[sum, term], loc)[0]);
            new.results.push(value);
        }
        for (k, &v) in body.results.iter().enumerate().skip(l.carry) {
            let v = self.product_after(k).map_or(v, |p| body.insts[p.inst].operands[p.row]);
            new.results.push(mapped(&inside, &[v])[0]);
        }
        new.results.extend(mapped(&inside, given));
        new
    }

    /// What the loop over what is left is of.
    fn args(&self, operands: &Values, kept: &[usize], stacks: &Env) -> Values {
        let l = &self.l;
        let mut args: Values = operands[..l.first + l.consts].into();
        args.extend(kept.iter().map(|&k| operands[l.first + l.consts + k]));
        args.extend_from_slice(&operands[l.first + l.consts + l.carry..]);
        args.extend(self.results_before().map(|v| stacks[v].expect("made before")));
        args
    }

    /// The results of that loop, which carries so many values.
    fn run(
        &self,
        m: &mut Module,
        out: &mut Func,
        left: Func,
        args: &Values,
        carry: usize,
        loc: &Loc,
    ) -> Vec<Value> {
        let length = self.l.length();
        let type_of = |(k, &r): (usize, &Value)| -> Type {
            if k < carry { left.ty(r).clone() } else { left.tensor(r).stacked(length).into() }
        };
        let types: Vec<Type> = left.results.iter().enumerate().map(type_of).collect();
        let op = Loop { body: m.add(left), carry, ..self.l.clone() }.op();
        out.push_typed(op, args, types, loc.clone()).into_iter().collect()
    }
}

impl Product {
    /// Its rows of all trips, from those of the factor that changes.
    fn of_all(&self, m: &Module, out: &mut Func, inst: &Inst, rows: &Env, fixed: &Env) -> Value {
        let Op::DotGeneral(dot) = &inst.op else { unreachable!("it is a product") };
        let later = |dims: &Dims| -> Dims { dims.iter().map(|d| d + 1).collect() };
        let mut all = if self.row == 0 { DotGeneral::clone(dot) } else { dot.swapped() };
        all.lhs_batching_dims = later(&all.lhs_batching_dims);
        all.lhs_contracting_dims = later(&all.lhs_contracting_dims);
        let batches = all.lhs_batching_dims.len();
        let (row, matrix) = (inst.operands[self.row], inst.operands[1 - self.row]);
        let factors = [(rows, row), (fixed, matrix)].map(|(env, v)| env[v].expect("made before"));
        let rank = out.tensor(factors[0]).rank();
        let of_row = rank - batches - all.lhs_contracting_dims.len();
        let value = push(m, out, all, &factors, &inst.loc)[0];
        let rank = out.tensor(value).rank();
        // Batches, trips, the row's own dimensions, the matrix's.
        let (own, others) = (batches + 1..batches + of_row, batches + of_row..rank);
        let head = std::iter::once(batches).chain(0..batches);
        let perm: Dims = if self.row == 0 {
            head.chain(own).chain(others).collect()
        } else {
            head.chain(others).chain(own).collect()
        };
        if perm.iter().copied().eq(0..rank) {
            return value;
        }
        push(m, out, Transpose { perm }, &[value], &inst.loc)[0]
    }
}

/// The product of the rows of all trips, summed over trips.
fn over_trips(inst: &Inst) -> DotGeneral {
    let Op::DotGeneral(dot) = &inst.op else { unreachable!("it is a product") };
    let mut all = DotGeneral::clone(dot);
    let DotGeneral {
        lhs_batching_dims, rhs_batching_dims, lhs_contracting_dims, rhs_contracting_dims, ..
    } = &mut all;
    for dims in [lhs_batching_dims, rhs_batching_dims, &mut *lhs_contracting_dims, &mut *rhs_contracting_dims]
    {
        dims.iter_mut().for_each(|d| *d += 1);
    }
    all.lhs_contracting_dims.insert(0, 0);
    all.rhs_contracting_dims.insert(0, 0);
    all
}

/// A look at a loop.
struct Look<'a> {
    sizes: &'a Sizes,
    body: &'a Func,
    l: &'a Loop,
    uses: EntityVec<Value, u32>,
    fixed: EntityVec<Value, bool>,
    /// Whether sums may be reordered.
    relaxed: bool,
    /// Bytes of rows that the loop may still give or be given.
    room: usize,
}

impl Look<'_> {
    /// Which factor of an instruction changes, if it is a product with a matrix that does not, and may leave the loop.
    fn product(&self, inst: &Inst) -> Option<usize> {
        let Op::DotGeneral(dot) = &inst.op else { return None };
        let row = (0..2).find(|&k| !self.fixed[inst.operands[k]] && self.fixed[inst.operands[1 - k]])?;
        let contracted = if row == 0 { &dot.lhs_contracting_dims } else { &dot.rhs_contracting_dims };
        let (factor, matrix) = (inst.operands[row], inst.operands[1 - row]);
        let terms = self.size(factor, contracted)?;
        let batching = if row == 0 { &dot.lhs_batching_dims } else { &dot.rhs_batching_dims };
        let batches = self.size(factor, batching)?;
        let rows = self.elements(factor)?.checked_div(terms.checked_mul(batches)?)?;
        let pays = self.elements(matrix)? >= self.sizes.matrix && rows <= self.sizes.rows;
        (dot.dtype.is_float() && has_one_type(self.body, inst) && pays).then_some(row)
    }

    /// What is added to a carried value and may be summed after the loop, and the additions.
    fn sum(
        &mut self,
        carried: usize,
        is_zero: bool,
        gone: &EntityVec<InstId, bool>,
    ) -> Option<(Sum, Vec<InstId>)> {
        let param = self.body.params[self.l.consts + carried];
        let mut sum = Sum { carried, products: vec![], rest: vec![] };
        let mut additions = Vec::new();
        let mut begins = false;
        let mut work = vec![self.body.results[carried]];
        while let Some(v) = work.pop() {
            if v == param && self.uses[v] == 1 {
                begins = true;
                continue;
            }
            let made = |v: Value| self.body.def(v).filter(|(id, _)| self.uses[v] == 1 && !gone[*id]);
            if let Some((id, inst)) = made(v)
                && inst.op == Op::Binary(BinaryOp::Add)
            {
                additions.push(id);
                work.extend(inst.operands.iter().rev());
                continue;
            }
            let turned = made(v).and_then(|(id, inst)| {
                let Op::Transpose(t) = &inst.op else { return None };
                Some((id, inst.operands[0], t.perm.clone()))
            });
            let of = turned.as_ref().map_or(v, |t| t.1);
            match made(of).filter(|(_, inst)| self.is_term(inst).unwrap_or(false)) {
                None => sum.rest.push(v),
                Some((id, _)) => {
                    additions.extend(turned.as_ref().map(|t| t.0));
                    sum.products.push((id, turned.map(|t| t.2)));
                }
            }
        }
        let is_contraction = is_zero && sum.rest.is_empty() || self.relaxed;
        if !begins || sum.products.is_empty() || !is_contraction {
            return None;
        }
        let factors: Vec<Value> =
            sum.products.iter().flat_map(|(id, _)| self.body.insts[*id].operands.iter().copied()).collect();
        self.makes_room(factors).then_some((sum, additions))
    }

    /// Whether a product may be summed over trips after the loop.
    fn is_term(&self, inst: &Inst) -> Option<bool> {
        let Op::DotGeneral(dot) = &inst.op else { return None };
        let [lhs, rhs] = [inst.operands[0], inst.operands[1]];
        let rows = self.size(lhs, &dot.lhs_contracting_dims)?;
        let result = self.elements(inst.results[0])?;
        // Sums of narrower floats are rounded on each trip.
        let is_wide = matches!(dot.dtype, DType::F32 | DType::F64);
        let pays = result >= self.sizes.matrix
            && result.checked_mul(dot.dtype.size())? <= self.sizes.bytes
            && rows <= self.sizes.rows;
        Some(is_wide && has_one_type(self.body, inst) && !self.fixed[lhs] && !self.fixed[rhs] && pays)
    }

    fn elements(&self, v: Value) -> Option<usize> {
        self.body.tensor(v).checked_elements()
    }

    fn size(&self, v: Value, dims: &Dims) -> Option<usize> {
        let shape = &self.body.tensor(v).shape;
        dims.iter().map(|&d| shape[d]).try_fold(1usize, usize::checked_mul)
    }

    /// Takes room for the rows of all trips of some values. False, and nothing taken, if there is not enough.
    fn makes_room(&mut self, values: impl IntoIterator<Item = Value>) -> bool {
        let bytes = values.into_iter().try_fold(0usize, |sum, v| {
            let row = self.elements(v)?.checked_mul(self.body.tensor(v).dtype.size())?;
            sum.checked_add(row.checked_mul(self.l.length())?)
        });
        let left = bytes.and_then(|bytes| self.room.checked_sub(bytes));
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }
}
