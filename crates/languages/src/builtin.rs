//! Every language there is, and which of them a file is written in.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::grammars::{FOLDERS, Folder};
use crate::language::{Language, LanguageError};
use crate::settings::Shared;

/// All languages, each ready on first use.
#[derive(Debug)]
pub struct Languages {
    languages: Vec<Language>,
    by_extension: FxHashMap<String, usize>,
    by_file_name: FxHashMap<String, usize>,
    by_program: FxHashMap<String, usize>,
}

impl Languages {
    /// The languages of this build. Their folders are compiled in and tested, so they are whole.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Languages> =
            LazyLock::new(|| Languages::load().expect("the languages of this build pass their tests"));
        &BUILTIN
    }

    pub fn load() -> Result<Self, LanguageError> {
        let languages = FOLDERS.iter().map(Folder::language).collect::<Result<Vec<_>, _>>()?;
        let table = |keys: fn(&Language) -> &[String]| {
            let rows = languages.iter().enumerate();
            rows.flat_map(|(index, language)| keys(language).iter().map(move |key| (key.clone(), index))).collect()
        };
        let by_extension = table(|language| &language.settings().extensions);
        let by_file_name = table(|language| &language.settings().file_names);
        let by_program = table(|language| &language.settings().shebangs);
        Ok(Self { languages, by_extension, by_file_name, by_program })
    }

    pub fn all(&self) -> &[Language] {
        &self.languages
    }

    pub fn get(&self, id: &str) -> Option<&Language> {
        self.languages.iter().find(|language| language.id() == id)
    }

    /// The language that a file is in although its extension says another: that of the first line with a sign.
    fn sharing(&self, extension: &str, text: &[u8]) -> Option<&Language> {
        let has_extension = |shared: &&Shared| shared.extensions.iter().any(|known| known == extension);
        let all = self.languages.iter();
        let sharing: Vec<(&Language, &Shared)> = all
            .flat_map(|language| {
                language.settings().shared.iter().filter(has_extension).map(move |shared| (language, shared))
            })
            .collect();
        if sharing.is_empty() {
            return None;
        }
        text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start).find_map(|line| {
            let is_sign = |shared: &Shared| shared.signs.iter().any(|sign| line.starts_with(sign.as_bytes()));
            sharing.iter().find(|(_, shared)| is_sign(shared)).map(|(language, _)| *language)
        })
    }

    /// By file name, extension, or the program in its first line.
    pub fn for_file(&self, path: &str, head: &[u8]) -> Option<&Language> {
        let file_name = path.rsplit('/').next().unwrap_or(path);
        let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
        if let Some(language) = extension.and_then(|extension| self.sharing(extension, head)) {
            return Some(language);
        }
        let index = self
            .by_file_name
            .get(file_name)
            .or_else(|| extension.and_then(|extension| self.by_extension.get(extension)))
            .or_else(|| extension.is_none().then(|| self.by_program.get(program(head)?)).flatten())?;
        Some(&self.languages[*index])
    }
}

/// The program that `#!/usr/bin/env python3` or `#!/bin/bash -e` names, without its version.
fn program(head: &[u8]) -> Option<&str> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_whitespace();
    let first = words.next()?.rsplit('/').next()?;
    let program = if first == "env" { words.find(|word| !word.starts_with('-'))? } else { first };
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}
