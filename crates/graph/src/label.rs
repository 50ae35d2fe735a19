//! What kinds of nodes there are.

use std::fmt;

/// The label of a node. Numbers are stored: never renumber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum Label {
    Project = 1,
    Package = 2,
    Folder = 3,
    #[default]
    File = 4,
    Module = 5,
    Class = 6,
    Interface = 7,
    Enum = 8,
    Type = 9,
    Function = 10,
    Method = 11,
    ExternalPackage = 12,
}

impl Label {
    pub const ALL: [Self; 12] = [
        Self::Project,
        Self::Package,
        Self::Folder,
        Self::File,
        Self::Module,
        Self::Class,
        Self::Interface,
        Self::Enum,
        Self::Type,
        Self::Function,
        Self::Method,
        Self::ExternalPackage,
    ];

    /// The label as queries write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Project => "Project",
            Self::Package => "Package",
            Self::Folder => "Folder",
            Self::File => "File",
            Self::Module => "Module",
            Self::Class => "Class",
            Self::Interface => "Interface",
            Self::Enum => "Enum",
            Self::Type => "Type",
            Self::Function => "Function",
            Self::Method => "Method",
            Self::ExternalPackage => "ExternalPackage",
        }
    }

    /// The number as it is stored.
    pub const fn code(self) -> u8 {
        self as u8
    }

    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|label| label.code() == code)
    }

    /// Whether nodes of this kind are written in source code and have lines there.
    pub const fn is_definition(self) -> bool {
        matches!(self, Self::Class | Self::Interface | Self::Enum | Self::Type | Self::Function | Self::Method)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
