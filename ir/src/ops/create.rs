//! Operations that make tensors from nothing.

use crate::op::*;
crate::ops::stub!(Constant);
crate::ops::stub!(Zero);
crate::ops::stub!(Iota);
