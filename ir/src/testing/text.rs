//! What tests of the text see of its insides: which names are read how, and how much work reading was.

pub use crate::text::lexer::tokens_read;
pub use crate::text::ops::{is_known_without_form, listed};
