//! Near-repetitions: recognised, never refused, never merged.

use super::expect::{equal, holds};
use super::experiences::{experience, search};
use super::{Case, Verdict};
use crate::{Experiences, NewExperience};

pub(super) const CASES: &[Case<dyn Experiences>] = &[
    Case { name: "a near-repetition names its twin and is kept", run: |store| Box::pin(twins(store)) },
    Case { name: "a deleted experience is nobody's twin", run: |store| Box::pin(deleted(store)) },
];

fn router(address: &str) -> NewExperience {
    let problem = format!(
        "The router answers at {address} and the gateway of the office network does not reach the printer any more"
    );
    experience("Printer cannot be reached", &problem)
}

/// What comes after the first, and whether the first is its twin.
async fn twins(store: &dyn Experiences) -> Verdict {
    let first = store.submit(router("v7.1")).await?;
    equal("twin of the first", first.twin, None)?;
    let mut reworded = router("v7.1");
    reworded.title = "The printer cannot be reached".to_owned();
    let mut other = router("v7.1");
    other.problem_description = "打印机没有纸，需要加纸之后重新启动".to_owned();
    other.title = "没有纸".to_owned();
    for (name, given, expected) in [
        ("the same again", router("v7.1"), true),
        ("reworded", reworded, true),
        ("another version", router("v9.1"), false),
        ("something else", other, false),
    ] {
        let submitted = store.submit(given).await?;
        equal(name, submitted.twin.is_some(), expected)?;
        store.get(submitted.id).await?;
    }
    holds(search(store, "printer", 10, 0).await?.total == 4, || "not all are kept".to_owned())
}

async fn deleted(store: &dyn Experiences) -> Verdict {
    let first = store.submit(router("v7.1")).await?;
    store.delete(first.id).await?;
    equal("twin", store.submit(router("v7.1")).await?.twin, None)
}
