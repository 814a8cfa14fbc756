"""Candidates are kept behind a search's back, each on the nearest one it came of."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, fields
from pathlib import Path

import anyio
import pytest

from certo.edits.diff import change_of
from certo.project.candidate_store.store import CandidateStore
from certo.search.emitter import EventEmitter
from certo.sessions.assembly.problem_statement import resolve_request
from certo.sessions.live import LiveSearch, Run
from certo.sessions.persistence.experiments import ExperimentRecorder
from certo.sessions.persistence.requests import asked_of
from certo.storage.journal import Journal
from certo.storage.location import experiments_folder
from certo.vocabulary.candidate import FileChange, Origin
from certo.vocabulary.cost import Spent
from certo.vocabulary.display import visible
from certo.vocabulary.events import (
    CandidateProposed,
    CandidateScored,
    Event,
    SearchStarted,
    SearchStopped,
    VerdictReached,
)
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Finding, Ruling, Verdict
from support.projects.repositories import begin, commit, everything_in, git
from support.search.events import COST, ran_tests
from support.search.events import told as every_event
from support.search.hostile_events import POISON
from support.search.journalled_searches import RIGHT, SUMS, ended, journal_of, process, request, sums

pytestmark = pytest.mark.acceptance(61, 62)

PLACE = Span(SUMS.index("n * 3"), SUMS.index("n * 3") + len("n * 3"))


@dataclass
class Stage:
    """A project whose searches are told of by hand, its journal, and what was said."""

    root: Path
    journals: Path
    journal: Journal
    said: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return experiments_folder(self.journals, self.root)

    def shadow(self, *words: str) -> str:
        """Ask git about what is kept of the search."""
        return git(self.folder / "5eac.git", *words)

    @asynccontextmanager
    async def process(self) -> AsyncIterator[ExperimentRecorder]:
        """A process that keeps experiments; all of them are kept when it has ended."""
        async with anyio.create_task_group() as group:
            yield ExperimentRecorder(group, self.journals, {"PATH": os.environ["PATH"]}, self.said.append)
            group.cancel_scope.cancel()

    def live(self, keep: str, search: str = "5eac") -> LiveSearch:
        """A search that runs, as far as anybody can tell."""
        live = LiveSearch(
            id=search, resolved=resolve_request(request(self.root, RIGHT, **{"experiments.keep": keep}), {})
        )
        live.journal, live.run = self.journal, Run(emitter=EventEmitter(search, lambda _: None))
        self.journal.begin(search, asked_of(live.resolved))
        self.journal.commit()
        return live

    def candidates(self, branch: str) -> list[str]:
        """The candidates of a branch, the newest first."""
        return self.shadow("log", "--format=%(trailers:key=Certo-Candidate,valueonly,separator=%x20)", branch).split()

    async def kept(self, search: str = "5eac") -> CandidateStore:
        """What another process finds of a search."""
        async with self.process() as experimenting:
            return await experimenting.of(self.root).of(search)


@pytest.fixture
def stage(tmp_path: Path):
    root = sums(tmp_path)
    begin(root)
    commit(root)
    with closing(journal_of(tmp_path / "journals", root)) as journal:
        yield Stage(root, tmp_path / "journals", journal)


def emitter_of(experimenting: ExperimentRecorder, live: LiveSearch) -> EventEmitter:
    """What tells of a search to whoever keeps its candidates."""

    def listen(event: Event) -> None:
        live.state.apply(event)
        experimenting.hear(live, event)

    return EventEmitter(live.id, listen)


def judge(
    told: EventEmitter,
    name: str,
    *,
    passed: bool,
    parent: str | None = None,
    elsewhere: tuple[FileChange, ...] = (),
    note: str = "",
    finding: str = "assert 15 ==\n10",
) -> None:
    """Tell of a candidate that writes its own name into the function."""
    told.emit(
        CandidateProposed(
            candidate_id=name,
            parent=parent,
            origin=Origin(generator="hand", note=note or f"write {name}"),
            edits=(TextEdit(PLACE, repr(name)),),
            diff="",
            hunks=(),
            elsewhere=elsewhere,
        )
    )
    verdict = (
        ran_tests(Ruling.PASSED, passed=2, of=2)
        if passed
        else Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message=finding),))
    )
    told.emit(VerdictReached(candidate_id=name, verdict=verdict))
    told.emit(CandidateScored(candidate_id=name, passed=passed, verified=passed, cost=COST if passed else None))


def start(told: EventEmitter) -> None:
    [started] = [event for event in every_event() if isinstance(event, SearchStarted)]
    told_of = {each.name: getattr(started, each.name) for each in fields(started)[3:]}
    told.emit(SearchStarted(**told_of))


def stop(told: EventEmitter) -> None:
    told.emit(SearchStopped(outcome=Outcome.SOLVED, reason="", verified=True, winner=None, spent=Spent(candidates=1)))


async def test_all_are_kept_on_their_parents(stage: Stage) -> None:
    before = everything_in(stage.root / ".git")
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, stage.live("all"))
        judge(told, "aaa", passed=False)
        judge(told, "bbb", passed=False, parent="aaa")
        judge(told, "ccc", passed=True, parent="bbb")
        judge(told, "ddd", passed=True)
        stop(told)
    assert await (await stage.kept()).numbers() == (1, 2, 3, 4)
    assert stage.candidates("certo/5eac/3") == ["ccc", "bbb", "aaa"]
    assert stage.shadow("log", "--format=%s", "certo/5eac/3").splitlines()[:4] == [
        "Change double in sums.py",
        "Try to change double in sums.py",
        "Try to change double in sums.py",
        "The project as search 5eac found it",
    ]
    assert stage.shadow("rev-parse", "certo/5eac/4^") == stage.shadow("rev-parse", "certo/5eac/base")
    assert stage.shadow("show", "certo/5eac/3:sums.py") + "\n" == SUMS.replace("n * 3", "'ccc'")
    assert everything_in(stage.root / ".git") == before


async def test_each_candidate_keeps_its_own_files(stage: Stage) -> None:
    """Every file of a candidate is kept and none of another."""
    (stage.root / "other.py").write_text("ONE = 2\n")
    both = (change_of("made.py", None, "TWO = 2\n"), change_of("other.py", "ONE = 2\n", "ONE = 1\n"))
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, stage.live("all"))
        judge(told, "aaa", passed=False, elsewhere=both)
        judge(told, "bbb", passed=True, parent="aaa")
        stop(told)
    kept = await stage.kept()
    assert {path: (text or b"").decode() for path, text in (await kept.files(1)).items()} == {
        "made.py": "TWO = 2\n",
        "other.py": "ONE = 1\n",
        "sums.py": SUMS.replace("n * 3", "'aaa'"),
    }
    assert list(await kept.files(2)) == ["sums.py"]


async def test_what_failed_is_passed_over(stage: Stage) -> None:
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, stage.live("passed"))
        judge(told, "aaa", passed=True)
        judge(told, "bbb", passed=False, parent="aaa")
        judge(told, "ccc", passed=True, parent="bbb")
        stop(told)
    assert await (await stage.kept()).numbers() == (1, 3)
    assert stage.candidates("certo/5eac/3") == ["ccc", "aaa"]


async def test_the_evidence_is_in_the_message(stage: Stage) -> None:
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, stage.live("all"))
        start(told)
        judge(told, "aaa", passed=True)
        judge(told, "bbb", passed=False)
        stop(told)
    kept = await stage.kept()
    assert await kept.message(1) == (
        "Repair double in sums.py\n\nCandidate #1 for sums.py::double: verified, 2 of 2 tests, 1 newly passing.\n"
        "Proposed by hand: write aaa\n\n✓ tests\n"
        "Cost: 2 tokens added or removed in the target\n\nCerto-Search: 5eac\nCerto-Candidate: aaa\n"
    )
    said = await kept.message(2)
    assert said.startswith("Try to repair double in sums.py\n\nCandidate #2 for sums.py::double: failed.\n")
    assert "\nProposed by hand: write bbb\n\n✗ tests: assert 15 == 10\n" in said
    trailers = stage.shadow("log", "-1", "--format=%(trailers:only,key=Certo-Candidate,valueonly)", "certo/5eac/1")
    assert trailers.strip() == "aaa"


@pytest.mark.parametrize("text", POISON)
async def test_hostile_texts_add_no_message_lines(stage: Stage, text: str) -> None:
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, stage.live("all"))
        start(told)
        judge(told, "aaa", passed=True, note=text, finding=text)
        judge(told, "bbb", passed=False, note=text, finding=text)
        stop(told)
    for number, name in enumerate(("aaa", "bbb"), 1):
        said = await (await stage.kept()).message(number)
        assert visible(said) == said
        assert [line.partition(":")[0].partition(" ")[0] for line in said.splitlines()] == [
            *(("Repair", "", "Candidate", "Proposed", "", "✓", "Cost", "") if number == 1 else ()),
            *(("Try", "", "Candidate", "Proposed", "", "✗", "") if number == 2 else ()),
            "Certo-Search",
            "Certo-Candidate",
        ]
        trailers = stage.shadow("log", "-1", "--format=%(trailers:only)", f"certo/5eac/{number}")
        assert trailers.split() == ["Certo-Search:", "5eac", "Certo-Candidate:", name]


@pytest.mark.parametrize("why", ["never", "no journal", "no file"])
async def test_nothing_is_kept_unless_wanted(stage: Stage, why: str) -> None:
    async with stage.process() as experimenting:
        live = stage.live("never" if why == "never" else "all")
        if why == "no journal":
            live.journal = None
        if why == "no file":
            live.document.unlink()
        told = emitter_of(experimenting, live)
        judge(told, "aaa", passed=True)
        stop(told)
    assert not stage.folder.exists()


async def test_edits_after_the_end_are_kept(stage: Stage) -> None:
    """A user's edit of a candidate after the end of its search is kept too."""
    async with stage.process() as experimenting:
        live = stage.live("passed")
        told = emitter_of(experimenting, live)
        judge(told, "aaa", passed=True)
        stop(told)
        live.run.stopped.set()
        judge(told, "bbb", passed=True, parent="aaa")
        judge(told, "ccc", passed=True, parent="bbb")
    assert await (await stage.kept()).numbers() == (1, 2, 3)
    assert stage.candidates("certo/5eac/3") == ["ccc", "bbb", "aaa"]


@pytest.mark.parametrize("when", ["running", "ended", "before"])
async def test_a_forgotten_search_leaves_nothing(stage: Stage, when: str) -> None:
    live = stage.live("all")
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, live)
        judge(told, "aaa", passed=True)
        if when == "running":
            experimenting.forget(live)
        judge(told, "bbb", passed=True)
        stop(told)
        live.run.stopped.set()
        if when == "ended":
            experimenting.forget(live)
    if when == "before":
        async with stage.process() as experimenting:
            experimenting.forget(live)
    assert not stage.folder.exists()


async def test_what_the_journal_has_forgotten_is_forgotten(stage: Stage) -> None:
    for search in ("old", "kept"):
        async with stage.process() as experimenting:
            told = emitter_of(experimenting, stage.live("all", search))
            judge(told, "aaa", passed=True)
            stop(told)
    stage.journal.forget("old")
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, stage.live("never"))
        start(told)
        await anyio.wait_all_tasks_blocked()
        stop(told)
        searches = experimenting.of(stage.root).searches
    assert searches() == {"kept"}


async def test_what_cannot_be_kept_is_said_once(stage: Stage) -> None:
    stage.folder.parent.mkdir()
    stage.folder.write_text("a file where the folder would be")
    async with stage.process() as experimenting:
        told = emitter_of(experimenting, stage.live("all"))
        for name in ("aaa", "bbb", "ccc"):
            judge(told, name, passed=True)
        stop(told)
    [sentence] = stage.said
    assert "no experiments are kept any more of search 5eac" in sentence
    assert sentence.endswith("The search goes on")


async def test_real_search_is_kept_then_erased(stage: Stage) -> None:
    """A real search keeps what passed and erasing it leaves nothing."""
    async with process(stage.journals) as searches:
        live = searches.start(request(stage.root, RIGHT))
        await ended(live)
    assert live.state.best_row is not None
    kept = await stage.kept(live.id)
    assert await kept.numbers() == (1,)
    assert await kept.files(1) == {"sums.py": SUMS.replace("n * 3", "n * 2").encode()}
    async with process(stage.journals) as searches:
        searches.erase(live)
    assert not stage.folder.exists()


async def test_a_folder_without_a_name_is_said(stage: Stage, tmp_path: Path) -> None:
    """A folder that the system cannot name keeps no candidate, and no search ends for it."""
    said: list[str] = []
    async with anyio.create_task_group() as group:
        recorder = ExperimentRecorder(group, tmp_path / ("x" * 300) / "journals", os.environ, said.append)
        told = emitter_of(recorder, stage.live("all"))
        start(told)
        judge(told, "aaa", passed=True)
        stop(told)
    assert said
