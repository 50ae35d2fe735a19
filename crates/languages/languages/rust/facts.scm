; Definitions

(function_item (visibility_modifier)? @modifier (function_modifiers)? @modifier name: (_) @name parameters: (parameters (self_parameter (self) @modifier)?) @parameters return_type: (_)? @type body: (_) @body) @function
(function_signature_item (visibility_modifier)? @modifier (function_modifiers)? @modifier name: (_) @name parameters: (parameters (self_parameter (self) @modifier)?) @parameters return_type: (_)? @type) @function
(closure_expression parameters: (_) @parameters return_type: (_)? @type body: (_) @value) @lambda
(macro_definition name: (_) @name (macro_rule left: (_) right: (_) @body)*) @function

(struct_item (visibility_modifier)? @modifier name: (_) @name body: (ordered_field_declaration_list type: (_)* @item)) @class
(struct_item (visibility_modifier)? @modifier name: (_) @name body: (_)? @body) @class
(union_item (visibility_modifier)? @modifier name: (_) @name body: (_) @body) @class
(enum_item (visibility_modifier)? @modifier name: (_) @name body: (_) @body) @enum
(enum_variant name: (_) @name body: (ordered_field_declaration_list type: (_)* @item)) @variant
(enum_variant name: (_) @name body: (_)? @body) @variant
(trait_item (visibility_modifier)? @modifier name: (_) @name bounds: (trait_bounds (_)* @base)? body: (_) @body) @interface
(type_item (visibility_modifier)? @modifier name: (_) @name type: (_) @type) @alias
(associated_type name: (_) @name bounds: (_)? @type) @alias
(impl_item trait: (_)? @implements type: (_) @receiver body: (_)? @body) @extension
(attribute_item (attribute) @value) @decorator
[(attribute) (inner_attribute_item)] @skip

(parameter pattern: (self)) @skip
(parameter pattern: (_) @target type: (_) @type) @parameter
(parameter type: (_) @type) @parameter
(self_parameter) @skip
(variadic_parameter) @parameter.rest
(type_parameter name: (_) @name bounds: (_)? @type) @type.parameter
(where_predicate left: (type_identifier) @name bounds: (_) @type) @type.parameter

(field_declaration name: (_) @name type: (_) @type) @variable
(const_item name: (_) @name type: (_) @type value: (_)? @value) @variable
(static_item name: (_) @name type: (_) @type value: (_)? @value) @variable
(const_parameter name: (_) @name type: (_) @type value: (_)? @value) @variable

; Values

[(identifier) (type_identifier) (field_identifier) (shorthand_field_identifier) (crate) (super) (metavariable)] @name
(self) @self
(scoped_identifier path: (self) name: (_) @name) @member
(scoped_identifier path: (_)? @object name: (_) @name) @member
(scoped_type_identifier path: (self) name: (_) @name) @member
(scoped_type_identifier path: (_)? @object name: (_) @name) @member
(generic_type type: (_) @value) @same
(generic_type_with_turbofish type: (_) @value) @same
(bracketed_type (_) @value) @same
(qualified_type type: (_) @value alias: (_) @value) @choice
(field_expression value: (_) @object field: (_) @name) @member
(index_expression . (_) @object (_) @key) @index

(call_expression function: (scoped_identifier path: (_) @_type name: (_) @_new) arguments: (arguments . (_) @value .) (#any-of? @_type "Box" "Rc" "Arc" "Pin") (#any-of? @_new "new" "clone" "pin" "from")) @same
(call_expression function: (generic_function function: (_) @callee) arguments: (_) @arguments) @call
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(generic_function function: (_) @value) @same
(macro_invocation macro: (_) @_macro (token_tree) @item (#any-of? @_macro "vec" "smallvec")) @list
(macro_invocation macro: (_) @callee (token_tree) @arguments) @call
(token_tree) @code
(struct_expression name: (generic_type_with_turbofish type: (_) @callee) body: (_) @arguments) @new
(struct_expression name: (_) @callee body: (_) @arguments) @new
(field_initializer field: (_) @key value: (_) @value) @pair
(shorthand_field_initializer (identifier) @name) @pair.short
(base_field_initializer (_) @value) @spread

(array_expression . (_) @item length: (_)) @list
(array_expression (_)* @item) @list
(tuple_expression (_)* @item) @list
(reference_expression value: (_) @value) @same
(parenthesized_expression (_) @value) @same
(try_expression (_) @value) @await
(await_expression (_) @value) @await
(type_cast_expression value: (_) @value type: (_) @type) @cast
(unary_expression "*" (_) @value) @same
[(unary_expression) (binary_expression) (range_expression)] @builtin
[(string_literal) (raw_string_literal)] @text
(integer_literal) @number
[(float_literal) (boolean_literal) (char_literal) (negative_literal) (unit_expression)] @builtin

(if_expression consequence: (_) @value alternative: (else_clause (_) @value)?) @choice
(match_expression value: (_) @value body: (match_block (match_arm)* @item)) @switch
(match_arm pattern: (match_pattern . (_) @target) value: (_) @value) @case
(match_arm value: (_) @value) @case
(let_condition pattern: (_) @target value: (_) @value) @variable
(unsafe_block (_) @value) @same
(async_block (_) @value) @same
(const_block body: (_) @value) @same
(try_block (_) @value) @same
(expression_statement [(if_expression) (match_expression) (block) (unsafe_block) (async_block) (const_block) (try_block)] @value) @same
(break_expression) @builtin

; Patterns

(mut_pattern (mutable_specifier) (_) @value) @same
(ref_pattern (_) @value) @same
(reference_pattern (mutable_specifier)? (_) @value) @same
(tuple_pattern (_)* @item) @list
(slice_pattern (_)* @item) @list
(tuple_struct_pattern . (_) @type (_)* @item) @list
(struct_pattern . (_) @type (_)* @item) @map
(field_pattern name: (_) @key pattern: (_) @value) @pair
(field_pattern name: (_) @name) @pair.short
(or_pattern (_)* @value) @same
(captured_pattern (_)* @value) @same
(remaining_field_pattern) @skip

; Statements

(let_declaration pattern: (_) @target type: (_)? @type value: (_)? @value) @variable
(assignment_expression left: (_) @target right: (_) @value) @assign
(return_expression (_) @value) @return
(yield_expression (_) @value) @yield
[(block) (while_expression) (loop_expression)] @block
(for_expression pattern: (_) @target value: (_) @iterable body: (_) @body) @for
[(label) (lifetime)] @skip

; Modules

(mod_item (visibility_modifier)? @public name: (_) @module @module_name !body) @import
(mod_item (visibility_modifier)? @modifier name: (_) @name body: (_) @body) @namespace
(use_declaration (visibility_modifier)? @public argument: (_) @symbol) @import
(use_list (_)* @symbol) @import.group
(scoped_use_list path: (_)? @module list: (use_list (_)* @symbol)) @import.group
(use_as_clause path: (_) @name alias: (_) @alias) @import.name
(use_wildcard (_)? @module) @import.wildcard
(extern_crate_declaration (visibility_modifier)? @public name: (_) @module alias: (_)? @alias) @import

; Types

[(primitive_type) (never_type) (unit_type)] @type.builtin
((type_identifier) @type.builtin @_name (#any-of? @_name "String"))
(reference_type type: (_) @value) @type.same
(pointer_type type: (_) @value) @type.same
(dynamic_type trait: (_) @value) @type.same
(abstract_type trait: (_) @value) @type.same
(higher_ranked_trait_bound type: (_) @value) @type.same
(bounded_type (_)* @value) @type.union
(trait_bounds (_)* @value) @type.union
(generic_type type: (_) @value type_arguments: (type_arguments (_)* @argument)) @type.generic
(generic_type_with_turbofish type: (_) @value type_arguments: (type_arguments (_)* @argument)) @type.generic
(array_type element: (_) @argument) @type.list
(tuple_type (_)* @item) @type.tuple
(function_type) @skip
(removed_trait_bound) @skip
(use_bounds) @skip
(type_binding type: (_) @value) @type.same
