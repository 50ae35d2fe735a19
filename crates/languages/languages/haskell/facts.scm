; Definitions

(header module: (_) @name) @package
(signature name: (variable) @name type: (_)) @function
(signature name: (prefix_id (_) @name) type: (_)) @function
(function name: (variable) @name patterns: (patterns)? @parameters match: (_)* @body) @function
(function name: (prefix_id (_) @name) patterns: (patterns)? @parameters match: (_)* @body) @function
(function (infix left_operand: (_) @parameters operator: (infix_id (_) @name) right_operand: (_) @parameters) match: (_)* @body) @function
(function (infix left_operand: (_) @parameters operator: (operator) @name right_operand: (_) @parameters) match: (_)* @body) @function
(bind pattern: (_) @target expression: (_) @value) @variable
(bind pattern: (_) @target match: (match expression: (_) @value)) @variable
(bind name: (variable) @name match: (_)* @body) @binding
(bind name: (prefix_id (_) @name) match: (_)* @body) @binding
(lambda patterns: (patterns) @parameters expression: (_) @value) @lambda

(data_type name: (_) @name constructors: (_) @body) @enum
(data_type name: (_) @name) @enum
(data_constructor constructor: (prefix name: (constructor) @name field: (_)+ @item)) @variant
(data_constructor constructor: (prefix name: (constructor) @name)) @variant
(data_constructor constructor: (record name: (constructor) @name fields: (_) @body)) @variant
(newtype name: (_) @name) @class
(field name: (field_name (variable) @name) type: (_) @type) @variable
(type_synonym name: (_) @name type: (_) @type) @alias
(class name: (_) @name declarations: (_)? @body) @interface
(instance name: (_) @implements patterns: (type_patterns . (_) @receiver) declarations: (_)? @body) @extension
(deriving) @skip

; Patterns

(as bind: (_) @target pattern: (_) @target) @variable
(field_pattern pattern: (_) @target) @variable
(alternative pattern: (_) @target match: (_)* @body) @catch
(infix left_operand: (_) @item operator: (constructor_operator) right_operand: (_) @item) @list
(generator pattern: (_) @target expression: (_) @value) @variable
(wildcard) @skip

; Values

(apply function: [(variable) (constructor) (qualified)] @callee argument: (_) @argument) @call
(apply function: (apply function: [(variable) (constructor) (qualified)] @callee argument: (_) @argument) argument: (_) @argument) @call
(apply function: (apply function: (apply function: [(variable) (constructor) (qualified)] @callee argument: (_) @argument) argument: (_) @argument) argument: (_) @argument) @call
(apply function: (apply function: (apply function: (apply function: [(variable) (constructor) (qualified)] @callee argument: (_) @argument) argument: (_) @argument) argument: (_) @argument) argument: (_) @argument) @call
(apply function: (apply function: (apply function: (apply function: (apply function: [(variable) (constructor) (qualified)] @callee argument: (_) @argument) argument: (_) @argument) argument: (_) @argument) argument: (_) @argument) argument: (_) @argument) @call
(infix left_operand: [(variable) (constructor) (qualified)] @callee operator: (operator) @_apply right_operand: (_) @argument (#any-of? @_apply "$" "$!" "<$>")) @call
(infix left_operand: (_) @argument operator: (infix_id (_) @callee) right_operand: (_) @argument) @call
(infix left_operand: (_) @argument operator: (operator) @name right_operand: (_) @argument) @call
(exp [(variable) (qualified)] @callee) @call
(qualified module: (module (module_id) @object .) id: (_) @name) @member
(variable) @name
(module_id) @name
[(constructor) (name)] @reference
(parens expression: (_) @value) @same
(parens pattern: (_) @value) @same
(conditional then: (_) @value else: (_) @value) @choice
(match expression: (_) @value) @same
(record expression: (constructor) @callee) @call
(tuple element: (_)* @item) @list
(list element: (_)* @item) @list
[(string) (char)] @text
(integer) @number
(literal (_) @value) @same

; Modules

(import module: (_) @module names: (import_list name: (_)* @symbol)) @import
(import module: (_) @module alias: (_)? @alias) @import
