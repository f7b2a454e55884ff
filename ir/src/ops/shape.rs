//! Operations that move elements to places known at compile time.

use crate::op::*;
crate::ops::stub!(BroadcastInDim);
crate::ops::stub!(Reshape);
crate::ops::stub!(Transpose);
crate::ops::stub!(Reverse);
crate::ops::stub!(Slice);
crate::ops::stub!(Concatenate);
crate::ops::stub!(Pad);
