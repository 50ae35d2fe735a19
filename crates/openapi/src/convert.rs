//! A document → operations with names and schemes, none of which needs the document any more.

use std::sync::Arc;

use url::Url;

use crate::document::{Document, Version};
use crate::filter::Filter;
use crate::names::{self, Wanted};
use crate::operation::Operation;
use crate::read::{self, Draft, Reader, Reading, Scheme, Skipped};
use crate::schema::{Fitted, Schemas, shortened};

/// How much of what a document says about an operation a tool repeats, in characters.
const LONGEST_DESCRIPTION: usize = 360;
const LONGEST_TITLE: usize = 80;

#[derive(Debug)]
pub(crate) struct Converted {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) version: Version,
    pub(crate) operations: Vec<Operation>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) filtered: usize,
    pub(crate) schemes: Vec<(String, Scheme)>,
    /// Where the document as a whole is served.
    pub(crate) home: Option<Url>,
}

pub(crate) fn convert(
    document: &Document,
    base: Option<Url>,
    filter: &Filter,
    name: Option<&str>,
    budget: usize,
) -> Converted {
    let title = document.root().get("info").and_then(|info| info.get("title")).and_then(|title| title.value.as_str());
    let title = shortened(title.unwrap_or("API"), LONGEST_TITLE);
    let name = name.map_or_else(|| names::of_api(&title), str::to_owned);
    let schemes = read::schemes(document);
    let reader = Reader::new(document, base, &schemes);
    let Reading { drafts, skipped, filtered } = reader.read(filter);
    let wanted: Vec<Wanted> = drafts.iter().map(wanted).collect();
    let tools = names::of_tools(&name, &wanted);
    let schemas = Schemas::new(document);
    let operations =
        drafts.into_iter().zip(tools).map(|(draft, name)| operation(draft, name, &schemas, budget)).collect();
    let home = reader.base().ok();
    Converted { name, title, version: document.version, operations, skipped, filtered, schemes, home }
}

fn wanted(draft: &Draft<'_>) -> Wanted {
    let identity = format!("{} {}", draft.method, draft.path);
    let name = draft.id.clone().unwrap_or_else(|| identity.to_lowercase());
    Wanted { name, identity }
}

fn operation<'a>(draft: Draft<'a>, name: String, schemas: &Schemas<'a>, budget: usize) -> Operation {
    let Fitted { schema, cuts } = schemas.arguments(&draft, budget);
    let described = description(&draft, &cuts);
    let title = shortened(&draft.summary, LONGEST_TITLE);
    let title = if title.is_empty() { format!("{} {}", draft.method, draft.path) } else { title };
    Operation {
        name,
        title,
        description: described,
        input_schema: Arc::new(schema),
        cuts,
        id: draft.id,
        method: draft.method,
        path: draft.path,
        tags: draft.tags,
        deprecated: draft.deprecated,
        parameters: draft.parameters.into_iter().map(|(parameter, _)| parameter).collect(),
        body: draft.body.map(|(body, _)| body),
        base: draft.base,
        security: draft.security,
        accept: draft.accept,
    }
}

/// What it does, in the document's words, then what it is.
fn description(draft: &Draft<'_>, cuts: &[String]) -> String {
    let summary = shortened(&draft.summary, LONGEST_DESCRIPTION);
    let more = shortened(&draft.description, LONGEST_DESCRIPTION);
    let mut text = match (summary.as_str(), more.as_str()) {
        ("", more) => more.to_owned(),
        (summary, "") => summary.to_owned(),
        (summary, more) if more.starts_with(summary.trim_end_matches('.')) => more.to_owned(),
        (summary, more) => format!("{}. {more}", summary.trim_end_matches('.')),
    };
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&format!("({} {})", draft.method, draft.path));
    if draft.deprecated {
        text.push_str(" Deprecated.");
    }
    for cut in cuts {
        text.push_str(&format!(" [{cut}]"));
    }
    text
}
