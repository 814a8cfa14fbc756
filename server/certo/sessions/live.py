"""One search as it is known here: what was asked, what is known so far, and the handle to end it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
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
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.problem import Problem, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousRun:
    """The earlier run of a search that goes on: the calls of models it paid for, and the fingerprint of its world.

    That was so for what was told after the event number `since`; see `Kept`. `last` is the number of its last event.
    """

    calls: tuple[PaidCall, ...]
    context: str
    since: int
    last: int


@dataclass(slots=True, kw_only=True)
class LiveSearch:
    """One search a client started: what was asked, what is known so far, and the handle to end it.

    `problem` and `context` are None until the problem is stated; `files` are those of the project just before.
    `resources` has the processes and connections there are of it. `models` are the language models it asks, with what
    its client lends (`services`), and `ledger` has what they took. It emits through `emitter`, and tries at `bench`.
    `accepting`
    is the candidate that is being accepted now, `accepted` says that one was, and `undone` is what had been applied of
    it and is not in the text any more. `successor` is the search that takes its place once that has begun in earnest.
    `feedback` is what users said of candidates. `journal` is where it is kept, None where it is not. One that was
    `recalled` ran in a process before this one: `restate_problem` makes up for that, and what it found has to be judged
    again. One that goes on where it was has `earlier`.
    """

    id: str
    resolved: ResolvedRequest
    state: SearchState = field(default_factory=SearchState)
    problem: Problem | None = None
    context: ExecutionContext | None = None
    files: Files | None = None
    began: float = field(default_factory=time.monotonic)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    stopped: anyio.Event = field(default_factory=anyio.Event)
    resources: ResourceTracker = field(default_factory=ResourceTracker)
    history: History = field(default_factory=History)
    services: ClientServices = NO_CLIENT_SERVICES
    accepting: str | None = None
    accepted: bool = False
    undone: AppliedEdit | None = None
    successor: LiveSearch | None = None
    feedback: list[Feedback] = field(default_factory=list)
    journal: Journal | None = None
    recalled: bool = False
    state_again: Callable[[], Awaitable[None]] | None = None
    models: Models = field(default_factory=NoModels)
    emitter: EventEmitter | None = None
    bench: SearchBench | None = None
    earlier: PreviousRun | None = None
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.resolved.budget)

    def reopen(self, resolved: ResolvedRequest, services: ClientServices, earlier: PreviousRun) -> None:
        """Be ready to run once more, on the account of the earlier run; nobody waits for that one's end any more."""
        self.resolved, self.services, self.earlier = resolved, services, earlier
        self.scope, self.stopped, self.resources, self.bench = (
            anyio.CancelScope(),
            anyio.Event(),
            ResourceTracker(),
            None,
        )
        self.ledger = Ledger(resolved.budget, expense_of(earlier.calls))
        self.began = time.monotonic() - self.worked

    @property
    def worked(self) -> float:
        """How many seconds the search had been at work when it last told something; what users edited is no work."""
        last = self.history.since(self.history.last - 1)
        return self.state.stopped.at if self.state.stopped is not None else last[-1].at if last else 0.0

    @property
    def keep(self) -> Write | None:
        """Where what its models are asked and answer is kept; None where it is not."""
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
        """Whether the search has not ended yet."""
        return not self.stopped.is_set()

    @property
    def followed_by(self) -> str | None:
        """The search that goes on where this one found nothing, if one does."""
        return self.state.stopped.followed_by if self.state.stopped is not None else None

    @property
    def seconds(self) -> float:
        """How long the search has been running, or ran."""
        return time.monotonic() - self.began if self.state.stopped is None else self.state.spent.seconds

    def row(self, candidate_id: str) -> CandidateState:
        """One of its candidates.

        Raises:
            CandidateNotFound: it has none of that id.
        """
        if candidate_id not in self.state.rows:
            raise CandidateNotFound(f"search {self.id} has no candidate {candidate_id!r}; look again at those it has")
        return self.state.rows[candidate_id]

    def text_with(self, row: CandidateState) -> str:
        """The whole file as a candidate would have it."""
        return apply_edits(self.base, row.edits)
