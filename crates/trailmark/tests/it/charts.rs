//! Charts over stdio and from the command line: options always, pictures where ECharts was there when the binary was built.

use std::fs;

use serde_json::{Value, json};
use testkit::{Era, Ran};

use crate::sample::installation;

fn rows(count: usize) -> Vec<Value> {
    (0..count).map(|at| json!({"x": at, "y": at * 7_919 % 1_009})).collect()
}

/// Under CI the binary must be able to draw.
fn can_draw() -> bool {
    assert!(chart::is_embedded() || std::env::var_os("CI").is_none(), "run `cargo xtask web` and build again");
    chart::is_embedded()
}

#[test]
fn an_image_comes_beside_the_option_or_a_clear_error_instead() {
    let mut server = installation().open_stdio(Era::INITIALIZED);
    for (render, kind) in [("svg", "image/svg+xml"), ("png", "image/png")] {
        let arguments =
            json!({"chartType": "bar", "data": [{"x": "甲", "y": 1}, {"x": "<b>", "y": 2}], "render": render});
        let result = &server.call("echart_generate", arguments)["result"];
        if can_draw() {
            assert_eq!(result["isError"], json!(false), "{result}");
            assert_eq!(result["content"][1]["type"], "image", "{result}");
            assert_eq!(result["content"][1]["mimeType"], kind);
            assert!(!result["content"][0]["text"].as_str().unwrap().contains("base64"));
        } else {
            let error = &result["structuredContent"]["error"];
            assert_eq!(error["code"], "UPSTREAM_ERROR", "{result}");
            assert!(error["message"].as_str().unwrap().contains("cargo xtask web"), "{error}");
        }
    }
    let option =
        server.call("echart_generate", json!({"chartType": "bar", "data": [{"x": "a", "y": 1}], "render": "none"}));
    assert_eq!(option["result"]["content"].as_array().unwrap().len(), 1);
}

#[test]
fn a_long_chart_is_shortened_to_one_answer_and_too_long_a_one_is_refused() {
    let mut server = installation().open_stdio(Era::INITIALIZED);
    let answer = server.call("echart_generate", json!({"chartType": "line", "data": rows(20_000)}));
    assert!(answer.to_string().len() <= 200_000, "{} bytes", answer.to_string().len());
    let body = &answer["result"]["structuredContent"];
    assert_eq!(body["ok"], json!(true), "{body}");
    let kept = body["data"]["option"]["dataset"]["source"].as_array().unwrap().len();
    assert!(kept > 300, "{kept}");
    let note = body["meta"]["notes"][0].as_str().unwrap();
    assert!(note.starts_with(&format!("The option holds {kept} of 20000 rows")), "{note}");
    let many = server.call("echart_generate", json!({"chartType": "line", "data": rows(100_001)}));
    let error = &many["result"]["structuredContent"]["error"];
    assert_eq!(error["code"], "INVALID_ARGUMENT");
    assert_eq!(error["message"], "`data` must have at most 100000 items, but has 100001");
}

#[test]
fn a_file_becomes_every_kind_of_output() {
    let installation = installation();
    let file = installation.home().join("sales.csv");
    fs::write(&file, "month,shop,sales\nMar,North,3\nJan,South,\"1,500\"\nJan,North,\n").unwrap();
    let path = file.to_str().unwrap();
    let base = ["chart", path, "--type", "bar", "--x", "month", "--y", "sales", "--series", "shop"];
    let option = installation.run(&base).expect_code(0);
    assert_eq!(option.json()["dataset"]["source"], json!([["Mar", 3, null], ["Jan", null, 1500]]));
    assert!(option.errors.contains("note: \"sales\" is empty in 1 row"), "{option:?}");
    for (end, begins) in [("json", "{\n"), ("svg", "<svg"), ("png", "\u{89}PNG"), ("html", "<!doctype html>")] {
        let output = installation.home().join(format!("sales.{end}"));
        let arguments: Vec<&str> = base.into_iter().chain(["-o", output.to_str().unwrap()]).collect();
        if end == "json" || can_draw() {
            installation.run(&arguments).expect_code(0);
            let text: String = fs::read(&output).unwrap().into_iter().take(20).map(char::from).collect();
            assert!(text.starts_with(begins), "{end}: {text}");
        } else {
            assert!(installation.run(&arguments).expect_code(1).errors.contains("cargo xtask web"));
        }
    }
}

#[test]
fn standard_input_and_graphs_are_read_and_mistakes_are_named() {
    let installation = installation();
    let run = |arguments: &[&str], input: &str| Ran::of(installation.command(arguments), input);
    let lines = run(&["chart", "-", "--type", "line"], "{\"x\":1,\"y\":2}\n{\"x\":2,\"y\":5}\n").expect_code(0);
    assert_eq!(lines.json()["dataset"]["source"], json!([[1, 2], [2, 5]]));
    let chain =
        json!({"call_chain": [{"symbol_id": "a", "callers": [], "callees": [{"symbol_id": "b", "call_lines": [3]}]}]});
    let graph = run(&["chart", "-", "--type", "graph"], &chain.to_string()).expect_code(0);
    assert_eq!(graph.json()["series"][0]["links"][0]["label"]["formatter"], "line 3");
    for (arguments, input, message) in [
        (&["chart", "-", "--type", "bar"][..], "k,v\na,x\n", "no field holds numbers (fields: k, v)"),
        (&["chart", "-", "--type", "bar", "--y", "v"], "k,v\na,x\n", "`data[0].v` (row 1) must be a number"),
        (&["chart", "-", "--type", "bar"], "k,v\na\n", "line 2 has 1 cells"),
        (&["chart", "-", "--type", "bar", "-o", "a.gif"], "k,v\na,1\n", "must end in .svg, .png, .html or .json"),
        (&["chart", "no-such-file", "--type", "bar"], "", "no-such-file"),
    ] {
        let ran = run(arguments, input).expect_code(2);
        assert!(ran.errors.contains(message), "{message}: {ran:?}");
    }
}
