//! Tools that misbehave, and one answer in each style: what reaches the client when a tool is not as it should be.

mod misbehaving;
mod styles;
