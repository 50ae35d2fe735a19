//! How two nodes are related, where that is written, how it was found out and how sure it is.

use std::fmt;

use crate::NodeId;

macro_rules! stored_names {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $code:literal => $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_doc])* $variant = $code,)+ }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name as queries and answers write it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The number as it is stored.
            pub const fn code(self) -> u8 {
                self as u8
            }

            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

stored_names! {
    /// The type of a relationship. Numbers are stored: never renumber.
    Relation {
        Contains = 1 => "CONTAINS",
        Defines = 2 => "DEFINES",
        DefinesMethod = 3 => "DEFINES_METHOD",
        Imports = 4 => "IMPORTS",
        Calls = 5 => "CALLS",
        Instantiates = 6 => "INSTANTIATES",
        Inherits = 7 => "INHERITS",
        Implements = 8 => "IMPLEMENTS",
        Overrides = 9 => "OVERRIDES",
        References = 10 => "REFERENCES",
        DependsOn = 11 => "DEPENDS_ON",
    }
}

stored_names! {
    /// How the far end of a relationship was found. Numbers are stored: never renumber.
    Resolution {
        /// It is written there: containment and definition.
        Syntax = 1 => "syntax",
        /// The name is bound in an enclosing scope of the same file.
        Scope = 2 => "scope",
        /// The name was imported.
        Import = 3 => "import",
        /// The type of the receiver is known: annotation, constructor, return type.
        Type = 4 => "type",
        /// A member of the own class or of what it inherits from.
        Inheritance = 5 => "inheritance",
        /// The value arrived through assignments, arguments, returns or containers.
        Flow = 6 => "flow",
        /// The called method is declared by an interface or base class; this is one that implements or overrides it.
        Dispatch = 7 => "dispatch",
        /// Nothing else in the project has this name.
        UniqueName = 8 => "unique_name",
    }
}

/// How sure a relationship is, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Confidence(pub u8);

impl Confidence {
    pub const CERTAIN: Self = Self(100);

    /// Between 0 and 1.
    pub fn as_fraction(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// A relationship as it is stored. It belongs to the file of its first node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub from: NodeId,
    pub relation: Relation,
    pub to: NodeId,
    /// The line of the call, use or import; 0 where the relationship has none.
    pub line: u32,
    pub resolution: Resolution,
    pub confidence: Confidence,
}
