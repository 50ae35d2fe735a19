//! APIs of a server: loaded before it starts, and again when the file of a document changes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures::future::join_all;
use openapi::{Api, DocumentError};
use tokio::task::JoinHandle;
use tools::{Apis, Dispatcher, Registry};

use crate::settings::{ConfiguredApi, Settings};

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(500);
/// How long a file must stay as it is before it is read: editors write in several steps.
const SETTLED: Duration = Duration::from_millis(200);

/// What was loaded, and what to tell the operator.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) apis: Arc<Apis>,
    pub(crate) remarks: Vec<String>,
}

/// Loads every document of the settings. One that cannot be used leaves the others alone.
pub(crate) async fn load(settings: &Settings) -> Loaded {
    load_or_keep(settings, &Apis::default()).await
}

/// Every document of the settings in their order, all read at the same time: a slow one delays a start by its own time only.
pub(crate) async fn load_each(settings: &Settings) -> Vec<(&ConfiguredApi, Result<Api, DocumentError>)> {
    join_all(settings.apis.apis.iter().map(load_one)).await
}

async fn load_one(configured: &ConfiguredApi) -> (&ConfiguredApi, Result<Api, DocumentError>) {
    (configured, Api::load(&configured.settings, |api| configured.credentials(api)).await)
}

/// The same, where a document that cannot be used any more stays as it was.
async fn load_or_keep(settings: &Settings, before: &Apis) -> Loaded {
    let (mut apis, mut remarks): (Vec<Arc<Api>>, Vec<String>) = (Vec::new(), Vec::new());
    for (configured, loaded) in load_each(settings).await {
        let source = &configured.settings.source;
        match loaded {
            Err(error) => {
                remarks.push(format!("warning: the OpenAPI document {} gives no tools: {error}", shown(source)));
                apis.extend(before.all().iter().find(|api| api.source == *source).cloned());
            }
            Ok(api) if apis.iter().any(|other| other.name == api.name) => remarks.push(format!(
                "warning: the OpenAPI document {} gives no tools: another one is named `{}`; tell them apart with --api-name",
                shown(source),
                api.name
            )),
            Ok(api) => {
                remarks.extend(remarks_on(&api));
                apis.push(Arc::new(api));
            }
        }
    }
    Loaded { apis: Arc::new(Apis::new(apis, settings.apis.most_tools)), remarks }
}

/// Where a document is, without a query, which may hold a key.
pub(crate) fn shown(source: &str) -> &str {
    match source.split_once('?') {
        Some((address, _)) if source.contains("://") => address,
        _ => source,
    }
}

fn remarks_on(api: &Api) -> Vec<String> {
    const MOST: usize = 5;
    let mut remarks: Vec<String> = api
        .skipped
        .iter()
        .take(MOST)
        .map(|skipped| format!("warning: {}: {} is left out: {}", api.name, skipped.operation, skipped.reason))
        .collect();
    if api.skipped.len() > MOST {
        let more = api.skipped.len() - MOST;
        remarks.push(format!(
            "warning: {}: {more} more operations are left out; `trailmark api list` names them",
            api.name
        ));
    }
    if api.operations.is_empty() {
        remarks.push(format!("warning: the OpenAPI document {} has no operation that is wanted", shown(&api.source)));
    }
    if let Some(reason) = api.operations.iter().find_map(|operation| operation.base().err()) {
        remarks.push(format!("warning: {}: calls will fail: {reason}", api.name));
    }
    remarks
}

/// Looks at the files of documents until it is stopped.
#[derive(Debug)]
pub(crate) struct Reloading(JoinHandle<()>);

impl Reloading {
    /// Nothing where no document is a file. Must be called on a runtime.
    pub(crate) fn start(dispatcher: Arc<Dispatcher>, settings: &Settings) -> Option<Self> {
        let files = files(&dispatcher.apis(), settings);
        (!files.is_empty()).then(|| Self(tokio::spawn(watch(dispatcher, settings.clone(), files))))
    }
}

impl Drop for Reloading {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Those that were read, and those that could not be.
fn files(apis: &Apis, settings: &Settings) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = apis.all().iter().flat_map(|api| api.files.clone()).collect();
    let sources = settings.apis.apis.iter().map(|configured| &configured.settings.source);
    files.extend(sources.filter(|source| !source.contains("://")).map(PathBuf::from));
    files
}

type States = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

async fn states(files: Vec<PathBuf>) -> States {
    let look = move || {
        let state = |path: &PathBuf| {
            std::fs::metadata(path).ok().map(|facts| (facts.modified().unwrap_or(SystemTime::UNIX_EPOCH), facts.len()))
        };
        files.iter().map(|path| (path.clone(), state(path))).collect()
    };
    tokio::task::spawn_blocking(look).await.unwrap_or_default()
}

async fn watch(dispatcher: Arc<Dispatcher>, settings: Settings, mut files: Vec<PathBuf>) {
    let mut known = states(files.clone()).await;
    loop {
        tokio::time::sleep(INTERVAL).await;
        let now = states(files.clone()).await;
        if now == known {
            continue;
        }
        tokio::time::sleep(SETTLED).await;
        let settled = states(files.clone()).await;
        if settled != now {
            continue;
        }
        known = settled;
        match reload(&settings, &dispatcher.apis()).await {
            Ok((registry, apis)) => {
                files = self::files(&apis, &settings);
                known = states(files.clone()).await;
                dispatcher.replace(registry, apis);
                tracing::info!("the OpenAPI documents have changed and were read again");
            }
            Err(reason) => tracing::warn!(%reason, "the OpenAPI documents have changed; the tools stay as they were"),
        }
    }
}

/// Everything anew, or the reason why what was there stays.
async fn reload(settings: &Settings, before: &Apis) -> Result<(Registry, Arc<Apis>), String> {
    let Loaded { apis, remarks } = load_or_keep(settings, before).await;
    remarks.iter().for_each(|remark| tracing::warn!("{remark}"));
    let same = |(left, right): (&Arc<Api>, &Arc<Api>)| Arc::ptr_eq(left, right);
    if apis.all().len() == before.all().len() && apis.all().iter().zip(before.all()).all(same) {
        return Err("nothing in them can be used".to_owned());
    }
    let registry = Registry::with_apis(&settings.selection, &apis).map_err(|error| error.to_string())?;
    Ok((registry, apis))
}
