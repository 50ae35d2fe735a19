//! Every tool of Trailmark: parameters in, one domain call, an answer in its family's style out.
//!
//! In: a tool's name and JSON arguments, with who called and a way to cancel. Out: an [`Answer`] of content blocks, or a
//! [`CallFailure`] for the two cases that are not the tool's own. This crate knows no protocol library, no transport
//! and no storage driver; the binary hands it the stores.
//!
//! To add a tool: one file in its family's folder and one row in that family's `TOOLS`.

mod answer;
mod api;
mod arguments;
mod audit;
mod blocking;
mod budget;
mod chart;
mod code;
mod content;
mod context;
mod dispatch;
mod documents;
mod error;
mod experience;
#[cfg(feature = "fixtures")]
mod fixtures;
mod instructions;
mod intelligence;
mod knowledge;
mod output;
mod prompts;
mod registry;
mod resources;
mod schema;
mod selection;
mod styles;
mod suggest;
mod tool;
mod web;
mod workspace;

pub use answer::Answer;
pub use api::Apis;
pub use audit::Recorder;
pub use code::cell_json;
pub use content::{Annotations, Audience, BlockBody, ContentBlock, ResourceBody};
pub use context::{LanguageModel, Progress, ProgressSink, Reach, Stores, ToolContext};
pub use dispatch::{CallFailure, CallRequest, Dispatcher, Limits, Origin};
pub use error::{ErrorKind, ToolError};
pub use experience::{AnswerCounter, FieldFinding, inspect_experience};
pub use instructions::instructions;
pub use knowledge::Vocabulary;
pub use output::{Blocks, Explained, Illustrated, Json, Lines, Measured, Output, Payload, Text};
pub use prompts::{Prompt, PromptArgument, PromptError};
pub use registry::{Advice, Entry, Family, Registry};
pub use resources::{DocumentResources, Resource, ResourceError, ResourceText};
pub use selection::{Selection, SelectionError};
pub use styles::{ERROR_CODES, ErrorCode, FixedBy, Style};
pub use suggest::nearest;
pub use tool::{Effect, Records, ToolFacts, ToolInfo, TypedTool};
pub use workspace::Workspace;

/// Every family this build knows, in the order they are listed.
pub const FAMILIES: &[&Family] = &[
    &documents::FAMILY,
    &knowledge::FAMILY,
    &experience::FAMILY,
    &code::FAMILY,
    &intelligence::FAMILY,
    &web::FAMILY,
    &api::FAMILY,
    &chart::FAMILY,
    #[cfg(feature = "fixtures")]
    &fixtures::CODE,
    #[cfg(feature = "fixtures")]
    &fixtures::INTELLIGENCE,
    #[cfg(feature = "fixtures")]
    &fixtures::KNOWLEDGE,
    #[cfg(feature = "fixtures")]
    &fixtures::EXPERIENCE,
    #[cfg(feature = "fixtures")]
    &fixtures::API,
];
