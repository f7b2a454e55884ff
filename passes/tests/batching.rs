//! Every operation on batches: with each choice of mapped operands and batches of none, of one and of three examples it
//! gives what the interpreter gives for one example after the other, to the bit. What becomes a loop over the examples is in
//! a list, [`LOOPS`], so that a new one is seen.

mod functions;
mod table;

use table::{Row, table};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::{CollectiveKind, Concatenate, Op};
use wengert_ir::ops_of;
use wengert_ir::printed;
use wengert_ir::testing::{Random, eval, eval_op, numbers, single_in};
use wengert_ir::types::TensorType;
use wengert_passes::batch::{example_by_example, vmap};

/// The axis that batches of this test have.
const AXIS: &str = "i";

/// What is run for one example after the other, and of which operands some must be mapped (`#`) for that.
const LOOPS: &[&str] = &[
    // Bounds of a distribution of which each example draws the same.
    "Rng, UNIFORM: #..",
    "Rng, UNIFORM: .#.",
    "Rng, UNIFORM: ..#",
    "Rng, NORMAL: #..",
    "Rng, NORMAL: .#.",
    "Rng, NORMAL: ..#",
    // The host is asked about one example, or told of it.
    "CustomCall, example by example: #",
    "Print: #.",
    "Print: .#",
];

#[test]
fn every_operation_on_batches() {
    let mut loops: Vec<String> = Vec::new();
    for size in [0, 1, 3] {
        let mut m = Module::new("table");
        for (form, row) in table(&mut m, size) {
            let mut least: Vec<Vec<bool>> = Vec::new();
            for mask in masks(row.operands.len()) {
                let what = format!("{form}: {}, {size} examples", shown(&mask));
                // In front, and somewhere else.
                let [looped, again] = [false, true].map(|behind| check(&what, &m, &row, &mask, size, behind));
                assert_eq!(looped, again, "{what}: where the examples are decides");
                let has = |part: &Vec<bool>| part.iter().zip(&mask).all(|(part, all)| part <= all);
                let is_known = least.iter().any(has);
                assert!(looped || !is_known, "{what}: it is no loop where more is mapped");
                if looped && !is_known {
                    loops.push(format!("{form}: {}", shown(&mask)));
                    least.push(mask);
                }
            }
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    loops.iter().for_each(|l| {
        if !seen.contains(&&l[..]) {
            seen.push(l)
        }
    });
    assert_eq!(seen, LOOPS, "what is run for one example after the other");
}

/// Every choice of operands; of many, none, all, each alone and all but each. Those of few come first.
fn masks(operands: usize) -> Vec<Vec<bool>> {
    let all = (1usize << operands) - 1;
    let mut masks: Vec<usize> = match operands {
        0..=4 => (0..=all).collect(),
        _ => [0, all].into_iter().chain((0..operands).flat_map(|k| [1 << k, all ^ 1 << k])).collect(),
    };
    masks.sort_by_key(|mask| mask.count_ones());
    masks.iter().map(|mask| (0..operands).map(|k| mask >> k & 1 == 1).collect()).collect()
}

fn shown(mask: &[bool]) -> String {
    mask.iter().map(|&mapped| if mapped { '#' } else { '.' }).collect()
}

/// Compares a batch with its examples, and says whether it is a loop over them.
fn check(what: &str, m: &Module, row: &Row, mask: &[bool], size: usize, behind: bool) -> bool {
    let (mut m, f) = single_in(m.clone(), row.op.clone(), &row.operands);
    let mut random = Random(7);
    // The same for all examples where it is not mapped.
    let shared = row.example(&mut random);
    let examples: Vec<Vec<Array>> = (0..size)
        .map(|_| {
            let own = row.example(&mut random);
            mask.iter()
                .zip(own.into_iter().zip(&shared))
                .map(|(&m, (own, all))| if m { own } else { all.clone() })
        })
        .map(Iterator::collect)
        .collect();
    let dims: Vec<Option<usize>> = (row.operands.iter().zip(mask))
        .map(|(ty, &mapped)| mapped.then_some(if behind { ty.rank() } else { 0 }))
        .collect();
    let results: Vec<TensorType> = m.get(f).results.iter().map(|&r| m.get(f).tensor(r).clone()).collect();
    let out: Vec<Option<usize>> = results.iter().map(|ty| Some(if behind { ty.rank() } else { 0 })).collect();
    let batched = vmap(&mut m, f, &dims, size, &out, Some(AXIS));
    if row.is_refused {
        let refused = batched.is_err_and(|e| e.to_string().contains("it cannot be mapped"));
        assert!(refused || !mask.contains(&true), "{what}: it is not refused");
        return false;
    }
    let g = batched.unwrap_or_else(|e| panic!("{what}: {e}"));
    let (alone, _) = m.reachable(&[g]);
    wengert_ir::verify::verify(&alone).unwrap_or_else(|e| panic!("{what}: {e:?}"));
    let args: Vec<Array> = (0..mask.len())
        .map(|k| match dims[k] {
            Some(dim) => column(&row.operands[k], examples.iter().map(|x| &x[k]), dim),
            None => shared[k].clone(),
        })
        .collect();
    let (got, heard) = printed::listening(|| eval(&m, g, &args));
    let (want, said) = printed::listening(|| one_by_one(&m, f, row, &examples));
    for (k, (got, ty)) in got.iter().zip(&results).enumerate() {
        let want = column(ty, want.iter().map(|x| &x[k]), out[k].expect("each has one"));
        let same = got.ty() == want.ty() && got.bytes() == want.bytes();
        assert!(same, "{what}: result {k} is {got:?} instead of {want:?}");
    }
    // What no example changes is said once.
    assert!(heard == said || !mask.contains(&true), "{what}: {heard:?} instead of {said:?}");
    !example_by_example(&m, g).is_empty()
}

/// What each example gives; of what examples give each other, what it means.
fn one_by_one(m: &Module, f: FuncId, row: &Row, examples: &[Vec<Array>]) -> Vec<Vec<Array>> {
    let of = |(k, args): (usize, &Vec<Array>)| match &row.op {
        Op::AxisIndex(_) => vec![Array::scalar(k as i32)],
        Op::Collective(c) => {
            assert_eq!(c.kind, CollectiveKind::AllGather, "the others have tests of their own");
            vec![column(&row.operands[0], examples.iter().map(|x| &x[0]), 0)]
        }
        _ => eval(m, f, args),
    };
    examples.iter().enumerate().map(of).collect()
}

/// Values of a type as a batch along `dim`.
fn column<'a>(ty: &TensorType, parts: impl Iterator<Item = &'a Array>, dim: usize) -> Array {
    let with = |size: usize| {
        let mut shape = ty.shape.clone();
        shape.insert(dim, size);
        ty.with_shape(&shape)
    };
    let parts: Vec<Array> = parts.map(|x| Array::from_bytes(with(1), x.bytes())).collect();
    if parts.is_empty() {
        return Array::zeros(with(0));
    }
    eval_op(Concatenate { dim }, &parts).remove(0)
}

impl Row {
    /// Operands at random; matrices that are taken apart have large diagonals.
    fn example(&self, random: &mut Random) -> Vec<Array> {
        let is_solved = matches!(&self.op, ops_of!(factorization) | Op::Cholesky(_) | Op::TriangularSolve(_));
        let one = |(ty, &(lo, hi)): (&TensorType, &(f64, f64))| {
            if lo == hi {
                return numbers(ty, std::iter::repeat_n(lo, ty.elements()));
            }
            let x = random.array(ty, lo, hi);
            match ty.shape[..] {
                [n, m] if is_solved && n == m && ty.dtype.is_float() => {
                    let diagonal = |(k, x): (usize, &f64)| if k % (n + 1) == 0 { x + 4.0 } else { *x };
                    numbers(ty, x.as_slice::<f64>().iter().enumerate().map(diagonal))
                }
                _ => x,
            }
        };
        self.operands.iter().zip(&self.ranges).map(one).collect()
    }
}
