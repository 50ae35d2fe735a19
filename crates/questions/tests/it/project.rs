//! A small project to ask about.

use graph::Label;
use questions::{Hit, MemoryNames, Translation, translate};

/// Label, qualified name, file.
const THINGS: &[(Label, &str, &str)] = &[
    (Label::Project, "shop", ""),
    (Label::Folder, "src", "src"),
    (Label::Folder, "tests", "tests"),
    (Label::File, "src/app.py", "src/app.py"),
    (Label::File, "src/models.py", "src/models.py"),
    (Label::File, "tests/test_app.py", "tests/test_app.py"),
    (Label::Module, "shop.app", "src/app.py"),
    (Label::Module, "shop.models", "src/models.py"),
    (Label::Package, "shop", ""),
    (Label::ExternalPackage, "requests", ""),
    (Label::Class, "shop.models.User", "src/models.py"),
    (Label::Class, "shop.models.UserError", "src/models.py"),
    (Label::Class, "shop.models.SessionInterface", "src/models.py"),
    (Label::Interface, "shop.models.Store", "src/models.py"),
    (Label::Method, "shop.models.User.get", "src/models.py"),
    (Label::Method, "shop.models.User.save", "src/models.py"),
    (Label::Method, "shop.models.SessionInterface.get", "src/models.py"),
    (Label::Function, "shop.app.main", "src/app.py"),
    (Label::Function, "shop.app.create_app", "src/app.py"),
    (Label::Function, "shop.app.handle", "src/app.py"),
    (Label::Function, "tests.test_app.test_create", "tests/test_app.py"),
    (Label::Class, "tests.test_app.test_create.SessionInterface", "tests/test_app.py"),
];

pub(crate) fn names() -> MemoryNames {
    MemoryNames::new(THINGS.iter().map(|(label, qualified_name, file_path)| {
        Hit {
            label: *label,
            name: qualified_name
                .rsplit(if qualified_name.contains('/') { '/' } else { '.' })
                .next()
                .unwrap_or_default()
                .to_owned(),
            qualified_name: (*qualified_name).to_owned(),
            file_path: (*file_path).to_owned(),
            start_line: 1,
        }
    }))
}

pub(crate) fn ask(question: &str) -> Translation {
    translate(question, &names(), 50).unwrap_or_else(|unclear| panic!("{question}: {unclear}"))
}

/// Each of the questions becomes this query, up to its columns.
pub(crate) fn check(questions: &[&str], expected: &str) {
    for question in questions {
        let cypher = ask(question).cypher;
        let body = cypher.split(" RETURN ").next().unwrap_or_default();
        assert_eq!(body, expected, "{question}");
    }
}

/// Each of the questions becomes exactly this query.
pub(crate) fn check_whole(questions: &[&str], expected: &str) {
    for question in questions {
        assert_eq!(ask(question).cypher, expected, "{question}");
    }
}
