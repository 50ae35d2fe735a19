//! Feature files → scenarios: steps with their texts and tables, outlines expanded.

/// One scenario, or one example of an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// The path of its feature file below the folder of features, without extension.
    pub feature: String,
    pub title: String,
    /// Which example of the outline, from 1; 0 if it is none.
    pub example: usize,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// Without the keyword.
    pub text: String,
    /// The text between triple quotes.
    pub document: Option<String>,
    pub table: Vec<Vec<String>>,
}

impl Scenario {
    /// Names it in lists of gaps and messages.
    pub fn id(&self) -> String {
        match self.example {
            0 => format!("{}: {}", self.feature, self.title),
            example => format!("{}: {} #{example}", self.feature, self.title),
        }
    }

    pub fn step(&self, beginning: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.text.starts_with(beginning))
    }
}

/// Reads one feature file.
pub fn read_feature(feature: &str, text: &str) -> Vec<Scenario> {
    let mut reader = Reader { feature, background: Vec::new(), scenarios: Vec::new(), open: None };
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line == "\"\"\"" {
            let document: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "\"\"\"").collect();
            reader.document(&document);
        } else if !line.is_empty() && !line.starts_with('#') && !line.starts_with('@') {
            reader.line(line);
        }
    }
    reader.finish()
}

struct Reader<'a> {
    feature: &'a str,
    background: Vec<Step>,
    scenarios: Vec<Scenario>,
    open: Option<Open>,
}

struct Open {
    title: String,
    is_background: bool,
    steps: Vec<Step>,
    in_examples: bool,
    examples: Vec<Vec<String>>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        if let Some(title) = line.strip_prefix("Scenario Outline:").or_else(|| line.strip_prefix("Scenario:")) {
            self.begin(title.trim(), false);
        } else if line.starts_with("Background:") {
            self.begin("", true);
        } else if line.starts_with("Examples:") {
            if let Some(open) = &mut self.open {
                open.in_examples = true;
            }
        } else if line.starts_with('|') {
            self.row(cells(line));
        } else if let Some(open) = &mut self.open {
            let keyword = ["Given ", "When ", "Then ", "And ", "But "].iter().find_map(|word| line.strip_prefix(word));
            if let Some(text) = keyword {
                open.steps.push(Step { text: text.trim().to_owned(), ..Step::default() });
            }
        }
    }

    fn begin(&mut self, title: &str, is_background: bool) {
        self.close();
        let steps = if is_background { Vec::new() } else { self.background.clone() };
        let title = title.to_owned();
        self.open = Some(Open { title, is_background, steps, in_examples: false, examples: Vec::new() });
    }

    fn row(&mut self, cells: Vec<String>) {
        let Some(open) = &mut self.open else { return };
        if open.in_examples {
            open.examples.push(cells);
        } else if let Some(step) = open.steps.last_mut() {
            step.table.push(cells);
        }
    }

    fn document(&mut self, lines: &[&str]) {
        let indent = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(line)).min().unwrap_or(0);
        let lines: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or("")).collect();
        if let Some(step) = self.open.as_mut().and_then(|open| open.steps.last_mut()) {
            step.document = Some(lines.join("\n"));
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        if open.is_background {
            self.background = open.steps;
            return;
        }
        let feature = self.feature.to_owned();
        let Some((names, rows)) = open.examples.split_first() else {
            self.scenarios.push(Scenario { feature, title: open.title, example: 0, steps: open.steps });
            return;
        };
        for (index, row) in rows.iter().enumerate() {
            let replace = |text: &str| {
                names
                    .iter()
                    .zip(row)
                    .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
            };
            let steps = open.steps.iter().map(|step| Step {
                text: replace(&step.text),
                document: step.document.as_deref().map(replace),
                table: step.table.iter().map(|row| row.iter().map(|cell| replace(cell)).collect()).collect(),
            });
            let steps = steps.collect();
            let title = open.title.clone();
            self.scenarios.push(Scenario { feature: feature.clone(), title, example: index + 1, steps });
        }
    }

    fn finish(mut self) -> Vec<Scenario> {
        self.close();
        self.scenarios
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The cells of a row; `\|` is a bar inside a cell and `\\` a backslash.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|');
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut cells = vec![String::new()];
    let mut characters = inner.chars().peekable();
    while let Some(character) = characters.next() {
        let last = cells.last_mut().expect("there is always a last cell");
        match (character, characters.peek()) {
            ('\\', Some(escaped @ ('|' | '\\'))) => {
                last.push(*escaped);
                characters.next();
            }
            ('|', _) => cells.push(String::new()),
            _ => last.push(character),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}
