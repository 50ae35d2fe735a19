//! What a copy does with pages, repetitions, refusals and losses.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use store::{ErrorKind, StoreError};

use super::*;

/// Numbers with a text, some of which cannot be kept, at a place that may be lost.
#[derive(Default)]
struct Memory {
    kept: Mutex<BTreeMap<u128, String>>,
    unwanted: Option<&'static str>,
    /// How often something can be put before the place is lost.
    puts_left: Mutex<Option<usize>>,
}

const PAGE: usize = 3;

#[async_trait]
impl Records for Memory {
    type Record = (u128, String);

    async fn page(&self, after: Option<Uuid>) -> Result<Vec<Self::Record>> {
        let kept = self.kept.lock().unwrap();
        let first = after.map_or(0, |after| after.as_u128() + 1);
        Ok(kept.range(first..).take(PAGE).map(|(id, text)| (*id, text.clone())).collect())
    }

    async fn put(&self, records: Vec<Self::Record>) -> Result<usize> {
        match &mut *self.puts_left.lock().unwrap() {
            Some(0) => return Err(StoreError::new(ErrorKind::Unavailable, "lost")),
            Some(left) => *left -= 1,
            None => {}
        }
        if records.iter().any(|(_, text)| Some(text.as_str()) == self.unwanted) {
            return Err(StoreError::new(ErrorKind::InvalidInput, "unwanted"));
        }
        let mut kept = self.kept.lock().unwrap();
        let before = kept.len();
        for (id, text) in records {
            kept.entry(id).or_insert(text);
        }
        Ok(kept.len() - before)
    }

    async fn size(&self) -> Result<u64> {
        Ok(self.kept.lock().unwrap().len() as u64)
    }

    fn id(record: &Self::Record) -> Uuid {
        Uuid::from_u128(record.0)
    }

    fn is_same(one: &Self::Record, other: &Self::Record) -> bool {
        one == other
    }
}

fn memory(records: impl IntoIterator<Item = (u128, &'static str)>) -> Memory {
    let kept = records.into_iter().map(|(id, text)| (id, text.to_owned())).collect();
    Memory { kept: Mutex::new(kept), ..Memory::default() }
}

#[tokio::test]
async fn all_pages_are_copied_and_counted() {
    let (from, to) = (memory((1..=10).map(|id| (id, "x"))), Memory::default());
    let mut seen = Vec::new();
    let copied = copy(&from, &to, |done, total| seen.push((done, total))).await.unwrap();
    assert_eq!((copied.read, copied.new, copied.known, copied.sizes), (10, 10, 0, (10, 10)));
    assert!(copied.is_whole() && copied.miscount().is_none());
    assert_eq!(seen, [(0, 10), (3, 10), (6, 10), (9, 10), (10, 10)]);
    assert_eq!(*from.kept.lock().unwrap(), *to.kept.lock().unwrap());
}

#[tokio::test]
async fn a_copy_that_was_lost_is_gone_on_with() {
    let from = memory((1..=10).map(|id| (id, "x")));
    let to = Memory { puts_left: Mutex::new(Some(2)), ..Memory::default() };
    assert_eq!(copy(&from, &to, |_, _| {}).await.unwrap_err().to_string(), "lost");
    assert_eq!(to.kept.lock().unwrap().len(), 6);
    *to.puts_left.lock().unwrap() = None;
    let copied = copy(&from, &to, |_, _| {}).await.unwrap();
    assert_eq!((copied.new, copied.known), (4, 6));
    assert!(copied.is_whole() && copied.miscount().is_none());
    assert_eq!(*from.kept.lock().unwrap(), *to.kept.lock().unwrap());
}

#[tokio::test]
async fn what_is_there_already_is_compared_and_never_written_over() {
    let from = memory([(2, "same"), (4, "ours"), (6, "new")]);
    let to = memory([(1, "a"), (2, "same"), (3, "b"), (4, "theirs"), (5, "c"), (7, "d"), (8, "e")]);
    let copied = copy(&from, &to, |_, _| {}).await.unwrap();
    assert_eq!((copied.new, copied.known, &copied.different[..]), (1, 1, &[Uuid::from_u128(4)][..]));
    assert!(!copied.is_whole() && copied.miscount().is_none());
    assert_eq!(to.kept.lock().unwrap()[&4], "theirs");
}

#[tokio::test]
async fn what_cannot_be_kept_is_named_and_the_rest_is_copied() {
    let from = memory([(1, "a"), (2, "bad"), (3, "c"), (4, "d")]);
    let to = Memory { unwanted: Some("bad"), ..memory([(3, "c")]) };
    let copied = copy(&from, &to, |_, _| {}).await.unwrap();
    assert_eq!((copied.new, copied.known), (2, 1));
    assert_eq!(copied.refused, [(Uuid::from_u128(2), "unwanted".to_owned())]);
    assert_eq!(to.kept.lock().unwrap().len(), 3);
}

#[test]
fn numbers_that_do_not_fit_are_told() {
    let fits = Copied { read: 5, new: 3, known: 2, before: 2, sizes: (5, 5), ..Copied::default() };
    assert_eq!(fits.miscount(), None);
    let changed = Copied { sizes: (6, 5), ..fits };
    assert!(changed.miscount().unwrap().contains("changed the source"));
    let lost = Copied { sizes: (5, 4), ..changed };
    assert!(lost.miscount().unwrap().contains("there must be 5 at the target, but there are 4"));
}
