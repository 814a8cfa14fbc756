"""The parts of a search that is about to run: its generator, its tools, and the processes that judge candidates."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from anyio.abc import TaskGroup

from certo.generation.generator import Generator, Preparable, ProjectContext
from certo.llm.model import Models
from certo.search.engine import Parts
from certo.sessions.assembly.parts import assemble, generator_of
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest
from certo.sessions.live import LiveSearch
from certo.sessions.persistence.verdict_cache import JournalVerdictCache
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.tools.toolbox import warm_toolbox
from certo.verification.tools.verifiers import with_tools
from certo.vocabulary.problem import Problem


def generator_for(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    models: Models,
    recollection: ProjectContext | None,
    beside: TaskGroup,
) -> Generator:
    """The generator that an aim's settings name; what it can prepare by the aim alone, it prepares in `beside`.

    Raises:
        BadSetting: it is not known, or cannot be had with these settings.
    """
    generator = generator_of(
        resolved.allotted,
        context.executor,
        context.interpreter,
        models,
        background=resolved.request.background,
        recollection=recollection,
    )
    if isinstance(generator, Preparable):
        beside.start_soon(generator.stand_by, resolved.root, resolved.path, resolved.unsaved)
    return generator


@asynccontextmanager
async def ready_parts(
    live: LiveSearch,
    problem: Problem,
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
    async with warm_toolbox(context.toolbox(settings.verify), problem) as toolbox:
        # Each tool has a time of its own for this.
        problem = live.problem = await with_tools(problem, toolbox, say)
        if settings.verify.custom:
            say("finding your own checks")
            await toolbox.custom().find(problem)
        async with warm_harnesses(context.harnesses(settings.tests), problem) as harnesses:
            yield (
                problem,
                assemble(
                    settings,
                    generator=generator,
                    baseline=problem.baseline,
                    guidance=problem.guidance,
                    harnesses=harnesses,
                    toolbox=toolbox,
                    models=models,
                    memory=memory,
                    rejected=rejected,
                ),
            )
