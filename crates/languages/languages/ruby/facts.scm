; Definitions

(class name: (_) @name superclass: (superclass [(constant) (scope_resolution)] @base)? body: (_) @body) @class
(class name: (_) @name superclass: (superclass [(constant) (scope_resolution)] @base)? "end" @body) @class
(superclass (call receiver: (constant) @_maker) (#any-of? @_maker "Struct" "Class" "Data")) @skip
; A module with methods for instances is mixed in; any other only holds names.
(module name: (_) @name body: (body_statement (method)) @body) @interface
(module name: (_) @name body: (body_statement (call method: (identifier) @_macro (#any-of? @_macro "included" "class_methods"))) @body) @interface
(module name: (_) @name body: (_) @body) @namespace
(module name: (_) @name "end" @body) @namespace
(singleton_class value: (self) body: (_)? @body) @static
(singleton_class value: (_) @receiver body: (_)? @body) @extension

(method name: (_) @name parameters: (_)? @parameters body: (_) @body) @function
(method name: (_) @name parameters: (_)? @parameters "end" @body) @function
(singleton_method object: (self) "." @modifier name: (_) @name parameters: (_)? @parameters body: (_) @body) @method
(singleton_method object: (self) "." @modifier name: (_) @name parameters: (_)? @parameters "end" @body) @method
(singleton_method object: (_) @receiver "." @modifier name: (_) @name parameters: (_)? @parameters body: (_) @body) @method
(singleton_method object: (_) @receiver "." @modifier name: (_) @name parameters: (_)? @parameters "end" @body) @method
(lambda parameters: (_)? @parameters body: (_ body: (_) @body)) @lambda
(lambda parameters: (_)? @parameters body: (_) @body) @lambda
(block parameters: (_)? @parameters body: (_) @body) @lambda
(block parameters: (_)? @parameters "}" @body) @lambda
(do_block parameters: (_)? @parameters body: (_) @body) @lambda
(do_block parameters: (_)? @parameters "end" @body) @lambda

(optional_parameter name: (_) @name value: (_) @default) @parameter
(keyword_parameter name: (_) @name value: (_)? @default) @parameter
(splat_parameter name: (_) @name) @parameter.rest
(hash_splat_parameter name: (_) @name) @parameter.keywords
(block_parameter name: (_)? @name) @parameter.block
(destructured_parameter (_)* @item) @list
[(splat_parameter) (hash_splat_parameter) (forward_parameter) (hash_splat_nil)] @skip

; Calls that define

(call !receiver method: (identifier) @_macro arguments: (argument_list (_)* @name) (#eq? @_macro "attr_accessor")) @accessors
(call !receiver method: (identifier) @_macro arguments: (argument_list (_)* @name) (#any-of? @_macro "attr_reader" "attr")) @accessors.get
(call !receiver method: (identifier) @_macro arguments: (argument_list (_)* @name) (#eq? @_macro "attr_writer")) @accessors.set
(call !receiver method: (identifier) @_macro arguments: (argument_list [(constant) (scope_resolution)]+ @base) (#any-of? @_macro "include" "extend" "prepend")) @inherit
(call receiver: (self) method: (identifier) @_macro arguments: (argument_list [(constant) (scope_resolution)]+ @base) (#any-of? @_macro "include" "extend" "prepend")) @inherit
(call !receiver method: (identifier) @_macro arguments: (argument_list . (string) @module) (#any-of? @_macro "require" "require_relative" "load")) @import
(call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) . (string) @module) (#eq? @_macro "autoload")) @import
(call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name) block: (_ parameters: (_)? @parameters body: (_) @body) (#eq? @_macro "define_method")) @method
(call !receiver method: (identifier) @_macro @modifier arguments: (argument_list . (simple_symbol) @name) block: (_ parameters: (_)? @parameters body: (_) @body) (#eq? @_macro "define_singleton_method")) @method
(call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name . (simple_symbol) @value) (#eq? @_macro "alias_method")) @function.alias
(alias name: (_) @name alias: (_) @value) @function.alias
(call !receiver method: (identifier) @_macro block: (_ body: (_) @body) (#eq? @_macro "class_methods")) @static
(call !receiver method: (identifier) @_macro !arguments block: (_ body: (_) @value) (#any-of? @_macro "included" "prepended")) @same
(call !receiver method: (identifier) @_macro arguments: (argument_list . (_) @receiver) block: (_ body: (_) @body) (#eq? @_macro "refine")) @extension
(call receiver: [(constant) (scope_resolution)] @receiver method: (identifier) @_macro block: (_ body: (_) @body) (#any-of? @_macro "class_eval" "class_exec" "module_eval")) @extension
(call receiver: (constant) @_class method: (identifier) @_new arguments: (argument_list . [(constant) (scope_resolution)] @base)? block: (_ body: (_) @body) (#eq? @_class "Class") (#eq? @_new "new")) @class.value
(call receiver: (constant) @_class method: (identifier) @_new arguments: (argument_list . [(constant) (scope_resolution)] @base) (#eq? @_class "Class") (#eq? @_new "new")) @class.value
(call receiver: (constant) @_class method: (identifier) @_new block: (_ body: (_) @body) (#any-of? @_class "Struct" "Data") (#any-of? @_new "new" "define")) @class.value
(call receiver: (constant) @_class method: (identifier) @_new (#any-of? @_class "Struct" "Data") (#any-of? @_new "new" "define")) @class.value

; Calls

(call !receiver method: (identifier) @_macro block: (_) @value (#any-of? @_macro "lambda" "proc")) @same
(call receiver: (constant) @_class method: (identifier) @_new block: (_) @value (#eq? @_class "Proc") (#eq? @_new "new")) @same
(call receiver: (_) @value method: (identifier) @_method !arguments !block (#any-of? @_method "freeze" "dup" "clone" "itself")) @same
(call receiver: (_)? @object method: (identifier) @_method arguments: (argument_list . (simple_symbol) @name .) (#any-of? @_method "method" "public_method" "instance_method")) @reference
(call receiver: (_)? @object method: (identifier) @_method arguments: (argument_list . (simple_symbol) @name (_)* @argument) block: (_)? @block (#any-of? @_method "send" "public_send" "__send__")) @call
(call method: (super) @_super arguments: (_) @arguments block: (_)? @block) @super.method
(call method: (super) @_super block: (_) @block) @super.method
(super) @super.method
(call receiver: (_) @callee !method arguments: (_) @arguments block: (_)? @block) @call
(call receiver: (_)? @object method: (_) @name arguments: (_)? @arguments block: (_)? @block) @call
(yield (argument_list) @arguments) @call.block
(yield) @call.block
(block_argument (simple_symbol) @name) @argument.block
(block_argument (_)? @value) @argument.block
(splat_argument (_) @value) @spread
(hash_splat_argument (_) @value) @spread

; Values

((identifier) @_word @skip (#any-of? @_word "private" "public" "protected" "module_function" "private_class_method"))
[(identifier) (constant) (instance_variable) (class_variable)] @name
(self) @self
(scope_resolution scope: (_)? @object name: (_) @name) @member
(element_reference . (_) @object (_) @key) @index
(conditional consequence: (_) @value alternative: (_) @value) @choice
(if consequence: (_)? @value alternative: (_)? @value) @choice
(unless consequence: (_)? @value alternative: (_)? @value) @choice
(elsif consequence: (_)? @value alternative: (_)? @value) @choice
(if_modifier body: (_) @value) @same
(unless_modifier body: (_) @value) @same
(rescue_modifier body: (_) @value handler: (_) @value) @choice
(binary left: (_) @value operator: ["||" "or" "&&" "and"] right: (_) @value) @choice
(case (when)* @value (else)? @value) @choice
(when body: (_) @value) @same
(case_match clauses: (in_clause)* @value else: (_)? @value) @choice
(in_clause pattern: (identifier) @target body: (_)? @body) @catch
(in_clause body: (_) @value) @same
[(body_statement) (block_body) (then) (else) (do) (begin) (parenthesized_statements) (begin_block) (end_block)] @block
[(string) (chained_string) (simple_symbol) (delimited_symbol) (hash_key_symbol) (bare_string) (bare_symbol) (subshell) (heredoc_beginning) (heredoc_body) (regex) (character)] @text
(integer) @number
[(float) (rational) (complex) (true) (false) (nil) (global_variable) (encoding) (file) (line)] @builtin
(array (_)* @item) @list
(string_array (_)* @item) @list
(symbol_array (_)* @item) @list
(right_assignment_list (_)* @item) @list
(left_assignment_list (_)* @item) @list
(destructured_left_assignment (_)* @item) @list
(rest_assignment (_) @value) @spread
(hash (_)* @item) @map
(pair key: (_) @key value: (_) @value) @pair
(pair key: (_) @name) @pair.short

; Statements

(assignment left: (_) @target right: (_) @value) @assign
(operator_assignment left: (_) @target operator: ["||=" "&&="] right: (_) @value) @assign
(operator_assignment right: (_) @value) @same
(return (argument_list (_)* @value)) @return
(next (argument_list (_)* @value)) @return
(for pattern: (_) @target value: (in (_) @iterable) body: (_) @body) @for
(rescue exceptions: (exceptions (_)* @type)? variable: (exception_variable (_) @target)? body: (_)? @body) @catch
(ensure) @catch
(array_pattern [(identifier) (splat_parameter)]+ @target) @variable
(find_pattern [(identifier) (splat_parameter)]+ @target) @variable
(keyword_pattern value: (identifier) @target) @variable
(keyword_pattern key: (hash_key_symbol) @target !value) @variable
(as_pattern value: (constant) @type name: (_) @target) @catch
(as_pattern name: (_) @target) @catch
(undef) @skip
(unary operator: "defined?") @skip
(uninterpreted) @skip
