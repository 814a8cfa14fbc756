"""Requests that start no search: verify, diff, estimate, environment and status."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from certo import __version__
from certo.behaviour.version_comparison import MUTANTS, ComparisonBudget
from certo.features.editor.models import model_for, models_for
from certo.features.editor.session import EditorSession
from certo.features.lsp.search_start import next_suspects, place_of, request_of
from certo.project.revisions import find_revision
from certo.protocol.behaviour import BehaviourDiff
from certo.protocol.inspection import (
    DiffParams,
    EnvironmentParams,
    EnvironmentResult,
    EstimateParams,
    EstimateResult,
    StatusParams,
    StatusResult,
    StrengthParams,
    StrengthResult,
    TestsParams,
    VerifyParams,
)
from certo.protocol.negotiation import INSTANCE
from certo.protocol.values import CurrentReport
from certo.protocol.written_tests import CurrentTestsReport
from certo.sessions.assembly.models import choice_of
from certo.sessions.assembly.problem_statement import find_execution_context
from certo.sessions.diagnosis import examine
from certo.sessions.estimate import estimate
from certo.sessions.evidence.behaviour_diff import diff_function, older_at
from certo.sessions.model_facts import Fact, about_models
from certo.settings.loader import read_settings

_BEGAN = time.monotonic()


def _unsaid(message: str) -> None:
    """Ignore progress messages, since the client waits for the answer."""


async def verify(desk: EditorSession, params: VerifyParams) -> CurrentReport:
    """Verify a function in its current text in the editor.

    Raises:
        BadRequest: There is no such function, or a setting is wrong.
        BrokenWorld: Nothing can be run here.
    """
    searches = desk.searches
    resolved = searches.resolve(await desk.request(params.uri, place_of(desk, params)))
    return CurrentReport.model_validate(await searches.verify(resolved, models_for(desk, resolved)))


async def tests(desk: EditorSession, params: TestsParams) -> CurrentTestsReport:
    """Write tests that state what a function does today, in its current text in the editor; nothing is applied.

    Raises:
        BadRequest: There is no such function, or its tests have no place; or a setting is wrong.
        BrokenWorld: Nothing can be run here.
    """
    resolved = desk.searches.resolve(await desk.request(params.uri, place_of(desk, params)))
    model = model_for(desk, resolved) if params.model else None
    current = await desk.searches.write_tests(resolved, _unsaid, against=params.against, model=model)
    return CurrentTestsReport.model_validate(current)


async def strength(desk: EditorSession, params: StrengthParams) -> StrengthResult:
    """Measure the tests of a function in its current text in the editor; raises the errors of `verify`."""
    searches = desk.searches
    resolved = searches.resolve(await desk.request(params.uri, place_of(desk, params)))
    return StrengthResult.model_validate(await searches.strength(resolved))


async def diff(desk: EditorSession, params: DiffParams) -> BehaviourDiff:
    """Compare a function in its current text in the editor with an older version; raises the errors of `verify`."""
    searches = desk.searches
    resolved = searches.resolve(await desk.request(params.uri, place_of(desk, params)))
    older = await older_at(await find_revision(resolved.root, params.against, searches.environ), resolved)
    world = await find_execution_context(resolved, searches.environ)
    return BehaviourDiff.model_validate(await diff_function(resolved, world, older, ComparisonBudget(mutants=MUTANTS)))


async def estimate_search(desk: EditorSession, params: EstimateParams) -> EstimateResult:
    """Return the estimated model usage of a search; raises the errors of `verify`."""
    request, _ = await next_suspects(desk, await request_of(desk, params))
    resolved = desk.searches.resolve(request)
    world = await find_execution_context(resolved, desk.searches.environ)
    return EstimateResult.model_validate(await estimate(resolved, world, _unsaid))


async def environment(desk: EditorSession, params: EnvironmentParams) -> EnvironmentResult:
    """Return the environment that a search about a document would use.

    Raises:
        BadRequest: The document has no file, or is outside the workspace.
    """
    path = desk.path_of(params.uri)
    found = await examine(
        path,
        environ=desk.searches.environ,
        folders=tuple(desk.folders.values()),
        client=await desk.settings.of(desk.folder_of(path)),
    )
    return EnvironmentResult.model_validate(found)


async def status(desk: EditorSession, params: StatusParams) -> StatusResult:  # noqa: ARG001 - there is nothing to ask for
    """Return the state of the daemon."""
    assert desk.client.version is not None  # or this would not have been asked
    searches = tuple(desk.searches)
    return StatusResult.model_validate(
        {
            "version": __version__,
            "protocol": desk.client.version,
            "python": ".".join(map(str, sys.version_info[:3])),
            "instance": INSTANCE,
            "seconds": round(time.monotonic() - _BEGAN, 3),
            "searches": len(searches),
            "running": sum(live.running for live in searches),
            "models": await _models(desk),
        },
        from_attributes=True,
        by_name=True,
    )


async def _models(desk: EditorSession) -> tuple[Fact, ...]:
    """Return facts about the models in any folder's settings.

    Keys stored in the editor are not looked up, because that may ask the user.
    """
    facts: dict[Fact, None] = {}
    for folder in desk.folders.values() or (Path.home(),):
        client = await desk.settings.of(folder)
        settings = read_settings(folder, client=client, environ=desk.searches.environ, flags=None).settings
        needed = settings.search.generator == "model"
        facts |= dict.fromkeys(await about_models(choice_of(settings), desk.searches.connections, needed=needed))
    return tuple(facts)
