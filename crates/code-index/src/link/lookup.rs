//! Names to values: members of whatever a value is, and names that no scope of the file binds.

use languages::facts::{DefKind, Name, Term};
use languages::settings::Modules;
use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::ancestry::Ancestry;
use super::evaluate::{Evaluator, Key};
use super::lineages::Inherited;
use super::members::Held;
use super::modules;
use super::program::{Symbol, number};
use super::value::{Kind, Set, Value};

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
        let inherits = matches!(object.kind(), Kind::Object | Kind::Prototype | Kind::Function | Kind::Typed);
        if inherits && out.is_empty() {
            self.inherited_member(object, name, out);
        }
        if object.kind() == Kind::Typed && out.is_empty() {
            out.insert(Value::EXTERNAL);
        }
    }

    /// A member that an object has from those it was told to have the members of.
    fn inherited_member(&mut self, object: Value, name: Symbol, out: &mut Set) {
        let (mut inherited, mut described) = (Set::default(), Set::default());
        self.written_member(object, Key::Inherited, &mut inherited);
        self.written_member(object, Key::Described, &mut described);
        if inherited.is_empty() && described.is_empty() || !self.enter() {
            return;
        }
        for above in inherited.iter().filter(|above| *above != object) {
            self.member(above, name, out);
        }
        let mut descriptions = Set::default();
        for above in described.iter().filter(|above| *above != object) {
            self.member(above, name, &mut descriptions);
        }
        for description in descriptions.iter().filter(|value| value.kind() == Kind::Object) {
            self.member(description, self.known.value, out);
            let mut getters = Set::default();
            self.member(description, self.known.get, &mut getters);
            for getter in getters.iter().filter_map(|value| value.as_kind(Kind::Function)) {
                out.extend(&self.read(getter));
            }
        }
        self.leave();
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
        out.extend(&if declared.is_vague() { assigned } else { assigned.callables() });
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

    /// Methods of a type that stand outside of it.
    pub(super) fn methods_outside(&mut self, owner: u32, name: Symbol) -> SmallVec<[u32; 1]> {
        let key = Key::Method(name);
        if !self.members.is_written(key) {
            return SmallVec::new();
        }
        let node = self.written_node(Value::new(Kind::Type, owner), key);
        self.read(node).iter().filter_map(|method| method.as_kind(Kind::Function)).collect()
    }

    /// The type that a method belongs to, wherever it stands; for code in a type, that type.
    pub(super) fn owner(&mut self, def: u32) -> Option<u32> {
        let program = self.program;
        let mut def = def;
        loop {
            let found = program.def(def);
            match found.kind {
                DefKind::Module | DefKind::Namespace => return None,
                kind if kind.is_type() => return Some(def),
                _ if found.receiver.is_some() => {
                    return self.owners_outside(def).into_iter().max_by_key(|owner| program.order_of_def(*owner));
                }
                _ => {}
            }
            let parent = program.parent(def);
            // `this` of a plain function in a method is not that of the method.
            if found.kind.is_callable() && program.def(parent).kind.is_callable() && found.kind != DefKind::Lambda {
                return None;
            }
            def = parent;
        }
    }

    /// The types that a method which stands outside of them belongs to.
    pub(super) fn owners_outside(&mut self, method: u32) -> SmallVec<[u32; 1]> {
        let unit = self.program.unit_of(method);
        let facts = &self.program.unit(unit).facts;
        match self.program.def(method).receiver.map(|receiver| facts.term(receiver)) {
            Some(Term::Instance(of)) => {
                self.read_term(unit, of).iter().filter_map(|value| value.as_kind(Kind::Type)).collect()
            }
            _ => SmallVec::new(),
        }
    }

    /// What a type inherits, from what it and all that it inherits from say.
    pub(super) fn lineage_of(&mut self, of: u32) -> Inherited {
        let mut ancestry = Ancestry::default();
        let mut waiting = VecDeque::from([of]);
        let mut is_foreign = false;
        while let Some(next) = waiting.pop_front() {
            if ancestry.contains(next) || ancestry.is_full() {
                continue;
            }
            let bases = self.bases(next, &mut is_foreign);
            waiting.extend(&bases);
            ancestry.add(next, bases);
        }
        Inherited { lineage: ancestry.lineage(of).as_slice().into(), is_foreign }
    }

    /// What a type extends and implements, and whether some of that is outside of the project.
    pub(super) fn bases(&mut self, of: u32, is_foreign: &mut bool) -> SmallVec<[u32; 4]> {
        let mut nodes: SmallVec<[u32; 4]> = SmallVec::new();
        let (unit, def) = (self.unit_of_def(of), self.program.def(of));
        nodes.extend(def.bases.iter().chain(&def.interfaces).map(|term| unit.term(*term)));
        if self.members.is_written(Key::Supertype) {
            nodes.push(self.written_node(Value::new(Kind::Type, of), Key::Supertype));
        }
        let own = def.bases.len() + def.interfaces.len();
        let mut bases: SmallVec<[u32; 4]> = SmallVec::new();
        for (index, node) in nodes.into_iter().enumerate() {
            let values = self.read(node);
            *is_foreign |= match index < own {
                true => values.is_foreign(),
                false => values.iter().any(|value| value == Value::EXTERNAL),
            };
            let types =
                values.iter().filter_map(|value| value.as_kind(Kind::Type).or_else(|| value.as_kind(Kind::Function)));
            let mut types: SmallVec<[u32; 4]> = types.collect();
            types.sort_unstable_by_key(|base| self.program.order_of_def(*base));
            for base in types {
                if base != of && !bases.contains(&base) {
                    bases.push(base);
                }
            }
        }
        bases
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

/// Whether a key is the place of an item in a list.
fn is_position(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_digit())
}
