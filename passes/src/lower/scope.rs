//! The values of one function while it is lowered, and the walk over its units.

use super::group::{self, NEVER_DIES, Plan, Unit};
use super::index::Affine;
use super::memory::At;
use super::{LowerError, Lowerer, classify, cost, scalar};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, Func, FuncId, Inst, InstId, Loc, Value};
use wengert_ir::kernel::{Access, KValue, Mem, Scalar};
use wengert_ir::limits::Exceeded;
use wengert_ir::op::Op;
use wengert_ir::ops_of;
use wengert_ir::types::TensorType;

/// Where a value is.
#[derive(Clone, Debug)]
pub(super) enum Stored {
    /// Elements as scalars of the entry kernel, row-major.
    Registers(Rc<[KValue]>),
    /// In memory.
    Memory(At),
    /// The same bits everywhere.
    Splat(u64),
    /// Rows of a stack, and how many.
    Rows(At, KValue),
}

/// Where a result is wanted.
#[derive(Clone, Debug)]
pub(super) struct Dest {
    pub(super) at: At,
    /// The parameter that lies there until it is read for the last time.
    pub(super) replaces: Option<Value>,
}

/// Regions that are lowered inside each other: those of the program, and calls that were not inlined.
const MAX_NESTED: usize = 2 * wengert_ir::limits::MAX_NESTING as usize;

/// A function that would pass a limit.
pub(super) fn over(func: &Func, exceeded: Exceeded) -> LowerError {
    LowerError {
        op: format!("function `{}`", func.name),
        types: Vec::new(),
        loc: Loc::Unknown,
        reason: exceeded.to_string(),
        exceeded: Some(exceeded),
    }
}

/// A function being lowered.
pub(super) struct Scope<'m> {
    pub(super) func: &'m Func,
    pub(super) plan: Rc<Plan>,
    pub(super) stored: EntityVec<Value, Option<Stored>>,
    pub(super) dest: EntityVec<Value, Option<Dest>>,
    /// Position of the current unit.
    pub(super) now: u32,
    /// Clamped start indices of dynamic slices and updates.
    pub(super) starts: FxHashMap<InstId, SmallVec<[Affine; 4]>>,
    /// The value that scratch memory was allocated for.
    pub(super) owner: FxHashMap<Mem, Value>,
    /// Registers that were stored to memory, and memory that was loaded to registers.
    spilled: FxHashMap<Value, At>,
    loaded: FxHashMap<Value, Rc<[KValue]>>,
}

impl Scope<'_> {
    pub(super) fn ty(&self, v: Value) -> &TensorType {
        self.func.tensor(v)
    }

    pub(super) fn elem(&self, v: Value) -> Scalar {
        Scalar::of(self.ty(v).dtype).expect("checked when the unit began")
    }

    /// Whether the current unit is the last to read the value.
    pub(super) fn dies(&self, v: Value) -> bool {
        self.plan.last_read[v] <= self.now
    }

    /// An error about an instruction.
    pub(super) fn refuse(&self, inst: &Inst, reason: impl Into<String>) -> LowerError {
        LowerError {
            op: inst.op.name().to_owned(),
            types: inst.operands.iter().map(|&v| self.func.ty(v).clone()).collect(),
            loc: inst.loc.clone(),
            reason: reason.into(),
            exceeded: None,
        }
    }
}

impl<'m> Lowerer<'m> {
    fn plan_of(&mut self, id: FuncId) -> Rc<Plan> {
        let (module, limit, storing) = (self.module, self.limit, self.storing);
        self.plans
            .entry(id)
            .or_insert_with(|| Rc::new(group::plan(&module.funcs[id], limit, storing)))
            .clone()
    }

    /// Lowers a function at the current place. Results are put at their `dests` where that can be done
    /// without a copy; the caller copies what is elsewhere.
    pub(super) fn region(
        &mut self,
        id: FuncId,
        args: Vec<Stored>,
        dests: Vec<Option<Dest>>,
    ) -> Result<Vec<Stored>, LowerError> {
        let func: &'m Func = &self.module.funcs[id];
        let plan = self.plan_of(id);
        self.nesting += 1;
        if self.nesting > MAX_NESTED {
            return Err(over(func, Exceeded::Nesting(self.nesting as u32)));
        }
        let mut s = Scope {
            func,
            plan: plan.clone(),
            stored: EntityVec::filled(None, func.values.len()),
            dest: EntityVec::filled(None, func.values.len()),
            now: 0,
            starts: FxHashMap::default(),
            owner: FxHashMap::default(),
            spilled: FxHashMap::default(),
            loaded: FxHashMap::default(),
        };
        for (&p, arg) in func.params.iter().zip(args) {
            s.stored[p] = Some(arg);
        }
        for (&r, dest) in func.results.iter().zip(dests) {
            let Some(dest) = dest else { continue };
            // What a reshape renames may be written in place too.
            let maker = classify::reshaped_from(func, r);
            for v in [r, maker].into_iter().chain(classify::scattered_into(func, maker)) {
                if s.dest[v].is_none() && matches!(func.values[v].def, Def::Inst(..)) {
                    s.dest[v] = Some(dest.clone());
                }
            }
        }
        for (position, &unit) in plan.units.iter().enumerate() {
            s.now = position as u32;
            self.memory.tick();
            let emitted = self.outlined + self.b.kernel.values.len() as u64;
            if let Some(limit) = self.options.instructions.filter(|&limit| emitted > limit) {
                return Err(over(func, Exceeded::Kernel { limit }));
            }
            match unit {
                Unit::Registers(id) => self.register_unit(&mut s, id)?,
                Unit::Group(g) => self.group_unit(&mut s, g)?,
                Unit::Rows(r) => self.rows_unit(&mut s, r)?,
                Unit::Opaque(id) => self.opaque_unit(&mut s, id)?,
            }
        }
        s.now = NEVER_DIES;
        self.memory.tick();
        let results = func.results.iter().map(|&r| self.result(&mut s, r)).collect();
        self.nesting -= 1;
        results
    }

    /// Where a result ended up.
    fn result(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Stored, LowerError> {
        match &s.stored[v] {
            Some(stored) => Ok(stored.clone()),
            None => self.whole(s, v),
        }
    }

    fn opaque_unit(&mut self, s: &mut Scope<'m>, id: InstId) -> Result<(), LowerError> {
        let inst = &s.func.insts[id];
        let held = |v: &Value| match s.func.ty(*v).as_tensor() {
            Some(t) => Scalar::of(t.dtype).is_some(),
            None => false,
        };
        if !inst.operands.iter().chain(&inst.results).all(held) {
            if inst.op.is_control_flow() {
                return Err(s.refuse(inst, "loops and branches cannot carry this element type"));
            }
            return self.reference(s, inst);
        }
        match &inst.op {
            Op::DotGeneral(dot) if classify::has_one_type(s.func, inst) => self.dot_general(s, inst, dot),
            Op::DotGeneral(_) => self.reference(s, inst),
            Op::DynamicUpdateSlice(_) => self.dynamic_update_slice(s, id, inst),
            Op::Scatter(scatter) if scatter.inputs == 1 => self.scatter(s, inst, scatter),
            Op::Reduce(reduce) => self.reduce_func(s, inst, reduce),
            Op::BitcastConvert(b) if b.ty.is_static() => self.reference(s, inst),
            Op::Call(call) => self.call(s, inst, call),
            Op::Composite(c) => self.call(s, inst, &wengert_ir::op::Call { callee: c.decomposition }),
            Op::Scatter(_) | ops_of!(library) => self.reference(s, inst),
            Op::Case(case) => self.case(s, inst, case),
            Op::While(w) => self.while_loop(s, inst, w),
            Op::Scan(scan) => self.scan(s, inst, scan),
            Op::CustomJvp(_) | Op::CustomVjp(_) | Op::CustomLinear(_) => {
                Err(s.refuse(inst, "a custom derivative that was not replaced by its function"))
            }
            Op::Foreign(foreign) => {
                Err(s.refuse(inst, format!("`{}` is not executable on one device", foreign.name)))
            }
            Op::Check(_) => Err(s.refuse(inst, "a check that was not taken out of the program")),
            Op::Unary(op) if op.is_special() => self.reference(s, inst),
            Op::Binary(op) if op.is_special() => self.reference(s, inst),
            ops_of!(source) | ops_of!(elementwise) | ops_of!(movement) | ops_of!(mark) => {
                self.dynamic_rows(s, inst)
            }
        }
    }

    /// Memory for a value that the current unit computes: where it is wanted, if that place is free. `reads`
    /// are the parameters and values the unit reads, with whether only at the element it then writes.
    pub(super) fn target(&mut self, s: &mut Scope<'m>, v: Value, reads: &[(Value, bool)]) -> At {
        if let Some(dest) = s.dest[v].take() {
            let free = match dest.replaces {
                None => true,
                Some(p) => s.dies(p) && reads.iter().all(|&(w, same)| same || !self.overlaps(s, w, &dest.at)),
            };
            if free {
                // Others with the same destination must not write there too.
                for w in [v, classify::reshaped_from(s.func, v)] {
                    s.dest[w] = None;
                }
                self.memory.touch(dest.at.mem);
                return dest.at;
            }
        }
        let (elem, shape) = Scalar::held(s.ty(v));
        let at = self.scratch(elem, &shape);
        s.owner.insert(at.mem, v);
        at
    }

    /// Whether a value lies in the memory of `at`.
    pub(super) fn overlaps(&self, s: &Scope<'m>, v: Value, at: &At) -> bool {
        match &s.stored[v] {
            Some(Stored::Memory(a) | Stored::Rows(a, _)) => a.mem == at.mem,
            Some(Stored::Registers(_) | Stored::Splat(_)) => false,
            None => true,
        }
    }

    pub(super) fn scratch(&mut self, elem: Scalar, shape: &[usize]) -> At {
        let mem = self.memory.scratch(elem, shape);
        At::whole(mem, self.memory.len(mem))
    }

    /// The scalars of a small value.
    pub(super) fn registers_of(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Rc<[KValue]>, LowerError> {
        if let Some(Stored::Registers(regs)) = &s.stored[v] {
            return Ok(regs.clone());
        }
        if let Some(regs) = s.loaded.get(&v) {
            return Ok(regs.clone());
        }
        let n = s.ty(v).elements();
        let regs: Rc<[KValue]> = match &s.stored[v] {
            Some(Stored::Memory(at)) => {
                let at = at.clone();
                (0..n).map(|k| self.load_element(&at, k as i64)).collect()
            }
            Some(Stored::Splat(bits)) => {
                let value = self.b.bits(*bits, s.elem(v));
                vec![value; n].into()
            }
            Some(Stored::Rows(..)) => unreachable!("the number of rows is not known"),
            Some(Stored::Registers(_)) => unreachable!("returned above"),
            None => self.elements(s, v)?,
        };
        s.loaded.insert(v, regs.clone());
        Ok(regs)
    }

    /// The scalar of a rank-0 value.
    pub(super) fn scalar_of(&mut self, s: &mut Scope<'m>, v: Value) -> Result<KValue, LowerError> {
        Ok(self.registers_of(s, v)?[0])
    }

    pub(super) fn load_element(&mut self, at: &At, k: i64) -> KValue {
        let access = self.element(at, k);
        self.b.load_here(access)
    }

    /// Access to one element, in the kernel being built.
    pub(super) fn element(&mut self, at: &At, k: i64) -> Access {
        self.memory.touch(at.mem);
        let (elem, len) = (self.memory.elem(at.mem), self.memory.len(at.mem));
        let (mem, offset, terms) = self.b.base(at, elem, len);
        Access { mem, offset: offset + k, terms: terms.iter().copied().collect() }
    }

    /// A value in memory, row-major; registers are stored, views of memory are found, the rest is computed.
    pub(super) fn memory_of(&mut self, s: &mut Scope<'m>, v: Value) -> Result<At, LowerError> {
        if let Some(Stored::Memory(at)) = &s.stored[v] {
            return Ok(at.clone());
        }
        if let Some(at) = s.spilled.get(&v) {
            return Ok(at.clone());
        }
        let stored = match &s.stored[v] {
            Some(stored) => stored.clone(),
            None => self.whole(s, v)?,
        };
        let at = match stored {
            Stored::Memory(at) => at,
            Stored::Registers(_) | Stored::Splat(_) => {
                let (elem, shape) = Scalar::held(s.ty(v));
                let at = self.scratch(elem, &shape);
                self.copy(&stored, &at);
                at
            }
            Stored::Rows(at, _) => at,
        };
        s.spilled.insert(v, at.clone());
        Ok(at)
    }

    /// A value as a region takes it: where it is, or a view of it; computed if it must be.
    pub(super) fn argument(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Stored, LowerError> {
        let held = classify::held(s.func.ty(v));
        let small = held.is_some_and(|n| n <= self.limit);
        // In memory it is as near, unless the region has registers for all of it.
        let few = small && held.is_some_and(|n| n <= cost::REGISTER_ARGUMENT);
        match &s.stored[v] {
            Some(Stored::Memory(_)) if few => Ok(Stored::Registers(self.registers_of(s, v)?)),
            Some(stored) => Ok(stored.clone()),
            None if small => Ok(Stored::Registers(self.registers_of(s, v)?)),
            None => self.whole(s, v),
        }
    }

    /// An inlined value as a whole: a splat, a view, or computed into memory of its own.
    fn whole(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Stored, LowerError> {
        let (_, inst) = s.func.def(v).expect("parameters are stored");
        let dtype = s.ty(v).dtype;
        scalar::scalar(dtype).map_err(|e| s.refuse(inst, e))?;
        if let Some(view) = self.whole_view(s, v)? {
            return Ok(view);
        }
        let at = self.target(s, v, &[]);
        // The plan does not know when an inlined value is read last: nobody may take its memory over.
        s.owner.remove(&at.mem);
        self.compute_into(s, v, &at)?;
        Ok(Stored::Memory(at))
    }
}
