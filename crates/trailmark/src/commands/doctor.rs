//! `trailmark doctor`: what is configured, reachable and writable, and how to fix what is not.

use std::process::ExitCode;

use openapi::Api;
use serde::Serialize;
use store::{AuditFilter, AuditLog, ProjectCatalog, StoreError};
use store_sqlite::StoreCheck;
use tools::Registry;
use web_search::Query;

use crate::apis;
use crate::console::{Console, Paint, printable};
use crate::servers::Server;
use crate::settings::{ConfiguredApi, Settings};
use crate::transport::token::Token;
use crate::wiring::Backend;

#[derive(Debug, Serialize)]
struct Finding {
    subject: &'static str,
    state: State,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warning,
    Problem,
}

pub(super) async fn run(settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let backend = Backend::new(settings);
    let mut findings = vec![version(), settings_file(settings), tools(settings)];
    findings.extend(settings.warnings.iter().map(|warning| Finding {
        subject: "settings",
        state: State::Warning,
        what: warning.clone(),
        fix: None,
    }));
    findings.extend(documents(&backend.documents.check().await));
    for (kept, server) in &backend.servers {
        findings.push(server_finding(kept, &**server).await);
    }
    findings.push(code_graphs(&backend));
    findings.push(audit(settings, &backend).await);
    findings.push(http_token(settings));
    findings.push(web_search(&backend).await);
    findings.extend(apis(settings).await);
    backend.close().await;
    let failed = findings.iter().any(|finding| finding.state == State::Problem);
    if console.json {
        console.json(&findings);
    } else {
        print(&findings, console);
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print(findings: &[Finding], console: &Console) {
    for finding in findings {
        let sign = match finding.state {
            State::Ok => console.paint(Paint::Good, "ok     "),
            State::Warning => console.paint(Paint::Attention, "warning"),
            State::Problem => console.paint(Paint::Bad, "problem"),
        };
        console.line(&format!("{sign}  {:<13} {}", finding.subject, finding.what));
        if let Some(fix) = &finding.fix {
            console.line(&format!("                        fix: {fix}"));
        }
    }
}

fn ok(subject: &'static str, what: impl Into<String>) -> Finding {
    Finding { subject, state: State::Ok, what: what.into(), fix: None }
}

fn problem(subject: &'static str, error: &StoreError) -> Finding {
    Finding { subject, state: State::Problem, what: error.to_string(), fix: error.hint().map(str::to_owned) }
}

fn version() -> Finding {
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    ok("version", format!("trailmark {} on {system} {machine}", env!("CARGO_PKG_VERSION")))
}

fn settings_file(settings: &Settings) -> Finding {
    match &settings.config {
        Some(path) => ok("settings", format!("read from {}", path.display())),
        None => ok("settings", "no trailmark.toml; defaults, flags and environment"),
    }
}

fn tools(settings: &Settings) -> Finding {
    match Registry::new(&settings.selection) {
        Ok(registry) if registry.entries().is_empty() => Finding {
            subject: "tools",
            state: State::Problem,
            what: "the settings switch every tool off".into(),
            fix: Some("loosen toolsets, tools, exclude-tools or read-only".into()),
        },
        Ok(registry) => {
            let families: Vec<&str> = registry.families().map(|family| family.name).collect();
            let mode = if settings.selection.read_only { ", read-only" } else { "" };
            ok("tools", format!("{} switched on ({}{mode})", registry.entries().len(), families.join(", ")))
        }
        Err(error) => Finding { subject: "tools", state: State::Problem, what: error.to_string(), fix: None },
    }
}

fn documents(check: &StoreCheck) -> Vec<Finding> {
    let path = check.path.display();
    let folder = match (&check.database, check.folder_writable) {
        (Ok(_), false) => Some(Finding {
            subject: "data folder",
            state: State::Problem,
            what: format!("{} cannot be written", check.path.parent().unwrap_or(&check.path).display()),
            fix: Some(
                "give yourself write permission, free disk space, or set TRAILMARK_HOME to another folder".into(),
            ),
        }),
        (Ok(_), true) | (Err(_), _) => None,
    };
    let database = match &check.database {
        Err(error) => problem("store", error),
        Ok(database) if !database.problems.is_empty() => Finding {
            subject: "store",
            state: State::Problem,
            what: format!("{path} is damaged: {}", database.problems.join("; ")),
            fix: Some("stop all servers, keep a copy of the file, and restore a backup".into()),
        },
        Ok(database) if database.journal_mode != "wal" => Finding {
            subject: "store",
            state: State::Warning,
            what: format!("{path} is on a file system without shared memory; clients will wait for each other"),
            fix: Some("set TRAILMARK_HOME to a folder on a local disk".into()),
        },
        Ok(database) => {
            let (documents, bytes, sqlite) = (database.documents, check.bytes, check.sqlite_version);
            ok("store", format!("{path}: {documents} documents, {bytes} bytes, sound (SQLite {sqlite})"))
        }
    };
    folder.into_iter().chain([database]).collect()
}

async fn server_finding(kept: &'static str, server: &dyn Server) -> Finding {
    match server.version().await {
        Ok(version) => {
            ok(kept, format!("on {} ({}): it answers, {version}", server.address(), server.address().setting()))
        }
        Err(error) => problem(kept, &error),
    }
}

fn code_graphs(backend: &Backend) -> Finding {
    let path = backend.projects.path().display();
    match backend.projects.list() {
        Ok(projects) if projects.is_empty() => ok("code graphs", "none yet; `trailmark index` makes the first"),
        Ok(projects) => {
            let names: Vec<&str> = projects.iter().map(|project| project.name.as_str()).collect();
            ok("code graphs", format!("{path}: {}", names.join(", ")))
        }
        Err(error) => problem("code graphs", &error),
    }
}

async fn audit(settings: &Settings, backend: &Backend) -> Finding {
    if settings.audit.is_none() {
        return ok("audit log", "switched off");
    }
    let newest = AuditFilter { limit: 1, tool: None, since: None, errors_only: false };
    let path = backend.audit.path().display();
    match backend.audit.list(newest).await {
        Ok(entries) => {
            let newest = entries.first().map(|entry| format!(", newest call {}", entry.time));
            ok("audit log", format!("{path}{}", newest.unwrap_or_else(|| ", no calls yet".to_owned())))
        }
        Err(error) => problem("audit log", &error),
    }
}

/// Asks once, since only an answer shows that engines, formats and credentials are right.
async fn web_search(backend: &Backend) -> Finding {
    let subject = "web search";
    let Some(search) = &backend.web_search else {
        return ok(subject, "not configured; TRAILMARK_SEARXNG_URL or [web_search] in trailmark.toml names a provider");
    };
    let query = Query { words: "trailmark".to_owned(), language: "all".to_owned(), recency_days: 365 };
    match search.search(&query, 1).await {
        Ok(answer) => {
            let engines = answer.engines.join(", ");
            let engines = if engines.is_empty() { String::new() } else { format!(" (engines: {engines})") };
            ok(subject, format!("{} answers{engines}", search.place()))
        }
        Err(error) => {
            let passes = !error.engines().is_empty() || error.retry_after().is_some();
            let state = if passes { State::Warning } else { State::Problem };
            Finding { subject, state, what: error.to_string(), fix: error.hint().map(str::to_owned) }
        }
    }
}

/// One finding for each document; credentials by the names of their variables, never by what these hold.
async fn apis(settings: &Settings) -> Vec<Finding> {
    if settings.apis.apis.is_empty() {
        return vec![ok("apis", "no OpenAPI document; --openapi or [[openapi]] in the settings file names some")];
    }
    let loaded = apis::load_each(settings).await;
    let mut findings = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (configured, loaded) in loaded {
        let source = apis::shown(&configured.settings.source);
        findings.push(match loaded {
            Err(error) => Finding {
                subject: "apis",
                state: State::Problem,
                what: printable(&format!("{source} gives no tools: {error}")),
                fix: None,
            },
            Ok(api) if names.contains(&api.name) => Finding {
                subject: "apis",
                state: State::Problem,
                what: printable(&format!("{source} gives no tools: another document is named {} too", api.name)),
                fix: Some("tell them apart with --api-name, or `name` in the settings file".into()),
            },
            Ok(api) => {
                names.push(api.name.clone());
                api_finding(configured, &api)
            }
        });
    }
    findings
}

fn api_finding(configured: &ConfiguredApi, api: &Api) -> Finding {
    let (identity, operations) = (api.identity(), &api.operations);
    let mut what = format!("{}: {} operations of {}", api.name, operations.len(), apis::shown(&api.source));
    for (count, how) in [(api.skipped.len(), "left out"), (api.filtered, "filtered out")] {
        if count > 0 {
            what += &format!(", {count} {how}");
        }
    }
    let unreachable = operations.iter().find_map(|operation| operation.base().err());
    if let Some(Ok(base)) = operations.first().map(openapi::Operation::base) {
        what += &format!(", at {base}");
    }
    let set = configured.set_variables(&identity);
    if !set.is_empty() {
        what += &format!("; set: {}", set.join(", "));
    }
    let lacking = operations.iter().filter(|operation| api.lacks_credentials(operation)).count();
    if lacking > 0 {
        what += &format!("; {lacking} ask for credentials that are not set");
    }
    let fix = match unreachable {
        Some(reason) => Some(reason.to_owned()),
        None if lacking > 0 => Some(configured.wanted_variables(&identity)),
        None if operations.is_empty() || !api.skipped.is_empty() => {
            Some("`trailmark api list` says what was left out and why".to_owned())
        }
        None => None,
    };
    let state = if fix.is_some() { State::Warning } else { State::Ok };
    Finding { subject: "apis", state, what: printable(&what), fix: fix.map(|fix| printable(&fix)) }
}

fn http_token(settings: &Settings) -> Finding {
    let path = Token::path(&settings.home);
    if settings.token.is_some() {
        ok("http token", "given by TRAILMARK_TOKEN")
    } else if path.exists() {
        ok("http token", format!("in {}", path.display()))
    } else {
        ok("http token", "made at the first `trailmark serve --http`")
    }
}
