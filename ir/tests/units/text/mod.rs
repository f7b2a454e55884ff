//! The text of the tensor IR: what hostile text does, and its parts one by one.

mod captures;
mod composite;
mod forms;
mod hostile;
mod literal;
mod typed;
