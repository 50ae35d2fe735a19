"""Asks graphqlite: JSON from standard input, a list of {"create", "queries"}; for each a list of {"rows"} or {"error"}."""

import json
import sys

import pysqlite3

# The SQLite of many Pythons may not load extensions; graphqlite takes the module of this name.
sys.modules["sqlite3"] = pysqlite3

import graphqlite  # noqa: E402


def answer(connection, query):
    try:
        return {"rows": [list(row.values()) for row in connection.cypher(query)]}
    except pysqlite3.Error as error:
        return {"error": str(error)}


def main():
    answers = []
    for case in json.load(sys.stdin):
        connection = graphqlite.connect(":memory:")
        connection.cypher(case["create"])
        answers.append([answer(connection, query) for query in case["queries"]])
    json.dump(answers, sys.stdout)


main()
