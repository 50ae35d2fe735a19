//! `trailmark serve`: the server itself.

use std::cell::Cell;
use std::io::IsTerminal;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use futures::future::{join, join3};
use rmcp::service::ServerInitializeError;
use rmcp::{ServerHandler, ServiceExt};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tools::Dispatcher;

use crate::apis::{self, Loaded, Reloading};
use crate::command_line::Serve;
use crate::console::{Console, printable};
use crate::mcp::{self, Offer, Server};
use crate::settings::Settings;
use crate::transport::http::{self, Access, Address};
use crate::transport::stdio::StdioTransport;
use crate::transport::token::Token;
use crate::watching::Watching;
use crate::wiring::{self, Backend};

/// How long answers may still be written after the client closed its side.
const LAST_ANSWERS: Duration = Duration::from_millis(60);
/// How long the process may stay in all after that; what the answers leave of it, the audit log may use.
const LAST_MOMENTS: Duration = Duration::from_millis(90);
/// How long the audit log may take when no client waits for the end.
const LAST_RECORDS: Duration = Duration::from_secs(1);

pub(super) async fn run(options: Serve, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    settings.warnings.iter().for_each(|warning| console.remark(&format!("warning: {warning}")));
    let Loaded { apis, remarks } = apis::load(settings).await;
    remarks.iter().for_each(|remark| console.remark(&printable(remark)));
    let backend = Backend::new(settings);
    let dispatcher = wiring::dispatcher_with(settings, &backend, apis)?;
    let reloading = Reloading::start(dispatcher.clone(), settings);
    let offer = Offer {
        output_schemas: settings.output_schemas,
        may_change: reloading.is_some(),
        closing: CancellationToken::new(),
    };
    let watches = settings.watch && !options.no_watch && has_code_tools(&dispatcher);
    match address(&options) {
        None => serve_stdio(dispatcher, watches, offer, console).await?,
        Some(address) => {
            let access = access(&address, options.no_auth, settings)?;
            serve_http((address, access), dispatcher, watches, offer, settings, console).await?;
        }
    }
    drop(reloading);
    Ok(ExitCode::SUCCESS)
}

/// Without them, nobody asks for a code graph.
fn has_code_tools(dispatcher: &Dispatcher) -> bool {
    dispatcher.registry().families().any(|family| family.name == "code")
}

fn address(options: &Serve) -> Option<Address> {
    #[cfg(unix)]
    if let Some(path) = &options.unix_socket {
        return Some(Address::UnixSocket(path.clone()));
    }
    options.http.map(Address::Port)
}

/// Serves until the client closes its side or somebody asks for the end.
async fn serve_stdio(
    dispatcher: Arc<Dispatcher>,
    watches: bool,
    offer: Offer,
    console: &Console,
) -> anyhow::Result<()> {
    if std::io::stdin().is_terminal() {
        console.remark("Waiting for an MCP client on standard input. `trailmark demo` shows how to connect one.");
    }
    let (recorder, counter) = (dispatcher.recorder().clone(), dispatcher.counter().clone());
    let workspace = dispatcher.workspace().clone();
    let handler = handler(dispatcher, "stdio", offer);
    let watching = Cell::new(None);
    let ended = CancellationToken::new();
    let (input, output) = rmcp::transport::stdio_pipes();
    let transport = StdioTransport::new(input, output, ended.clone());
    let serving = async {
        match handler.serve(transport).await {
            Ok(running) => {
                // Only now: the first answer waits for nothing.
                watching.set(watches.then(|| Watching::start(workspace)));
                running.waiting().await.map(drop).context("the server stopped")
            }
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error).context("the client did not introduce itself"),
        }
    };
    // Kept until the process ends: dropping it would cancel calls under way, and answer them so, although their changes may
    // still be made.
    let mut serving = pin!(serving);
    let closed_at = Cell::new(None);
    let hung_up = async {
        ended.cancelled().await;
        closed_at.set(Some(Instant::now()));
        let _ = timeout(LAST_ANSWERS, join(recorder.flush(), counter.flush())).await;
        sleep(LAST_ANSWERS.saturating_sub(elapsed(&closed_at))).await;
    };
    let time_left = tokio::select! {
        served = serving.as_mut() => {
            served?;
            LAST_MOMENTS.saturating_sub(elapsed(&closed_at))
        }
        () = hung_up => LAST_MOMENTS.saturating_sub(elapsed(&closed_at)),
        () = asked_to_stop() => LAST_RECORDS,
    };
    let _ = timeout(time_left, join3(recorder.flush(), counter.flush(), stop(watching.take()))).await;
    Ok(())
}

async fn stop(watching: Option<Watching>) {
    if let Some(watching) = watching {
        watching.stop().await;
    }
}

fn elapsed(since: &Cell<Option<Instant>>) -> Duration {
    since.get().map(|since| since.elapsed()).unwrap_or_default()
}

async fn serve_http(
    (address, access): (Address, Access),
    dispatcher: Arc<Dispatcher>,
    watches: bool,
    offer: Offer,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<()> {
    let asks_for_token = access.token.is_some();
    let asked = offer.closing.clone();
    let on_signal = asked.clone();
    let asked_to_stop = asked_to_stop();
    tokio::spawn(async move {
        asked_to_stop.await;
        on_signal.cancel();
    });
    let workspace = dispatcher.workspace().clone();
    let watching = Cell::new(None);
    let ready = |address: &str| {
        watching.set(watches.then(|| Watching::start(workspace)));
        console.remark(&format!("listening on {address}"));
        if asks_for_token && settings.token.is_none() {
            console.remark(&format!("the bearer token is in {}", Token::path(&settings.home).display()));
        }
    };
    let (recorder, counter) = (dispatcher.recorder().clone(), dispatcher.counter().clone());
    http::serve(handler(dispatcher, mcp::HTTP, offer), address, access, asked, ready).await?;
    let _ = timeout(LAST_RECORDS, join3(recorder.flush(), counter.flush(), stop(watching.take()))).await;
    Ok(())
}

fn access(address: &Address, no_auth: bool, settings: &Settings) -> anyhow::Result<Access> {
    let token = match address {
        Address::Port(address) if no_auth => {
            if !address.ip().is_loopback() {
                bail!("--no-auth is allowed on a loopback address only, and {address} can be reached from outside");
            }
            None
        }
        Address::Port(_) => Some(match &settings.token {
            Some(given) => Token::given(given)?,
            None => Token::of_folder(&settings.home)?,
        }),
        #[cfg(unix)]
        Address::UnixSocket(_) => None,
    };
    Ok(Access {
        token,
        hosts: settings.allowed_hosts.clone(),
        origins: settings.allowed_origins.clone(),
        sessions: cfg!(feature = "conformance"),
    })
}

#[cfg(not(feature = "conformance"))]
fn handler(dispatcher: Arc<Dispatcher>, transport: &'static str, offer: Offer) -> impl ServerHandler + Clone {
    Server::new(dispatcher, transport, offer)
}

#[cfg(feature = "conformance")]
fn handler(dispatcher: Arc<Dispatcher>, transport: &'static str, offer: Offer) -> impl ServerHandler + Clone {
    crate::mcp::conformance::ConformanceServer::new(Server::new(dispatcher, transport, offer))
}

/// Ends when the system or the user wants the process to end; signals count from the moment this is called.
fn asked_to_stop() -> impl Future<Output = ()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
        async move {
            let any = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
            futures::future::select_all(any).await;
        }
    }
    #[cfg(not(unix))]
    async {
        let _ = tokio::signal::ctrl_c().await;
    }
}
