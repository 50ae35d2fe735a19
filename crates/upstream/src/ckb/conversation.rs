//! One question to CKB: from its health to the last call, within one time limit.

use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::time::{Instant, sleep, timeout_at};

use super::FallbackReason;
use super::places::Place;
use super::settings::CkbSettings;
use super::wire::{self, NoAnswer, Status};
use crate::error::Error;
use crate::gate::Leave;

/// What CKB keeps in a project that it was set up for.
const SET_UP: &str = ".ckb";
/// The backend that knows definitions and references; without it CKB guesses.
const SCIP: &str = "scip";

#[derive(Debug)]
pub(super) struct Conversation<'a> {
    pub(super) settings: &'a CkbSettings,
    pub(super) place: &'a Place,
    pub(super) until: Instant,
}

/// Why it failed.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) reason: FallbackReason,
    pub(super) message: String,
}

impl Trouble {
    fn unhealthy(message: impl Into<String>) -> Self {
        Self { reason: FallbackReason::HealthCheckFailed, message: message.into() }
    }
}

impl Conversation<'_> {
    pub(super) async fn hold<T>(
        &self,
        leave: Leave,
        question: impl AsyncFnOnce(&Self) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let talk = async {
            sleep(self.settings.mock_delay.unwrap_or_default()).await;
            self.see_that_it_is_well(leave).await?;
            question(self).await
        };
        timeout_at(self.until, talk).await.unwrap_or_else(|_elapsed| Err(self.too_late()))
    }

    /// Calls a tool; `None` where CKB knows no such symbol.
    pub(super) async fn call<T: DeserializeOwned>(&self, tool: &str, arguments: Value) -> Result<Option<T>, Trouble> {
        let failed = |message| Trouble { reason: FallbackReason::McpError, message };
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
        };
        let answer = match self.place.client.call(tool, arguments, self.time_left()).await {
            Ok(answer) => answer,
            Err(Error::Timeout { .. }) => return Err(self.too_late()),
            Err(error) => return Err(failed(error.to_string())),
        };
        match wire::open(&answer.text) {
            Ok(answer) => Ok(Some(answer)),
            Err(NoAnswer::UnknownSymbol) => Ok(None),
            Err(NoAnswer::Error(message)) => Err(failed(format!("{tool}: {message}"))),
        }
    }

    /// When what has been found had better be enough.
    pub(super) fn almost_too_late(&self) -> Instant {
        self.until - self.settings.timeout / 8
    }

    fn time_left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    async fn see_that_it_is_well(&self, leave: Leave) -> Result<(), Trouble> {
        let is_fresh = |at: Instant| at.elapsed() < self.settings.gate_rules().proof;
        let checked = *self.place.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if leave == Leave::Open && checked.is_some_and(is_fresh) {
            return Ok(());
        }
        self.see_that_it_is_set_up().await?;
        let status: Option<Status> =
            self.call("getStatus", Value::Null).await.map_err(|trouble| match trouble.reason {
                FallbackReason::McpError => Trouble::unhealthy(trouble.message),
                FallbackReason::ConnectionTimeout
                | FallbackReason::HealthCheckFailed
                | FallbackReason::Cooldown
                | FallbackReason::Disabled => trouble,
            })?;
        judge(&status.ok_or_else(|| Trouble::unhealthy("CKB has no status"))?)?;
        *self.place.checked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.place.gate.proved().await;
        Ok(())
    }

    /// CKB writes its files into any project it is started in, so it is not started where nobody has set it up.
    async fn see_that_it_is_set_up(&self) -> Result<(), Trouble> {
        let (root, command) = (self.place.root.clone(), self.settings.command.clone());
        let looked = tokio::task::spawn_blocking(move || (is_installed(&command), root.join(SET_UP).is_dir()));
        let command = self.settings.command.display();
        match looked.await.unwrap_or((true, true)) {
            (false, _) => Err(Trouble::unhealthy(format!("cannot start `{command}`: there is no such program"))),
            (true, false) => Err(Trouble::unhealthy(format!(
                "CKB is not set up in {}: run `ckb init` and `ckb index` there",
                self.place.root.display()
            ))),
            (true, true) => Ok(()),
        }
    }

    pub(super) fn too_late(&self) -> Trouble {
        let message = format!("Connection timeout after {}ms", self.settings.timeout.as_millis());
        Trouble { reason: FallbackReason::ConnectionTimeout, message }
    }
}

fn judge(status: &Status) -> Result<(), Trouble> {
    if !status.healthy {
        return Err(Trouble::unhealthy("CKB says that it is not healthy"));
    }
    match status.backends.iter().find(|backend| backend.id == SCIP) {
        Some(scip) if scip.available => Ok(()),
        Some(scip) => {
            let details = scip.details.as_deref().filter(|details| !details.is_empty()).unwrap_or("run `ckb index`");
            Err(Trouble::unhealthy(format!("CKB has no index of this project: {details}")))
        }
        None => Err(Trouble::unhealthy("CKB has no index of this project: it does not mention one")),
    }
}

/// Whether there is a file that this command can mean.
fn is_installed(command: &Path) -> bool {
    if command.components().count() > 1 {
        return command.exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| {
        let program = folder.join(command);
        program.is_file() || (cfg!(windows) && program.with_extension("exe").is_file())
    })
}
