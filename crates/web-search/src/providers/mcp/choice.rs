//! Which tool of a server searches the web, judged by its name, its description and its arguments.

use serde_json::{Map, Value};
use upstream::Offer;

use super::arguments::{self, Slots};
use crate::query::Question;

/// Parts of names that make a tool more or less likely to search the web.
const NAMES: &[(&str, i32)] = &[
    ("web_search", 40),
    ("websearch", 40),
    ("search_web", 40),
    ("web-search", 40),
    ("search", 20),
    ("web", 10),
    ("internet", 10),
    ("suggest", -60),
    ("autocomplete", -60),
    ("image", -30),
    ("video", -30),
    ("news", -20),
    ("local", -30),
    ("shopping", -30),
    ("map", -20),
    ("code", -20),
    ("repo", -30),
    ("issue", -30),
    ("file", -30),
    ("doc", -15),
    ("memory", -30),
    ("history", -30),
    ("research", -10),
    ("extract", -30),
    ("crawl", -40),
    ("fetch", -40),
    ("read", -40),
    ("info", -40),
];
const DESCRIPTIONS: &[(&str, i32)] = &[("web", 8), ("internet", 8), ("search engine", 5), ("search", 5)];

/// A tool and what its arguments are called.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SearchTool {
    pub(super) name: String,
    slots: Slots,
}

impl SearchTool {
    /// The arguments for a question, and whether they say which time is meant.
    pub(super) fn arguments(&self, question: &Question) -> (Map<String, Value>, bool) {
        self.slots.fill(question)
    }
}

/// The tool that was named, else the most likely one; the first of equals.
pub(super) fn choose(offers: &[Offer], named: Option<&str>) -> Option<SearchTool> {
    let usable = |offer: &Offer| Some(SearchTool { name: offer.name.clone(), slots: arguments::slots(&offer.input)? });
    if let Some(named) = named {
        return usable(offers.iter().find(|offer| offer.name == named)?);
    }
    let mut best: Option<(i32, SearchTool)> = None;
    for offer in offers {
        let likely = likelihood(offer);
        let is_better = best.as_ref().is_none_or(|(most, _)| likely > *most);
        if likely > 0
            && is_better
            && let Some(tool) = usable(offer)
        {
            best = Some((likely, tool));
        }
    }
    best.map(|(_, tool)| tool)
}

fn likelihood(offer: &Offer) -> i32 {
    let sum = |text: &str, parts: &[(&str, i32)]| -> i32 {
        let text = text.to_lowercase();
        parts.iter().filter(|(part, _)| text.contains(part)).map(|(_, points)| points).sum()
    };
    // Only the first words say what a tool is; later ones speak of others.
    let first_words: String = offer.description.chars().take(160).collect();
    let from_name = sum(&offer.name, NAMES);
    // What is not called a search may still be one that is only described as such.
    if from_name < 0 { from_name } else { from_name + sum(&first_words, DESCRIPTIONS) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn offer(name: &str, description: &str, input: Value) -> Offer {
        Offer { name: name.to_owned(), description: description.to_owned(), input }
    }

    fn query() -> Value {
        json!({"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]})
    }

    fn chosen(offers: &[Offer]) -> Option<String> {
        choose(offers, None).map(|tool| tool.name)
    }

    #[test]
    fn the_tool_that_searches_the_web_is_found_among_others() {
        let searxng = [
            offer("searxng_search_suggestions", "Suggestions for a search", query()),
            offer("searxng_instance_info", "About the instance", json!({"type": "object"})),
            offer("searxng_web_search", "Searches the web", query()),
            offer(
                "web_url_read",
                "Reads a page",
                json!({"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}),
            ),
        ];
        assert_eq!(chosen(&searxng).as_deref(), Some("searxng_web_search"));
        let brave =
            ["brave_image_search", "brave_local_search", "brave_news_search", "brave_web_search", "brave_video_search"];
        assert_eq!(chosen(&brave.map(|name| offer(name, "Searches", query()))).as_deref(), Some("brave_web_search"));
        let tavily = ["tavily_crawl", "tavily_extract", "tavily_search", "tavily_research"];
        assert_eq!(chosen(&tavily.map(|name| offer(name, "", query()))).as_deref(), Some("tavily_search"));
        assert_eq!(
            chosen(&[offer("fetch_content", "", query()), offer("search", "", query())]).as_deref(),
            Some("search")
        );
        assert_eq!(chosen(&[offer("ask", "Ask an internet search engine", query())]).as_deref(), Some("ask"));
    }

    #[test]
    fn a_tool_that_cannot_be_called_or_does_not_search_is_not_chosen() {
        let unusable = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]});
        assert_eq!(chosen(&[offer("web_search", "", unusable)]), None);
        assert_eq!(chosen(&[offer("read_file", "", query()), offer("create_issue", "", query())]), None);
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn the_tool_that_was_named_is_taken_and_no_other() {
        let offers = [offer("web_search", "", query()), offer("my_news", "", query())];
        assert_eq!(choose(&offers, Some("my_news")).map(|tool| tool.name).as_deref(), Some("my_news"));
        assert_eq!(choose(&offers, Some("absent")), None);
    }
}
