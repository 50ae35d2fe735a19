//! Which language is a file written in?

use languages::{Language, Languages};

fn id_of(path: &str, head: &str) -> Option<&'static str> {
    Languages::builtin().for_file(path, head.as_bytes()).map(Language::id)
}

#[test]
fn every_extension_and_file_name_leads_to_its_language() {
    for language in Languages::builtin().all() {
        for extension in &language.settings().extensions {
            assert_eq!(id_of(&format!("src/some.{extension}"), ""), Some(language.id()), ".{extension}");
        }
        for name in &language.settings().file_names {
            assert_eq!(id_of(&format!("src/{name}"), ""), Some(language.id()), "{name}");
        }
    }
}

#[test]
fn every_program_in_a_first_line_leads_to_its_language() {
    for language in Languages::builtin().all() {
        for program in &language.settings().shebangs {
            assert_eq!(id_of("bin/tool", &format!("#!/usr/bin/env {program}\n")), Some(language.id()), "{program}");
            assert_eq!(id_of("bin/tool", &format!("#!/usr/bin/{program} -x\n")), Some(language.id()), "{program}");
        }
    }
}

#[test]
fn a_version_at_the_end_of_the_program_does_not_matter() {
    assert_eq!(id_of("bin/tool", "#!/usr/bin/env python3.12\n"), Some("python"));
    assert_eq!(id_of("bin/tool", "#!/usr/bin/env -S ruby3 -w\n"), Some("ruby"));
}

#[test]
fn what_says_nothing_about_itself_has_no_language() {
    for (path, head) in [("README", ""), ("bin/tool", "#!/usr/bin/env unheard-of\n"), ("a.unheard-of", ""), ("", "#!")]
    {
        assert_eq!(id_of(path, head), None, "{path} {head}");
    }
}

#[test]
fn an_extension_counts_for_more_than_the_first_line() {
    assert_eq!(id_of("tool.rb", "#!/usr/bin/env python\n"), Some("ruby"));
}

#[test]
fn a_file_to_be_included_is_in_the_language_of_its_first_sign() {
    assert_eq!(id_of("a.inc", "<?php\nnamespace Shop;\nclass Cart {}\n"), Some("php"));
    assert_eq!(id_of("a.inc", "// Tables\n#include \"tables.h\"\n"), Some("cpp"));
    assert_eq!(id_of("a.inc", "// Made by hand.\n\nnamespace shop {\nclass Cart;\n}\n"), Some("cpp"));
    assert_eq!(id_of("a.h", "int total(void);\n"), Some("c"));
    assert_eq!(id_of("a.inc", "{ Pascal }\nconst Size = 4;\n"), None);
}
