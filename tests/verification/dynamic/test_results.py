"""The messages of a run are checked: tests run untrusted code, which may try to send some too."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from certo.sandbox.executor import Ending, Finished
from certo.verification.dynamic.results import RunResults
from certo.vocabulary.verdict import Ruling

TEST: dict[str, Any] = {
    "kind": "test",
    "id": "a",
    "outcome": "passed",
    "message": "",
    "seconds": 0.1,
    "where": "",
    "line": None,
    "reached": True,
    "touched": False,
}


def begun() -> RunResults:
    results = RunResults()
    results({"kind": "started", "id": "a", "limit": 1.0})
    return results


def test_a_test_runs_until_its_result() -> None:
    results = begun()
    assert results.running == "a"
    results(TEST)
    assert results.running is None
    assert results.tests["a"].ruling is Ruling.PASSED
    assert results.nonsense == 0


@pytest.mark.parametrize(
    ("ending", "status", "late", "said"),
    [
        (Ending.EXITED, 0, True, "ended the whole process"),
        (Ending.KILLED, -11, True, "ended the whole process"),
        (Ending.EXITED, 1, False, "ended the whole process"),
        (Ending.EXITED, 1, True, "did not end within 2 s"),
        (Ending.KILLED, -27, False, "did not end within 2 s"),
        (Ending.CPU, -9, False, "did not end within 2 s"),
        (Ending.WALL, -9, False, "did not end within 2 s"),
    ],
)
def test_exit_status_and_not_time_explains_death(ending: Ending, status: int, said: str, *, late: bool) -> None:
    results = begun()
    results.limit, results.since = 2.0, results.since - (1000.0 if late else 0.0)
    finished = Finished(ending=ending, status=status, complete=False, seconds=1000.0, cpu_seconds=0.5)
    assert results.how_it_was_killed(finished) == said


def test_a_second_result_is_nonsense() -> None:
    results = begun()
    results(TEST)
    results(TEST)
    assert results.nonsense == 1


def test_a_result_without_a_beginning_is_nonsense() -> None:
    results = begun()
    results({**TEST, "id": "b"})
    assert results.nonsense == 1


@pytest.mark.parametrize("odd", [{}, {"kind": "wish"}, {"kind": "test"}, {**TEST, "outcome": "fine"}, {"kind": []}])
def test_foreign_messages_are_counted_and_ignored(odd: dict[str, Any]) -> None:
    results = begun()
    results(odd)
    assert results.nonsense == 1
    assert results.tests == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KINDS = [
    "collected",
    "started",
    "test",
    "uncollected",
    "reach",
    "no_pytest",
    "stopped",
    "suite_ended",
    "imported",
    "early",
]


@settings(suppress_health_check=[HealthCheck.too_slow])  # how fast values are made is the machine's affair
@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from([*TEST, "ids", "limit", "path", "paths"]), JSON))
def test_no_message_breaks_it(kind: str, rest: dict[str, Any]) -> None:
    RunResults()({**rest, "kind": kind})
