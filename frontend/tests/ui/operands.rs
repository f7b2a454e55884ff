//! Operands, indices, elements and arguments of wrong types.
use wengert::*;
fn main() {
    let x = Tensor::from([1.0, 2.0]);
    let _ = x.maximum("1"); //~ `str` cannot stand beside a tensor
    let _ = x.get(0.5); //~ `{float}` is not an index
    let _ = x.get(&Tensor::from(0)); //~ `&wengert::Tensor` is not an index
    let _ = x.to_vec::<u128>(); //~ `u128` is not a type of elements
    let _ = vjp(|x: Tensor| x, x); //~ is not a tuple of one to eight trees of tensors
}
