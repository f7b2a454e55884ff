//! Unit tests of the library, in files named after its modules: a program of their own, because the library would be compiled
//! a second time with tests inside. What they see of its insides is in `wengert_ir::testing`.

mod array;
mod bytecode;
mod bytes;
mod complex;
mod host;
mod interp;
mod kernel;
mod math;
mod minifloat;
mod npy;
mod ops;
mod place;
mod text;
mod verify;
