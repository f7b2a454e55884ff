//! How a tensor shows itself: its values, then its type; a traced tensor shows its type.

use crate::Tensor;
use std::fmt;
use wengert_ir::display::shown;

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.array() {
            None if self.is_placeholder() => write!(f, "placeholder {}", self.ty()),
            None => write!(f, "traced {}", self.ty()),
            Some(array) => write!(f, "{} : {}", shown(&array), array.ty()),
        }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
