//! Which labels a name may have, given the words around it.

use graph::Label;

use super::phrases::Phrase;
use crate::meaning::{Kind, Relation, Role};
use crate::names::Wanted;

pub(super) const DEFINITIONS: Wanted = &[
    &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
    &[Label::File, Label::Module],
    &[Label::Folder, Label::Package],
    &[Label::ExternalPackage],
];

pub(super) const CALLABLE: Wanted = &[
    &[Label::Function, Label::Method],
    &[Label::Class, Label::Interface, Label::Enum, Label::Type],
    &[Label::File, Label::Module],
    &[Label::Folder, Label::Package],
];

pub(super) const TYPES: Wanted = &[&[Label::Class, Label::Interface, Label::Enum, Label::Type]];

const METHODS: Wanted = &[&[Label::Method], &[Label::Class, Label::Interface, Label::Type], &[Label::Function]];

const PLACES: Wanted = &[
    &[Label::File],
    &[Label::Module],
    &[Label::ExternalPackage],
    &[Label::Package],
    &[Label::Folder],
    &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
];

pub(super) const CONTAINERS: Wanted = &[
    &[Label::Class, Label::Interface, Label::Enum, Label::Type],
    &[Label::File],
    &[Label::Module],
    &[Label::Folder],
    &[Label::Package],
    &[Label::Function, Label::Method],
];

pub(super) fn labels_of(kind: Kind) -> &'static [Label] {
    match kind {
        Kind::Class => &[Label::Class],
        Kind::Function => &[Label::Function, Label::Method],
        Kind::Method | Kind::Constructor => &[Label::Method],
        Kind::Interface => &[Label::Interface],
        Kind::Enum => &[Label::Enum],
        Kind::Type => &[Label::Type, Label::Class, Label::Interface, Label::Enum],
        Kind::Module => &[Label::Module],
        Kind::File => &[Label::File],
        Kind::Folder => &[Label::Folder],
        Kind::Package => &[Label::Package, Label::ExternalPackage],
        Kind::External => &[Label::ExternalPackage],
        Kind::Test => &[Label::Function, Label::Method],
        Kind::Definition => &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
    }
}

pub(super) fn wanted_for_kind(kind: Kind) -> Option<Wanted> {
    Some(match kind {
        Kind::Class => &[&[Label::Class], &[Label::Interface, Label::Enum, Label::Type]],
        Kind::Function => &[&[Label::Function], &[Label::Method]],
        Kind::Method | Kind::Constructor => &[&[Label::Method], &[Label::Function]],
        Kind::Interface => &[&[Label::Interface], &[Label::Class, Label::Type]],
        Kind::Enum => &[&[Label::Enum], &[Label::Class]],
        Kind::Type => &[&[Label::Type, Label::Class, Label::Interface, Label::Enum]],
        Kind::Module => &[&[Label::Module], &[Label::Package], &[Label::File], &[Label::ExternalPackage]],
        Kind::File => &[&[Label::File], &[Label::Module]],
        Kind::Folder => &[&[Label::Folder], &[Label::Package]],
        Kind::Package => &[&[Label::Package], &[Label::ExternalPackage], &[Label::Folder], &[Label::Module]],
        Kind::External => &[&[Label::ExternalPackage]],
        Kind::Test => &[&[Label::Function, Label::Method]],
        Kind::Definition => return None,
    })
}

pub(super) fn definition_labels(named: &Phrase) -> Wanted {
    named.kinds.first().and_then(|(kind, _)| wanted_for_kind(*kind)).unwrap_or(DEFINITIONS)
}

/// Which things a name may mean in this role of this relation.
pub(super) fn wanted(relation: Relation, role: Role) -> Wanted {
    match (relation, role) {
        (Relation::Call | Relation::Reach | Relation::Cover | Relation::Affect, _) => CALLABLE,
        (Relation::Use | Relation::Depend, _) => &[
            &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
            &[Label::File, Label::Module],
            &[Label::ExternalPackage],
            &[Label::Package, Label::Folder],
        ],
        (Relation::Import, _) => PLACES,
        (Relation::Inherit, _) | (Relation::Create, Role::Patient) => TYPES,
        (Relation::Implement, Role::Patient) => &[&[Label::Interface], &[Label::Class, Label::Type], &[Label::Method]],
        (Relation::Implement, Role::Agent) => TYPES,
        (Relation::Override, _) => METHODS,
        (Relation::Create, Role::Agent) => CALLABLE,
        (Relation::Contain, Role::Agent) => CONTAINERS,
        (Relation::Contain, Role::Patient) => DEFINITIONS,
    }
}
