//! Charts as pictures: drawn by ECharts itself in an engine of our own, checked mark by mark, and painted as PNG if wanted.
//!
//! A [`Painter`] owns one thread, which begins with the first picture and keeps ECharts loaded for the next. A picture that takes
//! too long or too much memory is stopped, and the next one starts afresh.

mod engine;
mod png;

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::chart::Chart;
use engine::Engine;
use png::Fonts;
pub use png::Png;

#[cfg(echarts)]
const SCRIPT: Option<&str> = Some(include_str!(env!("TRAILMARK_ECHARTS_SCRIPT")));
#[cfg(not(echarts))]
const SCRIPT: Option<&str> = None;

/// How long ECharts stays loaded with nothing to draw.
const WARM: Duration = Duration::from_secs(600);
/// QuickJS counts its own stack, which must be smaller than that of the thread.
const THREAD_STACK: usize = 8 << 20;

/// Whether this build can draw.
pub fn is_embedded() -> bool {
    SCRIPT.is_some()
}

/// ECharts's own script, if it was there when this program was built.
pub(crate) fn script() -> Result<&'static str, PaintError> {
    SCRIPT.ok_or(PaintError::Absent)
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaintError {
    #[error(
        "charts cannot be drawn: this program was built without ECharts. In the source tree, run `cargo xtask web` (it installs the \
         npm package `echarts`) and build again; the option itself needs nothing"
    )]
    Absent,
    #[error("drawing took longer than {} s; draw fewer rows, or take the option alone", .limit.as_secs_f64())]
    TooSlow { limit: Duration },
    #[error("drawing took more than {megabytes} MB of memory; draw fewer rows, or take the option alone")]
    TooLarge { megabytes: usize },
    #[error("the caller has gone")]
    Stopped,
    /// ECharts threw, complained, or drew less than it was given.
    #[error("ECharts did not draw this chart as it should: {reason}")]
    Rejected { reason: String },
    #[error("the picture could not be painted: {reason}")]
    Painting { reason: String },
}

/// What one picture may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    pub memory_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(4), memory_bytes: 512 << 20 }
    }
}

/// The size of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 800, height: 500 }
    }
}

/// A chart that was drawn whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub svg: String,
    /// Bars, points, slices, nodes and links; what ECharts left out of a long line to draw it faster is not among them.
    pub marks: usize,
}

/// Draws charts, one after the other.
pub struct Painter {
    limits: Limits,
    fonts: OnceLock<Fonts>,
    font_folders: Vec<PathBuf>,
    thread: Mutex<Option<Sender<Job>>>,
    closing: Arc<AtomicBool>,
}

type Stop = Box<dyn Fn() -> bool + Send>;

/// What the engine is asked for.
struct Wanted {
    option: String,
    size: Size,
    /// Or only what would be in it.
    picture: bool,
}

struct Job {
    wanted: Wanted,
    deadline: Instant,
    stop: Stop,
    answer: Sender<Result<engine::Drawn, PaintError>>,
}

impl Painter {
    /// Starts nothing yet. The fonts of PNGs are those of the system and those in these folders.
    pub fn new(limits: Limits, font_folders: Vec<PathBuf>) -> Self {
        let closing = Arc::new(AtomicBool::new(false));
        Self { limits, fonts: OnceLock::new(), font_folders, thread: Mutex::new(None), closing }
    }

    /// Draws the chart and checks that everything in it was drawn. Waits for its turn; `stop` is asked meanwhile.
    pub fn draw(
        &self,
        chart: &Chart,
        size: Size,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<Picture, PaintError> {
        self.ask(chart, size, true, Box::new(stop))
    }

    /// Has ECharts lay everything out and make every mark, and counts them: a picture that is not written down.
    pub fn check(&self, chart: &Chart, stop: impl Fn() -> bool + Send + 'static) -> Result<(), PaintError> {
        self.ask(chart, Size::default(), false, Box::new(stop)).map(drop)
    }

    fn ask(&self, chart: &Chart, size: Size, picture: bool, stop: Stop) -> Result<Picture, PaintError> {
        script()?;
        let (answer, answered) = mpsc::channel();
        let wanted = Wanted { option: chart.option.to_string(), size, picture };
        self.hand_over(Job { wanted, deadline: Instant::now() + self.limits.time, stop, answer })?;
        let drawn = answered.recv().unwrap_or_else(|_| Err(rejected("the engine ended")))?;
        drawn.check(chart)
    }

    /// The picture as PNG, `scale` times as large.
    pub fn png(&self, picture: &Picture, scale: f32) -> Result<Png, PaintError> {
        self.fonts.get_or_init(|| Fonts::load(&self.font_folders)).paint(&picture.svg, scale)
    }

    fn hand_over(&self, job: Job) -> Result<(), PaintError> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let job = match &*thread {
            Some(sender) => match sender.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(job)) => job,
            },
            None => job,
        };
        let (sender, receiver) = mpsc::channel();
        let (limits, closing) = (self.limits, self.closing.clone());
        std::thread::Builder::new()
            .name("charts".to_owned())
            .stack_size(THREAD_STACK)
            .spawn(move || work(&receiver, limits, &closing))
            .map_err(|error| rejected(format!("no thread could be started: {error}")))?;
        let _ = sender.send(job);
        *thread = Some(sender);
        Ok(())
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
    }
}

impl fmt::Debug for Painter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Painter").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Draws until nobody can ask any more; an engine that failed or was not needed for long is thrown away.
fn work(jobs: &Receiver<Job>, limits: Limits, closing: &Arc<AtomicBool>) {
    let mut engine = None;
    loop {
        let job = match jobs.recv_timeout(WARM) {
            Ok(job) => job,
            Err(RecvTimeoutError::Timeout) => {
                engine = None;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let Job { wanted, deadline, stop, answer } = job;
        let closing = closing.clone();
        let ended = move || stop() || closing.load(Ordering::Relaxed);
        let drawn = draw(&mut engine, limits, &wanted, Until { deadline, stop: Box::new(ended) });
        let _ = answer.send(drawn);
    }
}

/// When a picture is given up.
pub(crate) struct Until {
    deadline: Instant,
    stop: Stop,
}

impl Until {
    fn has_come(&self) -> bool {
        Instant::now() >= self.deadline || (self.stop)()
    }
}

fn draw(kept: &mut Option<Engine>, limits: Limits, wanted: &Wanted, until: Until) -> Result<engine::Drawn, PaintError> {
    if until.has_come() {
        return Err(given_up(&until, limits));
    }
    let until = Rc::new(until);
    let engine = match kept.take() {
        Some(engine) => engine,
        None => Engine::load(limits, &until).map_err(|failure| explain(failure, &until, limits))?,
    };
    let drawn = engine.draw(wanted, &until).map_err(|failure| explain(failure, &until, limits))?;
    *kept = Some(engine);
    Ok(drawn)
}

fn explain(failure: engine::Failure, until: &Until, limits: Limits) -> PaintError {
    match failure {
        engine::Failure::Interrupted => given_up(until, limits),
        engine::Failure::OutOfMemory => PaintError::TooLarge { megabytes: limits.memory_bytes >> 20 },
        engine::Failure::Threw(reason) => rejected(reason),
    }
}

fn given_up(until: &Until, limits: Limits) -> PaintError {
    if (until.stop)() { PaintError::Stopped } else { PaintError::TooSlow { limit: limits.time } }
}

fn rejected(reason: impl Into<String>) -> PaintError {
    PaintError::Rejected { reason: reason.into() }
}
