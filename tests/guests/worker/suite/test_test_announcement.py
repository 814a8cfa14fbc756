"""Code in the tests' process is not told the running test, unless the project itself asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.sandbox.two_processes import run_apart

NOTICING = "import os\n\n\ndef told():\n    return [name for name in os.environ if name.startswith('PYTEST')]\n"
TESTS = {"test_shop.py": "import shop\n\ndef test_told():\n    assert shop.told() == []\n"}
ASKING = {
    "a_conftest": {"conftest.py": "import os\nos.environ.get('PYTEST_CURRENT_TEST')\n"},
    "a_module": {"settings/__init__.py": "import os\nTESTED = 'PYTEST_VERSION' in os.environ\n"},
}


def outcome(place: Path, **more: object) -> str:
    files = more.pop("files", {})
    assert isinstance(files, dict)
    told = run_apart(place, NOTICING, {**TESTS, **files}, apart=False, paths=["test_shop.py"], **more)
    return str(told["test_shop.py::test_told"]["outcome"])


def test_candidates_are_not_told_the_running_test(tmp_path: Path) -> None:
    assert outcome(tmp_path) == "passed"


@pytest.mark.parametrize("files", ASKING.values(), ids=ASKING.keys())
def test_a_project_that_asks_is_told(tmp_path: Path, files: dict[str, str]) -> None:
    assert outcome(tmp_path, files=files) == "failed"


def test_a_target_that_asked_before_is_told(tmp_path: Path) -> None:
    """Only the original text counts: a question in the candidate is no reason to tell it."""
    asking = "PYTEST_CURRENT_TEST = None\n"
    assert outcome(tmp_path / "before", base=asking) == "failed"
    assert outcome(tmp_path / "only_now", base="def told(): ...\n") == "passed"


def test_files_changed_by_candidates_do_not_count(tmp_path: Path) -> None:
    files = {"helpers.py": "'PYTEST_CURRENT_TEST'\n"}
    assert outcome(tmp_path / "unchanged", files=files) == "failed"
    assert outcome(tmp_path / "changed", files=files, elsewhere={"helpers.py": [1]}) == "passed"
