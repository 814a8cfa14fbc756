"""The settings in VS Code: each has its place, and its field takes what the server takes."""

from __future__ import annotations

import math
from pathlib import Path

import jsonschema
import pytest

from certo.settings.loader import load_settings
from certo.settings.schema import Option, Settings, known_options, named_groups
from certo.settings.trust import objection
from certo.settings.vscode import configuration, limits, restricted
from certo.vocabulary.errors import BadSetting

PROPERTIES = {name: schema for page in configuration() for name, schema in page["properties"].items()}
OPTIONS = known_options()
LIMITS = {name: limits(option) for name, option in OPTIONS.items() if limits(option)}

SOMETIMES_REFUSED = {
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
}
"""Settings to which a project's file may give some values and not others; a trusted folder may give any."""

THE_USERS = {"sandbox.isolation", "search.calls"}
"""Settings that a project's file may only make stricter; no scope of VS Code says so, so they are the user's."""


def test_settings_but_the_editors_have_places() -> None:
    """The group `editor` is for clients without views of their own."""
    expected = {
        f"certo.{option.path[0] if option.is_named else option.wire_name}"
        for option in OPTIONS.values()
        if option.path[0] != "editor"
    }
    assert set(PROPERTIES) == expected
    for group in named_groups():
        inner = PROPERTIES[f"certo.{group}"]["additionalProperties"]["properties"]
        assert len(inner) == sum(option.path[0] == group for option in OPTIONS.values())


@pytest.mark.parametrize("name", PROPERTIES)
def test_defaults_fit_their_schema_and_the_server(name: str, tmp_path: Path) -> None:
    schema = PROPERTIES[name]
    jsonschema.validate(schema["default"], schema)
    client = {name.removeprefix("certo."): schema["default"]}
    assert load_settings(tmp_path, client=client, environ={}, flags=None) == Settings()


def test_numbers_are_written_as_people_write_them() -> None:
    assert repr(PROPERTIES["certo.search.seconds"]["default"]) == "60"


@pytest.mark.parametrize("name", LIMITS)
def test_the_server_checks_the_same_limits(name: str, tmp_path: Path) -> None:
    """A value at a limit is taken, and a value beyond it is refused."""
    option = OPTIONS[name].called("mine")
    limits = LIMITS[name]
    at = limits.get("minimum", limits.get("exclusiveMinimum", 0))
    beyond = at if "exclusiveMinimum" in limits else at - 1
    taken = at + 1 if "exclusiveMinimum" in limits else at
    _load(tmp_path, option, taken)
    with pytest.raises(BadSetting):
        _load(tmp_path, option, beyond)
    if "maximum" in limits:
        _load(tmp_path, option, limits["maximum"])
        with pytest.raises(BadSetting):
            _load(tmp_path, option, math.floor(limits["maximum"]) + 1)


def _load(root: Path, option: Option, value: float) -> None:
    """Load a setting that is a number, with what it cannot stand without."""
    others = {"criteria": {"mine": {"expression": "is short"}}} if option.path[0] == "criteria" else {}
    if option.path[-1].endswith("_dollars"):
        group = ".".join(option.path[:-1])
        others = {f"{group}.input_dollars": 1.0, f"{group}.output_dollars": 1.0}
    if option.path[0] == "cost":
        others = {"cost.runtime" if option.name == "cost.size" else "cost.size": 1.0}
    others = {name: at for name, at in others.items() if name != option.name}
    load_settings(root, client={**others, option.name: [value] if option.is_list else value}, environ={}, flags=None)


def test_users_settings_stand_in_no_workspace() -> None:
    for option in OPTIONS.values():
        if option.path[0] == "editor":
            continue
        name = f"certo.{option.path[0] if option.is_named else option.wire_name}"
        if _is_never_a_projects(option) or name.removeprefix("certo.") in THE_USERS:
            assert PROPERTIES[name]["scope"] in {"machine", "machine-overridable"}, name
            assert name in restricted()
        elif not option.is_named:
            assert PROPERTIES[name]["scope"] == "resource", name


def test_partly_allowed_settings_need_trust() -> None:
    """Found by asking the judge of projects' files about values of each kind."""
    values = (True, 100_000, "process", "scripted:replies.json", ("scripted:replies.json",), False, 0, "", ())
    refused = {
        option.path[0] if option.is_named else option.name
        for option in OPTIONS.values()
        for value in values
        if not _is_never_a_projects(option) and _objects(option, value)
    }
    assert refused - {"models"} == {*SOMETIMES_REFUSED, *THE_USERS}
    wire = {f"certo.{OPTIONS[name].wire_name if '.' in name else name}" for name in SOMETIMES_REFUSED}
    assert wire - set(restricted()) == set()


def _is_never_a_projects(option: Option) -> bool:
    """True if a project's own file may not set this, unless to a default of false."""
    return _objects(option, True if option.default is False else option.default)


def _objects(option: Option, value: object) -> bool:
    try:
        return bool(objection(option, value))
    except TypeError:  # a value of another kind than the setting's, which is refused before anybody judges it
        return False


def test_mentions_of_settings_are_links() -> None:
    words = PROPERTIES["certo.cost.calls"]["markdownDescription"]
    assert words.startswith("Weights of other calls for `#certo.cost.controlFlow#`: ")


def test_an_empty_text_is_not_set(tmp_path: Path) -> None:
    assert load_settings(tmp_path, client={"interpreter": ""}, environ={}, flags=None).interpreter is None
