//! What a function without types of its own has to be, from where it stands: `const visit: Visitor = (node, context) => …`.

use crate::tree::Node;

use super::scopes::ScopeKind;
use super::{Extractor, byte, index, line};
use crate::facts::{Def, DefId, DefKind, Name, OVERLOAD, Term, TermId};
use crate::pattern::Match;
use crate::roles::{Part, Role};

impl<'t> Extractor<'_, 't> {
    /// `(node: Node) => Result` as a type: a function that nobody has written.
    pub(super) fn function_type(&mut self, node: Node<'t>, found: &Match<'t>) -> TermId {
        let name = self.intern("<lambda>");
        let def = DefId(index(self.facts.defs.len()));
        let mut signature = Def::new(DefKind::Lambda, name, self.def);
        (signature.start_line, signature.own_line) = (line(node), line(node));
        signature.end_line = index(node.end_row()) + 1;
        (signature.start_byte, signature.end_byte) = (byte(node.start_byte()), byte(node.end_byte()));
        signature.modifiers.push(OVERLOAD.to_owned());
        self.facts.defs.push(signature);
        let outer = std::mem::replace(&mut self.def, def);
        let in_type = std::mem::replace(&mut self.in_type, false);
        self.within(ScopeKind::Function, def, |this| {
            this.parameters(def, found);
            let declared = found.one(Part::Type).map(|declared| this.type_term(declared));
            this.facts.defs[def.index()].declared = declared;
            this.rest(node, found);
        });
        (self.def, self.in_type) = (outer, in_type);
        self.add(Term::Def(def))
    }

    /// Whether it matters for this value what is expected of it.
    fn can_be_expected(&self, node: Node<'t>) -> bool {
        let takes = |role: Role| {
            matches!(
                role,
                Role::Lambda | Role::FunctionValue | Role::Method | Role::Map | Role::List | Role::Same | Role::Cast
            )
        };
        self.language.settings().types.expected && self.role_of(node).is_some_and(|found| takes(found.role))
    }

    /// Notes what the function that calls is given here is expected to be.
    pub(super) fn expect_argument(&mut self, node: Node<'t>, callee: Option<TermId>, position: usize) {
        let callee = callee.filter(|_| self.can_be_expected(node));
        self.expected = callee.map(|callee| self.add(Term::Taken(callee, index(position))));
    }

    /// What a function has to give.
    pub(super) fn expected_result(&mut self, def: DefId, value: Node<'t>) -> Option<TermId> {
        let Def { declared, expected, .. } = *self.facts.def(def);
        if declared.is_some() {
            return declared;
        }
        let expected = expected.filter(|_| self.can_be_expected(value))?;
        let function = self.instance_of(expected);
        Some(self.add(Term::Result(function)))
    }

    /// What an entry has to be, of an object or a list that has to be this.
    pub(super) fn expect_entry(&mut self, node: Node<'t>, of: Option<TermId>, key: Option<Name>) {
        let of = of.filter(|_| self.can_be_expected(node)).map(|of| self.instance_of(of));
        self.expected = of.map(|of| match key {
            Some(key) => self.add(Term::Member(of, key)),
            None => self.add(Term::Element(of)),
        });
    }
}
