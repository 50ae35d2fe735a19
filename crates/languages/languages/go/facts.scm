; Definitions

(function_declaration name: (_) @name type_parameters: (_)? parameters: (_) @parameters result: (parameter_list . (parameter_declaration name: (_))) @type @results body: (_)? @body) @function
(function_declaration name: (_) @name parameters: (_) @parameters result: (_)? @type body: (_)? @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration name: (_)? @receiver_name type: (_) @receiver)) name: (_) @name parameters: (_) @parameters result: (parameter_list . (parameter_declaration name: (_))) @type @results body: (_)? @body) @method
(method_declaration receiver: (parameter_list (parameter_declaration name: (_)? @receiver_name type: (_) @receiver)) name: (_) @name parameters: (_) @parameters result: (_)? @type body: (_)? @body) @method
(method_elem name: (_) @name parameters: (_) @parameters result: (_)? @type) @method
(func_literal parameters: (_) @parameters result: (parameter_list . (parameter_declaration name: (_))) @type @results body: (_) @body) @lambda
(func_literal parameters: (_) @parameters result: (_)? @type body: (_) @body) @lambda

(type_declaration . (type_spec name: (_) @name type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base)*) @body)) .) @class
(type_declaration . (type_spec name: (_) @name type: (interface_type (type_elem . (_) @base .)*) @body) .) @interface
(type_declaration . (type_spec name: (_) @name type: (_) @type) .) @alias
(type_declaration . (type_alias name: (_) @name type: (_) @type) .) @alias
(type_spec name: (_) @name type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base)*) @body)) @class
(type_spec name: (_) @name type: (interface_type (type_elem . (_) @base .)*) @body) @interface
(type_spec name: (_) @name type: (_) @type) @alias
(type_alias name: (_) @name type: (_) @type) @alias

(parameter_declaration name: (_)* @name type: (_) @type) @parameter
(variadic_parameter_declaration name: (_)? @name) @parameter.rest @type
(type_parameter_declaration name: (_)* @name type: (type_constraint) @type) @type.parameter

(field_declaration name: (_)+ @name type: (_) @type) @variable
(field_declaration !name type: (type_identifier) @name @type) @variable
(field_declaration !name type: (qualified_type name: (_) @name) @type) @variable
(field_declaration !name type: (generic_type type: (type_identifier) @name) @type) @variable
(field_declaration !name type: (generic_type type: (qualified_type name: (_) @name)) @type) @variable

(package_clause (_) @name) @package

; Values

[(identifier) (type_identifier) (package_identifier) (field_identifier)] @name
(selector_expression operand: (_) @object field: (_) @name) @member
(index_expression operand: (_) @object index: (_) @key) @index
(slice_expression operand: (_) @value) @same
(type_instantiation_expression type: (_) @value) @same

(call_expression function: (identifier) @_function arguments: (argument_list . (_) @value (_)* @item) (#eq? @_function "append")) @list
(call_expression function: (identifier) @_function arguments: (argument_list . (_) @callee .) (#eq? @_function "new")) @new
(call_expression function: (identifier) @_function arguments: (argument_list . (_) @type) (#eq? @_function "make")) @cast
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(type_conversion_expression type: (generic_type type: (_) @callee) operand: (_) @argument) @call
(type_conversion_expression type: (_) @type operand: (_) @value) @cast
(type_assertion_expression operand: (_) @value type: (_) @type) @cast
(variadic_argument (_) @value) @spread

(composite_literal type: [(slice_type) (array_type) (implicit_length_array_type)] @type body: (literal_value (_)* @item)) @list
(composite_literal type: (map_type) @type body: (literal_value (_)* @item)) @map
(composite_literal type: (struct_type) body: (literal_value (_)* @item)) @map
(composite_literal type: (generic_type type: (_) @callee) body: (_) @arguments) @new
(composite_literal type: (_) @callee body: (_) @arguments) @new
(literal_value (_)* @item) @map
(literal_element (_) @value) @same
(keyed_element key: (literal_element (_) @key) value: (literal_element (_) @value)) @pair

(parenthesized_expression (_) @value) @same
(unary_expression operator: ["&" "*"] operand: (_) @value) @same
(unary_expression operator: "<-" operand: (_) @object) @index
[(unary_expression) (binary_expression)] @builtin
(expression_list . (_) @item (_) @item (_)* @item) @list
(expression_list (_) @value) @same
[(interpreted_string_literal) (raw_string_literal)] @text
(int_literal) @number
[(float_literal) (imaginary_literal) (rune_literal) (true) (false) (nil) (iota)] @builtin

; Statements

(var_spec name: (_)* @name type: (_)? @type value: (expression_list (_)* @value)?) @variable
(const_spec name: (identifier)* @name type: (_)? @type value: (expression_list (_)* @value)?) @variable
(short_var_declaration left: (expression_list . (_) @target . (_) @item .) right: (expression_list . [(index_expression) (type_assertion_expression) (unary_expression)] @value .)) @variable
(short_var_declaration left: (expression_list (_)* @target) right: (expression_list (_)* @value)) @variable
(assignment_statement left: (expression_list . (_) @target . (_) .) operator: "=" right: (expression_list . [(index_expression) (type_assertion_expression) (unary_expression)] @value .)) @assign
(assignment_statement left: (expression_list (_)* @target) operator: "=" right: (expression_list (_)* @value)) @assign
(receive_statement left: (expression_list . (_) @target (_)? @item) ":=" right: (_) @value) @variable
(receive_statement left: (expression_list . (_) @target (_)?) "=" right: (_) @value) @assign
(return_statement (_) @value) @return

[(block) (if_statement) (communication_case)] @block
(for_statement (range_clause left: (expression_list (_)* @target)? ":=" right: (_) @iterable) body: (_) @body) @for
(for_statement (range_clause left: (expression_list (_)* @target)? "=" right: (_) @iterable) body: (_) @body) @for.assign
(for_statement (range_clause right: (_) @iterable) body: (_) @body) @for
(for_statement) @block
(type_switch_statement alias: (expression_list (_) @target)? value: (_) @value [(type_case) (default_case)]* @item) @switch
(expression_switch_statement value: (_)? @value [(expression_case) (default_case)]* @item) @switch
(select_statement [(communication_case) (default_case)]* @item) @switch
(expression_case (statement_list)? @body) @case
(type_case type: (_)* @type (statement_list)? @body) @case
(default_case (statement_list)? @body) @case

; Modules

(import_spec name: (dot) @wildcard path: (_) @module) @import
(import_spec name: (blank_identifier) @alias path: (_) @module) @import
(import_spec name: (package_identifier)? @alias path: (_) @module) @import

; Types

((type_identifier) @type.builtin @_name (#any-of? @_name "bool" "byte" "complex64" "complex128" "float32" "float64" "int" "int8" "int16" "int32" "int64" "rune" "string" "uint" "uint8" "uint16" "uint32" "uint64" "uintptr"))
(qualified_type package: (_) @object name: (_) @name) @member
[(struct_type) (interface_type) (function_type) (negated_type)] @skip
(type_elem) @skip
(type_elem (_) @value (_) @value (_)* @value) @type.union
(type_elem (_) @value) @type.same
(type_constraint (_) @value (_) @value (_)* @value) @type.union
(type_constraint (_) @value) @type.same
(pointer_type (_) @value) @type.same
(parenthesized_type (_) @value) @type.same
(generic_type type: (_) @value type_arguments: (type_arguments (_)* @argument)) @type.generic
(variadic_parameter_declaration type: (_) @argument) @type.list
(slice_type element: (_) @argument) @type.list
(array_type element: (_) @argument) @type.list
(implicit_length_array_type element: (_) @argument) @type.list
(map_type key: (_) @argument value: (_) @argument) @type.list
(channel_type value: (_) @argument) @type.list
(parameter_list . (parameter_declaration type: (_) @value) .) @type.same
(parameter_list (parameter_declaration type: (_) @item)*) @type.tuple
