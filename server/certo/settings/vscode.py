"""The settings as an extension of VS Code contributes them: the pages of its settings editor, with a schema for each.

https://code.visualstudio.com/api/references/contribution-points#contributes.configuration
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING
from itertools import groupby
from typing import Any

from certo.settings.documents import option_schema
from certo.settings.schema import GIVEN_NAME, Option, group_info, known_options
from certo.strategies.registry import ENTRIES

SECTION = "certo"
"""The beginning of the names of our settings."""

PAGES: Mapping[str, str] = {
    "interpreter": "Python",
    "model": "Model",
    "models": "More Models",
    "search": "Search",
    **{name: entry.title for name, entry in ENTRIES.items()},
    "builtin": "Built-in",
    "generation": "Prompts",
    "scripted": "Scripted",
    "tests": "Tests",
    "verify": "Checks",
    "strength": "Test Strength",
    "ambient": "Ambient Repair",
    "policy": "Imports",
    "criteria": "Criteria",
    "cost": "Cost",
    "sandbox": "Sandbox",
    "executor": "Cluster",
    "journal": "Journal",
    "memory": "Memory",
    "experiments": "Experiments",
}
"""The title of each group's page, short enough for the list beside them, in the order of the pages.

The group `editor` has none, because it is for clients without views of their own.
"""

_MENTIONED = re.compile(r"`([a-z_]+(?:\.[a-z_]+)+)`")


def configuration() -> list[dict[str, Any]]:
    """Return the value of `contributes.configuration`: pages, each with its settings and their schemas."""
    groups = {group: list(options) for group, options in groupby(known_options().values(), lambda each: each.path[0])}
    return [
        {"title": title, "order": place, "properties": _ordered(group, groups[group])}
        for place, (group, title) in enumerate(PAGES.items(), start=2)
    ]


def restricted() -> list[str]:
    """Return the settings that VS Code does not read from a workspace until the user trusts it.

    These are the settings of which a project's own file may not choose every value.
    """
    limited = {
        _setting(option)
        for option in known_options().values()
        if option.info.owner == "user" or option.info.project_may is not None
    }
    return [name for page in configuration() for name in page["properties"] if name in limited]


def limits(option: Option) -> dict[str, float]:
    """Return the bounds of a number, or of each number in a list, in the words of JSON schema."""
    info = option.info
    bounds = {"exclusiveMinimum": info.above, "minimum": info.at_least, "maximum": info.at_most}
    return {word: bound for word, bound in bounds.items() if bound is not None}


def _ordered(group: str, options: list[Option]) -> dict[str, Any]:
    pairs = [_named(group, options)] if options[0].is_named else [_one(option) for option in options]
    return {name: {**schema, "order": place} for place, (name, schema) in enumerate(pairs)}


def _one(option: Option) -> tuple[str, dict[str, Any]]:
    """Return a setting outside the groups that users name."""
    return _setting(option), {**_schema(option), "scope": _scope([option])}


def _named(group: str, options: list[Option]) -> tuple[str, dict[str, Any]]:
    """Return a setting that is an object of groups, by the names that users give them."""
    return _setting(options[0]), {
        "type": "object",
        "default": {},
        "markdownDescription": group_info(group).description,
        "propertyNames": {"pattern": f"^{GIVEN_NAME}$"},
        "additionalProperties": {
            "type": "object",
            "additionalProperties": False,
            "properties": {option.wire_name.rpartition(".")[2]: _schema(option) for option in options},
            "required": [option.wire_name.rpartition(".")[2] for option in options if option.default is MISSING],
        },
        "scope": _scope(options),
    }


def _setting(option: Option) -> str:
    """Return the name of an option in VS Code; all options below a name that users give are one setting there."""
    return f"{SECTION}.{option.path[0] if option.is_named else option.wire_name}"


def _scope(options: list[Option]) -> str:
    """Return the scope of a setting: `resource` for each folder's settings, `machine` for the user's alone.

    A project's `.vscode/settings.json` may choose no more than its own file; no scope can say that it may choose some
    values, so these settings stay the user's. People do set the interpreter in a folder, and VS Code asks them first
    whether they trust it.
    """
    if options[0].name == "interpreter":
        return "machine-overridable"
    return "machine" if any(option.info.owner == "user" for option in options) else "resource"


def _schema(option: Option) -> dict[str, Any]:
    """Return the schema of a setting, with a type that VS Code has a field for and with links in its description."""
    schema = option_schema(option)
    words = _linked(schema.pop("description"))
    bounds = limits(option)
    if "anyOf" in schema:
        (kind,) = (one["type"] for one in schema.pop("anyOf") if one["type"] != "null")
        # An empty field stands for a text that is not set; for a number that is not set VS Code has a field of its own.
        if kind == "string":
            schema["default"] = ""
        schema["type"] = [kind, "null"] if schema["default"] is None else kind
    if schema["type"] == "array":
        schema["items"] = {**schema["items"], **bounds}
        bounds = {}
    return {"type": schema.pop("type"), **_whole(schema), **bounds, "markdownDescription": words}


def _whole(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same schema with a default of 60 instead of 60.0, as people write it."""
    default = schema.get("default")
    return {**schema, "default": int(default)} if isinstance(default, float) and default.is_integer() else {**schema}


def _linked(words: str) -> str:
    """Return a description in which the names of other settings are links, as VS Code writes them."""

    def link(mention: re.Match[str]) -> str:
        option = known_options().get(mention[1])
        return mention[0] if option is None else f"`#{SECTION}.{option.wire_name}#`"

    return _MENTIONED.sub(link, words)
