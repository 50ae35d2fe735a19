//! When a page was published, as providers write it: with a zone, without one, as a day, in the form of mail, as a number.
//! What cannot be understood or cannot be true is not known; nothing is guessed.

use jiff::civil::{DateTime, Time};
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// Nothing on the web is older; what says so is a placeholder.
const FIRST: Timestamp = Timestamp::constant(631_152_000, 0); // 1990
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// Numbers above this count milliseconds: as seconds they would be in the year 5138.
const MILLISECONDS_FROM: i64 = 100_000_000_000;

/// A known date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Published {
    pub(crate) at: Timestamp,
    /// Whether only the day is known.
    is_day: bool,
}

impl Published {
    pub(crate) fn read(value: &Value, now: Timestamp) -> Option<Self> {
        let published = match value {
            Value::String(text) => Self::from_text(text.trim()),
            Value::Number(number) => number.as_i64().and_then(Self::from_number),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        };
        published.filter(|published| published.at >= FIRST && published.at <= now + DAY)
    }

    /// Whether it may be as new as this. A day is given all of its hours.
    pub(crate) fn may_be_since(self, since: Timestamp) -> bool {
        if self.is_day { self.at + DAY > since } else { self.at >= since }
    }

    fn from_text(text: &str) -> Option<Self> {
        if let Ok(at) = text.parse::<Timestamp>() {
            return Some(Self { at, is_day: false });
        }
        // Without a zone it is taken for UTC, which is what most engines mean; midnight is how they write a day.
        if let Ok(local) = text.parse::<DateTime>() {
            let at = local.to_zoned(TimeZone::UTC).ok()?.timestamp();
            return Some(Self { at, is_day: local.time() == Time::midnight() });
        }
        if let Ok(at) = rfc2822::DateTimeParser::new().parse_timestamp(text) {
            return Some(Self { at, is_day: false });
        }
        None
    }

    fn from_number(number: i64) -> Option<Self> {
        let at = if number >= MILLISECONDS_FROM {
            Timestamp::from_millisecond(number).ok()?
        } else {
            Timestamp::from_second(number).ok()?
        };
        Some(Self { at, is_day: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn now() -> Timestamp {
        "2026-11-17T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn every_form_becomes_a_time_in_utc() {
        let check = |given: Value, expected: &str| {
            let read = Published::read(&given, now()).map(|published| published.at.to_string());
            assert_eq!(read.as_deref(), Some(expected), "{given}");
        };
        check(json!("2026-11-10T08:00:00Z"), "2026-11-10T08:00:00Z");
        check(json!("2026-11-10T08:00:00+02:00"), "2026-11-10T06:00:00Z");
        check(json!("2026-11-10T08:00:00"), "2026-11-10T08:00:00Z");
        check(json!("2026-11-10T08:00:00.5"), "2026-11-10T08:00:00.5Z");
        check(json!(" 2026-11-10 08:00:00 "), "2026-11-10T08:00:00Z");
        check(json!("2026-11-10 08:00:00+0000"), "2026-11-10T08:00:00Z");
        check(json!("2026-11-10"), "2026-11-10T00:00:00Z");
        check(json!("Tue, 10 Nov 2026 08:00:00 GMT"), "2026-11-10T08:00:00Z");
        check(json!(1_794_297_600), "2026-11-10T08:00:00Z");
        check(json!(1_794_297_600_000_i64), "2026-11-10T08:00:00Z");
    }

    #[test]
    fn what_is_no_date_or_cannot_be_true_is_not_known() {
        let unknown = [
            json!(null),
            json!(""),
            json!("yesterday"),
            json!("10.11.2026"),
            json!("0001-01-01T00:00:00Z"),
            json!("1970-01-01"),
            json!(0),
            json!(1.5),
            json!("2026-13-40"),
            json!("2099-01-01"),
            json!({}),
            json!([1]),
            json!(i64::MAX),
            json!("2026-11-10T08:00:00Z or so"),
        ];
        for given in unknown {
            assert_eq!(Published::read(&given, now()), None, "{given}");
        }
    }

    #[test]
    fn a_day_is_given_all_of_its_hours() {
        let since: Timestamp = "2026-11-10T12:00:00Z".parse().unwrap();
        let may_be = |text: &str| Published::read(&json!(text), now()).unwrap().may_be_since(since);
        assert!(may_be("2026-11-10") && may_be("2026-11-10T00:00:00") && may_be("2026-11-10T12:00:00Z"));
        assert!(!may_be("2026-11-09") && !may_be("2026-11-10T11:59:59") && !may_be("2026-11-10T00:00:00Z"));
    }
}
