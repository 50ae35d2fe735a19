//! How messages come and go: standard input and output, or HTTP on a port or a Unix socket.

mod access;
pub(crate) mod http;
mod lines;
mod output;
pub(crate) mod stdio;
pub(crate) mod token;
