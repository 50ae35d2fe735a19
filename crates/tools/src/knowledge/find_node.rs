//! `neo4j_find_node`: one node, by id or by a property.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use store::NodeId;
use store::knowledge::{Name, PropertyMatch};

use super::wire::Node;
use super::{DEADLINE, properties};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    #[schemars(length(min = 1, max = 200))]
    id: Option<String>,
    label: Option<String>,
    property: Option<String>,
    #[serde(default)]
    #[schemars(with = "PropertyValue")]
    value: Option<Value>,
}

/// A value as published: one of the kinds that a property can have.
struct PropertyValue;

impl JsonSchema for PropertyValue {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PropertyValue".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let kinds = ["string", "number", "boolean", "array"].map(|kind| serde_json::json!({ "type": kind }));
        schemars::json_schema!({ "anyOf": kinds })
    }
}

pub(super) struct FindNode;

impl TypedTool for FindNode {
    type Params = Params;
    type Output = Json<Node>;

    const INFO: ToolInfo = ToolInfo {
        name: "neo4j_find_node",
        title: "Find node",
        summary: "Read one node: by id, or by label, property and its exact value.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Node>, ToolError> {
        match params {
            Params { id: Some(id), label: None, property: None, value: None } => {
                let id: NodeId = id.parse()?;
                Ok(Json(context.knowledge().node(id).await?.into()))
            }
            Params { id: None, label: Some(label), property: Some(property), value: Some(value) } => {
                let label = context.vocabulary().label("label", &label)?;
                let property =
                    Name::parse(&property).map_err(|error| ToolError::from(error).with_detail("field", "property"))?;
                let value = properties::value("value", &value)?;
                Ok(Json(context.knowledge().find_node(PropertyMatch { label, property, value }).await?.into()))
            }
            Params { id: Some(_), .. } => {
                Err(ToolError::invalid("`id` names one node already: leave out `label`, `property` and `value`"))
            }
            Params { id: None, label, property, value } => {
                let given = [("label", label.is_some()), ("property", property.is_some()), ("value", value.is_some())];
                let missing: Vec<&str> = given.iter().filter(|(_, given)| !given).map(|(field, _)| *field).collect();
                let message = format!("give `id`, or `label`, `property` and `value`; missing: {}", missing.join(", "));
                Err(ToolError::invalid(message).with_detail("fields", missing))
            }
        }
    }
}
