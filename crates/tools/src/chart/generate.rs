//! `echart_generate`: rows or a graph → an ECharts option that ECharts has drawn.

use chart::{Data, Invalid, KINDS, Kind, Request, Row};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{DEADLINE, answer};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Illustrated;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Params {
    #[schemars(schema_with = "kinds")]
    chart_type: String,
    #[schemars(length(max = 200))]
    title: Option<String>,
    /// The rows of a bar, line, pie or scatter chart: objects with the same fields.
    #[schemars(length(max = chart::MOST_ROWS))]
    data: Option<Vec<Row>>,
    /// Which field of the rows means what; what is left out is inferred.
    mapping: Option<Mapping>,
    /// The nodes and links of a graph chart; an answer of neo4j_find_neighbors, neo4j_find_path or ci_call_chain will do as it is.
    #[serde(default)]
    #[schemars(schema_with = "graph")]
    graph: Option<Map<String, Value>>,
    options: Option<Options>,
    /// Whether the answer also has an image [default: none].
    #[schemars(extend("default" = "none"))]
    render: Option<Render>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Mapping {
    /// Categories, ISO dates or numbers; the names of the slices of a pie.
    x_field: Option<String>,
    /// Numbers.
    y_field: Option<String>,
    /// One series for each of its values.
    series_field: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Options {
    /// What the numbers are counted in.
    #[schemars(length(max = 20), regex(pattern = r"^[^{}]*$"))]
    unit: Option<String>,
    /// Series on top of each other: bar and line.
    stack: Option<bool>,
    /// Curves instead of corners: line.
    smooth: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Render {
    None,
    Svg,
    Png,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Generated {
    pub(super) option: Map<String, Value>,
}

fn kinds(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    let help: Vec<String> = KINDS.iter().map(|kind| format!("{}: {}", kind.name, kind.summary)).collect();
    json_schema!({"type": "string", "enum": names, "description": format!("{}.", help.join("; "))})
}

fn graph(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "nodes": {"type": "array", "items": {"type": "object"}, "description": "{id, name?, category?, value?}"},
            "links": {"type": "array", "items": {"type": "object"}, "description": "{source, target, label?} with ids of nodes"},
        },
    })
}

pub(super) struct GenerateChart;

impl TypedTool for GenerateChart {
    type Params = Params;
    type Output = Illustrated<Generated>;

    const INFO: ToolInfo = ToolInfo {
        name: "echart_generate",
        title: "Generate chart",
        summary: "Turn rows or a graph into an ECharts 6 option (pure JSON: dataset and encode, one series for each value of \
                  seriesField, a time axis for ISO dates), and with `render` into an image. Values of the same place and series are \
                  added up, gaps stay gaps; every repair is in meta.notes.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Illustrated<Generated>, ToolError> {
        let frame = answer::Frame::of(context);
        off_runtime(move || {
            let Params { chart_type, title, data, mapping, graph, options, render } = params;
            let kind = known_kind(&chart_type)?;
            let graph = graph.map(Value::Object);
            let (mapping, options) = (mapping.unwrap_or_default(), options.unwrap_or_default());
            let request = Request {
                kind,
                title: title.as_deref(),
                data: given(data.as_deref(), graph.as_ref())?,
                mapping: chart::Mapping { x: mapping.x_field, y: mapping.y_field, series: mapping.series_field },
                options: chart::Options {
                    unit: options.unit,
                    stack: options.stack.unwrap_or_default(),
                    smooth: options.smooth.unwrap_or_default(),
                },
            };
            let chart = chart::generate(&request).map_err(|invalid| refused(&invalid))?;
            frame.answer(kind, chart, render.unwrap_or(Render::None))
        })
        .await
    }
}

fn known_kind(name: &str) -> Result<&'static Kind, ToolError> {
    chart::kind(name).ok_or_else(|| ToolError::invalid(format!("`chartType` is {name:?}, which no chart is")))
}

fn given<'a>(data: Option<&'a [Row]>, graph: Option<&'a Value>) -> Result<Data<'a>, ToolError> {
    match (data, graph) {
        (Some(_), Some(_)) => {
            let message =
                "`data` and `graph` are both given; a graph chart takes `graph`, every other kind takes `data`";
            Err(ToolError::invalid(message).with_detail("field", "graph"))
        }
        (Some(rows), None) => Ok(Data::Rows(rows)),
        (None, Some(graph)) => Ok(Data::Graph(graph)),
        (None, None) => Ok(Data::Nothing),
    }
}

fn refused(invalid: &Invalid) -> ToolError {
    let error = ToolError::invalid(invalid.to_string()).with_detail("field", invalid.field.as_str());
    match invalid.row {
        Some(row) => error.with_detail("row", row),
        None => error,
    }
}
