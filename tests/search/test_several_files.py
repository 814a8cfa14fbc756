"""Candidates that change several files: judged as a whole, by the whole suite, and refused where they may not be.

Row 130: a failing test whose fix spans two modules is solved, and a candidate that breaks another test is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.costs.size import EditSize
from certo.generation.scripted import Reply, ScriptedGenerator
from certo.search.board import Board
from certo.search.compaction import Compaction
from certo.search.engine import Parts, search
from certo.search.record import record_of
from certo.search.telling import Telling
from certo.storage.lines import event_of, line_of
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.forgery import ForgeryVerifier
from certo.verification.pipeline import Pipeline
from certo.verification.policy import PolicyOptions, PolicyVerifier
from certo.verification.syntax import SyntaxVerifier
from certo.verification.tests import TestsVerifier
from certo.vocabulary.cost import Budget
from certo.vocabulary.events import CandidateDeclined, CandidateProposed, Event, SearchStopped, VerdictReached
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.verdict import Ruling
from support.projects import Project, standing, write_project

FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": "def net(cents):\n    return cents\n",
    "shop/till.py": """\
        from shop.prices import net


        def total(prices):
            return max(net(each) for each in prices)
    """,
    "tests/test_till.py": """\
        from shop.till import total

        def test_total():
            assert total([119, 238]) == 300
    """,
    "tests/test_prices.py": """\
        from shop.prices import net

        def test_nothing():
            assert net(0) == 0
    """,
}
TOTAL = "def total(prices):\n    return sum(net(each) for each in prices)\n"
NET = "def net(cents):\n    return round(cents / 1.19)\n"
BREAKS = "def net(cents):\n    return {119: 100, 238: 200}.get(cents, cents + 1)\n"


async def run(root: Path, *replies: Reply, compact: bool = False) -> list[Event]:
    project = Project(root, "shop/till.py", "total", whole=True)
    baseline = await project.baseline()
    assert standing(baseline) == {
        "tests/test_till.py::test_total": "failed",
        "tests/test_prices.py::test_nothing": "passed",
    }
    problem = replace(project.problem(baseline), others=frozenset({"shop/__init__.py", "shop/prices.py"}))
    tests, forgery = TestsVerifier(project.grounds), ForgeryVerifier(project.grounds)
    parts = Parts(
        generator=ScriptedGenerator(replies),
        strategy=Retry(RetryOptions(num_candidates=1, max_iterations=len(replies))),
        pipeline=Pipeline(verifiers=(SyntaxVerifier(), PolicyVerifier(PolicyOptions()), tests, forgery)),
        cost_model=EditSize(),
        compaction=Compaction() if compact else None,
    )
    events: list[Event] = []
    with anyio.fail_after(120):
        await search(problem, parts=parts, budget=Budget(seconds=100), telling=Telling("s1", events.append))
    return events


def reply(source: str = TOTAL, **elsewhere: str) -> Reply:
    return Reply(source=source, elsewhere={f"shop/{name}.py": text for name, text in elsewhere.items()})


def stopped(events: list[Event]) -> SearchStopped:
    assert isinstance(events[-1], SearchStopped)
    return events[-1]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path, FILES)


async def test_a_fix_that_spans_two_modules_is_verified_by_the_whole_suite(root: Path) -> None:
    events = await run(root, reply(), reply(prices=BREAKS), reply(prices=NET), compact=True)
    end = stopped(events)
    assert (end.outcome, end.verified) == (Outcome.SOLVED, True)
    assert end.winner is not None
    [change] = end.winner.elsewhere
    assert (change.path, change.before, change.after) == ("shop/prices.py", FILES["shop/prices.py"], NET)
    assert end.winner.diff.count("--- a/shop/") == 2
    failed = [
        event.verdict for event in events if isinstance(event, VerdictReached) and event.verdict.ruling is Ruling.FAILED
    ]
    assert [verdict.verifier for verdict in failed] == ["tests", "tests"]
    assert failed[1].findings[0].message.startswith("tests/test_prices.py::test_nothing")
    [forgery] = [verdict for verdict in end.winner.evidence.verdicts if verdict.verifier == "forgery"]
    assert "the candidate changes several files" in forgery.assurance


async def test_a_change_elsewhere_alone_is_seen_to_run(root: Path) -> None:
    till = root / "shop/till.py"
    till.write_text(till.read_text().replace("max", "sum"))
    end = stopped(await run(root, reply(prices=NET)))
    assert (end.outcome, end.verified) == (Outcome.SOLVED, True)


@pytest.mark.parametrize(
    ("elsewhere", "verifier", "said"),
    [
        ({"prices": "def net(cents:\n"}, "syntax", "shop/prices.py:1: "),
        ({"prices": f"import subprocess\n\n{NET}"}, "policy", "shop/prices.py:1: import of subprocess"),
        ({"added": "open('/etc/passwd')\n", "prices": NET}, "policy", "shop/added.py:1: open"),
    ],
)
async def test_other_files_are_read_before_they_are_run(
    root: Path, elsewhere: Mapping[str, str], verifier: str, said: str
) -> None:
    events = await run(root, reply(**elsewhere))
    verdict = next(event.verdict for event in reversed(events) if isinstance(event, VerdictReached))
    assert (verdict.verifier, verdict.ruling) == (verifier, Ruling.FAILED)
    assert verdict.findings[0].message.startswith(said)


async def test_a_path_that_is_not_a_candidates_is_declined_and_nothing_is_judged(root: Path) -> None:
    events = await run(root, Reply(source=TOTAL, elsewhere={"tests/test_till.py": ""}))
    [declined] = [event for event in events if isinstance(event, CandidateDeclined)]
    assert declined.reason == "it may not change 'tests/test_till.py': it decides how candidates are judged"
    assert not [event for event in events if isinstance(event, CandidateProposed)]


async def test_all_files_of_a_candidate_outlive_the_process(root: Path) -> None:
    events = await run(root, reply(prices=NET))
    board = Board()
    for event in events:
        again = event_of(line_of(event))
        board.tell(again)
    [judged] = record_of(board, events, (root / "shop/till.py").read_text()).judged
    [proposed] = [event for event in events if isinstance(event, CandidateProposed)]
    assert judged.attempt.candidate.elsewhere == proposed.elsewhere
    assert judged.attempt.candidate.id == proposed.candidate_id
