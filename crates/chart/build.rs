//! Puts ECharts's own script into the build when it has been installed: `cargo xtask web`, or a file that
//! `TRAILMARK_ECHARTS` names. Without one, charts are made but not drawn.

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=TRAILMARK_ECHARTS");
    println!("cargo:rustc-check-cfg=cfg(echarts)");
    let named = std::env::var_os("TRAILMARK_ECHARTS").filter(|name| !name.is_empty()).map(PathBuf::from);
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"));
    let web = manifest.join("../../web");
    let script = named.clone().unwrap_or_else(|| web.join("node_modules/echarts/dist/echarts.min.js"));
    // A file that is not there would count as changed in every build.
    let watched = if script.is_file() { &script } else { &web };
    println!("cargo:rerun-if-changed={}", watched.display());
    if script.is_file() {
        let script = script.canonicalize().expect("a file that is there has a path");
        println!("cargo:rustc-cfg=echarts");
        println!("cargo:rustc-env=TRAILMARK_ECHARTS_SCRIPT={}", script.display());
    } else if named.is_some() {
        panic!("TRAILMARK_ECHARTS names {}, which is no file", script.display());
    }
}
