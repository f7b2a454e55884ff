//! Parts of the library, each by itself: a file for each file of `src`.

mod device;
mod explain;
mod names;
mod once;
mod outputs;
mod profile;
mod revolve;
mod signature;
