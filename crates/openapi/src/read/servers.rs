//! Where an operation is: what the operator says, else the nearest `servers`, with variables filled in.

use serde_json::Value;
use url::Url;

use crate::document::{Document, Place, Version};
use crate::request::placeholders;

/// The address that paths are appended to.
pub(super) fn base(
    document: &Document,
    given: Option<&Url>,
    item: Place<'_>,
    operation: Place<'_>,
) -> Result<Url, String> {
    if let Some(given) = given {
        return Ok(given.clone());
    }
    let location = document.parts[0].location.as_ref().filter(|location| location.scheme().starts_with("http"));
    let written = match document.version {
        Version::Swagger2 => host(document.root().value, location),
        Version::OpenApi30 | Version::OpenApi31 => {
            let owners = [operation, item, document.root()];
            let server = owners.iter().find_map(|owner| owner.value.get("servers")?.as_array()?.first());
            server.map_or(Ok("/".to_owned()), filled)?
        }
    };
    let joined = match location {
        Some(location) => location.join(&written),
        None => Url::parse(&written),
    };
    match joined {
        // Credentials come from the environment, never from a document.
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            Err("the document's server has credentials in its address; --base-url names it without".to_owned())
        }
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        Ok(url) => Err(format!("the document's server is at `{}:`, and only http and https are served", url.scheme())),
        Err(_) if location.is_none() && !written.contains("://") => Err(format!(
            "the document does not say on which host its server `{written}` is: the operator can, with --base-url or `base-url`"
        )),
        Err(error) => {
            Err(format!("the document's server `{written}` is no address ({error}); --base-url names another"))
        }
    }
}

/// The address of a server with the default of each variable.
fn filled(server: &Value) -> Result<String, String> {
    let template = server.get("url").and_then(Value::as_str).unwrap_or("/");
    let mut written = template.to_owned();
    for name in placeholders(template) {
        let variable = server.get("variables").and_then(|variables| variables.get(name));
        let default = variable.and_then(|variable| variable.get("default").or_else(|| variable.get("enum")?.get(0)));
        let value = default.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        let value = value.ok_or_else(|| {
            format!("the document's server `{template}` has a variable `{name}` without a default; --base-url names the whole address")
        })?;
        written = written.replace(&format!("{{{name}}}"), &value);
    }
    Ok(written)
}

/// Swagger 2.0 has the address in three pieces.
fn host(root: &Value, location: Option<&Url>) -> String {
    let text = |key: &str| root.get(key).and_then(Value::as_str).unwrap_or_default();
    let schemes: Vec<&str> =
        root.get("schemes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let own = location.map_or("https", Url::scheme);
    let scheme = if schemes.contains(&"https") || schemes.is_empty() {
        if schemes.is_empty() { own } else { "https" }
    } else {
        schemes[0]
    };
    let path = text("basePath");
    let path = if path.is_empty() || path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    match text("host") {
        "" if path.is_empty() => "/".to_owned(),
        "" => path,
        host => format!("{scheme}://{}{path}", host.trim_end_matches('/')),
    }
}
