"""Which definition does a call in a Python project mean, where its text alone decides that?

Decided are calls of names that are imported, defined or built in, of attributes of modules and classes, and of methods of
`self`, `cls`, `super()`, `Class()` and of variables that are `Class()` and nothing else, through the class hierarchy. Everything
else (parameters, attributes of unknown objects, names with several meanings) is left undecided. Only the standard library is used.
"""
import ast
import builtins
import os
from collections import defaultdict

EXTERNAL = ("external",)
UNKNOWN = ("unknown",)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Tuple, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)
PROPERTIES = {"property", "cached_property", "classproperty", "abstractproperty"}
ON_CLASSES = {"__new__", "__init_subclass__", "__class_getitem__"}
NOT_OWN_CODE = {".git", ".tox", ".venv", "venv", "node_modules", "__pycache__", "build", "dist"}
BUILTINS = set(dir(builtins))
DEEPEST = 40


class Scope:
    """A module, class or function: what its names are bound to, each as (how, value)."""

    def __init__(self, kind, node, module, parent):
        self.kind, self.node, self.module, self.parent = kind, node, module, parent
        self.bindings, self.stars = defaultdict(list), []
        self.owner = None


class Definition:
    """A function or class, and where it is."""

    def __init__(self, node, module, scope):
        self.node, self.module, self.scope = node, module, scope
        self.name, self.key = node.name, (module.path, node.lineno)
        self.is_class = isinstance(node, ast.ClassDef)
        self.bases, self.subclasses, self.own, self.set_on_self = None, [], None, set()

    def decorators(self):
        return {last_name(decorator) for decorator in self.node.decorator_list}

    def is_property(self):
        return bool(self.decorators() & PROPERTIES)


class Module:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tree = ast.parse(text)
        self.folder = os.path.dirname(path)
        self.is_package = os.path.basename(path) == "__init__.py"
        self.scope, self.changed_globals = None, set()


def last_name(expression):
    if isinstance(expression, ast.Call):
        return last_name(expression.func)
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else None


class Project:
    def __init__(self, root):
        self.modules, self.by_name, self.tops = {}, defaultdict(dict), set()
        self.definitions, self.scopes, self.resolving = {}, {}, set()
        self.mros, self.overrides = {}, {}
        for path, text in python_files(root):
            try:
                self.modules[path] = Module(path, text)
            except (SyntaxError, ValueError, RecursionError):
                continue
        for module in self.modules.values():
            source_root, name = self.dotted(module)
            self.by_name[name][source_root] = module
            module.source_root = source_root
            self.tops.add(name.split(".")[0])
        for module in self.modules.values():
            module.scope = self.read_scope("module", module.tree, module, None)
            for name in module.changed_globals:
                module.scope.bindings[name].append(("other", None))
        self.link_hierarchy()

    def dotted(self, module):
        """The folder that an absolute import starts from, and the module's name seen from there."""
        parts = [] if module.is_package else [os.path.basename(module.path)[:-3]]
        folder = module.folder
        while folder and os.path.join(folder, "__init__.py") in self.modules:
            parts.insert(0, os.path.basename(folder))
            folder = os.path.dirname(folder)
        return folder, ".".join(parts)

    # ------------------------------------------------------------ what each scope binds

    def read_scope(self, kind, node, module, parent):
        scope = Scope(kind, node, module, parent)
        self.scopes[id(node)] = scope
        if kind == "function":
            self.bind_parameters(scope)
        body = node.body if isinstance(node.body, list) else [node.body]
        for statement in body:
            self.bind(statement, scope)
        return scope

    def bind_parameters(self, scope):
        arguments = scope.node.args
        given = [*arguments.posonlyargs, *arguments.args]
        for argument in [*given, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
            if argument is not None:
                scope.bindings[argument.arg].append(("other", None))
        decorators = {last_name(d) for d in getattr(scope.node, "decorator_list", [])}
        if given and scope.parent.kind == "class" and "staticmethod" not in decorators:
            on_class = "classmethod" in decorators or getattr(scope.node, "name", "") in ON_CLASSES
            scope.bindings[given[0].arg] = [("self", ("class" if on_class else "instance", scope.parent.owner))]

    def bind(self, node, scope):
        if isinstance(node, DEFINITIONS):
            self.bind_definition(node, scope)
            return
        if isinstance(node, ast.Lambda):
            self.read_scope("function", node, scope.module, scope)
            return
        if isinstance(node, ast.Import):
            for alias in node.names:
                target = alias.name if alias.asname else alias.name.split(".")[0]
                scope.bindings[alias.asname or target].append(("import", (target, None, 0)))
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*":
                    scope.stars.append((node.module or "", node.level))
                else:
                    origin = (node.module or "", alias.name, node.level)
                    scope.bindings[alias.asname or alias.name].append(("import", origin))
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            scope.bindings[node.targets[0].id].append(("value", node.value))
        elif isinstance(node, ast.Global):
            scope.module.changed_globals.update(node.names)
            for name in node.names:
                scope.bindings[name].append(("other", None))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            scope.bindings[node.id].append(("other", None))
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            scope.bindings[node.name].append(("other", None))
        self.remember_attribute(node, scope)
        for child in ast.iter_child_nodes(node):
            if isinstance(node, ast.Assign) and child in node.targets and isinstance(child, ast.Name) and len(node.targets) == 1:
                continue
            self.bind(child, scope)

    def bind_definition(self, node, scope):
        definition = Definition(node, scope.module, scope)
        self.definitions[definition.key] = definition
        scope.bindings[node.name].append(("definition", definition))
        outside = [*node.decorator_list]
        if definition.is_class:
            outside += [*node.bases, *(keyword.value for keyword in node.keywords)]
        else:
            outside += [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        for expression in outside:
            self.bind(expression, scope)
        kind = "class" if definition.is_class else "function"
        inner = Scope(kind, node, scope.module, scope)
        inner.owner = definition
        self.scopes[id(node)] = inner
        definition.own = inner
        if not definition.is_class:
            self.bind_parameters(inner)
        for statement in node.body:
            self.bind(statement, inner)

    def remember_attribute(self, node, scope):
        """`self.name = …` hides a method of that name."""
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            for outer in function_scopes(scope):
                how = outer.bindings.get(node.value.id, [("other", None)])[0]
                if how[0] == "self":
                    how[1][1].set_on_self.add(node.attr)

    def link_hierarchy(self):
        for definition in list(self.definitions.values()):
            if definition.is_class:
                for base in self.bases(definition):
                    if base[0] == "class":
                        base[1].subclasses.append(definition)

    # ------------------------------------------------------------ what a name means

    def lookup(self, name, scope):
        innermost = True
        while scope is not None:
            visible = scope.kind != "class" or innermost
            if visible and scope.bindings.get(name):
                return self.meaning(name, scope)
            if scope.kind == "module":
                return self.lookup_star(name, scope)
            innermost, scope = False, scope.parent
        return UNKNOWN

    def lookup_star(self, name, scope):
        for origin, level in scope.stars:
            module = self.find_module(origin, level, scope.module)
            if module[0] != "module":
                return UNKNOWN
            found = self.member(module[1], name)
            if found != UNKNOWN and not name.startswith("_"):
                return found
        return EXTERNAL if name in BUILTINS else UNKNOWN

    def meaning(self, name, scope):
        """The one thing that all bindings of the name in this scope mean."""
        key = (id(scope), name)
        if key in self.resolving or len(self.resolving) > DEEPEST:
            return UNKNOWN
        self.resolving.add(key)
        try:
            found = []
            for how, value in scope.bindings[name]:
                if how == "value" and isinstance(value, ast.Constant) and value.value is None:
                    continue
                meant = self.bound(how, value, scope)
                if meant not in found:
                    found.append(meant)
            return found[0] if len(found) == 1 else UNKNOWN
        finally:
            self.resolving.discard(key)

    def bound(self, how, value, scope):
        if how == "definition":
            return ("class" if value.is_class else "function", value)
        if how == "self":
            return value
        if how == "value":
            meant = self.value(value, scope)
            return meant if isinstance(value, (ast.Name, ast.Attribute)) or meant[0] == "instance" else UNKNOWN
        if how == "import":
            origin, name, level = value
            module = self.find_module(origin, level, scope.module)
            if name is None or module[0] != "module":
                return module
            return self.member(module[1], name)
        return UNKNOWN

    def member(self, module, name):
        if module.scope is None:
            return UNKNOWN
        if module.scope.bindings.get(name):
            return self.meaning(name, module.scope)
        if module.is_package:
            below = self.at_path(os.path.join(module.folder, name))
            if below:
                return ("module", below)
        key = (id(module.scope), "*" + name)
        if not module.scope.stars or key in self.resolving:
            return UNKNOWN
        self.resolving.add(key)
        try:
            found = self.lookup_star(name, module.scope)
            return found if found != EXTERNAL else UNKNOWN
        finally:
            self.resolving.discard(key)

    def at_path(self, path):
        return self.modules.get(path + ".py") or self.modules.get(os.path.join(path, "__init__.py"))

    def find_module(self, name, level, importer):
        if level:
            folder = importer.folder
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            path = os.path.join(folder, *name.split(".")) if name else folder
            found = self.at_path(path) if name else self.modules.get(os.path.join(folder, "__init__.py"))
            return ("module", found) if found else UNKNOWN
        found = self.by_name.get(name, {})
        if importer.source_root in found:
            return ("module", found[importer.source_root])
        # What lies beside a script elsewhere cannot be imported from here.
        others = [module for module in found.values() if module.is_package or "." in name]
        if len(others) == 1:
            return ("module", others[0])
        reachable = {top for top in self.tops if self.is_reachable(top, importer)}
        return UNKNOWN if others or name.split(".")[0] in reachable else EXTERNAL

    def is_reachable(self, top, importer):
        found = self.by_name.get(top, {})
        return not found or importer.source_root in found or any(module.is_package for module in found.values())

    # ------------------------------------------------------------ what an expression is

    def value(self, node, scope):
        if isinstance(node, ast.Name):
            return self.lookup(node.id, scope)
        if isinstance(node, ast.Attribute):
            return self.attribute(self.value(node.value, scope), node.attr)[0]
        if isinstance(node, LITERALS):
            return EXTERNAL
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "super" and self.lookup("super", scope) == EXTERNAL:
                return self.super_of(scope)
            called = self.value(node.func, scope)
            return ("instance", called[1]) if called[0] == "class" else UNKNOWN
        return UNKNOWN

    def super_of(self, scope):
        for outer in function_scopes(scope):
            if outer.parent is not None and outer.parent.kind == "class":
                return ("super", outer.parent.owner)
        return UNKNOWN

    def attribute(self, value, name):
        """What it is, and every definition that it may be as well: those that override it."""
        kind = value[0]
        if kind == "external":
            return EXTERNAL, set()
        if kind == "module":
            return self.member(value[1], name), set()
        if kind not in ("class", "instance", "super"):
            return UNKNOWN, set()
        mro = self.mro(value[1])
        found = self.in_hierarchy(mro[1:] if kind == "super" else mro, name)
        key = (kind, value[1].key, name)
        if key not in self.overrides:
            others = self.all_above if kind == "super" else self.overriding
            self.overrides[key] = others(value[1], name)
        return found, self.overrides[key]

    def in_hierarchy(self, mro, name):
        is_past_external = False
        for entry in mro:
            if entry == UNKNOWN:
                return UNKNOWN
            if entry == EXTERNAL:
                is_past_external = True
                continue
            if name in entry.set_on_self:
                return UNKNOWN
            if entry.own.bindings.get(name):
                found = self.meaning(name, entry.own)
                is_decided = found[0] in ("function", "class") and not found[1].is_property()
                return found if is_decided and not is_past_external else UNKNOWN
            if entry.own.bindings.get("__getattr__"):
                return UNKNOWN
        return EXTERNAL if is_past_external else UNKNOWN

    def overriding(self, owner, name):
        found = set()
        for below in self.all_below(owner):
            found.update(value.key for how, value in below.own.bindings.get(name, []) if how == "definition")
            meant = self.in_hierarchy(self.mro(below), name)
            found.update([meant[1].key] if len(meant) > 1 else [])
        return found

    def all_above(self, owner, name):
        """With several bases, what comes next depends on the class of the object."""
        family = [owner, *self.all_below(owner)]
        above = {entry for below in family for entry in self.mro(below) if isinstance(entry, Definition)}
        bindings = (binding for entry in above for binding in entry.own.bindings.get(name, []))
        return {value.key for how, value in bindings if how == "definition"}

    def all_below(self, owner):
        found, waiting = {}, list(owner.subclasses)
        while waiting:
            below = waiting.pop()
            if below.key not in found:
                found[below.key] = below
                waiting += below.subclasses
        return found.values()

    def bases(self, owner):
        if owner.bases is None:
            owner.bases = [UNKNOWN]
            found = []
            for base in owner.node.bases:
                base = base.value if isinstance(base, ast.Subscript) else base
                value = self.value(base, owner.scope)
                found.append(value if value[0] in ("class", "external") else UNKNOWN)
            owner.bases = found
        return owner.bases

    def mro(self, owner, above=()):
        if owner.key in above:
            return [UNKNOWN]
        if owner.key in self.mros:
            return self.mros[owner.key]
        lines = []
        for base in self.bases(owner):
            lines.append(self.mro(base[1], (*above, owner.key)) if base[0] == "class" else [base])
        heads = [line[0] for line in lines]
        line = [owner, *merge([*lines, heads])]
        if not above:
            self.mros[owner.key] = line
        return line


    # ------------------------------------------------------------ every call

    def calls(self, module):
        """Each call that is written with a name: the name, what is called, and what may be called as well."""
        waiting = [(module.tree, module.scope)]
        while waiting:
            node, scope = waiting.pop()
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node.func.id, self.lookup(node.func.id, scope), set()
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                found, others = self.attribute(self.value(node.func.value, scope), node.func.attr)
                yield node.func.attr, found, others
            if isinstance(node, DEFINITIONS):
                yield from self.bare_decorators(node, scope)
            waiting += ((child, self.scope_of(node, child, scope)) for child in ast.iter_child_nodes(node))

    def bare_decorators(self, node, scope):
        """Applying a decorator calls it, though it does not look like a call."""
        for decorator in node.decorator_list:
            found = self.value(decorator, scope) if isinstance(decorator, (ast.Name, ast.Attribute)) else UNKNOWN
            if found[0] in ("class", "function"):
                yield None, UNKNOWN, {found[1].key}

    def scope_of(self, node, child, scope):
        if isinstance(node, DEFINITIONS) and child in node.body:
            return self.scopes[id(node)]
        return self.scopes[id(node)] if isinstance(node, ast.Lambda) and child is node.body else scope


def merge(lines):
    """The C3 linearisation; where there is none, or where bases are unknown, the order of appearance."""
    merged = []
    lines = [line for line in lines if line]
    while lines:
        head = next((l[0] for l in lines if not any(l[0] in other[1:] for other in lines)), lines[0][0])
        merged.append(head)
        lines = [rest for rest in ([e for e in line if e != head] for line in lines) if rest]
    return merged


def function_scopes(scope):
    while scope is not None:
        if scope.kind == "function":
            yield scope
        scope = scope.parent


def python_files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in NOT_OWN_CODE and not f.startswith("."))
        for name in sorted(files):
            path = os.path.join(folder, name)
            if not name.endswith(".py") or os.path.islink(path):
                continue
            try:
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, root).replace(os.sep, "/"), file.read()
            except UnicodeDecodeError:
                continue
