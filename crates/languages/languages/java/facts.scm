; Definitions

(class_declaration (modifiers (_)* @decorator)? @modifier name: (_) @name type_parameters: (_)? @type_parameters superclass: (superclass (_) @base)? interfaces: (super_interfaces (type_list (_)* @implements))? body: (_) @body) @class
(interface_declaration (modifiers (_)* @decorator)? @modifier name: (_) @name type_parameters: (_)? @type_parameters (extends_interfaces (type_list (_)* @base))? body: (_) @body) @interface
(enum_declaration (modifiers (_)* @decorator)? @modifier name: (_) @name interfaces: (super_interfaces (type_list (_)* @implements))? body: (_) @body) @enum
(record_declaration (modifiers (_)* @decorator)? @modifier "record" @modifier name: (_) @name type_parameters: (_)? @type_parameters parameters: (_) @parameters interfaces: (super_interfaces (type_list (_)* @implements))? body: (_) @body) @class
(annotation_type_declaration (modifiers (_)* @decorator)? @modifier name: (_) @name body: (_) @body) @interface
(annotation_type_element_declaration (modifiers (_)* @decorator)? @modifier type: (_) @type name: (_) @name value: (_)? @value) @function
(enum_constant name: (_) @name arguments: (_)? @arguments body: (_)? @body) @constant
(type_parameter (type_identifier) @name (type_bound (_)* @type)?) @type.parameter

(method_declaration (modifiers (_)* @decorator)? @modifier type: (_) @type name: (_) @name parameters: (_) @parameters body: (_)? @body) @function
(constructor_declaration (modifiers (_)* @decorator)? @modifier name: (_) @name parameters: (_) @parameters body: (_) @body) @function
(compact_constructor_declaration (modifiers (_)* @decorator)? @modifier name: (_) @name body: (_) @body) @function
(static_initializer (block) @value) @same
(lambda_expression parameters: (_) @parameters body: (block) @body) @lambda
(lambda_expression parameters: (_) @parameters body: (_) @value) @lambda

(formal_parameter (modifiers)? type: (_) @type name: (_) @name) @parameter
(spread_parameter (_) @type (variable_declarator name: (_) @name)) @parameter.rest
(receiver_parameter) @skip

(field_declaration (modifiers)? @modifier type: (_) @type declarator: (_)* @item) @variable
(constant_declaration (modifiers)? @modifier type: (_) @type declarator: (_)* @item) @variable
(local_variable_declaration type: (type_identifier) @_type declarator: (_)* @item (#eq? @_type "var")) @variable
(local_variable_declaration type: (_) @type declarator: (_)* @item) @variable
(variable_declarator name: (_) @name value: (_)? @value) @variable
(modifiers) @skip

; Values

[(identifier) (type_identifier)] @name
(underscore_pattern) @skip
(this) @self
(super) @super
(field_access object: (_) @type field: (this)) @cast
(field_access object: (_) @object field: (_) @name) @member
(scoped_identifier scope: (_) @object name: (_) @name) @member
(scoped_type_identifier . (_) @object (type_identifier) @name) @member
(array_access array: (_) @object index: (_) @key) @index
(method_invocation object: (_)? @object name: (_) @name arguments: (_) @arguments) @call
(explicit_constructor_invocation constructor: (_) @callee arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_) @arguments (class_body)? @body) @new
(array_creation_expression type: (_) value: (array_initializer (_)* @item)) @list
(array_creation_expression type: (_) @argument) @list
(array_initializer (_)* @item) @list
(element_value_array_initializer (_)* @item) @list
(method_reference . (_) @value "new" .) @same
(method_reference . (_) @object (identifier) @name .) @member
(cast_expression type: (_) @type value: (_) @value) @cast
(class_literal (_) @value) @same
(parenthesized_expression (_) @value) @same
(ternary_expression condition: (_) @key consequence: (_) @value alternative: (_) @value) @choice
(assignment_expression left: (_) @target operator: "=" right: (_) @value) @assign
(assignment_expression right: (_) @value) @same
(instanceof_expression left: (_) @value right: (_) @type name: (identifier) @target) @catch
(string_literal) @text
(decimal_integer_literal) @number
[(hex_integer_literal) (octal_integer_literal) (binary_integer_literal) (decimal_floating_point_literal) (hex_floating_point_literal) (character_literal) (true) (false) (null_literal)] @builtin
(binary_expression operator: ["+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @builtin

(switch_expression condition: (_) @key body: (switch_block (_)* @value)) @choice
(switch_rule (expression_statement (_) @value)) @same
(switch_rule (block) @value) @same
(yield_statement (_) @value) @same
(type_pattern . (_) @type (identifier) @target) @catch
(record_pattern_component . (type_identifier) @_type (identifier) @target (#eq? @_type "var")) @catch
(record_pattern_component . (_) @type (identifier) @target) @catch
(labeled_statement . (identifier) (_) @value) @same
[(break_statement) (continue_statement)] @skip

; Statements

[(block) (constructor_body) (for_statement) (switch_block_statement_group) (try_with_resources_statement)] @block
(return_statement (_) @value) @return
(enhanced_for_statement type: (type_identifier) @_type name: (_) @target value: (_) @iterable body: (_) @body (#eq? @_type "var")) @for
(enhanced_for_statement type: (_) @type name: (_) @target value: (_) @iterable body: (_) @body) @for
(catch_clause (catch_formal_parameter (catch_type) @type name: (_) @target) body: (_) @body) @catch
(catch_type (_)* @value) @type.union
(resource type: (type_identifier) @_type name: (_) @name value: (_) @value (#eq? @_type "var")) @variable
(resource type: (_) @type name: (_) @name value: (_) @value) @variable

; Modules

(package_declaration [(identifier) (scoped_identifier)] @name) @package
(import_declaration [(identifier) (scoped_identifier)] @module (asterisk) @wildcard) @import
(import_declaration [(identifier) (scoped_identifier)] @module) @import
(module_declaration) @skip

; Types

(generic_type . (_) @value (type_arguments (_)* @argument)) @type.generic
(array_type element: (_) @argument) @type.list
(annotated_type [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)] @value) @type.same
(wildcard (_) @value) @type.same
[(integral_type) (floating_point_type) (boolean_type) (void_type) (wildcard)] @type.builtin
