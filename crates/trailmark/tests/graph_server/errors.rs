//! What the reader is told when a server cannot be used.

use crate::arcadedb::{ArcadeDb, PASSWORD};
use crate::sample::Sample;

#[test]
fn each_way_not_to_get_in_has_an_error_of_its_own() {
    let (sample, server) = (Sample::with_files(1), ArcadeDb::start());
    let check = |address: &str, more: &[&str], password: &str, expected: &[&str]| {
        let output = sample.run(&[&["import", "--to", address, "--user", "root"], more].concat(), password);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(expected.iter().all(|expected| errors.contains(expected)), "{errors}");
        assert!(!errors.contains(password), "{errors}");
        assert!(output.stdout.is_empty());
    };
    let (bolt, http) = (server.address(), format!("bolt://127.0.0.1:{}", server.http));
    let encrypted = bolt.replace("bolt://", "bolt+s://");
    check(&bolt, &[], "wrong-password", &["refuses to let `root` in", "TRAILMARK_BOLT_PASSWORD"]);
    check(&bolt, &["--database", "nonesuch"], PASSWORD, &["nonesuch"]);
    check(&http, &[], PASSWORD, &["does not speak Bolt", "Bolt port"]);
    check(&encrypted, &[], PASSWORD, &["no TLS connection", "bolt://"]);
    drop(server);
    check(&bolt, &[], PASSWORD, &["cannot connect to", "start the server"]);
}
