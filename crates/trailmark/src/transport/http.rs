//! Streamable HTTP on a port or a Unix socket: one address, `/mcp`, and `/healthz` for supervisors.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::routing::get;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::{Service, ServiceExt};

use super::access;
use super::token::Token;

/// How long a client may take to send the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);
/// How long answers may still be sent after the server was told to stop.
const LAST_ANSWERS: Duration = Duration::from_secs(1);
/// Connections served at the same time; more wait to be accepted.
const CONNECTIONS: usize = 512;
const LOOPBACK_HOSTS: &[&str] = &["localhost", "127.0.0.1", "::1"];

/// Where to listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    Port(SocketAddr),
    #[cfg(unix)]
    UnixSocket(PathBuf),
}

/// Who may connect.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    /// `None` only on loopback or on a Unix socket.
    pub(crate) token: Option<Token>,
    /// Host names beyond the loopback ones.
    pub(crate) hosts: Vec<String>,
    /// Origins of web pages beyond the loopback ones.
    pub(crate) origins: Vec<String>,
    /// Whether clients of older revisions get sessions, which only tests need.
    pub(crate) sessions: bool,
}

/// Serves until `stop` fires; `ready` is told the address once it accepts connections.
pub(crate) async fn serve<H>(
    handler: H,
    address: Address,
    access: Access,
    stop: CancellationToken,
    ready: impl FnOnce(&str),
) -> io::Result<()>
where
    H: ServerHandler + Clone,
{
    match address {
        Address::Port(address) => {
            let listener =
                TcpListener::bind(address).await.map_err(|error| cannot_listen(&address.to_string(), &error))?;
            let bound = listener.local_addr()?;
            let router = router(handler, &access, Some(bound));
            ready(&format!("http://{bound}/mcp"));
            accept_all(stop, router, || async { listener.accept().await.map(|(stream, _)| without_delay(stream)) })
                .await
        }
        #[cfg(unix)]
        Address::UnixSocket(path) => {
            let listener = bind_unix(&path)?;
            let router = router(handler, &access, None);
            ready(&format!("unix:{} (path /mcp)", path.display()));
            let served = accept_all(stop, router, || async { listener.accept().await.map(|(stream, _)| stream) }).await;
            let _ = std::fs::remove_file(&path);
            served
        }
    }
}

fn router<H>(handler: H, access: &Access, bound: Option<SocketAddr>) -> Router
where
    H: ServerHandler + Clone,
{
    let service = StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(LocalSessionManager::default()),
        protocol_config(access, bound),
    );
    let mut mcp =
        Router::new().route_service("/mcp", service).route_layer(middleware::from_fn(access::require_message));
    if let Some(token) = access.token.clone() {
        mcp = mcp.route_layer(middleware::from_fn_with_state(Arc::new(token), access::require_token));
    }
    mcp.route("/healthz", get(|| async { "ok" }))
}

fn protocol_config(access: &Access, bound: Option<SocketAddr>) -> StreamableHttpServerConfig {
    let loopback = LOOPBACK_HOSTS.iter().map(|host| (*host).to_owned());
    let own = bound.filter(|bound| !bound.ip().is_unspecified()).map(|bound| bound.ip().to_string());
    let hosts = loopback.clone().chain(own).chain(access.hosts.iter().cloned());
    let bracketed = |host: String| if host.contains(':') { format!("[{host}]") } else { host };
    let local_pages = loopback.flat_map(|host| {
        let host = bracketed(host);
        [format!("http://{host}:*"), format!("https://{host}:*")]
    });
    StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(local_pages.chain(access.origins.iter().cloned()))
        .enforce_origin_validation()
        .with_json_response(!access.sessions)
        .with_legacy_session_mode(access.sessions)
        .with_max_request_body_bytes(access::LONGEST_BODY)
}

async fn accept_all<S, F>(stop: CancellationToken, router: Router, mut accept: impl FnMut() -> F) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    F: Future<Output = io::Result<S>>,
{
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let next = async {
            let place = room.clone().acquire_owned().await.expect("the semaphore is never closed");
            (place, accept().await)
        };
        let (place, accepted) = tokio::select! {
            () = stop.cancelled() => break,
            next = next => next,
        };
        match accepted {
            Ok(stream) => {
                let serving = serve_connection(stream, router.clone(), stop.clone());
                tokio::spawn(async move {
                    serving.await;
                    drop(place);
                });
            }
            Err(error) => {
                // Running out of file descriptors must not become a busy loop.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    let every_place = u32::try_from(CONNECTIONS).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(LAST_ANSWERS, room.acquire_many(every_place)).await;
    Ok(())
}

async fn serve_connection<S>(stream: S, router: Router, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = router.map_request(|request: http::Request<Incoming>| request.map(axum::body::Body::new));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(infallible(service)));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Names the type that the compiler cannot infer through the layers.
fn infallible<S, R>(service: S) -> S
where
    S: Service<R, Error = Infallible>,
{
    service
}

fn without_delay(stream: TcpStream) -> TcpStream {
    let _ = stream.set_nodelay(true);
    stream
}

fn cannot_listen(address: &str, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot listen on {address}: {error}; choose another port, or 0 for a free one"),
    )
}

/// Takes over the socket file of a server that is gone, never that of one that still answers.
#[cfg(unix)]
fn bind_unix(path: &Path) -> io::Result<tokio::net::UnixListener> {
    if std::os::unix::net::UnixStream::connect(path).is_ok() {
        let message = format!("another server is listening on {}", path.display());
        return Err(io::Error::new(io::ErrorKind::AddrInUse, message));
    }
    let is_socket = |file: std::fs::Metadata| std::os::unix::fs::FileTypeExt::is_socket(&file.file_type());
    if std::fs::symlink_metadata(path).is_ok_and(is_socket) {
        std::fs::remove_file(path)?;
    }
    // Nobody else may connect, not even between the making of the file and a change of its mode.
    let before = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o177));
    let listener = tokio::net::UnixListener::bind(path);
    rustix::process::umask(before);
    listener.map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {}: {error}", path.display())))
}
