//! Contractions.

use crate::op::*;
crate::ops::stub!(DotGeneral);
