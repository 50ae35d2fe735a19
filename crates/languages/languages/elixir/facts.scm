; Definitions

(call target: (identifier) @_word (arguments . (alias) @name) (do_block) @body (#eq? @_word "defmodule")) @namespace
(call target: (identifier) @_word (arguments . (alias) @name) (do_block) @body (#eq? @_word "defprotocol")) @interface
(call target: (identifier) @_word (arguments . (alias) @implements (keywords (pair value: (alias) @receiver))) (do_block) @body (#eq? @_word "defimpl")) @extension

(call target: (identifier) @modifier (arguments . (call target: (identifier) @name (arguments)? @parameters) (keywords (pair value: (_) @value))?) (do_block)? @body (#any-of? @modifier "def" "defp" "defmacro" "defmacrop" "defdelegate" "defn" "defnp")) @function
(call target: (identifier) @modifier (arguments . (binary_operator left: (call target: (identifier) @name (arguments)? @parameters) operator: "when") (keywords (pair value: (_) @value))?) (do_block)? @body (#any-of? @modifier "def" "defp" "defmacro" "defmacrop" "defn" "defnp")) @function
(call target: (identifier) @modifier (arguments . (binary_operator left: (call target: (identifier) @name (arguments)? @parameters) operator: "when" right: (_) @value)) (#any-of? @modifier "defguard" "defguardp")) @function
(call target: (identifier) @modifier (arguments . (identifier) @name (keywords (pair value: (_) @value))?) (do_block)? @body (#any-of? @modifier "def" "defp" "defmacro" "defmacrop" "defdelegate")) @function
(call target: (identifier) @modifier (arguments . (string) @name) (do_block) @body (#any-of? @modifier "test" "property")) @function
(anonymous_function (stab_clause left: (arguments) @parameters right: (_) @body)) @lambda
(anonymous_function . (stab_clause right: (_) @body)) @lambda
(unary_operator operator: "&" operand: (integer)) @builtin
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @name operator: "/" right: (integer))) @reference
(unary_operator operator: "&" operand: (binary_operator left: (call target: (dot left: (_) @object right: (_) @name)) operator: "/" right: (integer))) @reference
(unary_operator operator: "&" operand: (_) @value) @lambda
(binary_operator left: (_) @name operator: "\\\\" right: (_) @default) @parameter

; Attributes

(unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments (_ (quoted_content) @documentation))) (#any-of? @_word "moduledoc" "shortdoc")) @skip
(unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments (_ (quoted_content) @documentation))) (#eq? @_word "doc")) @decorator
(unary_operator operator: "@" operand: (call target: (identifier) @_word) (#any-of? @_word "doc" "spec" "impl" "deprecated" "since" "tag" "dialyzer")) @decorator
(unary_operator operator: "@" operand: (call target: (identifier) @_word) (#any-of? @_word "type" "typep" "opaque" "callback" "macrocallback" "behaviour" "moduledoc" "optional_callbacks")) @skip
(unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments (_) @value))) @same
(unary_operator operator: "@") @builtin

; Modules

(call target: (identifier) @_word (arguments . (dot left: (alias) @module right: (tuple (alias)* @symbol))) (#any-of? @_word "alias" "require" "import" "use")) @import
(call target: (identifier) @_word (arguments . (alias) @module (keywords (pair value: (alias) @alias))?) (#any-of? @_word "alias" "require")) @import
(call target: (identifier) @_word (arguments . (alias) @module) (#any-of? @_word "import" "use")) @import

; Values

(call target: (dot left: (_) @callee !right) (arguments) @arguments) @call
(call target: (dot left: (_) @object right: (identifier) @name) (arguments) @arguments (do_block)? @argument) @call
(call target: (dot left: (alias) @object right: (identifier) @name)) @call
(call target: (dot left: (identifier) @object right: (identifier) @name)) @member
(call target: (dot left: (_) @object right: (identifier) @name)) @member
(call target: (identifier) @name (arguments)? @arguments (do_block)? @argument) @call
(binary_operator left: (_) @argument operator: "|>" right: (identifier) @name) @call
[(identifier) (alias)] @name
(binary_operator left: [(map) (tuple) (list) (string)] @target operator: "=" right: (identifier) @target) @assign
(binary_operator left: (_) @target operator: "=" right: (_) @value) @assign
(binary_operator left: (_) @target operator: "<-" right: (_) @value) @assign
(binary_operator left: (_) @item operator: ["|" "::" "<>" "++"] right: (_) @item) @list
(stab_clause left: (binary_operator left: (arguments (_)* @target)) right: (_)? @body) @catch
(stab_clause left: (arguments (_)* @target) right: (_)? @body) @catch
(tuple (_)* @item) @list
(list (_)* @item) @list
(bitstring (_)* @item) @list
(map (map_content (keywords (pair)* @item))) @map
(pair key: (_) @key value: (_) @value) @pair
[(string) (charlist) (sigil) (atom) (quoted_atom) (keyword)] @text
(integer) @number
[(float) (boolean) (nil) (char)] @builtin
(block (_)* @value) @same
[(do_block) (body)] @block
