"""Which tests reach the target, and how they stand: on real projects, with real pytest."""

from __future__ import annotations

from pathlib import Path

from certo.vocabulary.problem import Baseline
from support.projects import Project, write_project


def standing(baseline: Baseline) -> dict[str, str]:
    return {test.id: test.ruling.value for test in baseline.tests}


async def test_src_layout_with_pytest_configuration_fixture_and_method(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "pyproject.toml": """\
                [tool.pytest.ini_options]
                testpaths = ["tests"]
                addopts = "-x -q --strict-markers"
                pythonpath = ["src"]
                """,
            "src/shop/__init__.py": "from .till import Till\n",
            "src/shop/rates.py": "RATE = 2\n",
            "src/shop/till.py": """\
                from .rates import RATE


                class Till:
                    def __init__(self) -> None:
                        self.sum = 0

                    def add(self, price: int) -> int:
                        self.sum -= price * RATE
                        return self.sum

                    def empty(self) -> None:
                        self.sum = 0
                """,
            "tests/conftest.py": """\
                import pytest
                from shop import Till

                @pytest.fixture
                def till():
                    return Till()
                """,
            "tests/test_till.py": """\
                import pytest

                def test_add(till):
                    assert till.add(2) == 4

                @pytest.mark.parametrize("times, total", [(0, 0), (2, 4)])
                def test_often(till, times, total):
                    for _ in range(times):
                        till.add(1)
                    assert till.sum == total

                def test_add_nothing(till):
                    assert till.add(0) == 0

                def test_empty(till):
                    till.empty()
                    assert till.sum == 0
                """,
        },
    )
    baseline = await Project(tmp_path, "src/shop/till.py", "Till.add").baseline()
    assert standing(baseline) == {
        "tests/test_till.py::test_add": "failed",
        "tests/test_till.py::test_often[2-4]": "failed",
        "tests/test_till.py::test_add_nothing": "passed",
    }
    assert baseline.failing[0].message.startswith("assert -4 == 4, where -4 = ")
    assert baseline.set_aside == ()
    assert baseline.problems == ()
