//! A struct that is no tree.
use wengert::*;
#[derive(Clone)]
struct Model {
    w: Tensor,
}
fn main() {
    let _ = grad(|m: Model| m.w.sum()); //~ `Model` is not a tree of tensors
    //~^ needs `#[derive(Clone, wengert::Tree)]`
    let _ = vjp(|m: Model| m.w, (Model { w: Tensor::from(1.0) },)); //~ `Model` is not a tree of tensors
}
