//! Tensors and their methods: values, types, errors of use, beside NumPy's and JAX's figures.

mod beside_jax;
mod bits;
mod display;
mod distributions;
mod dtypes;
mod fft;
mod interop;
mod jnp;
mod linalg;
mod nn;
mod numpy;
mod numpy_more;
mod random;
mod refused_calls;
mod rims;
mod sorting;
mod tree;
mod window;
