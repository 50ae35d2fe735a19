//! One operation of a document as a tool.

use std::borrow::Cow;
use std::sync::Arc;

use ::openapi::{Api, Method, Operation};
use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::answer;
use crate::arguments::Violation;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::{Blocks, Payload};
use crate::tool::{Effect, Tool, ToolFacts};

pub(super) struct OperationTool {
    api: Arc<Api>,
    /// Which of its operations.
    at: usize,
}

impl OperationTool {
    /// A tool for each operation of an API.
    pub(super) fn all(api: &Arc<Api>) -> impl Iterator<Item = Self> {
        (0..api.operations.len()).map(|at| Self { api: api.clone(), at })
    }

    fn operation(&self) -> &Operation {
        &self.api.operations[self.at]
    }
}

impl Tool for OperationTool {
    fn facts(&self) -> ToolFacts {
        let operation = self.operation();
        ToolFacts {
            name: Cow::Owned(operation.name.clone()),
            title: Cow::Owned(operation.title.clone()),
            summary: Cow::Owned(operation.description.clone()),
            effect: effect(operation.method),
            // The call itself has a limit, and says more than a deadline can.
            deadline: Some(self.api.longest_call()),
            records: None,
        }
    }

    fn input_schema(&self) -> Value {
        (*self.operation().input_schema).clone()
    }

    fn output_schema(&self) -> Option<Value> {
        None
    }

    fn refuse(&self, _: &[Violation], _: &Value) -> Option<ToolError> {
        None
    }

    fn run<'a>(&'a self, context: &'a ToolContext, arguments: &'a Value) -> BoxFuture<'a, Result<Payload, ToolError>> {
        Box::pin(async move {
            let none = Map::new();
            let arguments = arguments.as_object().unwrap_or(&none);
            run(&self.api, self.operation(), arguments, context.answer_bytes()).await.map(Payload::Blocks)
        })
    }
}

/// Calls an operation with arguments that fit its schema.
pub(super) async fn run(
    api: &Api,
    operation: &Operation,
    arguments: &Map<String, Value>,
    answer_bytes: usize,
) -> Result<Blocks, ToolError> {
    let called = api.call(operation, arguments).await;
    let lacks = api.lacks_credentials(operation).then_some(api.name.as_str());
    answer::blocks(called, lacks, answer_bytes)
}

/// What a method is meant to do.
pub(super) fn effect(method: Method) -> Effect {
    match method {
        Method::Get | Method::Head | Method::Options | Method::Trace => Effect::READ.open_world(),
        Method::Post => Effect::WRITE.open_world(),
        Method::Put | Method::Delete => Effect::DESTRUCTIVE.open_world(),
        Method::Patch => Effect::DESTRUCTIVE.repeating().open_world(),
    }
}
