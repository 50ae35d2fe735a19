; Definitions

(function_declaration ["pub" "export" "extern" "inline" "noinline"]* @modifier name: (_) @name (parameters) @parameters type: (_) @type body: (_)? @body) @function
(variable_declaration "pub"? @modifier . (identifier) @name "=" . (struct_declaration) @body) @class
(variable_declaration "pub"? @modifier . (identifier) @name "=" . (union_declaration) @body) @class
(variable_declaration "pub"? @modifier . (identifier) @name "=" . (opaque_declaration) @body) @class
(variable_declaration "pub"? @modifier . (identifier) @name "=" . (enum_declaration) @body) @enum
[(struct_declaration) (union_declaration)] @class.value
(test_declaration (string) @name (block) @body) @function

(parameter name: (_) @name type: (_)? @type) @parameter
(parameter type: (_) @type) @parameter

; Values

(identifier) @name
(field_expression object: (_) @object member: (_) @name) @member
(field_expression !object) @builtin
(index_expression object: (_) @object index: (_) @key) @index
(call_expression . (_) @callee (_)* @argument) @call
(builtin_function (builtin_identifier) @_name (arguments (string) @module) (#eq? @_name "@import")) @import.call
(builtin_function (builtin_identifier) @_name (arguments . (_) @type (_) @value) (#eq? @_name "@as")) @cast
(struct_initializer . (_) @callee (initializer_list) @arguments) @new
(anonymous_struct_initializer (initializer_list (_)* @item)) @map
(try_expression (_) @value) @same
(catch_expression . (_) @value (payload (identifier) @target)? (_) @value) @choice
(comptime_expression (_) @value) @same
(parenthesized_expression (_) @value) @same
(dereference_expression (_) @value) @same
(null_coercion_expression (_) @value) @same
(unary_expression operator: "&" argument: (_) @value) @same
(binary_expression left: (_) @value operator: "orelse" right: (_) @value) @choice
[(unary_expression) (binary_expression) (range_expression)] @builtin
[(string) (multiline_string)] @text
(integer) @number
[(float) (character) (boolean)] @builtin

; Statements

(variable_declaration ["const" "var"] . (identifier) @name type: (_)? @type "=" . (_) @value) @variable
(variable_declaration ["const" "var"] . (identifier) @name type: (_)? @type) @variable
(container_field name: (_) @name type: (_)? @type) @variable
(assignment_expression left: (field_expression !object member: (_) @key) right: (_) @value) @pair
(assignment_expression left: (_) @target operator: "=" right: (_) @value) @assign
(return_expression (_) @value) @return
(for_statement . (_) @iterable (payload . (_) @target) body: (_) @body) @for
(if_statement condition: (_) @value (payload (_) @target)) @variable
(while_statement condition: (_) @value (payload (_) @target)) @variable
[(block) (if_statement) (for_statement) (while_statement)] @block
[(payload) (block_label) (break_label) (builtin_identifier)] @skip

; Types

(builtin_type) @type.builtin
(pointer_type (_) @value) @type.same
(nullable_type (_) @value) @type.same
(error_union_type ok: (_) @value) @type.same
(slice_type (_) @argument) @type.list
(array_type (_) (_) @argument) @type.list
