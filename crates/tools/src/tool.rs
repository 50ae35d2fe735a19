//! What a tool is: its row of facts, its parameter and output types, and one function.

use std::borrow::Cow;
use std::future::Future;
use std::marker::PhantomData;
use std::time::Duration;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::Violation;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::{Output, Payload};
use crate::schema;

/// The facts about a tool that everything else loops over. No field has a default: each is a decision.
#[derive(Debug, Clone, Copy)]
pub struct ToolInfo {
    pub name: &'static str,
    pub title: &'static str,
    /// What it does, for the model that must choose it.
    pub summary: &'static str,
    pub effect: Effect,
    /// How long a call may take; `None` for work that reports progress instead.
    pub deadline: Option<Duration>,
    /// Where the answer's list of records is, as a JSON pointer into the data, and how to get those that did not fit.
    pub records: Option<Records>,
}

/// The same facts of a tool that may only be known at run time.
#[derive(Debug, Clone)]
pub struct ToolFacts {
    pub name: Cow<'static, str>,
    pub title: Cow<'static, str>,
    pub summary: Cow<'static, str>,
    pub effect: Effect,
    pub deadline: Option<Duration>,
    pub records: Option<Records>,
}

impl From<ToolInfo> for ToolFacts {
    fn from(info: ToolInfo) -> Self {
        let ToolInfo { name, title, summary, effect, deadline, records } = info;
        Self { name: name.into(), title: title.into(), summary: summary.into(), effect, deadline, records }
    }
}

/// The list of records in an answer, which may be cut when the answer grows too long.
#[derive(Debug, Clone, Copy)]
pub struct Records {
    pub pointer: &'static str,
    pub rest: &'static str,
}

/// What a call does to the world. The four hints of the protocol follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
    pub open_world: bool,
}

impl Effect {
    /// Changes nothing.
    pub const READ: Self = Self { read_only: true, destructive: false, idempotent: true, open_world: false };
    /// Adds something; each call adds again.
    pub const WRITE: Self = Self { read_only: false, destructive: false, idempotent: false, open_world: false };
    /// Changes or removes what is there; doing it twice is doing it once.
    pub const DESTRUCTIVE: Self = Self { read_only: false, destructive: true, idempotent: true, open_world: false };

    /// The same effect on or through systems outside of Trailmark.
    #[must_use]
    pub const fn open_world(self) -> Self {
        Self { open_world: true, ..self }
    }

    /// The same effect, but repeating the call repeats the change.
    #[must_use]
    pub const fn repeating(self) -> Self {
        Self { idempotent: false, ..self }
    }
}

/// A tool as its author writes it.
pub trait TypedTool: Send + Sync + 'static {
    /// The arguments; the doc comments of the fields are the tool's help.
    type Params: DeserializeOwned + JsonSchema + Send;
    type Output: Output;

    const INFO: ToolInfo;

    fn run(context: &ToolContext, params: Self::Params)
    -> impl Future<Output = Result<Self::Output, ToolError>> + Send;

    /// A more exact error for arguments that break the schema, where the family has one.
    fn refuse(_violations: &[Violation], _arguments: &Value) -> Option<ToolError> {
        None
    }
}

/// A tool as the registry holds it.
pub(crate) trait Tool: Send + Sync {
    fn facts(&self) -> ToolFacts;
    fn input_schema(&self) -> Value;
    fn output_schema(&self) -> Option<Value>;
    fn refuse(&self, violations: &[Violation], arguments: &Value) -> Option<ToolError>;
    fn run<'a>(&'a self, context: &'a ToolContext, arguments: &'a Value) -> BoxFuture<'a, Result<Payload, ToolError>>;
}

/// Turns a [`TypedTool`] into a [`Tool`]; holds nothing.
pub(crate) struct Erased<T>(PhantomData<fn() -> T>);

impl<T> Erased<T> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: TypedTool> Tool for Erased<T> {
    fn facts(&self) -> ToolFacts {
        T::INFO.into()
    }

    fn input_schema(&self) -> Value {
        schema::of_input::<T::Params>()
    }

    fn output_schema(&self) -> Option<Value> {
        T::Output::schema()
    }

    fn refuse(&self, violations: &[Violation], arguments: &Value) -> Option<ToolError> {
        T::refuse(violations, arguments)
    }

    fn run<'a>(&'a self, context: &'a ToolContext, arguments: &'a Value) -> BoxFuture<'a, Result<Payload, ToolError>> {
        Box::pin(async move {
            let params = read_params(arguments)?;
            T::run(context, params).await?.into_payload()
        })
    }
}

/// The schema has accepted the arguments; what serde still refuses is an error of the caller all the same.
fn read_params<P: DeserializeOwned>(arguments: &Value) -> Result<P, ToolError> {
    P::deserialize(arguments).map_err(|error| ToolError::invalid(error.to_string()))
}
