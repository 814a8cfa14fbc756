"""Within a version of the protocol, clients and servers of different releases understand each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from certo.protocol.schema import document
from certo.settings.documents import json_schema
from support.upgrades.fitting import Fitting, Schema
from support.upgrades.kept import VERSIONS, bare, protocol_of

GROWING = ("#/$defs/AnyEvent",)
"""Definitions whose alternatives may become more: a client passes over events that it does not know."""


def problems(before: Schema, after: Schema) -> Iterator[str]:
    """Yield what an earlier client cannot send to the later server, or not expect from it."""
    requests = Fitting(before, after)
    answers = Fitting(after, before, growing=GROWING)
    earlier, later = before["certo"]["methods"], after["certo"]["methods"]
    for method, uses in earlier.items():
        if method not in later:
            yield f"{method}: it is gone"
            continue
        now = later[method]
        if uses["sender"] == "client":
            yield from requests.misfits(uses["params"], now["params"], method)
            yield from answers.misfits(now.get("result"), uses.get("result"), f"{method} answers")
        else:
            yield from answers.misfits(now["params"], uses["params"], method)
            yield from requests.misfits(uses.get("result"), now.get("result"), f"{method} answers")
    yield from answers.misfits({"$ref": GROWING[0]}, {"$ref": GROWING[0]}, "event")
    yield from requests.misfits(before["certo"]["asking"], after["certo"]["asking"], "initialize")
    yield from answers.misfits(after["certo"]["agreement"], before["certo"]["agreement"], "initialize answers")
    for name, about in before["certo"]["errors"].items():
        if after["certo"]["errors"].get(name, {}).get("code") != about["code"]:
            yield f"{name}: its number is another"


@cache
def _written() -> str:
    return json.dumps(bare(document(json_schema())))


def current() -> Any:
    """Return the schema of this version, each time another copy."""
    return json.loads(_written())


@pytest.mark.parametrize("version", VERSIONS)
def test_earlier_clients_understand_this_server(version: str) -> None:
    """If this fails on purpose, the protocol needs a new version; see decision 0012."""
    before = protocol_of(version)
    assert list(problems(before, current())) == []
    assert set(before["certo"]["versions"]) <= set(current()["certo"]["versions"])


def _add_key(schema: Any) -> None:
    schema["$defs"]["StartResult"]["properties"]["more"] = {"type": "string"}


def _add_wish(schema: Any) -> None:
    schema["$defs"]["StartParams"]["properties"]["more"] = {"type": "string"}


def _add_event(schema: Any) -> None:
    [alternatives] = [value for value in schema["$defs"]["AnyEvent"].values() if isinstance(value, list)]
    alternatives.append({"type": "object", "properties": {"type": {"const": "new"}}, "required": ["type"]})


@pytest.mark.parametrize("change", [_add_key, _add_wish, _add_event])
def test_additions_keep_the_version(change: Callable[[Any], None]) -> None:
    after = current()
    change(after)
    assert list(problems(current(), after)) == []


def _drop_wish(schema: Any) -> None:
    del schema["$defs"]["StartParams"]["properties"]["qualname"]


def _demand_wish(schema: Any) -> None:
    schema["$defs"]["StartParams"].setdefault("required", []).append("instruction")


def _drop_key(schema: Any) -> None:
    del schema["$defs"]["StartResult"]["properties"]["searchId"]
    schema["$defs"]["StartResult"]["required"].remove("searchId")


def _change_type(schema: Any) -> None:
    schema["$defs"]["StartResult"]["properties"]["searchId"] = {"type": "integer"}


def _drop_method(schema: Any) -> None:
    del schema["certo"]["methods"]["certo/search/start"]


def _drop_event(schema: Any) -> None:
    """An event that comes without what it always had."""
    schema["$defs"]["SearchStopped"]["required"].remove("reason")


def _change_number(schema: Any) -> None:
    next(iter(schema["certo"]["errors"].values()))["code"] = 1


@pytest.mark.parametrize(
    "change", [_drop_wish, _demand_wish, _drop_key, _change_type, _drop_method, _drop_event, _change_number]
)
def test_other_changes_need_a_version(change: Callable[[Any], None]) -> None:
    after = current()
    change(after)
    assert list(problems(current(), after)) != []


def test_each_place_of_a_misfit_is_named() -> None:
    """A pair that does not fit is no pair that was compared: the next method that uses it breaks too."""
    kind: Schema = {"$ref": "#/$defs/Kind"}
    fitting = Fitting({"$defs": {"Kind": {"type": "string"}}}, {"$defs": {"Kind": {"type": "integer"}}})
    for place in ("one", "two"):
        [problem] = fitting.misfits(kind, kind, place)
        assert problem.startswith(place)
