"""Candidates that change several files: judged as a whole, by the whole suite, and refused where they may not be.

A failing test whose fix spans two modules is solved, and a candidate that breaks another test is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.generation.generator import Proposal
from certo.generation.scripted import ScriptedGenerator, ScriptedProposal
from certo.search.board import SearchState
from certo.search.checkpoint import checkpoint_from
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.proposals import candidate_of
from certo.search.winner import Minimizer
from certo.storage.serialization import event_of, line_of
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.static.policy import PolicyOptions, PolicyVerifier
from certo.verification.static.syntax import SyntaxVerifier
from certo.verification.verifier import Pipeline, Verifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.cost import Budget
from certo.vocabulary.events import CandidateDeclined, CandidateProposed, Event, SearchStopped, VerdictReached
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline, KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, standing
from support.projects.two_modules import PRICES, PRICES_BREAKING, PRICES_DONE, TOTAL, build

pytestmark = pytest.mark.acceptance(130)

RED = KnownTest(id="tests/test_till.py::test_total", ruling=Ruling.FAILED)
POLICY = PolicyVerifier(PolicyOptions())


def stated(root: Path) -> Problem:
    """The problem of the till, whose candidates may change other files, before any test was run."""
    problem = Project(root, "shop/till.py", "total").problem(Baseline(tests=(RED,)))
    return replace(problem, others=frozenset({"shop/__init__.py", "shop/prices.py"}))


def proposal(**elsewhere: str) -> Proposal:
    return Proposal(edits=(), elsewhere=reply(**elsewhere).elsewhere)


def made(root: Path, **elsewhere: str) -> Candidate:
    return candidate_of(proposal(**elsewhere), stated(root), Origin(generator="a test"), None)


async def searched(
    problem: Problem, pipeline: Pipeline, *replies: ScriptedProposal, compact: bool = False
) -> list[Event]:
    parts = Parts(
        generator=ScriptedGenerator(replies),
        strategy=Retry(RetryOptions(num_candidates=1, max_iterations=len(replies))),
        pipeline=pipeline,
        cost_model=EditSize(),
        compaction=Minimizer() if compact else None,
    )
    events: list[Event] = []
    with anyio.fail_after(120):
        await search(problem, parts=parts, budget=Budget(seconds=100), emitter=EventEmitter("s1", events.append))
    return events


async def run(root: Path, *replies: ScriptedProposal, compact: bool = False) -> list[Event]:
    """Search with real tests, all there are."""
    project = Project(root, "shop/till.py", "total", whole=True)
    baseline = await project.baseline()
    assert standing(baseline) == {
        "tests/test_till.py::test_total": "failed",
        "tests/test_prices.py::test_nothing": "passed",
    }
    tests, forgery = TestsVerifier(project.harnesses), ForgeryVerifier(project.harnesses)
    pipeline = Pipeline(verifiers=(SyntaxVerifier(), POLICY, tests, forgery))
    return await searched(replace(stated(root), baseline=baseline), pipeline, *replies, compact=compact)


def reply(source: str = TOTAL, **elsewhere: str) -> ScriptedProposal:
    return ScriptedProposal(source=source, elsewhere={f"shop/{name}.py": text for name, text in elsewhere.items()})


def stopped(events: list[Event]) -> SearchStopped:
    assert isinstance(events[-1], SearchStopped)
    return events[-1]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return build(tmp_path)


@pytest.mark.slow
async def test_fix_of_two_modules_runs_everything(root: Path) -> None:
    """The whole suite verifies it."""
    events = await run(root, reply(), reply(prices=PRICES_BREAKING), reply(prices=PRICES_DONE), compact=True)
    end = stopped(events)
    assert (end.outcome, end.verified) == (Outcome.SOLVED, True)
    assert end.winner is not None
    [change] = end.winner.elsewhere
    assert (change.path, change.before, change.after) == ("shop/prices.py", PRICES, PRICES_DONE)
    assert end.winner.diff.count("--- a/shop/") == 2
    failed = [
        event.verdict for event in events if isinstance(event, VerdictReached) and event.verdict.ruling is Ruling.FAILED
    ]
    assert [verdict.verifier for verdict in failed] == ["tests", "tests"]
    assert failed[1].findings[0].message.startswith("tests/test_prices.py::test_nothing")
    [forgery] = [verdict for verdict in end.winner.evidence.verdicts if verdict.verifier == "forgery"]
    assert "the candidate changes several files" in forgery.assurance
    board = SearchState()
    for event in events:
        board.apply(event_of(line_of(event)))
    recorded = checkpoint_from(board, events, (root / "shop/till.py").read_text()).judged[-1].attempt.candidate
    assert (recorded.id, recorded.elsewhere) == (end.winner.candidate_id, end.winner.elsewhere)


@pytest.mark.slow
async def test_change_of_another_file_is_exercised(root: Path) -> None:
    till = root / "shop/till.py"
    till.write_text(till.read_text().replace("max", "sum"))
    end = stopped(await run(root, reply(prices=PRICES_DONE)))
    assert (end.outcome, end.verified) == (Outcome.SOLVED, True)


@pytest.mark.parametrize(
    ("elsewhere", "verifier", "said"),
    [
        ({"prices": "def net(cents:\n"}, SyntaxVerifier(), "shop/prices.py:1: "),
        ({"prices": "return 1\n"}, SyntaxVerifier(), "shop/prices.py:1: "),
        ({"prices": f"import subprocess\n\n{PRICES_DONE}"}, POLICY, "shop/prices.py:1: import of subprocess"),
        ({"added": "open('/etc/passwd')\n", "prices": PRICES_DONE}, POLICY, "shop/added.py:1: open"),
        ({"prices": PRICES_DONE + "#" * 1_000_000}, SyntaxVerifier(), "the candidate has 1000"),
    ],
)
async def test_files_are_inspected_before_running(
    root: Path, elsewhere: Mapping[str, str], verifier: Verifier, said: str
) -> None:
    verdict = await verifier.judge(made(root, **elsewhere), stated(root))
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message.startswith(said)
    assert (await verifier.judge(made(root, prices=PRICES_DONE), stated(root))).ruling is Ruling.PASSED


async def test_forbidden_path_is_declined_unjudged(root: Path) -> None:
    events = await searched(
        stated(root), Pipeline(verifiers=()), ScriptedProposal(source=TOTAL, elsewhere={"conftest.py": ""})
    )
    [declined] = [event for event in events if isinstance(event, CandidateDeclined)]
    assert declined.reason == "it may not change 'conftest.py': it decides how candidates are judged"
    assert not [event for event in events if isinstance(event, CandidateProposed)]


def test_unchanged_file_makes_no_other_candidate(root: Path) -> None:
    assert made(root, prices=PRICES).elsewhere == ()
    assert made(root, prices=PRICES).id == made(root).id != made(root, prices=PRICES_DONE).id


def test_an_unsaved_text_is_what_is_changed(root: Path) -> None:
    unsaved = replace(stated(root), unsaved={"shop/prices.py": "# typed\n"})
    [change] = candidate_of(proposal(prices=PRICES_DONE), unsaved, Origin(generator="a test"), None).elsewhere
    assert change.before == "# typed\n"
