-- Finding files by words takes the place of the full text of files without a grammar.
DROP TABLE file_words;

-- A file that changes gets a new number, so a number in a list that is not here stands for what has gone.
CREATE TABLE word_file (
    number INTEGER PRIMARY KEY,
    file   INTEGER NOT NULL UNIQUE,
    parts  BLOB NOT NULL
) STRICT;

-- The numbers of the files with a word, rising, each with its weight. A change adds a segment, named by the first number in it;
-- when there are many, small ones become one.
CREATE TABLE word (
    segment INTEGER NOT NULL,
    word    TEXT NOT NULL,
    files   BLOB NOT NULL,
    PRIMARY KEY (segment, word)
) STRICT, WITHOUT ROWID;

-- For each number, in its place, two bytes: the kind of the file, 0 where there is none, and the class of its length; and the segments.
INSERT INTO meta (key, value) VALUES ('word_classes', x''), ('word_segments', '[]');
