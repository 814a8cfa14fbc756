"""Programs that are not asynchronous wait for what this API does."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo import Failed, Specification, Strategy, build, generate, run, wait
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(9, 10, 12, 14, 18, 36, 38, 42, 44, 45)

WANTED = Specification(name="double", description="Double a number.", inputs={"number": int}, output=int)


def write(specification: Specification, past: tuple[Failed, ...]) -> str:
    return "def double(number: int) -> int:\n    return number * 2\n"


def test_programs_that_are_not_asynchronous_wait(tmp_path: Path) -> None:
    with make_runtime(tmp_path, strategy=Strategy(generate=write)):
        assert wait(generate(WANTED)).passed
        built = wait(build(WANTED))
        assert wait(built(number=5)) == 10
        assert wait(run(WANTED, {"number": 6})) == 12
