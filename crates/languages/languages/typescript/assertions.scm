; Only without JSX: `<Type>value`

(type_assertion (type_arguments (_) @type) (_) @value) @cast
