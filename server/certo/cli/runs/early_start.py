"""Early start: a command that runs tests makes everything ready for them while the rest of it is imported.

Importing a search takes as long as trying out the sandbox and starting a process for the tests. So only what these need
is imported first.
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any

import anyio

from certo.cli.runs.garbage import without_collector
from certo.concurrency import background_tasks, side_by_side
from certo.project.interpreter import find_interpreter
from certo.project.root import find_root
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.sandbox.placement import place_executor
from certo.sandbox.trace import trace_runs
from certo.sessions.assembly.request import Request
from certo.vocabulary.errors import CertoError

TYPE_CHECKING = False  # as type checkers understand it
if TYPE_CHECKING:
    from certo.verification.dynamic.warm_pool import WarmProjects

FIRST_STEPS = (
    "certo.verification.dynamic.harness",
    "certo.verification.dynamic.baseline",
    "certo.sessions.early_tests",
)
STEPS = (
    "pydantic_core",
    "pydantic.version",
    "annotated_types",
    "uuid",
    "pydantic.functional_validators",
    "pydantic.json_schema",
    "pydantic.fields",
    "pydantic.main",
    "certo.costs.options",
    "certo.criteria.options",
    "certo.generation.scripted",
    "certo.search.bench",
    "certo.strategies.auto",
    "certo.verification.static.policy",
    "certo.settings.loader",
    "certo.generation.builtin.candidate_selection",
    "certo.llm.models",
    "certo.sessions.assembly.criteria",
    "certo.sessions.assembly.costs",
    "certo.verification.dynamic.evidence",
    "certo.sessions.assembly.parts",
)
FURTHER_STEPS = (
    "rich.style",
    "rich.text",
    "rich.console",
    "certo.protocol.values",
    "certo.protocol.events",
    "certo.storage.journal",
    "certo.sessions.live",
    "certo.sessions.current_function",
    "certo.cli.view.card",
)
"""Modules to import one after the other, of which each imports a part of the next. Between them, processes are read.

A process for the tests is started after the first ones, or before the further ones if it depends on the settings. Its
start has to wait while one is imported, so that none takes more than some milliseconds.
"""

CHOICES = ("CERTO_INTERPRETER", "CERTO_SANDBOX", "CERTO_EXECUTOR")
"""Beginnings of the variables by which a user may choose another interpreter or sandbox than what is tried out."""

_TURNS = 10
"""The number of turns of the loop between two imports: the end of a process is noticed in several."""

Run = Callable[[argparse.Namespace, Request, "WarmProjects"], Awaitable[int]]


async def run_early(
    modules: Sequence[str], arguments: argparse.Namespace, asked: Request, *, to_verify: bool = False
) -> int:
    """Import the modules of a command, and return the exit code of `run` in the last one.

    It goes by what was prepared meanwhile, which is less `to_verify` a text as it is.
    """
    with trace_runs() if arguments.trace else nullcontext():
        async with background_tasks() as beside:
            beside.start_soon(_try_out, asked)
            with without_collector():
                early = await _import(*FIRST_STEPS)
                if early.settings_matter(asked, os.environ):
                    await _import(*STEPS)
                projects = early.begin(beside, asked, os.environ, to_verify=to_verify)
                run: Run = (await _import(*STEPS, *FURTHER_STEPS, *modules)).run
            return await run(arguments, asked, projects)


async def _import(*names: str) -> Any:
    """Import modules, and return the last one."""
    module: Any = None
    for name in names:
        for _ in range(_TURNS):
            await anyio.lowlevel.checkpoint()
        module = importlib.import_module(name)
    return module


async def _try_out(asked: Request) -> None:
    """Try out the sandbox and the interpreter, unless the user may have chosen others than a project can.

    The command gets the same answers, or raises the same errors.
    """
    if may_be_chosen(asked, os.environ):
        return
    with suppress(CertoError):
        root = find_root(asked.document, asked.folders)
        async with side_by_side() as group:
            group.start_soon(partial(find_interpreter, root, chosen=None, environ=os.environ))
            await place_executor(SandboxOptions(), ExecutorOptions(), editor=asked.editor)


def may_be_chosen(asked: Request, environ: Mapping[str, str]) -> bool:
    """True if a flag or a variable may choose another interpreter or sandbox than what is tried out."""
    return "interpreter" in (asked.flags or {}) or any(name.startswith(CHOICES) for name in environ)
