//! A function of examples on a batch of them, in every mode that it has: what `golden/make_transforms.py` calls by the same names.

use super::One;
use crate::common::numbers;
use wengert::{Tensor, grad, jacfwd, jvp, vjp, vmap};

/// The weights of sums of tensors of such a shape.
pub(super) fn weights(like: &Tensor) -> Tensor {
    let shape: Vec<isize> = like.shape().iter().map(|&n| n as isize).collect();
    numbers(&shape).cos()
}

pub(super) fn weighed(y: Tensor) -> Tensor {
    (weights(&y) * y).sum()
}

/// Values, and derivatives in both modes, of the batch and for each example.
pub(super) fn all_modes(one: One, x: Tensor) -> Vec<Tensor> {
    let batch = move |x: Tensor| vmap(one)(x);
    let loss = move |x: Tensor| weighed(batch(x));
    let each = move |x: Tensor| {
        let y = one(x);
        (y.cos() * y).sum()
    };
    let along = x.sin();
    vec![
        batch(x.clone()),
        grad(loss)(x.clone()),
        vmap(grad(each))(x.clone()),
        jvp(batch, (x.clone(),), (along.clone(),)).1,
        vmap(move |x: Tensor, t: Tensor| jvp(one, (x,), (t,)).1)(x.clone(), along.clone()),
        jvp(grad(loss), (x,), (along,)).1,
    ]
}

/// The same of a function that JAX has no reverse mode of.
pub(super) fn forward_modes(one: One, x: Tensor) -> Vec<Tensor> {
    let batch = move |x: Tensor| vmap(one)(x);
    let along = x.sin();
    let slope = move |x: Tensor| jvp(batch, (x,), (along.clone(),)).1;
    let first = slope(x.clone());
    let second = jvp(slope, (x.clone(),), (x.cos(),)).1;
    vec![batch(x.clone()), first, vmap(jacfwd(one))(x), second]
}

/// The same of a function that has no forward mode.
pub(super) fn reverse_modes(one: One, x: Tensor) -> Vec<Tensor> {
    let batch = move |x: Tensor| vmap(one)(x);
    let loss = move |x: Tensor| weighed(batch(x));
    let (y, back) = vjp(batch, (x.clone(),));
    let (pulled,) = back.call(y.sin());
    vec![
        y,
        grad(loss)(x.clone()),
        vmap(grad(move |x: Tensor| weighed(one(x))))(x.clone()),
        pulled,
        grad(move |x: Tensor| grad(loss)(x).sin().sum())(x),
    ]
}
