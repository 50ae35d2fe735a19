//! How do programmers shorten words?

use search::stem;

/// A word of prose and its short forms in code.
const SHORT_FORMS: &[(&str, &[&str])] = &[
    ("administrator", &["admin"]),
    ("allocate", &["alloc"]),
    ("allocation", &["alloc"]),
    ("application", &["app"]),
    ("argument", &["arg", "args"]),
    ("asynchronous", &["async"]),
    ("attribute", &["attr"]),
    ("authentication", &["auth"]),
    ("authorization", &["auth"]),
    ("boolean", &["bool"]),
    ("buffer", &["buf"]),
    ("calculate", &["calc"]),
    ("certificate", &["cert"]),
    ("character", &["char"]),
    ("column", &["col"]),
    ("command", &["cmd"]),
    ("configuration", &["config", "conf", "cfg"]),
    ("configure", &["config", "conf"]),
    ("connection", &["conn"]),
    ("context", &["ctx"]),
    ("coordinate", &["coord"]),
    ("database", &["db"]),
    ("declaration", &["decl"]),
    ("definition", &["def"]),
    ("description", &["desc"]),
    ("deserialization", &["de"]),
    ("destination", &["dest", "dst"]),
    ("dictionary", &["dict"]),
    ("directory", &["dir"]),
    ("document", &["doc"]),
    ("documentation", &["doc"]),
    ("element", &["elem"]),
    ("environment", &["env"]),
    ("error", &["err"]),
    ("evaluate", &["eval"]),
    ("execute", &["exec"]),
    ("expression", &["expr"]),
    ("extension", &["ext"]),
    ("format", &["fmt"]),
    ("function", &["func", "fn"]),
    ("generate", &["gen"]),
    ("identifier", &["id", "ident"]),
    ("implementation", &["impl", "impls"]),
    ("information", &["info"]),
    ("initialize", &["init"]),
    ("initialization", &["init"]),
    ("integer", &["int"]),
    ("interface", &["iface"]),
    ("language", &["lang"]),
    ("length", &["len"]),
    ("library", &["lib"]),
    ("maximum", &["max"]),
    ("memory", &["mem"]),
    ("message", &["msg"]),
    ("minimum", &["min"]),
    ("number", &["num"]),
    ("object", &["obj"]),
    ("operation", &["op", "ops"]),
    ("operator", &["op"]),
    ("option", &["opt"]),
    ("package", &["pkg"]),
    ("parameter", &["param"]),
    ("password", &["passwd"]),
    ("pointer", &["ptr"]),
    ("position", &["pos"]),
    ("preference", &["pref"]),
    ("previous", &["prev"]),
    ("process", &["proc"]),
    ("property", &["prop"]),
    ("reference", &["ref"]),
    ("regular", &["regex"]),
    ("repository", &["repo"]),
    ("request", &["req"]),
    ("response", &["resp", "res"]),
    ("sequence", &["seq"]),
    ("serialization", &["ser"]),
    ("signature", &["sig"]),
    ("source", &["src"]),
    ("specification", &["spec"]),
    ("statement", &["stmt"]),
    ("statistic", &["stat"]),
    ("string", &["str"]),
    ("synchronization", &["sync"]),
    ("synchronize", &["sync"]),
    ("temporary", &["tmp", "temp"]),
    ("timestamp", &["ts"]),
    ("token", &["tok"]),
    ("transaction", &["tx"]),
    ("utility", &["util"]),
    ("value", &["val"]),
    ("variable", &["var"]),
    ("vector", &["vec"]),
    ("version", &["ver"]),
    ("window", &["win"]),
];

/// The other forms of a word, which is given as it is indexed.
pub(crate) fn other_forms(word: &str) -> impl Iterator<Item = &'static str> {
    let is_long = |long: &str| stem(long) == word;
    let short = SHORT_FORMS.iter().filter(move |(long, _)| is_long(long)).flat_map(|(_, short)| short.iter().copied());
    short.map(stem).filter(move |form| *form != word).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_have_short_forms() {
        let forms = |word: &str| other_forms(stem(word)).collect::<Vec<_>>();
        assert_eq!(forms("utilities"), ["util"]);
        assert_eq!(forms("directory"), ["dir"]);
        assert!(forms("configuration").contains(&"config"));
        assert_eq!(forms("basket"), [""; 0]);
    }
}
