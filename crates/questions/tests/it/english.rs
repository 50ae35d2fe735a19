//! English questions.

use questions::Intent;

use crate::project::{ask, check, check_whole};

#[test]
fn the_question_with_a_wording_of_its_own() {
    let asked = ask("Show me all classes that contain 'user' in their name");
    assert_eq!(
        asked.cypher,
        "MATCH (c:Class) WHERE toLower(c.name) CONTAINS 'user' RETURN c.name AS name, c.qualified_name AS qualified_name LIMIT 50"
    );
    assert_eq!(asked.summary.render(2), "Found 2 classes matching 'user'");
    assert_eq!(asked.summary.render(1), "Found 1 class matching 'user'");
}

#[test]
fn parts_of_names() {
    let by_name = "MATCH (c:Class) WHERE toLower(c.name) CONTAINS 'user' RETURN c.name AS name, c.qualified_name AS qualified_name LIMIT 50";
    check_whole(
        &[
            "find classes whose name contains user",
            "list all classes with 'user' in the name",
            "classes with names containing \"User\"",
            "Which classes have user in their name?",
        ],
        by_name,
    );
    check(
        &["functions starting with get_", "which functions have names that begin with get_"],
        "MATCH (f:Function) WHERE toLower(f.name) STARTS WITH 'get_'",
    );
    check(&["classes ending in Error", "classes that match *Error"], "MATCH (c:Class) WHERE c.name ENDS WITH 'Error'");
    check(&["functions not starting with test"], "MATCH (f:Function) WHERE NOT (toLower(f.name) STARTS WITH 'test')");
}

#[test]
fn callers() {
    let all = "MATCH (n)-[r:CALLS]->(x:Function) WHERE x.name = 'create_app'";
    check(
        &[
            "Who calls create_app?",
            "what calls `create_app()`",
            "Where is create_app called?",
            "where does create_app get called from",
            "callers of create_app",
            "create_app's callers",
            "show me all call sites of create_app",
            "create_app is called by whom?",
            "WHO CALLS create_app",
        ],
        all,
    );
    let functions = "MATCH (n:Function|Method)-[r:CALLS]->(x:Function) WHERE x.name = 'create_app'";
    check(
        &[
            "Which functions call create_app?",
            "what function invokes create_app",
            "functions that call create_app",
            "list all functions calling create_app",
            "By which functions is create_app called?",
        ],
        functions,
    );
    check(&["callers of User.get"], "MATCH (n)-[r:CALLS]->(x:Method) WHERE x.qualified_name = 'shop.models.User.get'");
    check(
        &["who calls the get method of User", "who calls User's get"],
        "MATCH (n)-[r:CALLS]->(x:Method) WHERE x.qualified_name = 'shop.models.User.get'",
    );
    check(&["who calls get?"], "MATCH (n)-[r:CALLS]->(x:Method) WHERE x.name = 'get'");
    check(
        &["who calls User?", "who instantiates User", "where is User created"],
        "MATCH (n)-[r:INSTANTIATES]->(x:Class) WHERE x.name = 'User'",
    );
}

#[test]
fn how_far_callers_are_followed() {
    check(
        &["who calls create_app within 3 hops", "callers of create_app up to depth 3"],
        "MATCH (n)-[:CALLS|INSTANTIATES*1..3]->(x:Function) WHERE x.name = 'create_app'",
    );
    check(
        &["what calls create_app directly or indirectly", "transitive callers of create_app"],
        "MATCH (n)-[:CALLS|INSTANTIATES*1..]->(x:Function) WHERE x.name = 'create_app'",
    );
    check(
        &["callers of create_app in other files"],
        "MATCH (n)-[r:CALLS]->(x:Function) WHERE x.name = 'create_app' AND n.file_path <> x.file_path",
    );
    check(
        &["who calls create_app in the tests folder?"],
        "MATCH (n)-[r:CALLS]->(x:Function) WHERE x.name = 'create_app' AND n.file_path STARTS WITH 'tests/'",
    );
}

#[test]
fn callees_are_not_callers() {
    for question in [
        "What does create_app call?",
        "functions called by create_app",
        "what is called by create_app",
        "callees of create_app",
        "functions that create_app calls",
        "which functions are called in create_app",
    ] {
        assert_eq!(ask(question).intent, Intent::Callees, "{question}");
    }
}

#[test]
fn members_of_classes_and_files() {
    check(
        &[
            "What methods does User have?",
            "Show me methods in User",
            "List all methods in class `User`",
            "methods of User",
            "User's methods",
            "User methods",
            "methods defined in User",
        ],
        "MATCH (m:Method)<-[:DEFINES_METHOD]-(x:Class) WHERE x.name = 'User'",
    );
    check_whole(
        &["How many methods does User have?", "number of methods of User"],
        "MATCH (m:Method)<-[:DEFINES_METHOD]-(x:Class) WHERE x.name = 'User' RETURN count(DISTINCT m) AS count LIMIT 50",
    );
    check(
        &[
            "What classes are in models.py?",
            "classes in src/models.py",
            "which classes does models.py contain",
            "list classes defined in models.py",
            "classes in the file models.py",
        ],
        "MATCH (c:Class) WHERE c.file_path = 'src/models.py'",
    );
    check(
        &[
            "List all classes that define a method named save.",
            "which classes have a save method",
            "classes with a method called save",
        ],
        "MATCH (c:Class)-[:DEFINES_METHOD]->(x:Method) WHERE x.name = 'save'",
    );
}

#[test]
fn definitions() {
    check(
        &[
            "Where is `create_app` defined?",
            "find the create_app function",
            "in which file is create_app",
            "which file defines create_app",
            "create_app",
            "where can I find create_app",
        ],
        "MATCH (f:Function) WHERE f.name = 'create_app'",
    );
}

#[test]
fn inheritance() {
    check(
        &["What classes does UserError inherit from?", "which classes does UserError extend"],
        "MATCH (c:Class)<-[r:INHERITS]-(x:Class) WHERE x.name = 'UserError'",
    );
    check(
        &[
            "which classes inherit from User",
            "classes derived from User",
            "classes extending User",
            "What classes are subclasses of User?",
        ],
        "MATCH (c:Class)-[r:INHERITS]->(x:Class) WHERE x.name = 'User'",
    );
    check(&["all descendants of User"], "MATCH (n)-[:INHERITS*1..]->(x:Class) WHERE x.name = 'User'");
    check(
        &["classes that implement Store", "which classes are implementing Store"],
        "MATCH (c:Class)-[r:IMPLEMENTS]->(x:Interface) WHERE x.name = 'Store'",
    );
    check(
        &["classes that do not inherit from User"],
        "MATCH (c:Class) WHERE NOT EXISTS { MATCH (c)-[s:INHERITS]->(y:Class) WHERE y.name = 'User' }",
    );
}

#[test]
fn imports() {
    check_whole(
        &["What files import `models.py`?", "Show all files that import models.py.", "which files depend on models.py"],
        "MATCH (f:Module)-[r:IMPORTS]->(x) WHERE x.file_path = 'src/models.py' RETURN f.file_path AS file_path, min(r.line) AS line ORDER BY file_path LIMIT 50",
    );
    check(
        &["where is requests used?", "which files import requests", "what depends on requests"],
        "MATCH (f:Module)-[r:IMPORTS]->(x:ExternalPackage) WHERE x.name = 'requests'",
    );
}

#[test]
fn order_and_number() {
    check_whole(
        &["top 5 longest functions", "the 5 longest functions", "What are the five longest functions?"],
        "MATCH (n:Function|Method) WHERE NOT 'anonymous' IN coalesce(n.modifiers, []) RETURN n.name AS name, n.qualified_name AS qualified_name, n.file_path AS file_path, n.line_start AS line_start, n.line_end - n.line_start + 1 AS lines ORDER BY lines DESC, qualified_name LIMIT 5",
    );
    check(
        &["which class has the most methods", "classes with the most methods", "classes by number of methods"],
        "MATCH (c:Class) MATCH (c)-[:DEFINES_METHOD]->(o:Method) WITH c, count(DISTINCT o) AS count",
    );
    check(
        &["classes with more than 10 methods", "classes that have over 10 methods"],
        "MATCH (c:Class) MATCH (c)-[:DEFINES_METHOD]->(o:Method) WITH c, count(DISTINCT o) AS count WHERE count > 10",
    );
    assert!(ask("Which class has the most methods?").cypher.ends_with("LIMIT 1"));
}

#[test]
fn questions_with_a_shape_of_their_own() {
    let cases = [
        ("unused functions", Intent::Unused),
        ("which functions are never called?", Intent::Unused),
        ("functions that nobody calls", Intent::Unused),
        ("recursive functions", Intent::Recursion),
        ("functions that call themselves", Intent::Recursion),
        ("circular imports", Intent::Cycles),
        ("how does main reach handle", Intent::Path),
        ("path from main to handle", Intent::Path),
        ("what are the entry points", Intent::EntryPoints),
        ("which external packages are used", Intent::ExternalPackages),
        ("what would break if I change handle?", Intent::Impact),
        ("which tests reach handle", Intent::Tests),
        ("tests for handle", Intent::Tests),
    ];
    for (question, intent) in cases {
        assert_eq!(ask(question).intent, intent, "{question}");
    }
}

#[test]
fn several_relations_in_one_question() {
    check(
        &["methods of User that call handle"],
        "MATCH (m:Method)<-[:DEFINES_METHOD]-(x:Class) WHERE x.name = 'User' AND EXISTS { MATCH (m)-[s:CALLS]->(y:Function) WHERE y.name = 'handle' }",
    );
}

#[test]
fn files_are_affected_through_their_imports() {
    check(
        &["what would break if I change models.py?"],
        "MATCH (f:Module)-[:IMPORTS*1..]->(x) WHERE x.file_path = 'src/models.py'",
    );
}

#[test]
fn nesting() {
    check(
        &["which classes are nested in functions of app.py", "classes nested inside functions in src/app.py"],
        "MATCH (c:Class) WHERE EXISTS { MATCH (c)<-[:DEFINES]-(y:Function) WHERE y.file_path = 'src/app.py' }",
    );
}

#[test]
fn a_title_before_a_colon_is_no_part_of_the_question() {
    let asked = ask("pytest fixtures: functions with the pytest.fixture decorator");
    assert_eq!(asked.cypher, ask("functions with the pytest.fixture decorator").cypher);
    assert_eq!(asked.notes, ["took 'pytest fixtures' for a title"]);
    for question in ["no frobs: functions with the pytest.fixture decorator", "`x`: functions in app.py"] {
        let read = questions::translate(question, &crate::project::names(), 50);
        assert!(!read.is_ok_and(|asked| asked.notes.iter().any(|note| note.contains("title"))), "{question}");
    }
}
