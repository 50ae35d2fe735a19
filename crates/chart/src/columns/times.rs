//! Points in time as people and programs write them: ISO dates, with slashes too, with a time of day, with a zone.

use jiff::civil::Date;

/// A point in time that was spelled out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// Milliseconds since 1970; in the zone that was given, or in none.
    pub(super) millis: i64,
    pub(super) zoned: bool,
}

/// `2024-01`, `2024-01-31`, `2024/1/31`, `2024-01-31 12:30`, `2024-01-31T12:30:00.5+02:00`. A year alone is no date.
pub(super) fn parse(text: &str) -> Option<Moment> {
    let text = text.trim();
    let mut reader = Reader(text.as_bytes());
    let year = reader.digits(4, 4)?;
    let separator = reader.one_of(b"-/")?;
    let month = reader.digits(1, 2)?;
    let day = if reader.take(separator) { reader.digits(1, 2)? } else { 1 };
    let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    let days = i64::from((date - Date::constant(1970, 1, 1)).get_days());
    let mut moment = Moment { millis: days * 86_400_000, zoned: false };
    if reader.0.is_empty() {
        return Some(moment);
    }
    reader.one_of(b"T ")?;
    moment.millis += reader.time_of_day()?;
    if let Some(offset) = reader.zone()? {
        moment.millis -= offset;
        moment.zoned = true;
    }
    reader.0.is_empty().then_some(moment)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn digits(&mut self, least: usize, most: usize) -> Option<i64> {
        let length = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if length < least {
            return None;
        }
        let number = self.0[..length].iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
        self.0 = &self.0[length..];
        Some(number)
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.0.first() == Some(&byte);
        if is_next {
            self.0 = &self.0[1..];
        }
        is_next
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let next = *self.0.first()?;
        (bytes.contains(&next) && self.take(next)).then_some(next)
    }

    fn time_of_day(&mut self) -> Option<i64> {
        let hour = self.digits(1, 2).filter(|hour| *hour < 24)?;
        let minute = if self.take(b':') { self.digits(2, 2).filter(|minute| *minute < 60)? } else { return None };
        let second = if self.take(b':') { self.digits(2, 2).filter(|second| *second < 60)? } else { 0 };
        let millis = if self.one_of(b".,").is_some() { self.fraction()? } else { 0 };
        Some(((hour * 60 + minute) * 60 + second) * 1000 + millis)
    }

    fn fraction(&mut self) -> Option<i64> {
        let before = self.0.len();
        let number = self.digits(1, 9)?;
        let length = u32::try_from(before - self.0.len()).ok()?;
        Some(number * 1000 / 10_i64.pow(length))
    }

    /// The offset from UTC in milliseconds; `Some(None)` where no zone is given.
    #[expect(clippy::option_option, reason = "no zone and a wrong one are different things")]
    fn zone(&mut self) -> Option<Option<i64>> {
        if self.0.is_empty() {
            return Some(None);
        }
        if self.take(b'Z') || self.take(b'z') {
            return Some(Some(0));
        }
        let sign = if self.one_of(b"+-")? == b'-' { -1 } else { 1 };
        let hours = self.digits(2, 2).filter(|hours| *hours < 24)?;
        self.take(b':');
        let minutes = self.digits(2, 2).filter(|minutes| *minutes < 60)?;
        Some(Some(sign * (hours * 60 + minutes) * 60_000))
    }
}

/// RFC 3339 in UTC, as short as it can be.
pub(super) fn in_utc(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).map_or_else(|_| millis.to_string(), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, bool)>) {
        let found = parse(text).map(|moment| (in_utc(moment.millis), moment.zoned));
        assert_eq!(found, expected.map(|(time, zoned)| (time.to_owned(), zoned)), "{text}");
    }

    #[test]
    fn dates_and_times_are_read_in_their_usual_forms() {
        check("2024-01-31", Some(("2024-01-31T00:00:00Z", false)));
        check("2024-01", Some(("2024-01-01T00:00:00Z", false)));
        check("2024/1/5", Some(("2024-01-05T00:00:00Z", false)));
        check("2024-02-29 12:30", Some(("2024-02-29T12:30:00Z", false)));
        check("2024-01-31T12:30:00.25Z", Some(("2024-01-31T12:30:00.25Z", true)));
        check("2024-01-31T01:00:00+02:00", Some(("2024-01-30T23:00:00Z", true)));
        check("1969-12-31T23:59:59-0030", Some(("1970-01-01T00:29:59Z", true)));
    }

    #[test]
    fn what_is_no_date_stays_text() {
        for text in
            ["2024", "2024-13", "2024-02-30", "2024-1-5x", "24-01-05", "2024-01/05", "2024-01-05T25:00", "Q1 2024", ""]
        {
            check(text, None);
        }
    }
}
