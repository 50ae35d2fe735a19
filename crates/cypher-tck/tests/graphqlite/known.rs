//! Where graphqlite 0.12.0 is wrong or has no answer. What is right was looked up in the conformance suite, whose scenario is named.

use crate::Compared;

pub(crate) struct Fault {
    /// Where it can show.
    pub(crate) explains: fn(&Compared<'_>) -> bool,
    pub(crate) reason: &'static str,
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        explains: |compared| compared.is_refused_with(&["duplicate WITH table name: _varlen_path"]),
        reason: "several patterns of variable length in one query become SQL that SQLite refuses",
    },
    Fault {
        explains: |compared| compared.is_refused_with(&["no such column: _with_"]),
        reason: "a node that WITH passes on is not found again in the SQL that is made",
    },
    Fault {
        explains: |compared| compared.query.contains("max(c.name)") && compared.shows("0.0"),
        reason: "the greatest text is a text (Aggregation2 [7]), not the number 0.0",
    },
    Fault {
        explains: |compared| compared.query.contains("sum(") && compared.shows("null"),
        reason: "the sum of nothing is 0 (openCypher 9, sum), not null",
    },
    Fault {
        explains: |compared| compared.graph.has_loops() && compared.query_has_undirected(),
        reason: "a loop fits an undirected relationship once (CountingSubgraphMatches1 [6]), not twice",
    },
    Fault {
        explains: |compared| compared.repeats_a_type(),
        reason: "a relationship may be matched again by the next MATCH (openCypher 9, uniqueness), but it is not",
    },
    Fault {
        explains: |compared| {
            let lengths = compared.variable_lengths();
            compared.theirs.is_ok() && (lengths > 1 || lengths == 1 && compared.query.contains("), ("))
        },
        reason: "within one MATCH no relationship is matched twice (openCypher 9, uniqueness), but it is where a part \
                 is of variable length",
    },
    Fault {
        explains: |compared| compared.is_optional() && compared.graph.has_parallels(),
        reason: "OPTIONAL MATCH gives a row for each relationship that fits (openCypher 9, optional match), but one only \
                 is given for those between the same nodes",
    },
    Fault {
        explains: |compared| compared.is_optional() && compared.query.contains("(c {"),
        reason: "the properties of the far node of OPTIONAL MATCH are part of the pattern (openCypher 9, optional match), \
                 but they are not always looked at",
    },
];

impl Compared<'_> {
    fn is_refused_with(&self, errors: &[&str]) -> bool {
        self.theirs.as_ref().is_err_and(|error| errors.iter().any(|part| error.contains(part)))
    }

    /// Whether a value of their rows is this.
    fn shows(&self, value: &str) -> bool {
        self.theirs.as_ref().is_ok_and(|rows| rows.iter().any(|row| row.split(" | ").any(|shown| shown == value)))
    }

    fn is_optional(&self) -> bool {
        self.theirs.is_ok() && self.query.contains("OPTIONAL MATCH")
    }

    /// How many relationships of variable length there are.
    fn variable_lengths(&self) -> usize {
        self.query.matches("[*").count() + self.query.matches("S*").count()
    }

    /// Whether two clauses can find the same relationship: they cannot where one is for calls and one for definitions.
    fn repeats_a_type(&self) -> bool {
        let repeats = |part: &str| part.matches("MATCH").count() > 1 && !part.contains("[:DEFINES]");
        self.theirs.is_ok() && self.query.split(" UNION ").any(repeats)
    }

    fn query_has_undirected(&self) -> bool {
        let parts = [")--(", ")-[:CALLS|DEFINES]-(", ")-[:DEFINES]-(", ")-[*1..2]-(", ")-[:CALLS*2]-("];
        self.theirs.is_ok() && parts.iter().any(|part| self.query.contains(part))
    }
}
