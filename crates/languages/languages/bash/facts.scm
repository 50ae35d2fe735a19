; Definitions

(function_definition name: (_) @name body: (_) @body) @function

; Commands

; Of a computed path only what follows the last expansion is known.
(command name: (command_name (word) @_command) argument: (string (string_content) @module .) (#any-of? @_command "source" ".")) @import
(command name: (command_name (word) @_command) argument: (concatenation (word) @module .) (#any-of? @_command "source" ".")) @import
(command name: (command_name (word) @_command) argument: [(word) (string) (raw_string) (concatenation)] @module (#any-of? @_command "source" ".")) @import
(command name: (command_name (word) @_command) argument: (word) @name (#any-of? @_command "trap" "time" "command" "exec" "eval" "nohup")) @call
(command name: (command_name (word) @name) argument: (_)* @argument) @call
[(string) (raw_string) (ansi_c_string)] @text
(number) @number
