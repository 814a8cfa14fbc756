"""One run of a search: its problem is stated, its parts are made ready, and the engine searches."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import field, replace

from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.generation.generator import Generator, Preparable, ProjectContext
from certo.knowledge.project_context import JournalProjectContext
from certo.llm.connections import Connections
from certo.llm.ledger import PaidCallLog
from certo.llm.model import Models
from certo.llm.models import ConfiguredModels
from certo.project.file_stamps import look_at_files
from certo.sandbox.process.resource_tracker import tracked_by
from certo.sandbox.process.slots import own_place
from certo.sandbox.process.starvation import patient_limit
from certo.search.bench import SearchBench
from certo.search.engine import Parts, search
from certo.sessions.assembly.models import models_of
from certo.sessions.assembly.parts import assemble, generator_of, repairer_of
from certo.sessions.assembly.problem_statement import (
    ExecutionContext,
    ResolvedRequest,
    find_execution_context,
    restate_problem,
    state_problem,
)
from certo.sessions.current_function import Standing, verify_current
from certo.sessions.earlier_run import receipts_of, record_of_earlier
from certo.sessions.evidence.strength import CurrentStrength, strength_of_current
from certo.sessions.failures import slow, tell_end
from certo.sessions.live import LiveSearch, Searching, Stated
from certo.sessions.persistence.knowledge import rejected_before, with_reflection
from certo.sessions.persistence.project_context import project_context_of
from certo.sessions.persistence.test_map import remembering, with_memory
from certo.sessions.persistence.verdict_cache import JournalVerdictCache, memory_of
from certo.sessions.turns import SearchTurns
from certo.sessions.verdict_claims import with_digest
from certo.storage.journals import Journals
from certo.verification.dynamic.flaky import MAX_EARLY_SECONDS, MAX_RERUN_SECONDS
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.verification.strength.strength import ASKED
from certo.verification.tools.toolbox import warm_toolbox
from certo.verification.tools.verifiers import with_tools
from certo.vocabulary.candidate import OWN
from certo.vocabulary.events import SearchPreparing
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem
from certo.vocabulary.progress import unheard
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)

Refit = Callable[[Parts, LiveSearch], Parts]
"""Exchanges parts of a search that is about to begin."""

OwnGenerator = Callable[[LiveSearch, ExecutionContext], Generator | None]
"""Returns the generator of a search in place of the one that its settings name; None leaves that one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRunner:
    """Runs searches of one process, with what they have in common.

    `environ` are the variables of the environment, `connections` what all of them ask language models through. `say`
    takes a sentence for the user that is about no search alone, and `write` has the journals written. `own_generator`
    comes before the settings' generator, and `refit` has the last word on the other parts of a search. `projects` keeps
    prepared processes from one search to the next.
    """

    environ: Mapping[str, str]
    connections: Connections
    journals: Journals | None
    say: Callable[[str], None]
    write: Callable[[], None]
    refit: Refit
    own_generator: OwnGenerator
    projects: WarmProjects
    turns: SearchTurns = field(default_factory=SearchTurns)

    def models_of(self, live: LiveSearch, receipts: PaidCallLog | None) -> ConfiguredModels:
        """Return the models that a search may ask; `receipts` is told what they took.

        Raises:
            BadSetting: the file to replay is not as it should be.
        """
        lent = self.connections.lent(live.services.ask_editor, live.services.editor_model)
        return models_of(live.resolved, lent, live.ledger, live.keep, receipts)

    async def restate(self, live: LiveSearch) -> Stated:
        """State the problem of a search that does not run, for what it found is to be judged again.

        Raises:
            BadSetting: its models are not set up as they should be.
            BrokenWorld: there is nothing to run the tests with.
        """
        live.run = replace(live.run, models=self.models_of(live, None))
        files = await look_at_files(live.resolved.root, apart_from=live.document)
        context = await find_execution_context(live.resolved, self.environ)
        async with remembering(live.resolved, context, live.journal) as knowing:
            problem = await restate_problem(live.resolved, knowing)
        return Stated(problem=problem, context=context, files=files)

    async def run(self, live: LiveSearch, beside: TaskGroup) -> None:
        """Take one search from its request to its outcome, when it is its turn; see `_run`."""
        with own_place():
            if live.resolved.allotted.search.generator != OWN or live.resolved.request.background:
                # A search that asks models waits for them most of the time, and one in the background has low priority.
                await self._run(live, beside)
                return
            async with self._turn(live):
                await self._run(live, beside)

    @asynccontextmanager
    async def _turn(self, live: LiveSearch) -> AsyncIterator[None]:
        """Wait for the search's turn, which is not charged to it, and hold it."""
        emitter = live.run.emitter
        before = emitter.charged
        if self.turns.busy:
            emitter.emit(SearchPreparing(message="waiting for the searches that were started before"))
        async with self.turns.taken(live.run.found):
            emitter.excuse(emitter.charged - before)
            yield

    async def _run(self, live: LiveSearch, beside: TaskGroup) -> None:
        """Take one search from its request to its outcome; what goes on beside it does so in `beside`.

        Raises:
            CertoError: it cannot be had as asked, or something is broken here.
        """
        emitter = live.run.emitter

        def say(message: str) -> None:
            emitter.emit(SearchPreparing(message=message))

        settings, budget = live.resolved.allotted, live.resolved.budget
        models = self.models_of(live, receipts_of(live, self.journals))
        live.run = replace(live.run, models=models)
        if settings.search.generator == "model":
            # A key that is missing everywhere is told before the tests are run, which may take minutes.
            await models.ready(settings.generation.models or ("",))
        async with patient_limit(budget.seconds - emitter.charged) as clock:
            say("finding the interpreter")
            found = await find_execution_context(live.resolved, self.environ)
            # What the user accepts is judged again where it was found, without background: then somebody waits.
            context = await self._context(live, found, beside)
            memory = memory_of(live, context)
            self._begin_look(memory, live)
            recollection = project_context_of(live, context, self.environ, self.write)
            if isinstance(recollection, JournalProjectContext):
                beside.start_soon(recollection.look)
            generator = self.own_generator(live, context) or generator_for(live.resolved, context, models, recollection)
            if isinstance(generator, Preparable):
                beside.start_soon(generator.stand_by, live.resolved.preview)
            # A file that changes while the tests run has changed since, as far as anybody can tell.
            files = await look_at_files(live.resolved.root, apart_from=live.document)
            knowing = with_memory(live.resolved, context, memory)
            problem = await state_problem(live.resolved, knowing, say, to_repair=True)
            rejected = rejected_before(live)
            record = await record_of_earlier(live, memory, say, rejected=rejected)
        if clock.ended:
            tell_end(live, emitter, Outcome.BUDGET_SPENT, "; ".join(filter(None, [slow(budget), clock.complaint])))
            return
        stated = Stated(problem=problem, context=found, files=files)
        context = replace(context, known_tests=knowing.known_tests)
        ready = ready_parts(
            live, stated, context, say, generator=generator, models=models, memory=memory, rejected=rejected
        )
        async with ready as (problem, parts):

            def attend(bench: SearchBench) -> None:
                live.phase = Searching(problem=problem, context=found, files=files, bench=bench)

            await search(
                problem,
                parts=with_reflection(self.refit(parts, live), live, problem, self.environ, self.say),
                budget=budget,
                emitter=emitter,
                ledger=live.ledger,
                attend=attend,
                record=record,
            )
        await self._end_look(memory)

    def _begin_look(self, memory: JournalVerdictCache | None, live: LiveSearch) -> None:
        """Have a cache look at the world; it goes on if the search is dismissed, as later ones are quicker by it."""
        if memory is not None:
            with tracked_by(None):
                self.projects.group.start_soon(self._look, memory)
                self.projects.group.start_soon(_want, memory, live)

    async def _look(self, memory: JournalVerdictCache) -> None:
        try:
            await memory.look_when_wanted()
        except Exception:
            log.exception("what a search keeps could not be kept")
        self.write()

    async def _end_look(self, memory: JournalVerdictCache | None) -> None:
        """Wait until everything is kept that a search keeps."""
        if memory is not None:
            await memory.looked()

    async def verify(
        self, resolved: ResolvedRequest, models: Models, say: Callable[[str], None], *, strength: bool
    ) -> Standing:
        """Judge a function as it is, with what is known of its project and in the processes prepared for it.

        Raises:
            BadRequest, BrokenWorld, BadSetting: as `verify_current`.
        """
        found = await find_execution_context(resolved, self.environ)
        journal = None if self.journals is None else self.journals.of(resolved.root, resolved.settings.journal)
        key = found.project_key(resolved, background=False)
        async with background_tasks() as beside, remembering(resolved, found, journal) as context:
            kept = await beside.start(self.projects.lend, key, lambda: False)
            own = replace(context, kept=kept)
            standing = await verify_current(resolved, own, say, models=models, strength=ASKED if strength else None)
        self.write()
        return with_digest(standing, self.environ)

    async def fails(self, resolved: ResolvedRequest) -> bool:
        """Run the tests of a function as it is, in the background; return True if one fails that counts for it.

        Raises:
            BadRequest, BrokenWorld, BadSetting: as `state_problem`.
        """
        found = await find_execution_context(resolved, self.environ)
        journal = None if self.journals is None else self.journals.of(resolved.root, resolved.settings.journal)
        key = found.project_key(resolved, background=True)
        async with background_tasks() as beside, remembering(resolved, found.in_background(), journal) as context:
            kept = await beside.start(self.projects.lend, key, lambda: False)
            problem = await state_problem(resolved, replace(context, kept=kept), unheard)
        self.write()
        return bool(problem.baseline.failing)

    async def strength(self, resolved: ResolvedRequest, say: Callable[[str], None]) -> CurrentStrength:
        """Measure the tests of a function as it is.

        Raises:
            BrokenWorld: nothing can be run here.
        """
        found = await find_execution_context(resolved, self.environ)
        journal = None if self.journals is None else self.journals.of(resolved.root, resolved.settings.journal)
        async with remembering(resolved, found, journal) as context:
            measured = await strength_of_current(resolved, context, say)
        self.write()
        return measured

    async def _context(self, live: LiveSearch, found: ExecutionContext, beside: TaskGroup) -> ExecutionContext:
        """Return the context of a search, with the processes that an earlier one of its project has left."""
        background = live.resolved.request.background
        key = found.project_key(live.resolved, background=background)
        kept = await beside.start(self.projects.lend, key, lambda: live.run.scope.cancel_called)
        return replace(found.in_background() if background else found, kept=kept)


async def _want(memory: JournalVerdictCache, live: LiveSearch) -> None:
    """Have a cache look at the world: now, or if there is nothing to recall, after the first judgement or the end.

    The built-in search keeps the processors busy until then.
    """
    if memory.is_new and live.resolved.allotted.search.generator == OWN:
        await live.run.judged.wait()
    memory.want()


def generator_for(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    models: Models,
    recollection: ProjectContext | None,
) -> Generator:
    """Return the generator that the settings name.

    Raises:
        BadSetting: it is not known, or cannot be had with these settings.
    """
    return generator_of(
        resolved.allotted,
        context.standing_executor,
        context.interpreter,
        models,
        background=resolved.request.background,
        recollection=recollection,
    )


@asynccontextmanager
async def ready_parts(
    live: LiveSearch,
    stated: Stated,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    generator: Generator,
    models: Models,
    memory: JournalVerdictCache | None,
    rejected: Mapping[str, str],
) -> AsyncIterator[tuple[Problem, Parts]]:
    """Yield the problem as the project's tools read it, and the parts of its search; end their processes afterwards."""
    settings = live.resolved.allotted
    async with warm_toolbox(context.toolbox(settings.verify), stated.problem) as toolbox:
        # Each tool has a time of its own for this.
        problem = await with_tools(stated.problem, toolbox, say)
        live.phase = replace(stated, problem=problem)
        if settings.verify.custom:
            say("finding your own checks")
            await toolbox.custom().find(problem)
        # While a model writes, the processors have nothing to do.
        early = MAX_EARLY_SECONDS if settings.search.generator == "builtin" else MAX_RERUN_SECONDS
        async with warm_harnesses(context.harnesses(settings.tests), problem, early_seconds=early) as harnesses:
            yield (
                problem,
                assemble(
                    settings,
                    generator=generator,
                    problem=problem,
                    harnesses=harnesses,
                    toolbox=toolbox,
                    models=models,
                    memory=memory,
                    rejected=rejected,
                    repairer=repairer_of(settings, generator, context.standing_executor, context.interpreter),
                ),
            )
