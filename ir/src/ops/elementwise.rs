//! Elementwise operations.

use crate::op::*;
crate::ops::stub!(UnaryOp);
crate::ops::stub!(BinaryOp);
crate::ops::stub!(Compare);
crate::ops::stub!(Select);
crate::ops::stub!(Clamp);
crate::ops::stub!(Fma);
crate::ops::stub!(Convert);
crate::ops::stub!(BitcastConvert);
crate::ops::stub!(ReducePrecision);
