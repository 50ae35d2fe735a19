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
