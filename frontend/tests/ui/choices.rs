//! Arguments that there are not.
use wengert::*;
fn main() {
    let f = |x: Tensor, y: Tensor| (x * y).sum();
    let _ = grad(f).wrt(ARG2); //~ there is no argument number 2 (they count from 0) among `(wengert::Tensor, wengert::Tensor)`
    let _ = grad(f).wrt(1); //~ does not choose among the arguments
}
