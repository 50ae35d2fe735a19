//! Making, finding, reserving and deleting projects.

use std::future::ready;
use std::path::Path;

use super::expect::{Problem, equal, fails_with, holds};
use super::graphs::{file, graph_of, update};
use super::{Case, Verdict};
use crate::{ErrorKind, ProjectCatalog, ProjectGraph, ProjectInfo, Reservation};

pub(super) const CASES: &[Case<dyn ProjectCatalog>] = &[
    Case { name: "at first there is no project", run: |catalog| Box::pin(ready(nothing(catalog))) },
    Case { name: "a new project is empty", run: |catalog| Box::pin(ready(new_project(catalog))) },
    Case { name: "making a project again keeps its graph", run: |catalog| Box::pin(ready(made_again(catalog))) },
    Case { name: "a project can move to another root", run: |catalog| Box::pin(ready(moved(catalog))) },
    Case { name: "any name is a name of its own", run: |catalog| Box::pin(ready(names(catalog))) },
    Case { name: "projects are listed by name", run: |catalog| Box::pin(ready(listed(catalog))) },
    Case { name: "a project is found by its root", run: |catalog| Box::pin(ready(roots(catalog))) },
    Case { name: "projects do not mix", run: |catalog| Box::pin(ready(kept_apart(catalog))) },
    Case { name: "a deleted project is gone", run: |catalog| Box::pin(ready(deleted(catalog))) },
    Case { name: "a project made after deletion is another one", run: |catalog| Box::pin(ready(reborn(catalog))) },
    Case { name: "one at a time may index a project", run: |catalog| Box::pin(ready(reservations(catalog))) },
];

/// Names that file systems and queries have been known to trip over.
const NAMES: &[&str] = &[
    "", " ", ".", "..", "../up", "/", "a/b", "a-b", "A-B", "a\\b", "a:b", "a'b\"", "con", "索引", "🚀", "x\0y", "%s ?1",
];

fn names_of(projects: &[ProjectInfo]) -> Vec<&str> {
    projects.iter().map(|project| project.name.as_str()).collect()
}

fn find(catalog: &dyn ProjectCatalog, name: &str) -> Result<std::sync::Arc<dyn ProjectGraph>, Problem> {
    catalog.find(name)?.ok_or_else(|| Problem::new(format!("no project `{name}`")))
}

fn nothing(catalog: &dyn ProjectCatalog) -> Verdict {
    equal("list", catalog.list()?, vec![])?;
    holds(catalog.find("any")?.is_none(), || "found by name".to_owned())?;
    holds(catalog.find_root("/any")?.is_none(), || "found by root".to_owned())?;
    equal("delete", catalog.delete("any")?, false)
}

fn new_project(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = catalog.create("new", "/some/索引")?;
    let info = project.info()?;
    let expected = ProjectInfo {
        name: "new".to_owned(),
        root: Path::new("/some/索引").to_owned(),
        files: 0,
        nodes: 0,
        relationships: 0,
        languages: vec![],
        indexed_at: None,
        epoch: info.epoch,
    };
    equal("info", info.clone(), expected)?;
    equal("list", catalog.list()?, vec![info])?;
    equal("graph", graph_of(&*project)?, graph_of(&*find(catalog, "new")?)?)?;
    equal("files", project.files()?, vec![])
}

fn made_again(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = catalog.create("again", "/root")?;
    project.apply(&update(vec![file("a.py", &["a", "b"])]))?;
    let before = (project.info()?, graph_of(&*project)?);
    let again = catalog.create("again", "/root")?;
    equal("second handle", (again.info()?, graph_of(&*again)?), before.clone())?;
    equal("first handle", (project.info()?, graph_of(&*project)?), before)
}

fn moved(catalog: &dyn ProjectCatalog) -> Verdict {
    catalog.create("moved", "/old")?.apply(&update(vec![file("a.py", &["a"])]))?;
    let before = find(catalog, "moved")?.info()?;
    let after = catalog.create("moved", "/new")?.info()?;
    holds(before.epoch != after.epoch, || "the epoch stayed".to_owned())?;
    equal("info", after.clone(), ProjectInfo { root: "/new".into(), epoch: after.epoch, ..before })?;
    holds(catalog.find_root("/old")?.is_none(), || "still found by the old root".to_owned())
}

fn names(catalog: &dyn ProjectCatalog) -> Verdict {
    let long = "long".repeat(200);
    let names: Vec<&str> = NAMES.iter().copied().chain([long.as_str()]).collect();
    for name in &names {
        catalog.create(name, &format!("/root of {name}"))?;
        let reserved = catalog.reserve(name)?;
        holds(matches!(reserved, Reservation::Granted(_)), || format!("`{name}` cannot be reserved: {reserved:?}"))?;
    }
    for name in &names {
        equal("name", find(catalog, name)?.info()?.name, (*name).to_owned())?;
    }
    equal("count", catalog.list()?.len(), names.len())?;
    for name in &names {
        equal(name, catalog.delete(name)?, true)?;
    }
    equal("list", catalog.list()?, vec![])
}

fn listed(catalog: &dyn ProjectCatalog) -> Verdict {
    for name in ["b", "C", "a", "索引", "a2", "B"] {
        catalog.create(name, "/root")?;
    }
    equal("list", names_of(&catalog.list()?), vec!["B", "C", "a", "a2", "b", "索引"])
}

fn roots(catalog: &dyn ProjectCatalog) -> Verdict {
    for name in ["c", "a", "b"] {
        catalog.create(name, &format!("/srv/{name}"))?;
    }
    catalog.create("same as b", "/srv/b")?;
    for (root, expected) in [("/srv/a", Some("a")), ("/srv/b", Some("b")), ("/root", None), ("", None)] {
        let found = catalog.find_root(root)?.map(|project| project.info()).transpose()?;
        equal(root, found.map(|info| info.name), expected.map(str::to_owned))?;
    }
    Ok(())
}

fn kept_apart(catalog: &dyn ProjectCatalog) -> Verdict {
    let (left, right) = (catalog.create("left", "/root")?, catalog.create("right", "/root")?);
    left.apply(&update(vec![file("a.py", &["a", "b"])]))?;
    let before = (right.info()?, graph_of(&*right)?);
    right.apply(&update(vec![file("a.py", &["a"])]))?;
    equal("left", left.info()?.nodes, 3)?;
    catalog.delete("right")?;
    equal("left", left.info()?.nodes, 3)?;
    equal("right", before.0.nodes, 0)
}

fn deleted(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = catalog.create("gone", "/root")?;
    project.apply(&update(vec![file("a.py", &["a"])]))?;
    equal("delete", catalog.delete("gone")?, true)?;
    equal("second delete", catalog.delete("gone")?, false)?;
    equal("list", catalog.list()?, vec![])?;
    holds(catalog.find("gone")?.is_none(), || "still found".to_owned())?;
    fails_with("info", ErrorKind::NotFound, project.info())?;
    fails_with("nodes", ErrorKind::NotFound, project.nodes(&mut |_| true))?;
    fails_with("apply", ErrorKind::NotFound, project.apply(&update(vec![file("a.py", &["a"])])))?;
    holds(catalog.find("gone")?.is_none(), || "back again".to_owned())
}

fn reborn(catalog: &dyn ProjectCatalog) -> Verdict {
    let old = catalog.create("reborn", "/root")?;
    old.apply(&update(vec![file("a.py", &["a"])]))?;
    let before = old.info()?;
    catalog.delete("reborn")?;
    let new = catalog.create("reborn", "/root")?;
    equal("nodes", new.info()?.nodes, 0)?;
    holds(new.info()?.epoch != before.epoch, || "the epoch stayed".to_owned())?;
    new.apply(&update(vec![file("b.py", &["b", "c"])]))?;
    equal("the old handle", graph_of(&*old)?, graph_of(&*new)?)
}

fn reservations(catalog: &dyn ProjectCatalog) -> Verdict {
    let first = catalog.reserve("one")?;
    holds(matches!(first, Reservation::Granted(_)), || format!("first: {first:?}"))?;
    let second = catalog.reserve("one")?;
    holds(matches!(second, Reservation::HeldBy(Some(id)) if id == std::process::id()), || {
        format!("second: {second:?}")
    })?;
    let other = catalog.reserve("two")?;
    holds(matches!(other, Reservation::Granted(_)), || format!("other: {other:?}"))?;
    catalog.create("one", "/root")?;
    equal("the holder deletes", catalog.delete("one")?, true)?;
    drop(first);
    let third = catalog.reserve("one")?;
    holds(matches!(third, Reservation::Granted(_)), || format!("third: {third:?}"))
}
