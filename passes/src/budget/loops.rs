//! Scans in segments: what is carried into a segment is kept, and its steps are computed again before their reverse pass
//! (Griewank 1992; Chen et al. 2016). Segments may have segments, and some of the last steps may be none.

use crate::rewrite::{copy_inst, like, push};
use std::collections::BTreeMap;
use wengert_ir::func::{Func, FuncId, FuncKind, InstId, Loc, Module, Value};
use wengert_ir::op::{Checkpoint, Concatenate, Keep, Op, Reshape, Scan, Slice};
use wengert_ir::types::{DYNAMIC, Dims, Type};

/// How the steps of a scan are divided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Division {
    /// Steps of a segment, then of a segment of that, and so on: descending.
    pub(super) sizes: Vec<usize>,
    /// How many of the steps that run last are in no segment.
    pub(super) plain: usize,
}

/// A scan with a known number of steps at the top of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// The instruction.
    pub(super) id: InstId,
    /// How many steps it makes.
    pub(super) count: usize,
    /// Bytes that are carried.
    carry: u64,
    /// About what the reverse pass needs of one step, in bytes: what the body computes.
    pub(super) each: u64,
}

impl Steps {
    /// The scans of a function that may be divided.
    pub(super) fn of(m: &Module, func: &Func) -> Vec<Steps> {
        let bytes = |f: &Func, v: Value| {
            f.ty(v).as_tensor().filter(|t| t.is_static()).map_or(0, |t| t.bytes() as u64)
        };
        let found = func.insts.iter().filter_map(|(id, inst)| {
            let Op::Scan(scan) = &inst.op else { return None };
            if scan.length == DYNAMIC || scan.length < 4 {
                return None;
            }
            let body = m.get(scan.body);
            let carry = body.params.iter().skip(scan.consts).take(scan.carry).map(|&p| bytes(&body, p)).sum();
            let each = body.insts.values().flat_map(|i| &i.results).map(|&r| bytes(&body, r));
            let each = each.fold(0, u64::saturating_add);
            Some(Steps { id, count: scan.length, carry, each })
        });
        found.collect()
    }

    /// The scan with fewer steps.
    pub(super) fn less(self, steps: usize) -> Steps {
        Steps { count: self.count.saturating_sub(steps), ..self }
    }

    /// Segments for which least is kept at a time, of so many levels: with `n` steps that keep `r` bytes each and carry `c`,
    /// segments of `k` steps take `c n / k + r k`.
    pub(super) fn division(self, level: usize) -> Division {
        let n = self.count as u64;
        let (carry, each) = (self.carry.max(1), self.each.max(1));
        let times = |a: u64| (a as u128 * carry as u128 / each as u128).min(u64::MAX as u128) as u64;
        let size = |k: u64| (k.clamp(1, n.max(1))) as usize;
        let sizes = match level {
            0 => Vec::new(),
            1 => vec![size(times(n).isqrt())],
            2.. => {
                // As many segments as segments of these, and as these keep.
                let cube = (n as u128 * each as u128 / carry as u128).clamp(1, 1 << 60) as u64;
                let root = (1..1u64 << 20).find(|r| r.pow(3) >= cube).unwrap_or(1 << 20);
                let inner = size(times(root));
                vec![size(n / root).max(inner + 1), inner]
            }
        };
        Division { sizes, plain: 0 }
    }
}

/// The function with these scans divided.
pub(super) fn divided(m: &mut Module, func: FuncId, divisions: &BTreeMap<InstId, Division>) -> FuncId {
    let f = m.get(func);
    let (mut out, mut env) = like(&f);
    for (id, inst) in f.insts.iter() {
        if let (Op::Scan(scan), Some(division)) = (&inst.op, divisions.get(&id)) {
            let operands: Vec<Value> =
                inst.operands.iter().map(|&v| env[v].expect("topological order")).collect();
            let results = division.scan(m, &mut out, scan, &operands, &inst.loc);
            inst.results.iter().zip(results).for_each(|(&old, new)| env[old] = Some(new));
        } else {
            copy_inst(&mut out, &f, inst, &mut env);
        }
    }
    out.results = f.results.iter().map(|&r| env[r].expect("defined")).collect();
    m.add(out)
}

impl Division {
    /// For people.
    pub(super) fn words(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(usize::to_string).collect();
        let mut text = format!("in segments of {} steps", sizes.join(" and, of these, of "));
        if self.plain > 0 {
            text += &format!(", the last {} in none", self.plain);
        }
        text
    }

    /// The results of a scan of these operands.
    fn scan(&self, m: &mut Module, out: &mut Func, scan: &Scan, x: &[Value], loc: &Loc) -> Vec<Value> {
        let first = scan.length - self.plain.min(scan.length);
        in_two(
            (m, out),
            (scan, loc),
            x,
            [first, scan.length],
            [&mut |m, out, x, n| self.segments(m, out, scan, x, loc, n), &mut |m, out, x, n| {
                plain(m, out, scan, x, loc, n)
            }],
        )
    }

    /// So many steps in segments, without those that are in none.
    fn segments(
        &self,
        m: &mut Module,
        out: &mut Func,
        scan: &Scan,
        x: &[Value],
        loc: &Loc,
        length: usize,
    ) -> Vec<Value> {
        let Some((&size, inner)) = self.sizes.split_first() else {
            return plain(m, out, scan, x, loc, length);
        };
        let inner = Division { sizes: inner.to_vec(), plain: 0 };
        let groups = length / size.max(1);
        if groups < 2 {
            return inner.segments(m, out, scan, x, loc, length);
        }
        let (nc, nk) = (scan.consts, scan.carry);
        let mut grouped = |m: &mut Module, out: &mut Func, x: &[Value], _: usize| {
            let mut operands: Vec<Value> = x[..nc + nk].to_vec();
            for &v in &x[nc + nk..] {
                let mut shape = Dims::from_slice(&[groups, size]);
                shape.extend_from_slice(&out.tensor(v).shape[1..]);
                operands.push(push(m, out, Reshape { shape }, &[v], loc)[0]);
            }
            let mut body = Func::new("", FuncKind::Region);
            let params: Vec<Value> = (operands.iter().enumerate())
                .map(|(k, &v)| match out.ty(v) {
                    Type::Tensor(t) if k >= nc + nk => body.param(t.unstacked()),
                    ty => body.param(ty.clone()),
                })
                .collect();
            body.results = inner.checkpoint(m, &mut body, scan, &params, loc, size);
            let body = m.add(body);
            let mut results =
                push(m, out, Scan { body, length: groups, ..scan.clone() }, &operands, loc).to_vec();
            for r in &mut results[nk..] {
                let mut shape = Dims::from_slice(&[groups * size]);
                shape.extend_from_slice(&out.tensor(*r).shape[2..]);
                *r = push(m, out, Reshape { shape }, &[*r], loc)[0];
            }
            results
        };
        in_two(
            (m, out),
            (scan, loc),
            x,
            [groups * size, length],
            [&mut grouped, &mut |m, out, x, n| inner.checkpoint(m, out, scan, x, loc, n)],
        )
    }

    /// So many steps as a checkpoint.
    fn checkpoint(
        &self,
        m: &mut Module,
        out: &mut Func,
        scan: &Scan,
        x: &[Value],
        loc: &Loc,
        length: usize,
    ) -> Vec<Value> {
        let mut body = Func::new("", FuncKind::Region);
        let params: Vec<Value> = x.iter().map(|&v| body.param(out.ty(v).clone())).collect();
        body.results = self.segments(m, &mut body, scan, &params, loc, length);
        let body = m.add(body);
        push(m, out, Checkpoint::new(body, Keep::Nothing), x, loc).to_vec()
    }
}

/// So many steps as one loop.
fn plain(m: &mut Module, out: &mut Func, scan: &Scan, x: &[Value], loc: &Loc, length: usize) -> Vec<Value> {
    push(m, out, Scan { length, ..scan.clone() }, x, loc).to_vec()
}

/// What makes so many steps of these operands.
type Make<'a> = &'a mut dyn FnMut(&mut Module, &mut Func, &[Value], usize) -> Vec<Value>;

/// The first so many of the steps of a scan, in the order in which they run, and then the others.
fn in_two(
    (m, out): (&mut Module, &mut Func),
    (scan, loc): (&Scan, &Loc),
    x: &[Value],
    [first, all]: [usize; 2],
    make: [Make<'_>; 2],
) -> Vec<Value> {
    let [make_first, make_rest] = make;
    if first == all {
        return make_first(m, out, x, all);
    }
    if first == 0 {
        return make_rest(m, out, x, all);
    }
    let (nc, nk) = (scan.consts, scan.carry);
    let part = |m: &mut Module, out: &mut Func, from: usize, to: usize| -> Vec<Value> {
        (x[nc + nk..].iter())
            .map(|&v| {
                let shape = out.tensor(v).shape.clone();
                let (mut start, mut limit) = (Dims::from_elem(0, shape.len()), shape.clone());
                (start[0], limit[0]) = (from, to);
                let strides = Dims::from_elem(1, shape.len());
                push(m, out, Slice { start, limit, strides }, &[v], loc)[0]
            })
            .collect()
    };
    // Of a reversed loop the last rows are those of the first steps.
    let [rows, rest] = match scan.reverse {
        false => [(0, first), (first, all)],
        true => [(all - first, all), (0, all - first)],
    };
    let mut operands = x[..nc + nk].to_vec();
    operands.extend(part(m, out, rows.0, rows.1));
    let mut results = make_first(m, out, &operands, first);
    let ys = results.split_off(nk);
    let mut operands = x[..nc].to_vec();
    operands.extend(results);
    operands.extend(part(m, out, rest.0, rest.1));
    let mut results = make_rest(m, out, &operands, all - first);
    let more = results.split_off(nk);
    for (y, more) in ys.into_iter().zip(more) {
        let both = if scan.reverse { [more, y] } else { [y, more] };
        results.push(push(m, out, Concatenate { dim: 0 }, &both, loc)[0]);
    }
    results
}
