//! Which graph server answers questions about code, if any.

use graph_server::{Error, Target};

use super::{BOLT_PASSWORD_VARIABLE, Given, secret};

const USER: &str = "neo4j";

/// An empty setting is none, so that a variable can be switched off.
pub(super) fn resolve(given: &Given) -> Result<Option<Target>, Error> {
    let Some(url) = given.code.as_deref().map(str::trim).filter(|url| !url.is_empty()) else { return Ok(None) };
    let (address, database) = split(url);
    let user = given.code_user.as_deref().filter(|user| !user.is_empty()).unwrap_or(USER);
    let password = secret(BOLT_PASSWORD_VARIABLE).unwrap_or_default();
    Target::new(address, user, password, database.map(str::to_owned)).map(Some)
}

/// `neo4j://host:7687/graph` → the address and `graph`.
fn split(url: &str) -> (&str, Option<&str>) {
    let authority = url.find("://").map_or(0, |scheme| scheme + 3);
    match url[authority..].split_once('/') {
        Some((host, database)) => (&url[..authority + host.len()], Some(database).filter(|name| !name.is_empty())),
        None => (url, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expected: (&str, Option<&str>)) {
        assert_eq!(split(url), expected);
    }

    #[test]
    fn a_database_stands_after_the_address() {
        check("neo4j://localhost:7687", ("neo4j://localhost:7687", None));
        check("neo4j+s://graph.example.com/", ("neo4j+s://graph.example.com", None));
        check("bolt://[::1]:7687/code", ("bolt://[::1]:7687", Some("code")));
        check("localhost/code", ("localhost", Some("code")));
    }
}
