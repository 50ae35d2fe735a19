//! What a search tool calls its arguments, read from its schema, and a question in these terms.

use serde_json::{Map, Value, json};

use crate::query::{Question, TimeRange};
use crate::sifting::MOST;

const QUERIES: &[&str] = &[
    "query",
    "q",
    "search_query",
    "searchQuery",
    "search_term",
    "searchTerm",
    "keywords",
    "keyword",
    "question",
    "text",
    "input",
    "prompt",
];
const COUNTS: &[&str] = &[
    "num_results",
    "numResults",
    "max_results",
    "maxResults",
    "count",
    "limit",
    "num",
    "top_k",
    "topK",
    "size",
    "per_page",
    "n",
    "k",
];
const LANGUAGES: &[&str] = &["language", "lang", "search_lang", "searchLang", "locale", "hl"];
const RANGES: &[&str] = &[
    "time_range",
    "timeRange",
    "freshness",
    "time_filter",
    "timeFilter",
    "timelimit",
    "period",
    "recency",
    "date_range",
    "tbs",
];
const DAYS: &[&str] = &["recencyDays", "recency_days", "days", "max_age_days", "maxAgeDays", "last_days"];
const STARTS: &[&str] = &[
    "start_date",
    "startDate",
    "start_published_date",
    "startPublishedDate",
    "from_date",
    "fromDate",
    "date_from",
    "after",
];
const FORMATS: &[&str] = &["response_format", "responseFormat", "output_format", "outputFormat", "format"];
const DETAILS: &[&str] = &["result_detail", "resultDetail"];

/// Where each part of a question goes; what the tool does not take is left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Slots {
    query: String,
    count: Option<(String, Value)>,
    language: Option<Slot>,
    time: Option<Time>,
    /// Whatever the question, such as that the answer is to be JSON.
    fixed: Vec<(String, Value)>,
}

#[derive(Debug, Clone, PartialEq)]
struct Slot {
    name: String,
    /// What is allowed; empty where anything is.
    allowed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum Time {
    Days(String),
    Range(Slot),
    Start(String),
}

/// `None` where the tool has no argument for words, or needs one that we cannot give.
pub(super) fn slots(schema: &Value) -> Option<Slots> {
    let properties = schema.get("properties")?.as_object()?;
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let query = query(properties, &required)?;
    let time = first(properties, DAYS, is_number).map(Time::Days);
    let time = time.or_else(|| first(properties, RANGES, is_text).map(|name| Time::Range(slot(properties, name))));
    let time = time.or_else(|| first(properties, STARTS, is_text).map(Time::Start));
    let count = first(properties, COUNTS, is_number).map(|name| {
        let count = count(&properties[&name]);
        (name, count)
    });
    let language = first(properties, LANGUAGES, is_text).map(|name| slot(properties, name));
    let mut fixed: Vec<(String, Value)> = [(FORMATS, "json"), (DETAILS, "full")]
        .into_iter()
        .filter_map(|(names, value)| choice(properties, names, value))
        .collect();
    for name in required {
        let is_given = name == query
            || count.as_ref().is_some_and(|(count, _)| count == name)
            || language.as_ref().is_some_and(|language| language.name == name)
            || fixed.iter().any(|(given, _)| given == name);
        if !is_given {
            let default = properties.get(name)?.get("default")?.clone();
            fixed.push((name.to_owned(), default));
        }
    }
    Some(Slots { query, count, language, time, fixed })
}

impl Slots {
    /// The arguments, and whether they say which time is meant.
    pub(super) fn fill(&self, question: &Question) -> (Map<String, Value>, bool) {
        let mut arguments: Map<String, Value> = self.fixed.iter().cloned().collect();
        arguments.insert(self.query.clone(), json!(question.words));
        arguments.extend(self.count.clone());
        if let Some(language) = &self.language
            && let Some(value) = language.language(&question.language)
        {
            arguments.insert(language.name.clone(), json!(value));
        }
        let time = question.range.and_then(|range| self.time.as_ref()?.argument(range, question));
        let is_ranged = time.is_some();
        arguments.extend(time);
        (arguments, is_ranged)
    }
}

impl Time {
    fn argument(&self, range: TimeRange, question: &Question) -> Option<(String, Value)> {
        match self {
            Self::Days(name) => Some((name.clone(), json!(question.recency.days))),
            Self::Range(slot) => Some((slot.name.clone(), json!(slot.range(range)?))),
            Self::Start(name) => Some((name.clone(), json!(question.recency.since.strftime("%Y-%m-%d").to_string()))),
        }
    }
}

impl Slot {
    /// The word that means this period: an allowed one with its name or its letter, such as `past_week`, `pw` or `w`.
    fn range(&self, range: TimeRange) -> Option<String> {
        let (word, letter) = (range.word(), &range.word()[..1]);
        if self.allowed.is_empty() {
            let by_name = match self.name.as_str() {
                "freshness" => format!("p{letter}"),
                "timelimit" => letter.to_owned(),
                "tbs" => format!("qdr:{letter}"),
                _ => word.to_owned(),
            };
            return Some(by_name);
        }
        let with_word = self.allowed.iter().find(|allowed| allowed.to_lowercase().contains(word));
        let with_letter = || {
            self.allowed.iter().find(|allowed| {
                let allowed = allowed.to_lowercase();
                allowed == letter || allowed == format!("p{letter}") || allowed == format!("qdr:{letter}")
            })
        };
        with_word.or_else(with_letter).cloned()
    }

    /// The tag as it is allowed: whole, else the language without its country.
    fn language(&self, tag: &str) -> Option<String> {
        if self.allowed.is_empty() {
            return Some(tag.to_owned());
        }
        let folded = |tag: &str| tag.to_ascii_lowercase().replace('_', "-");
        let (tag, allowed) = (folded(tag), || self.allowed.iter());
        let primary = tag.split('-').next().unwrap_or_default();
        let whole = allowed().find(|allowed| folded(allowed) == tag);
        whole.or_else(|| allowed().find(|allowed| folded(allowed) == primary)).cloned()
    }
}

/// By its name, else the only text that is required.
fn query(properties: &Map<String, Value>, required: &[&str]) -> Option<String> {
    first(properties, QUERIES, is_text).or_else(|| match required {
        [only] => properties.get(*only).filter(|schema| is_text(schema)).map(|_| (*only).to_owned()),
        _ => None,
    })
}

fn first(properties: &Map<String, Value>, names: &[&str], fits: fn(&Value) -> bool) -> Option<String> {
    names.iter().find(|name| properties.get(**name).is_some_and(fits)).map(|name| (*name).to_owned())
}

fn is_text(schema: &Value) -> bool {
    has_type(schema, &["string"])
}

fn is_number(schema: &Value) -> bool {
    has_type(schema, &["integer", "number"])
}

/// Of this type, alone or among others; a schema without a type takes anything.
fn has_type(schema: &Value, types: &[&str]) -> bool {
    let is_one = |kind: &Value| kind.as_str().is_some_and(|kind| types.contains(&kind));
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_one),
        Some(kind) => is_one(kind),
        None => match schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
            Some(forms) => forms.iter().any(|form| has_type(form, types)),
            None => true,
        },
    }
}

fn allowed(schema: &Value) -> Vec<String> {
    let own = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let forms = ["anyOf", "oneOf"].into_iter().filter_map(|form| schema.get(form)?.as_array()).flatten();
    let of_forms = forms.filter_map(|form| form.get("enum")?.as_array()).flatten();
    own.chain(of_forms).filter_map(Value::as_str).map(str::to_owned).collect()
}

fn slot(properties: &Map<String, Value>, name: String) -> Slot {
    Slot { allowed: allowed(&properties[&name]), name }
}

/// As many as we may need, within what is allowed.
fn count(schema: &Value) -> Value {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let most = MOST as f64;
    let count = bound("maximum").map_or(most, |maximum| most.min(maximum));
    let count = bound("minimum").map_or(count, |minimum| count.max(minimum));
    #[expect(clippy::cast_possible_truncation, reason = "a small count; a cast of floats saturates")]
    let whole = count as i64;
    json!(whole)
}

/// An argument of one of these names that allows this value.
fn choice(properties: &Map<String, Value>, names: &[&str], value: &str) -> Option<(String, Value)> {
    let name = names
        .iter()
        .find(|name| properties.get(**name).is_some_and(|schema| allowed(schema).iter().any(|one| one == value)))?;
    Some(((*name).to_owned(), json!(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;

    fn question(days: u16) -> Question {
        let query = Query { words: "rust".to_owned(), language: "zh-CN".to_owned(), recency_days: days };
        query.question("2026-11-17T12:00:00Z".parse().unwrap())
    }

    #[track_caller]
    fn check(properties: Value, required: Value, days: u16, expected: Value) {
        let schema = json!({"type": "object", "properties": properties, "required": required});
        let slots = slots(&schema).unwrap_or_else(|| panic!("not usable: {schema}"));
        assert_eq!(Value::Object(slots.fill(&question(days)).0), expected);
    }

    #[test]
    fn the_arguments_of_mcp_searxng_are_filled() {
        let properties = json!({
            "query": {"type": "string"}, "pageno": {"type": "integer"}, "time_range": {"type": "string", "enum": ["day", "week", "month", "year"]},
            "language": {"type": "string", "default": "all"}, "safesearch": {"type": "string", "enum": ["0", "1", "2"]},
            "num_results": {"type": "number", "minimum": 1, "maximum": 20}, "response_format": {"type": "string", "enum": ["text", "json"]},
            "result_detail": {"type": "string", "enum": ["compact", "full"]},
        });
        let expected = json!({
            "response_format": "json", "result_detail": "full", "query": "rust", "num_results": 20, "language": "zh-CN", "time_range": "week",
        });
        check(properties, json!(["query"]), 5, expected);
    }

    #[test]
    fn other_names_and_forms_are_filled_too() {
        let brave = json!({
            "query": {"type": "string"}, "count": {"type": "integer", "maximum": 10}, "freshness": {"type": "string"},
            "search_lang": {"type": "string", "enum": ["en", "zh-hans", "zh"]},
        });
        check(
            brave,
            json!(["query"]),
            30,
            json!({"query": "rust", "count": 10, "freshness": "pm", "search_lang": "zh"}),
        );
        let tavily = json!({
            "query": {"type": "string"}, "max_results": {"type": "number", "minimum": 5},
            "time_range": {"anyOf": [{"enum": ["d", "w", "m", "y"], "type": "string"}, {"type": "null"}]},
        });
        check(tavily, json!(["query"]), 1, json!({"query": "rust", "max_results": 20, "time_range": "d"}));
        let days =
            json!({"q": {"type": ["string", "null"]}, "days": {"type": "integer"}, "time_range": {"type": "string"}});
        check(days, json!([]), 3, json!({"q": "rust", "days": 3}));
        let exa = json!({"query": {}, "numResults": {"type": "number"}, "startPublishedDate": {"type": "string"}});
        check(exa, json!([]), 7, json!({"query": "rust", "numResults": 20, "startPublishedDate": "2026-11-10"}));
        let odd = json!({"what": {"type": "string"}, "depth": {"type": "string", "default": "basic"}});
        check(odd.clone(), json!(["what"]), 7, json!({"what": "rust"}));
        assert_eq!(
            slots(&json!({"properties": odd, "required": ["what", "depth"]})),
            None,
            "which of the two takes words?"
        );
        let strict = json!({"query": {"type": "string"}, "depth": {"type": "string", "default": "basic"}});
        check(strict, json!(["query", "depth"]), 7, json!({"query": "rust", "depth": "basic"}));
    }

    #[test]
    fn whether_the_time_was_said_is_known() {
        let schema = |name: &str, extra: Value| json!({"properties": {"query": {"type": "string"}, name: extra}});
        let is_ranged = |schema: &Value, question: &Question| slots(schema).unwrap().fill(question).1;
        let ranged = schema("time_range", json!({"type": "string"}));
        assert!(is_ranged(&ranged, &question(7)));
        assert!(!is_ranged(&ranged, &question(7).without_range()));
        assert!(!is_ranged(&schema("x", json!({})), &question(7)));
        let short = schema("time_range", json!({"type": "string", "enum": ["day", "week"]}));
        assert!(!is_ranged(&short, &question(300)), "no word for a year");
    }

    #[test]
    fn a_tool_without_a_place_for_words_is_not_usable() {
        for schema in [
            json!({}),
            json!({"properties": {}}),
            json!({"properties": {"url": {"type": "string"}, "x": {"type": "string"}}}),
        ] {
            assert_eq!(slots(&schema), None, "{schema}");
        }
        let needs_more = json!({"properties": {"query": {"type": "string"}, "key": {"type": "string"}}, "required": ["query", "key"]});
        assert_eq!(slots(&needs_more), None);
    }
}
