"""Calls that nobody would make tell nothing apart that anybody could decide."""

from __future__ import annotations

import pytest

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.typicality import is_typical


def call(*arguments: str) -> RecordedCall:
    return RecordedCall(callee=Callee(name="f"), arguments=arguments)


@pytest.mark.parametrize(
    ("known", "asked", "is_typical_call"),
    [
        ([("5", "0", "3"), ("-1", "0", "3")], ("9", "4", "3"), False),
        ([("5", "0", "3"), ("-1", "0", "3")], ("9", "3", "4"), True),
        ([("1", "2"), ("2", "1")], ("5", "5"), True),
        ([("'ada lovelace'",), ("'grace hopper'",)], ("'é'",), False),
        ([("'ada lovelace'",), ("'grace hopper'",)], ("'x 1'",), False),
        ([("'ada lovelace'",), ("'grace hopper'",)], ("'X y'",), True),
        ([("['a', 'b']",), ("['c1']",)], ("['2', '']",), True),
        ([("['a', {'b': 'c'}]",), ("['c']",)], ("['a', {'b': '-'}]",), False),
        ([("[1]",), ("[2]",)], ("[]",), True),
        ([("1", "2")], ("2", "1"), True),
        ([("object()", "1"), ("x", "2")], ("y", "3"), True),
        ([(f"[{number}]",) for number in range(10)], ("[1, -1]",), False),
        ([(f"[{number}]",) for number in range(10)], ("[]",), False),
        ([(f"[{number}]",) for number in range(10)], ("[0, 20]",), True),
        ([(f"[{number}]",) for number in range(9)], ("[1, -1]",), True),
        ([("0.5", f"{number}") for number in range(-5, 5)], ("0.0", "1"), False),
        ([("0.5", f"{number}") for number in range(-5, 5)], ("0.7", "-9"), True),
    ],
)
def test_common_properties_of_seen_calls_are_kept(
    known: list[tuple[str, ...]], asked: tuple[str, ...], is_typical_call: bool
):
    assert is_typical([call(*each) for each in known])(call(*asked)) is is_typical_call


def test_a_call_that_was_seen_is_usual():
    seen = [call("3", "1", "'a'"), call("2", "7", "'b-1'"), call("0", "0", "''")]
    assert all(map(is_typical(seen), seen))
