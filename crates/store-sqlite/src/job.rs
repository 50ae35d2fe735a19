//! A piece of work on a connection, and the caller who waits for its result.

use std::sync::{Arc, Weak};

use rusqlite::Connection;
use store::{Result, StoreError};
use tokio::sync::oneshot;

use crate::error::{self, Failure};

/// Work for a storage thread, whatever its result type.
pub(crate) trait Job: Send {
    /// Tells, also while the work is being done, whether the caller still waits.
    fn interest(&self) -> &Interest;

    /// Does the work and keeps the result. Answers whether what was written may stay.
    fn run(&mut self, connection: &Connection) -> bool;

    /// The error that `run` kept, if it kept one.
    fn take_failure(&mut self) -> Option<Failure>;

    /// Gives the caller the result that `run` kept.
    fn answer(self: Box<Self>, explain: &dyn Fn(Failure) -> StoreError);

    /// Gives the caller this error, whatever `run` kept.
    fn fail(self: Box<Self>, error: StoreError);
}

/// A job, and the answer its caller waits for.
pub(crate) fn job<T, W>(work: W) -> (Box<dyn Job>, Answer<T>)
where
    T: Send + 'static,
    W: FnOnce(&Connection) -> Outcome<T> + Send + 'static,
{
    let (reply, receiver) = oneshot::channel();
    let caller = Arc::new(());
    let interest = Interest(Arc::downgrade(&caller));
    (Box::new(Work { work: Some(work), result: None, reply, interest }), Answer { receiver, _caller: caller })
}

/// How work on a connection ends.
pub(crate) type Outcome<T> = std::result::Result<T, Failure>;

/// Whether a caller still waits.
#[derive(Debug, Clone)]
pub(crate) struct Interest(Weak<()>);

impl Interest {
    pub(crate) fn is_lost(&self) -> bool {
        self.0.strong_count() == 0
    }
}

/// The result to come. Dropping it tells the storage thread that nobody waits.
#[derive(Debug)]
pub(crate) struct Answer<T> {
    receiver: oneshot::Receiver<Result<T>>,
    _caller: Arc<()>,
}

impl<T> Answer<T> {
    pub(crate) async fn wait(self) -> Result<T> {
        self.receiver.await.unwrap_or_else(|_| Err(error::no_answer()))
    }
}

struct Work<T, W> {
    work: Option<W>,
    result: Option<Outcome<T>>,
    reply: oneshot::Sender<Result<T>>,
    interest: Interest,
}

impl<T, W> Job for Work<T, W>
where
    T: Send + 'static,
    W: FnOnce(&Connection) -> Outcome<T> + Send + 'static,
{
    fn interest(&self) -> &Interest {
        &self.interest
    }

    fn run(&mut self, connection: &Connection) -> bool {
        self.result = self.work.take().map(|work| work(connection));
        matches!(self.result, Some(Ok(_)))
    }

    fn take_failure(&mut self) -> Option<Failure> {
        self.result.take().and_then(Outcome::err)
    }

    fn answer(self: Box<Self>, explain: &dyn Fn(Failure) -> StoreError) {
        let result = self.result.map_or_else(|| Err(error::no_answer()), |result| result.map_err(explain));
        // The caller may have gone meanwhile; then nobody needs the result.
        let _ = self.reply.send(result);
    }

    fn fail(self: Box<Self>, error: StoreError) {
        let _ = self.reply.send(Err(error));
    }
}
