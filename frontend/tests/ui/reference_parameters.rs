//! Parameters by reference.
use wengert::*;
fn loss(w: &Tensor, x: &Tensor) -> Tensor {
    w.matmul(x).sum()
}
fn main() {
    let _ = jit(grad(loss)); //~ `&wengert::Tensor` is not a tree of tensors
    //~^ arguments are taken by value: `Tensor` rather than `&Tensor`
}
