//! Who may reach a server, and when.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::expect::{all_at_once, equal};
use super::{Case, Verdict};
use crate::UpstreamState;
use crate::upstream::{Entry, Rest, Visit};

pub(super) const CASES: &[Case<dyn UpstreamState>] = &[
    Case { name: "of many callers at once one tries an unknown server", run: |state| Box::pin(one_claim(state)) },
    Case { name: "a server that was well is open for a while", run: |state| Box::pin(open_for_a_while(state)) },
    Case { name: "a server that failed rests, with its reason", run: |state| Box::pin(rests(state)) },
    Case { name: "after its rest a server is tried by one caller", run: |state| Box::pin(tried_after_rest(state)) },
    Case { name: "a trial that was left behind ends by itself", run: |state| Box::pin(trial_ends(state)) },
    Case { name: "success does not end a rest that began meanwhile", run: |state| Box::pin(rest_wins(state)) },
    Case { name: "servers do not know of each other", run: |state| Box::pin(apart(state)) },
    Case { name: "what a clock that ran ahead wrote is not believed", run: |state| Box::pin(clock_set_back(state)) },
];

/// A fixed time, to the microsecond as times are kept.
const START: Timestamp = Timestamp::constant(1_900_000_000, 0);

fn after(seconds: i64) -> Timestamp {
    START + SignedDuration::from_secs(seconds)
}

fn visit(seconds: i64) -> Visit {
    Visit { now: after(seconds), trial: Duration::from_secs(6), proof: Duration::from_secs(5) }
}

fn rest(since: i64, until: i64) -> Rest {
    Rest {
        since: after(since),
        until: after(until),
        reason: "connection_timeout".to_owned(),
        last_error: Some("Connection timeout after 5000ms 连接".to_owned()),
    }
}

async fn one_claim(state: &dyn UpstreamState) -> Verdict {
    let entries = all_at_once((0..20).map(|_| state.enter("ckb", visit(0)))).await;
    let entries = entries.into_iter().collect::<crate::Result<Vec<_>>>()?;
    equal("claims", entries.iter().filter(|entry| **entry == Entry::Claimed).count(), 1)?;
    let tried = Entry::Tried { until: after(6) };
    equal("others", entries.iter().filter(|entry| **entry == tried).count(), 19)
}

async fn open_for_a_while(state: &dyn UpstreamState) -> Verdict {
    state.enter("ckb", visit(0)).await?;
    state.proved("ckb", after(1)).await?;
    equal("at once", state.enter("ckb", visit(1)).await?, Entry::Open)?;
    equal("a little later", state.enter("ckb", visit(5)).await?, Entry::Open)?;
    equal("much later", state.enter("ckb", visit(6)).await?, Entry::Claimed)
}

async fn rests(state: &dyn UpstreamState) -> Verdict {
    state.enter("ckb", visit(0)).await?;
    state.rested("ckb", rest(1, 61)).await?;
    equal("at once", state.enter("ckb", visit(1)).await?, Entry::Resting(rest(1, 61)))?;
    equal("to the end", state.enter("ckb", visit(60)).await?, Entry::Resting(rest(1, 61)))?;
    let silent = Rest { last_error: None, ..rest(2, 90) };
    state.rested("ckb", silent.clone()).await?;
    equal("the newest counts", state.enter("ckb", visit(61)).await?, Entry::Resting(silent))
}

async fn tried_after_rest(state: &dyn UpstreamState) -> Verdict {
    state.proved("ckb", after(0)).await?;
    state.rested("ckb", rest(1, 3)).await?;
    equal("an older proof is void", state.enter("ckb", visit(3)).await?, Entry::Claimed)?;
    equal("the second", state.enter("ckb", visit(3)).await?, Entry::Tried { until: after(9) })?;
    state.proved("ckb", after(4)).await?;
    equal("afterwards", state.enter("ckb", visit(4)).await?, Entry::Open)
}

async fn trial_ends(state: &dyn UpstreamState) -> Verdict {
    state.enter("ckb", visit(0)).await?;
    equal("before", state.enter("ckb", visit(5)).await?, Entry::Tried { until: after(6) })?;
    equal("after", state.enter("ckb", visit(6)).await?, Entry::Claimed)
}

async fn rest_wins(state: &dyn UpstreamState) -> Verdict {
    state.rested("ckb", rest(1, 61)).await?;
    state.proved("ckb", after(2)).await?;
    equal("during", state.enter("ckb", visit(3)).await?, Entry::Resting(rest(1, 61)))
}

async fn apart(state: &dyn UpstreamState) -> Verdict {
    state.rested("one", rest(0, 60)).await?;
    equal("another", state.enter("two", visit(1)).await?, Entry::Claimed)?;
    equal("another spelling", state.enter("ONE", visit(1)).await?, Entry::Claimed)?;
    equal("the same", state.enter("one", visit(1)).await?, Entry::Resting(rest(0, 60)))
}

async fn clock_set_back(state: &dyn UpstreamState) -> Verdict {
    state.rested("rest", rest(3_600, 3_660)).await?;
    equal("rest", state.enter("rest", visit(0)).await?, Entry::Claimed)?;
    state.proved("proof", after(3_600)).await?;
    equal("proof", state.enter("proof", visit(0)).await?, Entry::Claimed)?;
    state.enter("trial", visit(3_600)).await?;
    equal("trial", state.enter("trial", visit(0)).await?, Entry::Claimed)
}
