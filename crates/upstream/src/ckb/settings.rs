//! How CKB is to be used.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::gate::GateRules;
use crate::target::{Program, Target};

/// The part of the time that a caller waits for another one who is trying.
const PATIENCE: u32 = 4;
/// The subcommand that serves MCP.
const SERVE: &str = "mcp";

/// What the operator decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CkbSettings {
    pub enabled: bool,
    /// The program, by path or by name; it is started as `COMMAND ARGUMENTS mcp --repo ROOT`.
    pub command: PathBuf,
    /// What stands before the subcommand, for a program that starts CKB in turn.
    pub arguments: Vec<OsString>,
    /// How long one question may take, from the start of the program to its last answer.
    pub timeout: Duration,
    /// How long CKB is left alone after a failure.
    pub cooldown: Duration,
    /// For tests: CKB answers only after so long. It is another server then, with a cooldown of its own.
    pub mock_delay: Option<Duration>,
}

impl Default for CkbSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            command: PathBuf::from("ckb"),
            arguments: Vec::new(),
            timeout: Duration::from_secs(5),
            cooldown: Duration::from_secs(60),
            mock_delay: None,
        }
    }
}

impl CkbSettings {
    /// Without `--repo`, CKB answers for whichever project it was used in last.
    pub(super) fn target(&self, root: &Path) -> Target {
        let own = [SERVE.into(), "--repo".into(), root.into()];
        Target::Program(Program {
            arguments: self.arguments.iter().cloned().chain(own).collect(),
            folder: Some(root.to_path_buf()),
            environment: vec![("CKB_NO_UPDATE_CHECK".into(), "1".into()), ("CKB_REPO".into(), root.into())],
            ..Program::new(&self.command)
        })
    }

    /// What the state of CKB for this project is kept under. Another command is another server, so that a corrected setting
    /// helps at once.
    pub(super) fn gate_name(&self, root: &Path) -> String {
        let words = std::iter::once(self.command.as_os_str()).chain(self.arguments.iter().map(OsString::as_os_str));
        let mut hasher = blake3::Hasher::new();
        for word in words {
            hasher.update(word.as_encoded_bytes()).update(&[0]);
        }
        let command = hasher.finalize().to_hex();
        let mock = self.mock_delay.map(|delay| format!(" after {} ms", delay.as_millis())).unwrap_or_default();
        format!("ckb {}{mock} in {}", &command[..8], root.display())
    }

    pub(super) fn gate_rules(&self) -> GateRules {
        GateRules {
            cooldown: self.cooldown,
            // Longer than a trial can take, by what it takes to write down how it went.
            trial: self.timeout + Duration::from_secs(1),
            proof: self.timeout,
            patience: self.timeout / PATIENCE,
        }
    }
}
