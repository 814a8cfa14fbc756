"""Test strength from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo import TestStrength, measure_strength
from certo.vocabulary.errors import BadRequest, TargetNotFound
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

FILES = {
    "sums.py": "def clamp(n: int) -> int:\n    if n < 0:\n        return 0\n    return n\n",
    "test_sums.py": "from sums import clamp\n\ndef test_it():\n    assert clamp(5) == 5\n\n"
    "def test_red():\n    assert clamp(5) == 6\n",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
}


async def test_strength_of_a_function_on_disk(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project", FILES)
    strength = await measure_strength(root / "sums.py", "clamp", settings={"interpreter": str(bare_python())})
    assert isinstance(strength, TestStrength)
    assert strength.noticed > 0
    assert any(gap.call == "clamp(-1)" for gap in strength.gaps)
    [red] = strength.unused
    assert (red.id, red.why) == ("test_sums.py::test_red", "it fails on the function as it is")


async def test_bad_targets_and_settings_are_refused(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project", FILES)
    with pytest.raises(TargetNotFound):
        await measure_strength(root / "sums.py", "clamped")
    with pytest.raises(BadRequest, match="strength"):
        await measure_strength(root / "sums.py", "clamp", settings={"strength.nothing": 1})
