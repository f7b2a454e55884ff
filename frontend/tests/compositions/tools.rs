//! What a row of the table is, and what definitions are written with.

use std::sync::Arc;
use wengert::{DType, Tensor, jvp, stack};

pub(super) type F = Arc<dyn Fn(Tensor) -> Tensor + Send + Sync>;

pub(super) fn arc(f: impl Fn(Tensor) -> Tensor + Send + Sync + 'static) -> F {
    Arc::new(f)
}

pub(super) fn v(values: &[f64]) -> Tensor {
    Tensor::from(values)
}

/// A vector that products are taken with.
pub(super) fn direction() -> Tensor {
    v(&[0.3, -1.2, 0.7])
}

/// The product of the Jacobian of `f` with a vector, by forward mode.
pub(super) fn product(f: &F, x: &Tensor, t: &Tensor) -> Tensor {
    let f = f.clone();
    jvp(move |x: Tensor| f(x), (x.clone(),), (t.clone(),)).1
}

/// The Jacobian of `f` by columns, one after the other.
pub(super) fn by_columns(f: &F, x: &Tensor) -> Tensor {
    let columns: Vec<Tensor> = (0..3).map(|k| product(f, x, &Tensor::eye(3, DType::F64).get(k))).collect();
    stack(&columns, 1)
}

/// A transform of functions of three numbers, and what it is by definition.
pub(super) struct Transform {
    pub(super) name: &'static str,
    pub(super) is_core: bool,
    /// Whether it is another form of what has a row: it is tried with the core, not with every other row.
    pub(super) is_form: bool,
    pub(super) of: fn(F) -> F,
    pub(super) defined: fn(F) -> F,
}

impl Transform {
    /// Whether it takes the forward mode of its function, in a rule too.
    pub(super) fn goes_forward(&self) -> bool {
        let forward = ["jvp", "jacfwd", "second derivative of a curve", "linearize"];
        forward.contains(&self.name)
            || ["linear_transpose", "custom_jvp", "a tape's forward mode"].contains(&self.name)
    }
}

/// The gradient of the sum of `f`, by definition.
pub(super) fn slope(f: &F) -> F {
    let f = f.clone();
    arc(move |x| by_columns(&f, &x).sum_axis(0))
}

/// `f` and the sum of what it gives.
pub(super) fn summed(f: &F) -> impl Fn(Tensor) -> Tensor + Send + Sync + 'static {
    let f = f.clone();
    move |x: Tensor| f(x).sum()
}
