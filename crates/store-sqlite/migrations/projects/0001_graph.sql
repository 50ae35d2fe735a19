-- One code graph. An id is what graph::NodeId::of makes of a name; the id of a file is that of its File node.

-- What is asked for often, kept up to date with every change: name, root, epoch, indexed_at (microseconds since 1970),
-- files, nodes, relationships, languages (JSON, most files first).
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value ANY
) STRICT, WITHOUT ROWID;

CREATE TABLE file (
    id           INTEGER PRIMARY KEY,
    path         TEXT NOT NULL UNIQUE,
    language     TEXT,
    size         INTEGER NOT NULL,
    modified     INTEGER NOT NULL,
    content_hash BLOB NOT NULL,
    graph_hash   BLOB NOT NULL,
    lines        INTEGER NOT NULL,
    problem      TEXT
) STRICT;

CREATE INDEX file_language ON file (language);

-- Apart from table file, so that going through all files reads few pages.
CREATE TABLE fact (
    file  INTEGER PRIMARY KEY,
    facts BLOB NOT NULL
) STRICT;

-- A node belongs to its file; one without a file belongs to the structure. Lists are JSON arrays, NULL when empty.
CREATE TABLE node (
    id             INTEGER PRIMARY KEY,
    label          INTEGER NOT NULL,
    file           INTEGER,
    start_line     INTEGER NOT NULL,
    end_line       INTEGER NOT NULL,
    own_line      INTEGER NOT NULL,
    name           TEXT NOT NULL,
    qualified_name TEXT NOT NULL,
    signature      TEXT,
    docstring      TEXT,
    decorators     TEXT,
    modifiers      TEXT
) STRICT;

CREATE INDEX node_qualified_name ON node (qualified_name);
CREATE INDEX node_name ON node (name);
CREATE INDEX node_file ON node (file);

-- An edge belongs to whatever its first node belongs to.
CREATE TABLE edge (
    src        INTEGER NOT NULL,
    type       INTEGER NOT NULL,
    dst        INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    resolution INTEGER NOT NULL,
    confidence INTEGER NOT NULL,
    PRIMARY KEY (src, type, dst, line)
) STRICT, WITHOUT ROWID;

CREATE INDEX edge_in ON edge (dst, type, src);

-- Holds what search::distinct_words made of files without a grammar; rowid is file.id.
CREATE VIRTUAL TABLE file_words USING fts5(
    text,
    content = '', contentless_delete = 1, detail = none,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '_'"
);
