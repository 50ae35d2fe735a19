//! The same questions as statements written by hand for the same file, prepared once: what SQLite allows at best.

use std::collections::HashSet;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use serde_json::Map;

use crate::Measured;
use crate::questions::{Parameter, Question};

const ID: &str = "SELECT id FROM node WHERE qualified_name = ?1 AND label = 10";
const CALLED: &str = "SELECT dst FROM edge WHERE src = ?1 AND type = 5";
const CALLERS: &str = "SELECT src FROM edge WHERE dst = ?1 AND type = 5";

pub(crate) fn measure(home: &Path, questions: &[Question]) -> serde_json::Value {
    let file = home.join("projects").read_dir().or_else(|_| home.read_dir()).unwrap();
    let mut files = file.map(|entry| entry.unwrap().path());
    let file = files.find(|path| path.extension().is_some_and(|ending| ending == "db")).unwrap();
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    connection.pragma_update(None, "cache_size", -262_144).unwrap();
    let asked = questions.iter().filter(|question| !question.plans_only);
    let measured = asked.map(|question| {
        let measured = Measured::of(&question.parameters, |given| match question.sql {
            Some(sql) => select(&connection, sql, given),
            None => path(&connection, &given[0].1, &given[1].1).map_or((0, 0), |length| (1, length)),
        });
        (question.name.to_owned(), measured.json())
    });
    measured.collect::<Map<_, _>>().into()
}

/// How many rows, and the sum of all whole numbers in them.
fn select(connection: &Connection, sql: &str, given: &[Parameter]) -> (usize, i64) {
    let mut statement = connection.prepare_cached(sql).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query(params_from_iter(given.iter().map(|(_, text)| text))).unwrap();
    let (mut count, mut sum) = (0, 0);
    while let Some(row) = rows.next().unwrap() {
        count += 1;
        // Texts are copied, as whoever answers with them must.
        for column in 0..columns {
            match row.get_ref(column).unwrap() {
                ValueRef::Integer(number) => sum += number,
                ValueRef::Text(text) => drop(std::hint::black_box(text.to_vec())),
                ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => {}
            }
        }
    }
    (count, sum)
}

/// The length of the shortest chain of calls, up to four, searched from both ends.
fn path(connection: &Connection, from: &str, to: &str) -> Option<i64> {
    let id = |name: &str| connection.prepare_cached(ID).unwrap().query_row([name], |row| row.get(0)).unwrap();
    let (from, to): (i64, i64) = (id(from), id(to));
    let mut sides = [(HashSet::from([from]), vec![from]), (HashSet::from([to]), vec![to])];
    for length in 1..=4 {
        let side = usize::from(sides[1].1.len() < sides[0].1.len());
        let mut next = Vec::new();
        let mut statement = connection.prepare_cached([CALLED, CALLERS][side]).unwrap();
        for node in std::mem::take(&mut sides[side].1) {
            let mut rows = statement.query([node]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let far = row.get(0).unwrap();
                if sides[1 - side].0.contains(&far) {
                    return Some(length);
                }
                if sides[side].0.insert(far) {
                    next.push(far);
                }
            }
        }
        sides[side].1 = next;
    }
    None
}
