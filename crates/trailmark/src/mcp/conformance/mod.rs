//! What the official conformance suite asks of a server beyond ours: its fixture tools, resources and prompts. All else is
//! the production handler, so that the suite tests the code that ships.

mod changes;
mod prompts;
mod request_state;
mod resources;
mod samples;
mod session;
mod tools;

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest, CustomResult,
    DiscoverResult, ErrorData, GetPromptRequestParams, GetPromptResponse, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};

use self::changes::Changes;
use self::request_state::RequestState;
use self::session::Session;
use self::tools::Call;
use super::Server;

/// The production server with the suite's fixtures around it.
#[derive(Debug)]
pub(crate) struct ConformanceServer {
    production: Server,
    changes: Arc<Changes>,
    request_state: Arc<RequestState>,
    session: Arc<Session>,
}

impl ConformanceServer {
    pub(crate) fn new(production: Server) -> Self {
        let request_state = Arc::new(RequestState::with_new_key());
        Self { production, changes: Arc::default(), request_state, session: Arc::default() }
    }

    fn capabilities(&self) -> ServerCapabilities {
        let mut capabilities = self.production.get_info().capabilities;
        capabilities.tools.get_or_insert_default().list_changed = Some(true);
        capabilities.prompts.get_or_insert_default().list_changed = Some(true);
        capabilities.resources.get_or_insert_default().subscribe = Some(true);
        capabilities.logging = Some(Default::default());
        capabilities
    }
}

/// The transport clones the handler for each session, and sessions share nothing that a client can set.
impl Clone for ConformanceServer {
    fn clone(&self) -> Self {
        Self {
            production: self.production.clone(),
            changes: self.changes.clone(),
            request_state: self.request_state.clone(),
            session: Arc::default(),
        }
    }
}

impl ServerHandler for ConformanceServer {
    fn get_info(&self) -> ServerConfig {
        let mut config = self.production.get_info();
        config.capabilities = self.capabilities();
        config
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name, &self.changes).map(tools::Fixture::tool).or_else(|| self.production.get_tool(name))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.production.supported_protocol_versions()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.production.initialize(request, context).await?;
        result.capabilities = self.capabilities();
        Ok(result)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        changes::tell_session(&self.changes, self.session.clone(), context.peer.clone());
        self.production.on_initialized(context).await;
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let mut result = self.production.discover(context).await?;
        result.capabilities = self.capabilities();
        Ok(result)
    }

    async fn ping(&self, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.production.ping(context).await
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut result = self.production.list_tools(page, context).await?;
        result.tools.extend(tools::listed(&self.changes));
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match tools::find(&request.name, &self.changes) {
            Some(fixture) => fixture.call(Call { server: self, request: &request, context: &context }).await,
            None => self.production.call_tool(request, context).await,
        }
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let is_first_page = page.as_ref().is_none_or(|page| page.cursor.is_none());
        let mut result = self.production.list_resources(page, context).await?;
        if is_first_page {
            result.resources.extend(resources::listed());
        }
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut result = self.production.list_resource_templates(page, context).await?;
        result.resource_templates.push(resources::template());
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match resources::read(&request.uri) {
            Some(result) => Ok(result.into()),
            None => self.production.read_resource(request, context).await,
        }
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut result = self.production.list_prompts(page, context).await?;
        result.prompts.extend(prompts::listed(&self.changes));
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        match prompts::find(&request.name, &self.changes) {
            Some(fixture) => fixture.get(&request, &context),
            None => self.production.get_prompt(request, context).await,
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.production.complete(request, context).await
    }

    #[expect(deprecated, reason = "clients of older revisions still set a level for the whole session")]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if session::is_stateless(&context) {
            return Err(ErrorData::method_not_found::<rmcp::model::SetLevelRequestMethod>());
        }
        self.session.log_from(request.level);
        Ok(())
    }

    async fn subscribe(&self, request: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.session.watch(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.session.unwatch(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(changes::offered())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        changes::tell_subscription(&self.changes, &subscription).await;
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        self.production.on_custom_request(request, context).await
    }
}
