//! From the words of a question to what it means.

mod draft;
mod filters;
mod pattern;
mod phrases;
mod places;
mod read;
mod readings;
mod roles;
mod sizes;
mod units;

pub(crate) use draft::Draft;
pub(crate) use read::read;
pub(crate) use readings::readings;
pub(crate) use units::units;
