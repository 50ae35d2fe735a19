; Definitions

(function_definition name: (_) @name body: (_) @body) @function

; Commands

(command name: (command_name (word) @_command) argument: [(word) (string) (raw_string) (concatenation)] @module (#any-of? @_command "source" ".")) @import
(command name: (command_name (word) @_command) argument: (word) @name (#any-of? @_command "trap" "time" "command" "exec" "eval" "nohup")) @call
(command name: (command_name (word) @name) argument: (_)* @argument) @call
[(string) (raw_string) (ansi_c_string)] @text
(number) @number
