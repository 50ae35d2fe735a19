//! What a term may stand for, and small sets of it.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::program::number;

/// A possible value, packed: what it is, and of which definition, file, package or literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Value(u32);

const SHIFT: u32 = 28;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// A function, or a method with its receiver.
    Function = 0,
    /// A method without its receiver, taken from its type.
    Unbound = 1,
    Type = 2,
    /// An instance of a type, or of a function that is used as one.
    Instance = 3,
    /// A file as a module.
    Module = 4,
    /// A package or namespace, which may span files.
    Package = 5,
    /// A list, map or object that is written out.
    Object = 6,
    /// Something from outside of the project.
    External = 7,
    /// A type from outside whose arguments are known, or an instance of it.
    Typed = 8,
    /// What instances of a function have in common; also any type below one that is declared.
    Prototype = 9,
    /// What a type inherits.
    Super = 10,
    /// The collection of all further arguments.
    Rest = 11,
    /// What a generator function gives.
    Generator = 12,
    /// Too many to say.
    Many = 13,
}

impl Value {
    pub(super) const EXTERNAL: Self = Self((Kind::External as u32) << SHIFT);
    pub(super) const MANY: Self = Self((Kind::Many as u32) << SHIFT);

    pub(super) fn new(kind: Kind, id: u32) -> Self {
        debug_assert!(id < 1 << SHIFT, "a project has fewer than 268 million terms");
        Self(((kind as u32) << SHIFT) | id)
    }

    pub(super) fn kind(self) -> Kind {
        match self.0 >> SHIFT {
            0 => Kind::Function,
            1 => Kind::Unbound,
            2 => Kind::Type,
            3 => Kind::Instance,
            4 => Kind::Module,
            5 => Kind::Package,
            6 => Kind::Object,
            7 => Kind::External,
            8 => Kind::Typed,
            9 => Kind::Prototype,
            10 => Kind::Super,
            11 => Kind::Rest,
            12 => Kind::Generator,
            _ => Kind::Many,
        }
    }

    pub(super) fn id(self) -> u32 {
        self.0 & ((1 << SHIFT) - 1)
    }

    pub(super) fn as_kind(self, kind: Kind) -> Option<u32> {
        (self.kind() == kind).then(|| self.id())
    }
}

/// More possible values than this are as good as none.
const MOST: usize = 16;

/// A sorted set of values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Set(SmallVec<[Value; 4]>);

impl Set {
    pub(super) fn one(value: Value) -> Self {
        let mut set = Self::default();
        set.insert(value);
        set
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        self.0.iter().copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has been given up.
    pub(super) fn is_too_many(&self) -> bool {
        self.0.first() == Some(&Value::MANY)
    }

    /// The functions in it.
    pub(super) fn callables(&self) -> Self {
        self.iter().filter(|value| matches!(value.kind(), Kind::Function | Kind::Unbound)).collect()
    }

    /// Whether it says nothing that could be followed.
    pub(super) fn is_vague(&self) -> bool {
        self.0.iter().all(|value| matches!(value.kind(), Kind::External | Kind::Many))
    }

    /// Whether nothing in it belongs to the project.
    pub(super) fn is_foreign(&self) -> bool {
        self.0.iter().all(|value| matches!(value.kind(), Kind::External | Kind::Typed | Kind::Many))
    }

    /// Too many and anything else are too many, in whatever order they come.
    pub(super) fn insert(&mut self, value: Value) {
        if self.is_too_many() {
            return;
        }
        if value == Value::MANY {
            self.0.clear();
        }
        if let Err(at) = self.0.binary_search(&value) {
            if self.0.len() >= MOST {
                self.0.clear();
                self.0.push(Value::MANY);
            } else {
                self.0.insert(at, value);
            }
        }
    }

    pub(super) fn extend(&mut self, other: &Self) {
        for value in other.iter() {
            self.insert(value);
        }
    }
}

/// A set that is kept once: equal sets have equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(pub(super) u32);

/// The kind that stands for a set of several.
const SEVERAL: u32 = 15 << SHIFT;

impl SetId {
    /// Also what nodes have before they are looked at, of whatever kind they are.
    pub(super) const EMPTY: Self = Self(u32::MAX);
}

/// All sets of more than one value.
#[derive(Debug, Default)]
pub(super) struct Pool {
    sets: Vec<Arc<[Value]>>,
    ids: FxHashMap<Arc<[Value]>, u32>,
}

impl Pool {
    pub(super) fn keep(&mut self, set: &Set) -> SetId {
        match set.0.as_slice() {
            [] => SetId::EMPTY,
            [one] => SetId(one.0),
            several => SetId(SEVERAL | self.number(several)),
        }
    }

    fn number(&mut self, values: &[Value]) -> u32 {
        if let Some(known) = self.ids.get(values) {
            return *known;
        }
        let id = number(self.sets.len());
        let values: Arc<[Value]> = values.into();
        self.sets.push(Arc::clone(&values));
        self.ids.insert(values, id);
        id
    }

    pub(super) fn get(&self, id: SetId) -> Set {
        match id {
            SetId::EMPTY => Set::default(),
            SetId(several) if several & SEVERAL == SEVERAL => {
                Set(SmallVec::from_slice(&self.sets[(several & !SEVERAL) as usize]))
            }
            SetId(one) => Set(SmallVec::from_slice(&[Value(one)])),
        }
    }
}

impl FromIterator<Value> for Set {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut set = Self::default();
        for value in values {
            set.insert(value);
        }
        set
    }
}
