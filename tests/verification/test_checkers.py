"""Candidates judged by real ty and basedpyright in a real sandbox: new errors count, old ones do not.

A checker that cannot be had is left out, and that is said.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from certo.verification.options import ToolOptions
from certo.verification.tools.runner import chosen_tools
from certo.vocabulary.verdict import Ruling
from support.projects.linted_project import Tooled
from support.projects.python_matrix import make_environment_with
from support.sandbox.stage import Stage

pytestmark = pytest.mark.acceptance(21)

TY = {"ty.toml": ""}
PYRIGHT = {"pyproject.toml": "[tool.basedpyright]\ntypeCheckingMode = 'standard'\n"}


def checked(root: Path, files: dict[str, str], requirement: str = "ty==0.0.105") -> Tooled:
    """A project whose environment has a checker from the package index."""
    tooled = Tooled(root, files)
    python = make_environment_with(Path(sys.executable), requirement)
    usual = tooled.project.interpreter
    tooled.project.interpreter = replace(usual, executable=python, readable=(*usual.readable, python.parents[1]))
    return tooled


@pytest.mark.parametrize(
    ("files", "requirement", "tool", "said"),
    [
        (
            TY,
            "ty==0.0.105",
            "ty",
            "ty: Argument to function `tax` is incorrect: Expected `int`, found `str` [invalid-argument-type]",
        ),
        pytest.param(
            PYRIGHT,
            "basedpyright==1.40.2",
            "pyright",
            'pyright: Argument of type "str" cannot be assigned to parameter "price" of type "int" in function "tax"',
            marks=[pytest.mark.slow, pytest.mark.timeout(600)],
        ),
    ],
)
async def test_only_new_errors_count(
    tmp_path: Path, files: dict[str, str], requirement: str, tool: str, said: str
) -> None:
    tooled = checked(tmp_path, files, requirement)
    problem = await tooled.problem()
    assert (problem.baseline_run.tools, problem.baseline.problems) == ((tool,), ())
    assert (await tooled.types(tooled.candidate("(\n        sum(prices)\n    )"), problem)).ruling is Ruling.PASSED
    wrong = await tooled.types(tooled.candidate("[\n        tax(str(prices)),\n    ][0]"), problem)
    assert wrong.ruling is Ruling.FAILED
    assert [(finding.message[: len(said)], finding.line) for finding in wrong.findings] == [(said, 7)]
    silenced = await tooled.types(tooled.candidate(f"tax(str(prices))  # {tool}: ignore"), problem)
    assert silenced.ruling is Ruling.FAILED


async def test_what_the_configuration_excludes_is_not_judged(tmp_path: Path) -> None:
    problem = await checked(tmp_path, {"ty.toml": "[src]\nexclude = ['shop.py']\n"}).problem()
    assert (problem.baseline_run.tools, problem.baseline.problems) == ((), ())


async def test_unsaved_texts_count(tmp_path: Path) -> None:
    """The project stays as it is."""
    stage = Stage(tmp_path)
    tooled = checked(stage.root, {**TY, "inner/deep.py": "DEEP = 1\n"})
    tooled.project.unsaved = {
        "prices.py": "def tax(price: str) -> int:\n    return len(price)\n",
        "inner/new.py": "A = 1\n",
    }
    before = stage.digest()
    candidate = tooled.candidate(
        "from inner import deep, new\n    return tax(str(deep.DEEP + new.A))", "return len(prices)"
    )
    assert (await tooled.types(candidate, tooled.stated("ty"))).findings == ()
    assert stage.digest() == before


async def test_certos_own_ty_is_the_default(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, {})
    tooled.own = make_environment_with(Path(sys.executable), "ty==0.0.105").parent
    problem = await tooled.problem()
    assert (problem.baseline_run.tools, problem.baseline.problems) == (("ty",), ())
    assert (await tooled.types(tooled.candidate("tax(str(prices))"), problem)).ruling is Ruling.FAILED


@pytest.mark.parametrize(("files", "tool", "installs"), [(TY, "ty", "ty"), (PYRIGHT, "pyright", "basedpyright")])
async def test_missing_checkers_are_left_out(tmp_path: Path, files: dict[str, str], tool: str, installs: str) -> None:
    """The problem says how to install them."""
    tooled = Tooled(tmp_path, files)
    bare = Path(sys.base_prefix) / "bin" / Path(sys.executable).name
    tooled.project.interpreter = replace(tooled.project.interpreter, executable=bare)
    problem = await tooled.problem()
    assert problem.baseline_run.tools == ()
    assert problem.baseline.problems == (
        f"configured but not installed: {tool}, so the check types is left out; "
        f"to have it: {bare} -m pip install {installs}",
    )


def test_configured_checkers_precede_certos_own(tmp_path: Path) -> None:
    def chosen(types: str = "auto", *, own: Path | None = tmp_path) -> list[str]:
        options = replace(ToolOptions(), types=types)
        return [tool.name for tool in chosen_tools(tmp_path, "shop.py", options, own)]

    assert (chosen(), chosen(own=None), chosen("off"), chosen("pyright")) == (["ty"], [], [], ["pyright"])
    (tmp_path / "pyrightconfig.json").write_text("{}")
    assert chosen() == ["pyright"]
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    assert (chosen(), chosen("ty")) == (["mypy"], ["ty"])
