"""Ambient repairs: a failing test begins a search that nobody asked for, and what it verifies is offered."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from certo.edits.source import parse
from certo.edits.target import ByName, find_target
from certo.sandbox.trace import RunTrace, trace_runs
from certo.sessions.ambient.changes import LAST_FAILED, changed_functions, last_failed, named_test
from certo.sessions.ambient.power import is_on_battery
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.sessions.suspects import resolve_failing_test, test_of
from certo.settings.schema import Settings
from certo.vocabulary.errors import BadSource, CertoError, TargetNotFound
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)

QUIET_SECONDS = 1.0
"""The time after a change in which further ones may follow, such as those of a formatter."""

MAX_SECONDS = 20.0
"""The seconds that one search may take."""

PATIENCE_SECONDS = 120.0
"""The time after which tests that let all others go first are given up."""

MAX_SYMPTOMS = 5
"""The number of functions or tests of one change that are looked at: a change of many is no slip of the pen."""

MAX_SUSPECTS = 3
"""The number of functions that are searched for one failing test."""

_BUSY_SECONDS = 1.0
"""The time between two looks whether another search still runs."""

FLAGS: Mapping[str, object] = {
    "search.generator": "builtin",
    "search.strategy": "auto",
    "search.scope": "function",
    "search.evaluator": "",
    "search.seconds": MAX_SECONDS,
}
"""Settings of every such search: it costs nothing but processor time, and little of that."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """A function that may be wrong, or a test that may fail."""

    document: Path
    place: ByName


Compare = Callable[[ResolvedRequest], Awaitable[None]]
"""Compares a function with the last commit, and shows what differs."""

Ask = Callable[[Symptom], Awaitable[Request]]
"""Returns a request for a symptom, with the texts and settings of now; raises BadRequest if there is none."""

_Key = tuple[Path, str, int, str]


@dataclass(slots=True, kw_only=True)
class AmbientRepairs:
    """The ambient repairs of one client of `searches`, one after the other, while no other search runs.

    `changed` is told of each document in which an offer has appeared or gone. `compare` gets each function whose tests
    pass, if the settings want that.
    """

    group: TaskGroup
    searches: Searches
    ask: Ask
    changed: Callable[[Path], None] = lambda _: None
    compare: Compare | None = None
    quiet_seconds: float = QUIET_SECONDS
    on_battery: Callable[[], bool] = is_on_battery
    _texts: dict[Path, str] = field(default_factory=dict)
    _failed: dict[Path, frozenset[str]] = field(default_factory=dict)
    _symptoms: dict[Symptom, None] = field(default_factory=dict)
    _offered: set[str] = field(default_factory=set)
    _stirred: anyio.Event = field(default_factory=anyio.Event)
    _scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    _at_work: Symptom | None = None
    _began: float | None = None
    _searching: LiveSearch | None = None
    _trace: RunTrace = field(default_factory=RunTrace)

    def offers(self, document: Path) -> Iterator[LiveSearch]:
        """Yield the searches whose candidates are offered in a document."""
        return (live for live in self.searches.of_document(document) if live.resolved.request.ambient)

    def opened(self, document: Path, text: str) -> None:
        """Take note of a text that later ones are compared with."""
        self._texts[document] = text

    def saved(self, document: Path, text: str, *, enabled: bool = True) -> None:
        """Withdraw what was offered for the text before, and look at the functions that the saved text has changed.

        A text that does not parse is passed over: the next one is compared with the last that did.
        """
        try:
            parse(text)
        except SyntaxError:
            return
        before = self._texts.get(document, text)
        self._texts[document] = text
        if not enabled or before == text:
            return
        self.searches.unasked.tried.clear()
        symptoms = [Symptom(document, place) for place in changed_functions(before, text)]
        if len(symptoms) > MAX_SYMPTOMS:
            symptoms = []
        if self._at_work is not None:
            symptoms.append(self._at_work)
        for live in self.searches:
            is_of_project = live.resolved.request.ambient and document.is_relative_to(live.resolved.root)
            if is_of_project and live.acceptance.accepting is None:
                symptoms.append(Symptom(live.document, ByName.of(live.target)))
                self._withdraw(live)
        self._scope.cancel()
        self.look_at(symptoms)

    def typed(self, document: Path, text: str) -> None:
        """Withdraw the offers for functions that have another text now, and end a search for one."""
        for live in list(self.offers(document)):
            if live.acceptance.accepting is None and not (_has_same(live, text) or _is_put_in(live, text)):
                self._withdraw(live)
        at_work = self._searching
        if at_work is not None and at_work.document == document and not _has_same(at_work, text):
            self._scope.cancel()

    def tested(self, cache: Path, *, is_new: bool = True) -> None:
        """Look at the tests that pytest has added to its file of failed ones, or only take note of them."""
        failed = last_failed(cache)
        before = self._failed.get(cache)
        if before is None and not is_new:
            before = failed
        self._failed[cache] = failed
        root = cache.parents[len(LAST_FAILED.parts) - 1]
        named = map(named_test, sorted({name.partition("[")[0] for name in failed - (before or frozenset())}))
        tests = [Symptom(root / file, place) for file, place in filter(None, named)]
        self.look_at(tests[:MAX_SYMPTOMS])

    def look_at(self, symptoms: Iterable[Symptom]) -> None:
        """Look at functions and tests, the last one first."""
        self._symptoms = {**dict.fromkeys(symptoms), **self._symptoms}
        if self._symptoms:
            self._stirred.set()

    async def keep(self) -> None:
        """Follow the symptoms until cancelled; nothing runs while there are none."""
        leave = self.searches.subscribe(lambda *_: None, self._notice)
        try:
            while True:
                await self._stirred.wait()
                self._stirred = anyio.Event()
                await anyio.sleep(self.quiet_seconds)
                while self._symptoms:
                    await self._follow_next()
        finally:
            leave()

    async def _follow_next(self) -> None:
        symptom = next(iter(self._symptoms))
        del self._symptoms[symptom]
        self._at_work, self._began = symptom, None
        with anyio.CancelScope() as self._scope, trace_runs(self._trace):
            try:
                async with self.searches.unasked.lock:
                    await self.follow(symptom)
            except CertoError as error:
                # Nobody has asked. What is wrong is said by the search that somebody asks for.
                log.debug("%s is not looked at: %s", symptom, error)
            except Exception:
                log.exception("looking at %s met a bug", symptom)
        self._at_work = None
        if self._began is not None:
            own = time.process_time() - self._began
            self.searches.unasked.allowance.spend(self._trace.take_seconds() + own)

    async def follow(self, symptom: Symptom) -> None:
        """Run the tests of a symptom when that is allowed, and search if one of them fails."""
        while True:
            resolved = self.searches.resolve(await self._request(symptom))
            options = resolved.settings.ambient
            if not options.enabled or criterion_in_force(resolved.settings) or self.on_battery():
                return
            wait = self.searches.unasked.allowance.seconds_to_wait(options.seconds_per_minute)
            if any(live.running for live in self.searches):
                wait = max(wait, _BUSY_SECONDS)
            if wait == 0.0:
                break
            await anyio.sleep(wait)
        self._began = time.process_time()
        failing, passes = None, False
        with anyio.move_on_after(PATIENCE_SECONDS):
            if (test := test_of(resolved)) is not None:
                failing = await self._to_blame(resolved, test)
            elif self._is_open(resolved):
                passes = not await self.searches.runner.fails(resolved)
                failing = None if passes else resolved
        if failing is not None:
            await self._search(failing)
        elif passes and options.compare and self.compare is not None:
            await self.compare(resolved)

    async def _request(self, symptom: Symptom) -> Request:
        asked = await self.ask(symptom)
        return replace(asked, background=True, ambient=True, flags={**(asked.flags or {}), **FLAGS})

    async def _to_blame(self, resolved: ResolvedRequest, test: str) -> ResolvedRequest | None:
        """Return the request for the function to blame for a test; None if nothing may be offered.

        Raises:
            BadRequest: The test passes, or executes no function of the project.
        """
        found = await resolve_failing_test(resolved, test, self.searches.environ)
        about = [
            replace(await self._request(Symptom(resolved.root / each.path, ByName.of(each.target))), test=test)
            for each in found.searched[:MAX_SUSPECTS]
        ]
        suspects = [each for each in about if self._is_open(self.searches.resolve(each))]
        # Where a stub is to blame, its user has not written it yet.
        if not suspects or found.suspect.target.is_hole:
            return None
        first, *others = suspects
        return self.searches.resolve(replace(first, then=tuple(others)))

    def _is_open(self, resolved: ResolvedRequest) -> bool:
        """True if a fix of a function may be offered: none was dismissed or looked for, and no search is about it."""
        key = _key(resolved.request.document, resolved.target, resolved.request.text)
        work = self.searches.unasked
        is_known = key in work.tried or key in work.dismissed or resolved.target.is_hole
        about = (live.target for live in self.searches.of_document(resolved.request.document))
        return not is_known and not any(each.is_same(resolved.target) for each in about)

    async def _search(self, resolved: ResolvedRequest) -> None:
        """Search, and then for the next suspect where nothing was found; leave nothing of what is not offered."""
        live: LiveSearch | None = self.searches.begin(resolved)
        while live is not None:
            self._searching = live
            try:
                await live.run.stopped.wait()
                self.searches.unasked.tried.add(_key_of(live))
            except anyio.get_cancelled_exc_class():
                after = self._after(live)
                if after is not None:
                    self.searches.erase(after)
                raise
            finally:
                self._searching = None
                if not live.is_shown:
                    self.searches.erase(live)
            live = self._after(live)

    def _after(self, live: LiveSearch) -> LiveSearch | None:
        """Return the search for the next suspect, if there is one."""
        return self.searches.get(live.followed_by) if live.followed_by is not None else None

    def _withdraw(self, live: LiveSearch) -> None:
        self._offered.discard(live.id)
        self.searches.unasked.tried.discard(_key_of(live))
        # Other clients see it go as well, for whom it was not dismissed either.
        live.acceptance.withdrawn = True
        self.searches.erase(live)
        self.changed(live.document)

    def _notice(self, live: LiveSearch) -> None:
        """Give way to a search that somebody asked for; take note of offers, and of what was dismissed."""
        if not live.resolved.request.ambient:
            if live.running and self._at_work is not None:
                self.look_at([self._at_work])
                self._scope.cancel()
            return
        is_offered = live in self.searches and live.is_shown
        if is_offered == (live.id in self._offered):
            return
        if is_offered:
            self._offered.add(live.id)
        else:
            self._offered.discard(live.id)
            if not (live.acceptance.accepted or live.acceptance.withdrawn):
                self.searches.unasked.dismissed.add(_key_of(live))
        self.changed(live.document)


def criterion_in_force(settings: Settings) -> str:
    """Return the name of a criterion, which would ask a language model; "" if there is none."""
    return next((name for name, each in settings.criteria.items() if each.kind != "off"), "")


def _key_of(live: LiveSearch) -> _Key:
    return _key(live.document, live.target, live.base)


def _key(document: Path, target: Target, text: str) -> _Key:
    """Return what tells the text of a function from others."""
    return document, target.qualname, target.number, text[target.span.start : target.span.end]


def _is_put_in(live: LiveSearch, text: str) -> bool:
    """True if a text is what the offer makes of it: an editor that shows ghost text puts it in before it accepts."""
    row = live.state.best_row
    return row is not None and live.text_with(row) == text


def _has_same(live: LiveSearch, text: str) -> bool:
    """True if the function of a search has the same text in another version, as far as that can be read."""
    try:
        now = find_target(text, ByName.of(live.target), path=live.path)
    except TargetNotFound:
        return False
    except BadSource:
        return _key_of(live)[3] in text  # somewhere else it is being typed
    return _key(live.document, now, text)[3] == _key_of(live)[3]
