"""A live search: what was asked and is known, its present run, how far it has come, and where it came from."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path

import anyio

from certo.edits.patch import apply_edits
from certo.llm.ledger import Ledger
from certo.llm.model import Models, NoModels
from certo.llm.wrappers.record_replay import Write
from certo.project.file_stamps import Files
from certo.sandbox.process.resource_tracker import ResourceTracker
from certo.search.bench import SearchBench
from certo.search.board import CandidateState, SearchState
from certo.search.emitter import EventEmitter
from certo.sessions.applied import AppliedEdit
from certo.sessions.assembly.models import NO_CLIENT_SERVICES, ClientServices
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest
from certo.sessions.history import History
from certo.sessions.receipts import expense_of
from certo.storage.journal import Journal
from certo.storage.paid_calls import PaidCall
from certo.vocabulary.errors import CandidateNotFound
from certo.vocabulary.events import CandidateProposed, CandidateScored, Event, SearchStopped
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class Preparing:
    """The phase of a search whose problem is not stated yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """The phase of a search whose problem is stated.

    `context` is where its code runs, and `files` are those of the project just before the problem was stated.
    """

    problem: Problem
    context: ExecutionContext
    files: Files

    def is_of(self, text: str, unsaved: Mapping[str, str]) -> bool:
        """True if the problem was stated for this text, and for these unsaved texts of other documents, by path."""
        return (text, dict(unsaved)) == (self.problem.text, dict(self.problem.unsaved))


@dataclass(frozen=True, slots=True, kw_only=True)
class Searching(Stated):
    """The phase of a search whose engine has begun: it makes its attempts at `bench`."""

    bench: SearchBench


Phase = Preparing | Stated | Searching
"""How far a search has come; its problem stays stated when it has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousRun:
    """The run that a search goes on from: the calls of models it paid for, and the fingerprint of its world.

    `fingerprint` holds for events after number `since`; see `StoredSearch`. `last` is the number of its last event.
    """

    calls: tuple[PaidCall, ...]
    fingerprint: str
    since: int
    last: int


@dataclass(frozen=True, slots=True)
class Fresh:
    """The origin of a search that began in this process."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The origin of a search that ran in an earlier process; `restate` states its problem as things stand now."""

    restate: Callable[[LiveSearch], Awaitable[Stated]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """The origin of a search that goes on from its previous run; `first` is the origin it had before it ever did.

    `confirmed` is True once the world was found to be the one in which the previous run reached its verdicts.
    """

    previous: PreviousRun
    first: Fresh | Restored
    confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a search. Each start makes a new Run, because each has its own end.

    `resources` are the processes and connections that there are of it, and `models` the language models it asks.
    `began` is when it would have begun had it run in one go, on the clock of `time.monotonic`. `found` is set with its
    first candidate, and `judged` when the first one is judged, or there is none.
    """

    emitter: EventEmitter
    began: float = field(default_factory=time.monotonic)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    found: anyio.Event = field(default_factory=anyio.Event)
    judged: anyio.Event = field(default_factory=anyio.Event)
    stopped: anyio.Event = field(default_factory=anyio.Event)
    resources: ResourceTracker = field(default_factory=ResourceTracker)
    models: Models = field(default_factory=NoModels)

    def note(self, event: Event) -> None:
        """Take note of an event of this run."""
        if isinstance(event, CandidateProposed):
            self.found.set()
        elif isinstance(event, CandidateScored | SearchStopped):
            self.judged.set()


@dataclass(slots=True, kw_only=True)
class Acceptance:
    """The acceptance of a search's candidates; `feedback` is what users said of them, in order.

    `accepting` is the candidate that is being accepted now, and `accepted` is True while one is in the text. `undone`
    is what had been applied and is not in the text any more. A search is `withdrawn` if nobody asked for it, and its
    text has changed. `successor` is the search that takes this one's place once its own problem is stated.
    """

    accepting: str | None = None
    accepted: bool = False
    withdrawn: bool = False
    undone: AppliedEdit | None = None
    successor: LiveSearch | None = None
    feedback: list[Feedback] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class LiveSearch:
    """One search a client started: what was asked, what is known so far, and the handle to end it.

    `services` is what its client lends it, `journal` where it is kept, None where it is not, and `ledger` has what its
    models took. `state` is folded from its events, and `history` has those that were told. `run` is set
    by `Searches`; reading it earlier raises.
    """

    id: str
    resolved: ResolvedRequest
    services: ClientServices = NO_CLIENT_SERVICES
    journal: Journal | None = None
    state: SearchState = field(default_factory=SearchState)
    history: History = field(default_factory=History)
    phase: Phase = field(default_factory=Preparing)
    acceptance: Acceptance = field(default_factory=Acceptance)
    origin: Fresh | Resumed | Restored = field(default_factory=Fresh)
    ledger: Ledger = field(init=False)
    run: Run = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.resolved.budget)

    def reopen(self, resolved: ResolvedRequest, services: ClientServices, previous: PreviousRun) -> None:
        """Prepare another run, keeping the cost of the previous one."""
        self.resolved, self.services = resolved, services
        self.ledger = Ledger(resolved.budget, expense_of(previous.calls))
        match self.origin:
            case Resumed(first=first, confirmed=confirmed):
                self.origin = Resumed(previous=previous, first=first, confirmed=confirmed)
            case first:
                self.origin = Resumed(previous=previous, first=first)
        # The bench is of the previous run; its problem holds until the next run has stated it anew.
        if isinstance(self.phase, Searching):
            before = self.phase
            self.phase = Stated(problem=before.problem, context=before.context, files=before.files)

    @property
    def needs_rejudging(self) -> bool:
        """True while its verdicts are those of an earlier process, and nothing shows that they still hold."""
        match self.origin:
            case Restored() | Resumed(first=Restored(), confirmed=False):
                return True
            case _:
                return False

    @property
    def worked(self) -> float:
        """The seconds charged to it by its last event; judging what users edited after its end is no work."""
        newest = self.history.newest
        if self.state.stopped is not None:
            return self.state.stopped.spent.seconds
        return newest.at if newest is not None else 0.0

    @property
    def keep(self) -> Write | None:
        """The function that keeps each question to its models and the answer; None unless `journal.prompts` is set."""
        wanted = self.journal is not None and self.resolved.settings.journal.prompts
        return partial(self.journal.exchange, self.id) if self.journal is not None and wanted else None

    @property
    def path(self) -> str:
        """The target's file, relative to the project's root."""
        return self.resolved.path

    @property
    def target(self) -> Target:
        """The function that the search is about."""
        return self.resolved.target

    @property
    def document(self) -> Path:
        """The document the search is about."""
        return self.resolved.request.document

    @property
    def base(self) -> str:
        """The text the search began with, which all its candidates are edits of."""
        return self.resolved.request.text

    @property
    def running(self) -> bool:
        """True until the search has ended."""
        return not self.run.stopped.is_set()

    @property
    def is_shown(self) -> bool:
        """False for a search that nobody asked for, until it has ended with a verified candidate."""
        best = self.state.best_row
        return not self.resolved.request.ambient or (not self.running and best is not None and best.verified)

    @property
    def followed_by(self) -> str | None:
        """The id of the search that goes on where this one found nothing, if one does."""
        return self.state.stopped.followed_by if self.state.stopped is not None else None

    @property
    def seconds(self) -> float:
        """The time that the search has been running, or ran, in seconds."""
        return time.monotonic() - self.run.began if self.state.stopped is None else self.state.spent.seconds

    def row(self, candidate_id: str) -> CandidateState:
        """Return one of its candidates.

        Raises:
            CandidateNotFound: it has none of that id.
        """
        if candidate_id not in self.state.rows:
            raise CandidateNotFound(f"search {self.id} has no candidate {candidate_id!r}; look again at those it has")
        return self.state.rows[candidate_id]

    def text_with(self, row: CandidateState) -> str:
        """Return the whole file as a candidate would have it."""
        return apply_edits(self.base, row.edits)
