//! What the writing thread does: it commits together what arrived together.
//!
//! A commit costs one wait for the disk, however much it holds. While one is under way further jobs queue up; the next
//! commit takes them all. Where there are several, each has a savepoint, so a job that fails undoes only its own changes, and no job
//! is answered before its commit succeeded. A job whose caller has gone is not begun, or is undone as
//! long as that takes nothing from another caller.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use store::StoreError;

use crate::connection::{Access, Settings};
use crate::error::{self, Failure};
use crate::job::Job;
use crate::queue::{Next, Queue};
use crate::reader::REST_AFTER;
use crate::session::Session;

/// A larger batch would keep other processes waiting for the lock.
const BATCH: usize = 128;

/// Serves jobs until the queue is closed.
pub(crate) fn serve(queue: &Queue<Box<dyn Job>>, settings: &Settings) {
    let mut session = Session::new(settings, Access::Write);
    let mut patience = Some(REST_AFTER);
    loop {
        match queue.next(patience) {
            Next::Job(first) => {
                let mut jobs = vec![first];
                queue.drain_into(&mut jobs, BATCH);
                serve_batch(&mut session, jobs, queue, settings);
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

fn serve_batch(
    session: &mut Session<'_>,
    mut jobs: Vec<Box<dyn Job>>,
    queue: &Queue<Box<dyn Job>>,
    settings: &Settings,
) {
    let taken = jobs.len();
    jobs.retain(|job| !job.interest().is_lost());
    let done = catch_unwind(AssertUnwindSafe(|| commit(session, &mut jobs)));
    queue.finished(taken);
    match done {
        Ok(Ok(())) => jobs.into_iter().for_each(|job| job.answer(&|failure| failure.explain(&settings.file))),
        Ok(Err(failure)) if failure.is_busy() => {
            // Those who came meanwhile have waited behind the same lock: they need not wait for it once more.
            let waiting = queue.drain_into(&mut jobs, usize::MAX);
            queue.finished(waiting);
            fail_all(jobs, failure.explain(&settings.file));
        }
        Ok(Err(failure)) => {
            session.discard();
            fail_all(jobs, failure.explain(&settings.file));
        }
        // Dropping the jobs tells their callers; the panic itself has been reported by the panic hook.
        Err(_) => session.discard(),
    }
}

fn fail_all(jobs: Vec<Box<dyn Job>>, error: StoreError) {
    let mut jobs = jobs.into_iter();
    let first = jobs.next();
    for job in jobs {
        job.fail(error::repeat(&error));
    }
    if let Some(first) = first {
        first.fail(error);
    }
}

/// Runs the jobs and commits. On failure nothing of any job stays.
fn commit(session: &mut Session<'_>, jobs: &mut [Box<dyn Job>]) -> Result<(), Failure> {
    if jobs.is_empty() {
        return Ok(());
    }
    let connection = session.connection()?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let result = match jobs {
        [job] => run_alone(connection, job.as_mut()),
        jobs => run_all(connection, jobs).and_then(|()| Ok(connection.execute_batch(ending(jobs))?)),
    };
    if result.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    result
}

/// A job that shares its commit with no other needs no savepoint: what it undoes is everything. That spares SQLite a copy of every
/// page that the job changes, through which it would search at the end of many a statement.
fn run_alone(connection: &Connection, job: &mut dyn Job) -> Result<(), Failure> {
    // Taking the lock may have taken long.
    let succeeded = !job.interest().is_lost() && job.run(connection);
    if connection.is_autocommit() {
        return Err(undone_by_sqlite(job));
    }
    let keep = succeeded && !job.interest().is_lost();
    Ok(connection.execute_batch(if keep { "COMMIT" } else { "ROLLBACK" })?)
}

/// After some errors (a full disk, say) SQLite undoes the whole transaction by itself.
fn undone_by_sqlite(job: &mut dyn Job) -> Failure {
    job.take_failure().unwrap_or_else(|| error::no_answer().into())
}

/// Looks for each caller only when it is that job's turn: taking the lock and running the jobs before it may take long.
fn run_all(connection: &Connection, jobs: &mut [Box<dyn Job>]) -> Result<(), Failure> {
    jobs.iter_mut().filter(|job| !job.interest().is_lost()).try_for_each(|job| run(connection, job.as_mut()))
}

fn run(connection: &Connection, job: &mut dyn Job) -> Result<(), Failure> {
    connection.execute_batch("SAVEPOINT job")?;
    let succeeded = job.run(connection);
    if connection.is_autocommit() {
        return Err(undone_by_sqlite(job));
    }
    let keep = succeeded && !job.interest().is_lost();
    connection.execute_batch(if keep { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" })?;
    Ok(())
}

/// A released savepoint cannot be undone alone, so a job whose caller went later stays if another caller still waits.
fn ending(jobs: &[Box<dyn Job>]) -> &'static str {
    if jobs.iter().all(|job| job.interest().is_lost()) { "ROLLBACK" } else { "COMMIT" }
}
