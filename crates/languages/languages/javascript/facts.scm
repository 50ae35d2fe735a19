; Definitions

(function_declaration "async"? @modifier name: (_) @name parameters: (_) @parameters body: (_) @body) @function
(generator_function_declaration ["async" "*"]* @modifier name: (_) @name parameters: (_) @parameters body: (_) @body) @function
(function_expression "async"? @modifier name: (_)? @name parameters: (_) @parameters body: (_) @body) @function.value
(generator_function ["async" "*"]* @modifier name: (_)? @name parameters: (_) @parameters body: (_) @body) @function.value
(arrow_function "async"? @modifier parameters: (_) @parameters body: (statement_block) @body) @lambda
(arrow_function "async"? @modifier parameter: (_) @parameters body: (statement_block) @body) @lambda
(arrow_function "async"? @modifier parameters: (_) @parameters body: (_) @value) @lambda
(arrow_function "async"? @modifier parameter: (_) @parameters body: (_) @value) @lambda
(method_definition decorator: (decorator (_) @decorator)* ["static" "async" "get" "set" "*"]* @modifier name: (_) @name parameters: (_) @parameters body: (_) @body) @method
(class_static_block "static" @modifier body: (_) @body) @method
(class_declaration decorator: (decorator (_) @decorator)* name: (_) @name (class_heritage (_) @base)? body: (_) @body) @class
(class decorator: (decorator (_) @decorator)* name: (_)? @name (class_heritage (_) @base)? body: (_) @body) @class.value
(field_definition decorator: (decorator (_) @decorator)* "static"? @modifier property: (_) @name value: (_)? @value) @variable
(rest_pattern (_) @name) @parameter.rest

; Values

(member_expression object: (identifier) @_object property: (_) (#eq? @_object "Symbol")) @text
[(identifier) (shorthand_property_identifier_pattern)] @name
(this) @self
(super) @super
(member_expression object: (_) @object property: (_) @name) @member
(subscript_expression object: (_) @object index: (_) @key) @index
(call_expression function: (import) arguments: (arguments . [(string) (template_string)] @module)) @import.call
(call_expression function: (identifier) @_function arguments: (arguments . [(string) (template_string)] @module) (#eq? @_function "require")) @import.call
(call_expression function: (_) @callee arguments: (arguments) @arguments) @call
(call_expression function: (_) @callee arguments: (template_string "`" @argument (template_substitution (_) @argument)*)) @call
(new_expression constructor: (_) @callee arguments: (_)? @arguments) @new
(spread_element (_) @value) @spread
(ternary_expression consequence: (_) @value alternative: (_) @value) @choice
(binary_expression left: (_) @value operator: ["||" "??"] right: (_) @value) @choice
(binary_expression operator: "&&" right: (_) @value) @same
(sequence_expression (_)* @value) @same
(parenthesized_expression (_) @value) @same
(await_expression (_) @value) @await
(binary_expression left: (_) @value operator: "+" right: (_) @value) @text
(template_string (template_substitution)) @builtin
[(string) (template_string)] @text
(number) @number
[(binary_expression) (unary_expression) (true) (false) (null) (undefined) (regex)] @builtin
(array (_)* @item) @list
(object (_)* @item) @map
(pair key: (_) @key value: (_) @value) @pair
(shorthand_property_identifier) @pair.short
(array_pattern (_)* @item) @list
(object_pattern (_)* @item) @map
(pair_pattern key: (_) @key value: (_) @value) @pair
(assignment_pattern left: (_) @target right: (_) @value) @assign
(object_assignment_pattern left: (_) @target right: (_) @value) @assign
(assignment_expression left: (_) @target right: (_) @value) @assign
(augmented_assignment_expression left: (_) @target operator: ["&&=" "||=" "??="] right: (_) @value) @assign
(augmented_assignment_expression left: (_) @target right: (_) @value) @update
(update_expression argument: (_) @target) @update

; Elements: a component is called with its attributes

(jsx_self_closing_element name: (member_expression) @callee attribute: (_)* @item) @call
(jsx_self_closing_element name: (identifier) @callee attribute: (_)* @item (#not-lower? @callee)) @call
(jsx_opening_element name: (member_expression) @callee attribute: (_)* @item) @call
(jsx_opening_element name: (identifier) @callee attribute: (_)* @item (#not-lower? @callee)) @call
(jsx_closing_element) @skip
(jsx_attribute . (_) @key (_)? @value) @pair
(jsx_expression (spread_element (_) @value)) @spread
(jsx_expression (_) @value) @same

; Statements

(variable_declaration "var" @modifier (variable_declarator)* @item) @variable
(variable_declarator name: (_) @target value: (_)? @value) @variable
(return_statement (_) @value) @return
(yield_expression "*" (_) @iterable) @yield
(yield_expression (_) @value) @yield
(for_in_statement kind: ["let" "const" "using"] left: (_) @target operator: "of" right: (_) @iterable body: (_) @body) @for
(for_in_statement kind: ["let" "const" "using"] left: (_) @target body: (_) @body) @for
(for_in_statement kind: "var" @modifier left: (_) @target operator: "of" right: (_) @iterable body: (_) @body) @for
(for_in_statement kind: "var" @modifier left: (_) @target body: (_) @body) @for
(for_in_statement left: (_) @target operator: "of" right: (_) @iterable body: (_) @body) @for.assign
(for_in_statement left: (_) @target body: (_) @body) @for.assign
(catch_clause parameter: (_)? @target body: (_) @body) @catch
[(statement_block) (for_statement) (switch_body)] @block

; Modules

(import_statement (import_clause (identifier)? @default (namespace_import (_) @module_name)? (named_imports (import_specifier)* @symbol)?)? source: (_) @module) @import
(import_specifier name: [(identifier) (string) "default"] @name alias: (_)? @alias) @import.name
(export_statement decorator: (decorator (_) @decorator)* "default" declaration: (_) @default) @export
(export_statement "default" value: (_) @default) @export
(export_statement decorator: (decorator (_) @decorator)* declaration: (_) @item) @export
(export_statement "*" @wildcard source: (_) @module) @export
(export_statement (namespace_export (_) @module_name) source: (_) @module) @export
(export_statement (export_clause (export_specifier)* @symbol) source: (_)? @module) @export
(export_specifier name: [(identifier) (string) "default"] @name alias: [(identifier) (string) "default"]? @alias) @import.name
