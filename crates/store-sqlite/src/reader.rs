//! What a reading thread does: one job at a time, each on one snapshot.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rusqlite::Connection;

use crate::connection::{Access, Settings};
use crate::error::Failure;
use crate::job::{Interest, Job};
use crate::queue::{Next, Queue};
use crate::session::Session;

/// After this long without work the thread gives cached memory back.
pub(crate) const REST_AFTER: Duration = Duration::from_secs(5);

/// How many steps of SQLite's virtual machine pass between two looks at whether the caller still waits.
const STEPS_BETWEEN_LOOKS: i32 = 4096;

/// Serves jobs until the queue is closed.
pub(crate) fn serve(queue: &Queue<Box<dyn Job>>, settings: &Settings) {
    let mut session = Session::new(settings, Access::Read);
    let mut patience = Some(REST_AFTER);
    loop {
        match queue.next(patience) {
            Next::Job(job) => {
                serve_one(&mut session, job, settings);
                queue.finished(1);
                patience = Some(REST_AFTER);
            }
            Next::Idle => {
                session.rest();
                patience = None;
            }
            Next::Closed => return,
        }
    }
}

fn serve_one(session: &mut Session<'_>, mut job: Box<dyn Job>, settings: &Settings) {
    if job.interest().is_lost() {
        return;
    }
    let explain = |failure: Failure| failure.explain(&settings.file);
    let attempt = catch_unwind(AssertUnwindSafe(|| read(session.connection()?, job.as_mut())));
    match attempt {
        Ok(Ok(())) => job.answer(&explain),
        Ok(Err(failure)) => {
            session.discard();
            job.fail(explain(failure));
        }
        // Dropping the job tells its caller; the panic itself has been reported by the panic hook.
        Err(_) => session.discard(),
    }
}

fn read(connection: &mut Connection, job: &mut dyn Job) -> Result<(), Failure> {
    watch(connection, Some(job.interest().clone()))?;
    let snapshot = connection.unchecked_transaction()?;
    job.run(&snapshot);
    snapshot.finish()?;
    watch(connection, None)
}

fn watch(connection: &mut Connection, interest: Option<Interest>) -> Result<(), Failure> {
    let handler = interest.map(|interest| move || interest.is_lost());
    Ok(connection.progress_handler(STEPS_BETWEEN_LOOKS, handler)?)
}
