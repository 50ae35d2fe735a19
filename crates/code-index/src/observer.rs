//! Who is told how far a run has come, and who can stop it.

/// Watches one run. Called from several threads.
pub trait Observer: Sync {
    /// `done` of `total` steps of a stage are over; `total` is 0 while it is unknown.
    fn progress(&self, stage: Stage, done: u64, total: u64) {
        let _ = (stage, done, total);
    }

    /// Another process, or another call in this one, indexes the project; the run begins when it has finished.
    fn waiting_for(&self, process: Option<u32>) {
        let _ = process;
    }

    /// Something that whoever waits should know before it happens.
    fn remark(&self, remark: &str) {
        let _ = remark;
    }

    /// Whether the run should end without changing anything.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}

/// What a run does, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Which files are there? Counts files.
    Scan,
    /// What do the changed ones say? Counts files.
    Read,
    /// What do all of them say together?
    Link,
    /// Keeping it.
    Write,
}

impl Stage {
    pub const ALL: [Self; 4] = [Self::Scan, Self::Read, Self::Link, Self::Write];

    /// As people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scan => "finding files",
            Self::Read => "reading files",
            Self::Link => "resolving names",
            Self::Write => "storing the graph",
        }
    }
}
