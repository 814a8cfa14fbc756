"""Live searches: started, watched, cancelled, accepted; each with an edge that no failure crosses."""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from certo.llm.editor import AskClient
from certo.llm.keys import AskEditor
from certo.llm.ledger import Ledger
from certo.llm.model import Models
from certo.llm.unnamed import NoModels
from certo.search.board import Board
from certo.search.engine import Parts, search
from certo.search.telling import Telling
from certo.sessions.assembly import assemble
from certo.sessions.models import connect, models_of
from certo.sessions.request import Request
from certo.sessions.stating import Aim, World, find_world, state, take_aim
from certo.verification.grounds import warm_grounds
from certo.verification.tool_verdict import with_tools
from certo.verification.toolbox import warm_toolbox
from certo.vocabulary.errors import BadRequest, BadSetting, CertoError
from certo.vocabulary.events import Event, SearchPreparing, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class LiveSearch:
    """One search a client started: what was asked, what is known so far, and the handle to end it.

    `problem` and `world` are None until the problem is stated. `models` are the language models it asks,
    and `ledger` has what they took.
    """

    id: str
    aim: Aim
    board: Board = field(default_factory=Board)
    problem: Problem | None = None
    world: World | None = None
    began: float = field(default_factory=time.monotonic)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    stopped: anyio.Event = field(default_factory=anyio.Event)
    models: Models = field(default_factory=NoModels)
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.aim.settings.search.budget)

    @property
    def document(self) -> Path:
        """The document the search is about."""
        return self.aim.request.document

    @property
    def running(self) -> bool:
        """Whether the search has not ended yet."""
        return not self.stopped.is_set()

    @property
    def seconds(self) -> float:
        """How long the search has been running, or ran."""
        return time.monotonic() - self.began if self.board.stopped is None else self.board.spent.seconds


class Searches:
    """The live searches of one client.

    Their background work belongs to the task group given here: when that is cancelled, every search, every process of
    theirs and every connection to a language model has ended. `listener` hears every event of every search after its
    board has. `ask_editor` asks for keys that are in the editor's secret storage, `editor_model` is the way to its own
    model.
    """

    def __init__(
        self,
        group: TaskGroup,
        *,
        listener: Callable[[LiveSearch, Event], None],
        environ: Mapping[str, str] | None = None,
        refit: Callable[[Parts, LiveSearch], Parts] | None = None,
        ask_editor: AskEditor | None = None,
        editor_model: AskClient | None = None,
    ) -> None:
        self._group = group
        self._refit = refit
        self._listener = listener
        self._environ = os.environ if environ is None else environ
        self._live: dict[str, LiveSearch] = {}
        self._connections = connect(self._environ, ask_editor, editor_model)
        group.start_soon(self._keep_connections)

    async def _keep_connections(self) -> None:
        """Keep what searches use to ask language models until the session ends."""
        async with self._connections:
            await anyio.sleep_forever()

    def aim(self, request: Request) -> Aim:
        """Say what a request points at, without starting anything.

        Raises:
            BadRequest: the request cannot be aimed (no such target, no Python text, a bad setting …).
        """
        return take_aim(request, self._environ)

    def start(self, request: Request) -> LiveSearch:
        """Start a search and return at once; raises what `aim` does."""
        return self.begin(self.aim(request))

    def begin(self, aim: Aim) -> LiveSearch:
        """Start a search that was aimed already, and return at once."""
        live = LiveSearch(id=secrets.token_hex(4), aim=aim)
        self._live[live.id] = live
        self._group.start_soon(self._run, live)
        return live

    async def cancel(self, live: LiveSearch) -> None:
        """End a search; returns when all its processes are dead."""
        live.scope.cancel()
        await live.stopped.wait()

    def forget(self, live: LiveSearch) -> None:
        """End a search if it runs, and drop what is known of it."""
        live.scope.cancel()
        self._live.pop(live.id, None)

    def get(self, search_id: str) -> LiveSearch:
        """Look a search up.

        Raises:
            BadSetting: there is none of that id.
        """
        if search_id not in self._live:
            raise BadSetting(f"there is no search {search_id!r}; it was dismissed, or belongs to an earlier session")
        return self._live[search_id]

    def of_document(self, document: Path) -> Iterator[LiveSearch]:
        """The searches about a document, in the order they were started."""
        return (live for live in tuple(self._live.values()) if live.document == document)

    def __iter__(self) -> Iterator[LiveSearch]:
        return iter(tuple(self._live.values()))

    async def _run(self, live: LiveSearch) -> None:
        """Run one search inside its edge: whatever happens, it ends with one SearchStopped and the daemon lives."""

        def listen(event: Event) -> None:
            live.board.tell(event)
            self._listener(live, event)

        telling = Telling(live.id, listen)
        try:
            with live.scope:
                await self._pursue(live, telling)
        except Exception as error:  # noqa: BLE001 - the edge of a search, which no failure crosses
            _fail(live, telling, tuple(_leaves(error)))
        finally:
            if live.board.stopped is None:
                _stop(live, telling, Outcome.CANCELLED, "")
            live.stopped.set()

    async def _pursue(self, live: LiveSearch, telling: Telling) -> None:
        """Prepare and search; the way of one search from its aim to its outcome."""

        def say(message: str) -> None:
            telling.tell(SearchPreparing, message=message)

        settings = live.aim.settings
        models = live.models = models_of(live.aim, self._connections, live.ledger)
        if settings.search.generator == "model":
            # A key that is missing everywhere is told before the tests are run, which may take minutes.
            await models.ready(settings.generation.models or ("",))
        with anyio.move_on_after(settings.search.seconds) as clock:
            say("finding the interpreter")
            world = live.world = await find_world(live.aim, self._environ)
            # What the user accepts is judged again in the world itself, for then somebody waits.
            world = world.in_background() if live.aim.request.background else world
            problem = await state(live.aim, world, say)
        if clock.cancelled_caught:
            reason = f"running the tests on the text as it is took all of search.seconds, {settings.search.seconds:g} s"
            _stop(live, telling, Outcome.BUDGET_SPENT, f"{reason}; raise it, or name fewer tests in tests.paths")
            return
        async with warm_toolbox(world.toolbox(settings.verify), problem) as toolbox:
            # Each tool has a time of its own for this.
            problem = live.problem = await with_tools(problem, toolbox, say)
            if settings.verify.custom:
                say("finding your own checks")
                await toolbox.custom().find(problem)
            async with warm_grounds(world.grounds(settings.tests), problem) as grounds:
                parts = assemble(
                    settings,
                    baseline=problem.baseline,
                    executor=world.executor,
                    interpreter=world.interpreter,
                    grounds=grounds,
                    toolbox=toolbox,
                    models=live.models,
                    background=live.aim.request.background,
                )
                if self._refit is not None:
                    parts = self._refit(parts, live)
                await search(problem, parts=parts, budget=settings.search.budget, telling=telling, ledger=live.ledger)


def _fail(live: LiveSearch, telling: Telling, errors: tuple[Exception, ...]) -> None:
    """Tell of a search that failed: what cannot be had as asked, what is broken here, or that we have a bug."""
    if any(not isinstance(error, CertoError) for error in errors):
        log.error("search %s met a bug", live.id, exc_info=ExceptionGroup("all that went wrong", errors))
        _stop(live, telling, Outcome.BROKEN, "; ".join(f"{type(error).__name__}: {error}" for error in errors))
        return
    asked_wrongly = all(isinstance(error, BadRequest) for error in errors)
    outcome = Outcome.REFUSED if asked_wrongly else Outcome.WORLD_BROKEN
    _stop(live, telling, outcome, " ".join(dict.fromkeys(map(str, errors))))


def _stop(live: LiveSearch, telling: Telling, outcome: Outcome, reason: str) -> None:
    """Tell the end of a search that the engine could not tell itself."""
    spent = live.ledger.spent(candidates=live.board.spent.candidates, seconds=telling.elapsed)
    telling.tell(SearchStopped, outcome=outcome, reason=reason, verified=False, winner=None, spent=spent)


def _leaves(error: Exception) -> Iterator[Exception]:
    """An exception itself, or those of a group, whatever groups they are wrapped in."""
    if isinstance(error, ExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
