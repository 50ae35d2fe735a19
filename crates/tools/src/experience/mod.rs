//! Experiences: `submit_experience` and `query_experiences` (S4). Every text passes the gate before it is kept.

mod counting;
mod gate;
mod query;
mod submit;

use std::time::Duration;

use crate::registry::{Advice, Family};
use crate::styles::Style;
use crate::tool::{Erased, Tool};

pub use counting::AnswerCounter;
pub use gate::{FieldFinding, inspect_experience};

/// How long a call may take.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(5));
const LONGEST_TITLE: u64 = 500;
const LONGEST_TEXT: u64 = 20_000;
const LONGEST_KEYWORD: usize = 100;
const MOST_KEYWORDS: u64 = 50;
const LONGEST_QUESTION: u64 = 2_000;

pub(crate) const FAMILY: Family = Family {
    name: "experience",
    title: "Experiences",
    purpose: "Problems that were solved, found again by their words in English and Chinese; no secret gets in.",
    advice: &[Advice {
        needs: &["query_experiences", "submit_experience"],
        text: "When something fails, call query_experiences with the error first; when you have solved something hard, call \
               submit_experience.",
    }],
    style: Style::Experience,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[&Erased::<submit::SubmitExperience>::new(), &Erased::<query::QueryExperiences>::new()];
