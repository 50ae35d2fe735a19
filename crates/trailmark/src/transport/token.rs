//! The bearer token of the HTTP server: made at first start, kept in the data folder, readable by its owner only.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::settings::TOKEN_VARIABLE;

/// The file in the data folder that holds the token.
const FILE: &str = "http-token";
/// Shorter tokens given by the operator are refused.
const SHORTEST: usize = 16;

/// A secret that every HTTP request must carry.
#[derive(Clone)]
pub(crate) struct Token(String);

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenError {
    #[error("the token in {place} has {length} characters; it needs at least {SHORTEST}{}", fix(place))]
    TooShort { place: String, length: usize },
    #[error("cannot keep the HTTP token in {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
}

fn fix(place: &str) -> &'static str {
    if place == TOKEN_VARIABLE { "" } else { "; delete the file, and the next start makes a new one" }
}

impl Token {
    /// The operator's own token.
    pub(crate) fn given(text: &str) -> Result<Self, TokenError> {
        Self::read(text, TOKEN_VARIABLE)
    }

    fn read(text: &str, place: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        if text.len() < SHORTEST {
            return Err(TokenError::TooShort { place: place.to_owned(), length: text.len() });
        }
        Ok(Self(text.to_owned()))
    }

    /// The token of this data folder, made now if there is none.
    pub(crate) fn of_folder(home: &Path) -> Result<Self, TokenError> {
        let path = Self::path(home);
        let failed = |source| TokenError::File { path: path.clone(), source };
        fs::create_dir_all(home).map_err(failed)?;
        match create(&path) {
            Ok(token) => Ok(token),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Self::read(&fs::read_to_string(&path).map_err(failed)?, &path.display().to_string())
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Where the token of a data folder is kept.
    pub(crate) fn path(home: &Path) -> PathBuf {
        home.join(FILE)
    }

    /// Compares in a time that does not depend on how much of it is right.
    pub(crate) fn matches(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Writes the token beside its place and links it in, so that another process never reads half of it.
fn create(path: &Path) -> io::Result<Token> {
    let token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let draft = path.with_extension(format!("{}.tmp", Uuid::new_v4().simple()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    let linked = writeln!(file, "{token}").and_then(|()| file.sync_all()).and_then(|()| fs::hard_link(&draft, path));
    fs::remove_file(&draft)?;
    linked.map(|()| Token(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_made_once_and_kept() {
        let home = tempfile::tempdir().unwrap();
        let first = Token::of_folder(home.path()).unwrap();
        let second = Token::of_folder(home.path()).unwrap();
        assert!(second.matches(&first.0));
        assert!(!second.matches("wrong"));
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "no draft is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_the_token() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        Token::of_folder(home.path()).unwrap();
        let mode = fs::metadata(Token::path(home.path())).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_short_token_is_refused_and_no_token_is_ever_printed() {
        assert!(Token::given("short").is_err());
        assert_eq!(format!("{:?}", Token::given("0123456789abcdef").unwrap()), "Token(…)");
    }
}
