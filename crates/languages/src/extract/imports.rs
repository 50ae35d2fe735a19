//! What comes from other files and what is handed to them.

use crate::tree::Node;

use super::text::unquoted;
use super::{Extractor, index, line};
use crate::facts::{DefId, Export, Import, ImportId, ImportKind, Name, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};
use crate::settings::Binds;

/// Where an import stands and whether others see it.
#[derive(Clone, Copy)]
struct Origin {
    line: u32,
    is_public: bool,
}

impl<'t> Extractor<'_, 't> {
    pub(super) fn module_statement(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        match found.role {
            Role::Import => self.import(node, found),
            Role::ImportCall => self.import_call(node, found),
            Role::Export => self.export(node, found),
            _ => {
                self.package(found);
                self.unknown()
            }
        }
    }

    /// A second one is below the first.
    fn package(&mut self, found: &Match<'t>) {
        let Some(name) = found.one(Part::Name).map(|name| self.name_of(name)) else { return };
        self.facts.package = Some(match self.facts.package {
            Some(around) => {
                let name = self.facts.text(name).to_owned();
                self.below(around, &name)
            }
            None => name,
        });
    }

    fn import(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let origin = Origin { line: line(node), is_public: found.has(Part::Public) };
        let parts: Vec<&str> = found.all(Part::Module).map(|module| unquoted(self.text(module))).collect();
        let module = self.intern(&parts.join(&self.language.settings().imports.separator));
        let mut bound = false;
        if let Some(default) = found.one(Part::Default) {
            let term = self.add_import(module, ImportKind::Default, origin);
            self.bind_import(default, term);
            bound = true;
        }
        if let Some(name) = found.one(Part::ModuleName) {
            let term = self.add_import(module, ImportKind::Module, origin);
            self.bind_import(name, term);
            bound = true;
        }
        if found.has(Part::Wildcard) {
            self.add_import(module, ImportKind::Wildcard, origin);
            bound = true;
        }
        for symbol in found.all(Part::Symbol) {
            self.import_symbol(module, symbol, origin);
            bound = true;
        }
        for item in found.all(Part::Item) {
            self.import_item(item, origin);
            bound = true;
        }
        if !bound {
            let alias = found.one(Part::Alias).map(|alias| self.name_of(alias));
            self.import_path(module, alias, origin);
        }
        self.unknown()
    }

    /// One of several modules in a statement.
    fn import_item(&mut self, item: Node<'t>, origin: Origin) {
        let found = self.role_of(item);
        let name = found.as_ref().and_then(|found| found.one(Part::Name)).unwrap_or(item);
        let alias = found.as_ref().and_then(|found| found.one(Part::Alias)).map(|alias| self.name_of(alias));
        let path = self.intern(unquoted(self.text(name)));
        self.import_path(path, alias, origin);
    }

    /// A name, or a group of names, below a path.
    fn import_symbol(&mut self, module: Name, node: Node<'t>, origin: Origin) {
        let Some(found) = self.role_of(node) else {
            let path = self.below(module, self.text(node));
            self.import_last(path, None, origin);
            return;
        };
        match found.role {
            Role::ImportGroup => {
                let path = found.one(Part::Module).map_or(module, |path| self.below(module, self.text(path)));
                for symbol in found.all(Part::Symbol) {
                    self.import_symbol(path, symbol, origin);
                }
            }
            Role::ImportWildcard => {
                let path = found.one(Part::Module).map_or(module, |path| self.below(module, self.text(path)));
                self.add_import(path, ImportKind::Wildcard, origin);
            }
            Role::ImportName => {
                let Some(name) = found.one(Part::Name) else { return };
                let alias = found.one(Part::Alias).map(|alias| self.name_of(alias));
                if self.language.settings().imports.separator.is_empty() {
                    self.import_one(module, unquoted(self.text(name)), alias, origin);
                    return;
                }
                let path = self.below(module, unquoted(self.text(name)));
                self.import_last(path, alias, origin);
            }
            _ => {
                let path = self.below(module, self.text(node));
                self.import_last(path, None, origin);
            }
        }
    }

    fn below(&mut self, module: Name, path: &str) -> Name {
        let separator = &self.language.settings().imports.separator;
        let prefix = self.facts.text(module);
        if prefix.is_empty() {
            return self.intern(path);
        }
        // Python's `from . import x` has nothing but dots before the name.
        let joined = if prefix.ends_with(separator.as_str()) || path.is_empty() {
            format!("{prefix}{path}")
        } else {
            format!("{prefix}{separator}{path}")
        };
        self.intern(&joined)
    }

    /// A symbol of a module whose name has no parts.
    fn import_one(&mut self, module: Name, symbol: &str, alias: Option<Name>, origin: Origin) {
        let symbol = self.intern(symbol);
        let is_default = self.facts.text(symbol) == "default";
        let kind = if is_default { ImportKind::Default } else { ImportKind::Symbol(symbol) };
        let term = self.add_import(module, kind, origin);
        self.bind_imported(alias.unwrap_or(symbol), term);
    }

    /// A path whose last part is a symbol of what comes before it.
    fn import_last(&mut self, path: Name, alias: Option<Name>, origin: Origin) {
        let separator = self.language.settings().imports.separator.as_str();
        let text = self.facts.text(path);
        let (module, symbol) = match text.rfind(separator).filter(|_| !separator.is_empty()) {
            Some(at) => {
                let module = &text[..at];
                let only_dots = separator == "." && module.chars().all(|c| c == '.');
                let module = if only_dots { text[..=at].to_owned() } else { module.to_owned() };
                (module, text[at + separator.len()..].to_owned())
            }
            None => (String::new(), text.to_owned()),
        };
        let (module, symbol) = (self.intern(&module), self.intern(&symbol));
        // `use a::b::{self}` is `a::b` itself.
        if self.facts.text(symbol) == "self" {
            self.import_last(module, alias, origin);
            return;
        }
        let term = self.add_import(module, ImportKind::Symbol(symbol), origin);
        self.bind_imported(alias.unwrap_or(symbol), term);
    }

    /// A whole module, or the symbol at the end of a path.
    fn import_path(&mut self, path: Name, alias: Option<Name>, origin: Origin) {
        let settings = &self.language.settings().imports;
        if settings.last_is_symbol {
            self.import_last(path, alias, origin);
            return;
        }
        if let Some(alias) = alias {
            let term = self.add_import(path, ImportKind::Module, origin);
            self.bind_imported(alias, term);
            return;
        }
        let separator = settings.separator.as_str();
        let text = self.facts.text(path).to_owned();
        match settings.binds {
            Binds::First => {
                let first = text.split(separator).next().unwrap_or(&text).to_owned();
                let first = self.intern(&first);
                if first != path {
                    self.add_import(path, ImportKind::Module, origin);
                }
                let term = self.add_import(first, ImportKind::Module, origin);
                self.bind_imported(first, term);
            }
            Binds::Last => {
                let named = if settings.versions { without_version(&text, separator) } else { &text };
                let last = named.rsplit(separator).next().unwrap_or(named).to_owned();
                let last = self.intern(&last);
                let term = self.add_import(path, ImportKind::Module, origin);
                self.bind_imported(last, term);
            }
            Binds::All => drop(self.add_import(path, ImportKind::Wildcard, origin)),
            Binds::Nothing => drop(self.add_import(path, ImportKind::Module, origin)),
        }
    }

    fn import_call(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let Some(module) = found.one(Part::Module) else { return self.unknown() };
        let module = self.intern(unquoted(self.text(module)));
        let kind = if self.language.settings().imports.binds == Binds::All {
            ImportKind::Wildcard
        } else {
            ImportKind::Module
        };
        self.add_import(module, kind, Origin { line: line(node), is_public: false })
    }

    /// The type that a text names by its full path.
    pub(super) fn named_type(&mut self, path: Name, line: u32) -> TermId {
        let separator = self.language.settings().separator.clone();
        let text = self.facts.text(path).to_owned();
        let (module, name) = text.rsplit_once(separator.as_str()).unwrap_or(("", &text));
        let (module, name) = (self.intern(module), self.intern(name));
        self.add_import(module, ImportKind::Symbol(name), Origin { line, is_public: false })
    }

    fn add_import(&mut self, module: Name, kind: ImportKind, origin: Origin) -> TermId {
        let id = ImportId(index(self.facts.imports.len()));
        let Origin { line, is_public } = origin;
        self.facts.imports.push(Import { module, kind, line, within: self.def, is_public });
        self.add(Term::Import(id))
    }

    fn bind_import(&mut self, node: Node<'t>, term: TermId) {
        let name = self.name_of(node);
        self.bind_imported(name, term);
    }

    fn bind_imported(&mut self, name: Name, term: TermId) {
        let scope = self.declaring_scope();
        self.give(scope, name, term);
    }

    fn export(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let module = found.one(Part::Module).map(|module| self.intern(unquoted(self.text(module))));
        let origin = Origin { line: line(node), is_public: true };
        if let Some(default) = found.one(Part::Default) {
            let name = self.intern("default");
            self.decorators = found.all(Part::Decorator).collect();
            self.decorated = (!self.decorators.is_empty()).then_some(node);
            self.hint = Some(super::Hint { name, is_method: false, receiver: None, declares: true });
            let value = self.used_term(default);
            self.hint = None;
            self.facts.exports.push(Export { name: None, value });
        }
        if let Some(module) = module.filter(|_| found.has(Part::Wildcard)) {
            self.add_import(module, ImportKind::Wildcard, origin);
        }
        if let (Some(module), Some(name)) = (module, found.one(Part::ModuleName)) {
            let value = self.add_import(module, ImportKind::Module, origin);
            let name = self.definition_name(name);
            self.facts.exports.push(Export { name: Some(name), value });
        }
        for symbol in found.all(Part::Symbol) {
            self.export_symbol(module, symbol, origin);
        }
        for item in found.all(Part::Item) {
            self.decorators = found.all(Part::Decorator).collect();
            self.decorated = (!self.decorators.is_empty()).then_some(node);
            self.export_declaration(item);
        }
        self.rest(node, found);
        self.unknown()
    }

    /// A declaration whose names others see.
    fn export_declaration(&mut self, item: Node<'t>) {
        let outer = self.exporting.replace((self.scope, Vec::new()));
        self.term(item);
        let declared = std::mem::replace(&mut self.exporting, outer);
        let in_module = self.def == DefId::MODULE;
        for name in declared.into_iter().flat_map(|(_, names)| names).filter(|_| in_module) {
            let value = self.name_term(name);
            self.facts.exports.push(Export { name: Some(name), value });
        }
    }

    fn export_symbol(&mut self, module: Option<Name>, node: Node<'t>, origin: Origin) {
        let found = self.role_of(node);
        let name = found.as_ref().and_then(|found| found.one(Part::Name)).unwrap_or(node);
        let name = self.definition_name(name);
        let alias = found.as_ref().and_then(|found| found.one(Part::Alias));
        let alias = alias.map_or(name, |alias| self.definition_name(alias));
        let is_default = self.facts.text(name) == "default";
        let value = match module {
            Some(module) if is_default => self.add_import(module, ImportKind::Default, origin),
            Some(module) => self.add_import(module, ImportKind::Symbol(name), origin),
            None => self.name_term(name),
        };
        let name = Some(alias).filter(|alias| self.facts.text(*alias) != "default");
        self.facts.exports.push(Export { name, value });
    }
}

/// `example.org/chi/v5` and `example.org/yaml.v3` are `chi` and `yaml`.
fn without_version<'p>(path: &'p str, separator: &str) -> &'p str {
    let is_version = |part: &str| part.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok());
    let before =
        |separator: &str| path.rsplit_once(separator).filter(|(_, last)| is_version(last)).map(|(named, _)| named);
    before(separator).or_else(|| before(".")).unwrap_or(path)
}
