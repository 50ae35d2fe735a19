-- One code graph. An id is what graph::NodeId::of makes of a name; the id of a file is that of its File node.

-- What is asked for often, kept up to date with every change: name, root, epoch, indexed_at (microseconds since 1970),
-- files, nodes, relationships, languages (JSON, most files first); for whoever plans and runs queries, how many nodes there are of each
-- label and how many edges of each type (JSON arrays whose places are the numbers of labels and types), and whether an edge may end at
-- no node; what words and vectors need, see below.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value ANY
) STRICT, WITHOUT ROWID;

INSERT INTO meta (key, value) VALUES ('labels', '[]'), ('relations', '[]'), ('loose_ends', 0);

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
    own_line       INTEGER NOT NULL,
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

-- Finding files by words. A file that changes gets a new number, so a number in a list that is not here stands for what has gone.
CREATE TABLE word_file (
    number INTEGER PRIMARY KEY,
    file   INTEGER NOT NULL UNIQUE,
    parts  BLOB NOT NULL
) STRICT;

-- Words in order, many to a row, which is named by the first: each with the numbers of the files that have it, rising, and its weight
-- there. A change adds a segment, named by the first number in it; when there are many, small ones become one.
CREATE TABLE word_block (
    segment INTEGER NOT NULL,
    first   TEXT NOT NULL,
    words   BLOB NOT NULL,
    PRIMARY KEY (segment, first)
) STRICT, WITHOUT ROWID;

-- For each number, in its place, two bytes: the kind of the file, 0 where there is none, and the class of its length; and the segments.
INSERT INTO meta (key, value) VALUES ('word_classes', x''), ('word_segments', '[]');

-- Nearness in meaning. For each file its vectors (search::embed): how many dimensions, how many vectors, and for each the first and last
-- line of a part, the factor and a byte for each dimension. A file without a row has not been looked at yet.
CREATE TABLE word_vector (
    number  INTEGER PRIMARY KEY,
    vectors BLOB NOT NULL
) STRICT;

-- What was learned from the words of the project, in one row, where that is what vectors are made by.
CREATE TABLE learned_meaning (
    only  INTEGER PRIMARY KEY CHECK (only = 1),
    -- How many files there were.
    files INTEGER NOT NULL,
    model BLOB NOT NULL
) STRICT;

-- What vectors are made by (nothing, learned, or given: and a fingerprint), and how many files came since something was learned.
INSERT INTO meta (key, value) VALUES ('meaning', ''), ('meaning_since', 0);
