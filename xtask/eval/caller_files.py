#!/usr/bin/env python3
"""Which files of a Python project call a given function, method or class: a code graph and grep beside the truth.

  caller_files.py --tree DIR --pred EDGES.jsonl [--json OUT.json] [--show N]

EDGES.jsonl: one [caller file, caller line, called file, called line] per line, as `trailmark calls --format lines` prints them.

by definition  A pair is (calling file, definition). The truth comes from `python_oracle.py`: right is what a call in that file
               means where that is decided; wrong is what no call in that file can mean. Pairs are not scored where a call of
               that name is undecided, and where the file does not contain the name at all (a function handed on as a value).
               grep cannot tell namesakes apart, so it answers with all of them.
by name        A pair is (calling file, called name), and every call of a name that the project defines counts, whatever it
               means: `super()` counts where the project has a function `super`. Reading a property counts too. This is how
               code-graph-rag counts (0.957 on Django; calls by grep 0.789, names by grep 0.506). It rewards guesses by name.
"""
import argparse
import ast
import json
import re
from collections import defaultdict

from python_oracle import DEFINITIONS, Project

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
        self.words = {path: set(NAME.findall(module.text)) for path, module in project.modules.items()}

    @staticmethod
    def counts(definition):
        return not is_dunder(definition.name) and not definition.is_property()

    def is_scored(self, pair):
        """Whether a pair that is not right is wrong."""
        path, key = pair
        name = self.names[key]
        return pair not in self.possible and (path, name) not in self.undecided and name in self.words[path]

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


def grep(project, pattern):
    """(file, name) for every name that the project defines and the pattern finds."""
    names = {d.name for d in project.definitions.values() if not is_dunder(d.name)}
    return {(path, name) for path, module in project.modules.items() for name in set(pattern.findall(module.text)) & names}


def score_by_definition(project, graph, by_grep):
    truth = Truth(project)
    graph = {pair for pair in graph if truth.counts(project.definitions[pair[1]])}
    named = defaultdict(list)
    for key, definition in project.definitions.items():
        if truth.counts(definition):
            named[definition.name].append(key)
    scores, details = {}, {}
    answers = {"graph": graph}
    for kind, pairs in by_grep.items():
        answers[kind] = {(path, key) for path, name in pairs for key in named[name]}
    for kind, pairs in answers.items():
        scores[kind], details[kind] = truth.score(pairs)
    return scores, sorted(details["graph"]), sorted(truth.right - graph)


def score_by_name(project, graph, by_grep):
    names = {d.name for d in project.definitions.values() if not is_dunder(d.name)}
    properties = {d.name for d in project.definitions.values() if d.decorators() & PEERS_PROPERTIES}
    right = set()
    for path, module in project.modules.items():
        for node in ast.walk(module.tree):
            called = last_attribute(node.func) if isinstance(node, ast.Call) else None
            is_read = isinstance(node, ast.Attribute) and node.attr in properties and not isinstance(node.ctx, ast.Del)
            name = called or (node.attr if is_read else None)
            if name in names:
                right.add((path, name))
    pairs = {(path, project.definitions[key].name) for path, key in graph}
    answers = {"graph": {pair for pair in pairs if not is_dunder(pair[1])}, **by_grep}
    return {kind: figures(len(found & right), len(found - right), len(right - found)) for kind, found in answers.items()}


def show(title, scores):
    print(f"{title:14} {'right':>7} {'wrong':>7} {'missed':>7}  precision  recall     F1")
    for kind, s in scores.items():
        print(f"  {kind:12} {s['hits']:7} {s['wrong']:7} {s['missed']:7}  {s['precision']:9.3f}  {s['recall']:6.3f}  {s['f1']:.3f}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tree", required=True)
    arguments.add_argument("--pred", required=True)
    arguments.add_argument("--json")
    arguments.add_argument("--show", type=int, default=0)
    given = arguments.parse_args()
    project = Project(given.tree)
    graph = predicted(project, given.pred)
    by_grep = {"call-grep": grep(project, CALL), "name-grep": grep(project, NAME)}
    by_definition, wrong, missed = score_by_definition(project, graph, by_grep)
    by_name = score_by_name(project, graph, by_grep)
    show("by definition", by_definition)
    show("by name", by_name)
    for what, pairs in (("WRONG", wrong), ("MISS", missed)):
        step = max(1, len(pairs) // given.show) if given.show else 1
        for path, (file, line) in pairs[:: step][: given.show]:
            print(what, path, "->", f"{file}:{line}", project.definitions[file, line].name)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as out:
            json.dump({"by_definition": by_definition, "by_name": by_name}, out, indent=1)


if __name__ == "__main__":
    main()
