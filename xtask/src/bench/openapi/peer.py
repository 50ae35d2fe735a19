"""Turns an OpenAPI document into tools with FastMCP: `peer.py DOCUMENT`.

Prints one JSON object: how long each tool is, in bytes, and the processor time in seconds
of importing the library and of everything after that.
"""

import asyncio
import json
import pathlib
import sys
import time

began = time.process_time()
from fastmcp import FastMCP  # noqa: E402 - its import is a part of what is measured

imported = time.process_time()


async def tools(document):
    server = FastMCP.from_openapi(openapi_spec=document)
    listed = [tool.to_mcp_tool() for tool in await server.list_tools()]
    return [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in listed]


document = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
lengths = [len(tool.encode()) for tool in asyncio.run(tools(document))]
json.dump({"lengths": lengths, "importing": imported - began, "loading": time.process_time() - imported}, sys.stdout)
