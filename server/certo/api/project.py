"""A project on disk, whose functions are searched, verified, compared and tested from Python."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import anyio

from certo.api.contextual_model import as_model
from certo.api.given_settings import names_tries, sets_seconds, with_whole_places
from certo.api.model_context import working
from certo.api.own_parts import OwnParts, own_parts
from certo.api.parts import require_callable, require_kind
from certo.api.project_search import ProjectSearch
from certo.api.strategy import Strategy
from certo.behaviour.diff import BehaviourDiff
from certo.behaviour.version_comparison import ComparisonBudget
from certo.concurrency import side_by_side
from certo.edits.examples import examples_in
from certo.edits.file_update import FileReplacement, replace_texts
from certo.edits.source import read_source
from certo.edits.target import split_target
from certo.generation.generator import Generator
from certo.llm.ledger import Ledger
from certo.llm.model import ChatModel
from certo.project.revisions import find_revision
from certo.search.engine import Parts
from certo.sessions.assembly.models import models_of
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, find_execution_context
from certo.sessions.assembly.request import Request
from certo.sessions.current_function import Standing
from certo.sessions.evidence.behaviour_diff import OlderVersion, diff_function, older_at
from certo.sessions.evidence.written_tests import CurrentTests
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.sessions.suspects import request_to_blame
from certo.settings.loader import load_settings
from certo.storage.location import journal_folder
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.guidance import Example, Guidance
from certo.vocabulary.progress import unheard
from certo.vocabulary.strength import TestStrength
from certo.vocabulary.verdict import Report


class Project:
    """A project in the folder `root`, for `async with Project(root) as project:`.

    `settings` are certo's own by their dotted names, such as {"search.seconds": 30}, and come before those of the
    project; a file in one, as in "greedy.py:Greedy", is relative to the root. What is learned of the project is kept
    where `certo generate` keeps it, so that the next use is quick; the setting `journal.enabled` switches that off. All
    background work ends with the block. A target is named as on the command line, relative to the root:
    "shop.py::total", "shop.py::Basket.total" or "shop.py:42".

    Every method raises BadRequest if the target, a setting or a value given is wrong, and BrokenWorld if nothing can be
    run here.
    """

    def __init__(self, root: str | os.PathLike[str], *, settings: Mapping[str, Any] | None = None) -> None:
        require_kind("Project.settings", settings, Mapping | None, 'give them by name, as {"search.seconds": 30}')
        self.root = Path(root).expanduser().resolve()
        self._settings = with_whole_places(settings or {}, self.root)
        self._environ = dict(os.environ)
        self._own: dict[str, OwnParts] = {}
        self._opened: AbstractAsyncContextManager[Searches] | None = None
        self._running: Searches | None = None

    async def __aenter__(self) -> Project:
        if not self.root.is_dir():
            raise BadRequest(f"{self.root} is no folder; give the folder of a project")
        if self._running is not None:
            raise BadRequest("this Project is open already; make another one for another block")
        self._opened = self._open()
        self._running = await self._opened.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        opened, self._opened, self._running = self._opened, None, None
        if opened is not None:
            await opened.__aexit__(kind, error, trace)

    @asynccontextmanager
    async def search(
        self,
        target: str,
        *,
        instruction: str = "",
        goal: str = "",
        preserve: bool = False,
        examples: Collection[str] = (),
        feedback: str = "",
        strategy: Strategy | None = None,
        llm: ChatModel | str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[ProjectSearch]:
        """Search for a verified change of a function, or of the function to blame for a failing test.

        Use it as `async with project.search("shop.py::total") as search:`; leaving the block cancels what still runs.
        With `goal` "faster", candidates have to do the same in less time. `preserve` refuses a candidate that acts
        otherwise, `examples` must hold, as "total([1, 2]) == 3", and `feedback` and `instruction` are in your own
        words, for a language model. `strategy` and `llm` replace parts of what the settings name, and `settings` are
        those of this search alone, before those of the project.
        """
        if goal not in ("", "faster"):
            raise BadRequest(f'goal = {goal!r} is unknown; give "faster", or nothing')
        require_kind("strategy", strategy, Strategy | None, "give a Strategy")
        require_callable("search", llm=llm)
        require_kind("settings", settings, Mapping | None, 'give them by name, as {"search.seconds": 30}')
        searches, of_search = self._searches, with_whole_places(settings or {}, self.root)
        given = {**self._settings, **of_search}
        own = own_parts(
            strategy or Strategy(),
            as_model(llm),
            given=of_search,
            shared=self._settings,
            in_force=load_settings(self.root, client=None, environ=self._environ, flags=given),
            follows_settings=not names_tries(strategy),
        )
        request = replace(
            self._request(target),
            instruction=instruction,
            goal="faster" if goal else "",
            preserve=preserve,
            guidance=Guidance(feedback=feedback, examples=_examples(examples)),
            flags=self._flags_of(strategy, given),
        )
        request, _ = await request_to_blame(request, self._environ)
        live = searches.start(request)
        self._own[live.id] = own
        found = ProjectSearch(searches, live, has_own_checks=bool(own.verifiers))
        try:
            yield found
        finally:
            with anyio.CancelScope(shield=True):
                await found.cancel()
            self._own.pop(live.id, None)

    async def verify(self, target: str) -> Report:
        """Judge a function as it is; `verified` tells if its tests show that it is right."""
        return (await self.examine(target)).report

    async def examine(
        self, target: str, *, strength: bool = False, on_progress: Callable[[str], None] | None = None
    ) -> Standing:
        """Judge a function as it is, and return the report with the tests it rests on and the verdict's digest.

        With `strength` the report has the strength of its tests as well. `on_progress` hears each step in words.
        """
        resolved = self._resolved(target)
        ledger = Ledger(resolved.settings.search.budget)
        models = models_of(resolved, self._searches.connections, ledger)
        return await self._searches.verify(resolved, models, on_progress or unheard, strength=strength)

    async def diff(
        self,
        target: str,
        *,
        against: str = "",
        other: str | os.PathLike[str] | None = None,
        seconds: float = 10.0,
        exhaustive: bool = False,
        seed: int = 0,
    ) -> BehaviourDiff:
        """Compare what a function does with an older version: of the revision `against`, HEAD by default, or of a file.

        With `exhaustive` it goes on after the first difference. That none was found does not mean that there is none.
        """
        if against and other is not None:
            raise BadRequest("against and other both name the other version; give one of them")
        resolved = self._resolved(target)
        if other is not None:
            older = OlderVersion(name=os.fspath(other), texts={resolved.path: read_source(Path(other))})
        else:
            older = await older_at(await find_revision(self.root, against or "HEAD", self._environ), resolved)
        context = await find_execution_context(resolved, self._environ)
        budget = ComparisonBudget(seconds=seconds, exhaustive=exhaustive, seed=seed)
        return await diff_function(resolved, context, older, budget)

    async def strength(self, target: str, *, on_progress: Callable[[str], None] | None = None) -> TestStrength:
        """Return how many small changes of a function its tests notice."""
        return (await self._searches.strength(self._resolved(target), on_progress or unheard)).strength

    async def write_tests(
        self,
        target: str,
        *,
        against: str = "",
        model: str | None = None,
        on_progress: Callable[[str], None] | None = None,
    ) -> CurrentTests:
        """Write tests that state what a function does today; no file changes before `add_tests`.

        They are held against the revision `against`, if one is named: those that fail there have a `doubt`.
        A `model` by name, "" for the default one, proposes further tests; they verify no candidate that it writes.
        """
        resolved, hear = self._resolved(target), on_progress or unheard
        author = None
        if model is not None:
            ledger = Ledger(resolved.settings.search.budget)
            author = models_of(resolved, self._searches.connections, ledger).named(model)
        return await self._searches.write_tests(resolved, hear, against=against, model=author)

    async def add_tests(
        self, tests: CurrentTests, names: Collection[str] | None = None, *, are_right: bool = False
    ) -> Path:
        """Add written tests, or those of these names, to the project's test file, and return its path.

        Tests with a `doubt` are added only if they are named. Until the function changes, the tests verify nothing by
        themselves, unless you say that what they state is right: `are_right`.
        """
        known = [test.name for test in tests.written.tests]
        unknown = sorted(set(names or ()) - set(known))
        if unknown or not known:
            listed = ", ".join(known) or "there are none"
            raise BadRequest(f"no test is called {', '.join(unknown) or 'so'}; known: {listed}; nothing was written")
        chosen = tests.written.ticked_names if names is None else names
        path, before, after = tests.replacement(chosen)
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_texts([FileReplacement(path=file, before=before, after=after)])
        self._searches.pin_tests(tests, chosen, are_right=are_right)
        return file

    @property
    def _searches(self) -> Searches:
        if self._running is None:
            raise BadRequest("the project is not open; use it within `async with Project(root) as project:`")
        return self._running

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[Searches]:
        async with working(), side_by_side() as group:
            yield Searches(
                group,
                environ=self._environ,
                refit=self._refit,
                own_generator=self._writer,
                journals=journal_folder(self._environ),
            )
            group.cancel_scope.cancel()

    def _flags_of(self, strategy: Strategy | None, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the settings of a search: the caller's, and the seconds if the strategy sets them."""
        if strategy is None or "seconds" not in strategy.model_fields_set:
            return given
        if sets_seconds(given, strategy, self._environ):
            return given
        return {**given, "search.seconds": strategy.seconds}

    def _refit(self, parts: Parts, live: LiveSearch) -> Parts:
        own = self._own_of(live)
        return parts if own is None else own.put_into(parts, live)

    def _writer(self, live: LiveSearch, context: ExecutionContext) -> Generator | None:
        own = self._own_of(live)
        return None if own is None else own.writer(live, context)

    def _own_of(self, live: LiveSearch) -> OwnParts | None:
        """Return the parts that were given for a search, or for the one in another suspect that it follows."""
        while live.id not in self._own:
            before = next((each for each in self._searches if each.followed_by == live.id), None)
            if before is None:
                return None
            live = before
        return self._own[live.id]

    def _request(self, target: str) -> Request:
        path, place = split_target(target)
        document = (self.root / path).resolve()
        if not document.is_relative_to(self.root):
            raise BadRequest(f"{path} is outside of the project {self.root}; open the project that it is in")
        return Request(
            document=document, text=read_source(document), place=place, folders=(self.root,), flags=self._settings
        )

    def _resolved(self, target: str) -> ResolvedRequest:
        return self._searches.resolve(self._request(target))


def _examples(texts: Collection[str]) -> tuple[Example, ...]:
    examples: list[Example] = []
    for text in texts:
        examples += examples_in(text, after=len(examples))
    return tuple(examples)
