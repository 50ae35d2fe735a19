//! Fixture prompts.

use rmcp::RoleServer;
use rmcp::model::{
    ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt, PromptArgument,
    PromptMessage, ResourceContents, Role,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::changes::Changes;
use super::request_state::{ask, filled_in, form};
use super::samples;

/// Comes and goes, for clients that want to hear of changes.
const EXTRA: &str = "test_extra_prompt";

/// One prompt of the suite.
pub(super) struct Fixture {
    name: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
    render: fn(&GetPromptRequestParams, &RequestContext<RoleServer>) -> Result<GetPromptResponse, ErrorData>,
}

const PROMPTS: &[Fixture] = &[
    Fixture {
        name: "test_simple_prompt",
        description: "A prompt without arguments.",
        arguments: &[],
        render: |_, _| messages([ContentBlock::text("This is a simple prompt for testing.")]),
    },
    Fixture {
        name: "test_prompt_with_arguments",
        description: "A prompt that repeats its arguments.",
        arguments: &["arg1", "arg2"],
        render: |request, _| {
            let (first, second) = (argument(request, "arg1")?, argument(request, "arg2")?);
            messages([ContentBlock::text(format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))])
        },
    },
    Fixture {
        name: "test_prompt_with_embedded_resource",
        description: "A prompt that embeds a resource.",
        arguments: &["resourceUri"],
        render: |request, _| {
            let uri = argument(request, "resourceUri")?;
            let resource = ResourceContents::text("Embedded resource content for testing.", uri);
            let embedded = ContentBlock::resource(resource.with_mime_type("text/plain"));
            messages([embedded, ContentBlock::text("Please process the embedded resource above.")])
        },
    },
    Fixture {
        name: "test_prompt_with_image",
        description: "A prompt with an image.",
        arguments: &[],
        render: |_, _| {
            let image = ContentBlock::image(samples::PNG, "image/png");
            messages([image, ContentBlock::text("Please analyze the image above.")])
        },
    },
    Fixture {
        name: "test_input_required_result_prompt",
        description: "A prompt that asks the user first.",
        arguments: &[],
        render: |request, context| match filled_in(request.input_responses.as_ref(), "user_context", "context") {
            Some(given) => messages([ContentBlock::text(format!("Prompt with context: {given}"))]),
            None => {
                let question = form("What context should the prompt use?", "context", "string");
                Ok(ask(context, json!({"user_context": question}), None)?.into())
            }
        },
    },
    Fixture {
        name: EXTRA,
        description: "A prompt that comes and goes.",
        arguments: &[],
        render: |_, _| messages([ContentBlock::text("This prompt is there now.")]),
    },
];

pub(super) fn find(name: &str, changes: &Changes) -> Option<&'static Fixture> {
    available(changes).find(|fixture| fixture.name == name)
}

pub(super) fn listed(changes: &Changes) -> impl Iterator<Item = Prompt> {
    available(changes).map(Fixture::prompt)
}

fn available(changes: &Changes) -> impl Iterator<Item = &'static Fixture> + use<> {
    let has_extra = changes.has_extra_prompt();
    PROMPTS.iter().filter(move |fixture| fixture.name != EXTRA || has_extra)
}

impl Fixture {
    fn prompt(&self) -> Prompt {
        let argument = |name: &&str| PromptArgument::new(*name).with_required(true);
        let arguments: Vec<_> = self.arguments.iter().map(argument).collect();
        Prompt::new(self.name, Some(self.description), Some(arguments).filter(|arguments| !arguments.is_empty()))
    }

    pub(super) fn get(
        &self,
        request: &GetPromptRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        (self.render)(request, context)
    }
}

fn messages<const N: usize>(blocks: [ContentBlock; N]) -> Result<GetPromptResponse, ErrorData> {
    let messages = blocks.map(|block| PromptMessage::new(Role::User, block));
    Ok(GetPromptResult::new(messages.into()).into())
}

fn argument<'a>(request: &'a GetPromptRequestParams, name: &str) -> Result<&'a str, ErrorData> {
    let given = request.arguments.as_ref().and_then(|arguments| arguments.get(name)).and_then(Value::as_str);
    given.ok_or_else(|| ErrorData::invalid_params(format!("the argument `{name}` is missing"), None))
}
