//! The MCP adapter: the only part that speaks the protocol library's types. One handler serves every transport and every
//! protocol revision.

mod changes;
#[cfg(feature = "conformance")]
pub(crate) mod conformance;
mod convert;
pub(crate) mod envelope;
mod progress;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use rmcp::model::{
    ArgumentInfo, CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    CompletionInfo, CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, InitializeRequestParams, InitializeResult, JsonObject,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Reference, ResourceTemplate,
    Role, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tools::{CallRequest, Dispatcher, DocumentResources, Origin, Prompt, PromptError, Registry, ResourceError};

use self::progress::ProgressForwarder;

/// How long a client may keep lists that only a restart can change.
const LISTS_FRESH_MS: u64 = 300_000;
/// The transport that knows older clients by their `User-Agent` only.
pub(crate) const HTTP: &str = "http";
/// How long a resource, a prompt or a completion may take.
const DEADLINE: Duration = Duration::from_secs(5);
/// The tool without which documents are not offered as resources.
const READS_DOCUMENTS: &str = "mongo_find_by_id";

/// The server as the protocol sees it; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    shared: Arc<Shared>,
}

/// The tools of a registry as the protocol has them.
type Listed = (Arc<Registry>, Arc<Vec<Tool>>);

#[derive(Debug)]
struct Shared {
    dispatcher: Arc<Dispatcher>,
    transport: &'static str,
    offer: Offer,
    config: ServerConfig,
    /// The tools as clients see them, of the registry that they were made of.
    tools: Mutex<Option<Listed>>,
}

/// How a server offers its tools.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) output_schemas: bool,
    /// Whether other tools may be offered later.
    pub(crate) may_change: bool,
    /// Ends what waits for such changes.
    pub(crate) closing: CancellationToken,
}

impl Server {
    pub(crate) fn new(dispatcher: Arc<Dispatcher>, transport: &'static str, offer: Offer) -> Self {
        let config = ServerConfig::new(capabilities(&dispatcher, offer.may_change))
            .with_server_info(Implementation::new("trailmark", env!("CARGO_PKG_VERSION")).with_title("Trailmark"))
            .with_instructions(tools::instructions(&dispatcher.registry()));
        Self { shared: Arc::new(Shared { dispatcher, transport, offer, config, tools: Mutex::new(None) }) }
    }

    fn tools(&self) -> Arc<Vec<Tool>> {
        let registry = self.shared.dispatcher.registry();
        let mut made = self.shared.tools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, tools)) = &*made
            && Arc::ptr_eq(of, &registry)
        {
            return tools.clone();
        }
        let publishes = self.shared.offer.output_schemas;
        let tools =
            Arc::new(registry.entries().iter().map(|entry| convert::tool(entry, publishes)).collect::<Vec<_>>());
        *made = Some((registry, tools.clone()));
        tools
    }

    /// How long a client may keep the list of tools.
    fn tools_fresh_ms(&self) -> u64 {
        if self.shared.offer.may_change { 0 } else { LISTS_FRESH_MS }
    }

    fn offers_documents(&self) -> bool {
        offers_documents(&self.shared.dispatcher)
    }

    fn resources(&self) -> Result<DocumentResources<'_>, ErrorData> {
        if self.offers_documents() {
            Ok(DocumentResources(&*self.shared.dispatcher.stores().documents))
        } else {
            Err(ErrorData::invalid_params("documents are switched off on this server", None))
        }
    }

    /// An unknown prompt has no completions; asking for it is the place to say so.
    async fn complete_prompt(&self, name: &str, argument: &ArgumentInfo) -> Result<Vec<String>, ErrorData> {
        let dispatcher = &self.shared.dispatcher;
        let Ok(prompt) = Prompt::find(&dispatcher.registry(), name) else { return Ok(Vec::new()) };
        let documents = &*dispatcher.stores().documents;
        prompt.complete(documents, &argument.name, &argument.value).await.map_err(|e| prompt_error(&e))
    }

    fn origin(&self, context: &RequestContext<RoleServer>) -> Origin {
        // Without sessions, the library itself stands in for a client of an older revision.
        let info = if self.shared.transport == HTTP { context.meta.client_info() } else { context.client_info() };
        let client = info.map(|info| format!("{}/{}", info.name, info.version));
        let client = client.or_else(|| convert::user_agent(context)).unwrap_or_else(|| "unknown".to_owned());
        Origin { client, transport: self.shared.transport }
    }
}

/// Every tool of the registry as clients see it.
pub(crate) fn published_tools(registry: &Registry) -> Vec<Value> {
    let published =
        |entry: &Arc<tools::Entry>| serde_json::to_value(convert::tool(entry, true)).expect("a tool always serialises");
    registry.entries().iter().map(published).collect()
}

/// Only what is really delivered: change notifications only where something can change.
fn capabilities(dispatcher: &Dispatcher, may_change: bool) -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::builder().enable_tools().enable_completions().build();
    if may_change {
        capabilities.tools.get_or_insert_default().list_changed = Some(true);
    }
    if offers_documents(dispatcher) {
        capabilities.resources = Some(Default::default());
    }
    if Prompt::available(&dispatcher.registry()).next().is_some() {
        capabilities.prompts = Some(Default::default());
    }
    capabilities
}

fn offers_documents(dispatcher: &Dispatcher) -> bool {
    dispatcher.registry().get(READS_DOCUMENTS).is_some()
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.shared.config.clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().iter().find(|tool| tool.name == name).cloned()
    }

    /// Over HTTP, where clients of older revisions have no session, nothing could tell them of other tools.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        if self.shared.transport == HTTP
            && let Some(tools) = &mut result.capabilities.tools
        {
            tools.list_changed = None;
        }
        Ok(result)
    }

    /// A client of an older revision is told of other tools as long as its session lasts.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if self.shared.offer.may_change && self.shared.transport != HTTP {
            tokio::spawn(changes::tell_peer(self.shared.dispatcher.changes(), context.peer));
        }
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.shared.offer.may_change.then(|| SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let closing = &self.shared.offer.closing;
        changes::tell_subscription(self.shared.dispatcher.changes(), &subscription, closing).await;
        Ok(())
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.ttl_ms = LISTS_FRESH_MS;
        result.cache_scope = CacheScope::Public;
        Ok(result)
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        refuse_cursor(page)?;
        let result = ListToolsResult::with_all_items(self.tools().to_vec());
        Ok(result.with_ttl_ms(self.tools_fresh_ms()).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let forwarder = ProgressForwarder::start(&context);
        let call = CallRequest {
            tool: request.name.into_owned(),
            arguments: request.arguments.unwrap_or_default(),
            origin: self.origin(&context),
            cancel: context.ct.clone(),
            progress: forwarder.as_ref().map(ProgressForwarder::sink),
        };
        let ending = self.shared.dispatcher.call(call).await;
        if let Some(forwarder) = forwarder {
            forwarder.finish().await;
        }
        match ending {
            Ok(answer) => Ok(convert::answer(answer).into()),
            Err(failure) => Err(convert::failure(&failure)),
        }
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = page.and_then(|page| page.cursor);
        let resources = self.resources()?;
        let listing = guarded(async { resources.list(cursor.as_deref()).await.map_err(|e| resource_error(&e)) });
        let (resources, next) = listing.await?;
        let mut result = ListResourcesResult::with_all_items(resources.into_iter().map(convert::resource).collect());
        result.next_cursor = next;
        Ok(result.with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        refuse_cursor(page)?;
        let template = ResourceTemplate::new(DocumentResources::TEMPLATE, "document")
            .with_title("Document")
            .with_description("The text of a kept document.")
            .with_mime_type(DocumentResources::MIME_TYPE);
        let templates = if self.offers_documents() { vec![template] } else { Vec::new() };
        let result = ListResourceTemplatesResult::with_all_items(templates);
        Ok(result.with_ttl_ms(LISTS_FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let resources = self.resources()?;
        let text = guarded(async { resources.read(&request.uri).await.map_err(|e| resource_error(&e)) }).await?;
        let mut result = ReadResourceResult::new(vec![convert::resource_text(text)]);
        result.ttl_ms = Some(0);
        result.cache_scope = Some(CacheScope::Private);
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        refuse_cursor(page)?;
        let prompts = Prompt::available(&self.shared.dispatcher.registry()).map(convert::prompt).collect();
        let result = ListPromptsResult::with_all_items(prompts);
        Ok(result.with_ttl_ms(LISTS_FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let dispatcher = &self.shared.dispatcher;
        let prompt = Prompt::find(&dispatcher.registry(), &request.name).map_err(|e| prompt_error(&e))?;
        let arguments = text_arguments(request.arguments.unwrap_or_default());
        let documents = &*dispatcher.stores().documents;
        let blocks =
            guarded(async { prompt.render(documents, &arguments).await.map_err(|e| prompt_error(&e)) }).await?;
        let messages = blocks.into_iter().map(|block| PromptMessage::new(Role::User, convert::block(block))).collect();
        Ok(GetPromptResult::new(messages).with_description(prompt.description).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("Method not found: {}", request.method), None))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let argument = request.argument;
        let values = match &request.r#ref {
            Reference::Resource(template) if template.uri == DocumentResources::TEMPLATE => {
                let resources = self.resources()?;
                guarded(async { resources.complete_id(&argument.value).await.map_err(|e| resource_error(&e)) }).await?
            }
            Reference::Prompt(reference) => guarded(self.complete_prompt(&reference.name, &argument)).await?,
            Reference::Resource(_) | _ => Vec::new(),
        };
        let completion = CompletionInfo::with_all_values(values).map_err(|e| ErrorData::internal_error(e, None))?;
        Ok(CompleteResult::new(completion))
    }
}

/// An answer in any case: also when the work panics or takes too long.
async fn guarded<T>(work: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    match tokio::time::timeout(DEADLINE, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(ended)) => ended,
        Ok(Err(_panic)) => {
            Err(ErrorData::internal_error("Internal error: a bug in the server stopped this request", None))
        }
        Err(_elapsed) => {
            let message = format!("no answer within {} s; the request was stopped", DEADLINE.as_secs());
            Err(ErrorData::internal_error(message, None))
        }
    }
}

/// Lists that fit on one page hand out no cursors, so any cursor is a mistake.
fn refuse_cursor(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match page.and_then(|page| page.cursor) {
        Some(cursor) => {
            Err(ErrorData::invalid_params(format!("`{cursor}` is not a cursor that this server gave"), None))
        }
        None => Ok(()),
    }
}

fn text_arguments(arguments: JsonObject) -> BTreeMap<String, String> {
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    arguments.into_iter().map(|(name, value)| (name, text(value))).collect()
}

fn resource_error(error: &ResourceError) -> ErrorData {
    let message = error.to_string();
    match error {
        ResourceError::NotFound { uri } => {
            ErrorData::resource_not_found(message, Some(serde_json::json!({ "uri": uri })))
        }
        ResourceError::BadCursor { .. } => ErrorData::invalid_params(message, None),
        ResourceError::Store(_) => ErrorData::internal_error(message, None),
    }
}

fn prompt_error(error: &PromptError) -> ErrorData {
    let message = error.to_string();
    match error {
        PromptError::Unknown { .. } | PromptError::MissingArgument { .. } | PromptError::TooLong { .. } => {
            ErrorData::invalid_params(message, None)
        }
        PromptError::Store(_) => ErrorData::internal_error(message, None),
    }
}
