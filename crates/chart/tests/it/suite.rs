//! Requests become the options, notes and refusals that the suite says.

use chart::KINDS;
use serde_json::Value;

use crate::cases::cases;

#[test]
fn every_request_gives_its_marks_and_notes() {
    for kind in KINDS {
        let cases = cases(kind.name);
        assert!(cases.len() >= 5, "{} has too few cases", kind.name);
        for case in cases {
            let chart = case.generate().unwrap_or_else(|error| panic!("{}: {error}", case.name));
            assert_eq!(Some(chart.mark_count()), case.marks, "{}", case.name);
            assert_eq!(Some(&chart.notes), case.notes.as_ref(), "{}", case.name);
            assert_eq!(chart.option["series"][0]["type"], kind.name, "{}", case.name);
            assert_data_by_reference(&chart.option, kind.name);
        }
    }
}

/// Rows are in a dataset, and each series says which columns it shows.
fn assert_data_by_reference(option: &Value, kind: &str) {
    for series in option["series"].as_array().unwrap() {
        if kind == "graph" {
            assert!(series["data"].is_array() && series["links"].is_array());
        } else {
            assert!(series["encode"].is_object() && series.get("data").is_none(), "{series}");
        }
    }
}

#[test]
fn every_refusal_names_field_and_row() {
    for case in cases("refused") {
        let refusal = case.generate().map(|chart| chart.option.to_string());
        assert_eq!(refusal.map_err(|error| error.to_string()), Err(case.error.unwrap()), "{}", case.name);
    }
}

#[test]
fn an_option_is_the_same_every_time() {
    for case in KINDS.iter().flat_map(|kind| cases(kind.name)) {
        assert_eq!(case.generate().unwrap(), case.generate().unwrap(), "{}", case.name);
    }
}
