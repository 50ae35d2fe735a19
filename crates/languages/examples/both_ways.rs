//! Reads the files of folders with the parsers of this crate and by way of their grammars, and says where the facts differ:
//! `cargo run --release -p languages --example both_ways -- FOLDER… [--damaged N]`.
//!
//! With `--damaged`, each file is also read N times with a small damage. A parser of this crate may give up on any text, but
//! may not read errors as something else.

#![expect(clippy::print_stdout, reason = "it is a command for people who work on the parsers")]

use std::path::Path;

use languages::{Language, Languages};

type Problem = Box<dyn std::error::Error>;

/// What is put in somewhere.
const PIECES: &[&str] = &[
    " ", "\n", "    ", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "=", "==", "*", "**", "->", ":=", "@", "!",
    "-", "\\\n", "'", "\"", "\"\"\"", "f'{", "#", " not ", " in ", " is ", " if ", " else ", " for ", " lambda ",
    " yield ", " await ", " async ", " as ", " with ", " def ", " class ", " return ", " import ", " from ", " print ",
    " exec ", " match ", " case ", " type ", " None ", " x ", " 1 ", "0x", "1e", "é",
];

#[derive(Default)]
struct Count {
    texts: usize,
    left: usize,
    differing: usize,
}

fn main() -> Result<(), Problem> {
    let mut count = Count::default();
    let mut arguments = std::env::args().skip(1);
    let (mut folders, mut damages) = (Vec::new(), 0);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--damaged" => damages = arguments.next().ok_or("--damaged takes a number")?.parse()?,
            _ => folders.push(argument),
        }
    }
    for folder in folders {
        read_all(Path::new(&folder), damages, &mut count)?;
    }
    println!("{} texts, {} left to the grammar, {} differ", count.texts, count.left, count.differing);
    if count.differing > 0 { Err("facts differ".into()) } else { Ok(()) }
}

fn read_all(path: &Path, damages: u64, count: &mut Count) -> Result<(), Problem> {
    if path.is_symlink() {
        return Ok(());
    }
    if path.is_dir() {
        let mut entries: Vec<_> =
            std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| read_all(entry, damages, count));
    }
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(()) };
    let language = Languages::builtin().for_file(&path.to_string_lossy(), text.as_bytes());
    let Some(language) = language.filter(|language| language.settings().own_parser.is_some()) else { return Ok(()) };
    compare(language, &path.to_string_lossy(), &text, true, count)?;
    for seed in 0..damages {
        let (text, place) = damaged(&text, seed);
        let line = text[..place].matches('\n').count() + 1;
        compare(language, &format!("{}, damage {seed} in line {line}", path.display()), &text, false, count)?;
    }
    Ok(())
}

fn compare(language: &Language, name: &str, text: &str, is_whole: bool, count: &mut Count) -> Result<(), Problem> {
    count.texts += 1;
    if !language.reads_itself(text) {
        count.left += 1;
        if is_whole && language.extract_by_grammar(text).is_ok_and(|facts| !facts.has_errors) {
            println!("left: {name}");
        }
        return Ok(());
    }
    let (own, other) = (language.extract(text)?, language.extract_by_grammar(text)?);
    if own != other {
        count.differing += 1;
        let (own, other) = (format!("{own:#?}"), format!("{other:#?}"));
        let mut lines = own.lines().zip(other.lines()).enumerate();
        println!("differs: {name} {:?}", lines.find(|(_, (own, other))| own != other));
        if let Ok(folder) = std::env::var("BOTH_WAYS_KEEP") {
            std::fs::write(Path::new(&folder).join(format!("{}.py", count.differing)), text)?;
        }
    }
    Ok(())
}

/// The text with something put in or taken out, always alike for a seed; and where.
fn damaged(text: &str, seed: u64) -> (String, usize) {
    let mut state = seed.wrapping_add(text.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % (below.max(1) as u64)).unwrap_or(0)
    };
    let mut place = next(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    let mut end = place + if next(2) == 0 { 0 } else { 1 + next(12) };
    end = end.min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let piece = if next(3) == 0 { "" } else { PIECES[next(PIECES.len())] };
    (format!("{}{piece}{}", &text[..place], &text[end..]), place)
}
