; Definitions

(class_declaration attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? [(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier) (var_modifier)]* @modifier name: (_) @name (base_clause (_) @base)? (class_interface_clause (_)* @implements)? body: (_) @body) @class
(interface_declaration attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? name: (_) @name (base_clause (_)* @base)? body: (_) @body) @interface
(trait_declaration attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? "trait" @modifier name: (_) @name body: (_) @body) @class
(enum_declaration attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? name: (_) @name (class_interface_clause (_)* @implements)? body: (_) @body) @enum
(enum_case name: (_) @name) @constant
(use_declaration [(name) (qualified_name) (relative_name)]* @base) @inherit
(use_list) @skip

(function_definition attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? name: (_) @name parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @function
(method_declaration attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? [(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier) (var_modifier)]* @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type body: (_)? @body) @function
(anonymous_function attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? static_modifier: (_)? @modifier parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @lambda
(arrow_function attributes: (attribute_list (attribute_group (attribute)* @decorator)*)? static_modifier: (_)? @modifier parameters: (_) @parameters return_type: (_)? @type body: (_) @value) @lambda

(simple_parameter type: (_)? @type name: (_) @name default_value: (_)? @default) @parameter
(variadic_parameter type: (_)? @type name: (_) @name) @parameter.rest
(property_promotion_parameter visibility: (_)* @modifier readonly: (_)? @modifier type: (_)? @type name: (by_ref (variable_name (name) @key) @name) default_value: (_)? @default) @parameter
(property_promotion_parameter visibility: (_)* @modifier readonly: (_)? @modifier type: (_)? @type name: (variable_name (name) @key) @name default_value: (_)? @default) @parameter

(property_declaration [(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier) (var_modifier)]* @modifier type: (_)? @type (property_element name: (variable_name (name) @name) default_value: (_)? @value) (property_hook_list (property_hook)* @accessor)) @property
(property_declaration [(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier) (var_modifier)]* @modifier type: (_)? @type (property_element)* @item) @variable
(property_element name: (variable_name (name) @name) default_value: (_)? @value) @variable
(property_hook (name) @modifier parameters: (_)? @parameters body: (compound_statement) @body) @function
(property_hook (name) @modifier parameters: (_)? @parameters body: (_) @value) @function
(const_element . (name) @name (_) @value) @variable
(static_variable_declaration name: (_) @target value: (_)? @value) @variable
[(attribute_list) (reference_modifier) (visibility_modifier)] @skip

; Values

[(name) (variable_name)] @name
(relative_scope "parent") @super
(relative_scope) @name
(qualified_name prefix: (namespace_name (name)* @name)? (name) @name .) @member
(relative_name prefix: (namespace_name (name)* @name)? (name) @name .) @member
(member_access_expression object: (_) @object name: (name) @name) @member
(nullsafe_member_access_expression object: (_) @object name: (name) @name) @member
(scoped_property_access_expression scope: (_) @object name: (variable_name (name) @name)) @member
(class_constant_access_expression . (_) @value (name) @_name (#eq? @_name "class")) @same
(class_constant_access_expression . (_) @object (name) @name .) @member
(subscript_expression . (_) @object (_)? @key) @index

(member_call_expression object: (_) @object name: (name) @name arguments: (arguments (variadic_placeholder))) @reference
(scoped_call_expression scope: (_) @object name: (name) @name arguments: (arguments (variadic_placeholder))) @reference
(function_call_expression function: (name) @name arguments: (arguments (variadic_placeholder))) @reference
(function_call_expression function: (_) @value arguments: (arguments (variadic_placeholder))) @same
(array_creation_expression . (array_element_initializer . (variable_name) @object .) . (array_element_initializer . (string (string_content) @name) .) .) @reference
(array_creation_expression . (array_element_initializer . (class_constant_access_expression . (_) @object (name) @_name) .) . (array_element_initializer . (string (string_content) @name) .) . (#eq? @_name "class")) @reference
(member_call_expression object: (_) @object name: (name) @name arguments: (_) @arguments) @call
(nullsafe_member_call_expression object: (_) @object name: (name) @name arguments: (_) @arguments) @call
(scoped_call_expression scope: (_) @object name: (name) @name arguments: (_) @arguments) @call
(function_call_expression function: (name) @name arguments: (_) @arguments) @call
(function_call_expression function: (_) @callee arguments: (_) @arguments) @call
(object_creation_expression (anonymous_class (arguments)? @arguments (base_clause (_) @callee)? (class_interface_clause (_)* @implements)? body: (_) @body)) @new
(object_creation_expression . (_) @callee (arguments)? @arguments) @new
(argument name: (_) @name ":" (_) @value) @argument.named
(argument (variadic_unpacking (_) @value)) @spread
(argument (_) @value) @same

(array_creation_expression (array_element_initializer)* @item) @list
(array_element_initializer . (_) @key "=>" (_) @value) @pair
(array_element_initializer (variadic_unpacking (_) @value)) @spread
(array_element_initializer (_) @value) @same
(list_literal (_)* @item) @list
(by_ref (_) @value) @same
(clone_expression (_) @value) @same
(parenthesized_expression (_) @value) @same
(error_suppression_expression (_) @value) @same
(cast_expression value: (_) @value) @same
(conditional_expression condition: (_) @key body: (_) @value alternative: (_) @value) @choice
(conditional_expression condition: (_) @value alternative: (_) @value) @choice
(binary_expression left: (_) @target operator: "instanceof" right: (_) @type) @cast
(binary_expression left: (_) @value operator: "??" right: (_) @value) @choice
(binary_expression) @builtin
(match_expression condition: (_) @key body: (match_block (_)* @value)) @choice
(match_conditional_expression return_expression: (_) @value) @same
(match_default_expression return_expression: (_) @value) @same
(assignment_expression left: (_) @target right: (_) @value) @assign
(reference_assignment_expression left: (_) @target right: (_) @value) @assign
(augmented_assignment_expression left: (_) @target operator: "??=" right: (_) @value) @assign
(augmented_assignment_expression left: (_) @target right: (_) @value) @update
[(string) (encapsed_string) (heredoc) (nowdoc)] @text
(integer) @number
[(float) (boolean) (null)] @builtin

; Statements

(return_statement (_) @value) @return
(yield_expression "yield from" (_) @iterable) @yield
(yield_expression (array_element_initializer (_) "=>" (_) @value)) @yield
(yield_expression (_) @value) @yield
(foreach_statement . (_) @iterable (pair . (_) (by_ref (_) @target)) body: (_)? @body) @for
(foreach_statement . (_) @iterable (pair . (_) (_) @target) body: (_)? @body) @for
(foreach_statement . (_) @iterable "as" (_) @target body: (_)? @body) @for
(catch_clause type: (_) @type name: (_)? @target body: (_) @body) @catch
(global_declaration (variable_name)* @name) @outer
[(declare_statement) (goto_statement) (named_label_statement) (text) (text_interpolation)] @skip

; Modules

(namespace_definition name: (_)? @name body: (_) @body) @namespace
(namespace_definition name: (_) @name) @package
(namespace_use_declaration (namespace_name) @module body: (namespace_use_group (namespace_use_clause)* @symbol)) @import
(namespace_use_declaration (namespace_use_clause)* @item) @import
(namespace_use_clause [(name) (qualified_name)] @name alias: (_)? @alias) @import.name

; Types

(named_type (_) @value) @type.same
(optional_type (_) @value) @type.same
(union_type (_)* @value) @type.union
(intersection_type (_)* @value) @type.union
(disjunctive_normal_form_type (_)* @value) @type.union
(type_list (_)* @value) @type.union
[(primitive_type) (bottom_type)] @type.builtin
