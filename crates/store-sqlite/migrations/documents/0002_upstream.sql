-- What all processes know of the servers that are called. Times are microseconds since 1970.

CREATE TABLE upstream (
    name          TEXT PRIMARY KEY,
    touched_at    INTEGER NOT NULL,
    proved_at     INTEGER,
    claimed_at    INTEGER,
    claimed_until INTEGER CHECK ((claimed_until IS NULL) = (claimed_at IS NULL)),
    rested_at     INTEGER,
    rested_until  INTEGER CHECK ((rested_until IS NULL) = (rested_at IS NULL)),
    reason        TEXT CHECK ((reason IS NULL) = (rested_at IS NULL)),
    last_error    TEXT
) STRICT, WITHOUT ROWID;
