//! Terms → values.

use std::sync::Arc;

use graph::{NodeKey, TextRelation};
use regex::{Regex, RegexBuilder};

use crate::functions::{Body, Function};
use crate::plan::{LabelTest, LabelTests, Projected, PropertyName, Relations, Term};
use crate::value::{Comparison, Map, Value, compare, equals};
use cypher_syntax::ast::{Compare, Logic};
use cypher_syntax::{Error, ErrorKind, Result};

use super::arithmetic::{arithmetic, from_truth, logical, sign, truth};
use super::{ENOUGH, MORE, Row, Runtime};

impl Runtime<'_> {
    pub(crate) fn evaluate(&self, term: &Term, row: &mut Row) -> Result<Value> {
        match term {
            Term::Constant(value) => Ok(value.clone()),
            Term::Slot(slot) => Ok(row[*slot].clone()),
            Term::Property(of, name, at) => self.property(of, name, row).map_err(|error| error.at(*at)),
            Term::Compare(operator, left, right) => {
                let left = self.evaluate(left, row)?;
                let right = self.evaluate(right, row)?;
                Ok(from_truth(compare_with(*operator, &left, &right)))
            }
            Term::Logical(..) | Term::Not(..) | Term::IsNull(..) | Term::HasLabels(..) => {
                self.condition(term, row).map(from_truth)
            }
            Term::Arithmetic(operator, left, right, at) => {
                let left = self.evaluate(left, row)?;
                let right = self.evaluate(right, row)?;
                arithmetic(self, *operator, &left, &right).map_err(|error| error.at(*at))
            }
            Term::Sign(minus, of, at) => sign(*minus, &self.evaluate(of, row)?).map_err(|error| error.at(*at)),
            Term::Call(function, arguments, at) => self.call(function, arguments, row).map_err(|error| error.at(*at)),
            Term::List(items) => self.all(items, row).map(Value::from),
            Term::Map(entries) => {
                let pairs = entries.iter().map(|(name, value)| Ok((name.clone(), self.evaluate(value, row)?)));
                Ok(Value::Map(Arc::new(pairs.collect::<Result<Map>>()?)))
            }
            Term::MapProjection(of, items, at) => self.map_projection(of, items, row).map_err(|error| error.at(*at)),
            Term::TextTest(..) | Term::Matches(..) | Term::MatchesKnown(..) | Term::In(..) => self.test(term, row),
            Term::Index(of, index, at) => {
                let of = self.evaluate(of, row)?;
                let index = self.evaluate(index, row)?;
                self.index(&of, &index).map_err(|error| error.at(*at))
            }
            Term::Slice(of, from, to, at) => {
                let of = self.evaluate(of, row)?;
                let from = from.as_ref().map(|from| self.evaluate(from, row)).transpose()?;
                let to = to.as_ref().map(|to| self.evaluate(to, row)).transpose()?;
                slice(&of, from, to).map_err(|error| error.at(*at))
            }
            Term::Case(subject, branches, otherwise) => {
                self.case(subject.as_deref(), branches, otherwise.as_deref(), row)
            }
            Term::ListComprehension(..) | Term::Quantifier(..) | Term::Reduce(..) => self.evaluate_loop(term, row),
            Term::Exists(_) | Term::CountRows(_) | Term::CollectRows(..) | Term::FirstRow(..) | Term::Degree { .. } => {
                self.subquery(term, row)
            }
        }
    }

    pub(super) fn all(&self, terms: &[Term], row: &mut Row) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(terms.len());
        for term in terms {
            values.push(self.evaluate(term, row)?);
        }
        Ok(values)
    }

    /// Whether a condition holds; nothing if it is not known.
    pub(super) fn condition(&self, term: &Term, row: &mut Row) -> Result<Option<bool>> {
        match term {
            Term::Not(of, at) => Ok(self.condition(of, row).map_err(|error| error.at(*at))?.map(|value| !value)),
            Term::Logical(logic, operands, at) => self.logical(*logic, operands, row).map_err(|error| error.at(*at)),
            Term::IsNull(not, of) => Ok(Some(self.evaluate(of, row)?.is_null() != *not)),
            Term::HasLabels(of, tests, at) => {
                let of = self.evaluate(of, row)?;
                self.has_labels(&of, tests).map_err(|error| error.at(*at))
            }
            other => truth(&self.evaluate(other, row)?),
        }
    }

    fn logical(&self, logic: Logic, operands: &[Term], row: &mut Row) -> Result<Option<bool>> {
        let Some((first, rest)) = operands.split_first() else { return Ok(None) };
        let mut result = self.condition(first, row)?;
        for operand in rest {
            if (logic == Logic::And && result == Some(false)) || (logic == Logic::Or && result == Some(true)) {
                return Ok(result);
            }
            result = logical(logic, result, self.condition(operand, row)?);
        }
        Ok(result)
    }

    fn property(&self, of: &Term, name: &PropertyName, row: &mut Row) -> Result<Value> {
        // Most properties are read from a variable: it need not be copied first.
        if let Term::Slot(slot) = of {
            return self.property_of(&row[*slot], name);
        }
        let of = self.evaluate(of, row)?;
        self.property_of(&of, name)
    }

    pub(super) fn property_of(&self, of: &Value, name: &PropertyName) -> Result<Value> {
        match of {
            Value::Node(node) => match name.key {
                Some(key) => Ok(self.graph.node_property(*node, key)?.into()),
                None => Ok(Value::Null),
            },
            Value::Relationship(edge) => match name.key {
                Some(key) => Ok(self.graph.edge_property(*edge, key)?.into()),
                None => Ok(Value::Null),
            },
            Value::Map(map) => Ok(map.get(&name.name).cloned().unwrap_or(Value::Null)),
            Value::Null => Ok(Value::Null),
            other => {
                let message = format!("{} has no properties, so no `{}`", other.kind(), name.name);
                Err(Error::run(ErrorKind::InvalidArgumentType, message))
            }
        }
    }

    fn call(&self, function: &Function, arguments: &[Term], row: &mut Row) -> Result<Value> {
        self.tick()?;
        let values = self.all(arguments, row)?;
        match function.body {
            Body::Plain(_) if values.iter().any(Value::is_null) => Ok(Value::Null),
            Body::Plain(implementation) | Body::WithNull(implementation) => implementation(self, &values),
            Body::Aggregate(_) => {
                let message = format!("{}() cannot be used here", function.name);
                Err(Error::run(ErrorKind::InvalidAggregation, message))
            }
        }
    }

    fn map_projection(&self, of: &Term, items: &[Projected], row: &mut Row) -> Result<Value> {
        let of = self.evaluate(of, row)?;
        if of.is_null() {
            return Ok(Value::Null);
        }
        let mut map = Map::default();
        for item in items {
            match item {
                Projected::All => {
                    let all = self.properties("a map projection", &of)?;
                    all.iter().for_each(|(name, value)| map.insert(name.clone(), value.clone()));
                }
                Projected::Property(name) => map.insert(name.name.clone(), self.property_of(&of, name)?),
                Projected::Entry(name, value) => map.insert(name.clone(), self.evaluate(value, row)?),
            }
        }
        Ok(Value::Map(Arc::new(map)))
    }

    fn test(&self, term: &Term, row: &mut Row) -> Result<Value> {
        match term {
            Term::TextTest(relation, left, right) => {
                let left = self.evaluate(left, row)?;
                let right = self.evaluate(right, row)?;
                let (Value::Text(left), Value::Text(right)) = (&left, &right) else { return Ok(Value::Null) };
                Ok(Value::Bool(match relation {
                    TextRelation::Is => left == right,
                    TextRelation::Contains => left.contains(&**right),
                    TextRelation::StartsWith => left.starts_with(&**right),
                    TextRelation::EndsWith => left.ends_with(&**right),
                }))
            }
            Term::MatchesKnown(of, regex) => match self.evaluate(of, row)? {
                Value::Text(text) => Ok(Value::Bool(regex.is_match(&text))),
                _ => Ok(Value::Null),
            },
            Term::Matches(of, pattern, at) => {
                let of = self.evaluate(of, row)?;
                let pattern = self.evaluate(pattern, row)?;
                let (Value::Text(text), Value::Text(pattern)) = (&of, &pattern) else { return Ok(Value::Null) };
                let regex = self.regex(pattern).map_err(|error| error.at(*at))?;
                Ok(Value::Bool(regex.is_match(text)))
            }
            Term::In(one, list, at) => {
                let one = self.evaluate(one, row)?;
                let list = self.evaluate(list, row)?;
                self.is_in(&one, &list).map(from_truth).map_err(|error| error.at(*at))
            }
            _ => Ok(Value::Null),
        }
    }

    fn is_in(&self, one: &Value, list: &Value) -> Result<Option<bool>> {
        let items = match list {
            Value::Null => return Ok(None),
            Value::List(items) => items,
            other => {
                let message = format!("IN expects a list on its right, not {}", other.kind());
                return Err(Error::run(ErrorKind::InvalidArgumentType, message));
            }
        };
        let mut result = Some(false);
        for item in items.iter() {
            self.tick()?;
            match equals(one, item) {
                Some(true) => return Ok(Some(true)),
                None => result = None,
                Some(false) => {}
            }
        }
        Ok(result)
    }

    fn regex(&self, pattern: &Arc<str>) -> Result<Regex> {
        let mut known = self.regexes.borrow_mut();
        if let Some((_, regex)) = known.iter().find(|(text, _)| text == pattern) {
            return Ok(regex.clone());
        }
        let regex = whole_text_regex(pattern)?;
        if known.len() < 64 {
            known.push((pattern.clone(), regex.clone()));
        }
        Ok(regex)
    }

    fn index(&self, of: &Value, index: &Value) -> Result<Value> {
        match (of, index) {
            (Value::List(items), Value::Int(index)) => Ok(position(*index, items.len())
                .and_then(|position| items.get(position))
                .cloned()
                .unwrap_or(Value::Null)),
            (Value::List(_) | Value::Map(_) | Value::Node(_) | Value::Relationship(_), Value::Null)
            | (Value::Null, _) => Ok(Value::Null),
            (Value::Map(_) | Value::Node(_) | Value::Relationship(_), Value::Text(name)) => {
                let key = self.graph.property(name);
                self.property_of(of, &PropertyName { name: name.clone(), key })
            }
            (Value::Map(_) | Value::Node(_) | Value::Relationship(_), other) => {
                let message = format!("expected the name of a property in brackets, not {}", other.kind());
                Err(Error::run(ErrorKind::MapElementAccessByNonString, message))
            }
            (Value::List(_), other) => {
                let message = format!("expected an integer as the index of a list, not {}", other.kind());
                Err(Error::run(ErrorKind::InvalidArgumentType, message))
            }
            (other, _) => {
                let message = format!("{} has no elements", other.kind());
                Err(Error::run(ErrorKind::InvalidArgumentType, message))
            }
        }
    }

    fn case(
        &self,
        subject: Option<&Term>,
        branches: &[(Term, Term)],
        otherwise: Option<&Term>,
        row: &mut Row,
    ) -> Result<Value> {
        let subject = subject.map(|subject| self.evaluate(subject, row)).transpose()?;
        for (when, then) in branches {
            let fits = match &subject {
                Some(subject) => {
                    let when = self.evaluate(when, row)?;
                    equals(subject, &when) == Some(true) || subject.is_null() && when.is_null()
                }
                None => self.condition(when, row)? == Some(true),
            };
            if fits {
                return self.evaluate(then, row);
            }
        }
        otherwise.map_or(Ok(Value::Null), |otherwise| self.evaluate(otherwise, row))
    }

    fn subquery(&self, term: &Term, row: &mut Row) -> Result<Value> {
        match term {
            Term::Exists(pipeline) => {
                let mut found = false;
                self.each_row(pipeline, row, &mut |_| {
                    found = true;
                    Ok(ENOUGH)
                })?;
                Ok(Value::Bool(found))
            }
            Term::CountRows(pipeline) => {
                let mut count = 0;
                self.each_row(pipeline, row, &mut |_| {
                    count += 1;
                    Ok(MORE)
                })?;
                Ok(Value::Int(count))
            }
            Term::CollectRows(pipeline, value) => {
                let mut items = Vec::new();
                self.each_row(pipeline, row, &mut |row| {
                    items.push(self.evaluate(value, row)?);
                    self.check_room(items.len() * size_of::<Value>())?;
                    Ok(MORE)
                })?;
                Ok(items.into())
            }
            Term::FirstRow(pipeline, slot) => {
                let mut first = Value::Null;
                self.each_row(pipeline, row, &mut |row| {
                    first = row[*slot].clone();
                    Ok(ENOUGH)
                })?;
                Ok(first)
            }
            Term::Degree { node, direction, relations } => match self.evaluate(node, row)? {
                Value::Node(_) if relations.is_empty() => Ok(Value::Int(0)),
                Value::Node(node) => {
                    let degree = self.graph.degree(node, *direction, relations.keys())?;
                    Ok(Value::Int(i64::try_from(degree).unwrap_or(i64::MAX)))
                }
                _ => Ok(Value::Int(0)),
            },
            _ => Ok(Value::Null),
        }
    }

    fn has_labels(&self, of: &Value, tests: &LabelTests) -> Result<Option<bool>> {
        match of {
            Value::Null => Ok(None),
            Value::Node(node) => self.node_fits(*node, &tests.node).map(Some),
            Value::Relationship(edge) => match &tests.relations {
                Relations::Any => Ok(Some(true)),
                Relations::Of(keys) => Ok(Some(keys.contains(&self.graph.edge_ends(*edge)?.relation))),
            },
            other => {
                let message = format!("expected a node or a relationship before the label, not {}", other.kind());
                Err(Error::run(ErrorKind::InvalidArgumentType, message))
            }
        }
    }

    pub(super) fn node_fits(&self, node: NodeKey, test: &LabelTest) -> Result<bool> {
        let mut labels = self.spare_labels.take();
        labels.clear();
        let read = self.graph.node_labels(node, &mut labels);
        let fits = label_fits(test, &labels);
        self.spare_labels.replace(labels);
        read?;
        Ok(fits)
    }
}

fn label_fits(test: &LabelTest, labels: &[graph::LabelKey]) -> bool {
    match test {
        LabelTest::Has(label) => labels.contains(label),
        LabelTest::Never => false,
        LabelTest::Some => !labels.is_empty(),
        LabelTest::Not(inner) => !label_fits(inner, labels),
        LabelTest::And(parts) => parts.iter().all(|part| label_fits(part, labels)),
        LabelTest::Or(parts) => parts.iter().any(|part| label_fits(part, labels)),
    }
}

pub(crate) fn compare_with(operator: Compare, left: &Value, right: &Value) -> Option<bool> {
    match operator {
        Compare::Equal => return equals(left, right),
        Compare::NotEqual => return equals(left, right).map(|equal| !equal),
        _ => {}
    }
    match compare(left, right) {
        Comparison::Unknown => None,
        Comparison::NotANumber => Some(false),
        Comparison::Known(ordering) => Some(match operator {
            Compare::Less => ordering.is_lt(),
            Compare::LessOrEqual => ordering.is_le(),
            Compare::Greater => ordering.is_gt(),
            _ => ordering.is_ge(),
        }),
    }
}

/// A regular expression that must fit the whole text; it runs in time linear in the text.
pub(crate) fn whole_text_regex(pattern: &str) -> Result<Regex> {
    let whole = format!("^(?:{pattern})$");
    let built = RegexBuilder::new(&whole).size_limit(1 << 20).build();
    built.map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().last().unwrap_or("not a regular expression").trim_start_matches("error: ");
        let message =
            format!("the regular expression '{}' cannot be used: {reason}", cypher_syntax::suggest::shorten(pattern));
        Error::run(ErrorKind::InvalidArgumentValue, message)
            .hint("look-around and back-references are not supported; CONTAINS or STARTS WITH may do")
    })
}

fn position(index: i64, length: usize) -> Option<usize> {
    if index >= 0 {
        return usize::try_from(index).ok();
    }
    let back = usize::try_from(index.unsigned_abs()).ok()?;
    length.checked_sub(back)
}

fn slice(of: &Value, from: Option<Value>, to: Option<Value>) -> Result<Value> {
    let items = match of {
        Value::Null => return Ok(Value::Null),
        Value::List(items) => items,
        other => {
            let message = format!("only a list can be sliced, not {}", other.kind());
            return Err(Error::run(ErrorKind::InvalidArgumentType, message));
        }
    };
    let bound = |value: Option<Value>, default: usize| match value {
        None => Ok(Some(default)),
        Some(Value::Null) => Ok(None),
        Some(Value::Int(index)) if index >= 0 => {
            Ok(Some(usize::try_from(index).map_or(items.len(), |i| i.min(items.len()))))
        }
        Some(Value::Int(index)) => Ok(Some(position(index, items.len()).unwrap_or(0))),
        Some(other) => {
            let message = format!("expected an integer as the bound of a slice, not {}", other.kind());
            Err(Error::run(ErrorKind::InvalidArgumentType, message))
        }
    };
    let (Some(from), Some(to)) = (bound(from, 0)?, bound(to, items.len())?) else { return Ok(Value::Null) };
    Ok(Value::List(items.get(from..to.max(from)).unwrap_or_default().into()))
}
