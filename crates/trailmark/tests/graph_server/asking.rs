//! Questions about code that a graph server answers, beside the same questions to the graph that is kept here.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use testkit::Installation;

use crate::arcadedb::{ArcadeDb, PASSWORD};

const SHOP: &[(&str, &str)] = &[
    (
        "shop/orders.py",
        "from shop.prices import total\n\n\nclass Order:\n    def price(self):\n        return total(self.items)\n\n    def \
         describe(self):\n        return str(self.price())\n",
    ),
    ("shop/prices.py", "def total(items):\n    return sum(item.cost for item in items)\n\n\ndef unused():\n    pass\n"),
    ("shop/__init__.py", ""),
];

/// The same names with other contents: what must not be mixed with the first.
const BANK: &[(&str, &str)] =
    &[("bank/orders.py", "class Order:\n    def price(self):\n        return 0\n\n\ndef total(x):\n    return x\n")];

/// Asked of both; the last ones in other words than Cypher's.
const QUESTIONS: &[&str] = &[
    "MATCH (f:Function) RETURN f.name, f.path AS path, f.start_line ORDER BY f.name",
    "MATCH (c:Class) RETURN c",
    "MATCH (a)-[r:CALLS]->(b {name: 'total'}) RETURN a.qualified_name AS caller, r.line AS line, type(r) AS type",
    "MATCH (n) RETURN labels(n) AS labels, count(*) AS number ORDER BY labels, number",
    "MATCH p = shortestPath((a {name: 'describe'})-[:CALLS*]->(b {name: 'total'})) RETURN p",
    "MATCH (f:Function) WHERE NOT EXISTS { (f)<-[:CALLS]-() } RETURN f.name AS name",
    "MATCH (m:Method) RETURN m.name AS name ORDER BY name LIMIT 1",
    "who calls total?",
    "list all classes",
    "how many functions are there?",
    "谁调用了 total？",
];

struct Asker {
    installation: Installation,
}

impl Asker {
    fn with(name: &str, files: &[(&str, &str)]) -> Self {
        let installation = Installation::new(env!("CARGO_BIN_EXE_trailmark"));
        for (path, text) in files {
            let file = installation.root().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let asker = Self { installation };
        let indexed = asker.installation.command(&["index", "--project", name]).output().unwrap();
        assert!(indexed.status.success(), "{indexed:?}");
        asker
    }

    fn import(&self, server: &ArcadeDb) {
        let arguments = ["import", "--to", &server.address(), "--user", "root"];
        let imported = self.installation.command(&arguments).env("TRAILMARK_BOLT_PASSWORD", PASSWORD).output().unwrap();
        assert!(imported.status.success(), "{imported:?}");
    }

    fn call(&self, server: Option<&str>, arguments: &Value) -> Output {
        let mut command = self.installation.command(&["call", "query_code_graph", &arguments.to_string()]);
        if let Some(address) = server {
            command.env("TRAILMARK_CODE", address).env("TRAILMARK_CODE_USER", "root");
            command.env("TRAILMARK_BOLT_PASSWORD", PASSWORD);
        }
        command.output().unwrap()
    }

    #[track_caller]
    fn ask(&self, server: Option<&str>, question: &str) -> Value {
        let output = self.call(server, &json!({ "natural_language_query": question }));
        assert!(output.status.success(), "{question}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    #[track_caller]
    fn refused(&self, server: &str, arguments: &Value, expected: &[&str]) {
        let output = self.call(Some(server), arguments);
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(expected.iter().all(|expected| said.contains(expected)), "{said}");
        assert!(!said.contains(PASSWORD), "{said}");
    }
}

/// Rows without an order of their own come in any.
fn in_order(answer: &Value) -> Vec<String> {
    let mut rows: Vec<String> = answer["results"].as_array().unwrap().iter().map(Value::to_string).collect();
    rows.sort();
    rows
}

#[test]
fn a_server_gives_the_rows_that_the_graph_here_gives_and_none_of_other_projects() {
    let (shop, bank, server) = (Asker::with("shop", SHOP), Asker::with("bank", BANK), ArcadeDb::start());
    shop.import(&server);
    bank.import(&server);
    let address = server.address();
    for question in QUESTIONS {
        let (here, there) = (shop.ask(None, question), shop.ask(Some(&address), question));
        assert_eq!(in_order(&here), in_order(&there), "{question}: {there}");
        assert!(there["query_used"].as_str().unwrap().contains("project: 'shop'"), "{there}");
        let summary = there["summary"].as_str().unwrap();
        assert!(summary.starts_with(here["summary"].as_str().unwrap()) && summary.contains(&address), "{summary}");
    }
    let limited = shop.call(Some(&address), &json!({ "natural_language_query": "list all methods", "limit": 1 }));
    let limited: Value = serde_json::from_slice(&limited.stdout).unwrap();
    assert!(limited["summary"].as_str().unwrap().contains("2 methods; the first 1 are shown"), "{limited}");
    let asked = shop.installation.command(&["ask", "list all classes", "--json"]);
    let asked = { asked }
        .env("TRAILMARK_CODE", &address)
        .env("TRAILMARK_CODE_USER", "root")
        .env("TRAILMARK_BOLT_PASSWORD", PASSWORD)
        .output()
        .unwrap();
    let asked: Value = serde_json::from_slice(&asked.stdout).unwrap();
    assert_eq!(asked["total"], 1, "{asked}");
}

#[test]
fn what_cannot_be_asked_of_a_server_says_why() {
    let (shop, server) = (Asker::with("shop", SHOP), ArcadeDb::start());
    let address = server.address();
    let asked = |question: &str| json!({ "natural_language_query": question });
    shop.refused(
        &address,
        &asked("list all classes"),
        &["has no whole graph of the project `shop`", "trailmark import"],
    );
    shop.import(&server);
    let elsewhere = json!({ "natural_language_query": "list all classes", "project": "bank" });
    shop.refused(&address, &elsewhere, &["`bank`", "it has shop"]);
    shop.refused(&address, &asked("MATCH (n) DELETE n"), &["DELETE"]);
    shop.refused(&address, &asked("CALL db.labels() YIELD label RETURN label"), &["other projects"]);
    shop.refused(&address, &asked("RETURN apoc.version() AS version"), &["apoc.version"]);
    assert_eq!(shop.ask(Some(&address), "MATCH (c:Clas) RETURN c")["results"], json!([]));
    drop(server);
    shop.refused(&address, &asked("list all classes"), &["cannot connect to", "start the server"]);
}
