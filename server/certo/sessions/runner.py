"""The generator of a search, which may prepare while the tests still run."""

from __future__ import annotations

from anyio.abc import TaskGroup

from certo.generation.generator import Generator, Preparable, ProjectContext
from certo.llm.model import Models
from certo.sessions.assembly.parts import generator_of
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest


def generator_for(
    aim: ResolvedRequest,
    world: ExecutionContext,
    models: Models,
    recollection: ProjectContext | None,
    beside: TaskGroup,
) -> Generator:
    """The generator that an aim's settings name; what it can prepare by the aim alone, it prepares in `beside`.

    Raises:
        BadSetting: it is not known, or cannot be had with these settings.
    """
    generator = generator_of(
        aim.allotted,
        world.executor,
        world.interpreter,
        models,
        background=aim.request.background,
        recollection=recollection,
    )
    if isinstance(generator, Preparable):
        beside.start_soon(generator.stand_by, aim.root, aim.path, aim.unsaved)
    return generator
