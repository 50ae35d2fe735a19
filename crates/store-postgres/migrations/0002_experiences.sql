-- Experiences, and an index of their words that ranks by more than words. Keys count from 0 without gaps: no row is ever removed.

-- What changes when an experience is found or deleted, apart from the long texts.
CREATE TABLE experience (
    key         bigint PRIMARY KEY CHECK (key >= 0),
    id          uuid NOT NULL UNIQUE,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    deleted_at  timestamptz,
    query_count bigint NOT NULL
) WITH (fillfactor = 85);

CREATE INDEX experience_newest ON experience (created_at DESC, id DESC);
CREATE INDEX experience_deleted ON experience (key) WHERE deleted_at IS NOT NULL;

CREATE TABLE experience_text (
    key                 bigint PRIMARY KEY,
    title               text NOT NULL,
    problem_description text NOT NULL,
    root_cause          text,
    solution            text NOT NULL,
    context             text,
    keywords            text[] NOT NULL
);

-- One row, which every writer locks first, so that keys have no gaps and epochs are committed in their order: how many experiences
-- there are, how long they are together, the largest query_count, how many sections are full, and the last epoch of counts. The
-- identity tells a process that remembers another state that these are other tables.
CREATE TABLE experience_totals (
    single      boolean PRIMARY KEY CHECK (single),
    experiences bigint NOT NULL,
    length      bigint NOT NULL,
    most_found  bigint NOT NULL,
    sections    bigint NOT NULL,
    epoch       bigint NOT NULL,
    identity    uuid NOT NULL
) WITH (fillfactor = 50);

INSERT INTO experience_totals VALUES (true, 0, 0, 0, 0, 0, gen_random_uuid());

-- The newest experiences: what is kept of the words of each, with created_at in microseconds.
CREATE TABLE experience_recent (
    key        bigint PRIMARY KEY,
    created_at bigint NOT NULL,
    terms      bytea STORAGE EXTERNAL NOT NULL
);

-- 8192 experiences become a section, which never changes again: a row of postings for each term, and for all of them a byte of
-- length and eight of created_at each.
CREATE TABLE experience_section (
    section    bigint PRIMARY KEY,
    lengths    bytea STORAGE EXTERNAL NOT NULL,
    created_at bytea STORAGE EXTERNAL NOT NULL
);

CREATE TABLE experience_postings (
    term     bigint NOT NULL,
    section  bigint NOT NULL,
    postings bytea STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (term, section)
);

-- query_count of 1024 experiences each, four bytes for one; what is missing is 0. The epoch says when it was last changed.
CREATE TABLE experience_counts (
    block  bigint PRIMARY KEY,
    epoch  bigint NOT NULL,
    counts bytea STORAGE EXTERNAL NOT NULL
);

-- Parts of texts that near-repetitions have in common.
CREATE TABLE experience_band (
    band bigint NOT NULL,
    key  bigint NOT NULL,
    PRIMARY KEY (band, key)
);
