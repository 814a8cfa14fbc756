"""A later search knows the project, what was learned of it, and what was tried, within its tokens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.generation.generator import NoProjectContext
from certo.knowledge.project_context import JournalProjectContext, context_text
from certo.knowledge.project_index import ProjectIndex
from certo.knowledge.repo_map import RepoMap
from certo.knowledge.repo_memory import RepoMemory
from certo.sandbox.executor import Finished, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sessions.applied import AppliedEdit
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.persistence.project_context import project_context_of
from certo.storage.journal import Journal
from certo.storage.search_record import SearchRecord
from certo.vocabulary.knowledge import SECTIONS, Claim, Outline, PastAttempt, Quote
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Report, Ruling
from support.models.model_generator import problem_of
from support.projects.projects import own_interpreter, write_project
from support.search.journalled_searches import RIGHT as DOUBLED
from support.search.journalled_searches import SUMS, ended, journal_of, kept, process, request, sums
from support.search.journalled_searches import WRONG as FOURFOLD

pytestmark = pytest.mark.acceptance(64, 65)

RED = KnownTest(id="test_sums.py::test_double", ruling=Ruling.FAILED, message="KeyError: 'n'")
PROBLEM = problem_of(SUMS, "double", path="sums.py", tests=[RED])
TRY = PastAttempt(
    search="0ld",
    candidate="aaa",
    number=1,
    path="sums.py",
    qualname="double",
    at=5.0,
    diff="--- a/sums.py\n+++ b/sums.py\n@@ -1 +1 @@\n-    return n * 3\n+    return n * 4\n",
    failure="`tests`: assert 20 == 10",
)
CLAIM = Claim(
    key="a",
    section="gotchas",
    text="`double` in sums.py overflows",
    search="0ld",
    quotes=(Quote(path="sums.py", text="def double(n):"),),
)


def searched(journal: Journal, name: str) -> None:
    journal.begin(name, SearchRecord(document="/d/sums.py", path="sums.py", text=SUMS, qualname="double"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {"sums.py": SUMS, "pkg/__init__.py": '"""Wraps sums."""\n', ".env": "KEY=canary\n", "x.py": "KEY = 1\n"}
    return write_project(tmp_path / "sums", files)


@pytest.fixture
def journal(tmp_path: Path, root: Path) -> Iterator[Journal]:
    with closing(journal_of(tmp_path / "journals", root)) as opened:
        searched(opened, "0ld")
        yield opened


class Counting(LocalExecutor):
    """An executor that counts the files it is asked to read."""

    read = 0

    async def run(self, work: Work, tell) -> Finished:
        self.read += len(work.request["paths"])
        return await super().run(work, tell)


def survey(root: Path, journal: Journal, executor: LocalExecutor, **texts: str) -> ProjectIndex:
    return ProjectIndex(
        root=root, journal=journal, executor=executor, environ=os.environ, texts=texts, written=journal.commit
    )


async def test_only_changed_files_are_read_again(root: Path, journal: Journal) -> None:
    executor = Counting(SandboxOptions(isolation="process"))
    first = survey(root, journal, executor)
    assert await first.look(seconds=100)
    assert executor.read == 3
    assert "pkg/ (1 package): Wraps sums." in (await first.memory()).section("architecture")
    again = survey(root, journal, executor)
    assert await again.look(seconds=100)
    assert executor.read == 3
    assert await again.memory() == await first.memory()
    os.utime(root / "x.py", ns=(1, 1))
    (root / "pkg" / "__init__.py").write_text('"""Wraps nothing."""\n')
    (root / "sums.py").unlink()
    last = survey(root, journal, executor)
    assert await last.look(seconds=100)
    assert executor.read == 5
    assert "pkg/ (1 package): Wraps nothing." in (await last.memory()).section("architecture")
    assert journal.learned.stamps().keys() == {"pkg/__init__.py", "x.py"}
    (root / ".git").write_text("gitdir: nowhere\n")
    blind = survey(root, journal, executor)
    assert await blind.look(seconds=100)
    assert journal.learned.stamps().keys() == {"pkg/__init__.py", "x.py"}, "they may only be out of sight"
    assert (await blind.memory()).map.overview() == "no file of it is known"


async def test_claims_last_as_long_as_their_evidence(root: Path, journal: Journal) -> None:
    """The text that counts is the unsaved one, if there is any."""
    journal.learned.learn([CLAIM])
    journal.commit()
    executor = Counting(SandboxOptions(isolation="process"))
    for texts, known in (({}, (CLAIM,)), ({"sums.py": "def twice(n): ...\n"}, ())):
        project = survey(root, journal, executor, **texts)
        await project.look()
        assert (await project.memory()).claims == known


async def test_a_searchs_knowledge_stays_the_same(root: Path, journal: Journal) -> None:
    """It contains nothing of the search itself."""
    searched(journal, "5eac")
    journal.learned.tried(TRY)
    journal.learned.tried(replace(TRY, search="5eac", diff="+    return n * 77\n"))
    journal.learned.learn([CLAIM])
    journal.commit()
    project = survey(root, journal, Counting(SandboxOptions(isolation="process")))
    recollection = JournalProjectContext(project, "5eac", "sums.py")
    await recollection.look()
    problem = replace(PROBLEM, root=root)
    text = await recollection.text(problem, 2000)
    assert "- here, - return n * 3 + return n * 4: failed `tests`: assert 20 == 10" in text
    assert "- `double` in sums.py overflows [sums.py: def double(n):]" in text
    assert "77" not in text
    assert "canary" not in text
    journal.forget("0ld")
    (root / "x.py").unlink()
    resumed = JournalProjectContext(project, "5eac", "sums.py")
    await resumed.look()
    assert await recollection.text(problem, 2000) == await resumed.text(problem, 2000) == text
    searched(journal, "n3w")
    journal.commit()
    other = JournalProjectContext(project, "n3w", "sums.py")
    await other.look()
    assert "overflows" not in await other.text(problem, 2000)


async def test_attempts_here_come_before_similar_failures(root: Path, journal: Journal) -> None:
    elsewhere = replace(TRY, path="x.py", qualname="other", diff="+    key\n")
    for number, (past_try, failure) in enumerate(
        (
            (elsewhere, "`tests`: KeyError: 'n'"),
            (elsewhere, "`tests`: TypeError: n"),
            (elsewhere, "`tests`: assert 1 == 2"),
            (TRY, "`tests`: TypeError: n"),
            (TRY, "`tests`: TypeError: n"),
        )
    ):
        journal.learned.tried(replace(past_try, candidate=str(number), number=number, failure=failure))
    journal.commit()
    recollection = JournalProjectContext(survey(root, journal, Counting(SandboxOptions())), "5eac", "sums.py")
    await recollection.look()
    text = await recollection.text(replace(PROBLEM, root=root), 4000)
    assert text.partition("\n\n")[0].splitlines() == [
        "What earlier searches tried:",
        "- here, - return n * 3 + return n * 4: failed `tests`: TypeError: n",
        "- for other in x.py, + key: failed `tests`: KeyError: 'n'",
    ]


async def test_without_a_usable_journal_nothing_is_known(root: Path, journal: Journal) -> None:
    recollection = JournalProjectContext(survey(root, journal, Counting(SandboxOptions())), "5eac", "sums.py")
    journal.close()
    await recollection.look()
    assert await recollection.text(PROBLEM, 2000) == ""


some_claims = st.lists(
    st.builds(
        Claim,
        key=st.uuids().map(str),
        section=st.sampled_from(list(SECTIONS)),
        text=st.sampled_from(["`double` in sums.py is odd", "all is well", "x" * 400]),
        search=st.just("0ld"),
        quotes=st.lists(st.builds(Quote, path=st.sampled_from(["sums.py", "x.py"]), text=st.just("n")), max_size=2).map(
            tuple
        ),
    ),
    max_size=12,
)
tries = st.lists(
    st.builds(replace, st.just(TRY), diff=st.text(max_size=300), failure=st.text(max_size=300), passed=st.booleans()),
    max_size=6,
)


@given(some_claims, tries, st.integers(min_value=0, max_value=4000))
def test_recalled_knowledge_is_bounded_and_repeatable(claims: list[Claim], past: list[PastAttempt], room: int) -> None:
    outlines = {f"{name}.py": Outline(doc=name * 20) for name in ("sums", "x", "y")}
    memory = RepoMemory(map=RepoMap(folders={"": {"package": 3}}, outlines=outlines), claims=tuple(claims))
    text = context_text(PROBLEM, room, memory, past)
    assert len(text) <= room
    assert context_text(PROBLEM, room, memory, past) == text
    if "earlier searches tried" in text:
        assert past


async def test_attempts_facts_and_accepted_lessons_are_kept(tmp_path: Path) -> None:
    root = sums(tmp_path)
    folder = tmp_path / "journals"
    async with process(folder) as searches:
        live = searches.start(request(root, FOURFOLD, DOUBLED))
        await ended(live)
    found, _ = kept(folder, root)
    with closing(journal_of(folder, root)) as journal:
        second, first = journal.learned.tries()
        assert [each.search for each in (first, second)] == [found.id] * 2
        assert (first.passed, first.cost, second.passed) == (False, None, True)
        assert second.cost is not None
        texts = [claim.text for claim in journal.learned.claims()]
        assert any("is reached by test_sums.py::test_double" in text for text in texts)
        assert any("`tests` refused 1" in text for text in texts)
        assert not any(claim.candidate for claim in journal.learned.claims()), "nothing was accepted yet"
    async with process(folder) as searches:
        live.journal = journal = journal_of(folder, root)
        searches.settle(live, applied(second))
        journal.commit()
        assert [claim.candidate for claim in journal.learned.claims() if claim.candidate] == [
            second.candidate,
            first.candidate,
        ]
        searches.erase(live)
        journal.commit()
        assert journal.learned.claims() == ()
        journal.close()


def applied(past_try: PastAttempt) -> AppliedEdit:
    """A candidate that an editor put into its document."""
    name = past_try.candidate
    report = Report(candidate_id=name)
    return AppliedEdit(
        wanted=name,
        hunks=(),
        candidate_id=name,
        text_before="",
        text_after="",
        before=1,
        moved=False,
        merged=False,
        report=report,
    )


@pytest.mark.parametrize(
    "flags", [{"search.record": "log"}, {"generation.memory_tokens": 0}, {"journal.enabled": False}]
)
async def test_replays_and_disabled_journals_recall_nothing(tmp_path: Path, flags: dict[str, object]) -> None:
    root = sums(tmp_path)
    world = ExecutionContext(executor=LocalExecutor(SandboxOptions()), interpreter=own_interpreter())
    async with process(tmp_path / "journals") as searches:
        for extra, wanted in (({}, True), (flags, False)):
            wish = request(root, DOUBLED, **{"search.generator": "model", "model.name": "scripted:x", **extra})
            live = searches.start(wish)
            made = project_context_of(live, world, {}, lambda: None)
            assert isinstance(made, JournalProjectContext) is wanted
            assert isinstance(made, NoProjectContext) is not wanted
            await searches.cancel(live)
