; Definitions

(class_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier name: (_) @name (type_parameter_list)? @type_parameters (parameter_list)? @parameters (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (primary_constructor_base_type)]* @base (argument_list)? @arguments)? (type_parameter_constraints_clause)* @type_parameters body: (_)? @body) @class
(struct_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier "struct" @modifier name: (_) @name (type_parameter_list)? @type_parameters (parameter_list)? @parameters (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (primary_constructor_base_type)]* @base (argument_list)? @arguments)? (type_parameter_constraints_clause)* @type_parameters body: (_)? @body) @class
(record_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier "record" @modifier name: (_) @name (type_parameter_list)? @type_parameters (parameter_list)? @parameters (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (primary_constructor_base_type)]* @base (argument_list)? @arguments)? (type_parameter_constraints_clause)* @type_parameters body: (_)? @body) @class
(interface_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier name: (_) @name type_parameters: (_)? @type_parameters (base_list (_)* @base)? (type_parameter_constraints_clause)* @type_parameters body: (_)? @body) @interface
(enum_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier name: (_) @name body: (_)? @body) @enum
(enum_member_declaration name: (_) @name) @constant
(delegate_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier name: (_) @name) @alias
(primary_constructor_base_type type: (_) @callee (argument_list) @arguments) @new
(type_parameter name: (_) @name) @type.parameter
(type_parameter_constraints_clause (identifier) @name (type_parameter_constraint type: (_) @type)) @type.parameter

(method_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier returns: (_) @type name: (_) @name parameters: (parameter_list . (parameter (modifier) @_mark type: (_) @receiver)) @parameters body: (arrow_expression_clause (_) @value) (#eq? @_mark "this")) @function
(method_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier returns: (_) @type name: (_) @name parameters: (parameter_list . (parameter (modifier) @_mark type: (_) @receiver)) @parameters body: (block)? @body (#eq? @_mark "this")) @function
(method_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier returns: (_) @type name: (_) @name parameters: (_) @parameters body: (arrow_expression_clause (_) @value)) @function
(method_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier returns: (_) @type name: (_) @name parameters: (_) @parameters body: (block)? @body) @function
(constructor_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier name: (_) @name parameters: (_) @parameters body: (arrow_expression_clause (_) @value)) @function
(constructor_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier name: (_) @name parameters: (_) @parameters body: (block)? @body) @function
(destructor_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier "~" @name parameters: (_) @parameters body: (arrow_expression_clause (_) @value)) @function
(destructor_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier "~" @name parameters: (_) @parameters body: (block)? @body) @function
(operator_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type operator: _ @name parameters: (_) @parameters body: (arrow_expression_clause (_) @value)) @function
(operator_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type operator: _ @name parameters: (_) @parameters body: (block)? @body) @function
(conversion_operator_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier "operator" @name type: (_) @type parameters: (_) @parameters body: (arrow_expression_clause (_) @value)) @function
(conversion_operator_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier "operator" @name type: (_) @type parameters: (_) @parameters body: (block)? @body) @function
(local_function_statement (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type name: (_) @name parameters: (_) @parameters body: (arrow_expression_clause (_) @value)) @function
(local_function_statement (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type name: (_) @name parameters: (_) @parameters body: (block)? @body) @function
(constructor_initializer ["this" "base"] @callee (argument_list) @arguments) @call
(lambda_expression (modifier)* @modifier parameters: (_) @parameters body: (block) @body) @lambda
(lambda_expression (modifier)* @modifier parameters: (_) @parameters body: _ @value) @lambda
(anonymous_method_expression parameters: (_)? @parameters (block) @body) @lambda

(parameter type: (_) @type name: (_) @name "=" (_) @default) @parameter
(parameter type: (_)? @type name: (_) @name) @parameter
(implicit_parameter) @name

(property_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type name: (_) @name value: (arrow_expression_clause) @accessor) @property
(property_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type name: (_) @name accessors: (accessor_list (accessor_declaration)* @accessor) value: _ @value) @property
(property_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type name: (_) @name accessors: (accessor_list (accessor_declaration)* @accessor)) @property
(indexer_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type "this" @name value: (arrow_expression_clause) @accessor) @property
(indexer_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type "this" @name accessors: (accessor_list (accessor_declaration)* @accessor)) @property
(event_declaration (attribute_list (attribute)* @decorator)* (modifier)* @modifier type: (_) @type name: (_) @name accessors: (accessor_list (accessor_declaration)* @accessor)) @property
(accessor_declaration (attribute_list)* (modifier)* @modifier name: _ @modifier body: (arrow_expression_clause (_) @value)) @function
(accessor_declaration (attribute_list)* (modifier)* @modifier name: _ @modifier body: (block) @body) @function
(arrow_expression_clause "=>" @modifier (_) @value) @function
(arrow_expression_clause "=>" @modifier ["this" "base"] @value) @function

(field_declaration (attribute_list)* (modifier)* @modifier (variable_declaration type: (_) @type (variable_declarator)* @item)) @variable
(event_field_declaration (attribute_list)* (modifier)* @modifier (variable_declaration type: (_) @type (variable_declarator)* @item)) @variable
(variable_declaration type: (implicit_type) (variable_declarator)* @item) @variable
(variable_declaration type: (_) @type (variable_declarator)* @item) @variable
(variable_declarator (tuple_pattern) @target "=" (_) @value) @variable
(variable_declarator name: (_) @name "=" (_) @value) @variable
(variable_declarator name: (_) @name "=" "this" @value) @variable
(variable_declarator name: (_) @name) @variable
[(modifier) (attribute_list)] @skip

; Values

(identifier) @name
"this" @self
"base" @super
(generic_name . (identifier) @value) @same
(alias_qualified_name name: (_) @value) @same
(member_access_expression expression: _ @object name: (generic_name . (identifier) @name)) @member
(member_access_expression expression: _ @object name: (identifier) @name) @member
(conditional_access_expression condition: _ @object (member_binding_expression name: (generic_name . (identifier) @name))) @member
(conditional_access_expression condition: _ @object (member_binding_expression name: (identifier) @name)) @member
(conditional_access_expression condition: _ @object (element_binding_expression (argument (_) @key))) @index
(qualified_name qualifier: (_) @object name: (generic_name . (identifier) @name)) @member
(qualified_name qualifier: (_) @object name: (identifier) @name) @member
(element_access_expression expression: _ @object subscript: (bracketed_argument_list (argument (_) @key))) @index

(invocation_expression function: (identifier) @_function (#eq? @_function "nameof")) @builtin
(invocation_expression function: (identifier) @name arguments: (_) @arguments) @call
(invocation_expression function: (generic_name . (identifier) @name) arguments: (_) @arguments) @call
(invocation_expression function: _ @callee arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_)? @arguments initializer: (_)? @fields) @new
(implicit_object_creation_expression (argument_list) @arguments (initializer_expression)? @fields) @new
(argument name: (_) @name ":" (_) @value) @argument.named
(argument name: (_) @name ":" "this" @value) @argument.named
(argument (_) @value) @same
(argument ["this" "base"] @value) @same
(declaration_expression type: (implicit_type) name: (_) @name) @variable
(declaration_expression type: (_) @type name: (_) @name) @variable

(array_creation_expression type: (_) (initializer_expression (_)* @item)) @list
(array_creation_expression) @list
(implicit_array_creation_expression (initializer_expression (_)* @item)) @list
(initializer_expression (_)* @item) @list
(collection_expression (collection_element)* @item) @list
(collection_element (expression_element (_) @value)) @same
(collection_element (spread_element (_) @value)) @spread
(tuple_expression (argument)* @item) @list
(tuple_pattern name: (_)* @item) @list
(parenthesized_variable_designation name: (_)* @item) @list
(with_expression . (_) @value) @same
(with_initializer . (identifier) (_) @value) @same

(cast_expression type: (_) @type value: _ @value) @cast
(as_expression left: _ @value right: (_) @type) @cast
(is_expression left: _ @target right: (_) @type) @cast
(declaration_pattern type: (implicit_type) name: (_) @target) @catch
(declaration_pattern type: (_) @type name: (_) @target) @catch
(recursive_pattern type: (_)? @type name: (_) @target) @catch
(recursive_pattern type: (_) @type) @cast
(var_pattern name: (_) @target) @catch
(subpattern (identifier) ":" (_) @value) @same
(discard) @skip
(await_expression (_) @value) @await
(parenthesized_expression (_) @value) @same
(parenthesized_expression "this" @value) @same
(postfix_unary_expression (_) @value "!") @same
(checked_expression (_) @value) @same
(ref_expression (_) @value) @same
(conditional_expression condition: (_) @key consequence: _ @value alternative: _ @value) @choice
(binary_expression left: (_) @value operator: "??" right: (_) @value) @choice
(binary_expression) @builtin
(switch_expression . (_) @key (switch_expression_arm)* @value) @choice
(switch_expression_arm "=>" (_) @value) @same
(query_expression) @block
(from_clause type: (_)? @type name: (_) @target "in" (_) @iterable) @for
(join_clause type: (_)? @type (identifier) @target "in" (_) @iterable) @for
(let_clause (identifier) @name "=" (_) @value) @variable
[(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @text
(integer_literal) @number
[(real_literal) (character_literal) (boolean_literal) (null_literal) (predefined_type) (typeof_expression) (sizeof_expression) (default_expression)] @builtin
(type_argument_list) @skip

; Statements

[(block) (for_statement) (using_statement) (fixed_statement) (switch_section)] @block
(assignment_expression left: _ @target operator: "=" right: _ @value) @assign
(assignment_expression left: _ @target operator: "??=" right: _ @value) @assign
(assignment_expression left: _ @target operator: "+=" right: [(identifier) (member_access_expression) (lambda_expression) (anonymous_method_expression)] @value) @assign
(assignment_expression left: _ @target right: (_) @value) @update
(return_statement (_) @value) @return
(return_statement "this" @value) @return
(yield_statement (_) @value) @yield
(foreach_statement type: (implicit_type) left: (_) @target right: _ @iterable body: (_) @body) @for
(foreach_statement type: (_)? @type left: (_) @target right: _ @iterable body: (_) @body) @for
(catch_clause (catch_declaration type: (_) @type name: (_)? @target) body: (_) @body) @catch
(labeled_statement (identifier) (_) @value) @same
(goto_statement) @skip

; Modules

(file_scoped_namespace_declaration name: (_) @name) @package
(namespace_declaration name: (_) @name body: (_) @body) @namespace
(using_directive "global"? @public name: (_) @alias "=" (_) @module) @import
(using_directive "global"? @public "using" @wildcard [(identifier) (qualified_name) (alias_qualified_name)] @module) @import
(extern_alias_directive) @skip

; Types

(generic_name . (identifier) @value (type_argument_list (_)* @argument)) @type.generic
(nullable_type type: (_) @value) @type.same
(array_type type: (_) @argument) @type.list
(pointer_type type: (_) @value) @type.same
(ref_type type: (_) @value) @type.same
(scoped_type type: (_) @value) @type.same
(tuple_type (tuple_element type: (_) @item)*) @type.tuple
[(predefined_type) (implicit_type) (function_pointer_type)] @type.builtin
