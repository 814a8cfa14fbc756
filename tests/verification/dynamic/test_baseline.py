"""Tests that reach the target, and their standing: on real projects, with real pytest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.verification.options import TestOptions
from certo.vocabulary.errors import BadSetting
from support.projects.projects import Project, standing, write_project


def files_of(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


async def test_a_configured_src_layout_is_understood(tmp_path: Path) -> None:
    """The target is a method that tests reach through a fixture."""
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


async def test_a_bare_folder_has_a_baseline(tmp_path: Path) -> None:
    """The target is a hole, and one test file stands beside it."""
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    raise NotImplementedError\n\n\ndef triple(x):\n    return 3 * x\n",
            "test_sums.py": """\
                from sums import double, triple

                def test_double():
                    assert double(2) == 4

                def test_triple():
                    assert triple(2) == 6
                """,
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_double": "failed"}
    assert baseline.failing[0].message == "NotImplementedError"
    assert files_of(tmp_path) == ["sums.py", "test_sums.py"]


async def test_unittest_cases_count_like_functions(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/sums.py": "def double(x):\n    return x + 2\n",
            "tests/test_sums.py": """\
                import unittest
                from pkg.sums import double

                class Sums(unittest.TestCase):
                    def test_wrong(self):
                        self.assertEqual(double(3), 6)

                    def test_right(self):
                        self.assertEqual(double(2), 4)
                """,
        },
    )
    baseline = await Project(tmp_path, "pkg/sums.py", "double").baseline()
    assert standing(baseline) == {
        "tests/test_sums.py::Sums::test_wrong": "failed",
        "tests/test_sums.py::Sums::test_right": "passed",
    }
    assert baseline.failing[0].message == "5 != 6"


async def test_async_tests_without_plugin_are_set_aside(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            # Such a plug-in may be installed where these tests run.
            "pytest.ini": "[pytest]\naddopts = -p no:asyncio -p no:anyio\n",
            "sums.py": "async def double(x):\n    return x + x\n",
            "test_sums.py": """\
                from sums import double

                async def test_double():
                    assert await double(2) == 4
                """,
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert baseline.tests == ()
    assert [test.id for test in baseline.set_aside] == ["test_sums.py::test_double"]


async def test_the_target_may_stand_among_its_tests(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "test_sums.py": """\
                def double(x):
                    return x * 3

                def test_double():
                    assert double(2) == 4
                """
        },
    )
    baseline = await Project(tmp_path, "test_sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_double": "failed"}
    assert baseline.failing[0].message == "assert 6 == 4, where 6 = double(2)"


async def test_doctests_alone_are_a_baseline(tmp_path: Path) -> None:
    """They need relative imports, an expected exception and a name from an earlier example."""
    write_project(
        tmp_path,
        {
            "setup.cfg": "[tool:pytest]\ndoctest_optionflags = ELLIPSIS\n",
            "pkg/__init__.py": "",
            "pkg/names.py": "GREETING = 'Grüße'\n",
            "pkg/greet.py": '''\
                from .names import GREETING


                class Greeter:
                    def greet(self, name: str) -> str:
                        """Greet.

                        >>> greeter = Greeter()
                        >>> text = greeter.greet("Zoë")
                        >>> text
                        'Grüße, Zoë!'
                        >>> greeter.greet("")
                        Traceback (most recent call last):
                            ...
                        ValueError: nobody
                        >>> greeter.greet(3)  # doctest: +SKIP
                        >>> greeter.greet("Ümit")
                        'Grüße...?'
                        """
                        if not name:
                            raise ValueError("nobody")
                        return f"{GREETING}, {name}?"
                ''',
        },
    )
    baseline = await Project(tmp_path, "pkg/greet.py", "Greeter.greet").baseline()
    assert standing(baseline) == {
        "doctest:Greeter.greet:9": "passed",
        "doctest:Greeter.greet:10": "failed",
        "doctest:Greeter.greet:12": "passed",
        "doctest:Greeter.greet:17": "passed",
    }
    assert baseline.failing[0].message == "text gave 'Grüße, Zoë?', not 'Grüße, Zoë!'"
    assert baseline.problems == ()


async def test_a_conftest_reaches_the_decorated_target(tmp_path: Path) -> None:
    """The file has the line breaks of Windows."""
    source = """\
        import functools

        NAME = "Größe"


        @functools.lru_cache(maxsize=None)
        def size(name):
            return len(name) + 1
        """
    write_project(
        tmp_path,
        {
            "maße.py": source,
            "tests/conftest.py": """\
                import pytest
                from maße import size

                @pytest.fixture
                def measure():
                    return size
                """,
            "tests/test_size.py": "def test_size(measure):\n    assert measure('Öl') == 2\n",
        },
    )
    place = tmp_path / "maße.py"
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    baseline = await Project(tmp_path, "maße.py", "size").baseline()
    assert standing(baseline) == {"tests/test_size.py::test_size": "failed"}


async def test_unsaved_texts_are_what_is_run(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    return x\n",
            "test_sums.py": "def test_nothing():\n    pass\n",
        },
    )
    project = Project(
        tmp_path,
        "sums.py",
        "double",
        unsaved={"test_sums.py": "import sums\n\ndef test_new():\n    assert sums.double(2) == 4\n"},
        text="\n\ndef double(x):\n    return x + x\n",
    )
    baseline = await project.baseline()
    assert standing(baseline) == {"test_sums.py::test_new": "passed"}


async def test_a_byte_order_mark_is_kept(tmp_path: Path) -> None:
    tests = "from sums import double\n\ndef test_double():\n    assert double(2) == 4\n"
    write_project(tmp_path, {"sums.py": "\ufeffdef double(x):\n    return x + x\n", "test_sums.py": tests})
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_double": "passed"}


async def test_expected_failures_and_skips(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    return x\n",
            "test_sums.py": """\
                import pytest
                from sums import double

                @pytest.mark.xfail(strict=True)
                def test_expected():
                    assert double(2) == 4

                @pytest.mark.xfail(strict=True)
                def test_unexpected():
                    assert double(2) == 2

                @pytest.mark.xfail
                def test_tolerated():
                    assert double(2) == 2

                @pytest.mark.skip
                def test_never():
                    assert double(2) == 4

                def test_on_the_way():
                    double(2)
                    pytest.skip("not today")
                """,
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {
        "test_sums.py::test_expected": "undecided",
        "test_sums.py::test_unexpected": "failed",
        "test_sums.py::test_tolerated": "undecided",
        "test_sums.py::test_on_the_way": "undecided",
    }


async def test_chosen_test_paths_are_checked_and_kept(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    return x\n",
            "test_a.py": "import sums\n\ndef test_a():\n    assert sums.double(1) == 2\n",
            "checks/b.py": """\
                import sums

                def test_b():
                    assert sums.double(2) == 4

                def test_c():
                    sums.double(2)
                """,
        },
    )
    options = TestOptions(seconds=5.0, total_seconds=20.0, paths=("checks/b.py::test_b",))
    baseline = await Project(tmp_path, "sums.py", "double", options).baseline()
    assert standing(baseline) == {"checks/b.py::test_b": "failed"}
    with pytest.raises(BadSetting, match=r"checks/nowhere\.py"):
        await Project(tmp_path, "sums.py", "double", TestOptions(paths=("checks/nowhere.py",))).baseline()


async def test_extra_test_files_are_run(tmp_path: Path) -> None:
    """Their text does not show that they reach the target."""
    files = {
        "shop.py": "def total():\n    return 1\n",
        "test_names.py": """\
            import runpy

            def test_total():
                module = runpy.run_path("sh" + "op.py")
                assert module["to" + "tal"]() == 2
            """,
    }
    project = Project(write_project(tmp_path, files), "shop.py", "total")
    assert standing(await project.baseline()) == {}
    extra = replace(project, extra_files=("test_names.py",))
    assert standing(await extra.baseline()) == {"test_names.py::test_total": "failed"}
