"""Tests put to the test: those that pass whatever the target does are no evidence for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.dynamic.evidence import EvidenceVerifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.bare_environment import HYPOTHESIS, bare_interpreter
from support.projects.bench import Bench
from support.projects.projects import Project, write_project
from support.projects.small_projects import HONEST, WEAK, Small

TELLING = {"equality", "sorts in place", "an asynchronous generator", "a mock", "an example that raises"}
"""The honest projects that are tried each time; the others take minutes together."""

NOTICED_MORE = {
    *("not None", "its type", "true", "length of a list", "raises anything, and nothing", "a context that is entered"),
}
"""The weak projects whose tests fail for some results, and not only if the target raises."""


def as_parameter(small: Small) -> object:
    """Return a project as a parameter under its name."""
    return pytest.param(small, id=small.name, marks=() if small.name in TELLING else pytest.mark.slow)


async def judged(bench: Bench, small: Small) -> Verdict:
    """Return the verdict on the evidence for the target of a small project as it is.

    Only projects that need Hypothesis get an interpreter with it, and a process of their own.
    """
    files = {"m.py": small.code, **({"test_m.py": small.tests} if small.tests else {})}
    project = bench.project(files, "m.py", small.target)
    if "hypothesis" in small.tests:
        project = replace(project, interpreter=bare_interpreter(*HYPOTHESIS), pool=None)
    candidate = Candidate(id="own", edits=(), text=project.text, origin=Origin(generator="user"))
    async with project.prepared() as (problem, harnesses):
        assert {test.ruling for test in problem.baseline.tests} == {Ruling.PASSED}, problem.baseline.tests
        return await EvidenceVerifier(harnesses).judge(candidate, problem)


@pytest.mark.usual_cases(
    "no assert",
    "a mock that was not asked",
    "a generator that is emptied",
    "raises anything, and nothing",
    "its own result",
    "a coroutine that is awaited",
    "swallowed by a fixture",
    "replaced after one call",
)
@pytest.mark.parametrize("small", WEAK, ids=[small.name for small in WEAK])
async def test_tests_blind_to_results_are_no_evidence(small: Small, bench: Bench) -> None:
    verdict = await judged(bench, small)
    assert verdict.ruling is Ruling.PASSED
    assert verdict.dependence is not None
    assert verdict.dependence.noticed == 0
    more = "" if small.name in NOTICED_MORE else "; the tests notice only that it does not raise"
    assert verdict.dependence.reason == f"no test depends on what {small.target} returns{more}"
    assert verdict.dependence.idle
    assert verdict.findings[0].message.startswith(verdict.dependence.idle[0].partition("[")[0])


@pytest.mark.parametrize("small", [*map(as_parameter, HONEST)])
async def test_tests_of_results_are_evidence(small: Small, bench: Bench) -> None:
    verdict = await judged(bench, small)
    assert verdict.dependence is not None
    assert (verdict.ruling, verdict.dependence.idle, verdict.dependence.reason) == (Ruling.PASSED, (), "")
    assert verdict.dependence.noticed >= 1


CASES = """\
import pytest
from m import f

@pytest.mark.parametrize("n", range(40))
def test_it(n):
    assert {} or f(n) == 2 * n
"""


@pytest.mark.parametrize(("others", "noticed"), [("False", 6), ("n < 39", 1)], ids=["all tell", "the last tells"])
async def test_few_cases_of_a_test_suffice(bench: Bench, others: str, noticed: int) -> None:
    """If those say that no test depends on the target, the others are asked too."""
    project = bench.project({"m.py": "def f(n):\n    return n * 2\n", "test_m.py": CASES.format(others)}, "m.py", "f")
    candidate = Candidate(id="own", edits=(), text=project.text, origin=Origin(generator="user"))
    async with project.prepared() as (problem, harnesses):
        verdict = await EvidenceVerifier(harnesses).judge(candidate, problem)
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (noticed, "")


GREEN = "def f(n):\n    n = int(n)\n    return n * 2\n"
EQUALITY = "from m import f\n\ndef test_it():\n    assert f(2) == 4\n"


async def changed(bench: Bench, new: str, *, code: str = GREEN, old: str = "    n = int(n)\n") -> Verdict:
    """Return the verdict on the evidence for a candidate, where one test asks for f(2)."""
    project = bench.project({"m.py": code, "test_m.py": EQUALITY}, "m.py", "f")
    async with project.prepared() as (problem, harnesses):
        return await EvidenceVerifier(harnesses).judge(project.candidate(old, new), problem)


@pytest.mark.usual_cases("a case that no test has")
@pytest.mark.parametrize(
    ("new", "lines"),
    [
        ("    n = int(n)\n    if __debug__ and n > 100:\n        n = 0\n", "lines 3–4"),
        ("    n = int(n)\n    unused = [n]\n", "line 3"),
        ("    if n > 100:\n        n = 0\n    n = int(n)\n", "lines 2–3"),
    ],
    ids=["a dead branch", "a name that nobody reads", "a case that no test has"],
)
async def test_unneeded_changed_lines_are_not_verified(new: str, lines: str, bench: Bench) -> None:
    """No test misses them."""
    verdict = await changed(bench, new)
    assert verdict.dependence is not None
    assert verdict.dependence.noticed == 1
    assert verdict.dependence.reason == f"no test depends on the changed {lines}"


async def test_needed_changed_lines_are_verified(bench: Bench) -> None:
    """A test misses them."""
    verdict = await changed(bench, "    return n + n", old="    return n * 2")
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")


async def test_repairs_need_their_changed_lines(bench: Bench) -> None:
    """The repair turns a red assertion green."""
    verdict = await changed(bench, "    return n * 2", code=GREEN.replace("* 2", "* 3"), old="    return n * 3")
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")


NOTHING_YET = "def f(n):\n    n = int(n)\n    return None\n"


async def repaired(bench: Bench, asserted: str, code: str, old: str, new: str) -> Verdict:
    """Return the verdict on the evidence for a repair, where the one test failed before."""
    test = f"from m import f\n\ndef test_it():\n    {asserted}\n"
    project = bench.project({"m.py": code, "test_m.py": test}, "m.py", "f")
    async with project.prepared() as (problem, harnesses):
        assert [test.ruling for test in problem.baseline.tests] == [Ruling.FAILED]
        return await EvidenceVerifier(harnesses).judge(project.candidate(old, new), problem)


@pytest.mark.usual_cases("assert f(2)")
@pytest.mark.parametrize("asserted", ["assert f(2) is not None", "assert f(2)"])
async def test_replacing_none_is_no_evidence(asserted: str, bench: Bench) -> None:
    verdict = await repaired(bench, asserted, NOTHING_YET, "return None", "return 99")
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (0, "no test depends on what f returns")
    assert verdict.dependence.idle == ("test_m.py::test_it",)


KEEPING = "def f(kept):\n    return None\n"


@pytest.mark.usual_cases("an empty list", "a side effect")
@pytest.mark.parametrize(
    ("asserted", "code", "old", "new"),
    [
        ("assert f(2) == 4", NOTHING_YET, "return None", "return n * 2"),
        ("assert f(2) == []", NOTHING_YET, "return None", "return []"),
        ("assert f(2) is True", NOTHING_YET, "return None", "return n > 1"),
        ("kept = []\n    f(kept)\n    assert kept == [1]", KEEPING, "return None", "kept.append(1)"),
        ("assert f(2)", NOTHING_YET.replace("None", "[]"), "return []", "return [n]"),
    ],
    ids=["a number", "an empty list", "a truth value", "a side effect", "another empty result"],
)
async def test_repairs_of_none_are_verified(asserted: str, code: str, old: str, new: str, bench: Bench) -> None:
    verdict = await repaired(bench, asserted, code, old, new)
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")


def a_test(asserted: str, code: str) -> Small:
    """A project whose only test asserts that."""
    return Small("", code, f"from m import f\n\ndef test_it():\n    {asserted}\n", "f")


EVEN = "def f(n):\n    return [n, n * 2]\n"
FEW = "def f(n):\n    return [n, n + 1]\n"
NONE = "def f(n):\n    return [each for each in range(n) if each > 99]\n"
SAME = "def f(n):\n    return abs(n)\n"


@pytest.mark.usual_cases("all of nothing")
@pytest.mark.parametrize(
    ("asserted", "code"),
    [
        ("assert len(f(2)) <= 2", FEW),
        ("assert all(each > 0 for each in f(2))", NONE),
        ("for each in f(2):\n        assert each % 2 == 0", NONE),
        ("for each in f(2):\n        assert each > 0", "def f(n):\n    yield from range(0)\n"),
    ],
    ids=["at most so many", "all of nothing", "a loop over nothing", "a generator of nothing"],
)
async def test_tests_passing_empty_results_are_no_evidence(asserted: str, code: str, bench: Bench) -> None:
    verdict = await judged(bench, a_test(asserted, code))
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, len(verdict.dependence.idle)) == (0, 1)


@pytest.mark.usual_cases("a property of each", "twice is once")
@pytest.mark.parametrize(
    ("asserted", "code", "remark"),
    [
        ("assert len(f(2)) == 2", FEW, "the tests depend on how many items f returns, not on what they are"),
        ("assert all(each % 2 == 0 for each in f(2))", EVEN, "the tests pass as well where f returns an empty result"),
        ("assert f(f(-2)) == f(-2)", SAME, "the tests pass as well where f returns its first argument"),
        ("assert len(f('ab')) == 2", SAME.replace("abs(n)", "n.upper()"), "the tests depend on how many items"),
    ],
    ids=["how many", "a property of each", "twice is once", "how long"],
)
async def test_evidence_for_little_is_remarked_on(asserted: str, code: str, remark: str, bench: Bench) -> None:
    verdict = await judged(bench, a_test(asserted, code))
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")
    assert verdict.findings[0].message.startswith(remark)


async def test_one_noticed_mutant_suffices(tmp_path: Path) -> None:
    """The other ways to alter items are tried only if no test notices the first one."""
    trace = RunTrace()
    write_project(
        tmp_path, {"m.py": FEW, "test_m.py": "from m import f\n\ndef test_it():\n    assert f(2) == [2, 3]\n"}
    )
    project = Project(tmp_path, "m.py", "f", executor=TracedExecutor(LocalExecutor(SandboxOptions()), trace))
    candidate = Candidate(id="own", edits=(), text=project.text, origin=Origin(generator="user"))
    async with project.prepared() as (problem, harnesses):
        await EvidenceVerifier(harnesses).judge(candidate, problem)
    wrong = [run.work.request["wrong"] for run in trace.runs if "wrong" in run.work.request]
    kinds = sorted((mutant["kind"], mutant["way"]) for mutant in wrong)
    assert kinds == [("alike", 0), ("empty", 0), ("first", 0), ("neighbour", 0), ("same", 0)]


@pytest.mark.usual_cases("no item")
@pytest.mark.parametrize(
    ("asserted", "code"),
    [("assert f(2) == [2, 3]", FEW), ("assert f(2) == []", NONE + "# here\n"), ("assert f(-2) == 2", SAME)],
    ids=["items", "no item", "a number"],
)
async def test_evidence_for_whole_results_suffices(asserted: str, code: str, bench: Bench) -> None:
    verdict = await judged(bench, a_test(asserted, code))
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")
    said = [finding.message for finding in verdict.findings]
    assert said == (["the tests pass as well where f returns an empty result"] if code.startswith(NONE) else [])


CLAMPED = "def f(n):\n    n = int(n)\n    if n > 100:\n        n = 0\n    m = n\n    return m * 3\n"
RED = "    n = int(n)\n    if n > 100:\n        n = 0\n    m = n\n    return m * 3"


@pytest.mark.usual_cases("one of two", "a removal beside")
@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("    n = int(n)\n    unused = [n]\n    if n > 100:\n        n = 0\n    m = n\n    return m * 2", ["3"]),
        ("    n = int(n)\n    if n > 100:\n        n = 0\n    m = n\n    return m * 2", []),
        ("    n = int(n)\n    m = n\n    return m * 2", ["former lines 3–4"]),
    ],
    ids=["one of two", "the only one", "a removal beside"],
)
async def test_a_change_without_evidence_is_named(new: str, said: list[str], bench: Bench) -> None:
    verdict = await changed(bench, new, code=CLAMPED, old=RED)
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")
    assert len(verdict.findings) == len(said)
    assert all(each in finding.message for each, finding in zip(said, verdict.findings, strict=True))


async def test_a_removal_without_evidence_is_named(bench: Bench) -> None:
    verdict = await changed(bench, "    return n * 2", old="    n = int(n)\n    return n * 2")
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")
    assert [finding.message for finding in verdict.findings] == ["no test notices the removal of the former line 2"]


async def test_parameters_of_one_test_are_one_finding(bench: Bench) -> None:
    tests = (
        "import pytest\nfrom sums import double\n\n"
        "def test_double():\n    assert double(2) == 4\n\n"
        "@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_runs(n):\n    double(n)\n"
    )
    files = {"sums.py": "def double(x):\n    return x + 2\n", "test_sums.py": tests}
    project = bench.project(files, "sums.py", "double")
    async with project.prepared() as (problem, harnesses):
        verdict = await EvidenceVerifier(harnesses).judge(project.candidate("+ 2", "* 2"), problem)
    assert [finding.message for finding in verdict.findings] == [
        "test_sums.py::test_runs (3 of its parameters) does not depend on what double returns"
    ]
