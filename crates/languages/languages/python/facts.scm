; Definitions

(function_definition "async"? @modifier name: (_) @name parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @function
(class_definition name: (_) @name superclasses: (argument_list (_)* @base)? body: (_) @body) @class
(decorated_definition (decorator (_) @decorator)* definition: (_) @value) @decorated
(lambda parameters: (_)? @parameters body: (_) @value) @lambda
(type_alias_statement left: (type (_) @name) right: (_) @type) @alias

(default_parameter name: (_) @name value: (_) @default) @parameter
(typed_parameter . (identifier) @name type: (_) @type) @parameter
(typed_parameter (list_splat_pattern (identifier) @name) type: (_) @type) @parameter.rest
(typed_parameter (dictionary_splat_pattern (identifier) @name) type: (_) @type) @parameter.keywords
(typed_default_parameter name: (_) @name type: (_) @type value: (_) @default) @parameter
(list_splat_pattern (_) @name) @parameter.rest
(dictionary_splat_pattern (_) @name) @parameter.keywords
[(keyword_separator) (positional_separator)] @skip

; Values

(identifier) @name
(attribute object: (_) @object attribute: (_) @name) @member
(subscript value: (_) @value subscript: (slice)) @same
(subscript value: (_) @object subscript: (_) @key) @index
(call function: (identifier) @callee arguments: (argument_list . (identifier) @target . [(identifier) (attribute)] @type .) (#eq? @callee "isinstance")) @cast
(call function: (identifier) @callee arguments: (argument_list . (string) @type . (_) @value .) (#eq? @callee "cast")) @cast
(call function: (identifier) @callee arguments: (argument_list . [(identifier) (attribute)] @type . (_) @value .) (#eq? @callee "cast") (#not-lower? @type)) @cast
(call function: (identifier) @callee arguments: (argument_list . (_) @value) @arguments (#any-of? @callee "list" "tuple" "set" "frozenset" "deque" "sorted" "reversed" "iter" "copy" "deepcopy")) @call
(call function: (attribute attribute: (identifier) @_name) @callee arguments: (argument_list . (_) @value .) @arguments (#any-of? @_name "deepcopy")) @call
(call function: (_) @callee arguments: (argument_list) @arguments) @call
(call function: (_) @callee arguments: (generator_expression) @argument) @call
(keyword_argument name: (_) @name value: (_) @value) @argument.named
(list_splat (_) @value) @spread
(dictionary_splat (_) @value) @spread
(conditional_expression . (_) @value (_) @key (_) @value) @choice
(boolean_operator left: (_) @value right: (_) @value) @choice
(parenthesized_expression (_) @value) @same
(named_expression name: (_) @target value: (_) @value) @assign
(await (_) @value) @await
[(string) (concatenated_string)] @text
(integer) @number
[(float) (true) (false) (none) (ellipsis)] @builtin
(list (_)* @item) @list
(tuple (_)* @item) @list
(set (_)* @item) @list
(expression_list (_)* @item) @list
(list_comprehension body: (_) @item) @list
(set_comprehension body: (_) @item) @list
(generator_expression body: (_) @item) @list
(dictionary_comprehension body: (_) @item) @map
(dictionary (_)* @item) @map
(pair key: (_) @key value: (_) @value) @pair
(pattern_list (_)* @item) @list
(tuple_pattern (_)* @item) @list
(list_pattern (_)* @item) @list

; Statements

(assignment left: (_) @target type: (_)? @type right: (_)? @value) @assign
(augmented_assignment right: (_) @value) @same
(return_statement (_) @value) @return
(raise_statement . (_) @value) @raise
(yield (_) @value) @yield
(for_statement left: (_) @target right: (_) @iterable body: (_) @body) @for
(for_in_clause left: (_) @target right: (_) @iterable) @for
(with_item value: (as_pattern (_) @value alias: (as_pattern_target (_) @target))) @with
(with_item value: (_) @value) @with
(as_pattern (_) @type alias: (as_pattern_target (_) @target)) @catch
(global_statement (identifier)* @name) @outer
(nonlocal_statement (identifier)* @name) @outer

; Modules

(import_statement name: (_)* @item) @import
(import_from_statement module_name: (_) @module (wildcard_import) @wildcard) @import
(import_from_statement module_name: (_) @module name: (_)* @symbol) @import
(aliased_import name: (_) @name alias: (_) @alias) @import.name
(future_import_statement) @skip

; Types

(type (_) @value) @type.same
(generic_type (_) @value (type_parameter (_)* @argument)) @type.generic
(union_type (_) @value (_) @value) @type.union
(subscript value: (_) @value subscript: (_)* @argument) @type.generic
(binary_operator left: (_) @value right: (_) @value) @type.union
(none) @type.builtin
