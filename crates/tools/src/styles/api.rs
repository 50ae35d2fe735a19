//! The API family: the blocks an HTTP service answered with, each carrying where it came from.

use jiff::Timestamp;
use serde_json::{Map, json};

use crate::answer::Answer;
use crate::content::ContentBlock;
use crate::error::ToolError;
use crate::output::Blocks;
use crate::styles::plain;

pub(super) fn answer(blocks: Blocks) -> Answer {
    let Blocks { blocks, structured, meta, failed } = blocks;
    let content = blocks.into_iter().map(|block| block.with_meta(meta.clone())).collect();
    Answer { content, structured_content: structured, is_error: failed, meta: None }
}

/// A call that never reached the service: there is a time, but no status and no address.
pub(super) fn error(tool: &str, error: &ToolError) -> Answer {
    let meta = Map::from_iter([("timestamp".to_owned(), json!(Timestamp::now().to_string()))]);
    let text = plain::sentence(tool, error);
    Answer {
        content: vec![ContentBlock::text(text).with_meta(meta)],
        structured_content: None,
        is_error: true,
        meta: None,
    }
}
