#!/usr/bin/env python3
"""Which files of a Python project call a given function, method or class: a code graph and grep beside the truth.

  caller_files.py --tree DIR --pred EDGES.jsonl [--package FOLDER] [--json OUT.json] [--show N]

EDGES.jsonl: one [caller file, caller line, called file, called line] per line, as `trailmark calls --format lines` prints them.

by definition  A pair is (calling file, definition). The truth comes from `python_oracle.py`: right is what a call in that file
               means where that is decided; wrong is another definition of a name that the file calls, where every such call is
               decided. Other pairs are not scored: a call of that name may mean it, or it is called through a value.
               grep cannot tell namesakes apart, so it answers with all of them.
by name        A pair is (calling file, called name), and every call of a name that the package defines counts, whatever it
               means: `super()` counts where the package has a function `super`. Reading a property counts too. This is how
               code-graph-rag counts (on Django's package `django` 0.957; calls by grep 0.789, names by grep 0.506). It rewards
               guesses by name. With --package, only the files in that folder count.
"""
import argparse
import ast
import json
import re
from collections import defaultdict

from python_oracle import Project

NAME = re.compile(r"\b[A-Za-z_]\w*\b")
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
CONSTRUCTORS = {"__init__", "__new__"}
PEERS_PROPERTIES = {"property", "cached_property"}


def is_dunder(name):
    return name.startswith("__") and name.endswith("__")


def last_attribute(function):
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else None


class Truth:
    """What calls mean, by definition."""

    def __init__(self, project):
        self.right, self.possible, self.written, self.undecided = set(), set(), set(), set()
        for path, module in project.modules.items():
            for name, found, others in project.calls(module):
                self.possible.update((path, key) for key in others)
                if name is None or is_dunder(name):
                    continue
                self.written.add((path, name))
                if found[0] in ("function", "class"):
                    self.right.add((path, found[1].key))
                    self.written.add((path, found[1].name))
                elif found[0] != "external":
                    self.undecided.add((path, name))
        self.names = {key: definition.name for key, definition in project.definitions.items()}
        self.right = {pair for pair in self.right if self.counts(project.definitions[pair[1]])}

    @staticmethod
    def counts(definition):
        return not is_dunder(definition.name) and not definition.is_property()

    def is_scored(self, pair):
        """Whether a pair that is not right is wrong."""
        called = (pair[0], self.names[pair[1]])
        return pair not in self.possible and called in self.written and called not in self.undecided

    def score(self, found):
        hits = len(found & self.right)
        wrong = {pair for pair in found - self.right if self.is_scored(pair)}
        return figures(hits, len(wrong), len(self.right) - hits), wrong


def figures(hits, wrong, missed):
    precision, recall = hits / max(1, hits + wrong), hits / max(1, hits + missed)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return {"hits": hits, "wrong": wrong, "missed": missed, "precision": precision, "recall": recall, "f1": f1}


def predicted(project, path):
    """(calling file, definition) for each edge; calling a constructor is calling its class."""
    by_line = {}
    for definition in project.definitions.values():
        first = min([definition.node.lineno, *(d.lineno for d in definition.node.decorator_list)])
        for line in range(first, definition.node.lineno + 1):
            by_line[definition.key[0], line] = definition
    found = set()
    for line in open(path, encoding="utf-8"):
        caller, _, called, at = json.loads(line)
        definition = by_line.get((called, at))
        if definition is None or caller not in project.modules:
            continue
        if definition.name in CONSTRUCTORS and definition.scope.kind == "class":
            definition = definition.scope.owner
        found.add((caller, definition.key))
    return found


def grep(modules, names, pattern):
    """(file, name) for every one of these names that the pattern finds."""
    return {(path, name) for path, module in modules.items() for name in set(pattern.findall(module.text)) & names}


def both_greps(modules, names):
    return {"call-grep": grep(modules, names, CALL), "name-grep": grep(modules, names, NAME)}


def score_by_definition(project, graph):
    truth = Truth(project)
    graph = {pair for pair in graph if truth.counts(project.definitions[pair[1]])}
    named = defaultdict(list)
    for key, definition in project.definitions.items():
        if truth.counts(definition):
            named[definition.name].append(key)
    scores, details = {}, {}
    answers = {"graph": graph}
    for kind, pairs in both_greps(project.modules, set(named)).items():
        answers[kind] = {(path, key) for path, name in pairs for key in named[name]}
    for kind, pairs in answers.items():
        scores[kind], details[kind] = truth.score(pairs)
    return scores, sorted(details["graph"]), sorted(truth.right - graph)


def score_by_name(project, graph, package):
    inside = {path: module for path, module in project.modules.items() if path.startswith(package)}
    definitions = [d for key, d in project.definitions.items() if key[0] in inside]
    names = {d.name for d in definitions if not is_dunder(d.name)}
    properties = {d.name for d in definitions if d.decorators() & PEERS_PROPERTIES}
    right = set()
    for path, module in inside.items():
        for node in ast.walk(module.tree):
            called = last_attribute(node.func) if isinstance(node, ast.Call) else None
            is_read = isinstance(node, ast.Attribute) and node.attr in properties and not isinstance(node.ctx, ast.Del)
            name = called or (node.attr if is_read else None)
            if name in names:
                right.add((path, name))
    pairs = {(path, project.definitions[key].name) for path, key in graph if path in inside}
    answers = {"graph": {pair for pair in pairs if pair[1] in names}, **both_greps(inside, names)}
    scores = {kind: figures(len(found & right), len(found - right), len(right - found)) for kind, found in answers.items()}
    return scores, sorted(answers["graph"] - right), sorted(right - answers["graph"])


def show(title, scores):
    print(f"{title:14} {'right':>7} {'wrong':>7} {'missed':>7}  precision  recall     F1")
    for kind, s in scores.items():
        print(f"  {kind:12} {s['hits']:7} {s['wrong']:7} {s['missed']:7}  {s['precision']:9.3f}  {s['recall']:6.3f}  {s['f1']:.3f}")


def show_some(what, pairs, most, written):
    step = max(1, len(pairs) // most) if most else 1
    for path, called in pairs[::step][:most]:
        print(what, path, "->", written(called))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tree", required=True)
    arguments.add_argument("--pred", required=True)
    arguments.add_argument("--package", default="")
    arguments.add_argument("--json")
    arguments.add_argument("--show", type=int, default=0)
    given = arguments.parse_args()
    project = Project(given.tree)
    graph = predicted(project, given.pred)
    by_definition, wrong, missed = score_by_definition(project, graph)
    by_name, wrong_names, missed_names = score_by_name(project, graph, given.package and given.package.rstrip("/") + "/")
    show("by definition", by_definition)
    show("by name", by_name)
    place = lambda key: f"{key[0]}:{key[1]} {project.definitions[key].name}"
    show_some("WRONG", wrong, given.show, place)
    show_some("MISS", missed, given.show, place)
    show_some("WRONG by name", wrong_names, given.show, str)
    show_some("MISS by name", missed_names, given.show, str)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as out:
            json.dump({"by_definition": by_definition, "by_name": by_name}, out, indent=1)


if __name__ == "__main__":
    main()
