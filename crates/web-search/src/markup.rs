//! Texts of web pages without their markup.
//!
//! Snippets are often about markup, so that `<div>` alone is text, as in `how to centre a <div>`. A tag is markup where it has
//! attributes, ends another one, is ended later, or stands by itself by its nature.

use std::collections::HashMap;

/// Tags that are never ended.
const ALONE: &[&str] = &["br", "hr", "img", "wbr", "input", "meta", "link"];
/// What is between these is not for readers.
const HIDDEN: &[&str] = &["script", "style", "template", "noscript", "iframe", "object"];
/// Everything else in angle brackets is text, such as `Vec<String>`.
const TAGS: &[&str] = &[
    "a",
    "abbr",
    "article",
    "b",
    "blockquote",
    "body",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figure",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "html",
    "i",
    "ins",
    "kbd",
    "label",
    "li",
    "main",
    "mark",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "select",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "textarea",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "button",
    "video",
    "audio",
    "canvas",
];
/// These divide words; the others may stand inside of one.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];
const ENTITIES: &[(&str, &str)] = &[
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", " "),
    ("hellip", "…"),
    ("mdash", "—"),
    ("ndash", "–"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("laquo", "«"),
    ("raquo", "»"),
    ("middot", "·"),
    ("bull", "•"),
    ("copy", "©"),
    ("reg", "®"),
    ("trade", "™"),
    ("times", "×"),
    ("euro", "€"),
    ("pound", "£"),
    ("deg", "°"),
    ("shy", ""),
    ("zwnj", ""),
    ("auml", "ä"),
    ("ouml", "ö"),
    ("uuml", "ü"),
    ("szlig", "ß"),
    ("eacute", "é"),
    ("egrave", "è"),
    ("agrave", "à"),
    ("ccedil", "ç"),
];

/// What is longer is no tag.
const LONGEST_TAG: usize = 2_000;

/// The text without tags and with characters for their names. Done twice: many engines escape what is escaped already.
pub(crate) fn without_markup(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let once = unescaped(&without_tags(text));
    if once.contains(['<', '&']) { unescaped(&without_tags(&once)) } else { once }
}

#[derive(Debug)]
struct Tag<'a> {
    start: usize,
    end: usize,
    name: &'a str,
    is_end: bool,
    has_attributes: bool,
}

fn without_tags(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let tags = tags(&lower);
    let is_markup = markup(&tags);
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for (tag, _) in tags.iter().zip(is_markup).filter(|(_, is_markup)| *is_markup) {
        if tag.start < at {
            continue;
        }
        kept.push_str(&text[at..tag.start]);
        if !INLINE.contains(&tag.name) {
            kept.push(' ');
        }
        at = tag.end;
        if HIDDEN.contains(&tag.name) && !tag.is_end {
            at = lower[at..].find(&format!("</{}", tag.name)).map_or(at, |found| at + found);
        }
    }
    kept.push_str(&text[at..]);
    kept
}

/// Every known tag and every comment of a text in lower case.
fn tags(lower: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(start) = lower[at..].find('<').map(|found| at + found) {
        match tag(lower, start) {
            Some(tag) => {
                at = tag.end;
                tags.push(tag);
            }
            None => at = start + 1,
        }
    }
    tags
}

fn tag(lower: &str, start: usize) -> Option<Tag<'_>> {
    let inside = &lower[start + 1..];
    if let Some(comment) = inside.strip_prefix("!--") {
        let end = comment.find("-->").map_or(lower.len(), |found| start + 4 + found + 3);
        return Some(Tag { start, end, name: "!--", is_end: false, has_attributes: true });
    }
    let length = inside[..inside.floor_char_boundary(LONGEST_TAG)].find('>')?;
    let (inside, end) = (&inside[..length], start + 1 + length + 1);
    if inside.starts_with("!doctype") {
        return Some(Tag { start, end, name: "!doctype", is_end: false, has_attributes: true });
    }
    let (inside, is_end) = inside.strip_prefix('/').map_or((inside, false), |rest| (rest, true));
    let name = inside.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    let rest = &inside[name.len()..];
    let is_known = [TAGS, ALONE, HIDDEN].iter().any(|names| names.contains(&name));
    let is_whole = rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n', '/']);
    let has_attributes = rest.contains('=');
    (is_known && is_whole && !rest.contains('<')).then_some(Tag { start, end, name, is_end, has_attributes })
}

fn markup(tags: &[Tag<'_>]) -> Vec<bool> {
    let always =
        |tag: &Tag<'_>| tag.has_attributes || tag.is_end || ALONE.contains(&tag.name) || HIDDEN.contains(&tag.name);
    let mut is_markup: Vec<bool> = tags.iter().map(always).collect();
    let mut open: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, tag) in tags.iter().enumerate() {
        if !tag.is_end {
            open.entry(tag.name).or_default().push(index);
        } else if let Some(begun) = open.get_mut(tag.name).and_then(Vec::pop) {
            is_markup[begun] = true;
        }
    }
    is_markup
}

fn unescaped(text: &str) -> String {
    /// `&thetasym;` and the like; longer ones are text.
    const LONGEST: usize = 10;
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        unescaped.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(LONGEST).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, character(&rest[1..end])?))) {
            Some((end, character)) => {
                unescaped.push_str(&character);
                rest = &rest[end + 1..];
            }
            None => {
                unescaped.push('&');
                rest = &rest[1..];
            }
        }
    }
    unescaped + rest
}

fn character(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else {
        return ENTITIES.iter().find(|(known, _)| *known == name).map(|(_, character)| (*character).to_owned());
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let plain = without_markup(text).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(plain, expected, "{text}");
    }

    #[test]
    fn markup_goes_and_words_stay_whole() {
        check("a <b>bold</b> <EM class='x'>word</EM>", "a bold word");
        check("un<b>believ</b>able", "unbelievable");
        check("one<br>two<br/>three<p>four</p>", "one two three four");
        check("<div class=\"s\">left open", "left open");
        check("cut short</strong>", "cut short");
        check("a<!-- hidden -->b<!-- to the end", "a b");
        check("x <script>alert('1 < 2')</script> y<style>p{}</style>", "x y");
        check("<script>never ended", "never ended");
        check("&lt;b&gt;twice&lt;/b&gt; &amp;amp; &amp;quot;quoted&amp;quot;", "twice & \"quoted\"");
        check("Tom &amp; Jerry &#8211; &#x4e2d;&#25991; &nbsp; caf&eacute;", "Tom & Jerry – 中文 café");
    }

    #[test]
    fn what_is_written_about_markup_stays() {
        for text in [
            "How to centre a <div>",
            "<b> or <strong>?",
            "Vec<String> and HashMap<K, V>",
            "if a < b && c > d",
            "AT&T; R&D &unknown; &",
            "a <- b",
            "x<y",
            "1 << 3",
            "<",
            "<>",
            "</",
            "<3",
            "&#xZZ; &#99999999999;",
            "template<typename T>",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn nonsense_is_survived() {
        for nonsense in ["<b>", "<", "&", "<script>", "<!--", "</b>", "<a href='", "&#"] {
            without_markup(&nonsense.repeat(5_000));
        }
    }
}
