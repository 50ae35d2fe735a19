-- What a process remembers of the index of experiences, and vectors of their meaning.

-- Every change raises the epoch, and a row of facts says at which it was last changed. The identity tells a process that remembers
-- another state that this is another file.
ALTER TABLE experience_totals ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE experience_totals ADD COLUMN identity BLOB NOT NULL DEFAULT x'';
UPDATE experience_totals SET identity = randomblob(16);
ALTER TABLE experience_facts ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
CREATE INDEX experience_facts_epoch ON experience_facts (epoch);

-- What vectors are made by: those of two embedders are never compared.
CREATE TABLE experience_embedder (
    number      INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE
) STRICT;

-- A byte for each dimension. Places count up in the order in which vectors were made, and are never used again.
CREATE TABLE experience_vector (
    place    INTEGER PRIMARY KEY AUTOINCREMENT,
    embedder INTEGER NOT NULL REFERENCES experience_embedder (number),
    key      INTEGER NOT NULL REFERENCES experience (key),
    vector   BLOB NOT NULL,
    UNIQUE (embedder, key)
) STRICT;
