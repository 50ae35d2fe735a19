//! The numbers that the grammar of tree-sitter has given to what is in its trees.

use tree_sitter::Language;

macro_rules! numbers {
    ($(#[$doc:meta])* $name:ident, $find:expr; $($field:ident = $text:literal,)+) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(super) struct $name { $(pub(super) $field: u16,)+ }

        impl $name {
            pub(super) fn of(grammar: &Language) -> Self {
                let find: fn(&Language, &str) -> u16 = $find;
                Self { $($field: find(grammar, $text),)+ }
            }
        }
    };
}

numbers! {
    /// Kinds of nodes.
    Kinds, |grammar, name| grammar.id_for_node_kind(name, true);
    aliased_import = "aliased_import",
    argument_list = "argument_list",
    as_pattern = "as_pattern",
    as_pattern_target = "as_pattern_target",
    assert = "assert_statement",
    assignment = "assignment",
    attribute = "attribute",
    augmented_assignment = "augmented_assignment",
    await_ = "await",
    binary_operator = "binary_operator",
    block = "block",
    boolean_operator = "boolean_operator",
    break_ = "break_statement",
    call = "call",
    class = "class_definition",
    comment = "comment",
    comparison = "comparison_operator",
    concatenated_string = "concatenated_string",
    conditional = "conditional_expression",
    constrained_type = "constrained_type",
    continue_ = "continue_statement",
    decorated = "decorated_definition",
    decorator = "decorator",
    default_parameter = "default_parameter",
    delete = "delete_statement",
    dictionary = "dictionary",
    dictionary_comprehension = "dictionary_comprehension",
    dictionary_splat = "dictionary_splat",
    dictionary_splat_pattern = "dictionary_splat_pattern",
    dotted_name = "dotted_name",
    elif_clause = "elif_clause",
    ellipsis = "ellipsis",
    else_clause = "else_clause",
    except_clause = "except_clause",
    expression_list = "expression_list",
    expression_statement = "expression_statement",
    false_ = "false",
    finally_clause = "finally_clause",
    float = "float",
    for_in_clause = "for_in_clause",
    for_ = "for_statement",
    format_expression = "format_expression",
    format_specifier = "format_specifier",
    function = "function_definition",
    future_import = "future_import_statement",
    generator = "generator_expression",
    generic_type = "generic_type",
    global = "global_statement",
    identifier = "identifier",
    if_clause = "if_clause",
    if_ = "if_statement",
    import_from = "import_from_statement",
    import_prefix = "import_prefix",
    import = "import_statement",
    integer = "integer",
    interpolation = "interpolation",
    keyword_argument = "keyword_argument",
    keyword_separator = "keyword_separator",
    lambda = "lambda",
    lambda_parameters = "lambda_parameters",
    line_continuation = "line_continuation",
    list = "list",
    list_comprehension = "list_comprehension",
    list_pattern = "list_pattern",
    list_splat = "list_splat",
    list_splat_pattern = "list_splat_pattern",
    member_type = "member_type",
    module = "module",
    named_expression = "named_expression",
    none = "none",
    nonlocal = "nonlocal_statement",
    not_operator = "not_operator",
    pair = "pair",
    parameters = "parameters",
    parenthesized = "parenthesized_expression",
    pass = "pass_statement",
    pattern_list = "pattern_list",
    positional_separator = "positional_separator",
    raise = "raise_statement",
    relative_import = "relative_import",
    return_ = "return_statement",
    set = "set",
    set_comprehension = "set_comprehension",
    slice = "slice",
    string = "string",
    string_start = "string_start",
    subscript = "subscript",
    true_ = "true",
    try_ = "try_statement",
    tuple = "tuple",
    tuple_pattern = "tuple_pattern",
    type_ = "type",
    type_alias = "type_alias_statement",
    type_conversion = "type_conversion",
    type_parameter = "type_parameter",
    typed_default_parameter = "typed_default_parameter",
    typed_parameter = "typed_parameter",
    unary_operator = "unary_operator",
    union_type = "union_type",
    while_ = "while_statement",
    wildcard_import = "wildcard_import",
    with_clause = "with_clause",
    with_item = "with_item",
    with = "with_statement",
    yield_ = "yield",
}

numbers! {
    /// Kinds of tokens.
    Tokens, |grammar, name| grammar.id_for_node_kind(name, false);
    async_ = "async",
}

numbers! {
    /// Fields that children stand in.
    Fields, |grammar, name| grammar.field_id_for_name(name).map_or(0, std::num::NonZero::get);
    alias = "alias",
    alternative = "alternative",
    argument = "argument",
    arguments = "arguments",
    attribute = "attribute",
    body = "body",
    cause = "cause",
    condition = "condition",
    consequence = "consequence",
    definition = "definition",
    expression = "expression",
    format_specifier = "format_specifier",
    function = "function",
    key = "key",
    left = "left",
    module_name = "module_name",
    name = "name",
    object = "object",
    parameters = "parameters",
    return_type = "return_type",
    right = "right",
    subscript = "subscript",
    superclasses = "superclasses",
    type_ = "type",
    type_conversion = "type_conversion",
    type_parameters = "type_parameters",
    value = "value",
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(super) kinds: Kinds,
    pub(super) tokens: Tokens,
    pub(super) fields: Fields,
}

impl Numbers {
    pub(crate) fn of(grammar: &Language) -> Self {
        Self { kinds: Kinds::of(grammar), tokens: Tokens::of(grammar), fields: Fields::of(grammar) }
    }
}
