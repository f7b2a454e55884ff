//! Products of matrices with vectors become sums of products of elements.
//!
//! A call of a library multiplies matrices: most pack what they read again and again. A product with a vector reads each element of
//! the matrix once, so a loop does it at the speed of memory, in vectors along whichever dimension lies innermost, and such a
//! loop takes in what makes the matrix and what is made of the result. Scalar products of batches were 2 to 29 times as fast as
//! calls, products of a vector with matrices of 3 to 64 columns 1 to 14 times (f32, 8 and 1,000 in a batch, sums of 6 to 256).
//!
//! What stays: sums of so few that they are expressions ([`short_dot`]); products so small that they are computed in registers, and so
//! large that they do not stay in the nearer caches, where a call is as good; and many short sums along memory for each of a
//! batch, where a product of matrices is better.

use crate::expansion::{Body, value};
use crate::inline::rebuilt;
use crate::lower::plan::classify::{has_one_type, multiply_adds, short_dot};
use crate::rewrite::{copy_inst, like, mapped};
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{Dims, FloatMode};

/// Products of no more multiplications may be computed in registers.
const IN_REGISTERS: usize = 64;
/// The most elements of a matrix, alone and in a batch.
const ALONE: usize = 300 * 300;
const IN_BATCH: usize = 8192;
/// The most sums along memory of each vector of a batch.
const SUMS: usize = 16;

/// Whether matrices of so many elements stay in the nearer caches, with others of their batch.
pub(crate) fn stays_near(batches: usize, size: usize) -> bool {
    size <= if batches == 1 { ALONE } else { IN_BATCH }
}

/// `func` with products of matrices with vectors written out. It is `func` itself if there are none, and in exact mode, where
/// products stay as they are written.
pub(crate) fn matvec(m: &mut Module, func: FuncId) -> FuncId {
    if m.mode == FloatMode::Exact {
        return func;
    }
    rebuilt(m, func, |m, f| {
        let (mut new, mut env) = like(f);
        for inst in f.insts.values() {
            let Some(product) = Product::of(f, inst) else {
                copy_inst(&mut new, f, inst, &mut env);
                continue;
            };
            let known = |v: Value| Term::Known(env[v].expect("topological order"));
            let factors = [known(product.matrix), known(product.vector)];
            let mut body = Body { module: m, func: &mut new, loc: inst.loc.clone() };
            let out = product.emit(&mut body, factors);
            env[inst.results[0]] = Some(value(out));
        }
        new.results = mapped(&env, &f.results).to_vec();
        Some(new)
    })
}

/// A product that is written out, by the dimensions of the matrix as it lies in memory.
struct Product {
    matrix: Value,
    vector: Value,
    /// The dimensions of the matrix that those of the vector are.
    dims: Dims,
    /// Its shape without the dimensions, of size 1, that it has alone.
    vector_shape: Dims,
    /// What is summed over.
    contracted: Dims,
    /// The dimensions that are left, in the order of the result.
    kept: Dims,
    shape: Dims,
}

impl Product {
    fn of(f: &Func, inst: &Inst) -> Option<Self> {
        let Op::DotGeneral(dot) = &inst.op else { return None };
        if !dot.dtype.is_float() || !has_one_type(f, inst) || short_dot(f, inst).is_some() {
            return None;
        }
        let sides = [
            (&dot.lhs_batching_dims, &dot.lhs_contracting_dims),
            (&dot.rhs_batching_dims, &dot.rhs_contracting_dims),
        ];
        let frees = [0, 1].map(|k| -> Dims {
            let (batch, contracted) = sides[k];
            let all = 0..f.tensor(inst.operands[k]).rank();
            all.filter(|d| !batch.contains(d) && !contracted.contains(d)).collect()
        });
        let count = |v: Value, dims: &Dims| {
            dims.iter().map(|&d| f.tensor(v).shape[d]).fold(1usize, usize::saturating_mul)
        };
        let counts = [count(inst.operands[0], &frees[0]), count(inst.operands[1], &frees[1])];
        // The right factor is the matrix if both are vectors.
        let of_matrix = usize::from(counts[0] == 1);
        if counts[1 - of_matrix] != 1 {
            return None;
        }
        let [(batch, contracted), (own_batch, own_contracted)] = [sides[of_matrix], sides[1 - of_matrix]];
        let (matrix, order) = as_it_lies(f, inst.operands[of_matrix]);
        let vector = inst.operands[1 - of_matrix];
        let shape = &f.tensor(matrix).shape;
        let batches = count(inst.operands[of_matrix], batch);
        let (sums, terms) = (counts[of_matrix], count(vector, own_contracted));
        let place = |dims: &Dims| -> Dims { dims.iter().map(|&d| order[d]).collect() };
        let contracted_there = place(contracted);
        let innermost = (0..shape.len()).rev().find(|&d| shape[d] > 1)?;
        let along_memory = contracted_there.contains(&innermost);
        let size = sums.checked_mul(terms)?;
        let wanted = terms > 1
            && multiply_adds(f, inst) > IN_REGISTERS
            && (sums == 1 || stays_near(batches, size))
            && (!along_memory || batches == 1 || sums <= SUMS);
        if !wanted {
            return None;
        }
        let mut of_vector: Vec<(usize, usize)> = own_batch.iter().copied().zip(place(batch)).collect();
        of_vector.extend(own_contracted.iter().copied().zip(contracted_there.iter().copied()));
        of_vector.sort_unstable();
        let kept = place(&batch.iter().chain(&frees[of_matrix]).copied().collect());
        Some(Product {
            matrix,
            vector,
            dims: of_vector.iter().map(|p| p.1).collect(),
            vector_shape: of_vector.iter().map(|p| f.tensor(vector).shape[p.0]).collect(),
            contracted: {
                let mut dims = contracted_there;
                dims.sort_unstable();
                dims
            },
            kept,
            shape: f.tensor(inst.results[0]).shape.clone(),
        })
    }

    fn emit(&self, e: &mut Body<'_>, [matrix, vector]: [Term; 2]) -> Term {
        let e: &mut dyn Emit = e;
        let shape = e.ty(matrix).shape;
        let vector = e.reshape(vector, &self.vector_shape);
        let mut order: Dims = (0..self.dims.len()).collect();
        order.sort_unstable_by_key(|&d| self.dims[d]);
        let vector = e.transpose(vector, &order);
        let dims: Dims = order.iter().map(|&d| self.dims[d]).collect();
        let vector = e.broadcast_in_dim(vector, &shape, &dims);
        let products = e.mul(matrix, vector);
        let sums = e.reduce_sum(products, &self.contracted);
        // Where the dimensions that are left are in the sums.
        let place = |d: usize| d - self.contracted.iter().filter(|&&c| c < d).count();
        let perm: Dims = self.kept.iter().map(|&d| place(d)).collect();
        let sums = e.transpose(sums, &perm);
        e.reshape(sums, &self.shape)
    }
}

/// What a value is the transpose of, and which dimension of that each of its dimensions is.
pub(crate) fn as_it_lies(f: &Func, mut v: Value) -> (Value, Dims) {
    let mut order: Dims = (0..f.tensor(v).rank()).collect();
    while let Some((_, inst)) = f.def(v)
        && let Op::Transpose(t) = &inst.op
    {
        order.iter_mut().for_each(|d| *d = t.perm[*d]);
        v = inst.operands[0];
    }
    (v, order)
}
