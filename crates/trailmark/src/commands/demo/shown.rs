//! A call as the demo prints it: the part of an answer that matters, on few lines.

use serde_json::Value;

use crate::console::{Console, Paint, printable};

/// How much of the arguments of a call is shown, in characters.
const LONGEST_ARGUMENTS: usize = 200;
/// How many rows of a list are shown.
const MOST_ROWS: usize = 3;

pub(super) fn arguments(arguments: &Value) -> String {
    shortened(&arguments.to_string(), LONGEST_ARGUMENTS)
}

pub(super) fn answer(result: &Value, console: &Console) -> String {
    let body = &result["structuredContent"];
    if result["isError"] == true {
        return error(result, console);
    }
    let data = body.get("data").unwrap_or(body);
    let image = result["content"].as_array().into_iter().flatten().find(|block| block["type"] == "image");
    let found = None
        .or_else(|| rows(&data["items"], document_or_node))
        .or_else(|| rows(&data["experiences"], experience))
        .or_else(|| rows(&data["candidates"], candidate))
        .or_else(|| rows(&data["call_chain"], call))
        .or_else(|| neighbours(data))
        .or_else(|| graph_option(data, image))
        .or_else(|| question(data))
        .or_else(|| snippet(data));
    found.unwrap_or_else(|| match body.is_null() {
        true => text(&result["content"][0]["text"]).to_owned(),
        false => data.to_string(),
    })
}

fn error(result: &Value, console: &Console) -> String {
    let error = &result["structuredContent"]["error"];
    let Some(code) = error["code"].as_str() else {
        let said = printable(text(&result["content"][0]["text"]));
        return format!("{}: {said}", console.paint(Paint::Attention, "refused"));
    };
    let problems = error["validation_errors"].as_array().into_iter().flatten();
    let problems: String =
        problems.map(|one| format!("\n{}: {}", text(&one["field"]), text(&one["message"]))).collect();
    let hint = error["detail"]["hint"].as_str().map(|hint| format!("\n{hint}")).unwrap_or_default();
    format!("{}: {}{problems}{hint}", console.paint(Paint::Attention, code), text(&error["message"]))
}

fn rows(list: &Value, show: fn(&Value) -> String) -> Option<String> {
    let list = list.as_array()?;
    let mut lines: Vec<String> = list.iter().take(MOST_ROWS).map(show).collect();
    if list.len() > MOST_ROWS {
        lines.push(format!("and {} more", list.len() - MOST_ROWS));
    }
    Some(if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") })
}

fn document_or_node(item: &Value) -> String {
    match item.get("topic") {
        Some(topic) => format!("{}: {}", text(topic), text(&item["content"])),
        None => format!("{} ({}), score {}", text(&item["properties"]["name"]), text(&item["label"]), item["score"]),
    }
}

fn experience(item: &Value) -> String {
    format!("{}: {}", text(&item["title"]), text(&item["solution"]))
}

fn candidate(item: &Value) -> String {
    let (file, symbol) = (text(&item["file"]), text(&item["symbol"]));
    format!(
        "{file}, line {}: {symbol}, relevance {}, from {}",
        item["start_line"],
        item["relevance"],
        text(&item["source"])
    )
}

fn call(item: &Value) -> String {
    let names = |key: &str| {
        let names = item[key].as_array().into_iter().flatten().map(|one| text(&one["symbol_id"]));
        let names = names.collect::<Vec<_>>().join(", ");
        if names.is_empty() { "nothing".to_owned() } else { names }
    };
    format!("{}: called by {}; calls {}", text(&item["symbol_id"]), names("callers"), names("callees"))
}

fn neighbours(data: &Value) -> Option<String> {
    let (nodes, relationships) = (data["nodes"].as_array()?, data["relationships"].as_array()?);
    let names: Vec<&str> = nodes.iter().map(|node| text(&node["properties"]["name"])).collect();
    let types: Vec<&str> = relationships.iter().map(|one| text(&one["type"])).collect();
    Some(format!("{} by {}", names.join(", "), types.join(", ")))
}

fn graph_option(data: &Value, image: Option<&Value>) -> Option<String> {
    let series = &data["option"]["series"][0];
    let count = |key: &str| series[key].as_array().map_or(0, Vec::len);
    let image = image.map(|image| format!(", and an image of {} KB", text(&image["data"]).len() * 3 / 4 / 1_000));
    series.is_object().then(|| {
        let image =
            image.unwrap_or_else(|| "; this build cannot draw it (`cargo xtask web`, then build again)".to_owned());
        format!("an ECharts option with {} nodes and {} links{image}", count("data"), count("links"))
    })
}

fn question(data: &Value) -> Option<String> {
    let query = data["query_used"].as_str()?;
    let results = data["results"].as_array().into_iter().flatten().take(MOST_ROWS);
    let results: String = results.map(|row| format!("\n{row}")).collect();
    Some(format!("{}{results}\nby {query}", text(&data["summary"])))
}

fn snippet(data: &Value) -> Option<String> {
    (data["found"] == true).then(|| {
        let (path, source) = (text(&data["file_path"]), text(&data["source_code"]));
        format!("{path}, lines {} to {}\n{source}", data["line_start"], data["line_end"])
    })
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
