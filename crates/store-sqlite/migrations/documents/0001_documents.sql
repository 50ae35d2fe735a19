-- Documents, and the words by which they are found.
-- Times are microseconds since 1970. Tags are a JSON array of strings.

CREATE TABLE document (
    key          INTEGER PRIMARY KEY,
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    topic_key    TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    topic        TEXT NOT NULL,
    tags         TEXT NOT NULL,
    source_kind  TEXT CHECK (source_kind IN ('web', 'user', 'system')),
    source_url   TEXT CHECK (source_url IS NULL OR source_kind IS NOT NULL),
    source_title TEXT CHECK (source_title IS NULL OR source_kind IS NOT NULL),
    content      TEXT NOT NULL
) STRICT;

CREATE INDEX document_topic ON document (topic_key, created_at DESC, id DESC);
CREATE INDEX document_newest ON document (created_at DESC, id DESC);

-- Holds what search::index_text made of each field; rowid is document.key. The tokeniser must not cut those tokens again,
-- so marks and underscores belong to words.
CREATE VIRTUAL TABLE document_words USING fts5(
    topic, tags, content,
    content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '_'"
);
