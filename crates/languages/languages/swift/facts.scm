; Definitions

(class_declaration declaration_kind: "extension" name: (_) @receiver (inheritance_specifier inherits_from: (_) @implements)* body: (_) @body) @extension
(class_declaration (modifiers (attribute)* @decorator)? @modifier declaration_kind: "enum" name: (_) @name (inheritance_specifier inherits_from: (_) @implements)* body: (_) @body) @enum
(class_declaration (modifiers (attribute)* @decorator)? @modifier declaration_kind: ["class" "actor"] name: (_) @name (inheritance_specifier inherits_from: (_) @base)* body: (_) @body) @class
(class_declaration (modifiers (attribute)* @decorator)? @modifier declaration_kind: "struct" name: (_) @name (inheritance_specifier inherits_from: (_) @implements)* body: (_) @body) @class
(protocol_declaration (modifiers (attribute)* @decorator)? @modifier name: (_) @name (inheritance_specifier inherits_from: (_) @base)* body: (_) @body) @interface
(typealias_declaration (modifiers (attribute)* @decorator)? @modifier name: (type_identifier) @name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type) @alias
(associatedtype_declaration name: (type_identifier) @name) @alias
(enum_entry name: (_)* @name) @variable

(function_declaration (modifiers (attribute)* @decorator)? @modifier "class"? @modifier name: (simple_identifier) @name (parameter)* @parameters "->" . (_) @type body: (_) @body) @function
(function_declaration (modifiers (attribute)* @decorator)? @modifier "class"? @modifier name: (simple_identifier) @name (parameter)* @parameters body: (_) @body) @function
(function_declaration (modifiers)? @modifier name: _ @name (parameter)* @parameters body: (_) @body) @function
(protocol_function_declaration (modifiers (attribute)* @decorator)? @modifier name: (simple_identifier) @name (parameter)* @parameters [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)]? @type (statements)? @body) @function
(init_declaration (modifiers (attribute)* @decorator)? @modifier name: "init" @name (parameter)* @parameters body: (_)? @body) @function
(deinit_declaration "deinit" @name body: (_) @body) @function
(subscript_declaration (modifiers (attribute)* @decorator)? @modifier "subscript" @name (parameter)* @parameters [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)]? @type (computed_property (statements) @body)) @function
(subscript_declaration (modifiers (attribute)* @decorator)? @modifier "subscript" @name (parameter)* @parameters [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)]? @type (computed_property) @body) @function
(lambda_literal type: (lambda_function_type (lambda_function_type_parameters) @parameters [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)]? @type) (statements)? @body) @lambda
(lambda_literal (statements)? @body) @lambda
(parameter external_name: (_) @alias name: (simple_identifier) @name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type "..." @wildcard) @parameter.rest
(parameter name: (simple_identifier) @name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type "..." @wildcard) @parameter.rest
(parameter external_name: (_) @alias name: (simple_identifier) @name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type) @parameter
(parameter name: (simple_identifier) @name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type) @parameter
(lambda_parameter name: (simple_identifier) @name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)]? @type) @parameter
(type_parameter (type_identifier) @name [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)]? @type) @type.parameter
[(capture_list) (type_constraints) (attribute) (enum_type_parameters)] @skip

(property_declaration (modifiers (attribute)* @decorator)? @modifier name: (pattern bound_identifier: (_) @name) (type_annotation [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type)? computed_value: (computed_property . (computed_getter) @accessor (computed_setter)? @accessor)) @property
(property_declaration (modifiers (attribute)* @decorator)? @modifier name: (pattern bound_identifier: (_) @name) (type_annotation [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type)? computed_value: (computed_property) @accessor) @property
(property_declaration (modifiers (attribute)* @decorator)? @modifier name: (pattern)* @name (type_annotation [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type)? value: (_)* @value) @variable
(computed_property (statements)? @body) @function
(computed_getter (getter_specifier) @modifier (statements)? @body) @function
(computed_setter (setter_specifier) @modifier (simple_identifier)? @parameters (statements)? @body) @function
(protocol_property_declaration (modifiers (attribute)* @decorator)? @modifier name: (pattern bound_identifier: (_) @name) (type_annotation [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type)?) @variable

; Values

[(simple_identifier) (type_identifier)] @name
(self_expression) @self
(super_expression) @super
(navigation_expression target: (_) @object suffix: (navigation_suffix suffix: (simple_identifier) @name)) @member
(navigation_expression target: (_) @value suffix: (navigation_suffix suffix: (integer_literal))) @same
(call_expression . (simple_identifier) @_keyword (call_suffix (lambda_literal (statements) @value)) (#eq? @_keyword "defer")) @same
(call_expression . (_) @object (call_suffix (value_arguments "[" . (value_argument value: (_) @key)))) @index
(call_expression . (additive_expression rhs: (_) @callee) (call_suffix (value_arguments)? @arguments name: (_)* @_label (lambda_literal)* @argument)) @call
(call_expression . (multiplicative_expression rhs: (_) @callee) (call_suffix (value_arguments)? @arguments name: (_)* @_label (lambda_literal)* @argument)) @call
(call_expression . (prefix_expression operation: (bang) target: (_) @callee) (call_suffix (value_arguments)? @arguments name: (_)* @_label (lambda_literal)* @argument)) @call
(call_expression . (_) @callee (call_suffix (value_arguments)? @arguments name: (_)* @_label (lambda_literal)* @argument)) @call
(constructor_expression constructed_type: (_) @callee (constructor_suffix (value_arguments)? @arguments (lambda_literal)* @argument)) @new
(value_argument name: (value_argument_label (_) @name) value: (_) @value) @argument.named
(value_argument value: (_) @value) @same
(prefix_expression operation: "." target: (simple_identifier) @_case) @same
(postfix_expression target: (_) @value) @same
(try_expression expr: (_) @value) @same
(await_expression expr: (_) @value) @same
(as_expression expr: (_) @value [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type) @cast
(ternary_expression condition: (_) @key if_true: (_) @value if_false: (_) @value) @choice
(nil_coalescing_expression value: (_) @value if_nil: (_) @value) @choice
(tuple_expression . value: (_) @value .) @same
(tuple_expression value: (_)* @item) @list
(array_literal element: (_)* @item) @list
(dictionary_literal value: (_)* @item) @list
[(line_string_literal) (multi_line_string_literal) (raw_string_literal)] @text
(integer_literal) @number
[(real_literal) (boolean_literal) (nil_literal) (hex_literal) (bin_literal) (oct_literal)] @builtin

; Statements

(assignment target: (directly_assignable_expression (_) @target) operator: "=" result: (_) @value) @assign
(assignment target: (directly_assignable_expression (_) @target) result: (_) @value) @update
(control_transfer_statement result: (_) @value) @return
(for_statement item: (_) @target collection: (_) @iterable (statements)? @body) @for
(if_statement bound_identifier: (_)+ @target condition: [(call_expression) (navigation_expression) (simple_identifier) (as_expression) (try_expression) (await_expression) (constructor_expression) (self_expression) (nil_coalescing_expression) (postfix_expression)]+ @value) @variable
(guard_statement bound_identifier: (_)+ @target condition: [(call_expression) (navigation_expression) (simple_identifier) (as_expression) (try_expression) (await_expression) (constructor_expression) (self_expression) (nil_coalescing_expression) (postfix_expression)]+ @value) @variable
(while_statement bound_identifier: (_)+ @target condition: [(call_expression) (navigation_expression) (simple_identifier) (as_expression) (try_expression) (await_expression) (constructor_expression) (self_expression) (nil_coalescing_expression) (postfix_expression)]+ @value) @variable
(catch_block error: (pattern (pattern bound_identifier: (_) @target) [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (protocol_composition_type) (metatype)] @type) (statements)? @body) @catch
(catch_block error: (pattern bound_identifier: (_) @target) (statements)? @body) @catch
(pattern (value_binding_pattern) bound_identifier: (_) @target) @variable
(pattern (value_binding_pattern) (simple_identifier) @_case (pattern (simple_identifier) @target)+) @variable
(pattern bound_identifier: (_) @value) @same
(pattern . (simple_identifier) @_case (pattern)* @value) @same
(pattern (pattern)+ @item) @list
[(statements) (function_body) (switch_entry) (catch_block) (do_statement)] @block
(import_declaration (identifier) @module) @import

; Types

(user_type . (type_identifier) @value (type_arguments (_)* @argument)) @type.generic
(user_type . (type_identifier) @object . (type_identifier) @name) @member
(user_type (type_identifier) @value) @type.same
(optional_type wrapped: (_) @value) @type.same
(opaque_type (_) @value) @type.same
(existential_type (_) @value) @type.same
(array_type (_) @argument) @type.list
(dictionary_type (_) . (_) @argument) @type.list
(tuple_type . (tuple_type_item (_) @value) .) @type.same
[(function_type) (tuple_type) (metatype)] @type.builtin
