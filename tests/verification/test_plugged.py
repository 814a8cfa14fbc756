"""Verifiers from plug-ins: a function, a class or a list; sync or async; bool, or that and a message."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints

import anyio.lowlevel
import pytest

from certo import plugins
from certo.sessions.assembly.parts import check_names, reading_verifiers
from certo.settings.schema import Settings
from certo.verification.options import ToolOptions
from certo.verification.plugged import as_verifiers
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting, ModelFailed
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Ruling, Verdict
from support.search.rewrites import problem_about, with_body

pytestmark = pytest.mark.acceptance(14)

PROBLEM = problem_about("import os\n\n\ndef f(x):\n    return x\n", "f")
SHORT = with_body(PROBLEM, "return 1")
LONG = with_body(PROBLEM, "y = x\n    return y")


def short(code: str) -> bool:
    assert code.startswith("def f(x):")
    return code.count("\n") < 2


async def short_too(code: str) -> tuple[bool, str]:
    await anyio.lowlevel.checkpoint()
    return short(code), "make it one line"


def broken(code: str) -> bool:
    raise RuntimeError("no idea")


def vague(code: str) -> object:
    return code


class Judge:
    """A whole verifier."""

    name = "judge"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        ruling = Ruling.PASSED if short(candidate.text.partition("\n\n\n")[2].rstrip()) else Ruling.FAILED
        return Verdict(verifier=self.name, ruling=ruling)


class Down(Judge):
    """A verifier that cannot reach what it needs."""

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        raise ModelFailed("the judge is out")


async def said(brought: object, candidate: Candidate) -> list[tuple[str, Ruling, list[str]]]:
    verdicts = [await verifier.judge(candidate, PROBLEM) for verifier in as_verifiers(brought, "house-style")]
    return [(verdict.verifier, verdict.ruling, [each.message for each in verdict.findings]) for verdict in verdicts]


@pytest.mark.parametrize(
    ("brought", "name", "message"),
    [
        (short, "house-style", ["house-style refuses the code"]),
        (short_too, "house-style", ["make it one line"]),
        (Judge, "judge", []),
        (Judge(), "judge", []),
    ],
)
async def test_a_function_or_a_class_judges(brought: object, name: str, message: list[str]) -> None:
    assert await said(brought, SHORT) == [(name, Ruling.PASSED, [])]
    assert await said(brought, LONG) == [(name, Ruling.FAILED, message)]


async def test_listed_verifiers_judge_in_order_by_name() -> None:
    assert await said([short_too, [short]], LONG) == [
        ("short_too", Ruling.FAILED, ["make it one line"]),
        ("short", Ruling.FAILED, ["short refuses the code"]),
    ]


@pytest.mark.parametrize(
    ("brought", "message"),
    [
        (broken, "house-style could not judge: RuntimeError: no idea"),
        (vague, "house-style could not judge: TypeError: it returned 'def f(x):\\n    return 1'; a check returns"),
    ],
)
async def test_broken_verifiers_are_undecided(brought: object, message: str) -> None:
    ((name, ruling, messages),) = await said(brought, SHORT)
    assert (name, ruling) == ("house-style", Ruling.UNDECIDED)
    assert messages[0].startswith(message)


async def test_a_broken_world_is_no_verdict() -> None:
    with pytest.raises(ModelFailed):
        await said(Down, SHORT)
    with pytest.raises(BadSetting, match="the verifier 'house-style' is a int"):
        as_verifiers(3, "house-style")


def test_settings_name_installed_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are refused."""
    points = EntryPoints([EntryPoint("house-style", f"{__name__}:short", "certo.verifiers")])
    monkeypatch.setattr(plugins, "entry_points", lambda: points)
    monkeypatch.setattr(EntryPoint, "load", lambda self: {"short": short}[self.attr])
    named = replace(ToolOptions(), plugins=("house-style",))
    settings = Settings(verify=named)
    check_names(settings)
    assert [verifier.name for verifier in reading_verifiers(settings)][-1] == "house-style"
    with pytest.raises(BadSetting, match="there is no verifier 'gone'; known: house-style"):
        check_names(Settings(verify=replace(named, plugins=("gone",))))
