//! A document → its operations, one by one: what is wrong with one leaves the others alone.

mod body;
mod parameters;
mod security;
mod servers;

use serde_json::Value;
use url::Url;

use crate::document::{Document, Place, Version};
use crate::filter::Filter;
use crate::names;
use crate::operation::{Body, Method, Parameter};

pub(crate) use body::is_file_schema;
pub(crate) use security::{Scheme, schemes};

/// An operation that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Such as `GET /pets`.
    pub operation: String,
    pub reason: String,
}

/// An operation as the document has it: its schemas are still references into the document.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) id: Option<String>,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) description: String,
    pub(crate) tags: Vec<String>,
    pub(crate) deprecated: bool,
    pub(crate) parameters: Vec<(Parameter, Shape<'a>)>,
    pub(crate) body: Option<(Body, Shape<'a>)>,
    pub(crate) base: Result<Url, String>,
    pub(crate) security: Vec<Vec<String>>,
    pub(crate) accept: String,
}

/// What an argument looks like, and what the document says about it.
#[derive(Debug, Clone)]
pub(crate) struct Shape<'a> {
    pub(crate) kind: ShapeKind<'a>,
    pub(crate) description: Option<&'a str>,
    pub(crate) example: Option<&'a Value>,
}

#[derive(Debug, Clone)]
pub(crate) enum ShapeKind<'a> {
    Schema(Place<'a>),
    /// A form: binary texts in it are files.
    FormSchema(Place<'a>),
    /// A form made of parameters, each with whether it is required.
    Fields(Vec<(String, bool, Shape<'a>)>),
    /// The parameter itself is the schema.
    Text,
    File,
}

impl<'a> Shape<'a> {
    fn new(kind: ShapeKind<'a>, of: &'a Value) -> Self {
        let description = of.get("description").and_then(Value::as_str);
        Self { kind, description, example: of.get("example") }
    }
}

/// What a document gives.
#[derive(Debug, Default)]
pub(crate) struct Reading<'a> {
    pub(crate) drafts: Vec<Draft<'a>>,
    pub(crate) skipped: Vec<Skipped>,
    /// Operations that the filter left out.
    pub(crate) filtered: usize,
}

/// Everything that is the same for each operation.
pub(crate) struct Reader<'a> {
    document: &'a Document,
    /// What the operator says the document's server is.
    base: Option<Url>,
    /// Names that parameters must not have: credentials are no arguments.
    reserved: Vec<(crate::operation::Location, String)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(document: &'a Document, base: Option<Url>, schemes: &[(String, Scheme)]) -> Self {
        let reserved = schemes.iter().filter_map(|(_, scheme)| scheme.key_place()).collect();
        Self { document, base, reserved }
    }

    pub(crate) fn read(&self, filter: &Filter) -> Reading<'a> {
        let mut reading = Reading::default();
        let paths = self.document.root().get("paths");
        let items = paths.and_then(|paths| paths.value.as_object()).into_iter().flatten();
        for (path, item) in items.filter(|(path, _)| !path.starts_with("x-")) {
            let item = match self.document.resolved(self.document.root().with(item)) {
                Ok(item) if item.value.is_object() => item,
                Ok(_) => {
                    reading.skip(path, "the path is not an object");
                    continue;
                }
                Err(reason) => {
                    reading.skip(path, &reason);
                    continue;
                }
            };
            self.read_item(path, item, filter, &mut reading);
        }
        reading
    }

    fn read_item(&self, path: &str, item: Place<'a>, filter: &Filter, reading: &mut Reading<'a>) {
        for method in Method::ALL {
            let Some(operation) = item.get(&method.as_str().to_lowercase()) else { continue };
            let tags = texts(operation.value.get("tags"));
            let id = operation.value.get("operationId").and_then(Value::as_str).unwrap_or_default();
            if !filter.keeps(method, path, &tags, id) {
                reading.filtered += 1;
                continue;
            }
            match self.draft(method, path, item, operation) {
                Ok(draft) => reading.drafts.push(draft),
                Err(reason) => reading.skip(&format!("{method} {path}"), &reason),
            }
        }
    }

    fn draft(&self, method: Method, path: &str, item: Place<'a>, operation: Place<'a>) -> Result<Draft<'a>, String> {
        if !operation.value.is_object() {
            return Err("the operation is not an object".to_owned());
        }
        let text = |key: &str| operation.value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let id = Some(text("operationId")).filter(|id| !id.trim().is_empty());
        let mut parameters = self.parameters(path, item, operation)?;
        let body = match self.document.version {
            Version::Swagger2 => self.body_of_parameters(item, operation)?,
            Version::OpenApi30 | Version::OpenApi31 => self.body_of_content(operation)?,
        };
        tell_apart(&mut parameters, body.is_some());
        Ok(Draft {
            id,
            method,
            path: path.to_owned(),
            summary: text("summary"),
            description: text("description"),
            tags: texts(operation.value.get("tags")),
            deprecated: operation.value.get("deprecated") == Some(&Value::Bool(true)),
            parameters,
            body,
            base: servers::base(self.document, self.base.as_ref(), item, operation),
            security: security::requirements(self.document, operation),
            accept: self.accept(operation),
        })
    }

    /// Where the document says that it is, as a whole.
    pub(crate) fn base(&self) -> Result<Url, String> {
        let root = self.document.root();
        servers::base(self.document, self.base.as_ref(), root, root)
    }

    /// What the document says a good answer is written in, the first few.
    fn accept(&self, operation: Place<'a>) -> String {
        const MOST: usize = 3;
        let types = match self.document.version {
            Version::Swagger2 => texts(self.of_operation_or_root(operation, "produces")),
            Version::OpenApi30 | Version::OpenApi31 => self.content_of_answers(operation),
        };
        let mut kept: Vec<String> = Vec::new();
        for media_type in types {
            let is_new = !kept.contains(&media_type);
            if is_new
                && media_type.is_ascii()
                && media_type.contains('/')
                && !media_type.contains(['\r', '\n', '*', ','])
            {
                kept.push(media_type);
            }
        }
        kept.sort_by_key(|media_type| !body::is_json(media_type));
        kept.truncate(MOST);
        if kept.is_empty() { "*/*".to_owned() } else { format!("{}, */*;q=0.1", kept.join(", ")) }
    }

    fn content_of_answers(&self, operation: Place<'a>) -> Vec<String> {
        let answers = operation.value.get("responses").and_then(Value::as_object).into_iter().flatten();
        let good = answers.filter(|(status, _)| status.starts_with('2') || status.as_str() == "default");
        let contents =
            good.filter_map(|(_, answer)| self.document.resolved(operation.with(answer)).ok()?.value.get("content"));
        contents.filter_map(Value::as_object).flat_map(|content| content.keys().cloned()).collect()
    }

    fn of_operation_or_root(&self, operation: Place<'a>, key: &str) -> Option<&'a Value> {
        operation.value.get(key).or_else(|| self.document.root().value.get(key))
    }
}

impl Reading<'_> {
    fn skip(&mut self, operation: &str, reason: &str) {
        self.skipped.push(Skipped { operation: operation.to_owned(), reason: reason.to_owned() });
    }
}

/// Parameters of one name in different places, or named as the body, are told apart by where they go.
fn tell_apart(parameters: &mut [(Parameter, Shape<'_>)], has_body: bool) {
    let wanted: Vec<String> = parameters.iter().map(|(parameter, _)| names::of_argument(&parameter.name)).collect();
    let mut taken: Vec<String> = if has_body { vec![body::ARGUMENT.to_owned()] } else { Vec::new() };
    for ((parameter, _), name) in parameters.iter_mut().zip(&wanted) {
        let is_shared = wanted.iter().filter(|other| *other == name).count() > 1 || taken.contains(name);
        let mut argument = if is_shared {
            names::of_argument(&format!("{}_{name}", parameter.location.as_str()))
        } else {
            name.clone()
        };
        while taken.contains(&argument) {
            argument.push('_');
        }
        taken.push(argument.clone());
        parameter.argument = argument;
    }
}

/// The texts of a list of texts.
fn texts(list: Option<&Value>) -> Vec<String> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}
