; Definitions

(function_declaration "async"? @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @function
(generator_function_declaration ["async" "*"]* @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @function
(function_signature "async"? @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type) @function
(function_expression "async"? @modifier name: (_)? @name parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @function.value
(generator_function ["async" "*"]* @modifier name: (_)? @name parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @function.value
(arrow_function "async"? @modifier parameters: (_) @parameters return_type: (_)? @type body: (statement_block) @body) @lambda
(arrow_function "async"? @modifier parameter: (_) @parameters body: (statement_block) @body) @lambda
(arrow_function "async"? @modifier parameters: (_) @parameters return_type: (_)? @type body: (_) @value) @lambda
(arrow_function "async"? @modifier parameter: (_) @parameters body: (_) @value) @lambda
(method_definition [(accessibility_modifier) (override_modifier) "static" "readonly" "async" "get" "set" "*"]* @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @method
(method_signature [(accessibility_modifier) (override_modifier) "static" "readonly" "async" "get" "set"]* @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type) @method
(abstract_method_signature [(accessibility_modifier) (override_modifier) "abstract" "get" "set"]* @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type) @method
(class_static_block "static" @modifier body: (_) @body) @method
(class_declaration decorator: (decorator (_) @decorator)* name: (_) @name type_parameters: (_)? @type_parameters (class_heritage (extends_clause value: (_)* @base)? (implements_clause (_)* @implements)?)? body: (_) @body) @class
(abstract_class_declaration decorator: (decorator (_) @decorator)* "abstract" @modifier name: (_) @name type_parameters: (_)? @type_parameters (class_heritage (extends_clause value: (_)* @base)? (implements_clause (_)* @implements)?)? body: (_) @body) @class
(class decorator: (decorator (_) @decorator)* name: (_)? @name type_parameters: (_)? @type_parameters (class_heritage (extends_clause value: (_)* @base)? (implements_clause (_)* @implements)?)? body: (_) @body) @class.value
(interface_declaration name: (_) @name type_parameters: (_)? @type_parameters (extends_type_clause type: (_)* @base)? body: (_) @body) @interface
(enum_declaration "const"? @modifier name: (_) @name body: (_) @body) @enum
(type_alias_declaration name: (_) @name type_parameters: (_)? @type_parameters value: (object_type) @body) @alias
(type_alias_declaration name: (_) @name type_parameters: (_)? @type_parameters value: (_) @type) @alias
(internal_module name: (_) @name body: (_)? @body) @namespace
(module name: (_) @name body: (_)? @body) @namespace
(ambient_declaration "global" (statement_block) @body) @namespace
(public_field_definition decorator: (decorator (_) @decorator)* [(accessibility_modifier) (override_modifier) "static" "declare" "abstract" "readonly"]* @modifier name: (_) @name type: (_)? @type value: (_)? @value) @variable
(property_signature name: (_) @name type: (_)? @type) @variable
(enum_assignment name: (_) @name value: (_) @value) @variable
[(call_signature) (construct_signature) (index_signature)] @skip
(decorator (_) @value) @decorator
(required_parameter pattern: (this)) @skip
(required_parameter decorator: (decorator (_) @decorator)* pattern: (rest_pattern (_) @target) type: (_)? @type) @parameter.rest
(required_parameter decorator: (decorator (_) @decorator)* [(accessibility_modifier) (override_modifier) "readonly"]* @modifier pattern: (_) @target type: (_)? @type value: (_)? @default) @parameter
(optional_parameter pattern: (this)) @skip
(optional_parameter decorator: (decorator (_) @decorator)* pattern: (rest_pattern (_) @target) type: (_)? @type) @parameter.rest
(optional_parameter decorator: (decorator (_) @decorator)* [(accessibility_modifier) (override_modifier) "readonly"]* @modifier pattern: (_) @target type: (_)? @type value: (_)? @default) @parameter
(rest_pattern (_) @name) @parameter.rest
(type_parameter name: (_) @name constraint: (constraint (_) @type)?) @type.parameter

; Values

(member_expression object: (identifier) @_object property: (_) (#eq? @_object "Symbol")) @text
[(identifier) (shorthand_property_identifier_pattern) (type_identifier) (this_type)] @name
(this) @self
(super) @super
(member_expression object: (_) @object property: (_) @name) @member
(nested_identifier object: (_) @object property: (_) @name) @member
(nested_type_identifier module: (_) @object name: (_) @name) @member
(subscript_expression object: (_) @object index: (_) @key) @index
(call_expression function: (import) arguments: (arguments . [(string) (template_string)] @module)) @import.call
(call_expression function: (identifier) @_function arguments: (arguments . [(string) (template_string)] @module) (#eq? @_function "require")) @import.call
(call_expression function: (_) @callee arguments: (arguments) @arguments) @call
(call_expression function: (_) @callee arguments: (template_string "`" @argument (template_substitution (_) @argument)*)) @call
(new_expression constructor: (_) @callee arguments: (_)? @arguments) @new
(as_expression . (_) @value (_) @type) @cast
(as_expression (_) @value) @same
(satisfies_expression . (_) @value (_) @type) @cast
(non_null_expression (_) @value) @same
(instantiation_expression . (_) @value) @same
(spread_element (_) @value) @spread
(ternary_expression consequence: (_) @value alternative: (_) @value) @choice
(binary_expression left: (_) @value operator: ["||" "??"] right: (_) @value) @choice
(binary_expression operator: "&&" right: (_) @value) @same
(sequence_expression (_)* @value) @same
(parenthesized_expression . (_) @value) @same
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

; Statements

(variable_declaration "var" @modifier (variable_declarator)* @item) @variable
(variable_declarator name: (_) @target type: (_)? @type value: (_)? @value) @variable
(return_statement (_) @value) @return
(yield_expression "*" (_) @iterable) @yield
(yield_expression (_) @value) @yield
(for_in_statement kind: ["let" "const"] left: (_) @target operator: "of" right: (_) @iterable body: (_) @body) @for
(for_in_statement kind: ["let" "const"] left: (_) @target body: (_) @body) @for
(for_in_statement kind: "var" @modifier left: (_) @target operator: "of" right: (_) @iterable body: (_) @body) @for
(for_in_statement kind: "var" @modifier left: (_) @target body: (_) @body) @for
(for_in_statement left: (_) @target operator: "of" right: (_) @iterable body: (_) @body) @for.assign
(for_in_statement left: (_) @target body: (_) @body) @for.assign
(catch_clause parameter: (_)? @target type: (_)? @type body: (_) @body) @catch
[(statement_block) (for_statement) (switch_body)] @block

; Modules

(import_statement (import_clause (identifier)? @default (namespace_import (_) @module_name)? (named_imports (import_specifier)* @symbol)?)? source: (_) @module) @import
(import_statement (import_require_clause (identifier) @module_name source: (_) @module)) @import
(import_alias . (_) @target (_) @value) @variable
(import_specifier name: (_) @name alias: (_)? @alias) @import.name
(export_statement decorator: (decorator (_) @decorator)* "default" declaration: (_) @default) @export
(export_statement "=" (_) @default) @export
(export_statement "default" value: (_) @default) @export
(export_statement decorator: (decorator (_) @decorator)* declaration: (_) @item) @export
(export_statement "*" @wildcard source: (_) @module) @export
(export_statement (namespace_export (_) @module_name) source: (_) @module) @export
(export_statement (export_clause (export_specifier)* @symbol) source: (_)? @module) @export
(export_specifier name: (_) @name alias: (_)? @alias) @import.name

; Types

(type_annotation (_) @value) @type.same
(default_type (_) @value) @type.same
(parenthesized_type (_) @value) @type.same
(readonly_type (_) @value) @type.same
(optional_type (_) @value) @type.same
(rest_type (_) @value) @type.same
(type_query (_) @value) @type.same
(required_parameter type: (_) @value) @type.same
(optional_parameter type: (_) @value) @type.same
(generic_type name: (_) @value type_arguments: (type_arguments (_)* @argument)) @type.generic
(union_type (_)* @value) @type.union
(intersection_type (_)* @value) @type.union
(conditional_type consequence: (_) @value alternative: (_) @value) @type.union
(array_type (_) @argument) @type.list
(tuple_type (_)* @argument) @type.list
(object_type (_)* @item) @type.map
(lookup_type . (_) @object (literal_type (string) @key)) @index
[(predefined_type) (literal_type) (template_literal_type) (existential_type)] @type.builtin
(function_type parameters: (_) @parameters return_type: (_) @type) @type.function
[(constructor_type) (lookup_type) (index_type_query) (infer_type)] @skip
[(type_predicate_annotation) (asserts_annotation)] @skip
