"""While candidates are accepted, no keystroke is lost, and only proved text is called verified."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from certo.edits.positions import Encoding
from certo.sessions.searches import Searches
from support.lsp.typist import Typist
from support.projects.pending_candidates import MODULE, search_for
from support.search.gate_verifier import GATE, install

NAMES = ("one.py", "two.py")


@pytest.fixture(scope="module", autouse=True)
def gate() -> Iterator[None]:
    """The verifier that waits for its verdict, where certo finds verifiers."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(install(Path(folder))))
        yield


class Typing(RuleBasedStateMachine):
    """Two documents with three functions each, an editor that types and applies, and a daemon that verifies."""

    guarded = True

    @initialize(encoding=st.sampled_from(Encoding), newline=st.sampled_from(["\n", "\r\n"]))
    def begin(self, encoding: Encoding, newline: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.keys: dict[str, list[str]] = {}
        self.asked: dict[int, tuple[str, int]] = {}
        # An edit at a wrong place can cut a line break in two, and what one half of it is depends on the editor.
        text = MODULE.replace("\n", newline) if self.guarded else MODULE
        self.runner.run(self._begin(Path(self.folder.name).resolve(), encoding, text))

    async def _begin(self, root: Path, encoding: Encoding, text: str) -> None:
        GATE.begin()
        self.done = asyncio.Event()
        ready = asyncio.Event()

        async def host() -> None:
            async with anyio.create_task_group() as group:
                self.searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
                self.editor = Typist(group, self.searches, encoding=encoding, guarded=self.guarded)
                ready.set()
                await self.done.wait()
                group.cancel_scope.cancel()

        self.host = asyncio.create_task(host())
        await ready.wait()
        (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
        for name in NAMES:
            path = root / name
            path.write_bytes(text.encode())
            self.editor.open(path, text)
            self.keys[path.as_uri()] = []
            for number in range(3):
                await search_for(self.searches, path, text, number)
        self.ids = {live.id: live.state.best for live in self.searches}

    @rule(page=st.integers(0, 1), line=st.integers(0, 35), own=st.booleans())
    def type(self, page: int, line: int, own: bool) -> None:
        """Type a comment: on a line of its own, or behind what is on a line."""
        uri = list(self.keys)[page]
        text = self.editor.pages[uri].text
        newline = "\r\n" if "\r\n" in text else "\n"
        lines = text.split(newline)
        at = min(line, len(lines) - 1)
        offset = sum(len(each) + len(newline) for each in lines[:at])
        key = f"# k{sum(map(len, self.keys.values()))}. 🍎"
        self.keys[uri].append(key)
        typed = f"{lines[at][: len(lines[at]) - len(lines[at].lstrip())]}{key}{newline}" if own else f"  {key}"
        self.runner.run(self._type(uri, offset if own else offset + len(lines[at]), typed))

    async def _type(self, uri: str, offset: int, typed: str) -> None:
        self.editor.type(uri, offset, typed)

    @rule(which=st.integers(0, 5), expecting=st.booleans())
    def accept(self, which: int, expecting: bool) -> None:
        """Ask for a candidate to be applied, to the version there is or to any."""
        live_id = list(self.ids)[which]
        self.runner.run(self._accept(live_id, which // 3, expecting=expecting))

    async def _accept(self, live_id: str, page: int, *, expecting: bool) -> None:
        uri = list(self.keys)[page]
        params = {"searchId": live_id, "candidateId": self.ids[live_id]}
        version = {"version": self.editor.pages[uri].version} if expecting else {}
        self.asked[self.editor.ask("certo/candidate/apply", {**params, **version})] = (uri, which_number(live_id))

    @rule(turns=st.sampled_from([1, 3, 10]))
    def work(self, turns: int) -> None:
        """Let the daemon work a little."""
        self.runner.run(self._work(turns))

    async def _work(self, turns: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)

    @rule(passes=st.sampled_from([True, True, True, False]))
    def judge(self, passes: bool) -> None:
        """Give a candidate that waits its verdict."""
        GATE.release(passes=passes)
        self.work(3)

    @rule(answer_first=st.booleans())
    def apply(self, answer_first: bool) -> None:
        """Have the editor apply an edit that has come."""
        self.runner.run(self._apply(answer_first=answer_first))

    @rule(which=st.integers(0, 5), line=st.integers(0, 35), own=st.booleans())
    def overtake(self, which: int, line: int, own: bool) -> None:
        """Type while an edit is on its way, and only then apply it."""
        self.accept(which, expecting=False)
        self.runner.run(self._until_an_edit_comes())
        self.type(which // 3, line, own)
        self.apply(answer_first=False)

    async def _until_an_edit_comes(self) -> None:
        for _ in range(50):
            if self.editor.has_edits:
                return
            GATE.release(passes=True)
            await asyncio.sleep(0)

    async def _apply(self, *, answer_first: bool) -> None:
        applied = self.editor.apply_next(answer_first=answer_first)
        if applied is not None and self.guarded:
            page, before = applied
            assert page.text in GATE.proved, "what was applied was not proved"
            [number] = [
                n for n in range(3) if page.text == before.replace(f'"to do {n} 🍎"', f"sum(prices) + {n}") != before
            ]
            assert number in range(3)

    @invariant()
    def no_keystroke_is_lost(self) -> None:
        for uri, keys in getattr(self, "keys", {}).items():
            text = self.editor.pages[uri].text
            if self.guarded:
                assert [key for key in keys if text.count(key) != 1] == []
            document = self.editor.desk.documents.get(uri)
            assert document is not None
            assert (document.version, document.text) == (self.editor.pages[uri].version, text)

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            try:
                self.runner.run(self._end())
            finally:
                self.runner.close()
                self.folder.cleanup()

    async def _end(self) -> None:
        """Wait until every request is answered, and check the answers."""
        async with asyncio.timeout(60):
            while self.asked.keys() - self.editor.answers.keys():
                GATE.release(passes=True)
                await self._apply(answer_first=False)
                await asyncio.sleep(0.001)
        for id_, (uri, number) in self.asked.items():
            answer, history = self.editor.answers[id_], self.editor.pages[uri].history
            if answer.get("verified"):
                assert history[answer["version"]] in GATE.proved
                assert f"sum(prices) + {number}" in history[answer["version"]]
            elif answer.get("applied"):
                assert not self.guarded
                assert "not what was verified" in answer["reason"]
            else:
                assert answer.get("reason") or answer.get("message"), answer
        assert self.editor.applied <= len(self.ids), "a candidate was applied twice"
        self.done.set()
        await self.host


class Unguarded(Typing):
    """The same with an editor that ignores versions: a wrong result of an edit is never called right."""

    guarded = False


def which_number(live_id: str) -> int:
    """The function that a search is about."""
    return int(live_id[-1])


@pytest.mark.usual_cases("guarded")
@pytest.mark.parametrize("machine", [Typing, Unguarded], ids=["guarded", "unguarded"])
def test_no_typing_is_lost_and_verified_holds(machine: type[Typing]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=6, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
