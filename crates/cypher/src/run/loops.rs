//! Terms that go through a list.

use std::sync::Arc;

use crate::plan::{Loop, Slot, Term};
use crate::value::Value;
use cypher_syntax::ast::Quantifier;
use cypher_syntax::{Error, ErrorKind, Result};

use super::arithmetic::from_truth;
use super::{Row, Runtime};

/// Values nested deeper than this are not made: whoever walks through them would run out of stack.
const MAX_DEPTH: usize = 500;

impl Runtime<'_> {
    pub(super) fn evaluate_loop(&self, term: &Term, row: &mut Row) -> Result<Value> {
        match term {
            Term::ListComprehension(over, filter, map) => {
                self.comprehension(over, filter.as_deref(), map.as_deref(), row)
            }
            Term::Quantifier(kind, over, filter) => self.quantifier(*kind, over, filter, row),
            Term::Reduce(over, total, start, step) => self.reduce(over, *total, start, step, row),
            _ => Ok(Value::Null),
        }
    }

    fn list(&self, over: &Loop, row: &mut Row) -> Result<Option<Arc<[Value]>>> {
        match self.evaluate(&over.list, row)? {
            Value::Null => Ok(None),
            Value::List(items) => Ok(Some(items)),
            other => {
                let message = format!("expected a list after IN, not {}", other.kind());
                Err(Error::run(ErrorKind::InvalidArgumentType, message).at(over.at))
            }
        }
    }

    fn comprehension(&self, over: &Loop, filter: Option<&Term>, map: Option<&Term>, row: &mut Row) -> Result<Value> {
        let Some(items) = self.list(over, row)? else { return Ok(Value::Null) };
        let mut kept = Vec::new();
        for item in items.iter() {
            self.tick()?;
            row[over.slot] = item.clone();
            if let Some(filter) = filter
                && self.condition(filter, row)? != Some(true)
            {
                continue;
            }
            kept.push(match map {
                Some(map) => self.evaluate(map, row)?,
                None => item.clone(),
            });
            self.check_room(kept.len() * size_of::<Value>())?;
        }
        Ok(kept.into())
    }

    fn quantifier(&self, kind: Quantifier, over: &Loop, filter: &Term, row: &mut Row) -> Result<Value> {
        let Some(items) = self.list(over, row)? else { return Ok(Value::Null) };
        let (mut yes, mut no, mut unknown) = (0_usize, 0_usize, 0_usize);
        for item in items.iter() {
            self.tick()?;
            row[over.slot] = item.clone();
            match self.condition(filter, row)? {
                Some(true) => yes += 1,
                Some(false) => no += 1,
                None => unknown += 1,
            }
        }
        Ok(from_truth(match kind {
            Quantifier::All if no > 0 => Some(false),
            Quantifier::Any if yes > 0 => Some(true),
            Quantifier::None if yes > 0 => Some(false),
            Quantifier::Single if yes > 1 => Some(false),
            _ if unknown > 0 => None,
            Quantifier::All | Quantifier::None => Some(true),
            Quantifier::Any => Some(false),
            Quantifier::Single => Some(yes == 1),
        }))
    }

    fn reduce(&self, over: &Loop, total: Slot, start: &Term, step: &Term, row: &mut Row) -> Result<Value> {
        let start = self.evaluate(start, row)?;
        let Some(items) = self.list(over, row)? else { return Ok(Value::Null) };
        row[total] = start;
        for (index, item) in items.iter().enumerate() {
            self.tick()?;
            row[over.slot] = item.clone();
            let next = self.evaluate(step, row)?;
            if index % 16 == 0 && next.depth() > MAX_DEPTH {
                let message = format!("reduce() nests lists more than {MAX_DEPTH} levels deep");
                return Err(Error::run(ErrorKind::TooComplex, message).at(over.at));
            }
            row[total] = next;
        }
        Ok(std::mem::replace(&mut row[total], Value::Null))
    }
}
