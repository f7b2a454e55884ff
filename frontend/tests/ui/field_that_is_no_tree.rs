//! A field that is no tree.
use wengert::*;
#[derive(Clone, Tree)] //~ `String` is not a tree of tensors
struct Model {
    w: Tensor,
    name: String,
}
fn main() {
    let _ = grad(|m: Model| m.w.sum() * m.name.len() as f64);
}
