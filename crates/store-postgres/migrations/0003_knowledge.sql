-- The knowledge graph. Properties are a JSON object, in which {"float": "1.5"} and {"floats": ["1.5"]} stand for numbers that are
-- not whole, digit by digit.

CREATE TABLE knowledge_node (
    id         uuid PRIMARY KEY,
    label      text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    properties jsonb NOT NULL
);

CREATE TABLE knowledge_relationship (
    id         uuid PRIMARY KEY,
    from_id    uuid NOT NULL,
    to_id      uuid NOT NULL,
    type       text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    properties jsonb NOT NULL
);

-- A walk over the graph is answered by these alone.
CREATE INDEX knowledge_relationship_from ON knowledge_relationship (from_id, id) INCLUDE (to_id, type);
CREATE INDEX knowledge_relationship_to ON knowledge_relationship (to_id, id) INCLUDE (from_id, type);

-- By which values a node is found: a hash of its label, the name of the property and the value.
CREATE TABLE knowledge_value (
    hash bigint NOT NULL,
    node uuid NOT NULL,
    PRIMARY KEY (hash, node)
);

-- The words of all names and aliases, each as a hash, with the keys by which search::fuzzy finds it, and the nodes that have it.
-- A word stays when its last node goes.
CREATE TABLE knowledge_word_key (
    key  bigint NOT NULL,
    word bigint NOT NULL,
    PRIMARY KEY (key, word)
);

CREATE TABLE knowledge_word_node (
    word bigint NOT NULL,
    node uuid NOT NULL,
    PRIMARY KEY (word, node)
);

CREATE INDEX knowledge_word_of_node ON knowledge_word_node (node);
CREATE INDEX knowledge_value_of_node ON knowledge_value (node);
