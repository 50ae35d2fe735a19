//! The binary from outside: real processes, real pipes, real sockets.
//!
//! With the feature `conformance` the binary has tools that misbehave on purpose, and only what needs them is tested.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(not(feature = "conformance"))]
mod bad_input;
#[cfg(not(feature = "conformance"))]
mod bad_input_http;
#[cfg(not(feature = "conformance"))]
mod charts;
#[cfg(not(feature = "conformance"))]
mod code_commands;
#[cfg(not(feature = "conformance"))]
mod code_graph;
#[cfg(not(feature = "conformance"))]
mod command_line;
#[cfg(not(feature = "conformance"))]
mod contract;
#[cfg(not(feature = "conformance"))]
mod crash;
#[cfg(not(feature = "conformance"))]
mod disk;
#[cfg(not(feature = "conformance"))]
mod experience_commands;
#[cfg(not(feature = "conformance"))]
mod experience_faults;
#[cfg(not(feature = "conformance"))]
mod experiences;
#[cfg(not(feature = "conformance"))]
mod files;
#[cfg(feature = "conformance")]
mod fixtures;
#[cfg(not(feature = "conformance"))]
mod fuzz;
#[cfg(not(feature = "conformance"))]
mod graph_commands;
#[cfg(not(feature = "conformance"))]
mod http;
mod intelligence;
#[cfg(not(feature = "conformance"))]
mod language_model;
#[cfg(not(feature = "conformance"))]
mod lifecycle;
#[cfg(not(feature = "conformance"))]
mod many_processes;
#[cfg(not(feature = "conformance"))]
mod moving;
#[cfg(not(feature = "conformance"))]
mod openapi;
#[cfg(not(feature = "conformance"))]
mod recorded_calls;
mod sample;
#[cfg(not(feature = "conformance"))]
mod sanitize;
#[cfg(not(feature = "conformance"))]
mod selection;
#[cfg(not(feature = "conformance"))]
mod settings;
#[cfg(not(feature = "conformance"))]
mod slow_clients;
#[cfg(not(feature = "conformance"))]
mod surface;
#[cfg(not(feature = "conformance"))]
mod web_search;
