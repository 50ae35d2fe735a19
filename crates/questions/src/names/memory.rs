//! Names held in memory.

use std::collections::HashMap;

use graph::Label;

use super::{Hit, Names, fold, parts, similar_folds};

/// The longest list that is given.
const MOST: usize = 400;

/// An index of names in memory.
#[derive(Debug, Default)]
pub struct MemoryNames {
    hits: Vec<Hit>,
    by_name: HashMap<String, Vec<usize>>,
    by_fold: HashMap<String, Vec<usize>>,
    /// By the last part of a qualified name or path.
    by_last_part: HashMap<String, Vec<usize>>,
}

impl MemoryNames {
    pub fn new(hits: impl IntoIterator<Item = Hit>) -> Self {
        let mut names = Self { hits: hits.into_iter().collect(), ..Self::default() };
        names.hits.sort_by(|left, right| {
            (&left.qualified_name, left.label, left.start_line).cmp(&(
                &right.qualified_name,
                right.label,
                right.start_line,
            ))
        });
        for (index, hit) in names.hits.iter().enumerate() {
            names.by_name.entry(hit.name.clone()).or_default().push(index);
            names.by_fold.entry(fold(&hit.name)).or_default().push(index);
            let mut lasts: Vec<String> =
                [&hit.qualified_name, &hit.file_path].iter().filter_map(|text| parts(text).pop()).collect();
            lasts.dedup();
            for last in lasts {
                names.by_last_part.entry(last).or_default().push(index);
            }
        }
        names
    }

    fn take(&self, indices: Option<&Vec<usize>>) -> Vec<Hit> {
        indices.into_iter().flatten().take(MOST).map(|&index| self.hits[index].clone()).collect()
    }
}

impl Names for MemoryNames {
    fn exact(&self, name: &str) -> Vec<Hit> {
        self.take(self.by_name.get(name))
    }

    fn folded(&self, fold: &str) -> Vec<Hit> {
        self.take(self.by_fold.get(fold))
    }

    fn suffix(&self, partial: &str) -> Vec<Hit> {
        let wanted = parts(partial);
        let Some(last) = wanted.last() else { return Vec::new() };
        let candidates = self.by_last_part.get(last).into_iter().flatten();
        candidates
            .map(|&index| &self.hits[index])
            .filter(|hit| {
                let is_path = matches!(hit.label, Label::File | Label::Folder | Label::Module);
                parts(&hit.qualified_name).ends_with(&wanted) || (is_path && parts(&hit.file_path).ends_with(&wanted))
            })
            .take(MOST)
            .cloned()
            .collect()
    }

    fn similar(&self, name: &str, limit: usize) -> Vec<Hit> {
        let similar = similar_folds(name, self.by_fold.keys().map(String::as_str));
        similar.into_iter().flat_map(|known| self.take(self.by_fold.get(known))).take(limit).collect()
    }

    fn sample(&self, label: Label, limit: usize) -> Vec<Hit> {
        let mut found: Vec<&Hit> = self
            .hits
            .iter()
            .filter(|hit| {
                hit.label == label
                    && hit.name.chars().all(|character| character.is_alphanumeric() || "_./-".contains(character))
            })
            .collect();
        found.sort_by_key(|hit| (hit.name.starts_with('_'), is_in_tests(&hit.file_path), &hit.qualified_name));
        found.into_iter().take(limit).cloned().collect()
    }
}

fn is_in_tests(path: &str) -> bool {
    path.to_lowercase().contains("test")
}
