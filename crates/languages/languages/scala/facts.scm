; Definitions

(class_definition (annotation)* @decorator (modifiers)? @modifier "case"? @modifier name: (_) @name type_parameters: (_)? @type_parameters class_parameters: (_)* @parameters extend: (extends_clause type: (_)* @base arguments: (_)* @arguments)? body: (_)? @body) @class
(object_definition (annotation)* @decorator (modifiers)? @modifier "case"? @modifier "object" @modifier name: (_) @name extend: (extends_clause type: (_)* @base arguments: (_)* @arguments)? body: (_)? @body) @class
(trait_definition (annotation)* @decorator (modifiers)? @modifier name: (_) @name type_parameters: (_)? @type_parameters class_parameters: (_)* @parameters extend: (extends_clause type: (_)* @base arguments: (_)* @arguments)? body: (_)? @body) @interface
(enum_definition (annotation)* @decorator (modifiers)? @modifier name: (_) @name type_parameters: (_)? @type_parameters class_parameters: (_)* @parameters extend: (extends_clause type: (_)* @base arguments: (_)* @arguments)? body: (_)? @body) @enum
(simple_enum_case name: (_) @name extend: (extends_clause type: (_) arguments: (_)? @arguments)?) @constant
(full_enum_case name: (_) @name class_parameters: (_)* @parameters extend: (extends_clause type: (_)* @base arguments: (_)* @arguments)?) @class
(package_object name: (_) @name body: (_)? @body) @namespace
(type_definition (annotation)* @decorator (modifiers)? @modifier name: (_) @name type: (_)? @type) @alias
(type_parameters name: (identifier) @name bound: (upper_bound type: (_) @type)?) @type.parameter
(extension_definition parameters: (parameters (parameter name: (_) type: (_) @receiver))) @extension
(self_type) @skip

(function_definition (annotation)* @decorator (modifiers)? @modifier "def" @modifier name: (_) @name !parameters return_type: (_)? @type body: (_) @value) @function
(function_definition (annotation)* @decorator (modifiers)? @modifier name: (_) @name parameters: (parameters)* @parameters return_type: (_)? @type body: (_) @value) @function
(function_declaration (annotation)* @decorator (modifiers)? @modifier "def" @modifier name: (_) @name !parameters return_type: (_)? @type) @function
(function_declaration (annotation)* @decorator (modifiers)? @modifier name: (_) @name parameters: (parameters)* @parameters return_type: (_)? @type) @function
(lambda_expression parameters: (_) @parameters) @lambda
(case_block) @lambda

(parameter (annotation)* name: (_) @name type: (_)? @type default_value: (_)? @default) @parameter
(class_parameter (annotation)* (modifiers)? @modifier ["val" "var"]? @modifier name: (_) @name type: (_)? @type default_value: (_)? @default) @parameter
(binding name: (_) @name type: (_)? @type) @parameter

(val_definition (annotation)* (modifiers)? @modifier pattern: (_) @target type: (_)? @type value: (_) @value) @variable
(var_definition (annotation)* (modifiers)? @modifier pattern: (_) @target type: (_)? @type value: (_) @value) @variable
(val_declaration (modifiers)? @modifier name: (_)* @name type: (_) @type) @variable
(var_declaration (modifiers)? @modifier name: (_)* @name type: (_) @type) @variable
(given_definition name: (_)? @name return_type: (_) @type body: (_)? @value) @variable
[(modifiers) (access_modifier) (annotation) (end_marker)] @skip

; Values

((identifier) @super @_name (#eq? @_name "super"))
[(identifier) (type_identifier) (operator_identifier)] @name
(wildcard) @skip
(generic_function function: (field_expression value: (_) @value field: (_) @_name) type_arguments: (type_arguments (_) @type) (#eq? @_name "asInstanceOf")) @cast
(generic_function function: (field_expression value: (_) @target field: (_) @_name) type_arguments: (type_arguments (_) @type) (#eq? @_name "isInstanceOf")) @cast
(generic_function function: (_) @value) @same
(field_expression value: (_) @object field: (_) @name) @member
(stable_identifier . (_) @object (_) @name) @member
(stable_type_identifier . (_) @object (type_identifier) @name) @member
(call_expression function: (identifier) @callee arguments: (_) @arguments (#eq? @callee "this")) @call
(call_expression function: (call_expression function: (identifier) @name arguments: (arguments) @arguments) arguments: (arguments) @arguments) @call
(call_expression function: (call_expression function: (identifier) @name arguments: (arguments) @arguments) arguments: (_) @argument) @call
(call_expression function: (call_expression function: (field_expression value: (_) @object field: (_) @name) arguments: (arguments) @arguments) arguments: (arguments) @arguments) @call
(call_expression function: (call_expression function: (field_expression value: (_) @object field: (_) @name) arguments: (arguments) @arguments) arguments: (_) @argument) @call
(call_expression function: (call_expression function: (generic_function function: (identifier) @name) arguments: (arguments) @arguments) arguments: (arguments) @arguments) @call
(call_expression function: (call_expression function: (generic_function function: (identifier) @name) arguments: (arguments) @arguments) arguments: (_) @argument) @call
(call_expression function: (call_expression function: (generic_function function: (field_expression value: (_) @object field: (_) @name)) arguments: (arguments) @arguments) arguments: (arguments) @arguments) @call
(call_expression function: (call_expression function: (generic_function function: (field_expression value: (_) @object field: (_) @name)) arguments: (arguments) @arguments) arguments: (_) @argument) @call
(call_expression function: (identifier) @name arguments: (arguments) @arguments) @call
(call_expression function: (identifier) @name arguments: (_) @argument) @call
(call_expression function: (field_expression value: (_) @object field: (_) @name) arguments: (arguments) @arguments) @call
(call_expression function: (field_expression value: (_) @object field: (_) @name) arguments: (_) @argument) @call
(call_expression function: (generic_function function: (identifier) @name) arguments: (arguments) @arguments) @call
(call_expression function: (generic_function function: (identifier) @name) arguments: (_) @argument) @call
(call_expression function: (generic_function function: (field_expression value: (_) @object field: (_) @name)) arguments: (arguments) @arguments) @call
(call_expression function: (generic_function function: (field_expression value: (_) @object field: (_) @name)) arguments: (_) @argument) @call
(call_expression function: (_) @callee arguments: (arguments) @arguments) @call
(call_expression function: (_) @callee arguments: (_) @argument) @call
(infix_expression left: (_) @object operator: (_) @name right: (_) @argument) @call
(instance_expression [(type_identifier) (generic_type) (stable_type_identifier) (projected_type)] @callee arguments: (_)* @arguments (template_body)? @body) @new
(instance_expression (compound_type base: (_) @callee extra: (_)* @base) arguments: (_)* @arguments (template_body)? @body) @new
(instance_expression (template_body) @body) @class.value
(applied_constructor_type . (_) @callee (arguments) @arguments) @new
(vararg (_) @value) @spread

(parenthesized_expression (_) @value) @same
(ascription_expression . (_) @value type: (_) @type) @cast
(method_value . (_) @value) @same
(tuple_expression (_)* @item) @list
(tuple_pattern (_)* @item) @list
(identifiers (_)* @item) @list
(assignment_expression left: (_) @target right: (_) @value) @assign
(if_expression condition: (_) @key consequence: (_) @value alternative: (_)? @value) @choice
(try_expression body: (_) @value (catch_clause)? @value) @choice
(catch_clause (case_block (case_clause)* @item)) @switch
(catch_clause (indented_cases (case_clause)* @item)) @switch
(match_expression value: (identifier) @value @target body: (_ (case_clause)* @item)) @switch
(match_expression value: (_) @value body: (_ (case_clause)* @item)) @switch
(case_clause pattern: (typed_pattern pattern: (identifier) @target type: (_) @type) body: (_)* @value) @case
(case_clause pattern: (identifier) @target body: (_)* @value) @case
(case_clause body: (_)* @value) @case
(typed_pattern pattern: (identifier) @target type: (_) @type) @catch
(capture_pattern name: (identifier) @target pattern: (case_class_pattern type: (_) @type)) @catch
(case_class_pattern pattern: (identifier)* @target) @catch
[(string) (interpolated_string_expression)] @text
(integer_literal) @number
[(floating_point_literal) (character_literal) (boolean_literal) (null_literal) (unit)] @builtin
(type_arguments) @skip

; Statements

[(block) (indented_block) (for_expression)] @block
(return_expression (_) @value) @return
(enumerator . (_) @target "<-" (_) @iterable) @for
(enumerator . (_) @target "=" (_) @value) @variable

; Modules

(package_clause name: (_) @name body: (_) @body) @namespace
(package_clause name: (_) @name) @package
(import_declaration path: (identifier)* @module (namespace_wildcard) @wildcard) @import
(import_declaration path: (identifier)* @module (namespace_selectors (_)* @symbol)) @import
(import_declaration path: (identifier)* @module (as_renamed_identifier) @symbol) @import
(import_declaration path: (identifier)* @module) @import
(arrow_renamed_identifier name: (_) @name alias: (_) @alias) @import.name
(as_renamed_identifier name: (_) @name alias: (_) @alias) @import.name
(namespace_wildcard) @import.wildcard

; Types

(generic_type type: (_) @value type_arguments: (type_arguments (_)* @argument)) @type.generic
(compound_type base: (_) @value extra: (_)* @value) @type.union
(annotated_type . (_) @value) @type.same
(lazy_parameter_type type: (_) @value) @type.same
(repeated_parameter_type type: (_) @argument) @type.list
(singleton_type (_) @value) @type.same
(projected_type type: (_) @object selector: (_) @name) @member
(applied_constructor_type . (_) @value) @type.same
(tuple_type (_)* @item) @type.tuple
[(function_type) (infix_type) (literal_type) (match_type) (existential_type) (structural_type) (wildcard)] @type.builtin
