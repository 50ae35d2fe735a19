//! From what a provider found to what a caller gets: each page once, texts that show all they hold, nothing known to be too old.

use std::collections::HashMap;

use crate::answer::Item;
use crate::canonical::PageAddress;
use crate::cleaning::page_text;
use crate::published::Published;
use crate::query::Recency;
use crate::rows::Row;

/// As many as a caller can ask for.
pub(crate) const MOST: usize = 20;
const LONGEST_TITLE: usize = 200;
const LONGEST_SNIPPET: usize = 600;

/// What is left, and how many pages are known to be too old.
#[derive(Debug, Default)]
pub(crate) struct Sifted {
    pub(crate) items: Vec<Item>,
    pub(crate) too_old: usize,
}

pub(crate) fn sift(rows: Vec<Row>, source: &str, recency: Recency) -> Sifted {
    let pages = pages(rows);
    let is_fresh = |page: &Page| page.row.published.is_none_or(|published| published.may_be_since(recency.since));
    let (fresh, old): (Vec<Page>, Vec<Page>) = pages.into_iter().partition(is_fresh);
    let items = fresh.into_iter().take(MOST).map(|page| page.into_item(source)).collect();
    Sifted { items, too_old: old.len() }
}

struct Page {
    shown: String,
    row: Row,
}

impl Page {
    /// What another spelling of the same page knows and this one does not.
    fn learn(&mut self, other: Row) {
        let is_blank = |text: &str| text.trim().is_empty();
        if is_blank(&self.row.snippet) {
            self.row.snippet = other.snippet;
        }
        if is_blank(&self.row.title) {
            self.row.title = other.title;
        }
        self.row.published = self.row.published.or(other.published);
    }

    fn into_item(self, source: &str) -> Item {
        let Row { title, snippet, published, .. } = self.row;
        let title = page_text(&title, LONGEST_TITLE);
        let title = if title.is_empty() { named_after(&self.shown) } else { title };
        Item {
            title,
            snippet: page_text(&snippet, LONGEST_SNIPPET),
            source: source.to_owned(),
            published_at: published.map(|Published { at, .. }| at),
            url: self.shown,
        }
    }
}

/// Each page once, where it was first.
fn pages(rows: Vec<Row>) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::with_capacity(rows.len());
    let mut places: HashMap<String, usize> = HashMap::with_capacity(rows.len());
    for row in rows {
        let Some(address) = PageAddress::read(&row.url) else { continue };
        match places.get(&address.key) {
            Some(place) => pages[*place].learn(row),
            None => {
                places.insert(address.key, pages.len());
                pages.push(Page { shown: address.shown, row });
            }
        }
    }
    pages
}

/// A page without a title has the name of its place.
fn named_after(url: &str) -> String {
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    page_text(place.trim_end_matches('/'), LONGEST_TITLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use serde_json::{Value, json};

    fn sifted(rows: Value) -> Sifted {
        let now: Timestamp = "2026-11-17T12:00:00Z".parse().unwrap();
        let recency = Recency { days: 7, since: "2026-11-10T12:00:00Z".parse().unwrap() };
        let rows = rows.as_array().unwrap().iter().filter_map(|row| Row::read(row, now)).collect();
        sift(rows, "somebody", recency)
    }

    #[test]
    fn a_page_comes_once_with_all_that_is_known_of_it() {
        let found = sifted(json!([
            {"url": "http://www.example.com/a/?utm_source=x", "title": "First"},
            {"url": "https://example.com/b", "title": "Other", "content": "o"},
            {"url": "https://example.com/a", "title": "Second", "content": "<b>s</b>", "publishedDate": "2026-11-16T08:00:00"},
        ]));
        let shown: Vec<_> =
            found.items.iter().map(|item| (item.title.as_str(), item.url.as_str(), item.snippet.as_str())).collect();
        assert_eq!(shown, [("First", "http://www.example.com/a/", "s"), ("Other", "https://example.com/b", "o")]);
        assert_eq!(found.items[0].published_at.unwrap().to_string(), "2026-11-16T08:00:00Z");
        assert_eq!(found.items[0].source, "somebody");
    }

    #[test]
    fn what_is_known_to_be_too_old_goes_and_what_has_no_date_stays() {
        let found = sifted(json!([
            {"url": "https://a.example/", "publishedDate": "2026-11-10T11:59:59"},
            {"url": "https://b.example/", "publishedDate": null},
            {"url": "https://c.example/", "publishedDate": "2026-11-10T12:00:00"},
            {"url": "https://d.example/", "publishedDate": "last week"},
            {"url": "http://a.example"},
        ]));
        let urls: Vec<_> = found.items.iter().map(|item| (item.url.as_str(), item.published_at.is_some())).collect();
        assert_eq!(urls, [("https://b.example/", false), ("https://c.example/", true), ("https://d.example/", false)]);
        assert_eq!(found.too_old, 1, "a spelling without a date does not make a page new");
    }

    #[test]
    fn what_is_no_page_goes_and_a_page_without_a_title_is_named_after_its_place() {
        let found = sifted(json!([
            {"url": "magnet:?xt=urn", "title": "x"}, {"url": "not a url", "title": "x"},
            {"url": "https://example.com/docs/", "title": " \u{200b} ", "content": "c"},
        ]));
        assert_eq!(found.items.len(), 1);
        assert_eq!(found.items[0].title, "example.com/docs");
    }

    #[test]
    fn no_more_come_than_can_be_asked_for() {
        let rows: Vec<Value> = (0..50).map(|n| json!({"url": format!("https://example.com/{n}")})).collect();
        assert_eq!(sifted(Value::from(rows)).items.len(), MOST);
    }
}
