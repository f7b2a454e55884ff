//! The walk over the units of a function, and where each finds and puts its values.

use super::Lowerer;
use crate::lower::LowerError;
use crate::lower::plan::{self, NEVER_DIES, Plan, Unit, classify};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::nodes::Places;
use crate::lower::space::scope::{At, Dest, Scope, Stored};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, Func, FuncId, InstId, Value};
use wengert_ir::kernel::{Access, KBinary, KCast, KOp, KValue, Scalar};
use wengert_ir::limits::Exceeded;
use wengert_ir::op::Op;
use wengert_ir::ops_of;
use wengert_ir::types::{DTypeClass, Dims};

/// Regions that are lowered inside each other: those of the program, and calls that were not inlined.
const MAX_NESTED: usize = 2 * wengert_ir::limits::MAX_NESTING as usize;

impl<'m> Lowerer<'m> {
    fn plan_of(&mut self, id: FuncId) -> Rc<Plan> {
        let (module, target, limit, storing) = (self.module, self.options.target, self.limit, self.storing);
        self.plans
            .entry(id)
            .or_insert_with(|| Rc::new(plan::plan(target, module, &module.funcs[id], limit, storing)))
            .clone()
    }

    /// Lowers a function at the current place. Results are put at their `dests` where that can be done
    /// without a copy; the caller copies what is elsewhere.
    pub(in crate::lower) fn region(
        &mut self,
        id: FuncId,
        args: Vec<Stored>,
        dests: Vec<Option<Dest>>,
    ) -> Result<Vec<Stored>, LowerError> {
        let func: &'m Func = &self.module.funcs[id];
        let plan = self.plan_of(id);
        self.nesting += 1;
        if self.nesting > MAX_NESTED {
            return Err(LowerError::over(func, Exceeded::Nesting(self.nesting as u32)));
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
            self.wants(&mut s, r, &dest);
        }
        let around = self.b.origin;
        for (position, &unit) in plan.units.iter().enumerate() {
            s.now = position as u32;
            self.b.origin = self.origins.len() as u32;
            self.origins.push((id, position as u32));
            self.memory.tick();
            let emitted = self.outlined + self.b.kernel.values.len() as u64;
            if let Some(limit) = self.options.instructions.filter(|&limit| emitted > limit) {
                return Err(LowerError::over(func, Exceeded::Kernel { limit }));
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
        self.b.origin = around;
        let results = func.results.iter().map(|&r| self.result(&mut s, r)).collect();
        self.nesting -= 1;
        results
    }

    /// Makes a place known to a result of the region, and to what is changed on the way to it. What a reshape renames may be written in
    /// place too.
    fn wants(&self, s: &mut Scope<'m>, result: Value, dest: &Dest) {
        let maker = classify::reshaped_from(s.func, result);
        let carried = dest.replaces.is_some();
        let updated = classify::updated_into(self.module, s.func, &s.plan, maker, carried);
        for v in [result, maker].into_iter().chain(updated) {
            if s.dest[v].is_none() && matches!(s.func.values[v].def, Def::Inst(..)) {
                s.dest[v] = Some(dest.clone());
            }
        }
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
            if classify::is_of_parts(s.func, inst) {
                return self.complex(s, id, inst);
            }
            if !(matches!(inst.op, Op::DynamicUpdateSlice(_)) && classify::has_words(s.func, inst)) {
                return self.reference(s, inst);
            }
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
            Op::CustomJvp(_)
            | Op::CustomVjp(_)
            | Op::CustomLinear(_)
            | Op::Checkpoint(_)
            | Op::LinearSolve(_)
            | Op::Root(_) => Err(s.refuse(inst, "a custom derivative that was not replaced by its function")),
            Op::Foreign(foreign) => {
                Err(s.refuse(inst, format!("`{}` is not executable on one device", foreign.name)))
            }
            Op::AxisIndex(_) | Op::Collective(_) => Err(s.refuse(inst, "no `vmap` binds its axis")),
            Op::Sow(_) => Err(s.refuse(inst, "the name of a value was not dropped")),
            Op::Check(_) | Op::Print(_) | Op::Assert(_) => self.reference(s, inst),
            Op::Unary(op) if op.is_special() => self.reference(s, inst),
            ops_of!(source) | ops_of!(elementwise) | ops_of!(movement) | ops_of!(mark) => {
                self.dynamic_rows(s, inst)
            }
        }
    }

    /// Memory for a value that the current unit computes: where it is wanted, if that place is free. `reads`
    /// are the parameters and values the unit reads, with whether only at the element it then writes.
    pub(in crate::lower) fn target(&mut self, s: &mut Scope<'m>, v: Value, reads: &[(Value, bool)]) -> At {
        if let Some(dest) = s.dest[v].take() {
            let free = match dest.replaces {
                // What is to be updated there may have been stored there already, and be read as a whole too.
                None => reads
                    .iter()
                    .all(|&(w, same)| same || s.stored[w].is_none() || !self.overlaps(s, w, &dest.at)),
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
    pub(in crate::lower) fn overlaps(&self, s: &Scope<'m>, v: Value, at: &At) -> bool {
        match &s.stored[v] {
            Some(Stored::Memory(a) | Stored::Rows(a, _)) => a.mem == at.mem,
            Some(Stored::Registers(_) | Stored::Splat(_)) => false,
            None => true,
        }
    }

    pub(in crate::lower) fn scratch(&mut self, elem: Scalar, shape: &[usize]) -> At {
        let mem = self.memory.scratch(elem, shape);
        At::whole(mem, self.memory.len(mem))
    }

    /// The scalars of a small value.
    pub(in crate::lower) fn registers_of(
        &mut self,
        s: &mut Scope<'m>,
        v: Value,
    ) -> Result<Rc<[KValue]>, LowerError> {
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
    pub(in crate::lower) fn scalar_of(&mut self, s: &mut Scope<'m>, v: Value) -> Result<KValue, LowerError> {
        Ok(self.registers_of(s, v)?[0])
    }

    pub(in crate::lower) fn load_element(&mut self, at: &At, k: i64) -> KValue {
        let access = self.element(at, k);
        self.b.load_here(access)
    }

    /// Access to one element, in the kernel being built.
    pub(in crate::lower) fn element(&mut self, at: &At, k: i64) -> Access {
        self.memory.touch(at.mem);
        let (elem, len) = (self.memory.elem(at.mem), self.memory.len(at.mem));
        let (mem, offset, terms) = self.b.base(at, elem, len);
        Access { mem, offset: offset + k, terms: terms.iter().copied().collect() }
    }

    /// A value in memory, row-major; registers are stored, views of memory are found, the rest is computed.
    pub(in crate::lower) fn memory_of(&mut self, s: &mut Scope<'m>, v: Value) -> Result<At, LowerError> {
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
    pub(in crate::lower) fn argument(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Stored, LowerError> {
        let held = classify::held(s.func.ty(v));
        let small = held.is_some_and(|n| n <= self.limit);
        // In memory it is as near, unless the region has registers for all of it.
        let few = small && held.is_some_and(|n| n <= self.options.target.register_argument);
        match &s.stored[v] {
            Some(Stored::Memory(_)) if few => Ok(Stored::Registers(self.registers_of(s, v)?)),
            Some(stored) => Ok(stored.clone()),
            None if small => Ok(Stored::Registers(self.registers_of(s, v)?)),
            None => self.whole(s, v),
        }
    }

    /// An inlined value as a whole: a splat, a view, or computed into memory of its own.
    fn whole(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Stored, LowerError> {
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

impl<'m> Places<'m> for Lowerer<'m> {
    fn memory_of(&mut self, s: &mut Scope<'m>, v: Value) -> Result<At, LowerError> {
        self.memory_of(s, v)
    }

    /// Scalars of the entry kernel; computed once.
    fn starts(
        &mut self,
        s: &mut Scope<'m>,
        id: InstId,
        starts: &[Value],
        operand: Value,
        sizes: &Dims,
    ) -> Result<SmallVec<[Affine; 4]>, LowerError> {
        if let Some(known) = s.starts.get(&id) {
            return Ok(known.clone());
        }
        let shape = s.ty(operand).shape.clone();
        let mut out: SmallVec<[Affine; 4]> = SmallVec::new();
        for (d, &start) in starts.iter().enumerate() {
            let most = (shape[d] - sizes[d]) as i64;
            let dtype = s.ty(start).dtype;
            let unsigned = dtype.class() == DTypeClass::Unsigned;
            if most == 0 {
                out.push(Affine::default());
                continue;
            }
            if let Some(value) = s.func.constant(start).and_then(|literal| literal.splat_integer()) {
                out.push(Affine::constant(value.clamp(0, most)));
                continue;
            }
            let mut value = self.scalar_of(s, start)?;
            if self.b.ty(value) != Scalar::I64 {
                let how = if unsigned { KCast::Unsigned } else { KCast::Signed };
                value = self.b.push(KOp::Cast(how), &[value], &[Scalar::I64])[0];
            }
            let bound = self.b.int(most);
            let value = if unsigned {
                self.b.binary(KBinary::MinU, value, bound)
            } else {
                let zero = self.b.int(0);
                let low = self.b.binary(KBinary::Max, value, zero);
                self.b.binary(KBinary::Min, low, bound)
            };
            out.push(Affine::var(Var::Outer(value)));
        }
        s.starts.insert(id, out.clone());
        Ok(out)
    }

    fn constant(&mut self, elem: Scalar, shape: &[usize], bytes: &[u8]) -> At {
        let mem = self.memory.constant(elem, shape, bytes);
        At::whole(mem, self.memory.len(mem))
    }

    fn contracts(&self) -> bool {
        self.options.contract
    }
}
