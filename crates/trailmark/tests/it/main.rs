//! The binary from outside: real processes, real pipes, real sockets.

mod bad_input;
mod command_line;
mod contract;
#[cfg(feature = "conformance")]
mod fixtures;
mod fuzz;
mod http;
mod lifecycle;
mod many_processes;
mod surface;
