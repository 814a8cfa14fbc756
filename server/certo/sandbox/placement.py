"""Choice of the place where untrusted code runs: this machine, a cluster, or a plug-in."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import cast

from anyio.lowlevel import RunVar

from certo.plugins import Registry
from certo.sandbox.executor import Executor, ExecutorWrapper, Finished, Message, Work
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.sandbox.selection import choose_executor
from certo.vocabulary.errors import SandboxUnavailable

EXECUTORS: Registry[Callable[[SandboxOptions], Executor]] = Registry(kind="executor", builtin={})
"""Executors brought by plug-ins."""

_joined: RunVar[dict[tuple[SandboxOptions, ExecutorOptions], Executor]] = RunVar("certo.sandbox.joined")
"""The clusters used by this event loop: their turns are shared by all searches."""


async def place_executor(options: SandboxOptions, where: ExecutorOptions, *, editor: bool = False) -> Executor:
    """Return the executor for `options` on this machine, or the plug-in or cluster that `where` names.

    An attached `editor` is left one processor of this machine; see `choose_executor`.

    Raises:
        BadSetting: There is no such plug-in, or it cannot be loaded.
        SandboxUnavailable: This machine or that cluster cannot run anything that way; the message says what to do.
    """
    if where.plugin:
        return EXECUTORS.load(where.plugin)(options)
    if where.cluster is None:
        return await choose_executor(options, editor=editor)
    try:
        joined = _joined.get()
    except LookupError:
        joined = {}
        _joined.set(joined)
    key = (options, where)
    if key not in joined:
        # Imported by name, because only this setting needs dask, which takes half a second to import and may be
        # missing.
        module = importlib.import_module(require_dask("certo.sandbox.cluster.cluster_executor"))
        local = partial(choose_executor, options, editor=editor)
        joined.setdefault(key, cast("Executor", await module.join_cluster(options, where, local)))
    return joined[key]


def require_dask(module: str) -> str:
    """Return the name of our `module` that needs dask, after checking that dask is installed.

    Raises:
        SandboxUnavailable: It is not.
    """
    try:
        importlib.import_module("distributed")
    except ImportError as error:
        raise SandboxUnavailable(
            f'more machines need dask.distributed, which cannot be imported ({error}): pip install "certo[cluster]"'
        ) from error
    return module


class BackgroundExecutor(ExecutorWrapper):
    """Wrapper around an executor that runs everything in the background."""

    @asynccontextmanager
    async def warmed(self, work: Work, /) -> AsyncIterator[Executor]:
        """Yield an executor whose runs like this one start warm, in the background too; see `Executor`."""
        async with self._executor.warmed(replace(work, background=True)) as warm:
            yield BackgroundExecutor(warm)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end, in the background; see `Executor`."""
        return await self._executor.run(replace(work, background=True), tell)
