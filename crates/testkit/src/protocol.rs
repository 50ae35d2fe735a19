//! The two eras of the protocol, as a client speaks them.

use serde_json::{Value, json};

/// How a client introduces itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Once, with `initialize` and this revision.
    Initialize(&'static str),
    /// With every request, as since 2026-07-28.
    PerRequest,
}

impl Era {
    /// The revisions that open with `initialize`, oldest first.
    pub const INITIALIZE: [&'static str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    /// The revision in which every request introduces itself.
    pub const LATEST: &'static str = "2026-07-28";
    /// The newest revision with `initialize`.
    pub const INITIALIZED: Self = Self::Initialize("2025-11-25");

    /// The revision by name.
    pub fn revision(self) -> &'static str {
        match self {
            Self::Initialize(revision) => revision,
            Self::PerRequest => Self::LATEST,
        }
    }

    /// A request of this era.
    pub fn request(self, id: i64, method: &str, mut params: Value) -> Value {
        if self == Self::PerRequest {
            let introduction = json!({
                "io.modelcontextprotocol/protocolVersion": Self::LATEST,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": client_info(),
            });
            merge(&mut params["_meta"], introduction);
        }
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }

    /// The request that opens a connection.
    pub fn opening(self, id: i64) -> Value {
        match self {
            Self::Initialize(revision) => {
                let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client_info()});
                self.request(id, "initialize", params)
            }
            Self::PerRequest => self.request(id, "server/discover", json!({})),
        }
    }
}

fn client_info() -> Value {
    json!({"name": "testkit", "version": "1"})
}

fn merge(target: &mut Value, additions: Value) {
    let (Value::Object(additions), Value::Object(fields)) = (additions, objectify(target)) else {
        panic!("`_meta` is an object")
    };
    fields.extend(additions);
}

fn objectify(value: &mut Value) -> &mut Value {
    if value.is_null() {
        *value = json!({});
    }
    value
}
