-- The knowledge graph. Times are microseconds since 1970. Properties are a JSON object, in which {"float": "1.5"} and
-- {"floats": ["1.5"]} stand for numbers that are not whole, digit by digit.

-- Labels and types, by number.
CREATE TABLE knowledge_name (
    key  INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE knowledge_node (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    label      INTEGER NOT NULL REFERENCES knowledge_name (key),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    properties TEXT NOT NULL
) STRICT;

CREATE TABLE knowledge_relationship (
    key        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    start      INTEGER NOT NULL,
    finish     INTEGER NOT NULL,
    type       INTEGER NOT NULL REFERENCES knowledge_name (key),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    properties TEXT NOT NULL
) STRICT;

-- Every relationship as seen from each of its ends; from a node to itself, once.
CREATE TABLE knowledge_end (
    node         INTEGER NOT NULL,
    relationship INTEGER NOT NULL,
    type         INTEGER NOT NULL,
    other        INTEGER NOT NULL,
    PRIMARY KEY (node, relationship)
) STRICT, WITHOUT ROWID;

-- By which values a node is found: a hash of its label, the name of the property and the value, and the node's id.
CREATE TABLE knowledge_value (
    hash INTEGER NOT NULL,
    id   BLOB NOT NULL,
    PRIMARY KEY (hash, id)
) STRICT, WITHOUT ROWID;

-- The words of all names and aliases, how many nodes have each, and the keys by which search::fuzzy finds them.
CREATE TABLE knowledge_word (
    key   INTEGER PRIMARY KEY,
    word  TEXT NOT NULL UNIQUE,
    nodes INTEGER NOT NULL
) STRICT;

CREATE TABLE knowledge_word_key (
    hash INTEGER NOT NULL,
    word INTEGER NOT NULL,
    PRIMARY KEY (hash, word)
) STRICT, WITHOUT ROWID;

CREATE TABLE knowledge_word_node (
    word INTEGER NOT NULL,
    node INTEGER NOT NULL,
    PRIMARY KEY (word, node)
) STRICT, WITHOUT ROWID;

-- What a search compares, apart from the other properties: a JSON array of names for each node that has one.
CREATE TABLE knowledge_named (
    node  INTEGER PRIMARY KEY,
    id    BLOB NOT NULL,
    label INTEGER NOT NULL,
    names TEXT NOT NULL
) STRICT;
