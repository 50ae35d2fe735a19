//! The table and the tokenizer of a model, in memory.

use std::fs;
use std::path::Path;

use search::embed::Vector;
use tokenizers::Tokenizer;

use crate::folder::{CONFIG, TABLE, TOKENIZER};
use crate::table::{Table, Tables};
use crate::text::as_words;

/// More tokens than this say no more about what a text is about.
const MOST_TOKENS: usize = 512;

/// What is read of a text: more would be more tokens than that.
const LONGEST_TEXT: usize = 8_192;

#[derive(Debug)]
pub(crate) struct Model {
    tokenizer: Tokenizer,
    table: Table,
    /// Of each token, where the model has them.
    weights: Option<Vec<f32>>,
    /// The row of each token, where several share one.
    rows: Option<Vec<f32>>,
    unknown: Option<u32>,
}

impl Model {
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let file = fs::read(folder.join(TABLE)).map_err(|error| format!("{TABLE}: {error}"))?;
        let named = |reason: String| format!("{TABLE} is no model: {reason}");
        let tables = Tables::read(&file).map_err(named)?;
        let table = tables.embeddings().map_err(named)?;
        let weights = tables.table("weights").map_err(named)?.map(|table| table.numbers);
        let rows = tables.table("mapping").map_err(named)?.map(|table| table.numbers);
        let mut tokenizer =
            Tokenizer::from_file(folder.join(TOKENIZER)).map_err(|error| format!("{TOKENIZER}: {error}"))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| error.to_string())?;
        let unknown = unknown_token(folder).and_then(|token| tokenizer.token_to_id(&token));
        Ok(Self { tokenizer, table, weights, rows, unknown })
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.table.columns
    }

    /// The mean of the rows of a text's tokens. A text without any points where nothing else does.
    pub(crate) fn vector(&self, text: &str) -> Result<Vector, String> {
        let text = &text[..text.floor_char_boundary(LONGEST_TEXT)];
        let tokens = self.tokenizer.encode_fast(as_words(text), false).map_err(|error| error.to_string())?;
        let mut sum = vec![0.0_f32; self.table.columns];
        let known = tokens.get_ids().iter().filter(|token| Some(**token) != self.unknown);
        for token in known.take(MOST_TOKENS) {
            let place = *token as usize;
            let weight = self.weights.as_ref().map_or(1.0, |weights| weights.get(place).copied().unwrap_or(0.0));
            if let Some(row) = self.row(place).and_then(|place| self.table.row(place)) {
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number * weight);
            }
        }
        let nowhere = || {
            let mut numbers = vec![0.0; self.table.columns];
            numbers[0] = 1.0;
            Vector::new(&numbers)
        };
        Vector::new(&sum).or_else(nowhere).ok_or_else(|| "its table holds what is no number".to_owned())
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is the number of a row")]
    fn row(&self, token: usize) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.get(token).map(|row| *row as usize),
            None => Some(token),
        }
    }
}

/// As the tokenizer's own file, or that of the model, names it.
fn unknown_token(folder: &Path) -> Option<String> {
    let read =
        |name: &str| -> Option<serde_json::Value> { serde_json::from_slice(&fs::read(folder.join(name)).ok()?).ok() };
    let of_tokenizer = || read(TOKENIZER)?["model"]["unk_token"].as_str().map(str::to_owned);
    let of_config = || read(CONFIG)?["unk_token"].as_str().map(str::to_owned);
    of_tokenizer().or_else(of_config)
}
