//! Is a value a secret, or something that only stands for one?

use super::published;
use super::words::{wordiness, words};

/// A fixed shape already says what it is; only values made by hand to show that shape are no secrets.
pub(super) fn is_varied(value: &[u8]) -> bool {
    !is_masked(value) && !has_marker(value) && !is_template(value) && !published::contains(value)
}

/// Whether this is written where a value belongs, without being one: `YOUR_API_KEY`, `<token>`, `xxx`, `${PASSWORD}`.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    !is_varied(value) || is_sequence(value) || is_made_of_placeholder_words(value)
}

/// Letters and digits as they come from a generator, not from a person naming something.
pub(super) fn is_random(value: &[u8]) -> bool {
    let shape = Shape::of(value);
    let (wordiness, pairs) = wordiness(value);
    if is_uuid(value) {
        return true;
    }
    if shape.letters + shape.digits < 8 || shape.distinct < 5 {
        return false;
    }
    if shape.digits >= 2 && shape.letters >= 2 {
        let mixed = shape.switches >= 2 && (pairs < 4 || wordiness < if shape.switches >= 4 { 0.6 } else { 0.5 });
        return mixed || shape.switches >= 8;
    }
    shape.letters >= 16 && (wordiness < 0.45 || (wordiness < 0.6 && 3 * shape.case_switches >= shape.letters))
}

/// Several kinds of punctuation between letters, as passwords have them and names do not.
pub(super) fn is_punctuated(value: &[u8]) -> bool {
    let mut kinds: Vec<u8> = value.iter().copied().filter(u8::is_ascii_punctuation).collect();
    kinds.retain(|byte| !b"-_./:\\".contains(byte));
    kinds.sort_unstable();
    kinds.dedup();
    kinds.len() >= 3 && value.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() >= 4
}

/// Brackets that close each other crosswise: no program is written like that.
pub(super) fn is_no_expression(value: &[u8]) -> bool {
    let mut open = Vec::new();
    for byte in value {
        let closes = match byte {
            b'(' | b'[' | b'{' => {
                open.push(*byte);
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        match open.pop() {
            Some(opened) if opened != closes => return true,
            _ => {}
        }
    }
    false
}

/// A name, a path, a call or another expression that leads to the value elsewhere.
pub(super) fn is_reference(value: &[u8]) -> bool {
    if value.iter().any(|byte| b"()[]{}".contains(byte)) {
        return !is_no_expression(value);
    }
    let starts_path = matches!(value.first(), Some(b'/' | b'.' | b'~' | b'$' | b'@' | b'&' | b'%' | b'*'));
    let parts = |separator: &str| {
        let text = String::from_utf8_lossy(value).into_owned();
        let parts: Vec<String> = text.split(separator).map(str::to_owned).collect();
        parts.len() > 1 && parts.iter().all(|part| is_identifier(part.as_bytes()))
    };
    let file = value.contains(&b'/')
        && value.rsplit(|byte| *byte == b'.').next().is_some_and(|ending| {
            ending.len() < value.len() && (1..=4).contains(&ending.len()) && ending.iter().all(u8::is_ascii_lowercase)
        });
    let route = value.contains(&b'/') && !value.iter().any(u8::is_ascii_digit) && wordiness(value).0 >= 0.5;
    starts_path
        || file
        || route
        || value.windows(3).any(|window| window == b"://")
        || parts(".")
        || parts("::")
        || parts("->")
}

/// A literal that a person could type as a password: not one plain word.
pub(super) fn is_password(value: &[u8]) -> bool {
    let shape = Shape::of(value);
    let enough = value.len() >= 5 && shape.distinct >= 4;
    let classes =
        [shape.lower, shape.upper, shape.digits, shape.symbols].into_iter().filter(|count| *count > 0).count();
    let only_separators = value.iter().all(|byte| byte.is_ascii_alphabetic() || b"-_./: ".contains(byte));
    let camel_case = shape.digits == 0 && shape.symbols == 0;
    enough && classes >= 2 && !only_separators && !camel_case && !is_version(value)
}

/// A run of digits and dots.
fn is_version(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_digit() || b".-:/+ TZv".contains(byte))
}

fn is_identifier(text: &[u8]) -> bool {
    let text = text.strip_suffix(b"?").or_else(|| text.strip_suffix(b"!")).unwrap_or(text);
    let starts = text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte == b'$');
    let wordy = wordiness(text);
    starts
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-')
        && !(Shape::of(text).switches >= 4 && wordy.0 < 0.5)
}

pub(super) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_alphanumeric(),
        })
}

/// `xxxx`, `****`, `....`, `AKIA0000000000000000`: hardly anything but one character again and again.
fn is_masked(value: &[u8]) -> bool {
    let (mut longest, mut run) = (0, 0);
    let mut masked = 0;
    for (index, byte) in value.iter().enumerate() {
        run = if index > 0 && value[index - 1].eq_ignore_ascii_case(byte) { run + 1 } else { 1 };
        longest = longest.max(run);
        masked += usize::from(b"xX*.#_-?".contains(byte));
    }
    let ellipsis = value.windows(3).any(|window| window == b"..." || window == b"***");
    let unseen = b"\xE2\x80\xA6";
    ellipsis
        || value.windows(3).any(|window| window == unseen)
        || 2 * longest > value.len()
        || (value.len() >= 3 && 10 * masked >= 8 * value.len())
}

/// `0123456789`, `ABCDEFGHIJKLMNOP`: half of it or more is one run up the alphabet.
fn is_sequence(value: &[u8]) -> bool {
    let (mut longest, mut run) = (0, 1);
    for pair in value.windows(2) {
        run = if pair[1] == pair[0].wrapping_add(1) { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    longest >= 6 && 2 * longest >= value.len()
}

/// Words that nobody has in a secret, and everybody has in an example of one.
fn has_marker(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    MARKERS.iter().any(|marker| lower.windows(marker.len()).any(|window| window == marker.as_bytes()))
}

#[rustfmt::skip]
const MARKERS: &[&str] = &[
    "example", "placeholder", "changeme", "change_me", "change-me", "redacted", "your_", "your-", "<your", "yourapi",
    "yourtoken", "yourpass", "yoursecret", "replaceme", "replace_me", "replace-me", "insert_", "dummy", "xxxxxx",
    "sanitized", "sanitised", "goes_here", "goes-here", "goeshere", "_here", "-here", "notasecret", "not-a-secret",
    "not_a_secret", "lorem",
];

/// What is left of a value without its variables would not be enough for a secret.
fn is_template(value: &[u8]) -> bool {
    let Some(rest) = without_variables(value) else { return false };
    rest.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() < 8 || is_made_of_placeholder_words(&rest)
}

/// The value without `${name}`, `{{name}}`, `{name}`, `<name>`, `[name]`, `%name%`, `$(command)`, `$NAME` and `%s`; `None`
/// when it has none of these.
fn without_variables(value: &[u8]) -> Option<Vec<u8>> {
    let mut rest = Vec::new();
    let mut position = 0;
    let mut found = false;
    while position < value.len() {
        // A dollar sign inside a word, as in `pa$$word`, begins no variable.
        let inside = position > 0 && (value[position - 1].is_ascii_alphanumeric() || value[position - 1] == b'$');
        match variable(&value[position..]) {
            Some(length) if !(inside && value[position] == b'$' && value.get(position + 1) != Some(&b'{')) => {
                found = true;
                position += length;
            }
            _ => {
                rest.push(value[position]);
                position += 1;
            }
        }
    }
    found.then_some(rest)
}

/// How long the variable at the beginning is.
fn variable(text: &[u8]) -> Option<usize> {
    #[rustfmt::skip]
    const PAIRS: &[(&[u8], &[u8])] = &[
        (b"${{", b"}}"), (b"${", b"}"), (b"$(", b")"), (b"#{", b"}"), (b"{{", b"}}"), (b"{%", b"%}"), (b"{", b"}"),
        (b"<%", b"%>"), (b"<", b">"), (b"[", b"]"), (b"%(", b")s"), (b"%", b"%"), (b"__", b"__"),
    ];
    for (open, close) in PAIRS {
        if !text.starts_with(open) {
            continue;
        }
        let inside = &text[open.len()..];
        if let Some(length) = inside.windows(close.len()).position(|window| window == *close)
            && length > 0
            && inside[..length].iter().all(|byte| !b"{}[]<>\"'".contains(byte))
            && (*open != b"%" || inside[..length].iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_'))
        {
            return Some(open.len() + length + close.len());
        }
    }
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    match text {
        [b'$', first, ..] if first.is_ascii_alphabetic() || *first == b'_' => {
            Some(1 + text[1..].iter().take_while(|byte| name(byte)).count())
        }
        [b'%', b's' | b'd' | b'v' | b'@', ..] => Some(2),
        _ => None,
    }
}

fn is_made_of_placeholder_words(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_alphabetic)
        && words(value).iter().all(|word| {
            let word = word.trim_matches(|character: char| character.is_ascii_digit());
            word.len() <= 1 || PLACEHOLDER_WORDS.binary_search(&word).is_ok() || is_masked(word.as_bytes())
        })
}

/// What people write where a value belongs, in alphabetical order.
#[rustfmt::skip]
const PLACEHOLDER_WORDS: &[&str] = &[
    "a", "abc", "abcd", "abcdef", "access", "account", "admin", "an", "and", "any", "api", "apikey", "app", "application",
    "auth", "authorization", "bar", "base", "basic", "baz", "bearer", "bot", "change", "client", "code", "config", "credential",
    "credentials", "data", "database", "db", "default", "demo", "dev", "empty", "encrypted", "enter", "env", "environment",
    "example", "fake", "false", "file", "fill", "foo", "foobar", "for", "from", "generated", "github", "gitlab", "goes",
    "guest", "has", "hash", "here", "hidden", "host", "id", "in", "input", "insert", "invalid", "is", "it", "key", "local",
    "localhost", "login", "long", "masked", "me", "missing", "mock", "my", "mysql", "name", "new", "nil", "no", "none", "not",
    "null", "number", "oauth", "of", "old", "optional", "or", "own", "pass", "passphrase", "passwd", "password", "pat",
    "personal", "pg", "placeholder", "plain", "postgres", "private", "prod", "production", "pswd", "public", "put", "pw", "pwd",
    "random", "real", "redacted", "redis", "removed", "replace", "required", "root", "sample", "secret", "secrets", "secure",
    "service", "session", "set", "shared", "some", "something", "staging", "string", "super", "test", "tester", "testing",
    "text", "that", "the", "this", "to", "todo", "token", "tokens", "true", "type", "undefined", "unset", "use", "user",
    "username", "val", "value", "var", "variable", "vault", "void", "with", "xxx", "xyz", "you", "your",
];

/// How many characters of which kind a value has.
#[derive(Debug, Default)]
struct Shape {
    letters: usize,
    lower: usize,
    upper: usize,
    digits: usize,
    symbols: usize,
    /// So often a letter stands beside a digit.
    switches: usize,
    /// So often a capital letter stands before or behind a small one.
    case_switches: usize,
    distinct: usize,
}

impl Shape {
    fn of(value: &[u8]) -> Self {
        let mut shape = Self::default();
        let mut seen = [false; 256];
        for (index, byte) in value.iter().enumerate() {
            shape.lower += usize::from(byte.is_ascii_lowercase());
            shape.upper += usize::from(byte.is_ascii_uppercase());
            shape.digits += usize::from(byte.is_ascii_digit());
            shape.symbols += usize::from(!byte.is_ascii_alphanumeric());
            shape.distinct += usize::from(!std::mem::replace(&mut seen[usize::from(*byte)], true));
            let Some(before) = index.checked_sub(1).map(|index| value[index]) else { continue };
            let both = before.is_ascii_alphanumeric() && byte.is_ascii_alphanumeric();
            shape.switches += usize::from(both && before.is_ascii_digit() != byte.is_ascii_digit());
            let letters = before.is_ascii_alphabetic() && byte.is_ascii_alphabetic();
            shape.case_switches += usize::from(letters && before.is_ascii_lowercase() != byte.is_ascii_lowercase());
        }
        shape.letters = shape.lower + shape.upper;
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_order() {
        assert!(PLACEHOLDER_WORDS.is_sorted());
    }

    #[test]
    fn what_a_generator_made_is_told_from_what_a_person_wrote() {
        for random in
            ["ptubk9ku96co87841tmy451c", "80g50woyqpdcbw9v", "iOkKSiabuiWenGlSsLEVQARQ", "e7xfvlnyzmm2ai1geho1"]
        {
            assert!(is_random(random.as_bytes()), "{random}");
        }
        for written in [
            "utf8mb4_unicode_ci",
            "oauth2_token_v2",
            "accessTokenFromTheServer",
            "claude-3-5-sonnet-20241022",
            "base64url",
        ] {
            assert!(!is_random(written.as_bytes()), "{written}");
        }
    }

    #[test]
    fn what_only_stands_for_a_value_is_a_placeholder() {
        for placeholder in [
            "YOUR_API_KEY",
            "<token>",
            "xxx",
            "${DB_PASSWORD}",
            "{{ password }}",
            "********",
            "changeme",
            "my-secret-token",
            "%PASSWORD%",
        ] {
            assert!(is_placeholder(placeholder.as_bytes()), "{placeholder}");
        }
        for value in ["hunter2", "pa$$w0rd&x", "S3cretPass", "letmein", "m{{h}o)p${e]nob(ody"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
