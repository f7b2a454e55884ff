//! Operations that move elements to places known at run time.

use crate::op::*;
crate::ops::stub!(DynamicSlice);
crate::ops::stub!(DynamicUpdateSlice);
crate::ops::stub!(Gather);
crate::ops::stub!(Scatter);
