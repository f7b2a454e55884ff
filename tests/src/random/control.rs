//! Steps that run functions: calls, branches, loops over rows, loops while a condition holds.

use super::{Flavor, Maker};
use wengert_ir::func::{FuncKind, Value};
use wengert_ir::op::*;
use wengert_ir::types::{DType, Dims, TensorType};

impl Maker {
    /// A loop, a branch or a call; regions nest `depth` deep in it.
    pub(super) fn control(&mut self, depth: usize) {
        match self.below(7) {
            0 | 1 => self.scan(depth),
            2 => self.case(depth),
            3 => self.while_(depth),
            4 => self.counted(depth),
            5 => self.call(depth),
            _ => self.branch(depth),
        }
    }

    fn types(&self, values: &[Value]) -> Vec<TensorType> {
        values.iter().map(|&v| self.ty(v)).collect()
    }

    /// Between one and `most` values.
    fn some(&mut self, most: usize) -> Vec<Value> {
        (0..1 + self.below(most)).map(|_| self.value()).collect()
    }

    /// What a body hands on for carries of these types; now and then a carry as it was.
    fn handed_on(&mut self, types: &[TensorType], before: &[Value]) -> Vec<Value> {
        let mut out = Vec::new();
        for (ty, &old) in types.iter().zip(before) {
            if self.chance(15) {
                out.push(old);
                continue;
            }
            let made = if self.recurs && self.chance(30) { self.recurrence(old) } else { None };
            let v = match made {
                Some(v) => v,
                None => self.of_type(ty),
            };
            // What grows from trip to trip tells nothing.
            let bounded = self.flavor == Flavor::Smooth && ty.dtype.is_float() && self.chance(60);
            out.push(if bounded { self.hidden(UnaryOp::Sine, &[v]).expect("a float") } else { v });
        }
        out
    }

    fn scan(&mut self, depth: usize) {
        let (consts, carry) = (self.some(2), self.some(2));
        let length = 1 + self.below(4);
        let xs: Vec<Value> = (0..self.below(3))
            .filter_map(|_| {
                let wanted = self.value();
                let ty = self.ty(wanted).stacked(length);
                (ty.elements() <= super::LARGEST).then(|| self.of_type(&ty))
            })
            .collect();
        let (carried, rows) = (self.types(&carry), self.types(&xs));
        let rows = rows.iter().map(TensorType::unstacked);
        let params: Vec<TensorType> =
            self.types(&consts).into_iter().chain(carried.clone()).chain(rows).collect();
        let (first, ys) = (consts.len(), self.below(3));
        let body = self.function(FuncKind::Region, &params, |s, p| {
            let steps = 1 + s.below(6);
            s.grow(steps, depth);
            let mut out = s.handed_on(&carried, &p[first..]);
            out.extend((0..ys).map(|_| s.value()));
            out
        });
        let reverse = self.chance(40);
        let op = Scan { body, consts: consts.len(), carry: carry.len(), reverse, length };
        self.push_all(op.into(), &[consts, carry, xs].concat());
    }

    fn case(&mut self, depth: usize) {
        let captures = self.some(3);
        let params = self.types(&captures);
        let (mut results, mut branches) = (None, Vec::new());
        for _ in 0..1 + self.below(3) {
            let wanted = results.clone();
            branches.push(self.function(FuncKind::Region, &params, |s, _| {
                let steps = s.below(5);
                s.grow(steps, depth);
                match wanted {
                    None => s.some(2),
                    Some(types) => {
                        let types: Vec<TensorType> = types;
                        types.iter().map(|ty| s.of_type(ty)).collect()
                    }
                }
            }));
            let first = self.module.get(branches[0]);
            results = Some(first.results.iter().map(|&r| first.tensor(r).clone()).collect::<Vec<_>>());
        }
        let index = self.small_index();
        self.push_all(Case { branches }.into(), &[&[index], &captures[..]].concat());
    }

    /// An `i32` that is known at run time only.
    fn small_index(&mut self) -> Value {
        let x = self.value();
        let ty = self.ty(x);
        let int = TensorType::scalar(DType::I32);
        if ty.dtype.is_complex() || ty.elements() == 0 {
            return self.of_type(&int);
        }
        let one = Dims::from_elem(1, ty.rank());
        let start = Dims::from_elem(0, ty.rank());
        let corner =
            self.hidden(Slice { start, limit: one.clone(), strides: one }, &[x]).expect("an element");
        let scalar = self.hidden(Reshape { shape: Dims::new() }, &[corner]).expect("one element");
        self.hidden(Convert { dtype: DType::I32 }, &[scalar]).expect("a real number")
    }

    /// Two branches by a predicate.
    fn branch(&mut self, depth: usize) {
        let captures = self.some(2);
        let params = self.types(&captures);
        let wanted = self.any_type();
        let branches = [0, 1].map(|_| {
            self.function(FuncKind::Region, &params, |s, _| {
                let steps = s.below(4);
                s.grow(steps, depth);
                vec![s.of_type(&wanted)]
            })
        });
        let scalar = Dims::new();
        let p = self.predicate(&scalar);
        let index = self.hidden(Convert { dtype: DType::I32 }, &[p]).expect("a boolean");
        self.push_all(Case { branches: branches.to_vec() }.into(), &[&[index], &captures[..]].concat());
    }

    /// Up to four trips, as data says.
    fn while_(&mut self, depth: usize) {
        let (consts, carry) = (self.some(2), self.some(2));
        let int = TensorType::scalar(DType::I32);
        let wanted = self.small_index();
        let (zero, four) = (self.number(DType::I32, 0.0), self.number(DType::I32, 4.0));
        let limit = self.hidden(Clamp {}, &[zero, wanted, four]).expect("scalars");
        let operands = [&[limit], &consts[..], &[zero], &carry].concat();
        let params = self.types(&operands);
        let at = 1 + consts.len();
        let cond = self.function(FuncKind::Region, &params, |s, p| {
            let less = Compare { direction: Direction::Lt, kind: CompareType::Signed };
            vec![s.hidden(less, &[p[at], p[0]]).expect("scalars")]
        });
        let carried = self.types(&carry);
        let body = self.function(FuncKind::Region, &params, |s, p| {
            let steps = 1 + s.below(6);
            s.grow(steps, depth);
            let one = s.splat(&int, 1.0);
            let next = s.hidden(BinaryOp::Add, &[p[at], one]).expect("scalars");
            [vec![next], s.handed_on(&carried, &p[at + 1..])].concat()
        });
        let op = While { cond, body, consts: at, stacks: 0, counted: false };
        self.push_all(op.into(), &operands);
    }

    /// A loop as JAX writes a scan: a counter, rows read at it, rows written at it.
    fn counted(&mut self, depth: usize) {
        let trips = 1 + self.below(4);
        let row = self.value();
        let row = self.ty(row);
        let stack = row.stacked(trips + self.below(2));
        if stack.elements() > super::LARGEST {
            return;
        }
        let (xs, buffer) = (self.of_type(&stack), self.of_type(&stack));
        let carry = self.some(2);
        let dtype = self.random.pick(&[DType::I32, DType::I64]);
        let zero = self.number(dtype, 0.0);
        let operands = [&[xs], &[zero][..], &[buffer], &carry].concat();
        let params = self.types(&operands);
        let cond = self.function(FuncKind::Region, &params, |s, p| {
            let limit = s.number(dtype, trips as f64);
            let less = Compare { direction: Direction::Lt, kind: CompareType::Signed };
            vec![s.hidden(less, &[p[1], limit]).expect("scalars")]
        });
        let carried = self.types(&carry);
        let body = self.function(FuncKind::Region, &params, |s, p| {
            let zeros = vec![s.number(dtype, 0.0); row.rank()];
            let mut sizes = row.shape.clone();
            sizes.insert(0, 1);
            let starts = [&[p[1]], &zeros[..]].concat();
            let read = s.hidden(DynamicSlice { sizes: sizes.clone() }, &[&[p[0]], &starts[..]].concat());
            if let Some(read) = read {
                s.push(Reshape { shape: row.shape.clone() }, &[read]);
            }
            // The buffer is only written, so that it can become rows.
            s.pool.retain(|&v| v != p[2]);
            let steps = 1 + s.below(5);
            s.grow(steps, depth);
            let made = s.of_type(&row);
            let made = s.hidden(Reshape { shape: sizes }, &[made]).expect("as many elements");
            let written = s.hidden(DynamicUpdateSlice {}, &[&[p[2], made], &starts[..]].concat());
            let one = s.number(dtype, 1.0);
            let next = s.hidden(BinaryOp::Add, &[p[1], one]).expect("scalars");
            [vec![next, written.unwrap_or(p[2])], s.handed_on(&carried, &p[3..])].concat()
        });
        let op = While { cond, body, consts: 1, stacks: 0, counted: false };
        self.push_all(op.into(), &operands);
    }

    /// A call, or two calls of one function.
    fn call(&mut self, depth: usize) {
        let args = self.some(3);
        let params = self.types(&args);
        let callee = self.function(FuncKind::Private, &params, |s, _| {
            let steps = 1 + s.below(5);
            s.grow(steps, depth);
            s.some(2)
        });
        self.push_all(Call { callee }.into(), &args);
        if self.chance(40) {
            let again: Vec<Value> = params.iter().map(|ty| self.of_type(ty)).collect();
            self.push_all(Call { callee }.into(), &again);
        }
    }
}
