; Definitions

(function_definition ["virtual" "inline"]* @modifier (explicit_function_specifier)? @modifier (storage_class_specifier)* @modifier type: (_)? @type declarator: (_) @declarator (field_initializer_list)? body: (_)? @body) @function
(declaration "virtual"? @modifier (explicit_function_specifier)? @modifier (storage_class_specifier)* @modifier type: (_)? @type declarator: (function_declarator declarator: [(identifier) (destructor_name) (operator_name) (qualified_identifier) (template_function)]) @declarator) @function
(declaration "virtual"? @modifier (storage_class_specifier)* @modifier type: (_) @type declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name) (qualified_identifier)])) @declarator) @function
(declaration "virtual"? @modifier (storage_class_specifier)* @modifier type: (_) @type declarator: (reference_declarator (function_declarator declarator: [(identifier) (operator_name) (qualified_identifier)])) @declarator) @function
(declaration declarator: (operator_cast) @declarator) @function
(field_declaration "virtual"? @modifier (storage_class_specifier)* @modifier type: (_) @type declarator: (function_declarator declarator: [(field_identifier) (operator_name) (template_method)]) @declarator) @function
(field_declaration "virtual"? @modifier (storage_class_specifier)* @modifier type: (_) @type declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)])) @declarator) @function
(field_declaration "virtual"? @modifier (storage_class_specifier)* @modifier type: (_) @type declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)])) @declarator) @function
(field_declaration "virtual"? @modifier (storage_class_specifier)* @modifier type: (_) @type declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier)))) @declarator) @function
(lambda_expression captures: (_) declarator: (abstract_function_declarator parameters: (_) @parameters (trailing_return_type (_) @type)?)? body: (_) @body) @lambda
(preproc_function_def name: (_) @name parameters: (_) @parameters value: (_)? @value) @function
(template_declaration [(function_definition) (declaration) (class_specifier) (struct_specifier) (union_specifier) (alias_declaration) (template_declaration) (friend_declaration)] @value) @decorated

(class_specifier name: (template_type name: (_) @name) (base_class_clause (_)* @base)? body: (_) @body) @class
(class_specifier name: (qualified_identifier name: (_) @name) (base_class_clause (_)* @base)? body: (_) @body) @class
(class_specifier name: (_) @name (base_class_clause (_)* @base)? body: (_) @body) @class
(struct_specifier name: (template_type name: (_) @name) (base_class_clause (_)* @base)? body: (_) @body) @class
(struct_specifier name: (qualified_identifier name: (_) @name) (base_class_clause (_)* @base)? body: (_) @body) @class
(struct_specifier name: (_) @name (base_class_clause (_)* @base)? body: (_) @body) @class
(union_specifier name: (_) @name body: (_) @body) @class
(enum_specifier name: (_) @name body: (_) @body) @enum
(enumerator name: (_) @name) @variant
(alias_declaration name: (_) @name type: (_) @type) @alias
(type_definition type: (struct_specifier name: (_) @name body: (_) @body) declarator: (type_identifier) @_alias (#eq? @_alias @name)) @class
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @class
(type_definition type: (struct_specifier name: (_) @_name !body) declarator: (type_identifier) @_alias (#eq? @_alias @_name)) @skip
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @class
(type_definition type: (enum_specifier name: (_) @name body: (_) @body) declarator: (type_identifier) @_alias (#eq? @_alias @name)) @enum
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
(type_definition declarator: (function_declarator) @declarator) @alias
(type_definition type: (_) @type declarator: (_) @declarator) @alias
(namespace_definition name: (_)? @name body: (_) @body) @namespace
(friend_declaration (function_definition) @value) @same
(friend_declaration) @skip
(concept_definition) @skip

; Declarators

(function_declarator declarator: (template_function name: (_) @name) parameters: (_) @parameters) @declarator
(function_declarator declarator: (template_method name: (_) @name) parameters: (_) @parameters) @declarator
(function_declarator declarator: (_) @declarator parameters: (_) @parameters (type_qualifier)* @modifier (virtual_specifier)* @modifier (trailing_return_type (_) @type)?) @declarator
(operator_cast type: (_) @name @type declarator: (abstract_function_declarator parameters: (_) @parameters)) @declarator
(pointer_declarator declarator: (_) @declarator) @declarator
(reference_declarator (_) @declarator) @declarator
(array_declarator declarator: (_) @declarator) @declarator
(parenthesized_declarator (_) @declarator) @declarator
(attributed_declarator . (_) @declarator) @declarator
(variadic_declarator (_) @declarator) @declarator
(structured_binding_declarator (_)* @item) @list

(parameter_declaration type: (primitive_type) @_type !declarator (#eq? @_type "void")) @skip
(parameter_declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (reference_declarator) (array_declarator) (function_declarator) (parenthesized_declarator) (attributed_declarator)] @target) @parameter
(parameter_declaration type: (_) @type) @parameter
(optional_parameter_declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (reference_declarator) (array_declarator) (function_declarator) (parenthesized_declarator)] @target default_value: (_) @default) @parameter
(optional_parameter_declaration type: (_) @type default_value: (_) @default) @parameter
(variadic_parameter_declaration type: (_) @type declarator: [(variadic_declarator) (reference_declarator) (pointer_declarator)]? @target) @parameter.rest
(template_parameter_list) @skip

(declaration type: (_) @type declarator: (_) @target value: (_) @value) @variable
(declaration (storage_class_specifier)* @modifier type: [(type_identifier) (qualified_identifier) (template_type)] @type @callee declarator: (_)+ @item) @variable
(declaration (storage_class_specifier)* @modifier type: (_) @type declarator: (_)* @item) @variable
(init_declarator declarator: (_) @target value: (argument_list) @arguments) @variable
(init_declarator declarator: (_) @target "=" value: (_) @value) @variable
(init_declarator declarator: (_) @target value: (initializer_list) @arguments) @variable
(field_declaration type: (struct_specifier !name body: (_) @value) !declarator) @same
(field_declaration type: (union_specifier !name body: (_) @value) !declarator) @same
(field_declaration (storage_class_specifier)* @modifier type: (_) @type declarator: (field_identifier) @name default_value: (_) @value) @variable
(field_declaration (storage_class_specifier)* @modifier type: (_) @type declarator: (_)* @item) @variable
(lambda_capture_initializer left: (_) @target right: (_) @value) @variable
(preproc_def name: (_) @name value: (_)? @value) @variable

; Values

[(identifier) (type_identifier) (field_identifier) (namespace_identifier)] @name
(this) @self
(qualified_identifier scope: (_)? @object name: (_) @value) @member
(template_function name: (_) @value) @same
(template_method name: (_) @value) @same
(template_type name: (_) @value) @same
(dependent_name (_) @value) @same
(field_expression argument: (_) @object field: (template_method name: (_) @name)) @member
(field_expression argument: (_) @object field: (dependent_name (template_method name: (_) @name))) @member
(field_expression argument: (_) @object field: (qualified_identifier name: (_) @name)) @member
(field_expression argument: (_) @object field: (_) @name) @member
(subscript_expression argument: (_) @object indices: (subscript_argument_list . (_) @key)) @index

(call_expression function: (template_function name: (_) @_cast arguments: (template_argument_list . (_) @type)) arguments: (argument_list . (_) @value) (#any-of? @_cast "static_cast" "dynamic_cast" "reinterpret_cast" "const_cast")) @cast
(call_expression function: (qualified_identifier scope: (_) @_scope name: (template_function name: (_) @_name arguments: (template_argument_list . (type_descriptor type: (_) @callee)))) arguments: (_) @arguments (#eq? @_scope "std") (#any-of? @_name "make_unique" "make_shared")) @new
(call_expression function: (qualified_identifier scope: (_) @_scope name: (template_function name: (_) @_name)) arguments: (argument_list . (_) @value .) (#eq? @_scope "std") (#eq? @_name "forward")) @same
(call_expression function: (qualified_identifier scope: (_) @_scope name: (identifier) @_name) arguments: (argument_list . (_) @value .) (#eq? @_scope "std") (#any-of? @_name "move" "ref" "cref" "addressof")) @same
(call_expression function: (template_function name: (_) @callee) arguments: (_) @arguments) @call
(call_expression function: (primitive_type) arguments: (_)) @builtin
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(new_expression type: (template_type name: (_) @callee) arguments: (_)? @arguments) @new
(new_expression type: (_) @callee arguments: (_)? @arguments) @new
(compound_literal_expression type: (type_descriptor type: (_) @callee) value: (_) @arguments) @new
(compound_literal_expression type: (template_type name: (_) @callee) value: (_) @arguments) @new
(compound_literal_expression type: (_) @callee value: (_) @arguments) @new
(field_initializer . (_) @name [(argument_list) (initializer_list)] @arguments) @initialise
(cast_expression type: (_) @type value: (_) @value) @cast
(initializer_list (_)* @item) @list
(initializer_pair designator: (field_designator (_) @key) value: (_) @value) @pair
(initializer_pair designator: (subscript_designator (_) @key) value: (_) @value) @pair
(parameter_pack_expansion pattern: (_) @value) @spread
(pointer_expression argument: (_) @value) @same
(parenthesized_expression (_) @value) @same
(comma_expression right: (_) @value) @same
(co_await_expression argument: (_) @value) @await
(conditional_expression condition: (_) consequence: (_)? @value alternative: (_) @value) @choice
[(unary_expression) (binary_expression) (update_expression)] @builtin
[(sizeof_expression) (alignof_expression) (offsetof_expression) (decltype) (requires_expression) (requires_clause) (preproc_defined)] @skip
[(string_literal) (raw_string_literal) (concatenated_string)] @text
(number_literal) @number
[(char_literal) (true) (false) (null) (user_defined_literal)] @builtin
(preproc_arg) @code

; Statements

(assignment_expression left: (_) @target operator: "=" right: (_) @value) @assign
(return_statement (_) @value) @return
(co_return_statement (_) @value) @return
(co_yield_statement (_) @value) @yield
[(compound_statement) (if_statement) (for_statement) (while_statement) (do_statement) (switch_statement)] @block
(for_range_loop type: (_) @type declarator: (_) @target right: (_) @iterable body: (_) @body) @for
(catch_clause parameters: (parameter_list (parameter_declaration type: (_) @type declarator: (_)? @target)) body: (_) @body) @catch
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier) (gnu_asm_expression) (static_assert_declaration)] @skip

; Modules

(preproc_include path: (_) @module) @import
(preproc_call) @skip
(using_declaration "namespace" @wildcard (_) @module) @import
(using_declaration (_) @symbol) @import
(namespace_alias_definition . (_) @alias (_) @module) @import

; Types

[(primitive_type) (sized_type_specifier)] @type.builtin
((type_identifier) @type.builtin @_name (#any-of? @_name "size_t" "ssize_t" "ptrdiff_t" "intptr_t" "uintptr_t" "int8_t" "int16_t" "int32_t" "int64_t" "uint8_t" "uint16_t" "uint32_t" "uint64_t" "FILE" "va_list"))
(placeholder_type_specifier) @skip
(type_descriptor type: (_) @value) @type.same
(dependent_type (_) @value) @type.same
(template_type name: (_) @value arguments: (template_argument_list (_)* @argument)) @type.generic
(class_specifier name: (_) @value !body) @type.same
(struct_specifier name: (_) @value !body) @type.same
(union_specifier name: (_) @value !body) @type.same
(enum_specifier name: (_) @value !body) @type.same
(class_specifier name: (_) !body) @skip
(struct_specifier name: (_) !body) @skip
(union_specifier name: (_) !body) @skip
(enum_specifier) @skip
(class_specifier body: (_) @body) @class.value
(struct_specifier body: (_) @body) @class.value
(union_specifier body: (_) @body) @class.value
