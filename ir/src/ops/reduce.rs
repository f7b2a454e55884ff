//! Reductions.

use crate::op::*;
crate::ops::stub!(Reduce);
