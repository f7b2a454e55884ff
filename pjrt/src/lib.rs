//! Wengert as a PJRT plugin: what JAX loads, asks for devices and has compile and run its programs. See `docs/jax.md`.
//!
//! [`GetPjrtApi`] gives a table of the functions of `xla/pjrt/c/pjrt_c_api.h`; beside it
//! [`wengert_set_python_callback`], [`wengert_set_python_lock`], [`wengert_register_target`] and [`wengert_make`] with their kin are all that is exported. Callers are other people's C++, so
//! nothing that comes in is trusted as far as C allows to tell: handles are looked up ([`handles`]), not followed; a null pointer, a
//! struct of a wrong size, an object that was destroyed are errors; panics become errors ([`entry`]).
//!
//! | what | where |
//! |---|---|
//! | the header's structs | `ffi/` |
//! | the table; how calls come in | `api.rs`, `entry.rs`, `handles.rs`, `error.rs` |
//! | clients, devices, memories, topologies | `client.rs`, `device.rs`, `memory.rs`, `topology.rs`, `options.rs` |
//! | arrays: what they hold, how they lie, how they come and go | `buffer.rs`, `data.rs`, `layout.rs`, `asked.rs`, `transfer.rs`, `strides.rs`, `types.rs` |
//! | programs: compiled, kept, run | `program.rs`, `orders.rs`, `written.rs`, `executable.rs`, `serialize.rs`, `execute.rs`, `stream.rs` |
//! | waiting | `event.rs` |
//! | functions of Python and of users that programs call | `host_calls.rs`, `callback.rs`, `targets/` |
//! | what else Python asks for | `tools.rs` |
//! | extensions of the API | `layouts.rs`, `shardings.rs` |

#![allow(unsafe_code, reason = "the boundary to C: every block states what the caller has promised")]

mod api;
mod asked;
mod blob;
mod buffer;
mod callback;
mod client;
mod data;
mod device;
mod duration;
mod entry;
mod error;
mod event;
mod executable;
mod execute;
mod ffi;
mod handles;
mod host_calls;
mod layout;
mod layouts;
mod lists;
mod memory;
mod options;
mod orders;
mod program;
mod protobuf;
mod serialize;
mod shardings;
mod shards;
mod stream;
mod strides;
mod targets;
#[cfg(test)]
mod tests;
mod tools;
mod topology;
mod transfer;
mod types;
mod written;

pub use api::PjrtApi;
pub use callback::{Piece, PythonCallback, PythonLock, wengert_set_python_callback, wengert_set_python_lock};
pub use targets::{wengert_register_target, wengert_register_target_type, wengert_set_target_finder};
pub use tools::{wengert_free, wengert_make};

/// The plugin's functions: what a caller that has loaded this library begins with. The table lives as long as the process.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name that callers look for")]
pub extern "C" fn GetPjrtApi() -> *const PjrtApi {
    &raw const api::API
}
