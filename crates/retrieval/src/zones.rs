//! Which part of a task is its title, which is prose, which is code and which is the trace of an error?

/// What a stretch of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    Title,
    Prose,
    /// In backticks or quotes, in prose.
    Quoted,
    Code,
    /// A frame of a stack trace or the source line below it.
    Trace,
    /// What an error says of itself.
    Error,
}

/// Calls back with each stretch of a text and what it is.
pub(crate) fn zones(text: &str, mut each: impl FnMut(Zone, &str)) {
    let text = without_comments(text);
    let mut is_fenced = false;
    let mut has_title = false;
    let mut in_trace = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            is_fenced = !is_fenced;
            continue;
        }
        if trimmed.is_empty() {
            continue;
        }
        if !has_title {
            has_title = true;
            split_quoted(Zone::Title, trimmed, &mut each);
            continue;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        let is_frame = is_frame(trimmed);
        in_trace = is_frame
            || trimmed.starts_with("Traceback")
            || in_trace && (is_indented || is_fenced && !is_error(trimmed));
        let zone = if is_error(trimmed) {
            Zone::Error
        } else if in_trace {
            Zone::Trace
        } else if is_fenced
            || is_indented
            || [">>>", "...", "$ ", "In ["].iter().any(|start| trimmed.starts_with(start))
        {
            Zone::Code
        } else {
            Zone::Prose
        };
        match zone {
            Zone::Prose => split_quoted(Zone::Prose, trimmed, &mut each),
            Zone::Title | Zone::Quoted | Zone::Code | Zone::Trace | Zone::Error => each(zone, trimmed),
        }
    }
}

/// Whether a line is one of a stack trace.
fn is_frame(line: &str) -> bool {
    (line.starts_with("File \"") && line.contains("\", line "))
        || (line.starts_with("at ") && (line.contains('(') || line.contains(':')))
        || (line.starts_with("from ") && line.contains(":in "))
}

/// `ValueError: …`, `java.lang.NullPointerException: …`, `error[E0308]: …`, `panic: …`.
fn is_error(line: &str) -> bool {
    let Some((head, rest)) = line.split_once(':') else { return false };
    let head = head.rsplit(' ').next().unwrap_or(head);
    let is_name =
        !head.is_empty() && head.chars().all(|character| character.is_alphanumeric() || "._[]".contains(character));
    let ends = ["Error", "Exception", "Warning", "Fault", "panic", "error", "fatal", "Interrupt"];
    is_name && !rest.starts_with("//") && (ends.iter().any(|end| head.ends_with(end)) || head.starts_with("error["))
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        out.push_str(&rest[..start]);
        match rest[start..].find("-->") {
            Some(end) => rest = &rest[start + end + 3..],
            None => return out,
        }
    }
    out.push_str(rest);
    out
}

/// Tells what is in backticks from the rest of a line.
fn split_quoted(zone: Zone, line: &str, each: &mut impl FnMut(Zone, &str)) {
    let is_title = zone == Zone::Title;
    for (position, piece) in line.split('`').enumerate() {
        let is_quoted = position % 2 == 1;
        // A title is worth more than a quote, so that a quote in it is both.
        if is_title {
            each(Zone::Title, piece);
        }
        if is_quoted {
            each(Zone::Quoted, piece);
        } else if !is_title {
            each(zone, piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_told_what_it_is() {
        let text = "Broken `load`\n\nIt fails with `Cart.add`:\n<!-- template\n -->\n```python\nload(1)\n```\n\
                    Traceback (most recent call last):\n  File \"shop/cart.py\", line 3, in add\n    x = y\nValueError: no such item\nbye\n";
        let mut found = Vec::new();
        zones(text, |zone, piece| found.push((zone, piece.trim().to_owned())));
        let expected = [
            (Zone::Title, "Broken"),
            (Zone::Title, "load"),
            (Zone::Quoted, "load"),
            (Zone::Title, ""),
            (Zone::Prose, "It fails with"),
            (Zone::Quoted, "Cart.add"),
            (Zone::Prose, ":"),
            (Zone::Code, "load(1)"),
            (Zone::Trace, "Traceback (most recent call last):"),
            (Zone::Trace, "File \"shop/cart.py\", line 3, in add"),
            (Zone::Trace, "x = y"),
            (Zone::Error, "ValueError: no such item"),
            (Zone::Prose, "bye"),
        ];
        let found: Vec<_> = found.iter().map(|(zone, piece)| (*zone, piece.as_str())).collect();
        assert_eq!(found, expected);
    }
}
