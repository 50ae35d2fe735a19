//! Making a section of the newest experiences, once there are enough of them.
//!
//! A transaction of its own, beside submissions: these only add what is newer. A search sees either the newest or the section.

use deadpool_postgres::{Client, Transaction};
use experience::index::{PostingsBuilder, decode};
use tokio_postgres::types::{ToSql, Type};

use super::{SECTION, bulk, signed, unsigned};
use crate::error::{self, Outcome};
use crate::migrations::LOCK_CLASS;
use crate::pool::bulk_limits;

/// Makes sections until too few are left for one. Whoever else is at it already is left alone.
pub(super) async fn all(client: &mut Client) -> Outcome<()> {
    while one(client).await? {}
    Ok(())
}

async fn one(client: &mut Client) -> Outcome<bool> {
    let transaction = client.transaction().await?;
    transaction.batch_execute(&bulk_limits()).await?;
    let lock = "SELECT pg_try_advisory_xact_lock($1, hashtext(current_schema() || '.experience_section'))";
    if !transaction.query_one(lock, &[&LOCK_CLASS]).await?.try_get(0)? {
        return Ok(false);
    }
    let totals = transaction.query_one("SELECT experiences, sections FROM experience_totals", &[]).await?;
    let (experiences, section) = (unsigned(totals.try_get(0)?), unsigned(totals.try_get(1)?));
    if experiences < (section + 1) * SECTION {
        return Ok(false);
    }
    let keys = [signed(section * SECTION), signed((section + 1) * SECTION)];
    let newest = "SELECT created_at, terms FROM experience_recent WHERE key >= $1 AND key < $2 ORDER BY key";
    let rows = transaction.query(newest, &[&keys[0], &keys[1]]).await?;
    if rows.len() as u64 != SECTION {
        return Err(error::unreadable("the index", format!("{} of {SECTION} experiences are there", rows.len())).into());
    }
    let mut newest: Vec<(i64, &[u8])> = Vec::with_capacity(rows.len());
    for row in &rows {
        newest.push((row.try_get(0)?, row.try_get(1)?));
    }
    write(&transaction, section, &Section::of(&newest)).await?;
    let delete = "DELETE FROM experience_recent WHERE key >= $1 AND key < $2";
    transaction.execute(delete, &[&keys[0], &keys[1]]).await?;
    transaction.execute("UPDATE experience_totals SET sections = sections + 1", &[]).await?;
    transaction.commit().await?;
    Ok(true)
}

/// A section as it is stored.
struct Section {
    lengths: Vec<u8>,
    created_at: Vec<u8>,
    /// Terms in order, with their postings.
    postings: Vec<(i64, Vec<u8>)>,
}

impl Section {
    fn of(newest: &[(i64, &[u8])]) -> Self {
        let (mut lengths, mut created_at) = (Vec::with_capacity(newest.len()), Vec::with_capacity(8 * newest.len()));
        let mut found: Vec<(u64, u16, u8)> = Vec::new();
        for (place, (created, terms)) in (0..=u16::MAX).zip(newest) {
            let (level, terms) = decode(terms);
            lengths.push(level);
            created_at.extend(created.to_le_bytes());
            found.extend(terms.map(|(term, weight)| (term, place, weight)));
        }
        found.sort_unstable();
        let mut builder = PostingsBuilder::default();
        let postings = found.chunk_by(|left, right| left.0 == right.0).map(|same| {
            same.iter().for_each(|(_, place, weight)| builder.push(*place, *weight));
            let mut row = Vec::new();
            builder.take(&mut row);
            (signed(same[0].0), row)
        });
        let postings = postings.collect();
        Self { lengths, created_at, postings }
    }
}

async fn write(transaction: &Transaction<'_>, number: u64, section: &Section) -> Outcome<()> {
    let number = signed(number);
    let insert = "INSERT INTO experience_section (section, lengths, created_at) VALUES ($1, $2, $3)";
    transaction.execute(insert, &[&number, &section.lengths, &section.created_at]).await?;
    let rows = section.postings.iter().map(|(term, row)| -> Vec<&(dyn ToSql + Sync)> { vec![term, &number, row] });
    let types = [Type::INT8, Type::INT8, Type::BYTEA];
    bulk::copy(transaction, "experience_postings (term, section, postings)", &types, rows).await
}

#[cfg(test)]
mod tests {
    use experience::index::{DocumentTerms, Postings, term};

    use super::*;

    #[test]
    fn a_section_holds_the_places_of_every_term() {
        let terms = |text: &str| DocumentTerms::of(text, &[], ["common"]).encode();
        let rows = [terms("alpha"), terms("beta"), terms("alpha alpha")];
        let section = Section::of(&[(1, &rows[0]), (2, &rows[1]), (-3, &rows[2])]);
        assert_eq!(section.lengths.len(), 3);
        assert_eq!(section.created_at[16..], (-3_i64).to_le_bytes());
        let places = |word: &str| {
            let row = section.postings.iter().find(|(found, _)| *found == signed(term(word)));
            let mut places = Vec::new();
            Postings::read(&row.unwrap().1).each(|place, weight| places.push((place, weight)));
            places
        };
        assert_eq!(places("alpha"), [(0, 3), (2, 6)]);
        assert_eq!(places("common"), [(0, 1), (1, 1), (2, 1)]);
    }
}
