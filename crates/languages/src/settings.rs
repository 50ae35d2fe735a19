//! What `language.toml` says: how files are recognised, and the rules of the language that patterns cannot express.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// For people.
    pub name: String,
    pub level: Level,
    /// Without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Programs in a first line `#!/usr/bin/env …`.
    #[serde(default)]
    pub shebangs: Vec<String>,
    /// Files with an extension of another language, or of none, that are written in this one.
    #[serde(default)]
    pub shared: Vec<Shared>,
    /// Whether the scanner of the grammar reads beyond its tables when a sign that is not ASCII follows a brace.
    #[serde(default)]
    pub ascii_after_brace: bool,
    /// Whether words in capitals may be macros that stand for nothing a parser has to know.
    #[serde(default)]
    pub macros: bool,
    /// Whether text with errors is read once more without what the grammars of JavaScript and TypeScript do not know.
    #[serde(default)]
    pub second_reading: bool,
    /// Whether text without errors is read by the parser of this crate, which is quicker than that of the grammar.
    #[serde(default)]
    pub own_parser: Option<OwnParser>,
    pub modules: Modules,
    /// Between the parts of a qualified name.
    pub separator: String,
    /// Methods that run when an instance is made; `=` stands for the name of the type.
    #[serde(default)]
    pub constructors: Vec<String>,
    #[serde(default)]
    pub scopes: Scopes,
    #[serde(default)]
    pub receiver: Receiver,
    #[serde(default)]
    pub imports: Imports,
    #[serde(default)]
    pub documentation: Documentation,
    /// What decorators do to the name they stand above.
    #[serde(default)]
    pub decorators: Decorators,
    #[serde(default)]
    pub calls: Calls,
    #[serde(default)]
    pub types: Types,
    #[serde(default)]
    pub collections: Collections,
    /// For `docs/languages.md`: what is not resolved, in words.
    #[serde(default)]
    pub limits: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shared {
    pub extensions: Vec<String>,
    /// How a line of such a file begins.
    pub signs: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OwnParser {
    Python,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Definitions, imports, calls and inheritance, across files.
    Full,
    /// Definitions, and calls within a file.
    Structure,
}

/// How files and names become modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Modules {
    /// A file is a module, a folder a package: `a/b.py` is `a.b`.
    Python,
    /// A file is a module and is named by its path; `package.json` and `tsconfig.json` add names.
    Node,
    /// A folder is a package below the path in `go.mod`.
    Go,
    /// Files declare their package, and see what it holds: Java, Kotlin, Scala.
    Jvm,
    /// Files are modules of a crate.
    Rust,
    /// Files declare namespaces and see all of them: C#, PHP.
    Namespaces,
    /// One global scope; what is included is seen: C, C++.
    Include,
    /// One global scope for everything that is loaded: Ruby.
    Global,
    /// Every file stands alone.
    File,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scopes {
    /// Whether `{ … }` is a scope for the names declared in it.
    pub blocks: bool,
    /// Whether assigning to a name declares it in the function.
    pub assignment_declares: bool,
    /// Whether a bare name may be a member of the enclosing type.
    pub implicit_members: bool,
    /// Whether the last expression of a body is its result.
    pub implicit_results: bool,
    /// Whether functions other than lambdas see nothing of the functions around them.
    pub closed_functions: bool,
    /// Whether functions have names of their own, so that a variable is never what a bare name calls.
    pub functions_apart: bool,
    /// The parameters of a lambda that uses these names without declaring any: `it`.
    pub implicit_parameters: Vec<String>,
    /// Whether functions of one name that follow each other are the clauses of one.
    pub clauses: bool,
    /// Whether what a type declares is seen beside the type as well.
    pub open_types: bool,
    /// Whether names that begin with a capital are seen in everything within the type that holds them.
    pub lexical_constants: bool,
    /// Whether what is in the body of a type is seen only as its members.
    pub closed_types: bool,
    /// Modifiers of declarations that belong to the function rather than to the block: `var`.
    pub function_wide: Vec<String>,
    /// Whether a local name is known only below its declaration.
    pub in_order: bool,
    /// Whether declaring a local name again makes a new variable.
    pub redeclares: bool,
    /// Whether a path among the targets of a declaration is compared with and not written.
    pub matches_paths: bool,
    /// Whether functions of one name in one scope are one function: signatures, then a body.
    pub signatures: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Receiver {
    /// Whether the first parameter of a method is its receiver.
    pub first_parameter: bool,
    /// Decorators or modifiers that make a method one of the type, with no receiver.
    pub none_with: Vec<String>,
    /// Decorators or modifiers that make the receiver the type itself.
    pub type_with: Vec<String>,
    /// Names that mean the receiver or its type where grammars have no node for it.
    pub names: Vec<String>,
    /// Names that mean the type around them: `Self`, `self`, `static`.
    pub type_names: Vec<String>,
    /// Names that mean the base type; where it is a call (`super()`), its value does.
    pub super_names: Vec<String>,
    /// What the names of the receiver's fields begin with: `@`.
    pub field_mark: String,
    /// Members of the receiver that are its type: `self.class`.
    pub type_members: Vec<String>,
    /// Whether functions that are no methods have a receiver too.
    pub in_functions: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Binds {
    #[default]
    First,
    Last,
    /// Everything in the module becomes visible.
    All,
    Nothing,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Imports {
    /// Which part of a module's path becomes the name, where no other is given.
    pub binds: Binds,
    /// Between the parts of a module's path.
    pub separator: String,
    /// Whether the last part of a path is a symbol in the module named by the others.
    pub last_is_symbol: bool,
    /// Whether the last part of a path may be a version, which names nothing: `chi/v5`, `yaml.v3`.
    pub versions: bool,
    /// Whether names at the top are hidden from other files unless exported.
    pub commonjs: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Documentation {
    /// Whether a text at the beginning of the body documents it; else the comment before does.
    pub in_body: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decorators {
    /// Nothing.
    #[default]
    Note,
    /// They are called with the definition, and what they return takes its place.
    Call,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Types {
    /// Generic types from outside that are nothing but their arguments: `Optional`, `Box`.
    pub transparent: Vec<String>,
    /// Those whose arguments say nothing about the value: `Callable`.
    pub opaque: Vec<String>,
    /// Those whose values are types: `type[Base]`.
    pub of_types: Vec<String>,
    /// Whether functions that are values take their types from where they stand.
    pub expected: bool,
}

/// Methods of built-in collections, by what they do.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Collections {
    /// Put what they are given into the collection.
    pub add: Vec<String>,
    /// Give one of its elements.
    pub take: Vec<String>,
    /// Give the collection, or one with the same elements.
    pub same: Vec<String>,
    /// Give a collection of what the function that they are given returns.
    pub map: Vec<String>,
    /// Let the first argument have all that the others have, and give it back.
    pub copy: Vec<String>,
    /// Give pairs whose second part is an element: `map.items()`, `enumerate(list)`.
    pub pairs: Vec<String>,
    /// Functions that give one element of each of what they are given: `zip(one, other)`.
    pub abreast: Vec<String>,
    /// Functions that give a collection of the elements of what they are given: `Array.from(x)`.
    pub from: Vec<String>,
    /// Functions that give a collection of what they are given: `Array.of(x, y)`.
    pub of: Vec<String>,
    /// Give an object with what the first argument has, and with what the second describes: `Object.create(x, {f: {value: g}})`.
    pub derive: Vec<String>,
    /// Let the first argument have what the second describes, and give it back.
    pub describe: Vec<String>,
    /// Call a function with what a promise stands for.
    pub then: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Calls {
    /// Whether calling a type makes an instance of it.
    pub make_instances: bool,
    /// Methods of a type that make an instance of it: `new`.
    pub makers: Vec<String>,
    /// Whether reading or writing a member may call a function.
    pub properties: bool,
    /// Decorators or modifiers that turn a method into a property that is read.
    pub getters: Vec<String>,
    /// Modifiers of methods that are called when the property is written.
    pub setters: Vec<String>,
    /// The parameter that setters have without declaring it: `value`.
    pub setter_parameter: String,
    /// What the functions of a property know its own value by: `field`.
    pub backing_field: String,
    /// Whether an assignment among the arguments names one: `f(x = 1)`.
    pub named_by_assignment: bool,
    /// Whether a text in brackets names a member: `a["b"]` is `a.b`.
    pub index_is_member: bool,
    /// Whether declaring a variable by its type makes an instance: `Type x(1)`.
    pub constructs: bool,
    /// Whether values in the brackets of a struct are its fields, in their order.
    pub fields_in_order: bool,
    /// Whether an element may be the value itself, as behind a pointer.
    pub pointers: bool,
    /// The methods that `with … as x` calls, each on the result of the one before; `x` is the last result.
    pub enter: Vec<String>,
    /// Those it calls at the end.
    pub leave: Vec<String>,
    /// The methods that a loop calls on what it goes through, each on the result of the one before.
    pub iterate: Vec<String>,
    /// Functions and methods from outside that give the member that a text names.
    pub reflected_members: Vec<String>,
    /// Those that give the type that a text names.
    pub reflected_types: Vec<String>,
    /// Functions and methods from outside that call what they are given.
    pub higher_order: Vec<String>,
    /// What the names of methods end with that assigning to a member calls: `=`.
    pub setter_mark: String,
    /// Whether a bare name may call a function without brackets (Ruby).
    pub without_brackets: bool,
}
