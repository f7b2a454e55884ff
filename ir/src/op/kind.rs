//! What an operation is to a pass that does not give it meaning.
//!
//! Each operation is of one [`Kind`], and [`ops_of!`](crate::ops_of) is the one list of which: `Op::kind` matches on it
//! exhaustively, so a new operation does not compile until it has a kind. Passes ask for the kind, or match on the pattern of
//! one where some of its operations are special to them; so an operation of a known kind is none of their concern. Beside it
//! stands its [`Effect`].

use super::Op;

/// The pattern of all operations of one kind, to match an [`Op`] or a reference to one.
#[macro_export]
macro_rules! ops_of {
    (source) => {
        $crate::op::Op::Constant(_) | $crate::op::Op::Zero(_) | $crate::op::Op::Iota(_)
    };
    (elementwise) => {
        $crate::op::Op::Unary(_)
            | $crate::op::Op::Binary(_)
            | $crate::op::Op::Compare(_)
            | $crate::op::Op::Select(_)
            | $crate::op::Op::Clamp(_)
            | $crate::op::Op::Fma(_)
            | $crate::op::Op::Convert(_)
            | $crate::op::Op::BitcastConvert(_)
            | $crate::op::Op::ReducePrecision(_)
    };
    (movement) => {
        $crate::op::Op::BroadcastInDim(_)
            | $crate::op::Op::Reshape(_)
            | $crate::op::Op::Transpose(_)
            | $crate::op::Op::Reverse(_)
            | $crate::op::Op::Slice(_)
            | $crate::op::Op::Concatenate(_)
            | $crate::op::Op::Pad(_)
            | $crate::op::Op::DynamicSlice(_)
            | $crate::op::Op::Gather(_)
    };
    (update) => {
        $crate::op::Op::DynamicUpdateSlice(_) | $crate::op::Op::Scatter(_)
    };
    (contraction) => {
        $crate::op::Op::DotGeneral(_)
    };
    (reduction) => {
        $crate::op::Op::Reduce(_)
    };
    (library) => {
        $crate::op::Op::Sort(_)
            | $crate::op::Op::TopK(_)
            | $crate::op::Op::Rng(_)
            | $crate::op::Op::RngBitGenerator(_)
            | $crate::op::Op::Convolution(_)
            | $crate::op::Op::ReduceWindow(_)
            | $crate::op::Op::SelectAndScatter(_)
            | $crate::op::Op::Map(_)
            | $crate::op::Op::BatchNormTraining(_)
            | $crate::op::Op::BatchNormInference(_)
            | $crate::op::Op::BatchNormGrad(_)
            | $crate::op::Op::Fft(_)
            | $crate::op::Op::Cholesky(_)
            | $crate::op::Op::TriangularSolve(_)
            | $crate::ops_of!(factorization)
            | $crate::op::Op::ApproxTopK(_)
            | $crate::op::Op::CustomCall(_)
    };
    // Of the library, those that StableHLO has no name for: their text is that of LAPACK's custom calls.
    (factorization) => {
        $crate::op::Op::Potrf(_)
            | $crate::op::Op::Lu(_)
            | $crate::op::Op::Qr(_)
            | $crate::op::Op::PivotedQr(_)
            | $crate::op::Op::HouseholderProduct(_)
            | $crate::op::Op::Eigh(_)
            | $crate::op::Op::Svd(_)
            | $crate::op::Op::Eig(_)
            | $crate::op::Op::Schur(_)
            | $crate::op::Op::Hessenberg(_)
            | $crate::op::Op::Tridiagonalize(_)
            | $crate::op::Op::TridiagonalSolve(_)
    };
    (call) => {
        $crate::op::Op::Call(_)
            | $crate::op::Op::Composite(_)
            | $crate::op::Op::CustomJvp(_)
            | $crate::op::Op::CustomVjp(_)
            | $crate::op::Op::Checkpoint(_)
            | $crate::op::Op::LinearSolve(_)
            | $crate::op::Op::Root(_)
    };
    (control) => {
        $crate::op::Op::Case(_) | $crate::op::Op::While(_) | $crate::op::Op::Scan(_)
    };
    (mark) => {
        $crate::op::Op::StopGradient(_) | $crate::op::Op::OptimizationBarrier(_)
    };
    (opaque) => {
        $crate::op::Op::CustomLinear(_)
            | $crate::op::Op::AxisIndex(_)
            | $crate::op::Op::Collective(_)
            | $crate::op::Op::Print(_)
            | $crate::op::Op::Assert(_)
            | $crate::op::Op::Sow(_)
            | $crate::op::Op::Check(_)
            | $crate::op::Op::Foreign(_)
    };
}

/// What an operation is by itself: whether it may run early, or its sizes are known, depends on more and is asked elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Made of nothing.
    Source,
    /// Element `i` of the result is computed from the elements `i` of the operands, or from their only element.
    Elementwise,
    /// Each element of the result is one of an operand, or a padding.
    Movement,
    /// An operand in which some elements are replaced or combined with others.
    Update,
    /// Sums of products.
    Contraction,
    /// Elements along dimensions combined.
    Reduction,
    /// On whole tensors; kernels have no code for it: it is expanded into others or computed by the reference interpreter.
    Library,
    /// Runs one function in its place.
    Call,
    /// Runs functions by choice or more than once.
    Control,
    /// Its operands as they are; it stands there for the passes to see.
    Mark,
    /// Not for kernels: it is transposed, batched, taken out or refused before.
    Opaque,
}

/// Whether an operation may be merged, dropped and moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Its results depend on its operands only.
    Pure,
    /// It takes and gives the token and keeps its place.
    Ordered,
}

impl Op {
    /// What text calls the operation: what is kept as it is written, by the name that it was written with.
    pub fn written_name(&self) -> &str {
        match self {
            Op::Foreign(foreign) => &foreign.name,
            op => op.name(),
        }
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        match self {
            ops_of!(source) => Kind::Source,
            ops_of!(elementwise) => Kind::Elementwise,
            ops_of!(movement) => Kind::Movement,
            ops_of!(update) => Kind::Update,
            ops_of!(contraction) => Kind::Contraction,
            ops_of!(reduction) => Kind::Reduction,
            ops_of!(library) => Kind::Library,
            ops_of!(call) => Kind::Call,
            ops_of!(control) => Kind::Control,
            ops_of!(mark) => Kind::Mark,
            ops_of!(opaque) => Kind::Opaque,
        }
    }

    /// Whether it may be merged, dropped and moved. An operation that is not pure must say so here. What
    /// its functions do is not asked: [`crate::func::Module::effect`] does.
    pub fn effect(&self) -> Effect {
        match self {
            Op::Check(_) | Op::Print(_) | Op::Assert(_) | Op::Sow(_) => Effect::Ordered,
            Op::Foreign(f) => f.effect(),
            Op::CustomCall(c) if c.has_side_effect => Effect::Ordered,
            Op::CustomLinear(_) | Op::AxisIndex(_) | Op::Collective(_) => Effect::Pure,
            ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(movement)
            | ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(call)
            | ops_of!(control)
            | ops_of!(mark) => Effect::Pure,
        }
    }

    /// Whether passes, not a rule beside the operation, differentiate it: calls and control flow.
    pub fn is_control_flow(&self) -> bool {
        matches!(
            self,
            Op::Call(_) | Op::Composite(_) | Op::Checkpoint(_) | Op::Case(_) | Op::While(_) | Op::Scan(_)
        )
    }
}
