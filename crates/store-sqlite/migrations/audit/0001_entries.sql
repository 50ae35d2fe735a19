-- One row per recorded call. Times are microseconds since 1970, durations microseconds.

CREATE TABLE entry (
    key           INTEGER PRIMARY KEY,
    trace_id      BLOB NOT NULL UNIQUE CHECK (length(trace_id) = 16),
    time          INTEGER NOT NULL,
    client        TEXT NOT NULL,
    transport     TEXT NOT NULL,
    tool          TEXT NOT NULL,
    error_code    TEXT,
    error_message TEXT CHECK ((error_message IS NULL) = (error_code IS NULL)),
    duration      INTEGER NOT NULL,
    redacted      INTEGER NOT NULL,
    arguments     TEXT NOT NULL,
    answer        TEXT
) STRICT;

CREATE INDEX entry_time ON entry (time DESC, trace_id DESC);
CREATE INDEX entry_tool ON entry (tool, time DESC, trace_id DESC);
CREATE INDEX entry_error ON entry (time DESC, trace_id DESC) WHERE error_code IS NOT NULL;
