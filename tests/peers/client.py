"""The official Python client against our server: python client.py CALLS.json (stdio COMMAND... | http URL)

Lists the tools, makes the calls of the file, and then tries an unknown name, progress and cancellation. Prints what it got
as JSON; the test that starts it judges.
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


@asynccontextmanager
async def connected(how, where):
    if how == "stdio":
        streams = stdio_client(StdioServerParameters(command=where[0], args=where[1:]))
    else:
        streams = streamable_http_client(where[0])
    async with streams as opened, ClientSession(opened[0], opened[1]) as session:
        await session.initialize()
        yield session


def text(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


async def main():
    calls, how, where = sys.argv[1], sys.argv[2], sys.argv[3:]
    got = {"results": []}
    async with connected(how, where) as session:
        got["tools"] = [tool.name for tool in (await session.list_tools()).tools]
        with open(calls) as file:
            calls = json.load(file)
        for call in calls:
            result = await session.call_tool(call["name"], call["arguments"])
            got["results"].append({"is_error": bool(result.is_error), "text": text(result)})
        try:
            await session.call_tool("no_such_tool", {})
            got["unknown"] = "answered"
        except Exception as error:
            got["unknown"] = str(error)
        got["progress"] = []

        async def told(progress, total, message):
            got["progress"].append([progress, total])

        got["counted"] = text(await session.call_tool("count", {"to": 3}, progress_callback=told))
        # A request that its task gives up is cancelled at the server.
        started = asyncio.Event()

        async def begun(progress, total, message):
            started.set()

        running = asyncio.create_task(session.call_tool("count", {"to": 600}, progress_callback=begun))
        await started.wait()
        running.cancel()
        try:
            await running
        except asyncio.CancelledError:
            pass
        got["after"] = text(await session.call_tool("test_simple_text", {}))
    print(json.dumps(got))


asyncio.run(main())
