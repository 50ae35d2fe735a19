"""A service from PyPI (`httpbin`) driven through its own Swagger document by the official Python client (`mcp`).

Run with the Python that has both packages: TRAILMARK_BIN=path/to/trailmark python httpbin_client.py
"""

import asyncio
import base64
import json
import os
import sys
import tempfile
import threading
import traceback

import httpbin
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from werkzeug.serving import WSGIRequestHandler, make_server

REQUEST_SECONDS = 20
TOKEN = "hb-secret-0123456789"


class Quiet(WSGIRequestHandler):
    def log(self, *_):
        pass


def serve():
    """The service on a free port of this machine."""
    server = make_server("127.0.0.1", 0, httpbin.app, threaded=True, request_handler=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def text_of(result):
    return result.content[0].text


async def lists_and_calls(client, base):
    """More operations than are tools each: found, described, called."""
    names = [tool.name for tool in (await client.list_tools()).tools]
    assert names == ["api_call", "api_describe", "api_search"], names
    found = (await client.call_tool("api_search", {"query": "base64 decode"})).structured_content
    assert found["operations"][0]["operation"] == "hb_get_base64_value", found
    described = (await client.call_tool("api_describe", {"operation": "hb_get_base64_value"})).structured_content
    assert described["arguments"]["required"] == ["value"], described
    result = await client.call_tool("api_call", {"operation": "hb_get_base64_value", "arguments": {"value": "aGVsbG8="}})
    assert not result.is_error and text_of(result) == "hello", result


async def call(client, operation, **arguments):
    return await client.call_tool("api_call", {"operation": operation, "arguments": arguments})


async def bodies_and_methods(client, base):
    for method in ["post", "put", "patch", "delete"]:
        result = await call(client, f"hb_{method}_{method}")
        assert not result.is_error and result.structured_content["url"] == f"{base}/{method}", result
    result = await call(client, "hb_get_response-headers", freeform="a b&c")
    assert result.structured_content["freeform"] == "a b&c", result


async def statuses(client, base):
    result = await call(client, "hb_get_status_codes", codes="404")
    assert result.is_error and result.content[0].meta["httpStatus"] == 404, result
    result = await call(client, "hb_get_redirect_n", n=2)
    assert not result.is_error and result.structured_content["url"] == f"{base}/get", result
    result = await call(client, "hb_get_base64_value", value="../../admin")
    assert result.is_error and "`value` must not have" in text_of(result), result


async def blocks(client, base):
    picture = (await call(client, "hb_get_image_png")).content[0]
    assert picture.type == "image" and base64.b64decode(picture.data).startswith(b"\x89PNG"), picture.type
    bytes_ = (await call(client, "hb_get_stream-bytes_n", n=16)).content[0]
    assert bytes_.type == "resource" and len(base64.b64decode(bytes_.resource.blob)) == 16, bytes_
    many = (await call(client, "hb_get_stream-bytes_n", n=102400)).content[0]
    assert many.type == "resource" and len(base64.b64decode(many.resource.blob)) == 102400, many.type
    page = (await call(client, "hb_get_html")).content[0]
    assert page.type == "text" and "Moby-Dick" in page.text, page


async def credentials(client, base):
    result = await call(client, "hb_get_bearer")
    assert not result.is_error and result.structured_content["authenticated"] is True, result
    assert TOKEN not in json.dumps(result.model_dump(mode="json")), "the secret came back"


CHECKS = [lists_and_calls, bodies_and_methods, statuses, blocks, credentials]


async def run(base):
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "TRAILMARK_HOME": home, "TRAILMARK_API_HB_TOKEN": TOKEN}
        arguments = ["serve", "--toolsets", "api", "--openapi", f"{base}/spec.json", "--api-name", "hb", "--base-url", base]
        server = StdioServerParameters(command=os.environ["TRAILMARK_BIN"], args=arguments, env=env)
        async with Client(stdio_client(server), read_timeout_seconds=REQUEST_SECONDS) as client:
            for check in CHECKS:
                try:
                    await check(client, base)
                    passed += 1
                    print(f"ok   {check.__name__}")
                except Exception:
                    failed += 1
                    print(f"FAIL {check.__name__}\n{traceback.format_exc()}")
    print(f"{passed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(run(serve())) else 1)
