//! THE list of operations.
//!
//! A closed enum with one struct per operation; families (elementwise unary, binary) are enums of their
//! own. Names and attributes are StableHLO's. The mathematics of each operation (shape inference with the
//! checks, evaluation, jvp, transpose, batching) is its [`OpDef`](crate::rules::OpDef) implementation in [`crate::ops`]; what it is to passes that
//! do not give it meaning, its [`Kind`].

mod attr;
mod define;
mod kind;
mod regions;
mod words;

use crate::array::Literal;
use crate::func::id::FuncId;
use crate::host::Host;
use crate::types::{DType, Dims, TensorType, Type};
use attr::Field;
use define::ops;
use smallvec::SmallVec;
use std::sync::Arc;

pub use attr::{Attr, Text};
pub use kind::{Effect, Kind};
pub use words::{
    BinaryOp, CallForm, CheckKind, CollectiveKind, CompareType, Direction, FftType, FloatAttr, Keep,
    Precision, Reducer, RngAlgorithm, RngDistribution, Selector, SvdDriver, SvdMode, TransposeA, UnaryOp,
};

/// A bad request to [`Op::build`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpError(pub String);

ops! {
    /// Operands: none. Result: the literal.
    Constant "stablehlo.constant" {
        /// What it is.
        value: Literal }
    /// Zeros that count as linear: the tangent of what does not depend on the input. Printed as a constant.
    Zero "wengert.zero" {
        /// Its type.
        ty: TensorType }
    /// `0, 1, 2...` along one dimension.
    Iota "stablehlo.iota" {
        /// Result type.
        ty: TensorType,
        /// The dimension that counts.
        dim: usize }
    /// Elementwise comparison; gives `i1`.
    Compare "stablehlo.compare" {
        /// What it asks.
        direction: Direction,
        /// In which order.
        kind: CompareType }
    /// `pred ? on_true : on_false`; the predicate is a scalar or has the operands' shape.
    Select "stablehlo.select" {}
    /// `min(max(x, lo), hi)`; operands `lo, x, hi`, bounds scalar or of x's shape.
    Clamp "stablehlo.clamp" {}
    /// `a * b + c`, rounded once. Ours: text shows `stablehlo.composite "wengert.fma"`.
    Fma "wengert.fma" {}
    /// To another element type.
    Convert "stablehlo.convert" {
        /// The new element type.
        dtype: DType }
    /// The same bits as another type; when sizes differ the last dimension takes up the difference.
    BitcastConvert "stablehlo.bitcast_convert" {
        /// Result type.
        ty: TensorType }
    /// Rounds to a format with fewer bits and back.
    ReducePrecision "stablehlo.reduce_precision" {
        /// Bits of exponent.
        exponent_bits: usize,
        /// Bits of mantissa.
        mantissa_bits: usize }
    /// Dimension `i` of the operand becomes dimension `dims[i]` of the result; size-1 dimensions stretch.
    BroadcastInDim "stablehlo.broadcast_in_dim" {
        /// Result shape.
        shape: Dims,
        /// Where each operand dimension goes.
        dims: Dims }
    /// The same elements in row-major order under another shape.
    Reshape "stablehlo.reshape" {
        /// Result shape.
        shape: Dims }
    /// Result dimension `i` is operand dimension `perm[i]`.
    Transpose "stablehlo.transpose" {
        /// The permutation.
        perm: Dims }
    /// Reverses the order along dimensions.
    Reverse "stablehlo.reverse" {
        /// Which.
        dims: Dims }
    /// `operand[start:limit:stride]` per dimension.
    Slice "stablehlo.slice" {
        /// First index.
        start: Dims,
        /// One past the last index.
        limit: Dims,
        /// Step, at least 1.
        strides: Dims }
    /// Operands one after another along a dimension.
    Concatenate "stablehlo.concatenate" {
        /// Which.
        dim: usize }
    /// Operands `x, value`: `value` around and between the elements of x; negative edges cut.
    Pad "stablehlo.pad" {
        /// Before the first element.
        low: SmallVec<[i64; 4]>,
        /// After the last.
        high: SmallVec<[i64; 4]>,
        /// Between neighbours, not negative.
        interior: SmallVec<[i64; 4]> }
    /// Operands `x, start indices...` (scalars, clamped so that the slice fits).
    DynamicSlice "stablehlo.dynamic_slice" {
        /// Result shape.
        sizes: Dims }
    /// Operands `x, update, start indices...` (scalars, clamped so that the update fits).
    DynamicUpdateSlice "stablehlo.dynamic_update_slice" {}
    /// Operands `operand, start_indices`; see the StableHLO specification. Starts are clamped.
    Gather "stablehlo.gather" {
        /// Result dimensions that index into slices.
        offset_dims: Dims,
        /// Operand dimensions of slice size 1 that vanish.
        collapsed_slice_dims: Dims,
        /// Operand dimensions that run along with indices.
        operand_batching_dims: Dims,
        /// Their partners in `start_indices`.
        start_indices_batching_dims: Dims,
        /// Operand dimension of each index component.
        start_index_map: Dims,
        /// Dimension of `start_indices` that holds the components.
        index_vector_dim: usize,
        /// Size of a slice per operand dimension.
        slice_sizes: Dims,
        /// A promise.
        indices_are_sorted: bool }
    /// Operands `input_1..input_n, indices, update_1..update_n, captures...`; out-of-bounds updates are dropped.
    /// With [`Reducer::Func`] the function takes `captures, input_1..input_n, update_1..update_n`; the other
    /// reducers are for one input.
    Scatter "stablehlo.scatter" {
        /// Update dimensions that index into windows.
        update_window_dims: Dims,
        /// Input dimensions of window size 1 that updates lack.
        inserted_window_dims: Dims,
        /// Input dimensions that run along with indices.
        input_batching_dims: Dims,
        /// Their partners in `indices`.
        scatter_indices_batching_dims: Dims,
        /// Input dimension of each index component.
        scatter_dims_to_operand_dims: Dims,
        /// Dimension of `indices` that holds the components.
        index_vector_dim: usize,
        /// A promise.
        indices_are_sorted: bool,
        /// A promise.
        unique_indices: bool,
        /// How many tensors are scattered into together (`n`).
        inputs: usize,
        /// How an update meets what is there.
        reducer: Reducer }
    /// Operands `x_1..x_n, captures...`; results the `n` tensors, slices along `dimension` permuted together so
    /// that they ascend. The comparator takes `captures, lhs_1, rhs_1..lhs_n, rhs_n` and says whether the left
    /// elements come before the right. Always stable.
    Sort "stablehlo.sort" {
        /// Along which dimension.
        dimension: usize,
        /// Whether the order of equals was asked for.
        is_stable: bool,
        /// How many tensors are sorted together (`n`).
        inputs: usize,
        /// Whether the left elements come first.
        comparator: FuncId }
    /// The `k` largest elements along the last dimension, in descending total order, and their indices (`i32`);
    /// of equals the first comes first.
    TopK "chlo.top_k" {
        /// How many.
        k: usize }
    /// Operands `a, b, shape`: random numbers, the same in every run.
    Rng "stablehlo.rng" {
        /// Result type.
        ty: TensorType,
        /// How they are distributed.
        distribution: RngDistribution,
        /// Which sequence: two instructions of a program draw from two, as two of XLA's do. In a loop each trip draws the same.
        stream: usize }
    /// Operand: a state; results: the state to go on with, and random bits.
    RngBitGenerator "stablehlo.rng_bit_generator" {
        /// How they are made.
        algorithm: RngAlgorithm,
        /// Type of the bits.
        ty: TensorType }
    /// Generalized matrix product. Result dimensions: batching, lhs free, rhs free.
    DotGeneral "stablehlo.dot_general" {
        /// Batching dimensions of lhs.
        lhs_batching_dims: Dims,
        /// Batching dimensions of rhs.
        rhs_batching_dims: Dims,
        /// Contracting dimensions of lhs.
        lhs_contracting_dims: Dims,
        /// Contracting dimensions of rhs.
        rhs_contracting_dims: Dims,
        /// Requested precision of lhs.
        lhs_precision: Precision,
        /// Requested precision of rhs.
        rhs_precision: Precision,
        /// Result element type.
        dtype: DType }
    /// Operands `x_1..x_n, init_1..init_n, captures...`; results `n` reduced tensors. With
    /// [`Reducer::Func`] the function takes `captures, lhs_1..lhs_n, rhs_1..rhs_n`.
    Reduce "stablehlo.reduce" {
        /// Reduced dimensions, ascending.
        dims: Dims,
        /// How many tensors are reduced together (`n`).
        inputs: usize,
        /// How elements combine.
        reducer: Reducer }
    /// Operands `lhs, rhs`: products of windows of lhs with rhs, the kernel. Lists have an entry per spatial
    /// dimension.
    Convolution "stablehlo.convolution" {
        /// From window to window.
        window_strides: Dims,
        /// Before the first element of lhs; may be negative.
        padding_low: SmallVec<[i64; 4]>,
        /// After the last.
        padding_high: SmallVec<[i64; 4]>,
        /// From element to element of lhs.
        lhs_dilation: Dims,
        /// From element to element of a window.
        rhs_dilation: Dims,
        /// Whether windows are read backwards.
        window_reversal: SmallVec<[bool; 4]>,
        /// Batch dimension of lhs.
        input_batch_dimension: usize,
        /// Feature dimension of lhs.
        input_feature_dimension: usize,
        /// The others.
        input_spatial_dimensions: Dims,
        /// Dimension of rhs that meets lhs' features.
        kernel_input_feature_dimension: usize,
        /// Dimension of rhs that becomes the result's features.
        kernel_output_feature_dimension: usize,
        /// The others.
        kernel_spatial_dimensions: Dims,
        /// Batch dimension of the result.
        output_batch_dimension: usize,
        /// Feature dimension of the result.
        output_feature_dimension: usize,
        /// The others.
        output_spatial_dimensions: Dims,
        /// Into how many groups features fall.
        feature_group_count: usize,
        /// Into how many groups batches fall.
        batch_group_count: usize,
        /// Requested precision of lhs.
        lhs_precision: Precision,
        /// Requested precision of rhs.
        rhs_precision: Precision,
        /// Result element type.
        dtype: DType }
    /// Operands `x_1..x_n, init_1..init_n, captures...`, combined as in [`Reduce`] over windows that slide
    /// over the inputs. Lists have an entry per dimension.
    ReduceWindow "stablehlo.reduce_window" {
        /// Elements of a window.
        window_dimensions: Dims,
        /// From window to window.
        window_strides: Dims,
        /// From element to element of the inputs.
        base_dilations: Dims,
        /// From element to element of a window.
        window_dilations: Dims,
        /// Before the first element; may be negative.
        padding_low: SmallVec<[i64; 4]>,
        /// After the last.
        padding_high: SmallVec<[i64; 4]>,
        /// How many tensors are reduced together (`n`).
        inputs: usize,
        /// How elements combine.
        reducer: Reducer }
    /// Operands `operand, source, init, captures...`: each element of `source` goes where its window of
    /// `operand` has the element that is selected. Both functions take all captures.
    SelectAndScatter "stablehlo.select_and_scatter" {
        /// Elements of a window.
        window_dimensions: Dims,
        /// From window to window.
        window_strides: Dims,
        /// Before the first element; may be negative.
        padding_low: SmallVec<[i64; 4]>,
        /// After the last.
        padding_high: SmallVec<[i64; 4]>,
        /// Which element of a window is selected.
        select: Selector,
        /// How elements that go to one place combine.
        scatter: Reducer }
    /// Operands `x_1..x_n, captures...` of one shape: a function of scalars, applied to the elements.
    Map "stablehlo.map" {
        /// All dimensions, in order.
        dimensions: Dims,
        /// How many tensors are mapped (`n`).
        inputs: usize,
        /// Takes `captures, x_1..x_n`.
        computation: FuncId }
    /// Operands `operand, scale, offset`; results the normalized operand, its mean and its variance.
    BatchNormTraining "stablehlo.batch_norm_training" {
        /// What is added to the variance, a scalar `f32`.
        epsilon: Literal,
        /// The dimension that is not averaged over.
        feature_index: usize }
    /// Operands `operand, scale, offset, mean, variance`.
    BatchNormInference "stablehlo.batch_norm_inference" {
        /// What is added to the variance, a scalar `f32`.
        epsilon: Literal,
        /// The dimension that is not averaged over.
        feature_index: usize }
    /// Operands `operand, scale, mean, variance, grad_output`; results the cotangents of operand, scale, offset.
    BatchNormGrad "stablehlo.batch_norm_grad" {
        /// What is added to the variance, a scalar `f32`.
        epsilon: Literal,
        /// The dimension that is not averaged over.
        feature_index: usize }
    /// Discrete Fourier transform of the last dimensions.
    Fft "stablehlo.fft" {
        /// Which.
        kind: FftType,
        /// Its length per transformed dimension.
        length: Dims }
    /// The Cholesky factor of Hermitian matrices, of which one triangle is read; zeros in the other triangle.
    /// NaN where a matrix is not positive definite.
    Cholesky "stablehlo.cholesky" {
        /// Whether the lower triangle is read and `L` given, with `a = L L^H`; else `U`, with `a = U^H U`.
        lower: bool }
    /// Operands `a, b`; gives `x` with `op(a) x = b` or `x op(a) = b`. One triangle of `a` is read.
    TriangularSolve "stablehlo.triangular_solve" {
        /// Whether `a` stands left of `x`.
        left_side: bool,
        /// Which triangle is read.
        lower: bool,
        /// Whether the diagonal is taken to be 1 and not read.
        unit_diagonal: bool,
        /// What `op` is.
        transpose_a: TransposeA }
    /// LAPACK's `potrf`: results the matrix with one triangle overwritten by its Cholesky factor, and
    /// `info`, 0 or the order of the first minor that is not positive.
    Potrf "lapack.potrf" {
        /// Which triangle.
        lower: bool }
    /// LU decomposition with partial pivoting: results `L - 1 + U`, pivots, and for [`CallForm::Lapack`] `info`, for
    /// [`CallForm::Generic`] the permutation of rows. LAPACK counts pivots from 1.
    Lu "lapack.getrf" {
        /// Its spelling.
        form: CallForm }
    /// QR decomposition by Householder reflectors `1 - tau v v^H`: results `R` with the vectors below it, and the taus.
    Qr "lapack.geqrf" {
        /// Its spelling.
        form: CallForm }
    /// QR decomposition with pivoted columns: operands the matrix and which columns come first (from 1, 0 for free ones);
    /// results as of [`Qr`] for the permuted matrix, the permutation (from 1), and the taus, in the order `packed, permutation,
    /// taus`. Of the free columns the one with the largest remainder comes next.
    PivotedQr "lapack.geqp3" {}
    /// Operands `v, taus` as from [`Qr`]: the first columns of the product of the reflectors.
    HouseholderProduct "lapack.orgqr" {
        /// Its spelling.
        form: CallForm }
    /// Eigenvectors and ascending eigenvalues of Hermitian matrices; for [`CallForm::Lapack`] also `info`.
    Eigh "lapack.syevd" {
        /// Which triangle is read.
        lower: bool,
        /// Whether vectors are computed; without them the first result is unspecified.
        vectors: bool,
        /// Its spelling.
        form: CallForm,
        /// Whether the generic form asks for ascending order.
        sort: bool }
    /// Singular value decomposition: results the operand (overwritten in LAPACK, unspecified), descending
    /// singular values, `U`, `V^H`, `info`.
    Svd "lapack.gesdd" {
        /// Which vectors.
        mode: SvdMode,
        /// Its spelling.
        driver: SvdDriver }
    /// Eigenvalues (real and imaginary parts apart if the operand is real), left and right eigenvectors, `info`.
    Eig "lapack.geev" {
        /// Whether left vectors are computed.
        left: bool,
        /// Whether right vectors are computed.
        right: bool }
    /// Schur form, Schur vectors, eigenvalues (as [`Eig`] gives them), number of selected ones (0), `info`. The form of a
    /// real matrix has a 2x2 block, of equal diagonal elements, for each pair of conjugate eigenvalues.
    Schur "lapack.gees" {
        /// Whether vectors are computed.
        vectors: bool }
    /// Hessenberg form with reflectors below it, taus, `info`.
    Hessenberg "lapack.gehrd" {
        /// First row and column to reduce, from 1.
        low: usize,
        /// The last.
        high: usize }
    /// Tridiagonal form of Hermitian matrices: packed reflectors, diagonal, off-diagonal, taus, `info`.
    Tridiagonalize "lapack.sytrd" {
        /// Which triangle is read.
        lower: bool }
    /// Operands `dl, d, du, b`, the diagonals of equal length (`dl[0]` and the last of `du` are not read). Results
    /// the diagonals (overwritten in LAPACK, unspecified), the solution, `info`; with `perturbed` the solution alone.
    TridiagonalSolve "lapack.gtsv" {
        /// Whether pivots that are nearly zero are moved away from it, so that a singular system has a solution, as LAPACK's
        /// `lagts` does for inverse iteration.
        perturbed: bool }
    /// The largest or smallest elements along a dimension, in order. Operands `x, indices, init, init`; results
    /// elements and indices. The exact answer of what the custom call may approximate.
    ApproxTopK "ApproxTopK" {
        /// How many.
        k: usize,
        /// The dimension.
        dim: usize,
        /// Whether the largest come first.
        largest: bool,
        /// What else the custom call says, as text.
        config: Text,
        /// The comparator.
        comparator: FuncId }
    /// A call of something that is no operation: it prints and verifies, and runs the function of the host that it is bound to, or
    /// that is registered for its target, if there is one ([`crate::host`]).
    CustomCall "stablehlo.custom_call" {
        /// Its name.
        target: Text,
        /// The attributes as text, without those below.
        attributes: Text,
        /// Whether it does more than give results.
        has_side_effect: bool,
        /// Types of the results.
        results: Vec<Type>,
        /// Functions that it may call.
        called_computations: Vec<FuncId>,
        /// The function of the host that it is bound to.
        host: Host }
    /// Calls a private function.
    Call "func.call" {
        /// Which.
        callee: FuncId }
    /// Calls a function that defines an operation of the user's.
    Composite "stablehlo.composite" {
        /// The operation's name.
        name: Arc<str>,
        /// Its attributes as MLIR writes them, braces included; empty for none.
        attributes: Arc<str>,
        /// The function that defines it.
        decomposition: FuncId,
        /// Its version.
        version: usize }
    /// Operands `index: i32, captures...`; runs the branch of that number, the last one if out of range.
    /// Every branch takes all captures and gives all results.
    Case "stablehlo.case" {
        /// The branches.
        branches: Vec<FuncId> }
    /// Operands `consts..., carry...`; results `carry...`, then if `counted` the number of trips
    /// (`tensor<i64>`), then `stacks` tensors of type `tensor<?x...>` with one row per trip.
    /// `cond` and `body` take `consts, carry`; the body gives `carry, rows of stacks`.
    While "stablehlo.while" {
        /// Gives a scalar `i1`.
        cond: FuncId,
        /// One trip.
        body: FuncId,
        /// How many operands are constant.
        consts: usize,
        /// How many stacks the body fills.
        stacks: usize,
        /// Whether the number of trips is a result; needed when there are stacks.
        counted: bool }
    /// Operands `[count: tensor<i64> if length is dynamic], consts..., carry..., xs...`; results
    /// `carry..., ys...`. The body takes `consts, carry, one row of each xs` and gives `carry, one row of
    /// each ys`. Row `k` of xs and of ys belongs to the same trip; `reverse` runs from the last row.
    Scan "wengert.scan" {
        /// One trip.
        body: FuncId,
        /// How many operands are constant.
        consts: usize,
        /// How many are carried.
        carry: usize,
        /// Whether the last row comes first.
        reverse: bool,
        /// Number of trips, or [`crate::types::DYNAMIC`].
        length: usize }
    /// A function with a derivative rule of its own. Operands `consts..., arguments...`; results those of `body`. The rule
    /// takes `consts, arguments, tangents` and gives `results, tangents`, with a tangent for each differentiable argument and
    /// result; it must be linear in the tangents.
    CustomJvp "wengert.custom_jvp" {
        /// The function.
        body: FuncId,
        /// Its derivative.
        rule: FuncId,
        /// How many operands are captured: they must have no tangents.
        consts: usize }
    /// A function with a reverse rule of its own. Operands `consts..., arguments...`; results those of `body`. `forward`
    /// takes the operands and gives `results, residuals`; `backward` takes `consts, residuals, cotangents` of the
    /// differentiable results and gives cotangents of the differentiable arguments.
    CustomVjp "wengert.custom_vjp" {
        /// The function.
        body: FuncId,
        /// It, with what the reverse pass needs.
        forward: FuncId,
        /// The reverse pass.
        backward: FuncId,
        /// How many operands are captured: they must have no tangents.
        consts: usize,
        /// Whether `backward` is the reverse mode of `body`, so that forward mode may differentiate that.
        forward_mode: bool }
    /// The linear part of a function with a reverse rule of its own: operands `known..., tangents...`, results tangents.
    /// It can only be transposed, into `backward`.
    CustomLinear "wengert.custom_linear" {
        /// Takes `known, cotangents of the results`, gives cotangents of the tangents.
        backward: FuncId,
        /// How many operands are known.
        known: usize }
    /// A function whose reverse pass keeps the operands and what `keep` says, and computes the rest again (Griewank and Walther,
    /// *Evaluating Derivatives*, 2008, chapter 12). Operands and results are those of `body`.
    Checkpoint "wengert.checkpoint" {
        /// The function.
        body: FuncId,
        /// What the reverse pass does not compute again.
        keep: Keep,
        /// Whether it is what is computed again, which must not become one with what was computed before.
        again: bool,
        /// With [`Keep::Names`] the names of what is kept, else what its results are called; with commas between.
        names: Text,
        /// The type in which floats that are kept wait, if they are of more bytes than it; its results are of their own types.
        compress: Option<DType> }
    /// The solution of a linear system by a function of the user's. Operands `consts..., b...`; results, of the types of `b`, are
    /// the `x` with `matvec(consts, x) = b`. All functions take the constants and one vector, and give a vector like it.
    LinearSolve "wengert.linear_solve" {
        /// The product of the matrix with a vector.
        matvec: FuncId,
        /// That of its transpose.
        vecmat: FuncId,
        /// Solves with the matrix.
        solve: FuncId,
        /// Solves with its transpose.
        transpose_solve: FuncId,
        /// How many operands the matrix is made of.
        consts: usize }
    /// A root found by a function of the user's. Operands `consts..., start...`; results, of the types of `start`, are the `x`
    /// with `residual(consts, x) = 0`.
    Root "wengert.root" {
        /// What vanishes there, of the types of `x`.
        residual: FuncId,
        /// Takes the operands, gives the root.
        solve: FuncId,
        /// Takes `consts, x, y` and gives the `v` with which the derivative of the residual by `x` gives `y`.
        tangent: FuncId,
        /// How many operands the residual depends on beside `x`.
        consts: usize }
    /// Operands: none; result: the number of an example along a named axis, `tensor<i32>`. Batching replaces it.
    AxisIndex "wengert.axis_index" {
        /// The name.
        axis: Text,
        /// How many examples there are.
        size: usize }
    /// Operand: a value of one example; result: what the examples along a named axis make of theirs together
    /// ([`CollectiveKind`]). Batching replaces it.
    Collective "wengert.collective" {
        /// The name.
        axis: Text,
        /// How many examples there are.
        size: usize,
        /// What they make.
        kind: CollectiveKind,
        /// Of a permutation: who sends.
        source: Dims,
        /// Of a permutation: to whom, in the same order.
        target: Dims }
    /// Its operand, through which no derivative passes. Printed as a composite; dropped once derivatives are taken.
    StopGradient "wengert.stop_gradient" {}
    /// Its operands; nothing may be merged or moved across it. Regions keep recomputed values apart.
    OptimizationBarrier "stablehlo.optimization_barrier" {
        /// Number of the rematerialised region, 0 for a barrier of the user's.
        region: usize }
    /// An operation of StableHLO that is read, checked and printed, but not computed here: communication
    /// between devices and with the host, quantization, sizes known at run time only. Operands
    /// `operands..., captures...`; every region takes all captures before its own arguments.
    Foreign "wengert.foreign" {
        /// Its name, dialect included.
        name: Arc<str>,
        /// Its attributes as text.
        attributes: Arc<str>,
        /// Its regions.
        regions: Vec<FuncId>,
        /// How many operands its regions capture.
        captures: usize,
        /// Types of its results.
        results: Vec<Type> }
    /// Operands: values; no results. Prints a line. An ordered effect.
    Print "wengert.print" {
        /// What, with `{}` for each value ([`crate::printed::holes`]).
        format: Text }
    /// Operands `pred: i1, values...`; no results. Stops the program if an element of `pred` is false. An ordered effect.
    Assert "wengert.assert" {
        /// What it says then, with `{}` for each value.
        message: Text,
        /// How many of the first dimensions of `pred` are examples of batches.
        batch: usize,
        /// For each value a number whose bit `d` says whether it has dimension `d` of those; what it has comes first.
        mapped: Dims }
    /// Its operand, with a name by which it is fetched. An ordered effect until nobody can fetch it any more.
    Sow "wengert.sow" {
        /// The name.
        name: Text }
    /// Operands `actual, expected`; no results. Stops the program unless they agree ([`CheckKind`] is the
    /// name in text). An ordered effect.
    Check "check.expect" {
        /// What it asks.
        kind: CheckKind,
        /// Of `AlmostEq`: the largest difference.
        tolerance: FloatAttr,
        /// Of `Close`: the fewest steps apart.
        min_ulp: usize,
        /// Of `Close`: the most steps apart.
        max_ulp: usize }
}

impl From<UnaryOp> for Op {
    fn from(op: UnaryOp) -> Op {
        Op::Unary(op)
    }
}
impl From<BinaryOp> for Op {
    fn from(op: BinaryOp) -> Op {
        Op::Binary(op)
    }
}

impl Op {
    /// A splat constant; see [`Literal::splat`].
    pub fn splat(ty: TensorType, value: f64) -> Op {
        Constant { value: Literal::splat(ty, value) }.into()
    }
}
