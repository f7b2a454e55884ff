//! `vmap`: a function of examples as one of batches.
//!
//! A value of the new function is *mapped* if it differs from example to example: it has one dimension more, anywhere
//! ([`wengert_ir::ops::batching`]). What no example changes is computed once, as it was. An operation on something mapped goes
//! by the rule beside it ([`OpDef::batch`](wengert_ir::rules::OpDef::batch)); one without a rule by what it expands into, or is
//! differentiated through ([`decomposition`](wengert_ir::ops::decomposition)); and what has neither is run example by example, by
//! a `scan` over the batch ([`looped`](Batcher::looped)). Functions that operations refer to are mapped with choices
//! ([`control`]), [`loops`] and custom derivatives ([`custom`]), once for each choice of mapped parameters; their mapped
//! parameters and results have the examples in front.

mod axis;
mod control;
mod custom;
mod loops;
mod masks;

use crate::error::TransformError;
use crate::expansion::{Body, expansion, value};
use crate::inline::callees_first;
use crate::rewrite::push;
use rustc_hash::FxHashMap;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value};
use wengert_ir::host::Batching;
use wengert_ir::op::{Call, Checkpoint, Kind, LinearSolve, Op, Root, Scan, Text};
use wengert_ir::ops::batching::at;
use wengert_ir::ops::decomposition::{Through, through};
use wengert_ir::rules::{Batched, Emit, Mapped, Term};
use wengert_ir::types::{TensorType, Type};

/// `func` on a batch of `size` examples: `mapped` says for each parameter which dimension the examples are along, `out` for
/// each result which it shall be. A parameter without one is the same for all examples, as a result without one must be.
/// `axis` is the name by which the function speaks of the batch, if it does ([`wengert_ir::op::Collective`]).
///
/// Fails where a result differs from example to example that must not, and where something is of a size that is known at run
/// time only.
pub fn vmap(
    m: &mut Module,
    func: FuncId,
    mapped: &[Option<usize>],
    size: usize,
    out: &[Option<usize>],
    axis: Option<&str>,
) -> Result<FuncId, TransformError> {
    vmap_at(m, func, mapped, size, out, axis, control::WORTH_PASSING)
}

/// As [`vmap`], with the price from which on a branch is passed over where no example takes it, in the units of a cost report. At 0
/// every branch is, and small programs show what only those do that are worth it.
pub fn vmap_at(
    m: &mut Module,
    func: FuncId,
    mapped: &[Option<usize>],
    size: usize,
    out: &[Option<usize>],
    axis: Option<&str>,
    worth_passing: u64,
) -> Result<FuncId, TransformError> {
    let f = m.get(func);
    let mut to = Func::new(f.name.clone(), FuncKind::Private);
    let mut env = env(&f);
    for (&p, &dim) in f.params.iter().zip(mapped) {
        let ty = match dim {
            Some(d) => with_examples(f.ty(p).tensor(), d, size).into(),
            None => f.ty(p).clone(),
        };
        env[p] = Some((to.param(ty), dim));
    }
    let mut batcher = Batcher {
        module: m,
        size,
        worth_passing,
        axis: axis.map(Text::from),
        said: FxHashMap::default(),
        done: FxHashMap::default(),
    };
    batcher.walk(&f, &mut to, &mut env)?;
    for (k, (&r, &dim)) in f.results.iter().zip(out).enumerate() {
        let (value, is) = env[r].expect("computed");
        let ty = f.ty(r).as_tensor();
        if dim.is_some() && ty.is_some_and(|ty| too_large(ty, size)) {
            let message = format!("result {k}: a batch of {size} has more bytes than can be addressed");
            return Err(TransformError::new(message));
        }
        let result = match (dim, is) {
            (Some(d), _) => batcher.place(&mut to, (value, is), d),
            (None, None) => value,
            (None, Some(_)) => {
                let message = format!("result {k} differs from example to example: it needs an axis");
                return Err(TransformError::new(message));
            }
        };
        to.results.push(result);
    }
    Ok(m.add(to))
}

/// What the body of a loop is called that runs an operation for one example of a batch after the other; where it runs a whole
/// function, the operation of it that has no batch comes after a space.
const ONE_EXAMPLE: &str = "one_example";

/// Whether this is the body of such a loop: its rows are examples.
pub(crate) fn is_one_example(body: &Func) -> bool {
    body.name.strip_prefix(ONE_EXAMPLE).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// `func` for one example of a batch of `size` after the other: for functions that [`vmap`] has no batch of. `why` says so, and its
/// operation is what [`example_by_example`] tells of. What is `mapped` has the examples in front, and so have all results.
pub fn one_by_one(
    m: &mut Module,
    func: FuncId,
    mapped: &[bool],
    size: usize,
    why: &TransformError,
) -> FuncId {
    let f = m.get(func);
    let (rows, consts): (Vec<usize>, Vec<usize>) = (0..mapped.len()).partition(|&k| mapped[k]);
    let mut body =
        Func::new(format!("{ONE_EXAMPLE} {}", why.op.as_deref().unwrap_or("func.call")), FuncKind::Region);
    let mut one: Vec<Option<Value>> = vec![None; mapped.len()];
    for &k in consts.iter().chain(&rows) {
        one[k] = Some(body.param(f.ty(f.params[k]).clone()));
    }
    let one: Vec<Value> = one.into_iter().map(|p| p.expect("each operand is one")).collect();
    body.results = push(m, &mut body, Call { callee: func }, &one, &why.loc).to_vec();
    let body = m.add(body);
    let mut to = Func::new(f.name.clone(), FuncKind::Private);
    let param = |k: usize| match mapped[k] {
        true => to.param(with_examples(f.ty(f.params[k]).tensor(), 0, size)),
        false => to.param(f.ty(f.params[k]).clone()),
    };
    let all: Vec<Value> = (0..mapped.len()).map(param).collect();
    let operands: Vec<Value> = consts.iter().chain(&rows).map(|&k| all[k]).collect();
    let scan = Scan { body, consts: consts.len(), carry: 0, reverse: false, length: size };
    to.results = push(m, &mut to, scan, &operands, &why.loc).to_vec();
    m.add(to)
}

/// What [`vmap`] and [`one_by_one`] had to run for one example after the other in a function and all that it runs: the operations,
/// and where they are written.
pub fn example_by_example(m: &Module, func: FuncId) -> Vec<(String, Loc)> {
    let mut found: Vec<(String, Loc)> = Vec::new();
    for id in callees_first(m, func) {
        for inst in m.get(id).insts.values() {
            let Op::Scan(Scan { body, .. }) = &inst.op else { continue };
            let body = m.get(*body);
            if !is_one_example(&body) {
                continue;
            }
            let op = &body.name[ONE_EXAMPLE.len()..];
            found.extend(body.insts.values().map(|one| match op.strip_prefix(' ') {
                Some(op) => (op.to_owned(), one.loc.clone()),
                None => (one.op.name().to_owned(), one.loc.clone()),
            }));
        }
    }
    found
}

/// A value of the new function, and its mapped dimension.
type Placed = (Value, Option<usize>);

/// What values of a function have become.
type Env = EntityVec<Value, Option<Placed>>;

fn env(f: &Func) -> Env {
    EntityVec::filled(None, f.values.len())
}

/// A batch of examples of a type.
fn with_examples(ty: &TensorType, dim: usize, size: usize) -> TensorType {
    let mut shape = ty.shape.clone();
    shape.insert(dim, size);
    ty.with_shape(&shape)
}

/// Whether a batch of examples of a type has more bytes than can be addressed.
fn too_large(ty: &TensorType, size: usize) -> bool {
    ty.is_static() && with_examples(ty, 0, size).checked_bytes().is_none()
}

/// What a result of a mapped function shall be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Want {
    /// Mapped if it differs from example to example.
    Any,
    /// Mapped, by repetition if need be.
    Mapped,
    /// The same for all: a cotangent of what all examples share is the sum of theirs.
    Summed,
}

/// A function with the parameters that are mapped and what its results shall be.
type Key = (FuncId, Vec<bool>, Vec<Want>);

struct Batcher<'m> {
    module: &'m mut Module,
    size: usize,
    /// What a branch costs that is passed over where no example takes it.
    worth_passing: u64,
    /// The name of the batch's dimension.
    axis: Option<Text>,
    /// What functions say of it and of other axes.
    said: FxHashMap<FuncId, axis::Said>,
    /// Functions and which of their results are mapped.
    done: FxHashMap<Key, (FuncId, Vec<bool>)>,
}

impl Batcher<'_> {
    fn body<'a>(&'a mut self, func: &'a mut Func, loc: &Loc) -> Body<'a> {
        Body { module: self.module, func, loc: loc.clone() }
    }

    /// A value with its mapped dimension at `dim`.
    fn place(&mut self, to: &mut Func, (v, mapped): Placed, dim: usize) -> Value {
        let size = self.size;
        value(at(&mut self.body(to, &Loc::Unknown), size, (Term::Known(v), mapped), dim))
    }

    /// The instructions of `f`, whose parameters are in `env`, on batches.
    fn walk(&mut self, f: &Func, to: &mut Func, env: &mut Env) -> Result<(), TransformError> {
        for inst in f.insts.values() {
            let x: Vec<Placed> = inst.operands.iter().map(|&v| env[v].expect("topological order")).collect();
            let results = self.inst(f, inst, &x, to)?;
            for (&r, new) in inst.results.iter().zip(results) {
                env[r] = Some(new);
            }
        }
        Ok(())
    }

    fn inst(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        if let Some(result) = self.bound(f, inst, x, to)? {
            return Ok(vec![result]);
        }
        if !self.speaks(&inst.op) && x.iter().all(|x| x.1.is_none()) {
            let operands: Vec<Value> = x.iter().map(|x| x.0).collect();
            let types = inst.results.iter().map(|&r| f.ty(r).clone());
            let results = to.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
            return Ok(results.into_iter().map(|r| (r, None)).collect());
        }
        let mut all = inst.operands.iter().chain(&inst.results).filter_map(|&v| f.ty(v).as_tensor());
        if all.any(|ty| too_large(ty, self.size)) {
            let message = format!("a batch of {} has more bytes than can be addressed", self.size);
            return Err(TransformError::at(f, inst, message));
        }
        self.refuse_order(f, inst)?;
        match &inst.op {
            Op::Call(c) => self.call(c.callee, |callee| Call { callee }.into(), inst, x, to),
            Op::Composite(c) => self.call(c.decomposition, |callee| Call { callee }.into(), inst, x, to),
            Op::Checkpoint(c) => {
                self.call(c.body, |body| Checkpoint { body, ..c.clone() }.into(), inst, x, to)
            }
            Op::Case(c) => self.case(f, inst, c, x, to),
            Op::While(w) => self.r#while(f, inst, w, x, to),
            Op::Scan(s) => self.scan(f, inst, s, x, to),
            Op::CustomJvp(c) => self.custom_jvp(f, inst, c, x, to),
            Op::CustomVjp(c) => self.custom_vjp(f, inst, c, x, to),
            Op::LinearSolve(op) => {
                let funcs = [op.matvec, op.vecmat, op.solve, op.transpose_solve];
                let of = |[matvec, vecmat, solve, transpose_solve]: [FuncId; 4]| {
                    LinearSolve { matvec, vecmat, solve, transpose_solve, consts: op.consts }.into()
                };
                self.implicit(inst, op.consts, funcs, of, x, to)
            }
            Op::Root(op) => {
                let funcs = [op.residual, op.solve, op.tangent];
                let of = |[residual, solve, tangent]: [FuncId; 3]| {
                    Root { residual, solve, tangent, consts: op.consts }.into()
                };
                self.implicit(inst, op.consts, funcs, of, x, to)
            }
            Op::CustomLinear(_) | Op::Foreign(_) => Err(TransformError::at(f, inst, "it cannot be mapped")),
            op => {
                let mut all = inst.operands.iter().chain(&inst.results);
                if all.any(|&v| f.ty(v).as_tensor().is_some_and(|t| !t.is_static())) {
                    return self.of_stacks(f, inst, x, to);
                }
                self.refuse_axis(f, inst)?;
                if let Some(results) = self.by_rule(op, inst, x, to) {
                    return Ok(results.into_iter().map(|(t, d)| (value(t), d)).collect());
                }
                match expansion(self.module, f, inst).or_else(|| self.decomposed(f, inst)) {
                    Some(g) => self.inlined(&g, x, to),
                    None => self.looped(f, inst, x, to),
                }
            }
        }
    }

    /// An operation on stacks of loops of unknown trips: what goes from element to element still does, if all stacks have the
    /// examples in the same place.
    fn of_stacks(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let place = x[0].1;
        if inst.op.kind() != Kind::Elementwise || x.iter().any(|x| x.1 != place) {
            return Err(TransformError::at(f, inst, "sizes are known at run time only"));
        }
        let operands: Vec<Value> = x.iter().map(|x| x.0).collect();
        let results = push(self.module, to, inst.op.clone(), &operands, &inst.loc);
        Ok(results.into_iter().map(|r| (r, place)).collect())
    }

    /// An operation that combines elements by a function of the user's, as a loop over the elements, each trip of which can be one
    /// of all examples.
    fn decomposed(&mut self, f: &Func, inst: &Inst) -> Option<Func> {
        let types: Vec<Type> = inst.operands.iter().map(|&v| f.ty(v).clone()).collect();
        let (constants, active) = (vec![None; types.len()], vec![false; types.len()]);
        match through(self.module, &inst.op, &types, &constants, &active) {
            Through::Func(func) => Some(Func::clone(&self.module.get(func))),
            Through::Rule | Through::Nothing => None,
        }
    }

    fn by_rule(&mut self, op: &Op, inst: &Inst, x: &[Placed], to: &mut Func) -> Option<Batched> {
        let operands: Vec<Mapped> = x.iter().map(|&(v, d)| (Term::Known(v), d)).collect();
        let size = self.size;
        op.def().batch(&mut self.body(to, &inst.loc), size, &operands)
    }

    /// Fails if the operation calls the host in an order that a batch does not have.
    fn refuse_order(&self, f: &Func, inst: &Inst) -> Result<(), TransformError> {
        match ordered(&inst.op) {
            None => Ok(()),
            Some(target) => Err(TransformError::at(f, inst, unordered(&target))),
        }
    }

    /// A call of the host in a function, in an order that a batch does not have.
    fn unordered(&self, func: FuncId) -> Option<Text> {
        let mut inner = callees_first(self.module, func).into_iter();
        inner.find_map(|f| self.module.funcs[f].insts.values().find_map(|inst| ordered(&inst.op)))
    }

    /// A function in the place of a call of it.
    fn inlined(&mut self, g: &Func, x: &[Placed], to: &mut Func) -> Result<Vec<Placed>, TransformError> {
        let mut inner = env(g);
        for (&p, &x) in g.params.iter().zip(x) {
            inner[p] = Some(x);
        }
        self.walk(g, to, &mut inner)?;
        Ok(g.results.iter().map(|&r| inner[r].expect("computed")).collect())
    }

    /// The instruction for one example after the other.
    fn looped(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        self.refuse_axis(f, inst)?;
        if let Some(target) = inst.op.callees().into_iter().find_map(|c| self.unordered(c)) {
            return Err(TransformError::at(f, inst, unordered(&target)));
        }
        let is_mapped = |k: &usize| x[*k].1.is_some();
        let (rows, consts): (Vec<usize>, Vec<usize>) = (0..x.len()).partition(is_mapped);
        let mut body = Func::new(ONE_EXAMPLE, FuncKind::Region);
        let mut params: Vec<Option<Value>> = vec![None; x.len()];
        for &k in consts.iter().chain(&rows) {
            params[k] = Some(body.param(f.ty(inst.operands[k]).clone()));
        }
        let operands: Vec<Value> = params.into_iter().map(|p| p.expect("each operand is one")).collect();
        let types = inst.results.iter().map(|&r| f.ty(r).clone());
        body.results = body.push_typed(inst.op.clone(), &operands, types, inst.loc.clone()).to_vec();
        let body = self.module.add(body);
        let mut operands: Vec<Value> = consts.iter().map(|&k| x[k].0).collect();
        operands.extend(rows.iter().map(|&k| self.place(to, x[k], 0)));
        let scan = Scan { body, consts: consts.len(), carry: 0, reverse: false, length: self.size };
        let results = push(self.module, to, scan, &operands, &inst.loc);
        Ok(results.into_iter().map(|r| (r, Some(0))).collect())
    }

    fn call(
        &mut self,
        callee: FuncId,
        of: impl Fn(FuncId) -> Op,
        inst: &Inst,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let mask = mask(x);
        let wants = vec![Want::Any; inst.results.len()];
        let (callee, out) = self.func(callee, &mask, &wants)?;
        let operands = self.operands(to, x);
        let results = push(self.module, to, of(callee), &operands, &inst.loc);
        Ok(placed(results, &out))
    }

    /// What is mapped in front, for parameters of a mapped function.
    fn operands(&mut self, to: &mut Func, x: &[Placed]) -> Vec<Value> {
        x.iter().map(|&x| if x.1.is_some() { self.place(to, x, 0) } else { x.0 }).collect()
    }

    /// A function on batches, and which of its results are mapped: those have the examples in front, as its mapped parameters
    /// have.
    fn func(
        &mut self,
        id: FuncId,
        mask: &[bool],
        wants: &[Want],
    ) -> Result<(FuncId, Vec<bool>), TransformError> {
        let key = (id, mask.to_vec(), wants.to_vec());
        if let Some(known) = self.done.get(&key) {
            return Ok(known.clone());
        }
        let f = self.module.get(id);
        let mut to = Func::new(f.name.clone(), f.kind);
        let mut env = env(&f);
        for (&p, &mapped) in f.params.iter().zip(mask) {
            let ty = match f.ty(p) {
                Type::Tensor(ty) if mapped => with_examples(ty, 0, self.size).into(),
                ty => ty.clone(),
            };
            env[p] = Some((to.param(ty), mapped.then_some(0)));
        }
        self.walk(&f, &mut to, &mut env)?;
        let mut out = Vec::new();
        for (&r, want) in f.results.iter().zip(wants) {
            let x = env[r].expect("computed");
            let (result, mapped) = match (want, x.1) {
                (Want::Any | Want::Summed, None) => (x.0, false),
                (Want::Any, Some(_)) | (Want::Mapped, _) => (self.place(&mut to, x, 0), true),
                (Want::Summed, Some(d)) => {
                    let mut body = self.body(&mut to, &Loc::Unknown);
                    let e: &mut dyn Emit = &mut body;
                    (value(e.reduce_sum(Term::Known(x.0), &[d])), false)
                }
            };
            to.results.push(result);
            out.push(mapped);
        }
        let new = self.module.add(to);
        self.done.insert(key, (new, out.clone()));
        Ok((new, out))
    }
}

/// What an operation calls, if that is the host in an order that a batch does not have.
fn ordered(op: &Op) -> Option<Text> {
    let Op::CustomCall(call) = op else { return None };
    (call.function().batching() == Batching::Refused).then(|| call.target.clone())
}

/// Why a call of the host is not mapped.
fn unordered(target: &str) -> String {
    format!(
        "`@{target}` calls the host in the order of the program, and the examples of a batch have none: call it outside of \
         `vmap`, or use `io_callback_unordered` or `debug_callback`, which are called for one example after the other"
    )
}

/// Which values are mapped.
fn mask(x: &[Placed]) -> Vec<bool> {
    x.iter().map(|x| x.1.is_some()).collect()
}

/// Results of an operation whose functions gave these mapped.
fn placed(results: impl IntoIterator<Item = Value>, mapped: &[bool]) -> Vec<Placed> {
    results.into_iter().zip(mapped).map(|(r, &m)| (r, m.then_some(0))).collect()
}

/// Flags as wishes: what is set must be mapped.
fn wanted(mapped: impl IntoIterator<Item = bool>) -> Vec<Want> {
    mapped.into_iter().map(|m| if m { Want::Mapped } else { Want::Any }).collect()
}
