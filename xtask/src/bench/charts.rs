//! How long it takes to make a chart's option, and to draw it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::Options;
use crate::process::{self, Show};
use crate::{release, web};

const LIMIT: Duration = Duration::from_secs(10 * 60);

pub(super) fn run(root: &Path, _options: Options) -> Result<bool> {
    web::install(root)?;
    let speed = release::example(root, "chart", "speed")?;
    Ok(process::run(&mut Command::new(speed), LIMIT, Show::Live)?.status.success())
}
