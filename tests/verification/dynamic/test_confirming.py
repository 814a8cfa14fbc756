"""A candidate that is green only alone, or only under one order of sets, does not pass."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.executor import Work
from certo.verification.dynamic import baseline
from certo.verification.dynamic.confirmation import AFTER_OTHERS, OTHER_ORDER
from certo.verification.dynamic.harness import HASH_SEED, OTHER_LOCALE, OTHER_ZONE
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.suite_verifiers import DoctestsVerifier, TestsVerifier
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.projects import Project, write_project

UNIQUE = "def unique(words):\n    return words\n"
UNORDERED, ORDERED = "list(set(words))", "list(dict.fromkeys(words))"
AS_A_SET_HAS_THEM = """\
words = ["red", "blue", "spam", "egg", "kiwi", "plum", "one", "two"]
for _ in range(9):
    words = list(set(words * 2))
print(words)
"""

PRICE = "RATE = 1\n\n\ndef price(x):\n    return x - RATE\n"
CONFIGURED = """\
import m

def test_config():
    m.RATE = 2
    assert m.RATE == 2

def test_price():
    assert m.price(10) == 11
"""


class Seeds:
    """Executor that records the seed of each run and the number of its tests, 0 for all tests of its files."""

    def __init__(self, project: Project) -> None:
        self._executor = project.executor
        self.seen: list[tuple[int, int]] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._executor, name)

    async def run(self, work: Work, hear: object) -> object:
        self.seen.append((work.hash_seed, len(work.request["ids"] or ())))
        return await self._executor.run(work, hear)


def price(place: Path, tests: str = CONFIGURED) -> Project:
    return Project(write_project(place, {"m.py": PRICE, "test_m.py": tests}), "m.py", "price")


def as_a_set_has_them(project: Project) -> str:
    """Words in the order that a set has them in under the seed of most runs."""
    command = [str(project.interpreter.executable), "-c", AS_A_SET_HAS_THEM]
    answer = subprocess.run(command, env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True)
    return answer.stdout.strip()


def unique(place: Path, test: str = "assert unique(WORDS * 2) == WORDS") -> Project:
    project = Project(write_project(place, {"m.py": UNIQUE}), "m.py", "unique")
    words = as_a_set_has_them(project)
    (place / "test_m.py").write_text(f"from m import unique\n\nWORDS = {words}\n\ndef test_unique():\n    {test}\n")
    return project


async def judged(project: Project, old: str, *news: str) -> tuple[list[Verdict], Problem]:
    """Return the verdict on each candidate, none of which is tried often enough to find flaky tests."""
    async with project.prepared() as (problem, harnesses):
        verifier = TestsVerifier(harnesses, steady=True)
        return [await verifier.judge(project.candidate(old, new), problem) for new in news], problem


def said(verdict: Verdict) -> list[str]:
    return [finding.message for finding in verdict.findings]


async def test_dependence_on_set_order_fails(tmp_path: Path) -> None:
    project = unique(tmp_path)
    [wrong, right], _ = await judged(project, "return words", f"return {UNORDERED}", f"return {ORDERED}")
    assert (wrong.ruling, right.ruling) == (Ruling.FAILED, Ruling.PASSED)
    [message] = said(wrong)
    assert message.startswith(f"test_m.py::test_unique: {OTHER_ORDER}: ")


async def test_lone_doctests_are_confirmed_too(tmp_path: Path) -> None:
    """A candidate that depends on the order of sets fails."""
    words = as_a_set_has_them(unique(tmp_path))
    (tmp_path / "test_m.py").unlink()
    text = f'def unique(words):\n    """Once.\n\n    >>> unique({words} * 2)\n    {words}\n    """\n    return words\n'
    project = Project(write_project(tmp_path, {"m.py": text}), "m.py", "unique")
    async with project.prepared() as (problem, harnesses):
        verifier = DoctestsVerifier(harnesses)
        verdict = await verifier.judge(project.candidate("return words", f"return {UNORDERED}"), problem)
        right = project.candidate("return words", f"return {ORDERED}")
        assert (await verifier.judge(right, problem)).ruling is Ruling.PASSED
    assert verdict.ruling is Ruling.FAILED
    assert OTHER_ORDER in said(verdict)[0]


@pytest.mark.slow
async def test_doctests_are_confirmed_with_the_tests(tmp_path: Path) -> None:
    """The verifier of doctests does not ask again."""
    words = as_a_set_has_them(unique(tmp_path))
    text = f'def unique(words):\n    """Once.\n\n    >>> unique({words} * 2)\n    {words}\n    """\n    return words\n'
    test = "from m import unique\n\ndef test_one():\n    assert unique(['a', 'a']) == ['a']\n"
    project = Project(write_project(tmp_path, {"m.py": text, "test_m.py": test}), "m.py", "unique")
    candidate = project.candidate("return words", f"return {UNORDERED}")
    async with project.prepared() as (problem, harnesses):
        verdict = await TestsVerifier(harnesses, steady=True).judge(candidate, problem)
        assert (await DoctestsVerifier(harnesses).judge(candidate, problem)).ruling is Ruling.PASSED
    assert verdict.ruling is Ruling.FAILED
    assert said(verdict)[0].startswith("doctest:unique:")


async def test_failing_after_other_tests_fails(tmp_path: Path) -> None:
    """The target's test is red after the other tests of its file."""
    project = price(tmp_path)
    [wrong, right], problem = await judged(project, "x - RATE", "x + RATE", "x + 1")
    assert [test.id for test in problem.baseline.tests] == ["test_m.py::test_price"]
    assert (problem.baseline_run.ran, problem.baseline_run.rest) == (("test_m.py::test_price",), ("test_m.py",))
    assert (wrong.ruling, right.ruling) == (Ruling.FAILED, Ruling.PASSED)
    [message] = said(wrong)
    assert message.startswith(f"test_m.py::test_price: {AFTER_OTHERS}: ")


@pytest.mark.slow
async def test_slow_other_tests_are_not_rerun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that lead to the target by name and do not execute it are left out if they take long."""
    monkeypatch.setattr(baseline, "MAX_RERUN_SECONDS", 0.1)
    slow = CONFIGURED.replace(
        "    m.RATE = 2\n", "    m.RATE = 2\n    import time; time.sleep(0.3)\n    assert m.price\n"
    )
    project = price(tmp_path, slow)
    [verdict], problem = await judged(project, "x - RATE", "x + RATE")
    assert problem.baseline_run.ran == ("test_m.py::test_price",)
    assert verdict.ruling is Ruling.PASSED


async def test_failures_without_the_candidate_are_excused(tmp_path: Path) -> None:
    orderly = "assert list(set(WORDS)) == WORDS, 'sets'"
    red = unique(tmp_path / "red", f"{orderly}\n    assert unique(['a', 'a']) == ['a']")
    [verdict], _ = await judged(red, "return words", f"return {ORDERED}")
    assert verdict.ruling is Ruling.PASSED
    green = unique(tmp_path / "green", f"{orderly}\n    assert unique(WORDS) == WORDS")
    [verdict], _ = await judged(green, "return words", f"return {ORDERED}")
    assert verdict.ruling is Ruling.PASSED


async def test_what_passes_takes_one_run_more(tmp_path: Path) -> None:
    project = price(tmp_path)
    seeds = Seeds(project)
    problem = project.problem(await project.baseline())
    verifier = TestsVerifier(replace(project.harnesses, executor=seeds), steady=True)
    assert (await verifier.judge(project.candidate("x - RATE", "x"), problem)).ruling is Ruling.FAILED
    assert seeds.seen == [(0, 1)]
    assert (await verifier.judge(project.candidate("x - RATE", "x + 1"), problem)).ruling is Ruling.PASSED
    assert seeds.seen == [(0, 1), (0, 1), (HASH_SEED, 0)]


@pytest.mark.slow
async def test_confirmation_uses_another_seed_when_warm(tmp_path: Path) -> None:
    project = unique(tmp_path)
    problem = project.problem(await project.baseline())
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        assert (await harnesses.of(problem)).preparation is not None
        candidate = project.candidate("return words", f"return {UNORDERED}")
        assert (await TestsVerifier(harnesses, steady=True).judge(candidate, problem)).ruling is Ruling.FAILED


ELSEWHERE = {
    "time.localtime(0).tm_min == 45 and os.environ.get('TZ') == '{TZ}'": "red in another time zone",
    "os.environ.get('LC_ALL') == '{LC_ALL}'": "red under another locale",
}


@pytest.mark.slow
async def test_dependence_on_zone_or_locale_fails(tmp_path: Path) -> None:
    tests = "from m import double\n\ndef test_it():\n    assert double(2) == 4\n"
    code = "import os\nimport time\n\n\ndef double(n):\n    return n\n"
    project = Project(write_project(tmp_path, {"m.py": code, "test_m.py": tests}), "m.py", "double")
    conditions = [condition.format(**OTHER_ZONE, **OTHER_LOCALE) for condition in ELSEWHERE]
    bodies = (f"return 5 if {condition} else 2 * n" for condition in conditions)
    [right, *wrong], _ = await judged(project, "return n", "return 2 * n", *bodies)
    assert right.ruling is Ruling.PASSED
    assert [verdict.ruling for verdict in wrong] == [Ruling.FAILED] * len(ELSEWHERE)
    for verdict, where in zip(wrong, ELSEWHERE.values(), strict=True):
        assert said(verdict)[0].startswith(f"test_m.py::test_it: {where} (")
