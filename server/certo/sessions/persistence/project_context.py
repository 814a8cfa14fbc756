"""The project context of a search, if its generator uses one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from certo.generation.generator import NoProjectContext, ProjectContext
from certo.knowledge.project_context import JournalProjectContext
from certo.knowledge.project_index import ProjectIndex
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.live import LiveSearch
from certo.settings.schema import Settings


def uses_project_context(settings: Settings) -> bool:
    """True if prompts of a search with these settings include what is known of the project.

    It does not where questions to models are recorded or replayed: those have to be the same when they are asked again.
    """
    search = settings.search
    is_wanted = search.generator == "model" and settings.generation.memory_tokens > 0 and settings.journal.enabled
    return is_wanted and search.record is None and search.replay is None


def project_context_of(
    live: LiveSearch, context: ExecutionContext, environ: Mapping[str, str], written: Callable[[], None]
) -> ProjectContext:
    """Return the project context of a search's prompts; an empty one if they include none, or there is no journal."""
    if live.journal is None or not uses_project_context(live.resolved.settings):
        return NoProjectContext()
    survey = ProjectIndex(
        root=live.resolved.root,
        journal=live.journal,
        executor=context.executor,
        environ=environ,
        texts={**live.resolved.unsaved, live.resolved.path: live.base},
        written=written,
    )
    return JournalProjectContext(survey, live.id, live.resolved.path)
