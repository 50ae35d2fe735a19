//! The index of experiences through all of its stages, in several processes, and after a kill.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use store::{Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperiences, NewExperience};
use store_sqlite::SqliteStore;

use crate::child::{Role, report, start};
use crate::sample::assert_sound;

/// One section, one block and a few more.
const MANY: u64 = 16_384 + 256 + 40;

pub(crate) fn experience(title: &str) -> NewExperience {
    NewExperience {
        title: title.to_owned(),
        problem_description: "缓存 stale cache".to_owned(),
        root_cause: None,
        solution: "clear it".to_owned(),
        context: None,
        keywords: vec!["cache".to_owned()],
    }
}

/// A word of its own for each number; digits would be words by themselves.
fn title(number: u64) -> String {
    let letters = number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect::<String>();
    format!("q{letters}q")
}

fn numbered(number: u64) -> Experience {
    let at = Timestamp::from_second(1_600_000_000 + i64::try_from(number).unwrap()).unwrap();
    Experience {
        id: ExperienceId::generate(),
        content: NewExperience {
            problem_description: ["alpha", "beta", "gamma"][usize::try_from(number % 3).unwrap()].to_owned(),
            ..experience(&title(number))
        },
        query_count: 0,
        created_at: at,
        updated_at: at,
        deleted_at: None,
    }
}

async fn search(store: &SqliteStore, words: &str, offset: usize) -> FoundExperiences {
    store.search(ExperienceSearch { words: words.to_owned(), limit: 50, offset }).await.unwrap()
}

fn titles(found: &FoundExperiences) -> Vec<&str> {
    found.experiences.iter().map(|found| found.experience.content.title.as_str()).collect()
}

#[tokio::test]
async fn every_stage_of_the_index_answers_alike() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    let numbers: Vec<u64> = (0..MANY).collect();
    for batch in numbers.chunks(2_000) {
        store.import(batch.iter().copied().map(numbered).collect()).await.unwrap();
    }
    assert_sound(&store).await;
    for number in [0, 255, 256, 16_383, 16_384, 16_639, 16_640, MANY - 1] {
        let title = title(number);
        let found = search(&store, &title, 0).await;
        assert_eq!((titles(&found), found.total), (vec![title.as_str()], 1));
    }
    assert_eq!(search(&store, "alpha", 0).await.total, MANY.div_ceil(3));
    let all = search(&store, "cache", 0).await;
    let newest: Vec<String> = (0..50).map(|back| title(MANY - 1 - back)).collect();
    assert_eq!(titles(&all), newest, "equal ones come newest first");
    assert_eq!(all.total, MANY);
    let last = search(&store, "cache", usize::try_from(MANY).unwrap() - 2).await;
    assert_eq!(titles(&last), [title(1), title(0)]);

    let (old, popular) = (last.experiences[1].experience.id, last.experiences[0].experience.id);
    store.count(vec![(popular, 2_000)]).await.unwrap();
    Experiences::delete(&store, old).await.unwrap();
    let ranked = search(&store, "cache", 0).await;
    assert_eq!((titles(&ranked)[0], ranked.total), (title(1).as_str(), MANY - 1));
    assert_sound(&store).await;
}

const KILLS: usize = 20;

#[tokio::test]
async fn nothing_submitted_is_lost_when_a_process_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged: HashSet<ExperienceId> = HashSet::new();
    for round in 0..KILLS {
        acknowledged.extend(run_and_kill(folder.path(), 10 + round));
        let store = SqliteStore::open(folder.path());
        let page = ExperiencePage { limit: usize::MAX, after: None, deleted: false };
        let kept: HashSet<_> =
            Experiences::newest(&store, page).await.unwrap().into_iter().map(|kept| kept.id).collect();
        let lost: Vec<_> = acknowledged.difference(&kept).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        assert_eq!(search(&store, "缓存", 0).await.total, kept.len() as u64, "what is kept is found");
        assert_sound(&store).await;
        store.close().await;
    }
}

/// The ids that two processes reported before they were killed, one of them after so many lines.
fn run_and_kill(folder: &Path, lines: usize) -> Vec<ExperienceId> {
    let mut children = [start(Role::SubmitForEver, folder), start(Role::SubmitForEver, folder)];
    let mut reports = String::new();
    let mut outputs = children.each_mut().map(|child| BufReader::new(child.stdout.take().unwrap()));
    while reports.matches("kept").count() < lines {
        assert_ne!(outputs[0].read_line(&mut reports).unwrap(), 0, "the process ended by itself: {reports}");
    }
    children.iter_mut().for_each(|child| child.kill().unwrap());
    for output in &mut outputs {
        output.read_to_string(&mut reports).unwrap();
    }
    for child in &mut children {
        child.wait().unwrap();
    }
    let whole = reports.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    whole.filter_map(|line| line.strip_prefix("kept ")?.parse().ok()).collect()
}

pub(crate) async fn submit_for_ever(store: SqliteStore) {
    let store = Arc::new(store);
    let submit = |store: Arc<SqliteStore>| async move {
        loop {
            let submitted = store.submit(experience("kill")).await.unwrap();
            report(&format!("kept {}", submitted.id));
            store.count(vec![(submitted.id, 1)]).await.unwrap();
        }
    };
    tokio::join!(submit(store.clone()), submit(store.clone()), submit(store));
}
