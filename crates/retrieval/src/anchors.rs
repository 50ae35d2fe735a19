//! What does the query name outright?

use rustc_hash::FxHashMap;
use search::{index_text, stem};

use crate::frames::Place;
use crate::parts::Looked;
use crate::query::Query;
use crate::weights::Weights;

/// Raises files, and parts of them, that the query names. Shares are of the best score before.
pub(crate) fn raise(query: &Query, worth: &[f32], weights: &Weights, looked: &mut [Looked]) {
    let told = query.words.iter().zip(worth).filter(|(_, worth)| **worth > 0.0);
    let told: FxHashMap<&str, f32> =
        told.map(|(word, _)| (word.word.as_str(), (word.weight / weights.title).min(1.0))).collect();
    let best = looked.iter().map(|file| file.score).fold(0.0, f32::max);
    let frames: Vec<(usize, &Place)> = query.frames.iter().enumerate().collect();
    let paths: Vec<String> = looked.iter().map(|file| file.file.path.clone()).collect();
    // The deepest call in the project itself says most.
    let deepest =
        frames.iter().rev().find(|(_, frame)| paths.iter().any(|path| names(&frame.path, path))).map(|(at, _)| *at);
    for file in looked {
        let path = file.file.path.clone();
        let mut share = 0.0_f32;
        for place in query.places.iter().filter(|place| names(&place.path, &path)) {
            share = share.max(weights.path_anchor * certainty(&place.path));
            raise_line(file, place.line, best * weights.path_anchor);
        }
        for (at, frame) in frames.iter().filter(|(_, frame)| names(&frame.path, &path)) {
            let of_frame = if Some(*at) == deepest { weights.deepest_frame } else { weights.frame_anchor };
            share = share.max(of_frame);
            raise_line(file, frame.line, best * of_frame);
        }
        if query.modules.iter().any(|module| is_module(module, &path)) {
            share += weights.module_anchor;
        }
        share += weights.stem_anchor * told_of_name(&path, &told);
        file.score += best * share;
    }
}

/// How much of a file's name the query says, between 0 and 1: most where its title says it.
fn told_of_name(path: &str, told: &FxHashMap<&str, f32>) -> f32 {
    let name = path.rsplit('/').next().unwrap_or(path);
    let words = index_text(name.split('.').next().unwrap_or(name));
    let mut words: Vec<&str> = words.split(' ').map(stem).collect();
    // The first is the whole of it.
    if words.len() > 1 {
        words.remove(0);
    }
    let part = words.iter().filter_map(|word| told.get(word)).sum::<f32>() / words.len().max(1) as f32;
    part * part
}

/// A bare name may be that of many files.
fn certainty(path: &str) -> f32 {
    if path.contains('/') { 1.0 } else { 0.7 }
}

/// Whether the text's path is this file, seen from the root, from inside of it, or from where it is installed.
fn names(given: &str, path: &str) -> bool {
    let ends =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    // Of an installed file the path ends like that in the project, below folders such as `src`.
    let inner = path.split_once('/').map_or(path, |(_, inner)| inner);
    ends(path, given) || ends(given, path) || inner.contains('/') && ends(given, inner)
}

/// Whether a dotted name leads to this file: `a/b/C/d` to `a/b.py` or `a/b/C.java`.
fn is_module(module: &str, path: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let stem = stem.strip_suffix("/__init__").or_else(|| stem.strip_suffix("/mod")).unwrap_or(stem);
    let mut prefix = module;
    while prefix.contains('/') {
        if stem.strip_suffix(prefix).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')) {
            return true;
        }
        prefix = prefix.rsplit_once('/').map_or("", |(prefix, _)| prefix);
    }
    false
}

/// The innermost part around a line.
fn raise_line(file: &mut Looked, line: Option<u32>, by: f32) {
    let Some(line) = line else { return };
    let around = |part: &search::file_words::Part| part.start_line <= line && line <= part.end_line;
    if let Some(place) = file.parts.iter().rposition(around).filter(|place| *place > 0) {
        file.part_scores[place] += by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_from_the_end() {
        for (given, path) in [
            ("shop/cart.py", "shop/cart.py"),
            ("cart.py", "shop/cart.py"),
            ("usr/lib/site-packages/shop/cart.py", "shop/cart.py"),
            ("usr/lib/site-packages/shop/cart.py", "src/shop/cart.py"),
        ] {
            assert!(names(given, path), "{given} is {path}");
        }
        for (given, path) in
            [("art.py", "shop/cart.py"), ("a/cart.py", "shop/cart.py"), ("lib/x/cart.py", "shop/cart.py")]
        {
            assert!(!names(given, path), "{given} is not {path}");
        }
    }

    #[test]
    fn dotted_names_lead_to_files() {
        assert!(is_module(
            "django/db/models/Query/filter",
            "django/db/models/query.py".replace("query", "Query").as_str()
        ));
        assert!(is_module("django/db/models", "django/db/models/__init__.py"));
        assert!(is_module("shop/cart/add", "src/shop/cart.rs"));
        assert!(!is_module("cart/add", "src/shop/part.rs"));
    }
}
