//! Do the nodes, the relationships and what they are found by belong together?

use rusqlite::Connection;

use crate::job::Outcome;

/// What is wrong, one line each.
pub(crate) fn problems(connection: &Connection) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    for sql in CHECKS {
        let mut statement = connection.prepare(sql)?;
        found.extend(statement.query_map((), |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?);
    }
    Ok(found)
}

const CHECKS: &[&str] = &[
    "SELECT 'relationship ' || key || ' has lost an end' FROM knowledge_relationship
     WHERE start NOT IN (SELECT key FROM knowledge_node) OR finish NOT IN (SELECT key FROM knowledge_node)",
    "SELECT 'relationship ' || key || ' cannot be walked' FROM knowledge_relationship AS known
     WHERE NOT EXISTS (SELECT 1 FROM knowledge_end WHERE node = start AND relationship = known.key AND other = finish)
        OR NOT EXISTS (SELECT 1 FROM knowledge_end WHERE node = finish AND relationship = known.key AND other = start)",
    "SELECT 'node ' || node || ' leads to relationship ' || relationship || ', which is not there' FROM knowledge_end
     WHERE relationship NOT IN (SELECT key FROM knowledge_relationship)",
    "SELECT 'a value leads to a node that is not there' FROM knowledge_value
     WHERE id NOT IN (SELECT id FROM knowledge_node) LIMIT 1",
    "SELECT 'names lead to node ' || node || ', which is not there' FROM knowledge_named
     WHERE node NOT IN (SELECT key FROM knowledge_node)",
    "SELECT 'word ' || key || ' has ' || count(node) || ' nodes, but counts ' || nodes
     FROM knowledge_word LEFT JOIN knowledge_word_node ON knowledge_word_node.word = key
     GROUP BY key HAVING count(node) <> nodes",
    "SELECT 'node ' || node || ' has the word ' || word || ', but no names' FROM knowledge_word_node
     WHERE node NOT IN (SELECT node FROM knowledge_named)",
    "SELECT 'word ' || key || ' cannot be found' FROM knowledge_word
     WHERE substr(word, 1, 1) <> '=' AND (family IS NULL OR family NOT IN (SELECT family FROM knowledge_family_key))",
    "SELECT 'family ' || known.key || ' has ' || count(knowledge_word.key) || ' words, but counts ' || words
     FROM knowledge_family AS known LEFT JOIN knowledge_word ON knowledge_word.family = known.key
     GROUP BY known.key HAVING count(knowledge_word.key) <> words",
    "SELECT 'a key leads to family ' || family || ', which is not there' FROM knowledge_family_key
     WHERE family NOT IN (SELECT key FROM knowledge_family)",
];
