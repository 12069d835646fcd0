"""How do tools answer over MCP? The only user of the SDK: one call at a time, limited in time, errors in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool
from pydantic import TypeAdapter, ValidationError

from advisor import __version__
from advisor.cli.mcp.readable import Readable
from advisor.cli.mcp.tools import MOST_CHARACTERS, TOOLS, Tool, one_line
from advisor.data import folder
from advisor.errors import AdvisorError

MOST_SECONDS: Final = 120.0  # of a call
_INSTRUCTIONS: Final = (
    "Reads configuration and measurements of MySQL and MariaDB servers, and never changes anything. "
    "Start with check; use why if the question is about throughput or lag. State the release (server) and the machine "
    "(host) if you know them. What a report lists as unknown is not known: do not guess it."
)


def serve(readable: Readable) -> None:
    """Answer on standard input and output until the client closes them."""
    anyio.run(_serve, readable)


async def _serve(readable: Readable) -> None:
    one_at_a_time = anyio.CapacityLimiter(1)

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(tool) for tool in TOOLS])

    async def call_tool(_: ServerRequestContext[Any], asked: CallToolRequestParams) -> CallToolResult:
        with anyio.move_on_after(MOST_SECONDS):
            return await anyio.to_thread.run_sync(
                _answer, asked.name, asked.arguments or {}, readable, limiter=one_at_a_time, abandon_on_cancel=True
            )
        return _failed(f"no answer within {MOST_SECONDS:g} s; ask about less evidence")

    server = Server(
        "advisor",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())


def _listed(tool: Tool) -> ListedTool:
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=TypeAdapter(tool.arguments).json_schema(),
        output_schema=_output_schema(tool),
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )


def _output_schema(tool: Tool) -> dict[str, Any]:
    """The schema of the tool's reports; of several, one that accepts each."""
    schemas = {
        name: json.loads(Path(folder("schemas"), f"{name}.json").read_text(encoding="utf-8")) for name in tool.schemas
    }
    if len(schemas) == 1:
        (only,) = schemas.values()
        return dict(only)
    definitions: dict[str, Any] = {}
    for name, schema in schemas.items():
        definitions |= schema.pop("$defs", {})
        definitions[name] = schema
    return {"type": "object", "anyOf": [{"$ref": f"#/$defs/{name}"} for name in schemas], "$defs": definitions}


def _answer(name: str, arguments: dict[str, Any], readable: Readable) -> CallToolResult:
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        return _failed(f"there is no tool {name!r}; the tools are {', '.join(tool.name for tool in TOOLS)}")
    try:
        answer = tool.answer(TypeAdapter(tool.arguments).validate_python(arguments), readable)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        return _failed(f"{place}: {first['msg']}" if place else first["msg"])
    except AdvisorError as error:
        return _failed(one_line(error))
    if len(answer.report) > MOST_CHARACTERS:
        return _failed(
            f"the report has {len(answer.report):,} characters; at most {MOST_CHARACTERS:,} are sent; name fewer paths"
        )
    report = json.loads(answer.report)
    text = json.dumps(report, ensure_ascii=False, separators=(",", ":"))
    content: list[ContentBlock] = [TextContent(type="text", text=text)]
    content += [TextContent(type="text", text=f"not read: {line}") for line in answer.unread]
    return CallToolResult(content=content, structured_content=report)


def _failed(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)
