//! `trailmark chart`: a file of rows, or a graph, as a picture, a page or an ECharts option.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use chart::{Chart, Data, Format, Given, KINDS, Limits, Mapping, Options, Painter, Picture, Request, Size};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::console::{Console, printable};
use crate::settings::Settings;

/// A person who waits for a file is more patient than an agent.
const LIMITS: Limits = Limits { time: Duration::from_secs(120), memory_bytes: 2 << 30 };

#[derive(Debug, Args)]
pub(crate) struct ChartOptions {
    /// CSV, JSON or JSON Lines with a row for each object, JSON with a graph, or `-` for standard input
    #[arg(value_name = "FILE|-")]
    file: String,
    /// The type of chart
    #[arg(long = "type", value_name = "TYPE", value_parser = kinds())]
    kind: String,
    /// The field of categories, dates or numbers along the axis [default: inferred]
    #[arg(long, value_name = "FIELD")]
    x: Option<String>,
    /// The field of numbers [default: inferred]
    #[arg(long, value_name = "FIELD")]
    y: Option<String>,
    /// The field whose values make a series each
    #[arg(long, value_name = "FIELD")]
    series: Option<String>,
    #[arg(long)]
    title: Option<String>,
    /// What the numbers are counted in
    #[arg(long)]
    unit: Option<String>,
    /// Put series on top of each other
    #[arg(long)]
    stack: bool,
    /// Draw curves instead of corners
    #[arg(long)]
    smooth: bool,
    /// The width of the picture in pixels
    #[arg(long, default_value_t = 800, value_parser = clap::value_parser!(u32).range(100..=4000))]
    width: u32,
    /// The height of the picture in pixels
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(100..=4000))]
    height: u32,
    /// The file to write: .svg, .png, .html or .json for the option [default: the option on standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.summary)))
}

pub(super) async fn run(options: ChartOptions, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let (console, fonts) = (*console, settings.fonts.clone());
    tokio::task::spawn_blocking(move || make(&options, fonts, &console)).await?
}

fn make(options: &ChartOptions, fonts: Option<PathBuf>, console: &Console) -> anyhow::Result<ExitCode> {
    let target = options.output.as_deref().map(Target::of).transpose()?;
    let given = read(&options.file)?;
    let kind = chart::kind(&options.kind).context("the command line lets only known types through")?;
    let chart = chart::generate(&Request {
        kind,
        title: options.title.as_deref(),
        data: match &given {
            Given::Rows(rows) => Data::Rows(rows),
            Given::Graph(graph) => Data::Graph(graph),
        },
        mapping: Mapping { x: options.x.clone(), y: options.y.clone(), series: options.series.clone() },
        options: Options { unit: options.unit.clone(), stack: options.stack, smooth: options.smooth },
    })
    .with_context(|| format!("{} cannot be drawn", named(&options.file)))?;
    for note in &chart.notes {
        console.remark(&format!("note: {}", printable(note)));
    }
    let painter = Painter::new(LIMITS, fonts.into_iter().collect());
    match (&options.output, target) {
        (Some(file), Some(target)) => {
            let bytes = target.bytes(&chart, options, &painter, console)?;
            std::fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
            console.remark(&format!("{} with {} marks", file.display(), chart.mark_count()));
        }
        (_, _) => {
            if chart::is_embedded() {
                painter.check(&chart, || false)?;
            }
            console.json(&chart.option);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read(file: &str) -> anyhow::Result<Given> {
    let mut bytes = Vec::new();
    if file == "-" {
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        bytes = std::fs::read(file).with_context(|| format!("cannot read {}", named(file)))?;
    }
    let name = named(file);
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8; save it as UTF-8 first"))?;
    chart::read(&text, Format::of(file, &text)).map_err(|problem| anyhow::anyhow!("cannot read {name}: {problem}"))
}

/// What messages call the file.
fn named(file: &str) -> String {
    if file == "-" { "standard input".to_owned() } else { printable(file) }
}

/// What is written, by the end of the file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Svg,
    Png,
    Html,
    Json,
}

impl Target {
    fn of(file: &Path) -> anyhow::Result<Self> {
        let end = file.extension().map(|end| end.to_string_lossy().to_lowercase());
        Ok(match end.as_deref() {
            Some("svg") => Self::Svg,
            Some("png") => Self::Png,
            Some("html" | "htm") => Self::Html,
            Some("json") => Self::Json,
            _ => bail!("{} must end in .svg, .png, .html or .json", file.display()),
        })
    }

    fn bytes(
        self,
        chart: &Chart,
        options: &ChartOptions,
        painter: &Painter,
        console: &Console,
    ) -> anyhow::Result<Vec<u8>> {
        let size = Size { width: options.width, height: options.height };
        let draw = || -> anyhow::Result<Picture> { Ok(painter.draw(chart, size, || false)?) };
        Ok(match self {
            Self::Svg => draw()?.svg.into_bytes(),
            Self::Png => {
                let png = painter.png(&draw()?, 2.0)?;
                png.note.iter().for_each(|note| console.remark(&format!("note: {note}")));
                png.bytes
            }
            Self::Html => {
                draw()?;
                chart::page(chart, options.title.as_deref())?.into_bytes()
            }
            Self::Json => {
                if chart::is_embedded() {
                    painter.check(chart, || false)?;
                }
                let mut text = serde_json::to_vec_pretty(&chart.option)?;
                text.write_all(b"\n")?;
                text
            }
        })
    }
}
