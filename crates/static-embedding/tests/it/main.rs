//! A real model from a package registry, and folders that hold none. `cargo xtask test` names the folder of the real one in
//! `TRAILMARK_TEST_MODEL`.

use std::fs;
use std::path::PathBuf;

use search::embed::Embedder as _;
use static_embedding::ModelFolder;

#[cfg(feature = "model-tests")]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
fn model() -> ModelFolder {
    let folder = std::env::var_os("TRAILMARK_TEST_MODEL").expect("TRAILMARK_TEST_MODEL names the folder of a model");
    ModelFolder::new(&PathBuf::from(folder)).unwrap()
}

#[cfg(feature = "model-tests")]
#[test]
fn texts_about_the_same_are_near() {
    let texts = ["how do I log in a user", "authenticateUser(password)", "drawing a chart of prices"];
    let vectors = model().embed(&texts.map(str::to_owned)).unwrap();
    let (same, other) = (vectors[0].nearness(&vectors[1]), vectors[0].nearness(&vectors[2]));
    assert!(same > other + 0.1, "{same} {other}");
    assert_eq!(model().dimensions(), Some(vectors[0].dimensions()));
}

#[cfg(feature = "model-tests")]
#[test]
fn any_text_has_a_vector() {
    let model = model();
    for text in ["", " \n", "索引", "\u{0}", &"word ".repeat(50_000)] {
        assert_eq!(model.embed(&[text.to_owned()]).unwrap().len(), 1);
    }
}

#[test]
fn a_folder_without_a_model_is_refused_and_one_with_a_broken_model_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let error = ModelFolder::new(folder.path()).unwrap_err();
    assert_eq!(error.file, "model.safetensors");
    assert!(ModelFolder::new(&PathBuf::from("/not/there")).is_err());
    fs::write(folder.path().join("model.safetensors"), "nothing").unwrap();
    fs::write(folder.path().join("tokenizer.json"), "{}").unwrap();
    let model = ModelFolder::new(folder.path()).unwrap();
    let error = model.embed(&["a".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("model.safetensors is no model"), "{error}");
    assert_eq!(model.dimensions(), None);
}
