//! Rows as typed columns: which field is which, numbers where there must be numbers, and what an axis is made of.

mod axis;
mod fields;
mod numbers;
mod times;

pub(crate) use axis::{Axis, AxisRules, Positions};
pub(crate) use fields::{Cells, Fields};
pub(crate) use numbers::{numbers, parse_number};
