"""Why no test counts for a target, and what would change it: on real projects, with real pytest."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from certo.project.requirements import django_settings
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.missing_tests import remedies
from support.projects.projects import Project, standing, write_project

TEST = "from sums import double\n\n\ndef test_double():\n    assert double(1) == 2\n"
SUMS = {"sums.py": "def double(x):\n    return 2 * x\n"}


def harness_of(root: Path) -> Harness:
    write_project(root, SUMS)
    project = Project(root, "sums.py", "double")
    return Harness(
        root=root,
        path="sums.py",
        base=project.text,
        target=project.target,
        unsaved={},
        interpreter=project.interpreter,
        executor=project.executor,
        options=project.options,
    )


async def test_reason_is_given_without_tests(tmp_path: Path) -> None:
    write_project(tmp_path, {**SUMS, "qa/sums.py": TEST})
    (problem,) = (await Project(tmp_path, "sums.py", "double").baseline()).problems
    assert problem.startswith(f"no test file below {tmp_path} leads to double")
    assert '[tool.certo.tests] paths = ["tests/FILE.py"]' in problem


@pytest.mark.parametrize(
    ("files", "option"),
    [
        (
            {"sums.py": SUMS["sums.py"] + '\n\ndef half(x):\n    """\n    >>> double(1)\n    2\n    """\n'},
            "--doctest-modules",
        ),
        ({**SUMS, "README.md": ">>> double(1)\n2\n"}, "--doctest-glob=README.md"),
    ],
    ids=["another function", "a text"],
)
async def test_examples_that_nobody_runs_are_mentioned(tmp_path: Path, files: dict[str, str], option: str) -> None:
    write_project(tmp_path, files)
    (problem,) = (await Project(tmp_path, "sums.py", "double").baseline()).problems
    assert f"count if the project runs them, as by pytest's {option}." in problem


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("import pytest\n@pytest.mark.skip('later')\n" + TEST.split("\n\n\n")[1], "no test file"),
        (TEST.replace("    assert", "    return\n    assert"), "1 test ran and none executed double"),
        (
            TEST.replace("    assert", "    raise OSError('gone')\n    assert"),
            "make one pass, or add one that needs less or a doctest to its docstring",
        ),
        (
            TEST.replace(
                "    assert", "    import socket\n    socket.create_connection(('no.invalid', 80))\n    assert"
            ),
            "a run has no network and cannot write into the project, and no setting gives it either; add a test",
        ),
    ],
    ids=["never named", "not executed", "failing", "on the network"],
)
async def test_reason_is_given_when_nothing_counts(tmp_path: Path, test: str, reason: str) -> None:
    write_project(tmp_path, {**SUMS, "test_sums.py": test})
    (problem,) = (await Project(tmp_path, "sums.py", "double").baseline()).problems
    assert reason in problem


async def test_what_breaks_pytest_has_its_place(tmp_path: Path) -> None:
    files = {
        "test_sums.py": TEST,
        "own.py": "def pytest_configure(\n    return\n",
        "pytest.ini": "[pytest]\naddopts = -p own\n",
    }
    write_project(tmp_path, {**SUMS, **files})
    project = Project(tmp_path, "sums.py", "double")
    said, command = (await project.baseline()).problems
    assert "SyntaxError: " in said
    assert said.endswith(f"({tmp_path / 'own.py'}, line 1)")
    assert command.endswith(f"cd {tmp_path} && {project.interpreter.executable} -m pytest")


async def test_denied_tests_are_named_and_others_used(tmp_path: Path) -> None:
    """They fail in their own body after they have executed the target, which is not to blame."""
    denied = {
        "test_online": "import socket; socket.getaddrinfo('no.invalid', double(40))",
        "test_written": "open('result.txt', 'w').write(str(double(1)))",
        "test_written_beside": "import pathlib; pathlib.Path(__file__).with_name(str(double(1))).write_text('x')",
    }
    tests = TEST + "".join(f"\n\ndef {name}():\n    double(1)\n    {body}\n" for name, body in denied.items())
    write_project(tmp_path, {**SUMS, "test_sums.py": tests})
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_double": "passed"}
    assert {test.id for test in baseline.failing_elsewhere} == {f"test_sums.py::{name}" for name in denied}
    assert sorted(name for name in os.listdir(tmp_path) if name[0] != "_") == ["sums.py", "test_sums.py"]


async def test_assertions_about_permissions_count(tmp_path: Path) -> None:
    test = TEST.replace("== 2", "== 'PermissionError: [Errno 13] Permission denied'")
    write_project(tmp_path, {**SUMS, "test_sums.py": test})
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_double": "failed"}


REMEDIES = {
    "its own package": ("ModuleNotFoundError: No module named 'sums.more'", {}, "-m pip install -e {root}"),
    "its own metadata": ("importlib.metadata.PackageNotFoundError: sums", {}, "-m pip install -e {root}"),
    "another package": ("ModuleNotFoundError: No module named 'vcr.x'", {}, "install what provides vcr: {python}"),
    "an extra": (
        "ModuleNotFoundError: No module named 'vcr'",
        {"pyproject.toml": "[project.optional-dependencies]\ntest = ['vcrpy']\n"},
        "{python} -m pip install -e '{root}[test]'",
    ),
    "a group": (
        "unrecognized arguments: --cov=sums",
        {"pyproject.toml": "[dependency-groups]\ndev = ['pytest-cov']\n"},
        "cd {root} && {python} -m pip install --group dev",
    ),
    "options of plug-ins": (
        "unrecognized arguments: --cov=sums --cov-append -n 4",
        {},
        "{python} -m pip install pytest-cov pytest-xdist",
    ),
    "an unknown option": ("unrecognized arguments: --dsn --cov", {}, "{python} -m pip install pytest-cov NAME"),
    "a file": ("No module named 'vcr'", {"requirements-dev.txt": "vcrpy\n"}, "-r {root}/requirements-dev.txt"),
    "Django": (
        "ImproperlyConfigured: Requested setting APPS, but settings are not configured.",
        {"manage.py": "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site1.settings')\n"},
        "[pytest] DJANGO_SETTINGS_MODULE = site1.settings",
    ),
}


@pytest.mark.parametrize(("message", "files", "remedy"), REMEDIES.values(), ids=REMEDIES.keys())
def test_remedy_is_a_command(tmp_path: Path, message: str, files: dict[str, str], remedy: str) -> None:
    root = tmp_path / "project"
    harness = harness_of(root)
    write_project(root, files)
    (said,) = remedies(harness, [message, message])
    assert remedy.format(root=root, python=harness.interpreter.executable) in said


def test_one_of_several_packages_is_installed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    harness = replace(harness_of(root), path="packages/a/src/pa/sums.py")
    write_project(root, {"packages/a/pyproject.toml": "", "packages/a/src/pa/sums.py": ""})
    (said,) = remedies(harness, ["ModuleNotFoundError: No module named 'pa'"])
    assert said.endswith(f"-m pip install -e {root}/packages/a")


def test_other_errors_have_no_remedy(tmp_path: Path) -> None:
    assert list(remedies(harness_of(tmp_path), ["SyntaxError: invalid syntax"])) == []
    assert django_settings(tmp_path) == ""
