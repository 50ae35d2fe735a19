//! Where the scenarios are.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::gherkin::{Scenario, read_feature};

/// The folder of benchmarks: `TRAILMARK_BENCH`, or `../shared/bench` beside the workspace. Nothing if it is absent.
pub fn bench_folder() -> Option<PathBuf> {
    let folder = match env::var_os("TRAILMARK_BENCH") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench"),
    };
    folder.is_dir().then_some(folder)
}

/// The same for a test, which says that it was not run where the folder is absent; under CI it must be there.
pub fn bench_folder_for_test() -> Option<PathBuf> {
    let folder = bench_folder();
    if folder.is_none() {
        assert!(env::var_os("CI").is_none(), "the folder of benchmarks is absent; set TRAILMARK_BENCH");
        let _ = io::stderr().write_all(b"not run: the folder of benchmarks is absent; set TRAILMARK_BENCH\n");
    }
    folder
}

/// All scenarios below the folder, outlines expanded, in the order of their files.
pub fn read_scenarios(bench: &Path) -> io::Result<Vec<Scenario>> {
    let root = bench.join("cypher/tck/features");
    let mut files = Vec::new();
    collect_features(&root, &mut files)?;
    files.sort();
    let mut scenarios = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        scenarios.extend(read_feature(&name, &fs::read_to_string(&file)?));
    }
    Ok(scenarios)
}

fn collect_features(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect_features(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "feature") {
            files.push(path);
        }
    }
    Ok(())
}
