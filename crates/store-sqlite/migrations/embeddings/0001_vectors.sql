-- Vectors of texts that were paid for: model is a number for each fingerprint, text a hash.

CREATE TABLE model (
    key         INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE vector (
    key    INTEGER PRIMARY KEY,
    model  INTEGER NOT NULL REFERENCES model (key),
    text   BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (model, text)
) STRICT;
