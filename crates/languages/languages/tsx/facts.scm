; Elements: a component is called with its attributes

(jsx_self_closing_element name: (member_expression) @callee attribute: (_)* @item) @call
(jsx_self_closing_element name: (identifier) @callee attribute: (_)* @item (#not-lower? @callee)) @call
(jsx_opening_element name: (member_expression) @callee attribute: (_)* @item) @call
(jsx_opening_element name: (identifier) @callee attribute: (_)* @item (#not-lower? @callee)) @call
(jsx_closing_element) @skip
(jsx_attribute . (_) @key (_)? @value) @pair
(jsx_expression (spread_element (_) @value)) @spread
(jsx_expression (_) @value) @same
