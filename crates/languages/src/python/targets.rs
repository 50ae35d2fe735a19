//! What values are given to: names, members, entries, and lists of them.

use super::lexer::Kind;
use super::{Begin, Parser};
use crate::tree::Below;

impl Parser<'_> {
    /// The targets of a loop.
    pub(super) fn targets(&mut self) -> Option<()> {
        let begin = self.begin();
        let mut is_list = false;
        loop {
            let target = self.begin();
            if self.take(Kind::Star)? {
                self.primary()?;
                self.close(target, self.kinds().list_splat);
            } else {
                self.primary()?;
            }
            self.become_target(target)?;
            if !self.take(Kind::Comma)? {
                break;
            }
            is_list = true;
            if self.is(Kind::In) {
                break;
            }
        }
        if is_list {
            self.close(begin, self.kinds().pattern_list);
        }
        Some(())
    }

    /// Values turn out to be targets: one, or a list of them.
    pub(super) fn become_targets(&mut self, begin: Begin, is_list: bool) -> Option<()> {
        if is_list {
            for at in begin.mark..self.tree.mark() {
                self.become_target_at(at)?;
            }
            self.close(begin, self.kinds().pattern_list);
            return Some(());
        }
        self.become_target(begin)
    }

    fn become_target(&mut self, begin: Begin) -> Option<()> {
        self.only_since(begin)?;
        self.become_target_at(begin.mark)
    }

    fn become_target_at(&mut self, at: usize) -> Option<()> {
        let kinds = self.kinds();
        self.tree.change(at, &mut |node| {
            let (kind, below) = match node.kind {
                kind if kind == kinds.identifier || kind == kinds.attribute || kind == kinds.subscript => {
                    (kind, Below::Not)
                }
                kind if kind == kinds.tuple || kind == kinds.parenthesized => (kinds.tuple_pattern, Below::Too),
                kind if kind == kinds.list => (kinds.list_pattern, Below::Too),
                kind if kind == kinds.list_splat => (kinds.list_splat_pattern, Below::Too),
                _ if node.is_extra() => return Some(Below::Not),
                _ => return None,
            };
            node.kind = kind;
            Some(below)
        })
    }
}
