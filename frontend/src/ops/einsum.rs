//! Einstein summation: [`einsum`], lowered to diagonals, sums, transposes and `dot_general`.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{convert, promote_types};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, Constant, DotGeneral, Precision, Reduce, Reducer, Slice};
use wengert_ir::types::{DType, Dims};

type At = &'static Location<'static>;

/// A dimension's name: a letter, or a number for a dimension that an ellipsis stands for.
type Label = u32;

/// Names of dimensions under an ellipsis begin here, counted from the last.
const ELLIPSIS: Label = 1 << 24;

/// With up to this many operands the cheapest order of contractions is found; with more a greedy one.
const EXHAUSTIVE: usize = 8;

/// A tensor whose dimensions have names.
#[derive(Clone)]
struct Named {
    tensor: Tensor,
    labels: Vec<Label>,
}

/// Einstein summation, as `numpy.einsum`: `einsum("ij,jk->ik", &[&a, &b])`.
///
/// Every operand has a letter per dimension; equal letters are equal indices, and the product of all operands is summed
/// over the indices that the output lacks. `...` stands for as many dimensions as are left, which broadcast. A letter
/// repeated within an operand takes its diagonal. Without `->` the output has the letters that occur once, in
/// alphabetical order, after the dimensions of an ellipsis. Element types promote. Operands are contracted two at a time,
/// in the order that needs the fewest multiplications.
///
/// ```
/// use wengert::{Tensor, einsum};
/// let (a, b) = (Tensor::from([[1.0f64, 2.0], [3.0, 4.0]]), Tensor::from([10.0f64, 1.0]));
/// assert_eq!(einsum("ij,j", &[&a, &b]).to_vec::<f64>(), [12.0, 34.0]); // a matrix times a vector
/// assert_eq!(einsum("ii", &[&a]).item::<f64>(), 5.0); // the trace
/// assert_eq!(einsum("...i->i...", &[&a]).to_vec::<f64>(), [1.0, 3.0, 2.0, 4.0]); // transposed
/// ```
///
/// Fails if the text is malformed, does not fit the operands, or if sizes of one letter differ (1 stretches).
#[track_caller]
pub fn einsum(subscripts: &str, operands: &[&Tensor]) -> Tensor {
    let at = Location::caller();
    let outcome =
        parse(subscripts, operands).and_then(|(inputs, output)| contract(inputs, &output, operands, at));
    outcome.unwrap_or_else(|message| {
        let types: Vec<String> = operands.iter().map(|t| t.ty().to_string()).collect();
        let message = format!("einsum \"{subscripts}\": {message}; operands: {}", types.join(", "));
        fail(Error::new(message, Some(at)))
    })
}

/// The labels of each operand and of the output.
fn parse(subscripts: &str, operands: &[&Tensor]) -> Result<(Vec<Vec<Label>>, Vec<Label>), String> {
    let text: String = subscripts.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (&text[..], None),
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    if inputs.len() != operands.len() {
        return Err(format!("{} terms for {} operands", inputs.len(), operands.len()));
    }
    let mut all = Vec::new();
    let mut widest = 0;
    for (k, (term, operand)) in inputs.iter().zip(operands).enumerate() {
        let (before, after, dots) = letters(term)?;
        let named = before.len() + after.len();
        let rest = operand.rank().checked_sub(named).filter(|&rest| dots || rest == 0);
        let Some(rest) = rest else {
            return Err(format!("`{term}` names {named} dimensions, operand {k} has {}", operand.rank()));
        };
        widest = widest.max(rest);
        let middle = (0..rest as Label).rev().map(|k| ELLIPSIS + k);
        all.push(before.into_iter().chain(middle).chain(after).collect::<Vec<Label>>());
    }
    let ellipsis = (0..widest as Label).rev().map(|k| ELLIPSIS + k);
    let output: Vec<Label> = match output {
        Some(term) => {
            let (before, after, dots) = letters(term)?;
            // Without an ellipsis in the output its dimensions are summed.
            let middle: Vec<Label> = if dots { ellipsis.collect() } else { Vec::new() };
            before.into_iter().chain(middle).chain(after).collect()
        }
        None => {
            let letters = all.iter().flatten().copied().filter(|&l| l < ELLIPSIS);
            let mut sorted: Vec<Label> = letters.collect();
            sorted.sort_unstable();
            let once = |l: &Label| sorted.iter().filter(|k| *k == l).count() == 1;
            ellipsis.chain(sorted.iter().copied().filter(once)).collect()
        }
    };
    let name = |l: Label| char::from_u32(l).unwrap_or('.');
    for (k, l) in output.iter().enumerate() {
        if output[..k].contains(l) {
            return Err(format!("the output names `{}` twice", name(*l)));
        }
        if !all.iter().any(|labels| labels.contains(l)) {
            return Err(format!("the output names `{}`, which no operand has", name(*l)));
        }
    }
    Ok((all, output))
}

/// The letters before and after an ellipsis, and whether there is one.
fn letters(term: &str) -> Result<(Vec<Label>, Vec<Label>, bool), String> {
    let (before, after, dots) = match term.split_once("...") {
        Some((before, after)) => (before, after, true),
        None => (term, "", false),
    };
    let labels = |part: &str| {
        let letter = |c: char| {
            if c.is_ascii_alphabetic() {
                Ok(c as Label)
            } else {
                Err(format!("`{c}` in `{term}` is not a letter"))
            }
        };
        part.chars().map(letter).collect::<Result<Vec<Label>, String>>()
    };
    Ok((labels(before)?, labels(after)?, dots))
}

fn contract(
    inputs: Vec<Vec<Label>>,
    output: &[Label],
    operands: &[&Tensor],
    at: At,
) -> Result<Tensor, String> {
    let dtype = operands.iter().map(|t| t.dtype()).reduce(promote_types).ok_or("no operands")?;
    // The size of each label, where 1 stretches.
    let mut sizes: Vec<(Label, usize)> = Vec::new();
    for (labels, operand) in inputs.iter().zip(operands) {
        for (&l, &n) in labels.iter().zip(operand.shape()) {
            match sizes.iter_mut().find(|(k, _)| *k == l) {
                Some((_, size)) if *size == n || n == 1 => {}
                Some((_, size)) if *size == 1 => *size = n,
                Some((_, size)) => {
                    let name = char::from_u32(l).map_or("...".into(), |c| c.to_string());
                    return Err(format!("`{name}` is both {size} and {n}"));
                }
                None => sizes.push((l, n)),
            }
        }
    }
    let size = |l: Label| sizes.iter().find(|(k, _)| *k == l).map_or(1, |(_, n)| *n);
    let mut terms: Vec<Option<Named>> = Vec::new();
    for (labels, operand) in inputs.into_iter().zip(operands) {
        let term = Named { tensor: convert(operand, dtype, at), labels };
        terms.push(Some(diagonals(unstretched(term, &size, at), at)));
    }
    let order = path(&terms, output, &size);
    for (a, b) in order {
        let (Some(x), Some(y)) = (terms[a].take(), terms[b].take()) else {
            return Err("a term is contracted twice".into());
        };
        let needed = |l: &Label| output.contains(l) || terms.iter().flatten().any(|t| t.labels.contains(l));
        let (x, y) = (summed(x, |l| needed(l) || y.labels.contains(l), at), y);
        let y = summed(y, |l| needed(l) || x.labels.contains(l), at);
        terms.push(Some(pair(x, y, &needed, dtype, at)));
    }
    let last = terms.into_iter().flatten().next().ok_or("no operands")?;
    let last = summed(last, |l| output.contains(l), at);
    let perm: Option<Vec<usize>> = output.iter().map(|l| last.labels.iter().position(|k| k == l)).collect();
    let perm = perm.ok_or("an output dimension is lost")?;
    Ok(if perm.is_sorted() { last.tensor } else { last.tensor.transpose(&perm) })
}

/// Without the dimensions of size 1 whose label has another size elsewhere: they stretch by being absent.
fn unstretched(term: Named, size: &dyn Fn(Label) -> usize, at: At) -> Named {
    let keep: Vec<bool> = term.labels.iter().zip(term.tensor.shape()).map(|(&l, &n)| n == size(l)).collect();
    let shape: Dims = term.tensor.shape().iter().zip(&keep).filter(|(_, k)| **k).map(|(&n, _)| n).collect();
    let labels = term.labels.iter().zip(&keep).filter(|(_, k)| **k).map(|(&l, _)| l).collect();
    Named { tensor: term.tensor.reshape_to(shape, at), labels }
}

/// Each label once: repeated ones take the diagonal.
fn diagonals(mut term: Named, at: At) -> Named {
    while let Some((i, j)) = repeated(&term.labels) {
        let label = term.labels[i];
        term.tensor = diagonal(&term.tensor, i, j, 0, at);
        term.labels.remove(j);
        term.labels.remove(i);
        term.labels.push(label);
    }
    term
}

fn repeated(labels: &[Label]) -> Option<(usize, usize)> {
    (0..labels.len()).find_map(|j| (0..j).find(|&i| labels[i] == labels[j]).map(|i| (i, j)))
}

/// The diagonal of dimensions `i` and `j`, `offset` above the main one, as the last dimension: every `columns + 1`st
/// element in row-major order.
pub(crate) fn diagonal(x: &Tensor, i: usize, j: usize, offset: isize, at: At) -> Tensor {
    let (rows, columns) = (x.shape()[i] as isize, x.shape()[j] as isize);
    // Beyond the matrix there is nothing, however far.
    let offset = offset.clamp(-rows, columns);
    let n = if offset >= 0 { rows.min(columns - offset) } else { (rows + offset).min(columns) }.max(0);
    let mut perm: Vec<usize> = (0..x.rank()).filter(|&d| d != i && d != j).collect();
    let outer: Vec<usize> = perm.iter().map(|&d| x.shape()[d]).collect();
    perm.extend([i, j]);
    let x = if perm.is_sorted() { x.clone() } else { x.transpose(&perm) };
    let flat = [&outer[..], &[(rows * columns) as usize]].concat();
    let x = x.reshape_to(flat[..].into(), at);
    let from = if offset >= 0 { offset } else { -offset * columns };
    let (mut start, mut limit, mut strides) = (Dims::new(), Dims::from_slice(&outer), Dims::new());
    start.resize(outer.len(), 0);
    strides.resize(outer.len(), 1);
    start.push(if n > 0 { from as usize } else { 0 });
    limit.push(if n > 0 { (from + (n - 1) * (columns + 1) + 1) as usize } else { 0 });
    // To no other element the stride is 1.
    strides.push(if n > 1 { (columns + 1) as usize } else { 1 });
    apply_at(Slice { start, limit, strides }.into(), &[&x], at).remove(0)
}

/// Summed over the labels that nobody needs.
fn summed(term: Named, needed: impl Fn(&Label) -> bool, at: At) -> Named {
    let dims: Dims = (0..term.labels.len()).filter(|&d| !needed(&term.labels[d])).collect();
    if dims.is_empty() {
        return term;
    }
    let zero = Constant {
        value: wengert_ir::array::Literal::splat(
            wengert_ir::types::TensorType::scalar(term.tensor.dtype()),
            0.0,
        ),
    };
    let zero = apply_at(zero.into(), &[], at).remove(0);
    let labels = term.labels.iter().copied().filter(|l| needed(l)).collect();
    let op = Reduce { dims, inputs: 1, reducer: Reducer::Op(BinaryOp::Add) };
    Named { tensor: apply_at(op.into(), &[&term.tensor, &zero], at).remove(0), labels }
}

/// The product of two terms: shared labels are batching dimensions where they are needed, else contracted.
fn pair(x: Named, y: Named, needed: &dyn Fn(&Label) -> bool, dtype: DType, at: At) -> Named {
    let place = |t: &Named, l: Label| t.labels.iter().position(|&k| k == l).expect("a shared label");
    let shared: Vec<Label> = x.labels.iter().copied().filter(|l| y.labels.contains(l)).collect();
    let (batch, contracted): (Vec<Label>, Vec<Label>) = shared.iter().partition(|l| needed(l));
    let places = |t: &Named, labels: &[Label]| -> Dims { labels.iter().map(|&l| place(t, l)).collect() };
    let op = DotGeneral {
        lhs_batching_dims: places(&x, &batch),
        rhs_batching_dims: places(&y, &batch),
        lhs_contracting_dims: places(&x, &contracted),
        rhs_contracting_dims: places(&y, &contracted),
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype,
    };
    let tensor = apply_at(op.into(), &[&x.tensor, &y.tensor], at).remove(0);
    let free = x.labels.iter().chain(&y.labels).filter(|l| !shared.contains(l));
    let labels = batch.iter().chain(free).copied().collect();
    Named { tensor, labels }
}

/// Which terms meet, in order; each result is a new term at the end.
fn path(terms: &[Option<Named>], output: &[Label], size: &dyn Fn(Label) -> usize) -> Vec<(usize, usize)> {
    let sets: Vec<Vec<Label>> = terms.iter().flatten().map(|t| t.labels.clone()).collect();
    if sets.len() < 2 {
        return Vec::new();
    }
    let volume = |labels: &[Label]| labels.iter().map(|&l| size(l) as f64).product::<f64>();
    if sets.len() > EXHAUSTIVE { greedy(sets, output, &volume) } else { cheapest(&sets, output, &volume) }
}

/// The order with the fewest multiplications, by dynamic programming over sets of terms.
fn cheapest(sets: &[Vec<Label>], output: &[Label], volume: &dyn Fn(&[Label]) -> f64) -> Vec<(usize, usize)> {
    let n = sets.len();
    let all = (1usize << n) - 1;
    let union = |mask: usize| {
        let mut out: Vec<Label> = Vec::new();
        for l in (0..n).filter(|k| mask >> k & 1 == 1).flat_map(|k| &sets[k]) {
            if !out.contains(l) {
                out.push(*l);
            }
        }
        out
    };
    // What is left of a set of terms once they are contracted.
    let left: Vec<Vec<Label>> = (0..=all)
        .map(|mask| {
            let rest = union(all & !mask);
            union(mask).into_iter().filter(|l| output.contains(l) || rest.contains(l)).collect()
        })
        .collect();
    let mut best: Vec<(f64, usize)> = vec![(f64::INFINITY, 0); all + 1];
    for mask in 1..=all {
        if mask.count_ones() == 1 {
            best[mask] = (0.0, 0);
            continue;
        }
        let mut part = (mask - 1) & mask;
        while part > 0 {
            let other = mask & !part;
            if part > other {
                let mut meet = left[part].clone();
                meet.extend(left[other].iter().filter(|l| !left[part].contains(l)));
                let cost = best[part].0 + best[other].0 + volume(&meet);
                if cost < best[mask].0 {
                    best[mask] = (cost, part);
                }
            }
            part = (part - 1) & mask;
        }
    }
    let mut order = Vec::new();
    build(all, &best, n, &mut order);
    order
}

/// The number of the term that `mask` becomes; what is contracted gets the numbers after the `n` terms there are.
fn build(mask: usize, best: &[(f64, usize)], n: usize, order: &mut Vec<(usize, usize)>) -> usize {
    if mask.count_ones() == 1 {
        return mask.trailing_zeros() as usize;
    }
    let part = if best[mask].1 > 0 { best[mask].1 } else { mask & mask.wrapping_neg() };
    let (a, b) = (build(mask & !part, best, n, order), build(part, best, n, order));
    order.push((a.min(b), a.max(b)));
    n + order.len() - 1
}

/// Repeatedly the pair whose product is smallest beside what it replaces.
fn greedy(sets: Vec<Vec<Label>>, output: &[Label], volume: &dyn Fn(&[Label]) -> f64) -> Vec<(usize, usize)> {
    let mut terms: Vec<Option<Vec<Label>>> = sets.into_iter().map(Some).collect();
    let mut order = Vec::new();
    loop {
        let alive: Vec<usize> = (0..terms.len()).filter(|&k| terms[k].is_some()).collect();
        if alive.len() < 2 {
            return order;
        }
        let labels = |k: usize| terms[k].as_deref().unwrap_or_default();
        let product = |a: usize, b: usize| -> Vec<Label> {
            let mut out: Vec<Label> = labels(a).to_vec();
            out.extend(labels(b).iter().filter(|l| !labels(a).contains(l)));
            let needed = |l: &Label| {
                output.contains(l) || alive.iter().any(|&k| k != a && k != b && labels(k).contains(l))
            };
            out.into_iter().filter(needed).collect()
        };
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, &a) in alive.iter().enumerate() {
            for &b in &alive[i + 1..] {
                let cost = volume(&product(a, b)) - volume(labels(a)) - volume(labels(b));
                if best.is_none_or(|(c, ..)| cost < c) {
                    best = Some((cost, a, b));
                }
            }
        }
        let Some((_, a, b)) = best else { return order };
        let result = product(a, b);
        (terms[a], terms[b]) = (None, None);
        terms.push(Some(result));
        order.push((a, b));
    }
}
