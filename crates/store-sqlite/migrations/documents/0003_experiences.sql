-- Experiences, and an index of their words that ranks by more than words (docs/decisions/0008-an-index-of-our-own.md).
-- Times are microseconds since 1970. Keys count from 0 without gaps: no row is ever removed.

-- What changes when an experience is found or deleted, apart from the long texts.
CREATE TABLE experience (
    key         INTEGER PRIMARY KEY CHECK (key >= 0),
    id          BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    deleted_at  INTEGER,
    query_count INTEGER NOT NULL
) STRICT;

CREATE INDEX experience_newest ON experience (created_at DESC, id DESC);
CREATE INDEX experience_deleted ON experience (key) WHERE deleted_at IS NOT NULL;

-- Keywords are a JSON array of strings.
CREATE TABLE experience_text (
    key                 INTEGER PRIMARY KEY REFERENCES experience (key),
    title               TEXT NOT NULL,
    problem_description TEXT NOT NULL,
    root_cause          TEXT,
    solution            TEXT NOT NULL,
    context             TEXT,
    keywords            TEXT NOT NULL
) STRICT;

-- One row: how many experiences there are, how long they are together, and the largest query_count.
CREATE TABLE experience_totals (
    only        INTEGER PRIMARY KEY CHECK (only = 1),
    experiences INTEGER NOT NULL,
    length      INTEGER NOT NULL,
    most_found  INTEGER NOT NULL
) STRICT;

INSERT INTO experience_totals VALUES (1, 0, 0, 0);

-- What ranking needs beside words, for 256 experiences each: created_at and query_count of each.
CREATE TABLE experience_facts (
    block INTEGER PRIMARY KEY,
    facts BLOB NOT NULL
) STRICT;

-- Three stages of the index. The newest experiences have a row each; 256 of them become a block; 64 blocks become rows of
-- postings, one for each term. The key of postings is (key / 16384) << 48 | term; term 0 holds the lengths.
CREATE TABLE experience_terms (
    key   INTEGER PRIMARY KEY,
    terms BLOB NOT NULL
) STRICT;

CREATE TABLE experience_block (
    block INTEGER PRIMARY KEY,
    terms BLOB NOT NULL
) STRICT;

CREATE TABLE experience_postings (
    key      INTEGER PRIMARY KEY,
    postings BLOB NOT NULL
) STRICT;

-- Parts of texts that near-repetitions have in common.
CREATE TABLE experience_band (
    band INTEGER NOT NULL,
    key  INTEGER NOT NULL,
    PRIMARY KEY (band, key)
) STRICT, WITHOUT ROWID;
