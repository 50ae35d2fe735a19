//! Names to values: members of whatever a value is, and names that no scope of the file binds.

use languages::facts::{DefKind, Name, Term};
use languages::settings::Modules;
use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::evaluate::{Evaluator, Key};
use super::members::Held;
use super::modules;
use super::program::{Symbol, number};
use super::value::{Kind, Set, Value};

/// No more objects than this are asked for a member that one has from others.
const MOST_ASKED: usize = 256;

/// Whether a member that others describe counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Described {
    Followed,
    Ignored,
}

/// Literals whose items were looked at already.
type Seen = SmallVec<[u32; 4]>;

impl Evaluator<'_> {
    /// The member of a value.
    pub(super) fn member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        self.look_for(name);
        let mut found = Set::default();
        self.find_member(object, name, &mut found);
        out.extend(&found);
    }

    fn find_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        self.own_member(object, name, out);
        if out.is_empty() && can_inherit(object) {
            self.inherited_member(object, name, Described::Followed, out);
        }
        if object.kind() == Kind::Typed && out.is_empty() {
            out.insert(Value::EXTERNAL);
        }
    }

    /// The member of a value, without those that it was told to have from others.
    fn own_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        match object.kind() {
            Kind::Instance => self.instance_member(object, name, out),
            Kind::Type => self.type_member(object, name, out),
            Kind::Module => {
                let mut seen = FxHashSet::default();
                self.module_member(object.id(), name, &mut seen, out);
            }
            Kind::Package => self.package_member(object.id(), name, out),
            Kind::Object => {
                self.object_member(object.id(), Some(name), &mut SmallVec::new(), out);
                if out.is_empty() && name == self.known.value {
                    self.iterator_value(object, out);
                }
            }
            Kind::Super => self.super_member(object.id(), name, out),
            Kind::Prototype => self.instance_member(Value::new(Kind::Instance, object.id()), name, out),
            Kind::Function | Kind::Unbound => self.function_member(object, name, out),
            Kind::Generator => self.generator_member(object, name, out),
            Kind::Typed if self.is_made_here(object) => {}
            Kind::External | Kind::Typed | Kind::Rest => out.insert(Value::EXTERNAL),
            Kind::Many => out.insert(Value::MANY),
        }
        self.written_member(object, Key::Named(name), out);
        if self.takes_any_key(object, name) {
            self.written_member(object, Key::Any, out);
        }
    }

    /// A member that an object has from those it was told to have the members of. Objects may be told of each other in circles
    /// and in many ways, so each is asked once.
    fn inherited_member(&mut self, object: Value, name: Symbol, described: Described, out: &mut Set) {
        let mut waiting = VecDeque::from([object]);
        let (mut asked, mut asked_for_description) = (FxHashSet::from_iter([object]), FxHashSet::default());
        while let Some(current) = waiting.pop_front() {
            let (mut inherited, mut descriptions) = (Set::default(), Set::default());
            self.written_member(current, Key::Inherited, &mut inherited);
            self.written_member(current, Key::Described, &mut descriptions);
            if current.kind() == Kind::Typed && current != object && inherited.is_empty() && descriptions.is_empty() {
                out.insert(Value::EXTERNAL);
            }
            for above in inherited.iter() {
                if asked.len() >= MOST_ASKED || !asked.insert(above) {
                    continue;
                }
                let mut found = Set::default();
                self.own_member(above, name, &mut found);
                out.extend(&found);
                if found.is_empty() && can_inherit(above) {
                    waiting.push_back(above);
                }
            }
            if described == Described::Followed {
                for above in descriptions.iter().filter(|above| asked_for_description.insert(*above)) {
                    self.described_member(above, name, out);
                }
            }
        }
    }

    /// What an object describes under a name: `{f: {value: g}}`, `{f: {get: g}}`.
    fn described_member(&mut self, of: Value, name: Symbol, out: &mut Set) {
        let mut descriptions = Set::default();
        self.plain_member(of, name, &mut descriptions);
        for description in descriptions.iter().filter(|value| value.kind() == Kind::Object) {
            self.plain_member(description, self.known.value, out);
            let mut getters = Set::default();
            self.plain_member(description, self.known.get, &mut getters);
            for getter in getters.iter().filter_map(|value| value.as_kind(Kind::Function)) {
                out.extend(&self.read(getter));
            }
        }
    }

    /// A member that is not described by others.
    fn plain_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        self.look_for(name);
        let mut found = Set::default();
        self.own_member(object, name, &mut found);
        if found.is_empty() && can_inherit(object) {
            self.inherited_member(object, name, Described::Ignored, &mut found);
        }
        out.extend(&found);
    }

    /// Whether what is written under a computed key may be the member that is read.
    fn takes_any_key(&self, object: Value, name: Symbol) -> bool {
        let is_dynamic = match object.kind() {
            Kind::Object => self.program.unit(self.program.unit_of(object.id())).settings.calls.index_is_member,
            Kind::Typed => self.is_made_here(object) && is_position(self.program.symbols.text(name)),
            _ => false,
        };
        is_dynamic && !self.known.collection_methods.contains(&name)
    }

    /// Whether an object from outside takes any member: in some languages what code of the project makes does.
    fn is_made_here(&self, object: Value) -> bool {
        let Some(term) = object.as_kind(Kind::Typed) else { return false };
        let (unit, term) = self.program.term(term);
        let base = self.program.unit(unit);
        let known = &base.settings.collections;
        base.settings.calls.index_is_member
            && match term {
                Term::New(_) => true,
                Term::Member(_, name) => {
                    let makers = [&known.copy, &known.derive, &known.describe, &known.from, &known.of, &known.map];
                    makers.into_iter().flatten().any(|maker| maker == base.facts.text(name))
                }
                _ => false,
            }
    }

    /// The elements of a list that is written out, where they are read from its iterator: `list.values().next().value`.
    fn iterator_value(&mut self, object: Value, out: &mut Set) {
        let unit = self.program.unit(self.program.unit_of(object.id()));
        let items = &unit.facts.literals[unit.local_literal(object.id()) as usize].items;
        let in_list = |key: Name| is_position(unit.facts.text(key));
        if !items.is_empty() && items.iter().all(|item| item.key.is_none_or(in_list)) {
            self.elements_of(object, None, out);
        }
    }

    /// What is written to a member from outside.
    pub(super) fn written_member(&mut self, object: Value, name: Key, out: &mut Set) {
        let takes_members = match object.kind() {
            Kind::External | Kind::Many => false,
            Kind::Typed => self.is_made_here(object),
            _ => true,
        };
        if takes_members && self.members.is_written(name) {
            let node = self.written_node(object, name);
            let values = self.read(node);
            out.extend(&values);
        }
    }

    fn instance_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        let before = out.len();
        for owner in self.inherited(object.id()).lineage.iter().copied() {
            let found = self.held_by(owner, name, out);
            self.written_member(Value::new(Kind::Prototype, owner), Key::Named(name), out);
            self.written_member(Value::new(Kind::Type, owner), Key::Named(name), out);
            if found || out.len() > before {
                return;
            }
        }
        if self.inherited(object.id()).is_foreign {
            out.insert(Value::EXTERNAL);
        }
    }

    fn type_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        if name == self.known.prototype {
            out.insert(Value::new(Kind::Prototype, object.id()));
            return;
        }
        let before = out.len();
        let is_enum = self.program.def(object.id()).kind == DefKind::Enum;
        for owner in self.inherited(object.id()).lineage.iter().copied() {
            let mut found = Set::default();
            let held = self.held_by(owner, name, &mut found);
            for value in found.iter() {
                out.insert(self.unbound(value, owner));
            }
            if held && is_enum && found.iter().all(|value| value.as_kind(Kind::Function).is_none()) {
                out.insert(Value::new(Kind::Instance, object.id()));
            }
            if owner != object.id() {
                self.written_member(Value::new(Kind::Type, owner), Key::Named(name), out);
            }
            if held || out.len() > before {
                return;
            }
        }
        let settings = self.program.settings_of_def(object.id());
        let is_maker = settings.calls.makers.iter().any(|maker| maker == self.program.symbols.text(name));
        if is_maker {
            out.insert(object);
        } else if self.inherited(object.id()).is_foreign {
            out.insert(Value::EXTERNAL);
        }
    }

    /// A method that is taken from its type has no receiver yet, where the receiver is a parameter.
    fn unbound(&self, value: Value, _owner: u32) -> Value {
        let Some(def) = value.as_kind(Kind::Function) else { return value };
        let settings = self.program.settings_of_def(def);
        let found = self.program.def(def);
        let is_marked = |marks: &[String]| {
            marks
                .iter()
                .any(|mark| found.has_modifier(mark) || found.decorators.iter().any(|known| known.text == *mark))
        };
        let has_receiver = settings.receiver.first_parameter
            && found.kind == DefKind::Method
            && !is_marked(&settings.receiver.none_with)
            && !is_marked(&settings.receiver.type_with);
        if has_receiver { Value::new(Kind::Unbound, def) } else { value }
    }

    /// What a type itself holds under a name.
    fn held_by(&mut self, owner: u32, name: Symbol, out: &mut Set) -> bool {
        let mut held: SmallVec<[Held; 4]> = self.members.held(owner, name).iter().copied().collect();
        held.extend(self.methods_outside(owner, name).iter().copied().map(Held::Method));
        let mut declared = Set::default();
        for found in &held {
            if let Held::InstanceOf(term) = *found {
                let types = self.read(term);
                self.instances(&types, &mut declared);
            }
        }
        // A declared type says more than what is assigned, unless it says nothing.
        let mut assigned = Set::default();
        for found in &held {
            match *found {
                Held::Value(term) => {
                    let values = self.read(term);
                    self.through_getters(&values, &mut assigned);
                }
                Held::InstanceOf(_) => {}
                Held::Method(def) => {
                    self.through_getters(&Set::one(Value::new(Kind::Function, def)), &mut assigned);
                }
            }
        }
        out.extend(&if self.says_little(&declared) { assigned } else { assigned.callables() });
        out.extend(&declared);
        !held.is_empty()
    }

    /// Reading a property gives what its getter returns.
    fn through_getters(&mut self, values: &Set, out: &mut Set) {
        for value in values.iter() {
            match value.as_kind(Kind::Function) {
                Some(def) if self.is_getter(def) => {
                    out.insert(value);
                    out.extend(&self.read(def));
                }
                _ => out.insert(value),
            }
        }
    }

    pub(super) fn is_getter(&self, def: u32) -> bool {
        let getters = &self.program.settings_of_def(def).calls.getters;
        let found = self.program.def(def);
        let is_marked = |mark: &String| {
            let is_it = |text: &str| text == mark || text.rsplit('.').next() == Some(mark);
            found.has_modifier(mark) || found.decorators.iter().any(|decorator| is_it(&decorator.text))
        };
        found.kind == DefKind::Method && getters.iter().any(is_marked)
            || found.kind == DefKind::Function
                && found.receiver.is_some()
                && getters.iter().any(|mark| found.has_modifier(mark))
    }

    pub(super) fn is_setter(&self, def: u32) -> bool {
        let setters = &self.program.settings_of_def(def).calls.setters;
        let found = self.program.def(def);
        setters.iter().any(|mark| found.has_modifier(mark))
            || found.decorators.iter().any(|decorator| decorator.text.ends_with(".setter"))
    }

    fn super_member(&mut self, of: u32, name: Symbol, out: &mut Set) {
        let before = out.len();
        for owner in self.inherited(of).lineage.iter().copied().skip(1) {
            if self.held_by(owner, name, out) || out.len() > before {
                return;
            }
        }
        out.insert(Value::EXTERNAL);
    }

    fn function_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        let known = self.known;
        let is_called =
            [known.call_method, known.apply, known.bind, known.invoke, known.invoke_delegate].contains(&name);
        if name == known.prototype {
            out.insert(Value::new(Kind::Prototype, object.id()));
        } else if is_called {
            out.insert(object);
        } else {
            self.held_by(object.id(), name, out);
            // Where functions are objects of an interface, any of its methods calls them.
            let settings = self.program.settings_of_def(object.id());
            if out.is_empty() && matches!(settings.modules, Modules::Jvm | Modules::Namespaces) {
                out.insert(object);
            }
        }
    }

    pub(super) fn object_member(&mut self, literal: u32, key: Option<Symbol>, seen: &mut Seen, out: &mut Set) {
        if seen.contains(&literal) {
            return;
        }
        seen.push(literal);
        let unit = self.program.unit_of(literal);
        let base = self.program.unit(unit);
        let found = &base.facts.literals[base.local_literal(literal) as usize];
        for item in &found.items {
            let fits = match (key, item.key) {
                (Some(wanted), Some(name)) => base.symbol(name) == wanted,
                _ => true,
            };
            if fits {
                let values = self.read_term(unit, item.value);
                self.through_getters(&values, out);
            }
        }
        for spread in &found.spreads {
            for value in self.read_term(unit, *spread).iter() {
                match (value.kind(), key) {
                    (Kind::Object, _) => self.object_member(value.id(), key, seen, out),
                    (Kind::Module | Kind::Instance, Some(key)) => self.member(value, key, out),
                    _ => {}
                }
            }
        }
    }

    pub(super) fn module_member(&mut self, unit: u32, name: Symbol, seen: &mut FxHashSet<u32>, out: &mut Set) {
        if !seen.insert(unit) {
            return;
        }
        let before = out.len();
        for term in self.modules.exports(unit, name) {
            out.extend(&self.read(*term));
        }
        if let Some(variable) = self.modules.global(unit, name) {
            out.extend(&self.read(variable));
        }
        if out.len() > before {
            return;
        }
        let base = self.program.unit(unit);
        if let Some(module) = self.modules.submodule(base, self.program.symbols.text(name)) {
            out.insert(module);
            return;
        }
        if base.settings.imports.commonjs {
            let mut whole = Set::default();
            self.look_for(self.known.default);
            for term in self.modules.defaults(unit) {
                whole.extend(&self.read(*term));
            }
            for value in whole.iter().filter(|value| *value != Value::new(Kind::Module, unit)) {
                self.member(value, name, out);
            }
        }
        self.wildcard_member(unit, name, seen, out);
    }

    /// A name that one of the unit's wildcard imports brings.
    fn wildcard_member(&mut self, unit: u32, name: Symbol, seen: &mut FxHashSet<u32>, out: &mut Set) {
        let base = self.program.unit(unit);
        if self.program.unit_of(self.reader) != unit {
            self.history.note_wildcard_reader(unit, self.reader);
        }
        for import in base.wildcards() {
            let modules = self.modules.import(unit, number(import));
            if modules.is_empty() && base.settings.scopes.implicit_members {
                let path = base.facts.text(base.facts.imports[import].module);
                for found in self.type_at(unit, path, &base.settings.imports.separator).iter() {
                    self.member(found, name, out);
                }
            }
            for module in modules {
                match module.kind() {
                    Kind::Module => self.module_member(module.id(), name, seen, out),
                    _ => self.member(*module, name, out),
                }
            }
        }
    }

    fn package_member(&mut self, package: u32, name: Symbol, out: &mut Set) {
        let modules = self.modules;
        for held in modules.held(package, name) {
            match *held {
                modules::Held::Variable(variable) => {
                    out.extend(&self.read(variable));
                }
                modules::Held::Package(package) => out.insert(Value::new(Kind::Package, package)),
            }
        }
        if let Some(value) = modules.package_below(package, self.program.symbols.text(name)) {
            out.insert(value);
        }
    }

    /// A name that the file does not bind: a member of the type around, a neighbour, something imported as a whole, or outside.
    pub(super) fn free(&mut self, unit: u32, name: Symbol, def: u32) -> Set {
        self.look_for(name);
        let mut out = Set::default();
        let base = self.program.unit(unit);
        if base.settings.scopes.implicit_members {
            self.implicit_member(def, name, &mut out);
        }
        if out.is_empty() {
            self.neighbour(unit, name, def, &mut out);
        }
        if out.is_empty() {
            let mut seen = FxHashSet::default();
            self.wildcard_member(unit, name, &mut seen, &mut out);
        }
        if out.is_empty() {
            out.insert(Value::EXTERNAL);
        }
        out
    }

    fn implicit_member(&mut self, def: u32, name: Symbol, out: &mut Set) {
        let mut def = def;
        loop {
            if let Some(owner) = self.owner(def) {
                let mut found = Set::default();
                self.instance_member(Value::new(Kind::Instance, owner), name, &mut found);
                found.iter().filter(|value| *value != Value::EXTERNAL).for_each(|value| out.insert(value));
                if !out.is_empty() {
                    return;
                }
                def = owner;
            }
            if self.program.def(def).kind == DefKind::Module {
                return;
            }
            def = self.program.parent(def);
        }
    }

    /// A name of the same package or namespace, or of one around it.
    fn neighbour(&mut self, unit: u32, name: Symbol, def: u32, out: &mut Set) {
        let base = self.program.unit(unit);
        if matches!(base.settings.modules, Modules::Python | Modules::File) {
            return;
        }
        let mut package = Some(self.package_around(def));
        if base.settings.modules == Modules::Rust && self.rust_path(unit, name, package, out) {
            return;
        }
        while let Some(current) = package {
            self.package_member(current, name, out);
            if !out.is_empty() || matches!(base.settings.modules, Modules::Go | Modules::Jvm | Modules::Rust) {
                break;
            }
            package = self.modules.package_above(current);
        }
        let root =
            self.modules.find_package("jvm", "").filter(|_| base.settings.modules == Modules::Jvm && out.is_empty());
        if let Some(root) = root {
            self.package_member(root, name, out);
        }
        if out.is_empty() && base.settings.modules == Modules::Rust {
            let text = self.program.symbols.text(name);
            out_insert(out, self.modules.find_package("rs", text).map(|package| Value::new(Kind::Package, package)));
        }
    }

    /// `crate`, `self` and `super` at the beginning of a path.
    fn rust_path(&mut self, unit: u32, name: Symbol, package: Option<u32>, out: &mut Set) -> bool {
        let known = self.known;
        let found = if name == known.crate_root {
            self.modules.crate_root(self.program.unit(unit))
        } else if name == known.own_module {
            package
        } else if name == known.module_above {
            package.and_then(|package| self.modules.package_above(package))
        } else {
            return false;
        };
        out_insert(out, found.map(|package| Value::new(Kind::Package, package)));
        true
    }

    fn package_around(&self, def: u32) -> u32 {
        let mut def = def;
        loop {
            if let Some(package) = self.modules.package_of_namespace(def) {
                return package;
            }
            if self.program.def(def).kind == DefKind::Module {
                return self.modules.package_of(self.program.unit_of(def));
            }
            def = self.program.parent(def);
        }
    }
}

fn out_insert(out: &mut Set, value: Option<Value>) {
    if let Some(value) = value {
        out.insert(value);
    }
}

fn can_inherit(object: Value) -> bool {
    matches!(object.kind(), Kind::Object | Kind::Prototype | Kind::Function | Kind::Typed)
}

/// Whether a key is the place of an item in a list.
fn is_position(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_digit())
}
