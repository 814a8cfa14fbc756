"""The one-line text of a failure, and the place where it was raised."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from certo_worker.observation.clock import TimeIsUp
from certo_worker.observation.failure_text import MAX_CHARACTERS, message_of, place_of
from certo_worker.observation.tracing import Sight

SIGHT = Sight("nowhere.py", 1, 2)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("no\n  such thing"), "ValueError: no, such thing"),
        (AssertionError("assert 3 == 4\n +  where 3 = f(2)"), "assert 3 == 4, where 3 = f(2)"),
        (
            AssertionError(
                "assert 3 == 4\n +  where 3 = <function f at 0x7f00>(2)\n +    where <function f at 0x7f00> = m.f"
            ),
            "assert 3 == 4, where 3 = f(2)",
        ),
        (AssertionError("assert <A object at 0x7f00>"), "assert <A object>"),
        (TimeIsUp("did not end within 2 s"), "did not end within 2 s"),
        (KeyError("x"), "KeyError: 'x'"),
    ],
)
def test_an_error_in_its_own_words(error: BaseException, message: str) -> None:
    assert message_of(error) == message


def test_a_long_message_is_cut() -> None:
    assert len(message_of(ValueError("x" * 1000))) == MAX_CHARACTERS


def raised_by_an_assertion() -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - any
        raise AssertionError
    return caught.value


def test_a_bare_assertion_shows_its_source() -> None:
    assert message_of(raised_by_an_assertion()) == "AssertionError at raise AssertionError"


def test_library_errors_are_elsewhere_but_assertions_count() -> None:
    """A library's error is raised elsewhere; its assertion is the test's."""
    root = str(Path(__file__).parent)
    with pytest.raises(ValueError, match="Expecting") as caught:
        json.loads("{")
    assert place_of(caught.value, SIGHT, [__file__], root) == ("elsewhere", None)
    with pytest.raises(BaseException, match="DID NOT RAISE") as missed, pytest.raises(KeyError):
        pass
    assert place_of(missed.value, SIGHT, [__file__], root) == ("test", None)


@pytest.mark.parametrize(
    ("file", "test_files", "target", "place"),
    [
        ("tests/checks.py", ["tests/unit/test_m.py"], "m.py", "test"),
        ("tests/checks.py", ["tests/test_m.py"], "src/m.py", "test"),
        ("pkg/tests/checks.py", ["pkg/tests/test_m.py"], "pkg/m.py", "test"),
        ("conftest.py", ["test_m.py"], "m.py", "test"),
        ("contract.py", ["test_m.py", "contract.py"], "m.py", "test"),
        ("contract.py", ["test_m.py"], "m.py", "elsewhere"),
        ("pkg/other.py", ["pkg/tests/test_m.py"], "pkg/m.py", "elsewhere"),
        ("src/other.py", ["tests/test_m.py"], "src/m.py", "elsewhere"),
        ("tests/checks.py", ["tests/test_m.py"], "tests/m.py", "elsewhere"),
    ],
)
def test_assertions_in_test_files_are_theirs(
    file: str, test_files: list[str], target: str, place: str, tmp_path: Path
) -> None:
    code = compile("def check(n):\n    assert n == 1", str(tmp_path / file), "exec")
    found: dict[str, Callable[[int], None]] = {}
    exec(code, found)
    with pytest.raises(AssertionError) as caught:
        found["check"](2)
    # The first frame is of this test, which is outside the project.
    sight = Sight(str(tmp_path / target), 1, 2)
    assert place_of(caught.value, sight, [str(tmp_path / each) for each in test_files], str(tmp_path)) == (place, None)


def test_errors_below_the_target_are_the_targets() -> None:
    def target() -> None:
        json.loads("{")

    first = target.__code__.co_firstlineno
    with pytest.raises(ValueError, match="Expecting") as caught:
        target()
    sight = Sight(__file__, first, first + 1)
    assert place_of(caught.value, sight, ["test_x.py"], "/") == ("target", first + 1)


def test_groups_and_chains_are_searched_for_target() -> None:
    def target() -> None:
        raise KeyError("x")

    first = target.__code__.co_firstlineno
    sight = Sight(__file__, first, first + 1)
    with pytest.raises(KeyError) as inner:
        target()
    wrapped = ValueError("wrapped")
    wrapped.__cause__ = inner.value
    assert place_of(wrapped, sight, [__file__], "/") == ("target", first + 1)
    group = ExceptionGroup("several", [TypeError("other"), inner.value])
    assert place_of(group, sight, [__file__], "/") == ("target", first + 1)
