"""The calls that candidates are compared by are such as their function takes."""

from __future__ import annotations

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.call_pool import pool
from certo.edits.definitions import Definition
from certo.edits.target import ByName, definition_of, find_target


def defined(source: str) -> Definition:
    found = definition_of(source, find_target(source, ByName("f"), path="mod.py"))
    assert found is not None
    return found


def test_keyword_only_arguments_are_passed_by_name() -> None:
    definition = defined("def f(x: int, *, by: int, upper: bool = False):\n    ...\n")
    calls = pool(Callee(name="f"), (), definition, (), 0)
    assert all("by" in call.named for call in calls)
    assert {call.named["by"] for call in calls} > {"0", "1", "-1"}
    assert {call.named.get("upper") for call in calls if not call.strange} == {None, "True", "False"}


def test_unknown_parameters_get_the_tests_values() -> None:
    definition = defined("def f(x: int, *, account):\n    ...\n")
    assert pool(Callee(name="f"), (), definition, (), 0) == ()
    known = RecordedCall(callee=Callee(name="f"), arguments=("1",), named={"account": "Account('a')"})
    calls = pool(Callee(name="f"), (known,), definition, (), 0)
    assert {call.arguments[0] for call in calls} > {"1", "2", "10"}
    assert all("account" in call.named for call in calls)
