//! All files of a project under common numbers.

use languages::Languages;
use languages::facts::{Def, DefId, FileFacts, ImportKind, Name, Term, TermId, VariableId};
use languages::settings::Settings;
use rustc_hash::FxHashMap;

use super::SourceFile;

/// A text that several files share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

#[derive(Debug, Default)]
pub(super) struct Symbols<'a> {
    ids: FxHashMap<&'a str, Symbol>,
    texts: Vec<&'a str>,
}

impl<'a> Symbols<'a> {
    pub(super) fn intern(&mut self, text: &'a str) -> Symbol {
        *self.ids.entry(text).or_insert_with(|| {
            self.texts.push(text);
            Symbol(number(self.texts.len() - 1))
        })
    }

    pub(super) fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    pub(super) fn text(&self, symbol: Symbol) -> &'a str {
        self.texts[symbol.0 as usize]
    }
}

/// One file with the first of its numbers in each space.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub(super) path: &'a str,
    pub(super) settings: &'static Settings,
    pub(super) facts: &'a FileFacts,
    /// Its place in the list that was given.
    pub(super) position: usize,
    pub(super) terms: u32,
    pub(super) defs: u32,
    pub(super) variables: u32,
    pub(super) literals: u32,
    pub(super) imports: u32,
    /// Of its calls and then its writes, from which values flow.
    pub(super) sources: u32,
    pub(super) symbols: Vec<Symbol>,
}

/// How many there are of each, over all files.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Counts {
    pub(super) terms: u32,
    pub(super) defs: u32,
    pub(super) variables: u32,
    pub(super) literals: u32,
    pub(super) imports: u32,
    pub(super) parameters: u32,
    pub(super) sources: u32,
}

#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) units: Vec<Unit<'a>>,
    pub(super) symbols: Symbols<'a>,
    pub(super) counts: Counts,
    /// The unit of each definition, term, literal.
    def_units: Vec<u32>,
    term_units: Vec<u32>,
    literal_units: Vec<u32>,
    /// The first parameter of each definition.
    pub(super) parameter_bases: Vec<u32>,
}

impl<'a> Program<'a> {
    pub(super) fn new(files: &[SourceFile<'a>]) -> Self {
        let mut program = Self {
            units: Vec::new(),
            symbols: Symbols::default(),
            counts: Counts::default(),
            def_units: Vec::new(),
            term_units: Vec::new(),
            literal_units: Vec::new(),
            parameter_bases: Vec::new(),
        };
        for (position, file) in files.iter().enumerate() {
            let language = file.language.and_then(|id| Languages::builtin().get(id));
            if let (Some(facts), Some(language)) = (file.facts, language) {
                program.add(position, file.path, language.settings(), facts);
            }
        }
        program
    }

    fn add(&mut self, position: usize, path: &'a str, settings: &'static Settings, facts: &'a FileFacts) {
        let unit = number(self.units.len());
        let Counts { terms, defs, variables, literals, imports, sources, .. } = self.counts;
        let symbols = facts.names.iter().map(|name| self.symbols.intern(name)).collect();
        self.units.push(Unit {
            path,
            settings,
            facts,
            position,
            terms,
            defs,
            variables,
            literals,
            imports,
            sources,
            symbols,
        });
        self.def_units.extend(facts.defs.iter().map(|_| unit));
        self.term_units.extend(facts.terms.iter().map(|_| unit));
        self.literal_units.extend(facts.literals.iter().map(|_| unit));
        for def in &facts.defs {
            self.parameter_bases.push(self.counts.parameters);
            self.counts.parameters += number(def.parameters.len());
        }
        self.counts.terms += number(facts.terms.len());
        self.counts.defs += number(facts.defs.len());
        self.counts.variables += number(facts.variables.len());
        self.counts.literals += number(facts.literals.len());
        self.counts.imports += number(facts.imports.len());
        self.counts.sources += number(facts.calls.len() + facts.writes.len());
    }

    pub(super) fn unit(&self, unit: u32) -> &Unit<'a> {
        &self.units[unit as usize]
    }

    pub(super) fn unit_of_def(&self, def: u32) -> u32 {
        self.def_units[def as usize]
    }

    pub(super) fn unit_of_term(&self, term: u32) -> u32 {
        self.term_units[term as usize]
    }

    pub(super) fn unit_of_literal(&self, literal: u32) -> u32 {
        self.literal_units[literal as usize]
    }

    pub(super) fn term(&self, term: u32) -> (u32, Term) {
        let unit = self.unit_of_term(term);
        let Unit { terms, facts, .. } = self.unit(unit);
        (unit, facts.terms[(term - terms) as usize])
    }

    pub(super) fn def(&self, def: u32) -> &'a Def {
        let unit = self.unit(self.unit_of_def(def));
        &unit.facts.defs[(def - unit.defs) as usize]
    }

    pub(super) fn settings_of_def(&self, def: u32) -> &'static Settings {
        self.unit(self.unit_of_def(def)).settings
    }

    pub(super) fn def_symbol(&self, def: u32) -> Symbol {
        let unit = self.unit(self.unit_of_def(def));
        unit.symbols[self.def(def).name.0 as usize]
    }

    pub(super) fn parent(&self, def: u32) -> u32 {
        let unit = self.unit(self.unit_of_def(def));
        unit.defs + self.def(def).parent.0
    }
}

impl Unit<'_> {
    pub(super) fn symbol(&self, name: Name) -> Symbol {
        self.symbols[name.0 as usize]
    }

    pub(super) fn term(&self, term: TermId) -> u32 {
        self.terms + term.0
    }

    pub(super) fn def(&self, def: DefId) -> u32 {
        self.defs + def.0
    }

    pub(super) fn variable(&self, variable: VariableId) -> u32 {
        self.variables + variable.0
    }

    pub(super) fn folder(&self) -> &str {
        folder_of(self.path)
    }

    /// Where names come from that are not written out.
    pub(super) fn wildcards(&self) -> impl Iterator<Item = usize> + '_ {
        let imports = self.facts.imports.iter().enumerate();
        imports.filter(|(_, import)| import.kind == ImportKind::Wildcard).map(|(index, _)| index)
    }
}

pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a project has fewer than four billion of anything")
}
