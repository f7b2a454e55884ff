//! Tests of the library through its own interface. They are a package of their own so that they are built without optimization: most of
//! what they are is made once for each closure, and what they run is in other crates.
