//! The words that a language's patterns may use: what a node is (role) and what plays a part in it.

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

vocabulary! {
    /// What a node is.
    Role {
        /// A function or, directly in a type, a method. Without a name it takes that of what it is assigned to.
        Function = "function",
        /// A method wherever it stands.
        Method = "method",
        /// A function whose `this` is that of its surroundings.
        Lambda = "lambda",
        /// A function as a value: with a `this` of its own, its name known only in itself.
        FunctionValue = "function.value",
        Class = "class",
        ClassValue = "class.value",
        Interface = "interface",
        Enum = "enum",
        TypeAlias = "alias",
        Namespace = "namespace",
        /// Adds members to the type it names: `impl`, `extension`.
        Extension = "extension",
        /// The package or namespace of the whole file.
        Package = "package",
        /// A definition with decorators around it.
        Decorated = "decorated",
        Parameter = "parameter",
        RestParameter = "parameter.rest",
        KeywordsParameter = "parameter.keywords",
        /// Declares names and may give them a type and a value; in a type, its fields.
        Variable = "variable",
        Assign = "assign",
        Return = "return",
        Yield = "yield",
        Call = "call",
        New = "new",
        /// A call whose value is the module it names.
        ImportCall = "import.call",
        NamedArgument = "argument.named",
        Spread = "spread",
        Member = "member",
        Index = "index",
        Name = "name",
        SelfValue = "self",
        SuperValue = "super",
        /// A text: constant keys and forward references are read from it.
        Text = "text",
        Number = "number",
        /// Any other value that is built in.
        BuiltIn = "builtin",
        List = "list",
        Map = "map",
        /// An entry of a map: `@key`, `@value`.
        Pair = "pair",
        /// An entry whose key is the name of its value.
        ShortPair = "pair.short",
        /// One of several values.
        Choice = "choice",
        /// Nothing but its value.
        Same = "same",
        Await = "await",
        For = "for",
        With = "with",
        Catch = "catch",
        /// A scope of its own, where the language has them.
        Block = "block",
        Import = "import",
        /// One name of an import: `@name`, `@alias`.
        ImportName = "import.name",
        /// Names under a common path: `@module`, `@symbol`.
        ImportGroup = "import.group",
        ImportWildcard = "import.wildcard",
        Export = "export",
        /// Names that belong to an outer scope: `global`, `nonlocal`.
        Outer = "outer",
        Comment = "comment",
        /// Nothing in it matters.
        Skip = "skip",
        TypeUnion = "type.union",
        TypeGeneric = "type.generic",
        TypeSame = "type.same",
        /// A type that is built in or that nothing can be said about.
        TypeBuiltIn = "type.builtin",
    }
}

impl Role {
    /// Whether it is only tried where a type is expected.
    pub(crate) fn is_for_types(self) -> bool {
        matches!(self, Self::TypeUnion | Self::TypeGeneric | Self::TypeSame | Self::TypeBuiltIn)
    }
}

vocabulary! {
    /// What plays a part in a node.
    Part {
        Name = "name",
        Alias = "alias",
        Parameters = "parameters",
        Body = "body",
        /// A declared type.
        Type = "type",
        Value = "value",
        Target = "target",
        Base = "base",
        Implements = "implements",
        Receiver = "receiver",
        ReceiverName = "receiver_name",
        Decorator = "decorator",
        Modifier = "modifier",
        Default = "default",
        Callee = "callee",
        Arguments = "arguments",
        Argument = "argument",
        Object = "object",
        Key = "key",
        Item = "item",
        Iterable = "iterable",
        Module = "module",
        Symbol = "symbol",
        Wildcard = "wildcard",
        /// The name under which a whole module is known.
        ModuleName = "module_name",
        Public = "public",
    }
}
