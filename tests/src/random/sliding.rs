//! Steps of wild programs that slide windows over values: convolutions of few bits, reductions and selections of windows in every
//! dilation, and bits that become more or fewer elements.

use super::Maker;
use smallvec::SmallVec;
use wengert_ir::func::Value;
use wengert_ir::op::*;
use wengert_ir::types::{DType, Dims, TensorType};

impl Maker {
    /// One of them.
    pub(super) fn sliding(&mut self) {
        let x = self.value();
        match self.below(8) {
            0..=3 => self.convolution(x),
            4 | 5 => self.selected(x),
            _ => self.bits_apart(x),
        }
    }

    fn dims(&mut self, rank: usize, mut each: impl FnMut(&mut Self) -> usize) -> Dims {
        (0..rank).map(|_| each(self)).collect()
    }

    /// Padding from -1 to `most`.
    pub(super) fn padding(&mut self, rank: usize, most: usize) -> SmallVec<[i64; 4]> {
        (0..rank).map(|_| self.below(most + 2) as i64 - 1).collect()
    }

    /// A convolution that no order of summation rounds: its operands are multiples of 1/4 up to 4.
    fn convolution(&mut self, x: Value) {
        let ty = self.ty(x);
        let rank = ty.rank();
        let rounds = ty.dtype.is_complex() || matches!(ty.dtype, DType::I1 | DType::F16 | DType::BF16);
        if rank < 2 || rounds {
            return;
        }
        let spatial = rank - 2;
        let mut order: Vec<usize> = (0..rank).collect();
        for k in (1..rank).rev() {
            let j = self.below(k + 1);
            order.swap(k, j);
        }
        let (batch, features) = (ty.shape[order[0]], ty.shape[order[1]]);
        let groups = if self.chance(25) && features > 0 { features } else { 1 };
        let batches = if groups == 1 && batch > 0 && self.chance(15) { batch } else { 1 };
        let out = groups.max(batches) * (1 + self.below(3));
        if out > 64 {
            return;
        }
        let mut kernel = Dims::from_slice(&[features / groups, out]);
        let sizes = self.dims(spatial, |s| 1 + s.below(3));
        kernel.extend(sizes);
        if kernel.iter().product::<usize>() > super::LARGEST {
            return;
        }
        let w = self.of_type(&TensorType { dtype: ty.dtype, shape: kernel });
        let op = Convolution {
            window_strides: self.dims(spatial, |s| 1 + s.below(2)),
            padding_low: self.padding(spatial, 2),
            padding_high: self.padding(spatial, 2),
            lhs_dilation: self.dims(spatial, |s| 1 + s.below(4) / 3),
            rhs_dilation: self.dims(spatial, |s| 1 + s.below(4) / 3),
            window_reversal: (0..spatial).map(|_| self.chance(20)).collect(),
            input_batch_dimension: order[0],
            input_feature_dimension: order[1],
            input_spatial_dimensions: order[2..].iter().copied().collect(),
            kernel_input_feature_dimension: 0,
            kernel_output_feature_dimension: 1,
            kernel_spatial_dimensions: (2..rank).collect(),
            output_batch_dimension: 0,
            output_feature_dimension: rank - 1,
            output_spatial_dimensions: (1..rank - 1).collect(),
            feature_group_count: groups,
            batch_group_count: batches,
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype: ty.dtype,
        };
        let (x, w) = (self.few_bits(x), self.few_bits(w));
        if let Some(product) = self.hidden(op, &[x, w]) {
            self.settled(product);
        }
    }

    /// Each element of another value where a window of this one has its largest or smallest.
    fn selected(&mut self, x: Value) {
        let ty = self.ty(x);
        if ty.rank() == 0 || ty.dtype.is_complex() || ty.dtype == DType::I1 {
            return;
        }
        let rank = ty.rank();
        let op = SelectAndScatter {
            window_dimensions: self.dims(rank, |s| 1 + s.below(3)),
            window_strides: self.dims(rank, |s| 1 + s.below(3)),
            padding_low: (0..rank).map(|_| self.below(2) as i64).collect(),
            padding_high: (0..rank).map(|_| self.below(2) as i64).collect(),
            select: Selector::Compare(if self.chance(70) { Direction::Ge } else { Direction::Le }),
            scatter: Reducer::Op(BinaryOp::Add),
        };
        let windows = |d: usize| {
            let n =
                ty.shape[d] as i64 + op.padding_low[d] + op.padding_high[d] - op.window_dimensions[d] as i64;
            if n < 0 { 0 } else { n as usize / op.window_strides[d] + 1 }
        };
        let shape: Dims = (0..rank).map(windows).collect();
        let source = self.of_type(&TensorType { dtype: ty.dtype, shape });
        let zero = self.splat(&TensorType::scalar(ty.dtype), 0.0);
        let x = self.without_nan(x);
        self.push(op, &[x, source, zero]);
    }

    /// The bits of elements as more elements, or those of neighbours as one.
    fn bits_apart(&mut self, x: Value) {
        use DType::*;
        let ty = self.ty(x);
        if ty.dtype.is_complex() || ty.dtype == I1 {
            return;
        }
        let to = self.random.pick(&[I8, U8, I16, U16, I32, U32, I64, U64, F32, F64]);
        let (from, into) = (ty.dtype.size(), to.size());
        let mut shape = ty.shape.clone();
        if from > into {
            shape.push(from / into);
        } else if into > from && shape.last() == Some(&(into / from)) {
            shape.pop();
        } else {
            return;
        }
        let x = self.without_nan(x);
        self.push(BitcastConvert { ty: TensorType { dtype: to, shape } }, &[x]);
    }
}
