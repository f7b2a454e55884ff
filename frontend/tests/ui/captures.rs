//! A capture that other threads may not have.
use std::rc::Rc;
use wengert::*;
fn main() {
    let w = Rc::new(Tensor::from(2.0));
    let _ = jit(move |x: Tensor| x * &*w); //~ `Rc<wengert::Tensor>` cannot be sent between threads safely
}
