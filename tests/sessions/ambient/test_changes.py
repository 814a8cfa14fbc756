"""Functions that a save changes, and the tests that pytest has noted as failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.target import ByName
from certo.sessions.ambient.changes import changed_functions, last_failed, named_test

BEFORE = "LIMIT = 1\n\ndef one():\n    return 1\n\nclass Till:\n    def total(self):\n        return 2\n"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BEFORE, []),
        (BEFORE.replace("LIMIT = 1", "LIMIT = 2"), []),
        (BEFORE.replace("return 2", "return 3"), [ByName("Till.total", 0)]),
        (BEFORE + "\ndef two():\n    return 2\n", [ByName("two", 0)]),
        (BEFORE + "\ndef two(:\n", []),
    ],
)
def test_only_functions_with_another_text_are_named(after: str, expected: list[ByName]) -> None:
    assert list(changed_functions(BEFORE, after)) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('{"test_a.py::test_one[1]": true, "test_b.py": true}', {"test_a.py::test_one[1]"}),
        ("[]", set()),
        ("{", set()),
        ("[" * 100_000, set()),
        ('{"test_a.py::test_one": ' + " " * (4 << 20) + "true}", set()),
    ],
    ids=["tests", "list", "broken", "deep", "large"],
)
def test_failed_tests_are_read_from_pytests_cache(tmp_path: Path, written: str, expected: set[str]) -> None:
    cache = tmp_path / "lastfailed"
    assert last_failed(cache) == frozenset()
    cache.write_text(written)
    assert last_failed(cache) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tests/test_a.py::TestA::test_one[1]", (Path("tests/test_a.py"), ByName("TestA.test_one"))),
        ("tests/x.yaml::case: foo", None),
        ("::x", None),
        ("a.py::", None),
        ("a.py::f:" + "9" * 5000, None),
        ("/etc/test_a.py::test_one", None),
        ("../other/test_a.py::test_one", None),
        ("~/test_a.py::test_one", None),
        ("~nobody-here/test_a.py::test_one", None),
    ],
)
def test_only_functions_inside_are_named_tests(name: str, expected: tuple[Path, ByName] | None) -> None:
    assert named_test(name) == expected
