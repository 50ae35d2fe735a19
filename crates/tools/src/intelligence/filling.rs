//! Which of the code that was found is shown, and how much of it: whole symbols, best first, within a budget of tokens.

use std::collections::HashMap;

use retrieval::{Hit, Source};

/// What the names and numbers of a candidate take beside its code.
const TOKENS_AROUND: usize = 40;
/// The longest beginning of a file that is shown where a file as a whole was found.
const LINES_OF_A_FILE: u32 = 60;
/// The longest beginning of a symbol that is shown where parts of it are shown on their own.
const LINES_OF_A_HEAD: u32 = 12;

/// A piece of code with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shown {
    pub(super) hit: Hit,
    pub(super) content: String,
    /// The last line that the content really has.
    last_line: u32,
}

/// What is shown, and what was left out for want of room.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Filled {
    pub(super) shown: Vec<Shown>,
    pub(super) left_out: Vec<String>,
}

/// Takes hits, best first, until there are enough or there is no room. `read` gives the text of a file.
pub(super) fn fill(
    hits: Vec<Hit>,
    limit: usize,
    budget: usize,
    read: &mut dyn FnMut(&str) -> Option<String>,
) -> Filled {
    let mut files: HashMap<String, Option<Vec<String>>> = HashMap::new();
    let mut filled = Filled::default();
    let mut room = budget;
    for hit in hits {
        if filled.shown.len() >= limit || room <= TOKENS_AROUND {
            break;
        }
        let lines = files.entry(hit.file.clone()).or_insert_with(|| read(&hit.file).map(|text| lines_of(&text)));
        let Some(lines) = lines else { continue };
        if filled.shown.iter().any(|shown| shown.has(&hit)) {
            continue;
        }
        let has_part = filled.shown.iter().any(|shown| is_part(&shown.hit, &hit));
        let mut piece = cut(hit, lines, has_part);
        let cost = tokens(&piece.content) + TOKENS_AROUND;
        if cost <= room {
            room -= cost;
            filled.shown.push(piece);
        } else if filled.shown.is_empty() {
            piece.shorten(room - TOKENS_AROUND);
            room = 0;
            filled.shown.push(piece);
        } else {
            filled.left_out.push(piece.hit.symbol);
        }
    }
    filled
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Whether the one is written inside of the other.
fn is_part(inner: &Hit, outer: &Hit) -> bool {
    outer.file == inner.file && outer.start_line <= inner.start_line && inner.end_line <= outer.end_line
}

/// Of files only the beginning is shown.
fn is_whole(hit: &Hit) -> bool {
    hit.label.is_definition()
}

fn cut(hit: Hit, lines: &[String], has_part: bool) -> Shown {
    let first = hit.start_line.max(1);
    let last = hit.end_line.max(first).min(u32::try_from(lines.len()).unwrap_or(u32::MAX));
    let most = match (is_whole(&hit), has_part) {
        (false, _) => LINES_OF_A_FILE,
        (true, true) => LINES_OF_A_HEAD,
        (true, false) => u32::MAX,
    };
    let last_line = last.min(first.saturating_add(most - 1));
    let mut content = lines.get(first as usize - 1..last_line as usize).unwrap_or_default().join("\n");
    if last_line < last {
        content = format!("{content}\n{}", more(&hit, last - last_line));
    }
    Shown { hit, content, last_line }
}

impl Shown {
    /// Whether the code of this symbol is in the content already.
    fn has(&self, hit: &Hit) -> bool {
        is_part(hit, &self.hit) && hit.end_line <= self.last_line
    }

    /// Keeps as many whole lines as there is room for.
    fn shorten(&mut self, room: usize) {
        let total = u32::try_from(self.content.lines().count()).unwrap_or(u32::MAX);
        let (mut kept, mut count) = (String::new(), 0);
        for line in self.content.lines() {
            let longer = if count == 0 { line.to_owned() } else { format!("{kept}\n{line}") };
            if tokens(&longer) + tokens(&more(&self.hit, total)) > room {
                break;
            }
            (kept, count) = (longer, count + 1);
        }
        self.content = format!("{kept}\n{}", more(&self.hit, total - count));
        self.last_line = (self.hit.start_line + count).saturating_sub(1);
    }
}

fn more(hit: &Hit, lines: u32) -> String {
    let how =
        if is_whole(hit) { format!("get_code_snippet {}", hit.symbol) } else { format!("read_file {}", hit.file) };
    format!("… {lines} more lines: {how}")
}

/// About how many tokens a model makes of a text: four characters of code each, or one of a script without spaces.
pub(super) fn tokens(text: &str) -> usize {
    let wide = text.chars().filter(|character| !character.is_ascii()).count();
    let narrow = text.bytes().filter(u8::is_ascii).count();
    wide + narrow.div_ceil(4)
}

pub(super) fn source_name(source: Source) -> &'static str {
    match source {
        Source::Keyword => "keyword",
        Source::Embedding => "embedding",
        Source::Graph => "graph",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::{Label, NodeId};

    fn hit(symbol: &str, label: Label, lines: (u32, u32)) -> Hit {
        Hit {
            node: NodeId(1),
            label,
            symbol: symbol.to_owned(),
            local_name: symbol.to_owned(),
            file: "a.py".to_owned(),
            start_line: lines.0,
            end_line: lines.1,
            source: Source::Keyword,
            distance: 0,
            relevance: 1.0,
        }
    }

    fn text(lines: u32) -> String {
        (1..=lines).map(|line| format!("line {line}\n")).collect()
    }

    #[track_caller]
    fn check(hits: Vec<Hit>, limit: usize, budget: usize, shown: &[(&str, &str)], left_out: &[&str]) {
        let filled = fill(hits, limit, budget, &mut |_| Some(text(200)));
        let found: Vec<(&str, &str)> =
            filled.shown.iter().map(|shown| (shown.hit.symbol.as_str(), shown.content.as_str())).collect();
        assert_eq!(found, shown);
        assert_eq!(filled.left_out, left_out);
    }

    #[test]
    fn symbols_are_shown_whole_up_to_the_limit() {
        let hits = vec![
            hit("f", Label::Function, (1, 2)),
            hit("g", Label::Function, (4, 4)),
            hit("h", Label::Function, (6, 6)),
        ];
        check(hits, 2, 1000, &[("f", "line 1\nline 2"), ("g", "line 4")], &[]);
    }

    #[test]
    fn what_has_no_room_is_named_and_smaller_ones_still_come() {
        let hits = vec![
            hit("f", Label::Function, (1, 2)),
            hit("long", Label::Function, (4, 190)),
            hit("g", Label::Function, (195, 195)),
        ];
        check(hits, 10, 200, &[("f", "line 1\nline 2"), ("g", "line 195")], &["long"]);
    }

    #[test]
    fn the_best_is_shown_even_if_only_its_beginning_has_room() {
        let filled = fill(vec![hit("long", Label::Function, (1, 200))], 10, 100, &mut |_| Some(text(200)));
        let content = &filled.shown[0].content;
        assert!(content.starts_with("line 1\nline 2\n"), "{content}");
        assert!(content.ends_with("more lines: get_code_snippet long"), "{content}");
        assert!(tokens(content) <= 100, "{content}");
    }

    #[test]
    fn nothing_is_shown_twice() {
        let within = vec![hit("C", Label::Class, (1, 9)), hit("C.m", Label::Method, (3, 4))];
        check(within, 10, 1000, &[("C", text(9).trim_end())], &[]);
        let around = vec![hit("C.m", Label::Method, (30, 30)), hit("C", Label::Class, (1, 100))];
        let head = format!("{}\n… 88 more lines: get_code_snippet C", text(12).trim_end());
        check(around, 10, 1000, &[("C.m", "line 30"), ("C", &head)], &[]);
    }

    #[test]
    fn a_file_shows_its_beginning() {
        let filled = fill(vec![hit("a.py", Label::File, (1, 200))], 10, 8000, &mut |_| Some(text(200)));
        assert!(filled.shown[0].content.ends_with("line 60\n… 140 more lines: read_file a.py"));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_passed_over() {
        assert_eq!(fill(vec![hit("f", Label::Function, (1, 2))], 10, 1000, &mut |_| None), Filled::default());
    }
}
