//! Requests and answers as they are on the wire.

use serde::{Deserialize, Serialize};

/// A query is short; a reply may hold some thoughts before it.
const MOST_TOKENS: u32 = 2_000;

#[derive(Debug, Serialize)]
pub(crate) struct Request<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

impl<'a> Request<'a> {
    /// What was said begins with who asks, and goes on in turn. Some models refuse to be tuned.
    pub(crate) fn new(model: &'a str, instructions: &'a str, said: &'a [String], is_tuned: bool) -> Self {
        let roles = ["user", "assistant"].into_iter().cycle();
        let said = roles.zip(said).map(|(role, content)| Message { role, content });
        let instructions = Message { role: "system", content: instructions };
        Self {
            model,
            messages: std::iter::once(instructions).chain(said).collect(),
            stream: false,
            temperature: is_tuned.then_some(0),
            max_tokens: is_tuned.then_some(MOST_TOKENS),
        }
    }
}

#[derive(Debug, Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    message: Reply,
}

#[derive(Debug, Deserialize)]
struct Reply {
    content: Option<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize)]
struct Part {
    text: Option<String>,
}

/// The text of the first choice, empty where it has none; `None` if this is no completion.
pub(crate) fn reply(body: &[u8]) -> Option<String> {
    let completion: Completion = serde_json::from_slice(body).ok()?;
    let text = match completion.choices.into_iter().next()?.message.content {
        None => String::new(),
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
    };
    Some(text.trim().to_owned())
}

#[derive(Debug, Deserialize)]
struct Refusal {
    error: RefusedParameter,
}

#[derive(Debug, Deserialize)]
struct RefusedParameter {
    param: Option<String>,
}

/// Whether a refusal is about what the request would have tuned.
pub(crate) fn refuses_tuning(body: &[u8]) -> bool {
    let refusal = serde_json::from_slice::<Refusal>(body).ok();
    let parameter = refusal.and_then(|refusal| refusal.error.param);
    parameter.is_some_and(|parameter| matches!(parameter.as_str(), "temperature" | "max_tokens"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reply_is_the_text_of_the_first_choice() {
        let check =
            |body: &str, expected: Option<&str>| assert_eq!(reply(body.as_bytes()).as_deref(), expected, "{body}");
        check(r#"{"choices":[{"message":{"role":"assistant","content":" RETURN 1\n"}}]}"#, Some("RETURN 1"));
        check(r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"text":"b"},{"x":1}]}}]}"#, Some("ab"));
        check(r#"{"choices":[{"message":{"content":null}}]}"#, Some(""));
        check(r#"{"choices":[]}"#, None);
        check(r#"{"error":{"message":"no"}}"#, None);
        check("<html>", None);
        check("", None);
    }

    #[test]
    fn turns_alternate_and_begin_with_who_asks() {
        let said = ["q".to_owned(), "r".to_owned(), "again".to_owned()];
        let request = serde_json::to_value(Request::new("m", "be brief", &said, true)).unwrap();
        let roles: Vec<&str> =
            request["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
        assert_eq!(roles, ["system", "user", "assistant", "user"]);
        assert_eq!((&request["temperature"], &request["max_tokens"]), (&0.into(), &MOST_TOKENS.into()));
        let plain = serde_json::to_value(Request::new("m", "", &said, false)).unwrap();
        assert!(plain.get("temperature").is_none() && plain.get("max_tokens").is_none(), "{plain}");
    }

    #[test]
    fn a_refusal_of_tuning_is_told_from_others() {
        assert!(refuses_tuning(br#"{"error":{"message":"x","param":"max_tokens"}}"#));
        assert!(!refuses_tuning(br#"{"error":{"message":"max_tokens","param":null}}"#));
        assert!(!refuses_tuning(b"max_tokens"));
    }
}
