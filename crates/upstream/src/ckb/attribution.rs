//! In which function a line of a file is.
//!
//! CKB says who calls whom by what was defined last before the call. That names a parameter where a function is meant, and
//! the wrong function for code below one that has ended. Where a call stands is certain, so that is what is gone by.

use super::symbol_id::{is_callable, owner};

/// A symbol of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) id: String,
    /// From 1; 0 where it is not known.
    pub(super) start: u32,
    pub(super) end: Option<u32>,
    /// Whether it is known to be a variable that holds no function.
    pub(super) is_plain: bool,
}

/// What is defined in a file.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// By first line, outer before inner.
    spans: Vec<Span>,
    /// Every id with the function it belongs to.
    owners: Vec<(String, String)>,
}

/// The lines of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) id: String,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether calls can come from it; the others only say where it cannot reach.
    is_callable: bool,
}

impl Outline {
    pub(super) fn new(definitions: Vec<Definition>) -> Self {
        let owners = definitions.iter().map(|found| (found.id.clone(), owner(&found.id).to_owned())).collect();
        let mut own: Vec<Definition> =
            definitions.into_iter().filter(|found| found.start > 0 && is_own(&found.id)).collect();
        own.sort_by_key(|found| (found.start, found.id.len()));
        let span = |(index, found): (usize, &Definition)| Span {
            id: found.id.clone(),
            start: found.start,
            end: found.end.unwrap_or_else(|| before_the_next(found, &own[index + 1..])).max(found.start),
            is_callable: is_callable(&found.id) && !found.is_plain,
        };
        let spans: Vec<Span> = own.iter().enumerate().map(span).collect();
        Self { spans: within_their_types(&spans), owners }
    }

    /// The innermost function around this line.
    pub(super) fn enclosing(&self, line: u32) -> Option<&Span> {
        let around = self.spans.iter().filter(|span| (span.start..=span.end).contains(&line));
        around.filter(|span| span.is_callable).min_by_key(|span| span.end - span.start)
    }

    pub(super) fn span(&self, id: &str) -> Option<&Span> {
        self.spans.iter().find(|span| span.id == id)
    }

    /// The function and everything in its head: all that CKB may have booked its calls on.
    pub(super) fn parts(&self, function: &str) -> Vec<&str> {
        self.owners.iter().filter(|(_, owner)| owner == function).map(|(id, _)| id.as_str()).collect()
    }
}

/// Whether it stands for itself: neither a part of a function nor of an object, nor the file as a whole.
pub(super) fn is_own(id: &str) -> bool {
    owner(id) == id && !id.ends_with(['/', ':', ']'])
}

/// Where a definition ends whose end nobody knows: before the next one that is not inside it.
fn before_the_next(found: &Definition, later: &[Definition]) -> u32 {
    let next = later.iter().find(|next| next.start > found.start && !next.id.starts_with(&found.id));
    next.map_or(u32::MAX, |next| next.start - 1)
}

/// What is in a type ends with it.
fn within_their_types(spans: &[Span]) -> Vec<Span> {
    let types: Vec<&Span> = spans.iter().filter(|span| span.id.ends_with('#')).collect();
    let bounded = |span: &Span| {
        let around = types.iter().filter(|outer| outer.id != span.id && span.id.starts_with(&outer.id));
        let end = around.map(|outer| outer.end).min().map_or(span.end, |end| span.end.min(end));
        Span { end: end.max(span.start), ..span.clone() }
    };
    spans.iter().map(bounded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline() -> Outline {
        let symbols = [
            ("", 1, None),
            ("half.", 3, None),
            ("options().", 5, Some(14)),
            ("options().(first)", 6, None),
            ("low0:", 10, None),
            ("Shelf#", 16, Some(29)),
            ("Shelf#`<constructor>`().", 17, None),
            ("Shelf#fit().(count)", 25, None),
            ("Shelf#fit().", 25, Some(28)),
            ("main.", 31, None),
            ("LIMIT.", 40, None),
            ("unplaced().", 0, None),
        ];
        let definition = |(rest, start, end): (&str, u32, Option<u32>)| Definition {
            id: format!("scip-typescript npm p 1 src/`a.ts`/{rest}"),
            start,
            end,
            is_plain: rest == "LIMIT.",
        };
        Outline::new(symbols.map(definition).to_vec())
    }

    fn check(line: u32, expected: Option<&str>) {
        let outline = outline();
        let name = outline.enclosing(line).map(|span| span.id.rsplit('/').next().unwrap());
        assert_eq!(name, expected, "line {line}");
    }

    #[test]
    fn a_line_is_in_the_innermost_function_around_it() {
        check(1, None);
        check(3, Some("half."));
        check(4, Some("half."));
        check(5, Some("options()."));
        check(11, Some("options()."));
        check(15, None);
        check(16, None);
        check(18, Some("Shelf#`<constructor>`()."));
        check(26, Some("Shelf#fit()."));
        check(29, None);
        check(30, None);
        check(39, Some("main."));
        check(99, None);
    }

    #[test]
    fn the_parts_of_a_function_are_itself_and_what_is_in_its_head() {
        let outline = outline();
        let function = outline.enclosing(7).unwrap().id.clone();
        assert_eq!(outline.parts(&function).len(), 2);
        assert_eq!(outline.span(&function).map(|span| (span.start, span.end)), Some((5, 14)));
    }
}
