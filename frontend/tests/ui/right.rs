//! Compiles, so that what does not compile beside it fails for its own reasons.
use std::collections::HashMap;
use std::sync::Arc;
use wengert::*;
#[derive(Clone, Tree)]
enum Layer {
    Dense { w: Tensor, b: Option<Tensor> },
    Scale(Arc<Tensor>),
    #[allow(dead_code)]
    Identity,
}
#[derive(Clone, Tree)]
struct Model {
    layers: Vec<Layer>,
    named: HashMap<String, Tensor>,
    #[tree(skip)]
    label: String,
}
fn main() {
    let f = |m: Model, x: Tensor| m.layers.len() as f64 * x * &m.named["a"] * m.label.len() as f64;
    let _ = jit(grad(f));
    let _ = (Layer::Scale(Arc::new(Tensor::from(1.0))), Layer::Dense { w: Tensor::from(1.0), b: None });
}
