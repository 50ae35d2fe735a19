"""The official Python client (PyPI `mcp`) against the binary: stdio and HTTP, both protocol eras.

Run with the Python that has the package: TRAILMARK_BIN=path/to/trailmark python python_client.py
"""

import asyncio
import json
import os
import re
import signal
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import mcp.client.stdio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ResourceTemplateReference

OVERALL_SECONDS = 280
GROUP_SECONDS = 120
ONE_CHECK_SECONDS = 40
REQUEST_SECONDS = 15
START_SECONDS = 20
CONCURRENT_CALLS = 20
NO_SUCH_ID = "00000000-0000-7000-8000-000000000000"
TEMPLATE = "trailmark://documents/{id}"

SURFACE = Path(os.environ.get("TRAILMARK_SURFACE") or Path(__file__).parents[2] / "contract" / "tools")
# The tools for APIs are there only where a server has any.
FILES = [file for file in SURFACE.glob("*.json") if not file.name.startswith("api_")]
TOOLS = {tool["name"]: tool for tool in (json.loads(file.read_text("utf-8")) for file in FILES)}


@dataclass(frozen=True)
class Era:
    mode: str
    version: str
    # A client that was told the version never asks the server about itself.
    asks_server: bool
    unknown_resource_code: int


ERAS = [
    Era("legacy", "2025-11-25", True, -32002),
    Era("auto", "2026-07-28", True, -32602),
    Era("2026-07-28", "2026-07-28", False, -32602),
]


class Mismatch(Exception):
    """What a check found is not what it expected."""


def expect(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Mismatch(otherwise)


def expect_equal(actual: Any, expected: Any, what: str) -> None:
    expect(actual == expected, f"{what}: expected {expected!r}, got {actual!r}")


async def problem_of(action: Any, seconds: float) -> str | None:
    try:
        await asyncio.wait_for(action, seconds)
    except Mismatch as mismatch:
        return str(mismatch)
    except TimeoutError:
        return f"not finished after {seconds} s"
    except Exception as error:
        return "".join(traceback.format_exception(error)).strip()
    return None


@dataclass
class Report:
    passed: int = 0
    failed: int = 0

    async def run(self, name: str, check: Any) -> None:
        self.record(name, await problem_of(check, ONE_CHECK_SECONDS))

    async def run_group(self, name: str, checks: Any) -> None:
        """Runs many checks; only what stops them half-way is reported here."""
        if problem := await problem_of(checks, GROUP_SECONDS):
            self.record(f"{name}: runs to the end", problem)

    def record(self, name: str, problem: str | None) -> None:
        if problem is None:
            self.passed += 1
            print(f"ok    {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {name}: {problem}", flush=True)


@dataclass
class Subject:
    """A connected client, and what its checks share."""

    client: Client
    era: Era

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The body of the answer, after everything that holds for every answer was checked."""
        result = await self.client.call_tool(tool, arguments)
        expect_equal([block.type for block in result.content], ["text"], f"{tool}: content blocks")
        body = result.structured_content
        text = result.content[0].text
        expect_equal(json.loads(text), body, f"{tool}: the text, parsed")
        expect_equal(text, json.dumps(body, indent=2, ensure_ascii=False), f"{tool}: the text")
        expect_equal(sorted(body), ["data", "error", "meta", "ok"], f"{tool}: keys of the body")
        expect_equal(result.is_error, not body["ok"], f"{tool}: isError")
        expect(len(body["meta"]["traceId"]) == 36, f"{tool}: no traceId in {body['meta']}")
        return body

    async def succeed(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        body = await self.call(tool, arguments)
        expect(body["ok"] and body["error"] is None, f"{tool} failed: {body['error']}")
        return body["data"]

    async def fail(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        body = await self.call(tool, arguments)
        expect(not body["ok"] and body["data"] is None, f"{tool} with {arguments} should have failed: {body}")
        return body["error"]

    async def save(self, topic: str, content: str = "text", **more: Any) -> str:
        return (await self.succeed("mongo_save_document", {"topic": topic, "content": content, **more}))["id"]


async def refusal(request: Any) -> MCPError:
    """The protocol error that a request must end in."""
    try:
        answer = await request
    except MCPError as error:
        return error
    raise Mismatch(f"expected a protocol error, got {answer!r}")


async def negotiates_the_version(subject: Subject) -> None:
    expect_equal(subject.client.protocol_version, subject.era.version, "protocol version")


async def introduces_itself(subject: Subject) -> None:
    client = subject.client
    expect_equal(client.server_info.name, "trailmark", "server name")
    given = client.server_capabilities.model_dump(exclude_none=True, by_alias=True)
    expect_equal(sorted(given), ["completions", "prompts", "resources", "tools"], "capabilities")
    expect("mongo_find_by_topic" in (client.instructions or ""), f"instructions: {client.instructions!r}")
    expect(len(client.instructions.encode()) < 2048, "the instructions have 2 KB or more")


async def lists_every_tool_with_annotations_and_schemas(subject: Subject) -> None:
    tools = (await subject.client.list_tools()).tools
    expect_equal(sorted(tool.name for tool in tools), sorted(TOOLS), "tools")
    for tool in tools:
        seen = tool.model_dump(mode="json", exclude_none=True, by_alias=True)
        frozen = TOOLS[tool.name]
        expect_equal({key: seen.get(key) for key in frozen}, frozen, f"what the client sees of {tool.name}")


async def saves_finds_updates_and_deletes(subject: Subject) -> None:
    source = {"type": "web", "url": "https://example.com/a", "title": "A page"}
    wanted = {"topic": "Round trip", "content": "first\nsecond", "tags": ["one", "two"], "source": source}
    identifier = await subject.save(**wanted)
    found = await subject.succeed("mongo_find_by_id", {"id": identifier})
    expect_equal({key: found[key] for key in wanted}, wanted, "the document")
    expect_equal((found["id"], found["createdAt"]), (identifier, found["updatedAt"]), "id and times")
    patch = {"content": "changed", "tags": []}
    expect_equal(
        await subject.succeed("mongo_update_document", {"id": identifier, "patch": patch}), {"updated": True}, "update"
    )
    changed = await subject.succeed("mongo_find_by_id", {"id": identifier})
    expect_equal((changed["topic"], changed["content"], changed["tags"]), ("Round trip", "changed", []), "the patch")
    expect_equal(await subject.succeed("mongo_delete_document", {"id": identifier}), {"deleted": True}, "delete")
    for tool, more in [("find_by_id", {}), ("delete_document", {}), ("update_document", {"patch": patch})]:
        error = await subject.fail(f"mongo_{tool}", {"id": identifier, **more})
        expect_equal(error["code"], "NOT_FOUND", f"{tool} of a document that is gone")


async def finds_chinese_text(subject: Subject) -> None:
    identifier = await subject.save("缓存失效策略", "写入时先删除缓存，再更新数据库。🙂", tags=["架构"])
    for words in ["缓存失效策略", "缓存失效", "更新数据库", "架构"]:
        items = (await subject.succeed("mongo_find_by_topic", {"topic": words}))["items"]
        expect(identifier in [item["id"] for item in items], f"{words} found {items}")
    nothing = await subject.succeed("mongo_find_by_topic", {"topic": "量子纠缠"})
    expect_equal(nothing["items"], [], "a search for something else")


async def bad_arguments_are_tool_errors(subject: Subject) -> None:
    wrong = [
        ("mongo_save_document", {"topic": "no content"}, "content"),
        ("mongo_save_document", {"topic": 7, "content": "x"}, "topic"),
        ("mongo_save_document", {"topic": "x" * 201, "content": "x"}, "topic"),
        ("mongo_save_document", {"topic": "x", "content": "x", "colour": "red"}, "colour"),
        ("mongo_save_document", {"topic": "x", "content": "x", "source": {"type": "rumour"}}, "type"),
        ("mongo_find_by_topic", {"topic": "x", "limit": 21}, "limit"),
        ("mongo_find_all", {"limit": 0}, "limit"),
        ("mongo_update_document", {"id": NO_SUCH_ID, "patch": {}}, "patch"),
    ]
    for tool, arguments, named in wrong:
        error = await subject.fail(tool, arguments)
        expect_equal(error["code"], "INVALID_ARGUMENT", f"{tool} with a bad {named}")
        expect(named in error["message"], f"{tool}: {error['message']!r} does not name {named}")


async def an_unknown_tool_is_a_protocol_error(subject: Subject) -> None:
    error = await refusal(subject.client.call_tool("no_such_tool", {}))
    expect_equal((error.code, error.message), (-32602, "Unknown tool: no_such_tool"), "error")
    text = {"type": "text", "text": "Error: Unknown tool: no_such_tool"}
    expect_equal(error.data, {"content": [text], "isError": True}, "error.data")


async def documents_are_resources(subject: Subject) -> None:
    client = subject.client
    templates = (await client.list_resource_templates()).resource_templates
    expect_equal([template.uri_template for template in templates], [TEMPLATE], "templates")
    identifier = await subject.save("As a resource", "read me 读我")
    uri = TEMPLATE.replace("{id}", identifier)
    listed = [resource for resource in (await client.list_resources()).resources if str(resource.uri) == uri]
    expect_equal([resource.title for resource in listed], ["As a resource"], "the resource in the list")
    expect_equal((listed[0].mime_type, listed[0].size), ("text/plain", len("read me 读我".encode())), "type and size")
    contents = (await client.read_resource(uri)).contents
    expect_equal([(str(content.uri), content.text) for content in contents], [(uri, "read me 读我")], "contents")
    error = await refusal(client.read_resource(TEMPLATE.replace("{id}", NO_SUCH_ID)))
    expect_equal(error.code, subject.era.unknown_resource_code, f"code of {error.message!r}")


async def completes_the_id_of_a_document(subject: Subject) -> None:
    identifier = await subject.save("To be completed")
    template = ResourceTemplateReference(uri=TEMPLATE)
    typed = await subject.client.complete(template, {"name": "id", "value": identifier[:-2]})
    expect_equal(typed.completion.values, [identifier], "completion of all but two characters")
    nothing = await subject.client.complete(template, {"name": "id", "value": "zzzz"})
    expect_equal(nothing.completion.values, [], "completion of what no id begins with")


async def offers_two_prompts(subject: Subject) -> None:
    client = subject.client
    prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
    arguments = {name: [(a.name, a.required) for a in prompt.arguments] for name, prompt in prompts.items()}
    expect_equal(arguments, {"recall": [("topic", True)], "hand_over": [("task", True)]}, "prompts")
    identifier = await subject.save("Retry budget of the importer", "three tries 三次")
    messages = (await client.get_prompt("recall", {"topic": "Retry budget of the importer"})).messages
    expect_equal([message.content.type for message in messages], ["text", "resource"], "blocks of recall")
    kept = messages[1].content.resource
    expect_equal(str(kept.uri), TEMPLATE.replace("{id}", identifier), "the document in recall")
    expect("three tries 三次" in kept.text, f"text of the document in recall: {kept.text!r}")
    handed = (await client.get_prompt("hand_over", {"task": "the importer"})).messages
    expect("We worked on: the importer" in handed[0].content.text, f"hand_over: {handed}")
    expect_equal((await refusal(client.get_prompt("recall", {}))).code, -32602, "code for a missing argument")
    expect_equal((await refusal(client.get_prompt("no_such_prompt", {}))).code, -32602, "code for an unknown prompt")


async def answers_concurrent_calls(subject: Subject) -> None:
    topics = [f"concurrent {number}" for number in range(CONCURRENT_CALLS)]
    identifiers = await asyncio.gather(*(subject.save(topic) for topic in topics))
    expect_equal(len(set(identifiers)), CONCURRENT_CALLS, "different ids")
    reads = (subject.succeed("mongo_find_by_id", {"id": identifier}) for identifier in identifiers)
    expect_equal([found["topic"] for found in await asyncio.gather(*reads)], topics, "topics, read concurrently")


CHECKS = [
    negotiates_the_version,
    introduces_itself,
    lists_every_tool_with_annotations_and_schemas,
    saves_finds_updates_and_deletes,
    finds_chinese_text,
    bad_arguments_are_tool_errors,
    an_unknown_tool_is_a_protocol_error,
    documents_are_resources,
    completes_the_id_of_a_document,
    offers_two_prompts,
    answers_concurrent_calls,
]


async def check_all(report: Report, subject: Subject, transport: str) -> None:
    for check in CHECKS:
        if check is introduces_itself and not subject.era.asks_server:
            continue
        name = check.__name__.replace("_", " ")
        await report.run(f"{transport} {subject.era.mode}: {name}", check(subject))


async def over_stdio(report: Report, era: Era, home: Path) -> None:
    log = home / "stderr"
    with log.open("w") as stderr:
        command = StdioServerParameters(
            command=binary(), args=["serve"], env={"TRAILMARK_HOME": str(home)}, cwd=home
        )
        transport = stdio_client(command, errlog=stderr)
        async with Client(transport, mode=era.mode, read_timeout_seconds=REQUEST_SECONDS) as client:
            await check_all(report, Subject(client, era), "stdio")
            left = time.monotonic()
    seconds = time.monotonic() - left
    # After this time the package ends the server by force.
    patience = mcp.client.stdio.PROCESS_TERMINATION_TIMEOUT
    report.record(f"stdio {era.mode}: ends by itself", None if seconds < patience else f"it took {seconds:.1f} s")
    said = log.read_text()
    report.record(f"stdio {era.mode}: logs nothing", f"stderr: {said}" if said else None)


async def over_http(report: Report, era: Era, home: Path) -> None:
    async with http_server(home, report, f"http {era.mode}") as url:
        token = (home / "http-token").read_text().strip()
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=ONE_CHECK_SECONDS) as http_client:
            transport = streamable_http_client(url, http_client=http_client)
            async with Client(transport, mode=era.mode, read_timeout_seconds=REQUEST_SECONDS) as client:
                await check_all(report, Subject(client, era), "http")
        await report.run(f"http {era.mode}: asks for the token", asks_for_the_token(url))


async def asks_for_the_token(url: str) -> None:
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    for headers in [{}, {"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}]:
        request = urllib.request.Request(url, ping, {"Content-Type": "application/json", **headers})
        try:
            answer = await asyncio.to_thread(urllib.request.urlopen, request, timeout=ONE_CHECK_SECONDS)
        except urllib.error.HTTPError as error:
            with error:
                expect_equal(error.code, 401, f"status with {headers}")
        else:
            raise Mismatch(f"status {answer.status} with {headers}")


@asynccontextmanager
async def http_server(home: Path, report: Report, name: str):
    """A server on a free port; its end is a check of its own."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("TRAILMARK_")}
    log = home / "stderr"
    with log.open("w") as stderr:
        server = await asyncio.create_subprocess_exec(
            binary(), "serve", "--http", "127.0.0.1:0",
            env={**own, "TRAILMARK_HOME": str(home)}, cwd=home, stdin=asyncio.subprocess.DEVNULL, stderr=stderr,
            start_new_session=True,
        )
    CHILDREN.add(server.pid)
    try:
        yield await announced_url(log)
        code = server.returncode
        report.record(f"{name}: is still there at the end", None if code is None else f"it ended with {code}")
        server.terminate()
        await report.run(f"{name}: ends when asked to", ends_well(server, log))
    finally:
        if server.returncode is None:
            os.killpg(server.pid, signal.SIGKILL)
            await server.wait()
        CHILDREN.discard(server.pid)


async def announced_url(log: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if found := re.search(r"listening on (http://\S+/mcp)\s", log.read_text()):
            return found.group(1)
        await asyncio.sleep(0.02)
    raise Mismatch(f"the server did not say where it listens: {log.read_text()!r}")


async def ends_well(server: asyncio.subprocess.Process, log: Path) -> None:
    expect_equal(await server.wait(), 0, "exit code")
    said = log.read_text().splitlines()
    unexpected = [line for line in said if not re.search("listening on|the bearer token is in", line)]
    expect_equal(unexpected, [], "lines on stderr")


CHILDREN: set[int] = set()


def give_up() -> None:
    """The last resort: whatever hangs, hangs no longer than this."""
    print(f"FAIL  not finished after {OVERALL_SECONDS} s", flush=True)
    for child in CHILDREN:
        os.killpg(child, signal.SIGKILL)
    os._exit(2)


def binary() -> str:
    path = os.environ.get("TRAILMARK_BIN")
    if not path:
        sys.exit("TRAILMARK_BIN must name the trailmark binary")
    return os.path.abspath(path)


async def main() -> int:
    report = Report()
    for transport in [over_stdio, over_http]:
        for era in ERAS:
            # The server may still be writing its last audit records when the folder goes.
            with tempfile.TemporaryDirectory(prefix="trailmark-client-", ignore_cleanup_errors=True) as home:
                name = f"{transport.__name__} {era.mode}".replace("_", " ")
                await report.run_group(name, transport(report, era, Path(home)))
    print(f"{report.passed} passed, {report.failed} failed", flush=True)
    return 0 if report.failed == 0 and report.passed > 0 else 1


if __name__ == "__main__":
    binary()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    watchdog = threading.Timer(OVERALL_SECONDS, give_up)
    watchdog.daemon = True
    watchdog.start()
    sys.exit(asyncio.run(main()))
