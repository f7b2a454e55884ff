//! A number as a parameter.
use wengert::*;
fn loss(w: Tensor, rate: f64) -> Tensor {
    w.sum() * rate
}
fn main() {
    let _ = jit(loss); //~ `f64` is not a tree of tensors
    //~^ part of the program, `Static(value)`
}
