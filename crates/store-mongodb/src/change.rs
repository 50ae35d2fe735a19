//! Changing documents. Each is one row, so that each change happens whole or not at all; ids are ours, so that what is sent
//! twice is kept once.

use jiff::Timestamp;
use mongodb::Collection;
use mongodb::bson::{Document as Row, doc};
use mongodb::error::{Error, ErrorKind as MongoKind};
use store::{Document, DocumentId, DocumentPatch, ErrorKind, NewDocument, StoreError};

use crate::failure::{DUPLICATE, Failure, Outcome, unreadable};
use crate::find;
use crate::row;

/// How often an update is tried while others change the same document; in each round one of them succeeds.
const ROUNDS: usize = 100;

pub(crate) async fn save(documents: &Collection<Row>, new: NewDocument) -> Outcome<DocumentId> {
    let NewDocument { topic, content, tags, source } = new;
    let (id, now) = (DocumentId::generate(), Timestamp::now());
    let document = Document { id, topic, content, tags, source, created_at: now, updated_at: now };
    documents.insert_one(row::row(&document, 0)).await?;
    Ok(id)
}

pub(crate) async fn update(documents: &Collection<Row>, id: DocumentId, patch: DocumentPatch) -> Outcome<()> {
    for _ in 0..ROUNDS {
        let found = find::row(documents, id).await?;
        let revision = found.get_i64("revision").map_err(unreadable)?;
        let mut document = row::document(&found)?;
        let before = document.updated_at;
        patch.clone().apply(&mut document);
        // The clock may have been set back.
        let after = Timestamp::from_microsecond(before.as_microsecond() + 1).unwrap_or(before);
        document.updated_at = Timestamp::now().max(after);
        let same = doc! { "_id": row::key(id), "revision": revision };
        if documents.replace_one(same, row::row(&document, revision + 1)).await?.matched_count == 1 {
            return Ok(());
        }
    }
    let message = format!("document `{id}` is being changed by too many at once");
    Err(StoreError::new(ErrorKind::Conflict, message).with_hint("try again").into())
}

pub(crate) async fn delete(documents: &Collection<Row>, id: DocumentId) -> Outcome<()> {
    let deleted = documents.delete_one(doc! { "_id": row::key(id) }).await?.deleted_count;
    if deleted == 1 { Ok(()) } else { Err(StoreError::not_found("document", id).into()) }
}

/// Keeps those that are not known yet, and says how many they were. A server that fails meanwhile may have kept some; the same
/// import again keeps the rest.
pub(crate) async fn import(documents: &Collection<Row>, given: &[Document]) -> Outcome<usize> {
    if given.is_empty() {
        return Ok(0);
    }
    let rows = given.iter().map(|document| row::row(document, 0));
    match documents.insert_many(rows).ordered(false).await {
        Ok(inserted) => Ok(inserted.inserted_ids.len()),
        Err(error) => known_already(&error).map(|known| given.len() - known).ok_or_else(|| Failure::from(error)),
    }
}

/// How many were refused because their id is known, if there was no other reason.
fn known_already(error: &Error) -> Option<usize> {
    let MongoKind::InsertMany(refused) = &*error.kind else { return None };
    let refusals = refused.write_errors.as_ref().filter(|_| refused.write_concern_error.is_none())?;
    refusals.iter().all(|refusal| refusal.code == DUPLICATE).then_some(refusals.len())
}
