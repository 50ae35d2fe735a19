"""Loads the CSV files of a folder into LadybugDB and times the questions there: `peer.py FOLDER`.

Prints one JSON object; times are processor time of the whole process in milliseconds,
from the text of a question to its rows.
"""

import json
import pathlib
import sys
import time

import ladybug


def load(connection, folder):
    nodes = sorted(folder.glob("node-*.csv"))
    for file in nodes:
        label = file.stem.split("-")[1]
        columns = "qualified_name STRING PRIMARY KEY, name STRING, line_start INT64"
        connection.execute(f"CREATE NODE TABLE `{label}` ({columns})")
        connection.execute(f"COPY `{label}` FROM '{file}' (HEADER=true)")
    kinds = {}
    for file in sorted(folder.glob("edge-*.csv")):
        _, kind, source, target = file.stem.split("-")
        kinds.setdefault(kind, []).append((source, target, file))
    for kind, files in kinds.items():
        ends = ", ".join(f"FROM `{source}` TO `{target}`" for source, target, _ in files)
        connection.execute(f"CREATE REL TABLE `{kind}` ({ends}, line INT64)")
        for source, target, file in files:
            connection.execute(f"COPY `{kind}` FROM '{file}' (HEADER=true, from='{source}', to='{target}')")


def ask(connection, text, parameters):
    result = connection.execute(text, parameters)
    rows = result.get_all()
    result.close()
    return len(rows), sum(value for row in rows for value in row if isinstance(value, int))


def measure(connection, question):
    ask(connection, question["cypher"], question["parameters"][0])
    times, rows, total = [], 0, 0
    for parameters in question["parameters"]:
        before = time.process_time_ns()
        count, numbers = ask(connection, question["cypher"], parameters)
        times.append((time.process_time_ns() - before) / 1e6)
        rows += count
        total += numbers
    times.sort()
    at = lambda percent: times[len(times) * percent // 100]
    return {"p50": at(50), "p99": at(99), "rows": rows, "sum": total}


def main():
    folder = pathlib.Path(sys.argv[1])
    store = folder / "ladybug.db"
    connection = ladybug.Connection(ladybug.Database(str(store)))
    before = time.process_time()
    load(connection, folder)
    figures = {"store_seconds": time.process_time() - before, "megabytes": store.stat().st_size / 1e6}
    questions = json.loads((folder / "questions.json").read_text())
    figures["questions"] = {question["name"]: measure(connection, question) for question in questions}
    print(json.dumps(figures))


main()
