; Definitions

(class_declaration (modifiers (annotation)* @decorator)? @modifier "interface" name: (_) @name (type_parameters)? @type_parameters (primary_constructor (class_parameters) @parameters)? (delegation_specifiers (delegation_specifier [(constructor_invocation) (user_type) (explicit_delegation) (function_type)] @base)*)? (type_constraints)? @type_parameters (class_body)? @body) @interface
(class_declaration (modifiers (annotation)* @decorator)? @modifier name: (_) @name (type_parameters)? @type_parameters (primary_constructor (class_parameters) @parameters)? (delegation_specifiers (delegation_specifier [(constructor_invocation) (user_type) (explicit_delegation) (function_type)] @base)*)? (type_constraints)? @type_parameters (enum_class_body) @body) @enum
(class_declaration (modifiers (annotation)* @decorator)? @modifier name: (_) @name (type_parameters)? @type_parameters (primary_constructor (class_parameters) @parameters)? (delegation_specifiers (delegation_specifier [(constructor_invocation) (user_type) (explicit_delegation) (function_type)] @base)*)? (type_constraints)? @type_parameters (class_body)? @body) @class
(object_declaration (modifiers (annotation)* @decorator)? @modifier "object" @modifier name: (_) @name (delegation_specifiers (delegation_specifier [(constructor_invocation) (user_type) (explicit_delegation) (function_type)] @base)*)? (class_body)? @body) @class
(companion_object (class_body) @body) @static
(enum_entry (identifier) @name (value_arguments)? @arguments (class_body)? @body) @constant
(type_alias (modifiers (annotation)* @decorator)? @modifier type: (_) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @alias
(type_parameter (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) @type.parameter
(type_constraint (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @type.parameter
(anonymous_initializer (block) @value) @same

(function_declaration (modifiers (annotation)* @decorator)? @modifier [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @receiver "." name: (_) @name (function_value_parameters) @parameters [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body "=" (_) @value)) @function
(function_declaration (modifiers (annotation)* @decorator)? @modifier [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @receiver "." name: (_) @name (function_value_parameters) @parameters [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body (block) @body)?) @function
(function_declaration (modifiers (annotation)* @decorator)? @modifier name: (_) @name (function_value_parameters) @parameters [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body "=" (_) @value)) @function
(function_declaration (modifiers (annotation)* @decorator)? @modifier name: (_) @name (function_value_parameters) @parameters [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body (block) @body)?) @function
(secondary_constructor (modifiers (annotation)* @decorator)? @modifier "constructor" @name (function_value_parameters) @parameters (block)? @body) @function
(constructor_delegation_call ["this" "super"] @callee (value_arguments) @arguments) @call
(lambda_literal (lambda_parameters)? @parameters) @lambda
(anonymous_function (function_value_parameters) @parameters [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body "=" (_) @value)) @lambda
(anonymous_function (function_value_parameters) @parameters [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body (block) @body)) @lambda

(class_parameter (modifiers)? @modifier ["val" "var"] @modifier (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type "=" (_) @default) @parameter
(class_parameter (modifiers)? @modifier ["val" "var"] @modifier (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @parameter
(class_parameter (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type "=" (_) @default) @parameter
(class_parameter (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @parameter
(parameter (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @parameter
(variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) @parameter
(multi_variable_declaration (variable_declaration)* @item) @list
[(parameter_modifiers) (modifiers)] @skip

(property_declaration (modifiers (annotation)* @decorator)? @modifier [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @receiver "." (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) (getter)? @accessor (setter)? @accessor) @property
(property_declaration (modifiers (annotation)* @decorator)? @modifier (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) "=" (_) @value (getter)? @accessor (setter)? @accessor) @property
(property_declaration (modifiers (annotation)* @decorator)? @modifier (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) (property_delegate (_) @value) (getter)? @accessor (setter)? @accessor) @property
(property_declaration (modifiers (annotation)* @decorator)? @modifier (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) (getter)? @accessor (setter)? @accessor) @property
(property_declaration (multi_variable_declaration) @target "=" (_) @value) @variable
(getter "get" @modifier [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body "=" (_) @value)) @function
(getter "get" @modifier [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body (block) @body)) @function
(setter "set" @modifier (identifier) @parameters (function_body "=" (_) @value)) @function
(setter "set" @modifier (identifier) @parameters (function_body (block) @body)) @function

; Values

(identifier) @name
(this_expression (identifier) @type) @cast
(this_expression) @self
"this" @self
[(super_expression) "super"] @super
(navigation_expression . (_) @object "::" (identifier) @name .) @reference
(navigation_expression . (_) @object (identifier) @name .) @member
(callable_reference . (identifier) @name .) @reference
(callable_reference [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @object (identifier) @name .) @reference
(index_expression . (_) @object (_) @key) @index

(call_expression . (navigation_expression . (_) @object @receiver @value (identifier) @name .) (annotated_lambda (lambda_literal) @argument) (#any-of? @name "apply")) @call
(call_expression . (navigation_expression . (_) @object @given @value (identifier) @name .) (annotated_lambda (lambda_literal) @argument) (#any-of? @name "also" "takeIf" "takeUnless")) @call
(call_expression . (navigation_expression . (_) @object @receiver (identifier) @name .) (annotated_lambda (lambda_literal) @argument @value) (#any-of? @name "run")) @call
(call_expression . (navigation_expression . (_) @object @given (identifier) @name .) (annotated_lambda (lambda_literal) @argument @value) (#any-of? @name "let" "use")) @call
(call_expression . (call_expression . (identifier) @name (value_arguments . (value_argument) @argument @receiver .)) (annotated_lambda (lambda_literal) @argument @value) (#eq? @name "with")) @call
(call_expression . (identifier) @name (annotated_lambda (lambda_literal) @argument @value) (#any-of? @name "run" "lazy")) @call
(call_expression . (call_expression . (identifier) @name (value_arguments) @arguments) (annotated_lambda (lambda_literal) @argument)) @call
(call_expression . (call_expression . (navigation_expression . (_) @object (identifier) @name .) (value_arguments) @arguments) (annotated_lambda (lambda_literal) @argument)) @call
(call_expression . (identifier) @name (value_arguments)? @arguments (annotated_lambda (lambda_literal) @argument)?) @call
(call_expression . (navigation_expression . (_) @object (identifier) @name .) (value_arguments)? @arguments (annotated_lambda (lambda_literal) @argument)?) @call
(call_expression . (_) @callee (value_arguments)? @arguments (annotated_lambda (lambda_literal) @argument)?) @call
(infix_expression . (_) @object (identifier) @name (_) @argument) @call
(constructor_invocation . (_) @callee (value_arguments) @arguments) @new
(value_argument . (identifier) @name "=" (_) @value) @argument.named
(value_argument (spread_expression (_) @value)) @spread
(value_argument (_) @value) @same
(object_literal (delegation_specifiers . (delegation_specifier (constructor_invocation . (_) @callee (value_arguments) @arguments)) (delegation_specifier [(constructor_invocation) (user_type) (explicit_delegation)] @implements)*) (class_body)? @body) @new
(object_literal (delegation_specifiers . (delegation_specifier (user_type) @callee) (delegation_specifier [(constructor_invocation) (user_type) (explicit_delegation)] @base)*) (class_body)? @body) @new
(object_literal (delegation_specifiers . (delegation_specifier (explicit_delegation . (user_type) @callee)) (delegation_specifier [(constructor_invocation) (user_type) (explicit_delegation)] @base)*) (class_body)? @body) @new
(object_literal (class_body)? @body) @class.value

(as_expression left: (_) @value right: (_) @type) @cast
(is_expression left: (_) @target right: (_) @type) @cast
(parenthesized_expression (_) @value) @same
(annotated_expression (annotation) (_) @value) @same
(labeled_expression (label) (_) @value) @same
(unary_expression argument: (_) @value operator: "!!") @same
(binary_expression left: (_) @value operator: "?:" right: (_) @value) @choice
(binary_expression operator: ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "&&" "||"]) @builtin
(if_expression condition: (_) @key ")" (_) @value "else" (_) @value) @choice
(if_expression condition: (_) @key ")" (_) @value) @choice
(try_expression (block) @value (catch_block)* @value) @choice
(when_expression (when_subject (identifier) @value @target) (when_entry)* @item) @switch
(when_expression (when_subject) @value (when_entry)* @item) @switch
(when_expression (when_entry)* @item) @switch
(when_subject (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) "=" (_) @value) @variable
(when_subject (_) @value) @same
(when_entry condition: (type_test (_) @type)+ "->" (_) @value) @case
(when_entry "->" (_) @value) @case
(string_literal) @text
(multiline_string_literal) @text
(number_literal) @number
[(float_literal) (character_literal)] @builtin
(collection_literal (_)* @item) @list
[(annotation) (file_annotation) (label) (type_arguments)] @skip

; Statements

(block) @block
(assignment left: (_) @target operator: "=" right: (_) @value) @assign
(assignment left: (_) @target right: (_) @value) @update
(return_expression "return" (_) @value) @return
(return_expression "return@" (identifier) (_) @value) @return
(for_statement (variable_declaration (identifier) @target [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type) "in" (_) @iterable ")" (_)? @body) @for
(for_statement (multi_variable_declaration) @target "in" (_) @iterable ")" (_)? @body) @for
(catch_block (identifier) @target [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type (block) @body) @catch

; Modules

(package_header (qualified_identifier) @name) @package
(import (qualified_identifier) @module "*" @wildcard) @import
(import (qualified_identifier) @module (identifier) @alias) @import
(import (qualified_identifier) @module) @import

; Types

(user_type . (identifier) @value . (type_arguments (type_projection (_) @argument)*)) @type.generic
(user_type . (identifier) @value .) @type.same
(user_type . (identifier) @object (identifier)+ @name) @member
(nullable_type (_) @value) @type.same
(non_nullable_type . (_) @value) @type.same
(parenthesized_type (_) @value) @type.same
(explicit_delegation . (_) @value) @type.same
(function_type) @type.builtin
