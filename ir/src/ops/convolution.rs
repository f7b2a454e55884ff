//! `convolution`: bilinear, and closed under transposition.
//!
//! The cotangents of lhs and rhs are convolutions again: that of lhs slides the reversed kernel over the
//! cotangent spread by the strides, that of rhs slides the cotangent over lhs with strides and dilations
//! exchanged. Groups of features become groups of batches and the reverse. Evaluation sums over the window
//! in row-major order and over input features, in the type that contractions of such types are computed in. Padding is
//! multiplied as the specification says, so a kernel that is not finite makes it NaN. Compiled code may leave these products
//! out, as XLA does for `f64` and not for `f32`: next to padding an infinite kernel gives a number there.

use super::dot::{arithmetic, check_factors};
use super::elementwise::number::{Number, Wide};
use super::elementwise::{build, convert, dispatch, elements};
use super::shape::{linear, tensors, unique};
use super::sliding::{Slide, pick, places, reserve_places, sane};
use super::strided::{for_each_index, row_major};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DYNAMIC, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

/// `[first] ++ middle ++ [last]`.
fn joined(first: usize, middle: &[usize], last: usize) -> Dims {
    let mut out: Dims = smallvec![first];
    out.extend_from_slice(middle);
    out.push(last);
    out
}

/// What one element of a result is the sum of: products over `depth` features of each pair of places.
struct Sum<'a> {
    /// Where the elements of the window are, in lhs (nowhere for padding) and in the kernel.
    pairs: &'a [(Option<usize>, usize)],
    depth: usize,
    /// Where its lhs begins, and how far its features are apart.
    lhs: usize,
    lhs_step: usize,
    rhs: usize,
    rhs_step: usize,
    /// Which element it is.
    to: usize,
}

impl Convolution {
    /// How windows slide along spatial dimension `k`.
    pub fn slide(&self, k: usize, lhs: &[usize], rhs: &[usize]) -> Slide {
        Slide {
            size: lhs[self.input_spatial_dimensions[k]],
            low: self.padding_low[k],
            high: self.padding_high[k],
            dilation: self.lhs_dilation[k],
            window: rhs[self.kernel_spatial_dimensions[k]],
            window_dilation: self.rhs_dilation[k],
            stride: self.window_strides[k],
        }
    }

    /// How many spatial dimensions there are.
    pub fn spatial(&self) -> usize {
        self.input_spatial_dimensions.len()
    }

    fn slides(&self, lhs: &[usize], rhs: &[usize]) -> Vec<Slide> {
        (0..self.spatial()).map(|k| self.slide(k, lhs, rhs)).collect()
    }

    /// The shape of the result for operands of these shapes; `None` if a size is absurd.
    pub fn result_shape(&self, lhs: &[usize], rhs: &[usize]) -> Option<Dims> {
        let mut shape = Dims::from_elem(0, lhs.len());
        shape[self.output_batch_dimension] = lhs[self.input_batch_dimension] / self.batch_group_count;
        shape[self.output_feature_dimension] = rhs[self.kernel_output_feature_dimension];
        for (k, slide) in self.slides(lhs, rhs).iter().enumerate() {
            shape[self.output_spatial_dimensions[k]] = slide.count()?;
        }
        Some(shape)
    }

    fn check_dims(&self, rank: usize) -> Result<(), TypeError> {
        let n = rank - 2;
        ensure!(self.window_strides.len() == n, "C2", "window_strides need {n} entries");
        ensure!(self.window_strides.iter().all(|&s| s > 0), "C3", "window_strides must be positive");
        ensure!(self.padding_low.len() == n && self.padding_high.len() == n, "C4", "padding needs {n} pairs");
        ensure!(sane(&self.padding_low) && sane(&self.padding_high), "C4", "the padding is too large");
        ensure!(self.lhs_dilation.len() == n, "C5", "lhs_dilation needs {n} entries");
        ensure!(self.lhs_dilation.iter().all(|&s| s > 0), "C6", "lhs_dilation must be positive");
        ensure!(self.rhs_dilation.len() == n, "C7", "rhs_dilation needs {n} entries");
        ensure!(self.rhs_dilation.iter().all(|&s| s > 0), "C8", "rhs_dilation must be positive");
        ensure!(self.window_reversal.len() == n, "C9", "window_reversal needs {n} entries");
        let fits = |dims: &[usize]| unique(dims) && dims.iter().all(|&d| d < rank);
        let input =
            joined(self.input_batch_dimension, &self.input_spatial_dimensions, self.input_feature_dimension);
        ensure!(self.input_spatial_dimensions.len() == n, "C12", "{n} input_spatial_dimensions are needed");
        ensure!(fits(&input), "C13", "input dimensions {input:?} are not those of rank {rank}");
        let kernel = joined(
            self.kernel_input_feature_dimension,
            &self.kernel_spatial_dimensions,
            self.kernel_output_feature_dimension,
        );
        ensure!(self.kernel_spatial_dimensions.len() == n, "C17", "{n} kernel_spatial_dimensions are needed");
        ensure!(fits(&kernel), "C18", "kernel dimensions {kernel:?} are not those of rank {rank}");
        let output = joined(
            self.output_batch_dimension,
            &self.output_spatial_dimensions,
            self.output_feature_dimension,
        );
        ensure!(self.output_spatial_dimensions.len() == n, "C19", "{n} output_spatial_dimensions are needed");
        ensure!(fits(&output), "C20", "output dimensions {output:?} are not those of rank {rank}");
        Ok(())
    }

    fn eval_in<T: Number>(&self, x: &Array, w: &Array, shape: &[usize]) -> Array {
        let zero = T::narrow(Wide::Int(0));
        let (lhs, rhs) = (elements::<T>(x), elements::<T>(w));
        let mut out = build::<T>(x.dtype(), shape, |_| zero);
        let y: &mut [T] = bytemuck::cast_slice_mut(out.bytes_mut());
        self.sums(x.shape(), w.shape(), shape, &mut |s| {
            let mut sum = zero;
            for &(p, q) in s.pairs {
                for c in 0..s.depth {
                    let a = p.map_or(zero, |p| lhs[s.lhs + p + c * s.lhs_step]);
                    let b = rhs[s.rhs + q + c * s.rhs_step];
                    sum = T::binary(BinaryOp::Add, sum, T::binary(BinaryOp::Multiply, a, b));
                }
            }
            y[s.to] = sum;
        });
        out
    }

    /// Says of each element of the result what it is the sum of.
    fn sums(&self, x: &[usize], w: &[usize], shape: &[usize], f: &mut dyn FnMut(&Sum<'_>)) {
        let (xs, ws, ys) = (row_major(x), row_major(w), row_major(shape));
        let at = |steps: &[isize], d: usize| steps[d] as usize;
        let (batches, features) = (shape[self.output_batch_dimension], shape[self.output_feature_dimension]);
        let depth = w[self.kernel_input_feature_dimension];
        let (lhs_step, rhs_step) =
            (at(&xs, self.input_feature_dimension), at(&ws, self.kernel_input_feature_dimension));
        let outputs = pick(shape, &self.output_spatial_dimensions);
        let window = pick(w, &self.kernel_spatial_dimensions);
        let tables: Vec<_> =
            self.slides(x, w).iter().zip(&outputs).map(|(slide, &count)| places(slide, count)).collect();
        let _: Result<(), ()> = for_each_index(&outputs, |o| {
            let mut pairs: Vec<(Option<usize>, usize)> = Vec::new();
            for_each_index(&window, |k| {
                let (mut from, mut of) = (Some(0), 0);
                for d in 0..k.len() {
                    let kernel = if self.window_reversal[d] { window[d] - 1 - k[d] } else { k[d] };
                    let step = at(&xs, self.input_spatial_dimensions[d]);
                    from = from.zip(tables[d][o[d]][k[d]]).map(|(from, place)| from + place * step);
                    of += kernel * at(&ws, self.kernel_spatial_dimensions[d]);
                }
                pairs.push((from, of));
                Ok(())
            })?;
            let base: usize =
                o.iter().zip(&self.output_spatial_dimensions).map(|(&i, &d)| i * at(&ys, d)).sum();
            for n in 0..batches {
                for feature in 0..features {
                    let group = feature / (features / self.feature_group_count);
                    let batch = feature / (features / self.batch_group_count) * batches + n;
                    let lhs = batch * at(&xs, self.input_batch_dimension) + group * depth * lhs_step;
                    let rhs = feature * at(&ws, self.kernel_output_feature_dimension);
                    let to = base
                        + n * at(&ys, self.output_batch_dimension)
                        + feature * at(&ys, self.output_feature_dimension);
                    f(&Sum { pairs: &pairs, depth, lhs, lhs_step, rhs, rhs_step, to });
                }
            }
            Ok(())
        });
    }

    /// The kernel with the groups moved from its output features to its input features.
    fn regrouped_kernel(&self, e: &mut dyn Emit, rhs: Term, groups: usize) -> Term {
        let (o, i) = (self.kernel_output_feature_dimension, self.kernel_input_feature_dimension);
        move_groups(e, rhs, o, i, groups)
    }

    fn cotangent_of_lhs(&self, e: &mut dyn Emit, ct: Term, rhs: Term, lhs: &TensorType) -> Term {
        let kernel_shape = e.ty(rhs).shape;
        let groups = self.feature_group_count.max(self.batch_group_count);
        let rhs = if groups > 1 { self.regrouped_kernel(e, rhs, groups) } else { rhs };
        let reversed: Dims = (0..self.spatial())
            .filter(|&k| !self.window_reversal[k])
            .map(|k| self.kernel_spatial_dimensions[k])
            .collect();
        let rhs = if reversed.is_empty() { rhs } else { e.one(Reverse { dims: reversed }, &[rhs]) };
        let dtype = arithmetic(lhs.dtype, e.ty(rhs).dtype, self.dtype);
        let (ct, rhs) = (e.convert(ct, dtype), e.convert(rhs, dtype));
        let padding: Vec<(i64, i64)> =
            self.slides(&lhs.shape, &kernel_shape).iter().map(Slide::transposed_padding).collect();
        let back = Convolution {
            window_strides: self.lhs_dilation.clone(),
            padding_low: padding.iter().map(|p| p.0).collect(),
            padding_high: padding.iter().map(|p| p.1).collect(),
            lhs_dilation: self.window_strides.clone(),
            rhs_dilation: self.rhs_dilation.clone(),
            window_reversal: SmallVec::from_elem(false, self.spatial()),
            input_batch_dimension: self.output_batch_dimension,
            input_feature_dimension: self.output_feature_dimension,
            input_spatial_dimensions: self.output_spatial_dimensions.clone(),
            kernel_input_feature_dimension: self.kernel_output_feature_dimension,
            kernel_output_feature_dimension: self.kernel_input_feature_dimension,
            kernel_spatial_dimensions: self.kernel_spatial_dimensions.clone(),
            output_batch_dimension: self.input_batch_dimension,
            output_feature_dimension: self.input_feature_dimension,
            output_spatial_dimensions: self.input_spatial_dimensions.clone(),
            feature_group_count: groups,
            batch_group_count: 1,
            lhs_precision: self.lhs_precision,
            rhs_precision: self.rhs_precision,
            dtype,
        };
        let out = e.one(back, &[ct, rhs]);
        let out = e.convert(out, lhs.dtype);
        if self.batch_group_count > 1 {
            let (f, b) = (self.input_feature_dimension, self.input_batch_dimension);
            move_groups(e, out, f, b, self.batch_group_count)
        } else {
            out
        }
    }

    fn cotangent_of_rhs(&self, e: &mut dyn Emit, ct: Term, lhs: Term, rhs: &TensorType) -> Term {
        let lhs_shape = e.ty(lhs).shape;
        let dtype = arithmetic(e.ty(lhs).dtype, rhs.dtype, self.dtype);
        let (lhs, ct) = (e.convert(lhs, dtype), e.convert(ct, dtype));
        let padding: Vec<(i64, i64)> =
            self.slides(&lhs_shape, &rhs.shape).iter().map(Slide::kernel_padding).collect();
        let back = Convolution {
            window_strides: self.rhs_dilation.clone(),
            padding_low: padding.iter().map(|p| p.0).collect(),
            padding_high: padding.iter().map(|p| p.1).collect(),
            lhs_dilation: self.lhs_dilation.clone(),
            rhs_dilation: self.window_strides.clone(),
            window_reversal: SmallVec::from_elem(false, self.spatial()),
            input_batch_dimension: self.input_feature_dimension,
            input_feature_dimension: self.input_batch_dimension,
            input_spatial_dimensions: self.input_spatial_dimensions.clone(),
            kernel_input_feature_dimension: self.output_batch_dimension,
            kernel_output_feature_dimension: self.output_feature_dimension,
            kernel_spatial_dimensions: self.output_spatial_dimensions.clone(),
            output_batch_dimension: self.kernel_input_feature_dimension,
            output_feature_dimension: self.kernel_output_feature_dimension,
            output_spatial_dimensions: self.kernel_spatial_dimensions.clone(),
            feature_group_count: self.batch_group_count,
            batch_group_count: self.feature_group_count,
            lhs_precision: self.lhs_precision,
            rhs_precision: self.rhs_precision,
            dtype,
        };
        let out = e.one(back, &[lhs, ct]);
        let out = e.convert(out, rhs.dtype);
        let reversed: Dims = (0..self.spatial())
            .filter(|&k| self.window_reversal[k])
            .map(|k| self.kernel_spatial_dimensions[k])
            .collect();
        if reversed.is_empty() { out } else { e.one(Reverse { dims: reversed }, &[out]) }
    }
}

/// The array with the outer factor `groups` of dimension `from` moved to the outside of dimension `to`.
fn move_groups(e: &mut dyn Emit, x: Term, from: usize, to: usize, groups: usize) -> Term {
    let shape = e.ty(x).shape;
    let mut split = shape.clone();
    split[from] /= groups;
    split.insert(from, groups);
    let x = e.reshape(x, &split);
    // Dimension `from` of the split array holds the groups; `to` may have moved by one.
    let to_split = if to >= from { to + 1 } else { to };
    let mut perm: Dims = (0..split.len()).filter(|&d| d != from).collect();
    let at = perm.iter().position(|&d| d == to_split).expect("a dimension of the array");
    perm.insert(at, from);
    let x = e.transpose(x, &perm);
    let mut merged = shape;
    merged[from] /= groups;
    merged[to] *= groups;
    e.reshape(x, &merged)
}

impl OpDef for Convolution {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = tensors(operands, 2)?;
        let (lhs, rhs) = (xs[0], xs[1]);
        let rank = lhs.rank();
        ensure!(rank == rhs.rank(), "C1", "lhs has rank {rank}, rhs {}", rhs.rank());
        ensure!(rank >= 2, "C1", "rank {rank} leaves no room for batch and feature dimensions");
        ensure!(lhs.is_static() && rhs.is_static(), "I1", "shapes must be known");
        self.check_dims(rank)?;
        let (features, batches) = (self.feature_group_count, self.batch_group_count);
        ensure!(features > 0, "C21", "feature_group_count must be positive");
        ensure!(batches > 0, "C22", "batch_group_count must be positive");
        ensure!(features == 1 || batches == 1, "C23", "{features} feature groups and {batches} batch groups");
        let (n, c) = (lhs.shape[self.input_batch_dimension], lhs.shape[self.input_feature_dimension]);
        ensure!(n % batches == 0, "C10", "batch size {n} is not divisible by batch_group_count {batches}");
        ensure!(c % features == 0, "C11", "{c} features are not divisible by feature_group_count {features}");
        let i = rhs.shape[self.kernel_input_feature_dimension];
        let o = rhs.shape[self.kernel_output_feature_dimension];
        ensure!(
            i == c / features,
            "C14",
            "the kernel takes {i} features, a group of lhs has {}",
            c / features
        );
        ensure!(
            o % batches == 0,
            "C15",
            "{o} output features are not divisible by batch_group_count {batches}"
        );
        ensure!(
            o % features == 0,
            "C16",
            "{o} output features are not divisible by feature_group_count {features}"
        );
        check_factors("C27", lhs.dtype, rhs.dtype)?;
        let Some(shape) = self.result_shape(&lhs.shape, &rhs.shape).filter(|s| !s.contains(&DYNAMIC)) else {
            return Err(TypeError::new("C25", "the result would be too large"));
        };
        Ok(smallvec![Type::Tensor(TensorType { dtype: self.dtype, shape })])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let work = arithmetic(operands[0].dtype(), operands[1].dtype(), self.dtype);
        let (lhs, rhs) = (convert(&operands[0], work)?, convert(&operands[1], work)?);
        let shape = self.result_shape(lhs.shape(), rhs.shape()).expect("checked by infer");
        cx.reserve(&TensorType { dtype: self.dtype, shape: shape.clone() })?;
        let counts = pick(&shape, &self.output_spatial_dimensions);
        reserve_places(cx, self.slides(lhs.shape(), rhs.shape()).into_iter().zip(counts))?;
        fn go<T: Number>(conv: &Convolution, x: &Array, w: &Array, shape: &[usize]) -> Array {
            conv.eval_in::<T>(x, w, shape)
        }
        let out: Result<Array, EvalError> =
            dispatch!(work, "stablehlo.convolution", go(self, &lhs, &rhs, &shape));
        Ok(vec![convert(&out?, self.dtype)?])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        let features = x.size(1, self.kernel_output_feature_dimension).max(1);
        x.result(0).saturating_mul(x.operand(1) / features).saturating_mul(2)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let of_lhs = x.tangents[0].map(|t| e.one(self.clone(), &[t, x.operands[1]]));
        let of_rhs = x.tangents[1].map(|t| e.one(self.clone(), &[x.operands[0], t]));
        smallvec![e.add_opt(of_lhs, of_rhs)]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let Some(ct) = x.cotangents[0] else { return smallvec![None, None] };
        let empty = e.ty(ct).shape.contains(&0)
            || x.operands.iter().any(|o| match o {
                Operand::Known(term) => e.ty(*term).shape.contains(&0),
                Operand::Linear(ty) => ty.shape.contains(&0),
            });
        match (&x.operands[0], &x.operands[1]) {
            (Operand::Linear(lhs), Operand::Known(rhs)) if !empty => {
                smallvec![Some(self.cotangent_of_lhs(e, ct, *rhs, lhs)), None]
            }
            (Operand::Known(lhs), Operand::Linear(rhs)) if !empty => {
                smallvec![None, Some(self.cotangent_of_rhs(e, ct, *lhs, rhs))]
            }
            _ => (0..2).map(|k| linear(&x, k).map(|ty| e.zero(ty.clone()))).collect(),
        }
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0] != linear[1]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        // There are no groups of nothing.
        if size == 0 {
            return None;
        }
        let (lhs, rhs) = (operands[0], operands[1]);
        let mut op = self.clone();
        // Which dimension of each operand, and of the result, takes the examples in.
        let (of_lhs, of_rhs, of_result) = match (lhs.1, rhs.1) {
            // Examples are groups of the batch, as there are some.
            (Some(_), _) | (_, Some(_)) if self.batch_group_count > 1 => {
                op.batch_group_count *= size;
                let batches = (self.input_batch_dimension, self.kernel_output_feature_dimension);
                (Some(batches.0), Some(batches.1), self.output_feature_dimension)
            }
            (Some(_), None) => (Some(self.input_batch_dimension), None, self.output_batch_dimension),
            (None, Some(_)) if self.feature_group_count == 1 => {
                (None, Some(self.kernel_output_feature_dimension), self.output_feature_dimension)
            }
            // Examples are groups of features.
            (_, Some(_)) => {
                op.feature_group_count *= size;
                let features = (self.input_feature_dimension, self.kernel_output_feature_dimension);
                (Some(features.0), Some(features.1), self.output_feature_dimension)
            }
            (None, None) => return None,
        };
        let mut taken = |operand: Mapped, into: Option<usize>| {
            let Some(into) = into else { return operand.0 };
            let x = batching::at(e, size, operand, into);
            let mut shape = e.ty(x).shape;
            shape.remove(into);
            shape[into] *= size;
            e.reshape(x, &shape)
        };
        let (x, w) = (taken(lhs, of_lhs), taken(rhs, of_rhs));
        let y = e.one(op, &[x, w]);
        let mut shape = e.ty(y).shape;
        shape[of_result] /= size;
        shape.insert(of_result, size);
        Some(vec![(e.reshape(y, &shape), Some(of_result))])
    }
}
