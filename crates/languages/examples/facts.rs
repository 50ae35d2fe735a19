//! Prints what one file says: `cargo run -p languages --example facts -- python FILE [--tree]`.

#![expect(clippy::print_stdout, reason = "it is a command for people who write languages")]

use languages::Language;
use languages::facts::{FileFacts, Term, TermId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, file, options @ ..] = arguments.as_slice() else {
        return Err("usage: facts LANGUAGE FILE [--tree]".into());
    };
    let language = Language::load(id).ok_or("no such language")??;
    let source = std::fs::read_to_string(file)?;
    if options.iter().any(|option| option == "--tree") {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(language.grammar())?;
        let tree = parser.parse(&source, None).ok_or("not parsed")?;
        print_tree(tree.root_node(), &source, 0, None);
    }
    print_facts(&language.extract(&source)?);
    Ok(())
}

fn print_tree(node: tree_sitter::Node<'_>, source: &str, depth: usize, field: Option<&str>) {
    let text = if node.child_count() == 0 { format!(" {:?}", &source[node.byte_range()]) } else { String::new() };
    let field = field.map(|field| format!("{field}: ")).unwrap_or_default();
    let kind = if node.is_named() { node.kind().to_owned() } else { format!("{:?}", node.kind()) };
    println!("{:width$}{field}{kind}{text}", "", width = depth * 2);
    let mut cursor = node.walk();
    for (index, child) in node.children(&mut cursor).enumerate() {
        print_tree(child, source, depth + 1, node.field_name_for_child(u32::try_from(index).unwrap_or(0)));
    }
}

fn print_facts(facts: &FileFacts) {
    print_definitions(facts);
    print_names(facts);
    print_calls(facts);
    println!("package {:?}, errors {}", facts.package.map(|name| facts.text(name)), facts.has_errors);
}

fn print_definitions(facts: &FileFacts) {
    for (id, def) in facts.defs.iter().enumerate() {
        let parameters: Vec<String> = def
            .parameters
            .iter()
            .map(|parameter| {
                let declared = parameter.declared.map(|term| format!(": {}", show(facts, term))).unwrap_or_default();
                format!("{}{declared}", facts.text(parameter.name))
            })
            .collect();
        println!(
            "def {id} {:?} {} in {} lines {}-{} own {} ({})",
            def.kind,
            facts.text(def.name),
            def.parent.0,
            def.start_line,
            def.end_line,
            def.own_line,
            parameters.join(", ")
        );
        let list = |label: &str, terms: &[TermId]| {
            if !terms.is_empty() {
                println!(
                    "    {label}: {}",
                    terms.iter().map(|term| show(facts, *term)).collect::<Vec<_>>().join(" | ")
                );
            }
        };
        list("bases", &def.bases);
        list("implements", &def.interfaces);
        list("returns", &def.returns);
        list("yields", &def.yields);
        list("declared", def.declared.as_slice());
        list("receiver", def.receiver.as_slice());
        for member in &def.members {
            let marks =
                [if member.is_static { " (static)" } else { "" }, if member.is_type { " (type)" } else { "" }].concat();
            println!("    member {}{marks} = {}", facts.text(member.name), show(facts, member.value));
        }
        if !def.modifiers.is_empty() || !def.decorators.is_empty() {
            println!(
                "    {:?} {:?}",
                def.modifiers,
                def.decorators.iter().map(|decorator| &decorator.text).collect::<Vec<_>>()
            );
        }
        println!("    signature {:?} doc {:?}", def.signature, def.docstring);
    }
}

fn print_names(facts: &FileFacts) {
    for variable in &facts.variables {
        let values: Vec<String> = variable.values.iter().map(|term| show(facts, *term)).collect();
        let declared = variable.declared.map(|term| format!(": {}", show(facts, term))).unwrap_or_default();
        println!(
            "variable {} in def {}{declared} = {}",
            facts.text(variable.name),
            variable.owner.0,
            values.join(" | ")
        );
    }
    for import in &facts.imports {
        println!(
            "import line {} {:?} {:?} in def {}",
            import.line,
            facts.text(import.module),
            import.kind,
            import.within.0
        );
    }
    for export in &facts.exports {
        println!("export {:?} = {}", export.name.map(|name| facts.text(name)), show(facts, export.value));
    }
}

fn print_calls(facts: &FileFacts) {
    for call in &facts.calls {
        let arguments: Vec<String> = call.arguments.iter().map(|argument| show(facts, argument.value)).collect();
        println!(
            "{:?} line {} in def {}: {} ({})",
            call.kind,
            call.line,
            call.caller.0,
            show(facts, call.callee),
            arguments.join(", ")
        );
    }
    for found in &facts.uses {
        println!("use line {} in def {}: {}", found.line, found.user.0, show(facts, found.value));
    }
    for write in &facts.writes {
        println!(
            "write {} . {:?} = {}",
            show(facts, write.object),
            write.name.map(|name| facts.text(name)),
            show(facts, write.value)
        );
    }
    for implementation in &facts.implementations {
        println!("{} implements {}", show(facts, implementation.of), show(facts, implementation.interface));
    }
}

fn show(facts: &FileFacts, term: TermId) -> String {
    let list =
        |list: u32| facts.lists[list as usize].iter().map(|term| show(facts, *term)).collect::<Vec<_>>().join(", ");
    match facts.term(term) {
        Term::Unknown => "?".to_owned(),
        Term::BuiltIn => "builtin".to_owned(),
        Term::Def(def) => format!("def{}", def.0),
        Term::Variable(variable) => format!("{}'{}", facts.text(facts.variables[variable.index()].name), variable.0),
        Term::Free(name, _) => format!("free:{}", facts.text(name)),
        Term::Import(import) => format!("import{}", import.0),
        Term::Parameter(def, position) => format!("def{}.param{position}", def.0),
        Term::Receiver(def) => format!("def{}.self", def.0),
        Term::Super(def) => format!("def{}.super", def.0),
        Term::Member(object, name) => format!("{}.{}", show(facts, object), facts.text(name)),
        Term::Result(callee) => format!("{}()", show(facts, callee)),
        Term::New(callee) => format!("new {}", show(facts, callee)),
        Term::Instance(of) => format!("<{}>", show(facts, of)),
        Term::Element(of) => format!("{}[*]", show(facts, of)),
        Term::Item(of, name) => format!("{}[{}]", show(facts, of), facts.text(name)),
        Term::Literal(literal) => {
            let items = &facts.literals[literal.index()].items;
            let items: Vec<String> = items
                .iter()
                .map(|item| format!("{}: {}", item.key.map_or("*", |key| facts.text(key)), show(facts, item.value)))
                .collect();
            format!("{{{}}}", items.join(", "))
        }
        Term::Union(of) => format!("({})", list(of).replace(", ", " | ")),
        Term::Generic(base, of) => format!("{}<{}>", show(facts, base), list(of)),
        Term::Decorated(def, applied) => format!("def{} decorated {applied} times", def.0),
        Term::Awaited(of) => format!("await {}", show(facts, of)),
        Term::Taken(of, position) => format!("{} takes {position}", show(facts, of)),
    }
}
