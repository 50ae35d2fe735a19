//! Experiences that nobody had: words as often as they are in real texts, a third of them with Chinese.

use jiff::Timestamp;
use store::{Experience, ExperienceId, NewExperience};

const WORDS: u64 = 60_000;
const CHARACTERS: u64 = 2_500;

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % limit
    }

    /// Small numbers much more often than large ones, as words of a language are.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a rank")]
    fn rank(&mut self, limit: u64) -> u64 {
        let share = self.below(1 << 52) as f64 / (1_u64 << 52) as f64;
        ((limit as f64).powf(share) - 1.0) as u64
    }
}

pub(crate) fn experience(number: u64) -> Experience {
    let mut random = Random::new(number);
    let chinese = number.is_multiple_of(3);
    let mut text = |words: u64| if chinese { mixed(&mut random, words) } else { english(&mut random, words) };
    let content = NewExperience {
        title: text(7),
        problem_description: text(25),
        root_cause: Some(text(12)),
        solution: text(20),
        context: Some(text(15)),
        keywords: text(3).split(' ').map(str::to_owned).collect(),
    };
    let found = random.rank(3_000);
    let age = random.below(400 * 86_400);
    let created_at = Timestamp::from_second(Timestamp::now().as_second() - i64::try_from(age).unwrap()).unwrap();
    Experience {
        id: ExperienceId::generate(),
        content,
        query_count: found,
        created_at,
        updated_at: created_at,
        deleted_at: None,
    }
}

/// A question with words of some experience: two to five of them.
pub(crate) fn question(number: u64, experiences: u64) -> String {
    let mut random = Random::new(u64::MAX - number);
    let content = experience(random.below(experiences)).content;
    let text = format!("{} {}", content.title, content.problem_description);
    let words: Vec<&str> = text.split(' ').collect();
    let wanted = 2 + random.below(4);
    (0..wanted).map(|_| words[usize::try_from(random.below(words.len() as u64)).unwrap()]).collect::<Vec<_>>().join(" ")
}

fn english(random: &mut Random, words: u64) -> String {
    (0..words).map(|_| word(random.rank(WORDS))).collect::<Vec<_>>().join(" ")
}

fn mixed(random: &mut Random, words: u64) -> String {
    let piece = |random: &mut Random| match random.below(3) {
        0 => word(random.rank(WORDS)),
        _ => (0..2 + random.below(4))
            .map(|_| char::from_u32(0x4e00 + u32::try_from(random.rank(CHARACTERS)).unwrap()).unwrap())
            .collect(),
    };
    (0..words).map(|_| piece(random)).collect::<Vec<_>>().join(" ")
}

/// The word of this rank: letters that tell it from every other.
fn word(rank: u64) -> String {
    const PIECES: [&str; 16] =
        ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za"];
    let mut rest = rank + 16;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(PIECES[usize::try_from(rest % 16).unwrap()]);
        rest /= 16;
    }
    word
}
