//! Under which name a folder is indexed.

use code_index::{IndexError, IndexRequest};

use crate::workbench::Workbench;

fn request(bench: &Workbench, root: &str, project: Option<&str>) -> IndexRequest {
    IndexRequest { root: bench.path(root), project: project.map(str::to_owned), force: false }
}

#[test]
fn a_project_has_the_name_of_its_folder_and_a_hash_where_that_is_taken() {
    let bench = Workbench::new(&[("one/shop/a.py", ""), ("two/shop/b.py", "")]);
    let index = |root| bench.indexer.index(&request(&bench, root, None), &()).unwrap().project;
    assert_eq!(index("one/shop"), "shop");
    let second = index("two/shop");
    let hash = second.strip_prefix("shop__").unwrap();
    assert!(hash.len() == 8 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{second}");
    assert_eq!(index("one/shop"), "shop");
    assert_eq!(index("two/shop/../shop"), second);
}

#[test]
fn a_name_that_another_root_has_is_refused() {
    let bench = Workbench::new(&[("one/a.py", ""), ("two/b.py", "")]);
    let index = |root, name| bench.indexer.index(&request(&bench, root, Some(name)), &());
    index("one", "shop").unwrap();
    let error = index("two", "shop").unwrap_err();
    assert!(matches!(&error, IndexError::NameIsTaken { name, .. } if name == "shop"), "{error}");
    assert!(matches!(index("two", " ").unwrap_err(), IndexError::NameIsEmpty));
    assert_eq!(bench.indexer.index(&request(&bench, "one", None), &()).unwrap().project, "shop");
}

#[test]
fn what_is_no_folder_is_refused() {
    let bench = Workbench::new(&[("a.py", "")]);
    let index = |root| bench.indexer.index(&request(&bench, root, None), &()).unwrap_err();
    assert!(matches!(index("a.py"), IndexError::RootIsNoFolder { .. }));
    assert!(matches!(index("missing"), IndexError::RootUnreadable { .. }));
}
