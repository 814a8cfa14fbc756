"""Live searches: started, watched, cancelled, accepted; each with an edge that no failure crosses."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.llm.model import ChatModel, Models
from certo.sessions.acceptance.undo import UndoHistory
from certo.sessions.applied import AppliedEdit, DocumentLocks
from certo.sessions.assembly.models import NO_CLIENT_SERVICES, ClientServices, connect
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.current_function import Standing
from certo.sessions.earlier_run import emitter_for, tell_resumed
from certo.sessions.evidence.background_strength import BackgroundStrength
from certo.sessions.evidence.strength import CurrentStrength
from certo.sessions.evidence.written_tests import CurrentTests, older_of, pin_tests, write_tests_of_current
from certo.sessions.failures import failure, stop, tell_end
from certo.sessions.idempotency import IdempotencyKeys
from certo.sessions.idle_tests import IdleTests
from certo.sessions.live import LiveSearch, Run, Stated
from certo.sessions.persistence.experiments import ExperimentRecorder
from certo.sessions.persistence.knowledge import learn_accepted, record_lessons
from certo.sessions.persistence.requests import asked_of
from certo.sessions.runner import OwnGenerator, Refit, SearchRunner
from certo.sessions.subscribers import Hear, Notice, Subscribers
from certo.sessions.suspects import start_next_suspect
from certo.sessions.turns import UnaskedWork
from certo.settings.loader import load_settings
from certo.settings.schema import Settings
from certo.storage.journals import Journals
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.vocabulary.errors import SearchNotFound
from certo.vocabulary.events import Event, SearchStarted, SearchStopped
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.progress import Say, unheard


class Searches:
    """The live searches of one process, of all its clients.

    Their background work belongs to the task group given here: when that is cancelled, every search, every process of
    theirs and every connection to a language model has ended. What happens in them is kept below `journals`, and
    written there before any subscriber hears of it. `environ` are the variables of the environment, `connections` what
    all of them ask language models through. Prepared processes come from `projects` if they outlive the group.
    """

    def __init__(
        self,
        group: TaskGroup,
        *,
        environ: Mapping[str, str] | None = None,
        refit: Refit = lambda parts, _: parts,
        own_generator: OwnGenerator = lambda _, __: None,
        journals: Path | None = None,
        projects: WarmProjects | None = None,
    ) -> None:
        self._group = group
        self.environ = os.environ if environ is None else environ
        self._live: dict[str, LiveSearch] = {}
        self._settled = UndoHistory()
        self.turns = DocumentLocks()
        self.unasked = UnaskedWork()
        self._subscribers = Subscribers()
        self.subscribe(self._succeed)
        self._untold: list[tuple[LiveSearch, Event]] = []
        self._stirred = anyio.Event()
        self._telling = anyio.Lock()
        self._running: set[str] = set()
        self._idle = anyio.Event()
        self.journals = Journals(journals, self._subscribers.say) if journals is not None else None
        self.keys = IdempotencyKeys()
        self._experimenting: ExperimentRecorder | None = None
        if journals is not None:
            self._experimenting = ExperimentRecorder(group, journals, self.environ, self._subscribers.say)
            self.subscribe(self._experimenting.hear)
        self.connections = connect(self.environ)
        self.runner = SearchRunner(
            environ=self.environ,
            connections=self.connections,
            journals=self.journals,
            say=self._subscribers.say,
            write=self._stir,
            refit=refit,
            own_generator=own_generator,
            projects=projects or WarmProjects(group),
        )
        self._strengths = BackgroundStrength(group=group, remains=self.__contains__)
        self._idle_tests: IdleTests | None = None
        if self.journals is not None:
            self._idle_tests = IdleTests(group=group, environ=self.environ, journals=self.journals, written=self._stir)
        group.start_soon(self._keep_connections)
        group.start_soon(self._keep_telling)

    async def _keep_connections(self) -> None:
        """Keep what searches use to ask language models until the session ends."""
        async with self.connections:
            await anyio.sleep_forever()

    async def _keep_telling(self) -> None:
        """Tell subscribers what has happened, all of one turn of the loop together."""
        try:
            while True:
                await self._stirred.wait()
                self._stirred = anyio.Event()
                await self._tell()
        finally:
            with anyio.CancelScope(shield=True):
                # The searches are cancelled with this, and each has its end to tell.
                while self._running:
                    await self._idle.wait()
                await self._tell()
            if self.journals is not None:
                self.journals.close()

    def subscribe(self, hear: Hear, notice: Notice = lambda _: None, said: Say = unheard) -> Callable[[], None]:
        """Add a subscriber to every event of every search from now on; return a function by which it leaves."""
        return self._subscribers.add(hear, notice, said)

    def resolve(self, request: Request) -> ResolvedRequest:
        """Resolve a request, without starting anything; raises the errors of `resolve_request`."""
        return resolve_request(request, self.environ)

    def saved(self, document: Path) -> None:
        """Make the processes ready again that an earlier search left for the next one, if they had the former text."""
        self._group.start_soon(self.runner.projects.refresh, document)

    async def verify(
        self, resolved: ResolvedRequest, models: Models, say: Say = unheard, *, strength: bool = False
    ) -> Standing:
        """Judge a function as it is, and with `strength` its tests; raises the errors of `verify_current`."""
        return await self.runner.verify(resolved, models, say, strength=strength)

    async def write_tests(
        self,
        resolved: ResolvedRequest,
        say: Callable[[str], None],
        *,
        against: str = "",
        model: ChatModel | None = None,
    ) -> CurrentTests:
        """Write tests of a function, held against a revision; raises the errors of `write_tests_of_current`.

        A `model` proposes further ones.
        """
        older = await older_of(resolved, against, self.environ)
        context = await find_execution_context(resolved, self.environ)
        return await write_tests_of_current(resolved, context, say, older=older, model=model)

    def pin_tests(self, current: CurrentTests, names: Collection[str], *, are_right: bool) -> None:
        """Remember that certo wrote tests that are being added; with `are_right` the user has said that they are."""
        resolved = current.resolved
        journal = None if self.journals is None else self.journals.of(resolved.root, resolved.settings.journal)
        pin_tests(journal, current, names, are_right=are_right)
        self._stir()

    async def strength(self, resolved: ResolvedRequest, say: Say = unheard) -> CurrentStrength:
        """Measure the tests of a function as it is; raises the errors of `strength_of_current`."""
        return await self.runner.strength(resolved, say)

    def settings(self, root: Path, client: Mapping[str, Any] | None) -> Settings:
        """Return the settings of a project, with those of the client that asks.

        Raises:
            BadSetting: one of them is unknown or malformed.
        """
        return load_settings(root, client=client, environ=self.environ, flags=None)

    def start(self, request: Request) -> LiveSearch:
        """Start a search and return at once; raises what `resolve` does."""
        return self.begin(self.resolve(request))

    def begin(
        self,
        resolved: ResolvedRequest,
        services: ClientServices = NO_CLIENT_SERVICES,
        instead_of: Iterable[LiveSearch] = (),
    ) -> LiveSearch:
        """Start a search for a resolved request, and return at once; `services` is what its client lends it.

        The searches that it is made `instead_of` are ended now, but forgotten only once its problem is stated: the new
        search may still be refused, and then they are all there is.
        """
        live = LiveSearch(id=secrets.token_hex(4), resolved=resolved, services=services)
        if self.journals is not None:
            live.journal = self.journals.of(resolved.root, resolved.settings.journal)
        if live.journal is not None:
            live.journal.begin(live.id, asked_of(resolved))
        for old in instead_of:
            old.run.scope.cancel()
            old.acceptance.successor = live
        self.run(live)
        return live

    def _succeed(self, live: LiveSearch, event: Event) -> None:
        """Let a search whose problem is stated replace those it was made for; keep these if it ends before."""
        for old in [old for old in self if old.acceptance.successor is live]:
            if isinstance(event, SearchStarted):
                self.forget(old)
            elif isinstance(event, SearchStopped):
                old.acceptance.successor = None
                self.notice(old)

    def run(self, live: LiveSearch) -> None:
        """Start a run of a search that has none yet, or that has been reopened, and return at once."""
        emitter = emitter_for(live, partial(self._listen, live))
        live.run = Run(emitter=emitter, began=time.monotonic() - live.worked)
        self._live[live.id] = live
        self._running.add(live.id)
        self._strengths.interrupt()
        if self._idle_tests is not None:
            self._idle_tests.interrupt()
        self._group.start_soon(self._run, live)
        self.notice(live)

    async def cancel(self, live: LiveSearch) -> float:
        """End a search; returns when its processes are dead and its connections closed: after so many seconds.

        Raises:
            CancelIncomplete: something of it is left; the message names it.
        """
        return await stop(live.run.scope, live.run.stopped, live.run.resources)

    def forget(self, live: LiveSearch) -> None:
        """End a search if it runs, and drop what is known of it."""
        live.run.scope.cancel()
        if self._live.pop(live.id, None) is not None:
            if live.journal is not None:
                live.journal.stand(live.id, "accepted" if live.acceptance.accepted else "dismissed")
                self._stirred.set()
            self.notice(live)

    def erase(self, live: LiveSearch) -> None:
        """Forget a search, and leave nothing of it in the journal either."""
        self.forget(live)
        if live.journal is not None:
            live.journal.erase(live.id)
            self._stirred.set()
        if self._experimenting is not None:
            self._experimenting.forget(live)

    def adopt(self, live: LiveSearch) -> None:
        """Have a search that has ended elsewhere here too, with all that is known of it."""
        live.run = Run(emitter=emitter_for(live, partial(self._listen, live)))
        live.run.stopped.set()
        self._live[live.id] = live
        self._stirred.set()
        self.notice(live)

    async def restate(self, live: LiveSearch) -> Stated:
        """State the problem of a search that does not run; raises what `SearchRunner.restate` does."""
        return await self.runner.restate(live)

    def settle(self, live: LiveSearch, applied: AppliedEdit) -> None:
        """Forget a search because a candidate of it is in the text now; accepting it once more is then no mistake."""
        live.acceptance.accepted, live.acceptance.undone = True, None
        learn_accepted(live, applied.wanted)
        self._take_note(live, Feedback(candidate_id=applied.wanted, ruling="accepted"))
        self._settled.keep(live, applied)
        self.forget(live)

    def reread(self, document: Path, text: str) -> None:
        """Take note of the text a document has now, for editors undo and redo what was accepted without a word of it.

        A search whose candidate is undone is offered again, unless another one is about its function by now.
        """
        # Editors tell only texts. The text from before an edit is taken for its undo, and the text from after an undone
        # edit for its redo: in both cases it is a text whose evidence is known.
        for live in self._settled.undone(document, text):
            # Two searches about one function would each show their own verdict on it.
            if not any(other.resolved.target.is_same(live.resolved.target) for other in self.of_document(document)):
                self._take_back(live)
        for live in self.of_document(document):
            undone = live.acceptance.undone
            if undone is not None and undone.text_after == text:
                self.settle(live, undone)

    def _take_back(self, live: LiveSearch) -> None:
        undone = self._settled.drop(live)
        live.acceptance.accepted, live.acceptance.undone = False, undone
        self._take_note(live, Feedback(candidate_id=undone.wanted, ruling="undone"))
        if live.journal is not None:
            live.journal.stand(live.id, "open")
            self._stirred.set()
        self._live[live.id] = live
        self.notice(live)

    async def keep(self, live: LiveSearch, feedback: Feedback) -> None:
        """Take note of what a user thinks of a candidate; returns when it is in the journal."""
        self._take_note(live, feedback)
        self.notice(live)
        await self._tell()

    def _take_note(self, live: LiveSearch, feedback: Feedback) -> None:
        live.acceptance.feedback.append(feedback)
        if live.journal is not None:
            live.journal.opinion(live.id, feedback)

    def applied(self, search_id: str) -> AppliedEdit | None:
        """Return the edit that was applied of a search; None if no candidate of it was accepted."""
        return self._settled.applied(search_id)

    def notice(self, live: LiveSearch) -> None:
        """Tell subscribers that something about a search changed that is no event of it."""
        self._subscribers.notice(live)

    def get(self, search_id: str) -> LiveSearch:
        """Look a search up.

        Raises:
            SearchNotFound: there is none of that id.
        """
        if search_id not in self._live:
            if self.applied(search_id) is not None:
                raise SearchNotFound(f"search {search_id!r} is over: a candidate of it was accepted; start another")
            raise SearchNotFound(f"there is no search {search_id!r}; it was dismissed, or is of an earlier session")
        return self._live[search_id]

    def of_document(self, document: Path) -> Iterator[LiveSearch]:
        """Return the searches about a document, in the order they were started."""
        return (live for live in self if live.document == document)

    def __contains__(self, live: object) -> bool:
        return any(known is live for known in self._live.values())

    def __iter__(self) -> Iterator[LiveSearch]:
        """Iterate over the searches that clients are shown."""
        return iter([live for live in self._live.values() if live.is_shown])

    async def _tell(self) -> None:
        """Tell subscribers what they have not been told yet, once the journal has it."""
        async with self._telling:
            batch, self._untold = self._untold, []
            if self.journals is not None:
                await self.journals.commit()
            # What subscribers have heard of has to be there after a crash, so the journal comes first.
            for live, event in batch:
                live.history.append(event)
                self._subscribers.hear(live, event)

    def _stir(self) -> None:
        """Have what was told to the journal written."""
        self._stirred.set()

    def _listen(self, live: LiveSearch, event: Event) -> None:
        """Take an event of a search, to be told when the journal has it."""
        if isinstance(event, SearchStopped):
            event = start_next_suspect(live, event, lambda request: self.begin(self.resolve(request), live.services))
        live.run.note(event)
        live.state.apply(event)
        if live.journal is not None:
            live.journal.on_event(event)
            record_lessons(live, event)
        self._untold.append((live, event))
        self._stirred.set()

    async def _run(self, live: LiveSearch) -> None:
        """Run one search inside its edge: whatever happens, it ends with one SearchStopped and the daemon lives."""
        run, emitter = live.run, live.run.emitter
        tell_resumed(live)
        try:
            with run.resources.kept(), run.scope:
                async with background_tasks() as beside:
                    await self.runner.run(live, beside)
        except Exception as error:  # noqa: BLE001 - the edge of a search, which no failure crosses
            tell_end(live, emitter, *failure(live.id, error, live.resolved.settings.search))
        finally:
            if live.state.stopped is None:
                tell_end(live, emitter, Outcome.CANCELLED, "")
            if live.journal is not None and run.scope.cancel_called and live.id in self._live:
                live.journal.stand(live.id, "ended")
            with anyio.CancelScope(shield=True):
                await self._tell()
            run.stopped.set()
            self._leave(live)

    def _leave(self, live: LiveSearch) -> None:
        """Note that a search runs no more; when none does, put the journals in order, for then it holds nothing up."""
        self._running.discard(live.id)
        self.notice(live)
        if not self._running:
            self._idle.set()
            self._idle = anyio.Event()
            if self.journals is not None:
                self.journals.checkpoint()
            self._strengths.begin(live)
            if self._idle_tests is not None:
                self._idle_tests.begin(live.resolved)
