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
        /// A property: a field that functions may read and write for it.
        Property = "property",
        Class = "class",
        ClassValue = "class.value",
        Interface = "interface",
        Enum = "enum",
        /// A constant of an enumeration: an instance of it, with a body one of a class of its own.
        Constant = "constant",
        /// One case of the enum around it that may hold values: a type of its own, below the enum.
        Variant = "variant",
        TypeAlias = "alias",
        Namespace = "namespace",
        /// Adds members to the type it names: `impl`, `extension`.
        Extension = "extension",
        /// The package or namespace of the whole file.
        Package = "package",
        /// A definition with decorators around it.
        Decorated = "decorated",
        /// Stands before the definition that it decorates.
        Decorator = "decorator",
        /// Holds the name of what is declared, and may hold more of its parts.
        Declarator = "declarator",
        Parameter = "parameter",
        RestParameter = "parameter.rest",
        KeywordsParameter = "parameter.keywords",
        /// Declares names and may give them a type and a value; in a type, its fields.
        Variable = "variable",
        Assign = "assign",
        /// Reads and writes its target: `x.n += 1`.
        Update = "update",
        Return = "return",
        Raise = "raise",
        Yield = "yield",
        Call = "call",
        New = "new",
        /// Makes a base of the receiver, or one of its fields.
        Initialise = "initialise",
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
        /// Its value, taken for one of a type.
        Cast = "cast",
        Await = "await",
        /// Looks at a value; its cases bind what they find in it.
        Switch = "switch",
        Case = "case",
        For = "for",
        /// A loop over a target that is declared elsewhere.
        ForAssign = "for.assign",
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
        /// A name for a value: at the top and in types a function, within functions a variable.
        Binding = "binding",
        /// What the type around it inherits from here on: `include`.
        Inherit = "inherit",
        /// What is defined in it belongs to the type itself: `class << self`.
        Static = "static",
        /// Methods that read and write the fields of these names: `attr_accessor`.
        Accessors = "accessors",
        /// Methods that read the fields of these names.
        Getters = "accessors.get",
        /// Methods that write the fields of these names.
        Setters = "accessors.set",
        /// Another name for a function.
        FunctionAlias = "function.alias",
        /// A function that is named but not called: `method(:x)`.
        Reference = "reference",
        /// Calls what this method overrides; without arguments, with those of the method.
        SuperMethod = "super.method",
        /// Calls the block that was handed to the method.
        BlockCall = "call.block",
        /// An argument that is handed over as the block; `@name` is a method to call on each element.
        BlockArgument = "argument.block",
        /// Takes the block that a call ends with.
        BlockParameter = "parameter.block",
        /// Names that belong to an outer scope: `global`, `nonlocal`.
        Outer = "outer",
        Comment = "comment",
        /// Nothing in it matters.
        Skip = "skip",
        /// Tokens that are code: they are read once more, as expressions or statements.
        Code = "code",
        TypeUnion = "type.union",
        TypeGeneric = "type.generic",
        /// A type of collections: `@argument` for what is in them.
        TypeList = "type.list",
        /// A type that is written out: its fields are `variable`s.
        TypeMap = "type.map",
        TypeSame = "type.same",
        /// A type of functions.
        TypeFunction = "type.function",
        /// The types of several values, by position.
        TypeTuple = "type.tuple",
        /// A type that is built in or that nothing can be said about.
        TypeBuiltIn = "type.builtin",
        /// A name that stands for a type below the one it is bound by.
        TypeParameter = "type.parameter",
    }
}

impl Role {
    /// Whether a value in it takes the name of what it is assigned to.
    pub(crate) fn passes_names(self) -> bool {
        let defines = matches!(
            self,
            Self::Function | Self::Method | Self::Lambda | Self::FunctionValue | Self::Class | Self::ClassValue
        );
        defines || matches!(self, Self::Same | Self::Cast | Self::Decorated)
    }
    /// Whether a comment above it says nothing about a definition in it.
    pub(crate) fn keeps_comments(self) -> bool {
        let values =
            matches!(self, Self::Call | Self::New | Self::Await | Self::List | Self::Map | Self::Member | Self::Index);
        values
            || matches!(
                self,
                Self::Return | Self::Yield | Self::For | Self::ForAssign | Self::With | Self::Catch | Self::Block
            )
    }

    /// Whether it is only tried where a type is expected.
    pub(crate) fn is_for_types(self) -> bool {
        matches!(
            self,
            Self::TypeUnion
                | Self::TypeGeneric
                | Self::TypeList
                | Self::TypeMap
                | Self::TypeSame
                | Self::TypeTuple
                | Self::TypeFunction
                | Self::TypeBuiltIn
        )
    }
}

vocabulary! {
    /// What plays a part in a node.
    Part {
        Name = "name",
        Alias = "alias",
        Parameters = "parameters",
        Declarator = "declarator",
        Body = "body",
        /// A declared type.
        Type = "type",
        /// A list of `type.parameter`.
        TypeParameters = "type_parameters",
        Value = "value",
        /// A function that reads or writes a property.
        Accessor = "accessor",
        /// A list of assignments to members of what `new` makes.
        Fields = "fields",
        /// What a call hands to the functions among its arguments as their first parameter.
        Given = "given",
        Target = "target",
        Base = "base",
        Implements = "implements",
        Receiver = "receiver",
        ReceiverName = "receiver_name",
        /// A list of results with names, which are variables of the function.
        Results = "results",
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
        /// A text that documents the definition it stands before or begins.
        Documentation = "documentation",
        /// The function that a call ends with, beside its arguments.
        Block = "block",
    }
}
