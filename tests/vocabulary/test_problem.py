"""A problem and the tests that are known of it."""

from __future__ import annotations

import pytest

from certo.vocabulary.problem import FLAKY, KnownTest
from certo.vocabulary.verdict import Ruling


@pytest.mark.parametrize(
    ("message", "is_flaky"),
    [
        pytest.param(FLAKY, True, id="today"),
        pytest.param("fails in one run and passes in another, on the same text", True, id="in_older_journals"),
        pytest.param("AssertionError: it is flaky", False, id="another_reason"),
    ],
)
def test_flaky_test_is_known_by_its_message(message: str, is_flaky: bool) -> None:
    assert KnownTest(id="test_a.py::test_b", ruling=Ruling.UNDECIDED, message=message).is_flaky is is_flaky
