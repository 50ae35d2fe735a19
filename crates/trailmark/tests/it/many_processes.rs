//! Many calls at once and many processes on one folder: nothing is lost, and everybody sees the same.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testkit::{Era, StdioServer};

use crate::sample::{data, document, installation, saved_id};

/// Every id in the store, page by page.
pub(crate) fn stored_ids(server: &mut StdioServer) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut cursor = Value::Null;
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        let page = server.ask("resources/list", params);
        let resources = page["result"]["resources"].as_array().unwrap_or_else(|| panic!("no page: {page}"));
        ids.extend(resources.iter().map(|resource| resource["name"].as_str().unwrap().to_owned()));
        cursor = page["result"]["nextCursor"].clone();
        if cursor.is_null() {
            return ids;
        }
    }
}

fn send_saves(server: &mut StdioServer, count: usize) -> Vec<i64> {
    (0..count).map(|number| server.request_call("mongo_save_document", document(&format!("topic {number}")))).collect()
}

fn receive_ids(server: &mut StdioServer, requests: Vec<i64>) -> BTreeSet<String> {
    requests.into_iter().map(|request| saved_id(&server.answer_to(request))).collect()
}

#[test]
fn two_hundred_saves_at_once_store_two_hundred_documents() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let requests = send_saves(&mut server, 200);
    let acknowledged = receive_ids(&mut server, requests);
    assert_eq!(acknowledged.len(), 200);
    assert_eq!(stored_ids(&mut server), acknowledged);
}

#[test]
fn two_processes_that_save_fifty_each_store_one_hundred() {
    let installation = installation();
    let mut servers = [installation.open_stdio(Era::INITIALIZED), installation.open_stdio(Era::PerRequest)];
    let requests: Vec<Vec<i64>> = servers.iter_mut().map(|server| send_saves(server, 50)).collect();
    let mut acknowledged = BTreeSet::new();
    for (server, requests) in servers.iter_mut().zip(requests) {
        acknowledged.extend(receive_ids(server, requests));
    }
    assert_eq!(acknowledged.len(), 100);
    for server in &mut servers {
        assert_eq!(stored_ids(server), acknowledged);
    }
}

#[test]
fn what_one_process_does_the_others_see_at_once() {
    let installation = installation();
    let mut first = installation.open_stdio(Era::INITIALIZED);
    let mut second = installation.open_stdio(Era::INITIALIZED);
    let third = installation.serve_http(&[]);
    for round in 0..10 {
        let id = saved_id(&first.call("mongo_save_document", document(&format!("round {round}"))));
        let by_id = json!({"id": id});
        assert_eq!(data(&second.call("mongo_find_by_id", by_id.clone()))["topic"], format!("round {round}"));
        let patch = json!({"id": id, "patch": {"topic": "changed"}});
        assert_eq!(data(&second.call("mongo_update_document", patch)), &json!({"updated": true}));
        assert_eq!(data(&third.call("mongo_find_by_topic", json!({"topic": "changed"})))["items"][0]["id"], id);
        assert_eq!(data(&third.call("mongo_delete_document", by_id.clone())), &json!({"deleted": true}));
        let gone = first.call("mongo_find_by_id", by_id);
        assert_eq!(gone["result"]["structuredContent"]["error"]["code"], "NOT_FOUND");
    }
}
