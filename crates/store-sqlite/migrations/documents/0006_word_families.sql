-- Words that begin alike have the same keys, so a family of words has them once. A whole name, which begins with "=", is found
-- by itself and belongs to none. What decides the family is search::fuzzy::family.
CREATE TABLE knowledge_family (
    key    INTEGER PRIMARY KEY,
    family TEXT NOT NULL UNIQUE,
    words  INTEGER NOT NULL
) STRICT;

CREATE TABLE knowledge_family_key (
    hash   INTEGER NOT NULL,
    family INTEGER NOT NULL,
    PRIMARY KEY (hash, family)
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE family_of_word AS
SELECT key AS word,
       CASE WHEN length(word) <= 2 THEN word
            WHEN length(word) > 64 OR word NOT GLOB '*[^0-9]*' THEN '0' || substr(word, 1, 8)
            WHEN length(word) <= 7 THEN '1' || word
            ELSE '2' || substr(word, 1, 8) END AS family
FROM knowledge_word WHERE substr(word, 1, 1) <> '=';

INSERT INTO knowledge_family (family, words) SELECT family, count(*) FROM family_of_word GROUP BY family;

ALTER TABLE knowledge_word ADD COLUMN family INTEGER;
UPDATE knowledge_word SET family = known.key
FROM family_of_word JOIN knowledge_family AS known ON known.family = family_of_word.family
WHERE family_of_word.word = knowledge_word.key;
CREATE INDEX knowledge_word_by_family ON knowledge_word (family, word) WHERE family IS NOT NULL;

INSERT OR IGNORE INTO knowledge_family_key (hash, family)
SELECT hash, knowledge_word.family FROM knowledge_word_key JOIN knowledge_word ON knowledge_word.key = knowledge_word_key.word
WHERE knowledge_word.family IS NOT NULL;

DROP TABLE family_of_word;
DROP TABLE knowledge_word_key;
