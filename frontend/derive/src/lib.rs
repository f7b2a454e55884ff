//! derive(Tree).
