"""Candidates judged by real ruff and flake8 in a real sandbox: new remarks count, old ones do not."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.options import SandboxOptions
from certo.verification.options import ToolOptions
from certo.verification.static.text_verdict import MAX_CANDIDATE_BYTES
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.linted_project import SHOP, Tooled
from support.sandbox.stage import Stage

RUFF = {"ruff.toml": "lint.select = ['E', 'F', 'C90']\nlint.mccabe.max-complexity = 1\nfix = true\n"}
FLAKE8 = {"setup.cfg": "[flake8]\nmax-line-length = 60\nshow-source = true\n"}


def said(verdict: Verdict) -> list[tuple[str, int | None]]:
    assert verdict.verifier == "lint"
    return [(finding.message, finding.line) for finding in verdict.findings]


async def test_only_new_remarks_count(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    tooled = Tooled(stage.root, RUFF)
    before = stage.digest()
    problem = await tooled.problem()
    assert (problem.baseline_run.tools, problem.baseline.problems) == (("ruff",), ())
    assert tooled.said == ["letting ruff read shop.py as it is"]

    good = await tooled.lint(tooled.candidate("(\n        sum(prices)\n    )"), problem)
    assert (good.ruling, good.findings) == (Ruling.PASSED, ())

    bad = await tooled.lint(tooled.candidate("(\n        sum(price)\n    )"), problem)
    assert bad.ruling is Ruling.FAILED
    assert said(bad) == [("ruff: Undefined name `price` [F821]", 7)]
    assert stage.digest() == before


async def test_only_new_complexity_counts(tmp_path: Path) -> None:
    """A function that was too complex may stay so."""
    text = SHOP.replace("return len(prices)", "if prices:\n        return len(prices)\n    return 0")
    tooled = Tooled(tmp_path, RUFF, text=text)
    problem = await tooled.problem()
    verdict = await tooled.lint(tooled.candidate("1 if prices else [p for p in prices][0]"), problem)
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())

    simple = Tooled(tmp_path, RUFF)
    branching = simple.candidate("if prices:\n        return len(prices)\n    return 0", "return len(prices)")
    assert said(await simple.lint(branching, simple.stated("ruff"))) == [
        ("ruff: `total` is too complex (2 > 1) [C901]", 5)
    ]


async def test_configured_flake8_is_used(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, FLAKE8)
    problem = await tooled.problem()
    assert (problem.baseline_run.tools, problem.baseline.problems) == (("flake8",), ())
    assert (await tooled.lint(tooled.candidate("sum(prices)"), problem)).ruling is Ruling.PASSED
    assert said(await tooled.lint(tooled.candidate("sum( price)"), problem)) == [
        ("flake8: whitespace after '(' [E201]", 6),
        ("flake8: undefined name 'price' [F821]", 6),
    ]


async def test_ruff_precedes_flake8_unless_set_otherwise(tmp_path: Path) -> None:
    both = {**RUFF, **FLAKE8}
    assert (await Tooled(tmp_path, both).problem()).baseline_run.tools == ("ruff",)
    assert (await Tooled(tmp_path, both, options=ToolOptions(lint="flake8")).problem()).baseline_run.tools == (
        "flake8",
    )
    assert (await Tooled(tmp_path, both, options=ToolOptions(lint="off")).problem()).baseline_run.tools == ()


async def test_excluded_documents_are_not_judged(tmp_path: Path) -> None:
    problem = await Tooled(tmp_path, {"ruff.toml": "exclude = ['shop.py']\n"}).problem()
    assert (problem.baseline_run.tools, problem.baseline.problems) == ((), ())


async def test_tools_with_broken_configuration_are_left_out(tmp_path: Path) -> None:
    problem = await Tooled(tmp_path, {"ruff.toml": "line-length = 'long'\n"}).problem()
    assert problem.baseline_run.tools == ()
    assert problem.baseline.problems[0].startswith("On the current text ruff broke down: ")
    assert "TOML parse error at line 1, column 15" in problem.baseline.problems[0]


@pytest.mark.parametrize("tool", ["ruff", "flake8"])
async def test_missing_tools_are_left_out(tmp_path: Path, tool: str) -> None:
    """The problem says how to install them."""
    tooled = Tooled(tmp_path, RUFF if tool == "ruff" else FLAKE8)
    bare = Path(sys.base_prefix) / "bin" / Path(sys.executable).name
    tooled.project.interpreter = replace(tooled.project.interpreter, executable=bare)
    problem = await tooled.problem()
    assert problem.baseline_run.tools == ()
    assert problem.baseline.problems == (
        f"configured but not installed: {tool}, so the check lint is left out; "
        f"to have it: {bare} -m pip install {tool}",
    )


async def test_missing_tools_share_a_line(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, {**RUFF, "mypy.ini": "[mypy]\n"})
    bare = Path(sys.base_prefix) / "bin" / Path(sys.executable).name
    tooled.project.interpreter = replace(tooled.project.interpreter, executable=bare)
    assert (await tooled.problem()).baseline.problems == (
        "configured but not installed: ruff, mypy, so the check lint and the check types are left out; "
        f"to have them: {bare} -m pip install ruff mypy",
    )


async def test_unconfigured_tools_are_not_mentioned(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, {"pyproject.toml": "[project]\nname = 'shop'\n"})
    bare = Path(sys.base_prefix) / "bin" / Path(sys.executable).name
    tooled.project.interpreter = replace(tooled.project.interpreter, executable=bare)
    assert (await tooled.problem()).baseline.problems == ()


@pytest.mark.usual_cases(
    "null byte-ruff",
    "null byte-flake8",
    "parentheses-ruff",
    "lone surrogate-ruff",
    "half a list-ruff",
    "half a sum-ruff",
    "half a sum-flake8",
    "thousands of remarks-ruff",
)
@pytest.mark.parametrize("files", [RUFF, FLAKE8], ids=["ruff", "flake8"])
@pytest.mark.parametrize(
    "body",
    [
        "return len(prices)\0",
        "return " + "(" * 3000 + "1" + ")" * 3000,
        "return \ud800",
        "x = [\n",
        "# noqa\n    x = [y, 1 +",
        "return " + " ".join(f"undefined_{number};" for number in range(5000)),
    ],
    ids=["null byte", "parentheses", "lone surrogate", "half a list", "half a sum", "thousands of remarks"],
)
async def test_a_hostile_candidate_ends_as_a_verdict(tmp_path: Path, files: dict[str, str], body: str) -> None:
    tooled = Tooled(tmp_path, files)
    candidate = tooled.with_text(SHOP.replace("return len(prices)", body))
    verdict = await tooled.lint(candidate, tooled.stated("ruff" if files is RUFF else "flake8"))
    assert verdict.ruling in (Ruling.FAILED, Ruling.UNDECIDED)
    assert 0 < len(verdict.findings) <= 11


async def test_a_huge_candidate_is_not_read(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, RUFF)
    verdict = await tooled.lint(tooled.with_text("x\n" * MAX_CANDIDATE_BYTES), tooled.stated("ruff"))
    assert f"more than {MAX_CANDIDATE_BYTES} are not read" in verdict.findings[0].message


@pytest.mark.bubblewrap
async def test_ruff_may_be_started_in_bubblewrap_too(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, RUFF)
    tooled.project.executor = BubblewrapExecutor(SandboxOptions(), await find_bubblewrap())
    assert said(await tooled.lint(tooled.candidate("price"), tooled.stated("ruff"))) == [
        ("ruff: Undefined name `price` [F821]", 6)
    ]
