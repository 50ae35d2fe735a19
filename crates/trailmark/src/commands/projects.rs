//! `trailmark projects`: which repositories are indexed, and forgetting one.

use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Value, json};
use store::{ProjectCatalog, ProjectInfo};
use tools::nearest;

use crate::command_line::Projects;
use crate::console::{Console, printable};
use crate::settings::Settings;
use crate::wiring::Backend;

pub(super) async fn run(command: Option<Projects>, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let (catalog, console) = (Backend::new(settings).projects, *console);
    tokio::task::spawn_blocking(move || match command {
        None => list(&*catalog, &console),
        Some(Projects::Delete { name }) => delete(&*catalog, &name, &console),
    })
    .await?
}

fn list(catalog: &dyn ProjectCatalog, console: &Console) -> anyhow::Result<ExitCode> {
    let projects = catalog.list()?;
    if console.json {
        console.json(&projects.iter().map(described).collect::<Vec<_>>());
    } else if projects.is_empty() {
        console.line("No project is indexed yet; `trailmark index` makes the first.");
    } else {
        let header = ["project", "files", "nodes", "relationships", "indexed", "root"].map(str::to_owned).to_vec();
        console.table(&std::iter::once(header).chain(projects.iter().map(row)).collect::<Vec<_>>());
    }
    Ok(ExitCode::SUCCESS)
}

fn row(info: &ProjectInfo) -> Vec<String> {
    vec![
        info.name.clone(),
        info.files.to_string(),
        info.nodes.to_string(),
        info.relationships.to_string(),
        info.indexed_at.map_or_else(|| "not yet".to_owned(), |time| time.strftime("%Y-%m-%d %H:%M:%SZ").to_string()),
        info.root.display().to_string(),
    ]
}

fn described(info: &ProjectInfo) -> Value {
    let language = |(name, files): &(String, u64)| json!({"name": name, "files": files});
    json!({
        "name": info.name,
        "root": info.root,
        "files": info.files,
        "nodes": info.nodes,
        "relationships": info.relationships,
        "languages": info.languages.iter().map(language).collect::<Vec<_>>(),
        "indexed_at": info.indexed_at.map(|time| time.to_string()),
    })
}

fn delete(catalog: &dyn ProjectCatalog, name: &str, console: &Console) -> anyhow::Result<ExitCode> {
    if !catalog.delete(name)? {
        let known: Vec<String> = catalog.list()?.into_iter().map(|project| project.name).collect();
        let near = nearest(name, known.iter().map(String::as_str));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        bail!("there is no project `{name}`{near} (`trailmark projects` lists them)");
    }
    if console.json {
        console.json(&json!({"deleted": name}));
    } else {
        console.line(&format!("Deleted the code graph of {}; its files are untouched.", printable(name)));
    }
    Ok(ExitCode::SUCCESS)
}
