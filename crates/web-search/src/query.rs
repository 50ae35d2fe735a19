//! What is looked for, as the caller says it and as a provider is asked.

use jiff::{SignedDuration, Timestamp};

/// A search as the caller means it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Query {
    pub words: String,
    /// A language tag such as `zh-CN` or `en`, or `all`.
    pub language: String,
    /// Pages that are known to be older than this are left out.
    pub recency_days: u16,
}

impl Query {
    /// The same search written otherwise is the same search.
    pub(crate) fn normalised(&self) -> Self {
        let words = self.words.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { words, language: self.language.to_ascii_lowercase(), recency_days: self.recency_days }
    }

    pub(crate) fn question(&self, now: Timestamp) -> Question {
        let recency = Recency {
            days: self.recency_days,
            since: now - SignedDuration::from_hours(24 * i64::from(self.recency_days)),
        };
        let words = self.words.split_whitespace().collect::<Vec<_>>().join(" ");
        let language = self.language.trim().to_owned();
        Question { words, language, range: TimeRange::holding(self.recency_days), recency }
    }
}

/// What one request to a provider asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) words: String,
    pub(crate) language: String,
    /// `None` where the provider is not to filter by time.
    pub(crate) range: Option<TimeRange>,
    pub(crate) recency: Recency,
}

impl Question {
    pub(crate) fn without_range(&self) -> Self {
        Self { range: None, ..self.clone() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recency {
    pub(crate) days: u16,
    pub(crate) since: Timestamp,
}

/// The periods that search engines know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeRange {
    Day,
    Week,
    Month,
    Year,
}

impl TimeRange {
    /// The shortest period that holds so many days, if there is one.
    pub(crate) fn holding(days: u16) -> Option<Self> {
        match days {
            0..=1 => Some(Self::Day),
            2..=7 => Some(Self::Week),
            8..=31 => Some(Self::Month),
            32..=366 => Some(Self::Year),
            _ => None,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_the_shortest_period_that_holds_them() {
        let ranges = [(1, "day"), (2, "week"), (7, "week"), (8, "month"), (30, "month"), (31, "month"), (32, "year")];
        for (days, word) in ranges.into_iter().chain([(365, "year"), (366, "year")]) {
            assert_eq!(TimeRange::holding(days).map(TimeRange::word), Some(word), "{days}");
        }
        assert_eq!(TimeRange::holding(367), None);
    }

    #[test]
    fn blanks_and_letter_case_of_the_language_do_not_make_another_search() {
        let query = |words: &str, language: &str| Query {
            words: words.to_owned(),
            language: language.to_owned(),
            recency_days: 7,
        };
        assert_eq!(query(" rust \n async ", "zh-CN").normalised(), query("rust async", "ZH-cn").normalised());
        assert_ne!(query("rust", "en").normalised(), query("Rust", "en").normalised(), "names have a case");
    }
}
