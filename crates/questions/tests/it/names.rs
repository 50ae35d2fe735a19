//! Names that are not written as the index has them.

use questions::{Confidence, translate};

use crate::project::{ask, check, names};

#[test]
fn slips_of_the_pen_are_corrected_and_said() {
    let asked = ask("who calls craete_app");
    assert!(asked.cypher.contains("x.name = 'create_app'"), "{}", asked.cypher);
    assert_eq!(asked.confidence, Confidence::Unsure);
    assert_eq!(asked.notes, ["took 'craete_app' for 'create_app'"]);
}

#[test]
fn case_and_words_do_not_matter() {
    check(
        &["methods of user", "methods of the USER class"],
        "MATCH (m:Method)<-[:DEFINES_METHOD]-(x:Class) WHERE x.name = 'User'",
    );
    check(
        &["methods of the session interface", "methods of session_interface"],
        "MATCH (m:Method)<-[:DEFINES_METHOD]-(x:Class) WHERE x.name = 'SessionInterface'",
    );
}

#[test]
fn several_of_one_name_are_all_taken_and_said() {
    let asked = ask("who calls get");
    assert_eq!(asked.notes, ["'get' means 2 definitions: shop.models.SessionInterface.get, shop.models.User.get"]);
    assert_eq!(asked.confidence, Confidence::Sure);
}

#[test]
fn a_name_that_nothing_has_is_not_understood() {
    let unclear = translate("who calls frobnicate", &names(), 50).unwrap_err();
    assert_eq!(unclear.part, "frobnicate");
}

#[test]
fn a_type_of_the_program_is_meant_before_one_that_a_test_makes() {
    let asked = ask("methods of SessionInterface");
    assert!(asked.cypher.contains("x.qualified_name = 'shop.models.SessionInterface'"), "{}", asked.cypher);
    let note =
        "'SessionInterface' means shop.models.SessionInterface; in tests there is one of that name too, left out";
    assert_eq!(asked.notes, [note]);
}
