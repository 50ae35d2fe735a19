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
pub(crate) use readings::{as_it_stands, with_names, without_title};
pub(crate) use units::{Unit, units};

#[cfg(test)]
mod tests {
    use super::{filters, places, sizes};
    use crate::lexicon;

    #[test]
    fn patterns_speak_of_atoms_that_some_phrase_means() {
        let tables = [
            filters::NAME_TESTS,
            filters::DECORATORS,
            filters::ANY_DECORATOR,
            filters::PARAMETERS,
            filters::RETURNS,
            sizes::COMPARISONS,
            sizes::RANKS,
            places::OUTSIDE,
            places::INSIDE,
        ];
        for pattern in tables.into_iter().flatten() {
            for atom in pattern.split([' ', '|']).map(|atom| atom.trim_end_matches('?')) {
                assert!(lexicon::is_known(atom), "{atom} in {pattern}");
            }
        }
    }
}
