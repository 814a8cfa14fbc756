"""docs/reference/agents.md: the tools, prompts and resources of `certo mcp`."""

from __future__ import annotations

from typing import Any

from certo.agents.prompts import PROMPTS
from certo.agents.tools import TOOLS, AgentTool
from certo.agents.workspace import DIFF, REPORT
from support.reference.markdown import code, page, table

_OPENING = """\
`certo mcp` offers these tools, prompts and resources over the Model Context Protocol.
[How to use it](../how-to/use-from-an-agent.md).

Arguments are checked strictly: an unknown name, another type or a value out of bounds is an error. An answer has a
structured part and a few lines of text. The types of the structured part are in [messages.md](messages.md), except
those of searches, which the server's own schemas describe."""

_RESOURCES = (
    (code(REPORT), "the structured answer of a call, as JSON; `{report}` is the tool and a number"),
    (code(DIFF), "the diff of a candidate that passed, by `searchId` and `candidateId`"),
)


def agents_page() -> str:
    """Return the page."""
    prompts = [(code(each.name), f"{code(each.argument)}: {each.meaning}", each.purpose) for each in PROMPTS]
    return page(
        "Tools for agents",
        "`certo.agents`",
        _OPENING,
        *(_tool(tool) for tool in TOOLS),
        "## Prompts",
        table(("prompt", "argument", "purpose"), prompts),
        "## Resources",
        table(("address", "content"), _RESOURCES),
        "The newest 200 are kept until the server ends.",
    )


def _tool(tool: AgentTool) -> str:
    schema = tool.input_schema
    required = schema.get("required", ())
    rows = [
        (code(name), _type(value), "" if name in required else _default(value), value.get("description", ""))
        for name, value in schema["properties"].items()
    ]
    about = f"{tool.purpose} Answer: {code(tool.gives.__name__)}."
    return f"## `{tool.name}`\n\n{about}\n\n{table(('argument', 'type', 'default', 'meaning'), rows)}"


def _type(value: dict[str, Any]) -> str:
    return " or ".join(str(kind["type"]) for kind in value.get("anyOf", [value]))


def _default(value: dict[str, Any]) -> str:
    default = value["default"]
    if isinstance(default, bool):
        return code(str(default).lower())
    return "none" if default is None else "empty" if default in ("", [], ()) else code(str(default))
