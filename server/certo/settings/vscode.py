"""The settings as VS Code wants an extension to contribute them: the pages of its settings editor, and what each takes.

https://code.visualstudio.com/api/references/contribution-points#contributes.configuration
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING
from itertools import groupby
from typing import Any

from certo.criteria.options import MAX_SAMPLES
from certo.settings.documents import option_schema
from certo.settings.schema import GIVEN_NAME, Option, known_options
from certo.settings.trust import never_a_projects
from certo.strategies.registry import ENTRIES
from certo.strategies.retry import MAX_LINES

Limits = Mapping[str, float]

AT_LEAST_ONE: Limits = {"minimum": 1}
NOT_NEGATIVE: Limits = {"minimum": 0}
POSITIVE: Limits = {"exclusiveMinimum": 0}

_MODEL: Mapping[str, Limits] = {
    "temperature": NOT_NEGATIVE,
    "max_tokens": AT_LEAST_ONE,
    "seconds": POSITIVE,
    "stall_seconds": POSITIVE,
    "tries": AT_LEAST_ONE,
    "max_concurrency": AT_LEAST_ONE,
    "requests_per_minute": AT_LEAST_ONE,
    "tokens_per_minute": AT_LEAST_ONE,
    "input_dollars": NOT_NEGATIVE,
    "cached_dollars": NOT_NEGATIVE,
    "output_dollars": NOT_NEGATIVE,
}

LIMITS: Mapping[str, Limits] = {
    "search.candidates": AT_LEAST_ONE,
    "search.seconds": POSITIVE,
    "search.calls": NOT_NEGATIVE,
    "search.tokens": NOT_NEGATIVE,
    "search.dollars": NOT_NEGATIVE,
    "auto.num_candidates": {"minimum": 1, "maximum": MAX_LINES},
    "retry.num_candidates": {"minimum": 1, "maximum": MAX_LINES},
    "retry.max_iterations": AT_LEAST_ONE,
    "retry.min_candidates_for_comparison": AT_LEAST_ONE,
    "best_of.num_candidates": {"minimum": 1, "maximum": MAX_LINES},
    "linear_search.code_debug_tries": NOT_NEGATIVE,
    "llm_tree_search.code_debug_tries": NOT_NEGATIVE,
    "llm_tree_search.node_expansion_limit": AT_LEAST_ONE,
    "llm_tree_search.node_expansion_new_childs_count": AT_LEAST_ONE,
    "llm_tree_search.idea_generation_steps": AT_LEAST_ONE,
    "llm_tree_search.first_experiment_factor": AT_LEAST_ONE,
    "llm_tree_search.experimentation_per_run": AT_LEAST_ONE,
    "llm_tree_search.per_step_maximum_solution_count": AT_LEAST_ONE,
    "llm_tree_search.exploration_budget_percent": {"minimum": 0, "maximum": 100},
    "mcts.n_samples": AT_LEAST_ONE,
    "mcts.max_calls": AT_LEAST_ONE,
    "mcts.max_retries": NOT_NEGATIVE,
    "mcts.retry_delay": NOT_NEGATIVE,
    "mcts.exploration": NOT_NEGATIVE,
    "mcts.alpha": POSITIVE,
    "mcts.beta": POSITIVE,
    "mcts.widening": POSITIVE,
    "mcts.widening_exponent": NOT_NEGATIVE,
    "fixer.num_rounds": NOT_NEGATIVE,
    "builtin.seconds": POSITIVE,
    "builtin.steps": AT_LEAST_ONE,
    "builtin.candidates": AT_LEAST_ONE,
    "builtin.plausible": AT_LEAST_ONE,
    "generation.temperatures": {"minimum": 0, "maximum": 2},
    "generation.context_tokens": NOT_NEGATIVE,
    "generation.related_tokens": NOT_NEGATIVE,
    "generation.conversation_tokens": {"minimum": 200},
    "journal.days": POSITIVE,
    "cost.size": NOT_NEGATIVE,
    "cost.complexity": NOT_NEGATIVE,
    "cost.runtime": NOT_NEGATIVE,
    "cost.lint": NOT_NEGATIVE,
    "cost.control_flow": NOT_NEGATIVE,
    "sandbox.slots": AT_LEAST_ONE,
    "sandbox.memory_mebibytes": AT_LEAST_ONE,
    "sandbox.processes": AT_LEAST_ONE,
    "sandbox.file_mebibytes": AT_LEAST_ONE,
    "sandbox.output_mebibytes": AT_LEAST_ONE,
    "criteria.<name>.samples": {"minimum": 1, "maximum": MAX_SAMPLES},
    "criteria.<name>.min_samples": AT_LEAST_ONE,
    "criteria.<name>.min_pass": AT_LEAST_ONE,
    "criteria.<name>.weight": POSITIVE,
    **{f"model.{name}": limits for name, limits in _MODEL.items()},
    **{f"models.<name>.{name}": limits for name, limits in _MODEL.items()},
}
"""For each setting that is a number with limits, or a list of such numbers; the others are not limited."""


SECTION = "certo"
"""What the names of our settings begin with."""

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

The group `editor` has none, being for clients that show what the server tells them to; this one has views of its own.
"""

NAMED_GROUPS: Mapping[str, str] = {
    "criteria": "Criteria of your own by which candidates are judged, each by a name of your own: small letters, "
    "digits, `-` and `_`.",
    "models": "Further language models, each by a name of your own: small letters, digits, `-` and `_`. Such a "
    "name can stand wherever a model is chosen.",
}
"""What the settings do that hold groups which users name."""

SOMETIMES_REFUSED = (
    "search.generator",
    "search.strategy",
    "search.evaluator",
    "linear_search.idea_generation_model",
    "llm_tree_search.idea_generation_model",
    "llm_tree_search.idea_generation_ensemble_models",
    "generation.models",
    "memory.model",
    "verify.plugins",
    "cost.plugins",
    "model.name",
    "criteria",
)
"""What a project's file may set to some values and not to others, and a folder that the user trusts to any."""

THE_USERS = ("sandbox.isolation", "search.calls")
"""What a project's file may only make stricter, as no scope of VS Code's can say: it stays the user's alone there."""

_MENTIONED = re.compile(r"`([a-z_]+(?:\.[a-z_]+)+)`")


def configuration() -> list[dict[str, Any]]:
    """What stands in `contributes.configuration`: pages, each with its settings and their schemas."""
    groups = {group: list(options) for group, options in groupby(known_options().values(), lambda each: each.path[0])}
    return [
        {"title": title, "order": place, "properties": _ordered(group, groups[group])}
        for place, (group, title) in enumerate(PAGES.items(), start=2)
    ]


def restricted() -> list[str]:
    """The settings that VS Code takes from no workspace which the user does not trust."""
    settings = {name: schema for page in configuration() for name, schema in page["properties"].items()}
    sometimes = {f"{SECTION}.{known_options()[name].wire_name if '.' in name else name}" for name in SOMETIMES_REFUSED}
    return [name for name, schema in settings.items() if schema["scope"] != "resource" or name in sometimes]


def _ordered(group: str, options: list[Option]) -> dict[str, Any]:
    pairs = [_named(group, options)] if options[0].is_named else [_one(option) for option in options]
    return {name: {**schema, "order": place} for place, (name, schema) in enumerate(pairs)}


def _one(option: Option) -> tuple[str, dict[str, Any]]:
    """A setting that stands for itself."""
    return f"{SECTION}.{option.wire_name}", {**_schema(option), "scope": _scope([option])}


def _named(group: str, options: list[Option]) -> tuple[str, dict[str, Any]]:
    """A setting that is an object of groups, by the names that users give them."""
    return f"{SECTION}.{group}", {
        "type": "object",
        "default": {},
        "markdownDescription": NAMED_GROUPS[group],
        "propertyNames": {"pattern": f"^{GIVEN_NAME}$"},
        "additionalProperties": {
            "type": "object",
            "additionalProperties": False,
            "properties": {option.wire_name.rpartition(".")[2]: _schema(option) for option in options},
            "required": [option.wire_name.rpartition(".")[2] for option in options if option.default is MISSING],
        },
        "scope": _scope(options),
    }


def _scope(options: list[Option]) -> str:
    """Where a setting may stand: in each folder's, or only in those of the user and the machine.

    What a project's file may not choose, its `.vscode/settings.json` may not either. The interpreter is what people do
    set there, and VS Code asks them first whether they trust the folder.
    """
    if options[0].name == "interpreter":
        return "machine-overridable"
    is_users = any(never_a_projects(option) or option.name in THE_USERS for option in options)
    return "machine" if is_users else "resource"


def _schema(option: Option) -> dict[str, Any]:
    """The schema of a setting in the words and with the types that VS Code has a field for."""
    schema = option_schema(option)
    words = _linked(schema.pop("description"))
    limits = LIMITS.get(option.name, {})
    if "anyOf" in schema:
        (kind,) = (one["type"] for one in schema.pop("anyOf") if one["type"] != "null")
        # An empty field stands for a text that is not set; for a number that is not set VS Code has a field of its own.
        if kind == "string":
            schema["default"] = ""
        schema["type"] = [kind, "null"] if schema["default"] is None else kind
    if schema["type"] == "array":
        schema["items"] = {**schema["items"], **limits}
        limits = {}
    return {"type": schema.pop("type"), **_whole(schema), **limits, "markdownDescription": words}


def _whole(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same with 60 for 60.0, as people write it."""
    default = schema.get("default")
    return {**schema, "default": int(default)} if isinstance(default, float) and default.is_integer() else {**schema}


def _linked(words: str) -> str:
    """The words with links to the settings they mention, and with those settings' names as VS Code has them."""

    def link(mention: re.Match[str]) -> str:
        option = known_options().get(mention[1])
        return mention[0] if option is None else f"`#{SECTION}.{option.wire_name}#`"

    return _MENTIONED.sub(link, words)
