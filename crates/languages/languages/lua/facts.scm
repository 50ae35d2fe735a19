; Definitions

(function_declaration "local"? @modifier name: (identifier) @name parameters: (_) @parameters body: (_) @body) @function
(function_declaration "local"? @modifier name: (identifier) @name parameters: (_) @parameters "end" @body) @function
(function_declaration name: (dot_index_expression table: (_) @object field: (_) @name) parameters: (_) @parameters body: (_) @body) @function
(function_declaration name: (dot_index_expression table: (_) @object field: (_) @name) parameters: (_) @parameters "end" @body) @function
(function_declaration name: (method_index_expression table: (_) @object method: (_) @name) parameters: (_) @parameters body: (_) @body) @method
(function_declaration name: (method_index_expression table: (_) @object method: (_) @name) parameters: (_) @parameters "end" @body) @method
(function_definition parameters: (_) @parameters body: (_) @body) @lambda
(function_definition parameters: (_) @parameters "end" @body) @lambda
(vararg_expression) @skip

; Values

(identifier) @name
(dot_index_expression table: (_) @object field: (_) @name) @member
(method_index_expression table: (_) @object method: (_) @name) @member
(bracket_index_expression table: (_) @object field: (_) @key) @index
(function_call name: (identifier) @_function arguments: (arguments . (string) @module) (#eq? @_function "require")) @import.call
(function_call name: (identifier) @_function arguments: (arguments . (_) @value . (table_constructor (field name: (identifier) @_key value: (_) @value))) (#eq? @_function "setmetatable") (#eq? @_key "__index")) @choice
(function_call name: (identifier) @_function arguments: (arguments . (_) @value . (_) @value) (#eq? @_function "setmetatable")) @choice
(function_call name: (_) @callee arguments: (_) @arguments) @call
(parenthesized_expression (_) @value) @same
(binary_expression left: (_) @value operator: ["or" "and"] right: (_) @value) @choice
(string) @text
(number) @number
[(nil) (true) (false)] @builtin
(table_constructor (field)* @item) @map
(field name: (_) @key value: (_) @value) @pair
(field value: (_) @value) @same

; Statements

(variable_declaration (assignment_statement (variable_list name: (_)* @target) (expression_list value: (_)* @value))) @variable
(variable_declaration (variable_list name: (_)* @target)) @variable
(attribute) @skip
(assignment_statement (variable_list name: (_)* @target) (expression_list value: (_)* @value)) @assign
(return_statement (expression_list (_)* @value)) @return
(for_statement clause: (for_generic_clause (variable_list name: (_)* @target) (expression_list (function_call name: (identifier) @_iterate arguments: (arguments . (_) @iterable)))) body: (_)? @body (#any-of? @_iterate "ipairs" "pairs")) @for
(for_statement clause: (for_generic_clause (variable_list name: (_)* @target) (expression_list (_) @iterable)) body: (_)? @body) @for
(for_statement clause: (for_numeric_clause name: (_) @target) body: (_)? @body) @for
(block) @block
[(goto_statement) (label_statement)] @skip
