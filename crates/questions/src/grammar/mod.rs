//! From the words of a question to what it means.

mod draft;
mod filters;
mod linking;
mod pattern;
mod phrases;
mod places;
mod plain;
mod read;
mod readings;
mod relation;
mod roles;
mod settle;
mod sizes;
mod target;
mod units;
mod wanted;

pub(crate) use draft::Draft;
pub(crate) use read::read;
pub(crate) use readings::readings;
pub(crate) use units::units;
