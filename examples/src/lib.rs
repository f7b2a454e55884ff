//! What the examples share: the data set and the pictures. The examples themselves lie beside this folder.

pub mod data;
pub mod picture;
