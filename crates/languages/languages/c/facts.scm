; Definitions

(function_definition (storage_class_specifier)* @modifier type: (_) @type declarator: (_) @declarator body: (_) @body) @function
(declaration (storage_class_specifier)* @modifier type: (_) @type declarator: (function_declarator declarator: (identifier)) @declarator) @function
(declaration (storage_class_specifier)* @modifier type: (_) @type declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier))) @declarator) @function
(declaration (storage_class_specifier)* @modifier type: (_) @type declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier)))) @declarator) @function
(preproc_function_def name: (_) @name parameters: (_) @parameters value: (_)? @value) @function

(struct_specifier name: (_) @name body: (_) @body) @class
(union_specifier name: (_) @name body: (_) @body) @class
(enum_specifier name: (_) @name body: (_) @body) @enum
(enumerator name: (_) @name) @variant
(type_definition type: (struct_specifier name: (_) @name body: (_) @body) declarator: (type_identifier) @_alias (#eq? @_alias @name)) @class
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @class
(type_definition type: (struct_specifier name: (_) @_name !body) declarator: (type_identifier) @_alias (#eq? @_alias @_name)) @skip
(type_definition type: (union_specifier name: (_) @name body: (_) @body) declarator: (type_identifier) @_alias (#eq? @_alias @name)) @class
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @class
(type_definition type: (union_specifier name: (_) @_name !body) declarator: (type_identifier) @_alias (#eq? @_alias @_name)) @skip
(type_definition type: (enum_specifier name: (_) @name body: (_) @body) declarator: (type_identifier) @_alias (#eq? @_alias @name)) @enum
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
(type_definition type: (enum_specifier name: (_) @_name !body) declarator: (type_identifier) @_alias (#eq? @_alias @_name)) @skip
(type_definition declarator: (function_declarator) @declarator) @alias
(type_definition type: (_) @type declarator: (_) @declarator) @alias

; Declarators

(function_declarator declarator: (_) @declarator parameters: (_) @parameters) @declarator
(pointer_declarator declarator: (_) @declarator) @declarator
(array_declarator declarator: (_) @declarator) @declarator
(parenthesized_declarator (_) @declarator) @declarator
(attributed_declarator . (_) @declarator) @declarator

(parameter_declaration type: (primitive_type) @_type !declarator (#eq? @_type "void")) @skip
(parameter_declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (array_declarator) (function_declarator) (parenthesized_declarator) (attributed_declarator)] @target) @parameter
(parameter_declaration type: (_) @type) @parameter
(variadic_parameter) @parameter.rest

(declaration (storage_class_specifier)* @modifier type: (_) @type declarator: (_)* @item) @variable
(init_declarator declarator: (_) @target value: (_) @value) @variable
(field_declaration type: (struct_specifier !name body: (_) @value) !declarator) @same
(field_declaration type: (union_specifier !name body: (_) @value) !declarator) @same
(field_declaration type: (_) @type declarator: (_)* @item) @variable
(preproc_def name: (_) @name value: (_)? @value) @variable

; Values

[(identifier) (type_identifier) (field_identifier)] @name
(field_expression argument: (_) @object field: (_) @name) @member
(subscript_expression argument: (_) @object index: (_) @key) @index
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(cast_expression type: (_) @type value: (_) @value) @cast
(compound_literal_expression type: (type_descriptor type: (_) @callee !declarator) value: (_) @arguments) @new
(compound_literal_expression type: (type_descriptor type: (_) @type) value: (initializer_list (_)* @item)) @list
(initializer_list (_)* @item) @list
(initializer_pair designator: (field_designator (_) @key) value: (_) @value) @pair
(initializer_pair designator: (subscript_designator (_) @key) value: (_) @value) @pair
(initializer_pair designator: (field_identifier) @key value: (_) @value) @pair
(pointer_expression argument: (_) @value) @same
(parenthesized_expression (_) @value) @same
(extension_expression (_) @value) @same
(comma_expression right: (_) @value) @same
(conditional_expression condition: (_) consequence: (_)? @value alternative: (_) @value) @choice
[(unary_expression) (binary_expression) (update_expression)] @builtin
[(sizeof_expression) (alignof_expression) (offsetof_expression) (preproc_defined)] @skip
[(string_literal) (concatenated_string)] @text
(number_literal) @number
[(char_literal) (true) (false) (null)] @builtin
(preproc_arg) @code

; Statements

(assignment_expression left: (_) @target operator: "=" right: (_) @value) @assign
(return_statement (_) @value) @return
[(compound_statement) (if_statement) (for_statement) (while_statement) (do_statement) (switch_statement)] @block
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier) (gnu_asm_expression)] @skip

; Modules

(preproc_include path: (_) @module) @import
(preproc_call) @skip

; Types

[(primitive_type) (sized_type_specifier)] @type.builtin
((type_identifier) @type.builtin @_name (#any-of? @_name "size_t" "ssize_t" "ptrdiff_t" "intptr_t" "uintptr_t" "int8_t" "int16_t" "int32_t" "int64_t" "uint8_t" "uint16_t" "uint32_t" "uint64_t" "FILE" "va_list"))
(type_descriptor type: (_) @value) @type.same
(struct_specifier name: (_) @value !body) @type.same
(union_specifier name: (_) @value !body) @type.same
(enum_specifier name: (_) @value !body) @type.same
(struct_specifier name: (_) !body) @skip
(union_specifier name: (_) !body) @skip
(enum_specifier) @skip
(struct_specifier body: (_) @body) @class.value
(union_specifier body: (_) @body) @class.value
(macro_type_specifier type: (_) @value) @type.same
