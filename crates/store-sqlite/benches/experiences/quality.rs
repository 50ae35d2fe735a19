//! Do questions find the text that holds their answer?

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use store::{ExperienceId, ExperienceSearch, Experiences as _, NewExperience};
use store_sqlite::SqliteStore;

/// CMRC 2018: Chinese paragraphs by the questions that people asked about them.
pub(crate) async fn paragraphs(folder: &Path) -> Value {
    let home = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(home.path());
    let (mut questions, mut paragraphs) = (Vec::new(), 0);
    for file in ["cmrc2018_dev.json", "cmrc2018_trial.json"] {
        let data = read(&folder.join(file));
        for paragraph in
            data["data"].as_array().unwrap().iter().flat_map(|entry| entry["paragraphs"].as_array().unwrap())
        {
            let id = keep(&store, "CMRC", paragraph["context"].as_str().unwrap()).await;
            paragraphs += 1;
            let asked =
                paragraph["qas"].as_array().unwrap().iter().map(|asked| asked["question"].as_str().unwrap().to_owned());
            // Two of the questions are empty.
            questions.extend(asked.filter(|question| !question.is_empty()).map(|question| (question, vec![id])));
        }
    }
    let figures = score(&store, &questions).await;
    json!({"paragraphs": paragraphs, "questions": questions.len(), "found": figures})
}

/// LoCoMo: the turns of long conversations that hold the evidence for an answer, each conversation by itself.
pub(crate) async fn turns(folder: &Path) -> Value {
    let (mut sums, mut count): (HashMap<String, f64>, usize) = (HashMap::new(), 0);
    for conversation in read(&folder.join("locomo10.json")).as_array().unwrap() {
        let home = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(home.path());
        let kept = keep_turns(&store, conversation).await;
        let questions: Vec<(String, Vec<ExperienceId>)> = conversation["qa"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|asked| {
                let evidence: Vec<ExperienceId> =
                    names(&asked["evidence"]).iter().filter_map(|name| kept.get(name).copied()).collect();
                (!evidence.is_empty()).then(|| (asked["question"].as_str().unwrap().to_owned(), evidence))
            })
            .collect();
        for (name, share) in score(&store, &questions).await.as_object().unwrap() {
            *sums.entry(name.clone()).or_default() += share.as_f64().unwrap() * questions.len() as f64;
        }
        count += questions.len();
    }
    let found: HashMap<String, f64> = sums.into_iter().map(|(name, sum)| (name, sum / count as f64)).collect();
    json!({"questions": count, "found": found})
}

async fn keep_turns(store: &SqliteStore, conversation: &Value) -> HashMap<String, ExperienceId> {
    let mut kept = HashMap::new();
    // Newer copies of the set put the sessions one level deeper.
    let sessions = conversation.get("conversation").unwrap_or(conversation).as_object().unwrap();
    for turn in sessions.values().filter_map(Value::as_array).flatten() {
        let (Some(name), Some(text)) = (turn["dia_id"].as_str(), turn["text"].as_str()) else { continue };
        let caption = turn["blip_caption"].as_str().unwrap_or_default();
        let id = keep(store, turn["speaker"].as_str().unwrap(), &format!("{text} {caption}")).await;
        kept.insert(name.to_owned(), id);
    }
    kept
}

/// Evidence is a list of names, sometimes several in one text.
fn names(evidence: &Value) -> Vec<String> {
    let texts = evidence.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.flat_map(|text| text.split([';', ' ', ','])).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

async fn keep(store: &SqliteStore, title: &str, text: &str) -> ExperienceId {
    let content = NewExperience {
        title: title.to_owned(),
        problem_description: text.to_owned(),
        root_cause: None,
        solution: "–".to_owned(),
        context: None,
        keywords: Vec::new(),
    };
    store.submit(content).await.unwrap().id
}

/// The shares of questions whose text is among the first, and of those that find nothing at all.
async fn score(store: &SqliteStore, questions: &[(String, Vec<ExperienceId>)]) -> Value {
    let (mut first, mut among_5, mut among_10, mut nothing) = (0, 0, 0, 0);
    for (question, right) in questions {
        let search = ExperienceSearch { words: question.clone(), limit: 10, offset: 0 };
        let found = store.search(search).await.unwrap().experiences;
        let place = found.iter().position(|found| right.contains(&found.experience.id)).unwrap_or(usize::MAX);
        first += usize::from(place < 1);
        among_5 += usize::from(place < 5);
        among_10 += usize::from(place < 10);
        nothing += usize::from(found.is_empty());
    }
    let share = |count: usize| count as f64 / questions.len().max(1) as f64;
    json!({"at_1": share(first), "at_5": share(among_5), "at_10": share(among_10), "nothing": share(nothing)})
}

fn read(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap()
}
