//! Copies records of one kind from one place to another, so that doing it again changes nothing and a copy that was
//! interrupted is gone on with.
//!
//! Nothing is written down about how far a copy has come: the records at the target say so. Those that are new there are kept
//! as they are; those that are there already are compared and never written over.

use std::collections::BTreeMap;

use store::Result;
use uuid::Uuid;

use super::records::{Records, is_about_a_record};

/// How the copy of one kind ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Copied {
    /// How many were read at the source.
    pub(super) read: u64,
    /// How many of them are new at the target.
    pub(super) new: u64,
    /// How many were there already and say the same.
    pub(super) known: u64,
    /// What is there already under the same id and says something else.
    pub(super) different: Vec<Uuid>,
    /// What the target does not keep, and why.
    pub(super) refused: Vec<(Uuid, String)>,
    /// How many there are at the source and at the target, after the copy.
    pub(super) sizes: (u64, u64),
    /// How many there were at the target before.
    pub(super) before: u64,
}

impl Copied {
    /// Whether all that was read is at the target now.
    pub(super) fn is_whole(&self) -> bool {
        self.different.is_empty() && self.refused.is_empty()
    }

    /// What is wrong with the numbers, if something is.
    pub(super) fn miscount(&self) -> Option<String> {
        let Self { read, new, sizes: (source, target), before, .. } = self;
        if read != source {
            return Some(format!(
                "{read} were read, and now there are {source}: somebody has changed the source meanwhile"
            ));
        }
        let least = before + new;
        (*target < least).then(|| format!("there must be {least} at the target, but there are {target}"))
    }
}

/// Copies all of it. `progress` is told how many of how many are done.
pub(super) async fn copy<R: Records>(from: &R, to: &R, mut progress: impl FnMut(u64, u64)) -> Result<Copied> {
    let total = from.size().await?;
    let mut copied = Copied { before: to.size().await?, ..Copied::default() };
    progress(0, total);
    let mut after = None;
    loop {
        let page = from.page(after).await?;
        let Some(last) = page.last().map(R::id) else { break };
        copied.read += page.len() as u64;
        put_page(to, after, page, &mut copied).await?;
        after = Some(last);
        progress(copied.read, total.max(copied.read));
    }
    copied.sizes = (from.size().await?, to.size().await?);
    Ok(copied)
}

async fn put_page<R: Records>(to: &R, after: Option<Uuid>, page: Vec<R::Record>, copied: &mut Copied) -> Result<()> {
    let given = page.len();
    match to.put(page.clone()).await {
        Ok(new) => {
            copied.new += new as u64;
            if new == given { Ok(()) } else { compare(to, after, page, new, copied).await }
        }
        Err(error) if is_about_a_record(&error) => put_one_by_one(to, after, page, copied).await,
        Err(error) => Err(error),
    }
}

/// One of them cannot be kept; the others can.
async fn put_one_by_one<R: Records>(
    to: &R,
    after: Option<Uuid>,
    page: Vec<R::Record>,
    copied: &mut Copied,
) -> Result<()> {
    let (mut kept, mut new) = (Vec::with_capacity(page.len()), 0);
    for record in page {
        match to.put(vec![record.clone()]).await {
            Ok(put) => {
                new += put;
                kept.push(record);
            }
            Err(error) if is_about_a_record(&error) => copied.refused.push((R::id(&record), error.to_string())),
            Err(error) => return Err(error),
        }
    }
    copied.new += new as u64;
    if new == kept.len() { Ok(()) } else { compare(to, after, kept, new, copied).await }
}

/// Some of these were there already: do they say the same?
async fn compare<R: Records>(
    to: &R,
    mut after: Option<Uuid>,
    page: Vec<R::Record>,
    new: usize,
    copied: &mut Copied,
) -> Result<()> {
    let mut wanted: BTreeMap<Uuid, R::Record> = page.into_iter().map(|record| (R::id(&record), record)).collect();
    let mut same = 0_u64;
    while let Some((last, _)) = wanted.last_key_value() {
        let last = *last;
        let there = to.page(after).await?;
        let Some(end) = there.last().map(R::id) else { break };
        for found in &there {
            let Some(record) = wanted.remove(&R::id(found)) else { continue };
            if R::is_same(&record, found) {
                same += 1;
            } else {
                copied.different.push(R::id(found));
            }
        }
        if end >= last {
            break;
        }
        after = Some(end);
    }
    // What was put just now is among those that say the same.
    copied.known += same.saturating_sub(new as u64);
    // Others may have removed one since it was found to be there.
    let gone = wanted.into_keys().map(|id| (id, "somebody has removed it at the target meanwhile".to_owned()));
    copied.refused.extend(gone);
    Ok(())
}

#[cfg(test)]
mod tests;
