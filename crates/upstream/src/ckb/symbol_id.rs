//! The names that SCIP gives to symbols, as far as calls need them.
//!
//! `scip-typescript npm shop 1.0.0 src/`cart.ts`/Cart#total().(rate)`: four words that say which package, each ended by one
//! space (a space inside is doubled), and then one descriptor after the other, each with a mark that says what it is.

/// What a descriptor names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Namespace,
    Type,
    /// A variable, a constant or a field.
    Term,
    Method,
    TypeParameter,
    Parameter,
    /// An anonymous thing, such as a property of an object literal.
    Meta,
    Macro,
}

/// One step from a package to a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Descriptor<'a> {
    pub(super) kind: Kind,
    pub(super) name: &'a str,
    /// Where it ends in the whole id.
    pub(super) end: usize,
}

/// The steps from the package to the symbol; empty where the id is not one of SCIP's, or cannot be read.
pub(super) fn descriptors(id: &str) -> Vec<Descriptor<'_>> {
    let mut found = Vec::new();
    let Some(mut at) = after_package(id) else { return found };
    while at < id.len() {
        let Some(descriptor) = descriptor(id, at) else { return Vec::new() };
        at = descriptor.end;
        found.push(descriptor);
    }
    found
}

/// The function that this belongs to, or the id itself.
///
/// CKB books a call on whatever was defined last before it. Inside a function that is its last parameter, or a property of
/// a type in its head; these are no callers, the function is.
pub(super) fn owner(id: &str) -> &str {
    let descriptors = descriptors(id);
    let is_owner = |index: usize| {
        descriptors[index].kind == Kind::Method
            || descriptors.get(index + 1).is_some_and(|next| next.kind == Kind::Parameter)
    };
    let owner = (0..descriptors.len()).find(|index| is_owner(*index));
    owner.map_or(id, |index| &id[..descriptors[index].end])
}

/// Whether calls can come from it or go to it.
pub(super) fn is_callable(id: &str) -> bool {
    let descriptors = descriptors(id);
    let last = descriptors.last().map(|descriptor| descriptor.kind);
    match last {
        Some(Kind::Method | Kind::Term | Kind::Macro) => owner(id) == id,
        Some(Kind::Namespace | Kind::Type | Kind::TypeParameter | Kind::Parameter | Kind::Meta) => false,
        // Not one of SCIP's: nothing is known against it.
        None => true,
    }
}

/// The names from the outermost type to the symbol, without marks: `["Cart", "total"]`.
pub(super) fn path(id: &str) -> Vec<&str> {
    let descriptors = descriptors(id);
    let inner = descriptors.iter().filter(|descriptor| descriptor.kind != Kind::Namespace);
    inner.map(|descriptor| plain(descriptor.name)).collect()
}

/// `<get>room` → `room`, `<constructor>` → `constructor`.
fn plain(name: &str) -> &str {
    match name.split_once('>') {
        Some((_, rest)) if name.starts_with('<') && !rest.is_empty() => rest,
        Some((inner, "")) => inner.trim_start_matches('<'),
        _ => name,
    }
}

fn after_package(id: &str) -> Option<usize> {
    let bytes = id.as_bytes();
    let (mut words, mut at) = (0, 0);
    while words < 4 {
        let space = at + bytes.get(at..)?.iter().position(|byte| *byte == b' ')?;
        let is_doubled = bytes.get(space + 1) == Some(&b' ');
        at = space + if is_doubled { 2 } else { 1 };
        words += usize::from(!is_doubled);
    }
    Some(at)
}

fn descriptor(id: &str, at: usize) -> Option<Descriptor<'_>> {
    match id.as_bytes().get(at)? {
        b'(' => enclosed(id, at, Kind::Parameter, b')'),
        b'[' => enclosed(id, at, Kind::TypeParameter, b']'),
        _ => suffixed(id, at),
    }
}

fn enclosed(id: &str, at: usize, kind: Kind, closing: u8) -> Option<Descriptor<'_>> {
    let (name, end) = name(id, at + 1)?;
    (id.as_bytes().get(end) == Some(&closing)).then_some(Descriptor { kind, name, end: end + 1 })
}

fn suffixed(id: &str, at: usize) -> Option<Descriptor<'_>> {
    let (name, end) = name(id, at)?;
    let kind = match id.as_bytes().get(end)? {
        b'/' => Kind::Namespace,
        b'#' => Kind::Type,
        b'.' => Kind::Term,
        b':' => Kind::Meta,
        b'!' => Kind::Macro,
        b'(' => {
            let close = end + id[end..].find(").")?;
            return Some(Descriptor { kind: Kind::Method, name, end: close + 2 });
        }
        _ => return None,
    };
    Some(Descriptor { kind, name, end: end + 1 })
}

/// A name that begins here, plain or in backticks, and where it ends.
fn name(id: &str, at: usize) -> Option<(&str, usize)> {
    let rest = id.get(at..)?;
    if let Some(quoted) = rest.strip_prefix('`') {
        let mut from = 0;
        loop {
            let tick = from + quoted[from..].find('`')?;
            if !quoted[tick + 1..].starts_with('`') {
                return Some((&quoted[..tick], at + 1 + tick + 1));
            }
            from = tick + 2;
        }
    }
    let is_plain = |character: char| character.is_alphanumeric() || "_+-$".contains(character);
    let length = rest.find(|character| !is_plain(character)).unwrap_or(rest.len());
    (length > 0).then(|| (&rest[..length], at + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "scip-typescript npm shop 1.0.0 src/`cart.ts`/";

    fn check(rest: &str, expected_owner: &str, callable: bool, expected_path: &[&str]) {
        let id = format!("{PACKAGE}{rest}");
        assert_eq!(owner(&id), format!("{PACKAGE}{expected_owner}"));
        assert_eq!(is_callable(&id), callable, "{id}");
        assert_eq!(path(&id), expected_path);
    }

    #[test]
    fn what_is_inside_a_function_belongs_to_it() {
        check("Cart#total().(rate)", "Cart#total().", false, &["Cart", "total", "rate"]);
        check("options().typeLiteral3:high.", "options().", false, &["options", "typeLiteral3", "high"]);
        check("half.(value)", "half.", false, &["half", "value"]);
        check("Shelf#`<constructor>`().(size)", "Shelf#`<constructor>`().", false, &["Shelf", "constructor", "size"]);
        check("twice(+1).(x)", "twice(+1).", false, &["twice", "x"]);
    }

    #[test]
    fn functions_belong_to_themselves() {
        check("Cart#total().", "Cart#total().", true, &["Cart", "total"]);
        check("Shelf#`<get>room`().", "Shelf#`<get>room`().", true, &["Shelf", "room"]);
        check("main.", "main.", true, &["main"]);
        check("Cart#", "Cart#", false, &["Cart"]);
        check("low0:", "low0:", false, &["low0"]);
        check("Box#[T]", "Box#[T]", false, &["Box", "T"]);
    }

    #[test]
    fn other_ids_are_left_as_they_are() {
        for id in ["ckb:shop:sym:abc", "ts-43a05c2e28e6c4ac", "local 4", "", "a b c d `open", "a b c d x?"] {
            assert_eq!((owner(id), is_callable(id)), (id, true), "{id}");
            assert!(descriptors(id).is_empty());
        }
        assert_eq!(path("scip-go gomod my  module v1 pkg/Run()."), ["Run"]);
        assert_eq!(path("a b c d `tick``ed`."), ["tick``ed"]);
    }
}
