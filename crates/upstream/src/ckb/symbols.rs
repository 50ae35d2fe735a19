//! Which symbols CKB knows by a name.

use serde_json::json;

use super::conversation::{Conversation, Trouble};
use super::symbol_id;
use super::wire::{Found, FoundSymbol};

/// The longest query that is passed on, in characters: no name is longer.
const LONGEST_QUERY: usize = 200;
/// How many more symbols are asked for than wanted, since parameters are among them.
const SPARE: usize = 5;
/// How many symbols with the name of a wanted one are looked at.
const CANDIDATES: usize = 100;

/// A function, class or variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// What CKB calls it.
    pub id: String,
    /// Its own name.
    pub name: String,
    /// The same with the types around it: `Cart.total`.
    pub qualified_name: String,
    /// In CKB's words: `function`, `class`, `property` …
    pub kind: String,
    /// Relative to the root.
    pub file: String,
    /// From 1, where CKB knows it.
    pub line: Option<u32>,
    pub end_line: Option<u32>,
    /// How well it fits, in CKB's measure.
    pub score: f64,
}

/// A symbol that is looked for: by its name, and by its place where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Simple or qualified, in any notation: `total`, `Cart.total`, `src/cart.ts#Cart.total`.
    pub name: String,
    /// Relative to the root.
    pub file: Option<String>,
    /// A line of its definition, from 1.
    pub line: Option<u32>,
}

pub(super) async fn search(conversation: &Conversation<'_>, query: &str, limit: usize) -> Result<Vec<Symbol>, Trouble> {
    let mut symbols = found(conversation, query, limit.saturating_mul(SPARE)).await?;
    symbols.truncate(limit);
    Ok(symbols)
}

/// The one symbol that is meant; `None` if there is none, or more than one.
pub(super) async fn resolve(conversation: &Conversation<'_>, wanted: &Wanted) -> Result<Option<Symbol>, Trouble> {
    let segments = segments(&wanted.name);
    let Some(name) = segments.last() else { return Ok(None) };
    let mut symbols = found(conversation, name, CANDIDATES).await?;
    symbols.retain(|symbol| symbol_id::is_callable(&symbol.id) && is_named(symbol, &segments));
    if let Some(file) = &wanted.file {
        symbols.retain(|symbol| symbol.file == *file);
    }
    if symbols.len() > 1
        && let Some(line) = wanted.line
    {
        symbols.retain(|symbol| {
            symbol.line.is_some_and(|start| (start..=symbol.end_line.unwrap_or(start)).contains(&line))
        });
    }
    Ok(if symbols.len() == 1 { symbols.pop() } else { None })
}

async fn found(conversation: &Conversation<'_>, query: &str, limit: usize) -> Result<Vec<Symbol>, Trouble> {
    let query: String = query.chars().take(LONGEST_QUERY).collect();
    let found: Option<Found> = conversation.call("searchSymbols", json!({"query": query, "limit": limit})).await?;
    let symbols = found.map(|found| found.symbols).unwrap_or_default().into_iter();
    Ok(symbols.filter_map(symbol).collect())
}

/// What people would call a symbol.
fn symbol(found: FoundSymbol) -> Option<Symbol> {
    let FoundSymbol { stable_id: id, name, kind, score, location } = found;
    let location = location?;
    let is_part = symbol_id::descriptors(&id).last().is_some_and(|last| {
        matches!(last.kind, symbol_id::Kind::Parameter | symbol_id::Kind::TypeParameter | symbol_id::Kind::Meta)
    });
    if is_part || symbol_id::owner(&id) != id {
        return None;
    }
    let path = symbol_id::path(&id);
    let qualified_name = if path.is_empty() { name.clone() } else { path.join(".") };
    let name = path.last().map_or(name, |last| (*last).to_owned());
    let known = |line: u32| (line > 0).then_some(line);
    Some(Symbol {
        name,
        qualified_name,
        kind,
        line: known(location.start_line),
        end_line: known(location.end_line),
        file: location.file_id,
        score,
        id,
    })
}

fn is_named(symbol: &Symbol, wanted: &[&str]) -> bool {
    let own: Vec<&str> = symbol.qualified_name.split('.').collect();
    own.ends_with(wanted) || wanted.ends_with(&own)
}

/// The words of a name in any notation.
fn segments(name: &str) -> Vec<&str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
    name.split(|character| !is_part(character)).filter(|segment| !segment.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ckb::wire::Location;

    fn found(id: &str, line: u32) -> Option<Symbol> {
        let location = Location { file_id: "src/cart.ts".to_owned(), start_line: line, end_line: 0 };
        symbol(FoundSymbol {
            stable_id: id.to_owned(),
            name: "as CKB says".to_owned(),
            kind: "function".to_owned(),
            score: 1.0,
            location: Some(location),
        })
    }

    #[test]
    fn parts_of_functions_are_no_symbols() {
        for part in ["f().(x)", "f().typeLiteral3:low.", "low0:", "Box#[T]"] {
            assert_eq!(found(&format!("scip-typescript npm p 1 src/{part}"), 1), None, "{part}");
        }
        let symbol = found("scip-typescript npm p 1 src/`cart.ts`/Cart#total().", 0).unwrap();
        assert_eq!((symbol.name.as_str(), symbol.qualified_name.as_str(), symbol.line), ("total", "Cart.total", None));
        let other = found("ts-43a0", 3).unwrap();
        assert_eq!((other.name.as_str(), other.line), ("as CKB says", Some(3)));
    }

    #[test]
    fn a_name_is_recognised_in_any_notation() {
        let symbol = found("scip-typescript npm p 1 src/`cart.ts`/Cart#total().", 1).unwrap();
        for name in ["total", "Cart.total", "Cart#total()", "src/cart.ts#Cart.total", "shop::Cart::total"] {
            assert!(is_named(&symbol, &segments(name)), "{name}");
        }
        for name in ["Total", "Basket.total", "Cart", "total.x"] {
            assert!(!is_named(&symbol, &segments(name)), "{name}");
        }
        assert!(segments(" .# ").is_empty());
    }
}
