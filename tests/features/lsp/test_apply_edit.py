"""Applying makes one edit for any number of requests, and no text counts as seen unless it was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from certo.edits.positions import Encoding
from certo.features.extensions.candidates import NOT_SEEN
from certo.features.lsp import apply_edit
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from support.lsp.typist import Typist
from support.projects.pending_candidates import MODULE, search_for
from support.search.gate_verifier import GATE, install


@pytest.fixture(autouse=True)
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verifier that waits for its verdict, where certo finds verifiers."""
    monkeypatch.syspath_prepend(str(install(tmp_path / "packages")))
    GATE.begin()


@asynccontextmanager
async def editors(root: Path, count: int) -> AsyncIterator[tuple[list[Typist], list[LiveSearch]]]:
    """Editors of one daemon that have the same document open, and the searches that have found something for it."""
    path = root / "one.py"
    path.write_text(MODULE)
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
        typists = [Typist(group, searches, encoding=Encoding.UTF16, guarded=True) for _ in range(count)]
        for typist in typists:
            typist.open(path, MODULE)
        with anyio.fail_after(60):
            yield typists, [await search_for(searches, path, MODULE, number) for number in range(3)]
        group.cancel_scope.cancel()


def ask(typist: Typist, live: LiveSearch) -> int:
    """Ask for the candidate of a search to be applied."""
    return typist.ask("certo/candidate/apply", {"searchId": live.id, "candidateId": live.state.best})


async def answered(typists: list[Typist], asked: list[tuple[Typist, int]]) -> list[dict[str, object]]:
    """Let the editors apply what comes until all is answered."""
    while any(id_ not in typist.answers for typist, id_ in asked):
        GATE.release(passes=True)
        for typist in typists:
            typist.apply_next(answer_first=True)
        await anyio.sleep(0.001)
    return [typist.answers[id_] for typist, id_ in asked]


async def test_simultaneous_accepts_make_one_edit(tmp_path: Path) -> None:
    async with editors(tmp_path, 2) as (typists, searches):
        asked = [(typist, ask(typist, searches[1])) for typist in typists]
        first, second = await answered(typists, asked)
        assert first == second
        assert (first["applied"], first["verified"], first["version"]) == (True, True, 2)
        assert [typist.applied for typist in typists] == [1, 0]


async def test_candidates_are_applied_one_after_the_other(tmp_path: Path) -> None:
    async with editors(tmp_path, 1) as ([typist], searches):
        asked = [(typist, ask(typist, live)) for live in searches]
        answers = await answered([typist], asked)
        assert [answer["version"] for answer in answers] == [2, 3, 4]
        assert [answer["moved"] for answer in answers] == [False, True, True]
        assert all(answer["verified"] for answer in answers)
        [page] = typist.pages.values()
        assert "to do" not in page.text


async def test_text_that_never_came_is_not_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply_edit, "ARRIVAL_SECONDS", 0.05)
    async with editors(tmp_path, 1) as ([typist], searches):
        typist.silent = True
        [answer] = await answered([typist], [(typist, ask(typist, searches[0]))])
        assert (answer["applied"], answer["verified"], answer["version"]) == (True, False, None)
        assert answer["reason"] == NOT_SEEN


async def test_candidates_that_no_longer_pass_stay_unapplied(tmp_path: Path) -> None:
    """The answer has the new verdict, and asking again works."""
    async with editors(tmp_path, 1) as ([typist], searches):
        [uri] = typist.pages
        typist.type(uri, 0, "# typed\n")
        id_ = ask(typist, searches[0])
        while not GATE.release(passes=False):
            await anyio.lowlevel.checkpoint()
        [answer] = await answered([typist], [(typist, id_)])
        assert answer["applied"] is False
        assert "now fails gate (the gate is shut)" in str(answer["reason"])
        assert answer["report"] is not None
        assert typist.applied == 0
        [again] = await answered([typist], [(typist, ask(typist, searches[0]))])
        assert (again["applied"], again["verified"]) == (True, True)
