"""Early tests: the processes for the tests of a project are prepared before the search that needs them.

Loading the settings takes longer than all else that these processes need, and nearly all projects are tested by the
defaults. So nothing is loaded here for those.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.edits.target import find_target
from certo.project.ignored_files import MAX_ITEMS, ignored_files
from certo.project.interpreter import find_interpreter
from certo.project.root import find_root
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.sandbox.placement import place_executor
from certo.sandbox.trace import traced
from certo.sessions.assembly.request import Request, unsaved_within
from certo.settings.layers import Layer, client_layer, environment_layer, flags_layer, project_layer
from certo.storage.location import journal_file, journal_folder
from certo.verification.dynamic.baseline import without_secrets
from certo.verification.dynamic.harness import GRACE, Harness, Selection, run_program
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.warm_pool import PROJECT, WarmProjects, project_key
from certo.verification.options import TestOptions
from certo.vocabulary.errors import CertoError
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass

_GROUPS = frozenset({"interpreter", "sandbox", "executor", "tests"})
"""The settings that processes for tests depend on."""


def settings_matter(asked: Request, environ: Mapping[str, str]) -> bool:
    """True if a setting may be given that processes for the tests of a request's project depend on."""
    try:
        layers = list(_layers(asked, environ))
    except CertoError:
        return True  # the search says what is wrong
    return any(entry.name.partition(".")[0] in _GROUPS for layer in layers for entry in layer.entries)


def _layers(asked: Request, environ: Mapping[str, str]) -> Iterable[Layer]:
    project = project_layer(find_root(asked.document, asked.folders))
    yield from () if project is None else (project,)
    yield from (client_layer(asked.client or {}), environment_layer(environ), flags_layer(asked.flags or {}))


def begin(group: TaskGroup, asked: Request, environ: Mapping[str, str], *, to_verify: bool) -> WarmProjects:
    """Return the prepared processes of projects, which live in `group`; those for a request's project are started.

    `to_verify` a text as it is, there is no confirming run, and nothing is prepared if the project has a journal:
    results of an earlier run may serve.
    """
    projects = WarmProjects(group)
    group.start_soon(partial(_prepare_tests, asked, environ, projects, to_verify=to_verify))
    return projects


async def _prepare_tests(
    asked: Request, environ: Mapping[str, str], projects: WarmProjects, *, to_verify: bool
) -> None:
    """Prepare processes for the tests of a request's project; what is wrong with it is left for the search to say."""
    with suppress(CertoError):
        resolved = _resolve_by_settings(asked, environ) if settings_matter(asked, environ) else _resolve(asked)
        if to_verify and journal_file(journal_folder(environ), resolved.root).exists():
            return
        executor = traced(await place_executor(resolved.sandbox, resolved.executor, editor=asked.editor))
        interpreter = await find_interpreter(resolved.root, chosen=resolved.interpreter, environ=environ)
        seen = (resolved.root / resolved.path, interpreter.executable.parent.parent, *resolved.named)
        ignored = (await ignored_files(resolved.root, environ, seen, lambda _: None))[:MAX_ITEMS]
        harness = Harness(
            root=resolved.root,
            path=resolved.path,
            base=asked.text,
            target=resolved.target,
            unsaved=resolved.unsaved,
            interpreter=interpreter,
            executor=executor,
            options=resolved.tests,
            hidden=without_secrets(resolved.root, ignored),
        )
        key = project_key(resolved.root, executor, interpreter, background=asked.background)
        async with background_tasks() as beside:
            pool = await beside.start(projects.lend, key, _never)
            # The confirming run has a process of its own, which starts while the tests run in the other.
            for each in (harness,) if to_verify else (harness, harness.under_other_conditions()):
                warm = await pool.harness(each, PROJECT)
                # A process is started by the first run, and this one has nothing to do.
                await run_program("suite", warm, warm.base, Selection(paths=()), RunResults(), seconds=GRACE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resolved:
    """The part of a resolved request that its processes depend on; `named` are files that runs see in any case."""

    root: Path
    path: str
    target: Target
    unsaved: Mapping[str, str]
    named: tuple[Path, ...] = ()
    interpreter: str | None = None
    sandbox: SandboxOptions = SandboxOptions()
    executor: ExecutorOptions = ExecutorOptions()
    tests: TestOptions = TestOptions()


def _resolve(asked: Request) -> _Resolved:
    """Resolve a request by the default settings.

    Raises:
        BadRequest: It has no such target, or is outside the workspace.
    """
    root = find_root(asked.document, asked.folders)
    path = asked.document.relative_to(root).as_posix()
    target = find_target(asked.text, asked.place, path=path)
    return _Resolved(
        root=root, path=path, target=target, unsaved=unsaved_within(root, asked), named=_named(asked, root)
    )


def _resolve_by_settings(asked: Request, environ: Mapping[str, str]) -> _Resolved:
    """Resolve a request as the search does; raises what `resolve_request` does."""
    resolved = importlib.import_module("certo.sessions.assembly.problem_statement").resolve_request(asked, environ)
    settings = resolved.settings
    return _Resolved(
        root=resolved.root,
        path=resolved.path,
        target=resolved.target,
        unsaved=resolved.unsaved,
        named=(
            *_named(asked, resolved.root),
            *(resolved.root / name.partition("::")[0] for name in settings.tests.paths),
        ),
        interpreter=settings.interpreter,
        sandbox=settings.sandbox,
        executor=settings.executor,
        tests=settings.tests,
    )


def _named(asked: Request, root: Path) -> tuple[Path, ...]:
    test = asked.test.partition("::")[0]
    return (root / test,) if test else ()


def _never() -> bool:
    return False
