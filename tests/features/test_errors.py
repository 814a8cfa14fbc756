"""Our own errors are answered with a name and a number, and without a traceback."""

from __future__ import annotations

import pytest

from certo.features.errors import failure, known, name_of
from certo.protocol.errors import CODES, Failure
from certo.vocabulary.errors import (
    AttemptsFailed,
    BadSetting,
    CertoError,
    ModelFailed,
    SearchNotFound,
    StaleText,
    TargetNotFound,
)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (TargetNotFound("no such function"), "TargetNotFound"),
        (BadSetting("unknown"), "BadSetting"),
        (AttemptsFailed("no answer"), "BrokenWorld"),
    ],
)
def test_error_has_its_own_or_parents_name(error: CertoError, name: str) -> None:
    answer = failure(error, {})
    assert answer.data == {"name": name, "retriable": False}
    assert (answer.code, answer.message) == (CODES[name], str(error))
    assert name_of(type(error)) == name


def test_known_errors_are_found_in_groups() -> None:
    """Unless the group has a bug in it as well."""
    stale, gone, bug = StaleText("it moved"), SearchNotFound("gone"), ValueError("a bug")
    assert known(stale) is stale
    assert known(ExceptionGroup("", [ExceptionGroup("", [stale]), gone])) is stale
    assert known(ExceptionGroup("", [stale, bug])) is None
    assert known(bug) is None


def test_it_says_which_search_it_is_about() -> None:
    assert failure(SearchNotFound("gone"), {"searchId": "5f0c2a9e"}).data["searchId"] == "5f0c2a9e"
    assert "searchId" not in failure(SearchNotFound("gone"), {"searchId": 7}).data


def test_answer_says_whether_and_when_to_retry() -> None:
    assert failure(StaleText("it moved"), None).data["retriable"] is True
    busy = failure(ModelFailed("slow down", transient=True, retry_after=2.5, status=429), None)
    told = {"name": "ModelFailed", "retriable": True, "retryAfter": 2.5, "status": 429}
    assert busy.data == told
    assert Failure.model_validate(told, by_alias=True, by_name=False).retry_after == 2.5
