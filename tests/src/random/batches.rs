//! Batches of random programs.

use super::check::{BOUND, Case, PREPARE, agree_all, compiled, interpret, piped, vectors, verified};
use super::{Flavor, values};
use crate::mutate::judge::SHORT;
use crate::mutate::rounding;
use wengert_ir::array::Array;
use wengert_ir::interp::{self, Limits};
use wengert_ir::testing::Random;
use wengert_ir::types::TensorType;
use wengert_passes::pipeline::DEFAULT;

/// On a batch it computes what it computes of each example, interpreted and compiled.
pub(super) fn batches(case: &Case<'_>) -> Result<(), String> {
    const SIZE: usize = 3;
    let p = case.program;
    let mut random = Random(p.seed ^ 0xba7c);
    let types: Vec<TensorType> = p.args.iter().map(|a| a.ty().clone()).collect();
    let mut mapped: Vec<Option<usize>> = types
        .iter()
        .map(|t| (!random.chance(30)).then(|| if random.chance(70) { 0 } else { random.below(t.rank() + 1) }))
        .collect();
    if let (Some(first), false) = (mapped.first_mut(), random.chance(10)) {
        *first = Some(0);
    }
    // The program's own arguments, and others where they differ.
    let examples: Vec<Vec<Array>> = (0..SIZE)
        .map(|k| {
            let others = values::of_types(&types, &mut random, false);
            let of = p.args.iter().zip(others).zip(&mapped);
            of.map(|((own, other), m)| if k > 0 && m.is_some() { other } else { own.clone() }).collect()
        })
        .collect();
    let mut want: Vec<Vec<Array>> = Vec::new();
    let mut exact = p.rounding;
    for args in &examples {
        // Other arguments may be refused, take too long, or round where the program's own do not.
        let limits = if p.flavor == Flavor::Wild { SHORT } else { Limits::default() };
        let Ok(results) = interp::run(&p.module, p.func, args, &limits) else { return Ok(()) };
        want.push(results);
        if p.flavor == Flavor::Wild {
            let Some(found) = rounding::of(&p.module, p.func, args) else { return Ok(()) };
            exact = exact.max(found);
        }
    }
    let mut m = p.module.clone();
    let out: Vec<Option<usize>> = want[0].iter().map(|r| Some(random.below(r.shape().len() + 1))).collect();
    let f = match wengert_passes::batch::vmap(&mut m, p.func, &mapped, SIZE, &out, None) {
        Ok(f) => f,
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("vmap: {e}")),
    };
    verified("vmap", &m, f)?;
    let column = |of: &[Vec<Array>], k: usize, dim: usize| -> Array {
        let parts: Vec<Array> = of
            .iter()
            .map(|example| {
                let mut shape = example[k].shape().to_vec();
                shape.insert(dim, 1);
                Array::from_bytes(example[k].ty().with_shape(&shape), example[k].bytes())
            })
            .collect();
        wengert_ir::testing::eval_op(wengert_ir::op::Concatenate { dim }, &parts).remove(0)
    };
    let args: Vec<Array> = (mapped.iter().enumerate())
        .map(|(k, dim)| dim.map_or_else(|| p.args[k].clone(), |dim| column(&examples, k, dim)))
        .collect();
    let want: Vec<Array> =
        out.iter().enumerate().map(|(k, dim)| column(&want, k, dim.expect("each has one"))).collect();
    agree_all("batch", interpret(&m, f, &args), &want, exact, BOUND)?;
    for (what, passes) in [("batch, unoptimized", PREPARE), ("batch, optimized", DEFAULT)] {
        let f = piped(&mut m, f, passes);
        agree_all(what, compiled(&m, f, &args, vectors(p.seed)), &want, exact, BOUND)?;
    }
    Ok(())
}
