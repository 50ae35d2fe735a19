//! Chinese questions, with and without blanks.

use questions::Intent;

use crate::project::{ask, check, check_whole};

#[test]
fn callers() {
    check(
        &[
            "谁调用了 create_app?",
            "谁调用了create_app",
            "create_app 在哪里被调用",
            "create_app的调用者",
            "create_app被谁调用？",
        ],
        "MATCH (n)-[r:CALLS]->(x:Function) WHERE x.name = 'create_app'",
    );
    check(
        &[
            "哪些函数调用了 create_app?",
            "哪些函数调用了`create_app`",
            "create_app 被哪些函数调用",
            "调用 create_app 的函数有哪些",
            "列出调用create_app的所有函数",
        ],
        "MATCH (n:Function|Method)-[r:CALLS]->(x:Function) WHERE x.name = 'create_app'",
    );
    check(
        &["User 类的 get 方法被谁调用"],
        "MATCH (n)-[r:CALLS]->(x:Method) WHERE x.qualified_name = 'shop.models.User.get'",
    );
}

#[test]
fn callees_are_not_callers() {
    for question in [
        "create_app 调用了哪些函数?",
        "create_app 函数中调用了哪些函数",
        "create_app调用的函数",
        "被 create_app 调用的函数有哪些",
    ] {
        assert_eq!(ask(question).intent, Intent::Callees, "{question}");
    }
}

#[test]
fn members() {
    check(
        &["User 有哪些方法", "User类有哪些方法?", "列出 User 的所有方法", "User 类中定义了哪些方法", "User的方法"],
        "MATCH (m:Method)<-[:DEFINES_METHOD]-(x:Class) WHERE x.name = 'User'",
    );
    check_whole(
        &["User 有多少个方法?", "User类有几个方法"],
        "MATCH (m:Method)<-[:DEFINES_METHOD]-(x:Class) WHERE x.name = 'User' RETURN count(DISTINCT m) AS count LIMIT 50",
    );
    check(
        &["models.py 中有哪些类", "models.py里的类", "在 src/models.py 文件中定义了哪些类?"],
        "MATCH (c:Class) WHERE c.file_path = 'src/models.py'",
    );
    check(
        &["哪些类定义了 save 方法", "有save方法的类"],
        "MATCH (c:Class)-[:DEFINES_METHOD]->(x:Method) WHERE x.name = 'save'",
    );
}

#[test]
fn names_inheritance_imports() {
    check_whole(
        &["名字包含 user 的类", "查找名称中含有“user”的类"],
        "MATCH (c:Class) WHERE toLower(c.name) CONTAINS 'user' RETURN c.name AS name, c.qualified_name AS qualified_name LIMIT 50",
    );
    check(&["以Error结尾的类", "名称以 Error 结尾的类有哪些"], "MATCH (c:Class) WHERE c.name ENDS WITH 'Error'");
    check(
        &["在该项目中,哪些类继承了 User?", "继承User的类", "哪些类继承自User"],
        "MATCH (c:Class)-[r:INHERITS]->(x:Class) WHERE x.name = 'User'",
    );
    check(
        &["哪些文件导入了 models.py", "导入 models.py 的文件"],
        "MATCH (f:Module)-[r:IMPORTS]->(x) WHERE x.file_path = 'src/models.py'",
    );
    check(
        &["create_app 定义在哪里", "create_app 在哪个文件中定义?", "create_app的定义在哪"],
        "MATCH (f:Function) WHERE f.name = 'create_app'",
    );
}

#[test]
fn order_and_shapes() {
    assert!(ask("最长的5个函数").cypher.ends_with("ORDER BY lines DESC, qualified_name LIMIT 5"));
    assert!(ask("哪个类的方法最多").cypher.ends_with("ORDER BY count DESC, qualified_name LIMIT 1"));
    let cases = [
        ("没有被调用的函数", Intent::Unused),
        ("递归函数有哪些", Intent::Recursion),
        ("有没有循环导入", Intent::Cycles),
        ("main 到 handle 的调用路径", Intent::Path),
        ("使用了哪些第三方库", Intent::ExternalPackages),
        ("修改 handle 会影响哪些函数", Intent::Impact),
        ("程序入口在哪里", Intent::EntryPoints),
        ("哪些测试覆盖了 handle", Intent::Tests),
    ];
    for (question, intent) in cases {
        assert_eq!(ask(question).intent, intent, "{question}");
    }
}

#[test]
fn what_is_asked_for_may_stand_behind_the_verb() {
    check(
        &["app.py 的函数中定义了哪些类", "app.py 的函数中嵌套了哪些类"],
        "MATCH (c:Class) WHERE c.file_path = 'src/app.py' AND EXISTS { (c)<-[:DEFINES]-(y:Function) }",
    );
}
