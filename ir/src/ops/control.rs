//! Calls, control flow and barriers.

use crate::op::*;
crate::ops::stub!(Call);
crate::ops::stub!(Case);
crate::ops::stub!(While);
crate::ops::stub!(Scan);
crate::ops::stub!(OptimizationBarrier);
