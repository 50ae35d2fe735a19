//! `trailmark move`: what is kept, from one store to another: from one machine to a big engine, and back.

mod copy;
mod place;
mod records;

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};
use store::StoreError;

use self::copy::{Copied, copy};
use self::place::{Kind, Place, Stores};
use self::records::{AllExperiences, Documents, Nodes, Records, Relationships};
use super::progress::Display;
use crate::console::{Console, Paint};
use crate::embedding;
use crate::settings::Settings;

/// Records at fault that are named.
const MOST_NAMED: usize = 10;

#[derive(Debug, Args)]
pub(crate) struct Move {
    /// Where it is: `embedded` (the data folder), `embedded:FOLDER`, the URL of a MongoDB, PostgreSQL or Bolt server, or
    /// `env:VARIABLE` for a URL with a password that the list of processes should not show
    #[arg(long, value_name = "URL")]
    from: String,
    /// Where it shall be, named in the same way; what is there already stays as it is
    #[arg(long, value_name = "URL")]
    to: String,
    /// Move only this; may be repeated [default: all that both can keep]
    #[arg(long, value_enum, value_name = "KIND")]
    only: Vec<Kind>,
}

pub(super) async fn run(options: Move, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let from = Place::parse(&options.from, "--from", settings)?;
    let to = Place::parse(&options.to, "--to", settings)?;
    if from.is(&to) {
        bail!("--from and --to are the same place, {}", from.name());
    }
    from.must_be_there()?;
    let embedder = embedding::of_texts(&embedding::meaning(&settings.embedder, &settings.home));
    let ends = Ends { source: from.stores(None), target: to.stores(embedder), from, to };
    let kinds = ends.kinds(&options.only)?;
    let mut display = Display::new(console);
    let mut moved = Vec::new();
    for kind in &kinds {
        let ended = ends.copy(*kind, &mut display).await;
        match ended {
            Ok(copied) => moved.extend(copied),
            Err(error) => {
                display.clear();
                ends.close().await;
                return Err(
                    anyhow::Error::from(error).context("the move is not complete; the same command goes on with it")
                );
            }
        }
    }
    display.clear();
    ends.close().await;
    let left_out: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| !kinds.contains(kind)).collect();
    if console.json {
        console.json(&described(&ends, &moved, &left_out));
    } else {
        print(&ends, &moved, &left_out, console);
    }
    let holds = moved.iter().all(|(_, copied)| copied.is_whole() && copied.miscount().is_none());
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Both ends of a move.
struct Ends {
    from: Place,
    to: Place,
    source: Stores,
    target: Stores,
}

impl Ends {
    /// What is moved: what is wanted, or all that both can keep.
    fn kinds(&self, wanted: &[Kind]) -> anyhow::Result<Vec<Kind>> {
        let both = |kind: &Kind| self.source.can_keep(*kind) && self.target.can_keep(*kind);
        if let Some(kind) = wanted.iter().find(|kind| !both(kind)) {
            let place = if self.source.can_keep(*kind) { &self.to } else { &self.from };
            bail!("{} cannot keep {}", place.name(), kind.words());
        }
        let is_wanted = |kind: &Kind| wanted.is_empty() || wanted.contains(kind);
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| both(kind) && is_wanted(kind)).collect();
        if kinds.is_empty() {
            let keeps = |place: &Place, stores: &Stores| format!("{} keeps {}", place.name(), stores.all_it_keeps());
            let (source, target) = (keeps(&self.from, &self.source), keeps(&self.to, &self.target));
            bail!("{source}, {target}: there is nothing that both can keep");
        }
        Ok(kinds)
    }

    async fn copy(&self, kind: Kind, display: &mut Display) -> Result<Vec<(&'static str, Copied)>, StoreError> {
        let (source, target) = (&self.source, &self.target);
        let mut done = Vec::new();
        match kind {
            Kind::Documents => {
                let ends = source.documents.clone().zip(target.documents.clone());
                let Some((from, to)) = ends else { return Ok(done) };
                done.push(shown("documents", &Documents(from), &Documents(to), display).await?);
            }
            Kind::Knowledge => {
                let ends = source.knowledge.clone().zip(target.knowledge.clone());
                let Some((from, to)) = ends else { return Ok(done) };
                done.push(shown("nodes", &Nodes(from.clone()), &Nodes(to.clone()), display).await?);
                done.push(shown("relationships", &Relationships(from), &Relationships(to), display).await?);
            }
            Kind::Experiences => {
                let ends = source.experiences.clone().zip(target.experiences.clone());
                let Some((from, to)) = ends else { return Ok(done) };
                done.push(shown("experiences", &AllExperiences(from), &AllExperiences(to), display).await?);
            }
        }
        Ok(done)
    }

    async fn close(&self) {
        tokio::join!(self.source.close(), self.target.close());
    }
}

async fn shown<R: Records>(
    what: &'static str,
    from: &R,
    to: &R,
    display: &mut Display,
) -> Result<(&'static str, Copied), StoreError> {
    Ok((what, copy(from, to, |done, total| display.show(what, done, total)).await?))
}

fn print(ends: &Ends, moved: &[(&'static str, Copied)], left_out: &[Kind], console: &Console) {
    console.line(&format!("{} → {}", ends.from.name(), ends.to.name()));
    for (what, copied) in moved {
        let Copied { read, new, known, different, refused, .. } = copied;
        let sign = if copied.is_whole() && copied.miscount().is_none() {
            console.paint(Paint::Good, "complete")
        } else {
            console.paint(Paint::Bad, "incomplete")
        };
        console.line(&format!("  {read} {what}: {new} new, {known} there already ({sign})"));
        name(different.iter().map(|id| format!("{id}: the target has something else under this id")), console);
        name(refused.iter().map(|(id, reason)| format!("{id}: {reason}")), console);
        if let Some(problem) = copied.miscount() {
            console.line(&format!("    the numbers of {what} do not fit: {problem}; run the same command again"));
        }
    }
    for kind in left_out {
        let reason = match (ends.source.can_keep(*kind), ends.target.can_keep(*kind)) {
            (true, true) => "not asked for".to_owned(),
            (false, _) => format!("{} cannot keep them", ends.from.name()),
            (true, false) => format!("{} cannot keep them", ends.to.name()),
        };
        console.line(&format!("  left out: {} ({reason})", kind.words()));
    }
}

fn name(lines: impl ExactSizeIterator<Item = String>, console: &Console) {
    let more = lines.len().saturating_sub(MOST_NAMED);
    lines.take(MOST_NAMED).for_each(|line| console.line(&format!("    not moved: {line}")));
    if more > 0 {
        console.line(&format!("    … and {more} more; --json names them all"));
    }
}

fn described(ends: &Ends, moved: &[(&'static str, Copied)], left_out: &[Kind]) -> Value {
    let one = |(what, copied): &(&'static str, Copied)| {
        let Copied { read, new, known, different, refused, sizes, .. } = copied;
        let refusal = |(id, reason): &(uuid::Uuid, String)| json!({ "id": id.to_string(), "reason": reason });
        json!({
            "what": what,
            "read": read,
            "new": new,
            "known": known,
            "different": different.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "refused": refused.iter().map(refusal).collect::<Vec<_>>(),
            "at_source": sizes.0,
            "at_target": sizes.1,
            "problem": copied.miscount(),
        })
    };
    json!({
        "from": ends.from.name(),
        "to": ends.to.name(),
        "moved": moved.iter().map(one).collect::<Vec<_>>(),
        "left_out": left_out.iter().map(|kind| kind.words()).collect::<Vec<_>>(),
    })
}
