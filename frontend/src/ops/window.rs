//! Windows that slide over tensors: convolutions, pooling, batch normalization.

use super::control::{body, framed, join};
use super::reduce::{axes, identity};
use crate::context::What;
use crate::error::{Error, fail};
use crate::ops::promote::{computed_type, convert, floating, promote_types};
use crate::trace::{self, apply_at};
use crate::{Operand, Tensor};
use smallvec::SmallVec;
use std::panic::Location;
use wengert_ir::array::Literal;
use wengert_ir::op::{
    BatchNormInference, BatchNormTraining, BinaryOp, Constant, Convolution, Precision, ReduceWindow, Reducer,
};
use wengert_ir::ops::reduce::recognise;
use wengert_ir::types::{DType, Dims, TensorType};

type At = &'static Location<'static>;

/// How many elements stand before and after what windows slide over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Padding {
    /// None: windows lie inside.
    #[default]
    Valid,
    /// As many as it takes for `ceil(size / stride)` windows; an odd one stands after.
    Same,
    /// The same with the odd one before.
    SameLower,
    /// Before and after, per dimension; negative numbers cut.
    Explicit(Vec<(i64, i64)>),
}

impl From<&[(i64, i64)]> for Padding {
    fn from(pairs: &[(i64, i64)]) -> Padding {
        Padding::Explicit(pairs.to_vec())
    }
}
impl<const N: usize> From<[(i64, i64); N]> for Padding {
    fn from(pairs: [(i64, i64); N]) -> Padding {
        Padding::Explicit(pairs.to_vec())
    }
}

impl Padding {
    /// The pairs for sizes, the reach of windows, and strides.
    fn pairs(&self, sizes: &[usize], reach: &[usize], strides: &[usize]) -> Vec<(i64, i64)> {
        let total = |d: usize| {
            // More than there is of anything, where numbers end.
            let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
            let windows = number(sizes[d].div_ceil(strides[d].max(1)));
            let last = (windows - 1).saturating_mul(number(strides[d]));
            last.saturating_add(number(reach[d])).saturating_sub(number(sizes[d])).max(0)
        };
        let split = |d: usize| (total(d) / 2, total(d) - total(d) / 2);
        match self {
            Padding::Valid => vec![(0, 0); sizes.len()],
            Padding::Same => (0..sizes.len()).map(split).collect(),
            Padding::SameLower => (0..sizes.len()).map(split).map(|(a, b)| (b, a)).collect(),
            Padding::Explicit(pairs) => pairs.clone(),
        }
    }
}

/// How [`conv_general`] convolves. Empty lists mean ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConvOptions {
    /// How far apart windows are.
    pub strides: Vec<usize>,
    /// What stands around the input.
    pub padding: Padding,
    /// How far apart elements of the input are: more than 1 makes the convolution a transposed one.
    pub lhs_dilation: Vec<usize>,
    /// How far apart elements of the kernel are.
    pub rhs_dilation: Vec<usize>,
    /// The dimensions of input, kernel and result as letters: `N` (batch), `C` (features), `O` and `I` (the kernel's
    /// output and input features), any others for spatial dimensions. `None` is `["NCHW", "OIHW", "NCHW"]`, with
    /// as many spatial dimensions as there are.
    pub dimension_numbers: Option<[&'static str; 3]>,
    /// Groups of features that are convolved apart: as many as features is a depthwise convolution.
    pub feature_group_count: usize,
    /// Groups of batches that are convolved apart.
    pub batch_group_count: usize,
}

impl Default for ConvOptions {
    fn default() -> Self {
        Self {
            strides: Vec::new(),
            padding: Padding::Valid,
            lhs_dilation: Vec::new(),
            rhs_dilation: Vec::new(),
            dimension_numbers: None,
            feature_group_count: 1,
            batch_group_count: 1,
        }
    }
}

/// Where the two named dimensions and the spatial ones are; those in the order of `spatial`.
fn dimensions(text: &str, names: [char; 2], spatial: &[char]) -> Option<(usize, usize, Dims)> {
    let find = |name: char| text.chars().position(|c| c == name);
    let rest: Option<Dims> = spatial.iter().map(|&c| find(c)).collect();
    let found = (find(names[0])?, find(names[1])?, rest?);
    (text.chars().count() == spatial.len() + 2).then_some(found)
}

/// Convolution, as `jax.lax.conv_general_dilated` (machine learning's: the kernel is not reversed).
///
/// Operands are `lhs` (the input) and `rhs` (the kernel) of equal rank; element types promote. The result has the
/// promoted type, the input's batch, the kernel's output features, and a window per spatial position.
///
/// ```
/// use wengert::{ConvOptions, Padding, Tensor, conv_general};
/// let x = Tensor::from([1.0f64, 2.0, 3.0, 4.0]).reshape(&[1, 4, 1]);
/// let kernel = Tensor::from([1.0f64, 10.0]).reshape(&[2, 1, 1]);
/// let options = ConvOptions {
///     padding: Padding::Same,
///     dimension_numbers: Some(["NWC", "WIO", "NWC"]),
///     ..ConvOptions::default()
/// };
/// assert_eq!(conv_general(&x, &kernel, &options).to_vec::<f64>(), [21.0, 32.0, 43.0, 4.0]);
/// ```
///
/// Fails if ranks, feature counts or list lengths do not fit, if the letters do not name each dimension once, or if
/// [`Padding::Same`] meets an `lhs_dilation`.
#[track_caller]
pub fn conv_general(lhs: &Tensor, rhs: &Tensor, options: &ConvOptions) -> Tensor {
    let at = Location::caller();
    let error = |message: &str| -> ! {
        let message = format!("conv_general: {message}; operands: {}, {}", lhs.ty(), rhs.ty());
        fail(Error::new(message, Some(at)))
    };
    if lhs.rank() != rhs.rank() || lhs.rank() < 2 {
        error("operands must have one rank of at least 2");
    }
    let n = lhs.rank() - 2;
    let (input, kernel, output) = match options.dimension_numbers {
        None => {
            let plain = (0, 1, (2..n + 2).collect::<Dims>());
            (plain.clone(), (1, 0, plain.2.clone()), plain)
        }
        Some([a, b, c]) => {
            // Spatial dimensions are numbered as the kernel has them.
            let spatial: Vec<char> = b.chars().filter(|c| !['I', 'O'].contains(c)).collect();
            let parts = (
                dimensions(a, ['N', 'C'], &spatial),
                dimensions(b, ['I', 'O'], &spatial),
                dimensions(c, ['N', 'C'], &spatial),
            );
            match parts {
                (Some(a), Some(b), Some(c)) if spatial.len() == n => (a, b, c),
                _ => error("`dimension_numbers` must name every dimension once"),
            }
        }
    };
    let list = |given: &[usize]| match given {
        [] => Dims::from_elem(1, n),
        given if given.len() == n => Dims::from_slice(given),
        _ => error("lists need an entry per spatial dimension"),
    };
    let (strides, lhs_dilation, rhs_dilation) =
        (list(&options.strides), list(&options.lhs_dilation), list(&options.rhs_dilation));
    let same = matches!(options.padding, Padding::Same | Padding::SameLower);
    if same && lhs_dilation.iter().any(|&d| d != 1) {
        error("a transposed convolution needs explicit padding");
    }
    let sizes: Dims = input.2.iter().map(|&d| lhs.shape()[d]).collect();
    let reach =
        |k: usize| (rhs.shape()[kernel.2[k]].max(1) - 1).saturating_mul(rhs_dilation[k]).saturating_add(1);
    let reach: Dims = (0..n).map(reach).collect();
    let pairs = options.padding.pairs(&sizes, &reach, &strides);
    let dtype = promote_types(lhs.dtype(), rhs.dtype());
    let (features, takes) = (lhs.shape()[input.1], rhs.shape()[kernel.0]);
    let groups = options.feature_group_count;
    if groups > 0 && features != takes * groups {
        let layout = options.dimension_numbers.map_or_else(
            || {
                "[batch, features, ..] and [output features, features, ..], for want of `dimension_numbers`"
                    .into()
            },
            |[x, kernel, _]| format!("`{x}` and `{kernel}`"),
        );
        error(&format!(
            "the kernel takes {takes} features (dimension {}) for each of {groups} groups, and the input has {features} (dimension {}); they are read as {layout}",
            kernel.0, input.1
        ));
    }
    let op = Convolution {
        window_strides: strides,
        padding_low: pairs.iter().map(|p| p.0).collect(),
        padding_high: pairs.iter().map(|p| p.1).collect(),
        lhs_dilation,
        rhs_dilation,
        window_reversal: SmallVec::from_elem(false, n),
        input_batch_dimension: input.0,
        input_feature_dimension: input.1,
        input_spatial_dimensions: input.2,
        kernel_input_feature_dimension: kernel.0,
        kernel_output_feature_dimension: kernel.1,
        kernel_spatial_dimensions: kernel.2,
        output_batch_dimension: output.0,
        output_feature_dimension: output.1,
        output_spatial_dimensions: output.2,
        feature_group_count: options.feature_group_count,
        batch_group_count: options.batch_group_count,
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype,
    };
    apply_at(op.into(), &[&convert(lhs, dtype, at), &convert(rhs, dtype, at)], at).remove(0)
}

/// Convolution over two dimensions: `x` is `[batch, features, height, width]`, `kernel` is `[output features, features,
/// height, width]`, as in `jax.lax.conv`.
///
/// ```
/// use wengert::{Padding, Tensor, conv2d};
/// let x = Tensor::arange(9, wengert::DType::F64).reshape(&[1, 1, 3, 3]);
/// let kernel = Tensor::ones(&[1, 1, 2, 2], wengert::DType::F64);
/// assert_eq!(conv2d(&x, &kernel, [1, 1], Padding::Valid).to_vec::<f64>(), [8.0, 12.0, 20.0, 24.0]);
/// ```
///
/// Fails as [`conv_general`] does.
#[track_caller]
pub fn conv2d(x: &Tensor, kernel: &Tensor, strides: [usize; 2], padding: impl Into<Padding>) -> Tensor {
    let options =
        ConvOptions { strides: strides.to_vec(), padding: padding.into(), ..ConvOptions::default() };
    conv_general(x, kernel, &options)
}

/// The windows of [`reduce_window`]: an entry per dimension. Empty lists mean ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Window {
    /// Sizes of windows.
    pub dimensions: Vec<usize>,
    /// How far apart windows are.
    pub strides: Vec<usize>,
    /// What stands around; it counts as initial values.
    pub padding: Padding,
    /// How far apart elements of the input are.
    pub base_dilation: Vec<usize>,
    /// How far apart elements of a window are.
    pub window_dilation: Vec<usize>,
}

impl Window {
    fn op(&self, name: &str, x: &Tensor, reducer: Reducer, at: At) -> ReduceWindow {
        let n = x.rank();
        let list = |given: &[usize]| match given {
            [] => Dims::from_elem(1, n),
            given if given.len() == n => Dims::from_slice(given),
            _ => {
                let message = format!("{name}: lists need an entry per dimension of {}", x.ty());
                fail(Error::new(message, Some(at)))
            }
        };
        let (window, strides) = (list(&self.dimensions), list(&self.strides));
        let (base, dilation) = (list(&self.base_dilation), list(&self.window_dilation));
        let spread = |size: usize, by: usize| {
            if size == 0 { 0 } else { (size - 1).saturating_mul(by).saturating_add(1) }
        };
        let sizes: Dims = (0..n).map(|d| spread(x.shape()[d], base[d])).collect();
        let reach: Dims = (0..n).map(|d| spread(window[d], dilation[d])).collect();
        let pairs = self.padding.pairs(&sizes, &reach, &strides);
        ReduceWindow {
            window_dimensions: window,
            window_strides: strides,
            base_dilations: base,
            window_dilations: dilation,
            padding_low: pairs.iter().map(|p| p.0).collect(),
            padding_high: pairs.iter().map(|p| p.1).collect(),
            inputs: 1,
            reducer,
        }
    }
}

/// Every window of `x` combined by a function of two scalars, as `jax.lax.reduce_window`. It starts from `init` and should
/// be associative; windows are combined in row-major order.
///
/// ```
/// use wengert::{Tensor, Window, reduce_window};
/// let x = Tensor::from([1.0f64, 2.0, 3.0, 4.0]);
/// let window = Window { dimensions: vec![2], ..Window::default() };
/// let y = reduce_window(&x, 0.0, |a, b| a.square() + b, &window);
/// assert_eq!(y.to_vec::<f64>(), [3.0, 7.0, 13.0]);
/// ```
///
/// Fails if `init` is not a scalar, if the function does not give a scalar of the type of `x`, or if lists do not have an
/// entry per dimension.
#[track_caller]
pub fn reduce_window(
    x: &Tensor,
    init: impl Operand,
    f: impl FnOnce(Tensor, Tensor) -> Tensor,
    window: &Window,
) -> Tensor {
    let what = What { name: "reduce_window", at: Location::caller() };
    let init = convert(&init.beside(x), x.dtype(), what.at);
    if init.rank() != 0 {
        let message = format!("reduce_window: the initial value must be a scalar, here it is {}", init.ty());
        fail(Error::new(message, Some(what.at)))
    }
    framed(what, || {
        let (_, types, recorded) = body(what, &(init.clone(), init.clone()), |(a, b)| f(a, b));
        if types[0] != init.ty() {
            let message =
                format!("reduce_window: the function must give {}, it gives {}", init.ty(), types[0]);
            fail(Error::new(message, Some(what.at)))
        }
        let (functions, captures) = join(&[&recorded]);
        let known = trace::with_module(|m| recognise(m, functions[0])).filter(|_| captures.is_empty());
        let reducer = known.map_or(Reducer::Func(functions[0]), Reducer::Op);
        let op = window.op("reduce_window", x, reducer, what.at);
        let operands: Vec<&Tensor> = [x, &init].into_iter().chain(&captures).collect();
        apply_at(op.into(), &operands, what.at).remove(0)
    })
}

/// Windows of one size over the trailing dimensions.
fn pool(
    name: &str,
    x: &Tensor,
    op: BinaryOp,
    window: &[usize],
    strides: &[usize],
    padding: Padding,
    at: At,
) -> Tensor {
    let rank = x.rank();
    if window.len() > rank || (!strides.is_empty() && strides.len() != window.len()) {
        let message = format!("{name}: windows of {window:?}, strides of {strides:?} do not fit {}", x.ty());
        fail(Error::new(message, Some(at)))
    }
    let free = rank - window.len();
    let full =
        |given: &[usize]| std::iter::repeat_n(1, rank - given.len()).chain(given.iter().copied()).collect();
    let padding = match padding {
        Padding::Explicit(pairs) => {
            Padding::Explicit(std::iter::repeat_n((0, 0), free).chain(pairs).collect())
        }
        Padding::Valid | Padding::Same | Padding::SameLower => padding,
    };
    let windows = Window { dimensions: full(window), strides: full(strides), padding, ..Window::default() };
    running(x, windows.op(name, x, Reducer::Op(op), at), op, at)
}

/// A reduction from the operation's neutral element.
pub(super) fn running(x: &Tensor, windows: ReduceWindow, op: BinaryOp, at: At) -> Tensor {
    let init = apply_at(Constant { value: identity(op, x.dtype()) }.into(), &[], at).remove(0);
    apply_at(windows.into(), &[x, &init], at).remove(0)
}

/// The largest element of every window, as `flax.linen.max_pool`. `window` and `strides` have an entry per trailing dimension
/// (`[2, 2]` for images `[batch, features, height, width]`, `[2, 2, 1]` where features come last); without
/// strides windows lie at every position. The derivative goes to the first of equal elements.
///
/// ```
/// use wengert::{Padding, Tensor, max_pool};
/// let x = Tensor::from([[1.0f64, 5.0, 2.0, 0.0], [3.0, 4.0, 1.0, 9.0]]);
/// assert_eq!(max_pool(&x, &[2, 2], &[2, 2], Padding::Valid).to_vec::<f64>(), [5.0, 9.0]);
/// ```
///
/// Fails if there are more entries than dimensions.
#[track_caller]
pub fn max_pool(x: &Tensor, window: &[usize], strides: &[usize], padding: impl Into<Padding>) -> Tensor {
    pool("max_pool", x, BinaryOp::Maximum, window, strides, padding.into(), Location::caller())
}

/// The smallest element of every window; see [`max_pool`].
#[track_caller]
pub fn min_pool(x: &Tensor, window: &[usize], strides: &[usize], padding: impl Into<Padding>) -> Tensor {
    pool("min_pool", x, BinaryOp::Minimum, window, strides, padding.into(), Location::caller())
}

/// The mean of every window, padding counted as zeros, as `flax.linen.avg_pool`; see [`max_pool`].
///
/// ```
/// use wengert::{Padding, Tensor, avg_pool};
/// let x = Tensor::from([1.0f64, 3.0, 5.0, 9.0]);
/// assert_eq!(avg_pool(&x, &[2], &[], Padding::Valid).to_vec::<f64>(), [2.0, 4.0, 7.0]);
/// assert_eq!(avg_pool(&x, &[2], &[], Padding::Same).to_vec::<f64>(), [2.0, 4.0, 7.0, 4.5]);
/// ```
#[track_caller]
pub fn avg_pool(x: &Tensor, window: &[usize], strides: &[usize], padding: impl Into<Padding>) -> Tensor {
    let at = Location::caller();
    let own = floating(x);
    let x = convert(&own, computed_type(own.dtype()), at);
    let sum = pool("avg_pool", &x, BinaryOp::Add, window, strides, padding.into(), at);
    convert(&(sum / window.iter().product::<usize>() as f64), own.dtype(), at)
}

fn epsilon(value: f64) -> Literal {
    Literal::splat(TensorType::scalar(DType::F32), value)
}

fn feature(name: &str, x: &Tensor, axis: isize, at: At) -> usize {
    axes(name, x, &[axis], at)[0]
}

/// Mean 0 and variance 1 for every feature over all other dimensions, then scaled and shifted by vectors with an entry per
/// feature; also the means and the variances (Ioffe, Szegedy, "Batch normalization", 2015).
///
/// ```
/// use wengert::{Tensor, batch_norm};
/// let x = Tensor::from([[1.0f64, 10.0], [3.0, 30.0]]);
/// let (y, mean, variance) = batch_norm(&x, &Tensor::from([1.0f64, 2.0]), &Tensor::from([0.0f64, 5.0]), 0.0, -1);
/// assert_eq!(y.to_vec::<f64>(), [-1.0, 3.0, 1.0, 7.0]);
/// assert_eq!((mean.to_vec::<f64>(), variance.to_vec::<f64>()), (vec![2.0, 20.0], vec![1.0, 100.0]));
/// ```
///
/// Fails if `x` is not a float, if the axis is out of range, or if a vector has another size or element type.
#[track_caller]
pub fn batch_norm(
    x: &Tensor,
    scale: &Tensor,
    offset: &Tensor,
    epsilon_value: f64,
    feature_axis: isize,
) -> (Tensor, Tensor, Tensor) {
    let at = Location::caller();
    let feature_index = feature("batch_norm", x, feature_axis, at);
    let op = BatchNormTraining { epsilon: epsilon(epsilon_value), feature_index };
    let mut out = apply_at(op.into(), &[x, scale, offset], at).into_iter();
    let mut next = || out.next().expect("three results");
    (next(), next(), next())
}

/// [`batch_norm`] with means and variances that are given: `scale * (x - mean) / sqrt(variance + epsilon) + offset`.
///
/// ```
/// use wengert::{Tensor, batch_norm_inference};
/// let one = |v: f64| Tensor::from([v]);
/// let y = batch_norm_inference(&Tensor::from([[5.0f64]]), &one(2.0), &one(1.0), (&one(3.0), &one(4.0)), 0.0, 1);
/// assert_eq!(y.to_vec::<f64>(), [3.0]);
/// ```
///
/// Fails as [`batch_norm`] does.
#[track_caller]
pub fn batch_norm_inference(
    x: &Tensor,
    scale: &Tensor,
    offset: &Tensor,
    (mean, variance): (&Tensor, &Tensor),
    epsilon_value: f64,
    feature_axis: isize,
) -> Tensor {
    let at = Location::caller();
    let feature_index = feature("batch_norm_inference", x, feature_axis, at);
    let op = BatchNormInference { epsilon: epsilon(epsilon_value), feature_index };
    apply_at(op.into(), &[x, scale, offset, mean, variance], at).remove(0)
}
