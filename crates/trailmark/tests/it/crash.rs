//! A server that is killed in the middle of its work loses nothing that it said was kept.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;
use testkit::{Era, Installation};

use crate::many_processes::stored_ids;
use crate::sample::{data, document, installation, remark, saved_id};

const KILLS: usize = 50;
/// Saves on their way when the server is killed.
const SAVES: usize = 60;

#[test]
fn every_acknowledged_save_survives_fifty_kills() {
    let installation = installation();
    let mut acknowledged = BTreeSet::new();
    for round in 0..KILLS {
        let new = save_and_kill(&installation);
        assert!(!new.is_empty(), "nothing was acknowledged in round {round}");
        let mut server = installation.open_stdio(Era::INITIALIZED);
        for id in &new {
            assert_eq!(data(&server.call("mongo_find_by_id", json!({"id": id})))["id"], *id, "round {round}");
        }
        acknowledged.extend(new);
        assert_sound(&installation);
    }
    let stored = stored_ids(&mut installation.open_stdio(Era::INITIALIZED));
    assert_eq!(acknowledged.difference(&stored).next(), None, "acknowledged and lost");
    remark(&format!("{} saves acknowledged, {} stored, {KILLS} kills", acknowledged.len(), stored.len()));
}

/// The ids that a server acknowledged before it was killed at a random moment.
fn save_and_kill(installation: &Installation) -> BTreeSet<String> {
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for number in 0..SAVES {
        server.request_call("mongo_save_document", document(&format!("topic {number}")));
    }
    let mut acknowledged = BTreeSet::from([saved_id(&server.receive())]);
    sleep(Duration::from_micros(RandomState::new().hash_one(0) % 20_000));
    server.process().kill();
    acknowledged.extend(server.receive_all().iter().map(saved_id));
    acknowledged
}

/// What the doctor says about the store after a crash.
#[track_caller]
pub(crate) fn assert_sound(installation: &Installation) {
    let findings = installation.run(&["doctor", "--json"]).expect_code(0).json();
    let store = findings.as_array().unwrap().iter().find(|finding| finding["subject"] == "store").unwrap();
    assert_eq!(store["state"], "ok", "{findings}");
    assert!(store["what"].as_str().unwrap().contains("sound"), "{store}");
}
