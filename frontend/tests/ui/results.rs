//! A result that is no tree.
use wengert::*;
fn main() {
    let _ = jit(|x: Tensor| x.sum().item::<f64>()); //~ is not a function that can be transformed
    //~^ the result must be a tree
    let _ = jit(|x: Tensor| &x + 1.0);
}
