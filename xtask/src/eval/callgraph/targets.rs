//! What each set must reach, and what others reach on it: the figures of the bench folder's README.

/// One row per set; a set without a row has no target.
const TARGETS: &[Target] = &[
    Target {
        set: "pycg",
        least: &[("precision", 0.95), ("f1", 0.95)],
        others: "name match F1 0.623, code-graph-rag 0.739, PyCG itself 0.960",
    },
    Target { set: "headergen", least: &[("precision", 0.95)], others: "" },
    Target { set: "js_callgraph", least: &[("precision", 0.95)], others: "" },
    Target {
        set: "ts_callhierarchy",
        least: &[("precision", 0.95), ("f1", 0.85)],
        others: "code-graph-rag F1 0.795, SCIP 0.810",
    },
    Target { set: "cats_java", least: &[("recall", 0.90)], others: "name match 0.76, code-graph-rag 0.56" },
    Target { set: "go_xtools", least: &[("recall", 0.90)], others: "name match 0.80, code-graph-rag 0.52" },
    Target { set: "jelly_dynamic", least: &[("recall", 0.90)], others: "" },
    Target { set: "rust_ktrianta", least: &[("recall", 0.90)], others: "" },
    Target { set: "calls of flask", least: REAL, others: REAL_OTHERS },
    Target { set: "calls of chi", least: REAL, others: REAL_OTHERS },
    Target { set: "calls of vue-core", least: REAL, others: REAL_OTHERS },
    Target { set: "symbols of scrapy", least: SYMBOLS, others: "code-graph-rag 1.0 on Python" },
    Target { set: "symbols of vue-core", least: SYMBOLS, others: "" },
    Target { set: "callers in Django", least: &[("f1", 0.97)], others: "" },
    Target { set: "callers in Django by name", least: &[], others: "code-graph-rag F1 0.957" },
];
const REAL: &[(&str, f64)] = &[("precision", 0.95), ("recall", 0.93)];
const REAL_OTHERS: &str = "code-graph-rag recall 0.73 to 0.91, precision 0.78 to 1.0";
const SYMBOLS: &[(&str, f64)] = &[("precision", 0.995), ("recall", 0.995)];

#[derive(Debug)]
pub(super) struct Target {
    set: &'static str,
    least: &'static [(&'static str, f64)],
    pub(super) others: &'static str,
}

pub(super) fn of(set: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.set == set)
}

impl Target {
    pub(super) fn least(&self, figure: &str) -> Option<f64> {
        self.least.iter().find(|(known, _)| *known == figure).map(|(_, least)| *least)
    }

    /// `F1 ≥ 0.95`.
    pub(super) fn wanted(&self) -> String {
        let name = |figure: &'static str| if figure == "f1" { "F1" } else { figure };
        let wanted: Vec<String> =
            self.least.iter().map(|(figure, least)| format!("{} ≥ {least}", name(figure))).collect();
        if wanted.is_empty() { "–".to_owned() } else { wanted.join(", ") }
    }
}
