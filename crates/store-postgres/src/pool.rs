//! Connections: made when they are needed, lent to one call at a time, given up when they cannot be trusted any more.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use deadpool_postgres::{Client, ClientWrapper, Hook, HookError, Manager, Runtime};
use store::{Result, StoreError};
use tokio::sync::OnceCell;
use tokio::time::Instant;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::Address;
use crate::error::{self, Failure, Outcome};
use crate::migrations;
use crate::tls;

/// Connections of one process; more calls wait.
const CONNECTIONS: usize = 8;
/// A call that takes longer, once it has a connection, fails with a reason, before the deadline of a tool ends it without one.
const PATIENCE: Duration = Duration::from_millis(4_500);
/// The same for making a connection, beside the time that it takes to find an old one dead.
const CONNECT_PATIENCE: Duration = Duration::from_secs(3);
/// The same for waiting for a lock.
const LOCK_PATIENCE: Duration = Duration::from_secs(4);
/// Waiting for others to give a connection back is ended by the deadline of a tool; this is for those who have none.
const QUEUE_PATIENCE: Duration = Duration::from_secs(60);
/// What the server ends by itself, in case nobody has told it to.
const SERVER_PATIENCE: Duration = Duration::from_secs(10);
/// The same for work on many records.
const BULK_PATIENCE: Duration = Duration::from_secs(120);
/// A connection that was not used for this long is asked whether it still works.
const IDLE: Duration = Duration::from_secs(1);

/// The connections to one address.
pub(crate) struct Pool {
    address: Address,
    setting: String,
    connections: OnceCell<Connections>,
    /// Whether the tables are known to be up to date.
    ready: AtomicBool,
    preparing: tokio::sync::Mutex<()>,
}

struct Connections {
    pool: deadpool_postgres::Pool,
    tls: MakeRustlsConnect,
}

impl Connections {
    /// Reads the certificates that the system trusts; connects to nothing yet.
    fn to(address: &Address) -> Self {
        let tls = tls::connector();
        let mut config = address.config().clone();
        config.connect_timeout(CONNECT_PATIENCE.min(config.get_connect_timeout().copied().unwrap_or(CONNECT_PATIENCE)));
        // A server that waits for a lock reads nothing: while many records are sent, that is no reason to hang up.
        config.tcp_user_timeout(BULK_PATIENCE);
        let greeting = greeting(address.schema());
        let pool = deadpool_postgres::Pool::builder(Manager::new(config, tls.clone()))
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(QUEUE_PATIENCE))
            .create_timeout(Some(CONNECT_PATIENCE))
            .recycle_timeout(Some(IDLE))
            .post_create(Hook::async_fn(move |client: &mut ClientWrapper, _| {
                let greeting = greeting.clone();
                Box::pin(async move { client.batch_execute(&greeting).await.map_err(HookError::Backend) })
            }))
            .pre_recycle(Hook::async_fn(|client: &mut ClientWrapper, metrics| {
                let idle = metrics.last_used() > IDLE;
                Box::pin(async move {
                    if idle { client.check_connection().await.map_err(HookError::Backend) } else { Ok(()) }
                })
            }))
            .build()
            .expect("a runtime is named for the timeouts");
        Self { pool, tls }
    }
}

impl Pool {
    pub(crate) fn new(address: Address, setting: &str) -> Self {
        let (ready, preparing) = (AtomicBool::new(false), tokio::sync::Mutex::new(()));
        Self { address, setting: setting.to_owned(), connections: OnceCell::new(), ready, preparing }
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// A connection to tables that are up to date.
    pub(crate) async fn lease(&self) -> Result<Lease<'_>> {
        let connections = self.connections().await?;
        let connection = connections.pool.get().await.map_err(|error| error::no_connection(error, self))?;
        let until = Instant::now() + PATIENCE;
        let mut lease = Lease { pool: self, tls: &connections.tls, until, connection: Some(connection) };
        if !self.ready.load(Ordering::Acquire) {
            let prepared = in_time(until, self.prepare(&mut lease)).await;
            if let Err(failure) = prepared {
                return lease.end(Err(failure));
            }
        }
        Ok(lease)
    }

    async fn connections(&self) -> Result<&Connections> {
        let address = self.address.clone();
        let make = || async { tokio::task::spawn_blocking(move || Connections::to(&address)).await };
        self.connections.get_or_try_init(make).await.map_err(|_| {
            StoreError::new(store::ErrorKind::Unexpected, "the connections to PostgreSQL could not be made ready")
        })
    }

    async fn prepare(&self, client: &mut Client) -> Outcome<()> {
        let _alone = self.preparing.lock().await;
        if !self.ready.load(Ordering::Acquire) {
            migrations::bring_up_to_date(client, &self.address).await?;
            self.ready.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Closes the connections that no call uses.
    pub(crate) fn close(&self) {
        if let Some(connections) = self.connections.get() {
            connections.pool.retain(|_, _| false);
        }
    }

    /// The setting that names the address.
    pub(crate) fn setting(&self) -> &str {
        &self.setting
    }

    fn explain(&self, failure: Failure) -> StoreError {
        if failure.is_missing_table() {
            // Somebody removed the schema: the next call makes it again.
            self.ready.store(false, Ordering::Release);
        }
        failure.explain(self)
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("address", &self.address).field("setting", &self.setting).finish_non_exhaustive()
    }
}

/// What every connection is told first. An acknowledged change survives a crash of the server's machine.
fn greeting(schema: &str) -> String {
    format!(
        "SET search_path = {schema};
         SET statement_timeout = '{statement}ms';
         SET lock_timeout = '{lock}ms';
         SET idle_in_transaction_session_timeout = '{statement}ms';
         SET default_transaction_isolation = 'read committed';
         SET jit = off;
         SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
        statement = SERVER_PATIENCE.as_millis(),
        lock = LOCK_PATIENCE.as_millis(),
    )
}

/// For work on many records in one transaction.
pub(crate) fn bulk_limits() -> String {
    let limit = BULK_PATIENCE.as_millis();
    format!("SET LOCAL statement_timeout = '{limit}ms'; SET LOCAL lock_timeout = '{limit}ms'")
}

/// Gives up when it takes too long.
pub(crate) async fn in_time<T>(until: Instant, work: impl Future<Output = Outcome<T>>) -> Outcome<T> {
    tokio::time::timeout_at(until, work).await.unwrap_or(Err(Failure::TooSlow(PATIENCE)))
}

/// The same for work on many records.
pub(crate) async fn in_bulk_time<T>(work: impl Future<Output = Outcome<T>>) -> Outcome<T> {
    tokio::time::timeout(BULK_PATIENCE, work).await.unwrap_or(Err(Failure::TooSlow(BULK_PATIENCE)))
}

/// A connection that belongs to one call. Unless the call ends it in order, what it does is cancelled and it is closed: whoever
/// came next would wait for an answer that is not theirs.
pub(crate) struct Lease<'a> {
    pool: &'a Pool,
    tls: &'a MakeRustlsConnect,
    until: Instant,
    connection: Option<Client>,
}

impl Lease<'_> {
    /// When the call has taken too long.
    pub(crate) fn until(&self) -> Instant {
        self.until
    }

    /// Gives the connection back, if it can be trusted, and tells the outcome in the words of the store.
    pub(crate) fn end<T>(mut self, outcome: Outcome<T>) -> Result<T> {
        if matches!(outcome, Ok(_) | Err(Failure::Store(_))) {
            self.connection = None;
        }
        outcome.map_err(|failure| self.pool.explain(failure))
    }
}

impl Deref for Lease<'_> {
    type Target = Client;

    fn deref(&self) -> &Client {
        self.connection.as_ref().expect("it is given up only at the end")
    }
}

impl DerefMut for Lease<'_> {
    fn deref_mut(&mut self) -> &mut Client {
        self.connection.as_mut().expect("it is given up only at the end")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let client = Client::take(connection);
        if client.is_closed() {
            return;
        }
        let (cancel, tls) = (client.cancel_token(), self.tls.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // Without an owner, but over in a moment; the server would find out by itself when the statement has run too long.
            runtime.spawn(async move { tokio::time::timeout(CONNECT_PATIENCE, cancel.cancel_query(tls)).await });
        }
    }
}
