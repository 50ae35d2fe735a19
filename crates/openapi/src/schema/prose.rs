//! Descriptions as a model should read them: on one line, without markup, no longer than asked.

/// The text on one line without HTML, cut at the end of a sentence or word with a sign that something is missing.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    let plain = one_line(text, most);
    let Some((end, _)) = plain.char_indices().nth(most) else { return plain };
    let head = &plain[..end];
    let sentence = head.rfind(". ").map(|at| at + 1).filter(|at| *at > head.len() / 2);
    let word = head.rfind(' ').filter(|at| *at > head.len() / 2);
    let kept = head[..sentence.or(word).unwrap_or(head.len())].trim_end_matches([' ', ',', ';', ':']);
    format!("{kept} …")
}

/// White space squeezed and tags removed, until a little more than so many characters are there.
fn one_line(text: &str, most: usize) -> String {
    let mut plain = String::new();
    let mut rest = text;
    let mut count = 0;
    while let Some(character) = rest.chars().next() {
        if let Some(length) = tag(rest) {
            rest = &rest[length..];
            space(&mut plain);
            continue;
        }
        rest = &rest[character.len_utf8()..];
        if character.is_whitespace() || character.is_control() {
            space(&mut plain);
        } else {
            plain.push(character);
            count += 1;
        }
        if count > most * 2 {
            break;
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

fn space(plain: &mut String) {
    if !plain.is_empty() && !plain.ends_with(' ') {
        plain.push(' ');
    }
}

/// The length of the tag that the text begins with.
fn tag(text: &str) -> Option<usize> {
    const LONGEST: usize = 400;
    let inner = text.strip_prefix('<')?;
    let is_tag = inner.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
    let end = text.find('>').filter(|end| *end < LONGEST)?;
    let name = inner.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    const TAGS: &[&str] = &[
        "p",
        "b",
        "i",
        "a",
        "br",
        "ul",
        "ol",
        "li",
        "em",
        "strong",
        "code",
        "pre",
        "div",
        "span",
        "h1",
        "h2",
        "h3",
        "h4",
        "table",
        "tr",
        "td",
        "th",
        "tbody",
        "thead",
        "note",
        "sup",
        "sub",
        "dl",
        "dt",
        "dd",
        "hr",
        "img",
        "font",
        "blockquote",
        "details",
        "summary",
        "center",
        "small",
        "u",
        "fullname",
    ];
    (is_tag && TAGS.contains(&name.to_ascii_lowercase().as_str())).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_white_space_go() {
        assert_eq!(shortened("<p>The  name\nof a <b>pet</b>.</p>", 100), "The name of a pet .");
        assert_eq!(shortened("less < more, Map<String, Pet>", 100), "less < more, Map<String, Pet>");
    }

    #[test]
    fn a_long_text_ends_with_a_sentence_or_a_word() {
        assert_eq!(shortened("One sentence here. Another one that is long.", 25), "One sentence here. …");
        assert_eq!(shortened("word another third", 14), "word another …");
        assert_eq!(shortened("字".repeat(50).as_str(), 10), format!("{} …", "字".repeat(10)));
        assert_eq!(shortened("anything", 0), "");
    }
}
