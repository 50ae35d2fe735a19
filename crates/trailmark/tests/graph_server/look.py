"""What other programs see of a graph: prints it as {"nodes": {id: …}, "relationships": [[from, type, to, line, …], …]}."""

import json
import sys
import xml.etree.ElementTree

import neo4j
import networkx

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def main(command, *arguments):
    commands = {"json": read_json, "graphml": read_graphml, "script": run_script, "server": read_server, "ask": ask}
    json.dump(commands[command](*arguments), sys.stdout)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    assert list(graph) == ["project", "nodes", "relationships"]
    nodes = {node["id"]: node_of(node["labels"], node["properties"]) for node in graph["nodes"]}
    assert len(nodes) == len(graph["nodes"])
    return graph_of(nodes, [(r["from"], r["type"], r["to"], r["properties"]) for r in graph["relationships"]])


def read_graphml(path):
    graph = networkx.read_graphml(path)
    assert graph.is_directed()
    root = xml.etree.ElementTree.parse(path).getroot()
    assert len(root.findall(f".//{GRAPHML}node")) == graph.number_of_nodes()
    assert len(root.findall(f".//{GRAPHML}edge")) == graph.number_of_edges()
    nodes = {}
    for identity, data in graph.nodes(data=True):
        properties = dict(data)
        labels = [properties.pop("labels")]
        for name in {"decorators", "modifiers"} & properties.keys():
            properties[name] = json.loads(properties[name])
        nodes[identity] = node_of(labels, properties)
    relationships = []
    for source, target, data in graph.edges(data=True):
        properties = dict(data)
        relationships.append((source, properties.pop("type"), target, properties))
    return graph_of(nodes, relationships)


def driver(address, password):
    return neo4j.GraphDatabase.driver(address, auth=("root", password))


def run_script(address, password, path):
    """Runs the statements one by one, after those that the comment at the top asks for."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    first = [line.split(":  ", 1)[1] for line in lines if line.startswith("//   Neo4j, ArcadeDB:")]
    statements = "\n".join(first + [line for line in lines if not line.startswith("//")]).split(";\n")
    with driver(address, password) as connection:
        for statement in statements:
            connection.execute_query(statement.removesuffix(";"))
    return len(statements)


def read_server(address, password, project):
    with driver(address, password) as connection:
        found = connection.execute_query(
            "MATCH (n:CodeNode {project: $project}) RETURN n, labels(n) AS labels", project=project)
        nodes = {}
        for record in found.records:
            properties = dict(record["n"])
            identity = properties.pop("id").removeprefix(project + ":")
            del properties["project"]
            properties.pop("epoch", None)
            assert identity not in nodes
            nodes[identity] = node_of([label for label in record["labels"] if label != "CodeNode"], properties)
        found = connection.execute_query(
            "MATCH (a:CodeNode {project: $project})-[r]->(b) RETURN a.id AS a, type(r) AS type, b.id AS b, properties(r) AS p",
            project=project)
        relationships = []
        for record in found.records:
            properties = dict(record["p"])
            properties.pop("epoch", None)
            ends = [record[end].removeprefix(project + ":") for end in ("a", "b")]
            relationships.append((ends[0], record["type"], ends[1], properties))
    return graph_of(nodes, relationships)


def ask(address, password, statement):
    with driver(address, password) as connection:
        return [list(record) for record in connection.execute_query(statement).records]


def node_of(labels, properties):
    return {"labels": labels, "properties": properties}


def graph_of(nodes, relationships):
    rows = [[source, kind, target, p.pop("line"), p.pop("resolution"), p.pop("confidence"), p]
            for source, kind, target, p in relationships]
    return {"nodes": nodes, "relationships": sorted(rows, key=json.dumps)}


if __name__ == "__main__":
    main(*sys.argv[1:])
