"""The Python SDK calls every tool, over HTTP and over standard input and output: python_client.py URL BINARY"""

import asyncio
import json
import pathlib
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

CALLS = json.loads((pathlib.Path(__file__).parent / "calls.json").read_text())


def judge(call, result):
    text = result.content[0].text
    assert call["says"] in text, (call, text)
    assert bool(result.is_error) == call.get("isError", False), (call, text)
    assert (result.structured_content is None) == bool(result.is_error), call


async def talk(way, transport, mode):
    async with Client(transport, mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert len(tools) == 10, tools
        assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools)
        for call in CALLS:
            judge(call, await client.call_tool(call["name"], call["arguments"]))
        resources = (await client.list_resources()).resources
        for resource in resources:
            assert (await client.read_resource(resource.uri)).contents[0].text, resource
        print(f"{way}, {mode}: {len(CALLS)} calls, {len(resources)} resources")


async def main(url, binary):
    for mode in ["auto", "legacy"]:
        await talk("HTTP", url, mode)
        await talk("stdio", stdio_client(StdioServerParameters(command=binary, args=["mcp", "--offline"])), mode)


asyncio.run(main(*sys.argv[1:]))
