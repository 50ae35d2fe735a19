-- Documents, and the words by which they are found.

CREATE TABLE document (
    id           uuid PRIMARY KEY,
    -- What search::fold made of the topic; ordered by code points, as everywhere else.
    topic_key    text COLLATE "C" NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    topic        text NOT NULL,
    tags         text[] NOT NULL,
    source_kind  text CHECK (source_kind IN ('web', 'user', 'system')),
    source_url   text CHECK (source_url IS NULL OR source_kind IS NOT NULL),
    source_title text CHECK (source_title IS NULL OR source_kind IS NOT NULL),
    content      text NOT NULL,
    -- How many words there are, and the words themselves: A in the topic, B in the tags, C in the content. A position is the
    -- number of a repetition, not a place in the text.
    length       integer NOT NULL,
    words        tsvector NOT NULL
);

-- A topic may be longer than an index entry can be.
CREATE INDEX document_topic ON document (left(topic_key, 200) COLLATE "C", created_at DESC, id DESC);
CREATE INDEX document_newest ON document (created_at DESC, id DESC);
CREATE INDEX document_words ON document USING gin (words);
