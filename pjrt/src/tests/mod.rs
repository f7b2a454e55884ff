//! The plugin as a caller of C sees it: functions by their names in the table, structs of the header, programs as text.

mod bad_input;
mod buffers;
mod callbacks;
mod harness;
mod layouts;
mod programs;
mod several_devices;
mod targets;
mod threads;
