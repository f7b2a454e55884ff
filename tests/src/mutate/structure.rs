//! Changes of a program's structure. What follows a change is made to fit again with conversions, paddings and constants, so
//! that most mutants are programs; some are left as they fall.

use smallvec::SmallVec;
use std::sync::Arc;
use wengert_ir::array::Literal;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, FuncId, FuncKind, InstId, Loc, Module, Value};
use wengert_ir::op::*;
use wengert_ir::testing::{Random, SPECIAL};
use wengert_ir::types::{DType, DTypeClass, Dims, TensorType, Type};

/// Sizes of dimensions: some that fit, some that no machine has.
const SIZES: &[usize] = &[0, 1, 1, 2, 3, 4, 7, 16, 17, 40, 0, 1, 2, 5, 9];
const HUGE: &[usize] =
    &[1 << 20, 1 << 31, (1 << 31) - 1, 1 << 33, 1 << 40, 1 << 61, 1 << 62, (1 << 62) + 1, (1 << 63) - 1];

/// The program with one thing changed, and its function.
pub(super) fn changed(module: &Module, func: FuncId, random: &mut Random) -> (Module, FuncId) {
    let mut module = module.clone();
    let all = reachable(&module, func);
    let wrapped = match random.below(14) {
        0 => in_loop(&mut module, func, random),
        1 => in_case(&mut module, func, random),
        _ => None,
    };
    if let Some(func) = wrapped {
        return (module, func);
    }
    // Bodies of loops and branches as often as the function itself.
    let at = if random.chance(50) { func } else { all[random.below(all.len())] };
    let old = module.get(at);
    let repair = random.chance(85);
    let edit = Edit::any(&module, at, &old, at == func, random);
    let mut rebuild = Rebuild {
        module: &module,
        old: &old,
        new: Func::new(old.name.clone(), old.kind),
        map: EntityVec::filled(None, old.values.len()),
        random,
        repair,
    };
    if rebuild.run(&edit, at == func).is_some() {
        let new = rebuild.new;
        module.funcs[at] = Arc::new(new);
    }
    (module, func)
}

fn reachable(module: &Module, func: FuncId) -> Vec<FuncId> {
    let mut all = vec![func];
    let mut next = 0;
    while next < all.len() {
        for callee in module.get(all[next]).insts.values().flat_map(|i| i.op.callees()) {
            if !all.contains(&callee) {
                all.push(callee);
            }
        }
        next += 1;
    }
    all
}

/// What is changed.
enum Edit {
    /// An operand of an instruction is another value, or a constant.
    Operand(InstId, usize),
    /// Two operands change places.
    Swap(InstId, usize, usize),
    /// An instruction has another operation.
    Op(InstId, Box<Op>),
    /// An instruction is left out.
    Delete(InstId),
    /// An instruction is there twice, and what follows reads either.
    Double(InstId),
    /// A new instruction before this one; what follows may read it in place of another value.
    Insert(InstId),
    /// A parameter has another type.
    Param(usize, TensorType),
    /// The function returns other values.
    Results,
}

impl Edit {
    fn any(module: &Module, at: FuncId, func: &Func, outer: bool, random: &mut Random) -> Edit {
        let count = func.insts.len();
        if count == 0 || random.chance(8) {
            return Edit::Results;
        }
        let params: Vec<usize> =
            (0..func.params.len()).filter(|&k| func.ty(func.params[k]).as_tensor().is_some()).collect();
        if !params.is_empty() && random.chance(if outer { 12 } else { 3 }) {
            let k = params[random.below(params.len())];
            let ty = func.tensor(func.params[k]);
            return Edit::Param(k, another_type(ty, random));
        }
        let id = InstId::from_index(random.below(count));
        let inst = &func.insts[id];
        let operands = inst.operands.len();
        match random.below(20) {
            0..=3 if operands > 0 => Edit::Operand(id, random.below(operands)),
            4 if operands > 1 => Edit::Swap(id, random.below(operands), random.below(operands)),
            5 => Edit::Delete(id),
            6 => Edit::Double(id),
            7..=10 => Edit::Insert(id),
            _ => {
                // An instruction with attributes, if a few tries find one.
                let with = (0..6).map(|_| InstId::from_index(random.below(count))).collect::<Vec<_>>();
                let id = with.into_iter().find(|&i| !func.insts[i].op.attrs().is_empty()).unwrap_or(id);
                match another_op(module, at, &func.insts[id].op, random) {
                    Some(op) => Edit::Op(id, Box::new(op)),
                    None => Edit::Insert(id),
                }
            }
        }
    }
}

/// A size nearby, or from the lists.
fn another_size(size: usize, random: &mut Random) -> usize {
    match random.below(16) {
        0..=3 => size.wrapping_add(1),
        4..=6 => size.saturating_sub(1),
        7 => size.wrapping_mul(2),
        8 => random.pick(HUGE),
        _ => random.pick(SIZES),
    }
}

fn another_type(ty: &TensorType, random: &mut Random) -> TensorType {
    let mut ty = ty.clone();
    match random.below(10) {
        0..=3 => ty.dtype = random.pick(DType::ALL),
        4..=6 if ty.rank() > 0 => {
            let d = random.below(ty.rank());
            ty.shape[d] = another_size(ty.shape[d], random);
        }
        7 if ty.rank() > 0 => {
            ty.shape.remove(random.below(ty.rank()));
        }
        8 => ty.shape.insert(random.below(ty.rank() + 1), random.pick(SIZES)),
        _ if ty.rank() > 1 => {
            let (a, b) = (random.below(ty.rank()), random.below(ty.rank()));
            ty.shape.swap(a, b);
        }
        _ => ty.shape.push(random.pick(&[1, 1, 2, 0])),
    }
    ty
}

fn another_int(v: i64, random: &mut Random) -> i64 {
    match random.below(14) {
        0..=2 => v.wrapping_add(1),
        3..=5 => v.wrapping_sub(1),
        6 => v.wrapping_mul(2),
        7 => v.wrapping_neg(),
        8 => 0,
        9 => 1,
        10 => random.pick(&[3, 7, 16, 100]),
        11 => -1,
        _ => random.pick(&[1 << 31, (1 << 31) - 1, 1 << 40, i64::MAX, i64::MIN, i64::MAX - 1, 1 << 62]),
    }
}

/// The words of every attribute.
fn all_words() -> Vec<&'static str> {
    let mut words: Vec<&'static str> = BinaryOp::ALL.iter().map(|w| w.name()).collect();
    words.extend(Direction::ALL.iter().map(|w| w.name()));
    words.extend(CompareType::ALL.iter().map(|w| w.name()));
    words.extend(Precision::ALL.iter().map(|w| w.name()));
    words.extend(FftType::ALL.iter().map(|w| w.name()));
    words.extend(TransposeA::ALL.iter().map(|w| w.name()));
    words.extend(SvdMode::ALL.iter().map(|w| w.name()));
    words.extend(RngAlgorithm::ALL.iter().map(|w| w.name()));
    words.extend(RngDistribution::ALL.iter().map(|w| w.name()));
    words
}

/// The operation with another attribute, or another of its family.
fn another_op(module: &Module, at: FuncId, op: &Op, random: &mut Random) -> Option<Op> {
    match op {
        Op::Unary(_) => return Some(random.pick(UnaryOp::ALL).into()),
        Op::Binary(_) => return Some(random.pick(BinaryOp::ALL).into()),
        _ => {}
    }
    let attrs = op.attrs();
    if attrs.is_empty() {
        return None;
    }
    let words = all_words();
    for _ in 0..40 {
        let mut values: Vec<Attr> = attrs.iter().map(|(_, a)| a.clone()).collect();
        let k = random.below(values.len());
        match &mut values[k] {
            Attr::Int(v) => *v = another_int(*v, random),
            Attr::Ints(v) => another_list(v, random),
            Attr::Bool(b) => *b = !*b,
            Attr::Word(w) => *w = random.pick(&words),
            Attr::DType(d) => *d = random.pick(DType::ALL),
            Attr::Type(ty) => *ty = another_type(ty, random),
            Attr::Literal(l) => *l = another_literal(l, random),
            Attr::Func(f) => *f = another_func(module, at, *f, random),
            Attr::Funcs(all) => match random.below(4) {
                0 if !all.is_empty() => {
                    all.remove(random.below(all.len()));
                }
                1 if !all.is_empty() => all.push(all[random.below(all.len())]),
                2 if all.len() > 1 => all.reverse(),
                _ => {
                    for f in all.iter_mut() {
                        *f = another_func(module, at, *f, random);
                    }
                }
            },
            Attr::Text(_) | Attr::Types(_) | Attr::Host(_) => continue,
        }
        if let Ok(new) = Op::build(op.name(), &values)
            && new != *op
        {
            return Some(new);
        }
    }
    None
}

fn another_list(list: &mut SmallVec<[i64; 4]>, random: &mut Random) {
    let n = list.len();
    match random.below(8) {
        0 if n > 1 => list.swap(0, n - 1),
        1 if n > 0 => {
            list.remove(random.below(n));
        }
        2 => list.insert(random.below(n + 1), random.pick(&[0, 1, 2, -1])),
        3 if n > 1 => {
            let (a, b) = (random.below(n), random.below(n));
            list[a] = list[b];
        }
        _ if n > 0 => {
            let k = random.below(n);
            list[k] = another_int(list[k], random);
        }
        _ => list.push(0),
    }
}

/// A function of as many parameters and results, which does not come back to the one that it is for.
fn another_func(module: &Module, at: FuncId, func: FuncId, random: &mut Random) -> FuncId {
    let old = module.get(func);
    let like = |f: &Func| f.params.len() == old.params.len() && f.results.len() == old.results.len();
    let all: Vec<FuncId> = module.funcs.iter().filter(|(_, f)| like(f)).map(|(id, _)| id).collect();
    let new = all[random.below(all.len())];
    if reachable(module, new).contains(&at) { func } else { new }
}

fn special(random: &mut Random, dtype: DType) -> Vec<u8> {
    match dtype.class() {
        DTypeClass::Float => {
            Literal::splat(TensorType::scalar(dtype), random.pick(SPECIAL)).stored_bytes().to_vec()
        }
        DTypeClass::Complex => [special(random, dtype.part()), special(random, dtype.part())].concat(),
        DTypeClass::Bool => vec![random.below(2) as u8],
        DTypeClass::Signed | DTypeClass::Unsigned => {
            let lowest = -((1u128 << (dtype.bits() - 1)) as f64);
            let numbers =
                [0.0, 1.0, 2.0, 3.0, 5.0, 7.0, -1.0, -2.0, lowest, -lowest - 1.0, -2.0 * lowest - 1.0];
            Literal::splat(TensorType::scalar(dtype), random.pick(&numbers)).stored_bytes().to_vec()
        }
    }
}

fn another_literal(literal: &Literal, random: &mut Random) -> Literal {
    let ty = literal.ty().clone();
    let element = special(random, ty.dtype);
    if literal.as_splat().is_some() || ty.shape.contains(&0) || random.chance(20) {
        return match random.below(4) {
            0 => {
                let ty = another_type(&ty, random);
                let element = special(random, ty.dtype);
                Literal::splat_bytes(ty, &element)
            }
            _ => Literal::splat_bytes(ty, &element),
        };
    }
    let mut array = literal.to_array();
    let at = random.below(ty.elements()) * element.len();
    array.bytes_mut()[at..at + element.len()].copy_from_slice(&element);
    Literal::from_array(&array)
}

/// A function while it is written anew.
struct Rebuild<'a> {
    module: &'a Module,
    old: &'a Func,
    new: Func,
    map: EntityVec<Value, Option<Value>>,
    random: &'a mut Random,
    /// Whether what does not fit is made to fit.
    repair: bool,
}

impl Rebuild<'_> {
    /// `None` if nothing comes of it.
    fn run(&mut self, edit: &Edit, outer: bool) -> Option<()> {
        let old = self.old;
        for (k, &p) in old.params.iter().enumerate() {
            let ty = match edit {
                Edit::Param(at, ty) if *at == k => ty.clone().into(),
                _ => old.ty(p).clone(),
            };
            self.map[p] = Some(self.new.param(ty));
        }
        self.new.param_names = old.param_names.clone();
        for (id, inst) in old.insts.iter() {
            let mut operands: Vec<Value> =
                inst.operands.iter().map(|&v| self.map[v].expect("in order")).collect();
            let mut op = inst.op.clone();
            match edit {
                Edit::Operand(at, k) if *at == id => operands[*k] = self.another_value(operands[*k])?,
                Edit::Swap(at, a, b) if *at == id => operands.swap(*a, *b),
                Edit::Op(at, new) if *at == id => op = Op::clone(new),
                Edit::Double(at) if *at == id => {
                    self.add(op.clone(), operands.clone(), inst)?;
                }
                Edit::Insert(at) if *at == id => self.insert(),
                Edit::Delete(at) if *at == id => {
                    for &r in &inst.results {
                        let v = match operands.first() {
                            Some(&v) if self.random.chance(50) => self.adapt(v, old.ty(r))?,
                            _ => self.stand_in(old.ty(r))?,
                        };
                        self.map[r] = Some(v);
                    }
                    continue;
                }
                _ => {}
            }
            let results = self.add(op, operands, inst)?;
            for (k, &r) in inst.results.iter().enumerate() {
                // Another operation may give fewer.
                let v = results.get(k).copied();
                self.map[r] = Some(match v {
                    Some(v) => v,
                    None => self.stand_in(old.ty(r))?,
                });
            }
        }
        let mut results: Vec<Value> = Vec::new();
        for &r in &old.results {
            let v = self.map[r].expect("defined");
            results.push(if outer { v } else { self.adapt(v, old.ty(r))? });
        }
        if matches!(edit, Edit::Results) && !self.new.values.is_empty() {
            let all: Vec<Value> = self.new.values.keys().collect();
            let v = self.random.pick(&all);
            match self.random.below(4) {
                0 if results.len() > 1 => {
                    results.remove(self.random.below(results.len()));
                }
                1 if !results.is_empty() => {
                    let k = self.random.below(results.len());
                    results[k] = if outer { v } else { self.adapt(v, old.ty(old.results[k]))? };
                }
                _ if outer => results.push(v),
                _ => {}
            }
        }
        self.new.results = results;
        Some(())
    }

    /// Adds an instruction. What it refuses is made to fit, or replaced by constants, or taken as it is.
    fn add(&mut self, op: Op, operands: Vec<Value>, inst: &wengert_ir::func::Inst) -> Option<Vec<Value>> {
        let old: Vec<Type> = inst.results.iter().map(|&r| self.old.ty(r).clone()).collect();
        if let Some(results) = self.push(&op, &operands) {
            return Some(results);
        }
        if !self.repair {
            return Some(self.new.push_typed(op, &operands, old, Loc::Unknown).to_vec());
        }
        let before = self.old;
        let mut fitting = Vec::new();
        for (&v, &old) in operands.iter().zip(&inst.operands) {
            fitting.push(self.adapt(v, before.ty(old))?);
        }
        if let Some(results) = self.push(&op, &fitting) {
            return Some(results);
        }
        old.iter().map(|ty| self.stand_in(ty)).collect()
    }

    /// Adds an instruction unless it refuses its operands.
    fn push(&mut self, op: &Op, operands: &[Value]) -> Option<Vec<Value>> {
        let types: Vec<Type> = operands.iter().map(|&v| self.new.ty(v).clone()).collect();
        let results = op.def().infer(self.module, &types).ok()?;
        Some(self.new.push_typed(op.clone(), operands, results, Loc::Unknown).to_vec())
    }

    fn one(&mut self, op: impl Into<Op>, operands: &[Value]) -> Option<Value> {
        self.push(&op.into(), operands)?.first().copied()
    }

    fn literal(&mut self, value: Literal) -> Value {
        let ty = Type::Tensor(value.ty().clone());
        self.new.push_typed(Constant { value }.into(), &[], [ty], Loc::Unknown)[0]
    }

    /// A value of a type made from another.
    fn adapt(&mut self, v: Value, wanted: &Type) -> Option<Value> {
        if self.new.ty(v) == wanted {
            return Some(v);
        }
        let (Some(have), Some(want)) = (self.new.ty(v).as_tensor().cloned(), wanted.as_tensor()) else {
            return self.stand_in(wanted);
        };
        if !have.is_static() || !want.is_static() {
            return self.stand_in(wanted);
        }
        self.fitted(v, &have, want).or_else(|| self.stand_in(wanted))
    }

    fn fitted(&mut self, v: Value, have: &TensorType, want: &TensorType) -> Option<Value> {
        let v = match (have.dtype == want.dtype, have.dtype.is_complex() && !want.dtype.is_complex()) {
            (true, _) => v,
            (false, true) => {
                let part = self.one(UnaryOp::Real, &[v])?;
                self.one(Convert { dtype: want.dtype }, &[part])?
            }
            (false, false) => self.one(Convert { dtype: want.dtype }, &[v])?,
        };
        if have.shape == want.shape {
            return Some(v);
        }
        if have.checked_elements()? == want.checked_elements()? {
            return self.one(Reshape { shape: want.shape.clone() }, &[v]);
        }
        if have.elements() == 1 {
            let scalar = self.one(Reshape { shape: Dims::new() }, &[v])?;
            return self.one(BroadcastInDim { shape: want.shape.clone(), dims: Dims::new() }, &[scalar]);
        }
        if have.rank() == want.rank() {
            let zero = self.literal(Literal::splat(TensorType::scalar(want.dtype), 0.0));
            let high = have.shape.iter().zip(&want.shape).map(|(&h, &w)| w as i64 - h as i64).collect();
            let none = || have.shape.iter().map(|_| 0).collect();
            return self.one(Pad { low: none(), high, interior: none() }, &[v, zero]);
        }
        None
    }

    /// Any value of a type.
    fn stand_in(&mut self, ty: &Type) -> Option<Value> {
        let same: Vec<Value> = self.new.values.iter().filter(|(_, d)| d.ty == *ty).map(|(v, _)| v).collect();
        if !same.is_empty() && self.random.chance(60) {
            return Some(self.random.pick(&same));
        }
        match ty.as_tensor().filter(|t| t.is_static()) {
            Some(t) => {
                let number = self.random.pick(&[0.0, 1.0, 1.0, -1.0, 2.5]);
                Some(self.literal(Literal::splat(t.clone(), number)))
            }
            None => same.first().copied(),
        }
    }

    /// A value in place of another: any, one of the same type, or a constant of extreme elements.
    fn another_value(&mut self, v: Value) -> Option<Value> {
        let all: Vec<Value> = self.new.values.keys().collect();
        let ty = self.new.ty(v).clone();
        match self.random.below(5) {
            0 => Some(self.random.pick(&all)),
            1 | 2 => {
                let other = self.random.pick(&all);
                self.adapt(other, &ty)
            }
            _ => {
                let Some(t) = ty.as_tensor().filter(|t| t.is_static()) else {
                    return Some(self.random.pick(&all));
                };
                let t = if self.random.chance(30) { another_type(t, self.random) } else { t.clone() };
                let element = special(self.random, t.dtype);
                Some(self.literal(Literal::splat_bytes(t, &element)))
            }
        }
    }

    /// A new instruction; some value of its type is replaced by it in what follows.
    fn insert(&mut self) {
        let all: Vec<Value> =
            self.new.values.iter().filter(|(_, d)| d.ty.as_tensor().is_some()).map(|(v, _)| v).collect();
        if all.is_empty() {
            return;
        }
        let x = self.random.pick(&all);
        let Some(v) = self.fresh(x, &all) else { return };
        let ty = self.new.ty(v).clone();
        let olds: Vec<Value> = self.map.iter().filter(|(_, m)| m.is_some()).map(|(v, _)| v).collect();
        let same: Vec<Value> = olds.iter().copied().filter(|&o| *self.old.ty(o) == ty).collect();
        let at = if !same.is_empty() && self.random.chance(80) { same } else { olds };
        if !at.is_empty() {
            let at = self.random.pick(&at);
            self.map[at] = Some(v);
        }
    }

    fn fresh(&mut self, x: Value, all: &[Value]) -> Option<Value> {
        let ty = self.new.tensor(x).clone();
        let y = self.random.pick(all);
        let scalar = TensorType::scalar(ty.dtype);
        match self.random.below(16) {
            0..=2 => {
                let op = self.random.pick(UnaryOp::ALL);
                self.one(op, &[x])
            }
            3..=5 => {
                let (op, y) = (self.random.pick(BinaryOp::ALL), self.adapt(y, &ty.into())?);
                self.one(op, &[x, y])
            }
            6 => {
                let dtype = self.random.pick(DType::ALL);
                self.one(Convert { dtype }, &[x])
            }
            7 => {
                let y = self.adapt(y, &ty.clone().into())?;
                let direction = self.random.pick(Direction::ALL);
                self.one(Compare { direction, kind: CompareType::natural(ty.dtype) }, &[x, y])
            }
            8 => {
                let op = self.random.pick(&[
                    BinaryOp::Add,
                    BinaryOp::Multiply,
                    BinaryOp::Maximum,
                    BinaryOp::Minimum,
                    BinaryOp::And,
                    BinaryOp::Or,
                ]);
                let dims: Dims = (0..ty.rank()).filter(|_| self.random.chance(60)).collect();
                let element = special(self.random, ty.dtype);
                let init = self.literal(Literal::splat_bytes(scalar, &element));
                self.one(Reduce { dims, inputs: 1, reducer: Reducer::Op(op) }, &[x, init])
            }
            9 => self.one(Transpose { perm: (0..ty.rank()).rev().collect() }, &[x]),
            10 => {
                let dims = (0..ty.rank()).filter(|_| self.random.chance(50)).collect();
                self.one(Reverse { dims }, &[x])
            }
            11 => {
                let amount = |random: &mut Random| match random.below(12) {
                    0 => another_int(0, random),
                    n => n as i64 - 6,
                };
                let low = (0..ty.rank()).map(|_| amount(&mut *self.random)).collect();
                let high = (0..ty.rank()).map(|_| amount(&mut *self.random)).collect();
                let interior = (0..ty.rank()).map(|_| self.random.below(3) as i64).collect();
                let element = special(self.random, ty.dtype);
                let value = self.literal(Literal::splat_bytes(scalar, &element));
                self.one(Pad { low, high, interior }, &[x, value])
            }
            12 => {
                let dim = self.random.below(ty.rank().max(1));
                self.one(Concatenate { dim }, &[x, x])
            }
            13 | 14 => {
                let (dtype, update) = (self.random.pick(INDICES), self.random.chance(50));
                let sizes: Dims = ty.shape.iter().map(|&n| self.random.below(n.min(1 << 30) + 1)).collect();
                let mut operands = vec![x];
                if update {
                    let ty = Type::Tensor(ty.with_shape(&sizes));
                    operands.push(self.adapt(y, &ty)?);
                }
                for _ in 0..ty.rank() {
                    let element = special(self.random, dtype);
                    operands.push(self.literal(Literal::splat_bytes(TensorType::scalar(dtype), &element)));
                }
                match update {
                    true => self.one(DynamicUpdateSlice {}, &operands),
                    false => self.one(DynamicSlice { sizes }, &operands),
                }
            }
            _ => {
                let rows = *ty.shape.first()?;
                let (dtype, count) = (self.random.pick(INDICES), 1 + self.random.below(4));
                let mut starts = Vec::new();
                (0..count).for_each(|_| starts.extend(special(self.random, dtype)));
                let starts =
                    wengert_ir::array::Array::from_bytes(TensorType::new(dtype, &[count, 1]), &starts);
                let starts = self.literal(Literal::from_array(&starts));
                let mut slice_sizes = ty.shape.clone();
                let collapsed = self.random.chance(70);
                slice_sizes[0] = if collapsed { 1 } else { self.random.below(rows.min(1 << 30) + 1) };
                let gather = Gather {
                    offset_dims: (1..=ty.rank() - collapsed as usize).collect(),
                    collapsed_slice_dims: if collapsed { Dims::from_slice(&[0]) } else { Dims::new() },
                    operand_batching_dims: Dims::new(),
                    start_indices_batching_dims: Dims::new(),
                    start_index_map: Dims::from_slice(&[0]),
                    index_vector_dim: 1,
                    slice_sizes,
                    indices_are_sorted: false,
                };
                self.one(gather, &[x, starts])
            }
        }
    }
}

/// Element types of indices.
const INDICES: &[DType] = &[DType::I32, DType::I64, DType::I8, DType::U8, DType::U64, DType::I16, DType::U32];

/// A program that runs the function in a loop, on what it gave before.
fn in_loop(module: &mut Module, func: FuncId, random: &mut Random) -> Option<FuncId> {
    let inner = module.get(func);
    let params: Option<Vec<TensorType>> =
        inner.param_types().iter().map(|t| t.as_tensor().filter(|t| t.is_static()).cloned()).collect();
    let params = params?;
    let dtype = random.pick(&[DType::I32, DType::I32, DType::I64, DType::I8, DType::U8, DType::U32]);
    let counter = TensorType::scalar(dtype);
    let trips = random.pick(&[0.0, 1.0, 2.0, 3.0, 5.0, -1.0]);
    let signature = || std::iter::once(&counter).chain(&params).cloned().collect::<Vec<_>>();
    let cond = written(module, FuncKind::Region, &signature(), random, |r, v| {
        let end = r.literal(Literal::splat(counter.clone(), trips));
        let direction = if r.random.chance(80) { Direction::Lt } else { Direction::Ne };
        Some(vec![r.one(Compare { direction, kind: CompareType::natural(dtype) }, &[v[0], end])?])
    })?;
    let body = written(module, FuncKind::Region, &signature(), random, |r, v| {
        let one = r.literal(Literal::splat(counter.clone(), 1.0));
        let mut out = vec![r.one(BinaryOp::Add, &[v[0], one])?];
        let results = r.new.inline(&inner, &v[1..]);
        for (k, ty) in params.iter().enumerate() {
            let from = results.get(k).copied().filter(|_| r.random.chance(80)).unwrap_or(v[k + 1]);
            out.push(r.adapt(from, &ty.clone().into())?);
        }
        Some(out)
    })?;
    written(module, FuncKind::Public, &params.clone(), random, |r, v| {
        let start = r.literal(Literal::splat(counter.clone(), 0.0));
        let operands: Vec<Value> = std::iter::once(start).chain(v.iter().copied()).collect();
        r.push(&While { cond, body, consts: 0, stacks: 0, counted: false }.into(), &operands)
    })
}

/// A program that runs the function in one branch and gives something else in the other.
fn in_case(module: &mut Module, func: FuncId, random: &mut Random) -> Option<FuncId> {
    let inner = module.get(func);
    let tensors = |types: Vec<Type>| -> Option<Vec<TensorType>> {
        types.iter().map(|t| t.as_tensor().filter(|t| t.is_static()).cloned()).collect()
    };
    let (params, results) = (tensors(inner.param_types())?, tensors(inner.result_types())?);
    let mut branches = Vec::new();
    for k in 0..1 + random.below(3) {
        branches.push(written(module, FuncKind::Region, &params, random, |r, v| {
            if k == 0 {
                return Some(r.new.inline(&inner, v));
            }
            let stand_in = |ty: &TensorType| match v.is_empty() {
                true => r.stand_in(&ty.clone().into()),
                false => {
                    let v = r.random.pick(v);
                    r.adapt(v, &ty.clone().into())
                }
            };
            results.iter().map(stand_in).collect()
        })?);
    }
    let index = TensorType::scalar(DType::I32);
    let signature: Vec<TensorType> = std::iter::once(&index).chain(&params).cloned().collect();
    written(module, FuncKind::Public, &signature, random, |r, v| r.push(&Case { branches }.into(), v))
}

/// Adds a function that `make` fills.
fn written(
    module: &mut Module,
    kind: FuncKind,
    params: &[TensorType],
    random: &mut Random,
    make: impl FnOnce(&mut Rebuild<'_>, &[Value]) -> Option<Vec<Value>>,
) -> Option<FuncId> {
    let name = if kind == FuncKind::Region { String::new() } else { format!("m{}", module.funcs.len()) };
    let none = Func::default();
    let mut rebuild = Rebuild {
        module,
        old: &none,
        new: Func::new(name, kind),
        map: EntityVec::new(),
        random,
        repair: true,
    };
    let params: Vec<Value> = params.iter().map(|t| rebuild.new.param(t.clone())).collect();
    let results = make(&mut rebuild, &params)?;
    let mut new = rebuild.new;
    new.results = results;
    Some(module.add(new))
}
