//! A relation of a question as a pattern of the graph.
//!
//! `CALLS` leads to functions and methods, `INSTANTIATES` to classes; both are calls to whoever asks. Files are related
//! through their modules, classes through their methods.

use graph::Label;

use super::conditions;
use super::query::all_of;
use super::schema::{CONSTRUCTORS, NAME, PATH, TYPE_LABELS, labels, node};
use crate::meaning::{Kind, Link, Other, Reach, Relation, Role};
use crate::names::Entity;
use crate::quote;

/// A pattern that leads from the thing asked for to the other one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hop {
    pub pattern: String,
    pub conditions: Vec<String>,
    /// The relationship that carries a line.
    pub line: bool,
}

const USES: &str = "CALLS|INSTANTIATES|REFERENCES|INHERITS|IMPLEMENTS";
/// Methods that statements call, not expressions.
const IMPLICIT: &[&str] =
    &["__enter__", "__exit__", "__aenter__", "__aexit__", "__iter__", "__next__", "__aiter__", "__anext__"];

const PLACE_LABELS: &[Label] = &[Label::File, Label::Module, Label::Folder, Label::Package];

/// The pattern of a link. `target` is the pattern of the thing asked for, `variable` stands for it; `x` and `r` are free.
pub(super) fn hop(link: &Link, target: &str, variable: &str, kinds: &[Kind], far: Far) -> Hop {
    let writer = Writer { link, target, variable, kinds, far };
    match &link.other {
        Other::Named(entity) => writer.named(entity),
        Other::Unknown(name) => writer.unknown(name),
        Other::Some(kinds, filters) => {
            let mut conditions: Vec<String> =
                filters.iter().map(|filter| conditions::filter(far.other, filter)).collect();
            conditions.extend(kinds.iter().filter_map(|kind| conditions::of_kind(far.other, *kind)));
            let labels: Vec<Label> = kinds.iter().flat_map(|kind| labels(*kind)).copied().collect();
            writer.free(&labels, conditions)
        }
        Other::Anything => writer.free(&[], Vec::new()),
    }
}

/// The variables of a hop: the other thing, the relationship, and one between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Far {
    pub other: &'static str,
    pub edge: &'static str,
    pub between: &'static str,
}

/// For the first hop, for further ones, and for what is counted.
pub(super) const MAIN: Far = Far { other: "x", edge: "r", between: "a" };
pub(super) const FURTHER: Far = Far { other: "y", edge: "s", between: "b" };
pub(super) const COUNTED: Far = Far { other: "o", edge: "q", between: "w" };

struct Writer<'a> {
    link: &'a Link,
    target: &'a str,
    variable: &'a str,
    kinds: &'a [Kind],
    far: Far,
}

impl Writer<'_> {
    fn named(&self, entity: &Entity) -> Hop {
        let is_place = entity.is_any(PLACE_LABELS);
        let is_type = entity.is_any(TYPE_LABELS);
        let is_external = entity.is_any(&[Label::ExternalPackage]);
        match self.link.relation {
            Relation::Import | Relation::Depend | Relation::Use if is_place || is_external => self.imports(entity),
            Relation::Affect if is_place => self.imports(entity),
            Relation::Import => self.edge("REFERENCES|CALLS|INSTANTIATES|INHERITS", entity),
            Relation::Use | Relation::Depend => self.edge(USES, entity),
            Relation::Call | Relation::Reach | Relation::Cover if is_place => self.place_calls(entity),
            Relation::Call | Relation::Reach | Relation::Cover => self.calls(entity, is_type),
            Relation::Affect if is_type => self.edge("CALLS|INSTANTIATES|REFERENCES|INHERITS|IMPLEMENTS", entity),
            Relation::Affect => self.edge("CALLS|INSTANTIATES|OVERRIDES", entity),
            Relation::Inherit => self.edge(self.inheritance(entity), entity),
            Relation::Implement => self.implements(entity),
            Relation::Override => self.overrides(entity, is_type),
            Relation::Create => self.creates(entity, is_type),
            Relation::Contain => self.contains(entity, is_place),
        }
    }

    /// `(target)-[r:TYPES]->(x)`, turned round where the target is the patient.
    fn edge(&self, types: &str, entity: &Entity) -> Hop {
        let far = node(self.far.other, &entity.labels());
        let pattern = self.arrow(types, &far);
        let mut conditions = vec![conditions::is_entity(self.far.other, entity)];
        if self.link.across_files {
            conditions.push(format!("{}.{PATH} <> {}.{PATH}", self.variable, self.far.other));
        }
        let is_site = !matches!(self.link.relation, Relation::Inherit | Relation::Implement | Relation::Override);
        Hop { pattern, conditions, line: is_site && self.link.reach == Reach::Direct }
    }

    fn arrow(&self, types: &str, far: &str) -> String {
        let steps = match self.link.reach {
            Reach::Direct => format!("[{}:{types}]", self.far.edge),
            Reach::Any => format!("[:{types}*1..]"),
            Reach::Within(most) => format!("[:{types}*1..{most}]"),
        };
        match self.link.role {
            Role::Agent => format!("{}-{steps}->{far}", self.target),
            Role::Patient => format!("{}<-{steps}-{far}", self.target),
        }
    }

    fn inheritance(&self, entity: &Entity) -> &'static str {
        let of_interface = entity.is_any(&[Label::Interface]);
        let only_classes = self.kinds == [Kind::Class];
        match self.link.role {
            Role::Agent if of_interface => "INHERITS|IMPLEMENTS",
            Role::Patient if !only_classes => "INHERITS|IMPLEMENTS",
            Role::Agent | Role::Patient => "INHERITS",
        }
    }

    fn implements(&self, entity: &Entity) -> Hop {
        if entity.is_any(&[Label::Method]) {
            return self.overrides(entity, false);
        }
        let of_interface = entity.is_any(&[Label::Interface]);
        let types = if self.link.role == Role::Patient || of_interface { "IMPLEMENTS" } else { "IMPLEMENTS|INHERITS" };
        self.edge(types, entity)
    }

    fn calls(&self, entity: &Entity, is_type: bool) -> Hop {
        if self.link.role == Role::Agent {
            let types = match (self.link.reach, is_type) {
                (Reach::Direct, true) => "INSTANTIATES",
                (Reach::Direct, false) => "CALLS",
                (Reach::Any | Reach::Within(_), _) => "CALLS|INSTANTIATES",
            };
            return self.edge(types, entity);
        }
        let caller = if is_type { self.far.between } else { self.far.other };
        let mut hop = self.edge("CALLS|INSTANTIATES", entity);
        if is_type {
            let near = self.arrow("CALLS|INSTANTIATES", &format!("({})", self.far.between));
            hop.pattern = format!("{near}<-[:DEFINES_METHOD*0..1]-{}", node(self.far.other, &entity.labels()));
        }
        if self.link.reach == Reach::Direct {
            hop.conditions.extend(self.written_calls(caller));
        }
        hop
    }

    /// Calls from or into all that is written in a file or folder.
    fn place_calls(&self, place: &Entity) -> Hop {
        let pattern = self.arrow("CALLS|INSTANTIATES", &format!("({})", self.far.other));
        let mut conditions = vec![conditions::location(self.far.other, place)];
        if self.link.role == Role::Agent || self.link.across_files {
            conditions.push(format!("NOT ({})", conditions::location(self.variable, place)));
        } else if self.link.reach == Reach::Direct {
            conditions.extend(self.written_calls(self.far.other));
        }
        Hop { pattern, conditions, line: self.link.reach == Reach::Direct }
    }

    /// Imports lead from module to module, to packages, and to external packages.
    fn imports(&self, entity: &Entity) -> Hop {
        let external = entity.is_any(&[Label::ExternalPackage]);
        let pattern =
            self.arrow("IMPORTS", &node(self.far.other, if external { &[Label::ExternalPackage] } else { &[] }));
        let condition = if external {
            conditions::is_entity(self.far.other, entity)
        } else if self.link.role == Role::Patient {
            conditions::location(self.far.other, entity)
        } else {
            imported(self.far.other, entity)
        };
        Hop { pattern, conditions: vec![condition], line: self.link.reach == Reach::Direct }
    }

    fn overrides(&self, entity: &Entity, is_type: bool) -> Hop {
        let steps = |variable: &str| match self.link.role {
            Role::Agent => format!("-[:OVERRIDES]->({variable})"),
            Role::Patient => format!("<-[:OVERRIDES]-({variable})"),
        };
        let of_class = self.kinds == [Kind::Class];
        let near = if of_class { format!("{}-[:DEFINES_METHOD]->(own)", self.target) } else { self.target.to_owned() };
        let pattern = if is_type {
            format!("{near}{}<-[:DEFINES_METHOD]-{}", steps(self.far.between), node(self.far.other, &entity.labels()))
        } else {
            format!("{near}{}", steps(self.far.other))
        };
        Hop { pattern, conditions: vec![conditions::is_entity(self.far.other, entity)], line: false }
    }

    fn creates(&self, entity: &Entity, is_type: bool) -> Hop {
        let mut hop = self.edge("INSTANTIATES", entity);
        if self.link.role == Role::Patient && is_type {
            let near = self.arrow("INSTANTIATES", &format!("({})", self.far.between));
            hop.pattern = format!("{near}<-[:DEFINES_METHOD*0..1]-{}", node(self.far.other, &entity.labels()));
        }
        hop
    }

    fn contains(&self, entity: &Entity, is_place: bool) -> Hop {
        if is_place && self.link.role == Role::Patient {
            let conditions = vec![conditions::location(self.variable, entity)];
            return Hop { pattern: self.target.to_owned(), conditions, line: false };
        }
        let holds_files = self.kinds.iter().any(|kind| kind.is_place());
        if self.link.role == Role::Agent && holds_files {
            let pattern = format!("{}, {}", self.target, node(self.far.other, &entity.labels()));
            let inside = if self.kinds == [Kind::Folder] {
                format!("{}.{PATH} STARTS WITH {}.{PATH} + '/'", self.far.other, self.variable)
            } else {
                format!("{}.{PATH} = {}.{PATH}", self.far.other, self.variable)
            };
            return Hop {
                pattern,
                conditions: vec![conditions::is_entity(self.far.other, entity), inside],
                line: false,
            };
        }
        let types = contain_types(self.kinds, self.link.role, &entity.labels());
        let far = node(self.far.other, &entity.labels());
        let pattern = match self.link.role {
            Role::Agent => format!("{}-[:{types}]->{far}", self.target),
            Role::Patient => format!("{}<-[:{types}]-{far}", self.target),
        };
        Hop { pattern, conditions: vec![conditions::is_entity(self.far.other, entity)], line: false }
    }

    /// A base or a package that is not in the index is looked for where it is written.
    fn unknown(&self, name: &str) -> Hop {
        let condition = match self.link.relation {
            Relation::Import | Relation::Depend => {
                let pattern = self.arrow("IMPORTS", &format!("({})", self.far.other));
                let condition = format!("toLower({}.{NAME}) = {}", self.far.other, quote::text(&name.to_lowercase()));
                return Hop { pattern, conditions: vec![condition], line: self.link.reach == Reach::Direct };
            }
            Relation::Call
            | Relation::Use
            | Relation::Inherit
            | Relation::Implement
            | Relation::Override
            | Relation::Contain
            | Relation::Create
            | Relation::Reach
            | Relation::Cover
            | Relation::Affect => {
                let pattern = format!(r".*\b{}\b.*", quote::pattern(name));
                format!(
                    "{}.signature =~ {} AND {}.{NAME} <> {}",
                    self.variable,
                    quote::text(&pattern),
                    self.variable,
                    quote::text(name)
                )
            }
        };
        Hop { pattern: self.target.to_owned(), conditions: vec![condition], line: false }
    }

    /// What is called in so many words: reading a property or entering a context runs code, but nobody calls that a call.
    fn written_calls(&self, caller: &str) -> [String; 3] {
        let callee = self.variable;
        [
            self.not_implied_constructor(caller),
            format!("NOT any(d IN coalesce({callee}.decorators, []) WHERE d ENDS WITH 'property')"),
            format!("NOT {callee}.{NAME} IN {}", quote::list(IMPLICIT.iter().copied())),
        ]
    }

    /// A call of a class is written as a call of its constructor, too; one row is enough.
    fn not_implied_constructor(&self, caller: &str) -> String {
        let (callee, edge) = (self.variable, self.far.edge);
        let names = quote::list(CONSTRUCTORS.iter().copied());
        let made = all_of(&[
            format!("made.line = {edge}.line"),
            format!("{callee}:Method"),
            format!("({callee}.{NAME} IN {names} OR {callee}.{NAME} = k.{NAME})"),
        ]);
        format!("NOT EXISTS {{ MATCH ({caller})-[made:INSTANTIATES]->(k) WHERE {made} }}")
    }

    /// Any other thing, of these labels if there are some.
    fn free(&self, labels: &[Label], mut conditions: Vec<String>) -> Hop {
        let types = match self.link.relation {
            Relation::Call | Relation::Reach | Relation::Cover => "CALLS|INSTANTIATES",
            Relation::Use | Relation::Affect => USES,
            Relation::Import | Relation::Depend => "IMPORTS",
            Relation::Inherit => "INHERITS",
            Relation::Implement => "IMPLEMENTS",
            Relation::Override => "OVERRIDES",
            Relation::Create => "INSTANTIATES",
            Relation::Contain => contain_types(self.kinds, self.link.role, labels),
        };
        let functions = self.link.relation != Relation::Contain && labels == [Label::Function];
        let labels = if functions { &[Label::Function, Label::Method] } else { labels };
        if self.link.across_files {
            conditions.push(format!("{}.{PATH} <> {}.{PATH}", self.variable, self.far.other));
        }
        let far = if labels.is_empty() && conditions.is_empty() && self.far != COUNTED {
            "()".to_owned()
        } else {
            node(self.far.other, labels)
        };
        let pattern = self.arrow(types, &far).replace(&format!("[{}:", self.far.edge), "[:");
        Hop { pattern, conditions, line: false }
    }
}

/// Which types lead from a container to what it contains.
fn contain_types(kinds: &[Kind], role: Role, others: &[Label]) -> &'static str {
    if others.contains(&Label::File) || others.contains(&Label::Folder) {
        return "CONTAINS";
    }
    let has_methods = match role {
        Role::Patient => {
            kinds.iter().any(|kind| matches!(kind, Kind::Method | Kind::Function | Kind::Constructor | Kind::Test))
        }
        Role::Agent => others.contains(&Label::Method) || others.is_empty(),
    };
    let has_others = match role {
        Role::Patient => kinds.is_empty() || kinds.iter().any(|kind| !matches!(kind, Kind::Method | Kind::Constructor)),
        Role::Agent => others.iter().any(|label| *label != Label::Method) || others.is_empty(),
    };
    match (has_methods || (role == Role::Patient && kinds.is_empty()) || kinds == [Kind::Definition], has_others) {
        (true, true) => "DEFINES|DEFINES_METHOD",
        (true, false) => "DEFINES_METHOD",
        (false, _) => "DEFINES",
    }
}

/// Being what an import names: a module, its package, or a file in a package that is imported as a whole.
fn imported(variable: &str, entity: &Entity) -> String {
    let packages: Vec<&str> =
        entity.hits.iter().filter(|hit| hit.label == Label::Package).map(|hit| hit.qualified_name.as_str()).collect();
    if !packages.is_empty() {
        return format!("{variable}.qualified_name IN {}", quote::list(packages));
    }
    let by_path = conditions::location(variable, entity);
    let whole_packages = entity
        .hits
        .iter()
        .any(|hit| [".go", ".java", ".kt", ".scala", ".cs"].iter().any(|end| hit.file_path.ends_with(end)));
    if whole_packages {
        let file = conditions::location("file", entity);
        return format!("({by_path} OR EXISTS {{ MATCH ({variable})-[:CONTAINS]->(file:File) WHERE {file} }})");
    }
    by_path
}
