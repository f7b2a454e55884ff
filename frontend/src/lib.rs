//! JAX's transformations for ordinary Rust functions, compiled to native code.
//!
//! Write a function over [`Tensor`]s; [`grad`] differentiates it, [`jit`] compiles it, and they nest in any order.
//! Outside them everything runs at once.

mod call;
mod check_grads;
pub mod collectives;
mod compile;
mod compiled;
mod context;
mod debug_nans;
mod deep;
mod derive;
mod device;
mod display;
mod dump;
mod eager;
pub mod effects;
mod entry;
mod error;
mod eval_shape;
mod examples;
mod explain;
pub mod fft;
mod gradient;
mod host_numbers;
mod import;
mod interop;
mod jacobian;
mod jet;
mod jit;
pub mod linalg;
mod linear;
pub mod nn;
pub mod object;
mod ops;
#[doc(hidden)]
pub mod outputs;
pub mod profile;
mod program;
pub mod random;
mod reading;
mod recorded;
mod refusals;
mod reuse;
#[cfg(feature = "safetensors")]
pub mod safetensors;
pub mod stages;
pub mod tape;
mod tensor;
#[doc(hidden)]
pub mod testing;
mod trace;
mod transform;
pub mod tree;
mod vmap;
mod walk;
mod warn;
mod wengert_list;

pub use call::{ARG0, ARG1, ARG2, ARG3, ARG4, ARG5, ARG6, ARG7, Arg, Args, Func, Nth, Wrt};
pub use check_grads::check_grads;
pub use debug_nans::{debug_infs, debug_nans};
pub use device::{Device, Listed, set_default_device};
pub use effects::{
    Checked, Failure, Sown, callback, check, checked, debug_callback, debug_print, io_callback,
    io_callback_unordered, named, plant, plant_all, reap, reap_all, reap_last, sow,
};
pub use error::Error;
pub use eval_shape::eval_shape;
pub use gradient::{Grad, GradWrt, Objective, ValueAndGrad, grad, value_and_grad};
pub use import::{Results, import};
pub use jacobian::{
    Coloring, Csr, Hessian, Jacobian, SparseJacobian, SparsePattern, hessian, jacfwd, jacrev, sparse_hessian,
    sparse_jacobian,
};
pub use jet::jet;
pub use jit::{Jit, Prepared, jit};
pub use linear::{Linearized, Transposed, hvp, hvp_wrt, linear_transpose, linearize};
pub use ops::arrange::{Indexing, PadMode, broadcast_arrays, hstack, meshgrid, vstack};
pub use ops::checkpoint::{Checkpoint, Keep, checkpoint, checkpoint_name};
pub use ops::control::{cond, stop_gradient, switch, while_loop};
pub use ops::control_loops::{
    AssociativeScanOptions, Bound, ScanOptions, associative_scan, associative_scan_with, fori_loop, map,
    scan, scan_with,
};
pub use ops::custom::{custom_jvp, custom_vjp};
pub use ops::einsum::einsum;
pub use ops::implicit::{Operator, custom_linear_solve, custom_root, fixed_point};
pub use ops::index::{Index, Ix, NEW, OutOfRange};
pub use ops::products::Contraction;
pub use ops::promote::{Operand, promote_types};
pub use ops::save::Save;
pub use ops::segments::while_loop_with;
pub use ops::shape::{concatenate, stack};
pub use ops::signal::ConvolveMode;
pub use ops::sorting::Side;
pub use ops::update::Part;
pub use ops::window::{
    ConvOptions, Padding, Window, avg_pool, batch_norm, batch_norm_inference, conv_general, conv2d, max_pool,
    min_pool, reduce_window,
};
pub use stages::{Limits, Lowered, Traced};
pub use tensor::{Item, Tensor};
pub use transform::{Pullback, Transformed, jvp, vjp};
pub use tree::{Static, Tree};
pub use vmap::{Vmap, vmap};
pub use wengert_cpu::CodeCache;
pub use wengert_derive::Tree;
pub use wengert_ir::types::{DType, FloatMode, TensorType};
pub use wengert_passes::budget::{Entry as PlanEntry, Measured as PlanMeasure, MemoryPlan};

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The guides' examples are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../docs/ahead-of-time.md")]
#[doc = include_str!("../../docs/effects.md")]
#[doc = include_str!("../../docs/from-jax-to-rust.md")]
#[doc = include_str!("../../docs/from-rust-to-xla.md")]
#[doc = include_str!("../../docs/tapes.md")]
#[doc = include_str!("../../docs/transforms.md")]
#[doc = include_str!("../../docs/derivative-conventions.md")]
struct Guides;
