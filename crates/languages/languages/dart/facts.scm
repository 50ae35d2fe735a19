; Definitions

(class_declaration (annotation)* @decorator ["abstract" "sealed" "base" "final" "interface" "mixin"]* @modifier name: (_) @name superclass: (superclass (mixins (type)* @base)? type: (_)? @base)? interfaces: (interfaces (type)* @implements)? body: (_) @body) @class
(mixin_declaration (annotation)* @decorator name: (_) @name (type)* @base interfaces: (interfaces (type)* @implements)? body: (_) @body) @interface
(extension_declaration name: (_)? @_name class: (_) @receiver body: (_) @body) @extension
(extension_type_declaration name: (_) @name body: (_) @body) @class
(enum_declaration (annotation)* @decorator name: (_) @name body: (_) @body) @enum
(enum_entry name: (_) @name (arguments)? @arguments) @constant
(type_alias (type_identifier) @name (type) @type) @alias

(method_declaration (annotation)* @decorator signature: (method_signature "static"? @modifier (function_signature return_type: (_)? @type name: (_) @name parameters: (_) @parameters)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature "static"? @modifier (getter_signature return_type: (_)? @type "get" @modifier name: (_) @name)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature "static"? @modifier (setter_signature "set" @modifier name: (_) @name parameters: (_) @parameters)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature (operator_signature return_type: (_)? @type operator: (_) @name parameters: (_) @parameters)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature (operator_signature return_type: (_)? @type operator: ["[]" "[]=" "~"] @name parameters: (_) @parameters)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature (constructor_signature (identifier) @type "." @modifier (identifier) @name parameters: (_) @parameters)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature (constructor_signature (identifier) @name parameters: (_) @parameters)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature (factory_constructor_signature "factory" @modifier (identifier) @type "." @modifier (identifier) @name parameters: (_) @parameters)) body: (_) @body) @function
(method_declaration (annotation)* @decorator signature: (method_signature (factory_constructor_signature "factory" @modifier (identifier) @type @name parameters: (_) @parameters)) body: (_) @body) @function
(declaration (external)? @modifier "static"? @modifier (function_signature return_type: (_)? @type name: (_) @name parameters: (_) @parameters)) @function
(declaration (external)? @modifier "static"? @modifier (getter_signature return_type: (_)? @type "get" @modifier name: (_) @name)) @function
(declaration (external)? @modifier "static"? @modifier (setter_signature "set" @modifier name: (_) @name parameters: (_) @parameters)) @function
(declaration (operator_signature return_type: (_)? @type operator: (_) @name parameters: (_) @parameters)) @function
(declaration (operator_signature return_type: (_)? @type operator: ["[]" "[]=" "~"] @name parameters: (_) @parameters)) @function
(declaration (constructor_signature (identifier) @type "." @modifier (identifier) @name parameters: (_) @parameters)) @function
(declaration (constructor_signature (identifier) @name parameters: (_) @parameters)) @function
(declaration (constant_constructor_signature "const" @modifier (identifier) @type "." @modifier (identifier) @name parameters: (_) @parameters)) @function
(declaration (constant_constructor_signature "const" @modifier (identifier) @name parameters: (_) @parameters)) @function
(declaration (factory_constructor_signature "factory" @modifier (identifier) @type "." @modifier (identifier) @name parameters: (_) @parameters)) @function
(declaration (factory_constructor_signature "factory" @modifier (identifier) @type @name parameters: (_) @parameters)) @function
(function_declaration (annotation)* @decorator signature: (function_signature return_type: (_)? @type name: (_) @name parameters: (_) @parameters) body: (_) @body) @function
(getter_declaration (annotation)* @decorator signature: (getter_signature return_type: (_)? @type "get" @modifier name: (_) @name) body: (_) @body) @function
(setter_declaration (annotation)* @decorator signature: (setter_signature "set" @modifier name: (_) @name parameters: (_) @parameters) body: (_) @body) @function
(local_function_declaration (function_signature return_type: (_)? @type name: (_) @name parameters: (_) @parameters) (function_body) @body) @function
(function_expression parameters: (formal_parameter_list) @parameters body: (_) @body) @lambda
(formal_parameter (field_formal_parameter "this" @modifier name: (_) @name)) @parameter
(formal_parameter (super_formal_parameter name: (_) @name)) @parameter
(formal_parameter (type) @type name: (_) @name) @parameter
(formal_parameter name: (_) @name) @parameter
(formal_parameter (identifier) @name) @parameter
(type_parameter name: (_) @name bound: (_)? @type) @type.parameter

(declaration ["static" "final" "const" "late"]* @modifier (type)? @type (_ [(initialized_identifier) (static_final_declaration)]+ @item)) @variable
(top_level_variable_declaration (type)? @type (_ [(initialized_identifier) (static_final_declaration)]+ @item)) @variable
(initialized_identifier name: (_) @name value: (_)? @value) @variable
(static_final_declaration name: (_) @name value: (_)? @value) @variable
(initialized_variable_declaration (type)? @type name: (_) @name value: (_)? @value) @variable
[(annotation) (type_arguments)] @skip
(member_declaration (annotation)+ @decorator (declaration) @value) @decorated

; Values

[(identifier) (type_identifier)] @name
"this" @self
"super" @super
(member_expression object: _ @object property: (_) @name) @member
(null_aware_member_expression object: _ @object property: (_) @name) @member
(assignable_expression object: _ @object property: (_) @name) @member
(assignable_expression object: _ @object index: (_) @key) @index
(assignable_expression . (identifier) @value) @same
(index_expression object: _ @object index: (_) @key) @index
(null_aware_index_expression object: _ @object index: (_) @key) @index
(call_expression function: (instantiation_expression . (_) @callee) arguments: (_) @arguments) @call
(call_expression function: _ @callee arguments: (_) @arguments) @call
(new_expression type: (type . (type_identifier) @object . (type_identifier) @name) arguments: (_) @arguments) @call
(new_expression type: (_) @callee arguments: (_) @arguments) @new
(const_object_expression type: (type . (type_identifier) @object . (type_identifier) @name) arguments: (_) @arguments) @call
(const_object_expression type: (_) @callee arguments: (_) @arguments) @new
(initializer_list_entry "super" @object (identifier) @name (arguments) @arguments) @call
(initializer_list_entry "super" @callee (arguments) @arguments) @call
(redirection "this" @object (identifier) @name (arguments) @arguments) @call
(named_argument (label (identifier) @name) (_) @value) @argument.named
; Of a cascade only the first call has its object.
(cascade . (_) @object @value (cascade_section (cascade_call_expression property: (_) @name arguments: (_) @arguments))) @call
(cascade . (_) @value) @same
(cascade_call_expression property: (_) @_property) @same
(cascade_member_expression property: (_) @_property) @same
(parenthesized_expression (_) @value) @same
(null_assertion_expression value: (_) @value) @same
(unary_expression (await_expression (_) @value)) @await
(await_expression (_) @value) @await
(type_cast_expression . (_) @value (type_cast (type) @type)) @cast
(type_test (type) @type) @catch
(conditional_expression . (_) @key consequence: (_) @value alternative: (_) @value) @choice
(if_null_expression (_) @value (_) @value) @choice
(list_literal (_)* @item) @list
(set_or_map_literal (_)* @item) @map
(map_element . (_) @key (_) @value) @pair
(spread_element value: (_) @value) @spread
(string_literal) @text
(decimal_integer_literal) @number
[(decimal_floating_point_literal) (hex_integer_literal) (true) (false) (null_literal) (symbol_literal)] @builtin

; Statements

(assignment_expression left: (_) @target operator: "=" right: (_) @value) @assign
(assignment_expression left: (_) @target right: (_) @value) @update
(return_statement (_) @value) @return
(yield_statement (_) @value) @yield
(for_statement name: (_) @target value: (_) @iterable body: (_) @body) @for
(try_statement type: (_) @type (catch_clause exception: (_) @target stack_trace: (_)? @target)) @catch
(catch_clause exception: (_) @target stack_trace: (_)? @target) @catch
(field_initializer value: (_) @value) @same
[(function_body) (function_expression_body) (block) (for_statement) (switch_statement_case)] @block
(import_specification uri: (_) @module alias: (_)? @module_name) @import
(library_export "export" @wildcard uri: (_) @module) @export
(part_directive uri: (_) @module) @import
[(library_name) (part_of_directive)] @skip

; Types

(type . (type_identifier) @value (type_arguments (_)* @argument)) @type.generic
(type . (type_identifier) @object . (type_identifier) @name) @member
(type (type_identifier) @value) @type.same
(type) @type.builtin
